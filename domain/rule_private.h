#ifndef DOMAIN_RULE_PRIVATE_H
#define DOMAIN_RULE_PRIVATE_H
#include "domain/expr_tree.h"
#include "domain/rule.h"

/* Private to the rule*.c files. */

/* Compile r's condition or setting; *out is NULL where there is none or it is blank. Errors: PARSE
 * (the message says of which rule's part), NOMEM. */
enum err_code rule_compile_condition(const struct application *a, const struct rule *r,
				     struct expr **out, struct err *e);
enum err_code rule_compile_setting(const struct application *a, const struct rule *r,
				   struct expr **out, struct err *e);
/* The columns of r's formula, column[n_term]. Errors: PARSE (no such column, or one of text). */
enum err_code rule_find_terms(const struct application *a, const struct rule *r, size_t *column,
			      struct err *e);

/* The parts of a condition that `and` joins: how many, and which (n of them, borrowed from it). */
size_t rule_count_parts(const struct expr *x);
void rule_list_parts(const struct expr *x, struct node **part);

/* A number as statements give it. Formulas use the rounded numbers: whoever evaluates the printed
 * rule by hand gets ours. */
double rule_round(double value, int digits);
double rule_round_coefficient(double value);
double rule_round_exponent(double value);

#endif
