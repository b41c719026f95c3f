#include "ingest/cell_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

static const uint64_t exact_max = UINT64_C(1) << 53; /* every smaller whole number is a double */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool has_digit(const char *text)
{
	return text[strcspn(text, "0123456789")] != '\0';
}

/* [sign] digits [. digits] [e [sign] digits]: a number even if no double is that large. */
static bool is_written_as_number(const char *text)
{
	const char *p = text + (*text == '-' || *text == '+');

	if (!is_digit(*p) && !(*p == '.' && is_digit(p[1])))
		return false;
	p += strspn(p, "0123456789");
	if (*p == '.')
		p += 1 + strspn(p + 1, "0123456789");
	if (*p != 'e' && *p != 'E')
		return !*p;
	p++;
	p += *p == '-' || *p == '+';
	return is_digit(*p) && !p[strspn(p, "0123456789")];
}

/* Why text is not a number. */
static enum number_fault diagnose(const char *text)
{
	const char *unsigned_text = text + (*text == '-' || *text == '+');

	if (!*text)
		return NUMBER_EMPTY;
	if (strcasecmp(unsigned_text, "nan") == 0 || strcasecmp(unsigned_text, "inf") == 0 ||
	    strcasecmp(unsigned_text, "infinity") == 0)
		return NUMBER_NOT_FINITE;
	if (!has_digit(text) || unsigned_text[strspn(unsigned_text, "0123456789.,'_ ")])
		return NUMBER_NOT_A_NUMBER;
	if (strchr(text, ','))
		return NUMBER_COMMA;
	return strpbrk(text, "'_ ") ? NUMBER_SEPARATOR : NUMBER_NOT_A_NUMBER;
}

/* "12.5" with few digits: digits and power of ten are both exact doubles, so one division rounds
 * correctly (W. D. Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990, section 2).
 * Everything else, exponents too, is number_parse()'s. */
static bool short_decimal(const char *text, double *out)
{
	enum { LENGTH_MAX = 18 }; /* so many digits cannot overflow 64 bits */
	static const double ten_to[LENGTH_MAX + 1] = {1e0,  1e1,  1e2,	1e3,  1e4,  1e5,  1e6,
						      1e7,  1e8,  1e9,	1e10, 1e11, 1e12, 1e13,
						      1e14, 1e15, 1e16, 1e17, 1e18};
	const char *begin = text + (*text == '-');
	const char *point = NULL;
	const char *p = begin;
	uint64_t mantissa = 0;

	if (!is_digit(*p))
		return false;
	for (; p - begin <= LENGTH_MAX; p++) {
		if (is_digit(*p))
			mantissa = mantissa * 10 + (uint64_t)(*p - '0');
		else if (*p == '.' && !point)
			point = p;
		else
			break;
	}
	if (*p || p - begin > LENGTH_MAX || mantissa > exact_max)
		return false;
	*out = (double)mantissa / ten_to[point ? p - point - 1 : 0];
	if (*text == '-')
		*out = -*out;
	return true;
}

enum number_fault cell_number(const char *text, double *out)
{
	if (short_decimal(text, out) || number_parse(text, out, NULL) == ERR_OK)
		return NUMBER_OK;
	return is_written_as_number(text) ? NUMBER_TOO_LARGE : diagnose(text);
}

enum number_fault cell_integer(const char *text, double *out)
{
	const char *digits = text + (*text == '-' || *text == '+');
	const char *p = digits;
	uint64_t value = 0;
	double real;

	for (; is_digit(*p) && value <= exact_max; p++)
		value = value * 10 + (uint64_t)(*p - '0');
	if (p > digits && value > exact_max) {
		p += strspn(p, "0123456789");
		if (!*p)
			return NUMBER_TOO_LARGE;
	}
	if (p == digits || *p) {
		enum number_fault fault = cell_number(text, &real);

		return fault == NUMBER_OK ? NUMBER_NOT_WHOLE : fault;
	}
	*out = *text == '-' ? -(double)value : (double)value;
	return NUMBER_OK;
}

const char *number_fault_kind(enum number_fault fault)
{
	switch (fault) {
	case NUMBER_OK:
		break;
	case NUMBER_EMPTY:
		return "empty";
	case NUMBER_COMMA:
		return "a thousands separator or a decimal comma";
	case NUMBER_SEPARATOR:
		return "a thousands separator";
	case NUMBER_NOT_FINITE:
		return "not a finite number";
	case NUMBER_NOT_A_NUMBER:
		return "not a number";
	case NUMBER_NOT_WHOLE:
		return "not a whole number";
	case NUMBER_TOO_LARGE:
		return "too large";
	}
	return "no fault";
}

void number_fault_explain(enum number_fault fault, const char *text, struct strbuf *out)
{
	enum { SHOWN_MAX = 60 }; /* a cell may hold a megabyte */

	if (fault == NUMBER_EMPTY) {
		strbuf_puts(out, "empty");
		return;
	}
	strbuf_printf(out, "'%.*s'%s ", SHOWN_MAX, text, strlen(text) > SHOWN_MAX ? "..." : "");
	switch (fault) {
	case NUMBER_COMMA:
		strbuf_puts(out, "has a comma: write numbers without thousands separators and with "
				 "a decimal point");
		break;
	case NUMBER_SEPARATOR:
		strbuf_puts(out, "has a thousands separator: write the digits only");
		break;
	default:
		strbuf_printf(out, "is %s", number_fault_kind(fault));
	}
}
