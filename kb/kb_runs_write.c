#include "kb/kb_run_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_imports.h"
#include "kb/kb_run_table.h"

/* Keeping an index during a load costs four times the load itself, making it anew costs as much as
 * the table is long: it goes when a load brings more than this, and 1/8 of what is there. */
enum { BULK_MIN = 20000, BULK_SHARE = 8 };

/* The largest whole number up to which doubles hold every integer: 2^53. */
static const double exact_max = 9007199254740992.0;

/* ---- opening ---- */

static enum err_code drop_index(struct kb_run_writer *w, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	run_table_put_drop_content_index(w->a, &sql);
	rc = kb_sql_exec(w->kb, &sql, e);
	strbuf_release(&sql);
	w->index_dropped = true;
	return rc;
}

static enum err_code prepare_insert(struct kb_run_writer *w, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;
	int n = 13;

	strbuf_puts(&sql, "INSERT INTO ");
	run_table_put_name(w->a, &sql);
	strbuf_puts(&sql,
		    " (run_id, import_id, machine_id, source, status, wall_s, n_repeats, repeat, "
		    "line, computed, flag, extra, content_hash");
	run_values_put_names(w->a, "", &sql);
	strbuf_puts(&sql, ") VALUES (?");
	for (size_t i = 0; i < w->a->n_columns; i++)
		n += run_table_stores(w->a, i);
	for (int i = 1; i < n; i++)
		strbuf_puts(&sql, ", ?");
	strbuf_putc(&sql, ')');
	rc = sql.failed ? err_set(e, ERR_NOMEM, "statement for %d columns", n)
			: kb_sql_prepare(w->kb, &w->insert, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static bool allocate(struct kb_run_writer *w)
{
	size_t n = w->a->n_columns + 1; /* never 0 */

	w->value = calloc(n, sizeof *w->value);
	w->name_hash = calloc(n, sizeof *w->name_hash);
	w->level_seen = calloc(n, sizeof *w->level_seen);
	w->n_level_seen = calloc(n, sizeof *w->n_level_seen);
	w->groups = run_groups_new(w->a);
	if (!w->value || !w->name_hash || !w->level_seen || !w->n_level_seen || !w->groups)
		return false;
	for (size_t i = 0; i < w->a->n_columns; i++) {
		w->value[i].number = (double)NAN;
		w->name_hash[i] = hash_name(w->a->column[i].name);
	}
	return true;
}

enum err_code kb_run_writer_open(struct kb *kb, const struct application *a, int64_t app_id,
				 struct kb_import *imp, uint64_t expected_rows,
				 struct kb_run_writer **out, struct err *e)
{
	struct kb_run_writer *w = calloc(1, sizeof *w);
	int64_t n_there = 0;
	enum err_code rc;

	assert(kb->in_write);
	if (!w)
		return err_set(e, ERR_NOMEM, "writer of runs");
	w->kb = kb;
	w->a = a;
	w->app_id = app_id;
	if (!allocate(w)) {
		rc = err_set(e, ERR_NOMEM, "writer of runs");
		goto done;
	}
	if ((rc = import_open(kb, imp, e)) || (rc = kb_dup(imp->file_name, &w->file_name, e)) ||
	    (rc = kb_sql_get_int64(kb, &w->first_run_id, e,
				   "SELECT next FROM counter WHERE name = 'run_id'", "")) ||
	    (rc = kb_sql_get_int64(
		     kb, &n_there, e,
		     "SELECT sum(n_runs) FROM import_machine JOIN import USING (import_id) "
		     "WHERE application = ?1 COLLATE NOCASE",
		     "t", a->name)) ||
	    (rc = prepare_insert(w, e)))
		goto done;
	w->import_id = imp->id;
	w->next_run_id = w->first_run_id;
	w->has_other_runs = n_there > 0;
	w->bulk = BULK_MIN + (uint64_t)n_there / BULK_SHARE;
	if (expected_rows > w->bulk)
		rc = drop_index(w, e);
done:
	if (rc)
		kb_run_writer_free(w);
	else
		*out = w;
	return rc;
}

void kb_run_writer_free(struct kb_run_writer *w)
{
	if (!w)
		return;
	sqlite3_finalize(w->insert);
	for (size_t i = 0; w->level_seen && i < w->a->n_columns; i++)
		free(w->level_seen[i]);
	free(w->level_seen);
	free(w->n_level_seen);
	run_groups_free(w->groups);
	free(w->value);
	free(w->name_hash);
	free(w->machine);
	free(w->file_name);
	free(w);
}

/* ---- one run ---- */

/* A machine that this import did not have yet. */
static enum err_code meet_machine(struct kb_run_writer *w, int64_t id, struct err *e)
{
	struct seen_machine *grown = realloc(w->machine, (w->n_machines + 1) * sizeof *w->machine);
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu machines", w->n_machines + 1);
	w->machine = grown;
	rc = kb_sql_prepare(w->kb, &s, e, "SELECT name FROM machine WHERE machine_id = ?1", "i",
			    id);
	if (!rc && !(rc = kb_sql_step(w->kb, s, &row, e))) {
		if (row)
			grown[w->n_machines++] = (struct seen_machine){
				.id = id, .hash = hash_name(kb_sql_text(s, 0))};
		else
			rc = err_set(e, ERR_ARG, "there is no machine number %lld", (long long)id);
	}
	sqlite3_finalize(s);
	return rc ? rc
		  : kb_sql_run(w->kb, e, "INSERT INTO import_machine VALUES (?1, ?2, 0)", "ii",
			       w->import_id, id);
}

static enum err_code machine_hash(struct kb_run_writer *w, int64_t id, uint64_t *hash,
				  struct err *e)
{
	size_t i = 0;
	enum err_code rc = ERR_OK;

	while (i < w->n_machines && w->machine[i].id != id)
		i++;
	if (i == w->n_machines)
		rc = meet_machine(w, id, e);
	if (!rc)
		*hash = w->machine[i].hash;
	return rc;
}

static enum err_code note_level(struct kb_run_writer *w, size_t i, size_t code, struct err *e)
{
	if (code >= w->n_level_seen[i]) {
		size_t n = w->a->column[i].levels.n;
		bool *grown = realloc(w->level_seen[i], n * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu values of column %s", n,
				       w->a->column[i].name);
		memset(grown + w->n_level_seen[i], 0, (n - w->n_level_seen[i]) * sizeof *grown);
		w->level_seen[i] = grown;
		w->n_level_seen[i] = n;
	}
	w->level_seen[i][code] = true;
	return ERR_OK;
}

static enum err_code take_value(struct kb_run_writer *w, size_t i, const struct kb_run *run,
				struct err *e)
{
	const struct column *c = &w->a->column[i];
	double x = run->row[i];

	w->value[i] = (struct run_value){.number = (double)NAN};
	if (isnan(x))
		return ERR_OK;
	if (c->type == COL_TEXT) {
		assert(x >= 0 && x < (double)c->levels.n);
		w->value[i].text = c->levels.name[(size_t)x];
		return note_level(w, i, (size_t)x, e);
	}
	if (!isfinite(x))
		return err_set(e, ERR_ARG, "%s:%lld: %s = %g is not a finite number", w->file_name,
			       (long long)run->line, c->name, x);
	if (c->type == COL_INT && (x != floor(x) || fabs(x) > exact_max))
		return err_set(e, ERR_ARG, "%s:%lld: %s = %.17g is not an integer up to 2^53",
			       w->file_name, (long long)run->line, c->name, x);
	w->value[i].number = x;
	return ERR_OK;
}

static enum err_code check_time(const struct kb_run_writer *w, const struct kb_run *run,
				struct err *e)
{
	if (isnan(run->wall_s) && run->status == RUN_FAILED)
		return ERR_OK;
	if (!(run->wall_s > 0) || !(run->wall_s < 9e99))
		return err_set(e, ERR_ARG, "%s:%lld: a time of %g s is not a finite time > 0",
			       w->file_name, (long long)run->line, run->wall_s);
	return ERR_OK;
}

static uint64_t content_hash(const struct kb_run_writer *w, const struct kb_run *run,
			     uint64_t machine)
{
	uint64_t h =
		hash_run(machine, run_source_name(run->source), run_status_name(run->status),
			 run->wall_s, run->n_repeats ? run->n_repeats : 1, (double)run->repeat);

	for (size_t i = 0; i < w->a->n_columns; i++)
		h += hash_field(w->name_hash[i], &w->value[i]);
	return h;
}

static int bind_value(sqlite3_stmt *s, int at, const struct column *c, const struct run_value *v)
{
	if (run_value_missing(v))
		return sqlite3_bind_null(s, at);
	if (c->type == COL_TEXT)
		return sqlite3_bind_text(s, at, v->text, -1, SQLITE_STATIC);
	if (c->type == COL_INT)
		return sqlite3_bind_int64(s, at, (int64_t)v->number);
	return sqlite3_bind_double(s, at, v->number);
}

/* In the order of prepare_insert(). */
static int bind_run(struct kb_run_writer *w, const struct kb_run *run, uint64_t hash)
{
	sqlite3_stmt *s = w->insert;
	int bad = 0;
	int at = 1;

	bad |= sqlite3_bind_int64(s, at++, w->next_run_id);
	bad |= sqlite3_bind_int64(s, at++, w->import_id);
	bad |= sqlite3_bind_int64(s, at++, run->machine_id);
	bad |= sqlite3_bind_text(s, at++, run_source_name(run->source), -1, SQLITE_STATIC);
	bad |= sqlite3_bind_text(s, at++, run_status_name(run->status), -1, SQLITE_STATIC);
	bad |= isnan(run->wall_s) ? sqlite3_bind_null(s, at)
				  : sqlite3_bind_double(s, at, run->wall_s);
	at++;
	bad |= sqlite3_bind_int64(s, at++, run->n_repeats ? run->n_repeats : 1);
	bad |= run->repeat ? sqlite3_bind_int64(s, at, run->repeat) : sqlite3_bind_null(s, at);
	at++;
	bad |= sqlite3_bind_int64(s, at++, run->line);
	bad |= sqlite3_bind_text(s, at++, run->computed, -1, SQLITE_STATIC);
	bad |= sqlite3_bind_text(s, at++, run->flag, -1, SQLITE_STATIC);
	bad |= sqlite3_bind_text(s, at++, run->extra, -1, SQLITE_STATIC);
	bad |= sqlite3_bind_int64(s, at++, (int64_t)hash);
	for (size_t i = 0; i < w->a->n_columns; i++) {
		if (run_table_stores(w->a, i))
			bad |= bind_value(s, at++, &w->a->column[i], &w->value[i]);
	}
	return bad;
}

enum err_code kb_run_writer_add(struct kb_run_writer *w, const struct kb_run *run, struct err *e)
{
	uint64_t machine = 0;
	int bad;
	enum err_code rc = check_time(w, run, e);

	for (size_t i = 0; !rc && i < w->a->n_columns; i++) {
		if (run_table_stores(w->a, i))
			rc = take_value(w, i, run, e);
	}
	if (rc || (rc = machine_hash(w, run->machine_id, &machine, e)))
		return rc;
	if (!w->index_dropped && (uint64_t)(w->next_run_id - w->first_run_id) > w->bulk &&
	    (rc = drop_index(w, e)))
		return rc;
	bad = bind_run(w, run, content_hash(w, run, machine));
	if (bad || sqlite3_step(w->insert) != SQLITE_DONE)
		rc = kb_sql_fail(w->kb, "store a run", e);
	sqlite3_reset(w->insert);
	if (rc)
		return rc;
	w->next_run_id++;
	if (!isnan(run->wall_s))
		w->sum_wall_s += run->wall_s;
	if (run->status == RUN_OK)
		run_groups_note(w->groups,
				run_groups_key(w->groups, run->machine_id,
					       run_source_name(run->source), w->value),
				run->wall_s, true);
	return ERR_OK;
}
