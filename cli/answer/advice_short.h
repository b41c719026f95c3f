#ifndef CLI_ADVICE_SHORT_H
#define CLI_ADVICE_SHORT_H
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* What a person needs to decide, in at most ADVICE_SHORT_LINES lines of the terminal: the
 * recommendation or the no, how sure it is, what could make it wrong, three alternatives, why this
 * one, what to do next. If there is more to doubt than fits, the most important comes first and the
 * number of the others is told. A configuration so long that it needs more lines has them. Errors:
 * NOMEM. */
enum { ADVICE_SHORT_LINES = 20 };
enum err_code advice_short_print(const struct context *c, const struct answer *answer,
				 struct err *e);

#endif
