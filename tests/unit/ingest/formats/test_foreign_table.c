#include "tests/unit/ingest/formats/memory_input.h"
#include "tests/support/failing_allocations.h"

FREEABLE(foreign_table)

static struct foreign_table *new_table(void)
{
	struct foreign_table *t = NULL;

	must(foreign_table_new("f", FOREIGN_BYTES_MAX, &t, &err));
	return t;
}

TEST(columns_come_as_rows_name_them_and_gaps_are_empty)
{
	FREED(foreign_table) *t = new_table();

	foreign_table_put(t, "a", "1");
	must(foreign_table_end_row(t, 3, &err));
	foreign_table_put_number(t, "b", 0.1);
	foreign_table_put_n(t, "a", "25", 1);
	must(foreign_table_end_row(t, 9, &err));
	must(foreign_table_end_row(t, 10, &err));
	assert_int_equal(foreign_table_n_columns(t), 2);
	assert_int_equal(foreign_table_n_rows(t), 3);
	assert_string_equal(cell(t, 0, "a"), "1");
	assert_string_equal(cell(t, 0, "b"), "");
	assert_string_equal(cell(t, 1, "a"), "2");
	assert_string_equal(cell(t, 1, "b"), "0.1");
	assert_string_equal(cell(t, 2, "a"), "");
	assert_int_equal(record(t, 0).line, 3);
	assert_int_equal(record(t, 1).line, 9);
}

TEST(the_last_value_of_a_cell_holds_and_a_dropped_row_is_gone)
{
	FREED(foreign_table) *t = new_table();

	foreign_table_put(t, "a", "1");
	foreign_table_drop_row(t);
	foreign_table_put(t, "b", "2");
	foreign_table_put(t, "b", "3");
	must(foreign_table_end_row(t, 1, &err));
	assert_int_equal(foreign_table_n_rows(t), 1);
	assert_string_equal(cell(t, 0, "a"), "");
	assert_string_equal(cell(t, 0, "b"), "3");
}

TEST(a_refused_row_keeps_its_text_and_why)
{
	FREED(foreign_table) *t = new_table();

	foreign_table_put(t, "a", "1");
	must(foreign_table_refuse_row(t, 4, "no row", "it has 3 fields", "x|y|z", &err));
	foreign_table_put(t, "a", "2");
	must(foreign_table_end_row(t, 5, &err));
	assert_string_equal(record(t, 0).bad, "it has 3 fields");
	assert_string_equal(record(t, 0).bad_kind, "no row");
	assert_string_equal(record(t, 0).text, "x|y|z");
	assert_string_equal(cell(t, 0, "a"), "");
	assert_null(record(t, 1).bad);
	assert_string_equal(cell(t, 1, "a"), "2");
}

TEST(many_columns_are_told_apart_and_too_many_refused)
{
	FREED(foreign_table) *t = new_table();
	char name[32];

	for (int i = 0; i < FOREIGN_COLUMNS_MAX; i++) {
		snprintf(name, sizeof name, "column %d", i);
		assert_int_equal(foreign_table_column(t, name), i);
	}
	for (int i = 0; i < FOREIGN_COLUMNS_MAX; i += 777) {
		snprintf(name, sizeof name, "column %d", i);
		assert_int_equal(foreign_table_column(t, name), i);
	}
	must(foreign_table_end_row(t, 1, &err));
	assert_true(foreign_table_column(t, "one more") == SIZE_MAX);
	foreign_table_put(t, "one more", "1");
	must_fail(foreign_table_end_row(t, 2, &err), ERR_PARSE, "f:2: more than 10000 columns");
}

TEST(a_sparse_table_that_would_fill_memory_is_refused)
{
	FREED(foreign_table) *t = new_table();
	enum err_code rc = ERR_OK;
	char name[32];
	uint64_t line = 0;

	for (int i = 0; i < FOREIGN_COLUMNS_MAX; i++) {
		snprintf(name, sizeof name, "%d", i);
		foreign_table_column(t, name);
	}
	while (!rc && line < FOREIGN_CELLS_MAX)
		rc = foreign_table_end_row(t, ++line, &err);
	assert_int_equal(rc, ERR_PARSE);
	/* 2^28 cells in rows of 10000: 26843 whole ones */
	assert_int_equal(foreign_table_n_rows(t), 26843);
}

TEST(a_table_of_more_bytes_than_asked_for_is_refused)
{
	FREED(foreign_table) *t = NULL;

	/* a cell takes 4 bytes for its column, its text and a NUL: two rows of 4 + 11 + 1 are 32 */
	must(foreign_table_new("f", 32, &t, &err));
	for (uint64_t line = 1; line <= 2; line++) {
		foreign_table_put(t, "command", "sleep 1; ls");
		must(foreign_table_end_row(t, line, &err));
	}
	foreign_table_put(t, "command", "sleep 1; ls");
	foreign_table_drop_row(t); /* what is not kept does not count */
	must(foreign_table_end_row(t, 3, &err));
	foreign_table_put(t, "command", "");
	must_fail(foreign_table_end_row(t, 4, &err), ERR_PARSE,
		  "f:4: a table of more than 32 bytes, after 3 rows");
	assert_int_equal(foreign_table_n_rows(t), 3);
	assert_string_equal(cell(t, 1, "command"), "sleep 1; ls");
	must_fail(foreign_table_refuse_row(t, 5, "kind", "reason", "text", &err), ERR_PARSE,
		  "f:5: a table of more than 32 bytes");
}

TEST(a_match_makes_no_column_that_a_later_row_has)
{
	FREED(foreign_table) *t = new_table();

	must(foreign_table_match(t, "name=lu_n{n}", &err));
	for (uint64_t line = 1; line <= 2; line++) {
		foreign_table_put(t, "name", "lu_n100");
		must(foreign_table_end_row(t, line, &err));
	}
	assert_string_equal(cell(t, 1, "n"), "100");
	foreign_table_put(t, "name", "lu_n200");
	foreign_table_put(t, "n", "7");
	must_say(foreign_table_end_row(t, 3, &err), ERR_ARG,
		 "--match name=lu_n{n}: f has a column n of its own");
}

static enum err_code fill(struct err *e)
{
	struct foreign_table *t = NULL;
	enum err_code rc = foreign_table_new("f", FOREIGN_BYTES_MAX, &t, e);
	char name[8];

	if (rc)
		return rc;
	for (int row = 0; row < 70 && !rc; row++) {
		snprintf(name, sizeof name, "c%d", row);
		foreign_table_put(t, name, "1");
		foreign_table_put_number(t, "x", row);
		rc = foreign_table_end_row(t, 1, e);
	}
	if (!rc)
		rc = foreign_table_refuse_row(t, 2, "kind", "reason", "text", e);
	foreign_table_free(t);
	return rc;
}

TEST(without_memory_the_row_fails)
{
	struct err e;

	failing_each_allocation (fill(&e), &e)
		assert_int_equal(e.code, ERR_NOMEM);
}
