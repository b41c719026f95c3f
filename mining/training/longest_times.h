#ifndef MINING_LONGEST_TIMES_H
#define MINING_LONGEST_TIMES_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/dataset.h"

/* The longest times of a table may be none: runs that were cut at a limit took that, and where a
 * run failed tuners and scripts write a number like 9999. Both are the same in three different
 * cases or more. A power law of the shorter runs tells them apart: it lets the former take longer,
 * and the latter half or less. run_screen.h has the conditions. */
struct longest_times {
	size_t n; /* runs that took time_s or longer; 0: none */
	double time_s;
};

/* Of the n runs run[] of a data set, all of which ended. Errors: NOMEM. */
typedef enum err_code find_longest_times(const struct dataset *runs, const uint32_t *run, size_t n,
					 struct longest_times *out, struct err *e);
find_longest_times longest_times_limit;
/* A number in place of a time. */
find_longest_times longest_times_stand_in;

#endif
