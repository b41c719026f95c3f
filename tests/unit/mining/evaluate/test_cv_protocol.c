#include "tests/support/shared_runs.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/evaluate/evaluate.h"

FREEABLE(config_table)
FREEABLE(expr)

enum { REPEATS = 3, N_RUNS = REPEATS * QR_DESIGN_N };

/* runs: the design, three times over */
static struct config_table *table;

static int set_up(void **state)
{
	app = qr_application();
	runs = dataset_new(app);
	for (int i = 0; i < N_RUNS; i++) {
		struct qr c = qr_design(i % QR_DESIGN_N);

		qr_add(runs, c, qr_power_law(c));
	}
	must(config_table_make(runs, &table, &err));
	return 0;
}

static int tear_down(void **state)
{
	config_table_free(table);
	return free_runs(state);
}

static bool split(const struct cv_protocol *p, unsigned seed, unsigned char part[N_RUNS])
{
	bool possible = false;

	must(cv_protocol_split(p, 0, seed, runs, table, part, &possible, &err));
	return possible;
}

static size_t count(const unsigned char part[N_RUNS], enum cv_part which)
{
	size_t n = 0;

	for (size_t i = 0; i < N_RUNS; i++)
		n += part[i] == which;
	return n;
}

static struct expr *condition(const char *text)
{
	struct expr *x = NULL;

	must(expr_parse(text, &app->scope, &x, &err));
	return x;
}

static double procs_of(size_t i)
{
	return dataset_row(runs, i)[application_column(app, "procs")];
}

/* Binomial, 486 runs: standard deviation 10.1; four of them. Repeats part: of a configuration all
 * three are on one side with 0.7^3 + 0.3^3 = 37 %. */
TEST(about_three_in_ten_single_runs_are_held_out)
{
	unsigned char part[N_RUNS];
	size_t n_parted = 0;

	assert_true(split(cv_protocol_find("rows"), 1, part));
	check_abs((double)count(part, PART_TEST), 0.3 * N_RUNS, 4 * 10.1);
	assert_int_equal(count(part, PART_TEST) + count(part, PART_TRAIN), N_RUNS);
	for (size_t i = 0; i < QR_DESIGN_N; i++)
		n_parted +=
			part[i] != part[i + QR_DESIGN_N] || part[i] != part[i + 2 * QR_DESIGN_N];
	check_abs((double)n_parted, 0.63 * QR_DESIGN_N, 4 * sqrt(0.63 * 0.37 * QR_DESIGN_N));
}

/* 162 configurations: standard deviation 5.8. */
TEST(about_three_in_ten_configurations_are_held_out_with_all_their_runs)
{
	unsigned char part[N_RUNS];

	assert_true(split(cv_protocol_find("configurations-70/30"), 1, part));
	check_abs((double)count(part, PART_TEST) / REPEATS, 0.3 * QR_DESIGN_N, 4 * 5.8);
	for (size_t i = 0; i < QR_DESIGN_N; i++) {
		assert_int_equal(part[i], part[i + QR_DESIGN_N]);
		assert_int_equal(part[i], part[i + 2 * QR_DESIGN_N]);
	}
}

TEST(the_seed_decides_what_is_held_out_at_random)
{
	static const char *const random[] = {"rows", "configurations-70/30", "configurations"};
	unsigned char a[N_RUNS], b[N_RUNS];

	for (size_t k = 0; k < 3; k++) {
		split(cv_protocol_find(random[k]), 7, a);
		split(cv_protocol_find(random[k]), 7, b);
		assert_memory_equal(a, b, sizeof a);
		split(cv_protocol_find(random[k]), 8, b);
		assert_memory_not_equal(a, b, sizeof a);
	}
}

TEST(a_condition_trains_and_the_others_are_tested)
{
	FREED(expr) *train = condition("procs <= 4");
	struct cv_protocol cut = {.kind = PROTOCOL_CUT, .train = train};
	unsigned char part[N_RUNS];

	assert_int_equal(cv_protocol_folds(&cut), 1);
	assert_true(split(&cut, 1, part));
	for (size_t i = 0; i < N_RUNS; i++)
		assert_int_equal(part[i], procs_of(i) <= 4 ? PART_TRAIN : PART_TEST);
}

TEST(a_second_condition_leaves_runs_on_neither_side)
{
	FREED(expr) *train = condition("procs = 1"), *test = condition("procs <= 4");
	struct cv_protocol cut = {.kind = PROTOCOL_CUT, .train = train, .test = test};
	unsigned char part[N_RUNS];

	assert_true(split(&cut, 1, part));
	for (size_t i = 0; i < N_RUNS; i++)
		assert_int_equal(part[i], procs_of(i) == 1   ? PART_TRAIN
					  : procs_of(i) == 4 ? PART_TEST
							     : PART_NEITHER);
}

TEST(a_condition_that_holds_for_all_or_for_none_is_not_possible)
{
	FREED(expr) *all = condition("procs >= 1"), *none = condition("procs > 16");
	struct cv_protocol cut = {.kind = PROTOCOL_CUT, .train = all};
	unsigned char part[N_RUNS];

	assert_false(split(&cut, 1, part));
	cut.train = none;
	assert_false(split(&cut, 1, part));
}

/* A run whose processors nobody wrote down is neither small nor large. */
TEST(a_missing_value_is_on_neither_side)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	FREED(expr) *train = condition("procs <= 4");
	struct cv_protocol cut = {.kind = PROTOCOL_CUT, .train = train};
	unsigned char part[3];
	bool possible;

	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	qr_add(d, (struct qr){1000, 500, 16, 0, 16}, 3);
	qr_add(d, (struct qr){1000, 500, 16, 0, NAN}, 3);
	must(config_table_make(d, &t, &err));
	must(cv_protocol_split(&cut, 0, 1, d, t, part, &possible, &err));
	assert_true(possible);
	assert_int_equal(part[0], PART_TRAIN);
	assert_int_equal(part[1], PART_TEST);
	assert_int_equal(part[2], PART_NEITHER);
}

/* What hit its limit says "at least": it may teach, but it is no truth to be tested on. */
TEST(a_run_that_hit_its_limit_is_trained_on_but_never_tested)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	FREED(expr) *train = condition("procs <= 4");
	struct cv_protocol cut = {.kind = PROTOCOL_CUT, .train = train};
	unsigned char part[5];
	bool possible;

	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	qr_add(d, (struct qr){1000, 500, 16, 0, 16}, 3);
	qr_add_as(d, (struct qr){1000, 500, 64, 0, 4}, 3, RUN_TIMEOUT);
	qr_add_as(d, (struct qr){1000, 500, 64, 0, 16}, 3, RUN_TIMEOUT);
	qr_add_as(d, (struct qr){1000, 500, 64, 0, 4}, 3, RUN_FAILED);
	must(config_table_make(d, &t, &err));
	must(cv_protocol_split(&cut, 0, 1, d, t, part, &possible, &err));
	assert_int_equal(part[2], PART_TRAIN);
	assert_int_equal(part[3], PART_NEITHER);
	assert_int_equal(part[4], PART_NEITHER);
}

/* The design has 1, 4 and 16 processors, and 16 are held out: a limit hit there would tell of what
 * is to be foretold, one hit on 4 does not. */
TEST(a_limit_that_was_hit_where_is_tested_teaches_nothing)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(config_table) *t = NULL;
	unsigned char part[QR_DESIGN_N + 2];
	bool possible;

	qr_add_as(d, (struct qr){16000, 2000, 999, 0, 4}, 9, RUN_TIMEOUT);
	qr_add_as(d, (struct qr){16000, 2000, 999, 0, 16}, 9, RUN_TIMEOUT);
	must(config_table_make(d, &t, &err));
	must(cv_protocol_split(cv_protocol_find("processors"), 0, 1, d, t, part, &possible, &err));
	assert_true(possible);
	for (size_t i = 0; i < QR_DESIGN_N; i++)
		assert_int_equal(part[i], qr_design((int)i).procs > 4 ? PART_TEST : PART_TRAIN);
	assert_int_equal(part[QR_DESIGN_N], PART_TRAIN);
	assert_int_equal(part[QR_DESIGN_N + 1], PART_NEITHER);
}

/* Six values of m, five of n: a fold takes all runs with a value of either, and trains on none of
 * them. Columns of three values, as in the design, have no levels. */
TEST(levels_are_left_out_as_a_whole)
{
	const struct cv_protocol *p = cv_protocol_find("levels");
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	unsigned char part[N_RUNS];
	bool possible = false;

	assert_int_equal(cv_protocol_folds(p), 8);
	assert_false(split(p, 1, part));
	for (int i = 0; i < 60; i++) {
		const int n = i / 6 % 5, half = i / 30;

		qr_add(d, (struct qr){1000 * (1 + i % 6), 100 * (1 + n), 16, 0, 1 + half}, 1 + i);
	}
	must(config_table_make(d, &t, &err));
	for (int fold = 0; fold < 8; fold++) {
		size_t n_test = 0;

		must(cv_protocol_split(p, fold, 1, d, t, part, &possible, &err));
		assert_true(possible);
		for (int i = 0; i < 60; i++) {
			n_test += part[i] == PART_TEST;
			assert_int_not_equal(part[i], PART_NEITHER);
			/* the least and the largest of both are always known */
			if (i % 6 % 5 == 0 && i / 6 % 5 % 4 == 0)
				assert_int_equal(part[i], PART_TRAIN);
		}
		/* 10 of one value of m, 12 of one of n, 2 of both */
		assert_int_equal(n_test, 20);
	}
}

TEST(a_protocol_knows_its_folds_and_whether_runs_count_one_by_one)
{
	static const struct {
		const char *name;
		int n_folds;
	} row[] = {{"rows", 1},
		   {"configurations-70/30", 1},
		   {"configurations", 5},
		   {"problems", 5},
		   {"levels", LEVEL_FOLDS}};
	const struct cv_protocol cut = {.name = "cut", .kind = PROTOCOL_CUT};

	for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
		const struct cv_protocol *p = cv_protocol_find(row[k].name);

		assert_int_equal(cv_protocol_folds(p), row[k].n_folds);
		assert_int_equal(cv_protocol_tests_single_runs(p), k == 0);
	}
	assert_int_equal(cv_protocol_folds(&cut), 1);
	assert_false(cv_protocol_tests_single_runs(&cut));
}

TEST(every_protocol_is_found_by_its_name_and_no_other)
{
	for (size_t k = 0; k < PROTOCOL_COUNT; k++)
		assert_ptr_equal(cv_protocol_find(cv_protocol_list[k].name), &cv_protocol_list[k]);
	assert_null(cv_protocol_find("tea leaves"));
}

TEST_GROUP(set_up, tear_down)
