#include "cli/frame/output.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/frame/output_table.h"

static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed = *failed || (text && !copy);
	return copy;
}

struct out_table *out_table_new(const struct out_column *columns, size_t n)
{
	struct out_table *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->column = calloc(n, sizeof *t->column);
	if (!t->column) {
		free(t);
		return NULL;
	}
	t->n_columns = n;
	for (size_t j = 0; j < n; j++)
		t->column[j] = (struct out_column){
			.name = copy_text(columns[j].name, &t->failed),
			.heading = copy_text(columns[j].heading, &t->failed),
			.kind = columns[j].kind,
		};
	return t;
}

void out_table_free(struct out_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_cells; i++) {
		if (t->column[i % t->n_columns].kind == OUT_TEXT && !t->cell[i].null)
			free(t->cell[i].text);
	}
	for (size_t j = 0; j < t->n_columns; j++) {
		free((char *)t->column[j].name);
		free((char *)t->column[j].heading);
	}
	free(t->cell);
	free(t->column);
	free(t);
}

size_t out_table_rows(const struct out_table *t)
{
	size_t n = t->n_cells / t->n_columns;

	return t->failed && n == 0 ? 1 : n;
}

/* The next cell, NULL (and t failed) when out of memory. From then on there are no more: a cell
 * that is left out would move those after it to columns of another kind. */
static struct cell *next_cell(struct out_table *t)
{
	if (t->failed)
		return NULL;
	if (t->n_cells == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 64;
		struct cell *longer = realloc(t->cell, cap * sizeof *longer);

		if (!longer) {
			t->failed = true;
			return NULL;
		}
		t->cell = longer;
		t->cap = cap;
	}
	return &t->cell[t->n_cells++];
}

void out_null(struct out_table *t)
{
	struct cell *c = next_cell(t);

	if (c)
		c->null = true;
}

void out_text(struct out_table *t, const char *text)
{
	struct cell *c;
	char *copy;

	if (!text) {
		out_null(t);
		return;
	}
	copy = copy_text(text, &t->failed);
	c = next_cell(t);
	if (c)
		*c = (struct cell){.text = copy};
	else
		free(copy);
}

void out_int(struct out_table *t, int64_t value)
{
	struct cell *c = next_cell(t);

	if (c)
		*c = (struct cell){.integer = value};
}

void out_real(struct out_table *t, double value)
{
	struct cell *c = next_cell(t);

	if (c)
		*c = (struct cell){.null = !isfinite(value), .real = value};
}

void out_bool(struct out_table *t, bool value)
{
	out_int(t, value);
}

/* For machines: exact. */
static void put_exact(struct strbuf *s, enum out_kind kind, const struct cell *c)
{
	char buf[REAL_TEXT_SIZE];

	if (c->null)
		return;
	switch (kind) {
	case OUT_TEXT:
		strbuf_puts(s, c->text);
		break;
	case OUT_INT:
		strbuf_printf(s, "%" PRId64, c->integer);
		break;
	case OUT_BOOL:
		strbuf_puts(s, c->integer ? "true" : "false");
		break;
	case OUT_REAL:
	case OUT_SECONDS:
	case OUT_PERCENT:
		strbuf_puts(s, real_text(c->real, buf));
		break;
	}
}

static enum err_code print_csv(const struct out_table *t, FILE *f, struct err *e)
{
	struct strbuf s = STRBUF_INIT, cell = STRBUF_INIT;
	bool failed = false;

	for (size_t j = 0; j < t->n_columns; j++) {
		strbuf_puts(&s, j ? "," : "");
		csv_put(&s, t->column[j].name);
	}
	strbuf_putc(&s, '\n');
	for (size_t i = 0; i < t->n_cells && !failed; i++) {
		size_t j = i % t->n_columns;

		strbuf_clear(&cell);
		put_exact(&cell, t->column[j].kind, &t->cell[i]);
		csv_put(&s, strbuf_text(&cell));
		strbuf_putc(&s, j + 1 < t->n_columns ? ',' : '\n');
		failed = cell.failed || s.failed;
		if (j + 1 == t->n_columns && !failed) {
			out_exact(strbuf_text(&s), f);
			strbuf_clear(&s);
		}
	}
	if (t->n_cells == 0)
		out_exact(strbuf_text(&s), f);
	strbuf_release(&cell);
	strbuf_release(&s);
	return failed ? err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t)) : ERR_OK;
}

static json_t *cell_json(enum out_kind kind, const struct cell *c)
{
	if (c->null)
		return json_null();
	switch (kind) {
	case OUT_TEXT:
		return out_json_string(c->text);
	case OUT_INT:
		return json_integer(c->integer);
	case OUT_BOOL:
		return json_boolean(c->integer);
	case OUT_REAL:
	case OUT_SECONDS:
	case OUT_PERCENT:
		break;
	}
	return out_json_real(c->real);
}

struct json_t *out_table_json(const struct out_table *t)
{
	json_t *rows = json_array();
	bool ok = rows && !t->failed;

	for (size_t i = 0; i < out_table_rows(t) && ok; i++) {
		json_t *row = json_object();

		for (size_t j = 0; j < t->n_columns && ok; j++) {
			const struct cell *c = &t->cell[i * t->n_columns + j];

			ok = !json_object_set_new(row, t->column[j].name,
						  cell_json(t->column[j].kind, c));
		}
		ok = !json_array_append_new(rows, row) && ok;
	}
	if (!ok) {
		json_decref(rows);
		return NULL;
	}
	return rows;
}

/* {"format_version": 1, "name": value}; takes value over. */
static enum err_code print_json(json_t *value, const char *name, FILE *f, struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (!answer || json_object_set_new(answer, name, value))
		rc = err_set(e, ERR_NOMEM, "the answer as JSON");
	else
		rc = out_json(answer, f, e);
	json_decref(answer);
	return rc;
}

enum err_code out_table_check(const struct out_table *t, struct err *e)
{
	return t->failed ? err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t)) : ERR_OK;
}

static enum err_code print(const struct out_table *t, enum out_format format, bool folded,
			   const char *name, FILE *f, struct err *e)
{
	enum err_code rc = out_table_check(t, e);

	if (rc)
		return rc;
	if (format == FORMAT_TABLE)
		return out_print_lines(t, folded, f, e);
	if (format == FORMAT_CSV)
		return print_csv(t, f, e);
	return print_json(out_table_json(t), name, f, e);
}

enum err_code out_table_print(const struct out_table *t, enum out_format format, const char *name,
			      FILE *f, struct err *e)
{
	return print(t, format, false, name, f, e);
}

enum err_code out_table_print_folded(const struct out_table *t, enum out_format format,
				     const char *name, FILE *f, struct err *e)
{
	return print(t, format, true, name, f, e);
}

enum err_code out_record_print(const struct out_table *t, enum out_format format, const char *name,
			       FILE *f, struct err *e)
{
	json_t *rows;
	json_t *row;
	enum err_code rc = out_table_check(t, e);

	if (rc)
		return rc;
	assert(out_table_rows(t) == 1);
	if (format == FORMAT_TABLE)
		return out_print_record(t, f, e);
	if (format == FORMAT_CSV)
		return print_csv(t, f, e);
	rows = out_table_json(t);
	row = json_incref(json_array_get(rows, 0));
	json_decref(rows);
	return print_json(row, name, f, e);
}

/* ---- other forms ---- */

enum err_code out_json(const struct json_t *value, FILE *f, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = out_json_text(value, &text, e);

	if (!rc) {
		fputs(strbuf_text(&text), f);
		fputc('\n', f);
	}
	strbuf_release(&text);
	return rc;
}

void out_exact(const char *text, FILE *f)
{
	struct strbuf safe = STRBUF_INIT;

	if (!isatty(fileno(f))) {
		fputs(text, f);
		return;
	}
	text_put_safe(&safe, text, true);
	fputs(strbuf_text(&safe), f);
	strbuf_release(&safe);
}

const char *style(bool on, enum out_style s)
{
	static const char *const sequence[] = {
		[STYLE_PLAIN] = "\033[0m", [STYLE_BOLD] = "\033[1m", [STYLE_GOOD] = "\033[32m",
		[STYLE_WARN] = "\033[33m", [STYLE_DIM] = "\033[2m",
	};

	return on ? sequence[s] : "";
}
