#include "tests/support/check.h"

#include "ingest/cell_clock.h"

static void times_of_schedulers_are_seconds(void **state)
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
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		double seconds = 77;

		if (cell_clock(good[i].text, good[i].form, '.', &seconds) != CLOCK_OK)
			print_error("'%s'\n", good[i].text);
		assert_int_equal(cell_clock(good[i].text, good[i].form, '.', &seconds), CLOCK_OK);
		check_rel(seconds, good[i].seconds, 1e-15);
	}
}

static void fractions_have_the_mark_of_the_table(void **state)
{
	double seconds = 77;

	(void)state;
	assert_int_equal(cell_clock("02:03,456", CLOCK_ANY, ',', &seconds), CLOCK_OK);
	check_rel(seconds, 123.456, 1e-15);
	assert_int_equal(cell_clock("02:03,456", CLOCK_ANY, '.', &seconds), CLOCK_NONE);
	check_rel(seconds, 123.456, 1e-15); /* untouched */
}

static void what_is_no_time_is_told_apart(void **state)
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
		{"12:00:00x", CLOCK_NONE},
		{"9999999999:00:00", CLOCK_NONE},
		{"UNLIMITED", CLOCK_NONE},
		{"2026-11-22T10:00:00", CLOCK_NONE},
		{"00000000000000000000000000000000000000000000000:1:1", CLOCK_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		double seconds = 77;

		if (cell_clock(bad[i].text, CLOCK_ANY, '.', &seconds) != bad[i].fault)
			print_error("'%s'\n", bad[i].text);
		assert_int_equal(cell_clock(bad[i].text, CLOCK_ANY, '.', &seconds), bad[i].fault);
		check_abs(seconds, 77, 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(times_of_schedulers_are_seconds),
	cmocka_unit_test(fractions_have_the_mark_of_the_table),
	cmocka_unit_test(what_is_no_time_is_told_apart),
};
CHECK_MAIN(tests)
