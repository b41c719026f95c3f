#ifndef KB_KB_CHECK_KNOWLEDGE_H
#define KB_KB_CHECK_KNOWLEDGE_H
#include "kb/kb_sql.h"

/* Is what was mined still what it was, and are rules what their ids say? Findings go to report, one
 * a line; *n_found counts them. */
enum err_code check_knowledge(struct kb *kb, struct strbuf *report, int *n_found, struct err *e);

#endif
