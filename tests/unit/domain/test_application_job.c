#include "tests/support/check.h"

#include <string.h>

#include "domain/application.h"

/* A class with columns n and nodes; JOB is line 2 of its text. */
static enum err_code parse_job(const char *job, struct application **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(
		&text,
		"application = { name = \"a\"; problem = ( { name = \"n\"; } ); resources = ( "
		"{ name = \"nodes\"; } ); target = { name = \"time\"; };\n%s };",
		job);
	rc = application_parse(strbuf_text(&text), "a.conf", out, e);
	strbuf_release(&text);
	return rc;
}

static void check_refused(const char *job, const char *word)
{
	struct application *a = NULL;
	struct err e = {0};

	if (parse_job(job, &a, &e) != ERR_PARSE)
		fail_msg("this was taken: %s", job);
	assert_null(a);
	if (!strstr(e.msg, word))
		fail_msg("\"%s\" is not in \"%s\"", word, e.msg);
}

static void a_class_may_tell_how_it_is_run(void **state)
{
	struct application *a = NULL;
	struct err e = {0};

	(void)state;
	check_ok(parse_job("", &a, &e), &e);
	assert_true(!a->job.command && a->job.n_input == 0 && a->job.n_required == 0);
	application_free(a);
	a = NULL;
	check_ok(parse_job(
			 "job = { command = \"a.out {n}\"; input_files = ( { name = \"in\"; text "
			 "= \"{n}\"; }, { name = \"b.dat\"; text = \"1\"; } ); required = ( { rule "
			 "= \"n < 9\"; why = \"small\"; } ); };",
			 &a, &e),
		 &e);
	assert_non_null(a->job.command);
	assert_int_equal(a->job.n_input, 2);
	assert_string_equal(a->job.input[1].name, "b.dat");
	assert_int_equal(a->job.n_required, 1);
	assert_string_equal(a->job.required[0].why, "small");
	application_free(a);
}

static void mistakes_are_named_with_their_line(void **state)
{
	(void)state;
	check_refused("job = { command = \"x {m}\"; };", "a.conf:2: 'command': {m}: ");
	check_refused("job = { command = \"x {m}\"; };", "'m'");
	check_refused("job = { };", "a.conf:2: 'command' is missing");
	check_refused("job = { command = \"\"; };", "'command' is empty");
	check_refused("job = { command = \"a\\nb\"; };", "'command' is one line");
	check_refused("job = { command = \"a {n\"; };", "a { without its }");
	check_refused("job = { command = \"a\"; run = \"b\"; };", "unknown key 'run'");
	check_refused("job = { command = \"a\"; input_files = ( { name = \"in\"; } ); };",
		      "'text' is missing");
	check_refused("job = { command = \"a\"; input_files = ( { name = \"in\"; text = \"{q}\"; } "
		      "); };",
		      "'text': {q}: ");
	check_refused("job = { command = \"a\"; required = ( { rule = \"q = 1\"; why = \"w\"; } ); "
		      "};",
		      "'q'");
}

/* Names are words of a shell script and must stay in the job's directory. */
static void input_files_have_plain_names_of_their_own(void **state)
{
	static const char *const bad[] = {"../in", "a b", ".in", "-in", "$in", "a;b", "/etc/x"};
	struct strbuf job = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		strbuf_clear(&job);
		strbuf_printf(&job,
			      "job = { command = \"a\"; input_files = ( { name = \"%s\"; text = "
			      "\"1\"; } ); };",
			      bad[i]);
		check_refused(strbuf_text(&job), "wants a letter or digit");
	}
	strbuf_release(&job);
	check_refused(
		"job = { command = \"a\"; input_files = ( { name = \"in\"; text = \"1\"; }, { "
		"name = \"in\"; text = \"2\"; } ); };",
		"the file 'in' is declared twice");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_class_may_tell_how_it_is_run),
	cmocka_unit_test(mistakes_are_named_with_their_line),
	cmocka_unit_test(input_files_have_plain_names_of_their_own),
};
CHECK_MAIN(tests)
