#include "tests/support/failing_allocations.h"
#include "tests/unit/ingest/formats/memory_input.h"

#include <jansson.h>

#include "ingest/formats/foreign_json.h"

FREEABLE(foreign_input)
FREEABLE(foreign_json)

static struct foreign_input *input(struct memory_input *c, const char *text)
{
	struct foreign_input *in = NULL;

	*c = (struct memory_input){.text = text, .n = strlen(text)};
	must(foreign_input_new("f", memory_read, c, 0, &in, &err));
	return in;
}

TEST(an_object_knows_its_line)
{
	struct memory_input c;
	FREED(foreign_input) *in =
		input(&c, "{\n \"a\\\"{\": [1, {\"b\": 2},\n {}],\n\n \"c\": {\n}}");
	FREED(foreign_json) *j = NULL;
	const json_t *root, *list;

	must(foreign_json_read(in, &j, &err));
	root = foreign_json_root(j);
	list = json_object_get(root, "a\"{");
	assert_int_equal(foreign_json_line(j, root), 1);
	assert_int_equal(foreign_json_line(j, json_array_get(list, 1)), 2);
	assert_int_equal(foreign_json_line(j, json_array_get(list, 2)), 3);
	assert_int_equal(foreign_json_line(j, json_object_get(root, "c")), 5);
	assert_int_equal(foreign_json_line(j, list), 1); /* an array has none */
}

TEST(a_value_of_many_lines_begins_where_its_text_does)
{
	static const char text[] = "{\"a\":\n{}}";
	struct memory_input c;
	FREED(foreign_input) *in = input(&c, "");
	FREED(foreign_json) *j = NULL;

	must(foreign_json_parse(in, text, strlen(text), 40, &j, &err));
	assert_int_equal(foreign_json_line(j, foreign_json_root(j)), 40);
	assert_int_equal(foreign_json_line(j, json_object_get(foreign_json_root(j), "a")), 41);
}

TEST(what_python_writes_for_not_finite_is_a_gap)
{
	struct memory_input c;
	FREED(foreign_input) *in = input(
		&c,
		"{\"a\": NaN, \"b\": [Infinity, -Infinity], \"NaN\": \"-Infinity\", \"c\": -1}");
	FREED(foreign_json) *j = NULL;
	const json_t *root;

	must(foreign_json_read(in, &j, &err));
	root = foreign_json_root(j);
	assert_string_equal(foreign_json_string(root, "a"), "");
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "b"), 1)), "");
	assert_string_equal(foreign_json_string(root, "NaN"), "-Infinity");
	assert_int_equal(json_integer_value(json_object_get(root, "c")), -1);
}

static void check_message(const char *text, const char *message)
{
	struct memory_input c;
	FREED(foreign_input) *in = input(&c, text);
	struct foreign_json *j = NULL;

	must_say(foreign_json_read(in, &j, &err), ERR_PARSE, message);
	assert_null(j);
}

TEST(faults_stand_at_their_line_and_column)
{
	/* A gap is as long as what it stands for: the comma too many is in column 11. */
	check_message("{\"a\":\nInfinity, , 1}",
		      "f:2:11: no valid JSON: string or '}' expected near ','");
	check_message("[1,\n2", "f:2:1: the JSON ends early: was the file cut off?");
	check_message("", "f:1:0: the JSON ends early: was the file cut off?");
	check_message(
		"{\"a\": 1,\n \"a\": 2}",
		"f:2:4: a member is there twice (duplicate object key near '\"a\"'): which one "
		"holds?");
	check_message("{\"a\": \"line\nbreak\"}",
		      "f:1:11: no valid JSON: unexpected newline near '\"line'");
}

TEST(sixty_four_levels_are_taken_and_no_more)
{
	char text[2 * (FOREIGN_JSON_DEPTH_MAX + 1) + 1] = {0};
	struct memory_input c;
	struct foreign_input *in;
	struct foreign_json *j = NULL;

	memset(text, '[', FOREIGN_JSON_DEPTH_MAX);
	memset(text + FOREIGN_JSON_DEPTH_MAX, ']', FOREIGN_JSON_DEPTH_MAX);
	in = input(&c, text);
	must(foreign_json_read(in, &j, &err));
	foreign_json_free(j);
	foreign_input_free(in);
	memset(text, '[', FOREIGN_JSON_DEPTH_MAX + 1);
	memset(text + FOREIGN_JSON_DEPTH_MAX + 1, ']', FOREIGN_JSON_DEPTH_MAX + 1);
	check_message(text, "f:1: objects and arrays within each other, more than 64 deep");
}

TEST(cells_are_texts_numbers_and_truths)
{
	struct memory_input c;
	FREED(foreign_input) *in = input(
		&c,
		"{\"t\": \"x y\", \"i\": 12345678901, \"r\": 0.1, \"w\": 64.0, \"b\": true, "
		"\"n\": null, \"a\": [1], \"o\": {}, \"\": 1, \"p\": \"/home/x\", \"q\": \"word\"}");
	FREED(foreign_json) *j = NULL;
	struct foreign_table *t = NULL;
	char *got;

	must(foreign_json_read(in, &j, &err));
	must(foreign_table_new("f", FOREIGN_BYTES_MAX, &t, &err));
	foreign_json_put_members(t, foreign_json_root(j));
	must(foreign_table_end_row(t, 1, &err));
	got = table_text(t);
	assert_string_equal(got, "t,i,r,w,b,n,p,q|x y,12345678901,0.1,64,true,,/home/x,word");
	free(got);
	foreign_table_free(t);

	must(foreign_table_new("f", FOREIGN_BYTES_MAX, &t, &err));
	foreign_json_put_words(t, foreign_json_root(j)); /* no paths, no texts of several words */
	must(foreign_table_end_row(t, 1, &err));
	got = table_text(t);
	assert_string_equal(got, "i,r,w,b,q|12345678901,0.1,64,true,word");
	free(got);
	foreign_table_free(t);
}

TEST(a_member_of_another_type_is_named)
{
	struct memory_input c;
	FREED(foreign_input) *in = input(&c, "{\"a\":\n{\"b\": 1}}");
	FREED(foreign_json) *j = NULL;
	struct err e = {0};
	const json_t *a;

	check_ok(foreign_json_read(in, &j, &e), &e);
	a = json_object_get(foreign_json_root(j), "a");
	assert_null(foreign_json_member(in, j, a, "b", JSON_ARRAY, &e));
	assert_string_equal(e.msg, "f:2: the member \"b\": an array is wanted");
	e = (struct err){0};
	assert_null(foreign_json_member(in, j, a, "c", JSON_STRING, &e));
	assert_string_equal(e.msg, "f:2: no member \"c\": a text is wanted");
}

static enum err_code read_texts(const struct foreign_input *in, const char *const *text, size_t n,
				struct err *e)
{
	struct foreign_json *j = NULL;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		rc = foreign_json_parse(in, text[i], strlen(text[i]), 1, &j, e);
		foreign_json_free(j);
		j = NULL;
	}
	return rc;
}

/* jansson's buffer has 16 bytes at first and grows at the sixteenth character. Where it could not,
 * a digit was lost, or the comma behind a number, which it found out by an assertion, or the quote
 * that ends a text. */
TEST(without_memory_there_is_no_json)
{
	static const char *const text[] = {"[0.12345678901234567]", "[123456789012345, 1]",
					   "[\"fourteen chars\"]", "{\"a\": {\"b\": []}}"};
	struct memory_input c;
	struct foreign_input *in = input(&c, "");
	struct foreign_json *j = NULL;

	failing_each_allocation (read_texts(in, text, sizeof text / sizeof text[0], &err), &err)
		;
	must(foreign_json_parse(in, text[0], strlen(text[0]), 1, &j, &err));
	assert_true(json_real_value(json_array_get(foreign_json_root(j), 0)) ==
		    0.12345678901234567);
	foreign_json_free(j);
	foreign_input_free(in);
}

TEST(keys_are_found_before_a_colon_only)
{
	assert_true(foreign_json_has_key("{\"a\" : 1}", "a"));
	assert_false(foreign_json_has_key("{\"b\": \"a\"}", "a"));
	assert_false(foreign_json_has_key("{\"ab\": 1}", "a"));
	assert_true(foreign_json_begins("\xef\xbb\xbf\n {", '{'));
	assert_false(foreign_json_begins("x{", '{'));
}
