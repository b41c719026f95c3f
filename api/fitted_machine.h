#ifndef API_FITTED_MACHINE_H
#define API_FITTED_MACHINE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"
#include "api/active_rules.h"
#include "api/session.h"

/* Would mining fail for want of runs? Then "run `lemnos mine`" is no help. *why says what is
 * missing ("1 configuration: the wavefront model wants 8 or more to calibrate on"), and is empty if
 * mining can be tried. n_runs: those of the pair. */
enum err_code check_enough_runs(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, int64_t n_runs, struct strbuf *why,
				struct err *e);

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
	bool gone;		     /* all runs that it was mined of were undone */
	char snapshot[65];	     /* what the predictor was made from */
	char facts[65];		     /* what it would be made from today; equal unless stale */
};

/* The machine that is asked about; for a what-if, the one that it borrows from. */
struct machine_request {
	const char *name; /* NULL: the one that session_machine() chooses */
	const char *like; /* what if: the machine whose computation times it borrows; or NULL */
	double wg_factor; /* with like: times so much; 0: 1 */
	bool gone_too;	  /* to compare with: also what was mined of runs that are all gone */
};

/* Errors: USAGE, NOTFOUND, NOTMINED (says what to type), ARG (a what if that cannot be).
 * Nothing is printed: a warning that knowledge is stale is the caller's. */
enum err_code fitted_machine_load(struct session *session, const struct application *app,
				  int64_t app_id, const struct machine_request *asked,
				  struct fitted_machine *out, struct err *e);
/* Error NOTMINED where all runs that it was mined of are gone. */
enum err_code fitted_machine_refuse_gone(struct session *session, const struct application *app,
					 int64_t app_id, const struct fitted_machine *m,
					 struct err *e);
/* Rules that speak about a complete row that `at` is predicted for. Errors: NOMEM. */
enum err_code fitted_machine_ask_rules(const struct fitted_machine *m,
				       const struct application *app, const double *row,
				       const struct prediction *at, struct rule_report *out,
				       struct err *e);
void fitted_machine_release(struct fitted_machine *m);

/* The machines that the rows of a file name, each loaded when it is first met. What is told of one
 * stays where it is until the release. */
struct named_machine;

struct fitted_machines {
	struct session *session;
	const struct application *app;
	int64_t app_id;
	struct machine_request asked; /* a name that a row has takes the place of asked.name */
	struct named_machine **item;
	size_t n;
	size_t last; /* rows of a machine mostly stand together */
	/* The name that failed last, so that a file of a million such rows asks the base once. */
	char *failed;
	struct err why;
};

/* The machine of that name; "" stands for asked.name. *out is NULL where the base does
 * not know it or knows nothing of it: m->why.msg says so, and the row is invalid. That no machine
 * is named at all, or nothing was ever mined, is an error. */
enum err_code fitted_machines_find(struct fitted_machines *m, const char *name,
				   const struct fitted_machine **out, struct err *e);
void fitted_machines_release(struct fitted_machines *m);

#endif
