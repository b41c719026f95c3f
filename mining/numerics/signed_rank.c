#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/rank_tests.h"
#include "mining/numerics/sort_doubles.h"

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
	/* The same share of the averages of the sample: its interval is that of all differences,
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

/* The same from the normal approximation. */
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
