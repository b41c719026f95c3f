#ifndef API_CAMPAIGNS_H
#define API_CAMPAIGNS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "acquire/campaign.h"
#include "api/session.h"
#include "base/err.h"

/* Measurement campaigns: what a plan file means and costs, running one, what became of it. */

/* Predicted cost of runs. The quantile of a sum is taken as the sum of the quantiles, as if
 * all times erred together: too high, never too low (campaign_total.h has the source). */
struct plan_cost {
	double predicted_s, quantile_s; /* of all runs, one after another */
	double predicted_node_hours, quantile_node_hours;
	double limit_s; /* no more than that, as runs are stopped */
	double limit_node_hours;
	size_t n_unpredicted; /* runs in none of the first four */
};

struct campaign_preview {
	struct campaign_target target;
	struct campaign_choice choice;
	struct plan_cost cost;
};
/* Nothing is stored, nothing is run. The base is open for reading. Errors: NOTFOUND (no such file,
 * no such application), PARSE (file, line, what would be right), those of kb, NOMEM. */
enum err_code campaign_preview(struct session *session, const char *path,
			       struct campaign_preview *out, struct err *e);
/* Of a run of the choice, with this row; NaN: not predicted. */
double campaign_run_node_hours(const struct campaign_target *t, const struct kb_campaign_run *run,
			       const double *row);
void campaign_preview_release(struct campaign_preview *p);

/* One campaign as the base has it. */
struct campaign_report {
	struct kb_campaign record;
	struct campaign_target target; /* plan NULL: it means nothing to the base any more */
	struct err unclear;	       /* why so */
	struct kb_campaign_runs runs;
	struct campaign_count count;
	int64_t runner;	   /* the process that runs it; 0: none does */
	const char *state; /* as people should know: "interrupted" if it is not run though it should
			      be */
};
/* Errors: NOTFOUND, those of kb, IO, NOMEM. */
enum err_code campaign_report_read(struct session *session, const char *name,
				   struct campaign_report *out, struct err *e);
void campaign_report_release(struct campaign_report *r);

struct campaign_reports {
	struct campaign_report *item;
	size_t n;
};
enum err_code campaign_reports_read(struct session *session, struct campaign_reports *out,
				    struct err *e);
void campaign_reports_release(struct campaign_reports *r);

/* Does a word of a command line name a plan's file? What has a / does, and what there is a file of.
 */
bool campaign_plan_is_file(const char *word);

/* A plan's file, or a campaign's name: one that is there goes on, a file makes a new one. The base
 * is opened here, for writing. *out is what became of it, also after INTERRUPTED. Errors: ARG (a
 * campaign of that name has another plan), those of campaign_run() and campaign_preview(). */
struct campaign_order {
	const char *plan;    /* file, or NULL */
	const char *name;    /* of a campaign that is there, or NULL */
	const char *version; /* of lemnos, kept with the runs */
	struct campaign_events events;
};
enum err_code campaign_execute(struct session *session, const struct campaign_order *order,
			       struct campaign_report *out, struct err *e);

/* Ends after the run that is under way; now: that is ended, too, and planned again. The base is
 * open for writing. *runner: the process that was told; 0: nobody ran it. Errors: NOTFOUND, IO,
 * those of kb. */
enum err_code campaign_stop(struct session *session, const char *name, bool now, int64_t *runner,
			    struct err *e);

#endif
