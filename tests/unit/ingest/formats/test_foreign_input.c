#include "tests/unit/ingest/formats/memory_input.h"
#include "tests/support/failing_allocations.h"

FREEABLE(foreign_input)

static struct foreign_input *open_text(struct memory_input *m, uint64_t max_bytes)
{
	struct foreign_input *in = NULL;

	must(foreign_input_new("f.txt", memory_read, m, max_bytes, &in, &err));
	return in;
}

static void check_line(struct foreign_input *in, uint64_t number, const char *text)
{
	struct foreign_line line;

	must(foreign_input_line(in, &line, &err));
	assert_int_equal(line.number, number);
	if (!text) {
		assert_null(line.text);
		return;
	}
	assert_string_equal(line.text, text);
	assert_int_equal(line.len, strlen(text));
}

TEST(lines_end_as_on_any_system_and_the_last_need_not)
{
	static const char text[] = "\xef\xbb\xbf"
				   "one\r\n\ntwo \r x\n\r\nlast";

	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct memory_input m = {text, sizeof text - 1, 0, piece};
		FREED(foreign_input) *in = open_text(&m, 0);

		check_line(in, 1, "one");
		check_line(in, 2, "");
		check_line(in, 3, "two \r x");
		check_line(in, 4, "");
		check_line(in, 5, "last");
		check_line(in, 6, NULL);
		check_line(in, 6, NULL);
	}
}

TEST(an_empty_file_has_no_line_and_an_empty_text)
{
	struct memory_input m = {"", 0, 0, 1};
	FREED(foreign_input) *in = open_text(&m, 0);
	const char *text = NULL;
	size_t n = 7;

	check_line(in, 1, NULL);
	must(foreign_input_text(in, &text, &n, &err));
	assert_int_equal(n, 0);
	assert_string_equal(text, "");
}

TEST(a_text_is_what_lines_left)
{
	static const char text[] = "head\n{\n}\n";

	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct memory_input m = {text, sizeof text - 1, 0, piece};
		FREED(foreign_input) *in = open_text(&m, 0);
		const char *rest = NULL;
		size_t n;

		check_line(in, 1, "head");
		must(foreign_input_text(in, &rest, &n, &err));
		assert_string_equal(rest, "{\n}\n");
		assert_int_equal(n, 4);
	}
}

static void check_fault(struct memory_input m, uint64_t max_bytes, const char *want)
{
	FREED(foreign_input) *in = open_text(&m, max_bytes);
	struct foreign_line line = {.text = ""};
	struct err e = {0};
	enum err_code rc = ERR_OK;

	while (!rc && line.text)
		rc = foreign_input_line(in, &line, &e);
	assert_int_equal(rc, ERR_PARSE);
	assert_non_null(strstr(e.msg, want));
}

TEST(what_is_no_text_or_too_long_is_refused_with_its_line)
{
	size_t n = FOREIGN_LINE_MAX + 4;
	HEAP char *longest = malloc(n);

	assert_non_null(longest);
	memset(longest, 'x', n);
	longest[1] = '\n';
	check_fault((struct memory_input){longest, n, 0, 4096}, 0, "f.txt:2: the line is longer");
	check_fault((struct memory_input){"a\nb\0c\n", 6, 0, 2}, 0, "f.txt:2: a NUL byte");
	check_fault((struct memory_input){"a\nb\nc\n", 6, 0, 2}, 5, "more than 5 bytes");
}

TEST(a_line_of_the_largest_length_is_taken)
{
	size_t n = FOREIGN_LINE_MAX;
	HEAP char *longest = malloc(n + 1);
	struct memory_input m = {longest, n, 0, 100000};
	FREED(foreign_input) *in = open_text(&m, 0);

	assert_non_null(longest);
	memset(longest, 'x', n);
	longest[n] = '\0';
	check_line(in, 1, longest);
	check_line(in, 2, NULL);
}

TEST(a_nul_in_a_text_is_found_with_its_line)
{
	struct memory_input m = {"a\nb\nc\0d\n", 8, 0, 3};
	FREED(foreign_input) *in = open_text(&m, 0);
	const char *text;
	size_t n;

	check_line(in, 1, "a");
	must_fail(foreign_input_text(in, &text, &n, &err), ERR_PARSE, "f.txt:3: a NUL byte");
}

static enum err_code read_through(struct err *e)
{
	struct memory_input m = {"one\ntwo\nthree", 13, 0, 4};
	FREED(foreign_input) *in = NULL;
	struct foreign_line line = {.text = ""};
	enum err_code rc = foreign_input_new("f.txt", memory_read, &m, 0, &in, e);

	while (!rc && line.text)
		rc = foreign_input_line(in, &line, e);
	return rc;
}

TEST(without_memory_there_is_an_error)
{
	struct err e;

	failing_each_allocation (read_through(&e), &e)
		assert_int_equal(e.code, ERR_NOMEM);
}

/* ---- the words of a line ---- */

TEST(words_are_counted_all_and_kept_as_far_as_there_is_room)
{
	static const char line[] = "  one\ttwo \t three";
	struct blank_field f[3] = {[2] = {"untouched", 9}};

	assert_int_equal(blank_fields(line, f, 2), 3);
	assert_ptr_equal(f[0].at, line + 2);
	assert_int_equal(f[0].len, 3);
	assert_ptr_equal(f[1].at, line + 6);
	assert_int_equal(f[1].len, 3);
	assert_string_equal(f[2].at, "untouched");
	assert_int_equal(blank_fields(line, f, 3), 3);
	assert_int_equal(f[2].len, 5); /* the last ends with the line */
	assert_int_equal(blank_fields(line, NULL, 0), 3);
	assert_int_equal(blank_fields("", f, 3), 0);
	assert_int_equal(blank_fields(" \t", f, 3), 0);
	/* nothing else is a blank */
	assert_int_equal(blank_fields("a\r\v\f\xc2\xa0z", f, 3), 1);
	assert_int_equal(f[0].len, 7);
}

TEST(a_word_is_compared_whole_and_copied_as_far_as_there_is_room)
{
	struct blank_field f;
	char copy[4] = "xyz";

	assert_int_equal(blank_fields("abcd e", &f, 1), 2);
	assert_true(blank_field_is(&f, "abcd"));
	assert_false(blank_field_is(&f, "abc"));
	assert_false(blank_field_is(&f, "abcd e"));
	assert_false(blank_field_is(&f, "abce"));
	assert_false(blank_field_is(&f, ""));
	assert_ptr_equal(blank_field_copy(&f, copy, sizeof copy), copy);
	assert_string_equal(copy, "abc");
	assert_string_equal(blank_field_copy(&f, copy, 1), "");
	f.len = 3; /* as long as there is room for */
	assert_string_equal(blank_field_copy(&f, copy, sizeof copy), "abc");
}

TEST(a_word_is_a_finite_decimal_number_or_none)
{
	static const struct {
		const char *text;
		double want;
	} number[] = {{"1e3", 1000}, {"-2.5", -2.5}, {"0", 0}, {"+7", 7}, {".5", 0.5}};
	static const char *const none[] = {"a",	    "1a",   "1,5", "nan", "inf",
					   "1e999", "0x10", "-",   "+"};
	struct blank_field f;
	char digits[65];
	double x;

	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
		assert_int_equal(blank_fields(number[i].text, &f, 1), 1);
		assert_true(blank_field_number(&f, &x));
		assert_true(x == number[i].want);
	}
	x = 77;
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		assert_int_equal(blank_fields(none[i], &f, 1), 1);
		assert_false(blank_field_number(&f, &x));
	}
	/* up to 63 characters; a longer one is not cut to a number */
	memset(digits, '0', sizeof digits);
	digits[62] = '5';
	assert_false(blank_field_number(&(struct blank_field){digits, 0}, &x));
	assert_false(blank_field_number(&(struct blank_field){digits, 64}, &x));
	assert_true(x == 77);
	assert_true(blank_field_number(&(struct blank_field){digits, 63}, &x));
	assert_true(x == 5);
}
