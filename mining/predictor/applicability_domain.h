#ifndef MINING_APPLICABILITY_DOMAIN_H
#define MINING_APPLICABILITY_DOMAIN_H
#include <stddef.h>
#include <stdint.h>
#include "mining/training/predictor_kind.h"
#include "mining/predictor/predictor.h"

/* Where runs were seen, so that a prediction can say whether it stands between them.
 *
 * Features are compared on log2 scale. A point is
 *   outside  when a feature lies beyond the range seen by more than a quarter (a factor 1.25), or a
 *            category was never seen;
 *   edge     when one lies beyond it by less, or when some pair of features was not seen within a
 *            factor of about 2 to 4 of the point's pair (same or next bucket, a factor 2 wide);
 *   inside   otherwise.
 * Pairs, because ranges alone call every corner of a box "seen", and triples and more need more
 * runs than people have. */
enum { SUPPORT_BUCKETS = 52 }; /* a row of bits is then an exact double: it is stored as one */

struct applicability_domain {
	size_t n_features;
	double lo[PREDICTOR_KIND_MAX_FEATURES]; /* log2 of the smallest and largest value seen */
	double hi[PREDICTOR_KIND_MAX_FEATURES];
	/* seen[pair][bucket of the first] bit (bucket of the second), grown by one bucket */
	uint64_t seen[PREDICTOR_KIND_MAX_FEATURES * (PREDICTOR_KIND_MAX_FEATURES - 1) / 2]
		     [SUPPORT_BUCKETS];
};

/* f[n * n_features], row-major, positive; NaN is missing. */
void applicability_domain_make(const double *f, size_t n, size_t n_features,
			       struct applicability_domain *out);
/* A feature that is NaN may be anything: the answer is then the best that any value could give.
 * *beyond (may be NULL): how far outside, as the largest log2 distance from the range; 0 inside. */
enum support applicability_domain_judge(const struct applicability_domain *m, const double *f,
					double *beyond);

#endif
