#include "mining/predictor/trend_gp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"

/* The trend alone extrapolates well but misses a tenth of time between the runs; a process alone
 * is right between the runs and returns to nothing beyond them. */

enum {
	TREND_CONFIGS = 1000, /* of more, evenly taken ones */
	TREND_TERMS = 4,
	GP_POINTS = 2000,	   /* prediction takes about 10 us with them */
	GP_HELD_OUT_POINTS = 1000, /* of fits that only teach residuals: 0.5 s each */
	GP_TUNING_POINTS = 500
};

/* Likely sizes, in log time: what a trend leaves, and the noise of repeats. Only where the process
 * starts to look. */
#define LEFT_BY_TREND 0.1
#define LIKELY_NOISE 0.03

/* The likely length of an input, in ranges of it. */
#define LIKELY_LENGTH 1.35

/* The share of noise that repeats do not average out (another placement, another day): a choice. */
#define COMMON_NOISE 0.3

#define SEED 1

/* Ranges of a column away from all runs. */
#define WILD 1e3

/* ln of a growth that is any. */
#define MOST_GROWTH 50.0

static bool applies(const struct application *app)
{
	return !app->model;
}

void trend_gp_free(void *state)
{
	struct trend_gp *m = state;

	if (!m)
		return;
	free(m->columns);
	trend_posterior_release(&m->posterior);
	terms_model_free(m->terms);
	gaussian_process_free(m->gp);
	free(m);
}

/* The place of a row's level among those seen, -1: none of them. Codes may be given anew when
 * runs come or go; a load finds levels by name. */
static double level_of(const struct log_polynomial *columns, size_t column, double code)
{
	for (size_t i = 0; i < columns->n_levels; i++) {
		if (columns->level[i].column == column && columns->level[i].code == code)
			return (double)i;
	}
	return -1;
}

static void put_inputs(const struct trend_gp *m, const double *row, double *z, double *factor)
{
	for (size_t i = 0; i < m->n_inputs; i++) {
		const struct gp_input *in = &m->input[i];
		double x = row[in->column];

		if (in->categorical)
			z[i] = level_of(m->columns, in->column, x);
		else if (isnan(x))
			z[i] = in->missing;
		else
			z[i] = column_scale_at(in->scale, in->shift, x);
	}
	*factor = 0;
	if (m->scaling == m->n_inputs)
		return;
	for (size_t i = 0; i < m->n_inputs; i++) {
		if (m->workers >> i & 1)
			z[m->scaling] += z[i];
	}
	if (m->scaling_hi > m->scaling_lo)
		*factor = (2 * z[m->scaling] - m->scaling_lo - m->scaling_hi) /
			  (m->scaling_hi - m->scaling_lo);
}

/* How a part of the trend grows from the least of the problem to the most that was seen. */
static double growth_of(const struct trend_gp *m, size_t part)
{
	const struct log_polynomial *columns = m->columns;
	double sum = 0;

	for (size_t i = 0; i < columns->n_inputs; i++) {
		const enum column_role role = columns->app->column[columns->range[i].column].role;

		if (role == COL_PROBLEM || role == COL_WORKLOAD)
			sum += 2 * m->trend.b[part * m->trend.p + 1 + i];
	}
	return sum;
}

/* log time of the trend where resources that never varied are expected to change it by `shift`: not
 * the part of it that does not grow with the problem, such as a start-up, and others in proportion
 * to how they grow. */
static double shared_trend(const struct trend_gp *m, const double *term, double shift)
{
	struct posynomial shared = m->trend;
	double most = 0;

	for (size_t k = 0; k < shared.n_terms; k++)
		most = fmax(most, growth_of(m, k));
	for (size_t k = 0; k < shared.n_terms && most > 0; k++)
		shared.b[k * shared.p] += shift * fmax(growth_of(m, k) / most, 0);
	return posynomial_log(&shared, term) + (most > 0 ? 0 : shift);
}

double trend_gp_trend_log(const struct trend_gp *m, const double *row)
{
	double term[LOG_POLYNOMIAL_MAX_TERMS], shift, of_resources;
	/* of a row that the terms cannot tell, the trend does */
	const double log_s = m->terms ? terms_model_log(m->terms, row) : (double)NAN;

	if (!isnan(log_s))
		return log_s + trend_prior_shift(m->columns, row, true, NULL);
	log_polynomial_terms(m->columns, row, term);
	/* infinite ones of two signs would add up to nonsense */
	for (size_t j = 0; j < m->columns->n_terms; j++)
		term[j] = fmin(fmax(term[j], -WILD), WILD);
	shift = trend_prior_shift(m->columns, row, false, &of_resources) +
		level_interactions_shift(&m->posterior.interactions, m->columns, row, NULL);
	if (of_resources == 0)
		return posynomial_log(&m->trend, term) + shift;
	return shared_trend(m, term, of_resources) + shift - of_resources;
}

/* Do two numeric columns, in logs, always move together? Then the process sees the first only. */
static bool twins(const struct config_table *t, const struct log_range *a,
		  const struct log_range *b)
{
	const double ratio = (b->hi - b->lo) / (a->hi - a->lo);

	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);
		const double x = row[a->column], y = row[b->column];
		const double u = column_scale_at(a->scale, a->shift, x) - a->lo;
		const double v = column_scale_at(b->scale, b->shift, y) - b->lo;

		if (isnan(x) || isnan(y) || !(fabs(u * ratio - v) < 1e-9))
			return false;
	}
	return true;
}

static bool has_earlier_twin(const struct config_table *t, const struct log_polynomial *columns,
			     size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (twins(t, &columns->range[j], &columns->range[i]))
			return true;
	}
	return false;
}

static void add_categories(struct trend_gp *m)
{
	const struct log_polynomial *columns = m->columns;

	for (size_t i = 0; i < columns->n_levels && m->n_inputs < GP_MAX_INPUTS; i++) {
		size_t column = columns->level[i].column;

		/* levels of one column follow each other; one level alone tells nothing */
		if (i == 0 || columns->level[i - 1].column != column ||
		    (i > 1 && columns->level[i - 2].column == column))
			continue;
		m->input[m->n_inputs++] = (struct gp_input){.column = column, .categorical = true};
	}
}

static void choose_inputs(const struct config_table *t, struct trend_gp *m)
{
	const struct log_polynomial *columns = m->columns;

	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		if (has_earlier_twin(t, columns, i))
			continue;
		m->input[m->n_inputs++] = (struct gp_input){r->column, r->shift,
							    (r->lo + r->hi) / 2, r->scale, false};
	}
	add_categories(m);
}

/* What was seen of a numeric input; NULL: it did not vary. */
static const struct log_range *range_of(const struct trend_gp *m, size_t input)
{
	for (size_t i = 0; i < m->columns->n_inputs; i++) {
		if (!m->input[input].categorical &&
		    m->columns->range[i].column == m->input[input].column)
			return &m->columns->range[i];
	}
	return NULL;
}

void trend_gp_find_workers(struct trend_gp *m)
{
	const struct application *app = m->columns->app;

	m->workers = 0;
	for (size_t i = 0; i < m->n_inputs && m->scaling < m->n_inputs; i++) {
		bool per_node = m->input[i].column == app->i_ppn &&
				m->input[m->scaling].column == app->i_nodes;

		if (per_node || m->input[i].column == app->i_threads)
			m->workers |= UINT32_C(1) << i;
	}
}

/* Nodes where they vary, else processors. */
static void choose_scaling(const struct config_table *t, struct trend_gp *m)
{
	const size_t candidate[] = {t->app->i_nodes, t->app->i_procs};
	double z[GP_MAX_INPUTS], factor;

	m->scaling = m->n_inputs;
	for (size_t k = 0; k < 2 && m->scaling == m->n_inputs; k++) {
		for (size_t i = 0; i < m->n_inputs; i++) {
			if (!m->input[i].categorical && m->input[i].column == candidate[k])
				m->scaling = i;
		}
	}
	trend_gp_find_workers(m);
	if (m->scaling == m->n_inputs)
		return;
	for (size_t i = 0; i < t->n; i++) {
		put_inputs(m, config_table_row(t, i), z, &factor);
		m->scaling_lo = i ? fmin(m->scaling_lo, z[m->scaling]) : z[m->scaling];
		m->scaling_hi = i ? fmax(m->scaling_hi, z[m->scaling]) : z[m->scaling];
	}
}

/* A part over all inputs; where something scales the machine, also one that does not see it, and
 * one that is linear in it: most corrections are about the problem, and learned from fewer runs in
 * parts of their own. */
static void make_design(const struct trend_gp *m, struct gp_design *d)
{
	const uint32_t all = (UINT32_C(1) << m->n_inputs) - 1;

	*d = (struct gp_design){
		.n_inputs = m->n_inputs, .n_factors = 1, .n_parts = 1, .noise_prior = LIKELY_NOISE};
	for (size_t i = 0; i < m->n_inputs; i++) {
		const struct log_range *r = range_of(m, i);

		if (m->input[i].categorical)
			d->categorical |= UINT32_C(1) << i;
		d->length_prior[i] = r ? LIKELY_LENGTH * (r->hi - r->lo) : 0;
	}
	if (m->scaling < m->n_inputs)
		d->length_prior[m->scaling] = LIKELY_LENGTH * (m->scaling_hi - m->scaling_lo);
	d->part[0] = (struct gp_part){GP_MATERN_52, all, -1, LEFT_BY_TREND};
	if (m->scaling < m->n_inputs) {
		const uint32_t others = all & ~(UINT32_C(1) << m->scaling);

		d->part[1] = (struct gp_part){GP_MATERN_52, others, -1, LEFT_BY_TREND};
		d->part[2] = (struct gp_part){GP_MATERN_52, others, 0, LEFT_BY_TREND};
		d->n_parts = 3;
	}
}

/* x[n * n_terms] and y[n] of n of t's configurations, evenly taken. */
static void put_terms(const struct config_table *t, size_t n, const struct log_polynomial *columns,
		      double *x, double *y)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = n == t->n ? i : (size_t)((double)i * (double)t->n / (double)n);

		log_polynomial_terms(columns, config_table_row(t, at), x + i * columns->n_terms);
		y[i] = log(t->time_s[at]);
	}
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Of the n runs x the variance of an input that the other inputs do not explain, as a share: what
 * is left of it less its projections (modified Gram-Schmidt). */
static enum err_code told_alone(const double *x, size_t n, const struct log_polynomial *columns,
				size_t at, double *share_alone, struct err *e)
{
	const size_t p = columns->n_terms, k = 1 + columns->n_inputs;
	double *v = calloc(k * n + 1, sizeof *v), *own, all = 0;

	if (!v)
		return err_set(e, ERR_NOMEM, "%zu inputs of %zu runs", k, n);
	own = v + (k - 1) * n;
	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		for (size_t c = 0; c < k; c++)
			v[(c == 1 + at ? k - 1 : j++) * n + i] = x[i * p + c];
	}
	for (size_t c = 0; c + 1 < k; c++) {
		const double *one = v + c * n, length = dot(one, one, n);

		for (size_t j = c + 1; j < k && length > 1e-12 * (double)n; j++) {
			const double share = dot(one, v + j * n, n) / length;

			for (size_t i = 0; i < n; i++)
				v[j * n + i] -= share * one[i];
		}
		if (c == 0)
			all = dot(own, own, n);
	}
	*share_alone = all > 0 ? dot(own, own, n) / all : 0;
	free(v);
	return ERR_OK;
}

/* Along a band (weak scaling) messages cannot be told from work that grows. */
#define LEAST_ALONE 0.5

/* Where messages come from: the processes, or the nodes where these are not told. SIZE_MAX: none of
 * the inputs. */
static size_t input_of_messages(const struct log_polynomial *columns)
{
	const struct application *app = columns->app;
	const bool has_procs =
		app->i_procs != SIZE_MAX && app->column[app->i_procs].role != COL_DERIVED;
	const size_t column = has_procs ? app->i_procs : app->i_nodes;

	for (size_t i = 0; i < columns->n_inputs; i++) {
		if (columns->range[i].column == column && !(columns->range[i].shift > 0))
			return i;
	}
	return SIZE_MAX;
}

static bool has_role(const struct log_polynomial *columns, size_t i, enum column_role role)
{
	return columns->app->column[columns->range[i].column].role == role;
}

/* Messages: more on more processes, with their square root or in proportion; of the problem none or
 * its surface (two thirds of the exponent of the work); as often as the work is done. */
static enum err_code put_message_parts(const struct log_polynomial *columns, const double *x,
				       size_t n, struct posynomial_prior *out, struct err *e)
{
	static const double of_procs[] = {0.5, 1}, of_problem[] = {0, 2.0 / 3};
	const size_t at = input_of_messages(columns);
	double alone = 0;
	enum err_code rc;

	if (at == SIZE_MAX || (rc = told_alone(x, n, columns, at, &alone, e)))
		return at == SIZE_MAX ? ERR_OK : rc;
	if (!(alone > LEAST_ALONE))
		return ERR_OK;
	for (size_t k = 0; k < 4; k++) {
		const struct log_range *r = &columns->range[at];
		double *same = out->same[out->n_parts];

		out->plus[out->n_parts++][1 + at] = of_procs[k % 2] * (r->hi - r->lo) / 2;
		for (size_t i = 0; i < columns->n_inputs; i++) {
			if (has_role(columns, i, COL_PROBLEM))
				same[1 + i] = of_problem[k / 2];
			else if (has_role(columns, i, COL_WORKLOAD))
				same[1 + i] = 1;
		}
	}
	return ERR_OK;
}

/* A start-up, which depends on nothing; serial work, on all but the resources; messages. */
static enum err_code put_parts(const struct log_polynomial *columns, const double *x, size_t n,
			       struct posynomial_prior *out, struct err *e)
{
	bool any_resource = false;

	memset(out->same, 0, sizeof out->same);
	memset(out->plus, 0, sizeof out->plus);
	out->n_parts = columns->n_terms < 2 ? 0 : 1;
	for (size_t j = 0; j < columns->n_terms; j++)
		out->same[1][j] = 1;
	for (size_t i = 0; i < columns->n_inputs; i++) {
		if (has_role(columns, i, COL_RESOURCE)) {
			out->same[1][1 + i] = 0;
			any_resource = true;
		}
	}
	out->n_parts += any_resource;
	return any_resource ? put_message_parts(columns, x, n, out, e) : ERR_OK;
}

/* The priors of docs/models.md, for the standardised inputs of the trend. */
static enum err_code put_prior(const struct log_polynomial *columns, const double *x, size_t n,
			       struct posynomial_prior *out, struct err *e)
{
	for (size_t j = 0; j < columns->n_terms; j++) {
		out->mean[j] = 0;
		out->penalty[j] = pow(POSTERIOR_MIN_NOISE / TREND_LEVEL_PRIOR_SD, 2);
	}
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		const struct exponent_prior prior = exponent_prior_of(columns->app, r);
		const double half = (r->hi - r->lo) / 2;

		out->mean[1 + i] = prior.mean * half;
		out->penalty[1 + i] = pow(POSTERIOR_MIN_NOISE / (prior.sd * half), 2);
	}
	out->penalty[0] = 1e-9; /* the mean is free */
	return put_parts(columns, x, n, out, e);
}

static enum err_code fit_trend(const struct config_table *t, const struct trend_gp *like,
			       struct trend_gp *m, struct err *e)
{
	const size_t n = t->n < TREND_CONFIGS ? t->n : TREND_CONFIGS, p = m->columns->n_terms;
	double *x = calloc(n * p + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
	double *like_x = like ? calloc(n * like->columns->n_terms + 1, sizeof *like_x) : NULL;
	struct posynomial_prior prior;
	enum err_code rc;

	if (!x || !y || (like && !like_x)) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu configurations", n);
		goto done;
	}
	if (like)
		put_terms(t, n, like->columns, like_x, y);
	put_terms(t, n, m->columns, x, y);
	if (!(rc = put_prior(m->columns, x, n, &prior, e)))
		rc = posynomial_fit(x, y, n, p, TREND_TERMS, &prior, like ? &like->trend : NULL,
				    like_x, &m->trend, e);
done:
	free(x);
	free(y);
	free(like_x);
	return rc;
}

static enum err_code fit_process(const struct config_table *t, bool held_out,
				 const struct gp_hyper *hyper, struct trend_gp *m, struct err *e)
{
	double *z = calloc(t->n * m->n_inputs + 1, sizeof *z);
	double *factor = calloc(t->n + 1, sizeof *factor), *y = calloc(t->n + 1, sizeof *y);
	double *noise = calloc(t->n + 1, sizeof *noise);
	const struct gp_data data = {.n = t->n, .z = z, .factor = factor, .y = y, .noise = noise};
	const struct gp_options options = {.max_points = held_out ? GP_HELD_OUT_POINTS : GP_POINTS,
					   .max_tuning_points = GP_TUNING_POINTS,
					   .seed = SEED,
					   .hyper = hyper};
	struct gaussian_process *process = NULL;
	struct gp_design design;
	enum err_code rc;

	if (!z || !factor || !y || !noise) {
		rc = err_set(e, ERR_NOMEM, "Gaussian process of %zu configurations", t->n);
		goto done;
	}
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);

		put_inputs(m, row, z + i * m->n_inputs, factor + i);
		y[i] = log(t->time_s[i]) - trend_gp_trend_log(m, row);
		noise[i] = (COMMON_NOISE + (1 - COMMON_NOISE) / (double)t->n_repeats[i]) /
			   config_table_weight(t, i);
	}
	make_design(m, &design);
	if ((rc = gaussian_process_fit(&design, &data, &options, &process, e)))
		goto done;
	gaussian_process_free(m->gp);
	m->gp = process;
done:
	free(z);
	free(factor);
	free(y);
	free(noise);
	return rc;
}

enum err_code trend_gp_fit_parts(const struct config_table *t, const struct trend_gp *like,
				 const struct gp_hyper *hyper, struct trend_gp *m, struct err *e)
{
	struct terms_model *terms = NULL;
	enum err_code rc = fit_trend(t, like, m, e);

	if (!rc && m->with_terms && !(rc = terms_model_fit(t, &terms, e))) {
		terms_model_free(m->terms);
		m->terms = terms;
	}
	return rc ? rc : fit_process(t, like != NULL, hyper, m, e);
}

enum err_code trend_gp_fit_trend(const struct config_table *t, const struct log_polynomial *like,
				 struct trend_gp **out, struct err *e)
{
	struct trend_gp *m = calloc(1, sizeof *m);
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "trend");
	if ((rc = log_polynomial_fit_like(t, like, &m->columns, e)) ||
	    (rc = fit_trend(t, NULL, m, e)) ||
	    (rc = trend_posterior_make(t, m->columns, m->trend.scale, &m->posterior, e)) ||
	    (rc = trend_posterior_add_parts(t, m->columns, &m->trend, &m->posterior, e)))
		trend_gp_free(m);
	else
		*out = m;
	return rc;
}

static enum err_code fit_one(const struct config_table *t, const struct trend_gp *l,
			     bool with_terms, struct trend_gp **out, struct err *e)
{
	struct trend_gp *m = calloc(1, sizeof *m);
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "Gaussian process");
	m->with_terms = with_terms;
	if ((rc = log_polynomial_fit_like(t, l ? l->columns : NULL, &m->columns, e)) ||
	    (!l && !with_terms && (rc = trend_gp_choose_scales(t, &m->columns, e))))
		goto fail;
	if (l) {
		m->n_inputs = l->n_inputs;
		memcpy(m->input, l->input, sizeof m->input);
		m->scaling = l->scaling;
		m->workers = l->workers;
		m->scaling_lo = l->scaling_lo;
		m->scaling_hi = l->scaling_hi;
	} else {
		choose_inputs(t, m);
		choose_scaling(t, m);
	}
	if ((rc = trend_gp_fit_parts(t, l, l ? gaussian_process_hyper(l->gp) : NULL, m, e)) ||
	    (rc = trend_posterior_make(t, m->columns, m->trend.scale, &m->posterior, e)) ||
	    (rc = trend_posterior_add_parts(t, m->columns, &m->trend, &m->posterior, e)) ||
	    (rc = trend_gp_obey_limits(t, l, m, e)))
		goto fail;
	*out = m;
	return ERR_OK;
fail:
	trend_gp_free(m);
	return rc;
}

enum err_code trend_gp_fit_whole(const struct config_table *t, bool with_terms,
				 struct trend_gp **out, struct err *e)
{
	return fit_one(t, NULL, with_terms, out, e);
}

/* With the terms of the definition, if they can be fitted and held-out runs prefer them. */
static enum err_code try_terms(const struct config_table *t, const struct fit_input *in,
			       struct trend_gp **m, struct err *e)
{
	struct trend_gp *terms = NULL;
	struct terms_choice choice;
	struct err why = {0};
	bool better = false;
	enum err_code rc = fit_one(t, NULL, true, &terms, &why);

	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if (!(rc = terms_choose(t, in, *m, terms, &choice, &better, e))) {
		struct trend_gp *other = better ? *m : terms;

		*m = better ? terms : *m;
		(*m)->choice = choice;
		terms = other;
	}
	trend_gp_free(terms);
	return rc;
}

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	const struct trend_gp *l = like;
	struct trend_gp *m = NULL;
	enum err_code rc = fit_one(t, l, l && l->with_terms, &m, e);

	if (!rc && !l && t->app->terms.n > 0)
		rc = try_terms(t, in, &m, e);
	if (rc)
		trend_gp_free(m);
	else
		*state = m;
	return rc;
}

double trend_gp_log_time_by_scale(const struct trend_gp *m, const double *row, double *epistemic_sd)
{
	double z[GP_MAX_INPUTS], factor, log_s;

	put_inputs(m, row, z, &factor);
	log_s = epistemic_sd ? gaussian_process_predict(m->gp, z, &factor, NULL, epistemic_sd)
			     : gaussian_process_mean(m->gp, z, &factor, NULL);
	return log_s + trend_gp_trend_log(m, row);
}

double trend_gp_log_time(const struct trend_gp *m, const double *row, double *epistemic_sd)
{
	const double log_s = trend_gp_log_time_by_scale(m, row, epistemic_sd) +
			     trend_gp_none_apart(m, row).log_ratio;

	/* exp of anything wilder is no time anybody could wait for */
	return fmin(fmax(log_s, -60), 60);
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	for (size_t i = 0; i < n; i++)
		time_s[i] = exp(trend_gp_log_time(state, x + i * n_columns, NULL));
}

static double predict_with_sd(const void *state, const double *row, double *epistemic_sd)
{
	return exp(trend_gp_log_time(state, row, epistemic_sd));
}

/* ---- what noise may hide ---- */

/* The exponent of a part of the program that may rule beyond the runs: work that grows with the
 * problem rather fast (half a deviation above what is usual), or messages, of which there are more
 * with more nodes (between the logarithm of a tree and one to each of the others). NaN: nothing is
 * usual. */
static double hidden_exponent(const struct application *app, const struct log_range *r, bool below)
{
	const struct exponent_prior usual = exponent_prior_of(app, r);
	const bool shifted = r->scale == SCALE_RATIO && r->shift > 0;

	switch (app->column[r->column].role) {
	case COL_PROBLEM:
		return shifted ? (double)NAN : below ? 0 : usual.mean + usual.sd / 2;
	case COL_WORKLOAD:
		return shifted ? (double)NAN : below ? 0 : usual.mean;
	case COL_RESOURCE:
		return below ? -1 : 0.5;
	case COL_TUNABLE:
	case COL_DERIVED:
	case COL_ROLE_COUNT:
		break;
	}
	return (double)NAN;
}

/* Where the runs end, a part of the program of a share of HIDDEN_PART cannot be told from noise.
 * Beyond it may grow faster than the trend does:
 *	sd = ln(1 + HIDDEN_PART (exp(max(0, sum_i a_i d_i - growth of ln trend)) - 1))
 * a_i: hidden_exponent(), d_i: how far the row lies beyond column i, ln. */
#define HIDDEN_PART POSTERIOR_MIN_NOISE

static double hidden_sd(const struct trend_gp *m, const double *row)
{
	const struct log_polynomial *columns = m->columns;
	double there[LOG_POLYNOMIAL_MAX_TERMS], edge[LOG_POLYNOMIAL_MAX_TERMS], more = 0;
	bool beyond = false;

	log_polynomial_terms(columns, row, there);
	memcpy(edge, there, columns->n_terms * sizeof *edge);
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		const double d = log_range_excess(r, row[r->column]);
		const double a = hidden_exponent(columns->app, r, d < 0);

		if (d == 0)
			continue;
		beyond = true;
		there[1 + i] = fmin(fmax(there[1 + i], -WILD), WILD);
		if (isnan(a)) /* as the trend does */
			there[1 + i] = fmin(fmax(there[1 + i], -1), 1);
		else
			more += a * d;
		edge[1 + i] = fmin(fmax(edge[1 + i], -1), 1);
	}
	if (!beyond)
		return 0;
	more -= posynomial_log(&m->trend, there) - posynomial_log(&m->trend, edge);
	return log1p(HIDDEN_PART * expm1(fmin(fmax(more, 0), MOST_GROWTH)));
}

/* What nothing in the runs tells of what lies beyond them. */
static double untold_sd(const struct trend_gp *m, const double *row)
{
	return hypot(hidden_sd(m, row),
		     hypot(trend_gp_scale_sd(m, row), trend_gp_none_apart(m, row).sd));
}

double trend_gp_trend_sd(const struct trend_gp *m, const double *row)
{
	const double sd = m->terms ? terms_model_sd(m->terms, row) : (double)NAN;

	if (!isnan(sd))
		return trend_posterior_terms_sd(&m->posterior, m->columns, row, sd);
	return fmin(hypot(trend_posterior_sd(&m->posterior, m->columns, &m->trend, row),
			  untold_sd(m, row)),
		    TREND_MAX_SD);
}

static double trend_sd(const void *state, const double *row)
{
	return trend_gp_trend_sd(state, row);
}

/* Terms go on where a trend cannot: what their costs leave open counts everywhere. */
static double untried_sd(const void *state, const double *row)
{
	const struct trend_gp *m = state;

	if (m->terms && !isnan(terms_model_sd(m->terms, row)))
		return trend_gp_trend_sd(m, row);
	return hypot(trend_posterior_untried_sd(&m->posterior, m->columns, row), untold_sd(m, row));
}

static double few_runs_noise(const void *state)
{
	const struct trend_gp *m = state;

	return m->posterior.few_runs_noise;
}

static void fill_constants(const void *state, double *row)
{
	const struct trend_gp *m = state;

	log_polynomial_fill_constants(m->columns, row);
}

/* Factors and the process say nothing of which part is longer: shares of the terms. */
static void breakdown(const void *state, const double *row, struct breakdown *out)
{
	const struct trend_gp *m = state;
	struct breakdown parts = {0};

	*out = parts;
	if (m->terms && terms_model_shares(m->terms, row, &parts.compute_s, &parts.comm_s))
		*out = parts;
}

static size_t features(const void *state, const double *row, double *out)
{
	const struct trend_gp *m = state;

	return log_polynomial_features(m->columns, row, out);
}

static const char *feature_name(const void *state, size_t i)
{
	const struct trend_gp *m = state;

	return log_polynomial_feature_name(m->columns, i);
}

static bool level_was_run(const void *state, size_t column, double code)
{
	const struct trend_gp *m = state;

	return log_polynomial_level_was_run(m->columns, column, code);
}

static void explain(const void *state, struct strbuf *out)
{
	const struct trend_gp *m = state;
	const size_t kept = gaussian_process_n_kept(m->gp), n = m->columns->n_configs;

	if (m->terms)
		terms_model_explain(m->terms, out);
	else
		strbuf_printf(out,
			      "A sum of %zu power law%s of %zu columns and %zu levels (typical "
			      "misfit %.1f %%), ",
			      m->trend.n_terms, m->trend.n_terms == 1 ? "" : "s",
			      m->columns->n_inputs, m->columns->n_levels, 100 * m->trend.scale);
	strbuf_printf(out, "corrected by a Gaussian process over %zu of %s on ", m->n_inputs,
		      m->terms ? "the columns" : "them");
	if (kept < n)
		strbuf_printf(out, "%zu, drawn at random, of ", kept);
	strbuf_printf(out, "%zu configurations (what it leaves: %.1f %%). ", n,
		      100 * exp(gaussian_process_hyper(m->gp)->log_noise));
	strbuf_puts(out, m->terms ? "Far from the runs the corrections end and the terms go on."
				  : "It has no model of the application: far from the runs the "
				    "corrections end and the power laws go on.");
	terms_choice_explain(&m->choice, m->terms != NULL, out);
	trend_gp_explain_scales(m->columns, out);
	trend_posterior_explain(&m->posterior, m->columns, m->terms != NULL, out);
}

const struct predictor_kind predictor_kind_gaussian_process = {
	.name = "gaussian-process",
	.title = "power laws and Gaussian process",
	.applies = applies,
	.fit = fit,
	.predict = predict,
	.predict_with_sd = predict_with_sd,
	.trend_sd = trend_sd,
	.untried_sd = untried_sd,
	.few_runs_noise = few_runs_noise,
	.fill_constants = fill_constants,
	.breakdown = breakdown,
	.features = features,
	.feature_name = feature_name,
	.level_was_run = level_was_run,
	.explain = explain,
	.store = trend_gp_store,
	.load = trend_gp_load,
	.free = trend_gp_free,
};
