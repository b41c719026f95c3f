#include "kb/kb.h"

#include <math.h>
#include <stdlib.h>

#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* Outcomes are looked up, not stored: what is derived cannot be lost when an import is undone, nor
 * point to runs that are gone.
 *
 * "After" is a matter of ids where they are known, because dates have whole seconds and a script
 * asks and loads within one. Dates count besides: a merge gives old runs new ids. And a file undone
 * and read again in another way has new ids, too, but its runs are as old as they were. */

/* ?1 first_run_id (0: not known), ?2 machine, ?3 given_at; columns from ?4 on. */
enum { FIRST_COLUMN_PARAMETER = 4 };

static const char after_sql[] =
	" AS r JOIN import AS i USING (import_id) JOIN machine AS m USING (machine_id) "
	"WHERE r.run_id >= ?1 AND r.machine_id = ?2 "
	"AND (i.imported_at > ?3 OR (i.imported_at = ?3 AND ?1 > 0)) "
	"AND NOT EXISTS (SELECT 1 FROM import AS o WHERE o.sha256 = i.sha256 "
	"AND o.import_id <> i.import_id AND o.imported_at <= ?3) "
	"AND (r.source = 'measured' OR (r.source = 'simulated' AND m.simulated)) "
	"AND r.status <> 'failed' AND r.run_id NOT IN (SELECT run_id FROM exclusion)";

static bool is_asked_for(const struct application *a, size_t i, const double *row)
{
	return a->column[i].role != COL_DERIVED && !isnan(row[i]);
}

static void put_query(const struct application *a, const double *row, struct strbuf *sql)
{
	int parameter = FIRST_COLUMN_PARAMETER;

	strbuf_puts(sql, "SELECT r.run_id, r.import_id, r.wall_s, r.status = 'timeout' FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, after_sql);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!is_asked_for(a, i, row))
			continue;
		strbuf_puts(sql, " AND r.");
		strbuf_put_sql_name(sql, a->column[i].name);
		strbuf_printf(sql, " = ?%d", parameter++);
	}
	strbuf_puts(sql, " ORDER BY r.run_id");
}

static enum err_code bind_row(struct kb *kb, sqlite3_stmt *s, const struct application *a,
			      const double *row, struct err *e)
{
	int parameter = FIRST_COLUMN_PARAMETER;
	int rc = SQLITE_OK;

	for (size_t i = 0; i < a->n_columns && rc == SQLITE_OK; i++) {
		const struct column *c = &a->column[i];

		if (!is_asked_for(a, i, row))
			continue;
		rc = c->type == COL_TEXT
			     ? sqlite3_bind_text(s, parameter, c->levels.name[(size_t)row[i]], -1,
						 SQLITE_STATIC)
			     : sqlite3_bind_double(s, parameter, row[i]);
		parameter++;
	}
	return rc == SQLITE_OK ? ERR_OK : kb_sql_fail(kb, "look for outcomes", e);
}

static enum err_code append(struct kb_outcomes *list, sqlite3_stmt *s, struct err *e)
{
	struct kb_outcome *grown = realloc(list->item, (list->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu outcomes", list->n + 1);
	list->item = grown;
	grown[list->n++] = (struct kb_outcome){
		.run_id = sqlite3_column_int64(s, 0),
		.import_id = sqlite3_column_int64(s, 1),
		.wall_s = kb_sql_real(s, 2),
		.timed_out = sqlite3_column_int(s, 3) != 0,
	};
	return ERR_OK;
}

enum err_code kb_find_outcomes(struct kb *kb, const struct application *a, int64_t machine_id,
			       const double *row, const struct kb_advice *advice,
			       struct kb_outcomes *out, struct err *e)
{
	struct kb_outcomes list = {0};
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool more = true;
	enum err_code rc;

	put_query(a, row, &sql);
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "search for outcomes");
	else if (!(rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "iit", advice->first_run_id,
				       machine_id, advice->given_at)))
		rc = bind_row(kb, s, a, row, e);
	while (!rc && !(rc = kb_sql_step(kb, s, &more, e)) && more)
		rc = append(&list, s, e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	if (rc)
		kb_outcomes_release(&list);
	else
		*out = list;
	return rc;
}

void kb_outcomes_release(struct kb_outcomes *o)
{
	free(o->item);
	*o = (struct kb_outcomes){0};
}
