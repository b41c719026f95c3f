#include "acquire/knowledge_gradient.h"

#include <math.h>
#include <stdbool.h>

/* E max(0, Z - c), Z standard normal. */
static double expected_excess(double c)
{
	static const double per_root_2_pi = 0.39894228040143267794;

	return per_root_2_pi * exp(-c * c / 2) - c * 0.5 * erfc(c / sqrt(2));
}

/* Line a comes before b: as z grows the least is first the one that falls least from the left, the
 * one of the largest slope. Of parallel ones the lower comes first. */
static bool is_before(const double *mean, const double *gain, size_t a, size_t b)
{
	if (gain[a] != gain[b])
		return gain[a] > gain[b];
	return mean[a] < mean[b];
}

static void sift_down(const double *mean, const double *gain, size_t *order, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		size_t swap;

		if (child + 1 < n && is_before(mean, gain, order[child], order[child + 1]))
			child++;
		if (!is_before(mean, gain, order[i], order[child]))
			return;
		swap = order[i];
		order[i] = order[child];
		order[child] = swap;
	}
}

/* Heapsort: qsort() takes no context, and lists are short. */
static void sort_lines(const double *mean, const double *gain, size_t *order, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(mean, gain, order, i, n);
	for (size_t end = n; end-- > 1;) {
		size_t swap = order[0];

		order[0] = order[end];
		order[end] = swap;
		sift_down(mean, gain, order, 0, end);
	}
}

/* Where line b becomes lower than a. */
static double crossing(const double *mean, const double *gain, size_t a, size_t b)
{
	return (mean[b] - mean[a]) / (gain[a] - gain[b]);
}

double knowledge_gradient(const double *mean, const double *gain, size_t n, size_t *order)
{
	size_t n_kept = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	sort_lines(mean, gain, order, n);
	/* The lower envelope, from left to right. */
	for (size_t k = 0; k < n; k++) {
		size_t line = order[k];

		if (n_kept > 0 && !(gain[line] < gain[order[n_kept - 1]]))
			continue;
		while (n_kept >= 2 &&
		       crossing(mean, gain, order[n_kept - 1], line) <=
			       crossing(mean, gain, order[n_kept - 2], order[n_kept - 1]))
			n_kept--;
		order[n_kept++] = line;
	}
	for (size_t k = 1; k < n_kept; k++) {
		double c = crossing(mean, gain, order[k - 1], order[k]);

		sum += (gain[order[k - 1]] - gain[order[k]]) * expected_excess(fabs(c));
	}
	return sum;
}
