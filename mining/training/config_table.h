#ifndef MINING_CONFIG_TABLE_H
#define MINING_CONFIG_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/dataset.h"

/* The runs of a data set gathered by configuration: what models are fitted to. A disturbed run is
 * common and one-sided (a lucky one is not), so a configuration is represented by the median of
 * those of its repeats that agree (repeats_median()). The time of an aggregate row counts
 * as one.
 *
 * Sources: where a configuration was measured, its simulated and modelled runs do not count; where
 * it was simulated, its modelled ones do not. Beside measured configurations the others count by a
 * weight, see source_weights.h.
 *
 * Limits: a run that was cut at its time limit is in no configuration. It says that it would have
 * taken at least that long, and is kept apart. */
struct config_table {
	const struct application *app; /* borrowed */
	size_t n;
	size_t n_columns;
	double *x;	   /* n * n_columns, row-major; rows as in struct dataset */
	double *time_s;	   /* median of the repeats that agree [s] */
	size_t *n_repeats; /* runs behind it */
	/* The runs of configuration i are run_s[first[i] .. first[i + 1] - 1] [s]. */
	size_t *first; /* n + 1 */
	double *run_s;
	double noise; /* standard deviation of log time between repeats; NaN: none were made */
	/* By run of the data set: its configuration, SIZE_MAX if it does not count. NULL in a
	 * subset. */
	size_t *config_of;
	unsigned char *source; /* n, enum run_source: whose runs they are */
	/* By enum run_source, in (0, 1]: what a configuration counts in a fit. 1 until learned. */
	double weight[SOURCE_COUNT];
	/* Runs that were cut by a time limit. */
	size_t n_cut;
	struct cut_run *cut;
	double *cut_x; /* n_cut * n_columns, rows as in x */
};

struct cut_run {
	double limit_s;	      /* it takes at least this [s] */
	size_t config;	      /* SIZE_MAX: no run of its configuration finished */
	bool longest;	      /* of a configuration that never finished, by no better source: what
			       * a fit obeys */
	unsigned char source; /* enum run_source */
};

/* Order: that of first appearance. Errors: NODATA (no run with a time), NOMEM. */
enum err_code config_table_make(const struct dataset *runs, struct config_table **out,
				struct err *e);
/* The configurations with keep[i] != 0 (NULL: all), their limits, and those of configurations that
 * never finished. Errors: NODATA, NOMEM. */
enum err_code config_table_subset(const struct config_table *t, const unsigned char *keep,
				  struct config_table **out, struct err *e);
/* config_table_subset() with the limits of keep_cut[i] != 0. */
enum err_code config_table_split(const struct config_table *t, const unsigned char *keep,
				 const unsigned char *keep_cut, struct config_table **out,
				 struct err *e);
void config_table_free(struct config_table *t);

/* An empty table with room for so much, for the files that fill one; NULL: out of memory. */
struct config_table *config_table_alloc(const struct application *app, size_t n_configs,
					size_t n_runs, size_t n_cut);

static inline const double *config_table_row(const struct config_table *t, size_t i)
{
	return t->x + i * t->n_columns;
}

static inline const double *config_table_cut_row(const struct config_table *t, size_t i)
{
	return t->cut_x + i * t->n_columns;
}

/* What configuration i counts in a fit. */
static inline double config_table_weight(const struct config_table *t, size_t i)
{
	return t->weight[t->source[i]];
}

/* The best source that configurations are of: n_of[SOURCE_COUNT] of each (may be NULL). */
enum run_source config_table_best_source(const struct config_table *t, size_t *n_of);

/* Those that config_table_pick() picks, and their limits. Errors: NODATA, NOMEM. */
enum err_code config_table_sample(const struct config_table *t, size_t most,
				  struct config_table **out, struct err *e);
/* At most `most` configurations, ascending: all where they are no more, else evenly; those of the
 * best source first, the next one in what room is left. pick[n]. Returns how many. */
size_t config_table_pick(const struct config_table *t, size_t most, size_t *pick);

/* What the repeats of one configuration say of it. Disturbances are common, one-sided and large (a
 * competing process can multiply a time), so that with three repeats even the median is often a
 * disturbed one. The repeats that agree are the largest group without a gap between neighbours;
 * of equally large groups the fastest. Two that agree on being slow outvote a fast one: that is no
 * disturbance but a second way to run. */

/* The largest ratio between neighbours that is still agreement, as a log: several times what the
 * two fastest repeats of a configuration usually differ by. sorted[first[i] .. first[i + 1] - 1],
 * ascending [s]: the repeats of configuration i. work[n_configs]. */
double repeats_log_gap(const double *sorted, const size_t *first, size_t n_configs, double *work);

/* The median of those that agree of sorted[0..n-1], n >= 1, ascending [s]; *n_agree (may be NULL):
 * how many do. */
double repeats_median(const double *sorted, size_t n, double log_gap, size_t *n_agree);

/* Standard deviation of log time from one repeat to the next, robust: by the median over the
 * configurations with two or more that agree. NaN: there are none. work[n_configs]. */
double repeats_noise(const double *sorted, const size_t *first, size_t n_configs, double log_gap,
		     double *work);

/* Are two rows of n columns the same, missing values included? */
bool config_rows_equal(const double *a, const double *b, size_t n);
/* Do two complete rows differ in this column, and in no other that is not derived? */
bool config_rows_differ_alone(const struct application *app, const double *a, const double *b,
			      size_t column);

/* ---- falling_columns.c ---- */

/* Columns of the problem and the workload of which a smaller value is more work: the width of a
 * cell, a tolerance, a time step. What asks more of a node, or leaves less to a process, is
 * compared by x^-e of these, e by how time goes with them: a hundredth of a tolerance is not a
 * hundred times the work. */
enum { FALLING_COLUMNS_MAX = 8 };

struct falling_columns {
	size_t n;
	size_t column[FALLING_COLUMNS_MAX];   /* ascending */
	double exponent[FALLING_COLUMNS_MAX]; /* time goes with x^-exponent; > 0 */
};

/* Numbers above 0 with which time falls, by a fifth or more over their range: by a power law of all
 * columns (the exponent below 0 by four of its standard errors, and most pairs of configurations
 * that differ in it alone do not say otherwise), or by nearly all of eight such pairs or more. Of
 * more than 2000 configurations evenly taken ones are looked at. Errors: NOMEM. */
enum err_code falling_columns_find(const struct config_table *t, struct falling_columns *out,
				   struct err *e);
/* f: NULL: none */
bool falling_columns_have(const struct falling_columns *f, size_t column);
/* What grows with the work: x, or x^-e, e the exponent or `most`; INFINITY: of a falling column at
 * 0 or below. */
double falling_columns_size(const struct falling_columns *f, size_t column, double most, double x);

#endif
