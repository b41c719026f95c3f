#ifndef INGEST_CELL_NUMBER_H
#define INGEST_CELL_NUMBER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"

/* How the numbers of one table are written. */
struct number_style {
	char decimal; /* '.' or ',' */
	bool grouped; /* the other of the two separates thousands; else it is refused */
};

/* As programs write numbers; a comma in one is refused. */
static const struct number_style number_style_plain = {'.', false};

static inline bool number_style_is_plain(struct number_style s)
{
	return s.decimal == '.' && !s.grouped;
}

/* Numbers in table cells: strict and locale-proof like base/units.h, but fast, and with a fault
 * that can be counted over a million rows. */
enum number_fault {
	NUMBER_OK,
	NUMBER_EMPTY,
	NUMBER_COMMA,	   /* "1,234": a thousands separator, or a decimal comma? */
	NUMBER_POINTS,	   /* "1.234.567": points that separate thousands */
	NUMBER_SEPARATOR,  /* "12 34": groups that are no thousands */
	NUMBER_NOT_FINITE, /* nan, inf */
	NUMBER_NOT_A_NUMBER,
	NUMBER_NOT_WHOLE,
	NUMBER_TOO_LARGE
};

/* The nearest double. Thousands may be separated by blanks, apostrophes and low lines, which can
 * mean nothing else ("1 234 567.5"); by points or commas only where the style says so. */
enum number_fault cell_number(const char *text, double *out);
enum number_fault cell_number_in(struct number_style style, const char *text, double *out);
/* A whole number that a double holds exactly (|x| <= 2^53), however it is written: "64.0" is what
 * pandas makes of 64 in a column with a gap. */
enum number_fault cell_integer_in(struct number_style style, const char *text, double *out);

/* Nothing is there: "", NA, NaN, null, None, -, as programs and people write it. */
bool cell_is_missing(const char *text);

/* "280x280x255", "4 * 8", "512^3": sizes in one cell, numbers above 0, with x, X, * or U+00D7
 * between them. */
enum { CELL_SIZES_MAX = 4 };
struct cell_size {
	const char *text; /* in the cell */
	size_t len;
};
/* How many, two or more; 0: the cell is nothing of the kind. */
size_t cell_sizes(const char *text, struct cell_size size[CELL_SIZES_MAX]);

/* ">3600", ">= 1 h", "3600+", "over 2 h": the time is longer than what is left without the mark,
 * which is copied to rest[size]. False: nothing of the kind. */
bool cell_is_lower_bound(const char *text, char *rest, size_t size);

/* What one cell says about the style of its table. */
enum number_evidence {
	EVIDENCE_NONE,		/* "1234"; no number */
	EVIDENCE_POINT,		/* "12.5": the decimal is a point, or the cell is no number */
	EVIDENCE_COMMA,		/* "12,5" */
	EVIDENCE_POINT_GROUPED, /* "1,234.5": and commas separate thousands */
	EVIDENCE_COMMA_GROUPED, /* "1.234,5", "1.234.567" */
	EVIDENCE_EITHER_DOT,	/* "20.000": 20 or 20000 */
	EVIDENCE_EITHER_COMMA	/* "1,234": 1234 or 1.234 */
};
/* whole: in its column numbers are whole, so that "1,234" can only be 1234. */
enum number_evidence cell_number_evidence(const char *text, bool whole);
/* What is wrong, without the value: "not a whole number". */
const char *number_fault_kind(enum number_fault fault);
/* The fault with the value and what would be right. */
void number_fault_explain(enum number_fault fault, const char *text, struct strbuf *out);

/* Times as schedulers, time(1) and pandas write them. */

enum clock_form {
	CLOCK_ANY, /* only what can mean one thing */
	CLOCK_HMS, /* seconds are last: "02:03" is 2 min 3 s */
	CLOCK_HM   /* minutes are last: "02:03" is 2 h 3 min */
};
enum clock_fault {
	CLOCK_OK,
	CLOCK_NONE,	   /* not written so */
	CLOCK_TWO_WAYS,	   /* "02:03" under CLOCK_ANY */
	CLOCK_OUT_OF_RANGE /* "00:99:00" */
};

/* Seconds. "00:01:40", "36:00:00", "1-02:03:04" and "1-02:03" (days first, as Slurm writes them),
 * "02:03.456" (minutes and seconds), "0 days 00:01:40.5" (pandas), "1m40.5s", "1h2m3s" (time(1)),
 * "350 ms", "1.2 s", "2 hours 5 min": a number with a unit of time, and a smaller one behind it.
 * The leading part may be as large as it likes, the others stay below 60 (hours behind days below
 * 24). decimal: the mark of fractions. *out is written only on CLOCK_OK. */
enum clock_fault cell_clock(const char *text, enum clock_form form, char decimal, double *out);

/* From the unit of a column in a file to the unit we store it in: value = cell * multiplier /
 * divisor. A divisor because 9 ms / 1000 is the nearest double to 0.009 s, and 9 ms * 0.001 is
 * not: the same run in ms and in s must be the same run. */
struct cell_unit {
	double multiplier;
	double divisor;
	enum clock_form clock; /* not CLOCK_ANY: cells are "00:01:40", no numbers */
};

static const struct cell_unit cell_unit_same = {1, 1, CLOCK_ANY};

static inline double cell_unit_apply(struct cell_unit u, double cell)
{
	return cell * u.multiplier / u.divisor;
}

/* Both units of time, or both of size; false if the one does not convert into the other. */
bool cell_unit_between(const char *from, const char *to, struct cell_unit *out);
/* From a unit of so many seconds to seconds. */
struct cell_unit cell_unit_of_ratio(double ratio);
/* Is it a unit of time or size at all? */
bool cell_unit_known(const char *unit);

/* CLOCK_ANY: "hms", "hh:mm:ss", "mm:ss", "hh:mm" and their kin name another. */
enum clock_form cell_unit_clock(const char *unit);

/* Seconds (of a clock's form 1) or bytes per unit by the names people write: "ms", "msec",
 * "milliseconds"; "KiB", "bytes". 0: no such unit. */
double cell_unit_seconds(const char *unit);
/* The unit of time that a cell is, as in a row of units below the header ("[ms]" gives "ms"), into
 * unit[CELL_UNIT_MAX]. */
enum { CELL_UNIT_MAX = 16 };
bool cell_is_unit_of_time(const char *text, char *unit);
double cell_unit_bytes(const char *unit);

#endif
