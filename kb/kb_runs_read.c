#include "kb/kb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_load.h"
#include "kb/kb_run_query.h"
#include "kb/kb_run_table.h"

/* Rows between two calls of progress_step(). */
enum { PROGRESS_ROWS = 16384 };

/* Prepare: select (up to FROM), the filter, then order and limit. */
static enum err_code prepare_query(struct kb *kb, const struct application *a,
				   const struct kb_filter *f, struct strbuf *select, bool ordered,
				   sqlite3_stmt **out, struct err *e)
{
	enum err_code rc = run_query_put_from(a, f, select, e);

	if (ordered)
		strbuf_puts(select, " ORDER BY run_id");
	if (ordered && f && f->limit > 0)
		strbuf_printf(select, " LIMIT %lld", (long long)f->limit);
	if (!rc && select->failed)
		rc = err_set(e, ERR_NOMEM, "query of runs");
	if (!rc)
		rc = run_query_prepare(kb, strbuf_text(select), out, e);
	return rc;
}

enum err_code kb_count_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			    int64_t *n, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT count(*)");
	if (!(rc = prepare_query(kb, a, f, &sql, false, &s, e)) &&
	    !(rc = kb_sql_step(kb, s, &row, e)))
		*n = sqlite3_column_int64(s, 0);
	if (!rc && f && f->limit > 0 && *n > f->limit)
		*n = f->limit;
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

/* ---- into a dataset ---- */

static enum err_code load_all(struct kb *kb, struct run_loader *l, sqlite3_stmt *s,
			      const struct progress *p, struct err *e)
{
	bool row = true;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step_lazy(kb, s, &row, e)) && row) {
		if (l->runs->n % PROGRESS_ROWS == 0 &&
		    !progress_step(p, "loading runs", l->runs->n, 0))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while loading runs");
		else
			rc = run_loader_add(l, s, e);
	}
	return rc;
}

enum err_code kb_load_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   const struct progress *p, struct dataset **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	struct run_loader l;
	sqlite3_stmt *s = NULL;
	enum err_code rc;

	if ((rc = run_loader_init(&l, a, e)))
		return rc;
	strbuf_puts(&sql, "SELECT ");
	run_loader_put_columns(a, "", &sql);
	if (!(rc = prepare_query(kb, a, f, &sql, true, &s, e)) && !(rc = load_all(kb, &l, s, p, e)))
		*out = run_loader_take(&l);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	run_loader_release(&l);
	return rc;
}

/* ---- as text ---- */

struct walker {
	int n;
	const char **value;
	struct strbuf *number; /* the text of a REAL: SQLite's own has 15 digits */
};

static bool walk_row(struct walker *w, sqlite3_stmt *s,
		     bool (*cb)(void *arg, size_t n_columns, const char *const *value), void *arg)
{
	for (int i = 0; i < w->n; i++) {
		if (sqlite3_column_type(s, i) != SQLITE_FLOAT) {
			w->value[i] = kb_sql_text_or_null(s, i);
			continue;
		}
		strbuf_clear(&w->number[i]);
		strbuf_put_number(&w->number[i], sqlite3_column_double(s, i));
		w->value[i] = strbuf_text(&w->number[i]);
	}
	return cb(arg, (size_t)w->n, w->value);
}

static enum err_code walk(struct kb *kb, sqlite3_stmt *s,
			  bool (*cb)(void *arg, size_t n_columns, const char *const *value),
			  void *arg, struct err *e)
{
	struct walker w = {.n = sqlite3_column_count(s)};
	bool row = true;
	bool go_on;
	enum err_code rc = ERR_OK;

	w.value = calloc((size_t)w.n, sizeof *w.value);
	w.number = calloc((size_t)w.n, sizeof *w.number);
	if (!w.value || !w.number) {
		rc = err_set(e, ERR_NOMEM, "row of %d columns", w.n);
		goto done;
	}
	for (int i = 0; i < w.n; i++)
		w.value[i] = sqlite3_column_name(s, i);
	go_on = cb(arg, (size_t)w.n, w.value);
	while (go_on && !(rc = kb_sql_step_lazy(kb, s, &row, e)) && row)
		go_on = walk_row(&w, s, cb, arg);
done:
	for (int i = 0; w.number && i < w.n; i++)
		strbuf_release(&w.number[i]);
	free(w.value);
	free(w.number);
	return rc;
}

enum err_code kb_walk_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   bool (*cb)(void *arg, size_t n_columns, const char *const *value),
			   void *arg, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT run_id, import_id, machine, source, status");
	for (size_t i = 0; i < a->n_columns; i++) {
		strbuf_puts(&sql, ", ");
		strbuf_put_sql_name(&sql, a->column[i].name);
	}
	strbuf_puts(&sql, ", wall_s, n_repeats, repeat, flag, excluded, computed, line, extra");
	if (!(rc = prepare_query(kb, a, f, &sql, true, &s, e)))
		rc = walk(kb, s, cb, arg, e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}
