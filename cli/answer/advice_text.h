#ifndef CLI_ADVICE_TEXT_H
#define CLI_ADVICE_TEXT_H
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* An answer in the form asked for by --format: for people the answer first, then
 * what it rests on, which is shortened to a screen or told in full. Errors: NOMEM. */
enum advice_length { ADVICE_ON_A_SCREEN, ADVICE_IN_FULL };
enum err_code advice_print(const struct context *c, const struct answer *answer,
			   enum advice_length length, struct err *e);

#endif
