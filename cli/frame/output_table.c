#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): fopencookie() */
#include "cli/frame/output_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include "base/units.h"
#include "cli/frame/fold.h"

/* Where no locale knows UTF-8 (program_locale.c), one ? for each character that is not ASCII. */
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

void out_put_readable(struct strbuf *s, enum out_kind kind, const struct cell *c)
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

const char *out_heading(const struct out_column *c)
{
	return c->heading ? c->heading : c->name;
}

bool out_is_left(enum out_kind kind)
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

enum err_code out_print_lines(const struct out_table *t, bool folded, FILE *f, struct err *e)
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

enum err_code out_print_record(const struct out_table *t, FILE *f, struct err *e)
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
