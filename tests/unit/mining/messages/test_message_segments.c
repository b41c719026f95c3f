#include "tests/support/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "mining/messages/message_segments.h"

static double from_bytes(double last, double first)
{
	const struct message_point p[] = {{last, 1, 0}, {first, 1, 0}};

	return message_ranges_from_bytes(p, 1);
}

TEST(a_range_starts_at_the_only_power_of_two_in_the_gap)
{
	check_abs(from_bytes(3072, 4096), 4096, 0);
	check_abs(from_bytes(1024, 1536), 1025, 0); /* 1024 itself is of the range before */
	check_abs(from_bytes(1024, 1025), 1025, 0);
	check_abs(from_bytes(3000, 5000), 4096, 0);
	check_rel(from_bytes(16, 16.5), 16.5, 0);
}

TEST(a_range_starts_at_its_first_size_where_powers_of_two_leave_a_choice)
{
	check_abs(from_bytes(1024, 2048), 2048, 0);
	check_abs(from_bytes(1000, 5000), 5000, 0);
	check_abs(from_bytes(1100, 1200), 1200, 0);
	check_abs(from_bytes(0, 100), 100, 0);
}

/* Sum over ranges of the lines' misfits. */
static double misfit_of(const struct message_point *p, const size_t *first, size_t n_range)
{
	double sum = 0;

	for (size_t i = 0; i < n_range; i++) {
		struct message_moments m =
			message_moments_of(p + first[i], first[i + 1] - first[i]);

		sum += message_line_fit(&m, i == 0).misfit;
	}
	return sum;
}

/* The least misfit of any cut into n_range ranges, by trying all. */
static double least_misfit(const struct message_point *p, size_t *first, size_t i_range,
			   size_t n_range)
{
	double least = INFINITY;
	size_t end = first[n_range];

	if (i_range == n_range)
		return end - first[n_range - 1] < MESSAGE_RANGE_MIN_SIZES
			       ? INFINITY
			       : misfit_of(p, first, n_range);
	for (size_t i = first[i_range - 1] + MESSAGE_RANGE_MIN_SIZES; i < end; i++) {
		first[i_range] = i;
		least = fmin(least, least_misfit(p, first, i_range + 1, n_range));
	}
	return least;
}

/* 15 sizes with three ranges that begin anywhere, costs jumping up or down, slightly or by a third.
 */
static void random_curve(gsl_rng *rng, double noise, struct message_point p[15])
{
	size_t start[] = {3 + gsl_rng_uniform_int(rng, 4), 9 + gsl_rng_uniform_int(rng, 4)};
	double intercept = 1, slope = 1e-3;
	size_t i_range = 0;

	for (size_t i = 0; i < 15; i++) {
		double bytes = 100 * pow(1.5, (double)i);

		if (i_range < 2 && i == start[i_range]) {
			intercept *= gsl_ran_flat(rng, 0.8, 1.3);
			slope *= gsl_ran_flat(rng, 0.7, 1.4);
			i_range++;
		}
		p[i] = (struct message_point){
			.bytes = bytes,
			.cost_s = (intercept + slope * bytes) * (1 + gsl_ran_gaussian(rng, noise)),
		};
	}
}

TEST(no_other_cut_into_as_many_ranges_fits_better)
{
	const double noise = 0.01;
	/* A power of two is preferred up to a misfit of 3.84 noise^2 more, at each break. */
	const double preference = 3.85 * noise * noise;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t n_seen[MESSAGE_RANGES_MAX + 1] = {0};

	for (size_t i = 0; i < 200; i++) {
		struct message_point p[15];
		struct message_ranges r;
		size_t first[MESSAGE_RANGES_MAX + 1] = {0};

		random_curve(rng, noise, p);
		must(message_ranges_find(p, 15, noise, NULL, &r, &err));
		first[r.n] = 15;
		assert_true(misfit_of(p, r.first, r.n) <=
			    least_misfit(p, first, 1, r.n) + preference * (double)(r.n - 1));
		n_seen[r.n]++;
	}
	gsl_rng_free(rng);
	assert_true(n_seen[3] > 100);
	assert_true(n_seen[1] + n_seen[2] > 20); /* some jumps are too small to tell */
}

TEST(a_break_among_thousands_of_sizes_is_found_to_the_size)
{
	enum { N = 3000, BREAK = 1234 };
	static struct message_point p[N];
	struct message_ranges r;

	for (size_t i = 0; i < N; i++) {
		double bytes = 10 + 7 * (double)i;

		p[i] = (struct message_point){
			.bytes = bytes,
			.cost_s = i < BREAK ? 1 + 1e-4 * bytes : 2 + 1e-4 * bytes,
		};
	}
	must(message_ranges_find(p, N, 0.01, NULL, &r, &err));
	assert_int_equal(r.n, 2);
	assert_int_equal(r.first[0], 0);
	assert_int_equal(r.first[1], BREAK);
	assert_int_equal(r.first[2], N);
}

/* The lines meet at 1024 bytes, so next to it the points do not tell to which they belong. The one
 * of 1032 bytes is nearer to the lower line (1032 s; upper: 1040 s): without preference the cut
 * would be above it, which is better by (6^2 - 2^2) s^2 / (10 s)^2, about 0.3. */
TEST(of_equally_good_places_the_power_of_two_is_taken)
{
	enum { N = 60 };
	struct message_point p[N];
	struct message_ranges r;

	for (size_t i = 0; i < N; i++) {
		double bytes = 800 + 8 * (double)i;

		p[i] = (struct message_point){
			.bytes = bytes,
			.cost_s = bytes < 1024 ? bytes : 1024 + 2 * (bytes - 1024),
		};
	}
	p[29].cost_s = 1034;
	must(message_ranges_find(p, N, 0.01, NULL, &r, &err));
	assert_int_equal(r.n, 2);
	check_abs(message_ranges_from_bytes(p, r.first[1]), 1024.5, 0.5); /* or 1025 */
}

TEST(three_sizes_are_one_range)
{
	const struct message_point p[] = {{1, 1, 0}, {2, 5, 0}, {3, 1, 0}};
	struct message_ranges r;

	must(message_ranges_find(p, 3, 1e-3, NULL, &r, &err));
	assert_int_equal(r.n, 1);
	assert_int_equal(r.first[1], 3);
}

TEST(a_line_without_error_is_found_and_has_no_misfit)
{
	const struct message_point p[] = {{8, 24e-6, 0}, {1000, 73.6e-6, 0}, {4000, 223.6e-6, 0}};
	struct message_moments m = message_moments_of(p, 3);
	struct message_line line = message_line_fit(&m, true);

	(void)state; /* (73.6 - 24) us / 992 bytes = 150 us / 3000 bytes = 0.05 us a byte */
	check_rel(line.s_per_byte, 0.05e-6, 1e-12);
	check_rel(line.intercept_s, 23.6e-6, 1e-12);
	check_abs(line.misfit, 0, 1e-12);
}

/* Sizes 0, 1, 2 with costs 1, 2, 2: weights 1, 1/4, 1/4, sum 3/2. Means: bytes 3/4 / (3/2) = 1/2,
 * cost (1 + 1/2 + 1/2) / (3/2) = 4/3. Deviations: bytes -1/2, 1/2, 3/2, cost -1/3, 2/3, 2/3.
 * Sums: bytes^2 1/4 + 1/16 + 9/16 = 7/8; bytes cost 1/6 + 1/12 + 1/4 = 1/2;
 * cost^2 1/9 + 1/9 + 1/9 = 1/3. Slope 4/7, intercept 4/3 - 2/7 = 22/21,
 * misfit 1/3 - 4/7 * 1/2 = 1/21. */
TEST(weights_make_relative_errors_small)
{
	const struct message_point p[] = {{0, 1, 0}, {1, 2, 0}, {2, 2, 0}};
	struct message_moments m = message_moments_of(p, 3);
	struct message_line line = message_line_fit(&m, true);

	check_rel(line.s_per_byte, 4.0 / 7, 1e-14);
	check_rel(line.intercept_s, 22.0 / 21, 1e-14);
	check_rel(line.misfit, 1.0 / 21, 1e-13);
	check_rel(message_line_slope_variance(&m), 8.0 / 7, 1e-14);
	/* at 0: 1 / (3/2) + (1/2)^2 / (7/8) = 2/3 + 2/7 */
	check_rel(message_line_variance_at(&m, 0), 20.0 / 21, 1e-14);
}

TEST(merged_moments_are_those_of_all_points)
{
	const struct message_point p[] = {{8, 1e-6, 0}, {9, 3e-6, 0}, {1e6, 2e-3, 0}, {1e9, 5, 0}};
	struct message_moments all = message_moments_of(p, 4);
	struct message_moments none = message_moments_of(p, 0);

	for (size_t cut = 0; cut <= 4; cut++) {
		struct message_moments a = message_moments_of(p, cut);
		struct message_moments b = message_moments_of(p + cut, 4 - cut);
		struct message_moments m = message_moments_merge(&a, &b);

		m = message_moments_merge(&m, &none);
		assert_int_equal(m.n, 4);
		check_abs(m.first_bytes, 8, 0);
		check_rel(m.weight, all.weight, 1e-14);
		check_rel(m.mean_bytes, all.mean_bytes, 1e-12);
		check_rel(m.bytes_bytes, all.bytes_bytes, 1e-12);
		check_rel(m.bytes_s, all.bytes_s, 1e-12);
		check_rel(m.s_s, all.s_s, 1e-12);
	}
}

TEST(a_falling_cost_becomes_its_weighted_mean)
{
	const struct message_point p[] = {{1, 2, 0}, {2, 2, 0}, {3, 1, 0}};
	struct message_moments m = message_moments_of(p, 3);
	struct message_line line = message_line_fit(&m, false);

	(void)state; /* weights 1/4, 1/4, 1: (1/2 + 1/2 + 1) / (3/2) */
	check_abs(line.s_per_byte, 0, 0);
	check_rel(line.intercept_s, 4.0 / 3, 1e-14);
}

TEST(only_the_first_range_is_kept_from_a_negative_cost_at_zero_bytes)
{
	const struct message_point p[] = {{1, 1, 0}, {2, 4, 0}};
	struct message_moments m = message_moments_of(p, 2);
	struct message_line later = message_line_fit(&m, false);
	struct message_line first = message_line_fit(&m, true);

	check_rel(later.intercept_s, -2.0, 1e-14);
	check_abs(first.intercept_s, 0, 0);
	/* through 0: (1 * 1 + 2 * 4 / 16) / (1 + 4 / 16) = 1.5 / 1.25; errors -0.2 / 1, 1.6 / 4 */
	check_rel(first.s_per_byte, 1.2, 1e-14);
	check_rel(first.misfit, 0.2, 1e-13);
}

TEST(a_curve_too_bent_for_a_positive_line_becomes_constant)
{
	const struct message_point p[] = {{0, 1, 0}, {1, 1e-3, 0}, {2, 1e-2, 0}, {3, 1e-2, 0}};
	struct message_moments m = message_moments_of(p, 4);
	struct message_line line = message_line_fit(&m, false);

	check_abs(line.s_per_byte, 0, 0);
	assert_true(line.intercept_s > 0);
}
