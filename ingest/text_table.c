#include "ingest/text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compare.h"
#include "base/strbuf.h"
#include "base/text_form.h"
#include "ingest/formats/field_split.h"
#include "ingest/record_reader.h"

struct text_table {
	struct record_reader *reader; /* NULL: rows has the records, source is only asked about */
	struct byte_source *source;
	struct foreign_table *rows;
	size_t i_row;
	const char **field; /* [n_columns] of the row */
	struct strbuf raw;
	struct field_split *split;
	uint64_t header_line;
	char *header_raw;
	char delimiter;
	bool outer_bars; /* as JUBE, Markdown and psql write tables: | a | b | */
	struct number_style number_style;
	char **column;
	size_t n_columns;
	/* Where columns of sizes were split, of each column of the file: its name, and how many
	 * columns it is; NULL: the columns are those of the file. */
	struct file_column {
		char *name;
		size_t n_parts;
	} * file;
	size_t n_in_file;
	const char **cell; /* [n_columns] of the row */
	struct strbuf sizes;
	struct strbuf bad;
};

static size_t n_in_file(const struct text_table *t)
{
	return t->file ? t->n_in_file : t->n_columns;
}

static const char *name_in_file(const struct text_table *t, size_t i)
{
	return t->file ? t->file[i].name : t->column[i];
}

static void refuse(struct text_table *t, struct table_record *out, const char *kind)
{
	out->bad_kind = kind;
	out->bad = strbuf_text(&t->bad);
}

/* What the splitter could not do. Only running out of memory is an error. */
static enum err_code judge_split(struct text_table *t, enum split_result result,
				 struct table_record *out, struct err *e)
{
	switch (result) {
	case SPLIT_OK:
		break;
	case SPLIT_STRAY_QUOTE:
		strbuf_printf(
			&t->bad,
			"field %zu has a quote in the middle: quote the whole field and double "
			"the quotes in it",
			out->n_fields + 1);
		refuse(t, out, "a quote in the middle of a field");
		break;
	case SPLIT_STRAY_CR:
		strbuf_puts(&t->bad, "a carriage return in the middle of the line: end lines with "
				     "LF or CR LF");
		refuse(t, out, "a carriage return in the middle of a line");
		break;
	case SPLIT_FIELD_TOO_LONG:
		strbuf_printf(&t->bad, "field %zu is longer than %d MiB", out->n_fields + 1,
			      TABLE_FIELD_MAX >> 20);
		refuse(t, out, "a field that is too long");
		break;
	case SPLIT_NOMEM:
		return err_set(e, ERR_NOMEM, "%s:%llu: no memory for the record",
			       text_table_name(t), (unsigned long long)out->line);
	}
	return ERR_OK;
}

/* Files that were put one behind the other, each with its header. */
static bool is_header_again(const struct text_table *t, const struct table_record *r)
{
	return t->header_raw && r->line != t->header_line && r->raw_len == strlen(t->header_raw) &&
	       memcmp(r->raw, t->header_raw, r->raw_len) == 0;
}

static void judge_text(struct text_table *t, struct table_record *out)
{
	size_t invalid = utf8_first_invalid(out->raw, out->raw_len);

	if (invalid < out->raw_len) {
		strbuf_printf(&t->bad,
			      "byte 0x%02x at position %zu is not valid UTF-8 (of Latin 1, "
			      "`iconv -f LATIN1 -t UTF-8` makes it)",
			      (unsigned char)out->raw[invalid], invalid + 1);
		refuse(t, out, "not valid UTF-8");
	} else if (n_in_file(t) > 0 && out->n_fields != n_in_file(t)) {
		strbuf_printf(&t->bad, "%zu fields where the header has %zu", out->n_fields,
			      n_in_file(t));
		refuse(t, out, "another number of fields than the header");
	} else if (is_header_again(t, out)) {
		strbuf_puts(&t->bad, "the header again");
		refuse(t, out, "the header again");
	}
}

/* ---- columns of sizes ---- */

/* The parts of a cell into t->sizes, each with its NUL. */
static void split_cell(struct text_table *t, struct table_record *out, size_t i)
{
	const struct file_column *file = &t->file[i];
	const char *text = out->field[i];
	const bool missing = cell_is_missing(text);
	struct cell_size size[CELL_SIZES_MAX] = {{"", 0}};

	if (!missing && cell_sizes(text, size) != file->n_parts) {
		strbuf_printf(&t->bad, "%s: '%.60s' is not %zu sizes, such as %s", file->name, text,
			      file->n_parts, &"256x256x256x256"[4 * (4 - file->n_parts)]);
		refuse(t, out, "a cell of sizes that is something else");
		return;
	}
	for (size_t k = 0; k < file->n_parts; k++) {
		if (!missing)
			strbuf_add(&t->sizes, size[k].text, size[k].len);
		strbuf_putc(&t->sizes, '\0');
	}
}

/* The text of all parts first: where it is, is known when it grows no more. */
static void split_cells(struct text_table *t, struct table_record *out)
{
	const char *part;
	size_t n = 0;

	strbuf_clear(&t->sizes);
	for (size_t i = 0; i < t->n_in_file && !out->bad; i++) {
		if (t->file[i].n_parts > 1)
			split_cell(t, out, i);
	}
	if (out->bad || t->sizes.failed)
		return;
	part = strbuf_text(&t->sizes);
	for (size_t i = 0; i < t->n_in_file; i++) {
		if (t->file[i].n_parts == 1)
			t->cell[n++] = out->field[i];
		for (size_t k = 0; t->file[i].n_parts > 1 && k < t->file[i].n_parts; k++) {
			t->cell[n++] = part;
			part += strlen(part) + 1;
		}
	}
	out->field = t->cell;
	out->n_fields = n;
}

static enum err_code finish_record(struct text_table *t, struct table_record *out, struct err *e)
{
	if (t->file && !out->bad)
		split_cells(t, out);
	if (t->bad.failed || t->sizes.failed)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	return ERR_OK;
}

/* ---- rows of other programs' files ---- */

/* The cells as a line of CSV would have them, and whether each is short enough. */
static void put_cells(struct text_table *t, struct table_record *out)
{
	for (size_t i = 0; i < n_in_file(t); i++) {
		if (i > 0)
			strbuf_putc(&t->raw, t->delimiter);
		strbuf_puts(&t->raw, t->field[i]);
		if (out->bad || strlen(t->field[i]) <= TABLE_FIELD_MAX)
			continue;
		strbuf_printf(&t->bad, "%s is longer than %d MiB", name_in_file(t, i),
			      TABLE_FIELD_MAX >> 20);
		refuse(t, out, "a field that is too long");
	}
}

/* A row made of a foreign file. */
static enum err_code next_foreign(struct text_table *t, struct table_record *out, struct err *e)
{
	struct foreign_record row;

	*out = (struct table_record){0};
	if (t->i_row == foreign_table_n_rows(t->rows))
		return ERR_OK;
	row = foreign_table_row(t->rows, t->i_row++, t->field);
	strbuf_clear(&t->bad);
	strbuf_clear(&t->raw);
	out->line = row.line;
	out->bad = row.bad;
	out->bad_kind = row.bad_kind;
	if (row.bad)
		strbuf_puts(&t->raw, row.text);
	else
		put_cells(t, out);
	out->raw = strbuf_text(&t->raw);
	out->raw_len = t->raw.len;
	out->field = t->field;
	out->n_fields = n_in_file(t);
	if (!out->bad)
		judge_text(t, out);
	if (t->raw.failed)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	return finish_record(t, out, e);
}

/* ---- rows of a delimited table ---- */

static size_t find_in_file(const struct text_table *t, const char *name)
{
	for (size_t i = 0; t->file && i < t->n_in_file; i++) {
		if (strcasecmp(t->file[i].name, name) == 0)
			return i;
	}
	return t->file ? SIZE_MAX : text_table_find(t, name);
}

/* The header of another table, appended to this one: half of its fields or more, two at least, name
 * columns of this one, and not all of them are what they are here. */
static bool is_other_header(const struct text_table *t, const struct table_record *r)
{
	size_t n_named = 0, n_other = 0;

	/* as nearly every row has: no time is lost */
	for (size_t i = 0; i < r->n_fields; i++) {
		if (*r->field[i] >= '0' && *r->field[i] <= '9')
			return false;
	}
	for (size_t i = 0; i < r->n_fields; i++) {
		const size_t at = *r->field[i] ? find_in_file(t, r->field[i]) : i;

		n_named += at != SIZE_MAX && *r->field[i];
		n_other += at != i;
	}
	return n_other > 0 && n_named >= 2 && 2 * n_named >= r->n_fields;
}

static bool has_outer_bars(const struct table_record *r)
{
	return r->n_fields > 2 && !*r->field[0] && !*r->field[r->n_fields - 1];
}

static void drop_outer_fields(struct table_record *r)
{
	r->field++;
	r->n_fields -= 2;
}

enum err_code text_table_next(struct text_table *t, struct table_record *out, struct err *e)
{
	enum split_result result;
	struct raw_record raw;
	enum err_code rc;

	if (t->rows)
		return next_foreign(t, out, e);
	if ((rc = record_reader_next(t->reader, &raw, e)))
		return rc;
	*out = (struct table_record){.line = raw.line, .raw = raw.text, .raw_len = raw.len};
	if (!raw.text)
		return ERR_OK;
	strbuf_clear(&t->bad);
	result = field_split_run(t->split, raw.text, raw.len, &out->field, &out->n_fields);
	if ((rc = judge_split(t, result, out, e)))
		return rc;
	if (!out->bad && t->outer_bars && has_outer_bars(out))
		drop_outer_fields(out);
	if (!out->bad)
		judge_text(t, out);
	if (!out->bad && t->column && is_other_header(t, out))
		return err_set(
			e, ERR_PARSE,
			"%s:%llu: another header, with other columns or in another order: "
			"rows below it would be misread. Import the tables as files of their own",
			text_table_name(t), (unsigned long long)out->line);
	return finish_record(t, out, e);
}

/* Two columns of one name could not be told apart. Empty headers are nameless, not equal. */
static enum err_code check_names(const struct text_table *t, struct err *e)
{
	const char **sorted = calloc(t->n_columns, sizeof *sorted);
	enum err_code rc = ERR_OK;

	if (!sorted)
		return err_set(e, ERR_NOMEM, "%s: no memory for the header", text_table_name(t));
	for (size_t i = 0; i < t->n_columns; i++)
		sorted[i] = t->column[i];
	qsort(sorted, t->n_columns, sizeof *sorted, compare_texts);
	for (size_t i = 1; i < t->n_columns && !rc; i++) {
		if (*sorted[i] && strcmp(sorted[i - 1], sorted[i]) == 0)
			rc = err_set(e, ERR_PARSE, "%s:%llu: two columns are called '%s'",
				     text_table_name(t), (unsigned long long)t->header_line,
				     sorted[i]);
	}
	free(sorted);
	return rc;
}

static enum err_code keep_header(struct text_table *t, const struct table_record *header,
				 struct err *e)
{
	t->header_line = header->line;
	t->header_raw = strndup(header->raw, header->raw_len);
	t->column = calloc(header->n_fields, sizeof *t->column);
	if (!t->header_raw || !t->column)
		return err_set(e, ERR_NOMEM, "%s: no memory for the header", text_table_name(t));
	for (; t->n_columns < header->n_fields; t->n_columns++) {
		t->column[t->n_columns] = strdup(header->field[t->n_columns]);
		if (!t->column[t->n_columns])
			return err_set(e, ERR_NOMEM, "%s: no memory for the header",
				       text_table_name(t));
	}
	return check_names(t, e);
}

static enum err_code read_header(struct text_table *t, char delimiter, struct err *e)
{
	struct table_record header;
	enum err_code rc;

	if ((rc = record_reader_detect_delimiter(t->reader, delimiter, &t->delimiter, e)))
		return rc;
	t->split = field_split_new(t->delimiter, TABLE_FIELD_MAX);
	if (!t->split)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	if ((rc = text_table_next(t, &header, e)))
		return rc;
	if (!header.raw)
		return err_set(e, ERR_PARSE,
			       "%s: empty: a header line with the columns' names is wanted",
			       text_table_name(t));
	if (header.bad)
		return err_set(e, ERR_PARSE, "%s:%llu: the header: %s", text_table_name(t),
			       (unsigned long long)header.line, header.bad);
	if ((t->outer_bars = t->delimiter == '|' && has_outer_bars(&header)))
		drop_outer_fields(&header);
	if (header.n_fields > TABLE_COLUMNS_MAX)
		return err_set(e, ERR_PARSE, "%s:%llu: %zu columns, at most %d are taken",
			       text_table_name(t), (unsigned long long)header.line, header.n_fields,
			       TABLE_COLUMNS_MAX);
	return keep_header(t, &header, e);
}

enum err_code text_table_open_source(struct byte_source *source, char delimiter,
				     struct text_table **out, struct err *e)
{
	struct text_table *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t) {
		byte_source_close(source);
		return err_set(e, ERR_NOMEM, "no memory to read a table");
	}
	if ((rc = record_reader_new(source, &t->reader, e)) ||
	    (rc = read_header(t, delimiter, e))) {
		text_table_close(t);
		return rc;
	}
	t->number_style = number_style_plain;
	*out = t;
	return ERR_OK;
}

enum err_code text_table_open(const char *path, char delimiter, struct text_table **out,
			      struct err *e)
{
	struct byte_source *source = NULL;
	enum err_code rc = byte_source_open(path, &source, e);

	return rc ? rc : text_table_open_source(source, delimiter, out, e);
}

static enum err_code refuse_column(const struct text_table *t, size_t i, struct err *e)
{
	return err_set(e, ERR_PARSE, "%s:%llu: the name of column %zu is not valid UTF-8",
		       text_table_name(t), (unsigned long long)t->header_line, i + 1);
}

static enum err_code keep_columns(struct text_table *t, struct err *e)
{
	size_t n = foreign_table_n_columns(t->rows);
	struct strbuf header = STRBUF_INIT;

	t->column = calloc(n + 1, sizeof *t->column);
	t->field = calloc(n + 1, sizeof *t->field);
	for (size_t i = 0; t->column && i < n; i++) {
		const char *name = foreign_table_column_name(t->rows, i);

		if (utf8_first_invalid(name, strlen(name)) < strlen(name)) {
			strbuf_release(&header);
			return refuse_column(t, i, e);
		}
		strbuf_printf(&header, "%s%s", i ? "," : "", name);
		if (!(t->column[i] = strdup(name)))
			break;
		t->n_columns++;
	}
	t->header_raw = header.failed ? NULL : strdup(strbuf_text(&header));
	strbuf_release(&header);
	if (!t->column || !t->field || t->n_columns < n || !t->header_raw)
		return err_set(e, ERR_NOMEM, "%s: no memory for the header", text_table_name(t));
	return ERR_OK;
}

enum err_code text_table_open_foreign(struct byte_source *source, struct foreign_table *rows,
				      struct text_table **out, struct err *e)
{
	struct text_table *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t) {
		byte_source_close(source);
		foreign_table_free(rows);
		return err_set(e, ERR_NOMEM, "no memory to read a table");
	}
	t->source = source;
	t->rows = rows;
	t->header_line = foreign_table_header_line(rows);
	t->delimiter = ',';
	t->number_style = number_style_plain;
	if ((rc = keep_columns(t, e))) {
		text_table_close(t);
		return rc;
	}
	*out = t;
	return ERR_OK;
}

enum err_code text_table_rewind(struct text_table *t, struct err *e)
{
	struct table_record header;
	enum err_code rc;

	if (t->rows) {
		t->i_row = 0;
		return ERR_OK;
	}
	if ((rc = record_reader_rewind(t->reader, e)))
		return rc;
	return text_table_next(t, &header, e);
}

struct number_style text_table_number_style(const struct text_table *t)
{
	return t->number_style;
}

void text_table_set_number_style(struct text_table *t, struct number_style style)
{
	t->number_style = style;
}

/* What the columns of the file are, before the first is split. */
static enum err_code keep_file_columns(struct text_table *t, struct err *e)
{
	if (t->file)
		return ERR_OK;
	t->file = calloc(t->n_columns, sizeof *t->file);
	if (!t->file)
		return err_set(e, ERR_NOMEM, "%s: no memory for the header", text_table_name(t));
	t->n_in_file = t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++) {
		t->file[i] = (struct file_column){strdup(t->column[i]), 1};
		if (!t->file[i].name)
			return err_set(e, ERR_NOMEM, "%s: no memory for the header",
				       text_table_name(t));
	}
	return ERR_OK;
}

/* Which column of the file is shown as column i. */
static size_t column_in_file(const struct text_table *t, size_t i)
{
	size_t k = 0;

	for (size_t shown = t->file[0].n_parts; shown <= i; shown += t->file[k].n_parts)
		k++;
	return k;
}

enum err_code text_table_split(struct text_table *t, size_t i, const char *const *part,
			       size_t n_parts, struct err *e)
{
	const size_t n = t->n_columns + n_parts - 1;
	const char **cell = calloc(n, sizeof *cell);
	char **column = calloc(n, sizeof *column);
	enum err_code rc = keep_file_columns(t, e);
	bool failed = !cell || !column;

	assert(n_parts >= 2 && n_parts <= CELL_SIZES_MAX);
	for (size_t k = 0; !rc && !failed && k < n_parts; k++)
		failed = !(column[i + k] = strdup(part[k]));
	if (rc || failed) {
		for (size_t k = 0; column && k < n_parts; k++)
			free(column[i + k]);
		free(column);
		free(cell);
		return rc ? rc
			  : err_set(e, ERR_NOMEM, "%s: no memory for the header",
				    text_table_name(t));
	}
	t->file[column_in_file(t, i)].n_parts = n_parts;
	memcpy(column, t->column, i * sizeof *column);
	memcpy(column + i + n_parts, t->column + i + 1, (t->n_columns - i - 1) * sizeof *column);
	free(t->column[i]);
	free(t->column);
	free(t->cell);
	t->column = column;
	t->cell = cell;
	t->n_columns = n;
	return check_names(t, e);
}

void text_table_unsplit(struct text_table *t)
{
	if (!t->file)
		return;
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	for (size_t i = 0; i < t->n_in_file; i++)
		t->column[i] = t->file[i].name; /* no fewer were shown */
	t->n_columns = t->n_in_file;
	free(t->file);
	t->file = NULL;
}

size_t text_table_find(const struct text_table *t, const char *column)
{
	size_t loose = SIZE_MAX;

	for (size_t i = 0; i < t->n_columns; i++) {
		if (strcmp(t->column[i], column) == 0)
			return i;
		if (loose == SIZE_MAX && strcasecmp(t->column[i], column) == 0)
			loose = i;
	}
	return loose;
}

const char *text_table_name(const struct text_table *t)
{
	return byte_source_name(text_table_source(t));
}

size_t text_table_n_columns(const struct text_table *t)
{
	return t->n_columns;
}

const char *text_table_column(const struct text_table *t, size_t i)
{
	assert(i < t->n_columns);
	return t->column[i];
}

bool text_table_is_foreign(const struct text_table *t)
{
	return t->rows != NULL;
}

bool text_table_needs_unit(const struct text_table *t, size_t i)
{
	return t->rows && foreign_table_needs_unit(t->rows, t->file ? column_in_file(t, i) : i);
}

uint64_t text_table_header_line(const struct text_table *t)
{
	return t->header_line;
}

const char *text_table_header_raw(const struct text_table *t)
{
	return t->header_raw;
}

char text_table_delimiter(const struct text_table *t)
{
	return t->delimiter;
}

const struct byte_source *text_table_source(const struct text_table *t)
{
	return t->rows ? t->source : record_reader_source(t->reader);
}

void text_table_close(struct text_table *t)
{
	if (!t)
		return;
	record_reader_close(t->reader);
	byte_source_close(t->source);
	foreign_table_free(t->rows);
	free(t->field);
	strbuf_release(&t->raw);
	field_split_free(t->split);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	free(t->column);
	for (size_t i = 0; t->file && i < t->n_in_file; i++)
		free(t->file[i].name);
	free(t->file);
	free(t->cell);
	strbuf_release(&t->sizes);
	free(t->header_raw);
	strbuf_release(&t->bad);
	free(t);
}
