#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "base/strbuf.h"
#include "ingest/formats/row_match.h"

FREEABLE(row_match)

/* "n=100 nb=32" for a text that looks like the template, "-" for one that does not. */
static void check_match(const char *template, const char *text, const char *want)
{
	struct row_capture capture[ROW_MATCH_NAMES_MAX];
	RELEASED(strbuf) spec = STRBUF_INIT, got = STRBUF_INIT;
	FREED(row_match) *m = NULL;

	strbuf_printf(&spec, "c=%s", template);
	must(row_match_new(strbuf_text(&spec), &m, &err));
	assert_string_equal(row_match_column(m), "c");
	assert_string_equal(row_match_template(m), template);
	if (!row_match_run(m, text, capture))
		strbuf_puts(&got, "-");
	else
		for (size_t i = 0; i < row_match_n_names(m); i++) {
			assert_string_equal(capture[i].name, row_match_name(m, i));
			strbuf_printf(&got, "%s%s=%.*s", i ? " " : "", capture[i].name,
				      (int)capture[i].len, capture[i].at);
		}
	assert_string_equal(strbuf_text(&got), want);
}

TEST(names_stand_for_the_shortest_text_that_fits)
{
	check_match("lu_n{n}_nb{nb}", "lu_n100_nb32", "n=100 nb=32");
	check_match("lu_n{n}_nb{nb}_*", "lu_n100_nb32_1_2", "n=100 nb=32");
	check_match("{a}x{b}", "1x2x3", "a=1 b=2x3");
	check_match("{a}x{b}x", "1x2x3x", "a=1 b=2x3");
	check_match("{a}x", "xx", "a=x"); /* never empty */
	check_match("*_{n}", "a_b_7", "n=b_7");
	check_match("{n}", "7", "n=7");
}

TEST(all_of_the_text_has_to_fit)
{
	check_match("lu", "lu", "");
	check_match("lu", "lu2", "-");
	check_match("lu*", "lu", "");
	check_match("lu*", "flu", "-");
	check_match("*lu", "flu", "");
	check_match("*", "", "");
	check_match("{n}", "", "-");
	check_match("n{n}", "n", "-");
	check_match("a*b*c", "abbc", "");
	check_match("a*b*c", "acb", "-");
	check_match("*ab*ab", "ab", "-"); /* one text is not two */
	check_match("*ab*ab", "abab", "");
	check_match("lu_n{n}", "LU_n1", "-");
}

TEST(what_is_no_template_is_refused)
{
	static const char *const wrong[][2] = {
		{"JobName", "write COLUMN=TEMPLATE"},
		{"=x", "write COLUMN=TEMPLATE"},
		{"a=", "write COLUMN=TEMPLATE"},
		{"a={n", "without its }"},
		{"a={n*}", "without its }"},
		{"a=n}", "without its {"},
		{"a={}", "the name of a column"},
		{"a={n}x{n}", "twice"},
		{"a={n}{m}", "between two"},
		{"a={n}*", "between two"},
		{"a=**", "between two"},
	};
	RELEASED(strbuf) many = STRBUF_INIT;
	struct row_match *m = NULL;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		must_fail(row_match_new(wrong[i][0], &m, &err), ERR_ARG, wrong[i][1]);
		assert_null(m);
	}
	strbuf_puts(&many, "a=");
	for (int i = 0; i <= ROW_MATCH_NAMES_MAX; i++)
		strbuf_puts(&many, "x*");
	must_fail(row_match_new(strbuf_text(&many), &m, &err), ERR_ARG, "more than 32");
}

TEST(without_memory_there_is_no_template)
{
	FREED(row_match) *m = NULL;

	failing_each_allocation (row_match_new("JobName=lu_n{n}", &m, &err), &err)
		assert_null(m);
}
