#ifndef BASE_UNITS_H
#define BASE_UNITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* Numbers and units as people type them. All of it is strict: trailing text, overflow, NaN,
 * infinity and thousands separators are refused with a message that says what would be right. */

/* "90s", "15m", "1h", "2d", "3y" (of 365 d), "1.5h", "1h30m", "5e6s", "1:30:00"
 * (hours:minutes:seconds), "3600" is refused (no unit) and "1:30" is refused (minutes or hours?).
 * *out_s > 0 [s]. Errors: ARG. */
enum err_code duration_parse(const char *text, double *out_s, struct err *e);
/* ISO 8601: "1d2h5min3.5s" of "P1DT2H5M3.5S"; false: it is none, or of months or years. */
bool iso_duration_letters(const char *text, char *out, size_t size);

/* A finite decimal number; the locale plays no part. Errors: ARG. */
enum err_code number_parse(const char *text, double *out, struct err *e);
/* An integer in [min, max], exact: "1e3" and "10.0" are, "1.5" is not, "10.000" is refused
 * (thousands?). Errors: ARG. */
enum err_code integer_parse(const char *text, int64_t min, int64_t max, int64_t *out,
			    struct err *e);

/* Seconds per unit: ns us ms s min h d. 0 if the name is no time unit. */
double time_unit_s(const char *unit);
/* Bytes per unit: B kB MB GB TB KiB MiB GiB TiB. 0 if the name is no unit of size. */
double size_unit_bytes(const char *unit);
/* "64 GiB", "512MB", "4096" (bytes). *out_bytes >= 0. Errors: ARG. */
enum err_code size_parse(const char *text, double *out_bytes, struct err *e);
/* A size as tables have it: with a unit, in either case ("64kb"), of one letter, too ("4K", "1M":
 * powers of 1024, as tools of storage and Slurm take them; "4m" is none). False: not written so. */
bool size_in_table(const char *text, double *out_bytes);

/* People's form of a time: "54.2 us", "3.41 s", "46m 50s", "2h 05m", "3d 04h", from
 * 1000 d on "6y 310d", years of 365 d. Returns buf. */
char *duration_format(double seconds, char *buf, size_t size);
/* duration_format(), rounded up: typed back, it asks for no less. */
char *duration_format_up(double seconds, char *buf, size_t size);

/* Node-hours as people type them: "200nh", "1.5nh", "200 nh". Other units are refused: what a core
 * or a unit of account is differs from site to site. *out > 0. Errors: ARG (says what would be
 * right). */
enum err_code node_hours_parse(const char *text, double *out, struct err *e);

/* "310 node-hours", three significant digits or all before the point, rounded up: typed
 * back, it asks for no less. Returns buf. */
char *hours_format_up(double hours, const char *unit, char *buf, size_t size);

#endif
