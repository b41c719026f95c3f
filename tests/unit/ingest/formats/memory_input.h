#ifndef MEMORY_INPUT_H
#define MEMORY_INPUT_H
/* A text as the file that a reader of a foreign format gets, in pieces of a few bytes. */
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/formats/foreign_format.h"

struct memory_input {
	const char *text;
	size_t n, used, piece;
};

static inline enum err_code memory_read(void *arg, void *buf, size_t cap, size_t *n, struct err *e)
{
	struct memory_input *m = arg;
	size_t left = m->n - m->used;

	(void)e;
	*n = left < m->piece ? left : m->piece;
	*n = *n < cap ? *n : cap;
	memcpy(buf, m->text + m->used, *n);
	m->used += *n;
	return ERR_OK;
}

/* What the format makes of the text; NULL: an error, which is in *e. */
static inline struct foreign_table *read_format(const char *format, const char *text, size_t piece,
						struct err *e)
{
	struct memory_input m = {text, strlen(text), 0, piece};
	struct foreign_input *in = NULL;
	struct foreign_table *t = NULL;

	*e = (struct err){0};
	if (!foreign_input_new("f", memory_read, &m, 0, &in, e) &&
	    !foreign_table_new("f", FOREIGN_BYTES_MAX, &t, e) &&
	    foreign_format_find(format)->read(in, t, e)) {
		foreign_table_free(t);
		t = NULL;
	}
	foreign_input_free(in);
	return t;
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

#endif
