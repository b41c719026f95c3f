#ifndef CLI_ANSWER_RULES_H
#define CLI_ANSWER_RULES_H
#include <stddef.h>
#include "api/answer.h"
#include "base/strbuf.h"
#include "domain/application.h"

/* What rules had to do with an answer, for people. */

/* The lines about rules of an answer's evidence, at most max of them and one that says how many
 * more there are and where (`elsewhere`); nothing if no rule has a say. */
void answer_put_rules(struct strbuf *s, const struct application *a,
		      const struct answer_evidence *evidence, size_t max, const char *elsewhere);

#endif
