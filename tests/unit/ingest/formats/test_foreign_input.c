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
