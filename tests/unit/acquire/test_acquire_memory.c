#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include <sys/stat.h>

#include "acquire/launch.h"
#include "acquire/slurm.h"
#include "acquire/smpi.h"
#include "acquire/ted.h"
#include "domain/machine.h"
#include "tests/unit/acquire/desk.h"

FREEABLE(task_description)

/* Programs run, traces replayed, times looked up without memory: an error or the right number, and
 * no folder is left behind. */

static void put(const char *name, const char *text, bool program)
{
	char path[4096];

	must(work_folder_write(&desk, name, text, &err));
	snprintf(path, sizeof path, "%s/%s", strbuf_text(&desk.path), name);
	assert_int_equal(chmod(path, program ? 0755 : 0644), 0);
}

/* Parse the description and evaluate it. */
static enum err_code evaluate(const char *body, double *Wg_s, struct err *e)
{
	static const double block[TASK_VARIABLES] = {20, 10, 10, 5, 3, 6, 0};
	const struct ted_options o = {.program_folder = strbuf_text(&desk.path), .limit_s = 20};
	FREED(task_description) *t = NULL;
	RELEASED(ted_result) r = {0};
	char text[2048], origin[4096];
	enum err_code rc;

	snprintf(text, sizeof text, "task = { name = \"x\"; %s };", body);
	snprintf(origin, sizeof origin, "%s/x.ted", strbuf_text(&desk.path));
	if (!(rc = task_description_parse(text, origin, &t, e)) &&
	    !(rc = ted_evaluate(t, block, &o, &r, e)))
		*Wg_s = r.Wg_s;
	return rc;
}

static void check_task(const char *body, double want_s)
{
	double Wg_s = 0;

	failing_each_place_tolerated (evaluate(body, &Wg_s, &err), &err) {
		if (err.code == ERR_OK)
			check_rel(Wg_s, want_s, 1e-12);
	}
	check_rel(Wg_s, want_s, 1e-12);
}

#define IN_FIXTURE(name) TEST_WITH(name, open_desk, close_desk)

IN_FIXTURE(a_measurement_is_right_or_there_is_an_error)
{
	put("program", "#!/bin/sh\necho wg_s\necho \"${1}e-9\"\n", true);
	check_task(
		"method = \"measure\"; run = { program = \"program\"; output = \"wg_s\"; runs = 2; "
		"arguments = [ \"{it * mk}\" ]; };",
		100e-9);
}

/* test_ted.c says how the numbers come about. */
IN_FIXTURE(a_trace_is_replayed_whole_or_there_is_an_error)
{
	put("t", "I  20,4\n L 1000,8\nI  24,4\nI  40,4\n S 1040,8\nI  44,4\n M 1044,4\n", false);
	check_task(
		"method = \"trace\"; trace = { file = \"t\"; cell_angles = 2; };"
		"processor = { clock_ghz = 1; instructions_per_cycle = 2; };"
		"memory = { I1 = { size = 1024; associativity = 1; line = 32; miss_cycles = 3; };"
		"D1 = { size = 2048; associativity = 2; line = 64; miss_cycles = 10; };"
		"LL = { size = 16384; associativity = 4; line = 64; miss_cycles = 100; }; };",
		428e-9 / 2);
}

IN_FIXTURE(a_recorded_time_is_the_nearest_or_there_is_an_error)
{
	put("times.csv", "cpu,it,wg_s\nfast,10,1e-9\nfast,20,4e-9\nfast,20,6e-9\nslow,20,9e-9\n",
	    false);
	check_task("method = \"database\"; database = { file = \"times.csv\"; time = \"wg_s\";"
		   "exact = { cpu = \"fast\"; }; nearest = { it = \"it\"; }; };",
		   5e-9);
}

static enum err_code make_folder(struct err *e)
{
	struct work_folder w = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	enum err_code rc;

	if (!(rc = work_folder_open(NULL, &w, e)) &&
	    !(rc = work_folder_write(&w, "a", "one\ntwo\n", e)) &&
	    !(rc = work_folder_read(&w, "a", 4, &text, e)) &&
	    (text.failed || strcmp(strbuf_text(&text), "two\n") != 0))
		rc = err_set(e, text.failed ? ERR_NOMEM : ERR_IO, "read '%s'", strbuf_text(&text));
	work_folder_close(&w);
	return rc;
}

IN_FIXTURE(a_folder_holds_its_files_or_there_is_an_error)
{
	failing_each_place_tolerated (make_folder(&err), &err)
		;
}

static enum err_code submit_and_ask(struct slurm_job *j, struct err *e)
{
	const struct slurm_batch b = {.script = "#!/bin/sh\n", .name = "toy-1"};
	struct slurm_reply r = {0};
	enum err_code rc;

	*j = (struct slurm_job){0};
	if ((rc = slurm_submit(&b, j, e)) || (rc = slurm_ask(j, 1, NULL, &r, e)))
		return rc;
	return slurm_cancel(j, NULL, e);
}

IN_FIXTURE(a_job_is_what_slurm_says_or_there_is_an_error)
{
	struct slurm_job j;
	HEAP char *path = strdup(getenv("PATH"));
	RELEASED(strbuf) with = STRBUF_INIT;

	put("sbatch", "#!/bin/sh\necho 123\n", true);
	put("sacct", "#!/bin/sh\nprintf ''\n", true);
	put("squeue", "#!/bin/sh\necho '123|RUNNING|0:05|1:00|1|2|62|1|||toy-1'\n", true);
	put("scancel", "#!/bin/sh\nexit 0\n", true);
	strbuf_printf(&with, "%s:%s", strbuf_text(&desk.path), path);
	setenv("PATH", strbuf_text(&with), 1);
	failing_each_place_tolerated (submit_and_ask(&j, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(j.state, SLURM_RUNNING);
	}
	assert_string_equal(j.id, "123");
	assert_true(j.elapsed_s == 5);
	setenv("PATH", path, 1);
}
