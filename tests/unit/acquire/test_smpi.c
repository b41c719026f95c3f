#include "acquire/smpi.h"

#include <string.h>

#include "tests/support/check.h"

/* As SMPI 3.32 writes it. */
static void the_simulated_time_stands_in_the_log(void **state)
{
	double time_s = 0;
	struct err e = {0};

	(void)state;
	check_ok(
		smpi_read_time("[0.726096] [smpi_utils/INFO] Simulated time: 0.726096 seconds. \n\n"
			       "The simulation took 2.33775 seconds (after parsing)\n",
			       &time_s, &e),
		&e);
	check_abs(time_s, 0.726096, 0);
}

static void a_program_that_prints_the_words_does_not_outdo_smpi(void **state)
{
	double time_s = 0;
	struct err e = {0};

	(void)state;
	check_ok(smpi_read_time("Simulated time: 99\nSimulated time: 1.5e3 seconds", &time_s, &e),
		 &e);
	check_abs(time_s, 1500, 0);
}

static void a_log_without_a_time_is_an_error(void **state)
{
	const char *const log[] = {"", "Simulated time: ", "Simulated time: x",
				   "Simulated time: inf", "Aborted"};
	double time_s = 77;

	(void)state;
	for (size_t i = 0; i < sizeof log / sizeof log[0]; i++)
		assert_int_equal(smpi_read_time(log[i], &time_s, NULL), ERR_PARSE);
	check_abs(time_s, 77, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_simulated_time_stands_in_the_log),
	cmocka_unit_test(a_program_that_prints_the_words_does_not_outdo_smpi),
	cmocka_unit_test(a_log_without_a_time_is_an_error),
};

CHECK_MAIN(tests)
