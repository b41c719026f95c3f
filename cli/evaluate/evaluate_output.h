#ifndef CLI_EVALUATE_OUTPUT_H
#define CLI_EVALUATE_OUTPUT_H
#include <stddef.h>
#include "base/err.h"
#include "api/back_test.h"
#include "cli/frame/context.h"

/* The answers of `lemnos evaluate`, in the format that was asked for. People get a line that says
 * what is tested, and fewer columns. */

/* One row for each protocol and predictor. */
enum err_code evaluate_print_scores(struct context *c, const struct mine_target *on,
				    const struct evaluation *v, size_t n, struct err *e);
enum err_code evaluate_print_reliability(struct context *c, const struct mine_target *on,
					 const struct evaluation *v, size_t n, struct err *e);
enum err_code evaluate_print_decisions(struct context *c, const struct mine_target *on,
				       const struct decision_evaluation *v, size_t n,
				       struct err *e);
enum err_code evaluate_print_rules(struct context *c, const struct mine_target *on,
				   const struct rule_evaluation *v, size_t n, struct err *e);

/* `evaluate --plot PREFIX`: predicted against measured times, and what happened against what was
 * promised. Of each PREFIX-NAME.csv (the data), PREFIX-NAME.gp (a gnuplot script that needs nothing
 * else) and, where gnuplot is installed, PREFIX-NAME.svg. */
extern const struct option_spec opt_evaluate_plot;

/* What is drawn, kept while it comes in. */
struct plot_series {
	struct evaluation result;
	struct tested *tested;
	size_t n;
};
struct evaluate_plot {
	struct plot_series *series;
	size_t n, cap;
};
void evaluate_plot_release(struct evaluate_plot *p);

/* For evaluate_request.visit; arg is a struct evaluate_plot. */
enum err_code evaluate_plot_visit(void *arg, const struct evaluation *one,
				  const struct scoring_rules *card, struct err *e);

/* Errors: USAGE (an empty prefix). */
enum err_code evaluate_plot_check(const struct context *c, struct err *e);

/* Errors: IO, NOMEM. Where only the drawing fails, a warning says why. */
enum err_code evaluate_plot_write(struct context *c, const struct mine_target *on,
				  const struct evaluate_plot *p, struct err *e);

#endif
