#include "tests/unit/ingest/formats/memory_input.h"

#include "ingest/formats/blank_fields.h"

FREEABLE(foreign_table)

/* ---- what a file is ---- */

TEST(each_format_is_known_by_its_first_lines)
{
	assert_string_equal(recognised("JobID|State|Elapsed\n"), "sacct");
	assert_string_equal(recognised("Elapsed|State|\r\n1|COMPLETED|\r\n"), "sacct");
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
		"JobID,State,Elapsed\n1,COMPLETED,00:00:01\n",
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

TEST(words_of_a_line_are_numbers_or_not)
{
	struct blank_field f[3];
	char word[4];
	double x = 7;

	assert_int_equal(blank_fields("  a\t1e3  -2.5 b ", f, 3), 4);
	assert_true(blank_field_is(&f[0], "a"));
	assert_false(blank_field_is(&f[0], "ab"));
	assert_false(blank_field_number(&f[0], &x));
	assert_true(blank_field_number(&f[1], &x));
	assert_true(x == 1000);
	assert_true(blank_field_number(&f[2], &x));
	assert_true(x == -2.5);
	assert_string_equal(blank_field_copy(&f[2], word, sizeof word), "-2.");
	assert_int_equal(blank_fields(" \t", f, 3), 0);
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
				   "1.1|COMPLETED|00:00:02|8|1G\n"
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

TEST(jobs_that_end_by_another_hand_are_no_rows)
{
	static const char *const gone[] = {"RUNNING",	"PENDING",	    "SUSPENDED", "REQUEUED",
					   "CANCELLED", "CANCELLED+",	    "PREEMPTED", "REVOKED",
					   "RESIZING",	"CANCELLED by 1000"};
	char text[200];

	for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
		FREED(foreign_table) *t;

		snprintf(text, sizeof text, "JobID|State|Elapsed\n1|%s|00:00:05\n", gone[i]);
		t = read_format("sacct", text, 64, &err);
		assert_non_null(t);
		assert_int_equal(foreign_table_n_rows(t), 0);
		assert_non_null(strstr(strbuf_text(foreign_table_notes(t)), "passed over"));
	}
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
	/* an end of its own, however long */
	check_swf("1 0 9 609 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "run_time", "609");
	check_swf("1 0 9 609 16 -1 -1 20 -1 -1 0 1 1 7 1 1 -1 -1", "status", "failed");
	check_swf("1 0 -1 1.5 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "wait_s", "");
	check_swf("1 0 -1 1.5 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1", "run_time", "1.5");
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
