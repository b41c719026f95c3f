#ifndef ACQUIRE_TED_H
#define ACQUIRE_TED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/task_description.h"

/* Find the time of a task as its description (domain/task_description.h) says:
 *   measure   run the program here; the median of its runs
 *   simulate  run it under valgrind's cachegrind with the caches described, doing the task once and
 *             twice: the difference is one repeat with warm caches, without what comes before and
 *             after it. Instructions and misses become time by task_time_of()
 *   trace     send a recorded address trace through models/memory_hierarchy.h; time as above. The
 *             processor that it was recorded on and the one that evaluates it do not matter
 *   database  look for the nearest recorded time
 * Source: the POEMS project's task execution descriptions, see there. */

struct ted_options {
	const char *program_folder; /* programs named without / are looked for here, then in PATH */
	bool allow_run;		    /* else no program is run but those of program_folder */
	double limit_s;		    /* for each run of a program; 0: none */
	const struct progress *progress; /* NULL: go on in silence */
};

/* Rates are misses per access to data; NaN is what a method cannot tell. */
struct ted_result {
	double Wg_s;	 /* per cell and angle */
	double spread_s; /* 1.4826 * median |time - Wg_s| of n times; NaN: of one */
	size_t n;
	double instructions;  /* per cell and angle */
	double data_accesses; /* the same */
	double D1_miss_rate, LL_miss_rate, tlb_miss_rate;
	double miss_share;	/* of Wg_s: spent on misses */
	double cost_s;		/* how long finding it took */
	struct strbuf evidence; /* in a sentence: where the number comes from */
};

/* asked[TASK_VARIABLES]: NaN where not given; a method that needs such a one says so. `repeats` is
 * ours. *out must be released. Errors: ARG (a variable is missing, or not what was recorded; a
 * program that may not be run),
 * NOTFOUND (no such program or file), PARSE (a program's or a file's content), NODATA (nothing
 * recorded is near enough; what is near is ambiguous: names the candidates), IO, INTERRUPTED,
 * NOMEM. */
enum err_code ted_evaluate(const struct task_description *t, const double *asked,
			   const struct ted_options *o, struct ted_result *out, struct err *e);
void ted_result_release(struct ted_result *r);

#endif
