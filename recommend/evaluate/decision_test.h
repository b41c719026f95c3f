#ifndef RECOMMEND_DECISION_TEST_H
#define RECOMMEND_DECISION_TEST_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/evaluate/baselines.h"
#include "recommend/evaluate/decide.h"
#include "recommend/evaluate/evaluate_decisions.h"
#include "recommend/evaluate/measured_problems.h"

/* What the back-tests of decisions share: the inside of evaluate_decisions.h. */

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
