#ifndef MINING_WG_FROM_FIT_H
#define MINING_WG_FROM_FIT_H
#include "base/err.h"
#include "domain/application.h"
#include "mining/predictor/predictor.h"

/* Wg, the computation per cell and angle that wavefront models are given, as the knowledge base has
 * it: what a mined predictor computes in the full pipeline, by the cells and angles that the models
 * count there,
 *
 *	Wg = compute_s / (groups timesteps iterations 8 #k-blocks #angle-groups mmi mk it jt).
 *
 * A mean over iterations with and without flux fix-ups; it varies with the sub-grid and the block,
 * as caches and the start of inner loops have it. row is complete. Errors: ARG (not a wavefront
 * class, a predictor without a structural part, a row that is no sweep). */
enum err_code wg_from_fit(const struct predictor *p, const struct application *app,
			  const double *row, double *Wg_s, struct err *e);

#endif
