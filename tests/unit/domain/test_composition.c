#include "tests/support/check.h"

#include "base/strbuf.h"
#include "domain/composition.h"

static char app[] = "app", any_application[] = "domain = 'application'";
static const struct component_request root = {.name = app, .selector = any_application};

/* Definitions in short, separated by commas in the list that they stand in. */
#define APP(name, requests) \
	"{ name = \"" name "\"; domain = \"application\"; paradigm = \"analytic\"; " requests " }"
#define NET(name, paradigm, rest) \
	"{ name = \"" name "\"; domain = \"runtime\"; paradigm = \"" paradigm "\"; " rest " }"
#define HW(name, part, rest)                                           \
	"{ name = \"" name "\"; domain = \"hardware\"; part = \"" part \
	"\"; paradigm = \"analytic\"; " rest " }"
#define PROFILE(attributes) "profile = { " attributes " };"
#define REQUESTS(list) "requests = ( " list " );"
#define WANTS(name, selector) "{ name = \"" name "\"; selector = \"" selector "\"; }"

static void read_set(const char *list, struct component_set *set)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(&text, "components = ( %s );", list);
	must(component_parse(strbuf_text(&text), "t.conf", set, &err));
}

static enum err_code resolve(const struct component_set *set, const struct composition_wish *wish,
			     size_t n_wishes, struct composition *out, struct err *e)
{
	struct composition_question q = {set, &root, wish, n_wishes};

	return composition_resolve(&q, out, e);
}

/* The set is not composed, and the message says why in these words. */
static void check_refused(const char *list, const struct composition_wish *wish, size_t n_wishes,
			  enum err_code code, const char *words)
{
	RELEASED(component_set) set = {0};
	struct composition made = {0};
	struct err e = {0};

	read_set(list, &set);
	assert_int_equal(resolve(&set, wish, n_wishes, &made, &e), code);
	assert_int_equal(made.n, 0);
	if (!strstr(e.msg, words))
		fail_msg("\"%s\" is not in \"%s\"", words, e.msg);
}

/* Request `name` is served by `want` of the composition of these. */
static void check_served(const char *list, const struct composition_wish *wish, size_t n_wishes,
			 const char *name, const char *want)
{
	RELEASED(component_set) set = {0};
	RELEASED(composition) made = {0};

	read_set(list, &set);
	must(resolve(&set, wish, n_wishes, &made, &err));
	assert_non_null(composition_find(&made, name));
	assert_string_equal(composition_find(&made, name)->chosen->name, want);
}

#define SWEEP APP("sweep", REQUESTS(WANTS("net", "messages = 1")))

TEST(the_selector_that_is_true_of_a_profile_makes_the_match)
{
	check_served(SWEEP "," NET("a", "analytic", PROFILE("messages = 0;")) "," NET(
			     "b", "analytic", PROFILE("messages = 1;")),
		     NULL, 0, "net", "b");
	/* texts, numbers, and, or, not, in one selector */
	check_served(
		APP("sweep",
		    REQUESTS(WANTS(
			    "net",
			    "(kind = 'ring' or cost < 2.5) and not (cost = "
			    "1) and paradigm != 'simulated'"))) "," NET("a", "analytic",
									PROFILE("kind = \"tree\"; "
										"cost = 1;")) "," NET("b",
												      "simulated",
												      PROFILE("kind = \"ring\"; cost = 9;")) "," NET("c",
																		     "measured",
																		     PROFILE("kind = \"ring\"; cost = 9;")),
		NULL, 0, "net", "c");
}

TEST(a_profile_without_the_attribute_does_not_match)
{
	const char *set = APP("sweep", REQUESTS(WANTS("net", "cost < 5"))) "," NET(
		"a", "analytic", "") "," NET("b", "analytic", PROFILE("cost = 9;"));

	check_refused(set, NULL, 0, ERR_ARG,
		      "no component matches 'net', requested by 'sweep': cost < 5");
	/* nor is the opposite true of it: b is the only one of which cost >= 5 is known */
	check_served(APP("sweep", REQUESTS(WANTS("net", "not (cost < 5)"))) "," NET(
			     "a", "analytic", "") "," NET("b", "analytic", PROFILE("cost = 9;")),
		     NULL, 0, "net", "b");
}

TEST(an_attribute_that_nobody_has_is_refused_with_those_there_are)
{
	check_refused(APP("sweep", "\n" REQUESTS(WANTS("net", "costs < 5"))) "," NET(
			      "a", "analytic", PROFILE("cost = 9;")),
		      NULL, 0, ERR_PARSE,
		      "t.conf:1: the selector of 'net' (line 2): unknown column 'costs'");
	check_refused(APP("sweep", REQUESTS(WANTS("net", "costs < 5"))) "," NET(
			      "a", "analytic", PROFILE("cost = 9;")),
		      NULL, 0, ERR_PARSE, "are name, domain, part, paradigm, cost");
}

TEST(nonsense_in_selectors_is_refused)
{
	check_refused(APP("sweep", REQUESTS(WANTS("net", "name < 5"))), NULL, 0, ERR_PARSE,
		      "name is text, and '<' wants numbers");
	check_refused(APP("sweep", REQUESTS(WANTS("net", "name ="))), NULL, 0, ERR_PARSE,
		      "unexpected end");
	check_refused(APP("sweep", REQUESTS(WANTS("net", "'a'"))), NULL, 0, ERR_PARSE,
		      "a text is no condition");
}

TEST(none_that_matches_is_reported_with_the_nearest)
{
	check_refused(
		APP("sweep",
		    REQUESTS(WANTS(
			    "net",
			    "domain = 'runtime' and fast and wide "
			    "> 3"))) "," NET("a", "analytic",
					     PROFILE("fast = 0; wide = 9;")) "," NET("b",
										     "analytic",
										     PROFILE("fast "
											     "= 0; wide = "
											     "1;")),
		NULL, 0, ERR_ARG, "wide > 3; the nearest are a (not so: fast)");
}

#define TWO_NETS                                                                    \
	SWEEP "," NET("a", "analytic", PROFILE("messages = 1; cost = 1;")) "," NET( \
		"b", "simulated", PROFILE("messages = 1; cost = 2;"))

TEST(several_that_match_are_reported_with_what_would_decide)
{
	static const enum component_paradigm paradigm = PARADIGM_ANALYTIC;
	const struct composition_wish known = {.request = "net", .flag = "--net"};
	const struct composition_wish analytic = {
		.request = "net", .paradigm = &paradigm, .flag = "--net"};

	check_refused(
		TWO_NETS, NULL, 0, ERR_ARG,
		"2 components match 'net', requested by 'sweep': a (analytic), b (simulated); "
		"they differ in cost. Decide by --choose net=NAME or --paradigm net=PARADIGM");
	check_refused(TWO_NETS, &known, 1, ERR_ARG, "Decide by --net NAME or");
	check_refused(APP("x", "") "," APP("y", ""), NULL, 0, ERR_ARG, "2 components match 'app'");
	/* of three, the wish leaves two */
	check_refused(TWO_NETS "," NET("c", "analytic", PROFILE("messages = 1;")), &analytic, 1,
		      ERR_ARG,
		      "2 components match 'net', requested by 'sweep': a (analytic), c (analytic); "
		      "they differ in cost. Decide by --net NAME");
}

TEST(a_long_list_of_candidates_is_cut)
{
	RELEASED(strbuf) list = STRBUF_INIT;

	strbuf_puts(&list, SWEEP);
	for (int i = 0; i < 500; i++)
		strbuf_printf(
			&list,
			"," NET("a name of some length, %d", "analytic", PROFILE("messages = 1;")),
			i);
	check_refused(strbuf_text(&list), NULL, 0, ERR_ARG, "and 488 more. Decide by");
}

TEST(a_wish_decides_by_name_or_by_paradigm)
{
	static const enum component_paradigm simulated = PARADIGM_SIMULATED;
	const struct composition_wish name = {.request = "net", .component = "a", .flag = "--net"};
	const struct composition_wish paradigm = {
		.request = "net", .paradigm = &simulated, .flag = "--net"};

	check_served(TWO_NETS, &name, 1, "net", "a");
	check_served(TWO_NETS, &paradigm, 1, "net", "b");
}

TEST(what_was_settled_before_decides_where_nothing_is_asked_for)
{
	static const enum component_paradigm simulated = PARADIGM_SIMULATED;
	const struct composition_wish settled = {
		.request = "net", .flag = "--net", .dflt = "a", .dflt_by = "habit"};
	const struct composition_wish asked = {
		.request = "net", .component = "b", .flag = "--net", .dflt = "a"};
	const struct composition_wish otherwise = {
		.request = "net", .paradigm = &simulated, .flag = "--net", .dflt = "a"};
	const struct composition_wish gone = {.request = "net", .flag = "--net", .dflt = "c"};
	const struct composition_wish unused = {.request = "disk", .flag = "--disk", .dflt = "c"};
	struct component_set set = {0};
	struct composition made = {0};

	read_set(TWO_NETS, &set);
	must(resolve(&set, &settled, 1, &made, &err));
	assert_string_equal(made.node[1].chosen->name, "a");
	assert_string_equal(made.node[1].decided_by, "habit");
	composition_release(&made);
	component_set_release(&set);
	check_served(TWO_NETS, &asked, 1, "net", "b");
	check_served(TWO_NETS, &otherwise, 1, "net", "b");
	check_refused(TWO_NETS, &gone, 1, ERR_ARG, "2 components match 'net'");
	check_served(SWEEP "," NET("b", "analytic", PROFILE("messages = 1;")), &gone, 1, "net",
		     "b");
	check_served(SWEEP "," NET("b", "analytic", PROFILE("messages = 1;")), &unused, 1, "net",
		     "b");
}

TEST(a_wish_cannot_widen_the_matches)
{
	static const enum component_paradigm measured = PARADIGM_MEASURED;
	static const enum component_paradigm simulated = PARADIGM_SIMULATED;
	const struct composition_wish other = {.request = "net", .component = "c", .flag = "--net"};
	const struct composition_wish unknown = {
		.request = "net", .component = "d", .flag = "--net"};
	const struct composition_wish paradigm = {
		.request = "net", .paradigm = &measured, .flag = "--net"};
	const struct composition_wish both = {
		.request = "net", .component = "a", .paradigm = &simulated, .flag = "--net"};
	const char *set = TWO_NETS "," NET("c", "analytic", PROFILE("messages = 0;"));

	check_refused(set, &other, 1, ERR_ARG,
		      "--net c does not match 'net', requested by 'sweep' (not so: messages = 1); "
		      "what matches: a (analytic), b (simulated)");
	check_refused(set, &unknown, 1, ERR_ARG, "(no component is called so)");
	check_refused(set, &paradigm, 1, ERR_ARG,
		      "no component that is measured matches 'net', requested by 'sweep'");
	check_refused(
		set, &both, 1, ERR_ARG,
		"--net a as simulated does not match 'net', requested by 'sweep' (it is analytic)");
}

TEST(a_wish_about_what_nobody_requests_is_refused)
{
	const struct composition_wish disk = {
		.request = "disk", .component = "x", .flag = "--disk"};

	check_refused(
		SWEEP "," NET("a", "analytic", PROFILE("messages = 1;")), &disk, 1, ERR_ARG,
		"--disk: nothing in this composition requests 'disk'; requested are app, net");
}

#define TAKES(name) NET(name, "analytic", "takes = \"FILE\"; " PROFILE("messages = 1;"))

TEST(what_follows_a_colon_goes_to_a_component_that_takes_something)
{
	const struct composition_wish with = {
		.request = "net", .component = "ted:a b:c", .flag = "--net"};
	const struct composition_wish without = {
		.request = "net", .component = "ted", .flag = "--net"};
	const struct composition_wish empty = {
		.request = "net", .component = "ted:", .flag = "--net"};
	const struct composition_wish exact = {
		.request = "net", .component = "ted:a", .flag = "--net"};
	const struct composition_wish none = {
		.request = "net", .component = "a:x", .flag = "--net"};
	struct component_set set = {0};
	struct composition made = {0};

	read_set(SWEEP "," TAKES("ted"), &set);
	must(resolve(&set, &with, 1, &made, &err));
	assert_string_equal(composition_find(&made, "net")->argument, "a b:c");
	composition_release(&made);
	component_set_release(&set);
	check_refused(SWEEP "," TAKES("ted"), &without, 1, ERR_ARG,
		      "'ted' takes a FILE: write --net ted:FILE");
	check_refused(SWEEP "," TAKES("ted"), &empty, 1, ERR_ARG, "write --net ted:FILE");
	/* a component of that whole name comes before one that takes the rest of it */
	check_served(SWEEP "," TAKES("ted") "," NET("ted:a", "analytic", PROFILE("messages = 1;")),
		     &exact, 1, "net", "ted:a");
	check_served(SWEEP "," NET("ted:a", "analytic", PROFILE("messages = 1;")) "," TAKES("ted"),
		     &exact, 1, "net", "ted:a");
	check_refused(TWO_NETS, &none, 1, ERR_ARG, "(no component is called so)");
}

#define SHARED(of_cpu)                                                                             \
	APP("sweep", REQUESTS(WANTS("machine",                                                     \
				    "part = 'transport'") "," WANTS("cpu", "part = 'processor'"))) \
	"," HW("m", "transport", PROFILE("runs = 3;")) "," HW(                                     \
		"c", "processor", REQUESTS(WANTS("machine", "part = 'transport' and " of_cpu)))

TEST(requests_of_one_name_are_served_by_one_component)
{
	struct component_set set = {0};
	struct composition made = {0};

	read_set(SHARED("runs > 0"), &set);
	must(resolve(&set, NULL, 0, &made, &err));
	assert_int_equal(made.n, 4); /* app, machine, cpu, and machine again */
	assert_true(made.node[3].again && !made.node[1].again);
	assert_ptr_equal(made.node[3].chosen, made.node[1].chosen);
	assert_int_equal(made.node[3].depth, 2);
	composition_release(&made);
	component_set_release(&set);
	check_refused(SHARED("runs > 3"), NULL, 0, ERR_ARG,
		      "'m' serves the request 'machine' of 'sweep', but does not match that of "
		      "'c': part = 'transport' and runs > 3");
}

TEST(requests_that_go_in_a_circle_are_refused)
{
	check_refused(APP("sweep", REQUESTS(WANTS("self", "domain = 'application'"))), NULL, 0,
		      ERR_ARG, "requests go in a circle: 'sweep' -> 'sweep'");
	check_refused(
		APP("sweep", REQUESTS(WANTS("x", "name = 'a'"))) "," NET(
			"a", "analytic",
			REQUESTS(WANTS("y", "name = 'b'"))) "," NET("b", "analytic",
								    REQUESTS(WANTS("x",
										   "name = 'a'"))),
		NULL, 0, ERR_ARG, "requests go in a circle: 'a' -> 'b' -> 'a'");
}

TEST(requests_that_nest_too_deeply_are_refused)
{
	RELEASED(strbuf) list = STRBUF_INIT;

	strbuf_puts(&list, APP("sweep", REQUESTS(WANTS("r0", "name = 'n0'"))));
	for (int i = 0; i < 40; i++)
		strbuf_printf(&list,
			      "," NET("n%d", "analytic", REQUESTS(WANTS("r%d", "name = 'n%d'"))), i,
			      i + 1, i + 1);
	check_refused(strbuf_text(&list), NULL, 0, ERR_ARG, "requests nest deeper than 32");
}

TEST(a_set_that_contradicts_itself_is_refused)
{
	struct strbuf list = STRBUF_INIT;

	check_refused(APP("x", "") "," APP("y", "") ",\n" APP("x", ""), NULL, 0, ERR_PARSE,
		      "another component of the application domain is called 'x'");
	check_refused(NET("a", "analytic", PROFILE("cost = 1;")) ",\n" NET(
			      "b", "analytic", PROFILE("Cost = \"high\";")),
		      NULL, 0, ERR_PARSE,
		      "t.conf:2: the attribute Cost of 'b' is a text, but a number in the profile "
		      "of 'a' (t.conf:1)");
	for (int i = 0; i < 1000; i++) /* and the four that all have */
		strbuf_printf(&list, "%s" NET("n%d", "analytic", PROFILE("a%d = 1;")), i ? "," : "",
			      i, i);
	check_refused(strbuf_text(&list), NULL, 0, ERR_PARSE,
		      "more than 1000 different attributes in all profiles");
	strbuf_release(&list);
	/* elsewhere the name is free */
	check_served(
		APP("x", REQUESTS(WANTS("net", "domain = 'runtime'"))) "," NET("x", "analytic", ""),
		NULL, 0, "net", "x");
}

TEST(names_may_hold_blanks_and_quotes)
{
	const struct composition_wish wish = {.request = "net",
					      .component = "it's a \"net\": fast",
					      .paradigm = NULL,
					      .flag = "--net"};

	check_served(SWEEP "," NET("it's a \\\"net\\\": fast", "analytic",
				   PROFILE("messages = 1;")) "," NET("b", "analytic",
								     PROFILE("messages = 1;")),
		     &wish, 1, "net", "it's a \"net\": fast");
	check_served(APP("sweep", REQUESTS(WANTS("net", "name = 'it''s'"))) "," NET(
			     "it's", "analytic", "") "," NET("its", "analytic", ""),
		     NULL, 0, "net", "it's");
}
