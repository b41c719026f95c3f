#ifndef CLI_FRONTIER_DRAW_H
#define CLI_FRONTIER_DRAW_H
#include <stdbool.h>
#include "api/answer.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/options.h"

extern const struct option_spec opt_frontier, opt_plot;

/* Is the frontier wanted, to be shown or drawn? Errors: USAGE (no name for a picture). */
enum err_code frontier_options_read(const struct options *o, bool *wanted, struct err *e);

/* Draw the frontier of an answer into a file, see gnuplot.h. path NULL, or an
 * answer without a frontier: nothing. Errors: USAGE, IO, NOMEM. */
enum err_code frontier_draw(const struct answer *answer, const char *path, struct err *e);

/* The gnuplot script, its data included. */
void frontier_put_script(const struct answer *answer, struct strbuf *out);

#endif
