#include "tests/support/sweep3d_formulas.h"

#include <inttypes.h>
#include <math.h>

enum err_code sweep3d_efficiency(const struct sweep *s, double *out, struct err *e)
{
	struct sweep_block b;
	double blocks, fill;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (rc)
		return rc;
	blocks = 8 * b.n_block;
	fill = 2 * (double)(s->npe_i - 1) + 4 * (double)(s->npe_j - 1);
	*out = blocks / (blocks + fill);
	return ERR_OK;
}

enum err_code sweep3d_messages_per_iteration(const struct sweep *s, double *out, struct err *e)
{
	double I = (double)s->npe_i, J = (double)s->npe_j;
	struct sweep_block b;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (rc)
		return rc;
	*out = 8 * b.n_block * ((I - 1) * J + (J - 1) * I);
	return ERR_OK;
}

enum err_code sweep3d_memory_bytes_per_domain(const struct sweep *s, int64_t nm, int64_t isct,
					      double *out, struct err *e)
{
	struct sweep_block b;
	double it, jt, kt, arrays;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (rc)
		return rc;
	if (nm < 1 || isct < 0 || nm > SWEEP_MAX_COUNT || isct > SWEEP_MAX_COUNT)
		return err_set(e, ERR_ARG,
			       "nm = %" PRId64 " moments must be at least 1, isct = %" PRId64
			       " at least 0",
			       nm, isct);
	it = (double)b.it;
	jt = (double)b.jt;
	kt = (double)s->kt;
	arrays = 3 + (double)isct + 1 + 2 * (double)nm;
	*out = 8 * (it * jt * kt * arrays + 3 * (it + 1) * (jt + 1) * (kt + 1));
	return ERR_OK;
}

enum err_code sweep3d_grind_s(const struct sweep *s, int64_t iterations, double elapsed_s,
			      double *out, struct err *e)
{
	struct sweep_block b;
	double cells;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (rc)
		return rc;
	if (iterations < 1)
		return err_set(e, ERR_ARG, "iterations = %" PRId64 " must be at least 1",
			       iterations);
	if (!isfinite(elapsed_s) || elapsed_s <= 0)
		return err_set(e, ERR_ARG, "elapsed time %g s must be finite and > 0", elapsed_s);
	cells = (double)s->it_g * (double)s->jt_g * (double)s->kt;
	*out = elapsed_s / (cells * 8 * (double)s->mm * (double)iterations);
	return ERR_OK;
}
