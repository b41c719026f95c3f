#ifndef CLI_SENSITIVITY_TEXT_H
#define CLI_SENSITIVITY_TEXT_H
#include "api/answer.h"
#include "base/err.h"
#include "base/strbuf.h"
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

#endif
