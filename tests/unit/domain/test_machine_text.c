#include "tests/support/check.h"

#include <string.h>

#include "domain/machine_text.h"
#include "tests/support/failing_allocations.h"

static char name[] = "a \"good\" one", origin[] = "measured\there";
static struct cost_segment between[] = {{1, 15.016e-6, 1e-9, 1e-9, 1e-12},
					{16384, -2.5e-6, 1.25e-9, 0, 0},
					{4294967296.0, 7, 0, 0, 0}};
static struct cost_segment inside[] = {{2, 0.121438e-6, 6.75923e-10, 0, 0}};

static struct machine made(void)
{
	return (struct machine){.name = name,
				.origin = origin,
				.simulated = true,
				.cores_per_node = 2,
				.memory_bytes_per_node = 25276502016.0,
				.segment = between,
				.n_segment = 3,
				.blocking_bytes = 16384,
				.overhead_s = 2.5e-6,
				.segment_local = inside,
				.n_segment_local = 1,
				.blocking_local_bytes = 257,
				.overhead_local_s = 0.0475e-6};
}

static void check_segments(const struct cost_segment *got, const struct cost_segment *want,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* the first range reaches down to nothing */
		check_abs(got[i].from_bytes, i ? want[i].from_bytes : 0, 0);
		check_rel(got[i].intercept_s, want[i].intercept_s, 1e-6); /* 6 digits */
		check_abs(got[i].s_per_byte, want[i].s_per_byte, 1e-6 * want[i].s_per_byte);
	}
}

static void what_is_written_is_what_is_read(void **state)
{
	struct machine m = made(), *back = NULL;
	struct strbuf text = STRBUF_INIT;
	struct err e = {0};

	(void)state;
	check_ok(machine_put_text(&m, "one line\nand \"another\"\n", &text, &e), &e);
	assert_non_null(strstr(strbuf_text(&text), "# one line\n# and \"another\"\nmachine = {\n"));
	check_ok(machine_parse(strbuf_text(&text), "test", &back, &e), &e);
	assert_string_equal(back->name, name);
	assert_string_equal(back->origin, origin);
	assert_string_equal(back->title, "");
	assert_true(back->simulated && !back->has_loggp && !back->has_loggp_local);
	assert_int_equal(back->nodes, 0);
	assert_int_equal(back->cores_per_node, 2);
	check_abs(back->memory_bytes_per_node, 25276502016.0, 0);
	check_abs(back->blocking_bytes, 16384, 0);
	check_rel(back->overhead_s, 2.5e-6, 1e-12);
	assert_int_equal(back->n_segment, 3);
	check_segments(back->segment, between, 3);
	check_abs(back->blocking_local_bytes, 257, 0);
	check_rel(back->overhead_local_s, 0.0475e-6, 1e-12);
	assert_int_equal(back->n_segment_local, 1);
	check_segments(back->segment_local, inside, 1);
	machine_free(back);
	strbuf_release(&text);
}

static void what_is_not_known_is_not_written(void **state)
{
	struct machine m = {.name = name};
	struct strbuf text = STRBUF_INIT;
	struct err e = {0};

	(void)state;
	check_ok(machine_put_text(&m, "", &text, &e), &e);
	assert_string_equal(
		strbuf_text(&text),
		"machine = {\n  name = \"a \\\"good\\\" one\";\n  simulated = false;\n};\n");
	strbuf_release(&text);
}

static void a_name_that_is_none_is_refused(void **state)
{
	char bad[] = "two\nlines";
	struct machine m = {.name = bad};
	struct strbuf text = STRBUF_INIT;
	struct err e = {0};

	(void)state;
	assert_int_equal(machine_put_text(&m, "", &text, &e), ERR_ARG);
	assert_non_null(strstr(e.msg, "has a control character"));
	strbuf_release(&text);
}

static void without_memory_there_is_an_error(void **state)
{
	struct machine m = made();
	struct strbuf text = STRBUF_INIT;
	struct err e;

	(void)state;
	failing_each_allocation (machine_put_text(&m, "comment\n", &text, &e), &e)
		strbuf_release(&text);
	assert_non_null(strstr(strbuf_text(&text), "segments_local"));
	strbuf_release(&text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_written_is_what_is_read),
	cmocka_unit_test(what_is_not_known_is_not_written),
	cmocka_unit_test(a_name_that_is_none_is_refused),
	cmocka_unit_test(without_memory_there_is_an_error),
};

CHECK_MAIN(tests)
