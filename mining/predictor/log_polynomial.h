#ifndef MINING_LOG_POLYNOMIAL_H
#define MINING_LOG_POLYNOMIAL_H
#include <stddef.h>
#include "domain/application.h"
#include "mining/training/predictor_kind.h"

/* The predictors that need no structural model: log time as a polynomial of degree 1 ("power-law":
 * t = c x1^a1 x2^a2 ...) or 2 ("log-quadratic") in the logs of the numeric columns, plus one effect
 * for each level of a text column. This is their state. */

enum {
	LOG_POLYNOMIAL_MAX_INPUTS = 16,
	LOG_POLYNOMIAL_MAX_RANGES = 64,
	LOG_POLYNOMIAL_MAX_LEVELS = 64,
	LOG_POLYNOMIAL_MAX_TERMS = 1 + LOG_POLYNOMIAL_MAX_INPUTS +
				   LOG_POLYNOMIAL_MAX_INPUTS * (LOG_POLYNOMIAL_MAX_INPUTS + 1) / 2 +
				   LOG_POLYNOMIAL_MAX_LEVELS
};

/* What time is a power law of: of most numbers. Each level of a refinement costs a factor, so that
 * ln time is linear in the level; and work may grow without bound as a share or a percentage comes
 * towards the whole. */
enum column_scale {
	SCALE_RATIO,   /* ln(x + shift) */
	SCALE_STEPS,   /* x */
	SCALE_SHARE,   /* -ln(1 - x) */
	SCALE_PERCENT, /* -ln(1 - x / 100) */
	SCALE_COUNT
};
/* The coordinate of x, within what a double can tell; of what is more than the whole that of a
 * millionth less than it. */
double column_scale_at(enum column_scale scale, double shift, double x);

/* A numeric column with values, on its scale. */
struct log_range {
	size_t column;
	double shift;  /* 0, or what makes the column positive: log(x + shift) */
	double lo, hi; /* seen; equal when the column did not vary */
	enum column_scale scale;
	/* Of scales that may hold as well their probability, and the values next to the least and
	 * the most (trend_gp_scales.c). */
	double chance[SCALE_COUNT], next_lo, next_hi;
	/* Where 0 was run, and is no step of a level: the two least values above it, of which 0 may
	 * tell nothing; 0: there are none (trend_gp_scales.c). */
	double above_none[2];
};

/* A level that was seen of a text column; it has an effect. */
struct log_level {
	size_t column;
	double code;
};

struct log_polynomial {
	const struct application *app; /* borrowed */
	int degree;
	size_t n_ranges; /* the widest come first */
	struct log_range range[LOG_POLYNOMIAL_MAX_RANGES];
	size_t n_inputs; /* of range[], those that the polynomial is in */
	size_t n_levels;
	struct log_level level[LOG_POLYNOMIAL_MAX_LEVELS];
	size_t n_terms; /* 1, inputs, squares and products (degree 2), levels */
	double coefficient[LOG_POLYNOMIAL_MAX_TERMS];
	double scale; /* robust spread of the fitted residuals, log time */
	size_t n_configs;
};

/* Columns, ranges, levels and coefficients of one degree, for *out's free(). It knows no doubt
 * about its coefficients. Errors: NODATA (fewer than five configurations), NUMERIC, NOMEM. */
enum err_code log_polynomial_fit(const struct config_table *t, int degree,
				 struct log_polynomial **out, struct err *e);
/* Of degree 1, on the scales that the columns have in `like` (NULL: ln x), to any number of
 * configurations: what they leave open is for the caller to tell (trend_posterior.h). Errors:
 * NUMERIC, NOMEM. */
enum err_code log_polynomial_fit_like(const struct config_table *t,
				      const struct log_polynomial *like,
				      struct log_polynomial **out, struct err *e);
/* term[n_terms] at a row: 1, inputs standardised to -1 .. 1 over their range, their products
 * (degree 2), 1 or 0 for each level. A missing input stands in the middle. */
void log_polynomial_terms(const struct log_polynomial *m, const double *row, double *term);
/* The value of a column that did not vary. */
double log_range_constant(const struct log_range *r);
/* Where x lies on the scale of the column; of 0 or less in a column that was above 0 in all
 * runs ln of half of the least. */
double log_range_coordinate(const struct log_range *r, double x);
/* The value at a coordinate. */
double log_range_value(const struct log_range *r, double coordinate);
/* How far x lies beyond what was seen, ln units, signed; 0: not beyond, or not known. */
double log_range_excess(const struct log_range *r, double x);
/* A missing value of a column that had one value in all runs becomes that. */
void log_polynomial_fill_constants(const struct log_polynomial *m, double *row);
/* As in struct predictor_kind. */
size_t log_polynomial_features(const void *state, const double *row, double *out);
const char *log_polynomial_feature_name(const void *state, size_t i);
bool log_polynomial_level_was_run(const void *state, size_t column, double code);

/* Set n_inputs and n_terms from what is set: degree, ranges, levels. */
void log_polynomial_count_terms(struct log_polynomial *m);

/* As in struct predictor_kind. */
enum err_code log_polynomial_store(const void *state, struct kb_fit *fit, struct err *e);
enum err_code log_polynomial_load(const struct kb_fit *fit, const struct application *app,
				  void **state, struct err *e);

#endif
