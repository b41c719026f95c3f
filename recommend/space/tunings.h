#ifndef RECOMMEND_TUNINGS_H
#define RECOMMEND_TUNINGS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "recommend/space/axis.h"
#include "recommend/space/partial_evaluation.h"

/* All combinations of the free tunables that their own rules allow, with the derived columns that
 * follow from them alone. They are listed once per request, or once per group where candidates
 * depend on the group (divisors of a side of the grid). */
struct tunings {
	const struct partial_evaluation *layers;
	const struct progress *progress; /* NULL: go on in silence */
	struct axis *axis;		 /* in column order */
	size_t n_axes;
	bool varies;	   /* list again for each group */
	struct axis list;  /* the combinations and what is derived from them */
	uint64_t n_judged; /* combinations so far, legal or not, for tunings_list() */
};

/* Takes over axis[n_axes], also on errors. Errors: NOMEM. */
enum err_code tunings_init(struct tunings *t, const struct partial_evaluation *l,
			   const struct progress *progress, struct axis *axis, size_t n_axes,
			   struct err *e);
void tunings_release(struct tunings *t);

/* List the combinations for row (given, or given and group); it comes back as it was. *refusal is
 * set when a rule refused one. Errors: ARG (more than MAX_TUNINGS_LISTED are legal, or too many
 * have to be judged: names the columns), INTERRUPTED, NOMEM. */
enum err_code tunings_list(struct tunings *t, double *row, const struct legality **refusal,
			   struct err *e);

#endif
