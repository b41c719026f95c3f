#include "api/unit_study.h"

#include <math.h>
#include <stdlib.h>

enum err_code unit_study_make(const struct unit_kind *kind, size_t n_kinds,
			      const struct unit_program *p, struct unit_study *out, struct err *e)
{
	struct unit_study s = {.kind = calloc(n_kinds + 1, sizeof *s.kind)};
	enum err_code rc;

	if (!s.kind)
		return err_set(e, ERR_NOMEM, "%zu kinds of units", n_kinds);
	rc = cluster_speedup_mixed(kind, n_kinds, p->bc_bytes_per_s, p->ops, p->x_bytes, &s.all, e);
	if (rc) {
		free(s.kind);
		return rc;
	}
	for (size_t k = 0; k < n_kinds; k++) {
		double alone_s = p->ops / kind[k].l_peak_flops;
		double omega = kind[k].share / kind[k].count;
		double data_s = p->x_bytes / p->bc_bytes_per_s;

		s.kind[k] = (struct unit_of_study){
			omega, p->x_bytes > 0 ? alone_s / data_s : (double)NAN, omega * alone_s};
	}
	*out = s;
	return ERR_OK;
}

void unit_study_release(struct unit_study *s)
{
	free(s->kind);
	*s = (struct unit_study){0};
}
