#include "acquire/correlated_beliefs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Over which correlation falls to 0.48: this part of a column's range. */
static const double length = 1.0;

/* The part of the prior's variance that stays, whatever was learnt: rounding must not make it
 * negative. */
static const double least_variance = 1e-9;

static bool varies(const double *row, size_t n, size_t n_columns, size_t column)
{
	for (size_t i = 1; i < n; i++) {
		double a = row[column], b = row[i * n_columns + column];

		if (a != b && !(isnan(a) && isnan(b)))
			return true;
	}
	return false;
}

/* z of a column that varies: 0 to 1, by logs if all values are positive; a missing one is in the
 * middle. */
static void put_input(struct correlated_beliefs *b, const double *row, size_t n_columns,
		      size_t column, size_t input)
{
	double lo = INFINITY, hi = -INFINITY;
	bool positive;

	for (size_t i = 0; i < b->n; i++) {
		lo = fmin(lo, row[i * n_columns + column]);
		hi = fmax(hi, row[i * n_columns + column]);
	}
	positive = lo > 0;
	for (size_t i = 0; i < b->n; i++) {
		double x = row[i * n_columns + column];

		if (isnan(x) || !(hi > lo))
			x = 0.5;
		else
			x = positive ? log(x / lo) / log(hi / lo) : (x - lo) / (hi - lo);
		b->z[i * b->n_inputs + input] = x;
	}
}

enum err_code correlated_beliefs_init(struct correlated_beliefs *b, const struct application *app,
				      const double *row, size_t n, struct err *e)
{
	struct correlated_beliefs made = {.n = n};
	size_t input = 0;

	for (size_t c = 0; c < app->n_columns; c++)
		made.n_inputs +=
			app->column[c].role != COL_DERIVED && varies(row, n, app->n_columns, c);
	made.z = calloc(n * made.n_inputs + 1, sizeof *made.z);
	made.nominal = calloc(made.n_inputs + 1, 1);
	made.scale = calloc(n + 1, sizeof *made.scale);
	made.variance = calloc(n + 1, sizeof *made.variance);
	if (!made.z || !made.nominal || !made.scale || !made.variance) {
		correlated_beliefs_release(&made);
		return err_set(e, ERR_NOMEM, "beliefs about %zu configurations", n);
	}
	for (size_t i = 0; i < n; i++)
		made.scale[i] = made.variance[i] = 1;
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_DERIVED || !varies(row, n, app->n_columns, c))
			continue;
		made.nominal[input] = app->column[c].type == COL_TEXT;
		if (made.nominal[input]) {
			for (size_t i = 0; i < n; i++)
				made.z[i * made.n_inputs + input] = row[i * app->n_columns + c];
		} else {
			put_input(&made, row, app->n_columns, c, input);
		}
		input++;
	}
	*b = made;
	return ERR_OK;
}

void correlated_beliefs_release(struct correlated_beliefs *b)
{
	free(b->z);
	free(b->nominal);
	free(b->scale);
	free(b->variance);
	free(b->root);
	*b = (struct correlated_beliefs){0};
}

static double prior(const struct correlated_beliefs *b, size_t i, size_t j)
{
	const double *x = b->z + i * b->n_inputs, *y = b->z + j * b->n_inputs;
	double sum = 0, s;

	for (size_t k = 0; k < b->n_inputs; k++) {
		double d = b->nominal[k] ? x[k] != y[k] : x[k] - y[k];

		sum += d * d;
	}
	s = sqrt(3 * sum) / length;
	return (1 + s) * exp(-s);
}

static double process_covariance(const struct correlated_beliefs *b, size_t i, size_t j)
{
	double sum = prior(b, i, j);

	for (size_t r = 0; r < b->n_roots; r++)
		sum -= b->root[r * b->n + i] * b->root[r * b->n + j];
	return sum;
}

static void put_process_row(const struct correlated_beliefs *b, size_t i, double *out)
{
	for (size_t j = 0; j < b->n; j++)
		out[j] = prior(b, i, j);
	for (size_t r = 0; r < b->n_roots; r++) {
		const double *root = b->root + r * b->n;
		double at_i = root[i];

		for (size_t j = 0; j < b->n; j++)
			out[j] -= at_i * root[j];
	}
}

enum err_code correlated_beliefs_learn(struct correlated_beliefs *b, size_t i,
				       double noise_variance, struct err *e)
{
	double *root, per_sd;

	if (b->n_roots == b->cap_roots) {
		size_t cap = b->cap_roots ? 2 * b->cap_roots : 32;
		double *grown = cap <= SIZE_MAX / sizeof *grown / (b->n + 1)
					? realloc(b->root, cap * b->n * sizeof *grown)
					: NULL;

		if (!grown)
			return err_set(e, ERR_NOMEM, "beliefs about %zu configurations", b->n);
		b->root = grown;
		b->cap_roots = cap;
	}
	root = b->root + b->n_roots * b->n;
	put_process_row(b, i, root);
	per_sd = 1 / sqrt(fmax(root[i], least_variance) + noise_variance);
	for (size_t j = 0; j < b->n; j++) {
		root[j] *= per_sd;
		b->variance[j] = fmax(b->variance[j] - root[j] * root[j], least_variance);
	}
	b->n_roots++;
	return ERR_OK;
}

void correlated_beliefs_rescale(struct correlated_beliefs *b, const double *sd)
{
	for (size_t i = 0; i < b->n; i++)
		b->scale[i] = sd[i] / sqrt(b->variance[i]);
}

void correlated_beliefs_row(const struct correlated_beliefs *b, size_t i, double *out)
{
	put_process_row(b, i, out);
	for (size_t j = 0; j < b->n; j++)
		out[j] *= b->scale[i] * b->scale[j];
}

double correlated_beliefs_covariance(const struct correlated_beliefs *b, size_t i, size_t j)
{
	return b->scale[i] * b->scale[j] * (i == j ? b->variance[i] : process_covariance(b, i, j));
}
