#ifndef CLI_RULE_EFFECTS_H
#define CLI_RULE_EFFECTS_H
#include "base/strbuf.h"
#include "cli/frame/output.h"
#include "domain/findings.h"

/* Effects of columns for people: shorter than for machines, so that they fit a terminal. */

/* Correlations and ratios each in one cell with their interval; a star where p <= 0.05. NULL: out
 * of memory. */
struct out_table *rule_effects_brief(const struct findings *f);
/* What the star means, and the pairs of columns, a paragraph each. */
void rule_put_interactions(const struct findings *f, struct strbuf *out);

#endif
