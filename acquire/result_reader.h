#ifndef ACQUIRE_RESULT_READER_H
#define ACQUIRE_RESULT_READER_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/campaign_plan.h"

/* The time of a run from what its command printed. */

/* Further columns that the program's own CSV line told. */
struct told_column {
	char *name, *text;
};
struct run_result {
	double time_s;
	struct told_column *column;
	size_t n;
};

/* text: stdout; row: the configuration that was asked for, which a CSV line that tells its columns
 * has to agree with. PLAN_WALL reads nothing. Errors: PARSE (there is no time, or it is of another
 * configuration: what was looked for, what was found), NOMEM. */
enum err_code result_read(const struct campaign_plan *p, const struct application *a,
			  const double *row, const char *text, struct run_result *out,
			  struct err *e);
void run_result_release(struct run_result *r);

#endif
