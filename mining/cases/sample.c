#include "mining/cases/sample.h"

#include <stdlib.h>

/* Fewer cases than this are sampled from, not chosen among. */
enum { MIN_CASES = 100 };

/* In [0, 1), without pattern. */
static double fraction(uint32_t number)
{
	uint64_t h = (number + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (double)((h ^ h >> 32) >> 11) * 0x1p-53;
}

enum err_code sample_fold(const struct slowdown_table *t, const unsigned char *fold, unsigned which,
			  size_t most, struct slowdown_table **out, struct err *e)
{
	unsigned char *keep = calloc(t->n + 1, 1);
	size_t n = 0;
	double share;
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "sample of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		keep[i] = !fold || fold[t->block[i]] == which;
		n += keep[i];
	}
	share = (double)most / (double)(n > 0 ? n : 1);
	for (size_t i = 0; i < t->n && share < 1; i++) {
		uint32_t number = t->n_strata >= MIN_CASES ? t->stratum[i] : (uint32_t)i;

		keep[i] = keep[i] && fraction(number) < share;
	}
	rc = slowdown_table_subset(t, keep, out, e);
	free(keep);
	return rc;
}
