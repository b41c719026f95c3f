#ifndef MINING_TERM_SEARCH_H
#define MINING_TERM_SEARCH_H
#include "base/progress.h"
#include "mining/structure/term_shapes.h"

/* Terms that the runs bear out, found one after the other: the term whose logarithm leaves least of
 * log time, then, as long as held-out runs are predicted better, the one that tells most of what
 * the others leave, among all that differ from one of them, or from nothing, in at most two shapes;
 * at last every term without which held-out runs are predicted as well is dropped. The fit is the
 * program's own (terms_model.h), so no cost is negative. Held out are configurations, more
 * processors and larger problems (holdout.h); what counts is the mean, over these, of the log of
 * the mean error of log time. */

enum { TERM_SEARCH_MOST = 10 };

struct term_set {
	size_t n;
	struct term_form form[TERM_SEARCH_MOST];
	double share[TERM_SEARCH_MOST]; /* of the time, mean over the configurations */
	double loss;			/* of held-out configurations: smaller is better */
	size_t n_tried;			/* terms that were compared */
};

/* From the configurations that the shapes are of; some hundred are enough, and more take longer.
 * Errors: NODATA (too few to hold any out, or no term explains anything), NUMERIC, NOMEM,
 * INTERRUPTED. */
enum err_code term_search(const struct config_table *t, const struct term_shapes *s,
			  const struct progress *progress, struct term_set *out, struct err *e);

/* The application of the shapes with these terms in place of its own: a copy that shares all else
 * with it, which must outlive it. Errors: NOMEM. */
enum err_code term_application_make(const struct term_shapes *s, const struct term_form *form,
				    size_t n, struct application *out, struct err *e);
void term_application_release(struct application *a);

#endif
