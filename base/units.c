#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"

struct unit {
	const char *name;
	double scale;
};

static const struct unit time_unit[] = {
	{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
	{"min", 60},  {"h", 3600},  {"d", 86400}, {NULL, 0},
};

static const struct unit size_unit[] = {
	{"B", 1},	    {"kB", 1e3},	   {"MB", 1e6},
	{"GB", 1e9},	    {"TB", 1e12},	   {"KiB", 1024.0},
	{"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0},
	{NULL, 0},
};

static double unit_scale(const struct unit *unit, const char *name)
{
	for (; unit->name; unit++) {
		if (strcmp(unit->name, name) == 0)
			return unit->scale;
	}
	return 0;
}

double time_unit_s(const char *unit)
{
	return unit_scale(time_unit, unit);
}

double size_unit_bytes(const char *unit)
{
	return unit_scale(size_unit, unit);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *p)
{
	while (is_digit(*p))
		p++;
	return p;
}

static const char *skip_spaces(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

/* The end of [+-]digits[.digits] at p, NULL if there is no digit. */
static const char *decimal_end(const char *p)
{
	const char *whole = p + (*p == '+' || *p == '-');
	const char *end = skip_digits(whole);
	size_t n_digits = (size_t)(end - whole);

	if (*end == '.') {
		const char *fraction = end + 1;

		end = skip_digits(fraction);
		n_digits += (size_t)(end - fraction);
	}
	return n_digits > 0 ? end : NULL;
}

/* decimal_end() with an exponent. strtod() alone would also take "0x10", "inf" and "nan(1)". */
static const char *number_end(const char *p)
{
	const char *end = decimal_end(p);
	const char *exponent;

	if (!end || (*end != 'e' && *end != 'E'))
		return end;
	exponent = end + 1;
	exponent += *exponent == '+' || *exponent == '-';
	return is_digit(*exponent) ? skip_digits(exponent) : end;
}

/* Does text look like 1,000 or 1.000.000 or 1'000 or 1 000: digits with something between? */
static bool has_thousands(const char *text)
{
	const char *p = text + (*text == '+' || *text == '-');
	size_t n_groups = 0;

	for (;;) {
		const char *end = skip_digits(p);

		if (n_groups > 0 && end - p != 3)
			return false;
		if (end == p)
			return false;
		if (!*end || (*end == '.' && n_groups > 0 && !strchr(end + 1, '.')))
			return n_groups > 0;
		if (!strchr(",'._ ", *end))
			return false;
		p = end + 1;
		n_groups++;
	}
}

static enum err_code not_a_number(const char *text, const char *kind, struct err *e)
{
	if (!*text)
		return err_set(e, ERR_ARG, "empty, %s is wanted", kind);
	if (has_thousands(text))
		return err_set(e, ERR_ARG,
			       "'%s' is ambiguous: write %s without thousands separators", text,
			       kind);
	if (strchr(text, ',') && !strchr(text, '.'))
		return err_set(e, ERR_ARG, "'%s' is not %s: the decimal sign is a point", text,
			       kind);
	return err_set(e, ERR_ARG, "'%s' is not %s", text, kind);
}

enum err_code number_parse(const char *text, double *out, struct err *e)
{
	const char *end = number_end(text);
	locale_t old;
	double value;

	if (!end || *end)
		return not_a_number(text, "a number", e);
	old = c_locale_enter();
	value = strtod(text, NULL);
	c_locale_leave(old);
	if (!isfinite(value))
		return err_set(e, ERR_ARG, "'%s' is too large for a number", text);
	*out = value;
	return ERR_OK;
}

/* "1e9", "64.0": a number that happens to be whole. */
static bool whole_parse(const char *text, int64_t *out, bool *overflow)
{
	const double exact_max = 9007199254740992; /* 2^53 */
	double value = 0;

	if (has_thousands(text) || number_parse(text, &value, NULL) || trunc(value) != value)
		return false;
	*overflow = fabs(value) > exact_max;
	if (!*overflow)
		*out = (int64_t)value;
	return true;
}

enum err_code integer_parse(const char *text, int64_t min, int64_t max, int64_t *out, struct err *e)
{
	const char *digits = text + (*text == '+' || *text == '-');
	const char *end = skip_digits(digits);
	int64_t value = 0;
	bool overflow = false;

	if (end > digits && !*end) {
		errno = 0;
		value = strtoll(text, NULL, 10);
		overflow = errno == ERANGE;
	} else if (!whole_parse(text, &value, &overflow)) {
		return not_a_number(text, "a whole number", e);
	}
	if (overflow || value < min || value > max)
		return err_set(e, ERR_ARG, "'%s' is outside %lld..%lld", text, (long long)min,
			       (long long)max);
	*out = value;
	return ERR_OK;
}

enum { PART_SIZE = 64 }; /* longer than any number that people type */

/* Copy [from, end) into part and make it a number. */
static enum err_code part_number(const char *from, const char *end, double *out, struct err *e)
{
	char part[PART_SIZE];

	if ((size_t)(end - from) >= sizeof part)
		return err_set(e, ERR_ARG, "'%s' has too many digits", from);
	memcpy(part, from, (size_t)(end - from));
	part[end - from] = '\0';
	return number_parse(part, out, e);
}

enum err_code size_parse(const char *text, double *out_bytes, struct err *e)
{
	const char *end = number_end(text);
	const char *unit;
	double number = 0;
	double scale;
	enum err_code rc;

	if (!end)
		return err_set(e, ERR_ARG, "'%s' is not a size such as 64 GiB", text);
	if ((rc = part_number(text, end, &number, e)))
		return rc;
	unit = skip_spaces(end);
	scale = *unit ? size_unit_bytes(unit) : 1;
	if (scale == 0)
		return err_set(e, ERR_ARG,
			       "'%s': units of size are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
			       text);
	if (number < 0 || !isfinite(number * scale))
		return err_set(e, ERR_ARG, "'%s' is not a possible size", text);
	*out_bytes = number * scale;
	return ERR_OK;
}

bool size_in_table(const char *text, double *out_bytes)
{
	static const struct unit letter[] = {{"k", 1024.0},	     {"K", 1024.0},
					     {"M", 1048576.0},	     {"G", 1073741824.0},
					     {"T", 1099511627776.0}, {NULL, 0}};
	const char *end = number_end(text);
	const char *unit = end ? skip_spaces(end) : "";
	double number, scale = unit_scale(letter, unit);

	for (const struct unit *u = size_unit; u->name && scale == 0; u++) {
		if (strcasecmp(u->name, unit) == 0)
			scale = u->scale;
	}
	if (scale == 0 || part_number(text, end, &number, NULL) || number < 0 ||
	    !isfinite(number * scale))
		return false;
	*out_bytes = number * scale;
	return true;
}

/* The units of a duration, largest first: a duration names them in this order. */
static const struct unit duration_unit[] = {
	{"y", 365 * 86400.0}, {"d", 86400}, {"h", 3600},  {"min", 60}, {"m", 60}, {"s", 1},
	{"ms", 1e-3},	      {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0},
};

/* The unit whose letters stand at p, up to the next digit, space or end. */
static const struct unit *duration_unit_at(const char *p, const char **end)
{
	size_t len = strcspn(p, " .+-0123456789");

	*end = p + len;
	for (const struct unit *u = duration_unit; u->name; u++) {
		if (strlen(u->name) == len && memcmp(u->name, p, len) == 0)
			return u;
	}
	return NULL;
}

static enum err_code bad_duration(const char *text, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "'%s' is not a duration: write 90s, 15m, 1h, 2d, 1.5h, 1h30m or 1:30:00",
		       text);
}

/* "1:30:00": hours, two digits of minutes, two digits of seconds. */
static enum err_code clock_parse(const char *text, double *out_s, struct err *e)
{
	const char *minutes = strchr(text, ':') + 1;
	const char *seconds = strchr(minutes, ':');
	double hours = 0;
	enum err_code rc;

	if (skip_digits(text) != minutes - 1 || minutes - 1 == text)
		return bad_duration(text, e);
	if (!seconds) {
		if (!*minutes || *skip_digits(minutes))
			return bad_duration(text, e);
		return err_set(e, ERR_ARG,
			       "'%s' is ambiguous: write %.*sh%sm for hours and minutes, or "
			       "%.*sm%ss for minutes and seconds",
			       text, (int)(minutes - 1 - text), text, minutes,
			       (int)(minutes - 1 - text), text, minutes);
	}
	seconds++;
	if (skip_digits(minutes) != minutes + 2 || seconds != minutes + 3 ||
	    skip_digits(seconds) != seconds + 2 || seconds[2])
		return bad_duration(text, e);
	if (minutes[0] > '5' || seconds[0] > '5')
		return err_set(e, ERR_ARG, "'%s': minutes and seconds go from 00 to 59", text);
	if ((rc = part_number(text, minutes - 1, &hours, e)))
		return rc;
	*out_s = hours * 3600 + atoi(minutes) * 60 + atoi(seconds);
	return ERR_OK;
}

/* "1h30m", "1.5 h": numbers with units, largest unit first, a fraction in the last only. */
static enum err_code parts_parse(const char *text, double *out_s, struct err *e)
{
	const char *p = text;
	double smallest = INFINITY;
	double sum_s = 0;

	while (*p) {
		const char *end = number_end(p);
		const struct unit *unit;
		double number = 0;
		enum err_code rc;

		if (!end || *p == '+' || *p == '-')
			return bad_duration(text, e);
		if ((rc = part_number(p, end, &number, e)))
			return rc;
		unit = duration_unit_at(skip_spaces(end), &p);
		if (!unit)
			return bad_duration(text, e);
		p = skip_spaces(p);
		if (unit->scale >= smallest || (*p && trunc(number) != number))
			return bad_duration(text, e);
		smallest = unit->scale;
		sum_s += number * unit->scale;
	}
	*out_s = sum_s;
	return ERR_OK;
}

bool iso_duration_letters(const char *text, char *out, size_t size)
{
	bool clock = false;
	size_t n = 0;

	if (*text++ != 'P')
		return false;
	for (; *text; text++) {
		const char *letters = *text == 'D' && !clock  ? "d"
				      : *text == 'H' && clock ? "h"
				      : *text == 'M' && clock ? "min"
				      : *text == 'S' && clock ? "s"
							      : NULL;

		if (*text == 'T' && !clock) {
			clock = true;
			continue;
		}
		if (!letters && !strchr("0123456789.,", *text))
			return false;
		if (n + 4 > size)
			return false;
		if (letters)
			n += (size_t)snprintf(out + n, size - n, "%s", letters);
		else
			out[n++] = *text;
	}
	out[n] = '\0';
	return n > 0;
}

enum err_code duration_parse(const char *text, double *out_s, struct err *e)
{
	char letters[64];
	const char *end = number_end(text);
	double s = 0;
	enum err_code rc;

	if (!*text)
		return bad_duration(text, e);
	if (iso_duration_letters(text, letters, sizeof letters) &&
	    !parts_parse(letters, &s, NULL) && s > 0) {
		*out_s = s;
		return ERR_OK;
	}
	if (*text == '-')
		return err_set(e, ERR_ARG, "'%s': a duration is greater than zero", text);
	if (end && !*end)
		return err_set(e, ERR_ARG, "'%s' has no unit: write %ss, %sm, %sh or %sd", text,
			       text, text, text, text);
	rc = strchr(text, ':') ? clock_parse(text, &s, e) : parts_parse(text, &s, e);
	if (rc)
		return rc;
	if (!(s > 0) || !isfinite(s))
		return err_set(e, ERR_ARG, "'%s': a duration is greater than zero", text);
	*out_s = s;
	return ERR_OK;
}

/* Three significant digits of a value below 999.5. */
static void format_short(double value, const char *unit, char *buf, size_t size)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	locale_t old = c_locale_enter();

	snprintf(buf, size, "%.*f %s", decimals, value, unit);
	c_locale_leave(old);
}

/* Two whole units, the larger first, of a time that rounds to a minute or more. */
static void format_long(double seconds, char *buf, size_t size)
{
	const double longest_s = 1e15; /* 3e7 years: nobody reads the hours any more */
	long long whole = 0;

	if (seconds > longest_s) {
		snprintf(buf, size, isinf(seconds) ? "forever" : "> 1e10 d");
	} else if ((whole = llround(seconds)) < 3600) {
		snprintf(buf, size, "%lldm %02llds", whole / 60, whole % 60);
	} else if ((whole = llround(seconds / 60)) < 24 * 60) {
		snprintf(buf, size, "%lldh %02lldm", whole / 60, whole % 60);
	} else if ((whole = llround(seconds / 3600)) < 1000 * 24) {
		snprintf(buf, size, "%lldd %02lldh", whole / 24, whole % 24);
	} else {
		whole = llround(seconds / 86400);
		snprintf(buf, size, "%lldy %03lldd", whole / 365, whole % 365);
	}
}

char *duration_format(double seconds, char *buf, size_t size)
{
	static const struct {
		double below_s; /* so that rounding to three digits never shows 1000 or 60 */
		double scale;
		const char *unit;
	} range[] = {
		{999.5e-9, 1e9, "ns"}, {999.5e-6, 1e6, "us"}, {0.9995, 1e3, "ms"}, {59.95, 1, "s"}};
	const char *sign = seconds < 0 ? "-" : "";
	double magnitude = fabs(seconds);
	char text[40];

	if (isnan(seconds)) {
		snprintf(buf, size, "unknown");
		return buf;
	}
	snprintf(text, sizeof text, "0 s");
	if (magnitude >= 59.95) {
		format_long(magnitude, text, sizeof text);
	} else if (magnitude >= 0.5e-11) { /* shorter prints as 0.00 ns */
		size_t i = 0;

		while (magnitude >= range[i].below_s)
			i++;
		format_short(magnitude * range[i].scale, range[i].unit, text, sizeof text);
	}
	snprintf(buf, size, "%s%s", sign, text);
	return buf;
}

/* The number that the text, typed back without its spaces, is read as. */
static double as_typed(const char *text)
{
	char typed[40] = "";
	size_t n = 0;
	double s;

	for (; *text && n + 1 < sizeof typed; text++) {
		if (*text != ' ')
			typed[n++] = *text;
	}
	return duration_parse(typed, &s, NULL) ? INFINITY : s;
}

char *duration_format_up(double seconds, char *buf, size_t size)
{
	double more = seconds;
	char text[40];

	/* In steps finer than any digit shown: 1 s of an hour, 2.8e-4, is the finest. */
	while (as_typed(duration_format(more, text, sizeof text)) < seconds)
		more *= 1.0001;
	snprintf(buf, size, "%s", text);
	return buf;
}

enum { NUMBER_SIZE = 64 }; /* longer than any number that people type */

static enum err_code bad_budget(const char *text, struct err *e)
{
	if (!number_parse(text, &(double){0}, NULL))
		return err_set(e, ERR_ARG, "'%s' has no unit: write %snh for node-hours", text,
			       text);
	if (!duration_parse(text, &(double){0}, NULL))
		return err_set(e, ERR_ARG,
			       "'%s' is a time: node-hours are the nodes times the hours that they "
			       "are taken; write 200nh",
			       text);
	return err_set(e, ERR_ARG, "'%s' is no number of node-hours: write 200nh or 1.5nh", text);
}

/* Copy what stands before the unit, without the space between. */
static enum err_code split(const char *text, char number[NUMBER_SIZE], struct err *e)
{
	size_t len = strlen(text);

	if (len < 3 || strcmp(text + len - 2, "nh") != 0)
		return bad_budget(text, e);
	len -= 2;
	len -= text[len - 1] == ' ';
	if (len >= NUMBER_SIZE)
		return err_set(e, ERR_ARG, "'%s' has too many digits", text);
	memcpy(number, text, len);
	number[len] = '\0';
	return ERR_OK;
}

enum err_code node_hours_parse(const char *text, double *out, struct err *e)
{
	char number[NUMBER_SIZE];
	double value = 0;
	enum err_code rc;

	if ((rc = split(text, number, e)))
		return rc;
	if (number_parse(number, &value, NULL))
		return bad_budget(text, e);
	if (!(value > 0))
		return err_set(e, ERR_ARG, "'%s': a budget is greater than zero", text);
	*out = value;
	return ERR_OK;
}

char *hours_format_up(double hours, const char *unit, char *buf, size_t size)
{
	int decimals = (int)fmax(0, fmin(12, 2 - floor(log10(hours))));
	locale_t old = c_locale_enter();

	snprintf(buf, size, "%.*f", decimals, hours);
	/* To the nearest, which may be half a step below. */
	if (strtod(buf, NULL) < hours)
		snprintf(buf, size, "%.*f", decimals, hours + pow(10, -decimals));
	c_locale_leave(old);
	snprintf(buf + strlen(buf), size - strlen(buf), " %s", unit);
	return buf;
}
