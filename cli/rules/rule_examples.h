#ifndef CLI_RULE_EXAMPLES_H
#define CLI_RULE_EXAMPLES_H
#include "cli/frame/output.h"
#include "api/rule_book.h"

/* The configurations that speak against a rule: run, problem, choice, time, and the ratio that
 * struct rule_witness defines. NULL: out of memory. */
struct out_table *rule_examples_table(const struct application *a, const struct rule *r,
				      const struct rule_context *g);

#endif
