#include "domain/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/digest.h"
#include "domain/rule_private.h"

/* What makes a rule this rule. Its content is a text of which the id is a hash; with every literal
 * left out it is the rule's shape. The parts of a condition are sorted in it: neither spelling nor
 * order matters to either. */

/* ---- leaving literals out of a tree ---- */

static bool is_literal(const struct node *n)
{
	return n->op == EXPR_NUMBER || n->op == EXPR_TEXT;
}

static bool has_literal_operands(const struct node *n)
{
	for (size_t i = 1; i < n->n_args; i++) {
		if (!is_literal(n->arg[i]))
			return false;
	}
	return n->n_args > 1;
}

/* What a comparison with literals is like: a value, a list and a range are all sets. */
static enum expr_op shape_of(enum expr_op op)
{
	switch (op) {
	case EXPR_EQ:
	case EXPR_TEXT_EQ:
	case EXPR_TEXT_IN:
	case EXPR_BETWEEN:
		return EXPR_IN;
	case EXPR_NE:
	case EXPR_TEXT_NE:
	case EXPR_TEXT_NOT_IN:
	case EXPR_NOT_BETWEEN:
		return EXPR_NOT_IN;
	case EXPR_LT:
		return EXPR_LE;
	case EXPR_GT:
		return EXPR_GE;
	default:
		return op;
	}
}

/* false: out of memory. */
static bool leave_out_literals(struct node **at)
{
	struct node *n = *at;

	if (is_literal(n)) {
		struct node *placeholder = node_column("_", SIZE_MAX, NULL, false);

		if (!placeholder)
			return false;
		node_free(n);
		*at = placeholder;
		return true;
	}
	if (has_literal_operands(n)) {
		n->op = shape_of(n->op);
		while (n->n_args > 2 && (n->op == EXPR_IN || n->op == EXPR_NOT_IN))
			node_free(n->arg[--n->n_args]);
	}
	for (size_t i = 0; i < n->n_args; i++) {
		if (!leave_out_literals(&n->arg[i]))
			return false;
	}
	return true;
}

/* ---- the content ---- */

/* Append the n texts, sorted; item[i] may be NULL: out of memory. */
static void put_sorted(char **item, size_t n, const char *separator, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (!item[i]) {
			strbuf_fail(out);
			return;
		}
	}
	qsort(item, n, sizeof *item, compare_texts);
	for (size_t i = 0; i < n; i++) {
		strbuf_puts(out, i ? separator : "");
		strbuf_puts(out, item[i]);
	}
}

/* NULL: out of memory. */
static char *part_text(struct node *part)
{
	bool loose = expr_op_info[part->op].level < LEVEL_AND;
	struct strbuf text = STRBUF_INIT;

	strbuf_puts(&text, loose ? "(" : "");
	expr_put_text(&(struct expr){.root = part}, &text);
	strbuf_puts(&text, loose ? ")" : "");
	if (text.failed) {
		strbuf_release(&text);
		return NULL;
	}
	return text.buf;
}

static void put_parts(const struct expr *x, struct strbuf *out)
{
	size_t n = rule_count_parts(x);
	struct node **part = calloc(n, sizeof *part);
	char **text = calloc(n, sizeof *text);

	if (part && text) {
		rule_list_parts(x, part);
		for (size_t i = 0; i < n; i++)
			text[i] = part_text(part[i]);
		put_sorted(text, n, " and ", out);
		for (size_t i = 0; i < n; i++)
			free(text[i]);
	} else {
		strbuf_fail(out);
	}
	free(part);
	free(text);
}

static void put_condition(struct expr *x, bool literals, const char *otherwise, struct strbuf *out)
{
	if (!x)
		strbuf_puts(out, otherwise);
	else if (literals || leave_out_literals(&x->root))
		put_parts(x, out);
	else
		strbuf_fail(out);
}

static void put_formula(const struct rule *r, struct strbuf *out)
{
	char **column = calloc(r->n_term + 1, sizeof *column);

	if (!column) {
		strbuf_fail(out);
		return;
	}
	for (size_t i = 0; i < r->n_term; i++)
		column[i] = r->term[i].column;
	strbuf_puts(out, r->on_model ? "time on the model by (" : "time by (");
	put_sorted(column, r->n_term, ", ", out);
	strbuf_puts(out, ")");
	free(column);
}

/* "setting on 'sp2like': if cells_per_proc <= _ then mk in (_) and mmi in (_)" */
static enum err_code put_content(const struct application *a, const struct rule *r, bool literals,
				 struct strbuf *out, struct err *e)
{
	struct expr *condition = NULL;
	struct expr *setting = NULL;
	enum err_code rc;

	if ((rc = rule_compile_condition(a, r, &condition, e)) ||
	    (rc = rule_compile_setting(a, r, &setting, e)))
		goto done;
	strbuf_puts(out, rule_kind_name(r->kind));
	if (r->machine) {
		strbuf_puts(out, " on ");
		strbuf_put_sql(out, r->machine);
	}
	strbuf_puts(out, ": if ");
	put_condition(condition, literals, "always", out);
	if (r->kind == RULE_SETTING || r->kind == RULE_INVARIANT) {
		strbuf_puts(out, " then ");
		put_condition(setting, literals, "", out);
	} else if (r->kind == RULE_TIME) {
		strbuf_puts(out, " then ");
		put_formula(r, out);
	}
done:
	expr_free(condition);
	expr_free(setting);
	return rc;
}

void rule_put_shape(const struct application *a, const struct rule *r, struct strbuf *out)
{
	/* A rule of an older definition may name columns that are gone: its text is its shape. */
	switch (put_content(a, r, false, out, NULL)) {
	case ERR_OK:
		break;
	case ERR_PARSE:
		rule_put_text(r, out);
		break;
	default:
		strbuf_fail(out);
		break;
	}
}

/* ---- the canonical form ---- */

/* Replace *text by the canonical text of x, "" where there is none. */
static enum err_code canonise(const struct expr *x, char **text, struct err *e)
{
	struct strbuf canonical = STRBUF_INIT;

	strbuf_puts(&canonical, "");
	if (x)
		expr_put_text(x, &canonical);
	if (canonical.failed) {
		strbuf_release(&canonical);
		return err_set(e, ERR_NOMEM, "out of memory for a rule");
	}
	free(*text);
	*text = canonical.buf;
	return ERR_OK;
}

/* Columns by the application's spelling, numbers as they are printed. */
static enum err_code canonise_formula(const struct application *a, struct rule *r, struct err *e)
{
	size_t *column = calloc(r->n_term + 1, sizeof *column);
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "out of memory for a rule");
	rc = rule_find_terms(a, r, column, e);
	r->coefficient = rule_round_coefficient(r->coefficient);
	for (size_t i = 0; !rc && i < r->n_term; i++) {
		char *name = strdup(a->column[column[i]].name);

		if (!name) {
			rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
			break;
		}
		free(r->term[i].column);
		r->term[i].column = name;
		r->term[i].exponent = rule_round_exponent(r->term[i].exponent);
	}
	free(column);
	return rc;
}

static enum err_code canonise_rule(const struct application *a, struct rule *r, struct err *e)
{
	struct expr *condition = NULL;
	struct expr *setting = NULL;
	enum err_code rc;

	if ((rc = rule_compile_condition(a, r, &condition, e)) ||
	    (rc = rule_compile_setting(a, r, &setting, e)) ||
	    (rc = canonise(condition, &r->condition, e)))
		goto done;
	if (setting)
		rc = canonise(setting, &r->setting, e);
	if (!rc)
		rc = canonise_formula(a, r, e);
done:
	expr_free(condition);
	expr_free(setting);
	return rc;
}

enum err_code rule_identify(const struct application *a, struct rule *r, struct err *e)
{
	struct strbuf content = STRBUF_INIT;
	char hex[DIGEST_HEX_SIZE];
	enum err_code rc;

	strbuf_printf(&content, "%s: ", a->name);
	if ((rc = canonise_rule(a, r, e)) || (rc = put_content(a, r, true, &content, e)))
		goto done;
	if (content.failed) {
		rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
		goto done;
	}
	digest_text(strbuf_text(&content), content.len, hex);
	memcpy(r->id, hex, RULE_ID_SIZE - 1);
	r->id[RULE_ID_SIZE - 1] = '\0';
done:
	strbuf_release(&content);
	return rc;
}
