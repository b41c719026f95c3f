#ifndef RECOMMEND_FAILED_RUNS_H
#define RECOMMEND_FAILED_RUNS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/predictor/failing_demands.h"
#include "recommend/space/recommend.h"

/* What failed runs say against a configuration. Runs do not record why they failed, so every
 * failure is taken for a lack of memory until a run shows otherwise, and then for a problem that is
 * too small for so many processes, until a run shows that it is not that either:
 *
 * - A configuration (tunables and resources) of which no run of this problem ended, and at least
 *   one failed, FAILED. If some ended and more failed, it is AT_RISK; otherwise its failures are
 *   accidents, whose chance is in what is promised (mining/predictor/chance_failures.h).
 * - A configuration is AT_RISK if a run with its tunables failed on a problem no larger in any
 *   column and on as many nodes or more: more memory is needed on a node, and no more is there. On
 *   the same problem and nodes, half of the processes a node or fewer are a remedy and not at risk.
 *   Processes on a node may matter or not: fewer of them are a remedy where a run shows it.
 * - On however many nodes, if the failure is of what failed on all node counts that were tried
 *   (mining/predictor/failing_demands.h).
 * - So it is if it needs more than half of the memory on a node that failed, and no run with its
 *   tunables that ended shows that it fits. How memory grows with the problem is not known: with
 * the cube of a single column, the square of each of two, the product of more, at most, and at
 * least in proportion; and it is shared by the nodes.
 * - A failure is taken back by a run with the same tunables that ended and needed as much memory on
 *   a node, however memory grows, with no fewer processes on each: it was not one of size. Nobody
 *   else is at risk by it. (Of several columns one may have nothing to do with memory: growth in
 * one takes nothing back.)
 *
 * - A failure that was not one of memory puts a configuration with its tunables AT_RISK that gives
 *   each process less than twice as much of the problem (fewer cells than ranks, an empty block),
 *   if no run that ended shows that a problem no larger goes on so many processes. A run that
 *   ended on a problem no larger and no fewer processes takes that back, too. With one column of
 * the problem its share of a process grows in proportion; of several, smaller values say nothing.
 *
 * Of columns of which less is more work (mining/training/falling_columns.c) x^-e is the size, e at
 * most 1. Sides of a processor grid count as resources here. */
enum { FAILURE_MAX_SHOWN = 6 };

/* What a run with these tunables shows: the problem fits on so many nodes, or more, with so many
 * processes on each, or fewer. */
struct shown_fit {
	double nodes, ppn;
};

struct failure {
	size_t run;	    /* of the data set; of a configuration the one of least number */
	double risky_below; /* nodes on which the problem needs half of what failed */
	struct shown_fit shown[FAILURE_MAX_SHOWN];
	size_t n_shown;
	double ppn;		  /* processes on a node; INFINITY: it does not say */
	bool of_problem;	  /* of the problem of the question */
	size_t n_failed;	  /* runs of this configuration */
	size_t n_ended, n_stored; /* of it too: as read, and as the index counts them */
	bool taken_back;	  /* no risk to others by what it needs */
	bool share_taken_back;	  /* nor by how little it left to each process */
	bool nodes_never_help;	  /* it failed on all node counts that were tried */
	double most_procs;	  /* on which a problem no larger than that of the question ended */
};

struct failed_runs {
	const struct application *app;
	const struct dataset *runs;	       /* borrowed */
	const struct failing_demands *demands; /* borrowed; NULL: nothing was learned */
	const double *problem; /* a row that has the problem of the question; borrowed */
	struct failure *item;  /* by tunables */
	size_t n;
};

/* Those that matter for the problem of q->row: failures on it, and of others with the same tunables
 * and processes on a node those that put most nodes at risk. Read are
 * q->failures (or the failed ones among q->runs), and runs that ended, in q->stored or q->runs.
 * Errors: NOMEM, those of kb_search_run_index(). */
enum err_code failed_runs_find(const struct advice_request *q, struct failed_runs *out,
			       struct err *e);
void failed_runs_release(struct failed_runs *f);

/* The failed run of least number that says so, and the chance that the next run fails as well:
 * (failed + 1) / (failed + ended + 2), Laplace's rule of succession, of the runs that say so and of
 * those of the configuration itself that ended. */
struct warning failed_runs_judge(const struct failed_runs *f, const double *row);

#endif
