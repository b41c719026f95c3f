#include "tests/support/check.h"

#include <locale.h>

#include "base/units.h"

/* The call fails with ARG, leaves *out alone, and its message has `word` in it. */
#define check_refused(call, e, word)                                           \
	do {                                                                   \
		*(e) = (struct err){0};                                        \
		assert_int_equal((call), ERR_ARG);                             \
		if (!strstr((e)->msg, (word)))                                 \
			fail_msg("\"%s\" is not in \"%s\"", (word), (e)->msg); \
	} while (0)

TEST(durations_are_read_as_people_write_them)
{
	static const struct {
		const char *text;
		double want_s;
	} good[] = {
		{"90s", 90},	      {"15m", 900},	  {"1h", 3600},
		{"2d", 172800},	      {"1.5h", 5400},	  {"1h30m", 5400},
		{"1:30:00", 5400},    {"0:00:01", 1},	  {"PT5M", 300},
		{"P1DT2H30M", 95400}, {"PT1.5S", 1.5},	  {"100:00:00", 360000},
		{"90 s", 90},	      {"2d 04h", 187200}, {"1h 30m 5.5s", 5405.5},
		{"250ms", 0.25},      {"90min", 5400},	  {".5h", 1800},
		{"1.d", 86400},	      {"5e6s", 5e6},	  {"1.5e1m", 900},
	};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		double s = -1;

		must(duration_parse(good[i].text, &s, &err));
		check_rel(s, good[i].want_s, 1e-15);
	}
}

TEST(durations_that_could_mean_two_things_are_refused)
{
	double s = 77;

	check_refused(duration_parse("3600", &s, &err), &err, "has no unit: write 3600s");
	check_refused(duration_parse("1.5", &s, &err), &err, "has no unit");
	check_refused(duration_parse("1:30", &s, &err), &err, "write 1h30m for hours and minutes");
	check_refused(duration_parse("1:30", &s, &err), &err, "1m30s for minutes and seconds");
	assert_true(s == 77);
}

TEST(texts_that_are_no_duration_are_refused)
{
	static const char *const bad[] = {
		"",	    " ",   "h",	     "1x",	 "1h30",   "30m1h", "1h1h",
		"1.5h30m",  "1es", "0x10s",  "1:60:00x", ":30:00", "1::00", "1:2:3",
		"1:00:000", "1:",  "1h,30m", "one hour", "1hm",	   "+-1s",  "1..5s",
		"1h 30m x", "1H",  "inf",    "nan",	 "infs",   "+1h",   "a:30:00",
	};
	double s = 77;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		check_refused(duration_parse(bad[i], &s, &err), &err, "1h30m");
	check_refused(duration_parse("1:60:00", &s, &err), &err, "00 to 59");
	check_refused(duration_parse("1:00:99", &s, &err), &err, "00 to 59");
	check_refused(duration_parse("0s", &s, &err), &err, "greater than zero");
	check_refused(duration_parse("0:00:00", &s, &err), &err, "greater than zero");
	check_refused(duration_parse("-1h", &s, &err), &err, "greater than zero");
	assert_true(s == 77);
}

TEST(a_number_of_400_digits_is_refused_not_cut)
{
	char text[512];
	double out = 77;

	memset(text, '9', 400);
	strcpy(text + 400, "s");
	check_refused(duration_parse(text, &out, &err), &err, "too many digits");
	check_refused(size_parse(text, &out, &err), &err, "too many digits");
	text[400] = '\0';
	check_refused(number_parse(text, &out, &err), &err, "too large");
	assert_true(out == 77);
}

TEST(numbers_are_plain_decimals)
{
	double x = 0;

	must(number_parse("0.25", &x, &err));
	assert_true(x == 0.25);
	must(number_parse("-1.5e-3", &x, &err));
	assert_true(x == -1.5e-3);
	must(number_parse("+7.", &x, &err));
	assert_true(x == 7);
	must(number_parse(".5E+2", &x, &err));
	assert_true(x == 50);
	must(number_parse("1e-400", &x, &err)); /* underflows to 0, which is near enough */
	assert_true(x == 0);
}

TEST(what_is_no_plain_number_is_refused_with_the_reason)
{
	static const char *const bad[] = {"x", "1x", " 1",  "1 ",  "0x10",  "inf", "nan", "-",
					  ".", "1e", "1e+", "--1", "1.2.3", "1d",  "1f"};
	double x = 77;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		check_refused(number_parse(bad[i], &x, &err), &err, "is not a number");
	check_refused(number_parse("", &x, &err), &err, "empty");
	check_refused(number_parse("1,000", &x, &err), &err, "thousands separators");
	check_refused(number_parse("1,234,567.5", &x, &err), &err, "thousands separators");
	check_refused(number_parse("1.234.567", &x, &err), &err, "thousands separators");
	check_refused(number_parse("1'000", &x, &err), &err, "thousands separators");
	check_refused(number_parse("1 000", &x, &err), &err, "thousands separators");
	check_refused(number_parse("3,5", &x, &err), &err, "decimal sign is a point");
	check_refused(number_parse("1e999", &x, &err), &err, "too large");
	assert_true(x == 77);
}

TEST(integers_are_exact_and_within_their_range)
{
	int64_t i = 77;

	must(integer_parse("9223372036854775807", INT64_MIN, INT64_MAX, &i, &err));
	assert_true(i == INT64_MAX);
	must(integer_parse("-9223372036854775808", INT64_MIN, INT64_MAX, &i, &err));
	assert_true(i == INT64_MIN);
	must(integer_parse("007", 0, 10, &i, &err));
	assert_true(i == 7);
	check_refused(integer_parse("9223372036854775808", INT64_MIN, INT64_MAX, &i, &err), &err,
		      "outside");
	check_refused(integer_parse("11", 1, 10, &i, &err), &err, "'11' is outside 1..10");
	check_refused(integer_parse("0", 1, 10, &i, &err), &err, "outside 1..10");
	must(integer_parse("1e3", 1, 9999, &i, &err));
	assert_true(i == 1000);
	must(integer_parse("7.0", 1, 9999, &i, &err));
	check_refused(integer_parse("7.5", 1, 9999, &i, &err), &err, "not a whole number");
	check_refused(integer_parse("1e4", 1, 9999, &i, &err), &err, "'1e4' is outside 1..9999");
	check_refused(integer_parse("1e30", 1, 9999, &i, &err), &err, "outside");
	check_refused(integer_parse("1.000", 1, 9999, &i, &err), &err, "thousands");
	check_refused(integer_parse("1,000", 1, 9999, &i, &err), &err, "thousands");
	check_refused(integer_parse("", 1, 9999, &i, &err), &err, "empty");
	check_refused(integer_parse(" 1", 1, 9999, &i, &err), &err, "not a whole number");
	assert_true(i == 7);
}

TEST(units_have_their_scales_and_strangers_have_none)
{
	check_rel(time_unit_s("us"), 1e-6, 1e-15);
	assert_true(time_unit_s("min") == 60 && time_unit_s("d") == 86400);
	assert_true(time_unit_s("m") == 0); /* metres or minutes? */
	assert_true(time_unit_s("") == 0 && time_unit_s("S") == 0);
	assert_true(size_unit_bytes("kB") == 1000 && size_unit_bytes("KiB") == 1024);
	assert_true(size_unit_bytes("kb") == 0);
}

TEST(sizes_take_decimal_and_binary_units)
{
	double b = 0;

	must(size_parse("64 GiB", &b, &err));
	assert_true(b == 68719476736.0); /* 64 * 2^30 */
	must(size_parse("1.5MB", &b, &err));
	assert_true(b == 1500000);
	must(size_parse("4096", &b, &err));
	assert_true(b == 4096);
	check_refused(size_parse("64 G", &b, &err), &err, "GiB");
	check_refused(size_parse("-1 GiB", &b, &err), &err, "not a possible size");
	check_refused(size_parse("GiB", &b, &err), &err, "such as 64 GiB");
	assert_true(b == 4096);
}

TEST(sizes_in_tables_have_units_in_either_case)
{
	static const struct {
		const char *text;
		double bytes; /* < 0: it is none */
	} cell[] = {
		{"64KB", 64e3}, {"64 kb", 64e3}, {"1 MiB", 1048576},   {"4K", 4096},
		{"4k", 4096},	{"2M", 2097152}, {"1.5G", 1610612736}, {"512B", 512},
		{"0 MB", 0},	{"64", -1},	 {"4m", -1},	       {"MB", -1},
		{"-1 MB", -1},	{"", -1},	 {"4 Mx", -1},	       {"4K 2", -1},
	};

	for (size_t i = 0; i < sizeof cell / sizeof cell[0]; i++) {
		double bytes = -1;

		assert_int_equal(size_in_table(cell[i].text, &bytes), cell[i].bytes >= 0);
		assert_true(bytes == cell[i].bytes);
	}
}

TEST(times_are_shown_with_three_digits_or_two_units)
{
	static const struct {
		double s;
		const char *want;
	} shown[] = {
		{0, "0 s"},
		{2.5e-9, "2.50 ns"},
		{54.2e-6, "54.2 us"},
		{999.4e-6, "999 us"},
		{999.6e-6, "1.00 ms"}, /* never 1000 us */
		{0.25, "250 ms"},
		{0.9996, "1.00 s"},
		{3.41, "3.41 s"},
		{59.94, "59.9 s"},
		{59.96, "1m 00s"}, /* never 60.0 s */
		{2810, "46m 50s"},
		{3599.6, "1h 00m"}, /* never 60m 00s */
		{7500, "2h 05m"},
		{86399, "1d 00h"},
		{273600, "3d 04h"},
		{86400 * 1000.0 - 3600, "999d 23h"},
		{86400 * 1000.0, "2y 270d"},
		{86400 * 700000.0, "1917y 295d"},
		{-90, "-1m 30s"},
		{(double)NAN, "unknown"},
		{(double)INFINITY, "forever"},
		{1e300, "> 1e10 d"},
	};
	char buf[32];

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		assert_string_equal(duration_format(shown[i].s, buf, sizeof buf), shown[i].want);
	assert_string_equal(duration_format(2810, buf, 4), "46m"); /* cut, not overrun */
}

TEST(a_time_rounded_up_is_never_short_and_never_a_digit_too_long)
{
	static const struct {
		double s;
		const char *want;
	} shown[] = {
		{3391.2, "56m 32s"}, {3391, "56m 31s"},	 {29.71, "29.8 s"},  {29.7, "29.7 s"},
		{7501, "2h 06m"},    {260000, "3d 01h"}, {0.001, "1.00 ms"}, {59.91, "1m 00s"},
	}; /* 7501 s = 2 h 5 min 1 s; 260000 s = 3 d 0.2 h */
	char buf[32];

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		assert_string_equal(duration_format_up(shown[i].s, buf, sizeof buf), shown[i].want);
}

TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
	char buf[32];
	double x = 0;

	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		skip();
	must(number_parse("0.5", &x, &err));
	assert_true(x == 0.5);
	assert_string_equal(duration_format(3.41, buf, sizeof buf), "3.41 s");
	setlocale(LC_ALL, "C");
}

/* ---- node-hours ---- */

static void check_parsed(const char *text, double want)
{
	double got = 0;

	must(node_hours_parse(text, &got, &err));
	check_rel(got, want, 1e-15);
}

static void check_no_budget(const char *text, const char *because)
{
	double got = 77;

	must_fail(node_hours_parse(text, &got, &err), ERR_ARG, because);
	check_abs(got, 77, 0);
}

TEST(node_hours_are_numbers_with_their_unit)
{
	check_parsed("200nh", 200);
	check_parsed("1.5nh", 1.5);
	check_parsed("0.25 nh", 0.25);
	check_parsed("1e4nh", 1e4);
}

TEST(what_is_no_budget_says_what_would_be)
{
	check_no_budget("200", "'200' has no unit: write 200nh");
	check_no_budget("30m", "'30m' is a time");
	check_no_budget("2h", "'2h' is a time");
	check_no_budget("200NH", "write 200nh or 1.5nh");
	check_no_budget("200ch", "write 200nh or 1.5nh");
	check_no_budget("200 node-hours", "write 200nh or 1.5nh");
	check_no_budget("nh", "write 200nh or 1.5nh");
	check_no_budget(" nh", "write 200nh or 1.5nh");
	check_no_budget("", "write 200nh or 1.5nh");
	check_no_budget("1,000nh", "write 200nh or 1.5nh");
	check_no_budget("0nh", "greater than zero");
	check_no_budget("-3nh", "greater than zero");
	check_no_budget("nannh", "write 200nh or 1.5nh");
	check_no_budget("infnh", "write 200nh or 1.5nh");
	check_no_budget("1e999nh", "write 200nh or 1.5nh");
	check_no_budget("0000000000000000000000000000000000000000000000000000000000000001nh",
			"too many digits");
}

TEST(what_is_shown_is_never_less)
{
	static const struct {
		double node_hours;
		const char *text;
	} shown[] = {
		{310, "310 node-hours"},
		{310.01, "311 node-hours"},
		{12345.2, "12346 node-hours"},
		{5.201, "5.21 node-hours"},
		{0.1 + 0.2, "0.301 node-hours"},
		{99.99, "100.0 node-hours"},
		{1e-9, "0.00000000100 node-hours"},
	};

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		char text[64];

		assert_string_equal(
			hours_format_up(shown[i].node_hours, "node-hours", text, sizeof text),
			shown[i].text);
	}
}
