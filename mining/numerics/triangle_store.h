#ifndef MINING_TRIANGLE_STORE_H
#define MINING_TRIANGLE_STORE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "kb/kb.h"

/* Cholesky factors, a[p * p] with zeros above the diagonal, among the numbers of a fit: PREFIX0,
 * PREFIX1, ..., row by row. */

/* Errors: NOMEM. */
enum err_code triangle_store(const char *prefix, const double *a, size_t p, struct kb_fit *fit,
			     struct err *e);
/* a[p * p], zeros at first. false: numbers are missing, no numbers, or no factor's (its diagonal is
 * positive). */
bool triangle_load(const struct kb_fit *fit, const char *prefix, double *a, size_t p);

#endif
