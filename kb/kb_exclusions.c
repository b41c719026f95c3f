#include "kb/kb.h"

#include <stdlib.h>

#include "kb/kb_sql.h"

/* The application and the content of a run. Errors: NOTFOUND. */
static enum err_code find_run(struct kb *kb, int64_t run_id, char **application, int64_t *hash,
			      struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = false;
	char *table = NULL;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT a.name, a.run_table FROM run AS r JOIN application AS a ON a.name = "
		"r.application WHERE r.run_id = ?1",
		"i", run_id);

	if (rc || (rc = kb_sql_step(kb, s, &row, e)))
		goto done;
	if (!row) {
		rc = err_set(e, ERR_NOTFOUND, "there is no run number %lld in %s",
			     (long long)run_id, kb_path(kb));
		goto done;
	}
	if ((rc = kb_sql_dup(s, 1, &table, e)))
		goto done;
	strbuf_puts(&sql, "SELECT content_hash FROM ");
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, " WHERE run_id = ?1");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "search for run %lld", (long long)run_id);
	else if (!(rc = kb_sql_get_int64(kb, hash, e, strbuf_text(&sql), "i", run_id)))
		rc = kb_sql_dup(s, 0, application, e);
done:
	sqlite3_finalize(s);
	strbuf_release(&sql);
	free(table);
	return rc;
}

enum err_code kb_exclude_run(struct kb *kb, int64_t run_id, const char *who, const char *why,
			     struct err *e)
{
	char *application = NULL;
	int64_t hash = 0;
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = find_run(kb, run_id, &application, &hash, e)))
		rc = kb_sql_run(kb, e,
				"INSERT OR REPLACE INTO exclusion VALUES (?1, ?2, ?3, ?4, "
				"strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?5)",
				"ititt", run_id, application, hash, who ? who : "", why ? why : "");
	free(application);
	return kb_own_end(kb, own, rc, e);
}

enum err_code kb_include_run(struct kb *kb, int64_t run_id, struct err *e)
{
	char *application = NULL;
	int64_t hash;
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = find_run(kb, run_id, &application, &hash, e)))
		rc = kb_sql_run(kb, e, "DELETE FROM exclusion WHERE run_id = ?1", "i", run_id);
	free(application);
	return kb_own_end(kb, own, rc, e);
}

enum err_code kb_get_exclusion(struct kb *kb, int64_t run_id, struct kb_exclusion *out,
			       struct err *e)
{
	struct kb_exclusion x = {0};
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "SELECT excluded_by, excluded_at, why FROM exclusion WHERE run_id = ?1",
		"i", run_id);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row &&
	    !(rc = kb_sql_dup(s, 0, &x.who, e)) && !(rc = kb_sql_dup(s, 1, &x.excluded_at, e)))
		rc = kb_sql_dup(s, 2, &x.why, e);
	sqlite3_finalize(s);
	if (rc)
		kb_exclusion_release(&x);
	else
		*out = x;
	return rc;
}

void kb_exclusion_release(struct kb_exclusion *x)
{
	free(x->who);
	free(x->excluded_at);
	free(x->why);
	*x = (struct kb_exclusion){0};
}
