#include "mining/structure/terms_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "mining/numerics/linear_posterior.h"
#include "mining/numerics/order_statistics.h"
#include "mining/numerics/robust_fit.h"

enum {
	MAX_CONFIGS = 1500, /* of more, evenly taken ones */
	RUNS_PER_TERM = 2   /* fewer leave costs to their prior */
};

/* Of ln theta in the fit, where it only keeps what runs cannot tell from wandering: two deviations
 * either way are costs of 0.0003 and 55, where 1 explains all of the typical run. */
#define LOG_COST_MEAN (-2.0)
#define LOG_COST_SD 3.0

/* Residuals are not taken to be smaller, as repeats differ by that much. */
#define MIN_SCALE 0.01
/* Of ln theta: what is beyond any cost. */
#define MOST_LOG_COST 50.0

void terms_model_free(struct terms_model *m)
{
	if (!m)
		return;
	free(m->factor);
	free(m);
}

/* ---- at a row ---- */

static void use_of(const struct application *app, const double *row, double *ppn, double *threads)
{
	*ppn = app->i_ppn == SIZE_MAX ? (double)NAN : row[app->i_ppn];
	*threads = app->i_threads == SIZE_MAX ? (double)NAN : row[app->i_threads];
}

/* n_uses: it was never seen. */
static size_t find_use(const struct terms_model *m, const double *row)
{
	double ppn, threads;
	size_t i = 0;

	use_of(m->app, row, &ppn, &threads);
	while (i < m->n_uses &&
	       (!same_number(m->use[i].ppn, ppn) || !same_number(m->use[i].threads, threads)))
		i++;
	return i;
}

/* -1 to 1 over the range seen, and no further. */
static double smooth_input(const struct smooth_correction *s, const double *row)
{
	const double x = row[s->column];

	if (!(x > 0))
		return 0;
	return fmin(fmax((2 * log(x) - s->lo - s->hi) / (s->hi - s->lo), -1), 1);
}

/* The inputs behind the terms: u[n_params - n_terms], ones of what it is, and smooth inputs. */
static void put_shifts(const struct terms_model *m, const double *row, double *u)
{
	const size_t use = find_use(m, row);

	for (size_t i = 0; i < m->n_uses; i++)
		*u++ = i == use ? 1 : 0;
	for (size_t i = 0; i < m->n_levels; i++)
		*u++ = row[m->level[i].column] == m->level[i].code ? 1 : 0;
	for (size_t i = 0; i < m->n_smooth; i++) {
		const double z = smooth_input(&m->smooth[i], row);

		*u++ = z;
		*u++ = z * z;
	}
}

static size_t n_shifts(const struct terms_model *m)
{
	return m->n_uses + m->n_levels + 2 * m->n_smooth;
}

static double shift_at(const struct terms_model *m, const double *row)
{
	const size_t use = find_use(m, row);
	double sum = use < m->n_uses ? m->use[use].shift : 0;

	for (size_t i = 0; i < m->n_levels; i++) {
		if (row[m->level[i].column] == m->level[i].code)
			sum += m->level[i].effect;
	}
	for (size_t i = 0; i < m->n_smooth; i++) {
		const double z = smooth_input(&m->smooth[i], row);

		sum += z * (m->smooth[i].linear + z * m->smooth[i].square);
	}
	return sum;
}

/* phi / unit, and sum theta phi / unit; NaN: no costs. */
static double put_costs(const struct terms_model *m, const double *row, double *psi)
{
	double sum = 0;

	if (!application_terms_at(m->app, row, psi))
		return (double)NAN;
	for (size_t k = 0; k < m->n_terms; k++) {
		psi[k] /= m->unit[k];
		sum += m->theta[k] * psi[k];
	}
	return sum > 0 ? sum : (double)NAN;
}

double terms_model_log(const struct terms_model *m, const double *row)
{
	double psi[APPLICATION_MAX_TERMS];

	return log(put_costs(m, row, psi)) + shift_at(m, row);
}

bool terms_model_shares(const struct terms_model *m, const double *row, double *compute,
			double *communication)
{
	double psi[APPLICATION_MAX_TERMS], part[2] = {0, 0};
	const double sum = put_costs(m, row, psi);

	if (isnan(sum))
		return false;
	for (size_t k = 0; k < m->n_terms; k++)
		part[m->app->terms.term[k].communication] += m->theta[k] * psi[k] / sum;
	*compute = part[0];
	*communication = part[1];
	return true;
}

/* Of a use or a level that was never seen. */
static double unseen_variance(const struct terms_model *m, const double *row)
{
	double sum = 0;

	if (m->n_uses > 0 && find_use(m, row) == m->n_uses)
		sum += TERMS_USE_SD * TERMS_USE_SD;
	for (size_t i = 0; i < m->n_levels; i++) {
		const size_t column = m->level[i].column;
		bool seen = i > 0 && m->level[i - 1].column == column; /* judged already */

		for (size_t j = i; j < m->n_levels && !seen; j++)
			seen = m->level[j].column == column && m->level[j].code == row[column];
		if (!seen)
			sum += TERMS_LEVEL_SD * TERMS_LEVEL_SD;
	}
	return sum;
}

double terms_model_sd(const struct terms_model *m, const double *row)
{
	double u[TERMS_MAX_PARAMS];
	double work[TERMS_MAX_PARAMS];
	const double sum = put_costs(m, row, u);

	if (isnan(sum))
		return sum;
	for (size_t k = 0; k < m->n_terms; k++)
		u[k] /= sum;
	put_shifts(m, row, u + m->n_terms);
	return sqrt(pow(linear_posterior_sd(m->factor, m->n_params, u, work), 2) +
		    unseen_variance(m, row));
}

/* ---- the fit ---- */

/* n configurations as the fit sees them. */
struct terms_problem {
	struct terms_model *m;
	size_t n;
	size_t *pick; /* of the table */
	double *psi;  /* n * n_terms */
	double *u;    /* n * n_shifts */
	double *y, *weight;
	double *p, *prior, *prior_sd, *std_error;
	bool *is_log_amount;
};

static void problem_release(struct terms_problem *q)
{
	free(q->pick);
	free(q->psi);
	free(q->u);
	free(q->y);
	free(q->weight);
	free(q->p);
	free(q->prior);
	free(q->prior_sd);
	free(q->std_error);
	free(q->is_log_amount);
}

static bool problem_reserve(struct terms_problem *q, size_t n_table)
{
	const size_t p = q->m->n_params;

	q->psi = calloc(n_table * q->m->n_terms + 1, sizeof *q->psi);
	q->u = calloc(n_table * n_shifts(q->m) + 1, sizeof *q->u);
	q->y = calloc(n_table + 1, sizeof *q->y);
	q->weight = calloc(n_table + 1, sizeof *q->weight);
	q->p = calloc(p + 1, sizeof *q->p);
	q->prior = calloc(p + 1, sizeof *q->prior);
	q->prior_sd = calloc(p + 1, sizeof *q->prior_sd);
	q->std_error = calloc(p + 1, sizeof *q->std_error);
	q->is_log_amount = calloc(p + 1, sizeof *q->is_log_amount);
	return q->psi && q->u && q->y && q->weight && q->p && q->prior && q->prior_sd &&
	       q->std_error && q->is_log_amount;
}

static void add_use(const struct application *app, const double *row, struct terms_model *m)
{
	struct node_use *use = &m->use[m->n_uses];

	if (m->n_uses == TERMS_MAX_USES || find_use(m, row) < m->n_uses)
		return;
	use_of(app, row, &use->ppn, &use->threads);
	m->n_uses++;
}

static void add_level(size_t column, double code, struct terms_model *m)
{
	if (isnan(code) || m->n_levels == TERMS_MAX_LEVELS)
		return;
	for (size_t i = 0; i < m->n_levels; i++) {
		if (m->level[i].column == column && m->level[i].code == code)
			return;
	}
	m->level[m->n_levels++] = (struct term_level){column, code, 0};
}

/* What varies smoothly: numbers that are no resources and vary, where all are positive. */
static void add_smooth(const struct config_table *t, size_t column, struct terms_model *m)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[column];

		if (!(x > 0))
			return;
		lo = fmin(lo, log(x));
		hi = fmax(hi, log(x));
	}
	if (hi > lo && m->n_smooth < TERMS_MAX_SMOOTH)
		m->smooth[m->n_smooth++] = (struct smooth_correction){column, lo, hi, 0, 0};
}

/* One kind of node use, or one level of a text, is what the costs are of. */
static void drop_only_ones(struct terms_model *m)
{
	size_t kept = 0;

	if (m->n_uses == 1)
		m->n_uses = 0;
	for (size_t i = 0; i < m->n_levels; i++) {
		const size_t column = m->level[i].column;
		const bool alone = (i == 0 || m->level[i - 1].column != column) &&
				   (i + 1 == m->n_levels || m->level[i + 1].column != column);

		if (!alone)
			m->level[kept++] =
				m->level[i]; /* never beyond i: level[i - 1] is as it was */
	}
	m->n_levels = kept;
}

static void find_shifts(const struct config_table *t, struct terms_model *m)
{
	const struct application *app = t->app;

	for (size_t i = 0; i < t->n; i++)
		add_use(app, config_table_row(t, i), m);
	for (size_t c = 0; c < app->n_columns; c++) {
		const struct column *col = &app->column[c];

		if (col->type == COL_TEXT) {
			for (size_t i = 0; i < t->n; i++)
				add_level(c, config_table_row(t, i)[c], m);
		} else if (col->role != COL_RESOURCE && col->role != COL_DERIVED &&
			   c != app->i_procs) {
			add_smooth(t, c, m);
		}
	}
	drop_only_ones(m);
}

/* Median of phi / t over the configurations that have the term. Errors: NODATA. */
static enum err_code find_units(const struct config_table *t, struct terms_problem *q,
				struct err *e)
{
	struct terms_model *m = q->m;
	double phi[APPLICATION_MAX_TERMS], *ratio = calloc(q->n + 1, sizeof *ratio);
	enum err_code rc = ERR_OK;

	if (!ratio)
		return err_set(e, ERR_NOMEM, "terms of %zu configurations", q->n);
	for (size_t k = 0; k < m->n_terms && !rc; k++) {
		size_t n = 0;

		for (size_t i = 0; i < q->n && !rc; i++) {
			if (!application_terms_at(m->app, config_table_row(t, q->pick[i]), phi))
				rc = err_set(e, ERR_NODATA,
					     "a term is no cost on a run of application %s",
					     m->app->name);
			else if (phi[k] > 0)
				ratio[n++] = phi[k] / t->time_s[q->pick[i]];
		}
		order_sort(ratio, n);
		m->unit[k] = n > 0 ? order_quantile(ratio, n, 0.5) : 1;
	}
	free(ratio);
	return rc;
}

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct terms_problem *q = arg;
	const struct terms_model *m = q->m;
	const size_t n_u = n_shifts(m);
	double theta[APPLICATION_MAX_TERMS];

	for (size_t k = 0; k < m->n_terms; k++)
		theta[k] = exp(fmin(p[k], MOST_LOG_COST));
	for (size_t i = 0; i < q->n; i++) {
		const double *psi = q->psi + i * m->n_terms, *u = q->u + i * n_u;
		double *j = jac ? jac + i * m->n_params : NULL;
		double sum = 0, shift = 0;

		for (size_t k = 0; k < m->n_terms; k++)
			sum += theta[k] * psi[k];
		for (size_t k = 0; k < n_u; k++)
			shift += u[k] * p[m->n_terms + k];
		if (f)
			f[i] = log(sum) + shift;
		if (!j)
			continue;
		for (size_t k = 0; k < m->n_terms; k++)
			j[k] = theta[k] * psi[k] / sum;
		memcpy(j + m->n_terms, u, n_u * sizeof *u);
	}
}

/* Of the shifts, in the order of the parameters. */
static void put_shift_sd(const struct terms_model *m, double *sd)
{
	for (size_t i = 0; i < m->n_uses; i++)
		*sd++ = TERMS_USE_SD;
	for (size_t i = 0; i < m->n_levels; i++)
		*sd++ = TERMS_LEVEL_SD;
	for (size_t i = 0; i < 2 * m->n_smooth; i++)
		*sd++ = TERMS_SMOOTH_SD;
}

static void take_params(const double *p, struct terms_model *m)
{
	for (size_t k = 0; k < m->n_terms; k++)
		m->theta[k] = exp(fmin(*p++, MOST_LOG_COST));
	for (size_t i = 0; i < m->n_uses; i++)
		m->use[i].shift = *p++;
	for (size_t i = 0; i < m->n_levels; i++)
		m->level[i].effect = *p++;
	for (size_t i = 0; i < m->n_smooth; i++) {
		m->smooth[i].linear = *p++;
		m->smooth[i].square = *p++;
	}
}

/* Laplace: the curvature at the solution in theta itself, not in its logarithm: a cost of nothing
 * may be more than that, which its prior and the runs bound. */
static enum err_code find_posterior(struct terms_problem *q, struct err *e)
{
	struct terms_model *m = q->m;
	const size_t n_u = n_shifts(m);
	double *jac = calloc(q->n * m->n_params + 1, sizeof *jac);
	enum err_code rc;

	m->factor = calloc(m->n_params * m->n_params + 1, sizeof *m->factor);
	if (!jac || !m->factor) {
		free(jac);
		return err_set(e, ERR_NOMEM, "posterior of %zu costs", m->n_params);
	}
	for (size_t i = 0; i < q->n; i++) {
		const double *psi = q->psi + i * m->n_terms;
		double *j = jac + i * m->n_params, sum = 0;

		for (size_t k = 0; k < m->n_terms; k++)
			sum += m->theta[k] * psi[k];
		for (size_t k = 0; k < m->n_terms; k++)
			j[k] = psi[k] / sum;
		memcpy(j + m->n_terms, q->u + i * n_u, n_u * sizeof *j);
	}
	for (size_t k = 0; k < m->n_terms; k++)
		q->prior_sd[k] = 1;
	rc = linear_posterior_factor(jac, q->weight, q->n, m->n_params, q->prior_sd,
				     fmax(m->scale, POSTERIOR_MIN_NOISE), m->factor, e);
	free(jac);
	return rc;
}

static enum err_code solve(struct terms_problem *q, struct err *e)
{
	struct terms_model *m = q->m;
	struct robust_fit fit = {.std_error = q->std_error};
	const struct robust_problem problem = {.n = q->n,
					       .n_params = m->n_params,
					       .y = q->y,
					       .weight = q->weight,
					       .prior = q->prior,
					       .prior_sd = q->prior_sd,
					       .eval = eval,
					       .arg = q,
					       .is_log_amount = q->is_log_amount,
					       .min_scale = MIN_SCALE};
	enum err_code rc;

	for (size_t k = 0; k < m->n_terms; k++) {
		q->p[k] = -log((double)m->n_terms);
		q->prior[k] = LOG_COST_MEAN;
		q->prior_sd[k] = LOG_COST_SD;
		q->is_log_amount[k] = true;
	}
	put_shift_sd(m, q->prior_sd + m->n_terms);
	if ((rc = robust_fit(&problem, q->p, &fit, e)))
		return rc;
	take_params(q->p, m);
	m->scale = fit.scale;
	return find_posterior(q, e);
}

static enum err_code gather(const struct config_table *t, struct terms_problem *q, struct err *e)
{
	struct terms_model *m = q->m;
	enum err_code rc;

	q->pick = calloc(t->n + 1, sizeof *q->pick);
	if (!q->pick)
		return err_set(e, ERR_NOMEM, "terms of %zu configurations", t->n);
	q->n = config_table_pick(t, MAX_CONFIGS, q->pick);
	find_shifts(t, m);
	m->n_params = m->n_terms + n_shifts(m);
	if (q->n < RUNS_PER_TERM * m->n_terms)
		return err_set(e, ERR_NODATA, "%zu configurations are too few for %zu terms", q->n,
			       m->n_terms);
	if (!problem_reserve(q, q->n))
		return err_set(e, ERR_NOMEM, "terms of %zu configurations", q->n);
	if ((rc = find_units(t, q, e)))
		return rc;
	for (size_t i = 0; i < q->n; i++) {
		const double *row = config_table_row(t, q->pick[i]);

		put_costs(m, row, q->psi + i * m->n_terms);
		put_shifts(m, row, q->u + i * n_shifts(m));
		q->y[i] = log(t->time_s[q->pick[i]]);
		q->weight[i] = config_table_weight(t, q->pick[i]);
	}
	return ERR_OK;
}

enum err_code terms_model_fit(const struct config_table *t, struct terms_model **out, struct err *e)
{
	struct terms_problem q = {.m = calloc(1, sizeof *q.m)};
	enum err_code rc;

	if (!q.m)
		return err_set(e, ERR_NOMEM, "terms");
	q.m->app = t->app;
	q.m->n_terms = t->app->terms.n;
	if (!(rc = gather(t, &q, e)))
		rc = solve(&q, e);
	problem_release(&q);
	if (rc)
		terms_model_free(q.m);
	else
		*out = q.m;
	return rc;
}

void terms_model_explain(const struct terms_model *m, struct strbuf *out)
{
	const struct application_terms *t = &m->app->terms;
	size_t used = 0;

	/* of the typical run: more than a thousandth */
	for (size_t k = 0; k < m->n_terms; k++)
		used += m->theta[k] > 1e-3;
	strbuf_printf(out,
		      "The terms of application %s, %zu of %zu with a cost (typical misfit %.1f "
		      "%%): ",
		      m->app->name, used, t->n, 100 * m->scale);
	for (size_t k = 0, n = 0; k < m->n_terms; k++) {
		if (m->theta[k] > 1e-3)
			strbuf_printf(out, "%s%s %.3g s", n++ ? ", " : "", t->term[k].text,
				      m->theta[k] / m->unit[k]);
	}
	if (m->n_uses > 0)
		strbuf_printf(out, ", times a factor for each of %zu kinds of node use", m->n_uses);
	strbuf_puts(out, ", ");
}
