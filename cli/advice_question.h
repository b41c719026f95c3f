#ifndef CLI_ADVICE_QUESTION_H
#define CLI_ADVICE_QUESTION_H
#include <stdint.h>
#include "base/err.h"
#include "cli/advice_limits.h"
#include "cli/context.h"
#include "cli/mined_machine.h"
#include "recommend/recommend.h"

struct machine_survey;

/* The question that a command line asks, and all that it is answered from. */
struct advice_question {
	struct application *app;
	int64_t app_id;
	int64_t first_run_id; /* runs loaded after it was asked have this id or a larger one */
	double *given;	      /* the row as typed */
	double *row;	      /* with workload defaults */
	struct mined_machine mined;
	struct dataset *runs;	       /* a sample, where the base has an index of them, else all */
	struct stored_runs stored;     /* all of them */
	struct clock_deadline by;      /* where request.deadline_s comes from, if given */
	struct advice_request request; /* borrows from all of these */
	struct machine_survey *survey; /* put to several machines, of which this is one; or NULL */
};

/* What is asked, of whatever machine: limits, application, configuration. q is {0}. Errors: USAGE,
 * ARG, NOTFOUND. */
enum err_code advice_question_read(struct context *c, struct advice_question *q, struct err *e);
/* Put it to a machine, in place of the one before; name NULL: the machine that context_machine()
 * chooses. Errors: those of mined_machine_load(), INTERRUPTED. */
enum err_code advice_question_put_to(struct context *c, const char *name, struct advice_question *q,
				     struct err *e);
void advice_question_release(struct advice_question *q);

#endif
