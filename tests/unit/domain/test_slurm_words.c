#include "tests/support/check.h"

#include "domain/slurm_words.h"

/* ---- states: squeue(1) and sacct(1), "JOB STATE CODES" ---- */

TEST(each_of_slurms_words_is_a_state)
{
	assert_int_equal(slurm_state_read("PENDING"), SLURM_PENDING);
	assert_int_equal(slurm_state_read("CANCELLED by 1000"), SLURM_CANCELLED);
	assert_int_equal(slurm_state_read("OUT_OF_MEMORY"), SLURM_OUT_OF_MEMORY);
	assert_int_equal(slurm_state_read("NODE_FAIL"), SLURM_NODE_FAIL);
	assert_int_equal(slurm_state_read("Completing"), SLURM_RUNNING);
	assert_int_equal(slurm_state_read("RUNNING,COMPLETING"), SLURM_RUNNING);
	assert_int_equal(slurm_state_read("DEADLINE"), SLURM_TIMEOUT);
	assert_int_equal(slurm_state_read("COMPLETE"), SLURM_UNKNOWN);
	assert_int_equal(slurm_state_read("COMPLETED with errors"), SLURM_UNKNOWN);
	assert_int_equal(slurm_state_read(""), SLURM_UNKNOWN);
	assert_true(slurm_state_is_final(SLURM_GONE));
	assert_false(slurm_state_is_final(SLURM_UNKNOWN));
}

TEST(a_word_that_was_cut_is_read_where_it_can_mean_one_state_only)
{
	assert_int_equal(slurm_state_read("CANCELLED+"), SLURM_CANCELLED);
	assert_int_equal(slurm_state_read("OUT_OF_ME+"), SLURM_OUT_OF_MEMORY);
	assert_int_equal(slurm_state_read("REQUE+"), SLURM_PENDING); /* three words, one state */
	assert_int_equal(slurm_state_read("COMPL+"), SLURM_UNKNOWN); /* ED, or ING? */
	assert_int_equal(slurm_state_read("COMPLETE+"), SLURM_COMPLETED);
	assert_int_equal(slurm_state_read("FAIL+"), SLURM_UNKNOWN); /* fewer than five letters */
	assert_int_equal(slurm_state_read("+"), SLURM_UNKNOWN);
}

/* ---- durations: sbatch(1), --time; sacct(1), Elapsed ---- */

TEST(durations_are_read_as_slurm_means_them)
{
	check_rel(slurm_duration_s("00:05"), 5.0, 0);
	check_rel(slurm_duration_s("90:05"), 5405.0, 0);       /* 90 * 60 + 5 */
	check_rel(slurm_duration_s("01:02:03"), 3723.0, 0);    /* 3600 + 120 + 3 */
	check_rel(slurm_duration_s("1-02:03:04"), 93784.0, 0); /* 86400 + 7200 + 180 + 4 */
	/* behind days come hours: 86400 + 7200 + 180 */
	check_rel(slurm_duration_s("1-02:03"), 93780.0, 0);
	check_rel(slurm_duration_s("00:05.917"), 5.0, 0);
	check_rel(slurm_duration_s("1-00:00:00.5"), 86400.0, 0);
}

TEST(what_is_no_duration_is_not_a_number)
{
	static const char *const text[] = {
		"",	     "UNLIMITED", "Partition_Limit", "30",
		"1-02",	     "1-",	  "1-2-03:04:05",    "1:",
		":01",	     "1:2:3:4",	  "1:02:03 ",	     "-1:00",
		"1-02:03.5", "1:2x",	  "1:02.3.4",	     "1234567890123:00"};

	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
		if (!isnan(slurm_duration_s(text[i])))
			print_error("'%s' is taken as %g s\n", text[i], slurm_duration_s(text[i]));
		assert_true(isnan(slurm_duration_s(text[i])));
	}
}
