#include "tests/unit/mining/pingpong_fixture.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "models/message_cost.h"

/* The other half of Table 1. */
static const struct loggp sp2_c = {23e-6, 16e-6, 36e-6, 0.07e-6, 0.03e-6, 1024, 4096};

/* Equations 1 and 2, with normal relative noise. */
static void add_loggp_rows(struct rows *r, const struct loggp *p, double noise, gsl_rng *rng)
{
	struct message_cost c;
	struct err e = {0};

	check_ok(message_cost_from_loggp(p, &c, &e), &e);
	for (size_t i = 0; i < N_SIZES; i++) {
		double factor = rng ? 1 + gsl_ran_gaussian(rng, noise) : 1;

		add_row(r, sizes[i], 2 * message_cost_at(&c, sizes[i]).total_s * factor);
	}
}

static void check_table_1_without_noise(const struct loggp *p)
{
	struct rows r = {.n = 0};
	struct message_fit fit;
	const struct loggp *got = &fit.loggp.value;

	add_loggp_rows(&r, p, 0, NULL);
	fit = fit_rows(&r);
	assert_int_equal(fit.n_segment, 3);
	check_abs(fit.segment[0].from_bytes, 8, 0);
	check_abs(fit.segment[1].from_bytes, 1025, 0);
	check_abs(fit.segment[2].from_bytes, 4096, 0);
	check_abs(fit.threshold_bytes, 4096, 0);
	assert_true(fit.loggp.has_overheads);
	check_rel(got->L_s, p->L_s, 1e-9);
	check_rel(got->o_small_s, p->o_small_s, 1e-9);
	check_rel(got->o_large_s, p->o_large_s, 1e-9);
	check_rel(got->G_small_s_per_byte, p->G_small_s_per_byte, 1e-9);
	check_rel(got->G_large_s_per_byte, p->G_large_s_per_byte, 1e-9);
	check_abs(got->small_max_bytes, 1024, 0);
	check_abs(got->handshake_bytes, 4096, 0);
	assert_int_equal(fit.loggp.n_identifiable, 5);
	assert_string_equal(fit.loggp.identifiable[0], "L");
	assert_string_equal(fit.loggp.why_not, "");
}

static void table_1_comes_back_from_curves_without_noise(void **state)
{
	(void)state;
	check_table_1_without_noise(&sp2_fortran);
	check_table_1_without_noise(&sp2_c);
}

/* How often a parameter was within two of its standard errors. */
struct coverage {
	size_t n, n_three_ranges;
	size_t within[5];
};

static void count_within(const struct message_loggp *got, const struct loggp *want,
			 struct coverage *c)
{
	const double off[] = {got->value.L_s - want->L_s, got->value.o_small_s - want->o_small_s,
			      got->value.o_large_s - want->o_large_s,
			      got->value.G_small_s_per_byte - want->G_small_s_per_byte,
			      got->value.G_large_s_per_byte - want->G_large_s_per_byte};
	const double error[] = {got->std_error.L_s, got->std_error.o_small_s,
				got->std_error.o_large_s, got->std_error.G_small_s_per_byte,
				got->std_error.G_large_s_per_byte};

	c->n++;
	for (size_t i = 0; i < 5; i++)
		c->within[i] += fabs(off[i]) <= 2 * error[i];
}

static struct coverage cover(const struct loggp *p, size_t n_repeat, size_t n_trial)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct coverage c = {.n = 0};

	for (size_t trial = 0; trial < n_trial; trial++) {
		struct rows r = {.n = 0};
		struct message_fit fit;

		for (size_t i = 0; i < n_repeat; i++)
			add_loggp_rows(&r, p, 0.01, rng);
		fit = fit_rows(&r);
		check_abs(fit.threshold_bytes, 4096, 0);
		c.n_three_ranges += fit.n_segment == 3;
		if (fit.loggp.has_overheads)
			count_within(&fit.loggp, p, &c);
	}
	gsl_rng_free(rng);
	return c;
}

/* Two standard errors are 94 % (Student's t, 22 degrees of freedom); 88 % is three and a half sigma
 * of 200 trials less. One trial in forty may see a break too many (penalty() says so). */
static void check_coverage(const struct coverage *c, size_t n_trial)
{
	assert_true(c->n_three_ranges >= n_trial * 95 / 100);
	assert_true(c->n >= n_trial * 9 / 10);
	for (size_t i = 0; i < 5; i++)
		assert_true(c->within[i] * 100 >= c->n * 88);
}

static void table_1_comes_back_within_its_errors_at_1_percent_noise(void **state)
{
	(void)state;
	for (size_t n_repeat = 1; n_repeat <= 3; n_repeat++) {
		struct coverage fortran = cover(&sp2_fortran, n_repeat, 200);
		struct coverage c = cover(&sp2_c, n_repeat, 200);

		check_coverage(&fortran, 200);
		check_coverage(&c, 200);
	}
}

/* Three ranges, from 8, 1 025 and 16 384 bytes. */
static struct message_fit fit_three(const double intercept_s[3], const double s_per_byte[3])
{
	struct rows r = {.n = 0};
	struct message_fit fit;

	for (size_t i = 0; i < N_SIZES; i++) {
		size_t k = sizes[i] <= 1024 ? 0 : sizes[i] < 16384 ? 1 : 2;

		add_row(&r, sizes[i], 2 * (intercept_s[k] + s_per_byte[k] * sizes[i]));
	}
	fit = fit_rows(&r);
	assert_int_equal(fit.n_segment, 3);
	check_abs(fit.segment[1].from_bytes, 1025, 0);
	check_abs(fit.segment[2].from_bytes, 16384, 0);
	return fit;
}

static void a_negative_solution_is_no_latency(void **state)
{
	const double intercept_s[] = {20e-6, 60e-6, 10e-6}, s_per_byte[] = {30e-9, 10e-9, 10e-9};
	struct message_fit fit = fit_three(intercept_s, s_per_byte);

	(void)state; /* L = 2 * 10 - 3 * 20 - 2 * 60 = -160 us */
	check_overheads_unknown(&fit, "L negative (-160 +-");
}

static void three_ranges_with_three_slopes_have_no_latency(void **state)
{
	const double intercept_s[] = {20e-6, 60e-6, 600e-6}, s_per_byte[] = {30e-9, 20e-9, 10e-9};
	struct message_fit fit = fit_three(intercept_s, s_per_byte);

	(void)state;
	check_overheads_unknown(&fit, "differ in time per byte");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(table_1_comes_back_from_curves_without_noise),
	cmocka_unit_test(table_1_comes_back_within_its_errors_at_1_percent_noise),
	cmocka_unit_test(a_negative_solution_is_no_latency),
	cmocka_unit_test(three_ranges_with_three_slopes_have_no_latency),
};

CHECK_MAIN(tests)
