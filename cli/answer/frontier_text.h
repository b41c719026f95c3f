#ifndef CLI_FRONTIER_TEXT_H
#define CLI_FRONTIER_TEXT_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "api/answer.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* The frontier of an answer for people: a table, shortened to a screen if it is
 * longer, and a plot. Prints nothing if the answer has none. Errors: NOMEM. */
enum err_code frontier_print(const struct context *c, const struct answer *answer, struct err *e);

extern const struct option_spec opt_frontier, opt_plot;

/* Is the frontier wanted, to be shown or drawn? Errors: USAGE (no name for a picture). */
enum err_code frontier_options_read(const struct options *o, bool *wanted, struct err *e);

/* Draw the frontier of an answer into a file, see gnuplot.h. path NULL, or an
 * answer without a frontier: nothing. Errors: USAGE, IO, NOMEM. */
enum err_code frontier_draw(const struct answer *answer, const char *path, struct err *e);

#endif
