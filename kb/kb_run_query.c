#include "kb/kb_run_query.h"

#include <stdlib.h>

#include "kb/kb_run_views.h"

/* What a condition may name besides the columns of the class. */
static const struct {
	const char *name;
	bool text;
} common[] = {
	{"run_id", false},   {"import_id", false}, {"machine", true},	 {"source", true},
	{"status", true},    {"wall_s", false},	   {"n_repeats", false}, {"repeat", false},
	{"excluded", false}, {"flag", true},
};

enum { N_COMMON = sizeof common / sizeof common[0] };

/* In SQL a text is compared with a text: which levels there are does not matter. */
static const struct levels any_level;

static enum err_code put_where(const struct application *a, const char *where, struct strbuf *sql,
			       struct err *e)
{
	size_t n = a->n_columns + N_COMMON;
	const char **name = calloc(n, sizeof *name);
	const struct levels **levels = calloc(n, sizeof *levels);
	enum err_code rc;

	if (!name || !levels) {
		rc = err_set(e, ERR_NOMEM, "condition over %zu columns", n);
		goto done;
	}
	for (size_t i = 0; i < a->n_columns; i++) {
		name[i] = a->column[i].name;
		levels[i] = a->column[i].type == COL_TEXT ? &any_level : NULL;
	}
	for (size_t i = 0; i < N_COMMON; i++) {
		name[a->n_columns + i] = common[i].name;
		levels[a->n_columns + i] = common[i].text ? &any_level : NULL;
	}
	strbuf_puts(sql, " AND (");
	rc = expr_text_to_sql(where, &(struct expr_scope){.name = name, .levels = levels, .n = n},
			      sql, e);
	strbuf_putc(sql, ')');
done:
	free(name);
	free(levels);
	return rc;
}

enum err_code run_query_put_from(const struct application *a, const struct kb_filter *f,
				 struct strbuf *sql, struct err *e)
{
	static const struct kb_filter usable = {0};

	if (!f)
		f = &usable;
	/* A subquery, so that no name in the condition can mean a column of another table. */
	strbuf_puts(sql, " FROM (SELECT r.*, (SELECT m.name FROM machine AS m WHERE m.machine_id = "
			 "r.machine_id) AS machine, r.run_id IN (SELECT run_id FROM exclusion) AS "
			 "excluded FROM ");
	run_views_put_name(a, sql);
	strbuf_puts(sql, " AS r) WHERE 1");
	if (f->machine_id)
		strbuf_printf(sql, " AND machine_id = %lld", (long long)f->machine_id);
	if (!f->excluded_too)
		strbuf_puts(sql, " AND NOT excluded");
	if (!f->all_status)
		strbuf_puts(sql, " AND status IN ('ok', 'timeout')");
	return f->where ? put_where(a, f->where, sql, e) : ERR_OK;
}

static int only_reads(void *arg, int action, const char *a, const char *b, const char *base,
		      const char *by)
{
	(void)arg;
	(void)a;
	(void)b;
	(void)base;
	(void)by;
	return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION
		       ? SQLITE_OK
		       : SQLITE_DENY;
}

enum err_code run_query_prepare(struct kb *kb, const char *sql, sqlite3_stmt **out, struct err *e)
{
	enum err_code rc;

	sqlite3_set_authorizer(kb->db, only_reads, NULL);
	rc = kb_sql_prepare(kb, out, e, sql, "");
	sqlite3_set_authorizer(kb->db, NULL, NULL);
	return rc;
}
