#ifndef MINING_CIRCUMSTANCE_H
#define MINING_CIRCUMSTANCE_H
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/dataset.h"
#include "kb/kb.h"

/* A column beside the runs that nobody asks about, and that tells the time: a cache that was warm
 * or cold, a kind of node, a debug build. Left out, its levels are noise, or, where the large runs
 * met one and the small ones another, are taken for scaling.
 *
 *	log t = power law of the configuration (time_law.h) + level of the column + noise
 *
 * fitted by turns (backfitting). A column counts that has 2 to 8 levels, each of three runs and a
 * twentieth of all at least; that the configuration does not determine (an outcome): by values of
 * every other column two levels or more were met, in half of the runs, and of numbers some
 * configuration was run with several; whose slowest level takes 10 % more than the fastest; and
 * that explains the runs so much better that, with s0 and s1 what is left without and with it,
 *
 *	n / 2 ln(s0^2 / s1^2) > ln(10^4 columns) + (levels - 1) / 2 ln n.
 *
 * Of several the one that explains most. Dates are columns like these, too: the hours of the day,
 * in halves that begin at every even hour up to 10, where they have hours, and Saturdays and
 *Sundays; for what runs before and after others see system_change.h.
 *
 * Times count as of the fast levels, those within 10 % of the fastest. Whether a run to come meets
 * one of them nothing tells, and how often they were met was somebody's plan (one cold run and four
 * warm ones of each, and jobs are cold): with even odds it takes as much longer as with the
 * slowest.
 *
 * What the configuration determines may tell the time all the same: the large problems were run by
 * somebody else, with another version or on another host. Where there is no column of the first
 * sort, one counts by which all runs above a bound of an amount met other levels than those below,
 * and that take a fifth less at least than a law of those below says (time falls no further by
 * itself as problems grow), beyond what that law leaves. Their times stay; above the bound a run
 * takes as long as that law says, with even odds. Where they take longer a jump of the times with
 * the amount explains it as well (level_shifts.h). */
enum { CIRCUMSTANCE_LEVELS = 8, CIRCUMSTANCE_RUNS = 5000, CIRCUMSTANCE_TEXT = 48 };
struct circumstance {
	double chance; /* of a slow level; 0: there is no such column */
	double ratio;  /* of the times with the slowest level over those of the fast ones, > 1 */
	char column[CIRCUMSTANCE_TEXT], slow[CIRCUMSTANCE_TEXT], fast[CIRCUMSTANCE_TEXT];
	size_t of;    /* the column of the application that goes with it, or SIZE_MAX: none does */
	double above; /* of which it holds above this */
};

/* runs: those of one machine; extras and dates: of these. *adjusted: a copy with all times as of
 * the fast levels, in the same order; NULL: there is no such column, or there are more than
 * CIRCUMSTANCE_RUNS runs, of which none is looked for. Errors: NOMEM. */
enum err_code circumstance_find(const struct dataset *runs, const struct kb_run_extras *extras,
				const struct kb_run_dates *dates, struct dataset **adjusted,
				struct circumstance *out, struct err *e);
/* The chance that a run of the row takes longer by the ratio. */
double circumstance_chance_at(const struct circumstance *c, const double *row);
/* A sentence with a blank before it; nothing where there is none. */
void circumstance_explain(const struct circumstance *c, const struct application *app,
			  struct strbuf *out);
/* As "circumstance_ratio", "circumstance_chance" and, where a column goes with it,
 * "circumstance_above". Errors: NOMEM. */
enum err_code circumstance_store(const struct circumstance *c, const struct application *app,
				 struct kb_fit *fit, struct err *e);
void circumstance_load(const struct kb_fit *fit, const struct application *app,
		       struct circumstance *out);

#endif
