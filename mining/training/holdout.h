#ifndef MINING_HOLDOUT_H
#define MINING_HOLDOUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/training/config_table.h"

/* Ways to hold out runs that ask what users ask: an unseen configuration of a seen problem, an
 * unseen problem, more processors, a larger problem. Whole configurations go together, so that a
 * repeat never predicts its twin. Deterministic: folds come from hashes and sorted values. */
enum holdout {
	HOLDOUT_CONFIGS,	 /* configurations, at random */
	HOLDOUT_PROBLEMS,	 /* whole problems, at random */
	HOLDOUT_MORE_PROCS,	 /* train on few processors, test on more */
	HOLDOUT_LARGER_PROBLEMS, /* train on small problems, test on larger */
	HOLDOUT_COUNT
};

struct holdout_info {
	const char *name;  /* "configurations", ... */
	const char *title; /* for people */
	int n_folds;
};
extern const struct holdout_info holdout_info[HOLDOUT_COUNT];

/* What HOLDOUT_MORE_PROCS and HOLDOUT_LARGER_PROBLEMS call larger: processors (or nodes) and the
 * product of the problem's positive numbers, as far as known. 1 where the application has none;
 * NaN: processors that are not known. */
double holdout_size(enum holdout kind, const struct application *app, const double *row);

/* One fold as a question about any row, e.g. that of a run that hit its time limit and so is in no
 * table of configurations. */
struct holdout_fold {
	enum holdout kind;
	int fold;
	unsigned seed;
	double size; /* of the kinds that extrapolate: what is larger is held out */
};
/* t: the configurations that are split. Errors: NOMEM. */
enum err_code holdout_fold_make(enum holdout kind, int fold, unsigned seed,
				const struct config_table *t, struct holdout_fold *out,
				struct err *e);
bool holdout_fold_takes(const struct holdout_fold *f, const struct application *app,
			const double *row);

/* A hash of what makes a row a configuration (all that is not derived): the same in every base. */
uint64_t holdout_row_hash(const struct application *app, const double *row, unsigned seed);

/* test[i] = 1: configuration i is held out in this fold. *possible is false when the fold leaves
 * nothing to train on or nothing to test (one problem only, one processor count only). seed varies
 * the random ones. Errors: NOMEM. */
enum err_code holdout_split(enum holdout kind, int fold, unsigned seed,
			    const struct config_table *t, unsigned char *test, int *possible,
			    struct err *e);

/* The runs (those that t was made of) whose configuration is not in test[], so that what is fitted
 * sees single repeats as it would in earnest. Errors: NOMEM. */
enum err_code holdout_training_runs(const struct dataset *runs, const struct config_table *t,
				    const unsigned char *test, struct dataset **out, struct err *e);

/* Questions between the levels of a grid: a problem column of few values is asked about at a value
 * that no run has. Held-out runs of a grid are easier, as each of their values was seen elsewhere.
 * So whole levels are left out: all rows with value a of one column or value c of another. */

enum {
	LEVEL_COLUMNS = 8,
	LEVEL_MIN = 5, /* fewer levels leave too little to learn from when one is left out */
	LEVEL_MAX = 48,
	LEVEL_FOLDS = 8
};

/* The numeric problem columns with LEVEL_MIN to LEVEL_MAX values. */
struct level_columns {
	size_t n;
	struct level_column {
		size_t column, n;
		double value[LEVEL_MAX]; /* ascending */
	} item[LEVEL_COLUMNS];
};
void level_columns_find(const struct config_table *t, struct level_columns *out);
/* How many of a row's values lie between the levels of their column and are none of them. */
int level_columns_newness(const struct level_columns *m, const double *row);

/* What is left out: a level of one column, and one of another (SIZE_MAX: none). */
struct level_fold {
	size_t column[2];
	double value[2];
};
/* At most LEVEL_FOLDS, evenly taken of all pairs of inner levels of two columns; where only one
 * column has levels, of its inner levels. Returns how many. */
size_t level_folds_make(const struct level_columns *m, struct level_fold out[LEVEL_FOLDS]);
/* How many of the fold's levels a row has: 0, 1 or 2. */
int level_fold_takes(const struct level_fold *f, const double *row);

#endif
