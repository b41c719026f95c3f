#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Who runs out of memory says what there was no room for: "order of 16 values". */
static void say_memory(struct err *e)
{
	size_t len = strlen(e->msg);

	if (!strstr(e->msg, "memory"))
		snprintf(e->msg + len, sizeof e->msg - len, "%s", ": out of memory");
}

enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list args;

	if (!e || e->code != ERR_OK)
		return code;
	e->code = code;
	va_start(args, fmt);
	vsnprintf(e->msg, sizeof e->msg, fmt, args);
	va_end(args);
	if (code == ERR_NOMEM)
		say_memory(e);
	return code;
}

const char *err_text(enum err_code code)
{
	switch (code) {
	case ERR_OK:
		return "no error";
#define ERR_CASE(name, exit_status, text) \
	case ERR_##name:                  \
		return text;
		ERR_MAP(ERR_CASE)
#undef ERR_CASE
	}
	return "unknown error";
}

int err_exit_status(enum err_code code)
{
	switch (code) {
	case ERR_OK:
		return 0;
#define ERR_CASE(name, exit_status, text) \
	case ERR_##name:                  \
		return exit_status;
		ERR_MAP(ERR_CASE)
#undef ERR_CASE
	}
	return 5;
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
