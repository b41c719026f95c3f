#include "tests/unit/ingest/ingest_fixture.h"

#include "ingest/field_names.h"
#include "ingest/run_outcome.h"

/* How a run ended, from columns that are not called status. */

static int of(const char *header, const char *text)
{
	return outcome_of_cell(outcome_of_header(header), text);
}

TEST(yes_is_good_or_bad_as_the_header_has_it)
{
	assert_int_equal(of("converged", "yes"), RUN_OK);
	assert_int_equal(of("Converged?", "No"), RUN_FAILED);
	assert_int_equal(of("is_valid", "1"), RUN_OK);
	assert_int_equal(of("success", "False"), RUN_FAILED);
	assert_int_equal(of("failed", "0"), RUN_OK);
	assert_int_equal(of("failed", "TRUE"), RUN_FAILED);
	assert_int_equal(of("timed out", "yes"), RUN_TIMEOUT);
	assert_int_equal(of("verification", "UNSUCCESSFUL"), RUN_FAILED);
}

TEST(nothing_is_no_error_and_a_message_is_one)
{
	assert_int_equal(of("error", ""), RUN_OK);
	assert_int_equal(of("error", "None"), RUN_OK);
	assert_int_equal(of("errors", "0"), RUN_OK);
	assert_int_equal(of("errors", "3"), RUN_FAILED);
	assert_int_equal(of("error", "MPI_ERR_TRUNCATE"), RUN_FAILED);
	assert_int_equal(of("error", "walltime exceeded"), RUN_TIMEOUT);
	assert_int_equal(of("signal", "SIGSEGV"), RUN_FAILED);
	assert_int_equal(of("exit code", "137:0"), RUN_FAILED);
	assert_int_equal(of("exit", "0"), RUN_OK);
}

TEST(accuracy_is_no_outcome)
{
	assert_int_equal(of("error", "1.2e-6"), STATUS_MEASURE);
	assert_int_equal(of("timeout", "3600"), STATUS_MEASURE);
	assert_int_equal(of("residual", "1.2e-6"), RUN_OK);
	assert_int_equal(of("residual", "-nan"), RUN_FAILED);
	assert_int_equal(outcome_of_header("gflops"), OUTCOME_NONE);
}

TEST(remark_tells_a_crash_and_not_its_absence)
{
	static const char *const bad[] = {"killed by OOM",    "Segmentation fault (core dumped)",
					  "did not converge", "NaN in pressure",
					  "2 errors",	      "MPI_Abort was called"};
	static const char *const good[] = {"",
					   "no errors",
					   "errors: 0",
					   "rerun after crash",
					   "did not crash",
					   "without any failures",
					   "error-free",
					   "nanoparticles",
					   "fixed OOM of v2"};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(of("note", bad[i]), RUN_FAILED);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_int_equal(of("note", good[i]), RUN_OK);
	assert_int_equal(of("note", "timed out in step 3"), RUN_TIMEOUT);
}

TEST(words_of_a_status_may_go_on)
{
	assert_int_equal(status_from_word("FAILED (node down)"), RUN_FAILED);
	assert_int_equal(status_from_word("diverged"), RUN_FAILED);
	assert_int_equal(status_from_word("good"), RUN_OK);
	assert_int_equal(status_from_word("blue"), STATUS_UNKNOWN);
}

/* ---- rows without a time ---- */

TEST(upper_tail_of_chi_squared_is_that_of_the_tables)
{
	/* the 95 % points, R's qchisq(0.95, df) */
	check_rel(chi_squared_upper_tail(3.841458820694124, 1), 0.05, 1e-12);
	check_rel(chi_squared_upper_tail(5.991464547107979, 2), 0.05, 1e-12);
	check_rel(chi_squared_upper_tail(7.814727903251179, 3), 0.05, 1e-12);
	check_rel(chi_squared_upper_tail(9.487729036781154, 4), 0.05, 1e-12);
	check_rel(chi_squared_upper_tail(18.307038053275146, 10), 0.05, 1e-12);
	assert_true(chi_squared_upper_tail(0, 3) == 1);
	assert_true(chi_squared_upper_tail(5, 0) == 1);
	assert_true(chi_squared_upper_tail(1e5, 4) == 0);
}

#define N_ROWS 8

/* n = 1 2 4 8 and p = 1 2 in all combinations, k = 4 p; the two rows of these numbers (row 2 * i
 * has p = 1) have no time. */
static struct missing_times decided(size_t first, size_t second)
{
	static char name[3][2] = {"n", "p", "k"};
	struct column column[3] = {{.name = name[0], .type = COL_INT},
				   {.name = name[1], .type = COL_INT},
				   {.name = name[2], .type = COL_REAL}};
	const struct application a = {.column = column, .n_columns = 3};
	struct missing_times m;

	must(missing_times_init(&m, &a, &err));
	for (size_t i = 0; i < N_ROWS; i++) {
		const double p = i % 2 ? 2 : 1;
		const double row[] = {1 << i / 2, p, 4 * p};

		missing_times_add(&m, row, i != first && i != second, i + 2, "NA");
	}
	must(missing_times_decide(&m, "runs.csv", "time", &err));
	return m;
}

TEST(rows_without_a_time_are_compared_by_the_means_of_logarithms)
{
	/* Base 2, for no unit matters: n is 0 1 2 3, twice each, its mean 1.5, its variance 10/7; p
	 * is 0 1, four times each, variance 2/7; they are uncorrelated, and k says what p says. The
	 * mean of 2 of 8 has 1/2 * (1 - 2/8) = 3/8 of that: 15/28 and 3/28. Both of n = 8: 1.5^2 /
	 * (15/28) + 0. One of n = 8 and one of 4, p = 1: 1^2 / (15/28) + 0.5^2 / (3/28). With df 2
	 * the upper tail is exp(-chi2 / 2). */
	struct missing_times m = decided(6, 7);

	check_rel(m.chi2, 4.2, 1e-12);
	assert_int_equal(m.df, 2);
	check_rel(m.p, 0.1224564282529819, 1e-12);
	assert_int_equal(m.verdict, MISSING_AT_RANDOM);
	assert_int_equal(m.i_most, 0);
	assert_int_equal(m.line, 8);
	missing_times_release(&m);
	m = decided(4, 6);
	check_rel(m.chi2, 28. / 15 + 7. / 3, 1e-12);
	assert_int_equal(m.i_most, 1);
	missing_times_release(&m);
}

TEST(a_dash_says_that_no_run_was_made)
{
	static const char *const unmarked[] = {"",     "NA",   "n/a", "NaN",
					       "null", "None", "\\N", "<NA>"};
	static const char *const marked[] = {"-", "--", "*", "?", "\xe2\x80\x93", "skipped", "5"};

	for (size_t i = 0; i < sizeof unmarked / sizeof unmarked[0]; i++)
		assert_true(missing_time_is_unmarked(unmarked[i]));
	for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++)
		assert_false(missing_time_is_unmarked(marked[i]));
}
