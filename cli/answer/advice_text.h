#ifndef CLI_ADVICE_TEXT_H
#define CLI_ADVICE_TEXT_H
#include "base/err.h"
#include "cli/frame/context.h"

/* An answer (advice_json.h) in the form asked for by --format: for people the answer first, then
 * what it rests on, which is shortened to a screen or told in full. Errors: NOMEM. */
enum advice_length { ADVICE_ON_A_SCREEN, ADVICE_IN_FULL };
struct json_t;
enum err_code advice_print(const struct context *c, const struct json_t *answer,
			   const struct application *a, enum advice_length length, struct err *e);

#endif
