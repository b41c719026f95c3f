#include "tests/support/check.h"

#include "mining/rules/power_formula.h"
#include "tests/support/uniform.h"

enum { N = 400, FACTORS = 3 };

/* Rows of three columns, of which power_data knows the logarithms. */
static struct table {
	double x[N][FACTORS], y[N], log_x[FACTORS * N];
	size_t factor[FACTORS];
	uint32_t row[N];
	struct power_data data;
} table;

static void fill(double (*log_y)(const double *x))
{
	uint64_t seed = 11;

	for (size_t i = 0; i < N; i++) {
		for (size_t k = 0; k < FACTORS; k++) {
			table.x[i][k] = floor(uniform_draw(&seed, 1, 100));
			table.log_x[k * N + i] = log(table.x[i][k]);
			table.factor[k] = k;
		}
		table.y[i] = log_y(table.x[i]);
		table.row[i] = (uint32_t)i;
	}
	table.data = (struct power_data){N, table.y, FACTORS, table.factor, table.log_x};
}

static struct power_formula fit(size_t max_terms)
{
	struct power_formula f;

	must(power_formula_fit(&table.data, table.row, N, max_terms, &f, &err));
	return f;
}

/* 0.25 x0^1.5 / x2 */
static double known_law(const double *x)
{
	return log(0.25) + 1.5 * log(x[0]) - log(x[2]);
}

static double exponent_of(const struct power_formula *f, size_t column)
{
	for (size_t k = 0; k < f->n_terms; k++) {
		if (f->term[k].column == column)
			return f->term[k].exponent;
	}
	return 0;
}

TEST(a_power_law_comes_back_and_nothing_else)
{
	struct power_formula f;

	fill(known_law);
	f = fit(3);
	assert_int_equal(f.n_terms, 2);
	check_abs(exponent_of(&f, 0), 1.5, 0);
	check_abs(exponent_of(&f, 2), -1, 0);
	check_abs(f.coefficient, 0.25, 0);
	check_abs(power_formula_log(&f, table.x[7]), table.y[7], 1e-12);
	check_abs(power_formula_log_at(&f, &table.data, 7), power_formula_log(&f, table.x[7]), 0);
}

/* Every tenth time up to 50 times as long: least squares would put the level exp(0.1 * log(50) / 2)
 * = 1.22 times too high. */
TEST(disturbed_runs_do_not_move_it)
{
	uint64_t seed = 3;
	struct power_formula f;

	fill(known_law);
	for (size_t i = 0; i < N; i += 10)
		table.y[i] += uniform_draw(&seed, 0, log(50));
	f = fit(3);
	check_abs(exponent_of(&f, 0), 1.5, 0.01);
	check_abs(exponent_of(&f, 2), -1, 0.01);
	check_rel(f.coefficient, 0.25, 0.02);
}

TEST(terms_are_as_many_as_allowed_the_strongest_first)
{
	struct power_formula f;

	fill(known_law);
	f = fit(1);
	assert_int_equal(f.n_terms, 1);
	assert_int_equal(f.term[0].column, 0);
	f = fit(0);
	assert_int_equal(f.n_terms, 0);
	check_abs(f.min, f.coefficient, 0);
	check_abs(f.max, f.coefficient, 0);
}

static double noise_only(const double *x)
{
	uint64_t seed = (uint64_t)(x[0] * 1e4 + x[1] * 1e2 + x[2]);

	uniform_draw(&seed, 0, 1);
	return uniform_draw(&seed, -0.1, 0.1);
}

TEST(noise_gets_no_terms)
{
	fill(noise_only);
	assert_int_equal(fit(3).n_terms, 0);
}

/* Column 1 is twice column 0: one of them says all. */
TEST(a_copy_in_all_but_name_is_not_taken_too)
{
	struct power_formula f;

	fill(known_law);
	for (size_t i = 0; i < N; i++) {
		table.x[i][1] = 2 * table.x[i][0];
		table.log_x[N + i] = log(table.x[i][1]);
	}
	f = fit(3);
	assert_int_equal(f.n_terms, 2);
	check_abs(exponent_of(&f, 0) + exponent_of(&f, 1), 1.5, 0);
}

/* 1000000 and 1000001 differ by a millionth: a power law through them would be absurd. */
TEST(a_column_that_hardly_varies_gets_no_steep_power)
{
	struct power_formula f;

	fill(known_law);
	for (size_t i = 0; i < N; i++) {
		table.log_x[N + i] = log(1e6 + (double)(i % 2));
		table.y[i] = i % 2 ? 1 : 0;
	}
	f = fit(3);
	check_abs(exponent_of(&f, 1), 0, 0);
	assert_true(isfinite(f.coefficient));
}

TEST(beyond_what_was_seen_it_stays_at_the_end)
{
	const double far[FACTORS] = {1e9, 1, 1}, near_zero[FACTORS] = {1, 1, 1e9};
	struct power_formula f;

	fill(known_law);
	f = fit(3);
	check_abs(power_formula_log(&f, far), log(f.max), 0);
	check_abs(power_formula_log(&f, near_zero), log(f.min), 0);
}

TEST(a_missing_or_negative_column_gives_no_value)
{
	const double missing[FACTORS] = {NAN, 1, 1}, negative[FACTORS] = {1, 1, -2};
	struct power_formula f;

	fill(known_law);
	f = fit(3);
	assert_true(isnan(power_formula_log(&f, missing)));
	assert_true(isnan(power_formula_log(&f, negative)));
}

TEST(a_column_that_is_missing_somewhere_does_not_enter)
{
	fill(known_law);
	table.log_x[2 * N + 5] = NAN;
	assert_int_equal(fit(3).n_terms, 1);
}

/* Three significant digits: times 10^k it is a whole number below 1000, for some k. */
static void check_short(double x)
{
	char text[40];

	snprintf(text, sizeof text, "%.2e", x);
	check_abs(strtod(text, NULL), x, 0);
}

static double awkward_law(const double *x)
{
	return log(1.23456789e-7) + 0.987654321 * log(x[0]) + 1.0 / 3 * log(x[1]);
}

TEST(its_numbers_are_as_short_as_they_are_printed)
{
	struct power_formula f;

	fill(awkward_law);
	f = fit(3);
	check_short(f.coefficient);
	check_short(f.min);
	check_short(f.max);
	assert_int_equal(f.n_terms, 2);
	check_abs(exponent_of(&f, 0), 0.988, 0);
	check_abs(exponent_of(&f, 1), 0.333, 0);
}
