#include "mining/evaluate/cv_protocol.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "mining/training/holdout.h"

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
	 .help = "a value each of two problem columns at a time, where they have 5 to 16",
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
