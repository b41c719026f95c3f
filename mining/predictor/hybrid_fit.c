#include <math.h>
#include <stdlib.h>

#include "mining/predictor/censored.h"
#include "mining/predictor/hybrid.h"

/* The Gaussian process over what the structural model leaves: of the times, and of the limits that
 * say a time is at least so long. */

enum {
	MAX_POINTS = 1000,
	MAX_TUNING_POINTS = 250, /* hyperparameters are few: more points move them little */
	/* Each lowers what a limit is missed by to the share that noise has in the variance there,
	 * a half at most: four leave a sixteenth. */
	LIMIT_ROUNDS = 4,
	SEED = 1
};

/* Observations in the shape that the process takes: n_timed of times, then one for each limit that
 * is missed. */
struct leftovers {
	struct gp_design design;
	size_t n, n_timed;
	double *z, *factor, *y, *noise;
	double *limit_y; /* by limit: what stands for it; NaN: it is not missed */
	size_t *pick;
};

static void leftovers_release(struct leftovers *l)
{
	free(l->z);
	free(l->factor);
	free(l->y);
	free(l->noise);
	free(l->limit_y);
	free(l->pick);
}

static bool leftovers_reserve(struct leftovers *l, const struct config_table *t)
{
	const size_t n = t->n + t->n_cut;

	l->z = calloc(n * l->design.n_inputs + 1, sizeof *l->z);
	l->factor = calloc(n * l->design.n_factors + 1, sizeof *l->factor);
	l->y = calloc(n + 1, sizeof *l->y);
	l->noise = calloc(n + 1, sizeof *l->noise);
	l->limit_y = calloc(t->n_cut + 1, sizeof *l->limit_y);
	l->pick = calloc(t->n + 1, sizeof *l->pick);
	for (size_t k = 0; l->limit_y && k < t->n_cut; k++)
		l->limit_y[k] = NAN;
	return l->z && l->factor && l->y && l->noise && l->limit_y && l->pick;
}

/* log of a time over what the structural model says of it. */
static double leftover(const struct hybrid *h, const struct config_table *t, const double *row,
		       double time_s)
{
	double base_s;

	h->base->predict(h->base_state, row, 1, t->n_columns, &base_s);
	return log(time_s / base_s);
}

static void add(const struct hybrid *h, const double *row, double y, double noise,
		struct leftovers *l)
{
	h->base->residual_point(h->base_state, row, l->z + l->n * l->design.n_inputs,
				l->factor + l->n * l->design.n_factors);
	l->y[l->n] = y;
	l->noise[l->n++] = noise;
}

/* At most `most` configurations; those of the best source come before others. */
static void add_times(const struct hybrid *h, const struct config_table *t, size_t most,
		      struct leftovers *l)
{
	l->n_timed = config_table_pick(t, most, l->pick);
	for (size_t k = 0; k < l->n_timed; k++) {
		const size_t i = l->pick[k];
		const double *row = config_table_row(t, i);

		/* repeats cure their own noise, not what the shape of the function hides */
		add(h, row, leftover(h, t, row, t->time_s[i]),
		    (0.5 + 0.5 / (double)t->n_repeats[i]) / config_table_weight(t, i), l);
	}
}

static enum err_code fit_to(const struct leftovers *l, const struct gp_hyper *hyper,
			    struct gaussian_process **out, struct err *e)
{
	const struct gp_options options = {
		.max_points = MAX_POINTS,
		.max_tuning_points = MAX_TUNING_POINTS,
		.seed = SEED,
		.hyper = hyper,
	};
	const struct gp_data data = {
		.n = l->n, .z = l->z, .factor = l->factor, .y = l->y, .noise = l->noise};

	return gaussian_process_fit(&l->design, &data, &options, out, e);
}

/* Of several sources: hyperparameters from as few as will do, so that the best source has its say.
 */
static enum err_code choose_hyper(const struct hybrid *h, const struct config_table *t,
				  struct leftovers *l, struct gp_hyper *out, struct err *e)
{
	struct gaussian_process *process = NULL;
	enum err_code rc;

	add_times(h, t, MAX_TUNING_POINTS, l);
	if (!(rc = fit_to(l, NULL, &process, e)))
		*out = *gaussian_process_hyper(process);
	gaussian_process_free(process);
	l->n = 0;
	return rc;
}

/* What stands for limit k from now on. Schmee and Hahn's step on first sight; then it is raised by
 * what the fit still misses, which their iteration leaves where neighbours pull the other way. A
 * limit that was never missed stays out: it says nothing. */
static void stand_for(const struct hybrid *h, const struct config_table *t, size_t k,
		      struct leftovers *l)
{
	const double *row = config_table_cut_row(t, k);
	double epistemic_sd;
	const double at = hybrid_correction(h, row, &epistemic_sd);
	const double limit = leftover(h, t, row, t->cut[k].limit_s);

	if (at >= limit)
		return;
	if (isnan(l->limit_y[k]))
		l->limit_y[k] = censored_normal_mean(
			at, hypot(epistemic_sd, exp(gaussian_process_hyper(h->process)->log_noise)),
			limit);
	else
		l->limit_y[k] += limit - at;
}

/* The observations for limits anew. Returns whether one is missed by h. */
static bool add_limits(const struct hybrid *h, const struct config_table *t, struct leftovers *l)
{
	bool missed = false;

	l->n = l->n_timed;
	for (size_t k = 0; k < t->n_cut; k++) {
		const double before = l->limit_y[k];

		if (!t->cut[k].longest)
			continue;
		stand_for(h, t, k, l);
		missed = missed || l->limit_y[k] > before || isnan(before) != isnan(l->limit_y[k]);
		if (!isnan(l->limit_y[k]))
			add(h, config_table_cut_row(t, k), l->limit_y[k],
			    1 / t->weight[t->cut[k].source], l);
	}
	return missed;
}

/* Where limits are missed, times alone chose hyperparameters that know nothing of what is slow:
 * they are chosen anew (like NULL), once. */
static enum err_code obey_limits(const struct config_table *t, const struct hybrid *like,
				 struct leftovers *l, struct hybrid *h, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int round = 0; round < LIMIT_ROUNDS && !rc && add_limits(h, t, l); round++) {
		const struct gp_hyper hyper = *gaussian_process_hyper(h->process);
		struct gaussian_process *process = NULL;

		if ((rc = fit_to(l, round == 0 && !like ? NULL : &hyper, &process, e)))
			break;
		gaussian_process_free(h->process);
		h->process = process;
	}
	return rc;
}

static size_t n_limits(const struct config_table *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->n_cut; k++)
		n += t->cut[k].longest;
	return n;
}

/* How many configurations a process is given: one source is for the process to thin out. Of several
 * a random part would lose the best; limits get up to half of the room. */
static size_t room(const struct config_table *t, bool mixed)
{
	size_t limits = n_limits(t);

	if (!mixed)
		return t->n;
	return MAX_POINTS - (limits < MAX_POINTS / 2 ? limits : MAX_POINTS / 2);
}

enum err_code hybrid_fit_process(const struct config_table *t, const struct hybrid *like,
				 struct hybrid *h, struct err *e)
{
	struct leftovers l = {.z = NULL};
	size_t n_of[SOURCE_COUNT];
	const enum run_source best = config_table_best_source(t, n_of);
	const bool mixed = n_of[best] < t->n;
	struct gp_hyper chosen;
	const struct gp_hyper *hyper = like ? gaussian_process_hyper(like->process) : NULL;
	enum err_code rc;

	h->base->residual_design(h->base_state, &l.design);
	if (!leftovers_reserve(&l, t)) {
		rc = err_set(e, ERR_NOMEM, "what a model leaves of %zu configurations", t->n);
		goto done;
	}
	if (mixed && !hyper) {
		if ((rc = choose_hyper(h, t, &l, &chosen, e)))
			goto done;
		hyper = &chosen;
	}
	add_times(h, t, room(t, mixed), &l);
	if (!(rc = fit_to(&l, hyper, &h->process, e)))
		rc = obey_limits(t, like, &l, h, e);
done:
	leftovers_release(&l);
	return rc;
}
