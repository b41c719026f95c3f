#ifndef CLI_RULE_REPORT_H
#define CLI_RULE_REPORT_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/mine.h"

/* What mining changed about the rules: for `lemnos mine`. */
struct rule_report {
	size_t n, n_gained, n_lost, n_moved;
};

/* For people, to *text: "rules: 9 (2 gained, 1 lost, 1 moved)" and a line for each of these, safe
 * on a terminal. The first time nothing is gained: all of it is new. Errors: NOMEM. */
enum err_code rule_report_make(const struct application *a, const struct mine_outcome *o,
			       struct rule_report *out, struct strbuf *text, struct err *e);

#endif
