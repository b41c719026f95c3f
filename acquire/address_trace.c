#include "acquire/address_trace.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/byte_source.h"

enum { PART = 1 << 16, LINE_MAX_BYTES = 256, SIZE_DIGITS_MAX = 9, ADDRESS_DIGITS_MAX = 16 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "04001234,8" up to end; false: it is not that. By hand: strtoull() takes most of the time. */
static bool parse_place(const char *at, const char *end, uint64_t *address, uint64_t *size)
{
	const char *start = at;
	int digit;

	*address = *size = 0;
	for (; at < end && (digit = hex_digit(*at)) >= 0; at++)
		*address = *address << 4 | (unsigned)digit;
	if (at == start || at - start > ADDRESS_DIGITS_MAX || at == end || *at != ',')
		return false;
	for (start = ++at; at < end && *at >= '0' && *at <= '9'; at++)
		*size = *size * 10 + (unsigned)(*at - '0');
	return at == end && at > start && at - start <= SIZE_DIGITS_MAX;
}

/* False: no line of a trace. */
static bool replay_line(const char *line, size_t length, struct memory_hierarchy *m, bool *any)
{
	static const char kinds[] = "ILSM";
	static const enum access_kind kind[] = {ACCESS_INSTRUCTION, ACCESS_READ, ACCESS_WRITE,
						ACCESS_READ};
	uint64_t address, size;
	const char *which;
	size_t at;

	if (length == 0 || (length >= 2 && (!memcmp(line, "==", 2) || !memcmp(line, "--", 2))))
		return true;
	at = line[0] == ' ';
	which = at < length ? memchr(kinds, line[at], strlen(kinds)) : NULL;
	for (at++; at < length && line[at] == ' ';)
		at++;
	if (!which || at >= length || !parse_place(line + at, line + length, &address, &size))
		return false;
	memory_hierarchy_access(m, kind[which - kinds], address, size);
	*any = true;
	return true;
}

struct replay {
	struct byte_source *source;
	struct memory_hierarchy *m;
	char part[PART];
	size_t kept; /* bytes of a line that goes on in the next part */
	uint64_t line;
	bool any;
};

static enum err_code bad_line(const struct replay *r, const char *line, size_t length,
			      struct err *e)
{
	return err_set(e, ERR_PARSE,
		       "%s:%" PRIu64
		       ": '%.*s' is no line of a trace, which are like 'I  04001000,3' "
		       "and ' L 1ffefffe10,8'",
		       byte_source_name(r->source), r->line, length < 40 ? (int)length : 40, line);
}

/* Whole lines of part[0..n-1]; at the end of the file the last one too. */
static enum err_code replay_part(struct replay *r, size_t n, bool last, struct err *e)
{
	const char *line = r->part, *end = r->part + n;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		if (!stop && !last && end - line < LINE_MAX_BYTES)
			break;
		stop = stop ? stop : end;
		r->line++;
		if (!replay_line(line, (size_t)(stop - line), r->m, &r->any))
			return bad_line(r, line, (size_t)(stop - line), e);
		line = stop < end ? stop + 1 : end;
	}
	r->kept = (size_t)(end - line);
	memmove(r->part, line, r->kept);
	return ERR_OK;
}

static enum err_code replay_all(struct replay *r, const struct progress *p, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t n = 1;

	while (n > 0 && !rc) {
		if (!progress_step(p, "bytes", byte_source_done(r->source),
				   byte_source_total(r->source)))
			return err_set(e, ERR_INTERRUPTED, "interrupted");
		rc = byte_source_read(r->source, r->part + r->kept, PART - r->kept, &n, e);
		if (!rc)
			rc = replay_part(r, r->kept + n, n == 0, e);
	}
	if (!rc && !r->any)
		rc = err_set(e, ERR_PARSE, "%s: no access at all", byte_source_name(r->source));
	return rc;
}

enum err_code address_trace_replay(const char *path, struct memory_hierarchy *m,
				   const struct progress *p, struct err *e)
{
	struct replay *r = calloc(1, sizeof *r);
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "a trace");
	r->m = m;
	rc = byte_source_open(path, &r->source, e);
	if (!rc)
		rc = replay_all(r, p, e);
	byte_source_close(r->source);
	free(r);
	return rc;
}
