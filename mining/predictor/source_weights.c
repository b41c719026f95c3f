#include "mining/predictor/source_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/training/holdout.h"
#include "mining/predictor/predictor_state.h"

enum {
	MIN_COMPARED = 8 /* fewer residuals tell neither a factor nor a spread */
};

/* Where the best source is too small to fit or compare: a choice, towards the measured. A tenth is
 * noise of three times the size, which leaves of many runs nearly all that they teach: the first
 * measured run must not undo the knowledge of hundreds of simulated ones. */
#define UNKNOWN_WEIGHT 0.1
/* Nobody's repeats agree better: residuals below it are no difference between sources. */
#define MIN_SPREAD 0.01

/* log(time / predicted) of configurations that a fit to others is asked about. */
struct log_ratios {
	size_t n;
	double *r, *work; /* as many as configurations */
};

static double predicted_log(const struct predictor_kind *kind, const void *state,
			    const struct config_table *t, const double *row)
{
	double time_s;

	kind->predict(state, row, 1, t->n_columns, &time_s);
	return log(time_s) + (kind->correction ? kind->correction(state, row, NULL) : 0);
}

static double spread(struct log_ratios *c, double centre)
{
	for (size_t i = 0; i < c->n; i++)
		c->work[i] = fabs(c->r[i] - centre);
	return fmax(1.4826 * gsl_stats_median(c->work, 1, c->n), MIN_SPREAD);
}

static double middle(struct log_ratios *c)
{
	memcpy(c->work, c->r, c->n * sizeof *c->work);
	return gsl_stats_median(c->work, 1, c->n);
}

/* One fold of the best source, held out. What cannot be fitted adds nothing. */
static enum err_code compare_fold(const struct predictor_kind *kind, const struct fit_input *in,
				  const struct config_table *best, const void *like,
				  const unsigned char *test, struct log_ratios *c, struct err *e)
{
	unsigned char *keep = calloc(best->n + 1, 1);
	struct config_table *train = NULL;
	struct err ignored = {0};
	void *state = NULL;
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "fold of %zu configurations", best->n);
	for (size_t i = 0; i < best->n; i++)
		keep[i] = !test[i];
	if ((rc = config_table_subset(best, keep, &train, e)))
		goto done;
	rc = kind->fit(train, in, like, &state, &ignored);
	for (size_t i = 0; i < best->n && !rc; i++) {
		if (test[i])
			c->r[c->n++] = log(best->time_s[i]) -
				       predicted_log(kind, state, best, config_table_row(best, i));
	}
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		rc = ERR_OK;
	else if (rc)
		err_set(e, rc, "%s", ignored.msg);
done:
	if (state)
		kind->free(state);
	config_table_free(train);
	free(keep);
	return rc;
}

static enum err_code compare_best(const struct predictor_kind *kind, const struct fit_input *in,
				  const struct config_table *best, const void *like,
				  struct log_ratios *c, struct err *e)
{
	unsigned char *test = calloc(best->n + 1, 1);
	enum err_code rc = ERR_OK;

	if (!test)
		return err_set(e, ERR_NOMEM, "folds of %zu configurations", best->n);
	c->n = 0;
	for (int fold = 0; fold < holdout_info[HOLDOUT_CONFIGS].n_folds && !rc; fold++) {
		int possible = 0;

		rc = holdout_split(HOLDOUT_CONFIGS, fold, 0, best, test, &possible, e);
		if (!rc && possible)
			rc = compare_fold(kind, in, best, like, test, c, e);
	}
	free(test);
	return rc;
}

/* Of source s where the best one knows its way; where that is nowhere, wherever there are any: a
 * factor that holds far off is still better than none. */
static void compare_source(const struct predictor_kind *kind, const void *state,
			   const struct seen_ranges *map, const struct config_table *t,
			   enum run_source s, struct log_ratios *c)
{
	for (int most = SUPPORT_EDGE; most <= SUPPORT_OUTSIDE; most++) {
		c->n = 0;
		for (size_t i = 0; i < t->n; i++) {
			const double *row = config_table_row(t, i);
			double f[PREDICTOR_KIND_MAX_FEATURES];

			if (t->source[i] != s)
				continue;
			kind->features(state, row, f);
			if ((int)seen_ranges_judge(map, f, NULL) <= most)
				c->r[c->n++] =
					log(t->time_s[i]) - predicted_log(kind, state, t, row);
		}
		if (c->n >= MIN_COMPARED)
			return;
	}
}

/* The factor and weight of each lesser source, from a fit to the best one. */
static enum err_code compare(const struct predictor_kind *kind, const struct fit_input *in,
			     const struct config_table *t, const struct config_table *best,
			     const void *state, struct log_ratios *c,
			     struct source_share share[SOURCE_COUNT], struct err *e)
{
	struct applicability_domain map;
	double own;
	enum err_code rc;

	if ((rc = compare_best(kind, in, best, state, c, e)) || c->n < MIN_COMPARED ||
	    (rc = applicability_domain_make(kind, state, best, &map, e)))
		return rc;
	own = spread(c, 0);
	for (int s = best->source[0] + 1; s < SOURCE_COUNT; s++) {
		double centre;

		if (share[s].n_configs == 0)
			continue;
		compare_source(kind, state, &map.ranges, t, (enum run_source)s, c);
		if (c->n < MIN_COMPARED)
			continue;
		centre = middle(c);
		share[s].factor = exp(centre);
		share[s].weight = fmin(pow(own / spread(c, centre), 2), 1);
	}
	return ERR_OK;
}

static enum err_code learn(const struct predictor_kind *kind, const struct fit_input *in,
			   const struct config_table *t, enum run_source source,
			   struct source_share share[SOURCE_COUNT], struct err *e)
{
	struct log_ratios c = {.r = calloc(t->n + 1, sizeof *c.r),
			       .work = calloc(t->n + 1, sizeof *c.work)};
	unsigned char *keep = calloc(t->n + 1, 1);
	struct config_table *best = NULL;
	struct err fit_error = {0};
	void *state = NULL;
	enum err_code rc;

	if (!c.r || !c.work || !keep) {
		rc = err_set(e, ERR_NOMEM, "comparison of %zu configurations", t->n);
		goto done;
	}
	for (size_t i = 0; i < t->n; i++)
		keep[i] = t->source[i] == source;
	if ((rc = config_table_subset(t, keep, &best, e)))
		goto done;
	rc = kind->fit(best, in, NULL, &state, &fit_error);
	if (!rc)
		rc = compare(kind, in, t, best, state, &c, share, e);
	else if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		rc = ERR_OK;
	else
		err_set(e, rc, "%s", fit_error.msg);
done:
	if (state)
		kind->free(state);
	config_table_free(best);
	free(c.r);
	free(c.work);
	free(keep);
	return rc;
}

static void apply(const struct source_share share[SOURCE_COUNT], struct config_table *t)
{
	for (int s = 0; s < SOURCE_COUNT; s++)
		t->weight[s] = share[s].weight;
	for (size_t i = 0; i < t->n; i++) {
		t->time_s[i] /= share[t->source[i]].factor;
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
			t->run_s[k] /= share[t->source[i]].factor;
	}
	for (size_t k = 0; k < t->n_cut; k++)
		t->cut[k].limit_s /= share[t->cut[k].source].factor;
}

enum err_code source_weights_learn(const struct predictor_kind *kind, const struct fit_input *in,
				   struct config_table *t, struct source_share share[SOURCE_COUNT],
				   struct err *e)
{
	size_t n_of[SOURCE_COUNT];
	const enum run_source best = config_table_best_source(t, n_of);
	enum err_code rc;

	for (int s = 0; s < SOURCE_COUNT; s++)
		share[s] = (struct source_share){n_of[s], 1,
						 (enum run_source)s > best ? UNKNOWN_WEIGHT : 1};
	if (n_of[best] < t->n && (rc = learn(kind, in, t, best, share, e)))
		return rc;
	for (int s = (int)best + 1; s < SOURCE_COUNT; s++) {
		if (n_of[s] > 0)
			share[s].weight =
				fmin(share[s].weight,
				     fmax((double)n_of[best] / (double)n_of[s], UNKNOWN_WEIGHT));
	}
	apply(share, t);
	return ERR_OK;
}

void source_weights_explain(const struct source_share share[SOURCE_COUNT], struct strbuf *out)
{
	int best = -1;

	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (share[s].n_configs == 0)
			continue;
		if (best < 0) {
			best = s;
			continue;
		}
		strbuf_printf(out, " %zu %s configuration%s count%s %.2g%s beside %zu %s one%s",
			      share[s].n_configs, run_source_name((enum run_source)s),
			      share[s].n_configs == 1 ? "" : "s",
			      share[s].n_configs == 1 ? "s" : "", share[s].weight,
			      share[s].n_configs == 1 ? "" : " each", share[best].n_configs,
			      run_source_name((enum run_source)best),
			      share[best].n_configs == 1 ? "" : "s");
		if (share[s].factor != 1)
			strbuf_printf(out, ", their times divided by %.3g", share[s].factor);
		strbuf_putc(out, '.');
	}
}
