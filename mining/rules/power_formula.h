#ifndef MINING_POWER_FORMULA_H
#define MINING_POWER_FORMULA_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* coefficient * column^exponent * ..., kept between min and max: what a time rule says, fitted in
 * the logarithm. Coefficient and bounds have three significant digits and exponents three
 * decimals from the fit on, as rules print them: what is measured is the printed formula. */
enum { POWER_FORMULA_TERMS = 3 };

struct power_formula {
	double coefficient;
	size_t n_terms;
	struct {
		size_t column;
		size_t factor; /* its place in power_data */
		double exponent;
	} term[POWER_FORMULA_TERMS];
	double min, max; /* over what it was fitted to */
};

/* What formulas are fitted to. */
struct power_data {
	size_t n;
	const double *y; /* [n] in the logarithm */
	size_t n_factors;
	const size_t *factor; /* the columns that may enter */
	const double *log_x;  /* [n_factors * n], factor by factor; NaN: missing or not positive */
};

/* Fit to n >= 1 of the rows: at most max_terms columns, chosen forward, with soft-L1 loss
 * (ridge_fit.h), which disturbed runs pull with bounded force. Errors: NOMEM, NUMERIC. */
enum err_code power_formula_fit(const struct power_data *d, const uint32_t *row, size_t n,
				size_t max_terms, struct power_formula *out, struct err *e);

/* The logarithm of its value; NaN where a column is missing or not positive. */
double power_formula_log(const struct power_formula *f, const double *row);
/* power_formula_log() at row i of the data. */
double power_formula_log_at(const struct power_formula *f, const struct power_data *d, size_t i);

#endif
