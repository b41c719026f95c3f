#ifndef CLI_RULE_EVIDENCE_H
#define CLI_RULE_EVIDENCE_H
#include "base/strbuf.h"
#include "api/rule_book.h"

/* A rule in words for people: what it says, what stands behind it, what was decided. Lines of at
 * most 80 columns, safe on a terminal. */

/* Its id, number, kind and state, the rule itself, and whether to look again. */
void rule_put_head(const struct rule_view *v, struct strbuf *out);
/* The figures, a line each. */
void rule_put_evidence(const struct rule_book *b, const struct rule_view *v, struct strbuf *out);
/* "WHEN  tester  refuse  why", oldest first; nothing where nobody decided. */
void rule_put_decisions(const struct rule_book *b, const struct rule *r, struct strbuf *out);

#endif
