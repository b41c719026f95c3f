
#include "tests/support/shared_runs.h"
#include "mining/training/holdout.h"
#include "tests/unit/mining/qr_runs.h"

FREEABLE(config_table)

static struct config_table *table; /* of the design */

static int set_up(void **state)
{
	app = qr_application();
	runs = qr_runs(app, qr_power_law, 0);
	must(config_table_make(runs, &table, &err));
	return 0;
}

static int tear_down(void **state)
{
	config_table_free(table);
	return free_runs(state);
}

static double value(const struct config_table *t, size_t i, const char *column)
{
	return config_table_row(t, i)[application_column(app, column)];
}

/* Returns whether the fold is possible. */
static int split(enum holdout kind, int fold, unsigned seed, const struct config_table *t,
		 unsigned char *test)
{
	int possible = -1;

	must(holdout_split(kind, fold, seed, t, test, &possible, &err));
	assert_true(possible == 0 || possible == 1);
	return possible;
}

TEST(each_configuration_is_held_out_once)
{
	static const enum holdout random[] = {HOLDOUT_CONFIGS, HOLDOUT_PROBLEMS};

	for (size_t k = 0; k < 2; k++) {
		unsigned char times[QR_DESIGN_N] = {0}, test[QR_DESIGN_N];

		for (int fold = 0; fold < holdout_info[random[k]].n_folds; fold++) {
			split(random[k], fold, 1, table, test);
			for (size_t i = 0; i < table->n; i++) {
				assert_true(test[i] <= 1);
				times[i] = (unsigned char)(times[i] + test[i]);
			}
		}
		for (size_t i = 0; i < table->n; i++)
			assert_int_equal(times[i], 1);
	}
}

/* 162 configurations in 5 folds of 32.4, binomial: the standard deviation is 5.1; four of them. */
TEST(folds_of_configurations_are_of_like_size)
{
	unsigned char test[QR_DESIGN_N];

	for (unsigned seed = 0; seed < 10; seed++) {
		for (int fold = 0; fold < 5; fold++) {
			int n = 0;

			assert_int_equal(split(HOLDOUT_CONFIGS, fold, seed, table, test), 1);
			for (size_t i = 0; i < table->n; i++)
				n += test[i];
			check_abs(n, 32.4, 4 * 5.1);
		}
	}
}

TEST(problems_stay_whole)
{
	unsigned char test[QR_DESIGN_N];

	for (int fold = 0; fold < 5; fold++) {
		split(HOLDOUT_PROBLEMS, fold, 0, table, test);
		for (size_t i = 0; i < table->n; i++) {
			for (size_t k = 0; k < i; k++) {
				if (value(table, i, "m") == value(table, k, "m") &&
				    value(table, i, "n") == value(table, k, "n"))
					assert_int_equal(test[i], test[k]);
			}
		}
	}
}

TEST(a_seed_gives_the_same_folds_and_another_others)
{
	unsigned char a[QR_DESIGN_N], b[QR_DESIGN_N];

	split(HOLDOUT_CONFIGS, 0, 7, table, a);
	split(HOLDOUT_CONFIGS, 0, 7, table, b);
	assert_memory_equal(a, b, sizeof a);
	split(HOLDOUT_CONFIGS, 0, 8, table, b);
	assert_memory_not_equal(a, b, sizeof a);
}

/* A third of the design each has 1, 4 and 16 processors: half of it reaches into the 4. */
TEST(training_has_fewer_processors_than_the_test)
{
	unsigned char test[QR_DESIGN_N];

	assert_int_equal(split(HOLDOUT_MORE_PROCS, 0, 0, table, test), 1);
	for (size_t i = 0; i < table->n; i++)
		assert_int_equal(test[i], value(table, i, "procs") > 4);
}

/* Sizes m n are 2, 2 and 4 powers of two apart and overlap: 18 configurations each of 0.5, 1, 2
 * (two problems), 4, 8 (two), 16 and 32 million, so half of them reach up to 2 and three quarters
 * to 8 million. */
TEST(training_has_smaller_problems_than_the_test)
{
	static const double trained[2] = {4e6, 8e6};
	unsigned char test[QR_DESIGN_N];

	for (int fold = 0; fold < 2; fold++) {
		assert_int_equal(split(HOLDOUT_LARGER_PROBLEMS, fold, 0, table, test), 1);
		for (size_t i = 0; i < table->n; i++)
			assert_int_equal(test[i], value(table, i, "m") * value(table, i, "n") >
							  trained[fold]);
	}
}

/* Nine of ten runs have 16 processors, as campaigns do that aim at large ones: training on half of
 * all runs would leave nothing larger to test on. The second fold would repeat the first. */
TEST(the_largest_count_is_tested_even_if_most_runs_have_it)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	unsigned char test[40];

	for (int b = 1; b <= 40; b++)
		qr_add(d, (struct qr){1000, 1000, b, 0, b <= 4 ? 2 : 16}, b);
	must(config_table_make(d, &t, &err));
	assert_int_equal(split(HOLDOUT_MORE_PROCS, 0, 0, t, test), 1);
	for (size_t i = 0; i < 40; i++)
		assert_int_equal(test[i], i >= 4);
	assert_int_equal(split(HOLDOUT_MORE_PROCS, 1, 0, t, test), 0);
}

/* One problem on one processor: only configurations can be held out. */
TEST(what_does_not_vary_cannot_be_held_out)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	unsigned char test[40];

	for (int b = 1; b <= 40; b++)
		qr_add(d, (struct qr){1000, 1000, b, 0, 1}, b);
	must(config_table_make(d, &t, &err));
	for (int fold = 0; fold < 5; fold++) {
		assert_int_equal(split(HOLDOUT_CONFIGS, fold, 0, t, test), 1);
		assert_int_equal(split(HOLDOUT_PROBLEMS, fold, 0, t, test), 0);
	}
	for (int fold = 0; fold < 2; fold++) {
		assert_int_equal(split(HOLDOUT_MORE_PROCS, fold, 0, t, test), 0);
		assert_int_equal(split(HOLDOUT_LARGER_PROBLEMS, fold, 0, t, test), 0);
	}
}

static struct level_columns two = {
	2,
	{{.column = 3, .n = 6, .value = {1, 2, 4, 8, 16, 32}},
	 {.column = 1, .n = 5, .value = {10, 20, 30, 40, 50}}},
};

TEST(a_value_between_levels_is_new)
{
	double row[4] = {0, 20, 0, 4};

	assert_int_equal(level_columns_newness(&two, row), 0);
	row[3] = 5;
	assert_int_equal(level_columns_newness(&two, row), 1);
	row[1] = 49;
	assert_int_equal(level_columns_newness(&two, row), 2);
	/* beyond all levels is another matter, and what is missing may be any */
	row[3] = 64;
	row[1] = NAN;
	assert_int_equal(level_columns_newness(&two, row), 0);
}

TEST(folds_take_inner_levels_of_both_columns)
{
	struct level_fold f[LEVEL_FOLDS];
	const size_t n = level_folds_make(&two, f);

	assert_int_equal(n, LEVEL_FOLDS);
	for (size_t k = 0; k < n; k++) {
		double row[4] = {0, f[k].value[1], 0, f[k].value[0]};

		assert_int_equal(f[k].column[0], 3);
		assert_int_equal(f[k].column[1], 1);
		assert_true(f[k].value[0] > 1 && f[k].value[0] < 32);
		assert_true(f[k].value[1] > 10 && f[k].value[1] < 50);
		for (size_t l = 0; l < k; l++)
			assert_true(f[k].value[0] != f[l].value[0] ||
				    f[k].value[1] != f[l].value[1]);
		assert_int_equal(level_fold_takes(&f[k], row), 2);
		row[3] = 1;
		assert_int_equal(level_fold_takes(&f[k], row), 1);
		row[1] = 10;
		assert_int_equal(level_fold_takes(&f[k], row), 0);
	}
}

TEST(one_column_has_folds_of_one_level)
{
	struct level_columns one = two;
	struct level_fold f[LEVEL_FOLDS];

	one.n = 1;
	assert_int_equal(level_folds_make(&one, f), 4);
	for (int k = 0; k < 4; k++) {
		assert_int_equal(f[k].column[1], SIZE_MAX);
		check_abs(f[k].value[0], two.item[0].value[1 + k], 0);
	}
	one.n = 0;
	assert_int_equal(level_folds_make(&one, f), 0);
}

/* n_columns of the application: m has 5 values, in no order, n 49, and a tunable is no problem
 * column. */
TEST(columns_of_a_few_values_have_levels)
{
	FREED(application) *qr = qr_application();
	FREED(dataset) *d = dataset_new(qr);
	FREED(config_table) *t = NULL;
	struct level_columns found;

	for (int i = 0; i < 245; i++) {
		const int n = i / 5;
		struct qr c = {1000 * (1 + i * 3 % 5), 100 * (1 + n), 1 + i % 7, 0, 16};

		qr_add(d, c, 1 + i);
	}
	must(config_table_make(d, &t, &err));
	level_columns_find(t, &found);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.item[0].n, 5);
	for (int i = 0; i < 5; i++)
		check_abs(found.item[0].value[i], 1000 * (1 + i), 0);
}

/* Of three columns with 4, 3 and 3 inner levels there are 12 + 12 + 9 pairs; of each eighth the one
 * in the middle, by hand: pairs 2, 6, 10, 14, 18, 22, 26 and 30, counted by columns, then values.
 */
TEST(folds_are_taken_evenly_of_all_pairs_of_columns)
{
	static const struct level_columns three = {
		3,
		{{.column = 3, .n = 6, .value = {1, 2, 4, 8, 16, 32}},
		 {.column = 1, .n = 5, .value = {10, 20, 30, 40, 50}},
		 {.column = 0, .n = 5, .value = {5, 6, 7, 8, 9}}},
	};
	static const struct level_fold want[LEVEL_FOLDS] = {
		{{3, 1}, {2, 40}}, {{3, 1}, {8, 20}}, {{3, 1}, {16, 30}}, {{3, 0}, {2, 8}},
		{{3, 0}, {8, 6}},  {{3, 0}, {16, 7}}, {{1, 0}, {20, 8}},  {{1, 0}, {40, 6}}};
	struct level_fold f[LEVEL_FOLDS];

	assert_int_equal(level_folds_make(&three, f), LEVEL_FOLDS);
	for (size_t k = 0; k < LEVEL_FOLDS; k++) {
		for (int i = 0; i < 2; i++) {
			assert_int_equal(f[k].column[i], want[k].column[i]);
			check_abs(f[k].value[i], want[k].value[i], 0);
		}
	}
}

/* Every other configuration is held out, with its repeats; a run that failed is of none. */
TEST(training_runs_are_those_of_the_other_configurations)
{
	FREED(dataset) *d = dataset_new(app), *train = NULL;
	FREED(config_table) *t = NULL;
	unsigned char test[10];
	size_t n = 0;

	for (int i = 0; i < 30; i++)
		qr_add_as(d, qr_design(i % 10), 1 + i, i == 7 ? RUN_FAILED : RUN_OK);
	must(config_table_make(d, &t, &err));
	for (size_t i = 0; i < 10; i++)
		test[i] = i % 2;
	must(holdout_training_runs(d, t, test, &train, &err));
	for (size_t i = 0; i < d->n; i++) {
		if (i == 7 || test[t->config_of[i]])
			continue;
		assert_true(n < train->n);
		assert_int_equal(train->run_id[n], d->run_id[i]);
		check_abs(train->wall_s[n++], d->wall_s[i], 0);
	}
	assert_int_equal(train->n, n);
}

TEST_GROUP(set_up, tear_down)
