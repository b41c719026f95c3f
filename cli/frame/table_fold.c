#include <stdlib.h>
#include <string.h>

#include "cli/frame/fold.h"
#include "cli/frame/output_table.h"

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

static char *readable(const struct out_column *c, const struct cell *cell)
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

enum err_code table_fold_print(const struct out_table *t, const bool *left_out, size_t width,
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
