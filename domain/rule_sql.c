#include "domain/rule.h"

#include <stdlib.h>
#include <string.h>

#include "domain/rule_private.h"
#include "domain/sql_keyword.h"

static bool in_formula(const struct rule *r, const size_t *term_column, size_t i_column)
{
	for (size_t k = 0; k < r->n_term; k++) {
		if (term_column[k] == i_column)
			return true;
	}
	return false;
}

static void put_name(const char *name, struct strbuf *out)
{
	if (sql_name_needs_quotes(name))
		strbuf_put_sql_name(out, name);
	else
		strbuf_puts(out, name);
}

static void put_from(const struct application *a, struct strbuf *out)
{
	size_t size = strlen(a->name) + sizeof "run_";
	char *table = malloc(size);

	if (!table) {
		out->failed = true;
		return;
	}
	application_table(a, table, size);
	strbuf_printf(out, " FROM %s", table); /* letters, digits and _ */
	free(table);
}

static void put_where(const struct rule *r, struct strbuf *out)
{
	strbuf_puts(out, " WHERE ");
	if (r->machine) {
		strbuf_puts(out, "machine_id = (SELECT machine_id FROM machine WHERE name = ");
		strbuf_put_sql(out, r->machine);
		strbuf_puts(out, " COLLATE NOCASE) AND ");
	}
	strbuf_puts(out, "source IN (");
	for (int s = 0; s < SOURCE_COUNT; s++) {
		strbuf_puts(out, s ? ", " : "");
		strbuf_put_sql(out, run_source_name((enum run_source)s));
	}
	strbuf_puts(out, ") AND status = ");
	strbuf_put_sql(out, run_status_name(RUN_OK));
	strbuf_puts(out, " AND flag IS NULL AND run_id NOT IN (SELECT run_id FROM exclusion)");
}

/* Besides the run's id: what the rule speaks about, and the time. */
static void put_select(const struct application *a, const struct rule *r,
		       const struct expr *condition, const struct expr *setting,
		       const size_t *term_column, struct strbuf *out)
{
	strbuf_puts(out, "SELECT run_id");
	for (size_t i = 0; i < a->n_columns; i++) {
		if ((condition && expr_uses(condition, i)) || (setting && expr_uses(setting, i)) ||
		    in_formula(r, term_column, i)) {
			strbuf_puts(out, ", ");
			put_name(a->column[i].name, out);
		}
	}
	strbuf_puts(out, ", wall_s");
}

enum err_code rule_put_sql(const struct application *a, const struct rule *r, struct strbuf *out,
			   struct err *e)
{
	struct expr *condition = NULL;
	struct expr *setting = NULL;
	size_t *term_column = calloc(r->n_term + 1, sizeof *term_column);
	enum err_code rc;

	if (!term_column)
		return err_set(e, ERR_NOMEM, "out of memory for the SQL of a rule");
	if ((rc = rule_compile_condition(a, r, &condition, e)) ||
	    (rc = rule_compile_setting(a, r, &setting, e)) ||
	    (rc = rule_find_terms(a, r, term_column, e)))
		goto done;
	put_select(a, r, condition, setting, term_column, out);
	put_from(a, out);
	put_where(r, out);
	if (condition) {
		strbuf_puts(out, " AND (");
		expr_put_sql(condition, out);
		strbuf_putc(out, ')');
	}
	if (out->failed)
		rc = err_set(e, ERR_NOMEM, "out of memory for the SQL of a rule");
done:
	expr_free(condition);
	expr_free(setting);
	free(term_column);
	return rc;
}
