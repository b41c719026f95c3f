/* What a front end is told of a machine's messages, and of the units of a table of runs. */
#include "tests/support/check.h"

#include <unistd.h>

#include <jansson.h>

#include "api/calibration.h"
#include "api/import_runs.h"
#include "tests/support/failing_allocations.h"

FREEABLE(machine)

static char base[64], file[64];
static struct session session;

static int open_base(void **state)
{
	session_init_process();
	snprintf(base, sizeof base, "/tmp/lemnos-calibration-%d.kb", (int)getpid());
	snprintf(file, sizeof file, "/tmp/lemnos-calibration-%d.csv", (int)getpid());
	remove(base);
	session = (struct session){.kb_path = base};
	must(session_open(&session, KB_CREATE, &err));
	return 0;
}

static int close_base(void **state)
{
	session_close(&session);
	remove(base);
	remove(file);
	return 0;
}

/* Half a round trip is 10 us + 1 ns a byte, exactly. */
static void write_line(size_t n)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fputs("message_bytes,roundtrip_us\n", f);
	for (size_t i = 0; i < n; i++) {
		double bytes = 1000.0 * (double)(i + 1);

		fprintf(f, "%.0f,%.17g\n", bytes, 2 * (10 + 1e-3 * bytes));
	}
	assert_int_equal(fclose(f), 0);
}

TEST_WITH(a_new_machine_costs_what_its_round_trips_say, open_base, close_base)
{
	struct machine_calibration k = {0};
	json_t *answer;
	const json_t *segments;

	write_line(12);
	must(calibrate_machine(&session, "fresh", file, &k, &err));
	assert_true(k.new_machine && !k.import.known);
	assert_int_equal(k.n_rows, 12);
	assert_int_equal(k.n_segment, 1);
	check_rel(k.segment[0].from_bytes, 1000.0, 1e-15);
	check_rel(k.segment[0].intercept_s, 10e-6, 1e-9);
	check_rel(k.segment[0].s_per_byte, 1e-9, 1e-9);
	assert_true(!k.has_overheads && k.why_not[0]); /* one line: L and o are one number */
	answer = machine_calibration_json(&k);
	segments = json_object_get(answer, "segments");
	assert_int_equal(json_array_size(segments), 1);
	assert_true(json_is_null(json_object_get(json_array_get(segments, 0), "to_bytes")));
	assert_true(json_is_null(json_object_get(answer, "L_s")));
	json_decref(answer);
	machine_calibration_release(&k);
	/* Once more: known, and the same costs. */
	must(calibrate_machine(&session, "fresh", file, &k, &err));
	assert_true(!k.new_machine && k.import.known);
	assert_int_equal(k.n_rows, 12);
	machine_calibration_release(&k);
}

TEST_WITH(what_cannot_be_fitted_leaves_no_machine, open_base, close_base)
{
	struct machine_calibration k = {0};

	write_line(2); /* sizes */
	assert_int_equal(calibrate_machine(&session, "fresh", file, &k, &err), ERR_NODATA);
	assert_false(k.nothing_measured);
	machine_calibration_release(&k);
	assert_int_equal(calibrate_machine(&session, "fresh", NULL, &k, &err), ERR_NOTFOUND);
	machine_calibration_release(&k);
}

TEST_WITH(a_machine_without_measurements_is_told_apart, open_base, close_base)
{
	RELEASED(machine_calibration) k = {0};
	struct machine *m = NULL;

	must(machine_parse("machine = { name = \"bare\"; cores_per_node = 4; };", "bare", &m,
			   &err));
	must(kb_put_machine(session.kb, m, NULL, &err));
	machine_free(m);
	must_fail(calibrate_machine(&session, "bare", NULL, &k, &err), ERR_NODATA, "");
	assert_true(k.nothing_measured);
	assert_null(strstr(err.msg, "--")); /* options are the command line's */
}

static void put_machine(const char *name)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(machine) *m = NULL;

	must(machine_unknown_text(name, &text, &err));
	must(machine_parse(strbuf_text(&text), name, &m, &err));
	must(kb_put_machine(session.kb, m, NULL, &err));
}

static const char *as_a_page_has_it(void *arg, enum session_term term)
{
	return term == TERM_MACHINE ? "one in the list on the left" : NULL;
}

TEST_WITH(what_is_asked_for_is_named_in_the_words_of_the_front_end, open_base, close_base)
{
	struct machine *m = NULL;
	struct err plain = {0}, own = {0};

	put_machine("one");
	put_machine("two");
	check_error(session_machine(&session, NULL, 0, &m, NULL, &plain), &plain, ERR_USAGE,
		    "which machine? Give its name, ");
	session.term = as_a_page_has_it;
	check_error(session_machine(&session, NULL, 0, &m, NULL, &own), &own, ERR_USAGE,
		    "Give one in the list on the left, ");
	assert_string_equal(session_term(&session, TERM_WHAT_IF), "a what if");
}

TEST_WITH(memory_that_runs_out_is_an_error, open_base, close_base)
{
	struct machine_calibration k = {0};

	write_line(12);
	failing_each_place (calibrate_machine(&session, "fresh", file, &k, &err), &err)
		machine_calibration_release(&k);
	assert_true(k.new_machine && k.n_segment == 1); /* no failure left a machine behind */
	machine_calibration_release(&k);
}

TEST(a_time_is_in_the_unit_that_is_given_else_the_one_in_its_name)
{
	static const struct {
		const char *column, *given;
		enum import_unit what;
		double s;
	} one[] = {
		{"time", NULL, IMPORT_UNIT_KNOWN, 1},
		{"time_ms", NULL, IMPORT_UNIT_KNOWN, 1e-3},
		{"time_ms", "time_ms=us", IMPORT_UNIT_KNOWN, 1e-6},
		{"time", "times=us", IMPORT_UNIT_KNOWN, 1}, /* of another column */
		{"time [min]", NULL, IMPORT_UNIT_KNOWN, 60},
		{"hours", NULL, IMPORT_UNIT_KNOWN, 3600},
		{"Time [Min]", NULL, IMPORT_UNIT_KNOWN, 60},
		{"TIME (MS)", NULL, IMPORT_UNIT_KNOWN, 1e-3},
		{"Time_Min", "Time_Min=min", IMPORT_UNIT_KNOWN, 60},
		{"time (min.)", NULL, IMPORT_UNIT_KNOWN, 60},
		{"time (in minutes)", NULL, IMPORT_UNIT_KNOWN, 60},
		{"time [ms] (mean of 3)", NULL, IMPORT_UNIT_KNOWN, 1e-3},
		{"time (ms) mean", NULL, IMPORT_UNIT_KNOWN, 1e-3},
		{"time (wall)", NULL, IMPORT_UNIT_KNOWN, 1},
		{"minutes (wall)", NULL, IMPORT_UNIT_KNOWN, 60},
		{"minutes on node(s) used", NULL, IMPORT_UNIT_KNOWN, 1},
		{"time (ks)", NULL, IMPORT_UNIT_UNKNOWN, 0},
		{"Laufzeit [Minuten]", NULL, IMPORT_UNIT_UNKNOWN, 0},
		{"time (ks)", "time (ks)=s", IMPORT_UNIT_KNOWN, 1},
		{"elapsedMs", NULL, IMPORT_UNIT_KNOWN, 1e-3},
		{"time_min", NULL, IMPORT_UNIT_AMBIGUOUS, 0},
		{"time_min", "time_min=min", IMPORT_UNIT_KNOWN, 60},
		{"time", "time=KiB", IMPORT_UNIT_NO_TIME, 0},
	};

	for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
		char given[32] = "";
		char *const unit[] = {one[i].given ? given : NULL, NULL};
		const char *which = NULL;
		double s = -1;

		snprintf(given, sizeof given, "%s", one[i].given ? one[i].given : "");
		assert_int_equal(import_time_unit(one[i].column, unit, &s, &which), one[i].what);
		if (one[i].what == IMPORT_UNIT_KNOWN)
			check_rel(s, one[i].s, 1e-15);
		if (one[i].what == IMPORT_UNIT_NO_TIME)
			assert_string_equal(which, given);
	}
}
