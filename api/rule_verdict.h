#ifndef API_RULE_VERDICT_H
#define API_RULE_VERDICT_H
#include "base/err.h"
#include "domain/rule.h"
#include "kb/kb.h"

/* What was decided about r, one of the rules of `beside`: by its id; else in another form of it
 * (kb_judge_rule()); else about a twin of it (rule.twin_of), for which it stands now: then
 * look_again is set, too, so that no decision is lost when twins become one. Errors: NOMEM. */
enum err_code rule_verdict(const struct application *app, const struct kb_decisions *decisions,
			   const struct rule_list *beside, const struct rule *r,
			   struct kb_verdict *out, struct err *e);

#endif
