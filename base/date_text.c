#include "base/date_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A date is read word by word, and what a word is follows from its form. */

/* A year begins in March here, so that a leap day is its last; of the months from March on, five
 * have 153 days. */
int64_t date_days_since_1970(int year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1, m = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* 0: not told. */
struct date_parts {
	int year, month, day;
	int first, second; /* of 05/03/2025 */
	bool has_time, has_offset;
	double second_of_day, offset_s;
};

static const char *skip_between(const char *text)
{
	return text + strspn(text, " \t,");
}

/* A number of at most so many digits. Returns what is behind it; NULL: there is none. */
static const char *read_number(const char *text, size_t most, int *out)
{
	const size_t n = strspn(text, "0123456789");

	if (n == 0 || n > most)
		return NULL;
	*out = 0;
	for (size_t i = 0; i < n; i++)
		*out = *out * 10 + (text[i] - '0');
	return text + n;
}

/* "Mar", "March" or "Sept"; 0: none. */
static int month_of(const char *word, size_t n)
{
	static const char *const name[] = {"january",	"february", "march",	"april",
					   "may",	"june",	    "july",	"august",
					   "september", "october",  "november", "december"};

	for (int m = 0; m < 12; m++) {
		if (n >= 3 && n <= strlen(name[m]) && strncasecmp(word, name[m], n) == 0)
			return m + 1;
	}
	return 0;
}

/* Two digits are those of 1970 to 2069, as POSIX has it but for a year. */
static int whole_year(int year, size_t digits)
{
	if (digits > 2)
		return year;
	return year < 70 ? 2000 + year : 1900 + year;
}

/* "14:30", "14:30:05.25" and its "PM" */
static const char *read_time(const char *text, struct date_parts *d)
{
	int hour, minute, second = 0;
	double fraction = 0;
	const char *at;

	if (d->has_time || !(at = read_number(text, 2, &hour)) || *at++ != ':' ||
	    !(at = read_number(at, 2, &minute)))
		return NULL;
	if (*at == ':' && !(at = read_number(at + 1, 2, &second)))
		return NULL;
	if (*at == '.' || *at == ',') {
		const size_t n = strspn(at + 1, "0123456789");

		for (size_t i = n; i > 0; i--)
			fraction = (fraction + (at[i] - '0')) / 10;
		at += n > 0 ? n + 1 : 0;
	}
	text = skip_between(at);
	if (strncasecmp(text, "am", 2) == 0 || strncasecmp(text, "pm", 2) == 0) {
		if (hour < 1 || hour > 12)
			return NULL;
		hour = hour % 12 + (tolower((unsigned char)*text) == 'p' ? 12 : 0);
		at = text + 2;
	}
	if (hour > 24 || minute > 59 || second > 60 || (hour == 24 && minute + second > 0))
		return NULL;
	d->has_time = true;
	d->second_of_day = 3600.0 * hour + 60.0 * minute + second + fraction;
	return at;
}

/* "+01:00", "+0100" or "+01", behind a time */
static const char *read_offset(const char *text, struct date_parts *d)
{
	const int sign = *text == '-' ? -1 : 1;
	const size_t n = strspn(text + 1, "0123456789");
	int hours = 0, minutes = 0;
	const char *at;

	if (!d->has_time || d->has_offset || (n != 2 && n != 4))
		return NULL;
	at = read_number(text + 1, 4, &hours);
	if (n == 4) {
		minutes = hours % 100;
		hours /= 100;
	} else if (*at == ':' && !(at = read_number(at + 1, 2, &minutes))) {
		return NULL;
	}
	if (hours > 14 || minutes > 59)
		return NULL;
	d->has_offset = true;
	d->offset_s = sign * (3600.0 * hours + 60.0 * minutes);
	return at;
}

/* "20250305" */
static const char *read_packed(const char *text, struct date_parts *d)
{
	int number;
	const char *at = read_number(text, 8, &number);

	if (!at || d->year)
		return NULL;
	d->year = number / 10000;
	d->month = number / 100 % 100;
	d->day = number % 100;
	return at;
}

/* "5-Mar-2025", from "Mar" on */
static const char *read_named(const char *text, int day, char mark, struct date_parts *d)
{
	const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	size_t digits;
	const char *at;

	d->day = day;
	d->month = month_of(text, n);
	if (!d->month || text[n] != mark)
		return NULL;
	digits = strspn(text + n + 1, "0123456789");
	if ((digits != 2 && digits != 4) || !(at = read_number(text + n + 1, 4, &d->year)))
		return NULL;
	d->year = whole_year(d->year, digits);
	return at;
}

/* "2025-03-05", "05.03.2025", "05/03/2025", "5-Mar-2025" */
static const char *read_joined(const char *text, struct date_parts *d)
{
	const size_t first_digits = strspn(text, "0123456789");
	const char mark = text[first_digits];
	int number[3];
	size_t digits = 0;

	if (d->year || d->month || d->day)
		return NULL;
	for (int i = 0; i < 3; i++) {
		if (i == 1 && isalpha((unsigned char)*text))
			return read_named(text, number[0], mark, d);
		digits = strspn(text, "0123456789");
		if (!(text = read_number(text, 4, &number[i])) || (i < 2 && *text++ != mark))
			return NULL;
	}
	if (first_digits == 4 && digits <= 2) {
		d->year = number[0];
		d->month = number[1];
		d->day = number[2];
	} else if (first_digits > 2 || (digits != 4 && digits != 2) || mark == '-') {
		return NULL;
	} else {
		d->year = whole_year(number[2], digits);
		d->day = mark == '.' ? number[0] : 0;
		d->month = mark == '.' ? number[1] : 0;
		d->first = mark == '/' ? number[0] : 0;
		d->second = mark == '/' ? number[1] : 0;
	}
	return text;
}

/* "Mar", and then "5"; days of the week and names of zones are passed over. */
static const char *read_word(const char *text, struct date_parts *d)
{
	const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	const int month = month_of(text, n);

	if (month && d->month)
		return NULL;
	if (month)
		d->month = month;
	else if (n > 9) /* "Wednesday" */
		return NULL;
	return text + n + (text[n] == '.');
}

/* "5", "5." or "2025", of a date with the name of a month */
static const char *read_alone(const char *text, struct date_parts *d)
{
	int number;
	const char *at = read_number(text, 4, &number);

	if (at && at - text == 4 && !d->year)
		d->year = number;
	else if (at && at - text <= 2 && !d->day)
		d->day = number;
	else
		return NULL;
	return at + (*at == '.');
}

static const char *read_part(const char *text, struct date_parts *d)
{
	const size_t n = strspn(text, "0123456789");

	if (n == 0 && isalpha((unsigned char)*text))
		return read_word(text, d);
	if (n == 0 && (*text == '+' || *text == '-'))
		return read_offset(text, d);
	if (n == 0)
		return NULL;
	if (text[n] == ':')
		return read_time(text, d);
	if (text[n] && strchr("-./", text[n]) && isalnum((unsigned char)text[n + 1]))
		return read_joined(text, d);
	return n == 8 ? read_packed(text, d) : read_alone(text, d);
}

static bool read_parts(const char *text, struct date_parts *d)
{
	*d = (struct date_parts){0};
	for (text = skip_between(text); *text; text = skip_between(text)) {
		if (!(text = read_part(text, d)))
			return false;
	}
	return d->year >= 1970 && d->year < 2200;
}

static int days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

enum slashed_order date_text_order(const char *text)
{
	struct date_parts d;

	if (!strchr(text, '/') || !read_parts(text, &d) || (d.first > 12) == (d.second > 12))
		return SLASHED_UNKNOWN;
	return d.first > 12 ? SLASHED_DAY_FIRST : SLASHED_MONTH_FIRST;
}

bool date_text_read(const char *text, enum slashed_order order, double *at_s)
{
	struct date_parts d;

	if (!read_parts(text, &d))
		return false;
	if (d.first && order == SLASHED_UNKNOWN)
		return false;
	if (d.first) {
		d.day = order == SLASHED_DAY_FIRST ? d.first : d.second;
		d.month = order == SLASHED_DAY_FIRST ? d.second : d.first;
	}
	if (d.month < 1 || d.month > 12 || d.day < 1 || d.day > days_in(d.year, d.month))
		return false;
	*at_s = 86400.0 * (double)date_days_since_1970(d.year, d.month, d.day) + d.second_of_day -
		d.offset_s;
	return true;
}
