#include "ingest/record_reader.h"

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
				       byte_source_name(r->source), cap);
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
	const char *name = byte_source_name(r->source);

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

/* "|----|----|", "+====+": what programs draw between the lines of a table for people. */
static bool is_ruled_line(const char *text, size_t n)
{
	bool ruled = false;

	for (size_t i = 0; i < n; i++) {
		if (!strchr("-=+|: \t\r", text[i]) || !text[i])
			return false;
		ruled |= i >= 2 && (text[i] == '-' || text[i] == '=') && text[i - 1] == text[i] &&
			 text[i - 2] == text[i];
	}
	return ruled;
}

/* Go to the next line that is none of a blank, a ruled one and a comment; *at_end if there is none.
 */
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
		if (n > 0 && text[0] != '#' && !strchr(" \t\r\n-=+|", text[0]))
			return ERR_OK;
		if (n > 0 && record_frame_line(text, n, &f)) {
			if (text[0] != '#' && !is_blank_line(text, f.len) &&
			    !is_ruled_line(text, f.len))
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
		       byte_source_name(r->source),
		       (unsigned long long)line_of(r, (size_t)(nul - text)));
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

static const char candidates[] = ",;\t|"; /* a bar: sacct --parsable2 */

/* A header, as far as it was looked at: how often each candidate stands in it. */
struct header_scan {
	size_t done; /* bytes */
	bool quoted;
	size_t count[sizeof candidates - 1];
};

/* Goes on to the end of the line in text[n], or to that of the text; was it that of the line? */
static bool scan_header(struct header_scan *s, const char *text, size_t n)
{
	for (; s->done < n; s->done++) {
		const char c = text[s->done], *hit;

		if (c == '"')
			s->quoted = !s->quoted;
		else if (s->quoted || c == '\0')
			continue;
		else if (c == '\n')
			return true;
		else if ((hit = strchr(candidates, c)))
			s->count[hit - candidates]++;
	}
	return false;
}

enum err_code record_reader_detect_delimiter(struct record_reader *r, char wanted, char *out,
					     struct err *e)
{
	struct header_scan scan = {0};
	const size_t *count = scan.count;
	size_t best = 0;
	enum err_code rc;
	bool at_end;

	if ((rc = skip_byte_order_mark(r, e)) || (rc = skip_to_record(r, &at_end, e)))
		return rc;
	if (wanted) {
		*out = r->delimiter = wanted;
		return ERR_OK;
	}
	while (!scan_header(&scan, r->buf + r->from, r->to - r->from) && !r->at_eof &&
	       r->to - r->from <= RECORD_MAX) {
		if ((rc = read_more(r, e)))
			return rc;
	}
	for (size_t i = 1; i < sizeof scan.count / sizeof scan.count[0]; i++) {
		if (count[i] > count[best])
			best = i;
	}
	for (size_t i = 0; i < sizeof scan.count / sizeof scan.count[0]; i++) {
		if (i != best && count[i] > 0 && count[i] == count[best])
			return err_set(
				e, ERR_PARSE,
				"%s:%llu: the header has as many '%s' as '%s': which one "
				"separates columns? Say --delimiter, or quote the headers that "
				"contain the other",
				byte_source_name(r->source), (unsigned long long)r->line,
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
