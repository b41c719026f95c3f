#ifndef MINING_SINGLE_BEST_H
#define MINING_SINGLE_BEST_H
#include <stdbool.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* The one setting of all tunables that was best over the cases in which it was run: what people do
 * who try once and keep it. */
struct single_best {
	const struct application *app; /* borrowed */
	double *row;		       /* [app->n_columns]; only the tunables count; NULL: none */
};

/* Only settings that were run in at least half as many cases as the one run in most: else the
 * luckiest of many would win. Errors: NOMEM. */
enum err_code single_best_find(const struct slowdown_table *t, struct single_best *out,
			       struct err *e);
void single_best_release(struct single_best *f);
bool single_best_holds(const struct single_best *f, const double *row);

#endif
