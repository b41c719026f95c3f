#ifndef MINING_EVALUATE_H
#define MINING_EVALUATE_H
#include <stddef.h>
#include "base/err.h"
#include "domain/dataset.h"
#include "mining/evaluate/cv_protocol.h"
#include "mining/evaluate/scoring_rules.h"
#include "mining/predictor/predictor.h"

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

#endif
