#ifndef INGEST_CELL_NUMBER_H
#define INGEST_CELL_NUMBER_H
#include "base/strbuf.h"

/* Numbers in table cells: strict and locale-proof like base/units.h, but fast, and with a fault
 * that can be counted over a million rows. */
enum number_fault {
	NUMBER_OK,
	NUMBER_EMPTY,
	NUMBER_COMMA,	   /* "1,234": a thousands separator, or a decimal comma? */
	NUMBER_SEPARATOR,  /* "1 234", "1'234", "1_234" */
	NUMBER_NOT_FINITE, /* nan, inf */
	NUMBER_NOT_A_NUMBER,
	NUMBER_NOT_WHOLE,
	NUMBER_TOO_LARGE
};

/* The nearest double. */
enum number_fault cell_number(const char *text, double *out);
/* A whole number that a double holds exactly (|x| <= 2^53); "10.0" and "1e3" are not whole numbers
 * as counts are written. */
enum number_fault cell_integer(const char *text, double *out);
/* What is wrong, without the value: "not a whole number". */
const char *number_fault_kind(enum number_fault fault);
/* The same with the value and what would be right. */
void number_fault_explain(enum number_fault fault, const char *text, struct strbuf *out);

#endif
