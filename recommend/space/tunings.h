#ifndef RECOMMEND_TUNINGS_H
#define RECOMMEND_TUNINGS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/space/axis.h"
#include "recommend/space/partial_evaluation.h"

/* All combinations of the free tunables that their own rules allow, with the derived columns that
 * follow from them alone. They are listed once per request, or once per group where candidates
 * depend on the group (divisors of a side of the grid). */
struct tunings {
	const struct partial_evaluation *layers;
	struct axis *axis; /* in column order */
	size_t n_axes;
	bool varies;	  /* list again for each group */
	struct axis list; /* the combinations and what is derived from them */
};

/* Takes over axis[n_axes], also on errors. Errors: NOMEM. */
enum err_code tunings_init(struct tunings *t, const struct partial_evaluation *l, struct axis *axis,
			   size_t n_axes, struct err *e);
void tunings_release(struct tunings *t);

/* List the combinations for row (given, or given and group); it comes back as it was. *refusal is
 * set when a rule refused one. Errors: ARG, NOMEM. */
enum err_code tunings_list(struct tunings *t, double *row, const struct legality **refusal,
			   struct err *e);

#endif
