#ifndef CLI_RULE_OUTPUT_H
#define CLI_RULE_OUTPUT_H
#include "base/err.h"
#include "base/strbuf.h"
#include "api/rule_book.h"
#include "cli/frame/output.h"

/* A rule as a row of CSV, and its numbers as people read them. */

/* Flat: what is nested in JSON is left out, or spelt in one column. */
struct out_table *rule_table_new(void);
enum err_code rule_table_add(struct out_table *t, const struct rule_book *b,
			     const struct rule_view *v, struct err *e);

/* "1.80x", "0.950x": a ratio as people read it, with enough digits near 1. */
void rule_put_ratio(double ratio, struct strbuf *out);
/* A share in percent, to a tenth. What is not all does not become so by rounding: 99.9, not 100. */
double rule_percent(double share);
/* "1b06c8a53d12: tile = 32, 1.35x on nearly the same runs" */
void rule_put_twin(const struct rule *twin, struct strbuf *out);

/* A rule in words for people: what it says, what stands behind it, what was decided. Lines of at
 * most 80 columns, safe on a terminal. */

/* Its id, number, kind and state, the rule itself, and whether to look again. */
void rule_put_head(const struct rule_view *v, struct strbuf *out);
/* The figures, a line each. */
void rule_put_evidence(const struct rule_book *b, const struct rule_view *v, struct strbuf *out);
/* "WHEN  tester  refuse  why", oldest first; nothing where nobody decided. */
void rule_put_decisions(const struct rule_book *b, const struct rule *r, struct strbuf *out);

#endif
