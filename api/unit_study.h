#ifndef API_UNIT_STUDY_H
#define API_UNIT_STUDY_H
#include <stddef.h>
#include "base/err.h"
#include "models/cluster_speedup.h"

/* A program on a cluster with units of several kinds (Kredel et al. 2013, see cluster_speedup.h).
 */
struct unit_program {
	double ops, x_bytes, bc_bytes_per_s;
};

struct unit_study {
	struct unit_of_study {
		double omega;	  /* the share of all operations that one unit of the kind does */
		double x;	  /* its time alone over that of the data; NaN: there are none */
		double compute_s; /* what it computes for */
	} * kind;		  /* as many as were asked about */
	struct mixed_speedup all;
};

/* Errors: those of cluster_speedup_mixed(), NOMEM. */
enum err_code unit_study_make(const struct unit_kind *kind, size_t n_kinds,
			      const struct unit_program *p, struct unit_study *out, struct err *e);
void unit_study_release(struct unit_study *s);

#endif
