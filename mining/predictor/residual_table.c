#include "mining/predictor/residual_table.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/order_statistics.h"

void residual_table_make(double *r, size_t n, double widened, struct residual_table *out)
{
	order_sort(r, n);
	out->n = n;
	out->widened = widened;
	out->n_kept = n < RESIDUAL_TABLE_MAX ? n : RESIDUAL_TABLE_MAX;
	for (size_t i = 0; i < out->n_kept; i++) {
		double at = out->n_kept > 1
				    ? (double)i * (double)(n - 1) / (double)(out->n_kept - 1)
				    : 0;
		size_t lo = (size_t)at;
		double part = at - (double)lo;

		out->r[i] = lo + 1 < n ? r[lo] + part * (r[lo + 1] - r[lo]) : r[n - 1];
	}
}

/* The residual of rank 1 <= rank <= n. */
static double at_rank(const struct residual_table *t, double rank)
{
	double at = t->n > 1 ? (rank - 1) * (double)(t->n_kept - 1) / (double)(t->n - 1) : 0;
	size_t lo = (size_t)at;

	if (lo + 1 >= t->n_kept)
		return t->r[t->n_kept - 1];
	return t->r[lo] + (at - (double)lo) * (t->r[lo + 1] - t->r[lo]);
}

/* Where the ranks 0 and n + 1 are put. */
static double beyond(const struct residual_table *t)
{
	double range = t->r[t->n_kept - 1] - t->r[0];

	return 0.25 * range;
}

double residual_table_quantile(const struct residual_table *t, double prob)
{
	double rank = prob * (double)(t->n + 1);
	double r;

	if (t->n == 0)
		return 0;
	if (rank < 1)
		r = t->r[0] - (1 - rank) * beyond(t);
	else if (rank > (double)t->n)
		r = t->r[t->n_kept - 1] + (rank - (double)t->n) * beyond(t);
	else
		r = at_rank(t, rank);
	return r * t->widened;
}

void residual_table_cover(struct residual_table *t, const struct residual_table *with)
{
	for (size_t i = 0; i < t->n_kept; i++) {
		double prob = ((double)i + 1) / ((double)t->n_kept + 1);
		double other = residual_table_quantile(with, prob);

		t->r[i] = prob < 0.5 ? fmin(t->r[i], other) : fmax(t->r[i], other);
	}
}

/* The quantile to whose distance from the median the tails are brought. */
#define TAIL 0.95

void residual_table_cover_normal(struct residual_table *t, double sd)
{
	const double tail = sd * gsl_cdf_ugaussian_Pinv(TAIL);
	double least = INFINITY;

	if (t->n == 0)
		return;
	for (size_t i = 0; i < t->n_kept; i++) {
		const double part = t->n_kept > 1 ? (double)i / (double)(t->n_kept - 1) : 0.5;
		const double rank = 1 + part * (double)(t->n - 1);
		const double normal =
			sd * gsl_cdf_ugaussian_Pinv(rank / (double)(t->n + 1)) / t->widened;

		t->r[i] = rank < 0.5 * (double)(t->n + 1) ? fmin(t->r[i], normal)
							  : fmax(t->r[i], normal);
	}
	least = fmin(-residual_table_quantile(t, 1 - TAIL), residual_table_quantile(t, TAIL));
	if (least > 0 && least < tail)
		t->widened *= tail / least;
}

/* Neither end of the distribution is surer than this. */
static double floor_of(const struct residual_table *t)
{
	return 1 / (2 * (double)t->n + 2);
}

double residual_table_max_confidence(const struct residual_table *t)
{
	return 1 - floor_of(t);
}

double residual_table_cdf(const struct residual_table *t, double r)
{
	double floor_p = floor_of(t);
	double p, x = r / t->widened;
	size_t lo = 0, hi = t->n_kept;

	if (t->n == 0)
		return 0.5;
	/* [lo, hi): the first kept residual above x */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->r[mid] <= x)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0) {
		double gap = t->r[0] - x, step = beyond(t);

		p = step > 0 ? (1 - fmin(gap / step, 1)) / (double)(t->n + 1) : 0;
	} else if (lo == t->n_kept) {
		double gap = x - t->r[t->n_kept - 1], step = beyond(t);

		p = ((double)t->n + (step > 0 ? fmin(gap / step, 1) : 1)) / (double)(t->n + 1);
	} else {
		double part = (x - t->r[lo - 1]) / (t->r[lo] - t->r[lo - 1]);
		double at = (double)(lo - 1) + part;
		double rank = 1 + at * (double)(t->n - 1) / (double)(t->n_kept - 1);

		p = rank / (double)(t->n + 1);
	}
	return fmin(fmax(p, floor_p), 1 - floor_p);
}
