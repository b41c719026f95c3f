#include "mining/structure/structure_choice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/order_statistics.h"
#include "mining/numerics/rank_tests.h"
#include "mining/structure/analytic_mean.h"
#include "mining/structure/cv_models.h"
#include "models/model_list.h"

/* The candidate that is always there. */
static const struct structure_candidate structure_formula = {"wavefront",
							     "the mined wavefront formula", NAN};

/* A choice in words, and as named numbers in the knowledge base. */

void structure_choice_explain(const struct structure_choice *c, struct strbuf *out)
{
	const struct structure_candidate *chosen = &c->candidate[c->chosen];

	strbuf_printf(out, "Structure: %s (%s", chosen->name, chosen->title);
	if (c->n == 1) {
		strbuf_puts(out, "; other models are not compared without known message costs and "
				 "enough measured or simulated runs to hold out). ");
		return;
	}
	strbuf_printf(out, "; held-out error %.1f %%);", 100 * chosen->held_out_error);
	for (size_t k = 0, n = 0; k < c->n; k++) {
		if (k != c->chosen)
			strbuf_printf(out, "%s %s %.1f %%", n++ ? "," : "", c->candidate[k].name,
				      100 * c->candidate[k].held_out_error);
	}
	strbuf_puts(out, ". ");
}

#define CHOSEN "structure_chosen"
#define ERROR_OF "structure_error_"

/* Where nothing was compared, only what was chosen. */
enum err_code structure_choice_store(const struct structure_choice *c, struct kb_fit *fit,
				     struct err *e)
{
	enum err_code rc = kb_fit_add(fit, CHOSEN, (double)c->chosen, NAN, "",
				      "structural part: place in the candidates that follow", e);

	for (size_t k = 0; k < c->n && c->n > 1 && !rc; k++) {
		struct strbuf name = STRBUF_INIT;

		strbuf_printf(&name, "%s%s", ERROR_OF, c->candidate[k].name);
		if (name.failed)
			rc = err_set(e, ERR_NOMEM, "fit");
		else
			rc = kb_fit_add(fit, strbuf_text(&name), c->candidate[k].held_out_error,
					NAN, "1", "held-out error of a structural part", e);
		strbuf_release(&name);
	}
	return rc;
}

/* false: a model that this program does not know. */
static bool load_candidate(const struct kb_param *q, struct structure_choice *out)
{
	const char *name = q->name + strlen(ERROR_OF);
	const struct model *model;

	if (out->n == 0 && !strcmp(name, structure_formula.name)) {
		out->candidate[out->n] = structure_formula;
	} else {
		if (out->n == STRUCTURE_CANDIDATES || model_find(name, &model, NULL))
			return false;
		out->candidate[out->n] =
			(struct structure_candidate){model->name, model->title, NAN};
	}
	out->candidate[out->n++].held_out_error = q->value;
	return true;
}

enum err_code structure_choice_load(const struct kb_fit *fit, struct structure_choice *out,
				    struct err *e)
{
	struct structure_choice choice = {.n = 0};
	const double chosen = kb_fit_value(fit, CHOSEN);
	bool known = true;

	for (size_t i = 0; i < fit->n_param && known; i++) {
		if (!strncmp(fit->param[i].name, ERROR_OF, strlen(ERROR_OF)))
			known = load_candidate(&fit->param[i], &choice);
	}
	if (choice.n == 0)
		choice.candidate[choice.n++] = structure_formula;
	if (!known || !(chosen >= 0 && chosen < (double)choice.n))
		return err_set(e, ERR_NOTMINED,
			       "the fit does not tell a structural part that this program knows: "
			       "run `lemnos mine`");
	choice.chosen = (size_t)chosen;
	*out = choice;
	return ERR_OK;
}

/* A choice that follows noise would change the advice from one import to the next, and what the
 * candidates leave is corrected by nearby runs anyway. So the formula stays unless another model
 *
 * - has a held-out error smaller by a tenth: a smaller difference is within what the errors of
 *   folds differ by on the shipped machines, where candidates lie between -5 and +30 % of the
 *   formula's;
 * - is better configuration by configuration (signed rank test at 1 %): one candidate in a hundred
 *   that differs by nothing passes, and those are few;
 * - is worse in no way of holding out: larger problems and more processors are what a structure is
 *   for, and there are fewest runs to judge those by. Configurations of one problem err together,
 *   which that test does not see; this and the margin make up for it.
 *
 * Of several the one with the smallest error is taken. */
#define MARGIN 0.1
#define MAX_P 0.01

enum {
	/* More configurations tell no more of a choice, and holding out takes their time. */
	MAX_CONFIGS = 300,
	/* Fewer configurations leave parts too small to choose by. */
	MIN_CONFIGS = 10,
	/* Held-out configurations below which a median says nothing. */
	MIN_OF_WAY = 8
};

/* |log(predicted / measured)| of every candidate, the formula first, of one held-out configuration.
 */
struct held_out_answer {
	double error[STRUCTURE_CANDIDATES]; /* NaN: none */
};

/* One comparison under way. */
struct structure_contest {
	const struct config_table *t;
	size_t n; /* candidates */
	struct structure_candidate candidate[STRUCTURE_CANDIDATES];
	struct held_out_answer *answer;			   /* [t->n], of the way in hand */
	double score[HOLDOUT_COUNT][STRUCTURE_CANDIDATES]; /* medians; NaN: too few answers */
	/* By candidate and configuration: the sum over the ways of the formula's error less its
	 * own, and how many ways. */
	double *gain;	/* [STRUCTURE_CANDIDATES * t->n] */
	size_t *n_gain; /* [STRUCTURE_CANDIDATES * t->n] */
	double *work;	/* [t->n] */
};

static enum err_code add(void *arg, const struct cv_answer *a, struct err *e)
{
	struct structure_contest *c = arg;
	size_t k = a->i_model == c->n - 1 ? 0 : a->i_model + 1;

	(void)e;
	c->answer[a->config].error[k] = fabs(log(a->predicted_s / c->t->time_s[a->config]));
	return ERR_OK;
}

/* Only configurations that all candidates answered are compared. */
static bool is_whole(const struct structure_contest *c, size_t i)
{
	for (size_t k = 0; k < c->n; k++) {
		if (isnan(c->answer[i].error[k]))
			return false;
	}
	return true;
}

static void score_way(struct structure_contest *c, enum holdout way)
{
	for (size_t k = 0; k < c->n; k++) {
		size_t n = 0;

		for (size_t i = 0; i < c->t->n; i++) {
			if (!is_whole(c, i))
				continue;
			c->work[n++] = c->answer[i].error[k];
			c->gain[k * c->t->n + i] += c->answer[i].error[0] - c->answer[i].error[k];
			c->n_gain[k * c->t->n + i]++;
		}
		order_sort(c->work, n);
		c->score[way][k] = n >= MIN_OF_WAY ? order_quantile(c->work, n, 0.5) : NAN;
	}
}

/* A configuration that is held out by more than one fold of a way counts by the last, which trains
 * on more. */
static enum err_code run_way(struct structure_contest *c, struct cv_models *models,
			     enum holdout way, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->t->n; i++) {
		for (size_t k = 0; k < STRUCTURE_CANDIDATES; k++)
			c->answer[i].error[k] = NAN;
	}
	for (int fold = 0; fold < holdout_info[way].n_folds && !rc; fold++)
		rc = cv_models_ask(models, way, fold, 0, add, c, e);
	if (!rc)
		score_way(c, way);
	return rc;
}

/* The mean over the ways that were tried and tell something; NaN: none does. */
static double held_out_error(const struct structure_contest *c, size_t k)
{
	double sum = 0;
	int n = 0;

	for (int way = 0; way < HOLDOUT_COUNT; way++) {
		if (isnan(c->score[way][k]))
			continue;
		/* of the ratio: what people are shown */
		sum += expm1(c->score[way][k]);
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static bool worse_somewhere(const struct structure_contest *c, size_t k)
{
	for (int way = 0; way < HOLDOUT_COUNT; way++) {
		if (c->score[way][k] > c->score[way][0])
			return true;
	}
	return false;
}

/* Only the formula is left: what is worse in one way of holding out is not taken. */
static bool is_settled(const struct structure_contest *c)
{
	for (size_t k = 1; k < c->n; k++) {
		if (!worse_somewhere(c, k))
			return false;
	}
	return true;
}

/* Better beyond noise? */
static enum err_code is_better(const struct structure_contest *c, size_t k, bool *better,
			       struct err *e)
{
	struct signed_rank test;
	size_t n = 0;
	enum err_code rc;

	*better = false;
	if (!(c->candidate[k].held_out_error <= (1 - MARGIN) * c->candidate[0].held_out_error) ||
	    worse_somewhere(c, k))
		return ERR_OK;
	for (size_t i = 0; i < c->t->n; i++) {
		size_t at = k * c->t->n + i;

		if (c->n_gain[at] > 0)
			c->work[n++] = c->gain[at] / (double)c->n_gain[at];
	}
	if ((rc = signed_rank_test(c->work, n, &test, e)))
		return rc;
	*better = test.p <= MAX_P && test.shift > 0;
	return ERR_OK;
}

static enum err_code decide(struct structure_contest *c, struct structure_choice *out,
			    struct err *e)
{
	struct structure_choice choice = {.n = c->n};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < c->n; k++)
		c->candidate[k].held_out_error = held_out_error(c, k);
	memcpy(choice.candidate, c->candidate, sizeof choice.candidate);
	for (size_t k = 1; k < c->n && !rc; k++) {
		bool better;

		rc = is_better(c, k, &better, e);
		if (!rc && better &&
		    c->candidate[k].held_out_error < c->candidate[choice.chosen].held_out_error)
			choice.chosen = k;
	}
	if (!rc && !isnan(choice.candidate[0].held_out_error))
		*out = choice;
	return rc;
}

static enum err_code compare(struct structure_contest *c, const struct fit_input *in,
			     const struct wavefront_model *formula, struct structure_choice *out,
			     struct err *e)
{
	/* Fewest folds, of fewest runs, first: mostly these settle it. */
	static const enum holdout order[HOLDOUT_COUNT] = {
		HOLDOUT_MORE_PROCS, HOLDOUT_LARGER_PROBLEMS, HOLDOUT_PROBLEMS, HOLDOUT_CONFIGS};
	struct cv_models models;
	enum err_code rc = cv_models_make(c->t, in, formula, analytic_mean_wants, NULL, &models, e);

	assert(models.times.n_models < STRUCTURE_CANDIDATES);
	for (size_t k = 0; !rc && k < models.times.n_models; k++)
		c->candidate[c->n++] = (struct structure_candidate){
			models.times.model[k]->name, models.times.model[k]->title, NAN};
	for (int i = 0; i < HOLDOUT_COUNT; i++) {
		for (size_t k = 0; k < c->n; k++)
			c->score[i][k] = NAN;
	}
	for (int i = 0; i < HOLDOUT_COUNT && !rc && !is_settled(c); i++)
		rc = run_way(c, &models, order[i], e);
	cv_models_release(&models);
	return rc ? rc : decide(c, out, e);
}

static bool is_sweep(const struct application *app, const double *row)
{
	double z[WG_FIT_PARAMS];
	struct err no_sweep = {0};

	return !wg_fit_inputs(app, row, z, &no_sweep);
}

/* Those of the best source, at most MAX_CONFIGS. What is no sweep to the models is for the formula
 * alone. */
static enum err_code take_best(const struct config_table *t, struct config_table **out,
			       struct err *e)
{
	const enum run_source best = config_table_best_source(t, NULL);
	size_t *pick = calloc(t->n + 1, sizeof *pick);
	unsigned char *keep = calloc(t->n + 1, 1);
	enum err_code rc = ERR_OK;

	if (!pick || !keep) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", t->n);
	} else {
		size_t n = config_table_pick(t, MAX_CONFIGS, pick);

		for (size_t i = 0; i < n; i++)
			keep[pick[i]] = t->source[pick[i]] == best &&
					is_sweep(t->app, config_table_row(t, pick[i]));
		rc = config_table_subset(t, keep, out, e);
	}
	free(pick);
	free(keep);
	return rc;
}

enum err_code structure_choose(const struct config_table *t, const struct fit_input *in,
			       const struct wavefront_model *formula, struct structure_choice *out,
			       struct err *e)
{
	struct structure_contest c = {.n = 1, .candidate = {structure_formula}};
	struct structure_choice choice = {.n = 1, .candidate = {structure_formula}};
	struct config_table *best = NULL;
	struct err why = {0};
	enum err_code rc;

	if (formula->cost_origin == COST_ASSUMED ||
	    config_table_best_source(t, NULL) == SOURCE_MODELLED || t->n < MIN_CONFIGS) {
		*out = choice;
		return ERR_OK;
	}
	if ((rc = take_best(t, &best, &why)) == ERR_NODATA)
		*out = choice;
	if (rc)
		return rc == ERR_NODATA ? ERR_OK : err_set(e, rc, "%s", why.msg);
	c.t = best;
	c.answer = calloc(best->n + 1, sizeof *c.answer);
	c.gain = calloc(STRUCTURE_CANDIDATES * best->n + 1, sizeof *c.gain);
	c.n_gain = calloc(STRUCTURE_CANDIDATES * best->n + 1, sizeof *c.n_gain);
	c.work = calloc(best->n + 1, sizeof *c.work);
	rc = c.answer && c.gain && c.n_gain && c.work
		     ? compare(&c, in, formula, &choice, e)
		     : err_set(e, ERR_NOMEM, "comparison of %zu configurations", best->n);
	free(c.answer);
	free(c.gain);
	free(c.n_gain);
	free(c.work);
	config_table_free(best);
	if (!rc)
		*out = choice;
	return rc;
}
