#include "tests/support/check.h"

#include <time.h>

#include "base/wall_clock.h"

/* Central Europe, spelt out so that no time zone files are needed: summer time begins on the last
 * Sunday of March at 2:00 and ends on the last Sunday of October at 3:00, in 2026 on 29 March and
 * on 25 October. Expected seconds: `TZ=UTC date -d ... +%s`. */
static const char central_europe[] = "CET-1CEST,M3.5.0,M10.5.0/3";
enum { HOUR = 3600, DAY = 24 * HOUR };
static const int64_t nov_21_utc_s = 1795219200; /* 2026-11-21T00:00:00Z */
static const int64_t mar_29_utc_s = 1774742400; /* 2026-03-29T00:00:00Z */
static const int64_t oct_25_utc_s = 1792886400; /* 2026-10-25T00:00:00Z */

static void use_zone(const char *zone)
{
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
}

static int set_up(void **state)
{
	use_zone(central_europe);
	return 0;
}

static void check_at(const char *text, int64_t now_s, int64_t want_s)
{
	int64_t got_s = 0;

	must(wall_clock_parse(text, now_s, &got_s, &err));
	assert_int_equal(got_s, want_s);
}

static void check_refused(const char *text, int64_t now_s, const char *because)
{
	int64_t got_s = 77;

	must_fail(wall_clock_parse(text, now_s, &got_s, &err), ERR_ARG, because);
	assert_int_equal(got_s, 77);
}

TEST(a_time_of_day_is_the_next_one)
{
	int64_t noon_s = nov_21_utc_s + 11 * HOUR; /* 12:00 CET */

	check_at("18:00", noon_s, nov_21_utc_s + 17 * HOUR);
	check_at("12:01", noon_s, noon_s + 60);
	check_at("12:00", noon_s, noon_s + DAY);
	check_at("07:30", noon_s, nov_21_utc_s + DAY + 6 * HOUR + 1800);
	check_at("7:30", noon_s, nov_21_utc_s + DAY + 6 * HOUR + 1800);
	check_at("00:00", noon_s, nov_21_utc_s + 23 * HOUR);
	/* On the last day of the year tomorrow is in the next one: 2026-12-31 is 40 days on. */
	check_at("07:30", noon_s + 40 * DAY, nov_21_utc_s + 41 * DAY + 6 * HOUR + 1800);
}

TEST(a_date_and_time_is_local)
{
	check_at("2026-11-22T07:30", 0, nov_21_utc_s + DAY + 6 * HOUR + 1800);
	check_at("2026-11-22T07:30:15", 0, nov_21_utc_s + DAY + 6 * HOUR + 1815);
	check_at("2026-03-29T12:00", 0, mar_29_utc_s + 10 * HOUR); /* summer */
	use_zone("UTC0");
	check_at("2026-11-21T00:00", 0, nov_21_utc_s);
	use_zone(central_europe);
}

TEST(tomorrow_may_be_23_or_25_hours_long)
{
	int64_t before_spring_s = mar_29_utc_s - 11 * HOUR; /* 28 March, 14:00 CET */
	int64_t before_autumn_s = oct_25_utc_s - 12 * HOUR; /* 24 October, 14:00 CEST */

	check_at("13:00", before_spring_s, before_spring_s + 22 * HOUR);
	check_at("13:00", before_autumn_s, before_autumn_s + 24 * HOUR);
}

TEST(a_time_that_clocks_leave_out_is_refused)
{
	check_refused("2026-03-29T02:30", 0, "clocks are put forward");
	check_refused("02:30", mar_29_utc_s, "clocks are put forward"); /* asked at 01:00 */
	check_at("02:30", mar_29_utc_s + 10 * HOUR, mar_29_utc_s + DAY + 1800);
}

TEST(a_time_that_clocks_repeat_is_the_first_to_come)
{
	int64_t first_s = oct_25_utc_s + 1800, second_s = first_s + HOUR; /* 02:30 twice */

	check_at("02:30", oct_25_utc_s - HOUR, first_s);
	check_at("2026-10-25T02:30", oct_25_utc_s - HOUR, first_s);
	check_at("2026-10-25T02:30", first_s, second_s);
	check_at("02:30", oct_25_utc_s + HOUR + 600, second_s); /* asked at 02:10, the second */
}

TEST(what_is_no_time_says_what_would_be)
{
	static const char *const bad[] = {
		"",
		"18",
		"6pm",
		"7:3",
		"1h",
		"18:00:00",
		"18.00",
		"tomorrow 07:30",
		"18:0",
		"2026-11-22",
		"2026-11-22 07:30",
		"2026-11-22T07:30Z",
		"18:000",
		"22.11.2026 07:30",
		"+8:00",
		"2026-11-22T07:30+01:00",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		check_refused(bad[i], nov_21_utc_s, "write 18:00, or 2026-11-22T07:30");
	check_refused("24:00", nov_21_utc_s, "from 00:00 to 23:59");
	check_refused("18:60", nov_21_utc_s, "from 00:00 to 23:59");
	check_refused("2026-11-22T07:30:60", nov_21_utc_s, "from 00:00 to 23:59");
	check_refused("2026-02-29T10:00", nov_21_utc_s, "there is no such day");
	check_refused("2026-13-01T10:00", nov_21_utc_s, "there is no such day");
	check_refused("2026-00-10T10:00", nov_21_utc_s, "there is no such day");
}

TEST(a_point_of_time_is_shown_with_its_offset)
{
	char text[WALL_CLOCK_SIZE];

	assert_string_equal(wall_clock_format(nov_21_utc_s, text), "2026-11-21T01:00:00+01:00");
	assert_string_equal(wall_clock_format(mar_29_utc_s + 10 * HOUR, text),
			    "2026-03-29T12:00:00+02:00");
	use_zone("NST3:30");
	assert_string_equal(wall_clock_format(nov_21_utc_s, text), "2026-11-20T20:30:00-03:30");
	use_zone(central_europe);
	assert_non_null(strstr(wall_clock_format(INT64_MAX, text), " s after 1970"));
}

/* A leap day, the last second of a year, a day of a year divisible by 100 and not by 400:
 * `date -u -d ... +%s`. */
TEST(utc_reads_back)
{
	static const struct {
		const char *text;
		int64_t at_s;
	} point[] = {
		{"1970-01-01T00:00:00Z", 0},	      {"2026-11-21T00:00:00Z", 1795219200},
		{"2024-02-29T23:59:59Z", 1709251199}, {"2027-12-31T23:59:59Z", 1830297599},
		{"2100-03-01T00:00:00Z", 4107542400}, {"1969-12-31T23:59:58Z", -2},
	};
	char text[WALL_CLOCK_SIZE];

	for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
		int64_t at_s = 77;

		assert_true(wall_clock_read_utc(point[i].text, &at_s));
		assert_int_equal(at_s, point[i].at_s);
		assert_string_equal(wall_clock_put_utc(at_s, text), point[i].text);
	}
	assert_null(wall_clock_put_utc(INT64_MAX, text));
}

TEST(what_is_no_utc_is_not_read)
{
	static const char *const bad[] = {
		"",
		"2026-11-21",
		"2026-11-21T00:00:00",
		"2026-11-21T00:00:00Zx",
		"2026-11-21 00:00:00Z",
		"2026-04-31T00:00:00Z",
		"2100-02-29T00:00:00Z",
		"2026-00-01T00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-11-21T24:00:00Z",
		"2026-11-21T07:60:00Z",
		"2026-11-21T7:30:00Z",
	};
	int64_t at_s = 77;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(wall_clock_read_utc(bad[i], &at_s));
	assert_int_equal(at_s, 77);
}

TEST_GROUP(set_up, NULL)
