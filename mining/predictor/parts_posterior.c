#include "mining/predictor/parts_posterior.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/predictor/trend_posterior.h"

enum { MAX_CONFIGS = 1000 };

/* Of the size of a part, ln. */
#define SIZE_SD 5.0

/* Ranges of a column away from all runs. */
#define WILD 1e3

/* d ln time / d coefficient at a row. */
static void put_gradient(const struct log_polynomial *columns, const struct posynomial *trend,
			 const double *row, double *u)
{
	double term[LOG_POLYNOMIAL_MAX_TERMS];

	log_polynomial_terms(columns, row, term);
	/* infinite ones of two signs would add up to nonsense */
	for (size_t j = 0; j < trend->p; j++)
		term[j] = fmin(fmax(term[j], -WILD), WILD);
	posynomial_gradient(trend, term, u);
}

/* Of a part's coefficients, on standardised inputs. */
static void put_prior_sd(const struct log_polynomial *columns, size_t p, double *sd)
{
	sd[0] = SIZE_SD;
	for (size_t j = 1; j < p; j++)
		sd[j] = TREND_LEVEL_PRIOR_SD;
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		sd[1 + i] = exponent_prior_of(columns->app, r->column, r->shift > 0).sd *
			    (r->hi - r->lo) / 2;
	}
}

enum err_code parts_posterior_make(const struct config_table *t,
				   const struct log_polynomial *columns,
				   const struct posynomial *trend, double noise_sd,
				   struct parts_posterior *out, struct err *e)
{
	const size_t n = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS, n_b = trend->n_terms * trend->p;
	double prior_sd[POSYNOMIAL_MAX_COEFFICIENTS];
	double *u, *weight, *factor;
	enum err_code rc;

	*out = (struct parts_posterior){0};
	if (trend->n_terms < 2)
		return ERR_OK;
	u = calloc(n * n_b + 1, sizeof *u);
	weight = calloc(n + 1, sizeof *weight);
	factor = calloc(n_b * n_b, sizeof *factor);
	if (u && weight && factor) {
		for (size_t i = 0; i < n; i++) {
			const size_t at =
				n == t->n ? i : (size_t)((double)i * (double)t->n / (double)n);

			put_gradient(columns, trend, config_table_row(t, at), u + i * n_b);
			weight[i] = config_table_weight(t, at);
		}
		for (size_t k = 0; k < trend->n_terms; k++)
			put_prior_sd(columns, trend->p, prior_sd + k * trend->p);
		rc = linear_posterior_factor(u, weight, n, n_b, prior_sd,
					     fmax(noise_sd, POSTERIOR_MIN_NOISE), factor, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "posterior of %zu coefficients", n_b);
	}
	free(u);
	free(weight);
	if (rc)
		free(factor);
	else
		*out = (struct parts_posterior){n_b, factor};
	return rc;
}

void parts_posterior_release(struct parts_posterior *m)
{
	free(m->factor);
	*m = (struct parts_posterior){0};
}

double parts_posterior_sd(const struct parts_posterior *m, const struct log_polynomial *columns,
			  const struct posynomial *trend, const double *row)
{
	double u[POSYNOMIAL_MAX_COEFFICIENTS], work[POSYNOMIAL_MAX_COEFFICIENTS];

	if (m->n == 0)
		return 0;
	put_gradient(columns, trend, row, u);
	return fmin(linear_posterior_sd(m->factor, m->n, u, work), TREND_MAX_SD);
}

enum err_code parts_posterior_store(const struct parts_posterior *m, struct kb_fit *fit,
				    struct err *e)
{
	return m->n == 0 ? ERR_OK : triangle_store("parts_factor_", m->factor, m->n, fit, e);
}

enum err_code parts_posterior_load(const struct kb_fit *fit, const struct posynomial *trend,
				   struct parts_posterior *out, struct err *e)
{
	const size_t n_b = trend->n_terms * trend->p;
	struct parts_posterior m = {0};

	*out = m;
	if (trend->n_terms < 2)
		return ERR_OK;
	m = (struct parts_posterior){n_b, calloc(n_b * n_b, sizeof *m.factor)};
	if (!m.factor)
		return err_set(e, ERR_NOMEM, "posterior of %zu coefficients", n_b);
	if (!triangle_load(fit, "parts_factor_", m.factor, n_b)) {
		parts_posterior_release(&m);
		return err_set(e, ERR_NOTMINED,
			       "the fit lacks what its parts leave open: run `lemnos mine`");
	}
	*out = m;
	return ERR_OK;
}
