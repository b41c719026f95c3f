#include "acquire/campaign_private.h"

#include <time.h>

#include "acquire/slurm.h"
#include "acquire/work_folder.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/campaign_base.h"

/* Runs as jobs of a Slurm that says here what a test wants; its commands are test_slurm.c's. */

enum { N_RUNS = 5 };

static const char parallel_text[] =
	"application = { name = \"parallel\"; title = \"with processes and threads\";\n"
	" problem = ( { name = \"n\"; min = 1; } ); tunables = ( { name = \"p\"; min = 1; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; }, { name = \"procs\"; min = 1; },\n"
	"  { name = \"threads\"; min = 1; } ); target = { name = \"t\"; unit = \"s\"; }; };\n";

static struct desk {
	struct kb *kb;
	struct campaign_target t;
	struct kb_campaign record;
	struct kb_campaign_runs runs;
	double row[N_RUNS][8];
	char attempt[N_RUNS][96];
	struct campaign_launch l[N_RUNS];
	struct expanded_command command[N_RUNS];
	struct campaign_sight sight[N_RUNS];
	struct err silence;
	/* what Slurm says */
	struct err submit, ask;
	struct slurm_job answer[N_RUNS];
	/* what it heard */
	struct slurm_job asked[N_RUNS];
	size_t n_asks, n_asked, n_cancelled;
	char option[512], partition[64], cancelled[SLURM_ID_SIZE];
	double limit_min, nodes;
} d;

enum err_code slurm_submit(const struct slurm_batch *b, struct slurm_job *out, struct err *e)
{
	*d.option = '\0';
	for (size_t i = 0; i < b->n_option; i++)
		snprintf(d.option + strlen(d.option), sizeof d.option - strlen(d.option), "<%s>",
			 b->option[i]);
	snprintf(d.partition, sizeof d.partition, "%s", b->partition ? b->partition : "none");
	d.limit_min = b->limit_min;
	d.nodes = b->nodes;
	*out = (struct slurm_job){.id = "123"};
	return d.submit.code ? err_set(e, d.submit.code, "%s", d.submit.msg) : ERR_OK;
}

enum err_code slurm_ask(struct slurm_job *jobs, size_t n, const struct progress *progress,
			struct slurm_reply *out, struct err *e)
{
	d.n_asks++;
	d.n_asked = n;
	for (size_t i = 0; i < n; i++)
		d.asked[i] = jobs[i];
	*out = (struct slurm_reply){.why = "no database"};
	if (d.ask.code)
		return err_set(e, d.ask.code, "%s", d.ask.msg);
	for (size_t i = 0; i < n; i++) {
		struct slurm_job told = d.answer[i];

		snprintf(told.name, sizeof told.name, "%s", jobs[i].name);
		if (!*told.id)
			snprintf(told.id, sizeof told.id, "%s", jobs[i].id);
		jobs[i] = told;
	}
	return ERR_OK;
}

enum err_code slurm_cancel(const struct slurm_job *job, const struct progress *progress,
			   struct err *e)
{
	d.n_cancelled++;
	snprintf(d.cancelled, sizeof d.cancelled, "%s", job->id);
	return ERR_OK;
}

/* Five runs of ./x on two nodes with 4 processes of 3 threads, a minute each. */
static void open_desk(const char *launcher)
{
	struct campaign_plan *plan = NULL;
	FREED(application) *a = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;

	d = (struct desk){.kb = base()};
	must(application_parse(parallel_text, "parallel", &a, &err));
	must(kb_put_application(d.kb, a, NULL, &err));
	strbuf_printf(&text,
		      "campaign = { name = \"c\"; application = \"parallel\"; machine = \"m\"; "
		      "factors = ( { column = \"n\"; from = 1; to = 5; step = 1; } ); constants = "
		      "\"p=2,nodes=2,procs=4,threads=3\"; command = [ \"./x\" ];\n"
		      "launcher = { kind = \"slurm\"; %s }; timeout = { fixed = \"1m\"; }; };",
		      launcher);
	must(campaign_plan_parse(strbuf_text(&text), "plan", &plan, &err));
	must(campaign_target_open(d.kb, plan, &d.t, &err));
	d.record = begin(d.kb, &d.t);
	must(kb_load_campaign_runs(d.kb, d.record.id, &d.runs, &err));
	assert_int_equal(d.runs.n, N_RUNS);
	for (size_t i = 0; i < N_RUNS; i++) {
		struct kb_campaign_run *run = &d.runs.item[i];

		assert_true(campaign_run_row(&d.t, run->levels, d.row[i]));
		run->attempt = 1;
		run->limit_s = 60;
		run->started_at = strdup("2026-01-01T00:00:00Z"); /* long ago */
		snprintf(d.attempt[i], sizeof d.attempt[i], "%s/%zu", folder, i + 1);
		assert_int_equal(mkdir(d.attempt[i], 0700), 0);
		d.l[i] = (struct campaign_launch){.target = &d.t,
						  .record = &d.record,
						  .run = run,
						  .row = d.row[i],
						  .folder = d.attempt[i],
						  .kb = d.kb};
		must(word_list_add(&d.command[i].argv, "echo", &err));
		must(word_list_add(&d.command[i].argv, "it's", &err));
		must(word_list_add(&d.command[i].variables, "WIDTH=a b", &err));
	}
}

static int close_desk(void **state)
{
	for (size_t i = 0; i < N_RUNS; i++) {
		word_list_release(&d.command[i].argv);
		word_list_release(&d.command[i].variables);
	}
	kb_campaign_runs_release(&d.runs);
	kb_campaign_release(&d.record);
	campaign_target_release(&d.t);
	kb_close(d.kb);
	unsetenv("SBATCH_PARTITION");
	return remove_folder(state);
}

#define SLURM_TEST(f) TEST_WITH(f, make_base_folder, close_desk)

static void put_file(size_t i_run, const char *name, const char *text)
{
	char file[160];

	snprintf(file, sizeof file, "%s/%s", d.attempt[i_run], name);
	write_file(file, text);
}

static char *file_of(size_t i_run, const char *name)
{
	char file[160];

	snprintf(file, sizeof file, "%s/%s", d.attempt[i_run], name);
	return read_text(file);
}

static void set_job(size_t i_run, const char *job)
{
	free(d.runs.item[i_run].job);
	d.runs.item[i_run].job = job ? strdup(job) : NULL;
}

static void set_text(char **text, const char *to)
{
	free(*text);
	*text = strdup(to);
}

/* ---- starting ---- */

#define SAYS(text, part) assert_non_null(strstr(text, part))
#define SAYS_NOT(text, part) assert_null(strstr(text, part))

SLURM_TEST(a_script_asks_for_what_the_run_needs_and_a_minute_more_than_its_limit)
{
	HEAP char *script = NULL;

	open_desk("options = [ \"--exclusive\" ];");
	d.runs.item[0].limit_s = 61.5;
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_string_equal(d.runs.item[0].job, "123");
	assert_string_equal(d.option, "<--no-requeue>"); /* Slurm and we would run it twice */
	assert_string_equal(d.partition, "none");
	check_rel(d.limit_min, 4.0, 0); /* 61.5 s and 60 s to start, in whole minutes, and one */
	check_rel(d.nodes, 2.0, 0);
	script = file_of(0, "job.sh");
	SAYS(script, "\n#SBATCH --job-name=lemnos-01234567-1-1\n");
	SAYS(script, "\n#SBATCH --nodes=2\n#SBATCH --ntasks=4\n#SBATCH --ntasks-per-node=2\n"
		     "#SBATCH --cpus-per-task=3\n#SBATCH --time=4\n#SBATCH --exclusive\n");
	SAYS(script, "\nexport 'WIDTH=a b'\n");
	SAYS(script, "\ntimeout -k 2 62 srun echo 'it'\\''s'\n");
	SAYS(script, " --output=stdout\n");
}

SLURM_TEST(a_run_without_a_limit_has_none_in_its_job)
{
	HEAP char *script = NULL;

	open_desk("");
	d.runs.item[0].limit_s = NAN;
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_true(d.limit_min == 0);
	script = file_of(0, "job.sh");
	SAYS_NOT(script, "--time");
	SAYS_NOT(script, "timeout ");
}

SLURM_TEST(the_machine_goes_before_the_environment_and_that_before_the_plan)
{
	open_desk("options = [ \"--partition=plan\" ];");
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_string_equal(d.partition, "plan");
	setenv("SBATCH_PARTITION", "", 1);
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_string_equal(d.partition, "plan");
	setenv("SBATCH_PARTITION", "set", 1);
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_string_equal(d.partition, "set");
	d.t.machine->slurm.partition = strdup("short");
	d.t.machine->slurm.account = strdup("me");
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	assert_string_equal(d.partition, "short");
	assert_string_equal(d.option, "<--no-requeue><--partition=short><--account=me>");
}

/* Two and two and one, each a minute, and 5 s between two. */
SLURM_TEST(runs_share_jobs_whose_limits_add_up_and_jobs_an_array)
{
	static const char *const job[] = {"123_1", "123_1", "123_2", "123_2", "123_3"};
	HEAP char *script = NULL;

	open_desk("runs_per_job = 2; array = 3; in_flight = 2;");
	must(campaign_slurm_start(d.l, d.command, N_RUNS, &err));
	assert_string_equal(d.option, "<--no-requeue><--array=1-3%2>");
	check_rel(d.limit_min, 5.0, 0); /* 60 + 5 + 60 and 60 to start: in 4 minutes, and one */
	for (size_t i = 0; i < N_RUNS; i++)
		assert_string_equal(d.runs.item[i].job, job[i]);
	script = file_of(0, "job.sh");
	SAYS(script, "if [ \"$SLURM_ARRAY_TASK_ID\" = 3 ]; then\n");
	SAYS_NOT(script, "TASK_ID\" = 4");
	SAYS(script, "--output=job.%a.stdout\n");
	must(campaign_slurm_start(d.l, d.command, 2, &err)); /* no array */
	assert_string_equal(d.option, "<--no-requeue>");
	assert_string_equal(d.runs.item[1].job, "123");
	d.runs.item[1].limit_s = NAN; /* of one: of none */
	must(campaign_slurm_start(d.l, d.command, 2, &err));
	assert_true(d.limit_min == 0);
}

SLURM_TEST(a_job_that_is_too_long_says_what_to_lower)
{
	open_desk("runs_per_job = 2;");
	d.submit = (struct err){.code = ERR_ARG, .msg = "too long"};
	must_fail(campaign_slurm_start(d.l, d.command, 1, &err), ERR_ARG,
		  "too long. Lower 'timeout'");
	must_fail(campaign_slurm_start(d.l, d.command, 2, &err), ERR_ARG,
		  "too long. The limits of a job's runs add up: lower 'runs_per_job'");
	d.submit.code = ERR_IO;
	must_say(campaign_slurm_start(d.l, d.command, 1, &err), ERR_IO, "too long");
	assert_null(d.runs.item[0].job);
}

SLURM_TEST(until_a_number_is_heard_runs_that_share_jobs_have_a_name)
{
	open_desk("");
	must(campaign_slurm_name(d.l, 1, &err));
	assert_null(d.runs.item[0].job); /* the name is the run's own */
	d.t.plan->launcher.runs_per_job = 2;
	must(campaign_slurm_name(d.l, 2, &err));
	assert_string_equal(d.runs.item[1].job, "lemnos-01234567-1-1");
	must(campaign_slurm_name(d.l, 3, &err));
	assert_string_equal(d.runs.item[1].job, "lemnos-01234567-1-1_1");
	assert_string_equal(d.runs.item[2].job, "lemnos-01234567-1-1_2");
}

SLURM_TEST(runs_share_a_job_only_on_as_many_nodes_processes_and_threads)
{
	static const char *const column[] = {"nodes", "procs", "threads"};

	open_desk("");
	assert_true(campaign_slurm_alike(&d.t, d.row[0], d.row[1]));
	for (size_t i = 0; i < 3; i++) {
		double *x = &d.row[1][application_column(d.t.app, column[i])];

		*x *= 2;
		assert_false(campaign_slurm_alike(&d.t, d.row[0], d.row[1]));
		*x /= 2;
	}
}

/* ---- the script is run ---- */

static void run_script(void)
{
	char line[256];

	snprintf(line, sizeof line, "cd %s && bash job.sh", d.attempt[0]);
	assert_true(system(line) >= 0);
}

static void look(size_t n)
{
	memset(d.sight, 0, sizeof d.sight);
	d.silence = (struct err){0};
	must(campaign_slurm_look(d.l, n, d.sight, &d.silence, &err));
}

SLURM_TEST(a_job_tells_its_end_itself_and_nobody_is_asked)
{
	open_desk("");
	set_text(&d.t.machine->slurm.launcher, "env");
	set_text(&d.command[0].argv.word[0], "sh");
	set_text(&d.command[0].argv.word[1], "-c");
	must(word_list_add(&d.command[0].argv, "[ \"$WIDTH\" = 'a b' ] && exit 3", &err));
	must(campaign_slurm_start(d.l, d.command, 1, &err));
	run_script();
	look(1);
	assert_int_equal(d.n_asks, 0);
	assert_int_equal(d.sight[0].state, SUPERVISED_ENDED);
	assert_int_equal(d.sight[0].end.exit_status, 3);
	assert_false(d.sight[0].end.timed_out);
	assert_true(d.sight[0].end.elapsed_s > 0 && d.sight[0].end.elapsed_s < 60);
	assert_true(d.sight[0].end.ended_s >= d.sight[0].end.started_s);
}

/* An administrator may start a job anew. */
SLURM_TEST(a_job_of_several_runs_each_in_its_folder_and_none_twice)
{
	HEAP char *first = NULL, *second = NULL, *began = NULL;

	open_desk("runs_per_job = 2;");
	set_text(&d.t.machine->slurm.launcher, "env");
	must(campaign_slurm_start(d.l, d.command, 2, &err));
	put_file(0, "stdout", "of the first time\n");
	put_file(0, "end", "elapsed_s 7\nexit_status 0\nend\n");
	run_script();
	first = file_of(0, "stdout");
	assert_string_equal(first, "of the first time\n");
	second = file_of(1, "stdout");
	assert_string_equal(second, "it's\n");
	began = file_of(1, "began");
	assert_non_null(strstr(began, " 2\n"));
	look(2);
	assert_int_equal(d.n_asks, 0);
	assert_true(d.sight[0].end.elapsed_s == 7);
	assert_int_equal(d.sight[1].state, SUPERVISED_ENDED);
	assert_int_equal(d.sight[1].end.exit_status, 0);
}

/* ---- looking ---- */

/* The first run's job in this state; end_s: 0: long ago. */
static struct campaign_sight seen(enum slurm_state state, int64_t end_s)
{
	d.answer[0] = (struct slurm_job){.state = state,
					 .words = "SO",
					 .elapsed_s = 9,
					 .exit_status = 2,
					 .signal = -1,
					 .start_s = 1000,
					 .end_s = end_s ? end_s : 1009};
	set_job(0, "123");
	look(1);
	return d.sight[0];
}

SLURM_TEST(a_job_that_has_not_ended_runs)
{
	open_desk("");
	assert_int_equal(seen(SLURM_PENDING, 0).state, SUPERVISED_RUNS);
	assert_int_equal(seen(SLURM_RUNNING, 0).state, SUPERVISED_RUNS);
	assert_int_equal(seen(SLURM_UNKNOWN, 0).state, SUPERVISED_UNKNOWN);
	assert_string_equal(d.silence.msg, "Slurm does not say what became of job 123: SO");
}

SLURM_TEST(what_others_ended_is_no_fault_of_the_run)
{
	open_desk("");
	assert_int_equal(seen(SLURM_CANCELLED, 0).state, SUPERVISED_NEVER);
	assert_int_equal(seen(SLURM_NODE_FAIL, 0).state, SUPERVISED_NEVER);
	assert_int_equal(seen(SLURM_PREEMPTED, 0).state, SUPERVISED_NEVER);
	assert_false(d.sight[0].unreached);
}

/* Of what has yet to come no test is too slow. */
static int64_t in_an_hour(void)
{
	return (int64_t)time(NULL) + 3600;
}

/* A submission may be on its way for two minutes. */
SLURM_TEST(a_job_that_nobody_knows_is_lost_only_after_a_while)
{
	open_desk("");
	assert_int_equal(seen(SLURM_GONE, 0).state, SUPERVISED_NEVER);
	free(d.runs.item[0].started_at);
	d.runs.item[0].started_at = campaign_utc(in_an_hour());
	assert_int_equal(seen(SLURM_GONE, 0).state, SUPERVISED_RUNS);
	free(d.runs.item[0].started_at);
	d.runs.item[0].started_at = campaign_utc((int64_t)time(NULL) - 121);
	assert_int_equal(seen(SLURM_GONE, 0).state, SUPERVISED_NEVER);
}

/* File systems lag behind: half a minute the job's own words may still come. */
SLURM_TEST(without_an_end_slurm_says_how_a_job_ended)
{
	struct campaign_sight s;

	open_desk("");
	assert_int_equal(seen(SLURM_FAILED, in_an_hour()).state, SUPERVISED_RUNS);
	s = seen(SLURM_FAILED, 0);
	assert_int_equal(s.state, SUPERVISED_ENDED);
	assert_int_equal(s.end.exit_status, 2);
	assert_int_equal(s.end.signal, 0);
	assert_true(s.end.elapsed_s == 9);
	assert_int_equal(s.end.started_s, 1000);
	assert_int_equal(s.end.ended_s, 1009);
	assert_false(s.end.timed_out || s.end.untold);
	assert_string_equal(s.end.why, "Slurm: SO");
	assert_true(seen(SLURM_TIMEOUT, 0).end.timed_out);
	s = seen(SLURM_COMPLETED, 0); /* its result is where its end is */
	assert_int_equal(s.state, SUPERVISED_ENDED);
	assert_true(s.end.untold);
	assert_non_null(strstr(s.end.why, "do the nodes see this folder?"));
	assert_non_null(strstr(s.end.why, d.attempt[0]));
}

/* Of a job of two: whether it came to this run is in a file. */
SLURM_TEST(a_part_of_a_job_ended_only_if_it_began)
{
	struct campaign_sight s;

	open_desk("runs_per_job = 2;");
	s = seen(SLURM_FAILED, 0);
	assert_int_equal(s.state, SUPERVISED_NEVER);
	assert_true(s.unreached);
	put_file(0, "began", "bega");
	assert_true(seen(SLURM_FAILED, 0).unreached);
	put_file(0, "began", "began 1004 1\n");
	s = seen(SLURM_TIMEOUT, 0);
	assert_int_equal(s.state, SUPERVISED_ENDED);
	assert_true(s.end.timed_out);
	assert_true(s.end.elapsed_s == 5); /* not the job's 9 */
	assert_int_equal(s.end.started_s, 1004);
	put_file(0, "began", "began 1004 2\n"); /* the limit was met by both together */
	s = seen(SLURM_TIMEOUT, 0);
	assert_int_equal(s.state, SUPERVISED_NEVER);
	assert_false(s.unreached);
	assert_int_equal(seen(SLURM_OUT_OF_MEMORY, 0).state, SUPERVISED_ENDED);
}

SLURM_TEST(runs_of_a_job_ask_once_and_an_unheard_number_is_kept)
{
	RELEASED(kb_campaign_runs) after = {0};

	open_desk("runs_per_job = 2; array = 2;");
	set_job(0, "lemnos-01234567-1-1_1");
	set_job(1, "lemnos-01234567-1-1_1");
	set_job(2, "lemnos-01234567-1-1_2");
	set_job(3, "88");
	d.answer[0] = (struct slurm_job){.id = "41_1", .state = SLURM_RUNNING};
	d.answer[1] = (struct slurm_job){.id = "41_2", .state = SLURM_PENDING};
	d.answer[2].state = d.answer[3].state = SLURM_RUNNING;
	look(N_RUNS);
	assert_int_equal(d.n_asks, 1);
	assert_int_equal(d.n_asked, 4);
	assert_string_equal(d.asked[0].id, "");
	assert_string_equal(d.asked[0].name, "lemnos-01234567-1-1");
	assert_int_equal(d.asked[0].task, 1);
	assert_int_equal(d.asked[0].since_s, 1767225600); /* 2026-01-01 */
	assert_int_equal(d.asked[1].task, 2);
	assert_string_equal(d.asked[2].id, "88"); /* a number may be another's: the name says */
	assert_string_equal(d.asked[2].name, "lemnos-01234567-");
	assert_string_equal(d.asked[3].name, "lemnos-01234567-5-1");
	must(kb_load_campaign_runs(d.kb, d.record.id, &after, &err));
	assert_string_equal(after.item[0].job, "41_1");
	assert_string_equal(after.item[1].job, "41_1");
	assert_string_equal(after.item[2].job, "41_2");
	assert_null(after.item[4].job);
}

SLURM_TEST(silence_makes_runs_unknown_and_no_slurm_is_an_error)
{
	open_desk("");
	put_file(1, "end", "elapsed_s 7\nexit_status 0\nend\n");
	d.ask = (struct err){.code = ERR_IO, .msg = "Slurm does not answer"};
	look(3);
	assert_int_equal(d.sight[0].state, SUPERVISED_UNKNOWN);
	assert_int_equal(d.sight[1].state, SUPERVISED_ENDED); /* its file says so */
	assert_int_equal(d.sight[2].state, SUPERVISED_UNKNOWN);
	assert_int_equal(d.silence.code, ERR_IO);
	assert_string_equal(d.silence.msg, "Slurm does not answer");
	d.ask.code = ERR_NOTFOUND;
	must_fail(campaign_slurm_look(d.l, 1, d.sight, &d.silence, &err), ERR_NOTFOUND,
		  "does not answer");
}

/* ---- ending ---- */

SLURM_TEST(a_job_is_cancelled_with_its_whole_array)
{
	open_desk("");
	set_job(0, "123_2");
	must(campaign_slurm_stop(d.l, &err));
	assert_int_equal(d.n_asks, 0);
	assert_string_equal(d.cancelled, "123");
	set_job(0, "lemnos-01234567-1-1_2"); /* its number was not heard */
	d.answer[0] = (struct slurm_job){.id = "41_7", .state = SLURM_RUNNING};
	must(campaign_slurm_stop(d.l, &err));
	assert_int_equal(d.asked[0].task, 0);
	assert_string_equal(d.cancelled, "41");
}

SLURM_TEST(what_was_never_submitted_needs_no_end_once_that_is_sure)
{
	open_desk("");
	d.answer[0].state = SLURM_GONE;
	must(campaign_slurm_stop(d.l, &err));
	assert_int_equal(d.n_cancelled, 0);
	d.answer[0].state = SLURM_UNKNOWN;
	must_fail(campaign_slurm_stop(d.l, &err), ERR_IO, "it is not known whether");
	d.answer[0].state = SLURM_GONE;
	free(d.runs.item[0].started_at);
	d.runs.item[0].started_at = campaign_utc(in_an_hour());
	must_fail(campaign_slurm_stop(d.l, &err), ERR_IO, "lemnos-01234567-1-1");
	d.ask = (struct err){.code = ERR_IO, .msg = "Slurm does not answer"};
	must_say(campaign_slurm_stop(d.l, &err), ERR_IO, "Slurm does not answer");
	assert_int_equal(d.n_cancelled, 0);
}

/* ---- without memory ---- */

static enum err_code start_and_look(struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < 3; i++)
		set_job(i, NULL);
	if ((rc = campaign_slurm_name(d.l, 3, e)) ||
	    (rc = campaign_slurm_start(d.l, d.command, 3, e)))
		return rc;
	return campaign_slurm_look(d.l, 3, d.sight, &d.silence, e);
}

SLURM_TEST(without_memory_there_is_an_error)
{
	open_desk("runs_per_job = 2; array = 2;");
	d.t.machine->slurm.partition = strdup("short");
	d.answer[0].state = d.answer[1].state = SLURM_RUNNING;
	failing_each_place (start_and_look(&err), &err)
		;
	assert_string_equal(d.runs.item[2].job, "123_2");
}
