#include "domain/rule_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(const char *text)
{
	return !text || text[strspn(text, " \t\r\n")] == '\0';
}

static enum err_code compile(const struct application *a, const char *what, const char *text,
			     struct expr **out, struct err *e)
{
	struct err inner = {0};
	enum err_code rc;

	if (is_blank(text)) {
		*out = NULL;
		return ERR_OK;
	}
	rc = expr_parse(text, &a->scope, out, &inner);
	return rc ? err_set(e, rc, "the %s of a rule about %s: %s", what, a->name, inner.msg)
		  : ERR_OK;
}

enum err_code rule_compile_condition(const struct application *a, const struct rule *r,
				     struct expr **out, struct err *e)
{
	return compile(a, "condition", r->condition, out, e);
}

enum err_code rule_compile_setting(const struct application *a, const struct rule *r,
				   struct expr **out, struct err *e)
{
	if ((r->kind == RULE_SETTING || r->kind == RULE_INVARIANT) && is_blank(r->setting))
		return err_set(e, ERR_PARSE,
			       "%s rule about %s does not say what %s; its setting is a condition "
			       "like mk = 10",
			       r->kind == RULE_SETTING ? "a setting" : "an invariant", a->name,
			       r->kind == RULE_SETTING ? "to choose" : "held");
	return compile(a, "setting", r->setting, out, e);
}

enum err_code rule_find_terms(const struct application *a, const struct rule *r, size_t *column,
			      struct err *e)
{
	for (size_t k = 0; k < r->n_term; k++) {
		const char *name = r->term[k].column;
		size_t i;

		for (i = 0; i < a->n_columns; i++) {
			if (strcasecmp(a->column[i].name, name) == 0)
				break;
		}
		if (i == a->n_columns)
			return err_set(e, ERR_PARSE,
				       "the formula of a rule about %s: unknown column '%s'",
				       a->name, name);
		if (a->column[i].type == COL_TEXT)
			return err_set(
				e, ERR_PARSE,
				"the formula of a rule about %s: %s is text, and powers want "
				"numbers",
				a->name, name);
		column[k] = i;
	}
	return ERR_OK;
}

static size_t count(const struct node *n)
{
	return n->op == EXPR_AND ? count(n->arg[0]) + count(n->arg[1]) : 1;
}

size_t rule_count_parts(const struct expr *x)
{
	return count(x->root);
}

/* Behind the last one written. */
static struct node **list(struct node *n, struct node **part)
{
	if (n->op == EXPR_AND)
		return list(n->arg[1], list(n->arg[0], part));
	*part = n;
	return part + 1;
}

void rule_list_parts(const struct expr *x, struct node **part)
{
	list(x->root, part);
}

double rule_round(double value, int digits)
{
	char text[40];

	if (!isfinite(value))
		return value;
	/* Through text, so that the result is the double nearest to a short decimal number. */
	snprintf(text, sizeof text, "%.*e", digits - 1, value);
	return strtod(text, NULL);
}

double rule_round_coefficient(double value)
{
	return rule_round(value, 3); /* at most half a percent off */
}

double rule_round_exponent(double value)
{
	char text[400]; /* any double in full */

	if (!isfinite(value))
		return value;
	snprintf(text, sizeof text, "%.3f", value); /* 0.7 % at a column value of a million */
	return strtod(text, NULL);
}
