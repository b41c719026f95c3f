#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): fopencookie() */
#include "cli/frame/output.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libsmartcols/libsmartcols.h>

#include "base/units.h"
#include "cli/frame/fold.h"

/* ---- a table ---- */

struct table_cell {
	bool null;
	union {
		char *text;
		int64_t integer;
		double real;
	};
};

struct out_table {
	struct out_column *column;
	size_t n_columns;
	struct table_cell *cell; /* row-major */
	size_t n_cells;
	size_t cap;
	bool failed;
};

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
	size_t n = t->n_columns > 0 ? t->n_cells / t->n_columns : 0;

	return t->failed && n == 0 ? 1 : n;
}

/* The next cell, NULL (and t failed) when out of memory. From then on there are no more: a cell
 * that is left out would move those after it to columns of another kind. */
static struct table_cell *next_cell(struct out_table *t)
{
	if (t->failed)
		return NULL;
	if (t->n_cells == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 64;
		struct table_cell *longer = realloc(t->cell, cap * sizeof *longer);

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
	struct table_cell *c = next_cell(t);

	if (c)
		c->null = true;
}

void out_text(struct out_table *t, const char *text)
{
	struct table_cell *c;
	char *copy;

	if (!text) {
		out_null(t);
		return;
	}
	copy = copy_text(text, &t->failed);
	c = next_cell(t);
	if (c)
		*c = (struct table_cell){.text = copy};
	else
		free(copy);
}

void out_int(struct out_table *t, int64_t value)
{
	struct table_cell *c = next_cell(t);

	if (c)
		*c = (struct table_cell){.integer = value};
}

void out_real(struct out_table *t, double value)
{
	struct table_cell *c = next_cell(t);

	if (c)
		*c = (struct table_cell){.null = !isfinite(value), .real = value};
}

void out_bool(struct out_table *t, bool value)
{
	out_int(t, value);
}

/* ---- for people ---- */

/* Where no locale knows UTF-8 (main.c), one ? for each character that is not ASCII. */
static void put_text(struct strbuf *s, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	if (MB_CUR_MAX > 1) {
		text_put_safe(s, text, false);
		return;
	}
	text_put_safe(&safe, text, false);
	for (const char *p = strbuf_text(&safe); *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c < 0x80 || c >= 0xC0) /* not the rest of a character */
			strbuf_putc(s, c < 0x80 ? *p : '?');
	}
	s->failed |= safe.failed;
	strbuf_release(&safe);
}

/* What people read in a cell: rounded, and safe on a terminal. */
static void out_put_readable(struct strbuf *s, enum out_kind kind, const struct table_cell *c)
{
	char buf[64];

	if (c->null)
		return;
	switch (kind) {
	case OUT_TEXT:
		put_text(s, c->text);
		break;
	case OUT_INT:
		strbuf_printf(s, "%" PRId64, c->integer);
		break;
	case OUT_BOOL:
		strbuf_puts(s, c->integer ? "yes" : "no");
		break;
	case OUT_REAL:
		strbuf_printf(s,
			      c->real == floor(c->real) && fabs(c->real) < 1e15 ? "%.0f" : "%.4g",
			      c->real);
		break;
	case OUT_SECONDS:
		strbuf_puts(s, duration_format(c->real, buf, sizeof buf));
		break;
	case OUT_PERCENT:
		strbuf_printf(s, "%.1f %%", 100 * c->real);
		break;
	}
}

static const char *out_heading(const struct out_column *c)
{
	return c->heading ? c->heading : c->name;
}

/* Texts and yes or no stand left, numbers right. */
static bool out_is_left(enum out_kind kind)
{
	return kind == OUT_TEXT || kind == OUT_BOOL;
}

/* libsmartcols pads the last column; we print lines without trailing blanks. */
static void put_trimmed(const char *text, FILE *f)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), keep = len;

		while (keep > 0 && text[keep - 1] == ' ')
			keep--;
		fwrite(text, 1, keep, f);
		fputc('\n', f);
		text += len + (text[len] == '\n');
	}
}

/* libsmartcols does not look whether it could copy the heading. */
static bool add_scols_column(struct libscols_table *tb, const struct out_column *c)
{
	struct libscols_column *column = scols_table_new_column(
		tb, out_heading(c), 0, out_is_left(c->kind) ? 0 : SCOLS_FL_RIGHT);

	return column && scols_cell_get_data(scols_column_get_header(column));
}

/* folded[j]: column j is left out. */
static bool fill_scols(const struct out_table *t, const bool *folded, struct libscols_table *tb)
{
	struct strbuf s = STRBUF_INIT;
	bool ok;

	/* Cells are made safe by us, and a table must not depend on the width of a terminal. */
	scols_table_enable_noencoding(tb, 1);
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	ok = !scols_table_set_column_separator(tb, "  ");
	for (size_t j = 0; j < t->n_columns && ok; j++)
		ok = folded[j] || add_scols_column(tb, &t->column[j]);
	for (size_t i = 0; i < out_table_rows(t) && ok; i++) {
		struct libscols_line *line = scols_table_new_line(tb, NULL);

		for (size_t j = 0, shown = 0; j < t->n_columns && line && ok; j++) {
			if (folded[j])
				continue;
			strbuf_clear(&s);
			out_put_readable(&s, t->column[j].kind, &t->cell[i * t->n_columns + j]);
			ok = !s.failed && !scols_line_set_data(line, shown++, strbuf_text(&s));
		}
		ok = ok && line;
	}
	strbuf_release(&s);
	return ok;
}

/* Does column j say the same in every row? What people cannot tell apart is the same to them. */
static bool is_constant(const struct out_table *t, size_t j, bool *failed)
{
	struct strbuf first = STRBUF_INIT, other = STRBUF_INIT;
	bool same = true;

	out_put_readable(&first, t->column[j].kind, &t->cell[j]);
	for (size_t i = 1; i < out_table_rows(t) && same; i++) {
		strbuf_clear(&other);
		out_put_readable(&other, t->column[j].kind, &t->cell[i * t->n_columns + j]);
		same = !strcmp(strbuf_text(&first), strbuf_text(&other));
	}
	*failed = *failed || first.failed || other.failed;
	strbuf_release(&first);
	strbuf_release(&other);
	return same;
}

/* "all: source measured, mm 6", of the columns that are folded and not empty. */
static enum err_code print_folded(const struct out_table *t, const bool *folded, FILE *f,
				  struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t j = 0; j < t->n_columns; j++) {
		if (!folded[j] || t->cell[j].null)
			continue;
		strbuf_printf(&s, "%s%s ", s.len ? ", " : "all: ", out_heading(&t->column[j]));
		out_put_readable(&s, t->column[j].kind, &t->cell[j]);
	}
	if (s.failed)
		rc = err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t));
	else if (s.len) {
		fold_print(strbuf_text(&s), f);
		fputs("\n\n", f);
	}
	strbuf_release(&s);
	return rc;
}

static ssize_t add_to_text(void *text, const char *bytes, size_t n)
{
	strbuf_add(text, bytes, n);
	return (ssize_t)n;
}

/* Not scols_print_table_to_string(): a text that memory was short for has gaps, or is NULL, and it
 * does not say so. Ours does. */
static bool put_scols(struct libscols_table *tb, struct strbuf *text)
{
	FILE *f = fopencookie(text, "w", (cookie_io_functions_t){.write = add_to_text});
	bool ok;

	if (!f)
		return false;
	scols_table_set_stream(tb, f);
	ok = scols_print_table(tb) == 0;
	fclose(f);
	return ok && !text->failed;
}

static enum err_code print_aligned(const struct out_table *t, const bool *folded, FILE *f,
				   struct err *e)
{
	struct libscols_table *tb = scols_new_table();
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (!tb || !fill_scols(t, folded, tb) || !put_scols(tb, &text))
		rc = err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t));
	else
		put_trimmed(strbuf_text(&text), f);
	strbuf_release(&text);
	scols_unref_table(tb);
	return rc;
}

/* A table that is wider than the terminal. If texts can give way they do, and are broken between
 * words; otherwise a row takes several bands of lines, of which all but the first are indented. */

enum { GAP = 2, INDENT = 4, NARROWEST_TEXT = 20 };

struct folded_column {
	size_t i; /* in the table */
	size_t natural, least, width;
	size_t band;
};

struct folded_table {
	const struct out_table *t;
	struct folded_column *column;
	size_t n;
	char **text; /* [(rows + 1) * n], the headings first; what people read */
	size_t n_lines;
	size_t width;	/* of the terminal */
	size_t dropped; /* columns of the terminal that those without values would take */
};

static char *readable(const struct out_column *c, const struct table_cell *cell)
{
	struct strbuf s = STRBUF_INIT;

	if (cell)
		out_put_readable(&s, c->kind, cell);
	else
		strbuf_puts(&s, out_heading(c));
	if (s.failed) {
		strbuf_release(&s);
		return NULL;
	}
	return s.buf ? s.buf : strdup("");
}

static void folded_table_release(struct folded_table *f)
{
	for (size_t k = 0; f->text && k < f->n_lines * f->n; k++)
		free(f->text[k]);
	free(f->text);
	free(f->column);
}

static bool is_empty(const struct out_table *t, size_t j)
{
	for (size_t i = j; i < t->n_cells; i += t->n_columns) {
		if (!t->cell[i].null)
			return false;
	}
	return true;
}

/* Columns without any value are left out. */
static bool folded_table_make(const struct out_table *t, const bool *left_out, size_t width,
			      struct folded_table *f)
{
	*f = (struct folded_table){.t = t, .n_lines = out_table_rows(t) + 1, .width = width};
	f->column = calloc(t->n_columns, sizeof *f->column);
	if (!f->column)
		return false;
	for (size_t j = 0; j < t->n_columns; j++) {
		if (left_out[j])
			continue;
		if (is_empty(t, j))
			f->dropped += strlen(out_heading(&t->column[j])) + GAP;
		else
			f->column[f->n++].i = j;
	}
	f->text = calloc(f->n_lines * f->n + 1, sizeof *f->text);
	for (size_t k = 0; f->text && k < f->n_lines * f->n; k++) {
		struct folded_column *c = &f->column[k % f->n];
		size_t row = k / f->n;
		size_t columns, word;

		f->text[k] = readable(&t->column[c->i],
				      row ? &t->cell[(row - 1) * t->n_columns + c->i] : NULL);
		if (!f->text[k])
			return false;
		columns = fold_columns(f->text[k], strlen(f->text[k]));
		word = fold_widest_word(f->text[k]);
		c->natural = columns > c->natural ? columns : c->natural;
		c->least = word > c->least ? word : c->least;
	}
	return f->text != NULL;
}

static size_t total(const struct folded_table *f)
{
	size_t sum = 0;

	for (size_t j = 0; j < f->n; j++)
		sum += f->column[j].width + (j ? GAP : 0);
	return sum;
}

/* Narrow the widest texts until the lines fit; false: they cannot. */
static bool narrow_texts(struct folded_table *f)
{
	while (total(f) > f->width) {
		struct folded_column *widest = NULL;

		for (size_t j = 0; j < f->n; j++) {
			struct folded_column *c = &f->column[j];

			if (out_is_left(f->t->column[c->i].kind) && c->width > c->least &&
			    c->width > NARROWEST_TEXT && (!widest || c->width > widest->width))
				widest = c;
		}
		if (!widest)
			return false;
		widest->width--;
	}
	return true;
}

/* Columns fill one band after the other. */
static size_t make_bands(struct folded_table *f)
{
	size_t band = 0, at = 0;

	for (size_t j = 0; j < f->n; j++) {
		struct folded_column *c = &f->column[j];
		size_t room = f->width - (band ? INDENT : 0);
		bool first = at == 0;

		if (!first && at + GAP + c->natural > room) {
			band++;
			room = f->width - INDENT;
			first = true;
			at = 0;
		}
		c->band = band;
		c->width = c->natural < room ? c->natural : room;
		at += (first ? 0 : GAP) + c->width;
	}
	return band + 1;
}

/* ---- printing ---- */

static void put_cell(struct strbuf *line, const char *text, size_t len, size_t width, bool left)
{
	size_t columns = fold_columns(text, len);
	int pad = columns < width ? (int)(width - columns) : 0;

	strbuf_printf(line, "%*s", left ? 0 : pad, "");
	strbuf_add(line, text, len);
	strbuf_printf(line, "%*s", left ? pad : 0, "");
}

static void put_trimmed_line(struct strbuf *out, const struct strbuf *line)
{
	size_t len = line->len;

	while (len > 0 && line->buf[len - 1] == ' ')
		len--;
	if (len > 0)
		strbuf_add(out, line->buf, len);
	strbuf_putc(out, '\n');
}

/* The lines of a row in one band; rest[n] is what of each cell is still to be put. */
static void put_band(const struct folded_table *f, size_t band, const char **rest,
		     struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;
	bool more, blank = true;

	do {
		size_t n = 0;

		more = false;
		strbuf_clear(&line);
		if (band)
			strbuf_printf(&line, "%*s", INDENT, "");
		for (size_t j = 0; j < f->n; j++) {
			const struct folded_column *c = &f->column[j];
			const char *next = rest[j];
			size_t len;

			if (c->band != band)
				continue;
			len = *next ? fold_line(rest[j], c->width, &next) : 0;
			strbuf_printf(&line, "%*s", n++ ? GAP : 0, "");
			put_cell(&line, rest[j], len, c->width,
				 out_is_left(f->t->column[c->i].kind));
			blank = blank && len == 0;
			rest[j] = next;
			more = more || *next;
		}
		if (!blank || !band) /* a band without values says nothing */
			put_trimmed_line(out, &line);
	} while (more);
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}

static enum err_code print_rows(const struct folded_table *f, size_t n_bands, FILE *file,
				struct err *e)
{
	const char **rest = calloc(f->n + 1, sizeof *rest);
	struct strbuf out = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t row = 0; rest && row < f->n_lines; row++) {
		for (size_t j = 0; j < f->n; j++)
			rest[j] = f->text[row * f->n + j];
		for (size_t band = 0; band < n_bands; band++)
			put_band(f, band, rest, &out);
	}
	if (!rest || out.failed)
		rc = err_set(e, ERR_NOMEM, "a table of %zu rows", f->n_lines - 1);
	else
		fputs(strbuf_text(&out), file);
	strbuf_release(&out);
	free(rest);
	return rc;
}

/* Print t, but for the columns left_out[], in at most `width` columns if its lines would be wider
 * (fold_width()), and tell so; else nothing. Texts are broken between words; what is still too wide
 * goes on in a line below, indented. Errors: NOMEM. */
static enum err_code table_fold_print(const struct out_table *t, const bool *left_out, size_t width,
				      FILE *file, bool *printed, struct err *e)
{
	struct folded_table f;
	enum err_code rc = ERR_OK;

	*printed = false;
	if (width == 0)
		return ERR_OK;
	if (!folded_table_make(t, left_out, width, &f)) {
		rc = err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t));
		goto done;
	}
	for (size_t j = 0; j < f.n; j++)
		f.column[j].width = f.column[j].natural;
	if (f.n > 0 && total(&f) + f.dropped > width) {
		rc = print_rows(&f, narrow_texts(&f) ? 1 : make_bands(&f), file, e);
		*printed = !rc;
	}
done:
	folded_table_release(&f);
	return rc;
}

/* For people: rounded, aligned, safe on a terminal. folded: see out_table_print_folded(). Errors:
 * NOMEM. */
static enum err_code out_print_lines(const struct out_table *t, bool folded, FILE *f, struct err *e)
{
	bool *left_out;
	bool failed = false, printed = false;
	enum err_code rc = ERR_OK;

	if (out_table_rows(t) == 0)
		return ERR_OK;
	left_out = calloc(t->n_columns, sizeof *left_out);
	if (!left_out)
		return err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t));
	for (size_t j = 0; j < t->n_columns && folded && out_table_rows(t) > 1; j++)
		left_out[j] = is_constant(t, j, &failed);
	if (failed)
		rc = err_set(e, ERR_NOMEM, "a table of %zu rows", out_table_rows(t));
	else if (!(rc = print_folded(t, left_out, f, e)) &&
		 !(rc = table_fold_print(t, left_out, fold_width(f), f, &printed, e)) && !printed)
		rc = print_aligned(t, left_out, f, e);
	free(left_out);
	return rc;
}

static int widest_heading(const struct out_table *t)
{
	size_t widest = 0;

	for (size_t j = 0; j < t->n_columns; j++) {
		const struct out_column *c = &t->column[j];
		size_t len = strlen(out_heading(c));

		if (!t->cell[j].null && len > widest)
			widest = len;
	}
	return (int)widest;
}

/* The one row of t as lines "heading  value". Errors: NOMEM. */
static enum err_code out_print_record(const struct out_table *t, FILE *f, struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	int width = widest_heading(t);
	struct strbuf folded = STRBUF_INIT;
	bool failed;

	for (size_t j = 0; j < t->n_columns; j++) {
		const struct out_column *c = &t->column[j];

		if (t->cell[j].null)
			continue;
		strbuf_printf(&s, "%-*s  ", width, out_heading(c));
		out_put_readable(&s, c->kind, &t->cell[j]);
		strbuf_putc(&s, '\n');
	}
	fold_put(&folded, strbuf_text(&s), fold_width(f), (size_t)width + 2);
	failed = s.failed || folded.failed;
	fputs(strbuf_text(&folded), f);
	strbuf_release(&folded);
	strbuf_release(&s);
	return failed ? err_set(e, ERR_NOMEM, "a record of %zu columns", t->n_columns) : ERR_OK;
}

/* For machines: exact. */
static void put_exact(struct strbuf *s, enum out_kind kind, const struct table_cell *c)
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

/* The members of a row, under the names of the columns. */
static int set_cells(struct json_t *row, const void *table, size_t i)
{
	const struct out_table *t = table;
	int failed = 0;

	for (size_t j = 0; j < t->n_columns && !failed; j++) {
		const struct table_cell *c = &t->cell[i * t->n_columns + j];
		const char *name = t->column[j].name;

		switch (c->null ? OUT_TEXT : t->column[j].kind) {
		case OUT_TEXT:
			failed = member_text(row, name, c->null ? NULL : c->text);
			break;
		case OUT_INT:
			failed = member_int(row, name, c->integer);
			break;
		case OUT_BOOL:
			failed = member_bool(row, name, c->integer);
			break;
		case OUT_REAL:
		case OUT_SECONDS:
		case OUT_PERCENT:
			failed = member_real(row, name, c->real);
			break;
		}
	}
	return failed;
}

struct json_t *out_table_json(const struct out_table *t)
{
	return t->failed ? NULL : out_json_list(set_cells, t, out_table_rows(t));
}

/* {"format_version": 1, "name": value}; takes value over. */
static enum err_code print_json(struct json_t *value, const char *name, FILE *f, struct err *e)
{
	struct json_t *answer = out_json_answer();

	return out_answer(member_value(answer, name, value), answer, "the answer as JSON", f, e);
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
	enum err_code rc = out_table_check(t, e);

	if (rc)
		return rc;
	assert(out_table_rows(t) == 1);
	if (format == FORMAT_TABLE)
		return out_print_record(t, f, e);
	if (format == FORMAT_CSV)
		return print_csv(t, f, e);
	return print_json(out_json_object(set_cells, t), name, f, e);
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

enum err_code out_answer(int failed, struct json_t *answer, const char *what, FILE *f,
			 struct err *e)
{
	enum err_code rc = failed ? err_set(e, ERR_NOMEM, "%s", what) : out_json(answer, f, e);

	out_json_free(answer);
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
