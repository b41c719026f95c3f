#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

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
