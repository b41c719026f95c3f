#ifndef CLI_COMPARE_OUTPUT_H
#define CLI_COMPARE_OUTPUT_H
#include "api/back_test.h"
#include "cli/frame/context.h"

/* What `lemnos model compare` prints: the table of errors, and for people what it was made from
 * and what does not apply. */
enum err_code compare_print(const struct context *c, const struct mine_target *on,
			    enum holdout held_out, const struct model_comparison *v, struct err *e);
/* Predicted over measured times, by measured ones: a panel for each model. Errors: those of
 * gnuplot_draw(). */
enum err_code compare_draw(const char *path, const struct mine_target *on,
			   const struct model_comparison *v, struct err *e);

#endif
