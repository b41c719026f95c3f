#include "tests/support/check.h"

#include <string.h>

#include "base/text_form.h"

/* Table 3-7 of the Unicode Standard: the first and last of each row, and their neighbours. */
static void sequences_are_checked_to_the_letter(void **state)
{
	static const char *const valid[] = {"",
					    "plain ascii, longer than a word",
					    "\xc2\x80",
					    "\xdf\xbf",
					    "\xe0\xa0\x80",
					    "\xed\x9f\xbf",
					    "\xee\x80\x80",
					    "\xf0\x90\x80\x80",
					    "\xf4\x8f\xbf\xbf"};
	static const char *const invalid[] = {"\x80",
					      "\xc1\xbf",
					      "\xc2",
					      "\xe0\x9f\xbf",
					      "\xed\xa0\x80",
					      "\xf0\x8f\xbf\xbf",
					      "\xf4\x90\x80\x80",
					      "\xf5\x80\x80\x80",
					      "\xe2\x82"};

	(void)state;
	for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
		assert_int_equal(utf8_first_invalid(valid[i], strlen(valid[i])), strlen(valid[i]));
	for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
		assert_int_equal(utf8_first_invalid(invalid[i], strlen(invalid[i])), 0);
	assert_int_equal(utf8_first_invalid("eight by\xff", 9), 8);
}

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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sequences_are_checked_to_the_letter),
	cmocka_unit_test(the_length_does_not_count_the_end),
	cmocka_unit_test(a_text_is_found_whole_and_in_any_case),
};

CHECK_MAIN(tests)
