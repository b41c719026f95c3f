#include "tests/support/check.h"

#include "ingest/cell_number.h"

TEST(numbers_are_the_nearest_doubles)
{
	/* Second method: strtod() in the C locale, over texts of every length and place of the
	 * point. */
	uint64_t seed = 1;
	char text[64];

	for (int i = 0; i < 200000; i++) {
		double got;
		int digits;
		int point;
		size_t n = 0;

		seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
		digits = 1 + (int)(seed >> 33) % 22;
		point = (int)(seed >> 40) % (digits + 1);
		if (seed >> 63)
			text[n++] = '-';
		for (int k = 0; k < digits; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			if (k == point && k > 0)
				text[n++] = '.';
			text[n++] = (char)('0' + (seed >> 60) % 10);
		}
		text[n] = '\0';
		assert_int_equal(cell_number(text, &got), NUMBER_OK);
		if (got != strtod(text, NULL))
			print_error("%s gave %.17g\n", text, got);
		assert_true(got == strtod(text, NULL));
	}
}

static enum number_fault cell_integer(const char *text, double *out)
{
	return cell_integer_in(number_style_plain, text, out);
}

TEST(whole_numbers_are_exact_or_refused)
{
	double x;

	assert_int_equal(cell_integer("9007199254740992", &x), NUMBER_OK); /* 2^53 */
	check_abs(x, 9007199254740992.0, 0);
	assert_int_equal(cell_integer("-7", &x), NUMBER_OK);
	check_abs(x, -7, 0);
	assert_int_equal(cell_integer("+007", &x), NUMBER_OK);
	check_abs(x, 7, 0);
	assert_int_equal(cell_integer("9007199254740993", &x), NUMBER_TOO_LARGE);
	assert_int_equal(cell_integer("18446744073709551617", &x), NUMBER_TOO_LARGE); /* 2^64 + 1 */
	assert_int_equal(cell_integer("9007199254740993.0", &x), NUMBER_TOO_LARGE);
	assert_int_equal(cell_integer("10.5", &x), NUMBER_NOT_WHOLE);
	assert_int_equal(cell_integer("64.00000000000000000001", &x), NUMBER_NOT_WHOLE);
	assert_int_equal(cell_integer("15e-1", &x), NUMBER_NOT_WHOLE);
	assert_int_equal(cell_integer("1,000", &x), NUMBER_COMMA);
	assert_int_equal(cell_integer("", &x), NUMBER_EMPTY);
	assert_int_equal(cell_integer("-", &x), NUMBER_NOT_A_NUMBER);
	assert_int_equal(cell_integer("12a", &x), NUMBER_NOT_A_NUMBER);
}

TEST(whole_numbers_may_be_written_as_reals)
{
	static const struct {
		const char *text;
		double number;
	} whole[] = {{"64.0", 64},     {"-64.000", -64}, {"64.", 64},	    {"1e3", 1000},
		     {"1.5e1", 15},    {"150e-1", 15},	 {"1 000.0", 1000}, {"0.0", 0},
		     {"0.64D+02", 64}, {"1.5d1", 15}};
	double x;

	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
		if (cell_integer(whole[i].text, &x) != NUMBER_OK)
			print_error("'%s'\n", whole[i].text);
		assert_int_equal(cell_integer(whole[i].text, &x), NUMBER_OK);
		check_abs(x, whole[i].number, 0);
	}
}

TEST(marks_between_thousands_are_taken_where_they_can_mean_nothing_else)
{
	static const struct {
		const char *text;
		char decimal;
		bool grouped;
		double number;
	} good[] = {
		{"1 234", '.', false, 1234},
		{"1'234'567.5", '.', false, 1234567.5},
		{"1_000_000", '.', false, 1000000},
		{"1\xc2\xa0"
		 "234,5",
		 ',', false, 1234.5},
		{"1\xe2\x80\xaf"
		 "234",
		 '.', false, 1234},
		{"1,234.5", '.', true, 1234.5},
		{"-1.234,5", ',', true, -1234.5},
		{"12,5", ',', false, 12.5},
		{"1,5e3", ',', false, 1500},
		{"20.000", '.', true, 20},
		{"20.000", ',', true, 20000},
		{"0,125", ',', true, 0.125},
	};
	static const struct {
		const char *text;
		char decimal;
		bool grouped;
	} bad[] = {{"12.5", ',', true},	     {"1,2,3", '.', true},  {"1234,567", '.', true},
		   {"1,234 567", '.', true}, {"0,234", '.', true},  {",5", ',', true},
		   {"1.234.56", ',', true},  {"12 34", '.', false}, {"20.000", ',', false}};
	double x;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct number_style style = {good[i].decimal, good[i].grouped};

		if (cell_number_in(style, good[i].text, &x) != NUMBER_OK)
			print_error("'%s'\n", good[i].text);
		assert_int_equal(cell_number_in(style, good[i].text, &x), NUMBER_OK);
		check_abs(x, good[i].number, 0);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct number_style style = {bad[i].decimal, bad[i].grouped};

		if (cell_number_in(style, bad[i].text, &x) == NUMBER_OK)
			print_error("'%s'\n", bad[i].text);
		assert_int_not_equal(cell_number_in(style, bad[i].text, &x), NUMBER_OK);
	}
}

TEST(a_cell_tells_what_its_table_may_mean)
{
	assert_int_equal(cell_number_evidence("1234", false), EVIDENCE_NONE);
	assert_int_equal(cell_number_evidence("gcc 12.5", false), EVIDENCE_NONE);
	assert_int_equal(cell_number_evidence("12.5", false), EVIDENCE_POINT);
	assert_int_equal(cell_number_evidence("0.125", false), EVIDENCE_POINT);
	assert_int_equal(cell_number_evidence("12,5", false), EVIDENCE_COMMA);
	assert_int_equal(cell_number_evidence("1,234.5", false), EVIDENCE_POINT_GROUPED);
	assert_int_equal(cell_number_evidence("1,234,567", false), EVIDENCE_POINT_GROUPED);
	assert_int_equal(cell_number_evidence("1.234,5", false), EVIDENCE_COMMA_GROUPED);
	assert_int_equal(cell_number_evidence("1.234.567", false), EVIDENCE_COMMA_GROUPED);
	assert_int_equal(cell_number_evidence("20.000", false), EVIDENCE_EITHER_DOT);
	assert_int_equal(cell_number_evidence("20.000", true), EVIDENCE_EITHER_DOT);
	assert_int_equal(cell_number_evidence("1,234", false), EVIDENCE_EITHER_COMMA);
	assert_int_equal(cell_number_evidence("1,234", true), EVIDENCE_POINT_GROUPED);
	assert_int_equal(cell_number_evidence("64,0", true), EVIDENCE_COMMA);
}

TEST(what_is_no_number_is_told_apart)
{
	static const struct {
		const char *text;
		enum number_fault fault;
	} bad[] = {
		{"", NUMBER_EMPTY},
		{"1,234", NUMBER_COMMA},
		{"1,5", NUMBER_COMMA},
		{"1.234,5", NUMBER_COMMA},
		{"1.234.567", NUMBER_POINTS},
		{"12 34", NUMBER_SEPARATOR},
		{"1'23", NUMBER_SEPARATOR},
		{"1_2345", NUMBER_SEPARATOR},
		{"nan", NUMBER_NOT_FINITE},
		{"-NaN", NUMBER_NOT_FINITE},
		{"Inf", NUMBER_NOT_FINITE},
		{"-infinity", NUMBER_NOT_FINITE},
		{"1e999", NUMBER_TOO_LARGE},
		{"-1e999", NUMBER_TOO_LARGE},
		{"1.D999", NUMBER_TOO_LARGE},
		{"1d12", NUMBER_NOT_A_NUMBER},
		{"1.5d", NUMBER_NOT_A_NUMBER},
		{"0x10", NUMBER_NOT_A_NUMBER},
		{"1.2.3", NUMBER_NOT_A_NUMBER},
		{"1e", NUMBER_NOT_A_NUMBER},
		{"1e5e5", NUMBER_NOT_A_NUMBER},
		{".", NUMBER_NOT_A_NUMBER},
		{"--1", NUMBER_NOT_A_NUMBER},
		{"1:30:00", NUMBER_NOT_A_NUMBER},
		{"12 s", NUMBER_NOT_A_NUMBER},
	};
	double x = 77;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (cell_number(bad[i].text, &x) != bad[i].fault)
			print_error("'%s'\n", bad[i].text);
		assert_int_equal(cell_number(bad[i].text, &x), bad[i].fault);
	}
	check_abs(x, 77, 0); /* untouched */
}

TEST(a_fault_is_explained_with_what_would_be_right)
{
	RELEASED(strbuf) s = STRBUF_INIT;
	char long_text[200];

	number_fault_explain(NUMBER_COMMA, "1,234", &s);
	assert_string_equal(s.buf, "'1,234' has a comma: between thousands, or for the decimal "
				   "point? Write numbers without the one and with the other");
	strbuf_clear(&s);
	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	number_fault_explain(NUMBER_NOT_A_NUMBER, long_text, &s);
	assert_true(s.len < 100); /* a cell may hold a megabyte */
}

TEST(times_of_schedulers_are_seconds)
{
	static const struct {
		const char *text;
		enum clock_form form;
		double seconds;
	} good[] = {
		{"00:01:40", CLOCK_ANY, 100},	     {"36:00:00", CLOCK_ANY, 129600},
		{"1-02:03:04", CLOCK_ANY, 93784}, /* 86400 + 2 * 3600 + 3 * 60 + 4 */
		{"1-02:03", CLOCK_ANY, 93780},	     {"02:03.456", CLOCK_ANY, 123.456},
		{"00:00:07.5", CLOCK_ANY, 7.5},	     {"02:03", CLOCK_HMS, 123},
		{"02:03", CLOCK_HM, 7380},	     {"90:00", CLOCK_HMS, 5400},
		{"0 days 00:01:40", CLOCK_ANY, 100}, {"2 days, 0:00:01", CLOCK_ANY, 172801},
		{"1m40.5s", CLOCK_ANY, 100.5},	     {"1h2m3s", CLOCK_ANY, 3723},
		{"12.5s", CLOCK_ANY, 12.5},	     {"90m1s", CLOCK_ANY, 5401},
		{"350ms", CLOCK_ANY, 0.35},	     {"350 ms", CLOCK_HMS, 0.35},
		{"1.2 s", CLOCK_ANY, 1.2},	     {"1.2e-3 s", CLOCK_ANY, 0.0012},
		{"3m20s", CLOCK_ANY, 200},	     {"2 hours 5 min", CLOCK_ANY, 7500},
		{"1h30m", CLOCK_ANY, 5400},	     {"1.5 h", CLOCK_ANY, 5400},
		{"90 Minutes", CLOCK_ANY, 5400},     {"12 \xc2\xb5s", CLOCK_ANY, 1.2e-5},
		{"1 min 0.5 s", CLOCK_ANY, 60.5},    {"1d2h", CLOCK_ANY, 93600},
	};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		double seconds = 77;

		if (cell_clock(good[i].text, good[i].form, '.', &seconds) != CLOCK_OK)
			print_error("'%s'\n", good[i].text);
		assert_int_equal(cell_clock(good[i].text, good[i].form, '.', &seconds), CLOCK_OK);
		check_rel(seconds, good[i].seconds, 1e-15);
	}
}

TEST(fractions_have_the_mark_of_the_table)
{
	double seconds = 77;

	assert_int_equal(cell_clock("02:03,456", CLOCK_ANY, ',', &seconds), CLOCK_OK);
	check_rel(seconds, 123.456, 1e-15);
	assert_int_equal(cell_clock("02:03,456", CLOCK_ANY, '.', &seconds), CLOCK_NONE);
	check_rel(seconds, 123.456, 1e-15); /* untouched */
	assert_int_equal(cell_clock("1,5 s", CLOCK_ANY, ',', &seconds), CLOCK_OK);
	check_rel(seconds, 1.5, 1e-15);
}

TEST(what_is_no_time_is_told_apart)
{
	static const struct {
		const char *text;
		enum clock_fault fault;
	} bad[] = {
		{"02:03", CLOCK_TWO_WAYS},
		{"00:99:00", CLOCK_OUT_OF_RANGE},
		{"00:00:60", CLOCK_OUT_OF_RANGE},
		{"1-24:00:00", CLOCK_OUT_OF_RANGE},
		{"", CLOCK_NONE},
		{"100", CLOCK_NONE},
		{"1-02", CLOCK_NONE},
		{"1:2:3:4", CLOCK_NONE},
		{"1:", CLOCK_NONE},
		{":01:40", CLOCK_NONE},
		{"-1:00:00", CLOCK_NONE},
		{"1:00.5:00", CLOCK_NONE},
		{"5m", CLOCK_NONE}, /* minutes? metres? */
		{"1s2m", CLOCK_NONE},
		{"1.5m10s", CLOCK_NONE},
		{"1h 90min", CLOCK_NONE},
		{"3 KiB", CLOCK_NONE},
		{"350 ms ms", CLOCK_NONE},
		{"1,5 s", CLOCK_NONE},
		{"12 s/step", CLOCK_NONE},
		{"12:00:00x", CLOCK_NONE},
		{"9999999999:00:00", CLOCK_NONE},
		{"UNLIMITED", CLOCK_NONE},
		{"2026-11-22T10:00:00", CLOCK_NONE},
		{"00000000000000000000000000000000000000000000000:1:1", CLOCK_NONE},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		double seconds = 77;

		if (cell_clock(bad[i].text, CLOCK_ANY, '.', &seconds) != bad[i].fault)
			print_error("'%s'\n", bad[i].text);
		assert_int_equal(cell_clock(bad[i].text, CLOCK_ANY, '.', &seconds), bad[i].fault);
		check_abs(seconds, 77, 0);
	}
}

/* "280|280|255"; "" where the cell is no sizes. */
static void put_sizes(const char *text, char *out)
{
	struct cell_size size[CELL_SIZES_MAX];
	const size_t n = cell_sizes(text, size);

	*out = '\0';
	for (size_t i = 0; i < n; i++)
		sprintf(out + strlen(out), "%s%.*s", i ? "|" : "", (int)size[i].len, size[i].text);
}

TEST(sizes_in_a_cell_are_told_apart)
{
	static const char *const cell[][2] = {
		{"280x280x255", "280|280|255"},
		{"4X8", "4|8"},
		{"4 * 8", "4|8"},
		{"32\xc3\x97"
		 "32",
		 "32|32"},
		{"2.5x0.5", "2.5|0.5"},
		{"2,5 x 10", "2,5|10"},
		{"512^3", "512|512|512"},
		{"16x16x16x32", "16|16|16|32"},
		{"", ""},
		{"512", ""},
		{"512^1", ""},
		{"512^5", ""},
		{"512^33", ""},
		{"2x", ""},
		{"x2", ""},
		{"2xx2", ""},
		{"2x2 cells", ""},
		{"1x2x3x4x5", ""},
		{"0x10", ""}, /* a number of base 16 */
		{"4x0", ""},
		{"-1x2", ""},
		{"4xA100", ""},
		{"1.x2", ""},
	};
	char got[64];

	for (size_t i = 0; i < sizeof cell / sizeof cell[0]; i++) {
		put_sizes(cell[i][0], got);
		assert_string_equal(got, cell[i][1]);
	}
}
