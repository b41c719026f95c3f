#include "domain/expr.h"

#include "domain/expr_tree.h"

static size_t count(const struct node *n, const double *row, size_t *n_conditions,
		    struct strbuf *out)
{
	struct expr condition = {.root = (struct node *)n};
	size_t holding;

	if (n->op == EXPR_AND) {
		holding = count(n->arg[0], row, n_conditions, out);
		return holding + count(n->arg[1], row, n_conditions, out);
	}
	++*n_conditions;
	if (expr_holds(&condition, row))
		return 1;
	if (out->len == 0)
		expr_put_text(&condition, out);
	return 0;
}

size_t expr_holding(const struct expr *x, const double *row, size_t *n, struct strbuf *out)
{
	struct strbuf first = STRBUF_INIT;
	size_t holding;

	*n = 0;
	holding = count(x->root, row, n, &first);
	strbuf_puts(out, strbuf_text(&first));
	out->failed |= first.failed;
	strbuf_release(&first);
	return holding;
}
