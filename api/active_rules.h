#ifndef API_ACTIVE_RULES_H
#define API_ACTIVE_RULES_H
#include <stdint.h>
#include "base/err.h"
#include "domain/rule.h"
#include "kb/kb.h"
#include "recommend/space/rule_advice.h"

/* The decision about r, one of the rules of `beside`: by its id; else in another form of it
 * (kb_judge_rule()); else about a twin of it (rule.twin_of), for which it stands now: then
 * look_again is set, too, so that no decision is lost when twins become one. Errors: NOMEM. */
enum err_code rule_judgement(const struct application *app, const struct kb_decisions *decisions,
			     const struct rule_list *beside, const struct rule *r,
			     struct kb_judgement *out, struct err *e);

/* The mined rules that answers about an application on a machine heed: those of the machine, then
 * those of all machines that say something else. Left out is what people refused, what waits for
 * review because it was refused in a slightly different form, time rules that are findings only
 * (weight 0), and what speaks of columns that the application no longer has. */
struct active_rules {
	struct kb_rules own, general; /* what item[] points into */
	struct active_rule *item;
	size_t n;
	int64_t last_decision; /* the largest id of a decision that they heed; 0: none */
	char identity[65]; /* hash over all that these rules say and how they were judged; "": none
			    */
};

/* No rules are no error. Errors: NOMEM, those of kb. */
enum err_code active_rules_load(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, struct active_rules *out, struct err *e);
void active_rules_release(struct active_rules *r);

#endif
