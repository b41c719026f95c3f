#include "ingest/cell_unit.h"

#include <math.h>
#include <stddef.h>
#include <strings.h>

#include "base/units.h"

struct synonym {
	const char *written;
	const char *unit;
};

enum clock_form cell_unit_clock(const char *unit)
{
	static const char *const hms[] = {"hms",	 "h:m:s",   "hh:mm:ss", "h:mm:ss",
					  "mm:ss",	 "m:ss",    "m:s",	"d-hh:mm:ss",
					  "dd-hh:mm:ss", "d-h:m:s", "dhms",	"hh:mm:ss.s"};
	static const char *const hm[] = {"hm", "h:m", "hh:mm", "h:mm", "d-hh:mm"};

	for (size_t i = 0; i < sizeof hms / sizeof hms[0]; i++) {
		if (strcasecmp(unit, hms[i]) == 0)
			return CLOCK_HMS;
	}
	for (size_t i = 0; i < sizeof hm / sizeof hm[0]; i++) {
		if (strcasecmp(unit, hm[i]) == 0)
			return CLOCK_HM;
	}
	return CLOCK_ANY;
}

double cell_unit_seconds(const char *unit)
{
	static const struct synonym synonym[] = {
		{"sec", "s"},	       {"secs", "s"},	       {"second", "s"},
		{"seconds", "s"},      {"msec", "ms"},	       {"msecs", "ms"},
		{"millisecond", "ms"}, {"milliseconds", "ms"}, {"usec", "us"},
		{"usecs", "us"},       {"microsecond", "us"},  {"microseconds", "us"},
		{"\xc2\xb5s", "us"},   {"\xce\xbcs", "us"},    {"nsec", "ns"},
		{"nsecs", "ns"},       {"nanosecond", "ns"},   {"nanoseconds", "ns"},
		{"minute", "min"},     {"minutes", "min"},     {"mins", "min"},
		{"hr", "h"},	       {"hrs", "h"},	       {"hour", "h"},
		{"hours", "h"},	       {"day", "d"},	       {"days", "d"},
	};

	for (size_t i = 0; i < sizeof synonym / sizeof synonym[0]; i++) {
		if (strcasecmp(unit, synonym[i].written) == 0)
			return time_unit_s(synonym[i].unit);
	}
	return cell_unit_clock(unit) != CLOCK_ANY ? 1 : time_unit_s(unit);
}

double cell_unit_bytes(const char *unit)
{
	if (strcasecmp(unit, "byte") == 0 || strcasecmp(unit, "bytes") == 0)
		return 1;
	return size_unit_bytes(unit);
}

bool cell_unit_known(const char *unit)
{
	return cell_unit_seconds(unit) > 0 || cell_unit_bytes(unit) > 0;
}

struct cell_unit cell_unit_of_ratio(double ratio)
{
	double divisor;

	if (ratio >= 1)
		return (struct cell_unit){ratio, 1, CLOCK_ANY};
	divisor = 1 / ratio;
	if (fabs(divisor - rint(divisor)) <= 1e-9 * divisor) /* 1e9 to the last bit, from 1e-9 */
		divisor = rint(divisor);
	return (struct cell_unit){1, divisor, CLOCK_ANY};
}

bool cell_unit_between(const char *from, const char *to, struct cell_unit *out)
{
	double time_from = cell_unit_seconds(from);
	double time_to = cell_unit_seconds(to);
	double size_from = cell_unit_bytes(from);
	double size_to = cell_unit_bytes(to);

	if (time_from > 0 && time_to > 0)
		*out = cell_unit_of_ratio(time_from / time_to);
	else if (size_from > 0 && size_to > 0)
		*out = cell_unit_of_ratio(size_from / size_to);
	else
		return false;
	out->clock = cell_unit_clock(from);
	return true;
}
