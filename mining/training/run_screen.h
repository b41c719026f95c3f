#ifndef MINING_RUN_SCREEN_H
#define MINING_RUN_SCREEN_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"

/* Runs that cannot all be right. People's tables hold runs that crashed at once without a status,
 * answers from a cache, minutes among seconds, and runs that a batch system killed; taken at their
 * word they make a promise that is kept never.
 *
 * Before all else: runs of at least three different cases with exactly the same time, the longest,
 * of which a power law of the others lets nine of ten take half or less, have a number in place
 * of a time (9999 where a run failed), and count as failed.
 *
 * Times in two units (mixed_units.h): the slow ones are set aside where three quarters or more are
 * fast, else the fast ones.
 *
 * Two runs contradict each other where the first had as much to do as the second or more, with the
 * same tunables, and
 *   - on the same resources took less than a tenth of its time (a problem column counts where
 *     larger values took longer in most pairs of runs that differ in it alone, or in most of those
 *     within a factor of ten, or in most of those without runs that took less than a tenth of a
 *     smaller one's time, if these are fewer than half);
 *   - on r times the resources took less than a tenth of its time over r;
 *   - on a part 1 / r of the resources took less than a tenth of its time over r, as time hardly
 *     ever grows faster than the resources do;
 *   - being a repeat, took less than a thirtieth of its time.
 * The fewest runs are set aside that leave no contradiction (greedily, the one with most of them
 * first), where to set aside the slow run of a pair costs as much as three fast ones: a promise
 * that is too slow is refused, one that is too fast is broken. With a run that was too fast go
 * those that took as long on more resources, within a factor of 1.5.
 *
 * Of what is left, runs of at least three different cases that took the longest time to within
 * 0.5 %, more than twice as many as agree so well anywhere else, and more than chance would have it
 * (Poisson, 1e-4; a clock of whole seconds or minutes makes chance likelier), were cut at a limit
 * that nobody wrote down, if by a power law of the others a quarter of them would have taken 10 %
 * longer or more. So were those within 2 and 5 %, as a limit is looked at now and then, if half of
 * them would have taken 25 % longer. */
struct run_screen {
	/* Set aside as too short or too long for the others, by either way; n_units of them as in
	 * another unit than those that are left. */
	size_t n_fast, n_slow, n_units;
	double unit_factor; /* of the larger numbers of two units */
	/* The first run set aside, and one that it contradicts, or, of two units, that is left. */
	int64_t run_id, other_id;
	double run_s, other_s;
	size_t n_cut;
	double limit_s;	  /* of those that were cut [s] */
	size_t n_no_time; /* that count as failed, each with the same number */
	double no_time_s;
	/* Nothing is done about repeats that differ, but it is told: the median over n_repeated
	 * configurations of the longest time over the shortest; 0: 1.5 or less, or of 3 or fewer.
	 */
	double repeats_differ;
	size_t n_repeated;
};

/* What is written to `flagged` of a run whose status was changed, and of one that failed as it
 * breaks a relation that all keep to which ended. */
enum { FLAG_SCREENED = 2, FLAG_EXPLAINED = 3 };

/* Set aside (status failed) and cut (status timeout) in `runs`, in memory only. Of one machine, in
 * the order of their content. More than 20 000 runs that ended are not looked at. Errors: NOMEM. */
enum err_code run_screen(struct dataset *runs, struct run_screen *out, struct err *e);
/* Compare the repeats again, of runs whose times are others by now. Errors: NOMEM. */
enum err_code run_screen_repeats(const struct dataset *runs, struct run_screen *out, struct err *e);
/* One or two sentences, each with a blank before it; nothing where all runs may be right. */
void run_screen_explain(const struct run_screen *s, struct strbuf *out);

#endif
