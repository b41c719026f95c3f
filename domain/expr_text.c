#include "domain/expr.h"

#include <math.h>

#include "domain/expr_tree.h"

/* The canonical text: as few parentheses as give the same tree back, and no reordering: sums of
 * doubles are not associative. */

static void put(const struct node *n, struct strbuf *out);

/* n, in parentheses if it binds looser than `level`. */
static void put_at(const struct node *n, enum expr_level level, struct strbuf *out)
{
	bool loose = expr_op_info[n->op].level < level;

	if (loose)
		strbuf_putc(out, '(');
	put(n, out);
	if (loose)
		strbuf_putc(out, ')');
}

static void put_list(const struct node *n, size_t first, struct strbuf *out)
{
	strbuf_putc(out, '(');
	for (size_t i = first; i < n->n_args; i++) {
		if (i > first)
			strbuf_puts(out, ", ");
		put(n->arg[i], out);
	}
	strbuf_putc(out, ')');
}

/* Comparisons do not chain, so both their operands are sums; else the left operand may be of the
 * operator's own level and the right one must bind tighter. */
static void put_binary(const struct node *n, struct strbuf *out)
{
	enum expr_level level = expr_op_info[n->op].level;

	put_at(n->arg[0], level == LEVEL_COMPARE ? LEVEL_SUM : level, out);
	strbuf_printf(out, " %s ", expr_op_info[n->op].word);
	put_at(n->arg[1], level + 1, out);
}

static void put_comparison(const struct node *n, struct strbuf *out)
{
	put_at(n->arg[0], LEVEL_SUM, out);
	strbuf_printf(out, " %s", expr_op_info[n->op].word);
	switch (n->op) {
	case EXPR_BETWEEN:
	case EXPR_NOT_BETWEEN:
		strbuf_putc(out, ' ');
		put_at(n->arg[1], LEVEL_SUM, out);
		strbuf_puts(out, " and ");
		put_at(n->arg[2], LEVEL_SUM, out);
		break;
	case EXPR_IS_NULL:
	case EXPR_IS_NOT_NULL:
		break;
	default: /* in */
		strbuf_putc(out, ' ');
		put_list(n, 1, out);
		break;
	}
}

static void put(const struct node *n, struct strbuf *out)
{
	switch (n->op) {
	case EXPR_NUMBER:
		if (isnan(n->number))
			strbuf_puts(out, "null");
		else
			strbuf_put_number(out, n->number);
		break;
	case EXPR_TEXT:
		strbuf_put_sql(out, n->text);
		break;
	case EXPR_COLUMN:
		if (expr_is_name(n->text))
			strbuf_puts(out, n->text);
		else
			strbuf_put_sql_name(out, n->text);
		break;
	case EXPR_NOT:
		strbuf_puts(out, "not ");
		put_at(n->arg[0], LEVEL_NOT, out);
		break;
	case EXPR_NEG:
		strbuf_putc(out, '-');
		put_at(n->arg[0], LEVEL_UNARY, out);
		break;
	case EXPR_MIN:
	case EXPR_MAX:
	case EXPR_ABS:
	case EXPR_CEILDIV:
	case EXPR_FLOORDIV:
		strbuf_puts(out, expr_op_info[n->op].word);
		put_list(n, 0, out);
		break;
	case EXPR_IN:
	case EXPR_NOT_IN:
	case EXPR_TEXT_IN:
	case EXPR_TEXT_NOT_IN:
	case EXPR_BETWEEN:
	case EXPR_NOT_BETWEEN:
	case EXPR_IS_NULL:
	case EXPR_IS_NOT_NULL:
		put_comparison(n, out);
		break;
	default:
		put_binary(n, out);
		break;
	}
}

void expr_put_text(const struct expr *x, struct strbuf *out)
{
	put(x->root, out);
}
