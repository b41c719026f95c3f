#include "cli/data/run_rows.h"

#include <stdlib.h>
#include <string.h>

/* kb_walk_runs() gives texts under the names of the view runs_NAME; here they get their kinds. */

static const struct out_column common[] = {
	{"run_id", "run", OUT_INT},   {"import_id", "import", OUT_INT},
	{"machine", NULL, OUT_TEXT},  {"source", NULL, OUT_TEXT},
	{"status", NULL, OUT_TEXT},   {"wall_s", "wall", OUT_SECONDS},
	{"n_repeats", NULL, OUT_INT}, {"repeat", NULL, OUT_INT},
	{"flag", NULL, OUT_TEXT},     {"excluded", NULL, OUT_BOOL},
	{"computed", NULL, OUT_TEXT}, {"line", NULL, OUT_INT},
	{"extra", NULL, OUT_TEXT},
};
static const char *const brief_common[] = {"run_id", "machine", "source",
					   "status", "wall_s",	"flag"};

static bool is_brief_common(const char *name)
{
	for (size_t i = 0; i < sizeof brief_common / sizeof brief_common[0]; i++) {
		if (!strcmp(name, brief_common[i]))
			return true;
	}
	return false;
}

static const struct column *own_column(const struct application *a, const char *name)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!strcmp(a->column[i].name, name))
			return &a->column[i];
	}
	return NULL;
}

static struct out_column describe(const struct application *a, const char *name)
{
	const struct column *c = own_column(a, name);
	struct out_column out = {.name = name, .kind = OUT_TEXT};

	if (c) {
		out.kind = c->type == COL_TEXT ? OUT_TEXT : c->type == COL_INT ? OUT_INT : OUT_REAL;
		return out;
	}
	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
		if (!strcmp(common[i].name, name))
			return common[i];
	}
	return out;
}

struct table_maker {
	const struct application *a;
	bool brief;
	struct out_table *table; /* NULL before the header came */
	struct out_column *column;
	bool *shown;
	bool failed;
};

static bool is_shown(const struct table_maker *m, const char *name)
{
	const struct column *c = own_column(m->a, name);

	if (!m->brief)
		return true;
	return c ? c->role != COL_DERIVED : is_brief_common(name);
}

static bool make_table(struct table_maker *m, size_t n, const char *const *name)
{
	struct out_column *shown = calloc(n, sizeof *shown);
	size_t n_shown = 0;

	m->column = calloc(n, sizeof *m->column);
	m->shown = calloc(n, sizeof *m->shown);
	if (shown && m->column && m->shown) {
		for (size_t i = 0; i < n; i++) {
			m->column[i] = describe(m->a, name[i]);
			m->shown[i] = is_shown(m, name[i]);
			if (m->shown[i])
				shown[n_shown++] = m->column[i];
		}
		m->table = out_table_new(shown, n_shown);
	}
	free(shown);
	return m->table != NULL;
}

static void put_value(struct out_table *t, enum out_kind kind, const char *value)
{
	if (!value) {
		out_null(t);
		return;
	}
	switch (kind) {
	case OUT_TEXT:
		out_text(t, value);
		break;
	case OUT_INT:
		out_int(t, strtoll(value, NULL, 10));
		break;
	case OUT_BOOL:
		out_bool(t, strcmp(value, "0") != 0);
		break;
	case OUT_REAL:
	case OUT_SECONDS:
	case OUT_PERCENT:
		out_real(t, strtod(value, NULL));
		break;
	}
}

static bool add_to_table(void *arg, size_t n, const char *const *value)
{
	struct table_maker *m = arg;

	if (!m->table) {
		m->failed = !make_table(m, n, value);
		return !m->failed;
	}
	for (size_t i = 0; i < n; i++) {
		if (m->shown[i])
			put_value(m->table, m->column[i].kind, value[i]);
	}
	return true;
}

enum err_code run_rows_table(struct kb *kb, const struct application *a, const struct kb_filter *f,
			     bool brief, struct out_table **out, struct err *e)
{
	struct table_maker m = {.a = a, .brief = brief};
	enum err_code rc = kb_walk_runs(kb, a, f, add_to_table, &m, e);

	if (!rc && m.failed)
		rc = err_set(e, ERR_NOMEM, "the runs of %s", a->name);
	free(m.column);
	free(m.shown);
	if (rc)
		out_table_free(m.table);
	else
		*out = m.table;
	return rc;
}

struct csv_maker {
	FILE *file;
	struct strbuf line;
	bool has_header;
	size_t i_excluded; /* the only column of yes and no */
};

static const char *csv_value(const struct csv_maker *m, size_t i, const char *value)
{
	if (!value)
		return "";
	if (m->has_header && i == m->i_excluded)
		return strcmp(value, "0") != 0 ? "true" : "false";
	return value;
}

static bool add_to_csv(void *arg, size_t n, const char *const *value)
{
	struct csv_maker *m = arg;

	strbuf_clear(&m->line);
	for (size_t i = 0; i < n; i++) {
		strbuf_puts(&m->line, i ? "," : "");
		csv_put(&m->line, csv_value(m, i, value[i]));
		if (!m->has_header && !strcmp(value[i], "excluded"))
			m->i_excluded = i;
	}
	m->has_header = true;
	strbuf_putc(&m->line, '\n');
	if (m->line.failed)
		return false;
	out_exact(strbuf_text(&m->line), m->file);
	return !ferror(m->file);
}

enum err_code run_rows_csv(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   FILE *file, struct err *e)
{
	struct csv_maker m = {.file = file, .i_excluded = SIZE_MAX};
	enum err_code rc = kb_walk_runs(kb, a, f, add_to_csv, &m, e);

	if (!rc && m.line.failed)
		rc = err_set(e, ERR_NOMEM, "a run of %s", a->name);
	strbuf_release(&m.line);
	return rc;
}
