#include "tests/support/check.h"
#include <string.h>
#include "base/utf8.h"

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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sequences_are_checked_to_the_letter),
};
CHECK_MAIN(tests)
