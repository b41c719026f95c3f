#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "acquire/campaign_runner.h"

/* Refusals of sbatch in a row, while no job of ours could be why. */
enum { MOST_UNSUBMITTED = 3 };

static struct kb_campaign_run *next_planned(struct runner *r)
{
	for (size_t i = 0; i < r->runs.n; i++) {
		if (r->runs.item[i].state == CAMPAIGN_RUN_PLANNED)
			return &r->runs.item[i];
	}
	return NULL;
}

/* What runs will have used, beside what was used. */
struct outlay {
	double node_hours, time_s;
	bool unknown; /* nothing tells how long one of them takes */
};

/* As predicted; else as those took that ended, on the mean; NaN: none has. */
static double expected_s(const struct runner *r, const struct kb_campaign_run *run)
{
	const size_t *of = r->count.of;
	size_t n_ended = r->count.n - of[CAMPAIGN_RUN_PLANNED] - of[CAMPAIGN_RUN_RUNNING];

	if (!isnan(run->predicted_s))
		return run->predicted_s;
	return n_ended > 0 ? r->count.elapsed_s / (double)n_ended : NAN;
}

static enum err_code add_outlay(const struct runner *r, const struct kb_campaign_run *run,
				struct outlay *out, struct err *e)
{
	double *row = calloc(r->t->app->n_columns + 1, sizeof *row), nodes = 1, time_s;

	if (!row)
		return err_set(e, ERR_NOMEM, "a run of a campaign");
	if (campaign_run_row(r->t, run->levels, row))
		nodes = campaign_nodes(r->t->app, row);
	free(row);
	time_s = expected_s(r, run);
	out->unknown |= isnan(time_s);
	out->time_s += isnan(time_s) ? 0 : time_s;
	out->node_hours += isnan(time_s) ? 0 : nodes * time_s / 3600;
	return ERR_OK;
}

/* What the budget would not bear; NULL: nothing. */
static const char *exceeded(const struct runner *r, const struct outlay *more)
{
	const struct campaign_plan *plan = r->t->plan;

	if (plan->budget.node_hours > 0 &&
	    r->count.node_hours + more->node_hours >= plan->budget.node_hours)
		return "the budget of node-hours is used up";
	if (plan->budget.wall_s > 0 && r->count.elapsed_s + more->time_s >= plan->budget.wall_s)
		return "the budget of wall time is used up";
	return NULL;
}

/* Would one more run be too many? If those in flight are why, it waits for their end: they may take
 * less, and the first of all tells how long the others will. */
static enum err_code is_over_budget(struct runner *r, const struct kb_campaign_run *run, bool *over,
				    struct err *e)
{
	const struct campaign_plan *plan = r->t->plan;
	bool has_budget = plan->budget.node_hours > 0 || plan->budget.wall_s > 0;
	struct outlay more = {0};
	enum err_code rc = add_outlay(r, run, &more, e);
	const char *alone = exceeded(r, &more);

	for (size_t i = 0; i < r->n_flights && !rc; i++)
		rc = add_outlay(r, r->flight[i].run, &more, e);
	*over = !rc && (exceeded(r, &more) || (r->n_flights > 0 && more.unknown && has_budget));
	if (!rc && alone)
		runner_stop_because(r, alone);
	return rc;
}

/* Is the loss behind the last batch kept already, as a batch without runs? */
static enum err_code loss_is_kept(const struct runner *r, bool *kept, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(r->job->kb, r->job->record->id, &batches, e);

	*kept = !rc && batches.n > 0 &&
		(r->runs.n == 0 ||
		 batches.item[batches.n - 1].batch > r->runs.item[r->runs.n - 1].batch);
	kb_campaign_batches_release(&batches);
	return rc;
}

/* The next batch of an adaptive campaign; *any: there is one. */
static enum err_code choose_more(struct runner *r, bool *any, struct err *e)
{
	struct campaign_choice c = {0};
	bool kept = false;
	enum err_code rc = campaign_choose(r->job->kb, r->t, &r->runs, r->job->progress, &c, e);

	*any = !rc && c.n > 0;
	/* The last loss is told by a batch without runs. */
	if (!rc && c.n == 0 && !isnan(c.expected_loss))
		rc = loss_is_kept(r, &kept, e);
	if (!rc && (c.n > 0 || (!kept && !isnan(c.expected_loss))))
		rc = kb_add_campaign_batch(r->job->kb, r->job->record->id, c.expected_loss, c.run,
					   c.n, e);
	campaign_choice_release(&c);
	return rc ? rc : runner_reload(r, e);
}

/* The limit on somebody's jobs, or a controller that starts anew: others may be taken later. */
static enum err_code not_submitted(struct runner *r, const struct err *why, struct err *e)
{
	r->n_unsubmitted += r->n_flights == 0;
	if (r->n_unsubmitted >= MOST_UNSUBMITTED)
		return err_set(e, why->code, "%s", why->msg);
	if (!r->later)
		runner_note(r, why->msg);
	r->later = true;
	return ERR_OK;
}

static enum err_code ask_base_to_stop(struct runner *r, struct err *e)
{
	enum campaign_state state;
	enum err_code rc = kb_get_campaign_state(r->job->kb, r->job->record->id, &state, e);

	if (!rc && state == CAMPAIGN_STOPPING)
		runner_stop_because(r, "somebody asked for it");
	return rc;
}

/* *done: nothing is left to do. */
enum err_code runner_start_more(struct runner *r, bool *done, struct err *e)
{
	enum err_code rc = ERR_OK;

	while (!rc && r->n_flights < r->most_flights) {
		struct kb_campaign_run *run;
		struct err why = {0};
		bool any = false, over = false;

		if ((rc = ask_base_to_stop(r, e)) || r->stopping)
			break;
		run = next_planned(r);
		if (!run && r->n_flights == 0) {
			if ((rc = choose_more(r, &any, e)))
				break;
			run = any ? next_planned(r) : NULL;
		}
		if (!run || (rc = is_over_budget(r, run, &over, e)) || over)
			break;
		rc = runner_start(r, run, &why);
		if (rc == ERR_IO && runner_is_slurm(r)) {
			if (!(rc = not_submitted(r, &why, e)))
				break;
		} else if (rc) {
			err_set(e, rc, "%s", why.msg);
		} else {
			r->n_unsubmitted = 0;
			r->later = false;
			rc = runner_recount(r, e);
		}
	}
	*done = !rc && r->n_flights == 0 && !(r->later && !r->stopping);
	return rc;
}
