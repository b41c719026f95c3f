#ifndef MINING_FIT_INPUT_H
#define MINING_FIT_INPUT_H
#include <stddef.h>
#include "base/progress.h"
#include "domain/dataset.h"
#include "domain/machine.h"
#include "kb/kb.h"
#include "mining/training/circumstance.h"
#include "mining/training/run_screen.h"
#include "mining/training/short_runs.h"

/* What a predictor is fitted from, and the structural part that its fit chose. */

/* From some dates on runs take `ratio` times as long as before, by system_change.h. */
enum { SYSTEM_CHANGES = 3, CONFOUNDED_LEVELS = 64 };
struct system_changes {
	size_t n;
	struct system_change {
		double since_s; /* [s since 1970] of the first run after it */
		double ratio;
		size_t n_before, n_after; /* runs with dates, to the next change on either side */
	} item[SYSTEM_CHANGES];		  /* by date */
	/* The newest reruns take `ratio` times as long, > 1, and too few to be sure why. */
	struct suspected_change {
		double chance; /* 0: none */
		double ratio, since_s;
		size_t n_reruns;
	} suspected;
	/* Of settings whose levels and dates change together. */
	size_t n_confounded;
	struct confounded_level {
		size_t column;
		double value;
		double last_s; /* [s since 1970] of its last run */
		double next_s; /* of the first run of levels that came after it */
		double chance; /* that the system changed unseen */
	} confounded[CONFOUNDED_LEVELS];
};

struct fit_input {
	const struct dataset *runs;	    /* of one application and machine */
	const struct dataset *failures;	    /* its failed runs that are not in `runs`; NULL: none */
	const struct machine *machine;	    /* given parameters; may be unknown in all but name */
	const struct cost_segment *segment; /* fitted message costs, NULL: none */
	size_t n_segment;
	const struct progress *progress;
	struct run_screen screen;   /* what was done to `runs` because it cannot be right */
	struct short_runs did_less; /* runs that count as failed, as columns beside them say */
	struct circumstance beside; /* a column that nobody asks about; their times allow for it */
	struct system_changes changes; /* what their times were multiplied for */
};

/* The structural parts that a predictor could stand on, and the one that it does. */
enum { STRUCTURE_CANDIDATES = 8 };
struct structure_candidate {
	const char *name;  /* "wavefront": the formula that is mined; else a model of the list */
	const char *title; /* for people */
	double held_out_error; /* of |predicted / measured - 1|: the mean over the ways of holding
				* out of its median; NaN: nothing was compared */
};
struct structure_choice {
	size_t n, chosen; /* the formula is candidate[0] */
	struct structure_candidate candidate[STRUCTURE_CANDIDATES];
};

#endif
