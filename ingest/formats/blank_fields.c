#include "ingest/formats/blank_fields.h"

#include <string.h>

#include "base/units.h"

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
