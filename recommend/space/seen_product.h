#ifndef RECOMMEND_SEEN_PRODUCT_H
#define RECOMMEND_SEEN_PRODUCT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "recommend/space/axis.h"
#include "recommend/space/rule_advice.h"
#include "recommend/space/placement.h"

/* Candidates of columns whose values come from runs: all combinations of which every two values
 * occur together in a run that ended well. Processes are looked at by the node (procs / nodes), so
 * that they grow with the nodes.
 *
 * Of nodes (of processes, in an application without nodes) there are candidates besides: the powers
 * of two and halfway between them (3 * 2^k) that lie between the counts that were run, and beyond
 * the largest up to the limit of the request. One between goes with what was run on both of the
 * counts around it, one beyond with what was run on the largest. Fewer than the fewest are not
 * proposed: whether the memory of so few suffices no run can tell.
 *
 * Combinations that were run are always among the candidates. Of others SEEN_PRODUCT_MAX are taken
 * at most, those of least hash; the walk ends after SEEN_PRODUCT_STEPS steps. With more than
 * SEEN_PRODUCT_LEVELS different values in all only what was run is proposed. */
enum { SEEN_PRODUCT_MAX = 4096, SEEN_PRODUCT_STEPS = 2000000, SEEN_PRODUCT_LEVELS = 4096 };

struct seen_product_input {
	const struct application *app;
	const struct dataset *runs;
	const double *given; /* a row: what the request fixes, NaN where it is free */
	const bool *agree;   /* n_columns: fixed columns whose values come from runs, too */
	const struct placement *placement;
	struct kept_invariants *invariants; /* those that cannot be kept are given up */
	const struct progress *progress;
};

struct seen_product {
	const struct application *app;
	struct axis run;	/* all columns, as they were run together; ascending */
	size_t i_scale;		/* nodes, or processes; SIZE_MAX: neither is among the columns */
	double least, largest;	/* of it, that was run */
	size_t n[ORIGIN_COUNT]; /* candidates */
	bool cut;		/* some were left out, by the limits above */
};

/* Fill the axis with what keeps to the invariants; a value that nobody tried is combined with
 * everything that was, and so are values that no run brings together. out is to be released in any
 * case. Errors: NOMEM, INTERRUPTED. */
enum err_code seen_product_fill(struct axis *a, const struct seen_product_input *in,
				struct seen_product *out, struct err *e);
void seen_product_release(struct seen_product *p);

/* Of a complete row. */
enum origin seen_product_origin(const struct seen_product *p, const double *row);

#endif
