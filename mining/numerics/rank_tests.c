#include "mining/numerics/rank_tests.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/numerics/order_statistics.h"

enum err_code rank_values(const double *x, size_t n, double *ranks, struct err *e)
{
	size_t *order = calloc(n + 1, sizeof *order);
	enum err_code rc;

	if (!order)
		return err_set(e, ERR_NOMEM, "ranks of %zu values", n);
	rc = sort_doubles(x, n, order, e);
	for (size_t from = 0, to; rc == ERR_OK && from < n; from = to) {
		for (to = from + 1; to < n && x[order[to]] == x[order[from]];)
			to++;
		/* the mean of the ranks from + 1 .. to */
		for (size_t i = from; i < to; i++)
			ranks[order[i]] = (double)(from + 1 + to) / 2;
	}
	free(order);
	return rc;
}

/* Ranks have the mean (n + 1) / 2, ties or not, so a constant side is exactly 0 / 0, NaN, and equal
 * ranks are exactly 1: gsl_stats_correlation() gives 0.9999999999999998. */
static double correlation_of_ranks(const double *x, const double *y, size_t n)
{
	double mean = ((double)n + 1) / 2, xx = 0, yy = 0, xy = 0, rho;

	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	rho = xy / sqrt(xx * yy);
	return rho > 1 ? 1 : rho < -1 ? -1 : rho; /* NaN stays */
}

/* Fisher's z has the variance (1 + rho^2 / 2) / (n - 3) for ranks: Bonett and Wright, "Sample size
 * requirements for estimating Pearson, Kendall and Spearman correlations", Psychometrika 65, 2000.
 * At rho = 1 that would be an interval of no width, from however few points: half of the smallest
 * step that rho can make, 12 / (n (n^2 - 1)), below 1 stands for it. */
static void spearman_interval(double n, struct rank_correlation *r)
{
	double most = 1 - 6 / (n * (n * n - 1));
	double z = atanh(fmax(-most, fmin(most, r->rho)));
	double half = gsl_cdf_ugaussian_Pinv(0.975) * sqrt((1 + r->rho * r->rho / 2) / (n - 3));

	r->lo = r->rho <= -1 ? -1 : tanh(z - half);
	r->hi = r->rho >= 1 ? 1 : tanh(z + half);
}

/* Student's t is an approximation, and nothing at rho = 1: no two-sided p of n ranks is below
 * 2 / n!. */
static double spearman_p(double n, double rho)
{
	/* lgamma() is not safe in threads */
	double least = exp(log(2) - gsl_sf_lnfact((unsigned)n));
	double rest = 1 - rho * rho;

	if (rest <= 0)
		return least;
	return fmax(least, 2 * gsl_cdf_tdist_Q(fabs(rho) * sqrt((n - 2) / rest), n - 2));
}

enum err_code spearman(const double *x, const double *y, size_t n, struct rank_correlation *out,
		       struct err *e)
{
	double *rank_x, *rank_y;
	enum err_code rc;

	if (n < 3) {
		*out = (struct rank_correlation){NAN, NAN, NAN, NAN};
		return ERR_OK;
	}
	rank_x = calloc(2 * n, sizeof *rank_x);
	if (!rank_x)
		return err_set(e, ERR_NOMEM, "rank correlation of %zu values", n);
	rank_y = rank_x + n;
	if ((rc = rank_values(x, n, rank_x, e)) == ERR_OK &&
	    (rc = rank_values(y, n, rank_y, e)) == ERR_OK) {
		double rho = correlation_of_ranks(rank_x, rank_y, n);

		*out = (struct rank_correlation){rho, rho, rho, rho};
		if (!isnan(rho)) {
			out->lo = -1;
			out->hi = 1;
			if (n > 3)
				spearman_interval((double)n, out);
			out->p = spearman_p((double)n, rho);
		}
	}
	free(rank_x);
	return rc;
}

/* P(the range of k standard normal values <= q) = k Int phi(z) [Phi(z) - Phi(z - q)]^(k - 1) dz,
 * z being the largest of them. The trapezoidal rule gains digits exponentially on a smooth
 * integrand that vanishes at both ends: with steps of 0.1 the sum is right to 14 of them. */
static double normal_range_p(double q, size_t k)
{
	const double step = 0.1, beyond = 9;
	double sum = 0;

	for (int i = 0; i <= (int)(2 * beyond / step); i++) {
		double z = -beyond + i * step;
		double below = gsl_cdf_ugaussian_P(z) - gsl_cdf_ugaussian_P(z - q);

		sum += exp(-z * z / 2) * pow(below, (double)(k - 1));
	}
	return (double)k * sum * step / sqrt(2 * acos(-1));
}

/* The upper alpha point of the studentized range of k means, infinite degrees of freedom. */
static double studentized_range(double alpha, size_t k)
{
	double lo = 0, hi = 40;

	for (int i = 0; i < 60; i++) {
		double mid = (lo + hi) / 2;

		if (normal_range_p(mid, k) < 1 - alpha)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

/* Add the ranks of one block to rank_sum; returns its ties, the sum of t^3 - t over groups of t
 * equal values. k is small: counting is as fast as sorting. */
static double add_block_ranks(const double *x, size_t k, double *rank_sum)
{
	double ties = 0;

	for (size_t j = 0; j < k; j++) {
		double below = 0, equal = 0;

		for (size_t i = 0; i < k; i++) {
			below += x[i] < x[j];
			equal += x[i] == x[j];
		}
		rank_sum[j] += below + (equal + 1) / 2;
		ties += equal * equal - 1;
	}
	return ties;
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, 2nd edition, 1999: sections 7.1 (with
 * ties) and 7.3 (all pairs, large samples). */
enum err_code friedman_test(const double *x, size_t n_blocks, size_t k, double alpha,
			    double *rank_sum, struct friedman *out, struct err *e)
{
	const double n = (double)n_blocks, m = (double)k;
	double ties = 0, square = 0, scale;

	assert(alpha > 0 && alpha < 1);
	if (k < 2 || n_blocks == 0)
		return err_set(e, ERR_ARG, "%zu choices in %zu blocks cannot be ranked", k,
			       n_blocks);
	memset(rank_sum, 0, k * sizeof *rank_sum);
	for (size_t b = 0; b < n_blocks; b++)
		ties += add_block_ranks(x + b * k, k, rank_sum);
	for (size_t j = 0; j < k; j++)
		square += pow(rank_sum[j] - n * (m + 1) / 2, 2);
	scale = n * m * (m + 1) - ties / (m - 1);
	/* scale = 0: every block is one tie, and nothing differs */
	out->chi2 = scale > 0 ? 12 * square / scale : 0;
	out->p = scale > 0 ? gsl_cdf_chisq_Q(out->chi2, m - 1) : 1;
	out->difference = studentized_range(alpha, k) * sqrt(n * m * (m + 1) / 12);
	return ERR_OK;
}

enum err_code benjamini_hochberg(double *p, size_t n, struct err *e)
{
	size_t *known = calloc(n + 1, sizeof *known), *order = calloc(n + 1, sizeof *order);
	double *value = calloc(n + 1, sizeof *value);
	size_t m = 0;
	double least = 1;
	enum err_code rc = ERR_OK;

	if (!known || !order || !value) {
		rc = err_set(e, ERR_NOMEM, "adjustment of %zu p values", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		if (!isnan(p[i])) {
			value[m] = p[i];
			known[m++] = i;
		}
	}
	if ((rc = sort_doubles(value, m, order, e)))
		goto done;
	for (size_t rank = m; rank > 0; rank--) {
		size_t i = order[rank - 1];

		least = fmin(least, value[i] * (double)m / (double)rank);
		p[known[i]] = least;
	}
done:
	free(known);
	free(order);
	free(value);
	return rc;
}

void mean_t_test(const double *x, size_t n, double level, struct mean_test *out)
{
	double se, dof = (double)n - 1;

	*out = (struct mean_test){NAN, -INFINITY, INFINITY, 1};
	if (n == 0)
		return;
	out->mean = gsl_stats_mean(x, 1, n);
	if (n == 1)
		return;
	se = gsl_stats_sd_m(x, 1, n, out->mean) / sqrt((double)n);
	out->lo = out->mean - se * gsl_cdf_tdist_Pinv((1 + level) / 2, dof);
	out->hi = out->mean + se * gsl_cdf_tdist_Pinv((1 + level) / 2, dof);
	if (se > 0)
		out->p = 2 * gsl_cdf_tdist_Q(fabs(out->mean) / se, dof);
	else
		out->p = out->mean == 0 ? 1 : 0;
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, 2nd edition, 1999: the test is section
 * 3.1, the estimate 3.2, its interval 3.3. */

enum { EXACT_N = 50, EXACT_SUMS = EXACT_N * (EXACT_N + 1) + 1, SHIFT_SAMPLE = 2000 };

/* The differences that are not zero in ascending order. */
static enum err_code sort_differences(const double *d, size_t n, double *sorted, size_t *n_sorted,
				      struct err *e)
{
	double *kept = calloc(n + 1, sizeof *kept);
	size_t *order = calloc(n + 1, sizeof *order);
	size_t m = 0;
	enum err_code rc = ERR_OK;

	if (!kept || !order) {
		rc = err_set(e, ERR_NOMEM, "signed ranks of %zu differences", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		if (d[i] != 0)
			kept[m++] = d[i];
	}
	if ((rc = sort_doubles(kept, m, order, e)))
		goto done;
	for (size_t i = 0; i < m; i++)
		sorted[i] = kept[order[i]];
	*n_sorted = m;
done:
	free(kept);
	free(order);
	return rc;
}

/* The sum of the ranks of |d| over the positive d: the sorted differences are met from zero
 * outwards on both sides. Returns the ties, the sum of t^3 - t. twice[n] (NULL: not wanted) gets
 * the ranks of all d, doubled to be whole. */
static double positive_ranks(const double *sorted, size_t n, double *w_plus, size_t *twice)
{
	size_t up = 0, down, rank = 0;
	double ties = 0;

	while (up < n && sorted[up] < 0)
		up++;
	down = up;
	*w_plus = 0;
	while (rank < n) {
		double next = fmin(up < n ? sorted[up] : INFINITY,
				   down > 0 ? -sorted[down - 1] : INFINITY);
		size_t n_up = 0, n_down = 0;
		double t;

		for (; up < n && sorted[up] == next; up++)
			n_up++;
		for (; down > 0 && -sorted[down - 1] == next; down--)
			n_down++;
		t = (double)(n_up + n_down);
		*w_plus += (double)n_up * ((double)rank + (t + 1) / 2);
		ties += t * t * t - t;
		for (size_t k = 0; twice && k < n_up + n_down; k++)
			twice[rank + k] = 2 * rank + n_up + n_down + 1;
		rank += n_up + n_down;
	}
	return ties;
}

/* below[w] = P(2 W+ <= w) of n differences with these doubled ranks: each is in the sum or not, at
 * even odds. */
static void exact_distribution(const size_t *twice, size_t n, double below[EXACT_SUMS])
{
	size_t most = 0;

	memset(below, 0, EXACT_SUMS * sizeof *below);
	below[0] = 1;
	for (size_t i = 0; i < n; i++) {
		most += twice[i];
		for (size_t w = most; w >= twice[i]; w--)
			below[w] += below[w - twice[i]];
	}
	for (size_t w = 0; w <= most; w++) {
		below[w] *= pow(0.5, (double)n);
		below[w] += w > 0 ? below[w - 1] : 0;
	}
}

static double two_sided(double lower, double upper)
{
	return fmin(1, 2 * fmin(lower, upper));
}

/* The k-th smallest Walsh average (x_i + x_j) / 2, i <= j: the smallest number with k of them at
 * or below it, found by bisection over the doubles themselves, which is exact. */
static double walsh_average(const double *sorted, size_t n, size_t k)
{
	uint64_t lo = value_key(sorted[0]), hi = value_key(sorted[n - 1]);

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		double v = value_of_key(mid);
		size_t n_below = 0, j = n;

		/* as i goes up, the partners j >= i that stay below go down */
		for (size_t i = 0; i < j; i++) {
			while (j > i && sorted[i] / 2 + sorted[j - 1] / 2 > v)
				j--;
			n_below += j - i;
		}
		if (n_below >= k)
			hi = mid;
		else
			lo = mid + 1;
	}
	return value_of_key(lo) + 0.0; /* never -0 */
}

/* Shift and interval. c_of_all: the interval goes from the c-th smallest Walsh average of all n
 * differences to the c-th largest; below 1 there is none. */
static void estimate_shift(double *sorted, size_t n, double c_of_all, struct signed_rank *out)
{
	double n_averages = (double)n * ((double)n + 1) / 2;
	size_t m = n, n_walsh, c;

	if (n > SHIFT_SAMPLE) {
		m = SHIFT_SAMPLE;
		for (size_t i = 0; i < m; i++)
			sorted[i] = sorted[(2 * i + 1) * n / (2 * m)];
	}
	n_walsh = m * (m + 1) / 2;
	out->shift = (walsh_average(sorted, m, (n_walsh + 1) / 2) +
		      walsh_average(sorted, m, n_walsh / 2 + 1)) /
		     2;
	out->lo = -INFINITY;
	out->hi = INFINITY;
	if (c_of_all < 1)
		return;
	/* An equal share of the averages of the sample: its interval is that of all differences,
	 * not the wider one of as few as it has. */
	c = m == n ? (size_t)c_of_all : (size_t)ceil(c_of_all / n_averages * (double)n_walsh);
	out->lo = walsh_average(sorted, m, c);
	out->hi = walsh_average(sorted, m, n_walsh + 1 - c);
}

/* p and the C of the 95 % interval from exact distributions: p given the ties, C as if there were
 * none, which is on the safe side. */
static double judge_exactly(const size_t *twice, struct signed_rank *out)
{
	double below[EXACT_SUMS];
	size_t w = (size_t)(2 * out->w_plus), most = out->n * (out->n + 1), c = 0;
	size_t untied[EXACT_N];

	exact_distribution(twice, out->n, below);
	/* symmetric: P(W+ >= w) = P(W+ <= most - w) */
	out->p = two_sided(below[w], below[most - w]);
	for (size_t i = 0; i < out->n; i++)
		untied[i] = 2 * (i + 1);
	exact_distribution(untied, out->n, below);
	while (below[2 * c] < 0.025)
		c++;
	return (double)c;
}

/* p and the bound of ranks from the normal approximation. */
static double judge_approximately(struct signed_rank *out, double ties)
{
	double n = (double)out->n, mean = n * (n + 1) / 4;
	double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48);

	out->p = two_sided(gsl_cdf_ugaussian_P((out->w_plus + 0.5 - mean) / sd),
			   gsl_cdf_ugaussian_Q((out->w_plus - 0.5 - mean) / sd));
	return floor(mean - gsl_cdf_ugaussian_Pinv(0.975) * sd);
}

enum err_code signed_rank_test(const double *d, size_t n, struct signed_rank *out, struct err *e)
{
	double *sorted = calloc(n + 1, sizeof *sorted);
	struct signed_rank r = {0, 0, 1, NAN, NAN, NAN};
	size_t twice[EXACT_N];
	bool exact;
	double ties, c;
	enum err_code rc;

	if (!sorted)
		return err_set(e, ERR_NOMEM, "signed ranks of %zu differences", n);
	if ((rc = sort_differences(d, n, sorted, &r.n, e)))
		goto done;
	exact = r.n <= EXACT_N;
	if (r.n > 0) {
		ties = positive_ranks(sorted, r.n, &r.w_plus, exact ? twice : NULL);
		c = exact ? judge_exactly(twice, &r) : judge_approximately(&r, ties);
		estimate_shift(sorted, r.n, c, &r);
	}
	*out = r;
done:
	free(sorted);
	return rc;
}
