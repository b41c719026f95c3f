#ifndef INGEST_FORMATS_BLANK_FIELDS_H
#define INGEST_FORMATS_BLANK_FIELDS_H
#include <stdbool.h>
#include <stddef.h>

/* One of the words of a line, which blanks and tabs separate. */
struct blank_field {
	const char *at; /* len characters, no NUL behind */
	size_t len;
};

/* The first max words of text into out; returns how many there are in all. */
size_t blank_fields(const char *text, struct blank_field *out, size_t max);
/* The word as text, cut to size - 1 characters; returns buf. */
const char *blank_field_copy(const struct blank_field *f, char *buf, size_t size);
bool blank_field_is(const struct blank_field *f, const char *word);
/* A finite decimal number. *out is written only then. */
bool blank_field_number(const struct blank_field *f, double *out);

#endif
