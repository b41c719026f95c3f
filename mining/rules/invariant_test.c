#include "mining/rules/invariant_test.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sf_gamma.h>

#define EXACT 0x1p53 /* doubles count exactly to here */

static bool is_whole(double v)
{
	return v >= 1 && v <= EXACT && floor(v) == v;
}

bool whole_divides(double a, double b)
{
	return is_whole(a) && is_whole(b) && fmod(b, a) == 0;
}

bool is_power_of_two(double a)
{
	int exponent;

	return is_whole(a) && frexp(a, &exponent) == 0.5;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(double *value, size_t n)
{
	qsort(value, n, sizeof *value, by_value);
}

static double log_factorial(size_t n)
{
	return gsl_sf_lnfact((unsigned)n);
}

/* One behind the values equal to value[i]. */
static size_t end_of(const double *value, size_t n, size_t i)
{
	size_t k = i + 1;

	while (k < n && value[k] == value[i])
		k++;
	return k;
}

double log_chance_equal(double *value, size_t n)
{
	double sum = -log_factorial(n);

	sort(value, n);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of(value, n, i);
		sum += log_factorial(end - i);
	}
	return sum;
}

double log_chance_at_most(double *a, double *b, size_t n)
{
	double sum = -log_factorial(n);
	size_t first = n; /* of b that is not below a[i] */

	sort(a, n);
	sort(b, n);
	for (size_t i = n; i-- > 0;) {
		while (first > 0 && b[first - 1] >= a[i])
			first--;
		sum += log((double)(n - first) - (double)(n - 1 - i));
	}
	return sum;
}

/* How many b may stand beside a. */
static size_t count_multiples(double a, const double *b, size_t n)
{
	size_t count = 0;

	for (size_t j = 0, last; j < n; j = last) {
		last = end_of(b, n, j);
		count += whole_divides(a, b[j]) ? last - j : 0;
	}
	return count;
}

double log_chance_divides(double *a, double *b, size_t n)
{
	double all = 0, narrow = 0;
	size_t left = n;

	sort(a, n);
	sort(b, n);
	/* Large divisors have the least choice, more or less; any order gives a bound. */
	for (size_t i = n, first; i > 0; i = first) {
		size_t m, may_take = count_multiples(a[i - 1], b, n);

		for (first = i - 1; first > 0 && a[first - 1] == a[i - 1];)
			first--;
		m = i - first;
		all += (double)m * log_factorial(may_take) / (double)may_take;
		if (may_take >= left)
			continue;
		narrow += log_factorial(may_take) - log_factorial(may_take - m);
		left -= m;
	}
	narrow += log_factorial(left);
	return fmin(all, narrow) - log_factorial(n);
}

static double log_choose(double n, double k)
{
	return gsl_sf_lngamma(n + 1) - gsl_sf_lngamma(k + 1) - gsl_sf_lngamma(n - k + 1);
}

double log_chance_powers(double *value, size_t n)
{
	double n_distinct = 0, from, to;

	sort(value, n);
	for (size_t i = 0; i < n; i = end_of(value, n, i))
		n_distinct++;
	from = value[0];
	to = value[n - 1];
	/* Both ends are powers of two, when it is asked. */
	return log_choose(log2(to) - log2(from) + 1, n_distinct) -
	       log_choose(to - from + 1, n_distinct);
}

static double gcd(double a, double b)
{
	while (b > 0) {
		double rest = fmod(a, b);

		a = b;
		b = rest;
	}
	return a;
}

double log_chance_multiples(const double *a, const double *b, size_t n)
{
	double from = b[0], to = b[n - 1], sum = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double lcm = 1;

		end = end_of(b, n, i);
		for (size_t k = i; k < end; k++)
			lcm *= a[k] / gcd(lcm, a[k]); /* divides b[i]: no overflow */
		sum += log((floor(to / lcm) - ceil(from / lcm) + 1) / (to - from + 1));
	}
	return sum;
}
