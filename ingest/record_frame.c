#include "ingest/record_frame.h"

#include <stdint.h>
#include <string.h>

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

bool record_frame_find(const char *text, size_t n, char delimiter, struct record_frame *out)
{
	const char *newline = memchr(text, '\n', n);

	*out = (struct record_frame){.open_quote = SIZE_MAX};
	if (newline && !memchr(text, '"', (size_t)(newline - text)))
		return complete_at(text, (size_t)(newline - text), out);
	return find_quoted(text, n, delimiter, out);
}

bool record_frame_line(const char *text, size_t n, struct record_frame *out)
{
	const char *newline = memchr(text, '\n', n);

	*out = (struct record_frame){.open_quote = SIZE_MAX};
	return newline && complete_at(text, (size_t)(newline - text), out);
}
