#ifndef RECOMMEND_NEIGHBOURS_H
#define RECOMMEND_NEIGHBOURS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/space/recommend.h"
#include "recommend/choose/alternatives.h"

/* Which of the same resources differ in one thing only. A dimension is a free tunable, or the shape
 * of the processor grid, whose sides move together as their product stays. One step along it leads
 * to the peer with the next larger or smaller value that is alike in all else. */
struct dimension {
	size_t *column; /* one, or the free sides of the grid */
	size_t n;
	bool ordered; /* false: of names (a text column), among which a step means nothing */
};

struct neighbours {
	const struct same_resource_set *same;
	struct dimension *dim;
	size_t n_dims;
	size_t *other; /* all free columns */
	size_t n_other;
	/* [n_dims * same->n]: configurations in the order of all other columns, then of the
	 * dimension; and where each stands in it. */
	size_t *order, *place;
};

/* Borrows the set. Errors: NOMEM. */
enum err_code neighbours_find(const struct search *s, const struct same_resource_set *p,
			      struct neighbours *out, struct err *e);
void neighbours_release(struct neighbours *nb);

/* The neighbour of peer i along a dimension; SIZE_MAX: none. Along one that is not ordered, every
 * peer alike in all else is come to step by step. */
size_t neighbour_of(const struct neighbours *nb, size_t i_dim, size_t i, bool above);

/* Among the configurations that are still tied after the rules voted, prefer the one whose
 * neighbours are good as well: the one for which the slowest of itself and its neighbours (one step
 * in one tunable, or in the shape of the grid) is predicted to be the fastest. Predictions may
 * misplace the optimum by a step; on a ridge that costs little, beside a cliff it costs much. It is
 * the robust optimum under implementation errors of Bertsimas, Nohadani and Teo, "Robust
 * optimization for unconstrained simulation-based problems", Operations Research 58(1), 2010, with
 * one step as the neighbourhood, and only as far as predictions cannot tell.
 *
 * Why by the worst, and among all that are tied: with predictors fitted to 15 and 40 % of the
 * shipped runs, the mean regret of the choice among the configurations of a problem and its
 * processors was 1.028 for the fastest by prediction and 1.019 for this one, and lower on each of
 * the three machines. The mean over the neighbours gave 1.021, a tie of at most 2 % 1.023. */

/* best: the choice so far; becomes the robust one. Errors: NOMEM. */
enum err_code tie_break_make(const struct search *s, const struct same_resource_set *p,
			     const struct neighbours *nb, enum criterion c, struct winner *best,
			     struct tie_break *out, struct err *e);

/* What would change the answer: each free parameter of the choice moved one step both ways (to
 * every other name where it has names), and the limits within which its number of nodes is the
 * answer. */

/* best: the choice, one of the set; with a row that is none of them there are no moves. Errors:
 * NOMEM. */
enum err_code sensitivity_find(const struct search *s, const struct neighbours *nb,
			       const struct winner *best, struct sensitivity *out, struct err *e);
void sensitivity_release(struct sensitivity *s);

/* How far deadline and confidence may be moved until another number of nodes is the fewest that
 * will do. Left as it is unless the objective is the fewest nodes, they are free, and no budget
 * plays a part. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code node_limits_find(const struct search *s, const struct winner *best,
			       struct node_limits *out, struct err *e);

#endif
