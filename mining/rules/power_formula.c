#include "mining/rules/power_formula.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/numerics/ridge_fit.h"

/* Four numbers are known well from so many rows; more only cost time. */
enum { FIT_MAX = 500 };

/* Of y about its median, in robust standard deviations: beyond lies no trend, but accidents. */
#define CLIP 5.0
/* A column of which less than this share of the variance is left beside those chosen is their copy
 * in all but name. */
#define COLLINEAR 1e-4
/* Steeper than this in a column that hardly varies is no power law. */
#define STEEPEST 8.0
/* A further term must take this share off the squared error at least: less is not worth reading. */
#define MIN_SHARE 0.01
/* log time: no fit is trusted to be closer */
#define MIN_SCALE 1e-4
/* Keeps the normal equations regular, too small to show in three decimals. */
#define PENALTY 1e-6

/* The rows that are fitted to, and the factors known on all of them. */
struct fit {
	const struct power_data *d;
	uint32_t *row;
	size_t n;
	size_t *factor; /* places in d->factor */
	size_t p;
	double *x;    /* [(p + 1) * n], each about its mean; the last is y, clipped */
	double *gram; /* [(p + 1) * (p + 1)] */
	size_t chosen[POWER_FORMULA_TERMS]; /* places in factor[] */
	size_t n_chosen;
	double *work; /* [n] */
};

static const double *factor_column(const struct fit *f, size_t j)
{
	return f->d->log_x + f->factor[j] * f->d->n;
}

/* Evenly, and in step with no period of a factorial design in its order of loops: the multiples of
 * the golden ratio (Knuth, TAOCP 3, 6.4). */
static void pick_rows(struct fit *f, const uint32_t *row, size_t n)
{
	const double share = (double)FIT_MAX / (double)n;

	for (size_t i = 0; i < n; i++) {
		uint32_t golden = (uint32_t)i * UINT32_C(2654435769);

		if (n <= FIT_MAX || golden < share * 4294967296.0)
			f->row[f->n++] = row[i];
	}
}

static void centre(double *x, size_t n)
{
	double mean = gsl_stats_mean(x, 1, n);

	for (size_t i = 0; i < n; i++)
		x[i] -= mean;
}

static void pick_factors(struct fit *f)
{
	for (size_t k = 0; k < f->d->n_factors; k++) {
		double *x = f->x + f->p * f->n;
		size_t i = 0;

		f->factor[f->p] = k;
		while (i < f->n && !isnan(x[i] = factor_column(f, f->p)[f->row[i]]))
			i++;
		if (i < f->n)
			continue;
		centre(x, f->n);
		f->p++;
	}
}

static double median(const double *x, size_t n, double *work)
{
	for (size_t i = 0; i < n; i++)
		work[i] = x[i];
	return gsl_stats_median(work, 1, n);
}

static void put_target(struct fit *f)
{
	double *y = f->x + f->p * f->n, middle, reach;

	for (size_t i = 0; i < f->n; i++)
		y[i] = f->d->y[f->row[i]];
	middle = median(y, f->n, f->work);
	reach = CLIP * gsl_stats_mad(y, 1, f->n, f->work);
	for (size_t i = 0; i < f->n && reach > 0; i++)
		y[i] = fmin(fmax(y[i], middle - reach), middle + reach);
	centre(y, f->n);
}

static void fill_gram(struct fit *f)
{
	size_t q = f->p + 1;

	for (size_t j = 0; j < q; j++) {
		for (size_t k = 0; k <= j; k++) {
			const double *a = f->x + j * f->n, *b = f->x + k * f->n;
			double sum = 0;

			for (size_t i = 0; i < f->n; i++)
				sum += a[i] * b[i];
			f->gram[j * q + k] = f->gram[k * q + j] = sum;
		}
	}
}

/* The sweep operator (Goodnight, The American Statistician 33, 1979): afterwards the rest of the
 * matrix is about what the regression on column k leaves. */
static void sweep(double *a, size_t q, size_t k)
{
	double pivot = a[k * q + k];

	for (size_t j = 0; j < q; j++)
		a[k * q + j] /= pivot;
	for (size_t i = 0; i < q; i++) {
		double b = a[i * q + k];

		if (i == k)
			continue;
		for (size_t j = 0; j < q; j++)
			a[i * q + j] -= b * a[k * q + j];
		a[i * q + k] = -b / pivot;
	}
	a[k * q + k] = 1 / pivot;
}

static bool is_chosen(const struct fit *f, size_t j)
{
	for (size_t k = 0; k < f->n_chosen; k++) {
		if (f->chosen[k] == j)
			return true;
	}
	return false;
}

/* The column that lowers the squared error most; SIZE_MAX: none by enough. variance[p]: of the
 * columns by themselves. */
static size_t next_term(const struct fit *f, const double *variance)
{
	size_t q = f->p + 1, best = SIZE_MAX;
	double error = f->gram[f->p * q + f->p];
	double least = error * fmax(MIN_SHARE, 2 * log((double)f->n) / (double)f->n);

	for (size_t j = 0; j < f->p; j++) {
		double left = f->gram[j * q + j], with_y = f->gram[j * q + f->p];

		if (is_chosen(f, j) || !(left > COLLINEAR * variance[j]) ||
		    fabs(with_y) > STEEPEST * left)
			continue;
		if (with_y * with_y / left > least) {
			least = with_y * with_y / left;
			best = j;
		}
	}
	return best;
}

static void choose_terms(struct fit *f, size_t max_terms)
{
	size_t q = f->p + 1;

	for (size_t j = 0; j < f->p; j++)
		f->work[j] = f->gram[j * q + j];
	while (f->n_chosen < max_terms) {
		size_t j = next_term(f, f->work);

		if (j == SIZE_MAX)
			return;
		sweep(f->gram, q, j);
		f->chosen[f->n_chosen++] = j;
	}
}

/* Exponents of the chosen columns, robustly. */
static enum err_code fit_exponents(const struct fit *f, double *exponent, struct err *e)
{
	size_t q = f->n_chosen + 1;
	double *x = calloc(f->n * q + f->n, sizeof *x), *y;
	double penalty[POWER_FORMULA_TERMS + 1], b[POWER_FORMULA_TERMS + 1], scale;
	enum err_code rc;

	if (!x)
		return err_set(e, ERR_NOMEM, "formula for %zu times", f->n);
	y = x + f->n * q;
	for (size_t i = 0; i < f->n; i++) {
		x[i * q] = 1;
		for (size_t k = 1; k < q; k++)
			x[i * q + k] = f->x[f->chosen[k - 1] * f->n + i];
		y[i] = f->d->y[f->row[i]];
	}
	for (size_t k = 0; k < q; k++)
		penalty[k] = PENALTY;
	rc = ridge_fit(x, y, f->n, q, penalty, MIN_SCALE, b, &scale, e);
	for (size_t k = 1; !rc && k < q; k++)
		exponent[k - 1] = fmin(fmax(b[k], -STEEPEST), STEEPEST);
	free(x);
	return rc;
}

/* To three significant digits; x > 0. */
static double round_short(double x)
{
	double digits = 2 - floor(log10(x));
	double unit = pow(10, fabs(digits));

	return digits >= 0 ? round(x * unit) / unit : round(x / unit) * unit;
}

/* Coefficient and range, given the terms: the median of what they leave, since errors are measured
 * by their median, too. */
static void fit_level(struct fit *f, struct power_formula *out)
{
	double lo = INFINITY, hi = -INFINITY, level;

	for (size_t i = 0; i < f->n; i++) {
		f->work[i] = f->d->y[f->row[i]];
		for (size_t k = 0; k < out->n_terms; k++)
			f->work[i] -= out->term[k].exponent *
				      f->d->log_x[out->term[k].factor * f->d->n + f->row[i]];
	}
	level = gsl_stats_median(f->work, 1, f->n);
	out->coefficient = round_short(exp(level));
	out->min = 0;
	out->max = INFINITY;
	for (size_t i = 0; i < f->n; i++) {
		double value = power_formula_log_at(out, f->d, f->row[i]);

		lo = fmin(lo, value);
		hi = fmax(hi, value);
	}
	out->min = round_short(exp(lo));
	out->max = round_short(exp(hi));
}

static enum err_code fit_formula(struct fit *f, size_t max_terms, struct power_formula *out,
				 struct err *e)
{
	double exponent[POWER_FORMULA_TERMS] = {0};
	enum err_code rc = ERR_OK;

	if (max_terms > 0) {
		pick_factors(f);
		put_target(f);
		fill_gram(f);
		choose_terms(f, max_terms);
	}
	if (f->n_chosen > 0)
		rc = fit_exponents(f, exponent, e);
	if (rc)
		return rc;
	out->n_terms = 0;
	for (size_t k = 0; k < f->n_chosen; k++) {
		size_t factor = f->factor[f->chosen[k]];

		exponent[k] = round(exponent[k] * 1000) / 1000;
		if (exponent[k] == 0)
			continue;
		out->term[out->n_terms].column = f->d->factor[factor];
		out->term[out->n_terms].factor = factor;
		out->term[out->n_terms++].exponent = exponent[k];
	}
	fit_level(f, out);
	return ERR_OK;
}

enum err_code power_formula_fit(const struct power_data *d, const uint32_t *row, size_t n,
				size_t max_terms, struct power_formula *out, struct err *e)
{
	size_t q = d->n_factors + 1;
	struct fit f = {.d = d};
	enum err_code rc = ERR_OK;

	f.row = malloc(n * sizeof *f.row);
	f.factor = malloc(q * sizeof *f.factor);
	if (f.row)
		pick_rows(&f, row, n);
	f.x = malloc(q * f.n * sizeof *f.x + 1);
	f.gram = malloc(q * q * sizeof *f.gram);
	f.work = malloc((f.n + q) * sizeof *f.work);
	if (!f.row || !f.factor || !f.x || !f.gram || !f.work)
		rc = err_set(e, ERR_NOMEM, "formula for %zu times", n);
	else
		rc = fit_formula(&f, max_terms, out, e);
	free(f.row);
	free(f.factor);
	free(f.x);
	free(f.gram);
	free(f.work);
	return rc;
}

static double within(const struct power_formula *f, double log_value)
{
	/* written so that NaN stays NaN */
	if (log_value < log(f->min))
		return log(f->min);
	return log_value > log(f->max) ? log(f->max) : log_value;
}

double power_formula_log(const struct power_formula *f, const double *row)
{
	double sum = log(f->coefficient);

	for (size_t k = 0; k < f->n_terms; k++) {
		double x = row[f->term[k].column];

		sum += f->term[k].exponent * (x > 0 ? log(x) : (double)NAN);
	}
	return within(f, sum);
}

double power_formula_log_at(const struct power_formula *f, const struct power_data *d, size_t i)
{
	double sum = log(f->coefficient);

	for (size_t k = 0; k < f->n_terms; k++)
		sum += f->term[k].exponent * d->log_x[f->term[k].factor * d->n + i];
	return within(f, sum);
}
