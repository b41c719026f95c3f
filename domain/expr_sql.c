#include "domain/expr.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
#include "domain/expr_tree.h"

/* The keywords of SQLite (sqlite.org/lang_keywords.html), with true, false and rowid, which mean
 * something unless quoted. SQLite takes many of them unquoted in some places; quoting them always
 * is safe. */
static const char keywords[] =
	"abort action add after all alter always analyze and as asc attach autoincrement before "
	"begin between by cascade case cast check collate column commit conflict constraint create "
	"cross current current_date current_time current_timestamp database default deferrable "
	"deferred delete desc detach distinct do drop each else end escape except exclude "
	"exclusive exists explain fail false filter first following for foreign from full "
	"generated glob group groups having if ignore immediate in index indexed initially inner "
	"insert instead intersect into is isnull join key last left like limit match materialized "
	"natural no not nothing notnull null nulls of offset on or order others outer over "
	"partition plan pragma preceding primary query raise range recursive references regexp "
	"reindex release rename replace restrict returning right rollback row rowid rows savepoint "
	"select set table temp temporary then ties to transaction trigger true unbounded union "
	"unique update using vacuum values view virtual when where window with within without";

bool sql_name_needs_quotes(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				     "0123456789";

	if (!*name || !strchr(letters, *name) || name[strspn(name, others)])
		return true;
	return text_has_word(keywords, name);
}

/* SQL that gives, in any SQLite, the very value that expr_eval() gives. Where the two differ by
 * nature:
 * - SQLite computes in 64-bit integers when both operands are integers, we in doubles, so + - * /
 *   always get a real operand ("1.0 * npe_i * npe_j", "kt - 1.0").
 * - ceildiv and floordiv do not exist there: they become SQLite's integer division, which cuts
 *   towards zero, with a correction.
 * - SQLite up to 3.42 may read a decimal number one unit in the last place off: such literals
 *   become quotients of integers. */

static void put(const struct node *n, struct strbuf *out);

/* ---- literals ---- */

/* Does SQLite read this decimal text as exactly `value`? With at most 15 digits and a power of ten
 * that a double holds, its arithmetic rounds once (in double) or twice (in long double, as here);
 * only where twice is right is the text safe in all versions. */
static bool decimal_is_safe(const char *text, double value)
{
	long long digits = 0;
	int n_digits = 0;
	int exponent = 0;
	bool fraction = false;
	long double power = 1;

	for (text += *text == '-'; *text && *text != 'e'; text++) {
		if (*text == '.') {
			fraction = true;
			continue;
		}
		digits = 10 * digits + (*text - '0');
		n_digits += digits > 0;
		exponent -= fraction;
		if (n_digits > 15)
			return false;
	}
	if (*text == 'e')
		exponent += atoi(text + 1);
	if (abs(exponent) > 22)
		return false;
	for (int i = 0; i < abs(exponent); i++)
		power *= 10;
	return (double)(exponent < 0 ? (long double)digits / power : (long double)digits * power) ==
	       fabs(value);
}

/* value = m * 2^k with integers below 2^63 only, which every SQLite reads exactly. */
static void put_exact(double value, struct strbuf *out)
{
	int k;
	double m = ldexp(frexp(value, &k), 53);

	k -= 53;
	strbuf_printf(out, "(%.0f.0", m);
	while (k != 0) {
		int step = abs(k) < 62 ? abs(k) : 62;

		strbuf_printf(out, " %c %.0f.0", k < 0 ? '/' : '*', ldexp(1, step));
		k += k < 0 ? step : -step;
	}
	strbuf_putc(out, ')');
}

/* real: whole numbers get ".0" too. */
static void put_literal(double value, bool real, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_put_number(&text, value);
	out->failed |= text.failed;
	if (isnan(value))
		strbuf_puts(out, "NULL");
	else if (is_exact_integer(value))
		strbuf_printf(out, "%s%s", strbuf_text(&text), real ? ".0" : "");
	else if (decimal_is_safe(strbuf_text(&text), value))
		strbuf_puts(out, strbuf_text(&text));
	else
		put_exact(value, out);
	strbuf_release(&text);
}

/* ---- arithmetic ---- */

/* An operand of + - * /: whole literals as reals. */
static void put_real(const struct node *n, enum expr_level level, struct strbuf *out)
{
	if (n->op == EXPR_NUMBER)
		put_literal(n->number, true, out);
	else
		node_put_at(n, level, put, out);
}

static void put_arithmetic(const struct node *n, struct strbuf *out)
{
	enum expr_level level = expr_op_info[n->op].level;
	const struct node *a = n->arg[0];
	const struct node *b = n->arg[1];

	if (a->op == EXPR_NUMBER || b->op == EXPR_NUMBER || a->sql_type == SQL_REAL ||
	    b->sql_type == SQL_REAL) {
		put_real(a, level, out);
	} else {
		strbuf_puts(out, "1.0 * ");
		node_put_at(a, LEVEL_PRODUCT + 1, put, out);
	}
	strbuf_printf(out, " %s ", expr_op_info[n->op].word);
	put_real(b, level + 1, out);
}

static void put_integer(const struct node *n, enum expr_level level, struct strbuf *out)
{
	if (n->sql_type == SQL_INTEGER) {
		node_put_at(n, level, put, out);
		return;
	}
	strbuf_puts(out, "CAST(");
	put(n, out);
	strbuf_puts(out, " AS INTEGER)");
}

/* a / b is cut towards zero. Where the division leaves a rest, that was upwards if rest and divisor
 * have different signs and downwards if they have the same: rest * b tells. */
static void put_integer_division(const struct node *n, struct strbuf *out)
{
	bool up = n->op == EXPR_CEILDIV;
	bool real = n->sql_type == SQL_REAL; /* then the quotient may lie beyond 2^53 */

	strbuf_puts(out, real ? "(1.0 * (" : "(");
	put_integer(n->arg[0], LEVEL_PRODUCT, out);
	strbuf_puts(out, " / ");
	put_integer(n->arg[1], LEVEL_PRODUCT + 1, out);
	strbuf_puts(out, up ? " + (" : " - (");
	put_integer(n->arg[0], LEVEL_PRODUCT, out);
	strbuf_puts(out, " % ");
	put_integer(n->arg[1], LEVEL_PRODUCT + 1, out);
	strbuf_puts(out, " * ");
	put_integer(n->arg[1], LEVEL_PRODUCT + 1, out);
	strbuf_puts(out, up ? " > 0)" : " < 0)");
	strbuf_puts(out, real ? "))" : ")");
}

/* ---- the rest ---- */

static void put_column(const struct node *n, struct strbuf *out)
{
	if (sql_name_needs_quotes(n->text))
		strbuf_put_sql_name(out, n->text);
	else
		strbuf_puts(out, n->text);
}

static void put(const struct node *n, struct strbuf *out)
{
	switch (n->op) {
	case EXPR_NUMBER:
		put_literal(n->number, false, out);
		break;
	case EXPR_TEXT:
		strbuf_put_sql(out, n->text);
		break;
	case EXPR_COLUMN:
		put_column(n, out);
		break;
	case EXPR_NOT:
		strbuf_puts(out, "NOT ");
		node_put_at(n->arg[0], LEVEL_NOT, put, out);
		break;
	case EXPR_NEG:
		strbuf_puts(out, "-");
		node_put_at(n->arg[0], LEVEL_PRIMARY, put, out); /* "--" would start a comment */
		break;
	case EXPR_MIN:
	case EXPR_MAX:
	case EXPR_ABS:
	case EXPR_CEIL:
	case EXPR_FLOOR:
	case EXPR_SQRT:
	case EXPR_LOG2:
	case EXPR_POW:
		strbuf_puts(out, expr_op_info[n->op].word);
		node_put_list(n, 0, put, out);
		break;
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_DIV:
		put_arithmetic(n, out);
		break;
	case EXPR_CEILDIV:
	case EXPR_FLOORDIV:
		put_integer_division(n, out);
		break;
	case EXPR_IN:
	case EXPR_NOT_IN:
	case EXPR_TEXT_IN:
	case EXPR_TEXT_NOT_IN:
	case EXPR_BETWEEN:
	case EXPR_NOT_BETWEEN:
	case EXPR_IS_NULL:
	case EXPR_IS_NOT_NULL:
		node_put_postfix(n, true, put, out);
		break;
	default:
		node_put_binary(n, true, put, out);
		break;
	}
}

void expr_put_sql(const struct expr *x, struct strbuf *out)
{
	put(x->root, out);
}
