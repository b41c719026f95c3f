#include "acquire/result_reader.h"

#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/shared_app.h"

FREEABLE(campaign_plan)

static const char application_text[] =
	"application = { name = \"toy\"; title = \"a toy\"; problem = ( { name = \"n\"; min = 1; } );\n"
	" tunables = ( { name = \"how\"; type = \"text\"; }, { name = \"x\"; type = \"real\"; } );\n"
	" target = { name = \"t\"; unit = \"s\"; }; };\n";

static double row[3]; /* n = 8, how = "fast", x = 0.1 */

static int open_application(void **state)
{
	must(application_parse(application_text, "toy", &app, &err));
	assert_int_equal(levels_add(&app->column[1].levels, "fast"), 0);
	row[0] = 8;
	row[1] = 0;
	row[2] = 0.1;
	return 0;
}

static enum err_code read_result(const char *result, const char *printed, struct run_result *out,
				 struct err *e)
{
	FREED(campaign_plan) *p = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(
		&text,
		"campaign = { name = \"x\"; application = \"toy\"; machine = \"m\"; factors = ( { "
		"column = \"n\"; levels = [ 1 ]; } ); command = [ \"p\" ]; result = { %s }; };",
		result);
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "a plan");
	else if (!(rc = campaign_plan_parse(strbuf_text(&text), "plan", &p, e)))
		rc = result_read(p, app, row, printed, out, e);
	return rc;
}

static double time_of(const char *result, const char *printed)
{
	RELEASED(run_result) r = {0};
	double time_s;

	must(read_result(result, printed, &r, &err));
	time_s = r.time_s;
	return time_s;
}

static void expect_refusal(const char *result, const char *printed, const char *why)
{
	struct run_result r = {0};

	must_fail(read_result(result, printed, &r, &err), ERR_PARSE, why);
}

static const char pattern[] = "kind = \"regex\"; pattern = \"^time: *([0-9.e+-]+) *s$\";";

TEST(the_last_match_of_a_pattern_counts)
{
	check_rel(time_of(pattern, "time: 3 s\nmore\ntime:  4.5e-1 s\nend\n"), 0.45, 1e-15);
	check_rel(time_of(pattern, "time: 2 s"), 2.0, 0);
	/* ^ is the beginning of a line, not of what was not looked at yet */
	check_rel(time_of(pattern, "time: 2 s\nin time: 7 s\n"), 2.0, 0);
	check_rel(time_of("kind = \"regex\"; pattern = \"([0-9]+)\"; unit = \"ms\";", "1 22 333"),
		  0.333, 1e-15);
}

TEST(what_matches_and_is_no_time_is_refused)
{
	expect_refusal(pattern, "", "matches");
	expect_refusal(pattern, "time: 3 h\n", "matches");
	expect_refusal(pattern, "time: 1.2.3 s\n", "1.2.3");
	expect_refusal(pattern, "time: -3 s\n", "above 0");
	expect_refusal(pattern, "time: 0 s\n", "above 0");
	expect_refusal("kind = \"regex\"; pattern = \"t=(.*)\";", "t=nan\n", "nan");
	expect_refusal("kind = \"regex\"; pattern = \"t=(.*)\";", "t=\n", "no time");
}

static const char csv[] = "kind = \"csv\"; column = \"ms\"; unit = \"ms\";";

TEST(a_csv_line_is_found_and_its_other_columns_are_kept)
{
	struct run_result r = {0};

	must(read_result(
		csv,
		"starting, please wait\nN , how,\"ms\",note\r\n8,fast,1500,\"a, \"\"b\"\"\"\r\nbye\n",
		&r, &err));
	check_rel(r.time_s, 1.5, 1e-15);
	if (r.n != 1 || !r.column) {
		fail();
		return;
	}
	assert_string_equal(r.column[0].name, "note");
	assert_string_equal(r.column[0].text, "a, \"b\"");
	run_result_release(&r);
	/* the last line of the last header */
	check_rel(time_of(csv, "n,ms\n8,1\n8,2\n\nms,n\n3,8\n4,8\n"), 0.004, 1e-15);
	check_rel(time_of(csv, "x,ms\n0.1000,1\n"), 0.001, 1e-15);
}

TEST(a_csv_line_of_another_configuration_is_refused)
{
	expect_refusal(csv, "n,ms\n9,1\n", "n = 9, not 8");
	expect_refusal(csv, "how,ms\nslow,1\n", "how = slow, not fast");
	expect_refusal(csv, "x,ms\n0.2,1\n", "x = 0.2, not 0.1");
	expect_refusal(csv, "n,ms\n", "no line below");
	expect_refusal(csv, "n,s\n8,1\n", "no header");
	expect_refusal(csv, "n,ms\n8\n", "no line below");
}

TEST(a_field_of_a_line_is_a_time)
{
	static const char line[] = "kind = \"line\"; starts = \"T,\"; field = 2;";

	check_rel(time_of(line, "T,1,x\nU,3\nT, 2.5 ,y\n"), 2.5, 0);
	expect_refusal(line, "U,3\n", "starts with 'T,'");
	expect_refusal("kind = \"line\"; starts = \"T\"; field = 3;", "T,1\n", "2 fields");
}

TEST(a_result_is_whole_or_none)
{
	struct run_result r = {0};

	failing_each_place (read_result(csv, "n,ms,a,b\n8,1,2,3\n", &r, &err), &err)
		assert_int_equal(r.n, 0);
	assert_int_equal(r.n, 2);
	run_result_release(&r);
	failing_each_place (read_result(pattern, "time: 2 s\n", &r, &err), &err)
		assert_int_equal(r.n, 0);
	run_result_release(&r);
}

TEST_GROUP(open_application, free_app)
