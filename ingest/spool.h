#ifndef INGEST_SPOOL_H
#define INGEST_SPOOL_H
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"

/* Copy all that a pipe brings into a nameless temporary file ($TMPDIR, else /tmp), so that it can
 * be read twice in constant memory. *out is open at its beginning. max_bytes: 0, no limit. Errors:
 * IO (says where space is missing), PARSE (longer than max_bytes; begins as no table does),
 * INTERRUPTED. */
enum err_code spool(int from, const char *name, uint64_t max_bytes, const struct progress *p,
		    int *out, struct err *e);

/* How input that is too long is refused. */
enum err_code spool_refuse_length(const char *name, uint64_t max_bytes, struct err *e);

#endif
