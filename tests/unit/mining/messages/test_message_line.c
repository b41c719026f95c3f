#include "tests/support/check.h"

#include "mining/messages/message_line.h"

static void a_line_without_error_is_found_and_has_no_misfit(void **state)
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
static void weights_make_relative_errors_small(void **state)
{
	const struct message_point p[] = {{0, 1, 0}, {1, 2, 0}, {2, 2, 0}};
	struct message_moments m = message_moments_of(p, 3);
	struct message_line line = message_line_fit(&m, true);

	(void)state;
	check_rel(line.s_per_byte, 4.0 / 7, 1e-14);
	check_rel(line.intercept_s, 22.0 / 21, 1e-14);
	check_rel(line.misfit, 1.0 / 21, 1e-13);
	check_rel(message_line_slope_variance(&m), 8.0 / 7, 1e-14);
	/* at 0: 1 / (3/2) + (1/2)^2 / (7/8) = 2/3 + 2/7 */
	check_rel(message_line_variance_at(&m, 0), 20.0 / 21, 1e-14);
}

static void merged_moments_are_those_of_all_points(void **state)
{
	const struct message_point p[] = {{8, 1e-6, 0}, {9, 3e-6, 0}, {1e6, 2e-3, 0}, {1e9, 5, 0}};
	struct message_moments all = message_moments_of(p, 4);
	struct message_moments none = message_moments_of(p, 0);

	(void)state;
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

static void a_falling_cost_becomes_its_weighted_mean(void **state)
{
	const struct message_point p[] = {{1, 2, 0}, {2, 2, 0}, {3, 1, 0}};
	struct message_moments m = message_moments_of(p, 3);
	struct message_line line = message_line_fit(&m, false);

	(void)state; /* weights 1/4, 1/4, 1: (1/2 + 1/2 + 1) / (3/2) */
	check_abs(line.s_per_byte, 0, 0);
	check_rel(line.intercept_s, 4.0 / 3, 1e-14);
}

static void only_the_first_range_is_kept_from_a_negative_cost_at_zero_bytes(void **state)
{
	const struct message_point p[] = {{1, 1, 0}, {2, 4, 0}};
	struct message_moments m = message_moments_of(p, 2);
	struct message_line later = message_line_fit(&m, false);
	struct message_line first = message_line_fit(&m, true);

	(void)state;
	check_rel(later.intercept_s, -2.0, 1e-14);
	check_abs(first.intercept_s, 0, 0);
	/* through 0: (1 * 1 + 2 * 4 / 16) / (1 + 4 / 16) = 1.5 / 1.25; errors -0.2 / 1, 1.6 / 4 */
	check_rel(first.s_per_byte, 1.2, 1e-14);
	check_rel(first.misfit, 0.2, 1e-13);
}

static void a_curve_too_bent_for_a_positive_line_becomes_constant(void **state)
{
	const struct message_point p[] = {{0, 1, 0}, {1, 1e-3, 0}, {2, 1e-2, 0}, {3, 1e-2, 0}};
	struct message_moments m = message_moments_of(p, 4);
	struct message_line line = message_line_fit(&m, false);

	(void)state;
	check_abs(line.s_per_byte, 0, 0);
	assert_true(line.intercept_s > 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_line_without_error_is_found_and_has_no_misfit),
	cmocka_unit_test(weights_make_relative_errors_small),
	cmocka_unit_test(merged_moments_are_those_of_all_points),
	cmocka_unit_test(a_falling_cost_becomes_its_weighted_mean),
	cmocka_unit_test(only_the_first_range_is_kept_from_a_negative_cost_at_zero_bytes),
	cmocka_unit_test(a_curve_too_bent_for_a_positive_line_becomes_constant),
};

CHECK_MAIN(tests)
