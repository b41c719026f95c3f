#include "kb/kb_run_writer.h"

#include <stdlib.h>

/* A virtual table: https://www.sqlite.org/vtab.html. Without xCreate it has no entry in the schema
 * and is there for this connection alone. */

enum { IDS = 2 }; /* run_id and import_id come before the cells */

struct feed_module {
	const struct run_feed *feed;
	struct strbuf declaration;
};

struct feed_table {
	sqlite3_vtab base;
	const struct run_feed *feed;
};

struct feed_cursor {
	sqlite3_vtab_cursor base;
	size_t row;
};

static const struct run_feed *feed_of(const sqlite3_vtab_cursor *c)
{
	return ((const struct feed_table *)c->pVtab)->feed;
}

static int feed_connect(sqlite3 *db, void *arg, int n_args, const char *const *args,
			sqlite3_vtab **out, char **error)
{
	const struct feed_module *m = arg;
	struct feed_table *t;
	int code = sqlite3_declare_vtab(db, strbuf_text(&m->declaration));

	(void)n_args, (void)args, (void)error;
	if (code != SQLITE_OK)
		return code;
	t = calloc(1, sizeof *t);
	if (!t)
		return SQLITE_NOMEM;
	t->feed = m->feed;
	*out = &t->base;
	return SQLITE_OK;
}

static int feed_disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static int feed_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->estimatedCost = 1e6;
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct feed_cursor *c = calloc(1, sizeof *c);

	(void)t;
	if (!c)
		return SQLITE_NOMEM;
	*out = &c->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *c)
{
	free(c);
	return SQLITE_OK;
}

static int cursor_first(sqlite3_vtab_cursor *c, int index, const char *name, int n_args,
			sqlite3_value **args)
{
	(void)index, (void)name, (void)n_args, (void)args;
	((struct feed_cursor *)c)->row = 0;
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *c)
{
	((struct feed_cursor *)c)->row++;
	return SQLITE_OK;
}

static int cursor_at_end(sqlite3_vtab_cursor *c)
{
	return ((const struct feed_cursor *)c)->row >= feed_of(c)->batch->n_rows;
}

static int cursor_row_id(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
	*out = feed_of(c)->first_run_id + (sqlite3_int64)((const struct feed_cursor *)c)->row;
	return SQLITE_OK;
}

static void put_cell(sqlite3_context *x, const struct kb_run_batch *b, const struct run_cell *cell)
{
	switch (cell->type) {
	case CELL_NULL: /* what a column is if nothing is said */
		break;
	case CELL_INTEGER:
		sqlite3_result_int64(x, cell->integer);
		break;
	case CELL_REAL:
		sqlite3_result_double(x, cell->real);
		break;
	case CELL_TEXT:
	case CELL_COPY:
		sqlite3_result_text(x, run_batch_text(b, cell), -1, SQLITE_STATIC);
		break;
	}
}

static int cursor_column(sqlite3_vtab_cursor *c, sqlite3_context *x, int i)
{
	const struct run_feed *feed = feed_of(c);
	const struct kb_run_batch *b = feed->batch;
	size_t row = ((const struct feed_cursor *)c)->row;

	/* The others have none, so that SQLite gives them the next ones, and need not look whether
	 * they are free. */
	if (i == 0 && row == 0)
		sqlite3_result_int64(x, feed->first_run_id);
	else if (i == 1)
		sqlite3_result_int64(x, feed->import_id);
	else if (i > 1)
		put_cell(x, b, &b->cell[row * b->n_cells + (size_t)i - IDS]);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = feed_connect,
	.xDisconnect = feed_disconnect,
	.xBestIndex = feed_best_index,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_first,
	.xNext = cursor_next,
	.xEof = cursor_at_end,
	.xColumn = cursor_column,
	.xRowid = cursor_row_id,
};

static void free_module(void *arg)
{
	struct feed_module *m = arg;

	if (m)
		strbuf_release(&m->declaration);
	free(m);
}

static struct feed_module *new_module(const struct run_feed *feed, size_t n_cells)
{
	struct feed_module *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->feed = feed;
	strbuf_puts(&m->declaration, "CREATE TABLE feed (run_id, import_id");
	for (size_t i = 0; i < n_cells; i++)
		strbuf_printf(&m->declaration, ", c%zu", i);
	strbuf_putc(&m->declaration, ')');
	if (m->declaration.failed) {
		free_module(m);
		return NULL;
	}
	return m;
}

enum err_code run_feed_open(struct kb *kb, const struct run_feed *feed, size_t n_cells,
			    struct err *e)
{
	struct feed_module *m = new_module(feed, n_cells);

	if (!m)
		return err_set(e, ERR_NOMEM, "a table of %zu columns", n_cells);
	/* On failure SQLite frees m. */
	if (sqlite3_create_module_v2(kb->db, RUN_FEED_TABLE, &module, m, free_module) != SQLITE_OK)
		return kb_sql_fail(kb, "prepare to store runs", e);
	return ERR_OK;
}

void run_feed_close(struct kb *kb)
{
	sqlite3_create_module_v2(kb->db, RUN_FEED_TABLE, NULL, NULL, NULL);
}
