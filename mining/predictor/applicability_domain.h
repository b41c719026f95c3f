#ifndef MINING_APPLICABILITY_DOMAIN_H
#define MINING_APPLICABILITY_DOMAIN_H
#include <stddef.h>
#include <stdint.h>
#include "base/strbuf.h"
#include "mining/predictor/joint_support.h"
#include "mining/predictor/level_ranges.h"
#include "mining/predictor/predictor.h"
#include "mining/training/predictor_kind.h"

/* Where runs were seen, pair of features by pair, so that a prediction can say whether it stands
 * between them.
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

struct seen_ranges {
	size_t n_features;
	double lo[PREDICTOR_KIND_MAX_FEATURES]; /* log2 of the smallest and largest value seen */
	double hi[PREDICTOR_KIND_MAX_FEATURES];
	/* seen[pair][bucket of the first] bit (bucket of the second), grown by one bucket */
	uint64_t seen[PREDICTOR_KIND_MAX_FEATURES * (PREDICTOR_KIND_MAX_FEATURES - 1) / 2]
		     [SUPPORT_BUCKETS];
};

/* f[n * n_features], row-major, positive; NaN is missing. */
void seen_ranges_make(const double *f, size_t n, size_t n_features, struct seen_ranges *out);
/* A feature that is NaN may be anything: the answer is then the best that any value could give.
 * *beyond (may be NULL): how far outside, as the largest log2 distance from the range; 0 inside. */
enum support seen_ranges_judge(const struct seen_ranges *m, const double *f, double *beyond);

/* Where the runs of a fit were, by four measures; the worst of them is the support of a point:
 *   ranges and pairs of features (struct seen_ranges);
 *   the sizes that each level was run with (level_ranges.h), as the ranges of features;
 *   all features together (joint_support.h);
 *   the workload, of which a structure takes time to be linear: beyond what was seen the exponent
 *   may drift by SUPPORT_DRIFT per unit of ln, so that a workload is at the edge there, and outside
 *   where that makes a deviation of 0.25. Without a structure it is a column like others. */
#define SUPPORT_DRIFT 0.1

enum { APPLICABILITY_COLUMNS = 64 };

struct applicability_domain {
	struct seen_ranges ranges;
	struct level_ranges levels;
	struct joint_support joint;
	double work_lo, work_hi; /* ln of the least and the largest workload; NaN: not known */
	/* Values that were run of each numeric column; they say why, and decide nothing. */
	size_t n_columns;
	struct value_range {
		size_t column;
		double lo, hi;
	} column[APPLICABILITY_COLUMNS];
};

/* A row, and the features of it. */
struct support_point {
	const struct application *app;
	const double *row;
	const double *feature;
	bool structural;
};

/* Of a fit to t. Errors: NUMERIC, NOMEM. */
enum err_code applicability_domain_make(const struct predictor_kind *kind, const void *state,
					const struct config_table *t,
					struct applicability_domain *out, struct err *e);
/* beyond as in seen_ranges_judge(), or of a level if that is more. */
enum support applicability_domain_judge(const struct applicability_domain *m,
					const struct support_point *point, double *beyond);
/* In less time, and perhaps better than it is: what no completion of the row exceeds. */
enum support applicability_domain_best(const struct applicability_domain *m,
				       const struct support_point *point, double *beyond);

/* Where a row leaves what was run: "n 128 to 512, nodes 1 to 16", and the level or the
 * settings that lie farthest beyond their own sizes; nothing where it does not. */
void applicability_domain_explain(const struct applicability_domain *m,
				  const struct application *app, const double *row,
				  struct strbuf *out);

/* What seen_ranges does not hold. Errors: NOMEM; of load NOTMINED (incomplete). */
enum err_code applicability_domain_store(const struct applicability_domain *m,
					 const struct application *app, struct kb_fit *fit,
					 struct err *e);
enum err_code applicability_domain_load(const struct kb_fit *fit, const struct application *app,
					struct applicability_domain *out, struct err *e);

#endif
