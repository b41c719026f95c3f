#ifndef MINING_TIME_LIMITS_H
#define MINING_TIME_LIMITS_H
#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
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

/* A number of which only a lower bound may be known: a run that was cut at its time limit. */
struct at_least {
	double value;
	bool is_bound; /* the number is at least that */
};

/* out[0..n-1], ascending: a sample like the Kaplan-Meier estimate of the distribution that x[n] is
 * from, n >= 1. A bound is worth as much as any number, and what it is worth goes in equal parts to
 * all larger ones (Efron, "The two sample problem with censored data", 1967: redistribution to the
 * right). The largest of all stays where it is even if it is a bound: of what lies beyond nothing
 * is known. Without bounds out is x, sorted. Reorders x. */
void censored_sample(struct at_least *x, size_t n, double *out);

/* E[Y | Y > limit] of a normal Y: what stands for a run that was cut in a fit to means (Schmee and
 * Hahn, "A simple method for regression analysis with censored data", Technometrics 1979, eq. 2.3).
 * sd > 0; at least limit. */
double censored_normal_mean(double mean, double sd, double limit);

#endif
