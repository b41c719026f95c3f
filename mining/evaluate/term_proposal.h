#ifndef MINING_TERM_PROPOSAL_H
#define MINING_TERM_PROPOSAL_H
#include <stdbool.h>
#include "mining/structure/term_search.h"
#include "mining/training/fit_input.h"
#include "mining/training/holdout.h"

/* Terms for a definition, from runs, and what they are worth. The terms that are proposed are found
 * in all runs (term_search.h). Their worth is told by runs that were held out from the search too:
 * of each part of the runs terms are made anew, both structures, power laws and these terms, each
 * with its process, are fitted to it, and asked about the rest. So the figures are those of the
 * procedure, and nothing that was tested was looked at before. */

enum { TERM_WAYS = 3 };

struct term_evidence {
	enum holdout way;
	size_t n; /* configurations that were asked about; 0: none could be held out */
	/* of |predicted / measured - 1|; NaN: fewer than 8 were asked about */
	double median[2], p90[2]; /* without terms, with those proposed */
};

struct term_proposal {
	struct term_shapes *shapes;
	struct term_set set;
	size_t n_configs, n_searched;		  /* of the runs; that terms were sought in */
	struct term_evidence evidence[TERM_WAYS]; /* more processors, configurations, larger
						     problems */
	/* By the rule by which mining uses terms (docs/models.md): smaller errors for more
	 * processors, and no larger ones, but for 5 %, for the others. */
	bool better;
};

/* In the runs of in->runs, all of one machine. The class may have terms of its own, which are
 * passed over, but no structural model. Errors: NODATA (too few runs; nothing varies), ARG (the
 * class has a model), NUMERIC, NOMEM, INTERRUPTED. */
enum err_code term_proposal_make(const struct fit_input *in, struct term_proposal *out,
				 struct err *e);
void term_proposal_release(struct term_proposal *p);

#endif
