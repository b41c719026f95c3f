#ifndef INGEST_FORMATS_FIELD_SPLIT_H
#define INGEST_FORMATS_FIELD_SPLIT_H
#include <stddef.h>

/* One record of delimited text into its fields, by libcsv in strict mode (RFC 4180). */
struct field_split;

enum split_result {
	SPLIT_OK,
	SPLIT_STRAY_QUOTE, /* a quote inside an unquoted field, or text behind a closing quote */
	SPLIT_STRAY_CR,	   /* a carriage return that ends no line */
	SPLIT_FIELD_TOO_LONG,
	SPLIT_NOMEM
};

struct field_split *field_split_new(char delimiter, size_t field_max); /* NULL: out of memory */
/* text[0..n-1] is one whole record without its line end. On SPLIT_OK, field[0 ..
 * *n_fields-1] are good until the next call. On a failure *n_fields is how many fields were whole.
 */
enum split_result field_split_run(struct field_split *s, const char *text, size_t n,
				  const char ***field, size_t *n_fields);
void field_split_free(struct field_split *s);

#endif
