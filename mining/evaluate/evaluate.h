#ifndef MINING_EVALUATE_H
#define MINING_EVALUATE_H
#include <stddef.h>
#include <stdbool.h>
#include "base/err.h"
#include "domain/dataset.h"
#include "mining/evaluate/scoring_rules.h"
#include "mining/predictor/predictor.h"
#include "domain/expr.h"
#include "mining/training/holdout.h"

/* Back-test: hold out runs, fit to the rest, predict what was held out, and say how good and how
 * honest the predictions were. Truth is the median of a configuration's held-out repeats for
 * errors (of protocols that hold out single runs: each run), every single run for coverage. */
struct evaluation {
	const struct cv_protocol *protocol;
	const char *predictor;
	size_t n_train, n_test; /* configurations (n_test of single runs: runs), over all folds */
	size_t n_runs;		/* held-out runs, over all folds */
	struct scores scores;
	struct reliability_bin bin[RELIABILITY_BINS];
};

struct evaluate_request {
	const struct fit_input *in;
	const struct cv_protocol *const *protocol;
	size_t n_protocols;
	const char *const *predictor; /* names that baseline_check() lets pass */
	size_t n_predictors;
	unsigned seed;	/* of the random splits */
	double disturb; /* share of the training runs that disturb_runs() spoils; 0: none */
	/* Called with each result and all that was tested for it; NULL: not wanted. */
	enum err_code (*visit)(void *arg, const struct evaluation *one,
			       const struct scoring_rules *card, struct err *e);
	void *arg;
};

/* out[n_protocols * n_predictors], protocols outside; *n_out counts those that were possible: with
 * something to hold out, and enough left to fit. Errors: ARG (no such predictor), NODATA (none was
 * possible: says why the last was not), INTERRUPTED, NOMEM, those of visit. */
enum err_code evaluate(const struct evaluate_request *q, struct evaluation *out, size_t *n_out,
		       struct err *e);

/* Runs as they would be on a bad day: about this share of them, chosen by the seed, take between 1
 * and 25 times as long (uniform), never shorter. 25 is what two busy-waiting ranks and one
 * competing process were seen to make of a run of Sweep3D. */
void disturb_runs(struct dataset *runs, double share, unsigned seed);

/* What a back-test holds out: by run, so that single repeats can be held out as well as whole
 * configurations (holdout.h), and as well as what somebody chose by a condition. */
enum cv_protocol_kind {
	PROTOCOL_ROWS,	 /* 30 % of the runs, whatever else is known of their configuration */
	PROTOCOL_SPLIT,	 /* 30 % of the configurations, once */
	PROTOCOL_FOLDS,	 /* the folds of holdout.h */
	PROTOCOL_LEVELS, /* those of level_folds_make(): what has one of two left-out levels, or
			    both */
	PROTOCOL_CUT	 /* chosen conditions */
};

struct cv_protocol {
	const char *name; /* as typed, and as printed */
	const char *help; /* for people */
	enum cv_protocol_kind kind;
	enum holdout holdout;	  /* of PROTOCOL_FOLDS */
	const struct expr *train; /* of PROTOCOL_CUT, over the columns of the application */
	const struct expr *test;  /* likewise; NULL: runs for which `train` is false */
};

enum { PROTOCOL_COUNT = 7 };
extern const struct cv_protocol cv_protocol_list[PROTOCOL_COUNT];
/* NULL: there is none of this name. */
const struct cv_protocol *cv_protocol_find(const char *name);
int cv_protocol_folds(const struct cv_protocol *p);
/* Is every held-out run a truth of its own? Otherwise the median of a configuration's is. */
bool cv_protocol_tests_single_runs(const struct cv_protocol *p);

enum cv_part { PART_NEITHER, PART_TRAIN, PART_TEST };

/* part[i] of run i. t: of the same runs. Failed runs are in neither part; a run that hit its time
 * limit is never tested, and trained on unless its configuration is held out. *possible is false
 * when nothing is left to train on or to test. seed varies the random ones. Errors: NOMEM. */
enum err_code cv_protocol_split(const struct cv_protocol *p, int fold, unsigned seed,
				const struct dataset *runs, const struct config_table *t,
				unsigned char *part, bool *possible, struct err *e);

#endif
