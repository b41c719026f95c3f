#ifndef MINING_TIME_TARGET_H
#define MINING_TIME_TARGET_H
#include <stdbool.h>
#include "base/err.h"
#include "mining/rules/power_formula.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/slowdown_table.h"

/* What time rules are to explain, of a sample of the configurations: with a structural predictor
 * what it leaves, log(time / prediction), else log time itself. */
struct time_target {
	struct slowdown_table *table; /* the sample */
	bool on_model;		      /* base has a structural part */
	double *y;		      /* [table->n]; NaN: not known */
	double *log_base;	      /* [table->n] of base's predictions; NULL: there is no base */
	double typical;		      /* y where no rule is: 0 on a model, else the median */
	struct power_data data;	      /* of y */
	size_t *factor;
	double *log_x;
};

/* About `most` configurations of t. base may be NULL. Errors: NOMEM. */
enum err_code time_target_make(const struct slowdown_table *t, const struct predictor *base,
			       size_t most, struct time_target *out, struct err *e);
/* Fill in data. Errors: NOMEM. */
enum err_code time_target_add_factors(struct time_target *g, struct err *e);
void time_target_release(struct time_target *g);

#endif
