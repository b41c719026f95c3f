#include "acquire/campaign_runner.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/campaign_base.h"

/* Runs on their way, with a launcher, outcomes and the rest of a runner that are made here: what
 * becomes of a run is what a test says. The plan has five configurations. */

enum { N_RUNS = 5 };

static struct desk {
	struct kb *kb;
	struct campaign_target t;
	struct kb_campaign record;
	struct campaign_job job;
	struct runner r;
	/* what the launcher is to do */
	struct err start, stop, silence;
	struct campaign_sight sight[N_RUNS + 1]; /* of the run at a position */
	pid_t pid;
	bool without_memory; /* nothing is looked at on the way */
	/* what an end becomes */
	enum campaign_run_state becomes;
	enum err_code store, recount;
	/* what was heard */
	size_t n_started, n_looks, n_stops, n_stored, n_recounts, n_notes, n_ended;
	int64_t last_stopped, last_ended;
	bool was_asked_to_go_on;
	double waited_s;
	char note[256];
} d;

void runner_note(const struct runner *r, const char *text)
{
	d.n_notes++;
	snprintf(d.note, sizeof d.note, "%s", text);
}

bool runner_is_slurm(const struct runner *r)
{
	return r->t->plan->launcher.kind == PLAN_SLURM;
}

void runner_stop_because(struct runner *r, const char *why)
{
	r->stopping = true;
	snprintf(r->why, sizeof r->why, "%s", why);
}

enum err_code runner_recount(struct runner *r, struct err *e)
{
	d.n_recounts++;
	return d.recount ? err_set(e, d.recount, "no count") : ERR_OK;
}

void runner_wait_s(double time_s)
{
	d.waited_s += time_s;
	siginfo_t ended;

	if (d.pid > 0) /* until the child has ended, which is for others to take note of */
		assert_int_equal(waitid(P_PID, (id_t)d.pid, &ended, WEXITED | WNOWAIT), 0);
}

void campaign_put_run_folder(const char *root, const struct kb_campaign_run *run,
			     struct strbuf *out)
{
	strbuf_printf(out, "%s/%lld.%lld", root, (long long)run->position, (long long)run->attempt);
}

char *campaign_utc(int64_t at_s)
{
	return strdup("2026-01-01T00:00:00Z");
}

static enum err_code fail_as(const struct err *wanted, struct err *e)
{
	return wanted->code ? err_set(e, wanted->code, "%s", wanted->msg) : ERR_OK;
}

enum err_code campaign_launch_name(const struct campaign_launch *l, size_t n, struct err *e)
{
	for (size_t i = 0; i < n && runner_is_slurm(&d.r); i++) {
		free(l[i].run->job);
		l[i].run->job = strdup("lemnos-1");
		if (!l[i].run->job)
			return err_set(e, ERR_NOMEM, "a name");
	}
	return ERR_OK;
}

static void check_stored(int64_t position, enum campaign_run_state state)
{
	RELEASED(kb_campaign_runs) runs = {0};

	must(kb_load_campaign_runs(d.kb, d.record.id, &runs, &err));
	assert_int_equal(runs.item[position - 1].state, state);
	if (state == CAMPAIGN_RUN_PLANNED) {
		assert_null(runs.item[position - 1].job);
		assert_null(runs.item[position - 1].started_at);
	} else {
		assert_non_null(runs.item[position - 1].started_at);
	}
}

/* Whoever is killed now must find them in the base, or they would run twice. */
enum err_code campaign_launch_start(const struct campaign_launch *l, size_t n, pid_t *pid,
				    struct err *e)
{
	for (size_t i = 0; i < n && !d.without_memory; i++)
		check_stored(l[i].run->position, CAMPAIGN_RUN_RUNNING);
	*pid = d.pid;
	d.n_started += n;
	return fail_as(&d.start, e);
}

enum err_code campaign_launch_look(const struct campaign_launch *l, size_t n,
				   struct campaign_sight *sight, struct err *silence, struct err *e)
{
	d.n_looks++;
	for (size_t i = 0; i < n; i++) {
		sight[i] = d.sight[l[i].run->position];
		d.was_asked_to_go_on = l[i].progress != NULL;
	}
	*silence = d.silence;
	return ERR_OK;
}

enum err_code campaign_launch_stop(const struct campaign_launch *l, struct err *e)
{
	assert_null(l->progress); /* it said no already */
	d.n_stops++;
	d.last_stopped = l->run->position;
	return fail_as(&d.stop, e);
}

enum err_code campaign_outcome_store(struct kb *kb, const struct campaign_origin *o,
				     const struct campaign_launch *l,
				     const struct supervised_end *end, struct err *e)
{
	d.n_stored++;
	if (d.store)
		return err_set(e, d.store, "the disk is full");
	l->run->state = d.becomes;
	return kb_put_campaign_run(kb, l->record->id, l->run, e);
}

static void on_end(void *arg, const struct campaign_count *count, const struct kb_campaign_run *run)
{
	d.n_ended++;
	d.last_ended = run->position;
}

static int open_desk(void **state)
{
	static const struct progress goes_on = {0};

	if (make_base_folder(state))
		return -1;
	d = (struct desk){.kb = base(), .becomes = CAMPAIGN_RUN_DONE};
	must(campaign_target_open(d.kb, plan_of(""), &d.t, &err));
	d.record = begin(d.kb, &d.t);
	d.job = (struct campaign_job){.kb = d.kb,
				      .target = &d.t,
				      .record = &d.record,
				      .progress = &goes_on,
				      .events = {.ended = on_end}};
	d.r = (struct runner){.job = &d.job, .t = &d.t};
	strbuf_puts(&d.r.root, "/root");
	must(kb_load_campaign_runs(d.kb, d.record.id, &d.r.runs, &err));
	assert_int_equal(d.r.runs.n, N_RUNS);
	return 0;
}

static int close_desk(void **state)
{
	for (size_t i = 0; i < d.r.n_flights; i++) {
		free(d.r.flight[i].row);
		free(d.r.flight[i].folder);
	}
	free(d.r.flight);
	strbuf_release(&d.r.root);
	kb_campaign_runs_release(&d.r.runs);
	kb_campaign_release(&d.record);
	campaign_target_release(&d.t);
	kb_close(d.kb);
	return remove_folder(state);
}

#define FLIGHT_TEST(f) TEST_WITH(f, open_desk, close_desk)

static enum err_code start(size_t first, size_t n, struct err *e)
{
	struct kb_campaign_run *run[N_RUNS];

	for (size_t i = 0; i < n; i++)
		run[i] = &d.r.runs.item[first - 1 + i];
	return runner_start(&d.r, run, n, e);
}

static bool look(void)
{
	bool settled = false;

	must(runner_look(&d.r, &settled, &err));
	return settled;
}

/* All at the same. */
static void see(enum supervised_state state)
{
	for (size_t i = 0; i <= N_RUNS; i++)
		d.sight[i] = (struct campaign_sight){.state = state};
}

/* ---- starting ---- */

FLIGHT_TEST(a_run_starts_as_a_further_attempt_in_a_folder_of_its_own)
{
	must(start(2, 1, &err));
	assert_int_equal(d.n_started, 1);
	assert_int_equal(d.r.n_flights, 1);
	assert_ptr_equal(d.r.flight[0].run, &d.r.runs.item[1]);
	assert_int_equal(d.r.runs.item[1].attempt, 1);
	assert_string_equal(d.r.flight[0].folder, "/root/2.1");
	assert_true(d.r.flight[0].row[application_column(d.t.app, "nodes")] == 2);
	assert_false(d.r.flight[0].told);
	check_stored(2, CAMPAIGN_RUN_RUNNING);
	see(SUPERVISED_NEVER);
	assert_true(look());
	must(start(2, 1, &err));
	assert_string_equal(d.r.flight[0].folder, "/root/2.2");
}

FLIGHT_TEST(only_runs_that_start_together_share_a_job)
{
	must(start(1, 2, &err));
	must(start(3, 3, &err)); /* more flights than there was room for */
	assert_int_equal(d.r.n_flights, 5);
	assert_int_equal(d.r.flight[0].job, d.r.flight[1].job);
	assert_int_not_equal(d.r.flight[1].job, d.r.flight[2].job);
	assert_int_equal(d.r.flight[2].job, d.r.flight[4].job);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(d.r.flight[i].run->position, i + 1);
}

FLIGHT_TEST(what_cannot_start_is_planned_again_and_says_why)
{
	d.start = (struct err){.code = ERR_NOTFOUND, .msg = "there is no program"};
	must_say(start(1, 2, &err), ERR_NOTFOUND, "there is no program");
	assert_int_equal(d.r.n_flights, 0);
	check_stored(1, CAMPAIGN_RUN_PLANNED);
	check_stored(2, CAMPAIGN_RUN_PLANNED);
	d.t.plan->launcher.kind = PLAN_SLURM; /* which refused the job */
	d.start.code = ERR_IO;
	must_fail(start(1, 2, &err), ERR_IO, "there is no program");
	assert_int_equal(d.r.n_flights, 0);
	check_stored(2, CAMPAIGN_RUN_PLANNED);
}

/* Planned again, they would run twice if there is a job. */
FLIGHT_TEST(where_slurm_gave_no_answer_the_runs_stay_in_flight)
{
	d.t.plan->launcher.kind = PLAN_SLURM;
	d.start = (struct err){.code = ERR_PARSE, .msg = "timed out"};
	must(start(1, 2, &err));
	assert_int_equal(d.r.n_flights, 2);
	assert_string_equal(d.note, "timed out");
	check_stored(1, CAMPAIGN_RUN_RUNNING);
	check_stored(2, CAMPAIGN_RUN_RUNNING);
	d.t.plan->launcher.kind = PLAN_LOCAL; /* there it is an error as any other */
	must_fail(start(3, 1, &err), ERR_PARSE, "timed out");
	assert_int_equal(d.r.n_flights, 2);
	check_stored(3, CAMPAIGN_RUN_PLANNED);
}

FLIGHT_TEST(a_run_that_the_application_does_not_allow_any_more_is_named)
{
	struct kb_campaign_run *run = &d.r.runs.item[3];

	strcpy(run->levels, "7 7");
	must_fail(runner_add_flight(&d.r, run, 1, &err), ERR_KB, "run 4 of campaign c (");
	assert_non_null(strstr(err.msg, run->configuration));
	assert_int_equal(d.r.n_flights, 0);
}

/* ---- looking ---- */

FLIGHT_TEST(what_ended_is_stored_and_the_others_go_on)
{
	must(start(1, 4, &err));
	see(SUPERVISED_RUNS);
	d.sight[3].state = SUPERVISED_UNKNOWN;
	assert_false(look());
	assert_true(d.was_asked_to_go_on);
	assert_int_equal(d.r.n_flights, 4);
	d.sight[2].state = SUPERVISED_ENDED;
	d.sight[4].state = SUPERVISED_NEVER;
	assert_true(look());
	assert_int_equal(d.n_stored, 1);
	assert_int_equal(d.n_ended, 1);
	assert_int_equal(d.last_ended, 2);
	assert_int_equal(d.n_recounts, 1);
	assert_int_equal(d.r.n_flights, 2);
	assert_int_equal(d.r.flight[0].run->position, 1);
	assert_int_equal(d.r.flight[1].run->position, 3);
	check_stored(2, CAMPAIGN_RUN_DONE);
	check_stored(3, CAMPAIGN_RUN_RUNNING);
	check_stored(4, CAMPAIGN_RUN_PLANNED);
	d.job.events.ended = NULL; /* nobody wants to know */
	d.sight[1].state = SUPERVISED_ENDED;
	assert_true(look());
}

FLIGHT_TEST(a_child_that_ended_is_waited_for)
{
	d.pid = fork();
	if (d.pid == 0)
		_exit(0);
	assert_true(d.pid > 0);
	must(start(1, 1, &err));
	assert_int_equal(d.r.flight[0].pid, d.pid);
	see(SUPERVISED_ENDED);
	assert_true(look());
	assert_int_equal(waitpid(d.pid, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

FLIGHT_TEST(what_cannot_be_stored_stays_a_running_one_for_the_next)
{
	bool settled = false;

	must(start(1, 1, &err));
	see(SUPERVISED_ENDED);
	d.store = ERR_KB;
	must_say(runner_look(&d.r, &settled, &err), ERR_KB, "the disk is full");
	assert_int_equal(d.r.n_flights, 0);
	assert_int_equal(d.n_ended, 0);
	check_stored(1, CAMPAIGN_RUN_RUNNING);
	d.store = ERR_OK;
	d.recount = ERR_IO;
	must(start(2, 1, &err));
	must_say(runner_look(&d.r, &settled, &err), ERR_IO, "no count");
	assert_int_equal(d.n_ended, 0);
}

/* It is the command's fault, not the run's. */
FLIGHT_TEST(a_command_that_could_not_be_started_blames_no_run)
{
	bool settled = false;

	must(start(1, 1, &err));
	see(SUPERVISED_ENDED);
	d.sight[1].end = (struct supervised_end){.fault = ERR_NOTFOUND, .why = "no such program"};
	must_say(runner_look(&d.r, &settled, &err), ERR_NOTFOUND, "no such program");
	assert_int_equal(d.n_stored, 0);
	assert_int_equal(d.r.n_flights, 0);
	check_stored(1, CAMPAIGN_RUN_PLANNED);
}

FLIGHT_TEST(a_simulation_that_fails_does_so_as_a_run_unless_there_is_no_program)
{
	bool settled = false;

	d.t.plan->launcher.kind = PLAN_SMPI;
	d.becomes = CAMPAIGN_RUN_FAILED;
	must(start(1, 1, &err));
	see(SUPERVISED_ENDED);
	d.sight[1].end.fault = ERR_IO;
	assert_true(look());
	check_stored(1, CAMPAIGN_RUN_FAILED);
	must(start(2, 1, &err));
	d.sight[2].end = (struct supervised_end){.fault = ERR_NOTFOUND, .why = "no such program"};
	must_fail(runner_look(&d.r, &settled, &err), ERR_NOTFOUND, "no such program");
	check_stored(2, CAMPAIGN_RUN_PLANNED);
}

/* ---- when it is hopeless ---- */

/* Starts and ends so many runs, one after another. */
static void end_each(size_t n, enum campaign_run_state as)
{
	d.becomes = as;
	see(SUPERVISED_ENDED);
	for (size_t i = 0; i < n; i++) {
		must(start(1 + i, 1, &err));
		assert_true(look());
	}
}

FLIGHT_TEST(three_runs_in_a_row_that_tell_no_time_stop_the_campaign)
{
	end_each(2, CAMPAIGN_RUN_REFUSED);
	end_each(1, CAMPAIGN_RUN_FAILED);
	end_each(2, CAMPAIGN_RUN_REFUSED);
	assert_false(d.r.stopping);
	end_each(1, CAMPAIGN_RUN_REFUSED);
	assert_true(d.r.stopping);
	assert_non_null(strstr(d.r.why, "told no time"));
}

/* Starts a run and loses it, n times. */
static void lose(size_t n)
{
	see(SUPERVISED_NEVER);
	for (size_t i = 0; i < n; i++) {
		must(start(1, 1, &err));
		assert_true(look());
		check_stored(1, CAMPAIGN_RUN_PLANNED);
	}
}

FLIGHT_TEST(three_runs_in_a_row_that_are_lost_stop_the_campaign)
{
	lose(2);
	end_each(1, CAMPAIGN_RUN_DONE);
	lose(2);
	assert_false(d.r.stopping);
	lose(1);
	assert_true(d.r.stopping);
	assert_non_null(strstr(d.r.why, "does the command kill its parent?"));
}

/* A job may be preempted often; but not for ever. */
FLIGHT_TEST(a_job_that_is_lost_is_tried_a_hundred_times)
{
	d.t.plan->launcher.kind = PLAN_SLURM;
	lose(99);
	assert_false(d.r.stopping);
	lose(1);
	assert_true(d.r.stopping);
	assert_string_equal(d.r.why, "a run was started 100 times and never ended");
}

/* Runs of a job of this number that it did not come to. */
static void idle(const char *job, size_t n)
{
	see(SUPERVISED_NEVER);
	must(start(1, n, &err));
	for (size_t i = 0; i < n; i++) {
		d.sight[1 + i].unreached = true;
		free(d.r.runs.item[i].job);
		d.r.runs.item[i].job = strdup(job);
	}
	assert_true(look());
}

FLIGHT_TEST(three_jobs_in_a_row_that_came_to_no_run_stop_the_campaign)
{
	d.t.plan->launcher.kind = PLAN_SLURM;
	idle("11", 5); /* its runs count once */
	idle("12", 2);
	end_each(1, CAMPAIGN_RUN_DONE);
	idle("12", 1); /* after a run that ended it is the first again */
	idle("13", 3);
	lose(1); /* a run that began */
	assert_false(d.r.stopping);
	idle("14", 1);
	assert_true(d.r.stopping);
	assert_non_null(strstr(d.r.why, "before a run of theirs began"));
}

FLIGHT_TEST(silence_of_slurm_is_told_once_until_it_answers)
{
	must(start(1, 1, &err));
	see(SUPERVISED_UNKNOWN);
	d.silence = (struct err){.code = ERR_IO, .msg = "Slurm does not answer"};
	assert_false(look());
	assert_false(look());
	assert_int_equal(d.n_notes, 1);
	assert_string_equal(d.note, "Slurm does not answer; its jobs go on, it is asked again");
	d.silence = (struct err){0};
	assert_false(look());
	assert_int_equal(d.n_notes, 1);
	d.silence.code = ERR_IO;
	assert_false(look());
	assert_int_equal(d.n_notes, 2);
}

/* ---- ending them ---- */

FLIGHT_TEST(those_that_are_ended_are_planned_again_and_what_had_ended_is_stored)
{
	bool again = false;

	must(start(1, 3, &err));
	must(start(4, 1, &err));
	see(SUPERVISED_ENDED);
	d.sight[2].state = SUPERVISED_NEVER;
	/* that Slurm calls it failed which we cancelled says nothing */
	strcpy(d.sight[3].end.why, "Slurm: CANCELLED");
	must(runner_abandon(&d.r, &again, &err));
	assert_true(again);
	assert_int_equal(d.r.n_flights, 0);
	assert_int_equal(d.n_stops, 2); /* one of each job */
	assert_int_equal(d.last_stopped, 4);
	assert_false(d.was_asked_to_go_on); /* it said no already */
	check_stored(1, CAMPAIGN_RUN_DONE);
	check_stored(2, CAMPAIGN_RUN_PLANNED);
	check_stored(3, CAMPAIGN_RUN_PLANNED);
	check_stored(4, CAMPAIGN_RUN_DONE);
	assert_int_equal(d.n_notes, 0);
}

FLIGHT_TEST(with_nothing_in_flight_there_is_nothing_to_end)
{
	bool again = false;

	must(runner_abandon(&d.r, &again, &err));
	assert_false(again);
	assert_int_equal(d.n_stops + d.n_looks + d.n_notes, 0);
}

/* Planned again, it would be made twice. */
FLIGHT_TEST(a_run_that_may_go_on_stays_a_running_one)
{
	bool again = false;

	must(start(1, 2, &err));
	see(SUPERVISED_RUNS);
	must(runner_abandon(&d.r, &again, &err));
	assert_false(again);
	assert_int_equal(d.r.n_flights, 0);
	check_abs(d.waited_s, 10.0, 1e-12);
	assert_string_equal(d.note, "2 runs may go on: `lemnos acquire resume c` looks for them");
	check_stored(1, CAMPAIGN_RUN_RUNNING);
	check_stored(2, CAMPAIGN_RUN_RUNNING);
}

FLIGHT_TEST(what_could_not_be_told_to_end_is_not_waited_for)
{
	bool again = false;

	must(start(1, 1, &err));
	see(SUPERVISED_RUNS);
	d.stop = (struct err){.code = ERR_IO, .msg = "no scancel"};
	must(runner_abandon(&d.r, &again, &err));
	assert_false(again);
	check_abs(d.waited_s, 0.0, 0.0);
	assert_string_equal(d.note, "1 run may go on: `lemnos acquire resume c` looks for it");

	d.stop = (struct err){0}; /* or is not answered for */
	must(start(2, 2, &err));
	see(SUPERVISED_UNKNOWN);
	d.silence = (struct err){.code = ERR_IO, .msg = "Slurm does not answer"};
	must(runner_abandon(&d.r, &again, &err));
	check_abs(d.waited_s, 0.0, 0.0);
}

/* The first error is told, and what ended after it is left to the next one. */
FLIGHT_TEST(a_base_that_fails_while_they_end_is_the_error)
{
	bool again = false;

	must(start(1, 3, &err));
	see(SUPERVISED_ENDED);
	d.store = ERR_KB;
	must_say(runner_abandon(&d.r, &again, &err), ERR_KB, "the disk is full");
	assert_int_equal(d.n_stored, 1);
	assert_int_equal(d.r.n_flights, 0);
	assert_true(again);
	check_stored(3, CAMPAIGN_RUN_RUNNING);
	check_stored(2, CAMPAIGN_RUN_PLANNED);
}

/* ---- without memory ---- */

static enum err_code start_and_end(struct err *e)
{
	struct err none = {0};
	bool settled = false, again = false;
	enum err_code rc;

	if (!(rc = start(1, 2, e)))
		rc = runner_look(&d.r, &settled, e);
	if (rc) /* what was under way: the desk is as before */
		runner_abandon(&d.r, &again, &none);
	assert_int_equal(d.r.n_flights, 0);
	return rc;
}

FLIGHT_TEST(without_memory_there_is_an_error)
{
	see(SUPERVISED_ENDED);
	d.without_memory = true;
	failing_each_place (start_and_end(&err), &err)
		;
	check_stored(1, CAMPAIGN_RUN_DONE);
	check_stored(2, CAMPAIGN_RUN_DONE);
}
