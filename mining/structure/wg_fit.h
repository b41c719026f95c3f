#ifndef MINING_WG_FIT_H
#define MINING_WG_FIT_H
#include "mining/training/config_table.h"
#include "mining/structure/model_times.h"

/* The Wg with which a wavefront model is nearest to runs: a shape that is given, times a factor and
 * a power law of the model's own,
 *
 *	Wg = shape exp(p_0) it^p_1 jt^p_2 mk^p_3 mmi^p_4,
 *
 * by robust least squares on log time (robust_fit.h). The exponents are expected at 0 with a
 * standard deviation of 0.1: the shape is that of another model of messages, which it may have
 * taken on a little of. */
enum { WG_FIT_PARAMS = 5 };

/* Those powers of a configuration, in logarithms: z[WG_FIT_PARAMS]. Errors: ARG (no sweep). */
enum err_code wg_fit_inputs(const struct application *app, const double *row, double *z,
			    struct err *e);
/* shape_s[t->n], z[t->n * WG_FIT_PARAMS]; of model k and the configurations with train[i] != 0 that
 * it answers. Where there are none, or nothing is nearer than the shape itself, p is 0. Errors:
 * NOMEM. */
enum err_code wg_fit(const struct model_times *times, size_t k, const struct config_table *t,
		     const unsigned char *train, const double *shape_s, const double *z,
		     double p[WG_FIT_PARAMS], struct err *e);
double wg_fit_at(const double p[WG_FIT_PARAMS], double shape_s, const double *z);

#endif
