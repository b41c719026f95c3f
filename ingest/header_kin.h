#ifndef INGEST_HEADER_KIN_H
#define INGEST_HEADER_KIN_H
#include <stdbool.h>
#include "base/strbuf.h"
#include "ingest/column_mapping.h"
#include "ingest/header_match.h"

/* Headers that go by other words for a column of the application than its definition lists: "niter"
 * for iterations, "walltime" for the run time, "np" for procs. Whether the column is still free,
 * and no other header means it as well, the caller sees. */

/* kind FIELD_KIND_COUNT: no kin of any column; or of two, for then it could mean either. */
struct header_match header_kin_find(const struct application *a, const char *header);

/* The field of --resource that a header names where no application is known yet: nodes, procs, ppn,
 * threads, gpus. loosely: also where it may count something else ("tasks", "cores"), for a
 * suggestion that somebody reads. NULL: none. */
const char *header_kin_resource(const char *header, bool loosely);

/* "niter", "steps": does it count what is to be computed? */
bool header_kin_counts_work(const char *header);

/* A field that no column fills, and whose name is close to that of column i, which is kept beside
 * the runs: "iterations" for "iteratons". NULL: none; else *i_column is what it is of the
 * application, SIZE_MAX if it is no column of it. */
const char *header_kin_suggest(const struct column_mapping *m, size_t i, size_t *i_column);

/* "--map niter=iterations", quoted for a shell where that is needed. */
void header_kin_put_map(const char *header, const char *field, struct strbuf *out);

#endif
