/* A machine measured by programs of our own making, whose truth is known. */
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <jansson.h>

#include "api/machine_measurement.h"
#include "base/program_file.h"
#include "tests/support/failing_allocations.h"

static char base_file[128];
static bool simulated; /* by a launcher called smpirun */
static struct session session;

static void put(const char *name, const char *text, mode_t mode)
{
	write_file(in_folder(name), text);
	assert_int_equal(chmod(in_folder(name), mode), 0);
}

/* Inside a node o is 1 and 2 us at the two ends, L 3 us, G 1 ns a byte, so one way is 6 us and
 * more; between nodes 10 us more. Sends of 4096 bytes and more wait. A block takes 4 ns a cell and
 * 8 ns a line. The nodes have 8 and 16 cores: the smaller one counts. */
static const char launcher[] =
	"#!/bin/sh\n"
	"shift 2\n"
	"case $1 in\n"
	"*/pingpong*) awk -v nodes=\"$PAIR_NODES\" -v simulated=\"$SIMULATED\" 'BEGIN {\n"
	"	print \"message_bytes,roundtrip_us,send_us,receive_us,blocks,repeat,pair_nodes,cores,memory_bytes,simulated\"\n"
	"	for (n = 1; n <= nodes; n++) for (b = 1; b <= 65536; b *= 2)\n"
	"		printf \"%d,%.9g,1,%.9g,%d,1,%d,%d,1e10,%d\\n\", b, 2 * (6 + (n == 2) * 10 + 0.001 * b),\n"
	"			b < 4096 ? 2 : 0.001 * b, b >= 4096, n, 8 * n, simulated\n"
	"	}' ;;\n"
	"*/sweep_task) shift; echo \"$@\" | awk '{\n"
	"	print \"it,jt,kt,mk,mmi,mm,iterations,runtime_s,wg_s,checksum\"\n"
	"	print \"it,jt,kt,mk,mmi,mm,iterations,runtime_s,wg_s,checksum\"\n"
	"	for (i = 1; i < NF; i += 7) printf \"%d,%d,1,%d,%d,6,7,1,%.9ge-9,x\\n\",\n"
	"		$i, $(i + 1), $(i + 3), $(i + 4), 4 + 8 / $i }' ;;\n"
	"esac\n";

/* A program that stands in folder looks for others in folder/kernels. */
static int set_up(void **state)
{
	char note[128];

	if (make_folder(state))
		return -1;
	assert_int_equal(mkdir(in_folder("kernels"), 0755), 0);
	put("kernels/pingpong", "", 0755);
	put("kernels/pingpong_smpi", "", 0755);
	put("kernels/sweep_task", "", 0755);
	put("start", launcher, 0755);
	put("smpirun", launcher, 0755);
	snprintf(note, sizeof note, "%ld:%s/lemnos", (long)getpid(), folder);
	assert_int_equal(setenv(PROGRAM_FILE_ENV, note, 1), 0);
	session_init_process();
	snprintf(base_file, sizeof base_file, "%s/a.kb", folder);
	session = (struct session){.kb_path = base_file};
	must(session_open(&session, KB_CREATE, &err));
	return 0;
}

static int tear_down(void **state)
{
	static const char *const file[] = {"kernels/pingpong",
					   "kernels/sweep_task",
					   "kernels/pingpong_smpi",
					   "start",
					   "smpirun",
					   "a.kb",
					   "a.kb-wal",
					   "a.kb-shm"};

	session_close(&session);
	for (size_t i = 0; i < sizeof file / sizeof file[0]; i++)
		unlink(in_folder(file[i]));
	rmdir(in_folder("kernels"));
	return rmdir(folder);
}

static enum err_code measure(const char *machine, const char *pair_nodes,
			     struct machine_measurement *m, struct err *e)
{
	char launch[128];
	const struct measurement_question q = {.machine = machine, .launch = launch};

	snprintf(launch, sizeof launch, "%s/%s -np 2", folder, simulated ? "smpirun" : "start");
	setenv("PAIR_NODES", pair_nodes, 1);
	setenv("SIMULATED", simulated ? "1" : "0", 1);
	return machine_measure(&session, &q, m, e);
}

static void check_place(const struct message_place *p, double more_us)
{
	assert_int_equal(p->file.rows.n, 17);
	assert_int_equal(p->fit.n_segment, 1);
	check_rel(p->fit.segment[0].intercept_s, (6 + more_us) * 1e-6, 1e-6);
	check_rel(p->fit.segment[0].s_per_byte, 1e-9, 1e-6);
	check_rel(p->calls.send.value_s, 1e-6, 1e-6);
	check_rel(p->calls.receive.value_s, 2e-6, 1e-6);
	check_rel(p->calls.o.value_s, 1.5e-6, 1e-6);
	check_rel(p->calls.L.value_s, (3 + more_us) * 1e-6, 1e-6);
	check_abs(p->calls.blocking_bytes, 4096, 0);
	assert_int_equal(p->n_point, 17);
	check_rel(p->point[16].one_way_s, (6 + more_us + 65.536) * 1e-6, 1e-8);
}

TEST(both_kinds_of_messages_and_blocks_come_back)
{
	RELEASED(machine_measurement) m;
	struct machine *written = NULL;
	json_t *answer;

	must(measure("both", "2", &m, &err));
	check_place(&m.messages.inside, 0);
	check_place(&m.messages.between, 10);
	assert_int_equal(m.messages.cores, 8);
	check_rel(m.messages.memory_bytes, 1e10, 1e-12);
	assert_true(m.has_wg && m.wg.n == 18 && !m.messages.simulated);
	check_rel(m.wg.value_s[BLOCK_CELL], 4e-9, 1e-6);
	check_rel(m.wg.value_s[BLOCK_LINE], 8e-9, 1e-6);
	assert_true(!m.wg.known[BLOCK_PLANE] && !m.wg.known[BLOCK_BLOCK]);
	/* the base takes those between nodes */
	assert_true(m.calibration.new_machine && !m.calibration.inside_node);
	assert_int_equal(m.calibration.n_rows, 17);
	check_rel(m.calibration.segment[0].intercept_s, 16e-6, 1e-6);
	check_rel(m.calibration.loggp[0].value, 13e-6, 1e-6);
	/* what it knows of a new machine */
	assert_int_equal(m.calibration.machine->cores_per_node, 8);
	assert_int_equal(m.calibration.machine->n_segment, 0);
	assert_int_equal(m.calibration.machine->n_segment_local, 1);
	/* the file has all */
	must(machine_parse(strbuf_text(&m.definition), "test", &written, &err));
	assert_string_equal(written->name, "both");
	assert_true(written->n_segment == 1 && written->n_segment_local == 1);
	check_rel(written->segment[0].intercept_s, 16e-6, 1e-6);
	check_rel(written->segment_local[0].intercept_s, 6e-6, 1e-6);
	check_rel(written->overhead_s, 1.5e-6, 1e-6);
	check_abs(written->blocking_bytes, 4096, 0);
	machine_free(written);
	answer = machine_measurement_json(&m);
	check_rel(json_real_value(json_object_get(answer, "L_s")), 13e-6, 1e-6);
	check_rel(json_real_value(json_object_get(json_object_get(answer, "inside_node"), "L_s")),
		  3e-6, 1e-6);
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(answer, "node"), "cores")), 8);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(answer, "wg"), "measured")), 18);
	json_decref(answer);
}

TEST(pairs_on_one_node_leave_the_costs_between_nodes_unknown)
{
	struct machine_measurement m;
	struct machine *written = NULL;
	json_t *answer;

	must(measure("single", "1", &m, &err));
	assert_int_equal(m.messages.between.file.rows.n, 0);
	assert_true(m.calibration.inside_node);
	must(machine_parse(strbuf_text(&m.definition), "test", &written, &err));
	assert_true(written->n_segment == 0 && written->n_segment_local == 1);
	assert_true(written->overhead_s == 0 && written->blocking_bytes == 0 &&
		    written->nodes == 0);
	machine_free(written);
	answer = machine_measurement_json(&m);
	assert_true(json_is_null(json_object_get(answer, "between_nodes")));
	assert_string_equal(json_string_value(json_object_get(answer, "pairs")), "inside a node");
	json_decref(answer);
	machine_measurement_release(&m);
	/* Later between nodes, too: these count, and the definition is left to people. */
	must(measure("single", "2", &m, &err));
	assert_true(!m.calibration.inside_node && !m.calibration.new_machine);
	check_rel(m.calibration.segment[0].intercept_s, 16e-6, 1e-6);
	assert_int_equal(m.calibration.machine->n_segment, 0);
	machine_measurement_release(&m);
	/* And once more inside a node only: the base keeps what it has. */
	must(measure("single", "1", &m, &err));
	check_rel(m.calibration.segment[0].intercept_s, 16e-6, 1e-6);
	assert_false(m.calibration.has_overheads); /* of the calls inside a node */
	machine_measurement_release(&m);
}

TEST(failures_say_what_failed_and_leave_no_machine)
{
	struct machine_measurement m;
	struct machine *known = NULL;

	unlink(in_folder("kernels/sweep_task"));
	must_fail(measure("none", "1", &m, &err), ERR_IO, "the program sweep_task is not here");
	machine_measurement_release(&m);
	put("kernels/sweep_task", "", 0755);
	must_fail(measure("none", "0", &m, &err), ERR_PARSE, "what pingpong printed, started by");
	assert_non_null(strstr(err.msg, "cannot be used: pingpong.csv:1: no row"));
	machine_measurement_release(&m);
	must_fail(measure("two\nlines", "1", &m, &err), ERR_ARG, "");
	machine_measurement_release(&m);
	must_fail(session_machine(&session, "none", 0, &known, NULL, &err), ERR_NOTFOUND, "");
}

TEST(a_simulated_machine_has_no_computation_and_is_no_real_one)
{
	struct machine_measurement m;

	simulated = true;
	must(measure("simulated", "2", &m, &err));
	assert_true(m.messages.simulated && !m.has_wg && m.calibration.machine->simulated);
	check_place(&m.messages.between, 10);
	machine_measurement_release(&m);
	must_fail(measure("both", "2", &m, &err), ERR_USAGE, "both is a real machine, and ");
	machine_measurement_release(&m);
	simulated = false;
	must_fail(measure("simulated", "2", &m, &err), ERR_USAGE,
		  "simulated is a simulated machine, and ");
	machine_measurement_release(&m);
}

static enum err_code measure_once(struct machine_measurement *m, struct err *e)
{
	enum err_code rc;
	json_t *answer;

	machine_measurement_release(m);
	if ((rc = measure("memory", "2", m, e)))
		return rc;
	answer = machine_measurement_json(m);
	json_decref(answer);
	return answer ? ERR_OK : err_set(e, ERR_NOMEM, "an answer");
}

TEST(without_memory_there_is_an_error_or_all_of_it)
{
	RELEASED(machine_measurement) m = {0};

	skip_under_valgrind("hundreds of programs are started");
	failing_each_place_tolerated (measure_once(&m, &err), &err)
		;
	check_place(&m.messages.inside, 0);
	assert_true(m.has_wg);
}

TEST_GROUP(set_up, tear_down)
