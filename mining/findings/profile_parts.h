#ifndef MINING_PROFILE_PARTS_H
#define MINING_PROFILE_PARTS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/findings.h"
#include "mining/cases/collinear_columns.h"
#include "mining/cases/slowdown_table.h"

/* Private to profile*.c: the parts of mine_profile(). */

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

/* Does a column hold the same values as t->copy_of says, and not only in the same order? */
bool column_is_equal(const struct slowdown_table *t, size_t column, size_t other);

/* out->column[], one for every column of the application. */
enum err_code profile_columns(const struct slowdown_table *t, const struct collinear_column *twin,
			      struct findings *out, struct err *e);

#endif
