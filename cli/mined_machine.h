#ifndef CLI_MINED_MACHINE_H
#define CLI_MINED_MACHINE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "cli/context.h"
#include "cli/options.h"
#include "cli/rules_in_use.h"
#include "mining/predictor.h"

/* A machine and the predictor that was mined for one application on it: what `predict` and
 * `recommend` answer from. With --like NAME [--wg-factor F] a machine without runs borrows the
 * computation times of another, times F: a "what if". */
struct mined_machine {
	struct machine *machine;
	int64_t machine_id;
	int64_t runs_machine_id; /* whose runs the predictor was fitted to */
	char *like;		 /* what if: the name of that other machine; else NULL */
	double wg_factor;
	struct predictor *predictor; /* borrows the application; follows the time rules */
	struct rules_in_use rules;   /* none in a what if: they were seen on the other machine */
	bool stale;		     /* facts changed since mining */
	char snapshot[65];	     /* what the predictor was made from */
	char facts[65];		     /* what it would be made from today; equal unless stale */
};

extern const struct option_spec opt_like, opt_wg_factor;

/* name NULL: the machine that context_machine() chooses. Errors: USAGE, NOTFOUND, NOTMINED (says
 * what to type), ARG (a what if that cannot be). Nothing is printed: a warning that knowledge is
 * stale is the caller's. */
enum err_code mined_machine_load(struct context *c, const struct application *app, int64_t app_id,
				 const char *name, struct mined_machine *out, struct err *e);
/* What the same question would be answered from today: the snapshot of its facts. like NULL: no
 * what if. Errors: NOTFOUND. */
enum err_code mined_machine_facts(struct context *c, int64_t app_id, const char *name,
				  const char *like, char facts[65], struct err *e);
/* What the rules say about a complete row that `at` is predicted for. Errors: NOMEM. */
enum err_code mined_machine_ask_rules(const struct mined_machine *m, const struct application *app,
				      const double *row, const struct prediction *at,
				      struct rule_report *out, struct err *e);
void mined_machine_release(struct mined_machine *m);

#endif
