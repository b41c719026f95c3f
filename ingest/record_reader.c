#include "ingest/record_reader.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/byte_source.h"

/* Where one record of a table ends. libcsv splits a record into fields but keeps neither its text
 * nor its line; so the text is cut into records first. */
struct record_frame {
	size_t len;	     /* of the record, without its line end */
	size_t len_with_end; /* with it */
	size_t n_newlines;   /* in len_with_end */
	size_t open_quote;   /* not complete: offset of the quote still open, SIZE_MAX: none is */
};

static bool complete_at(const char *text, size_t newline, struct record_frame *out)
{
	out->n_newlines++;
	out->len_with_end = newline + 1;
	out->len = newline;
	if (newline > 0 && text[newline - 1] == '\r')
		out->len--;
	return true;
}

/* From just behind an opening quote: the offset behind the closing one, n if it is not there. */
static size_t skip_quoted(const char *text, size_t n, size_t at, size_t *n_newlines)
{
	for (; at < n; at++) {
		if (text[at] == '\n') {
			(*n_newlines)++;
		} else if (text[at] == '"') {
			if (at + 1 >= n || text[at + 1] != '"')
				return at + 1;
			at++; /* "" stands for one quote */
		}
	}
	return n;
}

/* The slow way, for records with quotes in them. */
static bool find_quoted(const char *text, size_t n, char delimiter, struct record_frame *out)
{
	bool at_field_start = true;
	size_t at = 0;

	while (at < n) {
		char c = text[at];

		if (c == '\n')
			return complete_at(text, at, out);
		if (c == '"' && at_field_start) {
			out->open_quote = at;
			at = skip_quoted(text, n, at + 1, &out->n_newlines);
			if (at == n) /* open, or closed by the last byte: more text will tell */
				return false;
			out->open_quote = SIZE_MAX;
			at_field_start = false;
			continue;
		}
		at_field_start = c == delimiter || (at_field_start && (c == ' ' || c == '\t'));
		at++;
	}
	return false;
}

/* Find the end of the record at text[0..n-1]; false if the text ends before the record does. A
 * quote opens only at the beginning of a field, as in libcsv; elsewhere it is the splitter's to
 * refuse, and does not swallow the lines below. */
static bool record_frame_find(const char *text, size_t n, char delimiter, struct record_frame *out)
{
	const char *newline = memchr(text, '\n', n);

	*out = (struct record_frame){.open_quote = SIZE_MAX};
	if (newline && !memchr(text, '"', (size_t)(newline - text)))
		return complete_at(text, (size_t)(newline - text), out);
	return find_quoted(text, n, delimiter, out);
}

/* The end of a line without quoting: a comment. */
static bool record_frame_line(const char *text, size_t n, struct record_frame *out)
{
	const char *newline = memchr(text, '\n', n);

	*out = (struct record_frame){.open_quote = SIZE_MAX};
	return newline && complete_at(text, (size_t)(newline - text), out);
}

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

enum { BUFFER_FIRST = 256 * 1024 };

struct record_reader {
	struct byte_source *source;
	char *buf; /* buf[from..to-1] is read and not yet handed out */
	size_t from, to, cap;
	bool at_eof;
	uint64_t line; /* of buf[from] */
	char delimiter;
};

enum err_code record_reader_new(struct byte_source *source, struct record_reader **out,
				struct err *e)
{
	struct record_reader *r = calloc(1, sizeof *r);

	if (!r || !(r->buf = malloc(BUFFER_FIRST))) {
		enum err_code rc =
			err_set(e, ERR_NOMEM, "%s: no memory to read it", byte_source_name(source));

		free(r);
		byte_source_close(source);
		return rc;
	}
	r->source = source;
	r->cap = BUFFER_FIRST;
	r->line = 1;
	r->delimiter = ',';
	*out = r;
	return ERR_OK;
}

/* More bytes behind buf[to]. At the end of the input a missing last line end is made up, so that
 * every record ends with one. */
static enum err_code read_more(struct record_reader *r, struct err *e)
{
	enum err_code rc;
	size_t n;

	if (r->from > 0) {
		memmove(r->buf, r->buf + r->from, r->to - r->from);
		r->to -= r->from;
		r->from = 0;
	}
	if (r->to + 1 >= r->cap) {
		size_t cap = r->cap * 2;
		char *grown = realloc(r->buf, cap);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%s: a line buffer of %zu bytes",
				       record_reader_name(r), cap);
		r->buf = grown;
		r->cap = cap;
	}
	if ((rc = byte_source_read(r->source, r->buf + r->to, r->cap - r->to - 1, &n, e)))
		return rc;
	r->to += n;
	if (n == 0) {
		r->at_eof = true;
		if (r->to > 0 && r->buf[r->to - 1] != '\n')
			r->buf[r->to++] = '\n';
	}
	return ERR_OK;
}

static uint64_t count_newlines(const char *text, size_t n)
{
	const char *end = text + n;
	uint64_t count = 0;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		count++;
		text++;
	}
	return count;
}

static uint64_t line_of(const struct record_reader *r, size_t offset)
{
	return r->line + count_newlines(r->buf + r->from, offset);
}

/* The record at buf[from] has no end: get more of it, or say why that is hopeless. */
static enum err_code extend(struct record_reader *r, const struct record_frame *f, struct err *e)
{
	const char *name = record_reader_name(r);

	if (r->at_eof) /* the input ends with a line end: only an open quote can hide it */
		return err_set(e, ERR_PARSE, "%s:%llu: the quote that opens here is never closed",
			       name, (unsigned long long)line_of(r, f->open_quote));
	if (r->to - r->from <= RECORD_MAX)
		return read_more(r, e);
	if (f->open_quote != SIZE_MAX)
		return err_set(e, ERR_PARSE,
			       "%s:%llu: the quote that opens here is not closed within %d MiB: is "
			       "the closing one missing?",
			       name, (unsigned long long)line_of(r, f->open_quote),
			       RECORD_MAX >> 20);
	return err_set(e, ERR_PARSE, "%s:%llu: a line of more than %d MiB is no record of a table",
		       name, (unsigned long long)r->line, RECORD_MAX >> 20);
}

static void consume(struct record_reader *r, const struct record_frame *f)
{
	r->from += f->len_with_end;
	r->line += f->n_newlines;
}

static bool is_blank_line(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] != ' ' && text[i] != '\t')
			return false;
	}
	return true;
}

/* Go to the next line that is neither blank nor a comment; *at_end if there is none. */
static enum err_code skip_to_record(struct record_reader *r, bool *at_end, struct err *e)
{
	for (;;) {
		struct record_frame f = {.open_quote = SIZE_MAX};
		const char *text = r->buf + r->from;
		size_t n = r->to - r->from;
		enum err_code rc;

		*at_end = n == 0 && r->at_eof;
		if (*at_end)
			return ERR_OK;
		if (n > 0 && text[0] != '#' && !strchr(" \t\r\n", text[0]))
			return ERR_OK;
		if (n > 0 && record_frame_line(text, n, &f)) {
			if (text[0] != '#' && !is_blank_line(text, f.len))
				return ERR_OK;
			consume(r, &f);
		} else if ((rc = extend(r, &f, e))) {
			return rc;
		}
	}
}

static enum err_code check_bytes(const struct record_reader *r, const char *text, size_t n,
				 struct err *e)
{
	const char *nul = memchr(text, '\0', n);

	if (!nul)
		return ERR_OK;
	return err_set(e, ERR_PARSE, "%s:%llu: a NUL byte: this is not a text file",
		       record_reader_name(r), (unsigned long long)line_of(r, (size_t)(nul - text)));
}

/* Frame the record at buf[from], which is neither blank nor a comment. */
static enum err_code frame_record(struct record_reader *r, struct record_frame *f, struct err *e)
{
	enum err_code rc;

	while (!record_frame_find(r->buf + r->from, r->to - r->from, r->delimiter, f)) {
		if ((rc = check_bytes(r, r->buf + r->from, r->to - r->from, e)) ||
		    (rc = extend(r, f, e)))
			return rc;
	}
	return check_bytes(r, r->buf + r->from, f->len, e);
}

/* A UTF-8 byte order mark is no part of the first header. */
static enum err_code skip_byte_order_mark(struct record_reader *r, struct err *e)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t n_mark = sizeof mark - 1;
	enum err_code rc;

	while (r->to < n_mark && !r->at_eof) {
		if ((rc = read_more(r, e)))
			return rc;
	}
	if (r->to >= n_mark && memcmp(r->buf, mark, n_mark) == 0)
		r->from = n_mark;
	return ERR_OK;
}

/* Count what could be delimiters up to the line end at text[*end]; false if that is not there yet.
 */
static bool count_delimiters(const char *text, size_t n, const char *candidates, size_t *count)
{
	bool quoted = false;

	memset(count, 0, strlen(candidates) * sizeof *count);
	for (size_t i = 0; i < n; i++) {
		const char *hit;

		if (text[i] == '"')
			quoted = !quoted;
		else if (quoted || text[i] == '\0')
			continue;
		else if (text[i] == '\n')
			return true;
		else if ((hit = strchr(candidates, text[i])))
			count[hit - candidates]++;
	}
	return false;
}

enum err_code record_reader_detect_delimiter(struct record_reader *r, char wanted, char *out,
					     struct err *e)
{
	static const char candidates[] = ",;\t|"; /* a bar: sacct --parsable2 */
	size_t count[sizeof candidates - 1];
	size_t best = 0;
	enum err_code rc;
	bool at_end;

	if ((rc = skip_byte_order_mark(r, e)) || (rc = skip_to_record(r, &at_end, e)))
		return rc;
	if (wanted) {
		*out = r->delimiter = wanted;
		return ERR_OK;
	}
	while (!count_delimiters(r->buf + r->from, r->to - r->from, candidates, count) &&
	       !r->at_eof && r->to - r->from <= RECORD_MAX) {
		if ((rc = read_more(r, e)))
			return rc;
	}
	for (size_t i = 1; i < sizeof count / sizeof count[0]; i++) {
		if (count[i] > count[best])
			best = i;
	}
	for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
		if (i != best && count[i] > 0 && count[i] == count[best])
			return err_set(
				e, ERR_PARSE,
				"%s:%llu: the header has as many '%s' as '%s': which one "
				"separates columns? Say --delimiter, or quote the headers that "
				"contain the other",
				record_reader_name(r), (unsigned long long)r->line,
				candidates[best] == '\t' ? "tab" : (char[]){candidates[best], 0},
				candidates[i] == '\t' ? "tab" : (char[]){candidates[i], 0});
	}
	*out = r->delimiter = candidates[best];
	return ERR_OK;
}

enum err_code record_reader_rewind(struct record_reader *r, struct err *e)
{
	enum err_code rc = byte_source_rewind(r->source, e);

	if (rc)
		return rc;
	r->from = r->to = 0;
	r->at_eof = false;
	r->line = 1;
	return skip_byte_order_mark(r, e);
}

enum err_code record_reader_next(struct record_reader *r, struct raw_record *out, struct err *e)
{
	struct record_frame f;
	enum err_code rc;
	bool at_end;

	if ((rc = skip_to_record(r, &at_end, e)))
		return rc;
	*out = (struct raw_record){.line = r->line};
	if (at_end)
		return ERR_OK;
	if ((rc = frame_record(r, &f, e)))
		return rc;
	out->text = r->buf + r->from;
	out->len = f.len;
	consume(r, &f);
	return ERR_OK;
}

const char *record_reader_name(const struct record_reader *r)
{
	return byte_source_name(r->source);
}

struct byte_source *record_reader_source(const struct record_reader *r)
{
	return r->source;
}

void record_reader_close(struct record_reader *r)
{
	if (!r)
		return;
	byte_source_close(r->source);
	free(r->buf);
	free(r);
}
