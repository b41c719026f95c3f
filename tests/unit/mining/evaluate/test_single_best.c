#include "tests/support/check.h"

#include "domain/configuration.h"
#include "mining/evaluate/single_best.h"
#include "tests/support/synthetic_runs.h"

/* Sweep3D on 16 processors: a case is a cube, a setting mk and mmi; two processor grids of a case
 * with the same setting are two configurations. */

static struct synthetic s;
static struct dataset *runs;
static struct single_best found;

static int set_up(void **state)
{
	(void)state;
	if (synthetic_open(&s))
		return -1;
	runs = dataset_new(s.app);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	single_best_release(&found);
	dataset_free(runs);
	synthetic_close(&s);
	return 0;
}

static void add(double cube, double npe_i, double mk, double mmi, double wall_s)
{
	double row[64];
	struct err e = {0};

	synthetic_row(&s, row, cube, npe_i, 16 / npe_i, mk, mmi);
	check_ok(dataset_add(runs, row, wall_s, (int64_t)runs->n + 1, 1, SOURCE_MEASURED, RUN_OK, 1,
			     &e),
		 &e);
}

static void find(void)
{
	struct slowdown_table *t = NULL;
	struct err e = {0};

	check_ok(slowdown_table_make(runs, NULL, &t, &e), &e);
	check_ok(single_best_find(t, &found, &e), &e);
	slowdown_table_free(t);
}

static bool is_found(double mk, double mmi)
{
	double row[64];

	synthetic_row(&s, row, 50, 2, 2, mk, mmi); /* another problem on other processors */
	return single_best_holds(&found, row);
}

/* mk = 10 is 20 % above the best of each cube on either grid, mk = 5 50 % on the one it was run on;
 * the best has another mk for each cube. */
static void grids_of_one_case_count_by_their_mean(void **state)
{
	(void)state;
	for (int cube = 1; cube <= 3; cube++) {
		add(20 * cube, 4, 20 * cube, 1, 10);
		add(20 * cube, 4, 10, 1, 12);
		add(20 * cube, 2, 10, 1, 12);
		add(20 * cube, 4, 5, 1, 15);
	}
	find();
	assert_true(is_found(10, 1));
	assert_false(is_found(5, 1));
	assert_false(is_found(10, 3)); /* both tunables make the setting */
}

/* Mean slow-downs over the cubes: in logs of 2 mk = 5 (1 + 3 + 2) / 3, mk = 10 (2 + 1 + 2) / 3. */
static void the_least_mean_over_the_cases_wins(void **state)
{
	static const double slow_5[] = {2, 8, 4}, slow_10[] = {4, 2, 4};

	(void)state;
	for (int k = 0; k < 3; k++) {
		add(20 * (k + 1), 4, 20 * (k + 1), 1, 10);
		add(20 * (k + 1), 4, 5, 1, 10 * slow_5[k]);
		add(20 * (k + 1), 4, 10, 1, 10 * slow_10[k]);
	}
	find();
	assert_true(is_found(10, 1));
}

/* The fastest of a cube was run in `cases` of 4 cubes. */
static void add_lucky(int cases)
{
	for (int k = 0; k < 4; k++) {
		add(20 * (k + 1), 4, 10, 1, 12);
		add(20 * (k + 1), 4, 5, 1, 15);
		if (k < cases)
			add(20 * (k + 1), 4, 2, 3, 10);
	}
	find();
}

static void a_setting_of_half_of_the_cases_can_win(void **state)
{
	(void)state;
	add_lucky(2);
	assert_true(is_found(2, 3));
}

static void a_setting_of_fewer_cases_cannot(void **state)
{
	(void)state;
	add_lucky(1);
	assert_true(is_found(10, 1));
}

static void without_a_comparison_nothing_is_found_and_nothing_holds(void **state)
{
	(void)state;
	add(20, 4, 10, 1, 12);
	find();
	assert_null(found.row);
	assert_false(is_found(10, 1));
}

static void what_is_missing_in_both_agrees(void **state)
{
	double row[64];
	const size_t mk = application_column(s.app, "mk");

	(void)state;
	for (int cube = 20; cube <= 40; cube += 20) {
		add(cube, 4, NAN, 1, 10);
		add(cube, 4, 5, 1, 15);
	}
	find();
	synthetic_row(&s, row, 50, 2, 2, 5, 1);
	assert_false(single_best_holds(&found, row));
	row[mk] = NAN;
	assert_true(single_best_holds(&found, row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(grids_of_one_case_count_by_their_mean),
		TEST(the_least_mean_over_the_cases_wins),
		TEST(a_setting_of_half_of_the_cases_can_win),
		TEST(a_setting_of_fewer_cases_cannot),
		TEST(without_a_comparison_nothing_is_found_and_nothing_holds),
		TEST(what_is_missing_in_both_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
