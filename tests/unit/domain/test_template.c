#include "tests/support/check.h"

#include "domain/template.h"

FREEABLE(template)

/* Columns n, p (numbers) and layout (text) with the levels below. */
static struct levels layouts;

static const char *const names[] = {"n", "p", "layout"};
static const struct levels *const levels[] = {NULL, NULL, &layouts};
static const struct expr_scope scope = {names, levels, 3, NULL, false};

enum { PLAIN, SPACED, HOSTILE, TWO_LINES, EMPTY };

static int add_layouts(void **state)
{
	return levels_add(&layouts, "DGZ") != PLAIN ||
	       levels_add(&layouts, "row major") != SPACED ||
	       levels_add(&layouts, "$(touch x)") != HOSTILE ||
	       levels_add(&layouts, "a\nb") != TWO_LINES || levels_add(&layouts, "") != EMPTY;
}

static int release_layouts(void **state)
{
	levels_release(&layouts);
	return 0;
}

static enum err_code fill(const char *text, double n, double p, double layout,
			  enum template_use use, struct strbuf *out, struct err *e)
{
	const double row[] = {n, p, layout};
	FREED(template) *t = NULL;
	enum err_code rc = template_parse(text, &scope, &t, e);

	if (!rc)
		rc = template_fill(t, row, use, out, e);
	return rc;
}

static void check_filled(const char *text, const char *want)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	must(fill(text, 280, 3, PLAIN, TEMPLATE_FILE, &out, &err));
	assert_string_equal(strbuf_text(&out), want);
}

TEST(candidate_points_are_filled_with_columns_and_expressions)
{
	check_filled("", "");
	check_filled("no place", "no place");
	check_filled("{n} {p}\n", "280 3\n");
	check_filled("{n}{p}", "2803");
	check_filled("{-p} {n / 100} {ceildiv(n, p)}", "-3 2.8 94"); /* 280 / 3 = 93.3 */
	check_filled("-l {layout}.x", "-l DGZ.x");
}

TEST(doubled_braces_are_braces)
{
	check_filled("{{n}} }}{{ {{{n}}}", "{n} }{ {280}");
}

static void check_refused(const char *text, const char *word)
{
	struct template *t = NULL;

	must_fail(template_parse(text, &scope, &t, &err), ERR_PARSE, word);
	assert_null(t);
}

TEST(what_cannot_be_filled_is_refused_when_it_is_read)
{
	check_refused("{m}", "{m}: ");
	check_refused("{m}", "'m'");
	check_refused("a { b", "a { without its }");
	check_refused("{n {p}", "a { without its }");
	check_refused("n}", "a } without its {");
	check_refused("{}", "{}: ");
	check_refused("{n +}", "{n +}: ");
	check_refused("{layout + 1}", "{layout + 1}: ");
}

TEST(a_place_without_a_value_is_an_error)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	must_say(fill("{n}", NAN, 1, PLAIN, TEMPLATE_FILE, &out, &err), ERR_ARG,
		 "{n} has no value in this configuration");
	must_fail(fill("{n / p}", 1, 0, PLAIN, TEMPLATE_FILE, &out, &err), ERR_ARG, "");
	must_fail(fill("{layout}", 1, 1, NAN, TEMPLATE_FILE, &out, &err), ERR_ARG, "");
}

TEST(texts_that_a_shell_would_interpret_do_not_get_into_commands)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	must(fill("{layout}", 1, 1, PLAIN, TEMPLATE_COMMAND, &out, &err));
	for (int i = SPACED; i <= EMPTY; i++) {
		must_fail(fill("{layout}", 1, 1, i, TEMPLATE_COMMAND, &out, &err), ERR_ARG,
			  "that cannot stand in a command");
	}
	assert_string_equal(strbuf_text(&out), "DGZ");
}

TEST(texts_of_files_stay_on_their_line)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	must(fill("{layout};", 1, 1, HOSTILE, TEMPLATE_FILE, &out, &err));
	must(fill("{layout};", 1, 1, SPACED, TEMPLATE_FILE, &out, &err));
	must(fill("{layout};", 1, 1, EMPTY, TEMPLATE_FILE, &out, &err));
	assert_string_equal(strbuf_text(&out), "$(touch x);row major;;");
	assert_int_equal(fill("{layout}", 1, 1, TWO_LINES, TEMPLATE_FILE, &out, &err), ERR_ARG);
}

TEST_GROUP(add_layouts, release_layouts)
