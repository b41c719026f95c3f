#include "ingest/formats/foreign_input.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { READ_SIZE = 64 * 1024, BUFFER_FIRST = 2 * READ_SIZE };

struct foreign_input {
	const char *name;
	struct foreign_choice choice;
	foreign_read read;
	void *arg;
	uint64_t max_bytes;
	uint64_t n_read;
	uint64_t n_lines;
	bool at_end;
	char *buf; /* buf[from..to-1] is still to come; room for a NUL behind */
	size_t from, to, cap;
};

enum err_code foreign_input_new(const char *name, foreign_read read, void *arg, uint64_t max_bytes,
				struct foreign_input **out, struct err *e)
{
	struct foreign_input *in = calloc(1, sizeof *in);

	if (!in || !(in->buf = malloc(BUFFER_FIRST))) {
		free(in);
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", name);
	}
	in->cap = BUFFER_FIRST;
	in->name = name;
	in->read = read;
	in->arg = arg;
	in->max_bytes = max_bytes;
	*out = in;
	return ERR_OK;
}

void foreign_input_set_choice(struct foreign_input *in, const struct foreign_choice *choice)
{
	in->choice = *choice;
}

const struct foreign_choice *foreign_input_choice(const struct foreign_input *in)
{
	return &in->choice;
}

const char *foreign_input_name(const struct foreign_input *in)
{
	return in->name;
}

/* Room for READ_SIZE more bytes and a NUL: the rest moves to the front, then the buffer grows. */
static enum err_code make_room(struct foreign_input *in, struct err *e)
{
	size_t cap = in->cap;
	char *grown;

	if (in->from > 0) {
		memmove(in->buf, in->buf + in->from, in->to - in->from);
		in->to -= in->from;
		in->from = 0;
	}
	while (cap < in->to + READ_SIZE + 1) {
		if (cap > SIZE_MAX / 2)
			return err_set(e, ERR_NOMEM, "%s: no memory to read it", in->name);
		cap *= 2;
	}
	if (cap == in->cap)
		return ERR_OK;
	grown = realloc(in->buf, cap);
	if (!grown)
		return err_set(e, ERR_NOMEM, "%s: no memory to read it", in->name);
	in->buf = grown;
	in->cap = cap;
	return ERR_OK;
}

static void skip_mark(struct foreign_input *in)
{
	if (in->to - in->from >= 3 && memcmp(in->buf + in->from, "\xef\xbb\xbf", 3) == 0)
		in->from += 3;
}

static enum err_code fill(struct foreign_input *in, struct err *e)
{
	bool first = in->n_read == 0;
	enum err_code rc = make_room(in, e);
	size_t n = 0;

	/* A pipe may bring the byte order mark in pieces. */
	while (!rc && !in->at_end && (n == 0 || (first && in->to - in->from < 3))) {
		if ((rc = in->read(in->arg, in->buf + in->to, in->cap - 1 - in->to, &n, e)))
			break;
		in->at_end = n == 0;
		in->to += n;
		in->n_read += n;
		if (in->max_bytes > 0 && in->n_read > in->max_bytes)
			rc = err_set(
				e, ERR_PARSE,
				"%s: more than %" PRIu64
				" bytes, the most that is read of a file in this format: split "
				"it, or say --max-bytes SIZE",
				in->name, in->max_bytes);
	}
	if (!rc && first)
		skip_mark(in);
	return rc;
}

enum err_code foreign_input_line(struct foreign_input *in, struct foreign_line *out, struct err *e)
{
	size_t seen = 0; /* bytes known to have no LF */
	enum err_code rc;
	char *newline = NULL;
	size_t len;

	for (;;) {
		size_t n = in->to - in->from;

		newline = n > seen ? memchr(in->buf + in->from + seen, '\n', n - seen) : NULL;
		len = newline ? (size_t)(newline - (in->buf + in->from)) : n;
		if (len > FOREIGN_LINE_MAX)
			return foreign_input_fault(in, in->n_lines + 1, e,
						   "the line is longer than %d MiB",
						   FOREIGN_LINE_MAX >> 20);
		if (newline || in->at_end)
			break;
		seen = n;
		if ((rc = fill(in, e)))
			return rc;
		if (in->to - in->from < seen)
			seen = 0; /* a byte order mark went */
	}
	*out = (struct foreign_line){.number = in->n_lines + 1};
	if (!newline && len == 0)
		return ERR_OK;
	in->n_lines++;
	if (memchr(in->buf + in->from, '\0', len))
		return foreign_input_fault(in, in->n_lines, e, "a NUL byte: this is no text");
	out->text = in->buf + in->from;
	in->from += len + (newline != NULL);
	if (len > 0 && out->text[len - 1] == '\r')
		len--;
	/* make_room() left a place behind the last byte */
	in->buf[(size_t)(out->text - in->buf) + len] = '\0';
	out->len = len;
	return ERR_OK;
}

enum err_code foreign_input_text(struct foreign_input *in, const char **text, size_t *n,
				 struct err *e)
{
	enum err_code rc = ERR_OK;
	const char *nul;

	while (!rc && !in->at_end)
		rc = fill(in, e);
	if (rc)
		return rc;
	*n = in->to - in->from;
	in->buf[in->to] = '\0';
	*text = in->buf + in->from;
	nul = memchr(*text, '\0', *n);
	if (nul) {
		uint64_t line = in->n_lines + 1;

		for (const char *p = *text; p < nul; p++)
			line += *p == '\n';
		return foreign_input_fault(in, line, e, "a NUL byte: this is no text");
	}
	return ERR_OK;
}

enum err_code foreign_input_poll(const struct foreign_input *in, struct err *e)
{
	char none;
	size_t n = 0;

	return in->read(in->arg, &none, 0, &n, e);
}

enum err_code foreign_input_fault(const struct foreign_input *in, uint64_t line, struct err *e,
				  const char *fmt, ...)
{
	char what[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	return err_set(e, ERR_PARSE, "%s:%" PRIu64 ": %s", in->name, line, what);
}

void foreign_input_free(struct foreign_input *in)
{
	if (!in)
		return;
	free(in->buf);
	free(in);
}

/* ---- the words of a line ---- */

size_t blank_fields(const char *text, struct blank_field *out, size_t max)
{
	size_t n = 0;

	for (;;) {
		text += strspn(text, " \t");
		if (!*text)
			return n;
		if (n < max)
			out[n] = (struct blank_field){text, strcspn(text, " \t")};
		n++;
		text += strcspn(text, " \t");
	}
}

const char *blank_field_copy(const struct blank_field *f, char *buf, size_t size)
{
	size_t n = f->len < size ? f->len : size - 1;

	memcpy(buf, f->at, n);
	buf[n] = '\0';
	return buf;
}

bool blank_field_is(const struct blank_field *f, const char *word)
{
	return strlen(word) == f->len && memcmp(f->at, word, f->len) == 0;
}

bool blank_field_number(const struct blank_field *f, double *out)
{
	char text[64];

	return f->len > 0 && f->len < sizeof text &&
	       number_parse(blank_field_copy(f, text, sizeof text), out, NULL) == ERR_OK;
}
