#include "tests/support/check.h"
#include "tests/support/made_application.h"
#include "tests/support/failing_allocations.h"

#include "domain/campaign_plan.h"
#include "domain/campaign_space.h"

FREEABLE(campaign_plan)

static const char application_text[] =
	"application = { name = \"toy\"; title = \"a toy\";\n"
	" problem = ( { name = \"n\"; min = 1; }, { name = \"m\"; min = 1; } );\n"
	" workload = ( { name = \"steps\"; min = 1; default = 10; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; }, { name = \"ppn\"; min = 1; },\n"
	"   { name = \"px\"; min = 1; candidates = \"grid\"; },\n"
	"   { name = \"py\"; min = 1; candidates = \"grid\"; } );\n"
	" tunables = ( { name = \"b\"; min = 1; }, { name = \"how\"; type = \"text\"; } );\n"
	" derived = ( { name = \"procs\"; expr = \"px * py\"; } );\n"
	" groups = ( { flag = \"grid\"; columns = [ \"px\", \"py\" ]; } );\n"
	" legality = ( { rule = \"b <= n\"; why = \"b must not exceed n\"; } );\n"
	" target = { name = \"t\"; unit = \"s\"; };\n"
	"};\n";

static const char plan_text[] =
	"campaign = {\n"
	"  name = \"one\"; application = \"toy\"; machine = \"here\";\n"
	"  factors = ( { column = \"n\"; from = 2; to = 10; step = 4; },\n"
	"    { column = \"b\"; from = 1; to = 8; factor = 2; },\n"
	"    { column = \"grid\"; levels = [ \"1x1\", \"2x3\" ]; },\n"
	"    { column = \"how\"; levels = [ \"a, b\", \"c\" ]; } );\n"
	"  constants = \"m=5\";\n"
	"  constraints = [ \"b < 8 or how = 'c'\" ];\n"
	"  repeats = 3; seed = 11;\n"
	"  budget = { runs = 100; node_hours = 2.5; wall = \"2h\"; };\n"
	"  design = { kind = \"adaptive\"; size = 20; initial = 6; batch = 2; };\n"
	"  questions = ( { problem = \"6x5\"; deadline = \"1m\"; weight = 2; }, { problem = \"2x5\"; }, "
	"{ problem = \"2x5\"; deadline = \"1m\"; objective = \"nodes\"; } );\n"
	"  command = [ \"./p\", \"{n} x {b}\", \"{how}\", \"{procs}/{ppn}/{threads}/{run}\" ];\n"
	"  set = [ \"B={b}\" ];\n"
	"  launcher = { kind = \"mpirun\"; options = [ \"--oversubscribe\" ]; };\n"
	"  result = { kind = \"line\"; starts = \"T\"; field = 2; unit = \"ms\"; };\n"
	"  timeout = { quantile = 0.9; factor = 4; fixed = \"5m\"; least = \"2s\"; };\n"
	"};\n";

static struct application *toy(void)
{
	struct application *a = NULL;

	must(application_parse(application_text, "toy", &a, &err));
	return a;
}

static struct campaign_plan *plan_of(const char *text)
{
	struct campaign_plan *p = NULL;

	must(campaign_plan_parse(text, "plan", &p, &err));
	return p;
}

TEST(every_key_of_a_plan_is_read)
{
	FREED(campaign_plan) *p = plan_of(plan_text);

	assert_string_equal(p->name, "one");
	assert_int_equal(p->n_factors, 4);
	assert_string_equal(p->factor[0].level[0], "2..10+4");
	assert_string_equal(p->factor[1].level[0], "1..8*2");
	assert_int_equal(p->factor[1].line, 4);
	assert_int_equal(p->repeats, 3);
	assert_int_equal(p->seed, 11);
	assert_int_equal(p->budget.runs, 100);
	check_rel(p->budget.node_hours, 2.5, 0);
	check_rel(p->budget.wall_s, 7200.0, 0);
	assert_int_equal(p->design.kind, PLAN_ADAPTIVE);
	assert_int_equal(p->design.initial, 6);
	assert_int_equal(p->n_questions, 3);
	assert_int_equal(p->question[0].objective, OBJECTIVE_NODE_HOURS);
	assert_int_equal(p->question[1].objective, OBJECTIVE_TIME);
	assert_int_equal(p->question[2].objective, OBJECTIVE_NODES);
	check_rel(p->question[0].deadline_s, 60.0, 0);
	assert_true(isinf(p->question[1].deadline_s));
	check_rel(p->question[0].weight, 2.0, 0);
	assert_int_equal(p->launcher.kind, PLAN_MPIRUN);
	assert_int_equal(p->result.kind, PLAN_LINE);
	check_rel(p->result.unit_s, 1e-3, 0);
	check_rel(p->timeout.fixed_s, 300.0, 0);
}

/* What the man page says of a plan that says no more than it has to. */
TEST(what_is_left_out_has_its_default)
{
	FREED(campaign_plan) *p = plan_of(
		"campaign = { name = \"x\"; application = \"toy\"; machine = "
		"\"m\"; factors = ( { column = \"n\"; levels = [ 1 ]; } ); command = [ \"p\" ]; };");

	assert_int_equal(p->repeats, 1);
	assert_int_equal(p->seed, 1);
	assert_int_equal(p->design.kind, PLAN_FULL);
	assert_int_equal(p->launcher.kind, PLAN_LOCAL);
	assert_int_equal(p->result.kind, PLAN_WALL);
	check_rel(p->timeout.quantile, 0.95, 0);
	check_rel(p->timeout.factor, 3.0, 0);
	check_rel(p->timeout.fixed_s, 3600.0, 0);
	check_rel(p->timeout.least_s, 10.0, 0);
}

TEST(levels_become_rows_that_are_complete)
{
	const size_t level[] = {1, 2, 1, 0}; /* n = 6, b = 4, 2x3, "a, b" */
	FREED(application) *a = toy();
	FREED(campaign_plan) *p = plan_of(plan_text);
	RELEASED(campaign_space) s = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	double row[32];

	must(campaign_space_open(p, a, NULL, &s, &err));
	assert_int_equal(s.n_levels[0], 3);
	assert_int_equal(s.n_levels[1], 4);
	assert_int_equal(s.nominal[3], 1);
	assert_int_equal(s.nominal[0], 0);
	assert_true(campaign_space_row(&s, level, row, NULL));
	check_rel(row[application_column(a, "n")], 6.0, 0);
	check_rel(row[application_column(a, "m")], 5.0, 0);
	check_rel(row[application_column(a, "steps")], 10.0, 0);
	check_rel(row[application_column(a, "procs")], 6.0, 0);
	/* mpirun: on this machine, one node */
	check_rel(row[application_column(a, "nodes")], 1.0, 0);
	check_rel(row[application_column(a, "ppn")], 6.0, 0);
	campaign_space_put(&s, row, &text);
	assert_string_equal(strbuf_text(&text), "n=6 b=4 px=2 py=3 how=a, b");
	assert_true(campaign_space_asks(&s, 0, row, &err));
	assert_false(campaign_space_asks(&s, 1, row, &err));
}

/* By the application: b <= n; by the plan: b < 8 or how = 'c'. */
TEST(what_may_not_be_run_says_why)
{
	const size_t too_large[] = {0, 2, 0, 1}, forbidden[] = {2, 3, 0, 0},
		     allowed[] = {2, 3, 0, 1};
	FREED(application) *a = toy();
	FREED(campaign_plan) *p = plan_of(plan_text);
	RELEASED(campaign_space) s = {0};
	RELEASED(strbuf) why = STRBUF_INIT;
	double row[32];

	must(campaign_space_open(p, a, NULL, &s, &err));
	assert_false(campaign_space_row(&s, too_large, row, &why));
	assert_non_null(strstr(strbuf_text(&why), "b must not exceed n"));
	strbuf_clear(&why);
	assert_false(campaign_space_row(&s, forbidden, row, &why));
	assert_non_null(strstr(strbuf_text(&why), "b < 8 or how = 'c'"));
	assert_true(campaign_space_row(&s, allowed, row, NULL));
}

TEST(places_are_filled_in_word_by_word)
{
	const size_t level[] = {1, 2, 1, 0};
	FREED(application) *a = toy();
	FREED(campaign_plan) *p = plan_of(plan_text);
	RELEASED(campaign_space) s = {0};
	RELEASED(word_list) words = {0}, set = {0};
	double row[32];

	must(campaign_space_open(p, a, NULL, &s, &err));
	assert_true(campaign_space_row(&s, level, row, NULL));
	must(campaign_space_command(&s, row, 17, &words, &err));
	assert_int_equal(words.n, 4);
	assert_string_equal(words.word[1], "6 x 4");
	assert_string_equal(words.word[2], "a, b");
	assert_string_equal(words.word[3], "6/6/1/17");
	assert_null(words.word[4]);
	must(campaign_space_variables(&s, row, 17, &set, &err));
	assert_string_equal(set.word[0], "B=4");
	must(campaign_space_check_command(&s, row, &err));
}

TEST(names_stay_inside_their_folder)
{
	assert_null(campaign_name_fault("first-2.try"));
	assert_non_null(campaign_name_fault(""));
	assert_non_null(campaign_name_fault(".."));
	assert_non_null(campaign_name_fault("a/b"));
	assert_non_null(campaign_name_fault("-x"));
	assert_non_null(campaign_name_fault("a b"));
	assert_non_null(
		campaign_name_fault("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
				    "aaaaa")); /* 65 */
}

static enum err_code open_space(struct campaign_plan *p, struct campaign_space *s,
				struct application **a, struct err *e)
{
	enum err_code rc = application_parse(application_text, "toy", a, e);

	return rc ? rc : campaign_space_open(p, *a, NULL, s, e);
}

TEST(a_plan_is_whole_or_none)
{
	FREED(campaign_plan) *p = NULL;
	RELEASED(campaign_space) s = {0};
	struct application *a = NULL;

	failing_each_allocation (campaign_plan_parse(plan_text, "plan", &p, &err), &err)
		assert_null(p);
	failing_each_place (open_space(p, &s, &a, &err), &err) {
		assert_null(s.plan);
		application_free(a);
		a = NULL;
	}
	assert_int_equal(s.axes.n, 4);
	application_free(a);
}
