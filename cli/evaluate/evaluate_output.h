#ifndef CLI_EVALUATE_OUTPUT_H
#define CLI_EVALUATE_OUTPUT_H
#include <stddef.h>
#include "api/back_test.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* The answers of `lemnos evaluate`, in the format that was asked for. People get a line that says
 * what is tested, and fewer columns. */

/* One row for each protocol and predictor. */
enum err_code evaluate_print_scores(struct context *c, const struct mine_target *on,
				    const struct evaluation *v, size_t n, struct err *e);
/* What was promised and what happened: a row for each bin that holds anything. The table alone (as
 * it is for a format) may be printed elsewhere; NULL: out of memory. */
struct out_table *evaluate_reliability_table(enum out_format format, const struct mine_target *on,
					     const struct evaluation *v, size_t n);
enum err_code evaluate_print_reliability(struct context *c, const struct mine_target *on,
					 const struct evaluation *v, size_t n, struct err *e);
enum err_code evaluate_print_decisions(struct context *c, const struct mine_target *on,
				       const struct decision_evaluation *v, size_t n,
				       struct err *e);
enum err_code evaluate_print_rules(struct context *c, const struct mine_target *on,
				   const struct rule_evaluation *v, size_t n, struct err *e);

#endif
