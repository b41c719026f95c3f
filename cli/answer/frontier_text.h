#ifndef CLI_FRONTIER_TEXT_H
#define CLI_FRONTIER_TEXT_H
#include "api/answer.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* The frontier of an answer for people: a table, shortened to a screen if it is
 * longer, and a plot. Prints nothing if the answer has none. Errors: NOMEM. */
enum err_code frontier_print(const struct context *c, const struct answer *answer, struct err *e);

#endif
