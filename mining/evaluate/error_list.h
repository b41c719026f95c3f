#ifndef MINING_ERROR_LIST_H
#define MINING_ERROR_LIST_H
#include <stddef.h>
#include "base/err.h"

/* Relative errors as they come in, and what is said of them. */
struct error_list {
	double *value; /* signed */
	size_t n, cap;
};

/* Errors: NOMEM. */
enum err_code error_list_add(struct error_list *l, double value, struct err *e);
void error_list_release(struct error_list *l);
/* Median and 90th percentile of the absolute values, median of the signed ones. Reorders the list;
 * n >= 1. */
void error_list_summarise(struct error_list *l, double *median, double *p90, double *bias);

#endif
