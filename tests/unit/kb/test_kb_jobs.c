#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

#include "kb/kb_jobs.h"

/* The jobs that were submitted for recommendations. */

static char *text(const char *t)
{
	return (char *)(uintptr_t)t; /* kb_put_job() only reads */
}

static void put_advice(struct kb *kb, const char *id)
{
	const struct kb_advice a = {
		.id = text(id), .request = text("{}"), .answer = text("{}"), .snapshot = text("s")};

	must(kb_put_advice(kb, &a, &err));
}

static struct kb_job new_job(const char *name, const char *advice_id)
{
	return (struct kb_job){.name = text(name),
			       .advice_id = text(advice_id),
			       .folder = text("/home/a"),
			       .limit_s = 600,
			       .state = text("unknown"),
			       .submitted_s = 1795402819,
			       .elapsed_s = (double)NAN,
			       .command_s = (double)NAN,
			       .wall_s = (double)NAN,
			       .exit_status = -1,
			       .exit_signal = -1};
}

static struct kb_job settled_job(const char *name, const char *advice_id)
{
	struct kb_job j = new_job(name, advice_id);

	j.slurm_id = text("123");
	j.cluster = text("far");
	j.state = text("completed");
	j.words = text("COMPLETED");
	j.ran_on = text("FAR");
	j.asked_s = 1795402900;
	j.queued_s = 1795402820;
	j.started_s = 1795402830;
	j.ended_s = 1795402850;
	j.elapsed_s = 20;
	j.command_s = 19.25;
	j.nodes = 4;
	j.exit_status = 0;
	j.exit_signal = 0;
	j.wall_s = 19.25;
	j.timed_by = text("command");
	j.import_sha256 = text("abc");
	j.settled = true;
	j.note = text("n");
	return j;
}

static void check_same(const struct kb_job *got, const struct kb_job *want)
{
	assert_string_equal(got->name, want->name);
	assert_string_equal(got->advice_id, want->advice_id);
	assert_string_equal(got->folder, want->folder);
	assert_string_equal(got->slurm_id, want->slurm_id);
	assert_string_equal(got->cluster, want->cluster);
	assert_string_equal(got->state, want->state);
	assert_string_equal(got->words, want->words);
	assert_string_equal(got->ran_on, want->ran_on);
	assert_string_equal(got->timed_by, want->timed_by);
	assert_string_equal(got->import_sha256, want->import_sha256);
	assert_string_equal(got->note, want->note);
	assert_true(got->submitted_s == want->submitted_s && got->asked_s == want->asked_s &&
		    got->queued_s == want->queued_s && got->started_s == want->started_s &&
		    got->ended_s == want->ended_s);
	assert_true(got->limit_s == want->limit_s && got->elapsed_s == want->elapsed_s &&
		    got->command_s == want->command_s && got->wall_s == want->wall_s);
	assert_true(got->nodes == want->nodes && got->exit_status == want->exit_status &&
		    got->exit_signal == want->exit_signal && got->settled == want->settled);
}

static size_t count(struct kb *kb, const char *advice_id, bool unsettled)
{
	RELEASED(kb_jobs) jobs = {0};
	size_t n;

	must(kb_list_jobs(kb, advice_id, unsettled, &jobs, &err));
	n = jobs.n;
	return n;
}

KB_TEST(a_job_comes_back_as_it_was_put)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	const struct kb_job fresh = new_job("toy-1", "abcd"), done = settled_job("toy-1", "abcd");
	struct kb_jobs jobs = {0};

	put_advice(kb, "abcd");
	must(kb_put_job(kb, &fresh, &err));
	must(kb_list_jobs(kb, "abcd", true, &jobs, &err));
	assert_int_equal(jobs.n, 1);
	assert_null(jobs.item[0].slurm_id);
	assert_null(jobs.item[0].note);
	assert_true(isnan(jobs.item[0].elapsed_s) && isnan(jobs.item[0].wall_s));
	assert_true(jobs.item[0].exit_status == -1 && jobs.item[0].ended_s == 0);
	assert_int_equal(jobs.item[0].submitted_s, 1795402819);
	kb_jobs_release(&jobs);
	/* date -u -d @1795402819 */
	assert_int_equal(raw_int(path, "SELECT submitted_at = '2026-11-23T03:00:19Z' FROM "
				       "advice_job"),
			 1);

	must(kb_put_job(kb, &done, &err));
	must(kb_list_jobs(kb, NULL, false, &jobs, &err));
	assert_int_equal(jobs.n, 1);
	check_same(&jobs.item[0], &done);
	kb_jobs_release(&jobs);
}

KB_TEST(jobs_are_listed_by_recommendation_and_as_long_as_they_are_open)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_job job[] = {new_job("toy-3", "abcd"), new_job("toy-2", "abcd"),
			       new_job("toy-1", "bcde")};
	struct kb_jobs jobs = {0};

	put_advice(kb, "abcd");
	put_advice(kb, "bcde");
	job[0].slurm_id = text("9");
	job[1].slurm_id = text("10");
	job[1].settled = true;
	for (size_t i = 0; i < 3; i++)
		must(kb_put_job(kb, &job[i], &err));
	assert_int_equal(count(kb, NULL, false), 3);
	assert_int_equal(count(kb, NULL, true), 2);
	assert_int_equal(count(kb, "abcd", false), 2);
	assert_int_equal(count(kb, "abcd", true), 1);
	assert_int_equal(count(kb, "cdef", false), 0);
	must(kb_list_jobs(kb, "abcd", false, &jobs, &err));
	assert_string_equal(jobs.item[0].slurm_id, "9"); /* as numbers, in one second */
	kb_jobs_release(&jobs);
	must(kb_delete_job(kb, "toy-3", &err));
	assert_int_equal(count(kb, NULL, false), 2);
}

KB_TEST(a_job_needs_its_recommendation_and_a_state_that_there_is)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb_job job = new_job("toy-1", "abcd");

	assert_int_equal(kb_put_job(kb, &job, &err), ERR_KB);
	put_advice(kb, "abcd");
	job.state = text("asleep");
	assert_int_equal(kb_put_job(kb, &job, &err), ERR_KB);
	assert_int_equal(count(kb, NULL, false), 0);
}

KB_TEST(a_merge_brings_jobs_and_what_is_settled_counts)
{
	const char *other_path = in_folder("other.kb");
	struct kb *kb = open_base(KB_CREATE), *other = NULL;
	const struct kb_job here[] = {new_job("toy-1", "abcd"), settled_job("toy-2", "abcd")};
	const struct kb_job there[] = {settled_job("toy-1", "abcd"), new_job("toy-2", "abcd"),
				       new_job("toy-3", "abcd")};
	struct kb_merge_result r;
	RELEASED(kb_jobs) jobs = {0};
	char from[256];

	snprintf(from, sizeof from, "%s", other_path);
	must(kb_open(from, KB_CREATE, NULL, &other, &err));
	put_advice(kb, "abcd");
	put_advice(other, "abcd");
	for (size_t i = 0; i < 2; i++)
		must(kb_put_job(kb, &here[i], &err));
	for (size_t i = 0; i < 3; i++)
		must(kb_put_job(other, &there[i], &err));
	kb_close(other);
	must(kb_merge(kb, from, NULL, &r, &err));
	must(kb_merge(kb, from, NULL, &r, &err));
	check_sound(kb);
	assert_int_equal(count(kb, NULL, false), 3);
	assert_int_equal(count(kb, NULL, true), 1);
	must(kb_list_jobs(kb, NULL, false, &jobs, &err));
	for (size_t i = 0; i < jobs.n; i++) {
		if (strcmp(jobs.item[i].name, "toy-1") == 0)
			check_same(&jobs.item[i], &there[0]);
	}
	kb_close(kb);
}

KB_TEST(the_run_of_a_job_goes_with_its_import)
{
	static const struct test_run one = {100, 2, 2, 10, 5.0, 0};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_runs(kb, "a", 1, &one, 1);
	struct kb_job job = settled_job("toy-1", "abcd");
	FREED(application) *a = get_application(kb, "stencil", NULL);
	int64_t run_id = -1;

	must(kb_job_run(kb, &job, a, &run_id, &err));
	assert_int_equal(run_id, 0);
	job.import_sha256 = imp.sha256;
	must(kb_job_run(kb, &job, a, &run_id, &err));
	assert_int_equal(run_id, raw_int(path, "SELECT run_id FROM run"));
	must(kb_undo_import(kb, imp.id, NULL, &err));
	must(kb_job_run(kb, &job, a, &run_id, &err));
	assert_int_equal(run_id, 0);
}
