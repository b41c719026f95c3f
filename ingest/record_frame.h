#ifndef INGEST_RECORD_FRAME_H
#define INGEST_RECORD_FRAME_H
#include <stdbool.h>
#include <stddef.h>

/* Where one record of a table ends. libcsv splits a record into fields but keeps neither its text
 * nor its line; so the text is cut into records first. */
struct record_frame {
	size_t len;	     /* of the record, without its line end */
	size_t len_with_end; /* with it */
	size_t n_newlines;   /* in len_with_end */
	size_t open_quote;   /* not complete: offset of the quote still open, SIZE_MAX: none is */
};

/* Find the end of the record at text[0..n-1]; false if the text ends before the record does. A
 * quote opens only at the beginning of a field, as in libcsv; elsewhere it is the splitter's to
 * refuse, and does not swallow the lines below. */
bool record_frame_find(const char *text, size_t n, char delimiter, struct record_frame *out);

/* The same for a line without quoting: a comment. */
bool record_frame_line(const char *text, size_t n, struct record_frame *out);

#endif
