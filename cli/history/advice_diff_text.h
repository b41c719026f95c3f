#ifndef CLI_ADVICE_DIFF_TEXT_H
#define CLI_ADVICE_DIFF_TEXT_H
#include "api/advice_diff.h"
#include "base/strbuf.h"

/* What changed since a recommendation, for people, a line each. */
void advice_diff_put(struct strbuf *out, const struct advice_record *s,
		     const struct advice_diff *since);

#endif
