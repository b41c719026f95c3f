#ifndef MINING_PROFILE_PRIVATE_H
#define MINING_PROFILE_PRIVATE_H
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* The part of profile.c that has tests of its own. */

/* What the repeats of configurations say about noise and about time. */
struct repeat_summary {
	int64_t n_repeated; /* configurations with two runs and more */
	double noise_p90;   /* of their standard deviations of log time; NaN: none */
	int64_t n_outliers;
	int64_t n_regimes;    /* 1: times were steady, as far as repeats can tell */
	double shift;	      /* log ratio of the later to the earlier regime, the largest; 0 */
	int64_t shift_run_id; /* first run after it */
};
enum err_code repeat_summary(const struct slowdown_table *t, struct repeat_summary *out,
			     struct err *e);

#endif
