#include "ingest/extra_json.h"

#include <stdbool.h>
#include <string.h>

/* Must a JSON string escape it? UTF-8 passes unchanged: the table was checked to be that. */
static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/* One scan: the usual text has nothing to escape, and strcspn() would make a table for each. */
static void put_string(struct strbuf *json, const char *text)
{
	const char *from = text;

	strbuf_putc(json, '"');
	for (;; text++) {
		unsigned char c = (unsigned char)*text;

		if (!needs_escape(c))
			continue;
		strbuf_add(json, from, (size_t)(text - from));
		if (!c)
			break;
		if (c == '"' || c == '\\')
			strbuf_printf(json, "\\%c", c);
		else
			strbuf_printf(json, "\\u%04x", c);
		from = text + 1;
	}
	strbuf_putc(json, '"');
}

static size_t n_digits(const char *text)
{
	size_t n = 0;

	while (text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

/* RFC 8259, section 6: no plus, no leading zero, digits on both sides of a point. */
static bool is_json_number(const char *text)
{
	size_t n;

	text += *text == '-';
	n = n_digits(text);
	if (n == 0 || (text[0] == '0' && n > 1))
		return false;
	text += n;
	if (*text == '.') {
		n = n_digits(++text);
		if (n == 0)
			return false;
		text += n;
	}
	if (*text == 'e' || *text == 'E') {
		text++;
		text += *text == '-' || *text == '+';
		n = n_digits(text);
		if (n == 0)
			return false;
		text += n;
	}
	return !*text;
}

static void put_value(struct strbuf *json, const char *cell)
{
	if (is_json_number(cell))
		strbuf_puts(json, cell);
	else
		put_string(json, cell);
}

void extra_json_put_name(struct strbuf *json, const char *name)
{
	put_string(json, name);
	strbuf_putc(json, ':');
}

void extra_json_put_named(struct strbuf *json, const struct strbuf *name, const char *cell)
{
	strbuf_putc(json, json->len ? ',' : '{');
	strbuf_add(json, name->buf, name->len);
	put_value(json, cell);
}

void extra_json_put(struct strbuf *json, const char *name, const char *cell)
{
	strbuf_putc(json, json->len ? ',' : '{');
	extra_json_put_name(json, name);
	put_value(json, cell);
}

void extra_json_end(struct strbuf *json)
{
	if (json->len)
		strbuf_putc(json, '}');
}
