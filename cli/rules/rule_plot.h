#ifndef CLI_RULE_PLOT_H
#define CLI_RULE_PLOT_H
#include "base/strbuf.h"
#include "api/rule_book.h"

/* How the ratios of both sides of a rule are spread, as bars of plain text beside each other, at
 * most 80 columns wide. */
void rule_plot_put(const struct rule *r, const struct rule_residuals *w, struct strbuf *out);

#endif
