#include "tests/support/check.h"

#include "domain/configuration.h"
#include "mining/evaluate/model_compare.h"
#include "tests/support/synthetic_runs.h"

enum { N = 64 };
static struct synthetic s;
static double *row[N];
static double error[N];

/* 50^3 cells on 1 x 2, 1 x 4, 1 x 8 and 1 x 16 processors, 16 blockings each. */
static int set_up(void **state)
{
	if (synthetic_open(&s))
		return -1;
	for (int i = 0; i < N; i++) {
		row[i] = calloc(s.app->n_columns, sizeof *row[i]);
		if (!row[i])
			return -1;
		synthetic_row(&s, row[i], 50, 1, 2 << (i / 16), 1 + i % 16, 3);
	}
	return 0;
}

static int tear_down(void **state)
{
	for (int i = 0; i < N; i++)
		free(row[i]);
	synthetic_close(&s);
	return 0;
}

static struct error_region worst_of(size_t n)
{
	struct error_region r = {.by = "untouched"};

	must(error_region_worst(s.app, (const double *const *)row, error, n, &r, &err));
	return r;
}

/* Errors of 1 %, of 30 % on 16 processors. */
TEST(the_range_with_the_largest_errors_is_named)
{
	struct error_region r;

	for (int i = 0; i < N; i++)
		error[i] = i < 48 ? 0.01 : -0.3;
	r = worst_of(N);
	assert_string_equal(r.by, "procs");
	check_rel(r.from, 16.0, 0);
	check_rel(r.to, 16.0, 0);
	assert_int_equal(r.n, 16);
	check_rel(r.median_error, 0.3, 1e-15);
	check_rel(r.bias, -0.3, 1e-15);
}

/* The same on the 4 to 16 planes a block, of every processor count: k_blocks tells it. */
TEST(a_derived_column_can_be_what_fails)
{
	struct error_region r;

	for (int i = 0; i < N; i++)
		error[i] = i % 16 < 12 ? 0.01 : 0.2; /* mk of 13 to 16: 4 k blocks */
	r = worst_of(N);
	assert_string_equal(r.by, "k_blocks");
	check_rel(r.from, 4.0, 0);
	check_rel(r.median_error, 0.2, 1e-15);
}

/* Of 1 to 4 planes a block, a quarter of all: from 13 = 50 / 4, rounded up, to 50 k blocks. */
TEST(a_range_has_both_its_ends)
{
	struct error_region r;

	for (int i = 0; i < N; i++)
		error[i] = i % 16 < 4 ? 0.2 + 0.001 * (i % 16) : 0.01;
	r = worst_of(N);
	assert_string_equal(r.by, "k_blocks");
	check_rel(r.from, 13.0, 0);
	check_rel(r.to, 50.0, 0);
	assert_int_equal(r.n, 16);
	check_rel(r.median_error, 0.2015, 1e-12);
}

TEST(what_has_no_error_is_not_counted)
{
	for (int i = 0; i < N; i++)
		error[i] = i < 48 ? 0.01 : NAN;
	assert_true(worst_of(N).median_error < 0.02);
}

TEST(too_few_errors_name_nothing)
{
	for (int i = 0; i < N; i++)
		error[i] = 0.1;
	assert_null(worst_of(7).by);
	assert_null(worst_of(0).by);
}

TEST_GROUP(set_up, tear_down)
