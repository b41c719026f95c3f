#ifndef MINING_MINE_RULES_H
#define MINING_MINE_RULES_H
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/findings.h"
#include "domain/rule.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/slowdown_table.h"

/* Take out of the list what was found over all machines but does not hold on each of at least two
 * that have enough runs to say: a choice rule must be slower than the other choices of its cases
 * there, a setting faster. Time rules are of one machine. Errors: NOMEM, PARSE. */
enum err_code rule_machines_keep(const struct slowdown_table *t, struct rule_list *rules,
				 struct err *e);

/* Mined rules ready to be asked, as somebody who only has the printed ones would: most useful
 * first. */
struct rule_set {
	struct rule_list rules;
	struct rule_test **test; /* [rules.n] */
};

/* Takes over what is in *mined, also on failure. Errors: PARSE, NOMEM. */
enum err_code rule_set_make(const struct application *app, struct rule_list *mined,
			    struct rule_set *out, struct err *e);
void rule_set_release(struct rule_set *s);

/* Raised whenever the same runs would give other rules or findings. */
enum { MINE_RULES_VERSION = 5 };

/* Everything that is mined from the runs of an application besides the predictor. */
struct mined {
	struct rule_list rules; /* most useful first, identified, evidence complete */
	struct findings findings;
};

/* runs: of one machine (its name), or of all (machine NULL): then base is NULL, and a rule is shown
 * only if it holds on each machine that has enough to say on it. base and failures (its failed runs
 * that are not among these) may be NULL. Too few runs give few findings and no rules: no error.
 * Errors: NOMEM, INTERRUPTED. */
enum err_code mine_rules(const struct dataset *runs, const struct dataset *failures,
			 const char *machine, const struct predictor *base,
			 const struct progress *p, struct mined *out, struct err *e);
void mined_release(struct mined *m);

/* What re-mining changed: rules gained, lost, and moved (of the same shape as one lost, taken
 * together). */
struct rule_change {
	const struct rule *before; /* NULL: gained */
	const struct rule *after;  /* NULL: lost; both: moved */
};
/* (*out)[*n], to be freed; it borrows from the lists. Rules with the same id are left out. */
enum err_code rule_changes(const struct application *a, const struct rule_list *before,
			   const struct rule_list *after, struct rule_change **out, size_t *n,
			   struct err *e);

#endif
