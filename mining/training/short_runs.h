#ifndef MINING_SHORT_RUNS_H
#define MINING_SHORT_RUNS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"

/* Runs that did less than was asked, which nothing but a column beside them tells: of a solver that
 * diverged after 40 of 1000 steps no status says that it failed, and it was fast.
 *
 * A column says so of a third of its runs at most:
 *   - a number of which two thirds are the same, of all runs or for each value of a problem column,
 *     a workload or a tunable, or of all of these, and few of the others are larger: those that are
 *     less (where whole numbers agree but for a tenth: less than nine tenths);
 *   - no number, an infinite one, or one a thousand times beyond all that are not so large;
 *   - a level of words, or 1 among 0, where two thirds have another; what does not say no, or
 *     what went wrong (or, of a flag, its column by its name: diverged), counts if three quarters
 * of its runs take four fifths or less. It is heeded if by a power law of the other runs
 * (time_law.h) its runs take two thirds of their time or less (median), and that is no chance: the
 * median beside what the law misses of runs that are held out (Student's t, as if it were one run),
 * or the ranks of all (Mann and Whitney, of three runs or more), both together and over all that
 * columns say at a level of 0.001 (Bonferroni). A column whose values vary, and times with it, is
 * one more workload and not heeded; nor are those that measure the time again, or whose names are
 * of hardware, software or people. What does not say no and is all runs of some values of one
 * column of the problem, or of what is chosen, each value run in three ways or more, is explained
 * by it and not heeded: a solver that converges with fewer iterations. Nor are smaller numbers of
 * runs that converged, as a column says.
 *
 * What did less counts as failed. A word or a flag that does not say no is a feature that nothing
 * declares, and where all of four configurations or more have the same smaller number (or four
 * runs, half of which were run in full as well), somebody chose it: they are set aside alone. */
enum { DID_LESS_COLUMNS = 8, DID_LESS_TEXT = 48 };
struct short_runs {
	size_t n;	/* that count as failed */
	size_t n_aside; /* that were chosen to be short, or have a feature */
	size_t n_columns;
	char column[DID_LESS_COLUMNS][DID_LESS_TEXT]; /* that say so, of most runs first */
	/* Of a run that the first of them speaks of: what it says, of it and of most. */
	char said[DID_LESS_TEXT], usual[DID_LESS_TEXT];
	int64_t run_id;
	double run_s, expected_s;
};

/* Written to `flagged` of a run that did less, or that has a number in place of a time (see
 * run_screen.h, and there for others). */
enum { FLAG_SHORT = 4 };

/* Status failed, and flagged, in `runs`, in memory only. Of one machine, in the order of their
 * content; extras: of these runs. Errors: NOMEM. */
enum err_code short_runs_find(struct dataset *runs, const struct kb_run_extras *extras,
			      struct short_runs *out, struct err *e);
/* Takes those with this flag out of *runs, and appends them to failures. Errors: NOMEM. */
enum err_code short_runs_move(struct dataset **runs, struct dataset *failures, struct err *e);
/* "steps is 40 of run 12, 1000 of most, and it took 3.1 s where others ..." */
void short_runs_put(const struct short_runs *s, struct strbuf *out);
/* A sentence or two, each with a blank before it; nothing where there are none. */
void short_runs_explain(const struct short_runs *s, struct strbuf *out);

#endif
