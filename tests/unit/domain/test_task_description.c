#include "tests/support/check.h"

#include "domain/task_description.h"

FREEABLE(task_description)

#define CACHES                                                                         \
	"I1 = { size = \"32 KiB\"; associativity = 8; line = 64; miss_cycles = 10; };" \
	"D1 = { size = 49152; associativity = 12; line = 64; miss_cycles = 11; };"
#define LL "LL = { size = \"1 MiB\"; associativity = 16; line = 64; miss_cycles = 200.5; };"
#define PROCESSOR "processor = { clock_ghz = 2.5; instructions_per_cycle = 2; };"
#define RUN                                                                                  \
	"run = { program = \"sweep_task\"; arguments = [ \"{it}\", \"--n={2 * repeats}\" ];" \
	" cell_angles = \"8 * it * jt * kt * mm\"; };"
#define TRACE "trace = { file = \"a.zst\"; cell_angles = 100; recorded = { it = 10; }; };"

static struct task_description *parsed(const char *body)
{
	struct task_description *t = NULL;
	char text[4096];

	snprintf(text, sizeof text, "task = { name = \"x\"; %s };", body);
	must(task_description_parse(text, "data/tasks/x.conf", &t, &err));
	return t;
}

static void refused(const char *body, const char *why)
{
	struct task_description *t = NULL;
	char text[4096];

	snprintf(text, sizeof text, "task = {\nname = \"x\";\n%s };", body);
	must_fail(task_description_parse(text, "x.conf", &t, &err), ERR_PARSE, "");
	if (!strstr(err.msg, why) || strncmp(err.msg, "x.conf", 6) != 0)
		fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
	assert_null(t);
}

TEST(a_program_to_measure_has_arguments_made_from_the_configuration)
{
	FREED(task_description) *t = parsed("method = \"measure\";" RUN);
	const double row[TASK_VARIABLES] = {20, 15, 10, 5, 3, 6, 4};
	RELEASED(strbuf) arg = STRBUF_INIT;

	assert_int_equal(t->method, TASK_MEASURE);
	assert_string_equal(t->folder, "data/tasks/");
	assert_string_equal(t->run.program, "sweep_task");
	assert_int_equal(t->run.n_arguments, 2);
	must(template_fill(t->run.argument[1], row, TEMPLATE_COMMAND, &arg, &err));
	assert_string_equal(strbuf_text(&arg), "--n=8");
	check_rel(expr_eval(t->run.cell_angles, row), 8.0 * 20 * 15 * 10 * 6, 0);
	assert_int_equal(t->run.runs, 5);
	assert_int_equal(t->run.repeats, 1);
	assert_null(t->run.output);
}

TEST(a_simulation_has_caches_and_what_misses_cost)
{
	FREED(task_description) *t =
		parsed("method = \"simulate\";" RUN PROCESSOR "memory = {" CACHES LL "};");

	assert_int_equal(t->memory.I1.size_bytes, 32768);
	assert_int_equal(t->memory.D1.associativity, 12);
	assert_int_equal(t->memory.n_shared, 1);
	assert_int_equal(t->memory.shared[0].size_bytes, 1048576);
	check_rel(t->processor.shared_miss_cycles[0], 200.5, 0);
	check_rel(t->processor.D1_miss_cycles, 11.0, 0);
	check_rel(t->processor.clock_hz, 2.5e9, 1e-15);
}

TEST(a_trace_may_have_more_levels_and_a_tlb)
{
	FREED(task_description) *t = parsed(
		"method = \"trace\";" TRACE PROCESSOR "memory = {" CACHES
		"L2 = { size = \"256 KiB\"; associativity = 4; line = 64; miss_cycles = 30; };" LL
		"tlb = { entries = 64; associativity = 4; page = \"4 KiB\"; miss_cycles = 20; };"
		"inclusive = true; };");

	assert_int_equal(t->memory.n_shared, 2);
	assert_int_equal(t->memory.shared[0].size_bytes, 262144);
	assert_int_equal(t->memory.tlb.page_bytes, 4096);
	assert_true(t->memory.inclusive);
	check_rel(t->processor.tlb_miss_cycles, 20.0, 0);
	check_rel(t->trace.recorded[TASK_IT], 10.0, 0);
	assert_true(isnan(t->trace.recorded[TASK_JT]));
}

TEST(a_database_has_exact_and_near_attributes)
{
	FREED(task_description) *t =
		parsed("method = \"database\"; database = { file = \"t.csv\"; time = \"wg_s\";"
		       "exact = { processor = \"an \\\"odd\\\" one\"; mm = 6; };"
		       "nearest = { it = \"it\"; clock_ghz = 2.4; }; within = 1.5; };");
	const double row[TASK_VARIABLES] = {20};

	assert_int_equal(t->database.n_exact, 2);
	assert_string_equal(t->database.exact[0].text, "an \"odd\" one");
	assert_null(t->database.exact[1].text);
	check_rel(t->database.exact[1].number, 6.0, 0);
	check_rel(expr_eval(t->database.nearest[0].value, row), 20.0, 0);
	assert_null(t->database.nearest[1].value);
	check_rel(t->database.nearest[1].number, 2.4, 0);
}

TEST(unknown_methods_and_groups_out_of_place_are_refused)
{
	refused("method = \"guess\";", "x.conf:3: method = \"guess\": one of measure, database");
	refused("", "'method' is missing");
	refused("method = \"measure\";", "the method 'measure' needs a group 'run'");
	refused("method = \"measure\";" RUN PROCESSOR, "does not use a group 'processor'");
	refused("method = \"simulate\";" RUN PROCESSOR, "needs a group 'memory'");
	refused("method = \"measure\"; colour = 1;" RUN, "unknown key 'colour'");
	refused("method = 7;", "a \"text\" is wanted");
}

TEST(programs_without_what_they_need_are_refused)
{
	refused("method = \"measure\"; run = { cell_angles = \"it\"; };", "'program' is missing");
	refused("method = \"measure\"; run = { program = \"\"; };", "'program' is empty");
	refused("method = \"measure\"; run = { program = \"a\"; };", "'cell_angles' is missing");
	refused("method = \"measure\"; run = { program = \"a\"; cell_angles = \"ti\"; };",
		"it, jt");
	refused("method = \"measure\"; run = { program = \"a\"; only = \"it <\"; };", "'only': ");
	refused("method = \"measure\"; run = { program = \"a\"; arguments = [ \"{it\" ]; };",
		"{it");
	refused("method = \"measure\"; run = { program = \"a\"; cell_angles = \"1\"; runs = 0; };",
		"'runs' wants a whole number from 1");
	refused("method = \"measure\"; run = { program = \"a\"; cell_angles = \"1\"; repeats = "
		"1.5; };",
		"'repeats' wants a whole number");
	refused("method = \"simulate\"; run = { program = \"a\"; cell_angles = \"1\"; runs = 3; "
		"};" PROCESSOR "memory = {" CACHES LL "};",
		"unknown key 'runs'");
}

/* 4 a cycle of which each waits 0.2 cycles for the one before: 4, by issue. With 0.5: 2, by the
 * data flow. */
TEST(instruction_level_parallelism_is_bounded_by_issue_and_data_flow)
{
#define WIDE(cycles)                                                                      \
	"method = \"simulate\";" RUN                                                      \
	"processor = { clock_ghz = 2; issue_width = 4; dependent_cycles = " cycles "; };" \
	"memory = {" CACHES LL "};"
	static const struct {
		const char *text;
		double want;
	} processor[] = {{WIDE("0.2"), 4}, {WIDE("0.25"), 4}, {WIDE("0.5"), 2}, {WIDE("0"), 4}};

	for (size_t i = 0; i < sizeof processor / sizeof *processor; i++) {
		FREED(task_description) *t = parsed(processor[i].text);

		check_rel(t->processor.instructions_per_cycle, processor[i].want, 1e-15);
	}
	refused("method = \"simulate\";" RUN "processor = { clock_ghz = 2; issue_width = 4; };"
		"memory = {" CACHES LL "};",
		"'dependent_cycles' is missing");
	refused("method = \"simulate\";" RUN
		"processor = { clock_ghz = 2; issue_width = 4; dependent_cycles = 1;"
		" instructions_per_cycle = 2; };"
		"memory = {" CACHES LL "};",
		"give instructions_per_cycle, or issue_width and dependent_cycles");
	refused("method = \"simulate\";" RUN
		"processor = { clock_ghz = 2; dependent_cycles = 1; instructions_per_cycle = 2; };"
		"memory = {" CACHES LL "};",
		"belongs beside issue_width");
}

#define PIPELINE(rest)                                                                \
	"method = \"simulate\";" RUN "processor = { clock_ghz = 2; pipeline = {" rest \
	" }; }; memory = {" CACHES LL "};"
#define UNITS "issue_width = 4; window = 64; units = ({ name = \"u\"; per_cycle = 2; });"
#define KINDS "kinds = ({ name = \"add\"; unit = \"u\"; latency = 1; });"

/* x of the second is that of the first; s of the third that of the iteration before, as is x of the
 * first; k is there from the start; the fourth has no results, and the x of the third. */
TEST(instructions_know_who_makes_their_sources)
{
	FREED(task_description) *t = parsed(PIPELINE(
		UNITS KINDS
		"loop = [\"add x = x k\", \"add y = x\", \"add s x = s y\", \"add = x\"];"));
	const struct instruction_loop *l = t->processor.pipeline;

	assert_int_equal(l->issue_width, 4);
	assert_int_equal(l->window, 64);
	assert_false(l->in_order);
	assert_int_equal(l->unit[0].per_cycle, 2);
	assert_int_equal(l->kind[0].occupies, 1);
	assert_int_equal(l->n, 4);
	assert_int_equal(l->body[0].n_sources, 1);
	assert_int_equal(l->body[0].source[0], 2);
	assert_int_equal(l->body[1].source[0], 0);
	assert_int_equal(l->body[2].n_sources, 2);
	assert_int_equal(l->body[2].source[0], 2);
	assert_int_equal(l->body[2].source[1], 1);
	assert_int_equal(l->body[3].source[0], 2);
}

TEST(pipeline_that_cannot_be_is_refused)
{
	refused(PIPELINE(UNITS KINDS "loop = [\"sub x = x\"];"),
		"\"sub x = x\": no kind is called 'sub'");
	refused(PIPELINE(UNITS KINDS "loop = [\"add x y\"];"), "KIND RESULTS = SOURCES");
	refused(PIPELINE(UNITS KINDS "loop = [];"), "'loop' wants 1 to 2048 instructions");
	refused(PIPELINE(UNITS KINDS "loop = [\"add a = a a a a a a a a a\"];"),
		"more than 8 sources");
	refused(PIPELINE(UNITS "kinds = ({ name = \"add\"; unit = \"v\"; latency = 1; });"),
		"no unit is called 'v'");
	refused(PIPELINE(UNITS "kinds = ({ name = \"add\"; unit = \"u\"; });"),
		"'latency' is missing");
	refused(PIPELINE("issue_width = 4; window = 0;"), "'window' wants a whole number from 1");
	refused(PIPELINE("issue_width = 4; window = 8; units = ();"), "list of 1 to 32 groups");
	refused(PIPELINE("issue_width = 1; window = 1;"
			 "units = ({ name = \"u\"; }, { name = \"u\"; });"),
		"a second unit 'u'");
	refused("method = \"simulate\";" RUN "processor = { clock_ghz = 2; issue_width = 4;"
		" pipeline = { }; }; memory = {" CACHES LL "};",
		"issue_width goes into it");
}

TEST(hardware_that_cannot_be_is_refused)
{
#define SIMULATE "method = \"simulate\";" RUN
	refused(SIMULATE "processor = { clock_ghz = 0; instructions_per_cycle = 2; }; memory = {};",
		"'clock_ghz' wants a number from 0.001");
	refused(SIMULATE PROCESSOR "memory = {" LL "};", "'I1' is missing");
	refused(SIMULATE PROCESSOR "memory = {" CACHES "};", "'LL' is missing");
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES
		"LL = { size = 1000; associativity = 1; line = 64; miss_cycles = 1; };};",
		"1000 bytes are no whole number of lines of 64");
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES
		"LL = { size = \"1 MiB\"; associativity = 16; line = 0; miss_cycles = 1; };};",
		"LL: a line of 0 bytes; it must be a power of two");
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES
		"LL = { size = \"a lot\"; associativity = 16; line = 64; miss_cycles = 1; };};",
		"'size'");
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES
		"LL = { size = -64; associativity = 1; line = 64; miss_cycles = 1; };};",
		"'size' wants a whole number");
	refused(SIMULATE PROCESSOR "memory = {" CACHES
				   "LL = { size = 64; associativity = 1; line = 64; };};",
		"'miss_cycles' is missing");
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES LL
		"L3 = { size = 64; associativity = 1; line = 64; miss_cycles = 1; };};",
		"a level L3 without L2");
}

TEST(cachegrind_is_not_asked_for_what_it_does_not_simulate)
{
	refused(SIMULATE PROCESSOR
		"memory = {" CACHES LL
		"L2 = { size = 64; associativity = 1; line = 64; miss_cycles = 1; };};",
		"cachegrind has one shared level");
	refused(SIMULATE PROCESSOR "memory = {" CACHES LL "inclusive = true; };",
		"no TLB and no inclusive levels");
}

TEST(traces_and_databases_without_what_they_need_are_refused)
{
	refused("method = \"trace\"; trace = { cell_angles = 1; };" PROCESSOR "memory = {" CACHES LL
		"};",
		"'file' is missing");
	refused("method = \"trace\"; trace = { file = \"a\"; cell_angles = 0; };" PROCESSOR
		"memory = {" CACHES LL "};",
		"'cell_angles' wants a number from 1");
	refused("method = \"trace\"; trace = { file = \"a\"; recorded = { nx = 1; }; };" PROCESSOR
		"memory = {" CACHES LL "};",
		"unknown key 'nx'; known here: it, jt, kt, mk, mmi, mm");
	refused("method = \"database\"; database = { file = \"a\"; time = \"b\"; };",
		"which rows?");
	refused("method = \"database\"; database = { file = \"a\"; time = \"b\"; within = 0.5;"
		"nearest = { it = \"it\"; }; };",
		"'within' wants a factor >= 1");
	refused("method = \"database\"; database = { file = \"a\"; time = \"b\";"
		"nearest = { clock_ghz = 0; }; };",
		"'clock_ghz' wants a number > 0");
	refused("method = \"database\"; database = { file = \"a\"; time = \"b\";"
		"nearest = { it = \"it +\"; }; };",
		"'it':");
}

TEST(text_that_is_no_definition_is_refused)
{
	struct task_description *t = NULL;

	assert_int_equal(task_description_parse("task = {", "x", &t, &err), ERR_PARSE);
	assert_int_equal(task_description_parse("", "x", &t, NULL), ERR_PARSE);
	assert_int_equal(task_description_parse("machine = { };", "x", &t, NULL), ERR_PARSE);
	assert_int_equal(task_description_read("/nonexistent/\x1b.conf", &t, NULL), ERR_NOTFOUND);
	assert_null(t);
}
