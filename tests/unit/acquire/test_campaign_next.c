#include "acquire/campaign_runner.h"

#include "tests/unit/acquire/campaign_base.h"

/* What is started next, with nothing that runs: what the rest of a running campaign does (struct
 * runner) is said here. The plan has five configurations, each on two nodes. */

static size_t n_starts, n_started[8], n_notes;
static enum err_code sbatch;
static bool is_slurm;

void runner_note(const struct runner *r, const char *text)
{
	n_notes++;
}

bool runner_is_slurm(const struct runner *r)
{
	return is_slurm;
}

void runner_stop_because(struct runner *r, const char *why)
{
	if (!r->stopping)
		snprintf(r->why, sizeof r->why, "%s", why);
	r->stopping = true;
}

enum err_code runner_recount(struct runner *r, struct err *e)
{
	return campaign_count(r->job->kb, r->t, r->job->record->id, &r->runs, &r->count, e);
}

enum err_code runner_reload(struct runner *r, struct err *e)
{
	kb_campaign_runs_release(&r->runs);
	return kb_load_campaign_runs(r->job->kb, r->job->record->id, &r->runs, e);
}

/* They are in flight from now on. */
enum err_code runner_start(struct runner *r, struct kb_campaign_run *const *run, size_t n,
			   struct err *e)
{
	if (sbatch)
		return err_set(e, sbatch, "too many jobs");
	n_started[n_starts++] = n;
	for (size_t i = 0; i < n; i++) {
		run[i]->state = CAMPAIGN_RUN_RUNNING;
		r->flight[r->n_flights++] = (struct flight){.run = run[i], .job = n_starts};
	}
	return ERR_OK;
}

struct desk {
	struct kb *kb;
	struct campaign_target t;
	struct kb_campaign record;
	struct campaign_job job;
	struct flight flight[8];
	struct runner r;
};

static void open_desk(struct desk *d, const char *more)
{
	n_starts = n_notes = 0;
	sbatch = ERR_OK;
	is_slurm = false;
	*d = (struct desk){.kb = base()};
	must(campaign_target_open(d->kb, plan_of(more), &d->t, &err));
	d->record = begin(d->kb, &d->t);
	d->job = (struct campaign_job){.kb = d->kb, .target = &d->t, .record = &d->record};
	d->r = (struct runner){.job = &d->job, .t = &d->t, .flight = d->flight};
	must(runner_reload(&d->r, &err));
	must(runner_recount(&d->r, &err));
	assert_int_equal(d->r.runs.n, 5);
}

static void desk_release(struct desk *d)
{
	kb_campaign_runs_release(&d->r.runs);
	kb_campaign_release(&d->record);
	campaign_target_release(&d->t);
	kb_close(d->kb);
}

static bool start_more(struct desk *d)
{
	bool done = false;

	must(runner_start_more(&d->r, &done, &err));
	return done;
}

/* Those in flight have ended. */
static void end_all(struct desk *d, double elapsed_s)
{
	for (size_t i = 0; i < d->r.n_flights; i++) {
		d->r.flight[i].run->state = CAMPAIGN_RUN_DONE;
		d->r.flight[i].run->elapsed_s = elapsed_s;
	}
	d->r.n_flights = 0;
	must(runner_recount(&d->r, &err));
}

CAMPAIGN_TEST(one_command_runs_at_a_time_until_none_is_left)
{
	RELEASED(desk) d;

	open_desk(&d, "");
	for (size_t i = 1; i <= 5; i++) {
		assert_false(start_more(&d));
		assert_int_equal(n_starts, i);
		assert_int_equal(n_started[i - 1], 1);
		assert_false(start_more(&d)); /* it has not ended */
		assert_int_equal(n_starts, i);
		end_all(&d, 1);
	}
	assert_true(start_more(&d));
	assert_int_equal(n_starts, 5);
}

/* Half an hour on two nodes is a node-hour: a fourth run would make it four. */
CAMPAIGN_TEST(a_run_that_the_node_hours_would_not_bear_is_not_started)
{
	RELEASED(desk) d;

	open_desk(&d, "budget = { node_hours = 3.5; };");
	for (size_t i = 1; i <= 3; i++) {
		assert_false(start_more(&d));
		assert_int_equal(n_starts, i);
		end_all(&d, 1800);
	}
	assert_true(start_more(&d));
	assert_int_equal(n_starts, 3);
	assert_string_equal(d.r.why, "the budget of node-hours is used up");
}

CAMPAIGN_TEST(somebody_stops_it_in_the_base)
{
	RELEASED(desk) d;

	open_desk(&d, "");
	must(kb_set_campaign_state(d.kb, d.record.id, CAMPAIGN_STOPPING, "", &err));
	assert_true(start_more(&d));
	assert_int_equal(n_starts, 0);
	assert_string_equal(d.r.why, "somebody asked for it");
}

CAMPAIGN_TEST(runs_share_jobs_as_many_as_the_plan_says)
{
	RELEASED(desk) d;

	open_desk(&d, "launcher = { kind = \"slurm\"; runs_per_job = 2; in_flight = 2; };");
	is_slurm = true;
	assert_false(start_more(&d));
	assert_int_equal(n_starts, 2); /* jobs */
	assert_int_equal(n_started[0], 2);
	assert_int_equal(n_started[1], 2);
	end_all(&d, 1);
	assert_false(start_more(&d));
	assert_int_equal(n_starts, 3);
	assert_int_equal(n_started[2], 1);
}

CAMPAIGN_TEST(an_array_counts_its_jobs_itself)
{
	RELEASED(desk) d;

	open_desk(&d,
		  "launcher = { kind = \"slurm\"; array = 2; runs_per_job = 2; in_flight = 2; };");
	is_slurm = true;
	assert_false(start_more(&d));
	assert_int_equal(n_starts, 1);
	assert_int_equal(n_started[0], 4);
}

/* Nobody knows how long one takes until the first has ended. */
CAMPAIGN_TEST(with_a_budget_the_first_run_goes_alone)
{
	RELEASED(desk) d;

	open_desk(&d, "budget = { node_hours = 5.0; }; launcher = { kind = \"slurm\"; "
		      "runs_per_job = 4; in_flight = 4; };");
	is_slurm = true;
	assert_false(start_more(&d));
	assert_int_equal(n_starts, 1);
	assert_int_equal(n_started[0], 1);
	end_all(&d, 1800); /* a node-hour each: a fifth would use it up */
	assert_false(start_more(&d));
	assert_int_equal(n_starts, 2);
	assert_int_equal(n_started[1], 3);
}

CAMPAIGN_TEST(jobs_that_are_not_taken_are_tried_again_until_it_is_hopeless)
{
	RELEASED(desk) d;
	bool done = true;

	open_desk(&d, "launcher = { kind = \"slurm\"; };");
	is_slurm = true;
	sbatch = ERR_IO;
	assert_false(start_more(&d));
	assert_false(start_more(&d));
	assert_true(d.r.later);
	assert_int_equal(n_notes, 1);
	assert_int_equal(runner_start_more(&d.r, &done, &err), ERR_IO);
	assert_false(done);
	sbatch = ERR_OK;
	assert_false(start_more(&d));
	assert_false(d.r.later);
	assert_int_equal(d.r.n_unsubmitted, 0);
}
