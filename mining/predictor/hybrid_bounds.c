#include "mining/predictor/hybrid.h"

#include <math.h>
#include <stdlib.h>

#include "mining/structure/wavefront_tunings.h"

/* ---- bounds of the structural part ---- */

/* What the factors make of the structure's bound. The computation of a listed model is not known
 * without its blocking. */
static double with_factors(const struct hybrid *h, const double *row, double least_s)
{
	double compute_s = 0;

	if (h->factors.n == 0)
		return least_s;
	if (h->base == &predictor_kind_wavefront)
		compute_s = wavefront_time_least_compute_s(
			&((const struct wavefront_model *)h->base_state)->time, row);
	return column_factors_least_s(&h->factors, h->app, row, least_s, compute_s);
}

double hybrid_lower_bound(const void *state, const double *row)
{
	const struct hybrid *h = state;

	return with_factors(h, row, h->base->lower_bound(h->base_state, row));
}

/* ---- bounds of corrections ---- */

/* Of fewer observations the mean itself is as soon known. */
enum { MANY_POINTS = 250 };

/* Of the part that may be largest a bound that knows places nearby; of the others their most, or
 * where they vary with little, their means. */
struct hybrid_corrections {
	const struct hybrid *of;
	size_t part;
	struct gp_part_bound *bound;
	struct gp_part_bound *exact[GP_MAX_PARTS]; /* of the other parts: their means; NULL: none */
};

static size_t largest_part(const struct gaussian_process *process)
{
	const double *log_sd = gaussian_process_hyper(process)->log_sd;
	size_t largest = 0;

	for (size_t k = 1; k < gaussian_process_design(process)->n_parts; k++)
		largest = log_sd[k] > log_sd[largest] ? k : largest;
	return largest;
}

void hybrid_corrections_free(void *corrections)
{
	struct hybrid_corrections *c = corrections;

	gp_part_bound_free(c->bound);
	for (size_t k = 0; k < GP_MAX_PARTS; k++)
		gp_part_bound_free(c->exact[k]);
	free(c);
}

enum err_code hybrid_corrections_new(const void *state, void **out, struct err *e)
{
	const struct hybrid *h = state;
	struct hybrid_corrections *c;
	struct gp_part_bound *bound = NULL;
	enum err_code rc;

	*out = NULL;
	if (!h->process || gaussian_process_n_kept(h->process) < MANY_POINTS)
		return ERR_OK;
	rc = gp_part_bound_new(h->process, largest_part(h->process), false, &bound, e);
	if (rc || !bound)
		return rc;
	c = calloc(1, sizeof *c);
	if (!c) {
		gp_part_bound_free(bound);
		return err_set(e, ERR_NOMEM, "bound of corrections");
	}
	*c = (struct hybrid_corrections){h, largest_part(h->process), bound, {NULL}};
	for (size_t k = 0; k < gaussian_process_design(h->process)->n_parts && !rc; k++) {
		if (k != c->part)
			rc = gp_part_bound_new(h->process, k, true, &c->exact[k], e);
	}
	if (rc)
		hybrid_corrections_free(c);
	else
		*out = c;
	return rc;
}

double hybrid_corrections_least(void *corrections, const double *row, bool sharp)
{
	const struct hybrid_corrections *c = corrections;
	const struct hybrid *h = c->of;
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS], least[GP_MAX_PARTS];

	h->base->residual_point(h->base_state, row, z, factor);
	for (size_t k = 0; k < GP_MAX_PARTS; k++)
		least[k] = sharp && c->exact[k] ? gp_part_bound_least(c->exact[k], z, factor)
						: -INFINITY;
	least[c->part] = gp_part_bound_least(c->bound, z, factor);
	return hybrid_limit_correction(h, factor, least);
}

/* The base's tunings, and whose they are. */
struct hybrid_tunings {
	const struct hybrid *of;
	void *of_base;
	/* Tunings whose messages are alike share a shift of the part that corrections are bounded
	 * by: how far their inputs are from those of tuning 0. */
	size_t n_shifts, *shift_of;	  /* of each */
	struct gp_shifted_bound *shifted; /* NULL: not asked yet */
	double *least_of_shift, *share;	  /* on the row asked about last, by shift and tuning */
};

void hybrid_tunings_free(void *tunings)
{
	struct hybrid_tunings *t = tunings;

	if (t->of_base)
		t->of->base->tunings_free(t->of_base);
	gp_shifted_bound_free(t->shifted);
	free(t->shift_of);
	free(t->least_of_shift);
	free(t->share);
	free(t);
}

enum err_code hybrid_tunings_new(const void *state, const double *rows, size_t n, size_t n_columns,
				 void **tunings, struct err *e)
{
	const struct hybrid *h = state;
	struct hybrid_tunings *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "tunings of a hybrid predictor");
	t->of = h;
	t->shift_of = calloc(n + 1, sizeof *t->shift_of);
	t->least_of_shift = calloc(n + 1, sizeof *t->least_of_shift);
	t->share = calloc(n + 1, sizeof *t->share);
	if (!t->shift_of || !t->least_of_shift || !t->share)
		rc = err_set(e, ERR_NOMEM, "tunings of a hybrid predictor");
	else
		rc = h->base->tunings_new(h->base_state, rows, n, n_columns, &t->of_base, e);
	if (rc)
		hybrid_tunings_free(t);
	else
		*tunings = t;
	return rc;
}

double hybrid_tunings_least_s(void *tunings, const double *row)
{
	struct hybrid_tunings *t = tunings;
	const double least_s = t->of->base->tunings_least_s(t->of_base, row);

	return least_s < 0 ? least_s : with_factors(t->of, row, least_s);
}

static void tuning_inputs(const struct hybrid_tunings *t, const double *row, size_t k, double *z)
{
	wavefront_residual_inputs(t->of->base_state, wavefront_tunings_row(t->of_base, row, k), z);
}

/* Inputs are logs, so that shifts are the same on every grid. false: out of memory. */
static bool make_shifts(struct hybrid_tunings *t, const struct hybrid_corrections *c,
			const double *row)
{
	const size_t n = wavefront_tunings_count(t->of_base);
	const size_t n_inputs = gaussian_process_design(t->of->process)->n_inputs;
	double *shift = calloc(n * n_inputs + 1, sizeof *shift), z[2][GP_MAX_INPUTS];
	struct err unused = {0};

	t->n_shifts = 0; /* there may have been no memory for the bound the last time */
	tuning_inputs(t, row, 0, z[0]);
	for (size_t k = 0; k < n && shift; k++) {
		const size_t like = wavefront_tunings_like(t->of_base, k);

		t->shift_of[k] = like < k ? t->shift_of[like] : t->n_shifts++;
		tuning_inputs(t, row, k, z[1]);
		for (size_t i = 0; i < n_inputs; i++)
			shift[t->shift_of[k] * n_inputs + i] = z[1][i] - z[0][i];
	}
	if (shift)
		gp_shifted_bound_new(c->bound, shift, t->n_shifts, &t->shifted, &unused);
	free(shift);
	return t->shifted;
}

static bool knows_shifts(const struct hybrid *h, const struct hybrid_corrections *c)
{
	return c && gaussian_process_design(h->process)->part[c->part].factor < 0;
}

/* What the bounded part says at least, by shift; -INFINITY: nothing. c may be NULL. */
static void put_least_of_shifts(struct hybrid_tunings *t, const struct hybrid_corrections *c,
				const double *row)
{
	double z[GP_MAX_INPUTS];

	if (knows_shifts(t->of, c) && (t->shifted || make_shifts(t, c, row))) {
		tuning_inputs(t, row, 0, z);
		if (gp_shifted_bound_least(t->shifted, z, t->least_of_shift))
			return;
	}
	for (size_t k = 0; k < wavefront_tunings_count(t->of_base); k++)
		t->least_of_shift[k] = -INFINITY;
}

/* Of the formula; a listed model is not known by its parts. */
bool hybrid_tunings_each(void *tunings, void *corrections, const double *row, double *least_s,
			 double *least_correction)
{
	struct hybrid_tunings *t = tunings;
	const struct hybrid *h = t->of;
	const struct hybrid_corrections *c = corrections;
	double by_part[GP_MAX_PARTS], compute, messages;

	if (h->base != &predictor_kind_wavefront ||
	    !wavefront_tunings_parts(t->of_base, row, least_s, least_correction))
		return false;
	for (size_t i = 0; i < GP_MAX_PARTS; i++)
		by_part[i] = -INFINITY;
	column_factors_least(&h->factors, h->app, row, &compute, &messages);
	put_least_of_shifts(t, c, row);
	for (size_t k = 0; k < wavefront_tunings_count(t->of_base); k++) {
		t->share[k] = least_s[k] / (least_s[k] + least_correction[k]);
		least_s[k] = least_s[k] * compute + least_correction[k] * messages;
		if (c)
			by_part[c->part] = t->least_of_shift[t->shift_of[k]];
		least_correction[k] =
			h->process ? hybrid_limit_correction(h, &t->share[k], by_part) : 0;
	}
	return true;
}

double hybrid_tunings_correction(void *tunings, void *corrections, const double *row, size_t k)
{
	struct hybrid_tunings *t = tunings;
	const struct hybrid_corrections *c = corrections;
	double z[GP_MAX_INPUTS], by_part[GP_MAX_PARTS];

	tuning_inputs(t, row, k, z);
	for (size_t i = 0; i < GP_MAX_PARTS; i++)
		by_part[i] =
			c->exact[i] ? gp_part_bound_least(c->exact[i], z, &t->share[k]) : -INFINITY;
	by_part[c->part] = knows_shifts(t->of, c) ? t->least_of_shift[t->shift_of[k]]
						  : gp_part_bound_least(c->bound, z, &t->share[k]);
	return hybrid_limit_correction(t->of, &t->share[k], by_part);
}
