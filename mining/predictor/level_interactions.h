#ifndef MINING_LEVEL_INTERACTIONS_H
#define MINING_LEVEL_INTERACTIONS_H
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
 *of ln, is how far a value lies beyond what the level was run with, up to where the runs end. What
 *is beyond all runs is the trend's own drift. */

struct level_interaction {
	double lo, hi; /* ln(x + shift) seen of a level */
	double sd;
};

struct level_interactions {
	size_t n; /* levels * inputs of the polynomial */
	struct level_interaction *cell;
};

/* From (at most 1000, evenly taken) configurations. Errors: NOMEM. */
enum err_code level_interactions_make(const struct config_table *t,
				      const struct log_polynomial *columns,
				      struct level_interactions *out, struct err *e);
void level_interactions_release(struct level_interactions *m);

/* Of ln time, at a row. A level that was never seen, or a missing value, adds nothing. */
double level_interactions_variance(const struct level_interactions *m,
				   const struct log_polynomial *columns, const double *row);
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
