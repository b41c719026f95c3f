#include "tests/support/check.h"
#include "base/err.h"

TEST(the_first_error_wins)
{
	struct err e = {0};

	assert_int_equal(err_set(&e, ERR_PARSE, "%s:%d: bad", "a.csv", 7), ERR_PARSE);
	assert_int_equal(err_set(&e, ERR_IO, "clean-up failed too"), ERR_IO);
	assert_int_equal(e.code, ERR_PARSE);
	assert_string_equal(e.msg, "a.csv:7: bad");
}

TEST(a_code_comes_back_when_nobody_wants_the_message)
{
	assert_int_equal(err_set(NULL, ERR_NOMEM, "x"), ERR_NOMEM);
}

TEST(a_message_that_is_too_long_is_cut)
{
	struct err e = {0};
	char text[3000];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	err_set(&e, ERR_ARG, "%s", text);
	assert_int_equal(strlen(e.msg), sizeof e.msg - 1);
}

TEST(what_came_from_input_makes_no_line_and_no_colour)
{
	struct err e = {0};

	err_set(&e, ERR_ARG, "no '%s' here", "a\nlemnos: b\t\033[31m\xff");
	assert_string_equal(e.msg, "no 'a\\x0alemnos: b\\x09\\x1b[31m\\xff' here");
}

TEST(lines_of_advice_stay_lines)
{
	struct err e = {0};

	assert_int_equal(err_set_lines(&e, ERR_ARG, "\n  type this\033", "no %s:", "a\nb"),
			 ERR_ARG);
	assert_string_equal(e.msg, "no a\\x0ab:\n  type this\\x1b");
	assert_int_equal(err_set_lines(&e, ERR_IO, "\nx", "later"), ERR_IO);
	assert_int_equal(e.code, ERR_ARG);
	assert_int_equal(err_set_lines(NULL, ERR_IO, "\nx", "nobody asks"), ERR_IO);
}

TEST(every_code_has_a_text_and_an_exit_status_of_the_contract)
{
	for (int code = ERR_OK + 1; code <= ERR_INTERRUPTED; code++) {
		int status = err_exit_status((enum err_code)code);

		assert_true((status >= 1 && status <= 5) || status == 130);
		assert_true(strlen(err_text((enum err_code)code)) > 5);
	}
	assert_int_equal(err_exit_status(ERR_OK), 0);
	assert_int_equal(err_exit_status((enum err_code)999), 5);
	assert_string_equal(err_text((enum err_code)999), "unknown error");
}

TEST(names_of_codes_read_back)
{
	enum err_code back = ERR_KB;

	assert_string_equal(err_name(ERR_NOTFOUND), "NOTFOUND");
	for (int code = ERR_OK; code <= ERR_INTERRUPTED; code++) {
		assert_true(err_from_name(err_name((enum err_code)code), &back));
		assert_int_equal(back, code);
	}
	back = ERR_KB;
	assert_false(err_from_name("notfound", &back));
	assert_false(err_from_name(err_name((enum err_code)999), &back));
	assert_int_equal(back, ERR_KB);
}
