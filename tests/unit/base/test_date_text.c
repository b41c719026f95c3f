#include "tests/support/check.h"

#include "base/date_text.h"

/* Expected seconds: `date -u -d '2025-03-05 00:00' +%s`. */
static const double mar_5_s = 1741132800;
enum { HOUR = 3600, MINUTE = 60 };

static void check_at_order(const char *text, enum slashed_order order, double want_s)
{
	double got_s = 77;

	if (!date_text_read(text, order, &got_s))
		fail_msg("'%s' is no date", text);
	assert_float_equal(got_s, want_s, 1e-6);
}

static void check_at(const char *text, double want_s)
{
	check_at_order(text, SLASHED_UNKNOWN, want_s);
}

static void check_refused(const char *text)
{
	double got_s = 77;

	if (date_text_read(text, SLASHED_UNKNOWN, &got_s))
		fail_msg("'%s' was read as %.0f s", text, got_s);
	assert_float_equal(got_s, 77, 0);
}

TEST(days_are_read_in_every_usual_form)
{
	check_at("2025-03-05", mar_5_s);
	check_at("2025/03/05", mar_5_s);
	check_at("2025/3/5", mar_5_s);
	check_at("20250305", mar_5_s);
	check_at("05.03.2025", mar_5_s);
	check_at("5.3.2025", mar_5_s);
	check_at("05.03.25", mar_5_s);
	check_at("5 Mar 2025", mar_5_s);
	check_at("5. March 2025", mar_5_s);
	check_at("5-Mar-2025", mar_5_s);
	check_at("05-MAR-25", mar_5_s);
	check_at("Mar 5, 2025", mar_5_s);
	check_at("  March 5 2025 ", mar_5_s);
}

TEST(times_of_day_stand_before_or_behind)
{
	const double at_s = mar_5_s + 14 * HOUR + 30 * MINUTE;

	check_at("2025-03-05T14:30", at_s);
	check_at("2025-03-05 14:30:00", at_s);
	check_at("2025-03-05T14:30:05.25Z", at_s + 5.25);
	check_at("2025-03-05 14:30:05,250", at_s + 5.25);
	check_at("14:30 05.03.2025", at_s);
	check_at("05.03.2025, 14:30", at_s);
	check_at("5 Mar 2025 2:30 PM", at_s);
	check_at("5 Mar 2025 12:30am", mar_5_s + 30 * MINUTE);
	check_at("2025-03-05T15:30+01:00", at_s);
	check_at("2025-03-05T09:00:00-0530", at_s);
	check_at("2025-03-05 24:00", mar_5_s + 24 * HOUR);
}

TEST(what_programs_print_is_read)
{
	const double at_s = mar_5_s + 14 * HOUR + 30 * MINUTE + 7;

	check_at("Wed Mar  5 14:30:07 UTC 2025", at_s);	   /* date(1) */
	check_at("Wed Mar  5 02:30:07 PM UTC 2025", at_s); /* in American English */
	check_at("Wed Mar  5 14:30:07 2025", at_s);	   /* ctime(3) */
	check_at("Wed, 05 Mar 2025 15:30:07 +0100", at_s); /* RFC 5322 */
}

TEST(slashes_need_an_order)
{
	const double may_3_s = mar_5_s + (26 + 30 + 3) * 24 * HOUR;

	check_refused("05/03/2025");
	check_at_order("05/03/2025", SLASHED_DAY_FIRST, mar_5_s);
	check_at_order("05/03/2025 1:00", SLASHED_MONTH_FIRST, may_3_s + HOUR);
	assert_int_equal(date_text_order("05/03/2025"), SLASHED_UNKNOWN);
	assert_int_equal(date_text_order("25/03/2025"), SLASHED_DAY_FIRST);
	assert_int_equal(date_text_order("03/25/25 10:00"), SLASHED_MONTH_FIRST);
	assert_int_equal(date_text_order("25/25/2025"), SLASHED_UNKNOWN);
	assert_int_equal(date_text_order("2025/03/25"), SLASHED_UNKNOWN);
	assert_int_equal(date_text_order("2025-03-25"), SLASHED_UNKNOWN);
}

TEST(what_is_no_date_is_none)
{
	static const char *const text[] = {
		"",
		"now",
		"14:30",
		"March",
		"2025",
		"5 Mar",
		"31.04.2025",
		"29.02.2025",
		"2025-13-01",
		"2025-00-10",
		"2025-03",
		"1.2.3.4",
		"1.2",
		"05-03-2025",
		"2025-03-05-06",
		"2025-03.05",
		"1741132800",
		"5 Mar 5 Mar",
		"13:60 1.1.2025",
		"3 nodes",
		"1969-12-31",
		"2025-03-05T25:00",
		"2025-03-05+01:00",
	};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		check_refused(text[i]);
	check_at("29.02.2024", 1709164800); /* date -u -d 2024-02-29 +%s */
}

TEST_GROUP(NULL, NULL)
