#include "tests/unit/ingest/formats/memory_input.h"

FREEABLE(foreign_table)

/* ---- what a file is ---- */

TEST(each_format_is_known_by_its_first_lines)
{
	assert_string_equal(recognised("JobID|State|Elapsed\n"), "sacct");
	assert_string_equal(recognised("Elapsed|State|\r\n1|COMPLETED|\r\n"), "sacct");
	assert_string_equal(recognised("JobID,State,Elapsed\n1,COMPLETED,00:00:01\n"), "sacct");
	assert_string_equal(recognised("JobIDRaw;ElapsedRaw;State\n1;1;COMPLETED\n"), "sacct");
	assert_string_equal(recognised("State\tElapsed\tJobID\t\n"), "sacct");
	assert_string_equal(recognised("; Version: 2.2\n; MaxProcs: 4\n\n"), "swf");
	assert_string_equal(recognised("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n"), "swf");
	assert_string_equal(recognised("\n SWEEP3D - Method 5 - Pipelined\n"), "sweep3d");
	assert_string_equal(recognised("prolog\nHPLinpack 2.3  --  High\n"), "hpl");
	assert_string_equal(recognised("T/V  N  NB  P  Q  Time  Gflops\n"), "hpl");
	assert_string_equal(recognised("# OSU MPI Latency Test v7.5\n# Size Latency (us)\n1 2\n"),
			    "osu");
	assert_string_equal(recognised("# OSU MPI Latency Test v7.5\n"), "osu");
}

TEST(a_table_is_not_taken_for_anything_else)
{
	static const char *const table[] = {
		"",
		"\n",
		"a,b\n1,2\n",
		"JobID,State,Elapsed\n\"1\",COMPLETED,00:00:01\n",  /* sacct quotes nothing */
		"JobName,State,Elapsed\n1,COMPLETED,00:00:01\n",    /* no ids */
		"JobID,State,NNodes\n1,COMPLETED,4\n",		    /* no times */
		"JobID|State|Elapsed|nb\n1|COMPLETED|00:00:01|4\n", /* a column that sacct has not
								     */
		"JobID|Elapsed\n",				    /* nor how it ended */
		"State\nCOMPLETED\n",
		"nodes|State\n",
		"JobID||State\n",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 x\n",
		";no;header\n1;2;3\n",
		"# SWEEP3D - Method 5\na,b\n",
		"code,what\nhpl,HPLinpack 2.3\n",
		"T/V,N,NB,P,Q,Time,Gflops\n",
		"# OSU MPI Latency Test v7.5\nmessage_bytes,roundtrip_us\n8,20\n",
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		assert_string_equal(recognised(table[i]), "csv");
}

TEST(a_first_line_that_was_cut_says_nothing)
{
	static const char header[] = "JobID|State|Elapsed";

	assert_null(foreign_format_recognise(header, strlen(header), false));
	assert_non_null(foreign_format_recognise(header, strlen(header), true));
}

TEST(a_format_has_one_name_and_no_other_finds_it)
{
	const struct foreign_format *f;

	for (size_t i = 0; (f = foreign_format_at(i)) != NULL; i++)
		assert_ptr_equal(foreign_format_find(f->name), f);
	assert_null(foreign_format_find("csv"));
	assert_null(foreign_format_find(""));
}

/* ---- sacct ---- */

static void check_cell(const char *text, size_t row, const char *column, const char *want)
{
	struct err e;
	FREED(foreign_table) *t = read_format("sacct", text, 7, &e);

	if (!t)
		print_error("%s\n", e.msg);
	assert_non_null(t);
	assert_string_equal(cell(t, row, column), want);
}

TEST(waiting_time_crosses_months_and_leap_days)
{
#define SUBMIT_START "JobID|State|Elapsed|Submit|Start\n1|COMPLETED|00:00:01|"
	check_cell(SUBMIT_START "2026-07-11T12:00:07|2026-07-11T12:00:10\n", 0, "wait_s", "3");
	check_cell(SUBMIT_START "2024-02-28T23:59:59|2024-03-01T00:00:00\n", 0, "wait_s", "86401");
	check_cell(SUBMIT_START "2026-02-28T23:59:59|2026-03-01T00:00:00\n", 0, "wait_s", "1");
	check_cell(SUBMIT_START "1999-12-31T00:00:00|2000-01-01T00:00:00\n", 0, "wait_s", "86400");
	/* not known, before it, or in another SLURM_TIME_FORMAT: no column */
	check_cell(SUBMIT_START "2026-07-11T12:00:07|Unknown\n", 0, "wait_s", "<none>");
	check_cell(SUBMIT_START "2026-07-11T12:00:07|2026-07-11T12:00:00\n", 0, "wait_s", "<none>");
	check_cell(SUBMIT_START "1783771207|1783771210\n", 0, "wait_s", "<none>");
	check_cell(SUBMIT_START "2026-13-11T12:00:07|2026-07-11T12:00:10\n", 0, "wait_s", "<none>");
}

TEST(requested_memory_is_of_the_job_in_bytes)
{
#define REQ_MEM "JobID|State|Elapsed|NNodes|NCPUS|ReqMem\n1|COMPLETED|00:00:01|2|8|"
	check_cell(REQ_MEM "64G\n", 0, "req_mem_bytes", "68719476736");	  /* 64 * 2^30 */
	check_cell(REQ_MEM "1.5Gn\n", 0, "req_mem_bytes", "3221225472");  /* 2 nodes */
	check_cell(REQ_MEM "1000Mc\n", 0, "req_mem_bytes", "8388608000"); /* 8 cpus */
	check_cell(REQ_MEM "512\n", 0, "req_mem_bytes", "536870912");	  /* MiB */
	check_cell(REQ_MEM "2K\n", 0, "req_mem_bytes", "2048");
	check_cell(REQ_MEM "0n\n", 0, "req_mem_bytes", "<none>");
	check_cell(REQ_MEM "lots\n", 0, "req_mem_bytes", "<none>");
	check_cell(REQ_MEM "1Gx\n", 0, "req_mem_bytes", "<none>");
	check_cell(REQ_MEM "\n", 0, "req_mem_bytes", "<none>");
}

TEST(a_timeout_took_its_limit_and_no_more)
{
#define LIMIT "JobID|State|Elapsed|Timelimit\n1|"
	check_cell(LIMIT "TIMEOUT|1-00:00:25|1-00:00:00\n", 0, "Elapsed", "24:00:00");
	check_cell(LIMIT "TIMEOUT|00:59:59|01:00:00\n", 0, "Elapsed", "00:59:59");
	check_cell(LIMIT "TIMEOUT|01:00:25|UNLIMITED\n", 0, "Elapsed", "01:00:25");
	check_cell(LIMIT "FAILED|01:00:25|01:00:00\n", 0, "Elapsed", "01:00:25");
	/* days and hours: 26 h 3 min is less than 26 h 3 min 5 s */
	check_cell(LIMIT "TIMEOUT|1-02:03:05|1-02:03\n", 0, "Elapsed", "26:03:00");
	/* a deadline came before the limit; the job ran longer than to it */
	check_cell(LIMIT "DEADLINE|00:30:25|01:00:00\n", 0, "Elapsed", "00:30:25");
}

static size_t n_rows_of(const char *text)
{
	FREED(foreign_table) *t = read_format("sacct", text, 64, &err);
	size_t n;

	assert_non_null(t);
	n = foreign_table_n_rows(t);
	return n;
}

TEST(a_deadline_before_the_job_began_is_no_run)
{
	assert_int_equal(n_rows_of(LIMIT "DEADLINE|00:00:00|01:00:00\n"), 0);
	assert_int_equal(n_rows_of(LIMIT "DEADLINE|00:00:01|01:00:00\n"), 1);
}

TEST(without_ids_a_row_without_a_limit_is_a_step)
{
	struct err e;
	struct foreign_table *t = read_format("sacct",
					      "JobName|State|Elapsed|NTasks|MaxRSS|Timelimit\n"
					      "lu|COMPLETED|00:00:09|||01:00:00\n"
					      "batch|COMPLETED|00:00:09|1|5K|\n"
					      "lu.x|COMPLETED|00:00:07|16|1K|\n"
					      "lu|COMPLETED|00:00:08|||01:00:00\n",
					      64, &e);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "NTasks"), "16");
	assert_string_equal(cell(t, 0, "max_rss_bytes"), "5120");
	assert_string_equal(cell(t, 1, "Elapsed"), "00:00:08");
	foreign_table_free(t);
	/* nothing tells them apart */
	assert_null(read_format("sacct", "JobName|State|Elapsed\na|COMPLETED|00:00:01\n", 64, &e));
	assert_int_equal(e.code, ERR_PARSE);
	assert_non_null(strstr(e.msg, "f:1: without JobID"));
}

TEST(what_two_fields_say_has_one_column)
{
	static const char text[] =
		"JobID|State|Elapsed|ElapsedRaw|Timelimit|TimelimitRaw|NNodes|AllocNodes\n"
		"1|COMPLETED|00:00:05|5|01:00:00|60|2|2\n";

	check_cell(text, 0, "Elapsed", "00:00:05");
	check_cell(text, 0, "ElapsedRaw", "<none>");
	check_cell(text, 0, "TimelimitRaw", "<none>");
	check_cell(text, 0, "AllocNodes", "<none>");
	check_cell(text, 0, "NNodes", "2");
}

TEST(steps_tell_tasks_memory_and_failures)
{
	static const char text[] = "JobID|State|Elapsed|NTasks|MaxRSS\n"
				   "1|COMPLETED|00:00:05||\n"
				   "1.batch|COMPLETED|00:00:05|1|9M\n"
				   "1.extern|FAILED|00:00:05|64|\n" /* no step of the program's */
				   "1.0|COMPLETED|00:00:02|16|1000\n"
				   "1.1|COMPLETED|00:00:02|16|1G\n"
				   "11|COMPLETED|00:00:05||\n"
				   "1.2|FAILED|00:00:05|99|99G\n" /* of a job that is not above */
				   "11.0|OUT_OF_ME+|00:00:05|4|\n"
				   "11.1|FAILED|00:00:05|4|\n";
	FREED(foreign_table) *t = read_format("sacct", text, 1, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "State"), "COMPLETED");
	assert_string_equal(cell(t, 0, "NTasks"), "16");
	assert_string_equal(cell(t, 0, "max_rss_bytes"), "1073741824");
	assert_int_equal(record(t, 0).line, 2);
	assert_string_equal(cell(t, 1, "State"), "OUT_OF_ME+");
	assert_string_equal(cell(t, 1, "NTasks"), "4");
	assert_string_equal(cell(t, 1, "max_rss_bytes"), "");
	assert_int_equal(record(t, 1).line, 7);
}

/* "TIMEOUT 00:10:00|!4|": state and time of each row, the lines of those that are refused. */
static void check_ends(const char *text, const char *want)
{
	struct err e;
	FREED(foreign_table) *t = read_format("sacct", text, 64, &e);
	struct strbuf got = STRBUF_INIT;

	if (!t)
		print_error("%s\n", e.msg);
	assert_non_null(t);
	for (size_t i = 0; i < foreign_table_n_rows(t); i++) {
		if (record(t, i).bad)
			strbuf_printf(&got, "!%d|", (int)record(t, i).line);
		else
			strbuf_printf(&got, "%s %s|", cell(t, i, "State"), cell(t, i, "Elapsed"));
	}
	assert_string_equal(strbuf_text(&got), want);
	strbuf_release(&got);
}

TEST(a_job_that_others_ended_after_a_minute_took_longer)
{
	static const char *const cut[] = {"CANCELLED", "CANCELLED+",  "CANCELLED by 1000",
					  "PREEMPTED", "REQUEUED",    "REQUEUE_HOLD",
					  "REVOKED",   "REQUEUE_FED", "CANCELLED,REQUEUED"};
	char text[200];

	for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
		snprintf(text, sizeof text, "JobID|State|Elapsed\n1|%s|00:00:59\n2|%s|00:01:00\n",
			 cut[i], cut[i]);
		check_ends(text, "TIMEOUT 00:01:00|");
	}
	/* by its limit where that came first, and the scheduler was slow */
	check_ends(LIMIT "CANCELLED by 0|01:00:25|01:00:00\n", "TIMEOUT 1:00:00|");
	/* nothing is known of how long it ran */
	check_ends("JobID|State|Elapsed\n1|CANCELLED|\n", "");
}

TEST(jobs_that_have_not_ended_are_no_rows)
{
	static const char *const gone[] = {"RUNNING", "PENDING", "SUSPENDED", "RESIZING"};
	char text[200];

	for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
		FREED(foreign_table) *t;

		snprintf(text, sizeof text, "JobID|State|Elapsed\n1|%s|00:10:00\n", gone[i]);
		t = read_format("sacct", text, 64, &err);
		assert_non_null(t);
		assert_int_equal(foreign_table_n_rows(t), 0);
		assert_string_equal(strbuf_text(foreign_table_notes(t)),
				    "jobs that have not ended passed over: 1\n");
	}
}

TEST(a_job_that_was_cancelled_when_its_steps_had_ended_only_waited)
{
#define STEPS "JobID|State|Elapsed|NNodes|NTasks\n"
	check_ends(STEPS "1|CANCELLED by 7|01:00:00|1|\n1.batch|CANCELLED|01:00:00|1|1\n"
			 "1.0|COMPLETED|00:10:00|1|4\n",
		   "");
	check_ends(STEPS "1|CANCELLED by 7|01:00:00|1|\n1.0|COMPLETED|00:10:00|1|4\n"
			 "1.1|CANCELLED|00:50:00|1|4\n",
		   "TIMEOUT 01:00:00|");
}

TEST(each_try_of_a_job_counts_by_itself)
{
#define TRIES "JobID|JobName|State|Elapsed|Start\n"
	static const char failed[] = "7|a|NODE_FAIL|00:10:00|2026-01-01T00:00:00\n";
	static const char again[] = "7|a|COMPLETED|00:30:00|2026-01-01T01:00:00\n";
	char text[400];

	/* in either order; begun again, what the node did to it says nothing of it */
	snprintf(text, sizeof text, TRIES "%s%s", failed, again);
	check_ends(text, "TIMEOUT 00:10:00|COMPLETED 00:30:00|");
	snprintf(text, sizeof text, TRIES "%s%s", again, failed);
	check_ends(text, "COMPLETED 00:30:00|TIMEOUT 00:10:00|");
	/* the last try, or the only one */
	check_ends(TRIES "7|a|NODE_FAIL|00:10:00|2026-01-01T00:00:00\n"
			 "7|a|NODE_FAIL|00:20:00|2026-01-01T01:00:00\n",
		   "TIMEOUT 00:10:00|NODE_FAIL 00:20:00|");
	check_ends(TRIES "7|a|NODE_FAIL|00:10:00|2026-01-01T00:00:00\n", "NODE_FAIL 00:10:00|");
	/* it runs again: the only row of that is no row */
	check_ends(TRIES "7|a|NODE_FAIL|00:10:00|2026-01-01T00:00:00\n"
			 "7|a|RUNNING|00:20:00|2026-01-01T01:00:00\n",
		   "TIMEOUT 00:10:00|");
	check_ends("JobID|State|Elapsed\n7|NODE_FAIL|00:10:00\n7|COMPLETED|00:30:00\n",
		   "TIMEOUT 00:10:00|COMPLETED 00:30:00|");
	/* tries too short to tell anything; and numbers that began again for another job */
	check_ends(TRIES "7|a|REQUEUED|00:00:10|2026-01-01T00:00:00\n"
			 "7|a|COMPLETED|00:00:05|2026-01-01T01:00:00\n",
		   "COMPLETED 00:00:05|");
	check_ends(TRIES "7|a|PREEMPTED|00:10:00|2026-01-01T00:00:00\n"
			 "7|b|COMPLETED|00:05:00|2026-01-01T01:00:00\n",
		   "TIMEOUT 00:10:00|COMPLETED 00:05:00|");
}

TEST(a_last_try_that_may_have_gone_on_from_another_took_longer)
{
	/* shorter than what had not ended by then */
	check_ends(TRIES "7|a|REQUEUED|00:50:00|2026-01-01T00:00:00\n"
			 "7|a|COMPLETED|00:20:00|2026-01-01T01:00:00\n",
		   "TIMEOUT 00:50:00|TIMEOUT 00:20:00|");
	/* but not one that came before it */
	check_ends(TRIES "7|a|REQUEUED|00:50:00|2026-01-01T01:00:00\n"
			 "7|a|COMPLETED|00:20:00|2026-01-01T00:00:00\n",
		   "TIMEOUT 00:50:00|COMPLETED 00:20:00|");
	/* Restarts tells of tries that are not in the file */
	check_ends("JobID|State|Elapsed|Restarts\n7|COMPLETED|00:20:00|1\n"
		   "8|COMPLETED|00:20:00|0\n9|FAILED|00:20:00|1\n10|COMPLETED|00:00:20|1\n",
		   "TIMEOUT 00:20:00|COMPLETED 00:20:00|FAILED 00:20:00|");
	check_ends("JobID|State|Elapsed|Restarts\n7|NODE_FAIL|00:05:00|0\n"
		   "7|COMPLETED|00:20:00|1\n",
		   "TIMEOUT 00:05:00|COMPLETED 00:20:00|");
}

TEST(a_job_that_two_outputs_have_is_one)
{
	static const char text[] = "JobID|State|Elapsed|MaxRSS\n"
				   "1|COMPLETED|00:05:00|\n"
				   "1|COMPLETED|00:05:00|\n"
				   "1.0|COMPLETED|00:05:00|1G\n"
				   "2|COMPLETED|00:05:00|\n";
	FREED(foreign_table) *t = read_format("sacct", text, 64, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "max_rss_bytes"), "1073741824"); /* that with its steps */
	assert_int_equal(record(t, 0).line, 3);
	/* without ids nobody can tell */
	check_ends("State|Elapsed|User\nCOMPLETED|00:05:00|a\nCOMPLETED|00:05:00|a\n",
		   "COMPLETED 00:05:00|COMPLETED 00:05:00|");
}

TEST(a_completed_job_whose_steps_had_an_exit_code_failed)
{
#define DERIVED "JobID|State|DerivedExitCode|Elapsed\n1|COMPLETED|"
	check_ends(DERIVED "0:0|00:05:00\n", "COMPLETED 00:05:00|");
	check_ends(DERIVED "|00:05:00\n", "COMPLETED 00:05:00|");
	check_ends(DERIVED "1:0|00:05:00\n", "FAILED 00:05:00|");
	check_ends(DERIVED "0:9|00:05:00\n", "FAILED 00:05:00|");
	/* that of a step which watched the other, and was told to end */
	check_ends(DERIVED "0:15|00:05:00\n1.0|COMPLETED||00:05:00\n1.1|CANCELLED||00:05:00\n",
		   "COMPLETED 00:05:00|");
}

TEST(a_job_of_steps_of_different_sizes_is_no_run)
{
	struct foreign_table *t;

	check_ends(STEPS "1|COMPLETED|00:10:00|4|\n1.0|COMPLETED|00:05:00|2|8\n"
			 "1.1|COMPLETED|00:05:00|4|8\n2|COMPLETED|00:10:00|4|\n",
		   "!2|COMPLETED 00:10:00|");
	check_ends(STEPS "1|TIMEOUT|00:10:00|4|\n1.0|COMPLETED|00:05:00|4|8\n"
			 "1.1|CANCELLED|00:05:00|4|16\n",
		   "!2|");
	t = read_format("sacct",
			STEPS "1|COMPLETED|00:10:00|4|\n1.0|COMPLETED|00:05:00|4|8\n"
			      "1.1|COMPLETED|00:05:00|4|16\n",
			64, &err);
	assert_non_null(t);
	assert_string_equal(record(t, 0).bad,
			    "its steps ran on 4 nodes and 8 tasks, and on 4 nodes and 16 tasks "
			    "(line 4): its time is of no one configuration: load its steps as runs "
			    "of their own");
	foreign_table_free(t);
	/* components of one job, each on its own nodes */
	check_ends(STEPS "1+0|COMPLETED|00:10:00|4|\n1+0.0|COMPLETED|00:10:00|4|8\n"
			 "1+1|COMPLETED|00:10:00|1|\n1+1.0|COMPLETED|00:10:00|1|1\n",
		   "!2|!4|");
	/* one that watched, and one that took no time, are none of what ran */
	check_ends(STEPS "1|COMPLETED|00:10:00|4|\n1.0|COMPLETED|00:10:00|4|8\n"
			 "1.1|CANCELLED|00:10:00|1|1\n",
		   "COMPLETED 00:10:00|");
	check_cell(STEPS "1|COMPLETED|00:10:00|4|\n1.0|COMPLETED|00:00:05|4|64\n"
			 "1.1|COMPLETED|00:09:50|4|16\n",
		   0, "NTasks", "16");
	check_cell(STEPS "1|FAILED|00:10:00|4|\n1.0|FAILED|00:00:01|4|64\n", 0, "NTasks", "64");
}

TEST(a_header_in_the_middle_holds_from_there)
{
	check_ends("JobID|State|Elapsed\n1|COMPLETED|00:05:00\n"
		   "JobID|State|Elapsed\n2|COMPLETED|00:06:00\n"
		   "elapsed;jobid;state;\n00:07:00;3;COMPLETED;\n3|COMPLETED|00:07:00\n",
		   "COMPLETED 00:05:00|COMPLETED 00:06:00|COMPLETED 00:07:00|!7|");
	check_refused("sacct",
		      "JobID|State|Elapsed|NNodes\n1|COMPLETED|00:05:00|1\nState|JobID|Elapsed\n",
		      NULL, "f:3: this header has no NNodes, which that of line 1 has");
	check_refused("sacct", "JobID|State|Elapsed\n\nState|JobID|Elapsed|NNodes\n", NULL,
		      "f:3: this header has NNodes, which that of line 1 has not");
	check_refused("sacct", "JobID|State|Elapsed\nJobID|Elapsed|JobName\n", NULL,
		      "f:2: without State");
	check_refused("sacct", "JobID|State|Elapsed\nJobID|State|Elapsed|State\n", NULL,
		      "f:2: two fields are called 'State'");
	/* a column that sacct has not, once more as it was */
	check_ends("JobID|State|Elapsed|nb\n1|COMPLETED|00:05:00|4\n"
		   "JobID|State|Elapsed|nb\n2|COMPLETED|00:06:00|4\n",
		   "COMPLETED 00:05:00|COMPLETED 00:06:00|");
	/* steps below it are not those of the job above it */
	check_ends(STEPS "1|COMPLETED|00:05:00|1|\n" STEPS "1.0|FAILED|00:05:00|1|4\n",
		   "COMPLETED 00:05:00|");
}

TEST(the_header_says_what_separates)
{
	check_ends("JobID,State,Elapsed\n1,COMPLETED,00:05:00\n", "COMPLETED 00:05:00|");
	check_ends("JobID;State;Elapsed;AllocTRES\n1;COMPLETED;00:05:00;cpu=4,mem=8G\n",
		   "COMPLETED 00:05:00|");
	check_ends("JobID\tState\tElapsed\t\n1\tCOMPLETED\t00:05:00\t\n", "COMPLETED 00:05:00|");
	check_ends("JobID|a,b|State|Elapsed\n1||COMPLETED|00:05:00\n", "COMPLETED 00:05:00|");
}

TEST(a_header_of_one_field_or_none_is_no_header)
{
	static const char *const header[] = {"State",	 "JobID",  "|",		  "||",
					     "Elapsed|", "|State", "x",		  "\t",
					     "State;",	 ",\t;|",  "JobID|State", " "};
	static const char *const rows[] = {"", "\n", "\n1|2|3\n", "\n\n|\n", "\nState\n"};
	char text[100];

	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) {
		for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
			snprintf(text, sizeof text, "%s%s", header[i], rows[k]);
			check_refused("sacct", text, NULL,
				      strcmp(header[i], "||") ? "f:1: without "
							      : "f:1: two fields");
			if (strcmp(header[i], "JobID|State") != 0)
				assert_string_equal(recognised(text), "csv");
		}
	}
	/* in the middle: a row like any other */
	check_ends("JobID|State|Elapsed\nState\n|\n||\n", "!2|!3| |");
}

/* ---- the Standard Workload Format ---- */

static void check_swf(const char *job, const char *column, const char *want)
{
	char text[300];
	FREED(foreign_table) *t;

	snprintf(text, sizeof text, ";MaxNodes: 4\n;  MaxProcs: 32 (all)\n%s\n", job);
	t = read_format("swf", text, 5, &err);
	assert_non_null(t);
	assert_string_equal(cell(t, 0, column), want);
}

TEST(a_log_of_jobs_says_how_they_ended_and_on_what)
{
	check_swf("1 0 9 100 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "status", "ok");
	check_swf("1 0 9 100 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "nodes", "2");
	check_swf("1 0 9 100 17 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "nodes", "3");
	check_swf("1 0 9 100 -1 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "procs", "20");
	check_swf("1 0 9 100 -1 -1 -1 -1 600 -1 1 1 1 7 1 1 -1 -1", "procs", "");
	check_swf("1 0 9 100 16 -1 -1 20 600 -1 0 1 1 7 1 1 -1 -1", "status", "failed");
	check_swf("1 0 9 600 16 -1 -1 20 600 -1 0 1 1 7 1 1 -1 -1", "status", "timeout");
	check_swf("1 0 9 609 16 -1 -1 20 600 -1 5 1 1 7 1 1 -1 -1", "run_time", "600");
	/* cancelled after a minute: longer than that */
	check_swf("1 0 9 60 16 -1 -1 20 600 -1 5 1 1 7 1 1 -1 -1", "status", "timeout");
	check_swf("1 0 9 60 16 -1 -1 20 600 -1 5 1 1 7 1 1 -1 -1", "run_time", "60");
	/* an end of its own, however long */
	check_swf("1 0 9 609 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "run_time", "609");
	check_swf("1 0 9 609 16 -1 -1 20 -1 -1 0 1 1 7 1 1 -1 -1", "status", "failed");
	check_swf("1 0 -1 1.5 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "wait_s", "");
	check_swf("1 0 -1 1.5 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "run_time", "1.5");
}

TEST(a_part_of_a_job_counts_where_no_line_sums_the_job_up)
{
	static const char text[] = "7 0 9 900 16 -1 -1 20 -1 -1 1 1 1 7 1 1 -1 -1\n"
				   "7 0 9 300 16 -1 -1 20 -1 -1 2 1 1 7 1 1 -1 -1\n"
				   "7 -1 9 600 16 -1 -1 20 -1 -1 3 1 1 7 1 1 -1 -1\n"
				   "8 0 9 300 16 -1 -1 20 -1 -1 2 1 1 7 1 1 -1 -1\n"
				   "8 -1 9 59 16 -1 -1 20 -1 -1 4 1 1 7 1 1 -1 -1\n"
				   "9 0 9 59 16 -1 -1 20 -1 -1 5 1 1 7 1 1 -1 -1\n";
	FREED(foreign_table) *t = read_format("swf", text, 64, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "status"), "ok");
	assert_string_equal(cell(t, 0, "run_time"), "900");
	assert_string_equal(cell(t, 1, "status"), "timeout");
	assert_string_equal(cell(t, 1, "run_time"), "300");
	assert_int_equal(record(t, 1).line, 4);
	assert_string_equal(
		strbuf_text(foreign_table_notes(t)),
		"parts of jobs passed over, for the jobs have lines of their own: 2\n"
		"jobs that were cancelled, and parts of jobs, within 60 s passed over: 2\n"
		"jobs that were cancelled, and parts of jobs, taken as cut there: 1\n");
}

TEST(only_jobs_of_an_unknown_end_below_their_limit_are_taken_as_ended)
{
	static const char text[] = "1 0 9 100 16 -1 -1 20 600 -1 -1 1 1 7 1 1 -1 -1\n"
				   "2 0 9 600 16 -1 -1 20 600 -1 -1 1 1 7 1 1 -1 -1\n";
	FREED(foreign_table) *t = read_format("swf", text, 64, &err);

	assert_non_null(t);
	assert_string_equal(cell(t, 0, "status"), "ok");
	assert_string_equal(cell(t, 1, "status"), "timeout");
	assert_string_equal(strbuf_text(foreign_table_notes(t)),
			    "jobs that the log does not say the end of, taken as ended by "
			    "themselves: 1\n");
}

/* ---- HPL ---- */

TEST(a_test_of_hpl_is_its_line_and_its_residuals)
{
	static const char text[] =
		"WR11C2R4 100 8 2 4 1.50 4.5e-01\n"
		"||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= 0.001 ...... PASSED\n"
		"WC05L4L128 100 8 2 4 1.50 4.5e-01 extra\n" /* more than a line of results has */
		"WC05L4L128 100 8 2 4 1.50 4.5e-01\n"
		"  ||Ax-b||_oo ...... FAILED\n"
		"||Ax-b||_oo ...... PASSED\n"
		"WALL 100 8 2 4 1.50 4.5e-01\n" /* no test's */
		"WR11C2R4 200 8 2 4 2.50 4.5e-01";
	FREED(foreign_table) *t = read_format("hpl", text, 9, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 4);
	assert_string_equal(cell(t, 0, "status"), "ok");
	assert_string_equal(cell(t, 0, "mapping"), "R");
	assert_string_equal(cell(t, 0, "Time"), "1.50");
	assert_non_null(record(t, 1).bad);
	assert_string_equal(cell(t, 2, "status"), "failed");
	assert_string_equal(cell(t, 2, "nbmin"), "128");
	assert_string_equal(cell(t, 2, "bcast"), "5");
	assert_string_equal(cell(t, 3, "N"), "200");
	assert_int_equal(record(t, 3).line, 8);
}

/* ---- Sweep3D ---- */

#define SWEEP3D_HEAD                               \
	" SWEEP3D - Method 5 - Pipelined\n"        \
	" S6P1   -  6 angles/octant,  4 moments\n" \
	" global grid:  50x 50x 50\n"              \
	"   6 domains   -  2 x 3 decomposition\n"  \
	"  10 domain pipelined blocks -  10 k-planes by 3 angles each\n"

/* 2.73 s per iteration at 0.455 us: 50^3 cells, 6 angles, 8 octants. */
static void check_iterations(const char *times, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(foreign_table) *t;

	strbuf_printf(&text, "%s%s", SWEEP3D_HEAD, times);
	t = read_format("sweep3d", strbuf_text(&text), 11, &err);
	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 1);
	if (want) {
		assert_null(record(t, 0).bad);
		assert_string_equal(cell(t, 0, "iterations"), want);
	} else {
		assert_non_null(record(t, 0).bad);
	}
}

TEST(iterations_are_those_that_both_grind_times_allow)
{
	check_iterations(" Elapsed time was: 2.73\n Wall grind time: 0.455\n", "1");
	check_iterations(" Elapsed time was: 32.76\n Wall grind time: 0.455\n", "12");
	check_iterations(" Elapsed time was: 32.76\n Wall grind time: 4.55E-01\n", "12");
	check_iterations(" CPU     time was: 16.38\n Elapsed time was: 32.76\n"
			 " CPU grind time: 0.228\n Wall grind time: 0.455\n",
			 "12");
	/* they contradict each other; one alone allows too many; none */
	check_iterations(" CPU     time was: 8.19\n Elapsed time was: 32.76\n"
			 " CPU grind time: 0.228\n Wall grind time: 0.455\n",
			 NULL);
	check_iterations(" Elapsed time was: 2730\n Wall grind time: 0.455\n", NULL);
	check_iterations(" Elapsed time was: 32.76\n Wall grind time: 0.000\n", NULL);
	check_iterations(" Elapsed time was: 32.76\n", NULL);
}

TEST(a_run_without_an_end_failed_or_met_its_limit)
{
	FREED(foreign_table) *t =
		read_format("sweep3d",
			    SWEEP3D_HEAD SWEEP3D_HEAD "slurmstepd: error: *** JOB 1 ON n CANCELLED "
						      "DUE TO TIME LIMIT ***\n",
			    13, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "status"), "failed");
	assert_string_equal(cell(t, 0, "runtime_s"), "");
	assert_string_equal(cell(t, 0, "mk"), "10");
	assert_string_equal(cell(t, 0, "npe_j"), "3");
	assert_string_equal(cell(t, 1, "status"), "timeout");
	assert_int_equal(record(t, 1).line, 6);
}

/* ---- OSU ---- */

TEST(a_round_trip_is_two_latencies_and_other_tests_are_none)
{
	static const char text[] = "# OSU MPI Bandwidth Test v5.8\n"
				   "# Size Bandwidth (MB/s)\n"
				   "1 4.71\n"
				   "# OSU MPI-CUDA Latency Test v5.8\n"
				   "# Size          Latency (us)\n"
				   "0                       1.60\n"
				   "[node1] a warning of mpirun\n"
				   "8                       1.61 Pass\n"
				   "# OSU MPI Allreduce Latency Test v5.8\n"
				   "# Size       Avg Latency(us)\n"
				   "8                       5.00\n";
	FREED(foreign_table) *t = read_format("osu", text, 3, &err);

	assert_non_null(t);
	assert_int_equal(foreign_table_n_rows(t), 2);
	assert_string_equal(cell(t, 0, "message_bytes"), "0");
	assert_string_equal(cell(t, 0, "roundtrip_us"), "3.2");
	assert_string_equal(cell(t, 1, "roundtrip_us"), "3.22");
	assert_int_equal(record(t, 1).line, 8);
}

TEST(a_latency_without_its_unit_is_refused)
{
	struct err e;

	assert_null(read_format("osu", "# OSU MPI Latency Test v5.8\n1 1.5\n", 99, &e));
	assert_non_null(strstr(e.msg, "f:2: no header"));
	assert_null(read_format("osu", "# OSU MPI Latency Test v5.8\n# Size Latency (ms)\n1 1.5\n",
				99, &e));
	assert_non_null(strstr(e.msg, "f:3: no header"));
}
