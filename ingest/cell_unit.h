#ifndef INGEST_CELL_UNIT_H
#define INGEST_CELL_UNIT_H
#include <stdbool.h>
#include "ingest/cell_clock.h"

/* From the unit of a column in a file to the unit we store it in: value = cell * multiplier /
 * divisor. A divisor because 9 ms / 1000 is the nearest double to 0.009 s, and 9 ms * 0.001 is
 * not: the same run in ms and in s must be the same run. */
struct cell_unit {
	double multiplier;
	double divisor;
	enum clock_form clock; /* not CLOCK_ANY: cells are "00:01:40", no numbers */
};

static const struct cell_unit cell_unit_same = {1, 1, CLOCK_ANY};

static inline double cell_unit_apply(struct cell_unit u, double cell)
{
	return cell * u.multiplier / u.divisor;
}

/* Both units of time, or both of size; false if the one does not convert into the other. */
bool cell_unit_between(const char *from, const char *to, struct cell_unit *out);
/* From a unit of so many seconds to seconds. */
struct cell_unit cell_unit_of_ratio(double ratio);
/* Is it a unit of time or size at all? */
bool cell_unit_known(const char *unit);

/* CLOCK_ANY: "hms", "hh:mm:ss", "mm:ss", "hh:mm" and their kin name another. */
enum clock_form cell_unit_clock(const char *unit);

/* Seconds (of a clock's form 1) or bytes per unit by the names people write: "ms", "msec",
 * "milliseconds"; "KiB", "bytes". 0: no such unit. */
double cell_unit_seconds(const char *unit);
double cell_unit_bytes(const char *unit);

#endif
