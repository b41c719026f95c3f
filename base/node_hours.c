#include "base/node_hours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/units.h"

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

char *node_hours_format_up(double node_hours, char *buf, size_t size)
{
	int decimals = (int)fmax(0, fmin(12, 2 - floor(log10(node_hours))));
	locale_t old = c_locale_enter();

	snprintf(buf, size, "%.*f", decimals, node_hours);
	/* To the nearest, which may be half a step below. */
	if (strtod(buf, NULL) < node_hours)
		snprintf(buf, size, "%.*f", decimals, node_hours + pow(10, -decimals));
	c_locale_leave(old);
	snprintf(buf + strlen(buf), size - strlen(buf), " node-hours");
	return buf;
}
