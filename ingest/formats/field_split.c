#include "ingest/formats/field_split.h"

#include <csv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libcsv hands out one buffer again and again, so fields are copied here. Offsets first, pointers
 * at the end: the text may move while it grows. A record without quotes needs no libcsv. */
struct field_split {
	struct csv_parser parser;
	bool parser_ready;
	char delimiter;
	size_t field_max;
	char *text;
	size_t n_text, cap_text;
	size_t *offset;
	const char **field;
	size_t n_fields, cap_fields;
	size_t n_rows;
	enum split_result result;
};

static bool start_parser(struct field_split *s)
{
	if (s->parser_ready)
		csv_free(&s->parser);
	s->parser_ready = csv_init(&s->parser, CSV_STRICT) == 0;
	if (s->parser_ready)
		csv_set_delim(&s->parser, (unsigned char)s->delimiter);
	return s->parser_ready;
}

struct field_split *field_split_new(char delimiter, size_t field_max)
{
	struct field_split *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->delimiter = delimiter;
	s->field_max = field_max;
	if (!start_parser(s)) {
		free(s);
		return NULL;
	}
	return s;
}

static bool grow_fields(struct field_split *s)
{
	size_t cap = s->cap_fields ? s->cap_fields * 2 : 32;
	size_t *offset = realloc(s->offset, cap * sizeof *offset);
	const char **field;

	if (!offset)
		return false;
	s->offset = offset;
	field = realloc(s->field, cap * sizeof *field);
	if (!field)
		return false;
	s->field = field;
	s->cap_fields = cap;
	return true;
}

static bool grow_text(struct field_split *s, size_t want)
{
	size_t cap = s->cap_text ? s->cap_text : 1024;
	char *text;

	while (cap < want)
		cap *= 2;
	text = realloc(s->text, cap);
	if (!text)
		return false;
	s->text = text;
	s->cap_text = cap;
	return true;
}

/* Is there room for one more field of len bytes? */
static bool make_room(struct field_split *s, size_t len)
{
	if (s->result != SPLIT_OK)
		return false;
	if (len > s->field_max)
		s->result = SPLIT_FIELD_TOO_LONG;
	else if ((s->n_fields == s->cap_fields && !grow_fields(s)) ||
		 (s->n_text + len + 1 > s->cap_text && !grow_text(s, s->n_text + len + 1)))
		s->result = SPLIT_NOMEM;
	return s->result == SPLIT_OK;
}

static void take_field(void *data, size_t len, void *arg)
{
	struct field_split *s = arg;

	if (!make_room(s, len))
		return;
	s->offset[s->n_fields++] = s->n_text;
	if (len > 0)
		memcpy(s->text + s->n_text, data, len);
	s->n_text += len;
	s->text[s->n_text++] = '\0';
}

static void take_row(int line_end, void *arg)
{
	struct field_split *s = arg;

	(void)line_end;
	s->n_rows++;
}

/* After an error libcsv would go on in the middle of a field: start afresh. */
static enum split_result give_up(struct field_split *s, enum split_result why)
{
	return start_parser(s) ? why : SPLIT_NOMEM;
}

static enum split_result parse(struct field_split *s, const char *text, size_t n)
{
	if (csv_parse(&s->parser, text, n, take_field, take_row, s) != n)
		return give_up(s, csv_error(&s->parser) == CSV_EPARSE ? SPLIT_STRAY_QUOTE
								      : SPLIT_NOMEM);
	if (s->n_rows > 0) /* libcsv takes any carriage return for a line end */
		return give_up(s, SPLIT_STRAY_CR);
	if (csv_parse(&s->parser, "\n", 1, take_field, take_row, s) != 1)
		return give_up(s, SPLIT_STRAY_QUOTE);
	if (s->n_rows == 0 && s->n_fields > 0)
		return give_up(s, SPLIT_STRAY_QUOTE);
	return s->result;
}

/* ---- records without quotes ---- */

static bool is_plain(const char *text, size_t n)
{
	return !memchr(text, '"', n) && !memchr(text, '\r', n);
}

static bool is_blank(const struct field_split *s, char c)
{
	return (c == ' ' || c == '\t') && c != s->delimiter;
}

/* text[0..len-1] without the blanks around it. */
static void take_trimmed(struct field_split *s, const char *text, size_t len)
{
	while (len > 0 && is_blank(s, text[0]))
		text++, len--;
	while (len > 0 && is_blank(s, text[len - 1]))
		len--;
	take_field((void *)(uintptr_t)text, len, s);
}

/* As libcsv does it, at a fifth of the time: a field is what stands between two delimiters. A
 * record of blanks has none. */
static enum split_result split_plain(struct field_split *s, const char *text, size_t n)
{
	const char *end = text + n;
	const char *delimiter;

	while (text < end && is_blank(s, *text))
		text++;
	if (text == end)
		return SPLIT_OK;
	while ((delimiter = memchr(text, s->delimiter, (size_t)(end - text)))) {
		take_trimmed(s, text, (size_t)(delimiter - text));
		text = delimiter + 1;
	}
	take_trimmed(s, text, (size_t)(end - text));
	return s->result;
}

enum split_result field_split_run(struct field_split *s, const char *text, size_t n,
				  const char ***field, size_t *n_fields)
{
	enum split_result result;

	s->n_fields = 0;
	s->n_text = 0;
	s->n_rows = 0;
	s->result = SPLIT_OK;
	result = is_plain(text, n) ? split_plain(s, text, n) : parse(s, text, n);
	for (size_t i = 0; i < s->n_fields; i++)
		s->field[i] = s->text + s->offset[i];
	*field = s->field;
	*n_fields = s->n_fields;
	return result;
}

void field_split_free(struct field_split *s)
{
	if (!s)
		return;
	csv_free(&s->parser);
	free(s->text);
	free(s->offset);
	free(s->field);
	free(s);
}
