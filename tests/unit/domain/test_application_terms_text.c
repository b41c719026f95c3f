#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include <string.h>

#include "domain/application.h"

/* The text of a definition with other terms. */

static const char keys[] = "  compute = [ \"n / nodes\" ]; #: new\n";

#define HEAD                                                                    \
	"# compute = [ \"no\" ]; is a comment\n"                                \
	"application = {\n"                                                     \
	"  name = \"t\"; title = \"let = (; } \\\" compute = [\";\n"            \
	"  problem = ( { name = \"n\"; min = 1; doc = \"compute\"; } ); // }\n" \
	"  resources = ( { name = \"nodes\"; min = 1; } ); /* let = ( */\n"

static struct application *parsed(const char *text)
{
	struct application *a = NULL;
	struct err e = {0};

	check_ok(application_parse(text, "t.conf", &a, &e), &e);
	return a;
}

static void check_replaced(const char *text, const char *want)
{
	struct application *a = parsed(text);
	struct strbuf out = STRBUF_INIT;
	struct err e = {0};

	check_ok(application_replace_terms(a, keys, &out, &e), &e);
	assert_string_equal(strbuf_text(&out), want);
	application_free(a);
	/* it is a definition, with the one term, and replaced once more it is the same */
	a = parsed(strbuf_text(&out));
	assert_int_equal(a->terms.n, 1);
	assert_string_equal(a->terms.term[0].text, "n / nodes");
	strbuf_clear(&out);
	check_ok(application_replace_terms(a, keys, &out, &e), &e);
	assert_string_equal(strbuf_text(&out), want);
	strbuf_release(&out);
	application_free(a);
}

static void terms_come_before_the_brace_that_ends_the_group(void **state)
{
	(void)state;
	check_replaced(HEAD "  target = { name = \"time\"; unit = \"s\"; };\n};\n# end\n",
		       HEAD "  target = { name = \"time\"; unit = \"s\"; };\n"
			    "  compute = [ \"n / nodes\" ]; #: new\n};\n# end\n");
}

static void earlier_terms_and_their_comments_go_and_all_else_stays(void **state)
{
	(void)state;
	check_replaced(HEAD "  let = ( { name = \"m\"; expr = \"n * (n)\"; } );\n"
			    "  target = { name = \"time\"; unit = \"s\"; };\n"
			    "  #: an earlier proposal\n"
			    "  compute = [ \"m\", # ] kept by nobody\n"
			    "    \"n\" ]; # stays\n"
			    "  communication = [ \"log2(nodes)\" ]\n"
			    "}\n",
		       HEAD "  target = { name = \"time\"; unit = \"s\"; }; # stays\n"
			    "  compute = [ \"n / nodes\" ]; #: new\n}\n");
}

static void a_group_on_one_line_will_do(void **state)
{
	(void)state;
	check_replaced("application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } ); "
		       "resources = ( { name = \"nodes\"; min = 1; } ); "
		       "target = { name = \"time\"; unit = \"s\"; }; };",
		       "application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } ); "
		       "resources = ( { name = \"nodes\"; min = 1; } ); "
		       "target = { name = \"time\"; unit = \"s\"; };\n"
		       "  compute = [ \"n / nodes\" ]; #: new\n};");
}

static enum err_code replace(const struct application *a, struct err *e)
{
	struct strbuf out = STRBUF_INIT;
	enum err_code rc = application_replace_terms(a, keys, &out, e);

	strbuf_release(&out);
	return rc;
}

static void it_is_replaced_or_there_is_no_memory(void **state)
{
	struct application *a = parsed(HEAD "  target = { name = \"time\"; unit = \"s\"; };\n};\n");
	struct err e = {0};

	(void)state;
	failing_each_allocation (replace(a, &e), &e)
		;
	application_free(a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(terms_come_before_the_brace_that_ends_the_group),
	cmocka_unit_test(earlier_terms_and_their_comments_go_and_all_else_stays),
	cmocka_unit_test(a_group_on_one_line_will_do),
	cmocka_unit_test(it_is_replaced_or_there_is_no_memory),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
