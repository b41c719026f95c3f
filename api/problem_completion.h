#ifndef API_PROBLEM_COMPLETION_H
#define API_PROBLEM_COMPLETION_H
#include "api/session.h"
#include "base/strbuf.h"
#include "domain/application.h"

/* What people leave out of a problem, and what the runs say of it. Rows are of a, NaN where nobody
 * gave a value; texts are levels of a. */

/* Of an application without structural model: each missing problem column of row takes its only
 * value among all runs, else among those of the words that were given, for the name of a case
 * stands for its sizes, unless a number that was given is none of it; else that of a number that
 * was given, if it is a function of it in all runs. (That the runs of n 300 have order 2 only may
 * be chance, where others of one n differ in it.) *taken: what was taken and why, "order 2 assumed,
 * as in all runs; nx 1901 assumed, as in all runs of case conus2.5"; empty where nothing was.
 * Errors: those of kb_load_runs(). */
enum err_code problem_complete(struct session *session, const struct application *a, double *row,
			       struct strbuf *taken, struct err *e);

/* "groups=64,legendre=1 (what is not given as in run 17)": row, with what is missing from a run
 * that agrees with it as far as one does; "legendre=VALUE" where there are no runs. Errors: those
 * of kb_load_runs(). */
enum err_code problem_put_example(struct session *session, const struct application *a,
				  const double *row, struct strbuf *out, struct err *e);

#endif
