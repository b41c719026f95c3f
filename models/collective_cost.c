#include "models/collective_cost.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/compare.h"

enum { LINE_TERMS = 2, LAW_TERMS = 4 };

double collective_start_s(const struct collective_cost *c, double nodes)
{
	return c->t0_s + c->t0_stage_s * log2(nodes);
}

double collective_s_per_byte(const struct collective_cost *c, double nodes)
{
	return c->s_per_byte + c->stage_s_per_byte * log2(nodes);
}

double collective_time_s(const struct collective_cost *c, double bytes, double nodes)
{
	return collective_start_s(c, nodes) + bytes * collective_s_per_byte(c, nodes);
}

/* ---- least squares ---- */

/* Measurements, and those of them that a fit takes. */
struct measured {
	const double *bytes, *nodes, *time_s;
	size_t n;
	double only_nodes; /* NaN: all */
};

static bool takes(const struct measured *d, size_t i)
{
	return isnan(d->only_nodes) || d->nodes[i] == d->only_nodes;
}

/* The terms of measurement i over its time: their sum, weighted by the coefficients, is to be 1. */
static void terms_of(const struct measured *d, size_t i, size_t n_terms, double *x)
{
	double stages = log2(d->nodes[i]);
	const double term[LAW_TERMS] = {1, d->bytes[i], stages, stages * d->bytes[i]};

	for (size_t k = 0; k < n_terms; k++)
		x[k] = term[k] / d->time_s[i];
}

/* Gram-Schmidt on the columns, one at a time and twice over: two passes leave them orthogonal to
 * the last digit, which normal equations of 1 and of millions of bytes would not. A column of
 * which less than 1e-9 is left depends on the others. */
struct basis {
	double *q[LAW_TERMS];
	double r[LAW_TERMS][LAW_TERMS];
};

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static bool orthogonalise(struct basis *b, size_t n_terms, size_t n)
{
	for (size_t k = 0; k < n_terms; k++) {
		double before = sqrt(dot(b->q[k], b->q[k], n)), left;

		for (int pass = 0; pass < 2; pass++) {
			for (size_t j = 0; j < k; j++) {
				double part = dot(b->q[j], b->q[k], n);

				b->r[j][k] += part;
				for (size_t i = 0; i < n; i++)
					b->q[k][i] -= part * b->q[j][i];
			}
		}
		left = sqrt(dot(b->q[k], b->q[k], n));
		if (!(left > 1e-9 * before))
			return false;
		b->r[k][k] = left;
		for (size_t i = 0; i < n; i++)
			b->q[k][i] /= left;
	}
	return true;
}

/* A coefficient that moves no time by 1e-12 of it is what rounding left of 0. */
static void drop_rounding(const struct measured *d, size_t n_terms, double *coefficient)
{
	double share[LAW_TERMS] = {0};

	for (size_t i = 0; i < d->n; i++) {
		double x[LAW_TERMS];

		if (!takes(d, i))
			continue;
		terms_of(d, i, n_terms, x);
		for (size_t k = 0; k < n_terms; k++)
			share[k] = fmax(share[k], fabs(coefficient[k] * x[k]));
	}
	for (size_t k = 0; k < n_terms; k++) {
		if (share[k] < 1e-12)
			coefficient[k] = 0;
	}
}

/* coefficient[n_terms], NaN where the measurements do not tell them. work[n_terms * d->n]. */
static void solve(const struct measured *d, size_t n_terms, double *work, double *coefficient)
{
	struct basis b = {.r = {{0}}};
	size_t n = 0;
	double y[LAW_TERMS];

	for (size_t k = 0; k < n_terms; k++)
		b.q[k] = work + k * d->n;
	for (size_t i = 0; i < d->n; i++) {
		double x[LAW_TERMS];

		if (!takes(d, i))
			continue;
		terms_of(d, i, n_terms, x);
		for (size_t k = 0; k < n_terms; k++)
			b.q[k][n] = x[k];
		n++;
	}
	for (size_t k = 0; k < n_terms; k++)
		coefficient[k] = NAN;
	if (n < n_terms || !orthogonalise(&b, n_terms, n))
		return;
	for (size_t k = 0; k < n_terms; k++) {
		y[k] = 0;
		for (size_t i = 0; i < n; i++)
			y[k] += b.q[k][i];
	}
	for (size_t k = n_terms; k-- > 0;) {
		double sum = y[k];

		for (size_t j = k + 1; j < n_terms; j++)
			sum -= b.r[k][j] * coefficient[j];
		coefficient[k] = sum / b.r[k][k];
	}
	drop_rounding(d, n_terms, coefficient);
}

static double misfit_of(const struct measured *d, size_t n_terms, const double *coefficient)
{
	double worst = 0;

	if (isnan(coefficient[0]))
		return NAN;
	for (size_t i = 0; i < d->n; i++) {
		double x[LAW_TERMS];

		if (!takes(d, i))
			continue;
		terms_of(d, i, n_terms, x);
		worst = fmax(worst, fabs(dot(x, coefficient, n_terms) - 1));
	}
	return worst;
}

/* ---- the fit ---- */

static enum err_code check(const struct measured *d, struct err *e)
{
	if (d->n == 0)
		return err_set(e, ERR_NODATA, "no measurements of a collective operation");
	for (size_t i = 0; i < d->n; i++) {
		if (!(d->bytes[i] >= 0) || !(d->nodes[i] >= 1) || !(d->time_s[i] > 0) ||
		    !isfinite(d->bytes[i] + d->nodes[i] + d->time_s[i]))
			return err_set(e, ERR_ARG,
				       "measurement %zu: %g bytes on %g nodes in %g s is not of "
				       "bytes >= 0, nodes >= 1 and a time > 0",
				       i + 1, d->bytes[i], d->nodes[i], d->time_s[i]);
	}
	return ERR_OK;
}

static void fit_lines(struct measured d, double *work, struct collective_fit *f)
{
	for (size_t k = 0; k < f->n_lines; k++) {
		struct collective_line *line = &f->line[k];
		double c[LINE_TERMS];

		d.only_nodes = line->nodes;
		for (size_t i = 0; i < d.n; i++)
			line->n += takes(&d, i);
		solve(&d, LINE_TERMS, work, c);
		line->t0_s = c[0];
		line->s_per_byte = c[1];
		line->misfit = misfit_of(&d, LINE_TERMS, c);
	}
}

enum err_code collective_fit_find(const double *bytes, const double *nodes, const double *time_s,
				  size_t n, struct collective_fit *out, struct err *e)
{
	const struct measured d = {bytes, nodes, time_s, n, NAN};
	struct collective_fit f = {0};
	double *work = NULL, c[LAW_TERMS];
	enum err_code rc = check(&d, e);

	if (rc)
		return rc;
	work = calloc(n, LAW_TERMS * sizeof *work);
	f.line = calloc(n, sizeof *f.line);
	if (!work || !f.line) {
		rc = err_set(e, ERR_NOMEM, "the fit of %zu measurements", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++)
		work[i] = nodes[i];
	qsort(work, n, sizeof *work, compare_doubles);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || work[i] != work[i - 1])
			f.line[f.n_lines++].nodes = work[i];
	}
	fit_lines(d, work, &f);
	solve(&d, LAW_TERMS, work, c);
	f.law = (struct collective_cost){
		.t0_s = c[0], .s_per_byte = c[1], .t0_stage_s = c[2], .stage_s_per_byte = c[3]};
	f.law_misfit = misfit_of(&d, LAW_TERMS, c);
	*out = f;
	f.line = NULL;
done:
	free(work);
	free(f.line);
	return rc;
}

void collective_fit_release(struct collective_fit *f)
{
	free(f->line);
	*f = (struct collective_fit){0};
}
