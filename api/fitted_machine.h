#ifndef API_FITTED_MACHINE_H
#define API_FITTED_MACHINE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "api/session.h"
#include "api/active_rules.h"
#include "mining/predictor/predictor.h"

/* A machine and the predictor that was mined for one application on it: what `predict` and
 * `recommend` answer from. With --like NAME [--wg-factor F] a machine without runs borrows the
 * computation times of another, times F: a "what if". */
struct fitted_machine {
	struct machine *machine;
	int64_t machine_id;
	/* The machine's, else the most that a run used (placement_cores_seen()); 0: not known. */
	double cores_per_node;
	int64_t runs_machine_id; /* whose runs the predictor was fitted to */
	char *like;		 /* what if: the name of that other machine; else NULL */
	double wg_factor;
	struct predictor *predictor; /* borrows the application; follows the time rules */
	struct active_rules rules;   /* none in a what if: they were seen on the other machine */
	bool stale;		     /* facts changed since mining */
	char snapshot[65];	     /* what the predictor was made from */
	char facts[65];		     /* what it would be made from today; equal unless stale */
};

/* Which machine is asked about, and as if it were what. */
struct machine_request {
	const char *name; /* NULL: the one that session_machine() chooses */
	const char *like; /* what if: the machine whose computation times it borrows; or NULL */
	double wg_factor; /* with like: times so much; 0: 1 */
};

/* Errors: USAGE, NOTFOUND, NOTMINED (says
 * what to type), ARG (a what if that cannot be). Nothing is printed: a warning that knowledge is
 * stale is the caller's. */
enum err_code fitted_machine_load(struct session *session, const struct application *app,
				  int64_t app_id, const struct machine_request *asked,
				  struct fitted_machine *out, struct err *e);
/* What the same question would be answered from today: the snapshot of its facts. like NULL: no
 * what if. Errors: NOTFOUND. */
enum err_code fitted_machine_facts(struct session *session, int64_t app_id, const char *name,
				   const char *like, char facts[65], struct err *e);
/* What the rules say about a complete row that `at` is predicted for. Errors: NOMEM. */
enum err_code fitted_machine_ask_rules(const struct fitted_machine *m,
				       const struct application *app, const double *row,
				       const struct prediction *at, struct rule_report *out,
				       struct err *e);
void fitted_machine_release(struct fitted_machine *m);

#endif
