#include "tests/support/check.h"

#include "base/text_list.h"

static const char *const none[] = {NULL};
static const char *const names[] = {"nodes", "Ppn", "", NULL};

static void the_length_does_not_count_the_end(void **state)
{
	(void)state;
	assert_int_equal(text_list_length(NULL), 0);
	assert_int_equal(text_list_length(none), 0);
	assert_int_equal(text_list_length(names), 3);
}

static void a_text_is_found_whole_and_in_any_case(void **state)
{
	(void)state;
	assert_true(text_list_has(names, "NODES") && text_list_has(names, "ppn"));
	assert_true(text_list_has(names, ""));
	assert_false(text_list_has(names, "node") || text_list_has(names, "nodes "));
	assert_false(text_list_has(none, "") || text_list_has(NULL, "nodes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_length_does_not_count_the_end),
		cmocka_unit_test(a_text_is_found_whole_and_in_any_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
