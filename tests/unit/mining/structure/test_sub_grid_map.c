#include "tests/support/check.h"

#include "mining/structure/sub_grid_map.h"

static void what_was_added_is_found_and_nothing_else(void **state)
{
	struct sub_grid_map *m = sub_grid_map_new();
	double *added = sub_grid_map_add(m, 8, 16, 3);

	(void)state;
	assert_ptr_equal(sub_grid_map_find(m, 8, 16), added);
	assert_null(sub_grid_map_find(m, 16, 8)); /* 8 x 16 is not 16 x 8 */
	assert_null(sub_grid_map_find(m, 8, 17));
	assert_null(sub_grid_map_find(m, 9, 16));
	sub_grid_map_free(m);
}

static void new_numbers_are_zero(void **state)
{
	struct sub_grid_map *m = sub_grid_map_new();
	const double *number = sub_grid_map_add(m, 1, 1, 5);

	(void)state;
	for (size_t i = 0; i < 5; i++)
		assert_true(number[i] == 0);
	sub_grid_map_free(m);
}

/* 100 x 100 sub-grids are many times what the map has room for at first. */
static void ten_thousand_sub_grids_are_kept_apart(void **state)
{
	struct sub_grid_map *m = sub_grid_map_new();

	(void)state;
	for (int it = 1; it <= 100; it++) {
		for (int jt = 1; jt <= 100; jt++) {
			assert_null(sub_grid_map_find(m, it, jt));
			sub_grid_map_add(m, it, jt, 1)[0] = 1000 * it + jt;
		}
	}
	for (int it = 1; it <= 100; it++) {
		for (int jt = 1; jt <= 100; jt++)
			assert_true(sub_grid_map_find(m, it, jt)[0] == 1000 * it + jt);
	}
	assert_null(sub_grid_map_find(m, 101, 1));
	sub_grid_map_free(m);
}

static void no_map_is_freed_as_well(void **state)
{
	(void)state;
	sub_grid_map_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found_and_nothing_else),
		cmocka_unit_test(new_numbers_are_zero),
		cmocka_unit_test(ten_thousand_sub_grids_are_kept_apart),
		cmocka_unit_test(no_map_is_freed_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
