#ifndef RECOMMEND_CANDIDATE_SET_H
#define RECOMMEND_CANDIDATE_SET_H
#include "base/err.h"
#include "recommend/space/config_space.h"
#include "recommend/next/candidate_points.h"
#include "recommend/space/recommend.h"

/* The configurations that may turn out to be the right answer to a request, once their times are
 * known better: the recommendation, its alternatives and, of each choice of resources that stands a
 * chance, the tuning that stands the best. */
enum { MAX_CANDIDATE_SET = 24 };

/* The recommendation (or the best effort) first, then the others by falling probability to be
 * right; at most MAX_CANDIDATE_SET. a->best.row must be set. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code candidate_set_find(struct config_space *space, const struct advice *a,
				 struct candidate_points *out, struct err *e);

#endif
