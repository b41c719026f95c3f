#include "mining/evaluate/term_proposal.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/order_statistics.h"
#include "mining/predictor/trend_gp.h"

enum {
	SEARCHED = 200,	  /* configurations */
	COMPARED = 250,	  /* processes take the cube of them */
	CONFIG_FOLDS = 2, /* of the five: whose search takes as long as all else */
	MIN_OF_WAY = 8	  /* as for the terms of a definition (terms_choice.c) */
};

#define TIE 1.05 /* likewise */

static const struct {
	enum holdout way;
	int n_folds;
} asked[TERM_WAYS] = {
	{HOLDOUT_MORE_PROCS, 2}, {HOLDOUT_CONFIGS, CONFIG_FOLDS}, {HOLDOUT_LARGER_PROBLEMS, 2}};

struct comparison {
	const struct config_table *t;
	const struct progress *progress;
	size_t n_done, n_folds;
	unsigned char *test, *train;
	double *error[2]; /* n of each */
	size_t n;
};

/* At most `most` configurations, evenly taken, of those with all numbers that terms are made of. */
static enum err_code take_some(const struct config_table *t, size_t most, struct config_table **out,
			       struct err *e)
{
	size_t *pick = calloc(t->n + 1, sizeof *pick), n;
	unsigned char *keep = calloc(t->n + 1, 1);
	enum err_code rc;

	if (!pick || !keep) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", t->n);
	} else {
		n = config_table_pick(t, most, pick);
		for (size_t i = 0; i < n; i++)
			keep[pick[i]] = 1;
		rc = config_table_subset(t, keep, out, e);
	}
	free(pick);
	free(keep);
	return rc;
}

static enum err_code find_terms(const struct config_table *t, const struct progress *progress,
				struct term_shapes **shapes, struct term_set *set, size_t *n_used,
				struct err *e)
{
	struct config_table *some = NULL;
	struct term_shapes *s = NULL;
	enum err_code rc = take_some(t, SEARCHED, &some, e);

	if (!rc && !(rc = term_shapes_make(some, &s, e)))
		rc = term_search(some, s, progress, set, e);
	if (!rc) {
		*n_used = some->n;
		*shapes = s;
	} else {
		term_shapes_free(s);
	}
	config_table_free(some);
	return rc;
}

static void add_errors(struct comparison *c, const struct trend_gp *const fit[2])
{
	for (size_t i = 0; i < c->t->n; i++) {
		if (!c->test[i])
			continue;
		for (int k = 0; k < 2; k++) {
			const double log_s =
				trend_gp_log_time(fit[k], config_table_row(c->t, i), NULL);

			c->error[k][c->n] = fabs(expm1(log_s - log(c->t->time_s[i])));
		}
		c->n++;
	}
}

/* Terms from the training part, and both structures fitted to it. */
static enum err_code ask_training(struct comparison *c, const struct config_table *training,
				  struct err *e)
{
	struct config_table with = *training;
	struct term_shapes *shapes = NULL;
	struct trend_gp *fit[2] = {NULL, NULL};
	struct application app = {0};
	struct term_set set;
	size_t n_used;
	enum err_code rc;

	if ((rc = find_terms(training, c->progress, &shapes, &set, &n_used, e)) ||
	    (rc = term_class_make(shapes, set.form, set.n, &app, e)))
		goto done;
	with.app = &app;
	if (!(rc = trend_gp_fit_whole(training, false, &fit[0], e)) &&
	    !(rc = trend_gp_fit_whole(&with, true, &fit[1], e)))
		add_errors(c, (const struct trend_gp *const *)fit);
done:
	trend_gp_free(fit[0]);
	trend_gp_free(fit[1]);
	term_class_release(&app);
	term_shapes_free(shapes);
	return rc;
}

static enum err_code ask_fold(struct comparison *c, struct err *e)
{
	struct config_table *training = NULL;
	struct err why = {0};
	enum err_code rc;

	for (size_t i = 0; i < c->t->n; i++)
		c->train[i] = !c->test[i];
	if (!(rc = config_table_subset(c->t, c->train, &training, &why)))
		rc = ask_training(c, training, &why);
	config_table_free(training);
	/* too little to learn from is no answer */
	return rc == ERR_OK || rc == ERR_NODATA || rc == ERR_NUMERIC
		       ? ERR_OK
		       : err_set(e, rc, "%s", why.msg);
}

static enum err_code ask_way(struct comparison *c, size_t way, struct term_evidence *out,
			     struct err *e)
{
	enum err_code rc = ERR_OK;

	c->n = 0;
	for (int fold = 0; fold < asked[way].n_folds && !rc; fold++) {
		int possible = 0;

		if (!progress_step(c->progress, "comparing terms", c->n_done++, c->n_folds))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		if (!rc &&
		    !(rc = holdout_split(asked[way].way, fold, 0, c->t, c->test, &possible, e)) &&
		    possible)
			rc = ask_fold(c, e);
	}
	out->way = asked[way].way;
	out->n = c->n;
	for (int k = 0; k < 2; k++) {
		order_sort(c->error[k], c->n);
		out->median[k] =
			c->n < MIN_OF_WAY ? (double)NAN : order_quantile(c->error[k], c->n, 0.5);
		out->p90[k] =
			c->n < MIN_OF_WAY ? (double)NAN : order_quantile(c->error[k], c->n, 0.9);
	}
	return rc;
}

static enum err_code compare(const struct config_table *t, const struct progress *progress,
			     struct term_proposal *p, struct err *e)
{
	struct comparison c = {.progress = progress};
	struct config_table *some = NULL;
	enum err_code rc = take_some(t, COMPARED, &some, e);
	size_t most = 0;

	if (rc)
		return rc;
	c.t = some;
	for (size_t w = 0; w < TERM_WAYS; w++) {
		c.n_folds += (size_t)asked[w].n_folds;
		most = asked[w].n_folds > (int)most ? (size_t)asked[w].n_folds : most;
	}
	c.test = calloc(some->n + 1, 1);
	c.train = calloc(some->n + 1, 1);
	c.error[0] = calloc(most * some->n + 1, sizeof *c.error[0]);
	c.error[1] = calloc(most * some->n + 1, sizeof *c.error[1]);
	if (!c.test || !c.train || !c.error[0] || !c.error[1])
		rc = err_set(e, ERR_NOMEM, "comparison of %zu configurations", some->n);
	for (size_t w = 0; w < TERM_WAYS && !rc; w++)
		rc = ask_way(&c, w, &p->evidence[w], e);
	free(c.test);
	free(c.train);
	free(c.error[0]);
	free(c.error[1]);
	config_table_free(some);
	return rc;
}

static bool is_better(const struct term_evidence *evidence)
{
	/* NaN: nothing tells that they are */
	if (!(evidence[0].median[1] < evidence[0].median[0]) ||
	    !(evidence[1].median[1] <= TIE * evidence[1].median[0]))
		return false;
	return isnan(evidence[2].median[0]) || evidence[2].median[1] <= TIE * evidence[2].median[0];
}

enum err_code term_proposal_make(const struct fit_input *in, struct term_proposal *out,
				 struct err *e)
{
	const struct application *app = in->runs->app;
	const struct progress quiet = progress_within(in->progress);
	struct term_proposal p = {0};
	struct config_table *t = NULL;
	enum err_code rc;

	if (app->model)
		return err_set(e, ERR_ARG,
			       "application %s has the model '%s': it takes no terms beside it",
			       app->name, app->model);
	if ((rc = config_table_make(in->runs, &t, e)))
		return rc;
	p.n_configs = t->n;
	if (!(rc = find_terms(t, &quiet, &p.shapes, &p.set, &p.n_searched, e)) &&
	    !(rc = compare(t, in->progress, &p, e)))
		p.better = is_better(p.evidence);
	config_table_free(t);
	if (rc)
		term_proposal_release(&p);
	else
		*out = p;
	return rc;
}

void term_proposal_release(struct term_proposal *p)
{
	term_shapes_free(p->shapes);
	*p = (struct term_proposal){0};
}
