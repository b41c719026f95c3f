#ifndef INGEST_RECORD_READER_H
#define INGEST_RECORD_READER_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "ingest/byte_source.h"

/* The records of a text table as text with their line numbers, in constant memory: quotes and the
 * newlines in them understood, blank lines and comment lines (# first) passed over. */
struct record_reader;

enum { RECORD_MAX = 16 << 20 }; /* bytes of one record */

struct raw_record {
	uint64_t line;	  /* where it begins, 1-based, as an editor counts */
	const char *text; /* without its line end; NULL: the end. Good until the next call */
	size_t len;
};

/* The source is the reader's from now on, and closed if this fails. */
enum err_code record_reader_new(struct byte_source *source, struct record_reader **out,
				struct err *e);
/* Skip a byte order mark, and find from the first record whether comma, semicolon, tab or bar
 * separates its columns (comma where there is one column); wanted: what it is, 0: to be found.
 * Once, before the first record_reader_next().
 * Errors: PARSE (two of them are equally frequent), IO. */
enum err_code record_reader_detect_delimiter(struct record_reader *r, char wanted, char *out,
					     struct err *e);
/* To the first record again, the header; the source is fingerprinted. Errors: IO. */
enum err_code record_reader_rewind(struct record_reader *r, struct err *e);
/* Errors: PARSE (a NUL byte, a quote that never closes, a record longer than RECORD_MAX; with file
 * and line), IO, NOMEM. */
enum err_code record_reader_next(struct record_reader *r, struct raw_record *out, struct err *e);
struct byte_source *record_reader_source(const struct record_reader *r);
void record_reader_close(struct record_reader *r);

#endif
