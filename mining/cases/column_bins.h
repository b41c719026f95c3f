#ifndef MINING_COLUMN_BINS_H
#define MINING_COLUMN_BINS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* The values of a column as at most 255 codes, so that conditions on it are counted, not sorted.
 * Few distinct values: one bin each. Many: bins of about equal numbers of values. */
enum { MAX_BINS = 255, BIN_MISSING = 255 };

struct column_bins {
	size_t n;	    /* bins in use; 0: the column is missing everywhere */
	bool exact;	    /* every bin holds one value, low[b] = high[b] */
	bool whole;	    /* exact, and all of them whole numbers */
	bool ordered;	    /* false for text: codes are level codes, ranges mean nothing */
	double *low, *high; /* smallest and largest value in bin b; low[b] > high[b - 1] */
};

/* From n values (NaN: missing), any order. Text columns: values are level codes; codes from 255 on
 * are missing. Errors: NOMEM. */
enum err_code column_bins_make(const double *value, size_t n, bool text, struct column_bins *out,
			       struct err *e);
void column_bins_release(struct column_bins *b);
/* BIN_MISSING for NaN; values between bins go to the nearer one below. */
unsigned char column_bins_code(const struct column_bins *b, double value);
/* A short decimal number at or above every value of bin b and below every value of b + 1: what
 * "at most bin b" is printed as. high[b] where the values are whole or b is the last. */
double column_bins_edge(const struct column_bins *b, size_t bin);

#endif
