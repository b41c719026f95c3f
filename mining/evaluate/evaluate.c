#include "mining/evaluate/evaluate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "mining/evaluate/baselines.h"
#include "mining/training/config_table.h"
#include "mining/training/holdout.h"

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
	unsigned char *part;		    /* by run: enum cv_part */
	unsigned char *keep;		    /* by run: scratch */
	size_t n_done, n_folds;		    /* of all folds of all predictors */
	struct err last;		    /* why a fold could not be fitted */
};

static enum err_code runs_of(const struct evaluation_run *b, enum cv_part part,
			     struct dataset **out, struct err *e)
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

/* A nearest neighbour among a hundred thousand configurations takes a millisecond to find. */
enum { CONFIGS_PER_POLL = 32 };

static enum err_code score_rest(struct evaluation_run *b, const struct baseline *f,
				bool single_runs, struct scoring_rules *card, struct err *e)
{
	struct dataset *runs = NULL;
	struct config_table *t = NULL;
	enum err_code rc;

	if ((rc = runs_of(b, PART_TEST, &runs, e)) || (rc = config_table_make(runs, &t, e)))
		goto done;
	for (size_t i = 0; i < t->n && !rc; i++) {
		if (i % CONFIGS_PER_POLL == 0 &&
		    !progress_step(b->request->in->progress, NULL, 0, 0))
			rc = err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
		else
			rc = score_config(f, t, i, single_runs, card, e);
	}
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

/* ---- what is held out ---- */

/* The share that is held out where a split is made once: the usual 70/30. */
#define HELD_OUT_SHARE 0.3

const struct cv_protocol cv_protocol_list[PROTOCOL_COUNT] = {
	{.name = "rows", .help = "30 % of the single runs", .kind = PROTOCOL_ROWS},
	{.name = "configurations-70/30",
	 .help = "30 % of the configurations, once",
	 .kind = PROTOCOL_SPLIT},
	{.name = "configurations",
	 .help = "a fifth of the configurations at a time",
	 .kind = PROTOCOL_FOLDS,
	 .holdout = HOLDOUT_CONFIGS},
	{.name = "problems",
	 .help = "a fifth of the problem sizes at a time",
	 .kind = PROTOCOL_FOLDS,
	 .holdout = HOLDOUT_PROBLEMS},
	{.name = "processors",
	 .help = "the larger processor counts",
	 .kind = PROTOCOL_FOLDS,
	 .holdout = HOLDOUT_MORE_PROCS},
	{.name = "sizes",
	 .help = "the larger problems",
	 .kind = PROTOCOL_FOLDS,
	 .holdout = HOLDOUT_LARGER_PROBLEMS},
	{.name = "levels",
	 .help = "a value each of two problem columns at a time, where they have 5 to 48",
	 .kind = PROTOCOL_LEVELS},
};

const struct cv_protocol *cv_protocol_find(const char *name)
{
	for (size_t k = 0; k < PROTOCOL_COUNT; k++) {
		if (!strcmp(cv_protocol_list[k].name, name))
			return &cv_protocol_list[k];
	}
	return NULL;
}

int cv_protocol_folds(const struct cv_protocol *p)
{
	if (p->kind == PROTOCOL_LEVELS)
		return LEVEL_FOLDS;
	return p->kind == PROTOCOL_FOLDS ? holdout_info[p->holdout].n_folds : 1;
}

bool cv_protocol_tests_single_runs(const struct cv_protocol *p)
{
	return p->kind == PROTOCOL_ROWS;
}

/* A number in [0, 1) from a hash; the k-th of several. */
static double share_of(uint64_t hash, size_t k)
{
	uint64_t state = hash;

	state = splitmix_next(&state) + k;
	return splitmix_uniform(&state);
}

static unsigned char by_truth(bool tested)
{
	return tested ? PART_TEST : PART_TRAIN;
}

/* The k-th run of a configuration has the same fate in every base. */
static enum err_code split_rows(const struct dataset *runs, const struct config_table *t,
				unsigned seed, unsigned char *part, struct err *e)
{
	size_t *n_before = calloc(t->n + 1, sizeof *n_before);

	if (!n_before)
		return err_set(e, ERR_NOMEM, "split of %zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++) {
		uint64_t hash = holdout_row_hash(t->app, dataset_row(runs, i), seed);
		size_t config = t->config_of[i];

		part[i] = PART_TRAIN;
		if (config != SIZE_MAX)
			part[i] = by_truth(share_of(hash, n_before[config]++) < HELD_OUT_SHARE);
	}
	free(n_before);
	return ERR_OK;
}

static unsigned char cut_part(const struct cv_protocol *p, const double *row)
{
	double trained = expr_eval(p->train, row);

	if (p->test)
		return trained == 1 ? PART_TRAIN
				    : (expr_holds(p->test, row) ? PART_TEST : PART_NEITHER);
	/* NULL: a value that it names is missing, so the run is on neither side */
	return trained == 1 ? PART_TRAIN : (trained == 0 ? PART_TEST : PART_NEITHER);
}

static unsigned char row_part(const struct cv_protocol *p, const struct holdout_fold *f,
			      unsigned seed, const struct application *app, const double *row)
{
	if (p->kind == PROTOCOL_CUT)
		return cut_part(p, row);
	if (p->kind == PROTOCOL_SPLIT)
		return by_truth(share_of(holdout_row_hash(app, row, seed), 0) < HELD_OUT_SHARE);
	return by_truth(holdout_fold_takes(f, app, row));
}

/* A fold that there is not trains on all, and so tests nothing. */
static void split_levels(int fold, const struct dataset *runs, const struct config_table *t,
			 unsigned char *part)
{
	struct level_columns columns;
	struct level_fold f[LEVEL_FOLDS];
	size_t n;

	level_columns_find(t, &columns);
	n = level_folds_make(&columns, f);
	for (size_t i = 0; i < runs->n; i++)
		part[i] = by_truth((size_t)fold < n &&
				   level_fold_takes(&f[fold], dataset_row(runs, i)) > 0);
}

static enum err_code split(const struct cv_protocol *p, int fold, unsigned seed,
			   const struct dataset *runs, const struct config_table *t,
			   unsigned char *part, struct err *e)
{
	struct holdout_fold f;
	enum err_code rc;

	if (p->kind == PROTOCOL_ROWS)
		return split_rows(runs, t, seed, part, e);
	if (p->kind == PROTOCOL_LEVELS) {
		split_levels(fold, runs, t, part);
		return ERR_OK;
	}
	if (p->kind == PROTOCOL_FOLDS && (rc = holdout_fold_make(p->holdout, fold, seed, t, &f, e)))
		return rc;
	for (size_t i = 0; i < runs->n; i++)
		part[i] = row_part(p, &f, seed, t->app, dataset_row(runs, i));
	return ERR_OK;
}

enum err_code cv_protocol_split(const struct cv_protocol *p, int fold, unsigned seed,
				const struct dataset *runs, const struct config_table *t,
				unsigned char *part, bool *possible, struct err *e)
{
	size_t n[3] = {0};
	enum err_code rc = split(p, fold, seed, runs, t, part, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < runs->n; i++) {
		bool timed = t->config_of[i] != SIZE_MAX;

		if (!timed && (runs->status[i] != RUN_TIMEOUT || part[i] == PART_TEST))
			part[i] = PART_NEITHER;
		n[part[i]] += timed;
	}
	*possible = n[PART_TRAIN] > 0 && n[PART_TEST] > 0;
	return ERR_OK;
}
