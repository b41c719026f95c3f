#include "tests/unit/mining/qr_runs.h"

#include "mining/training/level_folds.h"

static struct level_columns two = {
	2,
	{{.column = 3, .n = 6, .value = {1, 2, 4, 8, 16, 32}},
	 {.column = 1, .n = 5, .value = {10, 20, 30, 40, 50}}},
};

static void a_value_between_levels_is_new(void **state)
{
	double row[4] = {0, 20, 0, 4};

	(void)state;
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

static void folds_take_inner_levels_of_both_columns(void **state)
{
	struct level_fold f[LEVEL_FOLDS];
	const size_t n = level_folds_make(&two, f);

	(void)state;
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

static void one_column_has_folds_of_one_level(void **state)
{
	struct level_columns one = two;
	struct level_fold f[LEVEL_FOLDS];

	(void)state;
	one.n = 1;
	assert_int_equal(level_folds_make(&one, f), 4);
	for (int k = 0; k < 4; k++) {
		assert_int_equal(f[k].column[1], SIZE_MAX);
		check_abs(f[k].value[0], two.item[0].value[1 + k], 0);
	}
	one.n = 0;
	assert_int_equal(level_folds_make(&one, f), 0);
}

/* n_columns of the class: m has 5 values, n 17, and a tunable is no problem column. */
static void columns_of_a_few_values_have_levels(void **state)
{
	struct application *app = qr_class();
	struct dataset *d = dataset_new(app);
	struct config_table *t = NULL;
	struct level_columns found;
	struct err e = {0};

	(void)state;
	for (int i = 0; i < 85; i++) {
		const int n = i / 5;
		struct qr c = {1000 * (1 + i % 5), 100 * (1 + n), 1 + i % 7, 0, 16};

		qr_add(d, c, 1 + i);
	}
	check_ok(config_table_make(d, &t, &e), &e);
	level_columns_find(t, &found);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.item[0].n, 5);
	for (int i = 0; i < 5; i++)
		check_abs(found.item[0].value[i], 1000 * (1 + i), 0);
	config_table_free(t);
	dataset_free(d);
	application_free(app);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_between_levels_is_new),
		cmocka_unit_test(folds_take_inner_levels_of_both_columns),
		cmocka_unit_test(one_column_has_folds_of_one_level),
		cmocka_unit_test(columns_of_a_few_values_have_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
