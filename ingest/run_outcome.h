#ifndef INGEST_RUN_OUTCOME_H
#define INGEST_RUN_OUTCOME_H
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/column_mapping.h"
#include "ingest/text_table.h"

/* How runs ended, where no column is called status: `result` with OK and SEGFAULT, `converged`,
 * `exit`, a note "killed by OOM". A run that crashed after a second is fast, and must not count as
 * one. */

/* Sets .outcome of such columns among those of *m that fill no field; all rows are read only if a
 * column may be one, and t is rewound then: it was hashed. A line is added to notes for each.
 * Errors: NOMEM, those of text_table_next(). */
enum err_code run_outcome_find(struct text_table *t, struct column_mapping *m, struct strbuf *notes,
			       struct err *e);

#endif
