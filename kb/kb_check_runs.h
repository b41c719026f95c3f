#ifndef KB_KB_CHECK_RUNS_H
#define KB_KB_CHECK_RUNS_H
#include "base/strbuf.h"
#include "kb/kb_sql.h"

/* A part of kb_check(): are the runs of an application, in this table, what was loaded, by the hash
 * of their content? A bit that flips inside a number leaves another number, which no check of the
 * file's structure finds. One line in *report and one more in *n_found if some are not; in *notes
 * (may be NULL) what this does not cover. */
enum err_code check_run_contents(struct kb *kb, const char *application, const char *table,
				 struct strbuf *report, struct strbuf *notes, int *n_found,
				 struct err *e);

#endif
