#include "ingest/formats/foreign_unit.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

const char *foreign_time_unit(const char *text)
{
	static const char *const word[][2] = {
		{"s", "s"},
		{"sec", "s"},
		{"secs", "s"},
		{"second", "s"},
		{"seconds", "s"},
		{"ms", "ms"},
		{"msec", "ms"},
		{"millisecond", "ms"},
		{"milliseconds", "ms"},
		{"us", "us"},
		{"usec", "us"},
		{"microsecond", "us"},
		{"microseconds", "us"},
		{"\xc2\xb5s", "us"},
		{"\xce\xbcs", "us"},
		{"ns", "ns"},
		{"nsec", "ns"},
		{"nanosecond", "ns"},
		{"nanoseconds", "ns"},
		{"min", "min"},
		{"mins", "min"},
		{"minute", "min"},
		{"minutes", "min"},
		{"h", "h"},
		{"hr", "h"},
		{"hour", "h"},
		{"hours", "h"},
		{"d", "d"},
		{"day", "d"},
		{"days", "d"},
	};

	for (size_t i = 0; text && i < sizeof word / sizeof word[0]; i++) {
		if (strcasecmp(text, word[i][0]) == 0)
			return word[i][1];
	}
	return NULL;
}

void foreign_time_header(struct strbuf *out, const char *name, const char *unit)
{
	size_t from = out->len;

	strbuf_puts(out, name);
	for (size_t i = from; i < out->len; i++) {
		if (strchr(" \t\r\n", out->buf[i]))
			out->buf[i] = '_';
	}
	if (unit && strcmp(unit, "min") == 0)
		strbuf_puts(out, " [min]");
	else if (unit)
		strbuf_printf(out, "_%s", unit);
}
