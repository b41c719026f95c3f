#include "kb/kb.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_names.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* The names of an application must not mean another one already, nor its table be another's. */
static enum err_code check_name(struct kb *kb, const char *name, int64_t own_id, struct err *e)
{
	int64_t other = 0;
	enum err_code rc = kb_sql_get_int64(
		kb, &other, e,
		"SELECT application_id FROM application "
		"WHERE name = ?1 COLLATE NOCASE AND application_id <> ?2 UNION ALL "
		"SELECT application_id FROM application_alias "
		"WHERE alias = ?1 COLLATE NOCASE AND application_id <> ?2",
		"ti", name, own_id);

	if (!rc && other)
		rc = err_set(e, ERR_ARG,
			     "the name '%s' belongs to another application already: an "
			     "application's name and aliases must be its own",
			     name);
	return rc;
}

static enum err_code check_table(struct kb *kb, const struct application *a, int64_t own_id,
				 struct err *e)
{
	char table[RUN_TABLE_NAME_SIZE];
	int64_t other = 0;
	enum err_code rc;

	run_table_name(a, table);
	rc = kb_sql_get_int64(kb, &other, e,
			      "SELECT application_id FROM application "
			      "WHERE run_table = ?1 COLLATE NOCASE AND application_id <> ?2",
			      "ti", table, own_id);
	if (!rc && other)
		rc = err_set(
			e, ERR_ARG,
			"the runs of '%s' would go to table %s, which is another application's: "
			"choose a name that differs in letters and digits",
			a->name, table);
	return rc;
}

static enum err_code put_row(struct kb *kb, const struct application *a, int64_t *id, struct err *e)
{
	char table[RUN_TABLE_NAME_SIZE];
	enum err_code rc;

	run_table_name(a, table);
	if (*id)
		return kb_sql_run(
			kb, e,
			"UPDATE application SET name = ?2, title = ?3, run_table = ?4, "
			"definition = ?5, sha256 = ?6, ad_hoc = ?7 WHERE application_id = ?1",
			"itttttb", *id, a->name, a->title ? a->title : "", table, a->definition,
			a->sha256, a->ad_hoc);
	rc = kb_sql_run(
		kb, e,
		"INSERT INTO application (name, title, run_table, definition, sha256, ad_hoc) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		"tttttb", a->name, a->title ? a->title : "", table, a->definition, a->sha256,
		a->ad_hoc);
	if (!rc)
		*id = sqlite3_last_insert_rowid(kb->db);
	return rc;
}

static enum err_code put_aliases(struct kb *kb, const struct application *a, int64_t id,
				 struct err *e)
{
	enum err_code rc = kb_sql_run(
		kb, e, "DELETE FROM application_alias WHERE application_id = ?1", "i", id);

	for (size_t i = 0; !rc && i < a->n_alias; i++) {
		rc = check_name(kb, a->alias[i], id, e);
		if (!rc)
			rc = kb_sql_run(kb, e,
					"INSERT OR IGNORE INTO application_alias VALUES (?1, ?2)",
					"ti", a->alias[i], id);
	}
	return rc;
}

/* Stored columns that are no longer in the definition stay on record without a position. */
static enum err_code put_columns(struct kb *kb, const struct application *a, int64_t id,
				 bool has_runs, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_sql_run(kb, e,
			     "DELETE FROM application_column "
			     "WHERE application_id = ?1 AND (role = 'derived' OR NOT ?2)",
			     "ib", id, has_runs)) ||
	    (rc = kb_sql_run(
		     kb, e,
		     "UPDATE application_column SET position = NULL WHERE application_id = ?1", "i",
		     id)))
		return rc;
	for (size_t i = 0; !rc && i < a->n_columns; i++) {
		const struct column *c = &a->column[i];

		rc = kb_sql_run(
			kb, e,
			"INSERT INTO application_column VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
			"ON CONFLICT (application_id, name COLLATE NOCASE) DO UPDATE SET "
			"position = ?3, unit = ?6, doc = ?7",
			"ititttt", id, c->name, (int64_t)i, column_role_name(c->role),
			run_table_type(c), c->unit ? c->unit : "", c->doc ? c->doc : "");
	}
	return rc;
}

static enum err_code put_table(struct kb *kb, const struct application *a, int64_t id, bool is_new,
			       bool has_runs, struct err *e)
{
	enum err_code rc = ERR_OK;

	/* A table without runs binds nobody: a definition that was wrong is simply replaced. */
	if (!is_new && !has_runs)
		rc = run_table_drop(kb, a, e);
	if (!rc)
		rc = has_runs ? run_table_extend(kb, a, id, e) : run_table_create(kb, a, e);
	return rc;
}

static enum err_code refuse_range(const struct application *a, const struct column *c,
				  int64_t run_id, struct err *e)
{
	struct strbuf range = STRBUF_INIT;
	enum err_code rc;

	if (isfinite(c->min))
		strbuf_printf(&range, ", min %.15g", c->min);
	if (isfinite(c->max))
		strbuf_printf(&range, ", max %.15g", c->max);
	rc = err_set(e, ERR_ARG,
		     "application %s: run %lld is outside of the range of %s (%s): leave it wide "
		     "enough for the runs that are there, or undo their imports (`lemnos imports`)",
		     a->name, (long long)run_id, c->name, range.len ? strbuf_text(&range) + 2 : "");
	strbuf_release(&range);
	return rc;
}

/* A definition under which runs that are there would not have been taken. */
static enum err_code check_ranges(struct kb *kb, const struct application *a, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		struct strbuf sql = STRBUF_INIT;
		int64_t run_id = 0;

		if (!run_table_has_range(a, i))
			continue;
		strbuf_puts(&sql, "SELECT ifnull(min(run_id), 0) FROM ");
		run_table_put_name(a, &sql);
		strbuf_puts(&sql, " WHERE ");
		run_table_put_outside(&a->column[i], &sql);
		rc = sql.failed ? err_set(e, ERR_NOMEM, "the range of %s", a->column[i].name)
				: kb_sql_get_int64(kb, &run_id, e, strbuf_text(&sql), "");
		strbuf_release(&sql);
		if (!rc && run_id)
			rc = refuse_range(a, &a->column[i], run_id, e);
	}
	return rc;
}

static enum err_code put_application(struct kb *kb, const struct application *a, int64_t *id,
				     struct err *e)
{
	int64_t n_runs = 0;
	bool is_new;
	enum err_code rc;

	if ((rc = kb_sql_get_int64(kb, id, e,
				   "SELECT application_id FROM application "
				   "WHERE name = ?1 COLLATE NOCASE",
				   "t", a->name)))
		return rc;
	is_new = *id == 0;
	if (!is_new && (rc = kb_count_all_runs(kb, a->name, NULL, &n_runs, e)))
		return rc;
	if ((rc = check_name(kb, a->name, *id, e)) || (rc = check_table(kb, a, *id, e)) ||
	    (rc = put_row(kb, a, id, e)) || (rc = put_aliases(kb, a, *id, e)) ||
	    (rc = put_table(kb, a, *id, is_new, n_runs > 0, e)) ||
	    (rc = put_columns(kb, a, *id, n_runs > 0, e)) ||
	    (n_runs > 0 && (rc = check_ranges(kb, a, e))))
		return rc;
	return run_views_make_common(kb, e);
}

enum err_code kb_put_application(struct kb *kb, const struct application *a, int64_t *id,
				 struct err *e)
{
	int64_t found = 0;
	bool own;
	enum err_code rc;

	if ((rc = run_table_check(a, e)) ||
	    (rc = kb_sql_get_int64(kb, &found, e,
				   "SELECT application_id FROM application "
				   "WHERE name = ?1 COLLATE NOCASE AND sha256 = ?2",
				   "tt", a->name, a->sha256)))
		return rc;
	if (!found) {
		if ((rc = kb_own_begin(kb, &own, e)))
			return rc;
		rc = kb_own_end(kb, own, put_application(kb, a, &found, e), e);
	}
	if (!rc && id)
		*id = found;
	return rc;
}

/* The text columns of a get the values seen in the runs, in alphabetical order. */
static enum err_code load_levels(struct kb *kb, int64_t id, struct application *a, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e,
					  "SELECT column_name, level FROM application_level "
					  "WHERE application_id = ?1 ORDER BY column_name, level",
					  "i", id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		size_t i = application_column(a, kb_sql_text(s, 0));

		if (i != SIZE_MAX &&
		    levels_add(&a->column[i].levels, kb_sql_text(s, 1)) == SIZE_MAX)
			rc = err_set(e, ERR_NOMEM, "levels of column %s", a->column[i].name);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code no_such_application(struct kb *kb, const char *name, struct err *e)
{
	return kb_names_not_found(kb, "application", name,
				  "SELECT name FROM application ORDER BY name COLLATE NOCASE",
				  "`lemnos apps add FILE` adds one", e);
}

static enum err_code get_application(struct kb *kb, const char *name, struct application **out,
				     int64_t *id, struct err *e)
{
	struct application *a = NULL;
	sqlite3_stmt *s = NULL;
	const char *text = NULL;
	bool row = false;
	int64_t found = 0;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT application_id, definition, sha256 FROM application WHERE application_id "
		"IN "
		"("
		"SELECT application_id FROM application WHERE name = ?1 COLLATE NOCASE UNION ALL "
		"SELECT application_id FROM application_alias WHERE alias = ?1 COLLATE NOCASE)",
		"t", name);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e))) {
		found = row ? sqlite3_column_int64(s, 0) : 0;
		rc = row ? kb_names_definition(kb, s, 1, name, &text, e)
			 : no_such_application(kb, name, e);
		if (!rc)
			rc = application_parse(text, name, &a, e);
	}
	sqlite3_finalize(s);
	assert(rc || a);
	if (!rc && (rc = load_levels(kb, found, a, e)))
		application_free(a);
	if (rc)
		return rc;
	*out = a;
	if (id)
		*id = found;
	return ERR_OK;
}

enum err_code kb_get_application(struct kb *kb, const char *name, struct application **out,
				 int64_t *id, struct err *e)
{
	bool own;
	enum err_code rc;

	if ((rc = kb_own_begin_read(kb, &own, e)))
		return rc;
	rc = get_application(kb, name, out, id, e);
	kb_own_end_read(kb, own);
	return rc;
}

static enum err_code remove_application(struct kb *kb, const char *name, struct err *e)
{
	static const char *const forget[] = {
		"DELETE FROM application_alias WHERE application_id = ?1",
		"DELETE FROM application_column WHERE application_id = ?1",
		"DELETE FROM application_level WHERE application_id = ?1",
		"DELETE FROM fit WHERE application_id = ?1",
		"DELETE FROM rule_set WHERE application_id = ?1",
		"DELETE FROM index_of_runs WHERE application_id = ?1",
		"DELETE FROM import_machine WHERE import_id IN (SELECT import_id FROM import WHERE "
		"application = (SELECT name FROM application WHERE application_id = ?1) COLLATE "
		"NOCASE)",
		"UPDATE import SET undone_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
		"WHERE undone_at IS NULL AND application = "
		"(SELECT name FROM application WHERE application_id = ?1) COLLATE NOCASE",
		"DELETE FROM application WHERE application_id = ?1",
	};
	struct application *a = NULL;
	int64_t id = 0;
	int64_t n_runs = 0;
	enum err_code rc;

	if ((rc = kb_get_application(kb, name, &a, &id, e)) ||
	    (rc = kb_count_all_runs(kb, a->name, NULL, &n_runs, e)))
		goto done;
	if (n_runs > 0) {
		rc = err_set(
			e, ERR_ARG,
			"application %s has %lld runs: undo their imports first (`lemnos imports`)",
			a->name, (long long)n_runs);
		goto done;
	}
	rc = run_table_drop(kb, a, e);
	for (size_t i = 0; !rc && i < sizeof forget / sizeof forget[0]; i++)
		rc = kb_sql_run(kb, e, forget[i], "i", id);
	if (!rc)
		rc = kb_names_forget_default(kb, "application", a->name, e);
	if (!rc)
		rc = run_views_make_common(kb, e);
done:
	application_free(a);
	return rc;
}

enum err_code kb_remove_application(struct kb *kb, const char *name, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, remove_application(kb, name, e), e);
}
