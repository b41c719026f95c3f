#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text_form.h"

/* The caller says what there was no room for: "order of 16 values". */
static void say_memory(struct err *e)
{
	size_t len = strlen(e->msg);

	if (!strstr(e->msg, "memory"))
		snprintf(e->msg + len, sizeof e->msg - len, "%s", ": out of memory");
}

/* Append text to the message as far as there is room, safe on a terminal. It allocates nothing:
 * this is how a lack of memory is told. */
static void append_safe(struct err *e, const char *text, bool keep_lines)
{
	size_t len = strlen(e->msg);

	while (*text) {
		char shown[4 * 4 + 1];
		bool hidden;
		size_t n = text_character(text, &hidden), n_shown = n;

		if (!hidden || (keep_lines && *text == '\n')) {
			memcpy(shown, text, n);
		} else {
			n_shown = 4 * n;
			for (size_t i = 0; i < n; i++)
				snprintf(shown + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
		}
		if (n_shown >= sizeof e->msg - len)
			break;
		memcpy(e->msg + len, shown, n_shown);
		len += n_shown;
		text += n;
	}
	e->msg[len] = '\0';
}

static void set(struct err *e, enum err_code code, const char *fmt, va_list args)
	__attribute__((format(printf, 3, 0)));

static void set(struct err *e, enum err_code code, const char *fmt, va_list args)
{
	char text[sizeof e->msg];

	e->code = code;
	e->msg[0] = '\0';
	vsnprintf(text, sizeof text, fmt, args);
	append_safe(e, text, false);
	if (code == ERR_NOMEM)
		say_memory(e);
}

enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list args;

	if (!e || e->code != ERR_OK)
		return code;
	va_start(args, fmt);
	set(e, code, fmt, args);
	va_end(args);
	return code;
}

enum err_code err_set_lines(struct err *e, enum err_code code, const char *lines, const char *fmt,
			    ...)
{
	va_list args;

	if (!e || e->code != ERR_OK)
		return code;
	va_start(args, fmt);
	set(e, code, fmt, args);
	va_end(args);
	append_safe(e, lines, true);
	return code;
}

static const struct {
	const char *name, *text;
	int exit_status;
} codes[] = {{"OK", "no error", 0},
#define ERR_ROW(name, exit_status, text) {#name, text, exit_status},
	     ERR_MAP(ERR_ROW)
#undef ERR_ROW
};
enum { N_CODES = sizeof codes / sizeof codes[0] };

static bool is_code(enum err_code code)
{
	return (size_t)code < N_CODES;
}

const char *err_text(enum err_code code)
{
	return is_code(code) ? codes[code].text : "unknown error";
}

int err_exit_status(enum err_code code)
{
	return is_code(code) ? codes[code].exit_status : 5;
}

enum err_code err_of_reading(int number)
{
	switch (number) {
	case EIO:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return ERR_IO;
	default:
		return ERR_PARSE;
	}
}

const char *err_name(enum err_code code)
{
	return is_code(code) ? codes[code].name : "unknown";
}

bool err_from_name(const char *name, enum err_code *out)
{
	for (int i = 0; i < N_CODES; i++) {
		if (strcmp(codes[i].name, name) == 0) {
			*out = (enum err_code)i;
			return true;
		}
	}
	return false;
}
