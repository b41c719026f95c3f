#include "tests/support/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "acquire/ted.h"
#include "acquire/work_folder.h"

FREEABLE(task_description)

/* A folder with a task's files, and the last answer. */
struct desk {
	struct work_folder folder;
	struct ted_result r;
	struct err e;
	bool may_run_nothing;
};

static void desk_open(struct desk *d)
{
	*d = (struct desk){0};
	must(work_folder_open(NULL, &d->folder, &err));
}

static void desk_release(struct desk *d)
{
	ted_result_release(&d->r);
	work_folder_close(&d->folder);
}

static void put(struct desk *d, const char *name, const char *text)
{
	must(work_folder_write(&d->folder, name, text, &err));
}

static void put_program(struct desk *d, const char *name, const char *script)
{
	char path[4096];

	put(d, name, script);
	snprintf(path, sizeof path, "%s/%s", strbuf_text(&d->folder.path), name);
	assert_int_equal(chmod(path, 0755), 0);
}

/* it jt kt mk mmi mm */
static const double block[TASK_VARIABLES] = {20, 10, 10, 5, 3, 6, 0};

static enum err_code evaluate(struct desk *d, const char *body, const double *asked)
{
	FREED(task_description) *t = NULL;
	struct ted_options o = {.program_folder = strbuf_text(&d->folder.path),
				.allow_run = !d->may_run_nothing,
				.limit_s = 20};
	char text[4096], origin[4096];

	ted_result_release(&d->r);
	d->e = (struct err){0};
	snprintf(origin, sizeof origin, "%s/x.ted", strbuf_text(&d->folder.path));
	snprintf(text, sizeof text, "task = { name = \"x\"; %s };", body);
	check_ok(task_description_parse(text, origin, &t, &d->e), &d->e);
	return ted_evaluate(t, asked, &o, &d->r, &d->e);
}

static void evaluated(struct desk *d, const char *body)
{
	check_ok(evaluate(d, body, block), &d->e);
}

static void fails(struct desk *d, const char *body, enum err_code want, const char *text)
{
	assert_int_equal(evaluate(d, body, block), want);
	if (!strstr(d->e.msg, text))
		fail_msg("\"%s\" does not say \"%s\"", d->e.msg, text);
}

/* ---- measure ---- */

#define MEASURE(more) \
	"method = \"measure\"; run = { program = \"./program\"; output = \"wg_s\"; " more " };"

/* Prints 1e-9, 2e-9, ... in turn. */
static const char counting[] = "#!/bin/sh\n"
			       "n=$(($(cat \"$1\" 2>/dev/null || echo 0) + 1))\n"
			       "echo $n >\"$1\"\n"
			       "echo args,wg_s\n"
			       "echo \"$2,${n}e-9\"\n";

TEST(a_measurement_is_the_median_of_its_runs)
{
	RELEASED(desk) d;

	desk_open(&d);
	put_program(&d, "program", counting);
	evaluated(&d, MEASURE("arguments = [ \"state\", \"{it * mk}\" ]; runs = 3;"));
	/* Each run is in the same folder, so the count goes on: 1, 2 and 3 ns. */
	check_rel(d.r.Wg_s, 2e-9, 1e-12);
	check_rel(d.r.spread_s, 1.4826e-9, 1e-12); /* |t - 2|: 1 0 1 */
	assert_int_equal(d.r.n, 3);
	assert_true(isnan(d.r.instructions));
	assert_true(d.r.cost_s > 0);
	assert_non_null(strstr(strbuf_text(&d.r.evidence), "3 runs of ./program"));
}

TEST(a_program_that_fails_or_says_something_else_is_an_error)
{
	RELEASED(desk) d;

	desk_open(&d);
	fails(&d, MEASURE(""), ERR_NOTFOUND, "there is no program");
	fails(&d,
	      "method = \"measure\"; run = { program = \"no-such-program-here\"; output = \"w\"; "
	      "};",
	      ERR_NOTFOUND, "no-such-program-here");
	put_program(&d, "program", "#!/bin/sh\necho 'no such grid' >&2\nexit 3\n");
	fails(&d, MEASURE(""), ERR_IO, "exit status 3: no such grid");
	put_program(&d, "program", "#!/bin/sh\necho time_s\necho 1\n");
	fails(&d, MEASURE(""), ERR_PARSE, "prints no column 'wg_s'");
	put_program(&d, "program", "#!/bin/sh\necho wg_s\n");
	fails(&d, MEASURE(""), ERR_PARSE, "prints no row of results");
	put_program(&d, "program", "#!/bin/sh\necho wg_s\necho -1\n");
	fails(&d, MEASURE(""), ERR_PARSE, "wg_s = '-1', which is no time > 0");
	put_program(&d, "program", "#!/bin/sh\n");
	assert_int_equal(evaluate(&d, MEASURE(""), block), ERR_PARSE);
}

TEST(a_program_from_elsewhere_is_run_only_if_somebody_says_so)
{
	RELEASED(desk) d;
	char trace[4200];

	desk_open(&d);
	put_program(&d, "program",
		    "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\necho wg_s\necho 2e-9\n");
	snprintf(trace, sizeof trace, "%s/ran", strbuf_text(&d.folder.path));
	d.may_run_nothing = true;
	fails(&d, MEASURE(""), ERR_ARG, "--allow-run");
	fails(&d, "method = \"measure\"; run = { program = \"sh\"; output = \"w\"; };", ERR_ARG,
	      "wants to run sh");
	assert_int_not_equal(access(trace, F_OK), 0);
	/* what comes with the program: in its folder, by a name without a path */
	evaluated(&d, "method = \"measure\"; run = { program = \"program\"; output = \"wg_s\"; };");
	assert_int_equal(access(trace, F_OK), 0);
}

TEST(an_argument_that_nobody_gave_is_named)
{
	double asked[TASK_VARIABLES] = {20, (double)NAN, 10, 5, 3, 6, 0};
	RELEASED(desk) d;

	desk_open(&d);
	put_program(&d, "program", counting);
	assert_int_equal(evaluate(&d, MEASURE("arguments = [ \"{jt}\" ];"), asked), ERR_ARG);
	assert_non_null(strstr(d.e.msg, "'jt' is not known"));
}

TEST(what_a_description_excludes_is_not_run)
{
	RELEASED(desk) d;

	desk_open(&d);
	put_program(&d, "program", counting);
	evaluated(&d, MEASURE("arguments = [ \"state\" ]; only = \"it * jt <= 200\";"));
	fails(&d, MEASURE("arguments = [ \"state\" ]; only = \"it * jt < 200\";"), ERR_ARG,
	      "x: not for it 20, jt 10, kt 10, mk 5, mmi 3, mm 6: only where it * jt < 200");
}

TEST(odd_names_reach_the_program_as_they_are)
{
	RELEASED(desk) d;

	desk_open(&d);
	put_program(&d, "a 'b'",
		    "#!/bin/sh\n[ \"$1\" = '$(x) \"y\"' ] || exit 9\n"
		    "echo wg_s\necho 5e-9\n");
	evaluated(&d, "method = \"measure\"; run = { program = \"a 'b'\"; output = \"wg_s\";"
		      "arguments = [ \"$(x) \\\"y\\\"\" ]; runs = 1; };");
	check_rel(d.r.Wg_s, 5e-9, 1e-12);
	assert_true(isnan(d.r.spread_s)); /* of one there is none */
}

/* ---- simulate, with a valgrind of ours ---- */

#define PROCESSOR "processor = { clock_ghz = 1; instructions_per_cycle = 2; };"
#define MEMORY                                                                             \
	"memory = { I1 = { size = 1024; associativity = 1; line = 32; miss_cycles = 3; };" \
	"D1 = { size = 2048; associativity = 2; line = 64; miss_cycles = 10; };"           \
	"LL = { size = 16384; associativity = 4; line = 64; miss_cycles = 100; };"
#define SIMULATE(run) "method = \"simulate\"; run = {" run "};" PROCESSOR MEMORY "};"

/* 1000 instructions to start and end, 400 for each repeat, and so on; the repeats come last. */
static const char valgrind[] =
	"#!/bin/sh\n"
	"case \" $* \" in *' --I1=1024,1,32 --D1=2048,2,64 --LL=16384,4,64 '*) ;; *) exit 8 ;; "
	"esac\n"
	"for r; do :; done\n"
	"{ echo 'desc: ours'\n"
	"echo 'events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw '\n"
	"echo \"summary: $((1000 + 400 * r)) $((50 + 2 * r)) 7 $((90 + 60 * r)) $((5 + 6 * r))"
	" $((3 + r)) $((9 + 40 * r)) $((4 + 4 * r)) $((3 - r)) \"\n"
	"} >counts\n";

static char *path_before(struct desk *d)
{
	const char *now = getenv("PATH");
	char *before = strdup(now ? now : "/bin"), *path;

	assert_non_null(before);
	path = malloc(strlen(before) + d->folder.path.len + 2);
	assert_non_null(path);
	sprintf(path, "%s:%s", strbuf_text(&d->folder.path), before);
	setenv("PATH", path, 1);
	free(path);
	return before;
}

/* One repeat: 400 instructions at 2 a cycle, 200 cycles; 2 misses of I1, 6; 10 of D1, 100; 1 of LL
 * (writes fell by one: start-up noise, not a negative count), 100. 406 ns of 60 + 40 accesses for
 * it * mm = 120 cells and angles. */
TEST(a_simulation_counts_what_one_more_repeat_adds)
{
	RELEASED(desk) d;
	HEAP char *path;

	desk_open(&d);
	put_program(&d, "valgrind", valgrind);
	path = path_before(&d);
	evaluated(&d, SIMULATE("program = \"sh\"; arguments = [ \"{repeats}\" ];"
			       "cell_angles = \"it * mm\";"));
	check_rel(d.r.Wg_s, 406e-9 / 120, 1e-12);
	check_rel(d.r.instructions, 400.0 / 120, 1e-12);
	check_rel(d.r.data_accesses, 100.0 / 120, 1e-12);
	check_rel(d.r.D1_miss_rate, 0.1, 1e-12);
	check_rel(d.r.LL_miss_rate, 0.01, 1e-12);
	assert_true(isnan(d.r.tlb_miss_rate));
	check_rel(d.r.miss_share, 206.0 / 406, 1e-12);
	fails(&d, SIMULATE("program = \"sh\"; arguments = [ \"7\" ]; cell_angles = \"it\";"),
	      ERR_PARSE, "do the arguments use {repeats}?");
	fails(&d, SIMULATE("program = \"sh\"; arguments = [ \"1\" ]; cell_angles = \"it - 20\";"),
	      ERR_ARG, "'cell_angles' is 0");
	put_program(&d, "valgrind", "#!/bin/sh\necho 'events: Ir' >counts\n");
	fails(&d, SIMULATE("program = \"sh\"; cell_angles = \"it\";"), ERR_PARSE, "no summary");
	put_program(&d, "valgrind", "#!/bin/sh\n");
	fails(&d, SIMULATE("program = \"sh\"; cell_angles = \"it\";"), ERR_PARSE, "no events");
	put_program(&d, "valgrind", "#!/bin/sh\necho 'bad option' >&2; exit 1\n");
	fails(&d, SIMULATE("program = \"sh\"; cell_angles = \"it\";"), ERR_IO, "bad option");
	setenv("PATH", "/nonexistent", 1);
	fails(&d, SIMULATE("program = \"sh\"; cell_angles = \"it\";"), ERR_NOTFOUND,
	      "needs valgrind");
	setenv("PATH", path, 1);
}

/* ---- trace ---- */

#define TRACE(more) "method = \"trace\"; trace = { file = \"t\"; " more "};" PROCESSOR MEMORY "};"

/* Four instructions, 2 cycles; two lines of I1 (0x20 and 0x40) and two of D1, all missing LL the
 * first time: 2 * 103 + 2 * 110 cycles. The second time all is there. */
TEST(a_trace_goes_through_the_caches_described)
{
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "t", "I  20,4\n L 1000,8\nI  24,4\nI  40,4\n S 1040,8\nI  44,4\n M 1044,4\n");
	evaluated(&d, TRACE("cell_angles = 2;"));
	check_rel(d.r.Wg_s, 428e-9 / 2, 1e-12);
	check_rel(d.r.D1_miss_rate, 2.0 / 3, 1e-12);
	evaluated(&d, TRACE("cell_angles = 2; warm_passes = 1;"));
	check_rel(d.r.Wg_s, 2e-9 / 2, 1e-12);
	check_rel(d.r.instructions, 2.0, 1e-12);
}

TEST(a_trace_of_another_configuration_is_refused)
{
	double asked[TASK_VARIABLES] = {20, (double)NAN, 10, 5, 3, 6, 0};
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "t", "I  20,4\n");
	fails(&d, TRACE("cell_angles = 2; recorded = { it = 10; };"), ERR_ARG,
	      "recorded with it = 10, and says nothing about 20");
	check_ok(evaluate(&d, TRACE("cell_angles = 2; recorded = { jt = 10; };"), asked), &d.e);
	put(&d, "t", "no trace\n");
	fails(&d, TRACE("cell_angles = 2;"), ERR_PARSE, "t:1: ");
}

/* ---- database ---- */

#define DATABASE(more) \
	"method = \"database\"; database = { file = \"times.csv\"; time = \"wg_s\";" more "};"

static const char times[] = "cpu,ghz,it,jt,wg_s,d1_miss_rate\n"
			    "fast,2,10,10,1e-9,0.01\n"
			    "fast,2,20,10,4e-9,0.02\n"
			    "fast,2,20,10,6e-9,0.02\n"
			    "slow,2,20,10,9e-9,\n"
			    "slow,1,25,10,8e-9,\n"
			    "slow,1,16,10,7e-9,\n"
			    "odd,?,20,10,7e-9,\n"
			    "zero,2,20,10,0,\n";

TEST(repeats_of_one_recorded_task_are_one_time)
{
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "times.csv", times);
	evaluated(&d, DATABASE("exact = { cpu = \"fast\"; ghz = 2.0; };"
			       "nearest = { it = \"it\"; jt = \"jt\"; };"));
	check_rel(d.r.Wg_s, 5e-9, 1e-12); /* the median of 4 and 6 */
	check_rel(d.r.spread_s, 1.4826e-9, 1e-12);
	check_rel(d.r.D1_miss_rate, 0.02, 1e-12);
	assert_string_equal(strbuf_text(&d.r.evidence),
			    "times.csv, line 3 and 1 more like it, as asked");
}

/* Of slow ones: line 5 agrees; without it, 25 / 20 = 1.25 and 20 / 16 = 1.25 are equally near. */
TEST(the_nearest_row_is_taken_within_the_factor_allowed)
{
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "times.csv", times);
	evaluated(&d, DATABASE("exact = { cpu = \"slow\"; };"
			       "nearest = { it = \"it + 4\"; }; within = 1.3;"));
	check_rel(d.r.Wg_s, 8e-9, 1e-12);
	assert_non_null(strstr(strbuf_text(&d.r.evidence), "within a factor of 1.04"));
	fails(&d, DATABASE("exact = { cpu = \"slow\"; }; nearest = { it = \"2 * it\"; };"),
	      ERR_NODATA, "the nearest of 3 rows differs by a factor of 1.6");
}

TEST(what_is_ambiguous_is_refused_with_the_candidates)
{
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "times.csv", times);
	fails(&d, DATABASE("exact = { ghz = 2; }; nearest = { it = \"it\"; };"), ERR_PARSE,
	      "times.csv:9: wg_s = '0' is no time > 0");
	fails(&d,
	      DATABASE("exact = { cpu = \"slow\"; ghz = 1; };"
		       "nearest = { it = \"it\"; }; within = 2;"),
	      ERR_NODATA, "lines 6 and 7 are equally near, but it is '25' in one and '16' in the");
	put(&d, "times.csv", "cpu,it,wg_s\na,20,1e-9\nb,20,2e-9\n");
	fails(&d, DATABASE("nearest = { it = \"it\"; };"), ERR_NODATA,
	      "lines 2 and 3 are equally near, but cpu is 'a' in one and 'b' in the other");
}

TEST(what_the_file_does_not_have_is_said)
{
	double asked[TASK_VARIABLES] = {(double)NAN};
	RELEASED(desk) d;

	desk_open(&d);
	put(&d, "times.csv", times);
	fails(&d, DATABASE("exact = { CPU2 = \"x\"; };"), ERR_PARSE, "there is no column 'CPU2'");
	fails(&d, DATABASE("exact = { cpu = \"none\"; };"), ERR_NODATA, "no row agrees");
	fails(&d, DATABASE("exact = { cpu = \"odd\"; }; nearest = { ghz = 2; };"), ERR_NODATA,
	      "none has numbers > 0");
	assert_int_equal(evaluate(&d, DATABASE("nearest = { it = \"it\"; };"), asked), ERR_ARG);
	assert_non_null(strstr(d.e.msg, "'it' is not known"));
	put(&d, "times.csv", "it,wg_s\n20\n");
	fails(&d, DATABASE("nearest = { it = \"it\"; };"), ERR_PARSE, "times.csv:2: ");
	put(&d, "times.csv", "");
	assert_int_equal(evaluate(&d, DATABASE("nearest = { it = \"it\"; };"), block), ERR_PARSE);
}
