#ifndef MINING_TIME_EVIDENCE_H
#define MINING_TIME_EVIDENCE_H
#include <stddef.h>
#include "base/err.h"
#include "domain/rule.h"
#include "mining/rules/model_tree.h"
#include "mining/rules/time_target.h"

/* What runs that were held out say of the leaves of a tree. */
struct cv_residuals {
	const struct time_target *g; /* borrowed */
	size_t *leaf;	 /* [n] of the tree that is judged: a place in node[]; SIZE_MAX: none, or
			  * the configuration was learned from */
	double *formula; /* [n] logarithm, from a tree that had not seen it; NaN: it had no leaf */
};

/* No configuration has a leaf yet. Errors: NOMEM. */
enum err_code cv_residuals_make(const struct time_target *g, struct cv_residuals *out,
				struct err *e);
void cv_residuals_release(struct cv_residuals *h);
/* Configuration i, which `blind` had not seen, both trees with n_leaves. */
void cv_residuals_put(struct cv_residuals *h, size_t i, const struct model_tree *judged,
		      const struct model_tree *blind, size_t n_leaves);

/* Effect, interval, confidence, p value (not yet adjusted), held-out error, usefulness, cases and
 * problems of a leaf. Errors: NOMEM. */
enum err_code time_evidence(const struct cv_residuals *h, size_t leaf, struct rule_evidence *out,
			    struct err *e);

/* How far predictions should follow a leaf: the one of 0, 1/4, 1/2, 3/4, 1 with the least error in
 * h[0] that makes none of h[1..n-1] worse. 0 without a base. */
double time_weight(const struct cv_residuals *h, size_t n, size_t leaf);

#endif
