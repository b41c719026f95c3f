#include "tests/support/check.h"

#include <float.h>
#include <string.h>

#include "mining/gp/exp_negative.h"
#include "mining/numerics/vector_clones.h"
#include "tests/support/uniform.h"

/* Units in the last place of the right answer. */
static double units_off(double x)
{
	const long double right = expl(-(long double)x);
	int exponent;

	frexpl(right, &exponent);
	return (double)(fabsl((long double)exp_negative(x) - right) /
			ldexpl(1, exponent - DBL_MANT_DIG));
}

static void is_within_1_1_units_of_the_long_double_one(void **state)
{
	static const double upto[] = {0.35, 1, 8, 708};
	uint64_t seed = 1;
	double worst = 0;

	skip_under_valgrind("its long double has the precision of double");
	for (size_t k = 0; k < 4; k++) {
		for (int i = 0; i < 100000; i++)
			worst = fmax(worst, units_off(uniform_draw(&seed, 0, upto[k])));
	}
	/* where the polynomial changes over: halves of log 2, and their neighbours */
	for (int n = 1; n < 2040; n += 2) {
		const double x = n * (M_LN2 / 2);

		worst = fmax(worst, units_off(x));
		worst = fmax(worst, units_off(nextafter(x, 0)));
		worst = fmax(worst, units_off(nextafter(x, 709)));
	}
	check_abs(worst, 0, 1.1);
}

static void ends_at_708_and_passes_nan_on(void **state)
{
	assert_true(exp_negative(0.0) == 1);
	assert_true(exp_negative(-0.0) == 1);
	assert_true(exp_negative(DBL_TRUE_MIN) == 1);
	assert_true(exp_negative(DBL_EPSILON / 8) == 1);
	check_rel(exp_negative(708), exp(-708), 1e-15);
	assert_true(exp_negative(nextafter(708, 709)) == 0);
	assert_true(exp_negative(745) == 0);
	assert_true(exp_negative(DBL_MAX) == 0);
	assert_true(exp_negative(INFINITY) == 0);
	assert_true(isnan(exp_negative(NAN)));
}

enum { MANY = 64 };

VECTOR_CLONES
static void put_many(const double *restrict x, double *restrict out)
{
	for (size_t j = 0; j < MANY; j++)
		out[j] = exp_negative(x[j]);
}

static void a_vector_of_them_is_the_same_to_the_last_bit(void **state)
{
	uint64_t seed = 2;
	double x[MANY], out[MANY];

	for (int round = 0; round < 1000; round++) {
		for (size_t j = 0; j < MANY; j++)
			x[j] = uniform_draw(&seed, 0, round % 2 ? 4 : 740);
		x[5] = INFINITY;
		x[18] = 708;
		x[41] = DBL_TRUE_MIN;
		put_many(x, out);
		for (size_t j = 0; j < MANY; j++) {
			/* volatile: one at a time */
			volatile double one = x[j];
			const double alone = exp_negative(one);

			assert_memory_equal(&out[j], &alone, sizeof alone);
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(is_within_1_1_units_of_the_long_double_one),
	cmocka_unit_test(ends_at_708_and_passes_nan_on),
	cmocka_unit_test(a_vector_of_them_is_the_same_to_the_last_bit),
};

CHECK_MAIN(tests)
