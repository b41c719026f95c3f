#include "base/wall_clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/date_text.h"

/* ---- from a local time to a point of time ---- */

static bool is_same_minute(const struct tm *a, const struct tm *b)
{
	return a->tm_year == b->tm_year && a->tm_mon == b->tm_mon && a->tm_mday == b->tm_mday &&
	       a->tm_hour == b->tm_hour && a->tm_min == b->tm_min && a->tm_sec == b->tm_sec;
}

/* The points of time that clocks show `local` at, earliest first: none, one or two. mktime() moves
 * a time that there is not to one that there is. */
static size_t points_of(const struct tm *local, time_t at[2])
{
	size_t n = 0;

	for (int summer = 1; summer >= 0; summer--) {
		struct tm shown = *local;
		time_t t;

		shown.tm_isdst = summer;
		t = mktime(&shown);
		if (t != (time_t)-1 && shown.tm_isdst == summer && is_same_minute(&shown, local))
			at[n++] = t;
	}
	return n;
}

static bool is_in_calendar(const struct tm *local)
{
	struct tm noon = {.tm_year = local->tm_year,
			  .tm_mon = local->tm_mon,
			  .tm_mday = local->tm_mday,
			  .tm_hour = 12,
			  .tm_isdst = -1};

	return mktime(&noon) != (time_t)-1 && noon.tm_mon == local->tm_mon &&
	       noon.tm_mday == local->tm_mday;
}

static enum err_code resolve(const char *text, const struct tm *local, int64_t now_s,
			     int64_t *out_s, struct err *e)
{
	time_t at[2];
	size_t n = points_of(local, at);

	if (n == 0 && !is_in_calendar(local))
		return err_set(e, ERR_ARG, "'%s': there is no such day", text);
	if (n == 0)
		return err_set(e, ERR_ARG, "'%s' is left out: clocks are put forward then", text);
	*out_s = at[n == 2 && at[0] <= now_s];
	return ERR_OK;
}

/* ---- text ---- */

/* Does text have the form, in which 0 stands for any digit? */
static bool has_form(const char *text, const char *form)
{
	for (; *form; text++, form++) {
		bool digit = *text >= '0' && *text <= '9';

		if (*form == '0' ? !digit : *text != *form)
			return false;
	}
	return !*text;
}

static int digits(const char *text, size_t n)
{
	int value = 0;

	for (size_t i = 0; i < n; i++)
		value = value * 10 + (text[i] - '0');
	return value;
}

/* "18:00" or "18:00:00"; *text has that form. */
static enum err_code read_time(const char *text, struct tm *local, struct err *e)
{
	local->tm_hour = digits(text, 2);
	local->tm_min = digits(text + 3, 2);
	local->tm_sec = text[5] ? digits(text + 6, 2) : 0;
	if (local->tm_hour > 23 || local->tm_min > 59 || local->tm_sec > 59)
		return err_set(e, ERR_ARG, "'%s': times of day go from 00:00 to 23:59", text);
	return ERR_OK;
}

static enum err_code parse_date(const char *text, int64_t now_s, int64_t *out_s, struct err *e)
{
	struct tm local = {.tm_year = digits(text, 4) - 1900,
			   .tm_mon = digits(text + 5, 2) - 1,
			   .tm_mday = digits(text + 8, 2)};
	enum err_code rc = read_time(text + 11, &local, e);

	return rc ? rc : resolve(text, &local, now_s, out_s, e);
}

static bool is_later(const struct tm *a, const struct tm *b)
{
	int minute_a = a->tm_hour * 60 + a->tm_min, minute_b = b->tm_hour * 60 + b->tm_min;

	return minute_a > minute_b;
}

/* The day after, at the same time of day. */
static void next_day(struct tm *local)
{
	struct tm noon = {.tm_year = local->tm_year,
			  .tm_mon = local->tm_mon,
			  .tm_mday = local->tm_mday + 1,
			  .tm_hour = 12,
			  .tm_isdst = -1};

	mktime(&noon); /* the 32nd becomes the 1st */
	local->tm_year = noon.tm_year;
	local->tm_mon = noon.tm_mon;
	local->tm_mday = noon.tm_mday;
}

static enum err_code parse_time_of_day(const char *text, int64_t now_s, int64_t *out_s,
				       struct err *e)
{
	time_t now = (time_t)now_s;
	struct tm today, local = {0};
	enum err_code rc = read_time(text, &local, e);

	if (rc)
		return rc;
	if (!localtime_r(&now, &today))
		return err_set(e, ERR_ARG, "the clock of this machine shows no possible time");
	local.tm_year = today.tm_year;
	local.tm_mon = today.tm_mon;
	local.tm_mday = today.tm_mday;
	if (!is_later(&local, &today))
		next_day(&local);
	return resolve(text, &local, now_s, out_s, e);
}

enum err_code wall_clock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *e)
{
	if (has_form(text, "0:00")) {
		char padded[] = "07:30";

		memcpy(padded + 1, text, 4);
		return parse_time_of_day(padded, now_s, out_s, e);
	}
	if (has_form(text, "00:00"))
		return parse_time_of_day(text, now_s, out_s, e);
	if (has_form(text, "0000-00-00T00:00") || has_form(text, "0000-00-00T00:00:00"))
		return parse_date(text, now_s, out_s, e);
	return err_set(e, ERR_ARG,
		       "'%s' is no time of day: write 18:00, or 2026-11-22T07:30 for a given day, "
		       "both in local time",
		       text);
}

char *wall_clock_format(int64_t at_s, char buf[WALL_CLOCK_SIZE])
{
	time_t at = (time_t)at_s;
	struct tm local;
	size_t n;

	if (!localtime_r(&at, &local)) {
		snprintf(buf, WALL_CLOCK_SIZE, "%lld s after 1970", (long long)at_s);
		return buf;
	}
	/* strftime() writes +0100, ISO 8601 wants a colon beside the one in the time. */
	n = strftime(buf, WALL_CLOCK_SIZE - 1, "%Y-%m-%dT%H:%M:%S%z", &local);
	memmove(buf + n - 1, buf + n - 2, 3);
	buf[n - 2] = ':';
	return buf;
}

/* ---- UTC ---- */

char *wall_clock_put_utc(int64_t at_s, char buf[WALL_CLOCK_SIZE])
{
	time_t at = (time_t)at_s;
	struct tm utc;

	return gmtime_r(&at, &utc) && strftime(buf, WALL_CLOCK_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc)
		       ? buf
		       : NULL;
}

bool wall_clock_read_utc(const char *text, int64_t *out_s)
{
	int year, month, day, hour, minute, second, end = -1;
	char again[WALL_CLOCK_SIZE];
	int64_t at_s;

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute, &second,
		   &end) != 6 ||
	    end < 0 || text[end] || year < 1 || month < 1 || month > 12)
		return false;
	at_s = ((date_days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
	/* the 31st of April and 7:60 are not in the calendar */
	if (!wall_clock_put_utc(at_s, again) || strcmp(again, text) != 0)
		return false;
	*out_s = at_s;
	return true;
}
