#ifndef RECOMMEND_ALTERNATIVES_H
#define RECOMMEND_ALTERNATIVES_H
#include "base/err.h"
#include "recommend/search/search.h"

/* Make a choice of a configuration. row[n_columns] is copied. Errors: NOMEM. */
enum err_code choice_make(const struct advice_request *q, const double *row,
			  const struct feasibility *o, const struct prediction *at, const char *why,
			  struct choice *out, struct err *e);

/* Fill advice->alternative: the winners by other criteria and the neighbours of advice->best, which
 * was made of `best`; each configuration once. Errors: NOMEM. */
enum err_code alternatives_find(const struct search *s, const struct winner *best, struct advice *a,
				struct err *e);

#endif
