#include "mining/training/config_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/cholesky.h"

enum { MAX_CONFIGS = 2000, MAX_LEVELS = 8, MAX_TERMS = 2 * CHOLESKY_TILE, MIN_FREEDOM = 3 };

#define CLEAR_T 4.0 /* t of an exponent: 1 in 10 000 by chance, of 10 and more */
#define LEAST_EFFECT 0.1823215567939546 /* ln 1.2 */
/* Columns that say the same leave each other's exponent open, and all can be solved. */
#define RIDGE 1e-6

enum { FEW_PAIRS = 3, MANY_PAIRS = 8 };

struct law_term {
	size_t column;
	double level; /* NaN: of an amount */
	bool log;
	double mean, sd, lo, hi;
};

struct law {
	const struct config_table *t;
	size_t n; /* configurations that are looked at */
	size_t p;
	struct law_term term[MAX_TERMS];
	double *x, *y; /* n * p, standardised; n, less the mean */
	double *a, *scratch;
	double b[MAX_TERMS], se[MAX_TERMS];
};

static size_t place_of(const struct law *m, size_t i)
{
	return m->t->n <= MAX_CONFIGS ? i : (size_t)((double)i * (double)m->t->n / (double)m->n);
}

static const double *row_of(const struct law *m, size_t i)
{
	return config_table_row(m->t, place_of(m, i));
}

/* ---- the law ---- */

static double value_of(const struct law_term *t, const double *row)
{
	const double v = row[t->column];

	return !isnan(t->level) ? v == t->level : t->log ? log(v) : v;
}

/* Adds a term, if it varies. What a run does not say stands in the middle. */
static void add_term(struct law *m, struct law_term t)
{
	double sum = 0, sum2 = 0;
	size_t n = 0;

	t.lo = INFINITY;
	t.hi = -INFINITY;
	for (size_t i = 0; i < m->n; i++) {
		const double v = value_of(&t, row_of(m, i));

		if (isnan(v))
			continue;
		n++;
		sum += v;
		t.lo = fmin(t.lo, v);
		t.hi = fmax(t.hi, v);
	}
	if (!(t.hi > t.lo) || !isfinite(t.lo) || !isfinite(t.hi) || m->p == MAX_TERMS)
		return;
	t.mean = sum / (double)n;
	for (size_t i = 0; i < m->n; i++) {
		const double v = value_of(&t, row_of(m, i));

		sum2 += isnan(v) ? 0 : pow(v - t.mean, 2);
	}
	t.sd = sqrt(sum2 / (double)m->n);
	m->term[m->p++] = t;
}

static bool is_positive(const struct law *m, size_t column)
{
	for (size_t i = 0; i < m->n; i++) {
		if (row_of(m, i)[column] <= 0)
			return false;
	}
	return true;
}

static void list_terms(struct law *m)
{
	const struct application *app = m->t->app;

	for (size_t c = 0; c < app->n_columns; c++) {
		const struct column *of = &app->column[c];

		if (of->role == COL_DERIVED)
			continue;
		if (of->type != COL_TEXT)
			add_term(m, (struct law_term){.column = c,
						      .level = (double)NAN,
						      .log = is_positive(m, c)});
		for (size_t l = 0; of->type == COL_TEXT && l < of->levels.n && l < MAX_LEVELS; l++)
			add_term(m, (struct law_term){.column = c, .level = (double)l});
	}
}

static void put_configs(struct law *m)
{
	double mean = 0;

	for (size_t i = 0; i < m->n; i++)
		mean += log(m->t->time_s[place_of(m, i)]) / (double)m->n;
	for (size_t i = 0; i < m->n; i++) {
		m->y[i] = log(m->t->time_s[place_of(m, i)]) - mean;
		for (size_t j = 0; j < m->p; j++) {
			const struct law_term *t = &m->term[j];
			const double v = value_of(t, row_of(m, i));

			m->x[i * m->p + j] = isnan(v) ? 0 : (v - t->mean) / t->sd;
		}
	}
}

/* Least squares, with the standard errors of the coefficients. false: no law. */
static bool solve(struct law *m)
{
	double rss = 0;

	memset(m->a, 0, sizeof *m->a * MAX_TERMS * MAX_TERMS);
	memset(m->b, 0, sizeof m->b);
	for (size_t i = 0; i < m->n; i++) {
		const double *x = m->x + i * m->p;

		for (size_t j = 0; j < m->p; j++) {
			m->b[j] += x[j] * m->y[i];
			for (size_t k = 0; k <= j; k++)
				m->a[j * MAX_TERMS + k] += x[j] * x[k];
		}
	}
	for (size_t j = 0; j < MAX_TERMS; j++)
		m->a[j * MAX_TERMS + j] += j < m->p ? RIDGE * (double)m->n : 1;
	if (!cholesky_factor(m->a, MAX_TERMS, MAX_TERMS))
		return false;
	cholesky_solve(m->a, MAX_TERMS, MAX_TERMS, m->b);
	cholesky_inverse_diagonal(m->a, MAX_TERMS, m->scratch, m->se);
	for (size_t i = 0; i < m->n; i++) {
		double off = m->y[i];

		for (size_t j = 0; j < m->p; j++)
			off -= m->b[j] * m->x[i * m->p + j];
		rss += off * off;
	}
	for (size_t j = 0; j < m->p; j++)
		m->se[j] = sqrt(m->se[j] * rss / (double)(m->n - m->p - 1));
	return true;
}

/* ---- pairs ---- */

struct pairs {
	size_t n_up, n_down;
};

static struct pairs count_pairs(const struct law *m, size_t c)
{
	struct pairs found = {0};

	for (size_t i = 0; i < m->n; i++) {
		for (size_t k = 0; k < i; k++) {
			const double *x = row_of(m, i), *y = row_of(m, k);
			const double took = m->t->time_s[place_of(m, i)],
				     other = m->t->time_s[place_of(m, k)];

			if (took == other || !config_rows_differ_alone(m->t->app, x, y, c))
				continue;
			if ((x[c] > y[c]) == (took > other))
				found.n_up++;
			else
				found.n_down++;
		}
	}
	return found;
}

/* ---- all together ---- */

static bool falls(const struct law *m, size_t j)
{
	const struct law_term *t = &m->term[j];
	const double effect = -m->b[j] * (t->hi - t->lo) / t->sd;
	struct pairs found;

	if (effect < LEAST_EFFECT)
		return false;
	found = count_pairs(m, t->column);
	if (-m->b[j] > CLEAR_T * m->se[j])
		return found.n_up + found.n_down < FEW_PAIRS || found.n_down > found.n_up;
	return found.n_down >= MANY_PAIRS && found.n_down > MANY_PAIRS * found.n_up;
}

enum err_code falling_columns_find(const struct config_table *t, struct falling_columns *out,
				   struct err *e)
{
	struct law m = {.t = t, .n = t->n <= MAX_CONFIGS ? t->n : MAX_CONFIGS};

	out->n = 0;
	list_terms(&m);
	if (m.n < m.p + 1 + MIN_FREEDOM)
		return ERR_OK;
	m.x = calloc(m.n * (m.p + 1) + (MAX_TERMS + CHOLESKY_TILE) * MAX_TERMS, sizeof *m.x);
	if (!m.x)
		return err_set(e, ERR_NOMEM, "a law of %zu configurations", m.n);
	m.y = m.x + m.n * m.p;
	m.a = m.y + m.n;
	m.scratch = m.a + (size_t)MAX_TERMS * MAX_TERMS;
	put_configs(&m);
	for (size_t j = 0, solved = solve(&m); solved && j < m.p; j++) {
		const struct column *c = &t->app->column[m.term[j].column];

		if ((c->role == COL_PROBLEM || c->role == COL_WORKLOAD) && m.term[j].log &&
		    out->n < FALLING_COLUMNS_MAX && falls(&m, j)) {
			out->column[out->n] = m.term[j].column;
			out->exponent[out->n++] = -m.b[j] / m.term[j].sd;
		}
	}
	free(m.x);
	return ERR_OK;
}

static size_t find(const struct falling_columns *f, size_t column)
{
	for (size_t i = 0; f && i < f->n; i++) {
		if (f->column[i] == column)
			return i;
	}
	return SIZE_MAX;
}

bool falling_columns_have(const struct falling_columns *f, size_t column)
{
	return find(f, column) != SIZE_MAX;
}

double falling_columns_size(const struct falling_columns *f, size_t column, double most, double x)
{
	const size_t i = find(f, column);

	if (i == SIZE_MAX)
		return x;
	return x <= 0 ? (double)INFINITY : pow(x, -fmin(f->exponent[i], most)); /* NaN stays */
}
