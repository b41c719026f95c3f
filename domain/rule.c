#include "domain/rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "domain/rule_private.h"

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

static const char *const kind_name[RULE_KIND_COUNT] = {
	[RULE_CHOICE] = "choice",
	[RULE_SETTING] = "setting",
	[RULE_TIME] = "time",
	[RULE_INVARIANT] = "invariant",
};

const char *rule_kind_name(enum rule_kind kind)
{
	return kind < RULE_KIND_COUNT ? kind_name[kind] : "unknown";
}

int rule_kind_from(const char *text)
{
	for (int kind = 0; kind < RULE_KIND_COUNT; kind++) {
		if (strcmp(kind_name[kind], text) == 0)
			return kind;
	}
	return -1;
}

void rule_release(struct rule *r)
{
	free(r->machine);
	free(r->condition);
	free(r->setting);
	for (size_t i = 0; i < r->n_term; i++)
		free(r->term[i].column);
	free(r->term);
	for (size_t i = 0; i < r->n_cost; i++)
		rule_cost_release(&r->cost[i]);
	free(r->cost);
	free(r->covers);
	free(r->caveat);
	*r = (struct rule){0};
}

void rule_list_release(struct rule_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		rule_release(&l->item[i]);
	free(l->item);
	*l = (struct rule_list){0};
}

enum err_code rule_list_add(struct rule_list *l, struct rule *r, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 16;
		struct rule *grown = realloc(l->item, cap * sizeof *grown);

		if (!grown) {
			rule_release(r);
			return err_set(e, ERR_NOMEM, "out of memory after %zu rules", l->n);
		}
		l->item = grown;
		l->cap = cap;
	}
	l->item[l->n++] = *r;
	*r = (struct rule){0};
	return ERR_OK;
}

enum err_code rule_add_term(struct rule *r, const char *column, double exponent, struct err *e)
{
	struct rule_term *grown = realloc(r->term, (r->n_term + 1) * sizeof *grown);
	char *name;

	if (!grown)
		return err_set(e, ERR_NOMEM, "out of memory for a formula");
	r->term = grown;
	name = strdup(column);
	if (!name)
		return err_set(e, ERR_NOMEM, "out of memory for a formula");
	r->term[r->n_term++] = (struct rule_term){.column = name, .exponent = exponent};
	return ERR_OK;
}

void rule_cost_release(struct rule_cost *cost)
{
	free(cost->part);
	free(cost->against);
	*cost = (struct rule_cost){0};
}

enum err_code rule_add_cost(struct rule *r, struct rule_cost *cost, struct err *e)
{
	struct rule_cost *grown = realloc(r->cost, (r->n_cost + 1) * sizeof *grown);

	if (!grown) {
		rule_cost_release(cost);
		return err_set(e, ERR_NOMEM, "out of memory for a cost");
	}
	r->cost = grown;
	r->cost[r->n_cost++] = *cost;
	*cost = (struct rule_cost){0};
	return ERR_OK;
}

double rule_held_up(const struct rule_evidence *v)
{
	double all = v->n_checked > 0 ? 1 - (double)v->n_counter / (double)v->n_checked : 1;

	return all < v->confidence ? all : v->confidence; /* NaN stays NaN */
}

bool rule_counts_run(const struct dataset *d, size_t i)
{
	return d->status[i] == RUN_OK && !d->flagged[i];
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

bool rule_says_same(const struct rule *general, const struct rule *own)
{
	if (general->kind != own->kind || own->kind == RULE_TIME)
		return false;
	/* Ids are of one length, so none is part of another. */
	return (same_text(general->condition, own->condition) &&
		same_text(general->setting, own->setting)) ||
	       (general->covers && *own->id && strstr(general->covers, own->id));
}

/* A part of the condition that `and` joins to the others. */
struct rule_part {
	struct expr x;	  /* its root belongs to the condition */
	bool tests_null;  /* "is null" is somewhere in it, or in a derived column it uses */
	bool *depends_on; /* [n_columns], also through derived columns; only if tests_null */
};

struct rule_test {
	size_t n_columns;
	struct expr *condition; /* NULL: holds always */
	struct expr *setting;	/* NULL: there is none */
	struct rule_part *part;
	size_t n_part;
	double coefficient;
	size_t *term_column;
	double *term_exponent;
	size_t n_term;
	double min, max;
};

/* by_column[i]: a derived column that does. */
static bool tests_null(const struct node *n, const bool *by_column)
{
	if (n->op == EXPR_IS_NULL || n->op == EXPR_IS_NOT_NULL)
		return true;
	if (n->op == EXPR_COLUMN)
		return by_column[n->column];
	for (size_t i = 0; i < n->n_args; i++) {
		if (tests_null(n->arg[i], by_column))
			return true;
	}
	return false;
}

static void mark_dependencies(const struct application *a, const struct node *n, bool *depends_on)
{
	if (n->op == EXPR_COLUMN && !depends_on[n->column]) {
		depends_on[n->column] = true;
		if (a->column[n->column].role == COL_DERIVED)
			mark_dependencies(a, a->column[n->column].derived->root, depends_on);
	}
	for (size_t i = 0; i < n->n_args; i++)
		mark_dependencies(a, n->arg[i], depends_on);
}

/* false: out of memory. */
static bool make_part(const struct application *a, struct node *root, const bool *by_column,
		      struct rule_part *p)
{
	p->x.root = root;
	p->tests_null = tests_null(root, by_column);
	if (!p->tests_null)
		return true;
	p->depends_on = calloc(a->n_columns + 1, sizeof *p->depends_on);
	if (p->depends_on)
		mark_dependencies(a, root, p->depends_on);
	return p->depends_on != NULL;
}

/* false: out of memory. */
static bool make_parts(const struct application *a, struct rule_test *t)
{
	size_t n = t->condition ? rule_count_parts(t->condition) : 0;
	struct node **root = calloc(n + 1, sizeof *root);
	bool *by_column = calloc(a->n_columns + 1, sizeof *by_column);
	bool ok;

	t->part = calloc(n + 1, sizeof *t->part);
	ok = root && by_column && t->part;
	/* A derived column uses columns above it only. */
	for (size_t i = 0; ok && i < a->n_columns; i++) {
		if (a->column[i].role == COL_DERIVED)
			by_column[i] = tests_null(a->column[i].derived->root, by_column);
	}
	if (ok && t->condition)
		rule_list_parts(t->condition, root);
	for (size_t i = 0; ok && i < n; i++)
		ok = make_part(a, root[i], by_column, &t->part[t->n_part++]);
	free(root);
	free(by_column);
	return ok;
}

/* The terms are found already. */
static void copy_formula(const struct rule *r, struct rule_test *t)
{
	t->n_term = r->n_term;
	t->coefficient = rule_round_coefficient(r->coefficient);
	for (size_t k = 0; k < r->n_term; k++)
		t->term_exponent[k] = rule_round_exponent(r->term[k].exponent);
	t->min = r->min;
	t->max = r->max;
}

enum err_code rule_test_new(const struct application *a, const struct rule *r,
			    struct rule_test **out, struct err *e)
{
	struct rule_test *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "out of memory for a rule");
	t->n_columns = a->n_columns;
	t->term_column = calloc(r->n_term + 1, sizeof *t->term_column);
	t->term_exponent = calloc(r->n_term + 1, sizeof *t->term_exponent);
	if (!t->term_column || !t->term_exponent) {
		rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
		goto fail;
	}
	if ((rc = rule_compile_condition(a, r, &t->condition, e)) ||
	    (rc = rule_compile_setting(a, r, &t->setting, e)) ||
	    (rc = rule_find_terms(a, r, t->term_column, e)))
		goto fail;
	if (!make_parts(a, t)) {
		rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
		goto fail;
	}
	copy_formula(r, t);
	*out = t;
	return ERR_OK;
fail:
	rule_test_free(t);
	return rc;
}

void rule_test_free(struct rule_test *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_part; i++)
		free(t->part[i].depends_on);
	free(t->part);
	expr_free(t->condition);
	expr_free(t->setting);
	free(t->term_column);
	free(t->term_exponent);
	free(t);
}

bool rule_condition_holds(const struct rule_test *t, const double *row)
{
	return !t->condition || expr_holds(t->condition, row);
}

bool rule_setting_holds(const struct rule_test *t, const double *row)
{
	return t->setting && expr_holds(t->setting, row);
}

bool rule_setting_possible(const struct rule_test *t, const double *row)
{
	return !t->setting || expr_eval(t->setting, row) != 0; /* NaN: not known */
}

static bool is_unknown_to(const struct rule_part *p, const double *row, size_t n_columns)
{
	for (size_t i = 0; i < n_columns; i++) {
		if (p->depends_on[i] && isnan(row[i]))
			return true;
	}
	return false;
}

/* In three-valued logic what is 0 with NULLs stays 0 whatever they turn out to be, except for "is
 * null", which takes a NULL for a fact. */
static bool part_is_possible(const struct rule_part *p, const double *row, size_t n_columns)
{
	if (p->tests_null && is_unknown_to(p, row, n_columns))
		return true;
	return expr_eval(&p->x, row) != 0; /* NaN: not known */
}

bool rule_condition_possible(const struct rule_test *t, const double *row)
{
	for (size_t i = 0; i < t->n_part; i++) {
		if (!part_is_possible(&t->part[i], row, t->n_columns))
			return false;
	}
	return true;
}

double rule_formula(const struct rule_test *t, const double *row)
{
	double value = t->coefficient;

	for (size_t k = 0; k < t->n_term; k++) {
		double x = row[t->term_column[k]];

		if (!(x > 0))
			return (double)NAN;
		value *= pow(x, t->term_exponent[k]);
	}
	if (value < t->min)
		return t->min;
	return value > t->max ? t->max : value;
}
