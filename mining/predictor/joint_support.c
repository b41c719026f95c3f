#include "mining/predictor/joint_support.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/numerics/order_statistics.h"

enum {
	MAX_POINTS = 1000, /* of more, evenly taken ones */
	MAX_ASKED = 300	   /* whose nearest other run is looked for */
};

#define NOISE 0.05
#define INTERCEPT_SD 5.0
#define EXPONENT_SD 1.0

/* A feature of one value: a quarter more is a step. */
#define CONSTANT_STEP 0.22314355131420976 /* ln 1.25 */
/* Steps of a feature with many values are no smaller than this share of its range. */
#define LEAST_STEP 0.05

/* The thresholds were chosen on simulated sweeps: nearly all held-out rows and questions between
 * levels are inside, a zone that is no cube among cubes is not. */
#define OUTSIDE_TREND_SD 0.25
#define OUTSIDE_DISTANCE 2.0
#define EDGE_LEVERAGE 1.05
#define EDGE_DISTANCE 1.25

static double ln(double f)
{
	return log(fmin(fmax(f, 1e-300), 1e300));
}

/* The logs of the rows without NaN, at most MAX_POINTS; NULL: out of memory. */
static double *complete_rows(const double *f, size_t n, size_t n_features, size_t *n_out)
{
	const size_t room = n < MAX_POINTS ? n : MAX_POINTS;
	double *x = calloc(room * n_features + 1, sizeof *x);

	*n_out = 0;
	for (size_t k = 0; x && k < room; k++) {
		const size_t i = n == room ? k : (size_t)((double)k * (double)n / (double)room);
		double *row = x + *n_out * n_features;
		bool complete = true;

		for (size_t j = 0; j < n_features; j++) {
			complete = complete && !isnan(f[i * n_features + j]);
			row[j] = ln(f[i * n_features + j]);
		}
		*n_out += complete;
	}
	return x;
}

/* The largest step between neighbouring levels of x[n] (sorted here). */
static double largest_step(double *x, size_t n)
{
	double step = 0, range;

	order_sort(x, n);
	range = x[n - 1] - x[0];
	for (size_t i = 1; i < n; i++)
		step = fmax(step, x[i] - x[i - 1]);
	/* a relative 1e-9 for what went through a logarithm */
	return range > 1e-9 ? fmax(step, LEAST_STEP * range) : CONSTANT_STEP;
}

static enum err_code find_steps(const double *x, size_t n, struct joint_support *m, struct err *e)
{
	double *one = calloc(n + 1, sizeof *one);

	if (!one)
		return err_set(e, ERR_NOMEM, "steps of %zu configurations", n);
	for (size_t j = 0; j < m->n_features; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			one[i] = x[i * m->n_features + j];
			sum += one[i];
		}
		m->mean[j] = sum / (double)n;
		m->step[j] = largest_step(one, n);
	}
	free(one);
	return ERR_OK;
}

static void put_terms(const struct joint_support *m, const double *x, double *u)
{
	u[0] = 1;
	for (size_t j = 0; j < m->n_features; j++)
		u[1 + j] = x[j] - m->mean[j];
}

static double leverage_of(const struct joint_support *m, const double *x)
{
	double u[JOINT_SUPPORT_SIZE], work[JOINT_SUPPORT_SIZE], s;

	put_terms(m, x, u);
	s = linear_posterior_sd(m->factor, 1 + m->n_features, u, work) / NOISE;
	return s * s;
}

static enum err_code find_leverage(const double *x, size_t n, struct joint_support *m,
				   struct err *e)
{
	const size_t p = 1 + m->n_features;
	double prior_sd[JOINT_SUPPORT_SIZE];
	double *u = calloc(n * p + 1, sizeof *u);
	enum err_code rc;

	if (!u)
		return err_set(e, ERR_NOMEM, "leverage of %zu configurations", n);
	for (size_t i = 0; i < n; i++)
		put_terms(m, x + i * m->n_features, u + i * p);
	for (size_t j = 0; j < p; j++)
		prior_sd[j] = j == 0 ? INTERCEPT_SD : EXPONENT_SD;
	rc = linear_posterior_factor(u, NULL, n, p, prior_sd, NOISE, m->factor, e);
	free(u);
	for (size_t i = 0; i < n && !rc; i++)
		m->most_leverage = fmax(m->most_leverage, leverage_of(m, x + i * m->n_features));
	return rc;
}

static void put_scaled(const struct joint_support *m, const double *x, float *out)
{
	for (size_t j = 0; j < m->n_features; j++)
		out[j] = (float)(x[j] / m->step[j]);
}

static double square_distance(const struct joint_support *m, const float *a, const float *b)
{
	float sum = 0;

	for (size_t j = 0; j < m->n_features; j++)
		sum += (a[j] - b[j]) * (a[j] - b[j]);
	return (double)sum;
}

/* Runs of one configuration are one point: less apart is rounding. */
#define SAME_POINT 1e-6

/* The farthest of the rest again and again, from the first on. near[i]: the square of the distance
 * of point i to the nearest centre. */
static void choose_centres(const float *z, size_t n, struct joint_support *m, double *near)
{
	size_t next = 0;

	for (size_t i = 0; i < n; i++)
		near[i] = INFINITY;
	while (m->n_centres < JOINT_SUPPORT_CENTRES && near[next] > SAME_POINT) {
		const float *centre = z + next * m->n_features;

		memcpy(m->centre[m->n_centres++], centre, m->n_features * sizeof *centre);
		for (size_t i = 0; i < n; i++)
			near[i] = fmin(near[i], square_distance(m, centre, z + i * m->n_features));
		for (size_t i = 0; i < n; i++)
			next = near[i] > near[next] ? i : next;
	}
}

static double quantile_95(double *x, size_t n)
{
	order_sort(x, n);
	return order_quantile(x, n, 0.95);
}

/* The 95 % quantile of the distance of runs to the nearest other one, or to the nearest centre if
 * that is more; at least that of a neighbour one step away in one feature. own[n]: scratch. */
static double reach_of(const struct joint_support *m, const float *z, size_t n, double *near,
		       double *own)
{
	const size_t n_asked = n < MAX_ASKED ? n : MAX_ASKED;

	for (size_t a = 0; a < n_asked; a++) {
		const size_t i = a * n / n_asked;

		own[a] = INFINITY;
		for (size_t k = 0; k < n; k++) {
			const double d =
				square_distance(m, z + i * m->n_features, z + k * m->n_features);

			if (d > SAME_POINT)
				own[a] = fmin(own[a], d);
		}
		own[a] = isfinite(own[a]) ? own[a] : 0;
	}
	return sqrt(fmax(fmax(quantile_95(own, n_asked), quantile_95(near, n)), 1));
}

static enum err_code find_distance(const double *x, size_t n, struct joint_support *m,
				   struct err *e)
{
	float *z = calloc(n * m->n_features + 1, sizeof *z);
	double *near = calloc(n + 1, sizeof *near), *own = calloc(n + 1, sizeof *own);
	enum err_code rc = ERR_OK;

	if (!z || !near || !own) {
		rc = err_set(e, ERR_NOMEM, "distances of %zu configurations", n);
	} else {
		for (size_t i = 0; i < n; i++)
			put_scaled(m, x + i * m->n_features, z + i * m->n_features);
		choose_centres(z, n, m, near);
		m->reach = reach_of(m, z, n, near, own);
	}
	free(z);
	free(near);
	free(own);
	return rc;
}

enum err_code joint_support_make(const double *f, size_t n, size_t n_features,
				 struct joint_support *out, struct err *e)
{
	size_t n_rows = 0;
	double *x = complete_rows(f, n, n_features, &n_rows);
	enum err_code rc = ERR_OK;

	if (!x)
		return err_set(e, ERR_NOMEM, "support of %zu configurations", n);
	*out = (struct joint_support){.n_features = n_rows > 0 ? n_features : 0};
	if (out->n_features > 0 && !(rc = find_steps(x, n_rows, out, e)) &&
	    !(rc = find_leverage(x, n_rows, out, e)))
		rc = find_distance(x, n_rows, out, e);
	free(x);
	return rc;
}

void joint_support_measure(const struct joint_support *m, const double *f,
			   struct joint_measure *out)
{
	double x[PREDICTOR_KIND_MAX_FEATURES], least = INFINITY, h;
	float z[PREDICTOR_KIND_MAX_FEATURES];

	*out = (struct joint_measure){.trend_sd = 0};
	for (size_t j = 0; j < m->n_features; j++) {
		if (isnan(f[j]))
			return;
		x[j] = ln(f[j]);
	}
	if (m->n_features == 0)
		return;
	h = leverage_of(m, x);
	put_scaled(m, x, z);
	for (size_t i = 0; i < m->n_centres; i++)
		least = fmin(least, square_distance(m, z, m->centre[i]));
	out->trend_sd = NOISE * sqrt(h);
	out->leverage = h / m->most_leverage;
	out->distance = sqrt(least) / m->reach;
}

enum support joint_support_judge(const struct joint_measure *m, bool structural)
{
	if (m->trend_sd > OUTSIDE_TREND_SD || m->distance > OUTSIDE_DISTANCE)
		return structural ? SUPPORT_EDGE : SUPPORT_OUTSIDE;
	if (!structural && (m->leverage > EDGE_LEVERAGE || m->distance > EDGE_DISTANCE))
		return SUPPORT_EDGE;
	return SUPPORT_INSIDE;
}

/* ---- in the knowledge base ---- */

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "joint_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

enum err_code joint_support_store(const struct joint_support *m, struct kb_fit *fit, struct err *e)
{
	const size_t n = m->n_features, p = 1 + n;
	enum err_code rc;

	if ((rc = add(fit, "features", 0, (double)n, "features of support", e)) ||
	    (rc = add(fit, "leverage", 0, m->most_leverage, "the most of a run", e)) ||
	    (rc = add(fit, "reach", 0, m->reach, "steps to the nearest run", e)) ||
	    (rc = add(fit, "centres", 0, (double)m->n_centres, "runs kept", e)))
		return rc;
	for (size_t j = 0; j < n && !rc; j++) {
		if (!(rc = add(fit, "mean", j, m->mean[j], "of ln f", e)))
			rc = add(fit, "step", j, m->step[j], "largest step of ln f", e);
	}
	for (size_t i = 0; n > 0 && i < p && !rc; i++) {
		for (size_t j = 0; j <= i && !rc; j++)
			rc = add(fit, "factor", i * p + j, m->factor[i * p + j],
				 "of the leverage, row by row", e);
	}
	for (size_t i = 0; i < m->n_centres && !rc; i++) {
		for (size_t j = 0; j < n && !rc; j++)
			rc = add(fit, "run", i * n + j, (double)m->centre[i][j], "ln f, in steps",
				 e);
	}
	return rc;
}

/* "NAME_I": the place of I in a list of n numbers; SIZE_MAX: another name, or no such place. */
static size_t place_of(const char *name, const char *what, size_t n)
{
	const size_t length = strlen(what);
	char *end;
	unsigned long long i;

	if (strncmp(name, what, length) || name[length] != '_')
		return SIZE_MAX;
	i = strtoull(name + length + 1, &end, 10);
	return *end == '\0' && i < n ? (size_t)i : SIZE_MAX;
}

/* A number below a limit, 0 otherwise. */
static size_t count_of(const struct kb_fit *fit, const char *name, size_t most)
{
	const double x = kb_fit_value(fit, name);

	return x >= 0 && x <= (double)most ? (size_t)x : 0;
}

/* Returns whether it was one of m's. */
static bool load_number(struct joint_support *m, const char *name, double value)
{
	const size_t n = m->n_features, p = 1 + n;
	size_t i;

	if ((i = place_of(name, "run", m->n_centres * n)) != SIZE_MAX)
		m->centre[i / n][i % n] = (float)value;
	else if ((i = place_of(name, "factor", p * p)) != SIZE_MAX)
		m->factor[i] = value;
	else if ((i = place_of(name, "mean", n)) != SIZE_MAX)
		m->mean[i] = value;
	else if ((i = place_of(name, "step", n)) != SIZE_MAX)
		m->step[i] = value;
	else
		return false;
	return isfinite(value);
}

static bool usable(const struct joint_support *m)
{
	bool ok = m->most_leverage > 0 && m->reach > 0 && m->n_centres > 0;

	for (size_t j = 0; j < m->n_features; j++)
		ok = ok && m->step[j] > 0 && m->factor[(1 + j) * (2 + m->n_features)] > 0;
	return ok && m->factor[0] > 0;
}

enum err_code joint_support_load(const struct kb_fit *fit, struct joint_support *out, struct err *e)
{
	struct joint_support m = {
		.n_features = count_of(fit, "joint_features_0", PREDICTOR_KIND_MAX_FEATURES),
		.n_centres = count_of(fit, "joint_centres_0", JOINT_SUPPORT_CENTRES),
		.most_leverage = kb_fit_value(fit, "joint_leverage_0"),
		.reach = kb_fit_value(fit, "joint_reach_0")};
	const size_t n = m.n_features, p = 1 + n;
	size_t found = 0;

	for (size_t k = 0; n > 0 && k < fit->n_param; k++) {
		if (!strncmp(fit->param[k].name, "joint_", 6))
			found += load_number(&m, fit->param[k].name + 6, fit->param[k].value);
	}
	if (n > 0 && (found != 2 * n + p * (p + 1) / 2 + m.n_centres * n || !usable(&m)))
		return err_set(e, ERR_NOTMINED,
			       "the fit lacks where its runs were: run `lemnos mine`");
	*out = m;
	return ERR_OK;
}
