#include "tests/unit/ingest/ingest_fixture.h"

#include "ingest/field_names.h"

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
