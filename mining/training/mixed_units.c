#include "mining/training/mixed_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sf_gamma.h>

#include "mining/numerics/order_statistics.h"
#include "mining/numerics/ridge_fit.h"

#define LOG_FACTOR 6.907755278982137 /* ln 1000 */
#define LOG_CHANCE 4.605170185988091 /* ln 100 */
/* Nearly all times are nearer to the law than that, so that between the modes there is nothing. */
#define MOST_MISFIT (LOG_FACTOR / 4)
#define NEARLY_ALL 0.9
/* A free factor is 1000 but for that: exp(0.5) = 1.65. */
#define FACTOR_TOLERANCE 0.5
/* What a power law misses of a code, ln time, and the least that counts. */
#define LIKELY_MISFIT 0.3
#define MIN_MISFIT 0.02

enum { MIN_RUNS = 8, MAX_RUNS = 2000, MAX_TERMS = 48, MAX_LEVELS = 8, MAX_ROUNDS = 20 };

#define LEAST_FACTOR 2.302585092994046 /* ln 10 */

/* Those of docs/models.md. */
struct law_prior {
	double mean, sd;
};

struct law_term {
	size_t column;
	double level; /* NaN: of an amount */
	bool log;
	double centre, scale;
	struct law_prior prior;
};

struct law {
	size_t n, p;
	double *x; /* n * (p + 1): a last column is the factor's */
	double *y; /* n, ln time, less what the prior means say */
	double *z; /* n, 1: slow */
	double *work, *r;
	double penalty[MAX_TERMS + 2];
	struct law_term term[MAX_TERMS];
};

static const struct law_prior of_level = {0, 0.7};

static struct law_prior prior_of(const struct column *c, bool log)
{
	static const struct law_prior work = {1.5, 1}, resource = {-0.7, 0.5}, setting = {0, 0.5},
				      linear = {0, 2};

	if (!log)
		return linear;
	if (c->role == COL_PROBLEM || c->role == COL_WORKLOAD)
		return work;
	return c->role == COL_RESOURCE ? resource : setting;
}

/* ---- codes ---- */

enum { MOST_CODE = 9, LEAST_PAIRS = 3 };
#define NEAR_PAIR LEAST_FACTOR

bool mixed_units_may_be_codes(const struct dataset *runs, const uint32_t *run, size_t n,
			      size_t column)
{
	const struct column *c = &runs->app->column[column];
	bool codes = c->type != COL_TEXT && (c->role == COL_PROBLEM || c->role == COL_TUNABLE) &&
		     c->candidates != CAND_GRID;

	for (size_t i = 0; i < n && codes; i++) {
		const double v = dataset_row(runs, run[i])[column];

		codes = isnan(v) || (v >= 0 && v <= MOST_CODE && v == floor(v));
	}
	return codes;
}

/* Do two runs differ in nothing else? */
static bool differ_alone(const struct application *app, const double *a, const double *b,
			 size_t column)
{
	for (size_t c = 0; c < app->n_columns; c++) {
		const bool same = a[c] == b[c] || (isnan(a[c]) && isnan(b[c]));

		if (app->column[c].role != COL_DERIVED && same == (c == column))
			return false;
	}
	return true;
}

/* Pairs of runs that differ in the code alone, and not far: by the lower and the higher code, those
 * that take longer with the higher one, and others. */
struct code_pairs {
	size_t up[MOST_CODE + 1][MOST_CODE + 1], down[MOST_CODE + 1][MOST_CODE + 1];
	bool seen[MOST_CODE + 1];
};

static void add_pair(const struct dataset *runs, uint32_t a, uint32_t b, size_t column,
		     struct code_pairs *p)
{
	const double *x = dataset_row(runs, a), *y = dataset_row(runs, b);
	const double more = log(runs->wall_s[a] / runs->wall_s[b]);
	int lo, hi;

	if (!(fabs(more) < NEAR_PAIR) || isnan(x[column] + y[column]) ||
	    !differ_alone(runs->app, x, y, column))
		return;
	lo = (int)fmin(x[column], y[column]);
	hi = (int)fmax(x[column], y[column]);
	if ((x[column] > y[column]) == (more > 0))
		p->up[lo][hi]++;
	else
		p->down[lo][hi]++;
}

static int next_code(const struct code_pairs *p, int code)
{
	do
		code++;
	while (code <= MOST_CODE && !p->seen[code]);
	return code;
}

/* Do nine of ten pairs of the codes from..to take longer with the higher one, and some of each and
 * the next? */
static bool grows_from_to(const struct code_pairs *p, int from, int to)
{
	size_t n_up = 0, n_down = 0;

	for (int lo = from; lo < to; lo++) {
		if (p->seen[lo] && p->up[lo][next_code(p, lo)] == 0)
			return false;
		for (int hi = lo + 1; hi <= to; hi++) {
			n_up += p->up[lo][hi];
			n_down += p->down[lo][hi];
		}
	}
	return n_up >= LEAST_PAIRS && n_up >= 9 * n_down;
}

/* Does time grow with the code, perhaps but for one step that has two codes or more on either side,
 * where a unit may end? */
static bool grows(const struct dataset *runs, const uint32_t *run, size_t n, size_t column)
{
	struct code_pairs p = {.seen = {false}};
	int first, last = 0;
	bool found;

	for (size_t i = 0; i < n; i++) {
		const double v = dataset_row(runs, run[i])[column];

		if (!isnan(v))
			p.seen[(int)v] = true;
		for (size_t k = 0; k < i; k++)
			add_pair(runs, run[i], run[k], column, &p);
	}
	first = next_code(&p, -1);
	for (int code = first; code <= MOST_CODE; code = next_code(&p, code))
		last = code;
	found = grows_from_to(&p, first, last);
	for (int code = first; code < last && !found; code = next_code(&p, code))
		found = code > first && next_code(&p, code) < last &&
			grows_from_to(&p, first, code) &&
			grows_from_to(&p, next_code(&p, code), last);
	return found;
}

/* An effect for each code. */
static void list_codes(const struct dataset *runs, const uint32_t *run, size_t column,
		       struct law *m)
{
	for (int code = 0; code <= MOST_CODE; code++) {
		bool any = false;

		for (size_t i = 0; i < m->n && !any; i++)
			any = dataset_row(runs, run[i])[column] == code;
		if (any)
			m->term[m->p++] = (struct law_term){
				.column = column, .level = code, .scale = 1, .prior = of_level};
	}
}

static void list_terms(const struct dataset *runs, const uint32_t *run, struct law *m)
{
	const struct application *app = runs->app;

	m->p = 1;
	for (size_t c = 0; c < app->n_columns && m->p + MOST_CODE + 1 < MAX_TERMS; c++) {
		const size_t n_levels = app->column[c].levels.n;
		struct law_term t = {.column = c, .level = NAN, .log = true, .scale = 1};
		double lo = INFINITY, hi = -INFINITY;

		if (app->column[c].role == COL_DERIVED)
			continue;
		for (size_t l = 0; app->column[c].type == COL_TEXT && l < n_levels; l++) {
			if (l < MAX_LEVELS)
				m->term[m->p++] = (struct law_term){.column = c,
								    .level = (double)l,
								    .scale = 1,
								    .prior = of_level};
		}
		if (app->column[c].type == COL_TEXT)
			continue;
		for (size_t i = 0; i < m->n; i++) {
			/* fmin and fmax pass over a NaN */
			lo = fmin(lo, dataset_row(runs, run[i])[c]);
			hi = fmax(hi, dataset_row(runs, run[i])[c]);
		}
		if (!(hi > lo))
			continue;
		if (mixed_units_may_be_codes(runs, run, m->n, c) && !grows(runs, run, m->n, c)) {
			list_codes(runs, run, c, m);
			continue;
		}
		t.log = lo > 0;
		t.centre = t.log ? (log(lo) + log(hi)) / 2 : (lo + hi) / 2;
		t.scale = t.log ? 1 : (hi - lo) / 2;
		t.prior = prior_of(&app->column[c], t.log);
		m->term[m->p++] = t;
	}
}

static double term_at(const struct law_term *t, double v)
{
	if (!isnan(t->level))
		return v == t->level;
	return isnan(v) ? 0 : ((t->log ? log(v) : v) - t->centre) / t->scale;
}

static void put_runs(const struct dataset *runs, const uint32_t *run, struct law *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const double *row = dataset_row(runs, run[i]);
		double *x = m->x + i * m->p;

		x[0] = 1;
		m->y[i] = log(runs->wall_s[run[i]]);
		for (size_t j = 1; j < m->p; j++) {
			x[j] = term_at(&m->term[j], row[m->term[j].column]);
			m->y[i] -= m->term[j].prior.mean * x[j];
		}
	}
	m->penalty[0] = 1e-9;
	for (size_t j = 1; j < m->p; j++)
		m->penalty[j] = pow(LIKELY_MISFIT / m->term[j].prior.sd, 2);
}

/* Are the slow ones all those with more than some value in a column, or all with less; or a level?
 */
static bool splits_at(const struct law *m, size_t j)
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
static double membership_nats(const struct law *m, size_t n_slow)
{
	for (size_t j = 1; j < m->p; j++) {
		if (splits_at(m, j))
			return log(2.0 * MAX_LEVELS * (double)m->p);
	}
	return gsl_sf_lnchoose((unsigned)m->n, (unsigned)n_slow) + log((double)m->n + 1);
}

/* Nats to describe all times: Laplace's law of the misfit, the coefficients by their priors, and
 * which n_slow of n are slow. m->r is left as the residuals without the factor. */
static enum err_code describe(struct law *m, size_t n_slow, double *nats, struct err *e)
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
static size_t classify(struct law *m, double centre, bool *moved)
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
static double find_centre(const struct law *m)
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

static bool modes_are_apart(const struct law *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->work[i] = fabs(m->r[i] - LOG_FACTOR * m->z[i]);
	order_sort(m->work, m->n);
	return order_quantile(m->work, m->n, NEARLY_ALL) < MOST_MISFIT;
}

/* The factor is a coefficient of its own, about 1000. */
static enum err_code check_factor(const struct law *m, bool *ok, struct err *e)
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

static enum err_code separate(struct law *m, size_t *n_slow, struct err *e)
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
static double next_level(const struct law *m, size_t j, double from)
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
static enum err_code describe_split(struct law *m, size_t j, double least, double *factor,
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
static enum err_code split_term(struct law *m, size_t j, double one, double *best, double *factor,
				struct err *e)
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

static enum err_code separate_by_size(const struct application *app, struct law *m, size_t *n_slow,
				      double *factor, struct err *e)
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
	struct law m = {.n = n};
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
	list_terms(runs, run, &m);
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
