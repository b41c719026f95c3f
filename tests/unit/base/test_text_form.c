#include "tests/support/check.h"

#include "base/text_form.h"

/* Table 3-7 of the Unicode Standard: the first and last of each row, and their neighbours. */
TEST(sequences_are_checked_to_the_letter)
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

	for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
		assert_int_equal(utf8_first_invalid(valid[i], strlen(valid[i])), strlen(valid[i]));
	for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
		assert_int_equal(utf8_first_invalid(invalid[i], strlen(invalid[i])), 0);
	assert_int_equal(utf8_first_invalid("eight by\xff", 9), 8);
}

static const char *const none[] = {NULL};
static const char *const names[] = {"nodes", "Ppn", "", NULL};

TEST(the_length_does_not_count_the_end)
{
	assert_int_equal(text_list_length(NULL), 0);
	assert_int_equal(text_list_length(none), 0);
	assert_int_equal(text_list_length(names), 3);
}

TEST(a_text_is_found_whole_and_in_any_case)
{
	assert_true(text_list_has(names, "NODES") && text_list_has(names, "ppn"));
	assert_true(text_list_has(names, ""));
	assert_false(text_list_has(names, "node") || text_list_has(names, "nodes "));
	assert_false(text_list_has(none, "") || text_list_has(NULL, "nodes"));
}

TEST(a_word_is_found_whole_and_in_any_case)
{
	const char *at = " nodes  Ppn";
	size_t n;

	assert_true(text_has_word("nodes Ppn", "NODES") && text_has_word("nodes Ppn", "ppn"));
	assert_false(text_has_word("nodes Ppn", "node") || text_has_word("nodes Ppn", "nodes "));
	assert_false(text_has_word("nodes Ppn", "nodes Ppn") || text_has_word("nodes Ppn", ""));
	assert_false(text_has_word("", "") || text_has_word("", "nodes"));
	assert_memory_equal(text_next_word(&at, &n), "nodes", 5);
	assert_int_equal(n, 5);
	assert_string_equal(text_next_word(&at, &n), "Ppn");
	assert_null(text_next_word(&at, &n));
}

/* ---- the shortest text of a number ---- */

/* 53 random bits of Knuth's MMIX generator, as a share of [lo, hi). */
static double uniform(uint64_t *state, double lo, double hi)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return lo + (hi - lo) * ((double)(*state >> 11) / 9007199254740992.0);
}

/* As it was written before there was a faster way. */
static void by_printf(double value, char out[40])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, 40, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			return;
	}
}

static void check_same(double value)
{
	char text[SHORT_REAL_SIZE], want[40];

	assert_true(shortest_double(value, text));
	by_printf(value, want);
	assert_string_equal(text, want);
}

TEST(numbers_of_every_size_read_as_printf_writes_them)
{
	uint64_t seed = 11;

	for (int i = 0; i < 200000; i++) {
		const double value = pow(10, uniform(&seed, -4, 14));
		char few[40];

		if (value >= 1e-4 && value < 1e14)
			check_same(i % 2 ? value : -value);
		/* what people write: a few digits */
		snprintf(few, sizeof few, "%.*g", 1 + i % 16, value);
		if (strtod(few, NULL) >= 1e-4 && strtod(few, NULL) < 1e14)
			check_same(strtod(few, NULL));
	}
}

/* Below a power of 2 the next number is half as far; above 2^52 / 100 there are ties. */
TEST(powers_of_2_and_their_neighbours_do_too)
{
	for (int e = -13; e < 46; e++) {
		const double power = ldexp(1, e);

		check_same(power);
		check_same(nextafter(power, 0));
		check_same(nextafter(power, 1e15));
		for (int k = 1; k < 64; k++)
			check_same(power * (1 + k / 64.0));
	}
	for (int k = 1; k < 2000; k++)
		check_same(ldexp(1, 46) + k / 128.0);
}

TEST(the_ends_are_what_they_should_be)
{
	static const double others[] = {
		0,	   -0.0, 9.9999999999999991e-05, 5e-324, 1e14, 1e15, 1e300, INFINITY,
		-INFINITY, NAN};
	char text[SHORT_REAL_SIZE];

	assert_true(shortest_double(1e-4, text));
	assert_string_equal(text, "0.0001");
	assert_true(shortest_double(-99999999999999.984, text));
	assert_string_equal(text, "-99999999999999.98");
	assert_true(shortest_double(0.1 + 0.2, text));
	assert_string_equal(text, "0.30000000000000004");
	assert_true(shortest_double(3600, text));
	assert_string_equal(text, "3600");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(shortest_double(others[i], text));
}
