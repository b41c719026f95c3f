#ifndef MINING_SYSTEM_CHANGE_H
#define MINING_SYSTEM_CHANGE_H
#include "mining/training/fit_input.h"

/* An upgrade, a new compiler, a broken fan: from some date on like runs take longer or less long,
 * though no column of the application says so. Runs to come are made on the system as it is now;
 *the times of older runs count as what they would take on it.
 *
 * Of runs with dates (of one kind of source, measured first), what the predictor is off at each in
 * ln time, x, is split at the date where two means explain it best:
 *	t = (mean after - mean before) / (s sqrt(1 / n_before + 1 / n_after)),
 * s the deviation within both. A change is told where chance makes such a t between the dates that
 * there are 1 time in 10^4 (Bonferroni); where, after the older times were multiplied by
 * exp(mean after - mean before) and the predictor was fitted again, until that moves no more, it is
 * 5 % of time or more; and where it then explains the runs as much better:
 *	n / 2 ln(s0^2 / s1^2) > ln(10^4 splits),
 * s0 and s1 what is left without and with it. For a setting that was changed with the system tells
 * of both, and what the predictor knows of the setting is then not known of the system.
 * Then the next one is looked for, up to SYSTEM_CHANGES.
 *
 * Fits in.runs to dates; *adjusted: a copy of them with the older times multiplied (timeouts',
 *too), in the same order; NULL: nothing changed, or there are too few dates, or more than
 *SYSTEM_CHANGE_RUNS runs, of which no levels are looked at either. Errors: NOMEM, INTERRUPTED. */
enum { SYSTEM_CHANGE_RUNS = 20000 };
enum err_code system_changes_find(const struct fit_input *in, const struct kb_run_dates *dates,
				  struct dataset **adjusted, struct system_changes *out,
				  struct err *e);

/* A few reruns tell, too, where they are the newest. A configuration that was run on days of its
 *own differs by x, the mean ln time of the last day less that of the days before, of the deviation
 * s = noise sqrt(1 / n_last + 1 / n_before); the noise is the median deviation of what the
 *predictor is off by, or that of runs of one row on one day, if it is more, and 0.01 at least.
 *Either a run was disturbed, with the chance q = 0.05, or it tells of the system; where that
 *changed by c, L(c) = product of (1 - q) N(x - c; s) + q Laplace(x; 0.2), over the newest reruns
 *from some day on, of which the likeliest is taken. The odds of a change to none are p / (1 - p)
 *L(c) / L(0) N(c; 0.35) sqrt(2 pi) se, with p = 1 - exp(-g / 90) of the g days between the older
 *and the newer of them, as below, c their mean and se its standard error (Laplace's method: the
 *integral over c, whose prior is N(0, 0.35^2)). A change by 10 % or more is one like the others, at
 *the longest pause in g, from a chance of 0.9 on; where runs are faster, of three or more. From 0.1
 *on it is suspected where they are slower: with that chance the next run of anything takes longer
 *than predicted by as much. The priors and bounds are choices. */

/* A setting whose runs of some levels all ended before those of the others began is confounded with
 * what the system changed in between: its older levels may take longer or less long today than
 * their runs tell, whatever is fitted. Found are the levels, at most 32 of a setting, where all
 * runs that count above have dates; a gap of g days holds a change of the system with the chance
 *	1 - exp(-g / 90):
 * centres maintain their machines about quarterly (the 90 is a choice; changes within what was run
 * of a level the search above sees). Every second change makes runs slower: system_changes_unseen()
 * is the chance of that at a row, of its most confounded setting, which *level is
 * (may be NULL); 0: of none. */
double system_changes_unseen(const struct system_changes *c, const double *row,
			     const struct confounded_level **level);
/* "transport verbs was last run on 2025-05-15 and others only from ...": words for people. */
void system_changes_explain_level(const struct confounded_level *level,
				  const struct application *app, struct strbuf *out);

/* " From 2026-02-25 on runs take 1.50 times as long ...": a sentence each. */
void system_changes_explain(const struct system_changes *c, const struct application *app,
			    struct strbuf *out);
/* "system_change_0", ...: the ratio, with the date as its meaning; "system_since_0"; and of
 * confounded levels "confounded_level_0", ...; what a column of today does not know is left out.
 * Errors: NOMEM. */
enum err_code system_changes_store(const struct system_changes *c, const struct application *app,
				   struct kb_fit *fit, struct err *e);
void system_changes_load(const struct kb_fit *fit, const struct application *app,
			 struct system_changes *out);
/* What a run's time is to be multiplied by to be of today; 1 without a date. */
double system_changes_factor(const struct system_changes *c, const struct kb_run_dates *dates,
			     int64_t run_id);

#endif
