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

/* ---- the budget ---- */

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

/* What is in flight, too. */
static enum err_code outlay_in_flight(const struct runner *r, struct outlay *out, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < r->n_flights && !rc; i++)
		rc = add_outlay(r, r->flight[i].run, out, e);
	return rc;
}

/* Would one more run be too many, beside others, which are in flight or about to be? If they are
 * why, it waits for their end: they may take less, and the first of all tells how long the others
 * will. Else it is added to them. */
static enum err_code is_over_budget(struct runner *r, const struct kb_campaign_run *run,
				    size_t n_others, struct outlay *others, bool *over,
				    struct err *e)
{
	const struct campaign_plan *plan = r->t->plan;
	bool has_budget = plan->budget.node_hours > 0 || plan->budget.wall_s > 0;
	struct outlay alone = {0};
	enum err_code rc;

	if ((rc = add_outlay(r, run, &alone, e)) || (rc = add_outlay(r, run, others, e)))
		return rc;
	*over = exceeded(r, others) || (n_others > 0 && others->unknown && has_budget);
	if (exceeded(r, &alone))
		runner_stop_because(r, exceeded(r, &alone));
	return ERR_OK;
}

/* ---- runs that start together ---- */

/* batch[most]: the next run, and of Slurm those behind it that may share a job or an array with it,
 * as far as the budget goes. *n = 0: nothing is to be started now. */
static enum err_code gather(struct runner *r, const struct kb_campaign_run *next,
			    struct kb_campaign_run **batch, size_t most, size_t *n, struct err *e)
{
	size_t n_columns = r->t->app->n_columns;
	double *first = calloc(2 * n_columns + 1, sizeof *first),
	       *row = first ? first + n_columns : NULL;
	struct outlay others = {0};
	enum err_code rc = first ? outlay_in_flight(r, &others, e)
				 : err_set(e, ERR_NOMEM, "a run of a campaign");
	bool over = false;

	*n = 0;
	for (size_t i = (size_t)(next - r->runs.item); i < r->runs.n && *n < most && !rc; i++) {
		struct kb_campaign_run *run = &r->runs.item[i];
		bool is_next = run == next;

		if (run->state != CAMPAIGN_RUN_PLANNED ||
		    (!campaign_run_row(r->t, run->levels, is_next ? first : row) && !is_next) ||
		    (!is_next && !campaign_slurm_alike(r->t, first, row)))
			continue;
		rc = is_over_budget(r, run, r->n_flights + *n, &others, &over, e);
		if (rc || over)
			break;
		batch[(*n)++] = run;
	}
	free(first);
	return rc;
}

/* ---- adaptive campaigns ---- */

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
	if (!rc && c.n == 0 && r->runs.n == 0)
		runner_note(r, "the base has runs of all configurations: nothing is left to learn");
	campaign_choice_release(&c);
	return rc ? rc : runner_reload(r, e);
}

/* ---- starting ---- */

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

/* Runs of one allocation, or of one array of them. */
static size_t most_together(const struct campaign_plan *plan)
{
	return (size_t)(plan->launcher.runs_per_job *
			(plan->launcher.array > 1 ? plan->launcher.array : 1));
}

/* Of jobs as many as the plan says; of arrays, which count their jobs themselves, one. */
static bool has_room(const struct runner *r)
{
	const struct campaign_plan *plan = r->t->plan;
	size_t n_jobs = 0;

	if (plan->launcher.array > 1)
		return r->n_flights == 0;
	for (size_t i = 0; i < r->n_flights; i++) {
		size_t first = 0;

		while (r->flight[first].job != r->flight[i].job)
			first++;
		n_jobs += first == i;
	}
	return n_jobs < (size_t)plan->launcher.in_flight;
}

/* *any: something was started. */
static enum err_code start_next(struct runner *r, const struct kb_campaign_run *next, bool *any,
				struct err *e)
{
	size_t most = most_together(r->t->plan), n;
	struct kb_campaign_run **batch;
	struct err why = {0};
	enum err_code rc;

	most = most < r->runs.n ? most : r->runs.n;
	batch = calloc(most, sizeof *batch);
	if (!batch)
		return err_set(e, ERR_NOMEM, "the runs of a campaign");
	if ((rc = gather(r, next, batch, most, &n, e)) || n == 0)
		goto done;
	rc = runner_start(r, batch, n, &why);
	if (rc == ERR_IO && runner_is_slurm(r)) {
		rc = not_submitted(r, &why, e);
	} else if (rc) {
		err_set(e, rc, "%s", why.msg);
	} else {
		*any = true;
		r->n_unsubmitted = 0;
		r->later = false;
		rc = runner_recount(r, e);
	}
done:
	free(batch);
	return rc;
}

enum err_code runner_start_more(struct runner *r, bool *done, struct err *e)
{
	enum err_code rc = ERR_OK;
	bool any = true;

	while (!rc && any && has_room(r)) {
		struct kb_campaign_run *next;

		any = false;
		if ((rc = ask_base_to_stop(r, e)) || r->stopping)
			break;
		next = next_planned(r);
		if (!next && r->n_flights == 0) {
			if ((rc = choose_more(r, &any, e)))
				break;
			next = any ? next_planned(r) : NULL;
			any = false;
		}
		if (next)
			rc = start_next(r, next, &any, e);
	}
	*done = !rc && r->n_flights == 0 && !(r->later && !r->stopping);
	return rc;
}
