#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list args;

	if (!e || e->code != ERR_OK)
		return code;
	e->code = code;
	va_start(args, fmt);
	vsnprintf(e->msg, sizeof e->msg, fmt, args);
	va_end(args);
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
