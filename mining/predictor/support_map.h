#ifndef MINING_SUPPORT_MAP_H
#define MINING_SUPPORT_MAP_H
#include "mining/predictor/applicability_domain.h"
#include "mining/predictor/joint_support.h"

/* Where the runs of a fit were, by three measures; the worst of them is the support of a point:
 *   ranges and pairs of features (applicability_domain.h);
 *   all features together (joint_support.h);
 *   the workload, of which a structure takes time to be linear: beyond what was seen the exponent
 *   may drift by SUPPORT_DRIFT per unit of ln, so that a workload is at the edge there, and outside
 *   where that makes a deviation of 0.25. Without a structure it is a column like others. */
#define SUPPORT_DRIFT 0.1

struct support_map {
	struct applicability_domain domain;
	struct joint_support joint;
	double work_lo, work_hi; /* ln of the least and the largest workload; NaN: not known */
};

/* A row, and the features of it. */
struct support_point {
	const struct application *app;
	const double *row;
	const double *feature;
	bool structural;
};

/* Of a fit to t. Errors: NUMERIC, NOMEM. */
enum err_code support_map_make(const struct predictor_kind *kind, const void *state,
			       const struct config_table *t, struct support_map *out,
			       struct err *e);
/* beyond as in applicability_domain_judge(). */
enum support support_map_judge(const struct support_map *m, const struct support_point *point,
			       double *beyond);
/* In less time, and perhaps better than it is: what no completion of the row exceeds. */
enum support support_map_best(const struct support_map *m, const struct support_point *point,
			      double *beyond);

/* What applicability_domain does not hold. Errors: NOMEM; of load NOTMINED (incomplete). */
enum err_code support_map_store(const struct support_map *m, struct kb_fit *fit, struct err *e);
enum err_code support_map_load(const struct kb_fit *fit, struct support_map *out, struct err *e);

#endif
