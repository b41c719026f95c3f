#ifndef CLI_ANSWER_RULES_H
#define CLI_ANSWER_RULES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"
#include "domain/application.h"
#include "recommend/recommend.h"

/* What rules had to do with an answer, as JSON and, made from that, for people. */
struct json_t;

/* [{"id", "kind", "text", "state", "verdict": "for" | "against" | "used"}, ...]; NULL: out of
 * memory. */
struct json_t *answer_rules_json(const struct rule_report *r);
/* [{"rule", "to"}, ...]: ids of accepted rules and of those they were preferred to. */
struct json_t *answer_preferences_json(const struct rule_report *r);

/* The lines about rules of an answer's evidence, at most max of them and one that says how many
 * more there are and where (`elsewhere`); nothing if no rule has a say. */
void answer_put_rules(struct strbuf *s, const struct application *a, const struct json_t *evidence,
		      size_t max, const char *elsewhere);

#endif
