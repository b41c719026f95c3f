#ifndef RECOMMEND_UNSEEN_VALUES_H
#define RECOMMEND_UNSEEN_VALUES_H
#include "base/err.h"
#include "recommend/next/candidate_points.h"
#include "recommend/space/config_space.h"

/* Values that no run has, of tunables whose candidates come from runs: an answer keeps to what was
 * tried, but a run may try another one. For a configuration with one such value changed: halfway
 * (of logs) to the next value that was run, below and above, or beyond the least and the largest by
 * the same factor as the last step. A whole number that is legal and nearest to that is taken.
 *
 * Only of a tunable that two runs show changed alone, all else equal: where it moves with others
 * (the sides of a grid), nobody knows what else would have to change. Nothing beyond whole numbers
 * that follow each other (1, 2, 3): these may be names. Resources are not among them, since further
 * node counts are candidates anyway (seen_product.h). */

/* Add those of the first n places that are legal, keep to the invariants, fit and are not there
 * yet, of kind "new value". Errors: NOMEM. */
enum err_code unseen_values_add(const struct config_space *space, struct candidate_points *p,
				size_t n, struct err *e);

#endif
