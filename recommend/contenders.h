#ifndef RECOMMEND_CONTENDERS_H
#define RECOMMEND_CONTENDERS_H
#include "base/err.h"
#include "recommend/config_space.h"
#include "recommend/places.h"
#include "recommend/recommend.h"

/* The configurations that may turn out to be the right answer to a request, once their times are
 * known better: the recommendation, its alternatives and, of each choice of resources that stands a
 * chance, the tuning that stands the best. */
enum { MAX_CONTENDERS = 24 };

/* The recommendation (or the best effort) first, then the others by falling probability to be
 * right; at most MAX_CONTENDERS. a->best.row must be set. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code contenders_find(struct config_space *space, const struct advice *a,
			      struct places *out, struct err *e);

#endif
