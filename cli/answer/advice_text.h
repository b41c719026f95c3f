#ifndef CLI_ADVICE_TEXT_H
#define CLI_ADVICE_TEXT_H
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* An answer in the form asked for by --format. For people: what they need to decide
 * in 20 lines; or the answer first, then what it rests on, of which runs and rules are a few
 * or, in full, all. Errors: NOMEM. */
enum advice_length { ADVICE_IN_SHORT, ADVICE_ON_A_SCREEN, ADVICE_IN_FULL };
enum err_code advice_print(const struct context *c, const struct answer *answer,
			   enum advice_length length, struct err *e);

#endif
