#include "mining/training/mixed_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sf_gamma.h>

#include "mining/numerics/order_statistics.h"
#include "mining/numerics/ridge_fit.h"
#include "mining/training/time_law.h"

#define LOG_FACTOR 6.907755278982137 /* ln 1000 */
#define LOG_CHANCE 4.605170185988091 /* ln 100 */
/* Nearly all times are nearer to the law than that, so that between the modes there is nothing. */
#define MOST_MISFIT (LOG_FACTOR / 4)
#define NEARLY_ALL 0.9
#define LEAST_FACTOR 2.302585092994046 /* ln 10 */
/* A free factor is 1000 but for that: exp(0.5) = 1.65. */
#define FACTOR_TOLERANCE 0.5

enum {
	MIN_RUNS = 8,
	MAX_RUNS = 2000,
	MAX_TERMS = TIME_LAW_TERMS,
	MAX_LEVELS = TIME_LAW_LEVELS,
	MAX_ROUNDS = 20
};

struct unit_law {
	size_t n, p;
	double *x; /* n * (p + 1): a last column is the factor's */
	double *y; /* n, ln time, less what the prior means say */
	double *z; /* n, 1: slow */
	double *work, *r;
	double penalty[MAX_TERMS + 2];
	struct time_term term[MAX_TERMS];
};

static void put_runs(const struct dataset *runs, const uint32_t *run, struct unit_law *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->y[i] = log(runs->wall_s[run[i]]) -
			  time_law_put(m->term, m->p, dataset_row(runs, run[i]), m->x + i * m->p);
	time_law_penalties(m->term, m->p, m->penalty);
}

/* Are the slow ones all those with more than some value in a column, or all with less; or a level?
 */
static bool splits_at(const struct unit_law *m, size_t j)
{
	double slow_lo = INFINITY, slow_hi = -INFINITY, fast_lo = INFINITY, fast_hi = -INFINITY;

	for (size_t i = 0; i < m->n; i++) {
		const double x = m->x[i * m->p + j];

		if (m->z[i] > 0) {
			slow_lo = fmin(slow_lo, x);
			slow_hi = fmax(slow_hi, x);
		} else {
			fast_lo = fmin(fast_lo, x);
			fast_hi = fmax(fast_hi, x);
		}
	}
	return slow_lo > fast_hi || slow_hi < fast_lo;
}

/* Nats to tell which runs are slow: one split of one column, of at most MAX_LEVELS in two
 * directions each, or how many and which. */
static double membership_nats(const struct unit_law *m, size_t n_slow)
{
	for (size_t j = 1; j < m->p; j++) {
		if (splits_at(m, j))
			return log(2.0 * MAX_LEVELS * (double)m->p);
	}
	return gsl_sf_lnchoose((unsigned)m->n, (unsigned)n_slow) + log((double)m->n + 1);
}

/* Nats to describe all times: Laplace's law of the misfit, the coefficients by their priors, and
 * which n_slow of n are slow. m->r is left as the residuals without the factor. */
static enum err_code describe(struct unit_law *m, size_t n_slow, double *nats, struct err *e)
{
	double b[MAX_TERMS + 2], scale, sum = 0;
	enum err_code rc;

	for (size_t i = 0; i < m->n; i++)
		m->work[i] = m->y[i] - LOG_FACTOR * m->z[i];
	if ((rc = ridge_fit(m->x, m->work, m->n, m->p, m->penalty, MIN_MISFIT, b, &scale, e)))
		return rc;
	*nats = 0;
	for (size_t i = 0; i < m->n; i++) {
		m->r[i] = m->y[i];
		for (size_t j = 0; j < m->p; j++)
			m->r[i] -= b[j] * m->x[i * m->p + j];
		sum += fabs(m->r[i] - LOG_FACTOR * m->z[i]);
	}
	for (size_t j = 1; j < m->p; j++)
		*nats += pow(b[j] / m->term[j].prior.sd, 2) / 2;
	*nats += (double)m->n * log(fmax(sum / (double)m->n, MIN_MISFIT));
	if (n_slow > 0)
		*nats += membership_nats(m, n_slow);
	return ERR_OK;
}

/* Each run to the mode that it is nearer to; returns how many are slow, *moved: any that was not.
 */
static size_t classify(struct unit_law *m, double centre, bool *moved)
{
	size_t n_slow = 0;

	*moved = false;
	for (size_t i = 0; i < m->n; i++) {
		const double slow = m->r[i] - centre > LOG_FACTOR / 2;

		*moved = *moved || slow != m->z[i];
		m->z[i] = slow;
		n_slow += slow > 0;
	}
	return n_slow;
}

/* Where the usual law leaves the fast mode, if there are two: the shift from which, to it or to
 * LOG_FACTOR above it, all are the least far in sum. */
static double find_centre(const struct unit_law *m)
{
	double best = 0, least = INFINITY;

	for (size_t k = 0; k < 2 * m->n; k++) {
		const double centre = m->r[k / 2] - (k % 2 ? LOG_FACTOR : 0);
		double sum = 0;

		for (size_t i = 0; i < m->n && sum < least; i++)
			sum += fmin(fabs(m->r[i] - centre), fabs(m->r[i] - centre - LOG_FACTOR));
		if (sum < least) {
			least = sum;
			best = centre;
		}
	}
	return best;
}

static bool modes_are_apart(const struct unit_law *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->work[i] = fabs(m->r[i] - LOG_FACTOR * m->z[i]);
	order_sort(m->work, m->n);
	return order_quantile(m->work, m->n, NEARLY_ALL) < MOST_MISFIT;
}

/* The factor is a coefficient of its own, about 1000. */
static enum err_code check_factor(const struct unit_law *m, bool *ok, struct err *e)
{
	const size_t p = m->p + 1;
	double *x = calloc(m->n * p + 1, sizeof *x);
	double b[MAX_TERMS + 2], penalty[MAX_TERMS + 2], scale;
	enum err_code rc;

	if (!x)
		return err_set(e, ERR_NOMEM, "units of %zu runs", m->n);
	for (size_t i = 0; i < m->n; i++) {
		memcpy(x + i * p, m->x + i * m->p, m->p * sizeof *x);
		x[i * p + m->p] = m->z[i];
		m->work[i] = m->y[i] - LOG_FACTOR * m->z[i];
	}
	memcpy(penalty, m->penalty, m->p * sizeof *penalty);
	penalty[m->p] = pow(LIKELY_MISFIT, 2);
	rc = ridge_fit(x, m->work, m->n, p, penalty, MIN_MISFIT, b, &scale, e);
	*ok = !rc && fabs(b[m->p]) < FACTOR_TOLERANCE;
	free(x);
	return rc;
}

static enum err_code separate(struct unit_law *m, size_t *n_slow, struct err *e)
{
	double one, two = INFINITY, centre;
	bool moved, ok = false;
	enum err_code rc;

	*n_slow = 0;
	if ((rc = describe(m, 0, &one, e)))
		return rc;
	memcpy(m->r, m->y, m->n * sizeof *m->r);
	centre = find_centre(m);
	for (int round = 0; round < MAX_ROUNDS; round++) {
		const size_t slow = classify(m, centre, &moved);

		if (slow == 0 || slow == m->n) {
			*n_slow = 0;
			return ERR_OK;
		}
		if (!moved)
			break;
		*n_slow = slow;
		if ((rc = describe(m, slow, &two, e)))
			return rc;
		centre = 0; /* the intercept's */
	}
	if (one - two > LOG_CHANCE && modes_are_apart(m))
		rc = check_factor(m, &ok, e);
	if (rc || !ok)
		*n_slow = 0;
	return rc;
}

/* ---- large problems, in a unit of their own ---- */

/* So many times as long have small problems to take for the law that all have, and as large a share
 * of the misfit is left to it; a larger problem is more work. */
#define LEAST_EXPONENT 0.3

/* The next value of term j above `from`, -INFINITY: the least; INFINITY: there is none. */
static double next_level(const struct unit_law *m, size_t j, double from)
{
	double next = INFINITY;

	for (size_t i = 0; i < m->n; i++) {
		const double x = m->x[i * m->p + j];

		if (x > from && x < next)
			next = x;
	}
	return next;
}

/* Nats, as describe(), where the runs with less than `least` of term j take exp(*factor) times as
 * long, whatever that is; INFINITY: that is no unit. */
static enum err_code describe_split(struct unit_law *m, size_t j, double least, double *factor,
				    double *nats, struct err *e)
{
	const size_t p = m->p + 1;
	const double exponent = m->term[j].prior.mean;
	double b[MAX_TERMS + 2], penalty[MAX_TERMS + 2], scale, sum = 0;
	double *x = calloc(m->n * p + 1, sizeof *x);
	enum err_code rc;

	*nats = INFINITY;
	if (!x)
		return err_set(e, ERR_NOMEM, "units of %zu runs", m->n);
	for (size_t i = 0; i < m->n; i++) {
		memcpy(x + i * p, m->x + i * m->p, m->p * sizeof *x);
		x[i * p + m->p] = x[i * p + j] < least;
	}
	memcpy(penalty, m->penalty, m->p * sizeof *penalty);
	penalty[m->p] = pow(LIKELY_MISFIT / LOG_FACTOR, 2);
	rc = ridge_fit(x, m->y, m->n, p, penalty, MIN_MISFIT, b, &scale, e);
	*factor = rc ? 0 : b[m->p];
	for (size_t i = 0; i < m->n && !rc; i++) {
		double off = m->y[i];

		for (size_t k = 0; k < p; k++)
			off -= b[k] * x[i * p + k];
		m->work[i] = fabs(off);
		sum += fabs(off);
	}
	free(x);
	if (rc || *factor < LEAST_FACTOR || exponent + b[j] < LEAST_EXPONENT)
		return rc;
	order_sort(m->work, m->n);
	if (order_quantile(m->work, m->n, NEARLY_ALL) >= *factor / 4)
		return ERR_OK;
	*nats = log(2.0 * MAX_LEVELS * (double)m->p) +
		(double)m->n * log(fmax(sum / (double)m->n, MIN_MISFIT)) +
		pow(*factor / LOG_FACTOR, 2) / 2;
	for (size_t k = 1; k < m->p; k++)
		*nats += pow(b[k] / m->term[k].prior.sd, 2) / 2;
	return ERR_OK;
}

/* Two sizes at least on either side: one alone has no exponent. */
static enum err_code split_term(struct unit_law *m, size_t j, double one, double *best,
				double *factor, struct err *e)
{
	const double second = next_level(m, j, next_level(m, j, -INFINITY));
	enum err_code rc = ERR_OK;

	for (double least = next_level(m, j, second); !rc && isfinite(next_level(m, j, least));
	     least = next_level(m, j, least)) {
		double nats, ratio = 0;

		rc = describe_split(m, j, least, &ratio, &nats, e);
		if (rc || one - nats <= LOG_CHANCE || nats >= *best)
			continue;
		*best = nats;
		*factor = ratio;
		for (size_t i = 0; i < m->n; i++)
			m->z[i] = m->x[i * m->p + j] < least;
	}
	return rc;
}

static enum err_code separate_by_size(const struct application *app, struct unit_law *m,
				      size_t *n_slow, double *factor, struct err *e)
{
	double one, best = INFINITY;
	enum err_code rc;

	memset(m->z, 0, m->n * sizeof *m->z);
	*n_slow = 0;
	if ((rc = describe(m, 0, &one, e)))
		return rc;
	for (size_t j = 1; j < m->p && !rc; j++) {
		if (app->column[m->term[j].column].role == COL_PROBLEM && m->term[j].log)
			rc = split_term(m, j, one, &best, factor, e);
	}
	for (size_t i = 0; i < m->n; i++)
		*n_slow += m->z[i] > 0;
	return rc;
}

/* ---- either ---- */

enum err_code mixed_units_find(const struct dataset *runs, const uint32_t *run, size_t n,
			       unsigned char *is_slow, size_t *n_slow, double *factor,
			       struct err *e)
{
	struct unit_law m = {.n = n};
	struct err why = {0};
	double lo = INFINITY, hi = 0;
	enum err_code rc = ERR_OK;

	*n_slow = 0;
	*factor = LOG_FACTOR;
	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, runs->wall_s[run[i]]);
		hi = fmax(hi, runs->wall_s[run[i]]);
	}
	if (n < MIN_RUNS || n > MAX_RUNS || log(hi / lo) < LEAST_FACTOR)
		return ERR_OK;
	m.p = time_law_terms(runs, run, n, m.term);
	m.x = calloc(n * (m.p + 4) + 1, sizeof *m.x);
	if (!m.x)
		return err_set(e, ERR_NOMEM, "units of %zu runs", n);
	m.y = m.x + n * m.p;
	m.z = m.y + n;
	m.r = m.z + n;
	m.work = m.r + n;
	put_runs(runs, run, &m);
	if (m.p < n && log(hi / lo) >= LOG_FACTOR - MOST_MISFIT)
		rc = separate(&m, n_slow, &why);
	if (m.p + 1 < n && !rc && *n_slow == 0)
		rc = separate_by_size(runs->app, &m, n_slow, factor, &why);
	if (rc == ERR_NUMERIC) /* no law, nothing to see */
		rc = ERR_OK;
	if (rc)
		err_set(e, rc, "%s", why.msg);
	for (size_t i = 0; i < n; i++)
		is_slow[i] = *n_slow > 0 && m.z[i] > 0;
	*factor = exp(*factor);
	free(m.x);
	return rc;
}
