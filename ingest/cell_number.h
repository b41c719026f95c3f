#ifndef INGEST_CELL_NUMBER_H
#define INGEST_CELL_NUMBER_H
#include <stdbool.h>
#include "base/strbuf.h"
#include "ingest/number_style.h"

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
enum number_fault cell_integer(const char *text, double *out);
enum number_fault cell_integer_in(struct number_style style, const char *text, double *out);

/* Nothing is there: "", NA, NaN, null, None, -, as programs write it. */
bool cell_is_missing(const char *text);

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
/* The same with the value and what would be right. */
void number_fault_explain(enum number_fault fault, const char *text, struct strbuf *out);

#endif
