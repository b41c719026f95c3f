#ifndef INGEST_SPOOL_H
#define INGEST_SPOOL_H
#include "base/err.h"
#include "base/progress.h"

/* Copy all that a pipe brings into a nameless temporary file ($TMPDIR, else /tmp), so that it can
 * be read twice in constant memory. *out is open at its beginning. Errors: IO (says where space is
 * missing), INTERRUPTED. */
enum err_code spool(int from, const char *name, const struct progress *p, int *out, struct err *e);

#endif
