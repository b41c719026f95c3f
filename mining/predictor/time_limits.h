#ifndef MINING_TIME_LIMITS_H
#define MINING_TIME_LIMITS_H
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Configurations of which every run was cut at its time limit: what is known of their time is that
 * it is longer. */
struct time_limit {
	uint64_t hash; /* holdout_row_hash() of the configuration */
	double limit_s;
};
struct time_limits {
	size_t n;
	struct time_limit *item; /* ascending by hash */
};

/* Errors: NOMEM. */
enum err_code time_limits_make(const struct config_table *t, struct time_limits *out,
			       struct err *e);
void time_limits_release(struct time_limits *m);
/* The longest limit that runs of this very configuration were cut at [s]; 0: none, or one finished.
 */
double time_limits_at(const struct time_limits *m, const struct application *app,
		      const double *row);

/* Numbers "outlasts_...", and back. Errors: NOMEM. */
enum err_code time_limits_store(const struct time_limits *m, struct kb_fit *fit, struct err *e);
enum err_code time_limits_load(const struct kb_fit *fit, struct time_limits *out, struct err *e);

#endif
