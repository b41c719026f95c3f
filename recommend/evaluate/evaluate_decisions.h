#ifndef RECOMMEND_EVALUATE_DECISIONS_H
#define RECOMMEND_EVALUATE_DECISIONS_H
#include <stddef.h>
#include <stdbool.h>
#include "base/err.h"
#include "mining/evaluate/baselines.h"
#include "recommend/evaluate/decide.h"

/* Back-test of decisions: a problem that was measured in at least ten configurations is a question
 * with a known answer. Predictors see a part of the runs, choose among configurations that were
 * measured (so what would have come of it is known), and are judged by the truth.
 *
 * The fastest: a tenth of each problem's configurations (at least three) is seen, of these problems
 * only; any configuration of the problem may be chosen, those seen by their own times. Cost is the
 * median time of what was chosen over the least there is. Five draws.
 *
 * Deadlines: the 25, 50 and 75 % quantiles of the problem's times. Chosen is the configuration of
 * least node-hours among those with p_meet >= 0.9, always among configurations of which nothing was
 * seen: the other half of each problem's (two draws, both halves in turn), or all of a problem none
 * of whose runs were seen (the folds of HOLDOUT_PROBLEMS). Whether the deadline was met is asked of
 * single runs. Cost is the measured node-hours of what was chosen over those of the cheapest that
 * really is in time, by medians, where the choice is.
 *
 * Runs that failed or hit a time limit play no part. */
enum decision_question {
	ASK_FASTEST,
	ASK_DEADLINE_25,
	ASK_DEADLINE_50,
	ASK_DEADLINE_75,
	ASK_DEADLINES, /* the three together */
	DECISION_QUESTIONS
};
extern const char *const decision_question_name[DECISION_QUESTIONS];

struct decision_evaluation {
	enum decision_question question;
	const char *seen;   /* what of the problem: "a tenth", "half", "nothing" */
	const char *method; /* a predictor, "best seen" or "random choice" */
	struct decision_scores scores;
};

struct decision_request {
	const struct fit_input *in;
	const char *const *predictor; /* names that baseline_check() lets pass */
	size_t n_predictors;
	unsigned seed;
};

/* The fastest: each predictor, and two that need none: the best configuration seen and the mean
 * over all. Deadlines: each predictor on two kinds of question. */
enum { DECISION_ROWS_MAX = (FORECASTER_KINDS + 2) + 2 * 4 * FORECASTER_KINDS };

/* out: room for (n_predictors + 2) + 8 * n_predictors; *n_out is how many were possible. Errors:
 * ARG (no such predictor), NODATA (no problem was measured in ten configurations), INTERRUPTED,
 * NOMEM. */
enum err_code evaluate_decisions(const struct decision_request *q, struct decision_evaluation *out,
				 size_t *n_out, struct err *e);

/* ---- inside: what the back-tests share ---- */

/* How often predictors are fitted to ask for the fastest, with a tenth and for deadlines, with half
 * and nothing of the problem seen. */
enum { TENTH_DRAWS = 5, HALF_DRAWS = 2, DEADLINES = 3 };
/* Of a deadline that counts as possible: p_meet at least this. */
#define DECISION_CONFIDENCE 0.9

struct decision_test {
	const struct decision_request *request;
	struct measured_problems problems;
	unsigned char *seen; /* by configuration */
	unsigned char *keep; /* by run: scratch */
	double *time_s;	     /* of a problem's configurations: scratch */
	size_t n_done, n_steps;
};

/* Errors: NODATA (nothing to choose from), NOMEM. *b must not be released after an error. */
enum err_code decision_test_init(struct decision_test *b, const struct decision_request *q,
				 struct err *e);
void decision_test_release(struct decision_test *b);

/* Is the problem measured in enough configurations to be asked about? */
bool decision_test_asks(const struct decision_test *b, size_t problem);

/* Fit to the runs of b->seen. *out stays NULL where too little was seen. Errors: INTERRUPTED,
 * NOMEM. */
enum err_code decision_test_fit(struct decision_test *b, const char *predictor,
				struct baseline **out, struct err *e);

#endif
