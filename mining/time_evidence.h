#ifndef MINING_TIME_EVIDENCE_H
#define MINING_TIME_EVIDENCE_H
#include <stddef.h>
#include "base/err.h"
#include "domain/rule.h"
#include "mining/model_tree.h"
#include "mining/time_target.h"

/* What runs that were held out say of the leaves of a tree. */
struct held_out {
	const struct time_target *g; /* borrowed */
	size_t *leaf;	 /* [n] of the tree that is judged: a place in node[]; SIZE_MAX: none, or
			  * the configuration was learned from */
	double *formula; /* [n] logarithm, from a tree that had not seen it; NaN: it had no leaf */
};

/* No configuration has a leaf yet. Errors: NOMEM. */
enum err_code held_out_make(const struct time_target *g, struct held_out *out, struct err *e);
void held_out_release(struct held_out *h);
/* Configuration i, which `blind` had not seen, both trees with n_leaves. */
void held_out_put(struct held_out *h, size_t i, const struct model_tree *judged,
		  const struct model_tree *blind, size_t n_leaves);

/* Effect, interval, confidence, p value (not yet adjusted), held-out error, usefulness, cases and
 * problems of a leaf. Errors: NOMEM. */
enum err_code time_evidence(const struct held_out *h, size_t leaf, struct rule_evidence *out,
			    struct err *e);

/* How far predictions should follow a leaf: the one of 0, 1/4, 1/2, 3/4, 1 with the least error in
 * h[0] that makes none of h[1..n-1] worse. 0 without a base. */
double time_weight(const struct held_out *h, size_t n, size_t leaf);

#endif
