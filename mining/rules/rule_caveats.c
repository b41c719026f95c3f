#include "mining/rules/rule_caveats.h"

#include <stdlib.h>

#include "mining/cases/collinear_columns.h"

/* uses[column] of the expression; "" uses none. */
static enum err_code add_uses(const struct application *a, const char *text, bool *uses,
			      struct err *e)
{
	struct expr *x = NULL;
	enum err_code rc;

	if (!text || !*text)
		return ERR_OK;
	if ((rc = expr_parse(text, &a->scope, &x, e)))
		return rc;
	for (size_t c = 0; c < a->n_columns; c++)
		uses[c] |= expr_uses(x, c);
	expr_free(x);
	return ERR_OK;
}

/* The first column of the rule that has a twin; SIZE_MAX: none. */
static enum err_code find_twin(const struct application *a, const struct rule *r,
			       const struct collinear_column *twin, size_t *column, struct err *e)
{
	bool *uses = calloc(a->n_columns, sizeof *uses);
	enum err_code rc;

	*column = SIZE_MAX;
	if (!uses)
		return err_set(e, ERR_NOMEM, "columns of a rule");
	if (!(rc = add_uses(a, r->condition, uses, e)) &&
	    !(rc = add_uses(a, r->setting, uses, e))) {
		for (size_t k = 0; k < r->n_term; k++)
			uses[application_column(a, r->term[k].column)] = true;
		for (size_t c = a->n_columns; c-- > 0;) {
			if (uses[c] && twin[c].column != SIZE_MAX)
				*column = c;
		}
	}
	free(uses);
	return rc;
}

enum err_code rule_caveats_add(const struct slowdown_table *t, struct rule_list *rules,
			       struct err *e)
{
	struct collinear_column *twin = calloc(t->n_columns, sizeof *twin);
	enum err_code rc;

	if (!twin)
		return err_set(e, ERR_NOMEM, "columns that move together");
	rc = collinear_columns(t, twin, e);
	for (size_t r = 0; r < rules->n && !rc; r++) {
		struct strbuf text = STRBUF_INIT;
		size_t column;

		if ((rc = find_twin(t->app, &rules->item[r], twin, &column, e)) ||
		    column == SIZE_MAX)
			continue;
		collinear_column_put_text(t->app, column, &twin[column], &text);
		if (text.failed) {
			strbuf_release(&text);
			rc = err_set(e, ERR_NOMEM, "caveat of a rule");
		}
		rules->item[r].caveat = text.buf;
	}
	free(twin);
	return rc;
}
