#ifndef RECOMMEND_TIE_BREAK_BY_NEIGHBOURHOOD_H
#define RECOMMEND_TIE_BREAK_BY_NEIGHBOURHOOD_H
#include "recommend/choose/neighbours.h"
#include "recommend/space/recommend.h"

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

#endif
