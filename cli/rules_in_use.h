#ifndef CLI_RULES_IN_USE_H
#define CLI_RULES_IN_USE_H
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"
#include "recommend/rule_advice.h"

/* The mined rules that answers about an application on a machine heed: those of the machine, then
 * those of all machines that say something else. Left out is what people refused, what waits for
 * review because it was refused in a slightly different form, time rules that are findings only
 * (weight 0), and what speaks of columns that the application no longer has. */
struct rules_in_use {
	struct kb_rules own, general; /* what item[] points into */
	struct rule_in_use *item;
	size_t n;
	int64_t last_decision; /* the largest id of a decision that they heed; 0: none */
	char identity[65]; /* hash over all that these rules say and how they were judged; "": none
			    */
};

/* No rules are no error. Errors: NOMEM, those of kb. */
enum err_code rules_in_use_load(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, struct rules_in_use *out, struct err *e);
void rules_in_use_release(struct rules_in_use *r);

#endif
