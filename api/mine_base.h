#ifndef API_MINE_BASE_H
#define API_MINE_BASE_H
#include <stdbool.h>
#include <stddef.h>
#include "api/session.h"
#include "base/err.h"
#include "mining/mine.h"

/* Mining of a whole base: every application on every machine with runs, then what holds on all
 * machines of an application. */

/* The result of one step. */
struct mined_step {
	const struct application *app;
	const struct kb_name *app_name;
	const struct kb_name *machine; /* NULL: all machines together */
	/* The knowledge that is stored now. Where mining failed for want of runs, or because no
	 * model fits them, only made->fit, with what was known before (without predictor: nothing).
	 */
	const struct mine_outcome *made;
	enum err_code failed;
	const char *why; /* it failed; else NULL */
};

struct mine_request {
	const char *app, *machine; /* the only ones that are mined; NULL: all */
	/* Told of each step, in the order of the machines; an error ends the work. Machines are
	 * learned side by side: told, and the session's progress, are called by one thread at a
	 * time, and not always by the caller's. */
	enum err_code (*told)(void *arg, const struct mined_step *step, struct err *e);
	void *arg;
};

/* The base is open for writing. Errors: NOTFOUND (a name), INTERRUPTED, those of kb and of told. */
enum err_code mine_base(struct session *session, const struct mine_request *asked, struct err *e);

/* Changes of the rules by a step. A rule moved if one of the same shape was lost and gained;
 * the first time nothing is gained: all of it is new. */
struct mined_rule_changes {
	size_t n; /* rules now */
	size_t n_gained, n_lost, n_moved;
	struct mined_rule_change {
		const struct rule *before; /* NULL: gained */
		const struct rule *after;  /* NULL: lost; both: moved */
	} * item; /* of the outcome's rules, n_items = n_gained + n_lost + n_moved */
	size_t n_items;
};
/* *out borrows the rules from made. Errors: NOMEM. */
enum err_code mined_rule_changes_find(const struct application *app,
				      const struct mine_outcome *made,
				      struct mined_rule_changes *out, struct err *e);
void mined_rule_changes_release(struct mined_rule_changes *c);

#endif
