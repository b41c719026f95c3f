#include "mining/predictor/trend_gp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns are stored by name, as the meaning of a parameter, so that a fit survives a change of
 * their order. */

#define PROCESS "gp"

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static enum err_code store_trend(const struct posynomial *p, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_fit_add(fit, "trend_terms", (double)p->n_terms, NAN, "", "power laws", e)) ||
	    (rc = kb_fit_add(fit, "trend_scale", p->scale, NAN, "log s", "robust misfit", e)))
		return rc;
	for (size_t k = 0; k < p->n_terms * p->p && !rc; k++)
		rc = add(fit, "trend", k, p->b[k], "coefficient, term by term", e);
	return rc;
}

static enum err_code store_inputs(const struct trend_gp *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_fit_add(fit, "inputs", (double)m->n_inputs, NAN, "", "of the process", e)) ||
	    (rc = kb_fit_add(fit, "scaling", (double)m->scaling, NAN, "",
			     "the input that scales the machine; past the last: none", e)) ||
	    (rc = kb_fit_add(fit, "scaling_lo", m->scaling_lo, NAN, "log", "least seen", e)) ||
	    (rc = kb_fit_add(fit, "scaling_hi", m->scaling_hi, NAN, "log", "most seen", e)))
		return rc;
	for (size_t i = 0; i < m->n_inputs && !rc; i++) {
		const struct gp_input *in = &m->input[i];

		if ((rc = add(fit, "input_column", i, (double)in->column,
			      m->columns->app->column[in->column].name, e)) ||
		    (rc = add(fit, "input_shift", i, in->shift, "log(x + shift)", e)) ||
		    (rc = add(fit, "input_missing", i, in->missing, "for a missing value", e)))
			break;
		rc = add(fit, "input_categorical", i, in->categorical, "1: levels of a text", e);
	}
	return rc;
}

enum err_code trend_gp_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct trend_gp *m = state;
	enum err_code rc;

	if ((rc = log_polynomial_store(m->columns, fit, e)) ||
	    (rc = store_trend(&m->trend, fit, e)) || (rc = store_inputs(m, fit, e)) ||
	    (rc = trend_posterior_store(&m->posterior, m->columns, fit, e)))
		return rc;
	if ((rc = gaussian_process_store(m->gp, PROCESS, fit, e)) || !m->terms)
		return rc;
	return terms_model_store(m->terms, fit, e);
}

static bool load_trend(const struct kb_fit *fit, struct trend_gp *m)
{
	struct posynomial *p = &m->trend;
	double n_terms = kb_fit_value(fit, "trend_terms");

	p->p = m->columns->n_terms;
	if (!(n_terms >= 1) || n_terms > POSYNOMIAL_MAX_TERMS ||
	    n_terms * (double)p->p > POSYNOMIAL_MAX_COEFFICIENTS)
		return false;
	p->n_terms = (size_t)n_terms;
	p->scale = kb_fit_value(fit, "trend_scale");
	for (size_t k = 0; k < p->n_terms * p->p; k++) {
		p->b[k] = kb_fit_number(fit, "trend_%zu", k);
		if (isnan(p->b[k]))
			return false;
	}
	return !isnan(p->scale);
}

static enum column_scale scale_of(const struct log_polynomial *columns, size_t column)
{
	for (size_t i = 0; i < columns->n_ranges; i++) {
		if (columns->range[i].column == column)
			return columns->range[i].scale;
	}
	return SCALE_RATIO;
}

static bool load_inputs(const struct kb_fit *fit, struct trend_gp *m)
{
	double n = kb_fit_value(fit, "inputs"), scaling = kb_fit_value(fit, "scaling");

	if (!(n >= 0) || n > GP_MAX_INPUTS || !(scaling >= 0) || scaling > n)
		return false;
	m->n_inputs = (size_t)n;
	m->scaling = (size_t)scaling;
	m->scaling_lo = kb_fit_value(fit, "scaling_lo");
	m->scaling_hi = kb_fit_value(fit, "scaling_hi");
	if (isnan(m->scaling_lo + m->scaling_hi))
		return false;
	for (size_t i = 0; i < m->n_inputs; i++) {
		struct gp_input *in = &m->input[i];
		const struct kb_param *column = kb_fit_find(fit, "input_column_%zu", i);

		if (!column)
			return false;
		in->column = application_column(m->columns->app, column->meaning);
		in->shift = kb_fit_number(fit, "input_shift_%zu", i);
		in->missing = kb_fit_number(fit, "input_missing_%zu", i);
		in->categorical = kb_fit_number(fit, "input_categorical_%zu", i) > 0;
		in->scale = scale_of(m->columns, in->column);
		if (in->column == SIZE_MAX || isnan(in->shift + in->missing))
			return false;
	}
	trend_gp_find_workers(m);
	return true;
}

enum err_code trend_gp_load(const struct kb_fit *fit, const struct application *app, void **state,
			    struct err *e)
{
	struct trend_gp *m = calloc(1, sizeof *m);
	void *columns = NULL;
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "Gaussian process");
	if ((rc = log_polynomial_load(fit, app, &columns, e)))
		goto fail;
	m->columns = columns;
	if (!load_trend(fit, m) || !load_inputs(fit, m)) {
		rc = err_set(e, ERR_NOTMINED,
			     "the fit does not suit application %s: run `lemnos mine`", app->name);
		goto fail;
	}
	if ((rc = trend_posterior_load(fit, m->columns, &m->trend, &m->posterior, e)) ||
	    (rc = gaussian_process_load(fit, PROCESS, &m->gp, e)))
		goto fail;
	m->with_terms = !isnan(kb_fit_value(fit, "terms_scale"));
	if (m->with_terms && (rc = terms_model_load(fit, app, &m->terms, e)))
		goto fail;
	if (gaussian_process_design(m->gp)->n_inputs != m->n_inputs ||
	    gaussian_process_design(m->gp)->n_factors != 1) {
		rc = err_set(e, ERR_NOTMINED,
			     "the fit's process has other inputs: run `lemnos mine`");
		goto fail;
	}
	*state = m;
	return ERR_OK;
fail:
	trend_gp_free(m);
	return rc;
}
