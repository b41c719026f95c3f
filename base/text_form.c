#include "base/text_form.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

const char *text_next_word(const char **at, size_t *n)
{
	const char *word = *at + strspn(*at, " ");

	*n = strcspn(word, " ");
	*at = word + *n;
	return *n > 0 ? word : NULL;
}

bool text_has_word(const char *words, const char *text)
{
	const size_t length = strlen(text);
	const char *word;
	size_t n;

	while ((word = text_next_word(&words, &n))) {
		if (n == length && strncasecmp(word, text, n) == 0)
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

/* ---- shortest_double ---- */

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* The powers of 5 that occur: 10^k value has 17 digits before the point. */
static const uint64_t power_of_5[] = {1,
				      5,
				      25,
				      125,
				      625,
				      3125,
				      15625,
				      78125,
				      390625,
				      1953125,
				      9765625,
				      48828125,
				      244140625,
				      1220703125,
				      6103515625,
				      30517578125,
				      152587890625,
				      762939453125,
				      3814697265625,
				      19073486328125,
				      95367431640625,
				      476837158203125};
#define TEN_TO_17 UINT64_C(100000000000000000)

/* value = m 2^(e - 52), 2^52 <= m < 2^53; 10^k value = scaled / 2^f, exactly. */
struct scaled {
	uint64_t m;
	int k, f;
	wide scaled;
};

static struct scaled scale(double value)
{
	struct scaled s;
	uint64_t bits;
	int e;

	memcpy(&bits, &value, sizeof bits);
	e = (int)(bits >> 52 & 0x7ff) - 1023;
	s.m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	/* from the binary exponent, which may give a digit too many */
	s.k = 16 - (int)floor(e * 0.30102999566398120);
	for (;; s.k--) {
		s.f = 52 - e - s.k;
		s.scaled = (wide)s.m * power_of_5[s.k];
		if (s.scaled >> s.f < TEN_TO_17)
			return s;
	}
}

/* The number of units (1, 10, 100 in the last of 17 digits) that is next to it, to even from the
 * middle; *same: it is read back as the same number. */
static uint64_t round_to(const struct scaled *s, uint64_t unit, bool *same)
{
	const uint64_t whole = (uint64_t)(s->scaled >> s->f);
	const wide one = (wide)unit << s->f;
	const wide rest = s->scaled - ((wide)(whole - whole % unit) << s->f);
	const bool up = 2 * rest > one || (2 * rest == one && whole / unit % 2 == 1);
	const wide off = up ? one - rest : rest;
	/* The next number is 2 5^k of these units away, half as far below a power of 2; what is
	 * off by less than half of that is read back. 5^k is odd: it is never just the half. */
	const wide times = !up && s->m == UINT64_C(1) << 52 ? 4 : 2;

	*same = times * off < power_of_5[s->k];
	return whole / unit + up;
}

/* digits / 10^decimals, without zeros at the end. */
static void put_decimal(uint64_t digits, int decimals, char *out)
{
	char reversed[SHORT_REAL_SIZE];
	int n = 0, place = 0;

	for (; decimals > 0 && digits % 10 == 0; decimals--)
		digits /= 10;
	do {
		if (place == decimals && decimals > 0)
			reversed[n++] = '.';
		reversed[n++] = (char)('0' + digits % 10);
		digits /= 10;
		place++;
	} while (digits > 0 || place <= decimals);
	while (n > 0)
		*out++ = reversed[--n];
	*out = '\0';
}

bool shortest_double(double value, char out[SHORT_REAL_SIZE])
{
	struct scaled s;
	uint64_t digits = 0, unit = 1000;
	bool same = false;
	int decimals;

	if (!(fabs(value) >= 1e-4 && fabs(value) < 1e14))
		return false;
	s = scale(fabs(value));
	/* 17 digits always suffice */
	for (decimals = s.k - 3; !same && unit > 1; decimals++) {
		unit /= 10;
		digits = round_to(&s, unit, &same);
	}
	if (value < 0)
		*out++ = '-';
	put_decimal(digits, decimals, out);
	return true;
}
#else
bool shortest_double(double value, char out[SHORT_REAL_SIZE])
{
	(void)value, (void)out;
	return false;
}
#endif

static bool has_hidden(const char *text)
{
	bool hidden = false;

	while (*text && !hidden)
		text += text_character(text, &hidden);
	return hidden;
}

static void put_escaped(struct strbuf *out, const char *text)
{
	while (*text) {
		bool hidden = false;
		size_t n = text_character(text, &hidden);

		if (!hidden && (*text == '\'' || *text == '\\'))
			strbuf_putc(out, '\\');
		if (!hidden)
			strbuf_add(out, text, n);
		for (size_t i = 0; hidden && i < n; i++)
			strbuf_printf(out, "\\%03o", (unsigned char)text[i]);
		text += n;
	}
}

void text_put_shell_word(struct strbuf *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./,=+@%:-";

	if (*text && strspn(text, plain) == strlen(text)) {
		strbuf_puts(out, text);
		return;
	}
	/* One line, which a terminal does not obey: $'...' is of bash, ksh, zsh and POSIX 2024. */
	if (has_hidden(text)) {
		strbuf_puts(out, "$'");
		put_escaped(out, text);
		strbuf_putc(out, '\'');
		return;
	}
	strbuf_putc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_puts(out, "'\\''");
		else
			strbuf_putc(out, *text);
	}
	strbuf_putc(out, '\'');
}
