#ifndef INGEST_FOREIGN_FILE_H
#define INGEST_FOREIGN_FILE_H
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "ingest/byte_source.h"
#include "ingest/formats/foreign_format.h"

/* The word for any table of delimited text, and the one for whatever the first bytes say. */
extern const char foreign_format_csv[];	 /* "csv" */
extern const char foreign_format_auto[]; /* "auto" */

/* What a file is. format: a name, "auto", "csv" or NULL, which is csv. *out is NULL for CSV.
 * Errors: ARG (no such format; names those there are), those of byte_source_read(). */
enum err_code foreign_file_format(struct byte_source *source, const char *format,
				  const struct foreign_format **out, struct err *e);

/* Read the source, which is fingerprinted, from its beginning. max_bytes: 0, no limit. choice: what
 * the user says of it, may be NULL. Errors: those of the format's reader and of row_match_new(),
 * ARG (no row looks like what is to match), PARSE (it holds no run), INTERRUPTED. */
enum err_code foreign_file_read(struct byte_source *source, const struct foreign_format *format,
				uint64_t max_bytes, const struct foreign_choice *choice,
				const struct progress *progress, struct foreign_table **out,
				struct err *e);

#endif
