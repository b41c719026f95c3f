#ifndef RECOMMEND_LOW_FIDELITY_RUNS_H
#define RECOMMEND_LOW_FIDELITY_RUNS_H
#include "base/err.h"
#include "recommend/space/config_space.h"
#include "recommend/next/candidate_points.h"

/* Cheaper runs that tell something of dearer ones: the same configuration with less work, a smaller
 * problem, fewer processors, or both of these scaled down together. A quarter of the work, half of
 * everything else; classes without a definition get a problem that was run before, since nobody
 * knows which others there are. Kinds: "less work", "smaller problem", "fewer processors",
 * "scaled down". */

/* Add those of the first n places that are legal, cost at most half and are not there yet.
 * Errors: NOMEM. */
enum err_code low_fidelity_runs_add(const struct config_space *space, struct candidate_points *p,
				    size_t n, struct err *e);

#endif
