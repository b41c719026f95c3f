#ifndef MINING_FAILING_DEMANDS_H
#define MINING_FAILING_DEMANDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Demands on a node that are not known to run: those of runs that failed, or may have failed,
 * though no run as demanding ended. More memory is needed on a node by a problem that is no smaller
 * in any column, on as many nodes or fewer, with as many processes on each or more. Of columns of
 * which less is more work (mining/training/falling_columns.c) x^-e is the size. A few processes
 * less on each are no relief: half of them are, or as many as a run as demanding ended with.
 *
 * So what failed and whatever is as demanding
 *   - fails with a chance of a half, whatever is chosen besides, if no run as demanding ended;
 *   - of one level of a setting, or of its numbers from there on, if none of these ended;
 *   - with the same tunables and processes on a node, if it was set aside as too fast beside the
 *     others (mining/training/run_screen.h), as what runs out of memory is over at once, and nobody
 *     may have written that down. Times that follow the work in proportion are in another unit and
 *     no failures.
 * What is smaller than that and larger than the largest that ended on as few nodes has a share of
 * it: the limit lies anywhere between, in the logarithm of the product of the sizes. On more nodes
 * that holds of a problem larger by as much as there are more of them. Where one number is the size
 * of a problem, memory grows with a power of it from 1 to 3 over the nodes: DEMAND_POWERS of these
 * are as likely, but for those by which a run that ended was as demanding.
 *
 * Where more of a setting (or less) failed, less of it may relieve as more nodes do: beyond the
 * numbers that failed, a problem larger by as much as the number is less is as demanding, but for
 * the powers by which a run that ended with any number was so.
 *
 * Processes may each hold a copy of what they need. Then fewer of them are no more relief than by
 * their number, and more of them no less: of a larger problem on few processes, of any on more
 * than failed, or on as many where fewer ended with as much on a node, what a node needs is
 * compared as processes size^k / nodes, too,
 * and as processes size^k, which more nodes do not relieve; each is as likely, but for those by
 * which a run that ended was as demanding.
 *
 * What failed on the most nodes that were tried, and on fewer, while no problem as large ended on
 * any, and a run ended with as much on a node by the largest of these powers, is no matter of the
 * memory of a node: it fails on any number of nodes. What failed with the
 * same tunables is kept from being proposed by recommend/space/failed_runs.h. */
enum { FAILING_DEMANDS_MAX = 64, DEMAND_SIZES = 8, DEMAND_POWERS = 5, DEMAND_COPIES = 2 };
#define FAILING_DEMAND_CHANCE 0.5

/* Which configurations a demand is of. */
struct demand_scope {
	uint64_t packing; /* of config_kind.h; 0: any */
	size_t column;	  /* SIZE_MAX: any setting */
	int side;	  /* of its value: -1 no more, 0 that one, 1 no less */
	double value;
};

struct failing_demand {
	struct demand_scope scope;
	double nodes, ppn;	   /* of config_demand_of() */
	double relief_ppn;	   /* from so many processes on a node down it may be otherwise */
	bool fewer_ended;	   /* with as large a problem on as few nodes */
	bool any_nodes;		   /* more nodes never help */
	double size[DEMAND_SIZES]; /* x^-e of falling columns */
	/* ln of the product of the sizes over the most that ended on as few nodes, or on any. */
	double room;
	/* ln of what it demands by each power over the most that ended; NaN: as demanding ended. */
	double room_by_power[DEMAND_POWERS];
	/* The same, times the number of the scope, of all settings; NaN: of a scope of no number.
	 */
	double room_by_setting[DEMAND_POWERS];
	/* Times the processes on a node; and then the same whatever the nodes are. */
	double room_by_copy[DEMAND_COPIES * DEMAND_POWERS];
};

struct failing_demands {
	size_t n, n_early, n_sizes;  /* n_early: of runs that were set aside, the first ones */
	size_t n_powers;	     /* 1: of the product of several sizes */
	size_t column[DEMAND_SIZES]; /* of the problem and the workload, words among them */
	struct failing_demand *item;
	struct falling_columns falling; /* none where no run failed */
};

/* t: of the runs; expected_s[runs->n]: what the others let those take that were set aside; NULL:
 * they are passed over. failures: those that are not among the runs; NULL: none. Of more than 2^24
 * pairs of a failure and a configuration the least demanding are looked at.
 * Errors: NOMEM. */
enum err_code failing_demands_make(const struct dataset *runs, const struct dataset *failures,
				   const struct config_table *t, const double *expected_s,
				   struct failing_demands *out, struct err *e);
void failing_demands_release(struct failing_demands *m);
/* That a run of this row fails: 0 to FAILING_DEMAND_CHANCE. */
double failing_demands_chance(const struct failing_demands *m, const struct application *app,
			      const double *row);
/* Is the problem of this row one that fails on any number of nodes? */
bool failing_demands_on_any_nodes(const struct failing_demands *m, const struct application *app,
				  const double *row);
/* " What 3 of them tried ...": a sentence after that of run_screen.h; nothing where there are none.
 */
void failing_demands_explain(const struct failing_demands *m, struct strbuf *out);
/* Numbers "demand_...", and back: what a column of today does not know is left out. Errors: NOMEM.
 */
enum err_code failing_demands_store(const struct failing_demands *m, const struct application *app,
				    struct kb_fit *fit, struct err *e);
enum err_code failing_demands_load(const struct kb_fit *fit, const struct application *app,
				   struct failing_demands *out, struct err *e);

#endif
