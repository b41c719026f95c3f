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

/* A median of n errors is known to about 5 % sqrt(500 / n), and so much more is no loss. The folds
 * of larger problems share most of what they ask about, which counts half. */
static double tie(const struct term_evidence *v)
{
	const double n = (double)v->n / (v->way == HOLDOUT_LARGER_PROBLEMS ? 2 : 1);

	return 1 + 0.05 * sqrt(500 / n);
}

static const struct {
	enum holdout way;
	int n_folds;
} asked[TERM_WAYS] = {
	{HOLDOUT_MORE_PROCS, 2}, {HOLDOUT_CONFIGS, CONFIG_FOLDS}, {HOLDOUT_LARGER_PROBLEMS, 2}};

struct term_comparison {
	const struct config_table *t;
	const struct progress *progress;
	const struct application *proposed; /* the application with the terms that are proposed */
	size_t n_done, n_folds;
	unsigned char *test, *train;
	double *error[TERM_CONTESTANTS]; /* n of each */
	size_t n;
};

static enum err_code find_terms(const struct config_table *t, const struct progress *progress,
				struct term_shapes **shapes, struct term_set *set, size_t *n_used,
				struct err *e)
{
	struct config_table *some = NULL;
	struct term_shapes *s = NULL;
	enum err_code rc = config_table_sample(t, SEARCHED, &some, e);

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

static void add_errors(struct term_comparison *c, struct trend_gp *const fit[TERM_CONTESTANTS])
{
	for (size_t i = 0; i < c->t->n; i++) {
		if (!c->test[i])
			continue;
		for (int k = 0; k < TERM_CONTESTANTS; k++) {
			const double log_s =
				trend_gp_log_time(fit[k], config_table_row(c->t, i), NULL);

			c->error[k][c->n] = fabs(expm1(log_s - log(c->t->time_s[i])));
		}
		c->n++;
	}
}

/* On the terms of `app`; NULL: on none. */
static enum err_code fit_on(const struct config_table *t, const struct application *app,
			    struct trend_gp **out, struct err *e)
{
	struct config_table with = *t;

	with.app = app ? app : t->app;
	return trend_gp_fit_whole(&with, app != NULL, out, e);
}

static enum err_code ask_training(struct term_comparison *c, const struct config_table *training,
				  struct err *e)
{
	struct term_shapes *shapes = NULL;
	struct trend_gp *fit[TERM_CONTESTANTS] = {NULL};
	struct application anew = {0};
	struct term_set set;
	size_t n_used;
	enum err_code rc;

	if ((rc = find_terms(training, c->progress, &shapes, &set, &n_used, e)) ||
	    (rc = term_application_make(shapes, set.form, set.n, &anew, e)))
		goto done;
	if (!(rc = fit_on(training, NULL, &fit[TERMS_NONE], e)) &&
	    !(rc = fit_on(training, &anew, &fit[TERMS_ANEW], e)) &&
	    !(rc = fit_on(training, c->proposed, &fit[TERMS_PROPOSED], e)))
		add_errors(c, fit);
done:
	for (int k = 0; k < TERM_CONTESTANTS; k++)
		trend_gp_free(fit[k]);
	term_application_release(&anew);
	term_shapes_free(shapes);
	return rc;
}

static enum err_code ask_fold(struct term_comparison *c, struct err *e)
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

static enum err_code ask_way(struct term_comparison *c, size_t way, struct term_evidence *out,
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
	for (int k = 0; k < TERM_CONTESTANTS; k++) {
		order_sort(c->error[k], c->n);
		out->median[k] =
			c->n < MIN_OF_WAY ? (double)NAN : order_quantile(c->error[k], c->n, 0.5);
		out->p90[k] =
			c->n < MIN_OF_WAY ? (double)NAN : order_quantile(c->error[k], c->n, 0.9);
	}
	return rc;
}

static enum err_code ask_all(struct term_comparison *c, struct term_proposal *p, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t most = 0;

	for (size_t w = 0; w < TERM_WAYS; w++) {
		const size_t n = (size_t)asked[w].n_folds;

		c->n_folds += n;
		most = n > most ? n : most;
	}
	c->test = calloc(c->t->n + 1, 1);
	c->train = calloc(c->t->n + 1, 1);
	if (!c->test || !c->train)
		rc = err_set(e, ERR_NOMEM, "comparison of %zu configurations", c->t->n);
	for (int k = 0; k < TERM_CONTESTANTS && !rc; k++) {
		c->error[k] = calloc(most * c->t->n + 1, sizeof *c->error[k]);
		if (!c->error[k])
			rc = err_set(e, ERR_NOMEM, "comparison of %zu configurations", c->t->n);
	}
	for (size_t w = 0; w < TERM_WAYS && !rc; w++)
		rc = ask_way(c, w, &p->evidence[w], e);
	free(c->test);
	free(c->train);
	for (int k = 0; k < TERM_CONTESTANTS; k++)
		free(c->error[k]);
	return rc;
}

static enum err_code compare(const struct config_table *t, const struct progress *progress,
			     struct term_proposal *p, struct err *e)
{
	struct config_table *some = NULL;
	struct application proposed;
	enum err_code rc = term_application_make(p->shapes, p->set.form, p->set.n, &proposed, e);

	if (rc)
		return rc;
	if (!(rc = config_table_sample(t, COMPARED, &some, e))) {
		struct term_comparison c = {.t = some, .progress = progress, .proposed = &proposed};

		rc = ask_all(&c, p, e);
	}
	config_table_free(some);
	term_application_release(&proposed);
	return rc;
}

/* NaN: nothing tells that they are. */
static bool no_larger(const struct term_evidence *v, int contestant)
{
	return v->median[contestant] <= tie(v) * v->median[TERMS_NONE];
}

static bool is_better(const struct term_evidence v[TERM_WAYS])
{
	return v[0].median[TERMS_PROPOSED] < v[0].median[TERMS_NONE] &&
	       no_larger(&v[0], TERMS_ANEW) && no_larger(&v[1], TERMS_PROPOSED) &&
	       no_larger(&v[1], TERMS_ANEW) &&
	       (isnan(v[2].median[TERMS_NONE]) || no_larger(&v[2], TERMS_PROPOSED));
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
