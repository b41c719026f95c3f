#ifndef CLI_SCALING_TEXT_H
#define CLI_SCALING_TEXT_H
#include "api/scaling_answer.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* Print how a code scales: a table with remarks, CSV or JSON. Errors: NOMEM. */
enum err_code scaling_print(const struct context *c, const struct scaling_question *q,
			    const struct scaling_answer *a, struct err *e);

/* Time and efficiency over the resource as a picture: a curve with its interval for each series,
 * and the runs that were measured as points. */
extern const struct option_spec opt_scaling_plot;

/* Can it be drawn? Errors: USAGE (no list of resources, too many series). */
enum err_code scaling_draw_check(const struct scaling_answer *a, struct err *e);
/* Draw into a file, see gnuplot.h. Errors: USAGE, IO, NOMEM. */
enum err_code scaling_draw(const struct scaling_question *q, const struct scaling_answer *a,
			   const char *path, struct err *e);

#endif
