#include "kb/kb.h"

#include <stdlib.h>

#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* Dates have whole seconds; within one, the ids of runs tell what came after. */
static const char came_head[] =
	"SELECT i.import_id, i.file_name, i.imported_at, sum(im.n_runs), i.application IS NULL "
	"FROM import AS i JOIN import_machine AS im USING (import_id) "
	"WHERE i.undone_at IS NULL AND im.machine_id IN (?2, ?3) "
	"AND (i.application IS NULL OR i.application = ?1 COLLATE NOCASE) "
	"AND (i.imported_at > ?4 OR (i.imported_at = ?4 AND ?5 > 0 AND EXISTS "
	"(SELECT 1 FROM ";
static const char came_tail[] =
	" AS r WHERE r.run_id >= ?5 AND r.import_id = i.import_id))) GROUP BY i.import_id";

/* The record of an import that was undone has lost which machines it had to do with, but for the
 * one given by flag. */
static const char gone_sql[] =
	"SELECT i.import_id, i.file_name, i.undone_at, i.n_taken, i.application IS NULL "
	"FROM import AS i WHERE i.undone_at >= ?4 AND i.imported_at <= ?4 "
	"AND (i.application IS NULL OR i.application = ?1 COLLATE NOCASE) "
	"AND (i.machine IS NULL OR EXISTS (SELECT 1 FROM machine AS m "
	"WHERE m.machine_id IN (?2, ?3) AND m.name = i.machine COLLATE NOCASE)) "
	"ORDER BY i.import_id";

static const char excluded_head[] = "SELECT count(*) FROM exclusion AS x CROSS JOIN ";
static const char excluded_tail[] =
	" AS r USING (run_id) WHERE r.machine_id IN (?1, ?2) AND x.excluded_at >= ?3";

struct since {
	struct kb *kb;
	const struct application *app;
	int64_t machine_id, other_id;
	const struct kb_advice *advice;
};

/* head, the run table, tail. */
static enum err_code put_over_runs(const struct since *q, const char *head, const char *tail,
				   struct strbuf *sql, struct err *e)
{
	strbuf_puts(sql, head);
	run_table_put_name(q->app, sql);
	strbuf_puts(sql, tail);
	return sql->failed ? err_set(e, ERR_NOMEM, "what changed since a recommendation") : ERR_OK;
}

static enum err_code append(struct kb_changed_import **list, size_t *n, sqlite3_stmt *s,
			    struct err *e)
{
	struct kb_changed_import *grown = realloc(*list, (*n + 1) * sizeof *grown);
	enum err_code rc;

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu imports", *n + 1);
	*list = grown;
	grown += (*n)++;
	*grown = (struct kb_changed_import){
		.id = sqlite3_column_int64(s, 0),
		.n_runs = sqlite3_column_int64(s, 3),
		.pingpong = sqlite3_column_int(s, 4) != 0,
	};
	if ((rc = kb_sql_dup(s, 1, &grown->file_name, e)))
		return rc;
	return kb_sql_dup(s, 2, &grown->at, e);
}

/* All rows of s, which this finalizes. */
static enum err_code list_imports(struct kb *kb, sqlite3_stmt *s, struct kb_changed_import **list,
				  size_t *n, struct err *e)
{
	bool row = true;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append(list, n, s, e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code list_came(const struct since *q, struct kb_changes *c, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	enum err_code rc = put_over_runs(q, came_head, came_tail, &sql, e);

	if (!rc && !(rc = kb_sql_prepare(q->kb, &s, e, strbuf_text(&sql), "tiiti", q->app->name,
					 q->machine_id, q->other_id, q->advice->given_at,
					 q->advice->first_run_id)))
		rc = list_imports(q->kb, s, &c->came, &c->n_came, e);
	strbuf_release(&sql);
	return rc;
}

static enum err_code list_gone(const struct since *q, struct kb_changes *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc = kb_sql_prepare(q->kb, &s, e, gone_sql, "tiit", q->app->name,
					  q->machine_id, q->other_id, q->advice->given_at);

	return rc ? rc : list_imports(q->kb, s, &c->gone, &c->n_gone, e);
}

static enum err_code count_excluded(const struct since *q, struct kb_changes *c, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc = put_over_runs(q, excluded_head, excluded_tail, &sql, e);

	if (!rc)
		rc = kb_sql_get_int64(q->kb, &c->n_excluded, e, strbuf_text(&sql), "iit",
				      q->machine_id, q->other_id, q->advice->given_at);
	strbuf_release(&sql);
	return rc;
}

enum err_code kb_changes_since(struct kb *kb, const struct application *a, int64_t machine_id,
			       int64_t other_id, const struct kb_advice *advice,
			       struct kb_changes *out, struct err *e)
{
	const struct since q = {kb, a, machine_id, other_id, advice};
	struct kb_changes c = {0};
	enum err_code rc;

	if ((rc = list_came(&q, &c, e)) || (rc = list_gone(&q, &c, e)) ||
	    (rc = count_excluded(&q, &c, e)))
		kb_changes_release(&c);
	else
		*out = c;
	return rc;
}

static void release_imports(struct kb_changed_import *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].file_name);
		free(list[i].at);
	}
	free(list);
}

void kb_changes_release(struct kb_changes *c)
{
	release_imports(c->came, c->n_came);
	release_imports(c->gone, c->n_gone);
	*c = (struct kb_changes){0};
}
