#ifndef MINING_LEVEL_INTERACTIONS_H
#define MINING_LEVEL_INTERACTIONS_H
#include "mining/numerics/posynomial.h"
#include "mining/predictor/log_polynomial.h"

/* What a level of a text column may do where only other levels were run: a solver that was tried on
 * small meshes, asked about large ones. The trend gives all levels the same exponents, and inside
 * of the range that all levels together have nothing else says that this one was never there.
 *
 * Exponents of level l differ from those of all by a normal deviation, of which the prior deviation
 * is half of the exponent's own (trend_posterior.h) and counts as one level. What the runs say is
 * the slope d of what the pooled power law leaves, by input and level, with its standard error se:
 *	sd^2 = (prior^2 + sum w max(d^2 - se^2, 0)) / (1 + sum w), w = prior^2 / (prior^2 + se^2)
 * one sd for each pair of a column and an input: levels that are alike make the unknown ones likely
 * to be so. Its variance is (sd * excess)^2 summed over text columns and inputs; excess, in units
 * of ln, is how far a value lies beyond what the level was run with, up to where the runs end.
 *
 * Beyond all runs a level goes on as it did: slopes are random effects (Searle, Casella and
 * McCulloch, "Variance Components", 1992, ch. 7), here of what the trend leaves, so that they are
 * of no account where its parts have levels of their own. With sd as above, of these slopes,
 *	ln time + told d excess, variance sd^2 (1 - told) excess^2, told = sd^2 / (sd^2 + se^2),
 * the former of resources not: of these the process knows, which is linear in what scales the
 * machine. */

struct level_interaction {
	double lo, hi; /* ln(x + shift) seen of a level */
	double sd;
	double slope, slope_sd; /* told d, and the root of sd^2 (1 - told): beyond all runs */
};

struct level_interactions {
	size_t n; /* levels * inputs of the polynomial */
	struct level_interaction *cell;
};

/* From (at most 1000, evenly taken) configurations. Errors: NOMEM. */
enum err_code level_interactions_make(const struct config_table *t,
				      const struct log_polynomial *columns,
				      struct level_interactions *out, struct err *e);
/* The trend was fitted, for the first time or anew: slopes of what it leaves of each level. Errors:
 * NOMEM. */
enum err_code level_interactions_add_slopes(const struct config_table *t,
					    const struct log_polynomial *columns,
					    const struct posynomial *trend,
					    struct level_interactions *m, struct err *e);
void level_interactions_release(struct level_interactions *m);

/* Of ln time, at a row. A level that was never seen, or a missing value, adds nothing. */
double level_interactions_variance(const struct level_interactions *m,
				   const struct log_polynomial *columns, const double *row);
/* Of ln time, beyond all runs: what the levels of a row differ by from the trend. *variance of that
 * (NULL: not asked). */
double level_interactions_shift(const struct level_interactions *m,
				const struct log_polynomial *columns, const double *row,
				double *variance);
/* Append ", solver direct ran with n up to 2000 only" (without the comma to an empty text): where a
 * level had less than half of the range, at most three of them. */
void level_interactions_explain(const struct level_interactions *m,
				const struct log_polynomial *columns, struct strbuf *out);

/* Numbers "interaction_...", and back; columns are loaded before. Errors: NOMEM. */
enum err_code level_interactions_store(const struct level_interactions *m,
				       const struct log_polynomial *columns, struct kb_fit *fit,
				       struct err *e);
enum err_code level_interactions_load(const struct kb_fit *fit,
				      const struct log_polynomial *columns,
				      struct level_interactions *out, struct err *e);

#endif
