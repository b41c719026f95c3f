#include "tests/support/check.h"

#include <string.h>

#include "base/units.h"

static void check_parsed(const char *text, double want)
{
	double got = 0;
	struct err e = {0};

	check_ok(node_hours_parse(text, &got, &e), &e);
	check_rel(got, want, 1e-15);
}

static void check_refused(const char *text, const char *because)
{
	double got = 77;
	struct err e = {0};

	assert_int_equal(node_hours_parse(text, &got, &e), ERR_ARG);
	if (!strstr(e.msg, because)) {
		print_error("\"%s\" does not say \"%s\"\n", e.msg, because);
		fail();
	}
	check_abs(got, 77, 0);
}

static void node_hours_are_numbers_with_their_unit(void **state)
{
	(void)state;
	check_parsed("200nh", 200);
	check_parsed("1.5nh", 1.5);
	check_parsed("0.25 nh", 0.25);
	check_parsed("1e4nh", 1e4);
}

static void what_is_no_budget_says_what_would_be(void **state)
{
	(void)state;
	check_refused("200", "'200' has no unit: write 200nh");
	check_refused("30m", "'30m' is a time");
	check_refused("2h", "'2h' is a time");
	check_refused("200NH", "write 200nh or 1.5nh");
	check_refused("200ch", "write 200nh or 1.5nh");
	check_refused("200 node-hours", "write 200nh or 1.5nh");
	check_refused("nh", "write 200nh or 1.5nh");
	check_refused(" nh", "write 200nh or 1.5nh");
	check_refused("", "write 200nh or 1.5nh");
	check_refused("1,000nh", "write 200nh or 1.5nh");
	check_refused("0nh", "greater than zero");
	check_refused("-3nh", "greater than zero");
	check_refused("nannh", "write 200nh or 1.5nh");
	check_refused("infnh", "write 200nh or 1.5nh");
	check_refused("1e999nh", "write 200nh or 1.5nh");
	check_refused("0000000000000000000000000000000000000000000000000000000000000001nh",
		      "too many digits");
}

static void what_is_shown_is_never_less(void **state)
{
	static const struct {
		double node_hours;
		const char *text;
	} shown[] = {
		{310, "310 node-hours"},
		{310.01, "311 node-hours"},
		{12345.2, "12346 node-hours"},
		{5.201, "5.21 node-hours"},
		{0.1 + 0.2, "0.301 node-hours"},
		{99.99, "100.0 node-hours"},
		{1e-9, "0.00000000100 node-hours"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		char text[64];

		assert_string_equal(node_hours_format_up(shown[i].node_hours, text, sizeof text),
				    shown[i].text);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(node_hours_are_numbers_with_their_unit),
	cmocka_unit_test(what_is_no_budget_says_what_would_be),
	cmocka_unit_test(what_is_shown_is_never_less),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
