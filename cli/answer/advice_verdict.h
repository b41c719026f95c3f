#ifndef CLI_ADVICE_VERDICT_H
#define CLI_ADVICE_VERDICT_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "api/answer.h"
#include "cli/frame/context.h"

/* How firm an answer is, for people. */

/* Lines: the one step that costs most, and until when the number of nodes is the answer; those that
 * there is nothing to say in are left out. */
void sensitivity_put_worst(struct strbuf *s, const struct answer *answer); /* the first of them */
void sensitivity_put(struct strbuf *s, const struct answer *answer);
/* A line that says what robustness did; nothing without ties. */
void tie_break_put(struct strbuf *s, const struct answer *answer);
/* All steps, as a table under its heading; nothing if there are none. Errors: NOMEM. */
enum err_code sensitivity_print(const struct context *c, const struct answer *answer,
				struct err *e);

/* The machines of an answer to a question put to several (multi_machine.h), for people; nothing
 * where one machine was asked. */

/* How it was chosen, what each machine answered, and why some did not. Errors: NOMEM. */
enum err_code machines_print(const struct context *c, const struct answer *answer, struct err *e);

/* Lines that an answer has in short and in full, for people. Failed allocations stay in the strbuf.
 */

/* "Submit 2 nodes, 32 procs, mk 10", "No: none of ..." */
void advice_put_verdict(struct strbuf *s, const struct context *c, const struct answer *answer);
/* Of a no: the deadline that could be met, the budget that would do. */
void advice_put_feasible(struct strbuf *s, const struct answer *answer);
/* "48m 10s (90 %: 46m to 51m), in time for 1h with probability 0.97, 1.6 node-hours" */
void advice_put_prediction(struct strbuf *s, const struct answer *answer);
/* What no run had of it; nothing if it was run. */
void advice_put_origin(struct strbuf *s, const struct answer *answer);
/* What held in all runs and is kept to, or is not, behind `lead`; nothing if that is nothing. */
void advice_put_invariants(struct strbuf *s, const struct answer_search *search, bool kept,
			   const char *lead);
/* The deadline by the clock; nothing if there is none. */
void advice_put_clock(struct strbuf *s, const struct answer_request *request);
/* " of values tried in the runs": which configurations there are to choose from. */
const char *advice_tried_what(const struct answer *answer);

#endif
