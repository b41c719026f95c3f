#ifndef MINING_ERROR_REGION_H
#define MINING_ERROR_REGION_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"

/* Where predictions fail: the range of one quantity in which the errors are largest. */
struct error_region {
	const char *by;	     /* the quantity's name, of the class; NULL: too few errors to say */
	double from, to;     /* of it, inclusive */
	size_t n;	     /* errors in it */
	double median_error; /* of their absolute values */
	double bias;	     /* median of the signed ones */
};

/* error[n]: relative and signed, of the configurations row[n] (complete, derived); NaN: none. The
 * quantities are the processors and every derived column that has more than one value. Each is cut
 * into at most 4 ranges of about as many errors, equal values together; a range of fewer than 8
 * says nothing. Where two are as bad, the first quantity's, from its low end. Errors: NOMEM. */
enum err_code error_region_worst(const struct application *app, const double *const *row,
				 const double *error, size_t n, struct error_region *out,
				 struct err *e);

#endif
