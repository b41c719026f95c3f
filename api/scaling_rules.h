#ifndef API_SCALING_RULES_H
#define API_SCALING_RULES_H
#include "api/fitted_machine.h"
#include "mining/findings/doubling_effects.h"

/* What predicted time does with each parameter, machine by machine: see doubling_effects.h. */

struct scaling_rules_of {
	char *machine;
	bool stale;
	size_t n_runs;	  /* that ended */
	char *unanswered; /* why nothing is known of the machine; NULL: it is */
	struct doubling_effects effects;
};

struct scaling_rules {
	struct scaling_rules_of *item;
	size_t n;
};

/* Of one machine, or (NULL) all that have runs of the application; those that were not mined say
 * why. Errors: NOTFOUND; NOTMINED (none is known); INTERRUPTED, those of kb, NOMEM. */
enum err_code scaling_rules_find(struct session *session, const struct application *app,
				 int64_t app_id, const char *machine, double confidence,
				 struct scaling_rules *out, struct err *e);
void scaling_rules_release(struct scaling_rules *s);

#endif
