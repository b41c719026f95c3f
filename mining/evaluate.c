#include "mining/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/config_table.h"

/* What the folds of one protocol gave for one predictor. */
struct score {
	double *error; /* predicted / measured - 1, by configuration */
	double *ratio; /* upper / lower end of the interval */
	size_t n, n_train;
	size_t n_runs, n_covered;
};

static void score_config(const struct predictor *p, const struct config_table *t, size_t i,
			 struct score *s)
{
	struct prediction at;
	double lo, hi;

	predictor_predict(p, config_table_row(t, i), 1, &at);
	lo = prediction_quantile_s(p, &at, 0.05);
	hi = prediction_quantile_s(p, &at, 0.95);
	s->error[s->n] = at.time_s / t->time_s[i] - 1;
	s->ratio[s->n] = hi / lo;
	s->n++;
	for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
		s->n_runs++;
		s->n_covered += t->run_s[k] >= lo && t->run_s[k] <= hi;
	}
}

/* A fold that leaves too little to fit scores nothing. */
static enum err_code score_fold(const struct fit_input *in, const char *predictor,
				const struct config_table *t, const unsigned char *test,
				struct score *s, struct err *e)
{
	struct fit_input train = *in;
	struct dataset *runs = NULL;
	struct predictor *p = NULL;
	struct err fold_error = {0};
	enum err_code rc;

	if ((rc = holdout_training_runs(in->runs, t, test, &runs, e)))
		return rc;
	train.runs = runs;
	train.progress = NULL;
	rc = predictor_fit(predictor, &train, &p, &fold_error);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		rc = ERR_OK;
	else if (rc)
		err_set(e, rc, "%s", fold_error.msg);
	for (size_t i = 0; p && i < t->n; i++) {
		if (test[i])
			score_config(p, t, i, s);
		else
			s->n_train++;
	}
	predictor_free(p);
	dataset_free(runs);
	return rc;
}

static void summarise(struct score *s, struct evaluation *out)
{
	gsl_sort(s->error, 1, s->n);
	out->bias = gsl_stats_median_from_sorted_data(s->error, 1, s->n);
	for (size_t i = 0; i < s->n; i++)
		s->error[i] = fabs(s->error[i]);
	gsl_sort(s->error, 1, s->n);
	gsl_sort(s->ratio, 1, s->n);
	out->median_error = gsl_stats_median_from_sorted_data(s->error, 1, s->n);
	out->p90_error = gsl_stats_quantile_from_sorted_data(s->error, 1, s->n, 0.9);
	out->width = gsl_stats_median_from_sorted_data(s->ratio, 1, s->n);
	out->coverage = (double)s->n_covered / (double)s->n_runs;
	out->n_test = s->n;
	out->n_train = s->n_train;
}

/* All folds of one protocol for one predictor; out->n_test stays 0 when none was possible. */
static enum err_code run_protocol(const struct fit_input *in, const struct config_table *t,
				  enum holdout protocol, unsigned seed, struct evaluation *out,
				  struct err *e)
{
	const size_t n_max = t->n * (size_t)holdout_info[protocol].n_folds;
	struct score s = {.error = calloc(n_max + 1, sizeof *s.error),
			  .ratio = calloc(n_max + 1, sizeof *s.ratio)};
	unsigned char *test = calloc(t->n + 1, 1);
	enum err_code rc = ERR_OK;

	if (!s.error || !s.ratio || !test)
		rc = err_set(e, ERR_NOMEM, "evaluation of %zu configurations", t->n);
	for (int fold = 0; fold < holdout_info[protocol].n_folds && !rc; fold++) {
		int possible = 0;

		rc = holdout_split(protocol, fold, seed, t, test, &possible, e);
		if (!rc && possible)
			rc = score_fold(in, out->predictor, t, test, &s, e);
	}
	if (!rc && s.n > 0)
		summarise(&s, out);
	free(s.error);
	free(s.ratio);
	free(test);
	return rc;
}

enum err_code evaluate(const struct fit_input *in, const char *const *predictors,
		       size_t n_predictors, unsigned seed, struct evaluation *out, size_t *n_out,
		       struct err *e)
{
	struct config_table *t = NULL;
	size_t n = 0, n_steps = HOLDOUT_COUNT * n_predictors;
	enum err_code rc = config_table_make(in->runs, &t, e);

	for (int h = 0; h < HOLDOUT_COUNT && !rc; h++) {
		for (size_t k = 0; k < n_predictors && !rc; k++) {
			struct evaluation one = {.protocol = (enum holdout)h,
						 .predictor = predictors[k]};

			if (!progress_step(in->progress, "evaluating", (size_t)h * n_predictors + k,
					   n_steps))
				rc = err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
			else
				rc = run_protocol(in, t, (enum holdout)h, seed, &one, e);
			if (!rc && one.n_test > 0)
				out[n++] = one;
		}
	}
	config_table_free(t);
	if (rc)
		return rc;
	if (n == 0)
		return err_set(e, ERR_NODATA, "too few runs to hold any out");
	*n_out = n;
	return ERR_OK;
}
