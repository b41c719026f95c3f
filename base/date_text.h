#ifndef BASE_DATE_TEXT_H
#define BASE_DATE_TEXT_H
#include <stdbool.h>
#include <stdint.h>

/* Dates as people, programs and batch systems write them: 2025-03-05 (or with / or without
 * separators), 05.03.2025, 5 Mar 2025, Mar 5, 2025, and what date(1), ctime(3) and RFC 5322 make;
 * each alone, or with a time of day (14:30, 14:30:05.25, 2:30 PM) before or behind it, and with an
 * offset from UTC. Of 05/03/2025 nothing but another date of the same origin tells which is the
 * day. */
enum slashed_order { SLASHED_UNKNOWN, SLASHED_DAY_FIRST, SLASHED_MONTH_FIRST };

/* What a date tells of the order of those of its origin: 25/03/2025 and 03/25/2025 do. */
enum slashed_order date_text_order(const char *text);

/* Seconds since 1970-01-01 UTC, of 1970 to 2199; midnight where there is no time of day, and UTC
 * where there is no offset (names of zones are passed over). false: it is no such date, its day is
 * not in the calendar, or it has slashes and its order is unknown. */
bool date_text_read(const char *text, enum slashed_order order, double *at_s);

/* Days from 1970-01-01 to a day of the Gregorian calendar, which may be before it. */
int64_t date_days_since_1970(int year, int month, int day);

#endif
