#include "kb/kb_merge.h"

#include <stdlib.h>

#include "domain/configuration.h"
#include "kb/kb_imports.h"
#include "kb/kb_run_table.h"
#include "kb/kb_run_value.h"

enum { PROGRESS_ROWS = 16384 };

/* Our id of their machine. */
static enum err_code our_machine(struct merge *m, int64_t theirs, int64_t *ours, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e, "SELECT name FROM machine WHERE machine_id = ?1", "i", theirs);

	if (!rc && !(rc = kb_sql_step(m->from, s, &row, e)))
		rc = kb_sql_get_int64(
			m->into, ours, e,
			"SELECT machine_id FROM machine WHERE name = ?1 COLLATE NOCASE", "t",
			row ? kb_sql_text(s, 0) : "");
	sqlite3_finalize(s);
	return rc;
}

/* ---- runs ---- */

/* Which runs an import of theirs brought: its own, and those that were known already then. They
 * are sorted once, because run tables have no index by import. */
static enum err_code list_members(struct merge *m, const struct application *a, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql,
		    "DROP TABLE IF EXISTS temp.member;\n"
		    "CREATE TEMP TABLE member (import_id INTEGER, line INTEGER, run_id INTEGER, "
		    "PRIMARY KEY (import_id, line, run_id)) WITHOUT ROWID;\n"
		    "INSERT INTO member SELECT import_id, line, run_id FROM ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql,
		    ";\nINSERT INTO member SELECT k.import_id, k.line, k.run_id FROM known_run "
		    "AS k JOIN ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " USING (run_id);\n");
	rc = kb_sql_exec(m->from, &sql, e);
	strbuf_release(&sql);
	return rc;
}

static enum err_code select_members(struct merge *m, const struct application *a, int64_t import_id,
				    sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql,
		    "SELECT r.machine_id, r.source, r.status, r.wall_s, r.n_repeats, r.repeat, "
		    "t.line, r.computed, r.flag, r.extra, r.run_id");
	run_values_put_names(a, "r.", &sql);
	strbuf_puts(&sql, " FROM temp.member AS t JOIN ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " AS r USING (run_id) WHERE t.import_id = ?1 ORDER BY t.line, t.run_id");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "runs of import %lld", (long long)import_id)
			: kb_sql_prepare(m->from, out, e, strbuf_text(&sql), "i", import_id);
	strbuf_release(&sql);
	return rc;
}

struct copier {
	struct merge *m;
	const struct application *a;
	struct kb_run_writer *writer;
	struct run_value *value;
	double *row;
	int64_t their_machine; /* the last one, and ours for it */
	int64_t our_machine;
};

/* What no import would have taken. */
static enum err_code check_legal(const struct copier *c, int64_t run_id, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	configuration_derive(c->a, c->row);
	if (!configuration_legal(c->a, c->row, &why))
		rc = err_set(
			e, ERR_KB,
			"%s: run %lld of %s is not legal by its definition: %s; undo its import "
			"there, or change the definition in both bases; nothing was merged",
			kb_path(c->m->from), (long long)run_id, c->a->name, strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

static enum err_code copy_run(struct copier *c, sqlite3_stmt *s, struct err *e)
{
	struct kb_run run = {
		.row = c->row,
		.wall_s = kb_sql_real(s, 3),
		.source = (enum run_source)run_source_from(kb_sql_text(s, 1)),
		.status = (enum run_status)run_status_from(kb_sql_text(s, 2)),
		.n_repeats = (uint32_t)sqlite3_column_int64(s, 4),
		.repeat = sqlite3_column_int64(s, 5),
		.line = sqlite3_column_int64(s, 6),
		.computed = kb_sql_text_or_null(s, 7),
		.flag = kb_sql_text_or_null(s, 8),
		.extra = kb_sql_text_or_null(s, 9),
	};
	int64_t machine_id = sqlite3_column_int64(s, 0);
	enum err_code rc;

	if ((int)run.source < 0 || (int)run.status < 0)
		return err_set(e, ERR_KB, "%s: a run is damaged: `lemnos status check` tells more",
			       kb_path(c->m->from));
	if (machine_id != c->their_machine &&
	    (rc = our_machine(c->m, machine_id, &c->our_machine, e)))
		return rc;
	c->their_machine = machine_id;
	run.machine_id = c->our_machine;
	run_values_from_row(c->a, s, 11, c->value);
	for (size_t i = 0; i < c->a->n_columns; i++) {
		c->row[i] = c->value[i].number;
		if (c->value[i].text) {
			size_t code = levels_add(&c->a->column[i].levels, c->value[i].text);

			if (code == SIZE_MAX)
				return err_set(e, ERR_NOMEM, "levels of %s", c->a->column[i].name);
			c->row[i] = (double)code;
		}
	}
	if ((rc = check_legal(c, sqlite3_column_int64(s, 10), e)))
		return rc;
	return kb_run_writer_add(c->writer, &run, e);
}

static enum err_code copy_runs(struct copier *c, sqlite3_stmt *s, struct err *e)
{
	bool row = true;
	uint64_t n = 0;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step(c->m->from, s, &row, e)) && row) {
		if (n++ % PROGRESS_ROWS == 0 &&
		    !progress_step(c->m->progress, "merging runs", n, 0))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while merging");
		else
			rc = copy_run(c, s, e);
	}
	return rc;
}

static enum err_code merge_runs_of(struct merge *m, struct application *a, int64_t app_id,
				   struct kb_import *imp, struct err *e)
{
	struct copier c = {
		.m = m,
		.a = a,
		.value = calloc(a->n_columns + 1, sizeof *c.value),
		.row = calloc(a->n_columns + 1, sizeof *c.row),
	};
	sqlite3_stmt *s = NULL;
	enum err_code rc;

	if (!c.value || !c.row) {
		rc = err_set(e, ERR_NOMEM, "runs of %s", a->name);
		goto done;
	}
	if ((rc = select_members(m, a, imp->id, &s, e)) ||
	    (rc = kb_run_writer_open(m->into, a, app_id, imp, &c.writer, e)) ||
	    (rc = copy_runs(&c, s, e)) ||
	    (rc = kb_run_writer_finish(c.writer, imp, m->progress, e)))
		goto done;
	m->result.n_runs += imp->n_taken;
done:
	kb_run_writer_free(c.writer);
	sqlite3_finalize(s);
	free(c.value);
	free(c.row);
	return rc;
}

/* ---- ping-pong ---- */

static enum err_code merge_pingpong(struct merge *m, struct kb_import *imp, struct err *e)
{
	struct kb_pingpong rows = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	int64_t machine_id = 0;
	size_t n = (size_t)imp->n_taken;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e,
		"SELECT machine_id, message_bytes, roundtrip_s FROM pingpong WHERE import_id = ?1 "
		"ORDER BY pingpong_id LIMIT ?2",
		"ii", imp->id, imp->n_taken);

	rows.message_bytes = calloc(n + 1, sizeof *rows.message_bytes);
	rows.roundtrip_s = calloc(n + 1, sizeof *rows.roundtrip_s);
	if (!rc && (!rows.message_bytes || !rows.roundtrip_s))
		rc = err_set(e, ERR_NOMEM, "%zu ping-pong rows", n);
	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row) {
		machine_id = sqlite3_column_int64(s, 0);
		rows.message_bytes[rows.n] = sqlite3_column_double(s, 1);
		rows.roundtrip_s[rows.n++] = sqlite3_column_double(s, 2);
	}
	if (!rc && rows.n > 0 && !(rc = our_machine(m, machine_id, &machine_id, e)))
		rc = kb_add_pingpong(m->into, machine_id, imp, &rows, e);
	sqlite3_finalize(s);
	kb_pingpong_release(&rows);
	return rc;
}

/* ---- imports ---- */

/* Is this import theirs to give and not ours already? */
static enum err_code is_new(struct merge *m, const struct kb_import *imp, bool *take, struct err *e)
{
	int64_t there = 0;
	enum err_code rc = imp->undone ? ERR_OK : kb_find_import(m->into, imp, &there, e);

	*take = !imp->undone && !there;
	if (!rc && there)
		m->result.n_known_imports++;
	return rc;
}

static enum err_code merge_class(struct merge *m, const char *name, struct kb_imports *imports,
				 struct err *e)
{
	struct application *a = NULL;
	int64_t app_id = 0;
	bool take;
	enum err_code rc;

	if ((rc = kb_get_application(m->into, name, &a, &app_id, e)) ||
	    (rc = list_members(m, a, e)))
		goto done;
	for (size_t i = 0; !rc && i < imports->n; i++) {
		struct kb_import *imp = &imports->item[i];

		if (!imp->application || !application_is(a, imp->application) ||
		    (rc = is_new(m, imp, &take, e)) || !take)
			continue;
		if (!(rc = merge_runs_of(m, a, app_id, imp, e)))
			m->result.n_imports++;
	}
done:
	application_free(a);
	return rc;
}

enum err_code merge_imports(struct merge *m, struct err *e)
{
	struct kb_imports imports = {0};
	struct kb_names classes = {0};
	bool take;
	enum err_code rc;

	if ((rc = kb_list_imports(m->from, &imports, e)) ||
	    (rc = kb_list_applications(m->from, &classes, e)))
		goto done;
	for (size_t i = 0; !rc && i < classes.n; i++)
		rc = merge_class(m, classes.item[i].name, &imports, e);
	for (size_t i = 0; !rc && i < imports.n; i++) {
		struct kb_import *imp = &imports.item[i];

		if (imp->application || (rc = is_new(m, imp, &take, e)) || !take)
			continue;
		if (!(rc = merge_pingpong(m, imp, e)))
			m->result.n_imports++;
	}
done:
	kb_imports_release(&imports);
	kb_names_release(&classes);
	return rc;
}
