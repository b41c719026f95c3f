#ifndef API_MINE_BASE_H
#define API_MINE_BASE_H
#include <stdbool.h>
#include "api/session.h"
#include "mining/mine.h"

/* Mining of a whole base: every application on every machine with runs, then what holds on all
 * machines of an application. */

/* What came of one step. */
struct mined_step {
	const struct application *app;
	const struct kb_name *app_name;
	const struct kb_name *machine; /* NULL: all machines together */
	/* What is stored now. Where mining failed for want of runs, or because no model fits them,
	 * only made->fit, with what was known before (without predictor: nothing). */
	const struct mine_outcome *made;
	enum err_code failed;
	const char *why; /* it failed; else NULL */
};

struct mine_request {
	const char *app, *machine; /* the only ones that are mined; NULL: all */
	/* Told of each step; an error ends the work. */
	enum err_code (*told)(void *arg, const struct mined_step *step, struct err *e);
	void *arg;
};

/* The base is open for writing. Errors: NOTFOUND (a name), INTERRUPTED, those of kb and of told. */
enum err_code mine_base(struct session *session, const struct mine_request *asked, struct err *e);

#endif
