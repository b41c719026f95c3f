#include "acquire/slurm.h"

#include <sys/stat.h>
#include <unistd.h>

#include "acquire/work_folder.h"
#include "tests/support/check.h"

/* Slurm's commands are scripts here, in a folder that is alone in PATH with the system's: what they
 * print was recorded from Slurm 22.05, or is what its manual says. tests/slurm/run.sh asks a real
 * one.
 */

static struct work_folder desk;
static char path_before[4096];

static int open_desk(void **state)
{
	must(work_folder_open(NULL, &desk, &err));
	snprintf(path_before, sizeof path_before, "%s", getenv("PATH"));
	return 0;
}

static int close_desk(void **state)
{
	setenv("PATH", path_before, 1);
	work_folder_close(&desk);
	return 0;
}

static int remove_commands(void **state)
{
	static const char *const name[] = {"sbatch", "sacct", "squeue", "scancel"};
	char path[4096];

	/* of the system's, those that the scripts need: a Slurm that is installed is none of these
	 */
	snprintf(path, sizeof path, "%s:%s/tools", strbuf_text(&desk.path),
		 strbuf_text(&desk.path));
	setenv("PATH", path_before, 1);
	if (access(path + strlen(strbuf_text(&desk.path)) + 1, X_OK)) {
		char command[16384];

		snprintf(
			command, sizeof command,
			"mkdir %s/tools && for p in sh cat env echo printf pwd kill; do ln -s \"$(command -v $p "
			"| grep / || echo /bin/$p)\" %s/tools/$p; done",
			strbuf_text(&desk.path), strbuf_text(&desk.path));
		assert_int_equal(system(command), 0);
	}
	setenv("PATH", path, 1);
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "%s/%s", strbuf_text(&desk.path), name[i]);
		unlink(path);
	}
	return 0;
}

static void command(const char *name, const char *body)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	char path[4096];

	strbuf_printf(&text, "#!/bin/sh\n%s\n", body);
	must(work_folder_write(&desk, name, strbuf_text(&text), &err));
	snprintf(path, sizeof path, "%s/%s", strbuf_text(&desk.path), name);
	assert_int_equal(chmod(path, 0755), 0);
}

static struct slurm_job job(const char *id, const char *name)
{
	struct slurm_job j = {.exit_status = 77};

	snprintf(j.id, sizeof j.id, "%s", id);
	snprintf(j.name, sizeof j.name, "%s", name);
	return j;
}

/* ---- submitting ---- */

#define SLURM_TEST(f) TEST_WITH(f, remove_commands, NULL)

SLURM_TEST(submitting_needs_sbatch_and_says_so)
{
	const struct slurm_batch b = {.script = "#!/bin/sh\n"};
	struct slurm_job j = {.nodes = 5};

	must_fail(slurm_submit(&b, &j, &err), ERR_NOTFOUND, "no sbatch in PATH");
	assert_int_equal(j.nodes, 5);
}

SLURM_TEST(script_and_options_reach_sbatch_as_they_are)
{
	static const char *const option[] = {"--comment=it's $HOME; \"*\""};
	const struct slurm_batch b = {.script = "#!/bin/sh\necho '$1' | x\n",
				      .name = "a b",
				      .cluster = "c1",
				      .folder = strbuf_text(&desk.path),
				      .option = option,
				      .n_option = 1};
	struct slurm_job j = {0};
	RELEASED(strbuf) text = STRBUF_INIT;

	command("sbatch", "printf '<%s>' \"$1\" \"$2\" \"$3\" \"$4\" $# >args\ncat \"$5\" >script\n"
			  "echo a site says hello\necho '123;c1'");
	must(slurm_submit(&b, &j, &err));
	assert_string_equal(j.id, "123");
	assert_string_equal(j.cluster, "c1");
	assert_string_equal(j.name, "a b");
	assert_int_equal(j.state, SLURM_PENDING);
	assert_true(isnan(j.elapsed_s));
	must(work_folder_read(&desk, "args", 1000, &text, &err));
	assert_string_equal(
		strbuf_text(&text),
		"<--parsable><--job-name=a b><--clusters=c1><--comment=it's $HOME; \"*\"><5>");
	strbuf_clear(&text);
	must(work_folder_read(&desk, "script", 1000, &text, &err));
	assert_string_equal(strbuf_text(&text), b.script);
}

SLURM_TEST(words_of_a_refusal_are_kept)
{
	const struct slurm_batch b = {.script = ""};
	struct slurm_job j = {.nodes = 5};

	command("sbatch",
		"echo 'sbatch: error: invalid partition specified: nix' >&2\n"
		"echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2\n"
		"exit 1");
	must_say(slurm_submit(&b, &j, &err), ERR_IO,
		 "sbatch refused the job: sbatch: error: invalid partition specified: nix "
		 "/ sbatch: error: Batch job submission failed: Invalid partition name "
		 "specified");
	assert_int_equal(j.nodes, 5);

	command("sbatch", "exit 3");
	must_fail(slurm_submit(&b, &j, &err), ERR_IO, "exit status 3");
}

SLURM_TEST(an_answer_that_was_lost_is_no_refusal)
{
	static const char timed_out[] = "echo 'sbatch: error: Batch job submission failed: Socket "
					"timed out on send/recv operation' >&2; exit 1";
	static const char *const body[] = {timed_out,	 "echo Submitted", "echo 12a",
					   "echo ';c1'", "kill -9 $$",	   ""};
	const struct slurm_batch b = {.script = "", .name = "toy-1"};

	for (size_t i = 0; i < sizeof body / sizeof body[0]; i++) {
		struct slurm_job j = {.nodes = 5};

		command("sbatch", body[i]);
		must_fail(slurm_submit(&b, &j, &err), ERR_PARSE, "look for the name toy-1");
		assert_int_equal(j.nodes, 5);
	}
}

/* ---- asking ---- */

/* sacct -P of Slurm 22.05 in the fields that we ask for. */
#define SACCT(lines) "cat <<'END'\n" lines "END"

SLURM_TEST(sacct_tells_what_became_of_jobs)
{
	struct slurm_job j[] = {job("1", "a|b c"), job("2", ""), job("3", ""), job("4", ""),
				job("5", ""),	   job("6", ""), job("7", "")};
	struct slurm_reply r = {0};

	command("sacct",
		SACCT("1|COMPLETED|1|60|1795402819|1795402821|1795402822|1|0:0|lemnos|a|b c\n"
		      "1.batch|COMPLETED|1||1795402821|1795402821|1795402822|1|0:0|lemnos|batch\n"
		      "2|FAILED|0|60|1795402819|1795402821|1795402821|1|3:0|lemnos|x\n"
		      "3|CANCELLED by 1000|0|60|1795402819|Unknown|1795402830|0|0:0|lemnos|x\n"
		      "4|TIMEOUT|61|1|1795402819|1795402821|1795402882|2|0:0|lemnos|x\n"
		      "5|FAILED|9|UNLIMITED|1795402819|1795402821|1795402830|2|0:9|lemnos|x\n"
		      "5.0|OUT_OF_MEMORY|9||1795402821|1795402821|1795402830|2|0:125|lemnos|x\n"
		      "6|RUNNING|9|60|1795402819|1795402821|Unknown|2|0:0|lemnos|x\n"
		      "7|PENDING|0|60|1795402819|Unknown|Unknown|4|0:0|lemnos|x\n"));
	must(slurm_ask(j, 7, NULL, &r, &err));
	assert_true(r.accounted && r.queued);
	assert_string_equal(r.why, "");
	assert_int_equal(j[0].state, SLURM_COMPLETED);
	assert_true(j[0].elapsed_s == 1 && j[0].limit_s == 3600);
	assert_int_equal(j[0].submit_s, 1795402819);
	assert_int_equal(j[0].start_s, 1795402821);
	assert_int_equal(j[0].end_s, 1795402822);
	assert_int_equal(j[0].nodes, 1);
	assert_int_equal(j[0].exit_status, 0);
	assert_string_equal(j[0].ran_on, "lemnos");
	assert_string_equal(j[0].cluster, "");
	assert_int_equal(j[1].state, SLURM_FAILED);
	assert_int_equal(j[1].exit_status, 3);
	assert_int_equal(j[2].state, SLURM_CANCELLED);
	assert_string_equal(j[2].words, "CANCELLED by 1000");
	assert_int_equal(j[2].start_s, 0);
	assert_int_equal(j[3].state, SLURM_TIMEOUT);
	assert_true(j[3].limit_s == 60);
	assert_int_equal(j[4].state, SLURM_OUT_OF_MEMORY);
	assert_true(isnan(j[4].limit_s));
	assert_int_equal(j[4].signal, 9);
	assert_int_equal(j[5].state, SLURM_RUNNING);
	assert_int_equal(j[5].end_s, 0);
	assert_int_equal(j[5].exit_status, -1);
	assert_int_equal(j[6].state, SLURM_PENDING);
	assert_false(j[6].from_queue);
}

SLURM_TEST(what_sacct_does_not_know_yet_is_asked_of_the_queue)
{
	struct slurm_job j[] = {job("3_1", ""), job("3_2", "x"), job("9", "other"), job("11", "")};
	struct slurm_reply r = {0};

	command("sacct", SACCT("9|COMPLETED|1|60|1|2|3|1|0:0|lemnos|this\n"));
	command("squeue",
		SACCT("CLUSTER: lemnos\n"
		      "3_1|PENDING|0:00|1:00:00|1795402819|N/A|N/A|1|||x\n"
		      "3_2|RUNNING|1-02:03:04|5:30|1795402819|1795402820|1795402880|1|||x\n"
		      "11|COMPLETED|0:07|UNLIMITED|1|2|9|1|||x\n"));
	must(slurm_ask(j, 4, NULL, &r, &err));
	assert_true(r.accounted && r.queued);
	assert_int_equal(j[0].state, SLURM_PENDING);
	assert_true(j[0].elapsed_s == 0 && j[0].limit_s == 3600);
	assert_int_equal(j[1].state, SLURM_RUNNING);
	assert_true(j[1].elapsed_s == 86400 + 2 * 3600 + 3 * 60 + 4 && j[1].limit_s == 330);
	assert_int_equal(j[1].end_s, 0);
	assert_true(j[1].from_queue);
	assert_int_equal(j[2].state, SLURM_GONE); /* a job of this number has another name */
	assert_int_equal(j[3].state, SLURM_COMPLETED);
	assert_true(j[3].elapsed_s == 7 && isnan(j[3].limit_s));
	assert_int_equal(j[3].end_s, 9);
	assert_int_equal(j[3].exit_status, -1); /* the queue does not tell */
}

SLURM_TEST(only_jobs_that_sacct_does_not_know_are_asked_of_the_queue)
{
	struct slurm_job j[] = {job("1", ""), job("2", "")};
	struct slurm_reply r = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	char body[8192];

	command("sacct", SACCT("1|COMPLETED|1|60|1|2|3|1|0:0|lemnos|x\n"));
	snprintf(body, sizeof body,
		 "printf '%%s\\n' \"$SLURM_TIME_FORMAT\" \"$SQUEUE_USERS\" \"$@\" >%s/asked",
		 strbuf_text(&desk.path));
	command("squeue", body);
	setenv("SQUEUE_USERS", "nobody", 1);
	setenv("SLURM_TIME_FORMAT", "relative", 1);
	must(slurm_ask(j, 2, NULL, &r, &err));
	unsetenv("SQUEUE_USERS");
	unsetenv("SLURM_TIME_FORMAT");
	must(work_folder_read(&desk, "asked", 1000, &text, &err));
	assert_string_equal(strbuf_text(&text),
			    "%s\n\n--noheader\n--array\n--states=all\n"
			    "--format=%i|%T|%M|%l|%V|%S|%e|%D|||%j\n--jobs=2\n");
}

SLURM_TEST(a_requeued_job_is_what_it_was_last)
{
	struct slurm_job j[] = {job("5", "")};
	struct slurm_reply r = {0};

	command("sacct", SACCT("5|COMPLETED|4|60|200|210|214|1|0:0|lemnos|x\n"
			       "5|NODE_FAIL|9|60|100|110|119|1|0:0|lemnos|x\n"));
	must(slurm_ask(j, 1, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_COMPLETED);
	assert_true(j[0].elapsed_s == 4);
}

SLURM_TEST(a_pending_array_speaks_for_its_tasks)
{
	struct slurm_job j[] = {job("7_1", ""), job("7_2", ""), job("70_2", "")};
	struct slurm_reply r = {0};

	command("sacct", SACCT("7_[2-9%4]|PENDING|0|60|100|Unknown|Unknown|1|0:0|lemnos|x\n"
			       "7_1|RUNNING|4|60|100|110|Unknown|1|0:0|lemnos|x\n"));
	command("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
	must(slurm_ask(j, 3, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_RUNNING);
	assert_int_equal(j[1].state, SLURM_PENDING);
	assert_int_equal(j[2].state, SLURM_GONE);
}

SLURM_TEST(tasks_of_an_array_are_found_by_its_name)
{
	struct slurm_job j[] = {job("", "toy-1"), job("", "toy-1"), job("", "toy-1")};
	struct slurm_reply r = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	char body[8192];

	j[0].task = 1;
	j[1].task = 2;
	j[2].task = 12;
	snprintf(body, sizeof body,
		 "printf '%%s\\n' \"$@\" >%s/asked\n" SACCT(
			 "7_[2-12%%%%4]|PENDING|0|60|100|Unknown|Unknown|1|0:0|lemnos|toy-1\n"
			 "7_1|RUNNING|4|60|100|110|Unknown|1|0:0|lemnos|toy-1\n"
			 "7_12|COMPLETED|4|60|100|110|120|1|0:0|lemnos|toy-1\n"),
		 strbuf_text(&desk.path));
	command("sacct", body);
	must(slurm_ask(j, 3, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_RUNNING);
	assert_string_equal(j[0].id, "7_1");
	assert_int_equal(j[1].state, SLURM_PENDING);
	assert_string_equal(j[1].id, "7_2");
	assert_int_equal(j[2].state, SLURM_COMPLETED);
	assert_string_equal(j[2].id, "7_12");
	/* asked for once */
	must(work_folder_read(&desk, "asked", 4096, &text, &err));
	assert_non_null(strstr(strbuf_text(&text), "--name=toy-1\n"));
}

SLURM_TEST(a_number_counts_where_the_name_begins_as_ours_do)
{
	struct slurm_job j[] = {job("5", "lemnos-7f3a-"), job("6", "lemnos-7f3a-")};
	struct slurm_reply r = {0};

	command("sacct", SACCT("5|RUNNING|4|60|100|110|Unknown|1|0:0|lemnos|lemnos-7f3a-3-1\n"
			       "6|RUNNING|4|60|100|110|Unknown|1|0:0|lemnos|lemnos-7f3b-3-1\n"));
	command("squeue", "exit 0");
	must(slurm_ask(j, 2, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_RUNNING);
	assert_int_equal(j[1].state, SLURM_GONE);
}

SLURM_TEST(a_job_whose_number_was_never_heard_is_found_by_its_name)
{
	struct slurm_job j[] = {job("", "toy-1"), job("", "toy-2")};
	struct slurm_reply r = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	char body[8192];

	j[0].since_s = j[1].since_s = 1795402819;
	snprintf(body, sizeof body,
		 "printf '%%s\\n' \"$@\" >%s/asked\n" SACCT(
			 "40|COMPLETED|4|60|1795302819|1795302820|1795302824|1|0:0|lemnos|toy-1\n"
			 "41|RUNNING|4|60|1795402820|1795402821|Unknown|1|0:0|lemnos|toy-1\n"),
		 strbuf_text(&desk.path));
	command("sacct", body);
	command("squeue", "");
	must(slurm_ask(j, 2, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_RUNNING);
	assert_string_equal(j[0].id, "41"); /* 40 was submitted a day before */
	assert_int_equal(j[1].state, SLURM_GONE);
	assert_string_equal(j[1].id, "");
	must(work_folder_read(&desk, "asked", 1000, &text, &err));
	assert_non_null(strstr(strbuf_text(&text), "\n--name=toy-1,toy-2\n"));
	assert_non_null(strstr(strbuf_text(&text), "\n--starttime=2026-11-2"));
}

SLURM_TEST(clusters_are_asked_one_by_one)
{
	struct slurm_job j[] = {job("1", ""), job("1", ""), job("2", "")};
	struct slurm_reply r = {0};

	snprintf(j[1].cluster, sizeof j[1].cluster, "far");
	command("sacct", "case \"$*\" in\n"
			 "*--clusters=far*--jobs=1*) echo '1|FAILED|1|60|1|2|3|1|1:0|far|x' ;;\n"
			 "*--jobs=1,2*) echo '1|COMPLETED|1|60|1|2|3|1|0:0|near|x'\n"
			 "echo '2|COMPLETED|1|60|1|2|3|1|0:0|near|x' ;;\nesac");
	must(slurm_ask(j, 3, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_COMPLETED);
	assert_int_equal(j[1].state, SLURM_FAILED);
	assert_int_equal(j[2].state, SLURM_COMPLETED);
	assert_string_equal(j[1].ran_on, "far");
}

SLURM_TEST(without_accounting_the_queue_is_all_there_is)
{
	struct slurm_job j[] = {job("1", ""), job("2", "")};
	struct slurm_reply r = {0};

	command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
	command("squeue", SACCT("1|COMPLETED|0:07|1:00|1|2|9|1|||x\n"));
	must(slurm_ask(j, 2, NULL, &r, &err));
	assert_false(r.accounted);
	assert_true(r.queued);
	assert_string_equal(r.why, "Slurm accounting storage is disabled");
	assert_int_equal(j[0].state, SLURM_COMPLETED);
	assert_int_equal(j[1].state, SLURM_GONE);
}

SLURM_TEST(a_database_that_is_down_makes_no_job_gone)
{
	struct slurm_job j[] = {job("1", ""), job("2", "")};
	struct slurm_reply r = {0};

	command("sacct",
		"echo 'sacct: error: Problem talking to the database: Connection refused' >&2; exit 1");
	command("squeue", SACCT("1|RUNNING|0:07|1:00|1|2|9|1|||x\n"));
	must(slurm_ask(j, 2, NULL, &r, &err));
	assert_false(r.accounted);
	assert_int_equal(j[0].state, SLURM_RUNNING);
	assert_int_equal(j[1].state, SLURM_UNKNOWN);

	command("sacct", "exit 0");
	command("squeue",
		"echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
	must(slurm_ask(j, 2, NULL, &r, &err));
	assert_true(r.accounted && !r.queued);
	assert_int_equal(j[0].state, SLURM_UNKNOWN);
}

SLURM_TEST(silence_of_both_is_an_error_with_their_words)
{
	struct slurm_job j[] = {job("1", "")};
	struct slurm_reply r = {0};

	j[0].state = SLURM_RUNNING;
	must_fail(slurm_ask(j, 1, NULL, &r, &err), ERR_NOTFOUND, "neither sacct nor squeue");

	command("sacct", "echo 'sacct: fatal: no configuration' >&2; exit 1");
	command("squeue", "exit 1");
	must_say(slurm_ask(j, 1, NULL, &r, &err), ERR_IO,
		 "Slurm does not answer: sacct: fatal: no configuration; squeue ended "
		 "with exit status 1 and said nothing");
	assert_int_equal(j[0].state, SLURM_RUNNING);
}

SLURM_TEST(an_answer_that_is_cut_short_changes_nothing)
{
	static const struct {
		const char *body, *message;
	} answer[] = {
		{"printf '1|COMPLETED|1|60|1|2|3|1|0:0|lemnos|x\\n2|COMPL'",
		 "line 2 of what sacct says is cut short: 2|COMPL"},
		{"echo '1|COMPLETED|1|60'", "line 1 of what sacct says has not the 11 fields"},
		{"echo 'Dear user'", "line 1 of what sacct says has not the 11 fields"},
	};

	for (size_t i = 0; i < sizeof answer / sizeof answer[0]; i++) {
		struct slurm_job j[] = {job("1", ""), job("2", "")};
		struct slurm_reply r = {.why = "as before"};

		command("sacct", answer[i].body);
		must_fail(slurm_ask(j, 2, NULL, &r, &err), ERR_PARSE, answer[i].message);
		assert_int_equal(j[0].state, SLURM_UNKNOWN);
		assert_int_equal(j[0].exit_status, 77);
		assert_string_equal(r.why, "as before");
	}
}

SLURM_TEST(a_word_that_is_no_state_is_kept_and_open)
{
	struct slurm_job j[] = {job("1", "")};
	struct slurm_reply r = {0};

	command("sacct", "echo '1|HIBERNATING|x|y|z|2|3|1|huh|lemnos|x'");
	must(slurm_ask(j, 1, NULL, &r, &err));
	assert_int_equal(j[0].state, SLURM_UNKNOWN);
	assert_string_equal(j[0].words, "HIBERNATING");
	assert_true(isnan(j[0].elapsed_s) && isnan(j[0].limit_s));
	assert_int_equal(j[0].submit_s, 0);
}

SLURM_TEST(many_jobs_are_asked_about_in_lots)
{
	enum { N = 600 };
	struct slurm_job *j = zeroed(N, sizeof *j);
	struct slurm_reply r = {0};

	for (int i = 0; i < N; i++)
		snprintf(j[i].id, sizeof j[i].id, "%d", i + 1);
	/* each number of --jobs=1,2,3 as a line */
	command("sacct", "for a; do last=$a; done\nIFS=,\nfor i in ${last#--jobs=}; do echo "
			 "\"$i|COMPLETED|$i|60|1|2|3|1|0:0|lemnos|x\"; done");
	must(slurm_ask(j, N, NULL, &r, &err));
	for (int i = 0; i < N; i++)
		assert_true(j[i].elapsed_s == i + 1);
	free(j);
	must(slurm_ask(NULL, 0, NULL, &r, &err));
}

/* ---- cancelling ---- */

SLURM_TEST(cancelling_names_the_job_and_keeps_words)
{
	const struct slurm_job j = job("12", "");

	must_fail(slurm_cancel(&j, NULL, &err), ERR_NOTFOUND, "");
	command("scancel", "test \"$*\" = 12");
	must(slurm_cancel(&j, NULL, &err));
	command("scancel",
		"echo 'scancel: error: Kill job error on job id 12: Access/permission denied' >&2; exit 1");
	must_say(slurm_cancel(&j, NULL, &err), ERR_IO,
		 "job 12 was not cancelled: scancel: error: Kill job error on job id 12: "
		 "Access/permission denied");
	command("scancel",
		"echo 'scancel: error: Job/step already completing or completed' >&2; exit 1");
	must(slurm_cancel(&j, NULL, &err));
}

TEST_GROUP(open_desk, close_desk)
