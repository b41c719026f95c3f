#ifndef MINING_SUBGROUP_SEARCH_H
#define MINING_SUBGROUP_SEARCH_H
#include "base/err.h"
#include "mining/cases/case_contrast.h"
#include "mining/cases/conjunction.h"

/* Subgroup discovery (Kloesgen 1996; Lavrac et al. 2004) with a beam: the conjunction of at most
 * three conditions whose choices are slower than the others of their cases, by the largest
 * contrast over its standard error for noise that is the same everywhere, beta * sqrt(variance).
 * That prefers what explains most, not what is extreme. Every threshold of every column is tried,
 * by counting. */
struct subgroup {
	struct conjunction what;
	double score; /* beta * sqrt(variance) [log time]; 0: nothing was found */
};
/* Of at least min_in configurations. Errors: NOMEM. */
enum err_code subgroup_find(const struct case_contrast *c, size_t min_in, struct subgroup *out,
			    struct err *e);

#endif
