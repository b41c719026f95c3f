#include "tests/support/check.h"

#include "base/strbuf.h"
#include "domain/component.h"
#include "domain/profile_table.h"

FREEABLE(profile_table)

/* components = ( { BODY } ); on lines 1 and 2 */
static enum err_code parse_body(const char *body, struct component_set *set, struct err *e)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(&text, "components = ( {\n%s } );", body);
	return component_parse(strbuf_text(&text), "c.conf", set, e);
}

#define HEAD "name = \"n\"; domain = \"runtime\"; paradigm = \"analytic\"; "

static void check_refused(const char *body, const char *word)
{
	RELEASED(component_set) set = {0};
	struct err e = {0};

	if (parse_body(body, &set, &e) != ERR_PARSE)
		fail_msg("this was taken: %s", body);
	assert_int_equal(set.n, 0);
	if (!strstr(e.msg, word))
		fail_msg("\"%s\" is not in \"%s\"", word, e.msg);
}

TEST(a_definition_is_read_as_it_stands)
{
	RELEASED(component_set) set = {0};
	const struct component *c;

	must(parse_body("name = \"L2 'cache' of \\\"mine\\\"\"; domain = \"hardware\";\n"
			"part = \"memory\"; paradigm = \"simulated\"; takes = \"FILE\";\n"
			"profile = { kind = \"cache\"; ways = 8; lru = true; load = 2.5; };\n"
			"requests = ( { name = \"next\"; selector = \"level > 2\"; } );",
			&set, &err));
	assert_int_equal(set.n, 1);
	c = set.item[0];
	assert_string_equal(c->name, "L2 'cache' of \"mine\"");
	assert_string_equal(c->title, "");
	assert_string_equal(c->code, c->name);
	assert_string_equal(c->takes, "FILE");
	assert_string_equal(c->origin, "c.conf:1");
	assert_int_equal(c->domain, DOMAIN_HARDWARE);
	assert_int_equal(c->part, PART_MEMORY);
	assert_int_equal(c->paradigm, PARADIGM_SIMULATED);
	assert_string_equal(component_attribute(c, "KIND")->text, "cache");
	assert_true(component_attribute(c, "ways")->number == 8);
	assert_true(component_attribute(c, "lru")->number == 1);
	assert_true(component_attribute(c, "load")->number == 2.5);
	assert_null(component_attribute(c, "level"));
	assert_int_equal(c->n_requests, 1);
	assert_string_equal(c->request[0].name, "next");
	assert_int_equal(c->request[0].line, 5);
}

TEST(errors_name_line_and_remedy)
{
	check_refused("", "c.conf:1: 'name' is missing");
	check_refused("name = \"n\";", "'domain' is missing");
	check_refused("name = \"n\"; domain = \"network\";",
		      "c.conf:2: domain = \"network\": one of application, runtime, hardware");
	check_refused("name = \"n\"; domain = \"runtime\";", "'paradigm' is missing");
	check_refused("name = \"n\"; domain = \"runtime\"; paradigm = \"guessed\";",
		      "one of analytic, simulated, measured is wanted");
	check_refused("name = \"n\"; domain = \"hardware\"; paradigm = \"analytic\";",
		      "'part' is missing: in the hardware domain");
	check_refused(HEAD "part = \"memory\";", "'part' is for the hardware domain only");
	check_refused(HEAD "part = \"disk\";",
		      "one of processor, memory, transport, storage is wanted");
	check_refused(HEAD "atributes = 1;", "unknown key 'atributes'; known here: name, title");
	check_refused(HEAD "profile = 3;", "'profile' wants a group");
	check_refused(HEAD "profile = { a = [ 1 ]; };", "c.conf:2: 'a' wants a \"text\"");
	check_refused(HEAD "profile = { a = 1e999; };", "'a' wants a finite number");
	check_refused(HEAD "profile = { name = \"x\"; };", "'name' is in every profile already");
	check_refused(HEAD "profile = { Part = \"x\"; };", "'Part' is in every profile already");
	check_refused(HEAD "profile = { a-b = 1; };", "could not be named in a selector");
	check_refused(HEAD "profile = { and = 1; };", "could not be named in a selector");
	check_refused(HEAD "profile = { a = 1; A = 2; };", "given twice");
	check_refused(HEAD "requests = ( 3 );", "each item of 'requests' is a group");
	check_refused(HEAD "requests = ( { name = \"x\"; } );", "'selector' is missing");
	check_refused(HEAD "requests = ( { selector = \"x\"; } );", "'name' is missing");
	check_refused(HEAD "requests = ( { name = \"x\"; selector = \"1\"; },\n"
			   "{ name = \"x\"; selector = \"2\"; } );",
		      "c.conf:3: 'x' is requested twice");
	check_refused("name = \"\\x1b[31m\"; domain = \"runtime\"; paradigm = \"analytic\";",
		      "has a control character");
}

TEST(a_file_holds_components_and_nothing_else)
{
	struct component_set set = {0};

	must_fail(component_parse("component = { };", "c.conf", &set, &err), ERR_PARSE,
		  "unknown key 'component'; known here: components");
	must_fail(component_parse("", "c.conf", &set, &err), ERR_PARSE,
		  "'components = ( { ... }, { ... } );' is wanted");
	assert_int_equal(component_read("nowhere.conf", &set, NULL), ERR_NOTFOUND);
	assert_int_equal(set.n, 0);
}

TEST(an_error_leaves_the_set_as_it_was)
{
	RELEASED(component_set) set = {0};

	must(parse_body(HEAD, &set, &err));
	assert_int_equal(component_parse("components = ( {" HEAD "}, {} );", "d.conf", &set, NULL),
			 ERR_PARSE);
	assert_int_equal(set.n, 1);
}

TEST(more_than_a_person_writes_is_refused)
{
	struct component_set set = {0};
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_puts(&text, HEAD "profile = {");
	for (int i = 0; i <= 100; i++)
		strbuf_printf(&text, "a%d = 1;", i);
	strbuf_puts(&text, "};");
	check_refused(strbuf_text(&text), "a profile has 100 attributes at most");
	strbuf_clear(&text);
	strbuf_puts(&text, "components = ( {}");
	for (int i = 0; i < 1000; i++)
		strbuf_puts(&text, ", {}");
	strbuf_puts(&text, ");");
	must_fail(component_parse(strbuf_text(&text), "c.conf", &set, &err), ERR_PARSE,
		  "a file has 1000 components at most");
}

TEST(the_shipped_definitions_agree_with_each_other)
{
	static const char *const file[] = {"data/components/applications.conf",
					   "data/components/networks.conf",
					   "data/components/processors.conf"};
	RELEASED(component_set) set = {0};
	FREED(profile_table) *t = NULL;

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		must(component_read(file[i], &set, &err));
	must(profile_table_new(&set, &t, &err));
}
