#include "mining/evaluate/evaluate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mining/evaluate/baselines.h"
#include "base/splitmix.h"
#include "mining/training/config_table.h"

#define MAX_FACTOR 25.0

void disturb_runs(struct dataset *runs, double share, unsigned seed)
{
	uint64_t state = seed;

	for (size_t i = 0; i < runs->n; i++) {
		bool disturbed = splitmix_uniform(&state) < share;
		double factor = 1 + (MAX_FACTOR - 1) * splitmix_uniform(&state);

		if (disturbed)
			runs->wall_s[i] *= factor;
	}
}

/* What all protocols and predictors share. */
struct evaluation_run {
	const struct evaluate_request *request;
	const struct config_table *configs; /* of all runs */
	unsigned char *part;		    /* by run: enum part */
	unsigned char *keep;		    /* by run: scratch */
	size_t n_done, n_folds;		    /* of all folds of all predictors */
	struct err last;		    /* why a fold could not be fitted */
};

static enum err_code runs_of(const struct evaluation_run *b, enum part part, struct dataset **out,
			     struct err *e)
{
	const struct dataset *runs = b->request->in->runs;

	for (size_t i = 0; i < runs->n; i++)
		b->keep[i] = b->part[i] == part;
	return dataset_subset(runs, b->keep, out, e);
}

/* *out stays NULL, and b->last says why, where too little is left to fit. */
static enum err_code fit_rest(struct evaluation_run *b, const char *predictor, size_t *n_train,
			      struct baseline **out, struct err *e)
{
	const struct evaluate_request *q = b->request;
	struct progress quiet = progress_within(q->in->progress);
	struct fit_input train = *q->in;
	struct dataset *runs = NULL;
	struct config_table *t = NULL;
	enum err_code rc;

	if ((rc = runs_of(b, PART_TRAIN, &runs, e)) || (rc = config_table_make(runs, &t, e)))
		goto done;
	if (q->disturb > 0)
		disturb_runs(runs, q->disturb, q->seed);
	train.runs = runs;
	train.progress = &quiet;
	b->last = (struct err){0};
	rc = baseline_fit(predictor, &train, out, &b->last);
	if (!rc)
		*n_train += t->n;
	else if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		rc = ERR_OK;
	else
		err_set(e, rc, "%s", b->last.msg);
done:
	config_table_free(t);
	dataset_free(runs);
	return rc;
}

static enum err_code score_config(const struct baseline *f, const struct config_table *t, size_t i,
				  bool single_runs, struct scoring_rules *card, struct err *e)
{
	const double *run_s = t->run_s + t->first[i];
	struct forecast at;
	enum err_code rc = ERR_OK;

	baseline_forecast(f, config_table_row(t, i), &at);
	if (!single_runs)
		return scoring_rules_add(card, &at, t->time_s[i], run_s, t->n_repeats[i], e);
	for (size_t k = 0; k < t->n_repeats[i] && !rc; k++)
		rc = scoring_rules_add(card, &at, run_s[k], &run_s[k], 1, e);
	return rc;
}

static enum err_code score_rest(struct evaluation_run *b, const struct baseline *f,
				bool single_runs, struct scoring_rules *card, struct err *e)
{
	struct dataset *runs = NULL;
	struct config_table *t = NULL;
	enum err_code rc;

	if ((rc = runs_of(b, PART_TEST, &runs, e)) || (rc = config_table_make(runs, &t, e)))
		goto done;
	for (size_t i = 0; i < t->n && !rc; i++)
		rc = score_config(f, t, i, single_runs, card, e);
done:
	config_table_free(t);
	dataset_free(runs);
	return rc;
}

static enum err_code run_fold(struct evaluation_run *b, const struct cv_protocol *p, int fold,
			      const char *predictor, struct scoring_rules *card, size_t *n_train,
			      struct err *e)
{
	const struct evaluate_request *q = b->request;
	struct baseline *f = NULL;
	bool possible = false;
	enum err_code rc;

	if (!progress_step(q->in->progress, "evaluating", b->n_done++, b->n_folds))
		return err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
	if ((rc = cv_protocol_split(p, fold, q->seed, q->in->runs, b->configs, b->part, &possible,
				    e)))
		return rc;
	if (!possible) {
		b->last = (struct err){0};
		err_set(&b->last, ERR_NODATA, "%s: none is left to fit to, or none to test",
			p->name);
		return ERR_OK;
	}
	rc = fit_rest(b, predictor, n_train, &f, e);
	if (!rc && f)
		rc = score_rest(b, f, cv_protocol_tests_single_runs(p), card, e);
	baseline_free(f);
	return rc;
}

/* All folds of one protocol for one predictor; out->n_test stays 0 when none was possible. */
static enum err_code run_protocol(struct evaluation_run *b, struct evaluation *out, struct err *e)
{
	const struct evaluate_request *q = b->request;
	struct scoring_rules card = {0};
	enum err_code rc = ERR_OK;

	for (int fold = 0; fold < cv_protocol_folds(out->protocol) && !rc; fold++)
		rc = run_fold(b, out->protocol, fold, out->predictor, &card, &out->n_train, e);
	out->n_test = card.n;
	out->n_runs = card.n_runs;
	memcpy(out->bin, card.bin, sizeof out->bin);
	if (!rc && card.n > 0)
		rc = scoring_rules_summarise(&card, &out->scores, e);
	if (!rc && card.n > 0 && q->visit)
		rc = q->visit(q->arg, out, &card, e);
	scoring_rules_release(&card);
	return rc;
}

static enum err_code run_all(struct evaluation_run *b, struct evaluation *out, size_t *n_out,
			     struct err *e)
{
	const struct evaluate_request *q = b->request;
	enum err_code rc = ERR_OK;
	size_t n = 0;

	for (size_t i = 0; i < q->n_protocols * q->n_predictors && !rc; i++) {
		struct evaluation one = {.protocol = q->protocol[i / q->n_predictors],
					 .predictor = q->predictor[i % q->n_predictors]};

		rc = run_protocol(b, &one, e);
		if (one.n_test > 0)
			out[n++] = one;
	}
	if (!rc && n == 0)
		rc = err_set(e, ERR_NODATA, "too few runs to hold any out%s%s",
			     b->last.code ? ": " : "", b->last.msg);
	if (!rc)
		*n_out = n;
	return rc;
}

enum err_code evaluate(const struct evaluate_request *q, struct evaluation *out, size_t *n_out,
		       struct err *e)
{
	struct evaluation_run b = {.request = q};
	struct config_table *configs = NULL;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < q->n_predictors && !rc; k++)
		rc = baseline_check(q->predictor[k], q->in->runs->app, e);
	if (rc || (rc = config_table_make(q->in->runs, &configs, e)))
		return rc;
	b.configs = configs;
	for (size_t h = 0; h < q->n_protocols; h++)
		b.n_folds += (size_t)cv_protocol_folds(q->protocol[h]) * q->n_predictors;
	b.part = calloc(q->in->runs->n + 1, 1);
	b.keep = calloc(q->in->runs->n + 1, 1);
	rc = b.part && b.keep ? run_all(&b, out, n_out, e)
			      : err_set(e, ERR_NOMEM, "split of %zu runs", q->in->runs->n);
	free(b.part);
	free(b.keep);
	config_table_free(configs);
	return rc;
}
