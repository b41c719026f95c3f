#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/digest.h"
#include "domain/application.h"

static const char small_path[] = "tests/fixtures/definitions/small.conf";

static char *read_text(const char *path)
{
	static char text[65536];
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	return text;
}

/* small.conf with the first `from` made `to`. */
static void change_small(const char *from, const char *to, struct strbuf *out)
{
	const char *text = read_text(small_path);
	const char *at = strstr(text, from);

	if (!at)
		fail_msg("'%s' is not in %s", from, small_path);
	strbuf_add(out, text, (size_t)(at - text));
	strbuf_puts(out, to);
	strbuf_puts(out, at + strlen(from));
}

static void check_text_refused(const char *text, const char *const *word)
{
	struct application *a = NULL;
	struct err e = {0};

	if (application_parse(text, "f.conf", &a, &e) != ERR_PARSE)
		fail_msg("this was taken: %s", text);
	assert_null(a);
	for (; *word; word++) {
		if (!strstr(e.msg, *word))
			fail_msg("\"%s\" is not in \"%s\"", *word, e.msg);
	}
}

/* small.conf with that change is refused, at that line, and the message says `word`. */
static void check_change(const char *from, const char *to, const char *line, const char *word)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	change_small(from, to, &text);
	check_text_refused(strbuf_text(&text), (const char *const[]){line, word, NULL});
}

static void check_accepted(const char *from, const char *to)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(application) *a = NULL;

	change_small(from, to, &text);
	must(application_parse(strbuf_text(&text), "f.conf", &a, &err));
}

TEST(sweep3d_is_read_with_all_its_parts)
{
	FREED(application) *a = NULL;
	char hex[DIGEST_HEX_SIZE];
	char table[64];

	must(application_read("data/applications/sweep3d.conf", &a, &err));
	assert_string_equal(a->name, "sweep3d");
	assert_string_equal(a->model, "wavefront");
	assert_true(application_is(a, "sweep3d-replay") && application_is(a, "SWEEP3D"));
	assert_false(application_is(a, "sweep"));
	assert_int_equal(a->n_columns, 3 + 4 + 3 + 2 + 11);
	assert_string_equal(a->column[0].name, "it_g");
	assert_int_equal(application_column(a, "nx"), 0); /* an alias */
	assert_int_equal(application_column(a, "IT_G"), 0);
	assert_true(application_column(a, "none") == SIZE_MAX);
	assert_string_equal(a->column[a->i_procs].name, "procs");
	assert_string_equal(a->column[a->i_nodes].name, "nodes");
	assert_true(a->i_ppn == SIZE_MAX && a->i_threads == SIZE_MAX);
	assert_string_equal(a->column[application_flag_column(a, "--angles")].name, "mm");
	assert_string_equal(a->column[application_flag_column(a, "mk")].name, "mk");
	assert_true(application_flag_column(a, "--grid") == SIZE_MAX);
	assert_ptr_equal(application_flag_group(a, "--grid"), application_grid(a));
	assert_null(application_flag_group(a, "--mk"));
	assert_int_equal(application_grid(a)->n, 2);
	assert_int_equal(a->n_local, 2);
	assert_int_equal(a->n_legality, 5);
	check_abs(a->target_unit_s, 1, 0);
	application_table(a, table, sizeof table);
	assert_string_equal(table, "run_sweep3d");
	digest_text(a->definition, strlen(a->definition), hex);
	assert_string_equal(a->sha256, hex);
	assert_false(a->ad_hoc);
}

TEST(a_column_has_what_its_declaration_says)
{
	const struct column *col;
	FREED(application) *a = NULL;

	must(application_read(small_path, &a, &err));
	col = &a->column[application_column(a, "n")];
	assert_int_equal(col->role, COL_PROBLEM);
	assert_int_equal(col->type, COL_INT);
	assert_true(col->min == 1 && col->max == 1000 && isnan(col->dflt));
	assert_string_equal(col->doc, "cells");
	assert_string_equal(col->unit, "");
	col = &a->column[application_column(a, "layout")];
	assert_int_equal(col->type, COL_TEXT);
	assert_ptr_equal(a->scope.levels[application_column(a, "layout")], &col->levels);
	col = &a->column[application_column(a, "steps")];
	assert_true(col->dflt == 10 && col->max == INFINITY);
	col = &a->column[application_column(a, "block")];
	assert_int_equal(col->candidates, CAND_DIVISORS);
	assert_int_equal(col->of, application_column(a, "n"));
	col = &a->column[application_column(a, "depth")];
	assert_int_equal(col->n_list, 3);
	assert_true(col->list[2] == 4);
	/* A quotient is real; products and rounded quotients of integers are integers. */
	assert_int_equal(a->column[application_column(a, "local")].type, COL_INT);
	assert_int_equal(a->column[application_column(a, "share")].type, COL_REAL);
	check_abs(a->target_unit_s, 1e-3, 0);
}

TEST(columns_stand_in_the_order_of_their_roles)
{
	static const char *const want[] = {"problem", "workload", "resource", "tunable", "derived"};
	FREED(application) *a = NULL;
	size_t k = 0;

	must(application_read(small_path, &a, &err));
	for (size_t i = 0; i < a->n_columns; i++) {
		while (strcmp(column_role_name(a->column[i].role), want[k]) != 0)
			assert_true(++k < 5);
	}
}

TEST(an_unknown_key_is_refused_with_the_known_ones)
{
	check_change(
		"title =", "titel =", "f.conf:4: ", "unknown key 'titel'; known here: name, title");
	check_change("doc = \"cells\"", "docs = \"cells\"", "f.conf:6: ", "unknown key 'docs'");
	check_change("default = 10", "candidates = \"seen\"", "f.conf:8: ", "unknown key");
	check_change("unit = \"ms\"", "units = \"ms\"",
		     "f.conf:22: ", "known here: name, aliases, unit");
	check_change("rule =", "condition =", "f.conf:20: ", "known here: rule, why");
	check_change("by = ", "per = ", "f.conf:19: ", "known here: name, global, by");
	check_change("application = {", "x = 1; application = {", "f.conf:2: ", "unknown key 'x'");
}

TEST(bad_syntax_is_refused_with_its_line)
{
	/* Not `title "..."`: libconfig 1.5 leaks a string token that it did not expect. */
	check_change("title = ", "title = = ", "f.conf:4: ", "syntax error");
	check_change("max = 1000", "max = 1000; max = 2", "f.conf:6: ", "duplicate");
	check_change("# A small", "@include \"/etc/passwd\"\n#", "f.conf: ", "@include");
	check_text_refused("", (const char *const[]){"f.conf: 'application = { ... };'", NULL});
	check_text_refused("machine = {};", (const char *const[]){"'application = {", NULL});
	check_text_refused("application = 5;", (const char *const[]){"'application = {", NULL});
}

TEST(what_is_missing_is_named)
{
	check_change("name = \"small\";", "", "f.conf:2: ", "'name' is missing");
	check_change("name = \"small\";", "name = \"\";", "f.conf:3: ", "'name' is empty");
	check_change("name = \"n\"; ", "", "f.conf:6: ", "'name' is missing");
	check_change("target = {", "title = {", "", "duplicate");
	check_change("name = \"time\"; ", "", "f.conf:22: ", "'name' is missing");
	check_change("; why = \"block must divide n\"", "", "f.conf:20: ", "'why' is missing");
	check_change("; of = \"n\"; flag", "; flag", "f.conf:12: ", "want 'of = \"COLUMN\"'");
	check_change("{ name = \"procs\"; expr = \"px * py\"; },", "",
		     "f.conf:", "wants a column 'procs'");
	check_text_refused("application = { name = \"x\"; };",
			   (const char *const[]){"f.conf:1: ", "no columns", NULL});
	check_text_refused("application = { name = \"x\"; problem = ( { name = \"n\"; } ); };",
			   (const char *const[]){"f.conf:1: ", "'target' is missing", NULL});
}

TEST(values_of_the_wrong_kind_are_refused)
{
	check_change("title = \"one of everything\"", "title = 5",
		     "f.conf:4: ", "a \"text\" is wanted");
	check_change("max = 1000", "max = \"many\"", "f.conf:6: ", "a number is wanted");
	check_change("aliases = [ \"tiny\" ]", "aliases = \"tiny\"",
		     "f.conf:5: ", "list in brackets");
	check_change("aliases = [ \"tiny\" ]", "aliases = [ 5 ]",
		     "f.conf:5: ", "a \"text\" is wanted");
	check_change("workload = ( {", "workload = ( 5, {", "f.conf:8: ", "is a group { ... }");
	check_change("local_sizes = (", "local_sizes = 5; legality_ = (", "f.conf:", "unknown key");
	check_change("type = \"text\"", "type = \"string\"",
		     "f.conf:7: ", "'string' is no type; there are int, real, text");
	check_change("\"divisors\"", "\"divisor\"",
		     "f.conf:12: ", "there are seen, divisors, range, list, grid");
	check_change("unit = \"ms\"", "unit = \"fortnight\"", "f.conf:22: ", "no unit of time");
	check_change("title =", "ad_hoc = 1; title =", "f.conf:4: ", "true or false");
}

TEST(ranges_defaults_and_candidates_must_fit_the_column)
{
	check_change("max = 1000", "max = 0", "f.conf:6: ", "min = 1 is greater than max = 0");
	check_change("max = 1000", "max = 9007199254740994L", "f.conf:6: ", "2^53");
	check_change("type = \"text\"", "type = \"text\"; min = 1", "f.conf:7: ", "no min and max");
	check_change("default = 10", "default = 0",
		     "f.conf:8: ", "outside the column's own min and max");
	check_change("default = 10", "default = 1.5", "f.conf:8: ", "is no integer");
	check_change("default = 10", "type = \"text\"", "f.conf:8: ", "no min and max");
	check_change("list = [ 1, 2, 4 ]", "list = ( 1, 2.5 )", "f.conf:13: ", "2.5 is no integer");
	check_change("; list = [ 1, 2, 4 ]", "", "f.conf:13: ", "go together");
	check_change("candidates = \"list\"; ", "", "f.conf:13: ", "go together");
	check_change("of = \"n\"", "of = \"m\"", "f.conf:12: ", "there is no column 'm'");
	check_change("of = \"n\"", "of = \"block\"", "f.conf:12: ", "another column of integers");
	check_change("of = \"n\"", "of = \"procs\"", "f.conf:12: ", "not derived");
	check_change("of = \"n\"", "of = \"layout\"", "f.conf:12: ", "column of integers");
	check_change("\"range\"; of = \"n\"", "\"range\"", "f.conf:14: ", "want 'max' or 'of");
	check_change("min = 1; candidates = \"range\"", "candidates = \"range\"",
		     "f.conf:14: ", "want 'min'");
	check_change("type = \"real\"", "type = \"real\"; candidates = \"grid\"",
		     "f.conf:15: ", "want a column of integers");
	check_accepted("\"range\"; of = \"n\"", "\"range\"; max = 8");
}

TEST(a_name_must_be_free_and_readable_in_sql)
{
	static const char *const reserved[] = {
		"run_id",    "import_id", "machine_id", "machine",  "source", "status", "wall_s",
		"n_repeats", "repeat",	  "line",	"computed", "flag",   "extra",	"app"};
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
		strbuf_clear(&name);
		strbuf_printf(&name, "name = \"%s\"; default", reserved[i]);
		check_change("name = \"steps\"; min = 1; default", strbuf_text(&name),
			     "f.conf:8: ", "the run table has one of that name");
	}
	strbuf_release(&name);
	check_change("name = \"n\"", "name = \"n cells\"", "f.conf:6: ", "cannot be a column");
	check_change("name = \"n\"", "name = \"between\"", "f.conf:6: ", "cannot be a column");
	check_change("name = \"n\"", "name = \"2n\"", "f.conf:6: ", "cannot be a column");
	check_change("name = \"small\"", "name = \"a b\"", "f.conf:3: ", "the name 'a b'");
	check_change("name = \"small\"", "name = \"../x\"", "f.conf:3: ", "the name '../x'");
}

TEST(every_header_has_one_meaning)
{
	check_change("\"size\"", "\"BLOCK\"",
		     "f.conf:12: ", "'block' has two meanings: n and block");
	check_change("\"size\"", "\"elapsed\"", "f.conf:22: ", "two meanings: n and the target");
	check_change("\"size\"", "\"n_local\"", "f.conf:19: ", "two meanings: n and a local size");
	check_change("\"size\"", "\"machine\"",
		     "f.conf:", "import reads a column of that name itself");
	check_change("\"size\"", "\"\"", "f.conf:6: ", "an alias of n is empty");
	check_change("name = \"time\"", "name = \"n\"",
		     "f.conf:", "two meanings: n and the target");
	check_change("flag = \"block\"", "flag = \"steps\"",
		     "f.conf:", "'steps' is declared twice");
	check_change("flag = \"block\"", "flag = \"grid\"",
		     "f.conf:21: ", "'grid' is declared twice");
	check_change("flag = \"block\"", "flag = \"--block\"",
		     "f.conf:12: ", "without the leading --");
	check_accepted("name = \"n_local\"",
		       "name = \"local\""); /* the derived column of that name */
	check_accepted("name = \"time\"", "name = \"wall_s\"");
}

TEST(expressions_name_only_what_is_there)
{
	check_change("px * py", "px * pz", "f.conf:16: ", "unknown column 'pz'");
	check_change("px * py", "px * share", "f.conf:16: ",
		     "(a derived column may use the columns above it) unknown column 'share'");
	check_change("px * py", "procs + 1", "f.conf:16: ", "unknown column 'procs'");
	check_change("n % block = 0", "n % blok = 0", "f.conf:20: ", "unknown column 'blok'");
	check_change("n % block = 0", "n % layout = 0", "f.conf:20: ", "wants numbers");
	check_change("8 * local", "8 * ", "f.conf:23: ", "unexpected end");
	check_accepted("n % block = 0", "n % block = 0 and layout in ('DGZ', 'GDZ')");
}

TEST(groups_and_local_sizes_refer_to_columns_that_can_be_set)
{
	check_change("[ \"px\", \"py\" ]", "[ \"px\", \"pz\" ]", "f.conf:21: ", "no column 'pz'");
	check_change("[ \"px\", \"py\" ]", "[ \"px\" ]", "f.conf:21: ", "two columns or more");
	check_change("[ \"px\", \"py\" ]", "[ \"px\", \"local\" ]", "f.conf:21: ", "cannot be set");
	check_change("[ \"px\", \"py\" ]", "[ \"px\", \"n\" ]", "f.conf:", "belong to one group");
	check_change("groups = ( { flag = \"grid\"; columns = [ \"px\", \"py\" ]; } );", "",
		     "f.conf:", "belong to one group");
	check_change("global = \"n\"", "global = \"m\"", "f.conf:19: ", "no column 'm'");
	check_change("global = \"n\"", "global = \"layout\"", "f.conf:19: ", "columns of integers");
	check_change("by = \"px\"", "by = \"local\"", "f.conf:19: ", "not derived");
}

TEST(what_the_program_counts_is_a_whole_resource)
{
	check_change("name = \"depth\"", "name = \"threads\"",
		     "f.conf:", "declare it under resources");
	check_change("name = \"nodes\"; min = 1;", "name = \"nodes\"; type = \"real\";",
		     "f.conf:", "must be an integer");
	check_change("\"px * py\"", "\"px / py\"", "f.conf:16: ", "'procs' counts things");
}

TEST(a_file_that_cannot_be_read_says_why)
{
	struct application *a = NULL;

	must_fail(application_read("no/such.conf", &a, &err), ERR_NOTFOUND,
		  "no/such.conf: No such file");
	must_fail(application_read("tests", &a, &err), ERR_PARSE, "tests: Is a directory");
	assert_null(a);
}

static void ignore_signal(int number)
{
}

TEST(a_signal_ends_the_wait_for_a_definition)
{
	/* Again and again: the first one may come before the wait. */
	const struct itimerval soon = {{0, 10000}, {0, 10000}};
	const struct itimerval never = {0};
	const struct sigaction caught = {.sa_handler = ignore_signal};
	char path[] = "/tmp/lemnos-definition-XXXXXX";
	struct application *a = NULL;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	sigaction(SIGALRM, &caught, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	must_fail(application_read(path, &a, &err), ERR_INTERRUPTED, "");
	fd = open(path, O_RDWR); /* a writer that says nothing */
	must_fail(application_read(path, &a, &err), ERR_INTERRUPTED, "");
	setitimer(ITIMER_REAL, &never, NULL);
	assert_non_null(strstr(err.msg, ": interrupted"));
	close(fd);
	unlink(path);
}

TEST(a_name_makes_a_table_name)
{
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(application) *a = NULL;
	char table[64];
	char tight[8];

	change_small("name = \"small\"", "name = \"qr-2.5D\"", &text);
	must(application_parse(strbuf_text(&text), "f.conf", &a, &err));
	application_table(a, table, sizeof table);
	assert_string_equal(table, "run_qr_2_5D");
	application_table(a, tight, sizeof tight);
	assert_string_equal(tight, "run_qr_");
}

/* Cut a good file anywhere: an error or, where only the tail is lost, a smaller application; no
 * crash. */
TEST(a_definition_cut_anywhere_does_no_harm)
{
	const char *text = read_text(small_path);
	RELEASED(strbuf) cut = STRBUF_INIT;

	for (size_t len = 0; len < strlen(text); len++) {
		struct application *a = NULL;

		strbuf_clear(&cut);
		strbuf_add(&cut, text, len);
		if (application_parse(strbuf_text(&cut), "cut", &a, NULL) == ERR_OK)
			application_free(a);
	}
}

/* ---- how it is run ---- */

/* An application with columns n and nodes; JOB is line 2 of its text. */
static enum err_code parse_job(const char *job, struct application **out, struct err *e)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(
		&text,
		"application = { name = \"a\"; problem = ( { name = \"n\"; } ); resources = ( "
		"{ name = \"nodes\"; } ); target = { name = \"time\"; };\n%s };",
		job);
	return application_parse(strbuf_text(&text), "a.conf", out, e);
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

TEST(an_application_may_tell_how_it_is_run)
{
	struct application *a = NULL;

	must(parse_job("", &a, &err));
	assert_true(!a->job.command && a->job.n_input == 0 && a->job.n_required == 0);
	application_free(a);
	a = NULL;
	must(parse_job("job = { command = \"a.out {n}\"; input_files = ( { name = \"in\"; text "
		       "= \"{n}\"; }, { name = \"b.dat\"; text = \"1\"; } ); required = ( { rule "
		       "= \"n < 9\"; why = \"small\"; } ); };",
		       &a, &err));
	assert_non_null(a->job.command);
	assert_int_equal(a->job.n_input, 2);
	assert_string_equal(a->job.input[1].name, "b.dat");
	assert_int_equal(a->job.n_required, 1);
	assert_string_equal(a->job.required[0].why, "small");
	application_free(a);
}

TEST(mistakes_are_named_with_their_line)
{
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
TEST(input_files_have_plain_names_of_their_own)
{
	static const char *const bad[] = {"../in", "a b", ".in", "-in", "$in", "a;b", "/etc/x"};
	struct strbuf job = STRBUF_INIT;

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
