#ifndef ACQUIRE_TED_PRIVATE_H
#define ACQUIRE_TED_PRIVATE_H
#include "acquire/ted.h"

/* Shared by ted.c and ted_database.c. */

/* The database method: fills *out, but for cost_s. */
enum err_code ted_database(const struct task_description *t, const double *asked,
			   struct ted_result *out, struct err *e);
/* A path of the description, from its folder. */
void ted_path(const struct task_description *t, const char *path, struct strbuf *out);
/* Median and spread of times[0..n-1], n >= 1; reorders them. */
void ted_summarise(double *times, size_t n, struct ted_result *out);

#endif
