#ifndef MINING_DOUBLING_EFFECTS_H
#define MINING_DOUBLING_EFFECTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/dataset.h"
#include "mining/predictor/predictor.h"

/* What the predicted time does when one parameter is doubled and all else stays: a readable digest
 * of a predictor, no model of its own.
 *
 * A step goes from a configuration that was run to the same one with the parameter at another level
 * of the runs, the nearest to twice as much, where both predictions lie inside the runs or at their
 * edge. Its effect is the ratio of both times, per doubling. Neither prediction is certain: their
 * epistemic standard deviations add as squares, as if they erred independently, which is too wide
 * where they err alike. An effect is the mixture of its steps: for a step drawn among them, and its
 * error, the interval holds the effect with the probability asked. Where pairs of runs show a
 * median effect outside of it, it is widened to hold that, too.
 *
 * A parameter of which there is no step is not known: it never varied, or only together with
 * others, or no other level lies within what predictions support. Columns that only vary together
 * are told as one.
 *
 * nodes and ppn take stored procs along (procs = nodes * ppn); the sides of a processor grid are
 * one parameter, which goes from one grid to the seen one of most nearly the same shape. */

enum doubling_state {
	DOUBLING_KNOWN,
	DOUBLING_CONSTANT, /* one value in all runs */
	DOUBLING_TOGETHER, /* it varied with others only: with[] */
	DOUBLING_UNSUPPORTED
};

struct doubling_piece {
	double from, to;       /* levels of the steps: it is not known beyond */
	double effect, lo, hi; /* time ratios per doubling (or per `factor`) */
	size_t n_steps;
	size_t n_pairs;	 /* of them, steps of which both ends were run */
	double observed; /* the median effect of these pairs; NaN: there is none */
};

enum { DOUBLING_MOST_COLUMNS = 8, DOUBLING_MOST_PIECES = 2 };

struct doubling_effect {
	size_t column[DOUBLING_MOST_COLUMNS]; /* the first is told of in from and to */
	size_t n_columns;
	enum doubling_state state;
	double constant;			    /* DOUBLING_CONSTANT */
	size_t with[DOUBLING_MOST_COLUMNS], n_with; /* DOUBLING_TOGETHER */
	/* 2, or the ratio of the last to the first level where that is less. */
	double factor;
	struct doubling_piece piece[DOUBLING_MOST_PIECES];
	size_t n_pieces;
};

struct doubling_effects {
	struct doubling_effect *item; /* problem, workload, resources, tunables */
	size_t n;
};

/* runs: those that p was fitted to. Numeric columns only; words cannot be doubled. Errors: NOMEM.
 */
enum err_code doubling_effects_find(const struct predictor *p, const struct dataset *runs,
				    double confidence, struct doubling_effects *out, struct err *e);
void doubling_effects_release(struct doubling_effects *x);

#endif
