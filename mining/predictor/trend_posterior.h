#ifndef MINING_TREND_POSTERIOR_H
#define MINING_TREND_POSTERIOR_H
#include "mining/numerics/posynomial.h"
#include "mining/predictor/level_interactions.h"
#include "mining/predictor/log_polynomial.h"

/* What the runs leave open about the exponents of a power law, and about its squares and products,
 * as time is a sum of parts: their posterior under weakly informative priors by the role of a
 * column (docs/models.md lists them). Columns that always move
 * together, or never moved, keep their prior in that direction, and a prediction along it is as
 * uncertain as the prior; so do curvatures that a band of runs cannot tell from exponents. Beyond
 * the range seen exponents may drift: a deviation of TREND_DRIFT per unit of ln, columns that move
 * together counted once.
 *
 * Where the trend is a sum of power laws, so it is with each part by itself: Laplace's
 * approximation about the fit (MacKay, "Information Theory, Inference, and Learning Algorithms",
 * 2003, ch. 27). A part that is a small share of the time of all runs, such as work behind a long
 * start-up, has hardly known exponents, and rules beyond them. */

struct exponent_prior {
	double mean, sd; /* of d ln time / d ln column */
};

/* Of a numeric column, by its scale; shifted: it has values of 0 or less, of which no power law
 * holds. */
struct exponent_prior exponent_prior_of(const struct application *app, const struct log_range *r);

#define TREND_LEVEL_PRIOR_SD 0.7 /* of a category's level, ln time */

struct trend_posterior {
	size_t n_inputs, p;			  /* p: 1, inputs, levels, products */
	double centre[LOG_POLYNOMIAL_MAX_INPUTS]; /* mean of ln(x + shift) */
	double *factor; /* p * p, see linear_posterior.h: of 1, ln(x + shift) - centre, levels, then
			 * squares and products of the widest inputs */
	double drift[LOG_POLYNOMIAL_MAX_INPUTS *
		     LOG_POLYNOMIAL_MAX_INPUTS]; /* n_inputs^2, of
						  * 0.9 times the correlations of the inputs + 0.1 I
						  */
	size_t n_parts;				 /* coefficients of all parts; 0: one power law */
	double *parts; /* n_parts * n_parts, as factor, of the parts' coefficients */
	struct level_interactions interactions; /* of levels with what they were not run with */
	/* Of a fit, not stored: the likely noise where runs are too few to tell it; 0: they are
	 * not. */
	double few_runs_noise;
};

/* From (at most 1000, evenly taken) configurations; noise_sd: of what the trend leaves. Of
 * fewer than two runs for each coefficient that says little: coefficients then count
 * with the noise that is likely of so few (linear_posterior_noise()). Errors: NUMERIC, NOMEM. */
enum err_code trend_posterior_make(const struct config_table *t,
				   const struct log_polynomial *columns, double noise_sd,
				   struct trend_posterior *out, struct err *e);
/* A sum of power laws was fitted to the same configurations, for the first time or anew: of its
 * parts. Errors: NUMERIC, NOMEM. */
enum err_code trend_posterior_add_parts(const struct config_table *t,
					const struct log_polynomial *columns,
					const struct posynomial *trend, struct trend_posterior *m,
					struct err *e);
void trend_posterior_release(struct trend_posterior *m);

/* Standard deviation of ln time at a row, trend being that of the parts, of what coefficients and
 * drift leave open; at most TREND_MAX_SD, which is ignorance. */
#define TREND_MAX_SD 5.0
double trend_posterior_sd(const struct trend_posterior *m, const struct log_polynomial *columns,
			  const struct posynomial *trend, const double *row);
/* Of that, what the coefficients have no part in: drift, columns and levels that did not vary. */
double trend_posterior_untried_sd(const struct trend_posterior *m,
				  const struct log_polynomial *columns, const double *row);
/* Standard deviation of a structure that stands in the trend's place, whose own costs leave
 * terms_sd open: beyond the range seen its formula may be a factor off, by half of what exponents
 * drift. A column that never varied drifts alike where terms use it, else its exponent is the
 * prior's. */
double trend_posterior_terms_sd(const struct trend_posterior *m,
				const struct log_polynomial *columns, const double *row,
				double terms_sd);
/* " In these runs particles and nodes never vary independently, nx was 32: ...": a sentence, or
 * nothing where all columns vary by themselves. with_terms: of
 * columns that the definition's terms use it says that only these tell. */
void trend_posterior_explain(const struct trend_posterior *m, const struct log_polynomial *columns,
			     bool with_terms, struct strbuf *out);
/* Of columns that never varied: what their priors' means make of other values, in ln time.
 * with_terms: but those that the terms of the definition use. *of_resources (NULL: not asked): what
 * resources have of it. */
double trend_prior_shift(const struct log_polynomial *columns, const double *row, bool with_terms,
			 double *of_resources);

/* Numbers "posterior_...", and back; columns are loaded before. Errors: NOMEM; of load also
 * NOTMINED (incomplete). */
enum err_code trend_posterior_store(const struct trend_posterior *m,
				    const struct log_polynomial *columns, struct kb_fit *fit,
				    struct err *e);
enum err_code trend_posterior_load(const struct kb_fit *fit, const struct log_polynomial *columns,
				   const struct posynomial *trend, struct trend_posterior *out,
				   struct err *e);

#endif
