#ifndef API_BACK_TEST_H
#define API_BACK_TEST_H
#include "base/err.h"
#include "mining/evaluate/evaluate.h"
#include "mining/evaluate/evaluate_rules.h"
#include "mining/evaluate/model_compare.h"
#include "mining/mine.h"
#include "recommend/evaluate/evaluate_decisions.h"
#include "api/session.h"

/* The runs that predictions, decisions and rules for an application on a machine are tested on.
 * Changes nothing in the base.
 *
 *	struct back_test t = {0};
 *	rc = back_test_open(session, NULL, NULL, &t, &e);
 *	rc = back_test_load(session, &t, &e);
 *	request.in = &t.in.fit;
 *	rc = evaluate(&request, scores, &n, &e);
 *	back_test_release(&t);
 */
struct back_test {
	struct application *app;
	struct machine *machine;
	struct mine_target on; /* borrows both */
	struct mine_input in;  /* in.fit is what evaluate*() take */
};

/* Of the application and machine that session_application() and session_machine() choose; names may
 * be NULL. *t is {0} and must be released in any case. Errors: USAGE, NOTFOUND. */
enum err_code back_test_open(struct session *session, const char *app, const char *machine,
			     struct back_test *t, struct err *e);
/* Errors: NODATA (no runs), INTERRUPTED, those of kb. */
enum err_code back_test_load(struct session *session, struct back_test *t, struct err *e);
void back_test_release(struct back_test *t);

/* Comparison of the models (model_compare.h), on the runs that the base has of an application on a
 * machine. Errors: those of kb and model_compare(). */
enum err_code model_comparison_make(struct session *session, const struct mine_target *on,
				    enum holdout held_out, struct model_comparison *out,
				    struct err *e);

#endif
