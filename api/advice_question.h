#ifndef API_ADVICE_QUESTION_H
#define API_ADVICE_QUESTION_H
#include <stdint.h>
#include "base/err.h"
#include "api/session.h"
#include "api/fitted_machine.h"
#include "recommend/space/recommend.h"

struct multi_machine;

/* A deadline by the clock: a point of time. The deadline is what is left of the time until then. */
struct clock_deadline {
	bool given;
	int64_t by_s, asked_s; /* since 1970 */
};

/* A question for advice, and all that it is answered from.
 *
 *	struct advice_question q = {0};
 *	advice_question_open(session, NULL, &q, &e);
 *	configuration_set_problem(q.app, "100x100x100", false, q.given, &e);
 *	q.request.deadline_s = 3600;
 *	advice_question_complete(session, &q);
 *	advice_question_bind_machine(session, &(struct machine_request){0}, &q, &e);
 *	advice_find(&q.request, &advice, &e);
 *	advice_question_release(&q);
 */
struct advice_question {
	struct application *app;
	int64_t app_id;
	int64_t first_run_id; /* runs loaded after it was asked have this id or a larger one */
	double *given;	      /* the row as asked; NaN: left open */
	double *row;	      /* with workload defaults */
	struct fitted_machine mined;
	struct dataset *runs;	       /* a sample, where the base has an index of them, else all */
	struct kb_run_dates dates;     /* where the system changed */
	struct dataset *failures;      /* all that failed or timed out */
	struct stored_runs stored;     /* all of them */
	struct clock_deadline by;      /* where request.deadline_s comes from, if given */
	struct advice_request request; /* borrows from all of these */
	struct multi_machine *machines; /* several were asked, of which this is one; or NULL */
};

/* Begin a question about an application (NULL: the one that session_application() chooses): given[]
 * is all NaN, the limits are none at a confidence of 0.9, the objective is the time. q is {0}.
 * Errors: USAGE, NOTFOUND. */
enum err_code advice_question_open(struct session *session, const char *app,
				   struct advice_question *q, struct err *e);
/* After given[], limits and objective are set: what follows from them, whatever the machine. */
void advice_question_complete(struct session *session, struct advice_question *q);
/* Put it to a machine, in place of the one before. Errors: those of fitted_machine_load(),
 * INTERRUPTED. */
enum err_code advice_question_bind_machine(struct session *session,
					   const struct machine_request *asked,
					   struct advice_question *q, struct err *e);
void advice_question_release(struct advice_question *q);

#endif
