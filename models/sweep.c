#include "models/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

struct named_count {
	const char *name;
	int64_t value;
};

static enum err_code check_counts(const struct named_count *count, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (count[i].value < 1 || count[i].value > SWEEP_MAX_COUNT)
			return err_set(e, ERR_ARG, "%s = %" PRId64 " must be from 1 to %" PRId64,
				       count[i].name, count[i].value, SWEEP_MAX_COUNT);
	}
	return ERR_OK;
}

static int64_t ceildiv(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

static enum err_code check_sweep(const struct sweep *s, struct err *e)
{
	const struct named_count count[] = {
		{"it_g", s->it_g},   {"jt_g", s->jt_g}, {"kt", s->kt},	 {"npe_i", s->npe_i},
		{"npe_j", s->npe_j}, {"mk", s->mk},	{"mmi", s->mmi}, {"mm", s->mm},
	};
	enum err_code rc;

	if ((rc = check_counts(count, sizeof count / sizeof *count, e)))
		return rc;
	if (s->npe_i > s->it_g)
		return err_set(e, ERR_ARG, "npe_i = %" PRId64 " must not exceed it_g = %" PRId64,
			       s->npe_i, s->it_g);
	if (s->npe_j > s->jt_g)
		return err_set(e, ERR_ARG, "npe_j = %" PRId64 " must not exceed jt_g = %" PRId64,
			       s->npe_j, s->jt_g);
	if (s->mk > s->kt)
		return err_set(e, ERR_ARG, "mk = %" PRId64 " must not exceed kt = %" PRId64, s->mk,
			       s->kt);
	if (s->mm % s->mmi != 0)
		return err_set(e, ERR_ARG, "mmi = %" PRId64 " must divide mm = %" PRId64, s->mmi,
			       s->mm);
	return ERR_OK;
}

enum err_code sweep_block_of(const struct sweep *s, struct sweep_block *out, struct err *e)
{
	enum err_code rc = check_sweep(s, e);
	double block_height;

	if (rc)
		return rc;
	out->it = ceildiv(s->it_g, s->npe_i);
	out->jt = ceildiv(s->jt_g, s->npe_j);
	out->k_blocks = ceildiv(s->kt, s->mk);
	out->angle_groups = s->mm / s->mmi;
	out->n_block = (double)out->k_blocks * (double)out->angle_groups;
	block_height = (double)s->mk * (double)s->mmi;
	out->cell_angles = block_height * (double)out->it * (double)out->jt;
	out->ew_bytes = 8 * (double)out->jt * block_height;
	out->ns_bytes = 8 * (double)out->it * block_height;
	return ERR_OK;
}

int64_t sweep_cells_of(int64_t cells, int64_t n, int64_t x)
{
	int64_t each = cells / n, left_over = cells % n;

	return x < left_over ? each + 1 : each;
}

enum err_code sweep_check_Wg(double Wg_s, struct err *e)
{
	if (!isfinite(Wg_s) || Wg_s < 0)
		return err_set(e, ERR_ARG, "Wg = %g s per cell and angle must be finite and >= 0",
			       Wg_s);
	return ERR_OK;
}

static enum err_code check_run(const struct sweep_run *r, struct err *e)
{
	const struct named_count count[] = {
		{"iterations", r->iterations},
		{"groups", r->groups},
		{"timesteps", r->timesteps},
	};
	enum err_code rc;

	if ((rc = check_counts(count, sizeof count / sizeof *count, e)))
		return rc;
	if (!isfinite(r->W_before_s) || r->W_before_s < 0)
		return err_set(e, ERR_ARG, "W_before = %g s must be finite and >= 0",
			       r->W_before_s);
	if (!isfinite(r->W_after_s) || r->W_after_s < 0)
		return err_set(e, ERR_ARG, "W_after = %g s must be finite and >= 0", r->W_after_s);
	return ERR_OK;
}

enum err_code sweep_run_time(const struct sweep_run *r, const struct sweep_time *plain,
			     const struct sweep_time *fixup, struct sweep_time *out, struct err *e)
{
	const struct breakdown *p = &plain->parts, *f = &fixup->parts;
	double repeats, n_plain, n_fixup;
	struct sweep_time t;
	enum err_code rc;

	if ((rc = check_run(r, e)))
		return rc;
	repeats = (double)r->groups * (double)r->timesteps;
	n_plain = r->iterations < SWEEP_PLAIN_ITERATIONS ? (double)r->iterations
							 : SWEEP_PLAIN_ITERATIONS;
	n_fixup = (double)r->iterations - n_plain;

	t.time_s = repeats * (r->W_before_s + n_plain * plain->time_s + n_fixup * fixup->time_s +
			      r->W_after_s);
	t.parts = (struct breakdown){
		.compute_s = repeats * (n_plain * p->compute_s + n_fixup * f->compute_s),
		.comm_s = repeats * (n_plain * p->comm_s + n_fixup * f->comm_s),
		.fill_s = repeats * (n_plain * p->fill_s + n_fixup * f->fill_s),
		.sync_s = repeats * (n_plain * p->sync_s + n_fixup * f->sync_s),
		.other_s = repeats * (r->W_before_s + n_plain * p->other_s + n_fixup * f->other_s +
				      r->W_after_s),
	};
	if (!isfinite(t.time_s))
		return err_set(e, ERR_ARG, "the run time is too large for a number");
	*out = t;
	return ERR_OK;
}
