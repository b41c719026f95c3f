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

#endif
