#ifndef MINING_ANALYTIC_MEAN_STORE_H
#define MINING_ANALYTIC_MEAN_STORE_H
#include "mining/training/predictor_kind.h"

/* struct predictor_kind's store and load of an analytic mean: the formula's numbers, then its
 * own. */
enum err_code analytic_mean_store(const void *state, struct kb_fit *fit, struct err *e);
enum err_code analytic_mean_load(const struct kb_fit *fit, const struct application *app,
				 void **state, struct err *e);

#endif
