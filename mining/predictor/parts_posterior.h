#ifndef MINING_PARTS_POSTERIOR_H
#define MINING_PARTS_POSTERIOR_H
#include "base/err.h"
#include "kb/kb.h"
#include "mining/numerics/posynomial.h"
#include "mining/predictor/log_polynomial.h"
#include "mining/training/config_table.h"

/* What the runs leave open about the parts of a sum of power laws: Laplace's approximation about
 * the fit (MacKay, "Information Theory, Inference, and Learning Algorithms", 2003, ch. 27), with
 * the priors of exponents by the role of a column (trend_posterior.h). A part that is a small share
 * of the time of all runs, such as work behind a long start-up, has hardly known exponents, and
 * rules beyond them. */
struct parts_posterior {
	size_t n;	/* coefficients; 0: one power law, of which trend_posterior.h tells */
	double *factor; /* n * n, see linear_posterior.h */
};

/* From (at most 1000, evenly taken) configurations; noise_sd: of ln time. Errors: NUMERIC,
 * NOMEM. */
enum err_code parts_posterior_make(const struct config_table *t,
				   const struct log_polynomial *columns,
				   const struct posynomial *trend, double noise_sd,
				   struct parts_posterior *out, struct err *e);
void parts_posterior_release(struct parts_posterior *m);
/* Standard deviation of ln time at a row; 0 of one power law. */
double parts_posterior_sd(const struct parts_posterior *m, const struct log_polynomial *columns,
			  const struct posynomial *trend, const double *row);

/* Numbers "parts_...", and back. Errors: NOMEM; of load NOTMINED (incomplete). */
enum err_code parts_posterior_store(const struct parts_posterior *m, struct kb_fit *fit,
				    struct err *e);
enum err_code parts_posterior_load(const struct kb_fit *fit, const struct posynomial *trend,
				   struct parts_posterior *out, struct err *e);

#endif
