#include "tests/support/failing_allocations.h"
#include "tests/support/folder.h"
#include "tests/unit/ingest/formats/memory_input.h"

/* Readers without memory: an error and nothing left behind, wherever it runs out. */

#define FIXTURE "tests/fixtures/formats/"

static void check_text(const char *format, const char *text, const struct foreign_choice *choice,
		       size_t n_rows)
{
	struct foreign_table *t = NULL;
	char *whole, *got;

	must(read_chosen(format, text, choice, &t, &err));
	whole = table_text(t);
	foreign_table_free(t);
	t = NULL;
	/* A note may be lost, which main() tells; no cell. */
	failing_each_place_tolerated (read_chosen(format, text, choice, &t, &err), &err) {
		if (err.code == ERR_OK) {
			got = table_text(t);
			assert_string_equal(got, whole);
			free(got);
			foreign_table_free(t);
			t = NULL;
		}
		assert_null(t);
	}
	assert_int_equal(foreign_table_n_rows(t), n_rows);
	foreign_table_free(t);
	free(whole);
}

static void check_reader(const char *format, const char *path, const struct foreign_choice *choice,
			 size_t n_rows)
{
	HEAP char *text = read_text(path);

	check_text(format, text, choice, n_rows);
}

TEST(every_reader_says_that_memory_is_short)
{
	const struct foreign_choice all = {.region = "*", .metric = "time"};
	const struct foreign_choice solve = {.region = "main/solve"};
	HEAP char *patterns = read_text(FIXTURE "log/training.patterns");
	const struct foreign_choice log = {.patterns = patterns, .patterns_name = "p"};

	/* each with a row that is refused, where the format has such */
	check_text("sacct",
		   "JobID|State|Elapsed|MaxRSS\n1|COMPLETED|00:00:05|\n1.0|COMPLETED|00:00:05|1G\n"
		   "2|bad\n"
		   "State|JobID|Elapsed|MaxRSS\nCOMPLETED|1|00:00:05|\nCANCELLED|3|00:05:00|\n"
		   "COMPLETED|4|00:05:00|\nCOMPLETED|4.0|00:05:00|1G\n",
		   NULL, 4);
	check_text("sacct",
		   "JobID|State|Elapsed|NNodes\n1|COMPLETED|00:10:00|1\n1.0|COMPLETED|00:05:00|1\n"
		   "1.1|COMPLETED|00:05:00|2\n",
		   NULL, 1);
	check_text("swf",
		   "1 0 9 100 16 -1 -1 20 600 -1 1 1 1 7 1 1 -1 -1\n1 2\n"
		   "2 0 9 100 16 -1 -1 20 600 -1 2 1 1 7 1 1 -1 -1\n",
		   NULL, 3);
	check_text("hpl", "WR11C2R4 100 8 2 4 1.50 4.5e-01\nWR11C2R4 100\n", NULL, 2);
	check_text("osu", "# OSU MPI Latency Test v5.8\n# Size Latency (us)\n1 1.5\n", NULL, 1);
	check_reader("sweep3d", FIXTURE "sweep3d/sweep3d.out", NULL, 4);
	check_reader("extrap", FIXTURE "extrap/sweep.txt", &all, 12);
	check_reader("extrap_jsonl", FIXTURE "extrap_jsonl/sweep.jsonl", &all, 5);
	check_reader("caliper", FIXTURE "caliper/profile.json", &solve, 1);
	check_reader("caliper", FIXTURE "caliper/query.json", &all, 5);
	check_reader("thicket", FIXTURE "thicket/dataframe.csv", &all, 4);
	check_reader("reframe", FIXTURE "reframe/run-report.json", NULL, 3);
	check_reader("reframe_perflog", FIXTURE "reframe_perflog/sweep_test.log", NULL, 4);
	check_reader("reframe_perflog", FIXTURE "reframe_perflog/sweep_test_v3.log", NULL, 4);
	check_reader("hyperfine", FIXTURE "hyperfine/threads.json", NULL, 6);
	check_reader("google_benchmark", FIXTURE "google_benchmark/sort.json", NULL, 4);
	check_reader("t4", FIXTURE "t4/convolution.json", NULL, 3);
	check_reader("gptune", FIXTURE "gptune/PDGEQRF.json", NULL, 2);
	check_reader("ramble", FIXTURE "ramble/results.latest.json", NULL, 2);
	check_reader("log", FIXTURE "log/training.log", &log, 2);
}

TEST(a_message_needs_memory_for_the_names)
{
	const struct foreign_choice all = {.region = "*"}; /* but no metric */
	HEAP char *text = read_text(FIXTURE "extrap/sweep.txt");
	struct foreign_table *t = NULL;
	bool failed = true;

	for (long n = 1; failed; n++) {
		enum err_code rc;

		failing_allocation_start(n);
		rc = read_chosen("extrap", text, &all, &t, &err);
		failed = failing_allocation_stop();
		assert_int_equal(rc, failed ? ERR_NOMEM : ERR_PARSE);
		assert_null(t);
	}
}
