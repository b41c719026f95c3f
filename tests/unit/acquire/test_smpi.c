#include "tests/support/sp2.h"

#include "acquire/smpi.h"

/* As SMPI 3.32 writes it. */
TEST(the_simulated_time_stands_in_the_log)
{
	double time_s = 0;

	must(smpi_read_time("[0.726096] [smpi_utils/INFO] Simulated time: 0.726096 seconds. \n\n"
			    "The simulation took 2.33775 seconds (after parsing)\n",
			    &time_s, &err));
	check_abs(time_s, 0.726096, 0);
}

TEST(a_program_that_prints_the_words_does_not_outdo_smpi)
{
	double time_s = 0;

	must(smpi_read_time("Simulated time: 99\nSimulated time: 1.5e3 seconds", &time_s, &err));
	check_abs(time_s, 1500, 0);
}

TEST(a_log_without_a_time_is_an_error)
{
	const char *const log[] = {"", "Simulated time: ", "Simulated time: x",
				   "Simulated time: inf", "Aborted"};
	double time_s = 77;

	for (size_t i = 0; i < sizeof log / sizeof log[0]; i++)
		assert_int_equal(smpi_read_time(log[i], &time_s, NULL), ERR_PARSE);
	check_abs(time_s, 77, 0);
}

static struct smpi_platform make(const struct loggp *p, struct smpi_machine m)
{
	struct message_cost cost = cost_of(p);
	struct smpi_platform out;

	m.remote = &cost;
	must(smpi_platform_make(&m, &out, &err));
	return out;
}

/* The n-th number of the value of a setting, its fields between ':' and ';'. */
static double number(const struct smpi_platform *p, const char *setting, int n)
{
	const char *at = strstr(strbuf_text(&p->xml), setting);

	assert_non_null(at);
	at = strstr(at, "value=\"");
	assert_non_null(at);
	at += strlen("value=\"");
	for (; n > 0; n--)
		at = strpbrk(at, ":;") + 1;
	return strtod(at, NULL);
}

/* Wire time of s bytes with the envelope, by the platform's own numbers: the link's latency twice
 * times the factor, and its bandwidth times the factor. i: the range. */
static double wire_s(const struct smpi_platform *p, int i, double s)
{
	const char *lat = strstr(strbuf_text(&p->xml), " lat=\"");
	const char *bw = strstr(strbuf_text(&p->xml), " bw=\"");

	return 2 * strtod(lat + 6, NULL) * number(p, "smpi/lat-factor", 2 * i + 1) +
	       (s + 16) / (strtod(bw + 5, NULL) * number(p, "smpi/bw-factor", 2 * i + 1));
}

/* Equations 1 and 2: 8 bytes 69.56 us, 2048 bytes 178.44 us, 8192 bytes 477.76 us. Only what does
 * not block has processor times. */
TEST(send_wire_and_receive_add_up_to_the_cost_of_a_message)
{
	RELEASED(smpi_platform) p =
		make(&sp2_fortran, (struct smpi_machine){.procs = 4, .procs_per_node = 1});

	check_rel(number(&p, "smpi/os", 1) + wire_s(&p, 0, 8) + number(&p, "smpi/or", 1), 69.56e-6,
		  1e-9);
	check_rel(number(&p, "smpi/os", 4) + wire_s(&p, 1, 2048) + number(&p, "smpi/or", 4),
		  178.44e-6, 1e-9);
	check_rel(wire_s(&p, 2, 8192), 477.76e-6, 1e-9);
	check_abs(number(&p, "smpi/os", 7), 0, 0);
	check_abs(number(&p, "smpi/or", 7), 0, 0);
}

/* 1024 bytes are still small, 4096 block; SMPI's thresholds mean "larger than", on the wire with
 * the envelope of 16 bytes. */
TEST(ranges_begin_where_the_machine_says)
{
	RELEASED(smpi_platform) p =
		make(&sp2_fortran, (struct smpi_machine){.procs = 4, .procs_per_node = 1});

	check_abs(number(&p, "smpi/os", 3), 1024, 0);
	check_abs(number(&p, "smpi/or", 6), 4095, 0);
	check_abs(number(&p, "smpi/lat-factor", 2), 1040, 0);
	check_abs(number(&p, "smpi/bw-factor", 4), 4111, 0);
	check_abs(number(&p, "smpi/send-is-detached-thresh", 0), 4096, 0);
	check_abs(number(&p, "smpi/async-small-thresh", 0), 4096, 0);
}

TEST(ranks_fill_nodes_one_after_the_other)
{
	RELEASED(smpi_platform) p =
		make(&sp2_fortran, (struct smpi_machine){.procs = 5, .procs_per_node = 2});

	assert_string_equal(strbuf_text(&p.hosts), "node0\nnode0\nnode1\nnode1\nnode2\n");
	assert_non_null(strstr(strbuf_text(&p.xml), "radical=\"0-2\" core=\"2\""));
	assert_non_null(strstr(strbuf_text(&p.remarks), "does not say what they cost"));
}

TEST(computation_is_measured_only_when_scaled)
{
	struct smpi_platform p =
		make(&sp2_fortran, (struct smpi_machine){.procs = 1, .procs_per_node = 1});

	assert_non_null(strstr(strbuf_text(&p.xml), "simulate-computation\" value=\"no\""));
	smpi_platform_release(&p);
	p = make(&sp2_fortran,
		 (struct smpi_machine){.procs = 1, .procs_per_node = 1, .cpu_scale = 2.5});
	assert_non_null(strstr(strbuf_text(&p.xml), "simulate-computation\" value=\"yes\""));
	check_rel(number(&p, "smpi/host-speed", 0), 2.5e9, 1e-15);
	smpi_platform_release(&p);
}

/* Free messages: no division by zero, and a cost of 0 up to rounding. */
TEST(free_messages_are_free)
{
	const struct loggp nothing = {.small_max_bytes = 1024};
	RELEASED(smpi_platform) p =
		make(&nothing, (struct smpi_machine){.procs = 2, .procs_per_node = 1});

	check_abs(wire_s(&p, 0, 1e6), 0, 1e-8);
	assert_string_equal(strbuf_text(&p.remarks), "");
	assert_null(strstr(strbuf_text(&p.xml), "nan"));
	assert_null(strstr(strbuf_text(&p.xml), "inf"));
}

TEST(nonsense_counts_are_refused)
{
	struct message_cost cost = cost_of(&sp2_fortran);
	struct smpi_platform p;

	for (int i = 0; i < 4; i++) {
		struct smpi_machine m = {.remote = &cost, .procs = 1, .procs_per_node = 1};

		if (i == 0)
			m.procs = 0;
		else if (i == 1)
			m.procs = SMPI_MAX_PROCS + 1;
		else if (i == 2)
			m.procs_per_node = 0;
		else
			m.cpu_scale = NAN;
		assert_int_equal(smpi_platform_make(&m, &p, NULL), ERR_ARG);
	}
}
