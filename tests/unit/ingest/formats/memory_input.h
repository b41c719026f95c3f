#ifndef MEMORY_INPUT_H
#define MEMORY_INPUT_H
/* A text as the file that a reader of a foreign format gets, in pieces of a few bytes, with what
 * the user says of it; and the table that comes of it. */
#include "tests/support/check.h"

#include "base/strbuf.h"
#include "ingest/formats/foreign_format.h"

struct memory_input {
	const char *text;
	size_t n, used, piece; /* piece 0: as much as is asked for */
};

static inline enum err_code memory_read(void *arg, void *buf, size_t cap, size_t *n, struct err *e)
{
	struct memory_input *m = arg;
	size_t left = m->n - m->used;

	*n = m->piece && m->piece < left ? m->piece : left;
	*n = *n < cap ? *n : cap;
	memcpy(buf, m->text + m->used, *n);
	m->used += *n;
	return ERR_OK;
}

/* *out is written on success only. */
static inline enum err_code read_pieces(const char *format, const char *text, size_t piece,
					const struct foreign_choice *choice,
					struct foreign_table **out, struct err *e)
{
	struct memory_input m = {text, strlen(text), 0, piece};
	struct foreign_input *in = NULL;
	struct foreign_table *t = NULL;
	enum err_code rc;

	if ((rc = foreign_input_new("f", memory_read, &m, 0, &in, e)) ||
	    (rc = foreign_table_new("f", FOREIGN_BYTES_MAX, &t, e)))
		goto done;
	if (choice)
		foreign_input_set_choice(in, choice);
	rc = foreign_format_find(format)->read(in, t, e);
done:
	foreign_input_free(in);
	if (rc)
		foreign_table_free(t);
	else
		*out = t;
	return rc;
}

static inline enum err_code read_chosen(const char *format, const char *text,
					const struct foreign_choice *choice,
					struct foreign_table **out, struct err *e)
{
	return read_pieces(format, text, 0, choice, out, e);
}

/* What the format makes of the text; NULL: an error, which is in *e. */
static inline struct foreign_table *read_format(const char *format, const char *text, size_t piece,
						struct err *e)
{
	struct foreign_table *t = NULL;

	*e = (struct err){0};
	return read_pieces(format, text, piece, NULL, &t, e) ? NULL : t;
}

/* The cell of a row; "<none>" where there is no such column. */
static inline const char *cell(const struct foreign_table *t, size_t row, const char *column)
{
	const char *field[64];

	assert_true(foreign_table_n_columns(t) <= 64);
	assert_true(row < foreign_table_n_rows(t));
	foreign_table_row(t, row, field);
	for (size_t i = 0; i < foreign_table_n_columns(t); i++) {
		if (strcmp(foreign_table_column_name(t, i), column) == 0)
			return field[i];
	}
	return "<none>";
}

static inline struct foreign_record record(const struct foreign_table *t, size_t row)
{
	const char *field[64];

	assert_true(row < foreign_table_n_rows(t));
	return foreign_table_row(t, row, field);
}

/* "a,b?|1,2|3,": the header, whose columns without a unit are marked, and the rows; a refused row
 * is "!LINE". The caller frees. */
static inline char *table_text(const struct foreign_table *t)
{
	struct strbuf s = STRBUF_INIT;
	const char *field[64];
	size_t n = foreign_table_n_columns(t);

	assert_true(n <= 64);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&s, "%s%s%s", i ? "," : "", foreign_table_column_name(t, i),
			      foreign_table_needs_unit(t, i) ? "?" : "");
	for (size_t k = 0; k < foreign_table_n_rows(t); k++) {
		struct foreign_record row = foreign_table_row(t, k, field);

		if (row.bad)
			strbuf_printf(&s, "|!%d", (int)row.line);
		for (size_t i = 0; !row.bad && i < n; i++)
			strbuf_printf(&s, "%s%s", i ? "," : "|", field[i]);
	}
	assert_false(s.failed);
	return s.buf ? s.buf : strdup("");
}

static inline void check_table(const char *format, const char *text,
			       const struct foreign_choice *choice, const char *want)
{
	struct foreign_table *t = NULL;
	HEAP char *got;

	must(read_chosen(format, text, choice, &t, &err));
	got = table_text(t);
	assert_string_equal(got, want);
	foreign_table_free(t);
}

static inline void check_refused(const char *format, const char *text,
				 const struct foreign_choice *choice, const char *message)
{
	struct foreign_table *t = NULL;
	struct err e = {0};
	enum err_code rc = read_chosen(format, text, choice, &t, &e);

	if (rc != ERR_PARSE || strncmp(e.msg, message, strlen(message)) != 0)
		print_error("'%s'\n    does not begin with\n'%s'\n", e.msg, message);
	assert_int_equal(rc, ERR_PARSE);
	assert_int_equal(strncmp(e.msg, message, strlen(message)), 0);
}

/* The format that recognises the text. */
static inline const char *recognised(const char *text)
{
	const struct foreign_format *f = foreign_format_recognise(text, strlen(text), true);

	return f ? f->name : "csv";
}

#endif
