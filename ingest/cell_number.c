#include "ingest/cell_number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_form.h"
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

/* ---- separators ---- */

/* Marks between thousands that mean nothing else: with the no-break spaces of typesetters, U+00A0,
 * U+2009 and U+202F. Its length in bytes; 0: none. */
static size_t blank_mark(const char *p)
{
	static const char *const mark[] = {" ",		  "'", "_", "\xc2\xa0", "\xe2\x80\x89",
					   "\xe2\x80\xaf"};

	for (size_t i = 0; i < sizeof mark / sizeof mark[0]; i++) {
		size_t n = strlen(mark[i]);

		if (strncmp(p, mark[i], n) == 0)
			return n;
	}
	return 0;
}

static size_t mark_at(const char *p, char group)
{
	return group && *p == group ? 1 : blank_mark(p);
}

enum { PLAIN_MAX = 64 }; /* bytes of a number with separators: more is none */

/* "1.234.567,5" in one style becomes "1234567.5": between 1 and 3 digits and groups of three stands
 * one and the same mark, group or a blank one. False: not written so. *grouped: by group. */
static bool make_plain(const char *text, char decimal, char group, char *plain, bool *grouped)
{
	const char *p = text + (*text == '-' || *text == '+');
	const char *mark = NULL;
	size_t n_mark = 0;
	size_t n = 0;
	size_t n_first;

	if (strlen(text) >= PLAIN_MAX)
		return false;
	*grouped = false;
	if (*text == '-')
		plain[n++] = '-';
	n_first = strspn(p, "0123456789");
	if (n_first == 0)
		return false;
	memcpy(plain + n, p, n_first);
	n += n_first;
	p += n_first;
	while ((n_mark = mark_at(p, group))) {
		if (mark ? strncmp(mark, p, n_mark) != 0
			 : n_first > 3 || p[-(ptrdiff_t)n_first] == '0')
			return false;
		mark = p;
		*grouped = *p == group;
		p += n_mark;
		if (strspn(p, "0123456789") != 3)
			return false;
		memcpy(plain + n, p, 3);
		n += 3;
		p += 3;
	}
	if (*p == decimal) {
		plain[n++] = '.';
		p++;
	} else if (*p == '.') {
		return false;
	}
	memcpy(plain + n, p, strlen(p) + 1);
	return is_written_as_number(plain);
}

/* ---- faults ---- */

/* Why text is not a number in the plain style. */
static enum number_fault diagnose(const char *text)
{
	const char *unsigned_text = text + (*text == '-' || *text == '+');
	char plain[PLAIN_MAX];
	bool grouped;

	if (!*text)
		return NUMBER_EMPTY;
	if (strcasecmp(unsigned_text, "nan") == 0 || strcasecmp(unsigned_text, "inf") == 0 ||
	    strcasecmp(unsigned_text, "infinity") == 0)
		return NUMBER_NOT_FINITE;
	if (make_plain(text, ',', '.', plain, &grouped) && grouped && !strchr(text, ','))
		return NUMBER_POINTS;
	if (!has_digit(text) || unsigned_text[strspn(unsigned_text, "0123456789.,'_ ")])
		return NUMBER_NOT_A_NUMBER;
	if (strchr(text, ','))
		return NUMBER_COMMA;
	return strpbrk(text, "'_ ") ? NUMBER_SEPARATOR : NUMBER_NOT_A_NUMBER;
}

/* ---- numbers ---- */

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

/* "1.4D+01", as Fortran writes double precision, becomes "1.4e+01"; it has a point always (ISO/IEC
 * 1539-1:2018, 13.7.2.3.3), so that "1d12" is none. False: not written so. */
static bool make_c_exponent(const char *text, char *plain)
{
	const size_t n = strlen(text), at = strcspn(text, "dD");

	if (n >= PLAIN_MAX || at == n || !memchr(text, '.', at))
		return false;
	memcpy(plain, text, n + 1);
	plain[at] = 'e';
	return is_written_as_number(plain);
}

static enum number_fault plain_number(const char *text, double *out)
{
	char plain[PLAIN_MAX];

	if (short_decimal(text, out) || number_parse(text, out, NULL) == ERR_OK)
		return NUMBER_OK;
	if (make_c_exponent(text, plain))
		return number_parse(plain, out, NULL) == ERR_OK ? NUMBER_OK : NUMBER_TOO_LARGE;
	return is_written_as_number(text) ? NUMBER_TOO_LARGE : NUMBER_NOT_A_NUMBER;
}

enum number_fault cell_number_in(struct number_style style, const char *text, double *out)
{
	char group = (char)(!style.grouped ? 0 : style.decimal == '.' ? ',' : '.');
	char plain[PLAIN_MAX];
	enum number_fault fault = NUMBER_NOT_A_NUMBER;
	bool grouped;

	if (style.decimal == '.' && (fault = plain_number(text, out)) != NUMBER_NOT_A_NUMBER)
		return fault;
	if (make_plain(text, style.decimal, group, plain, &grouped))
		return plain_number(plain, out);
	fault = diagnose(text);
	/* Where the decimal is a comma, "12.5" is no number, and neither is "1,2,3" anywhere. */
	return !number_style_is_plain(style) && (fault == NUMBER_COMMA || fault == NUMBER_POINTS)
		       ? NUMBER_NOT_A_NUMBER
		       : fault;
}

enum number_fault cell_number(const char *text, double *out)
{
	return cell_number_in(number_style_plain, text, out);
}

/* Exactly: of "64.00000000000000000001" the nearest double is whole. text is a number with a point.
 */
static bool is_whole(const char *text)
{
	const char *digits = text + (*text == '-' || *text == '+');
	size_t n_int = strspn(digits, "0123456789");
	const char *p = digits + n_int;
	size_t n_all = n_int;
	long n_before_point;

	if (*p == '.')
		n_all += strspn(p + 1, "0123456789");
	p += (*p == '.') + n_all - n_int;
	n_before_point = (long)n_int;
	if (*p && strlen(p) > 6) /* the double of 1e99999 is none, that of 1e-99999 is 0 */
		return false;
	if (*p)
		n_before_point += strtol(p + 1, NULL, 10);
	for (size_t i = 0; i < n_all; i++) {
		char digit = i < n_int ? digits[i] : digits[i + 1];

		if ((long)i >= n_before_point && digit != '0')
			return false;
	}
	return true;
}

enum number_fault cell_integer_in(struct number_style style, const char *text, double *out)
{
	const char *digits = text + (*text == '-' || *text == '+');
	const char *p = digits;
	uint64_t value = 0;
	enum number_fault fault;
	char plain[PLAIN_MAX];
	bool grouped;
	double real;

	for (; is_digit(*p) && value <= exact_max; p++)
		value = value * 10 + (uint64_t)(*p - '0');
	if (p > digits && !*p && value <= exact_max) {
		*out = *text == '-' ? -(double)value : (double)value;
		return NUMBER_OK;
	}
	if ((fault = cell_number_in(style, text, &real)) != NUMBER_OK)
		return fault;
	if (style.decimal != '.' || !is_written_as_number(text)) {
		char group = (char)(!style.grouped ? 0 : style.decimal == '.' ? ',' : '.');

		if (make_plain(text, style.decimal, group, plain, &grouped))
			text = plain;
	}
	if (!is_whole(text))
		return NUMBER_NOT_WHOLE;
	if (fabs(real) >= (double)exact_max) /* 2^53 + 1 would be 2^53 */
		return NUMBER_TOO_LARGE;
	*out = real;
	return NUMBER_OK;
}

bool cell_is_missing(const char *text)
{
	static const char *const word[] = {"na",   "n/a", "nan",  "-nan",	  "<na>",
					   "#n/a", "nat", "null", "none",	  "nil",
					   "\\n",  "-",	  "--",	  "---",	  "n.a.",
					   "*",	   "**",  "?",	  "\xe2\x80\x93", "\xe2\x80\x94",
					   NULL};

	if (!*text)
		return true;
	if (is_digit(*text))
		return false;
	return text_list_has(word, text);
}

/* ---- sizes ---- */

/* Digits with a fraction or not, above 0 (0x10 is no two sizes); its length, 0: none. */
static size_t size_length(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (n > 0 && (text[n] == '.' || text[n] == ',') && is_digit(text[n + 1]))
		n += 1 + strspn(text + n + 1, "0123456789");
	return strcspn(text, "123456789") < n ? n : 0;
}

/* The mark between two sizes, with the blanks around it; 0: there is none. */
static size_t times_length(const char *text)
{
	static const char *const mark[] = {"x", "X", "*", "\xc3\x97"};
	const size_t before = strspn(text, " ");

	for (size_t i = 0; i < sizeof mark / sizeof mark[0]; i++) {
		const size_t n = strlen(mark[i]);

		if (strncmp(text + before, mark[i], n) == 0)
			return before + n + strspn(text + before + n, " ");
	}
	return 0;
}

size_t cell_sizes(const char *text, struct cell_size size[CELL_SIZES_MAX])
{
	size_t n = 0, n_mark = 0;

	do {
		text += n_mark;
		if (n == CELL_SIZES_MAX || (size[n].len = size_length(text)) == 0)
			return 0;
		size[n].text = text;
		text += size[n++].len;
	} while ((n_mark = times_length(text)) > 0);
	if (n == 1 && *text == '^' && text[1] >= '2' && text[1] <= '0' + CELL_SIZES_MAX) {
		for (; n < (size_t)(text[1] - '0'); n++)
			size[n] = size[0];
		text += 2;
	}
	return *text || n < 2 ? 0 : n;
}

bool cell_is_lower_bound(const char *text, char *rest, size_t size)
{
	static const char *const mark[] = {">=",	   "=>",	 ">",
					   "\xe2\x89\xa5", "more than ", "at least ",
					   "longer than ", "over "};
	size_t n = 0, len;

	for (size_t i = 0; i < sizeof mark / sizeof mark[0] && n == 0; i++) {
		if (strncasecmp(text, mark[i], strlen(mark[i])) == 0)
			n = strlen(mark[i]);
	}
	text += n + strspn(text + n, " ");
	len = strlen(text);
	if (n == 0 && len > 0 && text[len - 1] == '+')
		n = 1, len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (n == 0 || !is_digit(*text) || len >= size)
		return false;
	memcpy(rest, text, len);
	rest[len] = '\0';
	return true;
}

/* ---- the style of a table ---- */

enum number_evidence cell_number_evidence(const char *text, bool whole)
{
	char as_point[PLAIN_MAX];
	char as_comma[PLAIN_MAX];
	bool point_grouped, comma_grouped;
	bool point, comma;

	if (!strpbrk(text, ".,"))
		return EVIDENCE_NONE;
	point = make_plain(text, '.', ',', as_point, &point_grouped) &&
		(!whole || is_whole(as_point));
	comma = make_plain(text, ',', '.', as_comma, &comma_grouped) &&
		(!whole || is_whole(as_comma));
	if (point && comma) /* one mark, then three digits */
		return strchr(text, '.') ? EVIDENCE_EITHER_DOT : EVIDENCE_EITHER_COMMA;
	if (point)
		return point_grouped ? EVIDENCE_POINT_GROUPED : EVIDENCE_POINT;
	if (comma)
		return comma_grouped ? EVIDENCE_COMMA_GROUPED : EVIDENCE_COMMA;
	return EVIDENCE_NONE;
}

/* ---- messages ---- */

const char *number_fault_kind(enum number_fault fault)
{
	switch (fault) {
	case NUMBER_OK:
		break;
	case NUMBER_EMPTY:
		return "empty";
	case NUMBER_COMMA:
		return "a thousands separator or a decimal comma";
	case NUMBER_POINTS:
		return "points between thousands";
	case NUMBER_SEPARATOR:
		return "a separator that is not between thousands";
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
		strbuf_puts(out, "has a comma: between thousands, or for the decimal point? Write "
				 "numbers without the one and with the other");
		break;
	case NUMBER_POINTS:
		strbuf_puts(out, "has points between thousands: write the digits only");
		break;
	case NUMBER_SEPARATOR:
		strbuf_puts(out, "has a separator that is not between thousands: write the digits "
				 "only");
		break;
	default:
		strbuf_printf(out, "is %s", number_fault_kind(fault));
	}
}

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

/* Digits with a fraction. */
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

static const char *skip_blanks(const char *p)
{
	while (blank_mark(p) > 0 && *p != '\'' && *p != '_')
		p += blank_mark(p);
	return p;
}

/* The unit that letters name, in seconds, 0: none; *end behind them. "m" is a minute beside hours
 * or seconds; by itself it may be one of length. */
static double read_unit(const char *p, bool first, const char **end)
{
	char word[16];
	size_t n = 0;

	for (; (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] & 0x80; n++) {
		if (n + 1 == sizeof word)
			return 0;
		word[n] = (char)(p[n] >= 'A' && p[n] <= 'Z' ? p[n] - 'A' + 'a' : p[n]);
	}
	word[n] = '\0';
	*end = p + n + (strncmp(p + n, "(s)", 3) == 0 ? 3 : 0); /* "37 second(s)" of LSF */
	if (strcmp(word, "m") == 0)
		return first && !*skip_blanks(*end) ? 0 : 60;
	return n > 0 && cell_unit_clock(word) == CLOCK_ANY ? cell_unit_seconds(word) : 0;
}

/* "1.2e-3": where a unit is next, an exponent is not the unit. */
static const char *read_exponent(const char *p, const char *end, char decimal, double *out)
{
	char number[TEXT_MAX];
	size_t n = 1;

	if (*end != 'e' && *end != 'E')
		return end;
	n += end[1] == '-' || end[1] == '+';
	if (strspn(end + n, "0123456789") == 0)
		return end;
	end += n + strspn(end + n, "0123456789");
	memcpy(number, p, (size_t)(end - p)); /* as in read_real() */
	number[end - p] = '\0';
	if (strchr(number, decimal))
		*strchr(number, decimal) = '.';
	return cell_number(number, out) == NUMBER_OK ? end : NULL;
}

/* "1h2m3.5s", "1m40s", "350 ms", "2 hours 5 min": every part is smaller than the one before, and
 * only the last has a fraction. */
static bool read_lettered(const char *p, char decimal, double *out)
{
	double unit = 0;
	double sum = 0;

	while (*p) {
		double x, before = unit;
		const char *end = read_real(p, decimal, &x);

		if (!end || !(end = read_exponent(p, end, decimal, &x)))
			return false;
		unit = read_unit(skip_blanks(end), sum == 0, &end);
		if (unit <= 0 || (before > 0 && (unit >= before || x * unit >= before)))
			return false;
		end = skip_blanks(end);
		if (*end && trunc(x) != x)
			return false;
		sum += unit < 1 ? x / rint(1 / unit) : x * unit;
		p = end;
	}
	if (unit <= 0)
		return false;
	*out = sum;
	return true;
}

enum clock_fault cell_clock(const char *text, enum clock_form form, char decimal, double *out)
{
	char letters[TEXT_MAX];
	double part[PARTS_MAX];
	double days;
	double sum;
	size_t n, first;
	bool any_days, fraction;
	const char *p;

	if (strlen(text) >= TEXT_MAX)
		return CLOCK_NONE;
	if (iso_duration_letters(text, letters, sizeof letters) &&
	    read_lettered(letters, decimal, out))
		return CLOCK_OK;
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

struct synonym {
	const char *written;
	const char *unit;
};

enum clock_form cell_unit_clock(const char *unit)
{
	if (text_has_word("hms h:m:s hh:mm:ss h:mm:ss mm:ss m:ss m:s d-hh:mm:ss dd-hh:mm:ss "
			  "d-h:m:s dhms hh:mm:ss.s",
			  unit))
		return CLOCK_HMS;
	return text_has_word("hm h:m hh:mm h:mm d-hh:mm", unit) ? CLOCK_HM : CLOCK_ANY;
}

double cell_unit_seconds(const char *unit)
{
	static const char *const several[] = {"ns", "us", "ms", "min"};
	static const struct synonym synonym[] = {
		{"sec", "s"},	       {"secs", "s"},	       {"second", "s"},
		{"seconds", "s"},      {"msec", "ms"},	       {"msecs", "ms"},
		{"millisecond", "ms"}, {"milliseconds", "ms"}, {"usec", "us"},
		{"usecs", "us"},       {"microsecond", "us"},  {"microseconds", "us"},
		{"\xc2\xb5s", "us"},   {"\xce\xbcs", "us"},    {"nsec", "ns"},
		{"nsecs", "ns"},       {"nanosecond", "ns"},   {"nanoseconds", "ns"},
		{"minute", "min"},     {"minutes", "min"},     {"mins", "min"},
		{"hr", "h"},	       {"hrs", "h"},	       {"hour", "h"},
		{"hours", "h"},	       {"day", "d"},	       {"days", "d"},
	};

	for (size_t i = 0; i < sizeof synonym / sizeof synonym[0]; i++) {
		if (strcasecmp(unit, synonym[i].written) == 0)
			return time_unit_s(synonym[i].unit);
	}
	if (cell_unit_clock(unit) != CLOCK_ANY)
		return 1;
	/* "Min", "MS"; of one letter "M" may be another unit. */
	for (size_t i = 0; i < sizeof several / sizeof several[0]; i++) {
		if (strcasecmp(unit, several[i]) == 0)
			return time_unit_s(several[i]);
	}
	return time_unit_s(unit);
}

bool cell_is_unit_of_time(const char *text, char *unit)
{
	const size_t lead = strspn(text, " [(");
	const size_t n = strcspn(text + lead, " ])");

	if (n == 0 || n >= CELL_UNIT_MAX || text[lead + n + strspn(text + lead + n, " ])")])
		return false;
	memcpy(unit, text + lead, n);
	unit[n] = '\0';
	return cell_unit_seconds(unit) > 0;
}

double cell_unit_bytes(const char *unit)
{
	if (strcasecmp(unit, "byte") == 0 || strcasecmp(unit, "bytes") == 0)
		return 1;
	return size_unit_bytes(unit);
}

bool cell_unit_known(const char *unit)
{
	return cell_unit_seconds(unit) > 0 || cell_unit_bytes(unit) > 0;
}

struct cell_unit cell_unit_of_ratio(double ratio)
{
	double divisor;

	if (ratio >= 1)
		return (struct cell_unit){ratio, 1, CLOCK_ANY};
	divisor = 1 / ratio;
	if (fabs(divisor - rint(divisor)) <= 1e-9 * divisor) /* 1e9 to the last bit, from 1e-9 */
		divisor = rint(divisor);
	return (struct cell_unit){1, divisor, CLOCK_ANY};
}

bool cell_unit_between(const char *from, const char *to, struct cell_unit *out)
{
	double time_from = cell_unit_seconds(from);
	double time_to = cell_unit_seconds(to);
	double size_from = cell_unit_bytes(from);
	double size_to = cell_unit_bytes(to);

	if (time_from > 0 && time_to > 0)
		*out = cell_unit_of_ratio(time_from / time_to);
	else if (size_from > 0 && size_to > 0)
		*out = cell_unit_of_ratio(size_from / size_to);
	else
		return false;
	out->clock = cell_unit_clock(from);
	return true;
}
