#ifndef MINING_JOINT_SUPPORT_H
#define MINING_JOINT_SUPPORT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"
#include "mining/training/predictor_kind.h"

/* Where runs were seen, all features at once. A point within each range, and near runs pair by
 * pair (applicability_domain.h), may still lie where no run was: zones that are not cubic among
 * cubes, a corner that no run is near. Two measures over the logs of the features:
 *
 * leverage: s = 0.05 sqrt(h), h = u' A^-1 u of a first-order model u = (1, ln f - mean) with noise
 * of 0.05 and a prior deviation of 1 of each exponent (linear_posterior.h): how far off such a
 * model may be here, in log time. Large along directions in which no run varied.
 *
 * distance: to the nearest run, each feature in units of its largest step from level to level, over
 * what 95 % of the runs have to the nearest other one. Of many runs only
 * JOINT_SUPPORT_CENTRES are kept, each the farthest from those before (Gonzalez, "Clustering to
 * minimize the maximum intercluster distance", 1985); the distance is then over how far runs are
 * from the nearest of them, if that is more. */
enum { JOINT_SUPPORT_CENTRES = 128, JOINT_SUPPORT_SIZE = 1 + PREDICTOR_KIND_MAX_FEATURES };

struct joint_support {
	size_t n_features; /* 0: nothing is known, and nothing is said */
	double mean[PREDICTOR_KIND_MAX_FEATURES];
	double factor[JOINT_SUPPORT_SIZE * JOINT_SUPPORT_SIZE]; /* p * p, p = 1 + n_features */
	double most_leverage;					/* of a run */
	double step[PREDICTOR_KIND_MAX_FEATURES]; /* ln units; of a constant feature ln 1.25 */
	double reach;				  /* in steps */
	size_t n_centres;
	float centre[JOINT_SUPPORT_CENTRES][PREDICTOR_KIND_MAX_FEATURES]; /* ln f / step */
};

/* f[n * n_features] as in seen_ranges_make(); rows with NaN do not count. Errors: NUMERIC,
 * NOMEM. */
enum err_code joint_support_make(const double *f, size_t n, size_t n_features,
				 struct joint_support *out, struct err *e);

/* The two measures, each over what is seen where runs are. NaN of a feature: both are 0. */
struct joint_measure {
	double trend_sd; /* s */
	double leverage; /* h, over the most of a run */
	double distance;
};
void joint_support_measure(const struct joint_support *m, const double *f,
			   struct joint_measure *out);
/* What they make of it. Where a structure tells how features combine, what was not seen together is
 * at the edge; where only trends do it may be outside. */
enum support joint_support_judge(const struct joint_measure *m, bool structural);

/* Numbers "joint_...", and back. Errors: NOMEM; of load NOTMINED (incomplete). */
enum err_code joint_support_store(const struct joint_support *m, struct kb_fit *fit, struct err *e);
enum err_code joint_support_load(const struct kb_fit *fit, struct joint_support *out,
				 struct err *e);

#endif
