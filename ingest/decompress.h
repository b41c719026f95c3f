#ifndef INGEST_DECOMPRESS_H
#define INGEST_DECOMPRESS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Streaming decompression of .gz and .zst, several members or frames in a row included. What a
 * file is, its first bytes say, never its name. */

enum { DECOMPRESS_MAGIC_SIZE = 6 }; /* bytes that decompress_detect() wants to see */

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

/* head: the first n bytes of a file, all of them if it is shorter than DECOMPRESS_MAGIC_SIZE.
 * Errors: PARSE, for formats that people hand us by mistake (xz, bzip2, zip and Excel, UTF-16); the
 * message begins with `name` and says what to do. */
enum err_code decompress_detect(const unsigned char *head, size_t n, const char *name,
				enum compression *out, struct err *e);

struct decompressor;
/* kind is not NONE; name (borrowed) is what messages begin with. Errors: NOMEM. */
enum err_code decompressor_new(enum compression kind, const char *name, struct decompressor **out,
			       struct err *e);
/* Turn in[0..*n_in-1] into out[0..*n_out-1]; both counts come back as used. Errors: PARSE (damaged
 * data), NOMEM. */
enum err_code decompressor_run(struct decompressor *d, const void *in, size_t *n_in, void *out,
			       size_t *n_out, struct err *e);
/* May the input end here? False in the middle of a member: the file was cut off. */
bool decompressor_at_end(const struct decompressor *d);
void decompressor_free(struct decompressor *d);

#endif
