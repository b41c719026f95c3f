#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/falling_columns.h"

FREEABLE(config_table)

/* 24 runs on 1 to 4 processes: time goes with m^up n^down, and b. every: of n, so many rows of m
 * one after the other have one value; 0: n is 4e6 / m, which says what m says. */
static struct config_table *runs_of(double up, double down, int every)
{
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t = NULL;

	for (int i = 0; i < 24; i++) {
		const double m = 1000 << i % 4;
		struct qr c = {m, every ? 1 + 2 * (i / every % 3) : 4e6 / m, 16 << i % 2, i % 3,
			       1 << i / 8};

		qr_add(d, c, pow(c.m, up) * pow(c.n, down) / c.procs * (1 + 0.02 * sin(7.0 * i)));
	}
	must(config_table_make(d, &t, &err));
	return t;
}

static struct falling_columns found_in(double up, double down, int every)
{
	FREED(config_table) *t = runs_of(up, down, every);
	struct falling_columns found;

	must(falling_columns_find(t, &found, &err));
	return found;
}

TEST(of_a_width_less_is_more_work)
{
	const struct falling_columns found = found_in(1, -3, 4);
	const size_t n = application_column(app, "n"), m = application_column(app, "m");

	assert_int_equal(found.n, 1);
	assert_int_equal(found.column[0], n);
	assert_true(falling_columns_have(&found, n) && !falling_columns_have(&found, m));
	assert_false(falling_columns_have(NULL, n));
	check_rel(falling_columns_size(&found, n, 1, 4), 0.25, 1e-15);
	check_rel(falling_columns_size(&found, m, 1, 4), 4.0, 1e-15);
	check_rel(falling_columns_size(NULL, n, 1, 4), 4.0, 1e-15);
	check_rel(found.exponent[0], 3.0, 0.05);
	check_rel(falling_columns_size(&found, n, 9, 4), pow(4, -found.exponent[0]), 1e-15);
	assert_true(isinf(falling_columns_size(&found, n, 1, 0)));
	assert_true(isnan(falling_columns_size(&found, n, 1, (double)NAN)));
}

TEST(what_grows_with_time_or_plays_no_part_does_not_fall)
{
	assert_int_equal(found_in(1, 2, 4).n, 0);
	assert_int_equal(found_in(1, -0.01, 4).n, 0);
}

/* Procs fall, and are no matter of the problem. */
TEST(columns_that_say_the_same_say_nothing_of_their_own)
{
	assert_int_equal(found_in(1, 0, 0).n, 0);
}

TEST(too_few_runs_say_nothing)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct falling_columns found;

	for (double n = 1; n <= 4; n *= 2)
		qr_add(d, (struct qr){1000, n, 16, 0, 1}, 8 / n);
	must(config_table_make(d, &t, &err));
	must(falling_columns_find(t, &found, &err));
	assert_int_equal(found.n, 0);
}

TEST(want_of_memory_is_an_error)
{
	FREED(config_table) *t = runs_of(1, -3, 4);
	struct falling_columns found;

	failing_each_allocation (falling_columns_find(t, &found, &err), &err)
		;
	assert_int_equal(found.n, 1);
}

TEST_GROUP(qr_set_up, qr_tear_down)
