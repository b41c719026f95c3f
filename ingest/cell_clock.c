#include "ingest/cell_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "ingest/cell_number.h"

enum { PARTS_MAX = 3, DIGITS_MAX = 9, TEXT_MAX = 48 };

static const double second_of[] = {3600, 60, 1};

/* Digits, at most DIGITS_MAX; the text behind them, NULL: there are none. */
static const char *read_whole(const char *p, double *out)
{
	size_t n = strspn(p, "0123456789");

	*out = 0;
	if (n == 0 || n > DIGITS_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++)
		*out = *out * 10 + (p[i] - '0');
	return p + n;
}

/* The same with a fraction. */
static const char *read_real(const char *p, char decimal, double *out)
{
	char number[TEXT_MAX];
	const char *end = read_whole(p, out);
	size_t n;

	if (!end || *end != decimal)
		return end;
	n = strspn(end + 1, "0123456789");
	if (n == 0)
		return NULL;
	end += 1 + n;
	memcpy(number, p, (size_t)(end - p)); /* shorter than TEXT_MAX, as the cell is */
	number[end - p] = '\0';
	*strchr(number, decimal) = '.';
	return cell_number(number, out) == NUMBER_OK ? end : NULL;
}

/* "1-" and "1 days ", "1 day, " in front; p if there are none. */
static const char *read_days(const char *p, double *days, bool *any)
{
	static const char *const mark[] = {"-", " days, ", " day, ", " days ", " day "};
	const char *end = read_whole(p, days);

	*any = false;
	for (size_t i = 0; end && i < sizeof mark / sizeof mark[0]; i++) {
		if (strncmp(end, mark[i], strlen(mark[i])) == 0) {
			*any = true;
			return end + strlen(mark[i]);
		}
	}
	*days = 0;
	return p;
}

/* Parts between colons, the last with a fraction. */
static bool read_parts(const char *p, char decimal, double *part, size_t *n, bool *fraction)
{
	*fraction = false;
	for (*n = 0; *n < PARTS_MAX;) {
		const char *end = read_real(p, decimal, &part[*n]);

		if (!end)
			return false;
		++*n;
		*fraction = memchr(p, decimal, (size_t)(end - p)) != NULL;
		if (!*end)
			return *n > 1;
		if (*end != ':' || *fraction)
			return false;
		p = end + 1;
	}
	return false;
}

/* "1h2m3.5s", "1m40s", "12.5s": the last is in seconds. */
static bool read_lettered(const char *p, char decimal, double *out)
{
	static const char letter[] = "hms";
	size_t i_next = 0;
	double sum = 0;

	while (*p) {
		double x;
		const char *end = read_real(p, decimal, &x);
		const char *at = end && *end ? strchr(letter + i_next, *end) : NULL;

		if (!at || (*at != 's' && memchr(p, decimal, (size_t)(end - p))))
			return false;
		if (p != end && sum > 0 && x >= 60)
			return false;
		sum += x * second_of[at - letter];
		i_next = (size_t)(at - letter) + 1;
		p = end + 1;
	}
	if (i_next != 3)
		return false;
	*out = sum;
	return true;
}

enum clock_fault cell_clock(const char *text, enum clock_form form, char decimal, double *out)
{
	double part[PARTS_MAX];
	double days;
	double sum;
	size_t n, first;
	bool any_days, fraction;
	const char *p;

	if (strlen(text) >= TEXT_MAX)
		return CLOCK_NONE;
	if (read_lettered(text, decimal, &sum) && *text) {
		*out = sum;
		return CLOCK_OK;
	}
	p = read_days(text, &days, &any_days);
	if (!read_parts(p, decimal, part, &n, &fraction))
		return CLOCK_NONE;
	/* Slurm's "1-02:03" is hours and minutes; a fraction is one of seconds. */
	first = n == 3 || any_days || (form == CLOCK_HM && !fraction) ? 0 : 1;
	if (any_days && n == 2 && fraction)
		return CLOCK_NONE;
	for (size_t i = 0; i < n; i++) {
		if ((i > 0 && part[i] >= 60) || (i == 0 && any_days && part[i] >= 24))
			return CLOCK_OUT_OF_RANGE;
	}
	if (n == 2 && form == CLOCK_ANY && !any_days && !fraction)
		return CLOCK_TWO_WAYS;
	sum = days * 86400;
	for (size_t i = 0; i < n; i++)
		sum += part[i] * second_of[first + i];
	*out = sum;
	return CLOCK_OK;
}
