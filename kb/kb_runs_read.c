#include "kb/kb_runs_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb.h"
#include "kb/kb_run_table.h"

/* What a condition may name besides the columns of the application. */
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

/* Append " FROM ... WHERE ..." of the runs that f (NULL: all usable ones) selects. Names in it are
 * the columns of the run table, machine and excluded. Errors: PARSE (f->where). */
static enum err_code run_query_put_from(const struct application *a, const struct kb_filter *f,
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

/* The code of a text of column i; runs with the same text mostly follow each other. */
static size_t level_code(struct column *c, size_t last, const char *text)
{
	if (last < c->levels.n && strcmp(c->levels.name[last], text) == 0)
		return last;
	return levels_add(&c->levels, text);
}

/* Values to numbers, texts to the codes of their levels. code[i] is the last one of column i. */
static enum err_code to_row(const struct application *a, const struct run_value *value,
			    size_t *code, double *row, struct err *e)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		row[i] = value[i].number;
		if (!value[i].text)
			continue;
		code[i] = level_code(&a->column[i], code[i], value[i].text);
		if (code[i] == SIZE_MAX)
			return err_set(e, ERR_NOMEM, "values of column %s", a->column[i].name);
		row[i] = (double)code[i];
	}
	return ERR_OK;
}

/* What run_loader_put_columns() has ahead of the columns of the application. */
enum { N_FIXED = 8 };

/* What the base's checks keep out may still be in a damaged file. */
static enum err_code check_run(sqlite3_stmt *s, int source, int status, double wall_s,
			       struct err *e)
{
	bool has_time = wall_s > 0 && isfinite(wall_s);

	if (source >= 0 && status >= 0 && (has_time || status == RUN_FAILED))
		return ERR_OK;
	return err_set(e, ERR_KB, "run %lld is damaged: `lemnos status check` tells more",
		       (long long)sqlite3_column_int64(s, 0));
}

enum err_code run_loader_add(struct run_loader *l, sqlite3_stmt *s, struct err *e)
{
	double wall_s = kb_sql_real(s, 4);
	int source = run_source_from(kb_sql_text(s, 2));
	int status = source < 0 ? -1 : run_status_from(kb_sql_text(s, 3));
	enum err_code rc;

	if (status < 0 && kb_sql_lost_text(s))
		return err_set(e, ERR_NOMEM, "source and status of a run");
	if ((rc = check_run(s, source, status, wall_s, e)))
		return rc;
	run_values_from_row(l->a, s, N_FIXED, l->value);
	if ((rc = to_row(l->a, l->value, l->code, l->row, e)))
		return rc;
	rc = dataset_add(l->runs, l->row, wall_s, sqlite3_column_int64(s, 0),
			 sqlite3_column_int64(s, 1), (enum run_source)source,
			 (enum run_status)status, (uint32_t)sqlite3_column_int64(s, 5), e);
	if (rc)
		return rc;
	l->runs->import_id[l->runs->n - 1] = sqlite3_column_int64(s, 6);
	if (sqlite3_column_int(s, 7))
		l->runs->flagged[l->runs->n - 1] = 1;
	return ERR_OK;
}

enum err_code run_loader_init(struct run_loader *l, const struct application *a, struct err *e)
{
	*l = (struct run_loader){
		.a = a,
		.value = calloc(a->n_columns + 1, sizeof *l->value),
		.row = calloc(a->n_columns + 1, sizeof *l->row),
		.code = calloc(a->n_columns + 1, sizeof *l->code),
		.runs = dataset_new(a),
	};
	if (l->value && l->row && l->code && l->runs && !dataset_share_rows(l->runs, NULL))
		return ERR_OK;
	run_loader_release(l);
	return err_set(e, ERR_NOMEM, "runs of %s", a->name);
}

void run_loader_release(struct run_loader *l)
{
	dataset_free(l->runs);
	free(l->value);
	free(l->row);
	free(l->code);
	*l = (struct run_loader){0};
}

struct dataset *run_loader_take(struct run_loader *l)
{
	struct dataset *runs = l->runs;

	l->runs = NULL;
	return runs;
}

void run_loader_put_columns(const struct application *a, const char *prefix, struct strbuf *sql)
{
	static const char *const fixed[N_FIXED] = {"run_id", "machine_id", "source",	"status",
						   "wall_s", "n_repeats",  "import_id", "flag"};

	for (int i = 0; i < N_FIXED; i++)
		strbuf_printf(sql, "%s%s%s", i ? ", " : "", prefix, fixed[i]);
	strbuf_puts(sql, " IS NOT NULL");
	run_values_put_names(a, prefix, sql);
}

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
	bool no_memory;
};

static bool walk_row(struct walker *w, sqlite3_stmt *s,
		     bool (*cb)(void *arg, size_t n_columns, const char *const *value), void *arg)
{
	for (int i = 0; i < w->n; i++) {
		int type = sqlite3_column_type(s, i); /* before it is made a text */

		if (type != SQLITE_FLOAT) {
			w->value[i] = kb_sql_text_or_null(s, i);
			w->no_memory |= type != SQLITE_NULL && !w->value[i];
			continue;
		}
		strbuf_clear(&w->number[i]);
		strbuf_put_number(&w->number[i], sqlite3_column_double(s, i));
		if (w->number[i].failed) {
			w->no_memory = true;
			return false;
		}
		w->value[i] = strbuf_text(&w->number[i]);
	}
	if (w->no_memory)
		return false;
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
	for (int i = 0; i < w.n; i++) {
		w.value[i] = sqlite3_column_name(s, i);
		w.no_memory |= !w.value[i];
	}
	go_on = !w.no_memory && cb(arg, (size_t)w.n, w.value);
	while (go_on && !(rc = kb_sql_step_lazy(kb, s, &row, e)) && row)
		go_on = walk_row(&w, s, cb, arg);
	if (!rc && w.no_memory)
		rc = err_set(e, ERR_NOMEM, "a run of %d columns", w.n);
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
