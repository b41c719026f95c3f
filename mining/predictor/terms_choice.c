#include <math.h>
#include <stdlib.h>

#include "mining/numerics/order_statistics.h"
#include "mining/predictor/trend_gp.h"

/* Do the terms of a definition predict better than power laws? Whoever writes a definition may be
 * wrong, and a wrong structure does most harm where it is trusted most, beyond the runs. So both
 * are fitted to parts of the runs, each with its process, and asked about the rest in the two ways
 * that matter: more processors than seen, and configurations among those seen. */

static const enum holdout terms_choice_way[2] = {HOLDOUT_MORE_PROCS, HOLDOUT_CONFIGS};

enum {
	MAX_CONFIGS = 500, /* more tell no more of a choice, and processes take their cube */
	MIN_OF_WAY = 8	   /* held-out configurations below which a median says nothing */
};

/* Among configurations both interpolate, and differ by noise: a median of 500 errors is known to
 * about 5 %, and so much more is no loss. */
#define TIE 1.05

struct terms_contest {
	const struct config_table *t;
	const struct trend_gp *of[2]; /* trend, terms */
	double *error[2];	      /* [n_folds * t->n] */
	size_t n;
	unsigned char *test, *train;
};

static enum err_code ask_fold(struct terms_contest *c, const struct fit_input *in, struct err *e)
{
	struct config_table *training = NULL;
	void *fit[2] = {NULL, NULL};
	struct err why = {0};
	enum err_code rc;

	for (size_t i = 0; i < c->t->n; i++)
		c->train[i] = !c->test[i];
	rc = config_table_subset(c->t, c->train, &training, &why);
	for (int k = 0; k < 2 && !rc; k++)
		rc = predictor_kind_gaussian_process.fit(training, in, c->of[k], &fit[k], &why);
	for (size_t i = 0; i < c->t->n && !rc; i++) {
		if (!c->test[i])
			continue;
		for (int k = 0; k < 2; k++) {
			double log_s = trend_gp_log_time(fit[k], config_table_row(c->t, i), NULL);

			c->error[k][c->n] = fabs(log_s - log(c->t->time_s[i]));
		}
		c->n++;
	}
	trend_gp_free(fit[0]);
	trend_gp_free(fit[1]);
	config_table_free(training);
	/* too little to learn from is no answer */
	return rc == ERR_OK || rc == ERR_NODATA || rc == ERR_NUMERIC
		       ? ERR_OK
		       : err_set(e, rc, "%s", why.msg);
}

static enum err_code ask_way(struct terms_contest *c, enum holdout way, const struct fit_input *in,
			     double *median, struct err *e)
{
	enum err_code rc = ERR_OK;

	c->n = 0;
	for (int fold = 0; fold < holdout_info[way].n_folds && !rc; fold++) {
		int possible;

		if (!progress_step(in->progress, NULL, 0, 0))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		if (rc || (rc = holdout_split(way, fold, 0, c->t, c->test, &possible, e)) ||
		    !possible)
			continue;
		rc = ask_fold(c, in, e);
	}
	for (int k = 0; k < 2; k++) {
		order_sort(c->error[k], c->n);
		median[k] = c->n < MIN_OF_WAY ? (double)NAN
					      : expm1(order_quantile(c->error[k], c->n, 0.5));
	}
	return rc;
}

static enum err_code contest(struct terms_contest *c, const struct fit_input *in,
			     struct terms_choice *out, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int way = 0; way < 2 && !rc; way++) {
		double median[2];

		if ((rc = ask_way(c, terms_choice_way[way], in, median, e)))
			break;
		out->trend[way] = median[0];
		out->terms[way] = median[1];
	}
	return rc;
}

enum err_code terms_choose(const struct config_table *t, const struct fit_input *in,
			   const struct trend_gp *trend, const struct trend_gp *terms,
			   struct terms_choice *out, bool *better, struct err *e)
{
	struct terms_contest c = {.of = {trend, terms}};
	struct terms_choice choice = {.tried = true};
	struct config_table *some = NULL;
	enum err_code rc = config_table_sample(t, MAX_CONFIGS, &some, e);
	size_t room;

	if (rc)
		return rc;
	c.t = some;
	room = some->n * (size_t)(holdout_info[HOLDOUT_MORE_PROCS].n_folds +
				  holdout_info[HOLDOUT_CONFIGS].n_folds);
	c.error[0] = calloc(room + 1, sizeof *c.error[0]);
	c.error[1] = calloc(room + 1, sizeof *c.error[1]);
	c.test = calloc(some->n + 1, 1);
	c.train = calloc(some->n + 1, 1);
	rc = c.error[0] && c.error[1] && c.test && c.train
		     ? contest(&c, in, &choice, e)
		     : err_set(e, ERR_NOMEM, "comparison of %zu configurations", some->n);
	free(c.error[0]);
	free(c.error[1]);
	free(c.test);
	free(c.train);
	config_table_free(some);
	if (rc)
		return rc;
	*out = choice;
	/* NaN: nothing tells that they are */
	*better = choice.terms[0] < choice.trend[0] && choice.terms[1] <= TIE * choice.trend[1];
	return ERR_OK;
}

void terms_choice_explain(const struct terms_choice *c, bool with_terms, struct strbuf *out)
{
	if (!c->tried)
		return;
	strbuf_printf(out, " The definition's terms are %s: held-out error",
		      with_terms ? "used" : "not used");
	for (int way = 0; way < 2; way++) {
		if (isnan(c->terms[way]))
			strbuf_printf(out, "%s of %s not told (too few runs)", way ? "," : "",
				      holdout_info[terms_choice_way[way]].name);
		else
			strbuf_printf(out, "%s of %s %.1f %% (power laws %.1f %%)", way ? "," : "",
				      holdout_info[terms_choice_way[way]].name, 100 * c->terms[way],
				      100 * c->trend[way]);
	}
	strbuf_putc(out, '.');
}
