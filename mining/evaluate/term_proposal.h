#ifndef MINING_TERM_PROPOSAL_H
#define MINING_TERM_PROPOSAL_H
#include <stdbool.h>
#include "mining/structure/term_search.h"
#include "mining/training/fit_input.h"
#include "mining/training/holdout.h"

/* Terms for a definition, from runs, and what they are worth. The terms that are proposed are found
 * in all runs (term_search.h). Parts of the runs are held out; to the rest power laws and terms,
 * each with its process, are fitted, and asked about what was held out. Terms are those proposed,
 * which have seen what is asked (errors are too small, as far as the choice among terms is chance),
 * and terms that were found anew in that rest alone (errors are those of the procedure, from fewer
 * runs than there are). */

/* Predicted without terms, by terms found anew, by those proposed. */
enum { TERMS_NONE, TERMS_ANEW, TERMS_PROPOSED, TERM_CONTESTANTS };

enum { TERM_WAYS = 3 };

struct term_evidence {
	enum holdout way;
	size_t n; /* configurations that were asked about; 0: none could be held out */
	/* of |predicted / measured - 1|; NaN: fewer than 8 were asked about */
	double median[TERM_CONTESTANTS], p90[TERM_CONTESTANTS];
};

struct term_proposal {
	struct term_shapes *shapes;
	struct term_set set;
	size_t n_configs, n_searched;		  /* of the runs; that terms were sought in */
	struct term_evidence evidence[TERM_WAYS]; /* more processors, configurations, larger
						     problems */
	/* The proposed terms have smaller errors for more processors, and no larger ones for the
	 * others, and those found anew have no larger ones for more processors and configurations;
	 * "no larger" but for what a median of so few errors is known to. (The sizes that are left
	 * where larger ones are held out are too few to find terms in.) */
	bool better;
};

/* In the runs of in->runs, all of one machine. The application may have terms of its own, which are
 * passed over, but no structural model. Errors: NODATA (too few runs; nothing varies), ARG (the
 * application has a model), NUMERIC, NOMEM, INTERRUPTED. */
enum err_code term_proposal_make(const struct fit_input *in, struct term_proposal *out,
				 struct err *e);
void term_proposal_release(struct term_proposal *p);

#endif
