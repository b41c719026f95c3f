#ifndef CLI_NEXT_ANSWER_H
#define CLI_NEXT_ANSWER_H
#include <stddef.h>
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* recommend --next N: the runs that would teach most, as part of an answer. */
extern const struct option_spec opt_next;

/* N; 0: not asked for. Errors: USAGE. */
enum err_code next_answer_option(const struct options *o, size_t *n, struct err *e);
/* For people, from the answer alone, if it has them. Errors: NOMEM. */
enum err_code next_answer_print(const struct context *c, const struct answer *answer,
				struct err *e);

#endif
