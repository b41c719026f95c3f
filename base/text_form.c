#include "base/text_form.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/shortest_double.h"

/* Almost every table is ASCII: eight bytes at a time. */
static size_t skip_ascii(const unsigned char *p, size_t n, size_t at)
{
	const uint64_t high_bits = UINT64_C(0x8080808080808080);
	uint64_t word;

	for (; at + sizeof word <= n; at += sizeof word) {
		memcpy(&word, p + at, sizeof word);
		if (word & high_bits)
			break;
	}
	while (at < n && p[at] < 0x80)
		at++;
	return at;
}

/* Length of the sequence at p (n bytes there), 0 if it is none. The bounds of the second byte are
 * those of Table 3-7 of the Unicode Standard. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
	unsigned char lo = 0x80;
	unsigned char hi = 0xbf;
	size_t len;

	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		len = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		len = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		len = 4;
	else
		return 0;
	if (p[0] == 0xe0)
		lo = 0xa0; /* overlong */
	else if (p[0] == 0xed)
		hi = 0x9f; /* surrogates */
	else if (p[0] == 0xf0)
		lo = 0x90; /* overlong */
	else if (p[0] == 0xf4)
		hi = 0x8f; /* above U+10FFFF */
	if (n < len || p[1] < lo || p[1] > hi)
		return 0;
	for (size_t i = 2; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return len;
}

size_t utf8_first_invalid(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t at = 0;

	while ((at = skip_ascii(p, n, at)) < n) {
		size_t len = sequence_length(p + at, n - at);

		if (len == 0)
			return at;
		at += len;
	}
	return n;
}

size_t text_list_length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

bool text_list_has(const char *const *list, const char *text)
{
	for (; list && *list; list++) {
		if (strcasecmp(*list, text) == 0)
			return true;
	}
	return false;
}

char *real_text(double value, char buf[REAL_TEXT_SIZE])
{
	if (shortest_double(value, buf))
		return buf;
	/* 17 significant digits always suffice; mostly fewer do. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, REAL_TEXT_SIZE, "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	return buf;
}

void csv_put(struct strbuf *out, const char *field)
{
	if (!strpbrk(field, ",\"\r\n")) {
		strbuf_puts(out, field);
		return;
	}
	strbuf_putc(out, '"');
	for (const char *c = field; *c; c++) {
		if (*c == '"')
			strbuf_putc(out, '"');
		strbuf_putc(out, *c);
	}
	strbuf_putc(out, '"');
}

/* Bytes of the well-formed UTF-8 sequence at s (Unicode 15, table 3-7), 0: it is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] < 0x80	 ? 1
		   : s[0] < 0xC2 ? 0
		   : s[0] < 0xE0 ? 2
		   : s[0] < 0xF0 ? 3
		   : s[0] < 0xF5 ? 4
				 : 0;
	unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
	unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;

	for (size_t i = 1; i < n; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		low = 0x80;
		high = 0xBF;
	}
	return n;
}

bool text_reorders(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] != 0xE2 || s[1] == '\0')
		return false;
	return (s[1] == 0x80 && (s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xAA && s[2] <= 0xAE))) ||
	       (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
}

size_t text_character(const char *text, bool *hidden)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = utf8_length(s);
	/* C0, DEL, and C1 (U+0080 to U+009F), which terminals obey as well. */
	bool control = *s < 0x20 || *s == 0x7F || (n == 2 && s[0] == 0xC2 && s[1] < 0xA0);

	*hidden = n == 0 || control || text_reorders(text);
	return n > 0 ? n : 1;
}

void text_put_safe(struct strbuf *out, const char *text, bool keep_lines)
{
	while (*text) {
		bool hidden;
		size_t n = text_character(text, &hidden);

		if (!hidden || (keep_lines && (*text == '\n' || *text == '\t'))) {
			strbuf_add(out, text, n);
			text += n;
			continue;
		}
		for (; n > 0; n--)
			strbuf_printf(out, "\\x%02x", (unsigned char)*text++);
	}
}
