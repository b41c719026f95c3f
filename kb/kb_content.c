#include "kb/kb_content.h"

#include <math.h>
#include <string.h>

static void put_bits(struct digest *d, uint64_t bits)
{
	unsigned char byte[8];

	for (int i = 0; i < 8; i++)
		byte[i] = (unsigned char)(bits >> (8 * i));
	digest_update(d, byte, sizeof byte);
}

void content_put_integer(struct digest *d, int64_t value)
{
	put_bits(d, (uint64_t)value);
}

void content_put_real(struct digest *d, double value)
{
	uint64_t bits;

	value = isnan(value) ? (double)NAN : value + 0.0;
	memcpy(&bits, &value, sizeof bits);
	put_bits(d, bits);
}

void content_put_text(struct digest *d, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	/* Lengths keep "ab" "c" and "a" "bc" apart. */
	content_put_integer(d, text ? (int64_t)n : -1);
	digest_update(d, text, n);
}

enum err_code content_check(struct digest *d, const char *stored, const char *what, struct err *e)
{
	char now[DIGEST_HEX_SIZE];

	digest_final(d, now);
	if (!stored || !strcmp(stored, now))
		return ERR_OK;
	return err_set(e, ERR_DAMAGED,
		       "%s is not what was mined, the file is damaged: run `lemnos "
		       "mine`, and `lemnos status check` for the rest",
		       what);
}
