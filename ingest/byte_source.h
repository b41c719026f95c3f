#ifndef INGEST_BYTE_SOURCE_H
#define INGEST_BYTE_SOURCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/digest.h"
#include "base/err.h"
#include "base/progress.h"

/* The bytes of one input: a plain, .gz or .zst file, stdin ("-") or a text in memory, always seen
 * uncompressed. */
struct byte_source;

/* Errors: PARSE (no such file, a directory, a format that is not text: the user's to mend), NOMEM,
 * INTERRUPTED (a signal came while it waited for somebody to write to a pipe). Nothing is read
 * before the first call below. */
enum err_code byte_source_open(const char *path, struct byte_source **out, struct err *e);
/* text[0..n-1], borrowed until the source is closed; name is what messages call it. */
enum err_code byte_source_open_text(const char *text, size_t n, const char *name,
				    struct byte_source **out, struct err *e);
/* Input that goes on for longer, of which the end may never come, is refused (PARSE): max_bytes of
 * the file or pipe, and of what it unpacks to; 0: no limit. remedy: what the message advises, a
 * constant; NULL: nothing. Before the first read. */
void byte_source_limit(struct byte_source *s, uint64_t max_bytes, const char *remedy);
/* SHA-256 of the uncompressed content, so that a file is known again whatever it is packed with.
 * Before the first read, which then begins at the beginning; a pipe is put into a temporary file
 * first. A file that changes after this is an error of byte_source_read() at its end. Errors: those
 * of byte_source_read(). */
enum err_code byte_source_fingerprint(struct byte_source *s, const struct progress *p,
				      char hex[DIGEST_HEX_SIZE], struct err *e);
/* Up to cap bytes; *n = 0 at the end. Errors: IO, INTERRUPTED (a signal came while it waited for
 * more), PARSE (damaged or cut-off compressed data, data that unpack to an absurd size, a foreign
 * format). */
enum err_code byte_source_read(struct byte_source *s, void *buf, size_t cap, size_t *n,
			       struct err *e);
/* From the beginning again; only once fingerprinted. Errors: IO. */
enum err_code byte_source_rewind(struct byte_source *s, struct err *e);
/* Does the content have a comma, a quote? Known once fingerprinted. */
bool byte_source_has_comma(const struct byte_source *s);
bool byte_source_has_quote(const struct byte_source *s);
/* What messages call it: the path or name as given, or "stdin". */
const char *byte_source_name(const struct byte_source *s);
/* Bytes of the file (compressed or not) used so far, and in all (0: not known). */
uint64_t byte_source_done(const struct byte_source *s);
uint64_t byte_source_total(const struct byte_source *s);
/* Uncompressed bytes in all, once fingerprinted; else 0. */
uint64_t byte_source_content_bytes(const struct byte_source *s);
void byte_source_close(struct byte_source *s);

#endif
