#ifndef BASE_WALL_CLOCK_H
#define BASE_WALL_CLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* Points of time as people write them, in the local time of this machine ($TZ), and as seconds
 * since 1970-01-01 UTC. */

/* The first 18:00 after now_s, today or tomorrow ("18:00", "7:30"), or a time of a given day
 * ("2026-11-22T07:30", "2026-11-22T07:30:00"). An hour that the end of summer time repeats is the
 * first of the two that is to come. Other forms, days that are not in the calendar, and times that
 * the beginning of summer time leaves out are refused. Errors: ARG. */
enum err_code wall_clock_parse(const char *text, int64_t now_s, int64_t *out_s, struct err *e);

/* "2026-11-22T07:30:00+01:00". Returns buf. */
enum { WALL_CLOCK_SIZE = 40 };
char *wall_clock_format(int64_t at_s, char buf[WALL_CLOCK_SIZE]);

/* "2026-11-22T06:30:00Z", UTC. NULL: at_s is not in a calendar; else buf. */
char *wall_clock_put_utc(int64_t at_s, char buf[WALL_CLOCK_SIZE]);
/* That form read back. False: text has another. */
bool wall_clock_read_utc(const char *text, int64_t *out_s);

#endif
