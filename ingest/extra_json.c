#include "ingest/extra_json.h"

#include <stdbool.h>
#include <string.h>

static void put_string(struct strbuf *json, const char *text)
{
	strbuf_putc(json, '"');
	for (;;) {
		/* UTF-8 passes unchanged: the table was checked to be that. */
		size_t plain = strcspn(text, "\"\\\x01\x02\x03\x04\x05\x06\x07\b\t\n\v\f\r\x0e\x0f"
					     "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c"
					     "\x1d\x1e\x1f");

		strbuf_add(json, text, plain);
		text += plain;
		if (!*text)
			break;
		if (*text == '"' || *text == '\\')
			strbuf_printf(json, "\\%c", *text);
		else
			strbuf_printf(json, "\\u%04x", (unsigned)*text);
		text++;
	}
	strbuf_putc(json, '"');
}

static size_t n_digits(const char *text)
{
	return strspn(text, "0123456789");
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

void extra_json_put(struct strbuf *json, const char *name, const char *cell)
{
	strbuf_putc(json, json->len ? ',' : '{');
	put_string(json, name);
	strbuf_putc(json, ':');
	if (is_json_number(cell))
		strbuf_puts(json, cell);
	else
		put_string(json, cell);
}

void extra_json_end(struct strbuf *json)
{
	if (json->len)
		strbuf_putc(json, '}');
}
