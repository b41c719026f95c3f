#include "kb/kb_run_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_imports.h"
#include "kb/kb_run_table.h"

/* ---- opening ---- */

static bool put_insert(struct kb_run_writer *w)
{
	strbuf_puts(&w->insert, "INSERT INTO ");
	run_table_put_name(w->a, &w->insert);
	strbuf_puts(&w->insert, " (run_id, import_id, ");
	run_batch_put_columns(w->a, &w->insert);
	strbuf_puts(&w->insert, ") SELECT * FROM " RUN_FEED_TABLE);
	return !w->insert.failed;
}

static bool allocate(struct kb_run_writer *w)
{
	size_t n = w->a->n_columns + 1; /* never 0 */

	w->value = calloc(n, sizeof *w->value);
	w->name_hash = calloc(n, sizeof *w->name_hash);
	w->level_seen = calloc(n, sizeof *w->level_seen);
	w->n_level_seen = calloc(n, sizeof *w->n_level_seen);
	w->groups = run_groups_new(w->a);
	if (!w->value || !w->name_hash || !w->level_seen || !w->n_level_seen || !w->groups ||
	    !put_insert(w))
		return false;
	for (size_t i = 0; i < w->a->n_columns; i++) {
		w->value[i].number = (double)NAN;
		w->name_hash[i] = hash_name(w->a->column[i].name);
	}
	return true;
}

enum err_code kb_run_writer_open(struct kb *kb, const struct application *a, int64_t app_id,
				 struct kb_import *imp, struct kb_run_writer **out, struct err *e)
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
	    (rc = run_keys_open(kb, a, w->first_run_id, &w->keys, e)) ||
	    (rc = run_feed_open(kb, &w->feed, run_batch_n_cells(a), e)))
		goto done;
	w->feed_is_open = true;
	w->import_id = imp->id;
	w->next_run_id = w->first_run_id;
	w->has_other_runs = n_there > 0;
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
	if (w->feed_is_open)
		run_feed_close(w->kb);
	kb_run_batch_free(w->own_batch);
	run_keys_close(&w->keys);
	strbuf_release(&w->insert);
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

/* ---- machines ---- */

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

enum err_code kb_run_writer_meet(struct kb_run_writer *w, int64_t machine_id, struct err *e)
{
	return run_writer_machine(w, machine_id) ? ERR_OK : meet_machine(w, machine_id, e);
}

/* ---- runs ---- */

/* SQLite looks neither for both parents of every run nor at the CHECKs of its table, which makes a
 * quarter of its work: the import is ours, the machines of the batch were met, and
 * kb_run_writer_pack() takes nothing that the table would refuse. */
static enum err_code skip_constraint_checks(struct kb *kb, bool skip, struct err *e)
{
	enum err_code rc = kb_sql_run(kb, e,
				      skip ? "PRAGMA ignore_check_constraints = ON"
					   : "PRAGMA ignore_check_constraints = OFF",
				      "");

	sqlite3_db_config(kb->db, SQLITE_DBCONFIG_ENABLE_FKEY, !skip, NULL);
	return rc;
}

static enum err_code insert_batch(struct kb_run_writer *w, struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc = skip_constraint_checks(w->kb, true, e);
	enum err_code rc_after;

	if (!rc &&
	    (sqlite3_prepare_v2(w->kb->db, strbuf_text(&w->insert), -1, &s, NULL) != SQLITE_OK ||
	     sqlite3_step(s) != SQLITE_DONE))
		rc = kb_sql_fail(w->kb, "store runs", e);
	sqlite3_finalize(s);
	rc_after = skip_constraint_checks(w->kb, false, e);
	return rc ? rc : rc_after;
}

static enum err_code add_keys(struct kb_run_writer *w, const struct kb_run_batch *b, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < b->n_rows && !rc; i++)
		rc = run_keys_add(&w->keys, w->next_run_id + (int64_t)i,
				  (uint64_t)run_batch_content_hash(b, i), b->group[i], e);
	return rc;
}

enum err_code kb_run_writer_store(struct kb_run_writer *w, struct kb_run_batch *b, struct err *e)
{
	enum err_code rc;

	w->feed = (struct run_feed){b, w->next_run_id, w->import_id};
	if ((rc = insert_batch(w, e)) || (rc = add_keys(w, b, e)))
		return rc;
	w->next_run_id += (int64_t)b->n_rows;
	run_batch_clear(b);
	return ERR_OK;
}

enum err_code kb_run_writer_add(struct kb_run_writer *w, const struct kb_run *run, struct err *e)
{
	enum err_code rc;

	if (!w->own_batch && !(w->own_batch = kb_run_batch_new(w)))
		return err_set(e, ERR_NOMEM, "a batch of runs");
	if ((rc = kb_run_writer_meet(w, run->machine_id, e)) ||
	    (rc = kb_run_writer_pack(w, run, w->own_batch, e)))
		return rc;
	return kb_run_batch_is_full(w->own_batch) ? kb_run_writer_store(w, w->own_batch, e)
						  : ERR_OK;
}
