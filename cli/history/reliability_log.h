#ifndef CLI_RELIABILITY_LOG_H
#define CLI_RELIABILITY_LOG_H
#include <stdbool.h>
#include <stddef.h>
#include "api/outcome_record.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* The remembered recommendations and what became of them, latest first. */

struct reliability_filter {
	const char *app, *machine; /* names in any case; NULL: any */
	bool with_outcome;	   /* only those whose configuration was run since */
	long long limit;	   /* rows of the table; 0: all */
};

struct reliability_log {
	struct out_table *table; /* one row each, limit at most */
	bool with_jobs;		 /* some job was submitted: people see them */
	size_t n;		 /* those that the filter selects */
	/* One each of the n, for calibration_of(); unknown where nothing ran or nothing was
	 * promised. */
	struct kept_promise *in_time, *inside;
	double *ratio; /* [n_ratio] time of the next run over the predicted one */
	size_t n_ratio;
};

/* for_people: ids are shortened, numbers put together. Answers that cannot be read are passed over
 * with a warning. Errors: NOMEM, INTERRUPTED, those of kb. */
enum err_code reliability_log_read(struct context *c, const struct reliability_filter *f,
				   bool for_people, struct reliability_log *out, struct err *e);
void reliability_log_release(struct reliability_log *l);

#endif
