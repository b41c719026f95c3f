#ifndef KB_KB_CHECK_H
#define KB_KB_CHECK_H
#include "base/strbuf.h"
#include "kb/kb_sql.h"

/* What of kb_check() concerns that which a merge takes over, facts and judgement: a line of *report
 * for each finding, *n_found counts them. */
enum err_code check_before_merge(struct kb *kb, struct strbuf *report, int *n_found, struct err *e);

#endif
