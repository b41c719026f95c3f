#ifndef RECOMMEND_FAILED_RUNS_H
#define RECOMMEND_FAILED_RUNS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "recommend/space/recommend.h"

/* What failed runs say against a configuration. Runs do not record why they failed, so every
 * failure is taken for a lack of memory until a run shows otherwise:
 *
 * - A configuration (tunables and resources) of which no run of this problem ended, and at least
 *   one failed, FAILED.
 * - A configuration is AT_RISK if a run with its tunables failed on a problem no larger in any
 *   column and on as many nodes or more: more memory is needed on a node, and no more is there. On
 *   the same problem and nodes, fewer processes a node are a remedy and not at risk.
 * - A failure is taken back by a run with the same tunables that ended on a problem no smaller and
 *   on no more nodes: the failure was not one of size. Nobody else is at risk by it.
 *
 * Sides of a processor grid count as resources here. */
struct failed_runs {
	const struct application *app;
	const struct dataset *runs; /* borrowed */
	size_t *run;		    /* by tunables; of a configuration the one of least number */
	unsigned char *cleared;	    /* not 0: no risk to others */
	size_t n;
};

/* Those that matter for the problem of q->row: on a problem no larger in any column. Read are
 * q->failures (or the failed ones among q->runs), and runs that ended, in q->stored or q->runs.
 * Errors: NOMEM, those of kb_search_run_index(). */
enum err_code failed_runs_find(const struct advice_request *q, struct failed_runs *out,
			       struct err *e);
void failed_runs_release(struct failed_runs *f);

/* *run_id: the failed run of least number that says so; untouched with RISK_NONE. */
enum risk failed_runs_judge(const struct failed_runs *f, const double *row, int64_t *run_id);

#endif
