#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/power_columns.h"

FREEABLE(config_table)

/* Sixteen runs: m, b and procs are powers of two, of b only two; n is not. */
static struct config_table *powers(double m_of_last)
{
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t = NULL;

	for (int i = 0; i < 16; i++) {
		struct qr c = {1 << (8 + i % 4), 100 * (1 + i % 3), 8 << i % 2, 0, 1 << i / 4};

		if (i == 15)
			c.m = m_of_last;
		qr_add(d, c, 1 + i);
	}
	must(config_table_make(d, &t, &err));
	return t;
}

static struct power_columns found_in(double m_of_last)
{
	FREED(config_table) *t = powers(m_of_last);
	struct power_columns found;

	power_columns_find(t, &found);
	return found;
}

TEST(columns_of_three_powers_are_found)
{
	const struct power_columns found = found_in(2048);
	RELEASED(strbuf) text = STRBUF_INIT;

	assert_int_equal(found.n, 2);
	assert_int_equal(found.column[0], application_column(app, "m"));
	assert_int_equal(found.column[1], application_column(app, "procs"));
	power_columns_explain(&found, app, &text);
	assert_string_equal(strbuf_text(&text), " Only powers of two were run of m and procs: "
						"other values may be off by 22 % more.");
}

TEST(one_other_value_is_enough_to_know)
{
	const struct power_columns found = found_in(2000), none = {.n = 0};
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(found.n, 1);
	assert_int_equal(found.column[0], application_column(app, "procs"));
	power_columns_explain(&none, app, &text);
	assert_int_equal(text.len, 0);
}

TEST(a_question_between_powers_leaves_them)
{
	const struct power_columns found = found_in(2048);
	double row[16];

	qr_row(app, (struct qr){512, 300, 12, 0, 4}, row);
	assert_false(power_columns_leaves(&found, row));
	row[application_column(app, "m")] = NAN;
	assert_false(power_columns_leaves(&found, row));
	row[application_column(app, "procs")] = 6;
	assert_true(power_columns_leaves(&found, row));
	/* another power of two, beyond those seen, is of the same kind */
	row[application_column(app, "procs")] = 1024;
	assert_false(power_columns_leaves(&found, row));
}

/* 256, 512, 1024 and 31 * 64 of m. */
TEST(a_size_that_is_not_aligned_leaves_those_that_are)
{
	const struct power_columns found = found_in(1984);
	struct strbuf text = STRBUF_INIT;
	double row[16];

	assert_int_equal(found.n, 2);
	power_columns_explain(&found, app, &text);
	assert_string_equal(strbuf_text(&text),
			    " Only powers of two were run of procs: other values may be off by "
			    "22 % more. Only multiples of 64 were run of m: what is no multiple of "
			    "16 may be off by 22 % more.");
	strbuf_release(&text);
	qr_row(app, (struct qr){1200, 300, 12, 0, 4}, row); /* 75 * 16 */
	assert_false(power_columns_leaves(&found, row));
	row[application_column(app, "m")] = 1208;
	assert_true(power_columns_leaves(&found, row));
}

static enum err_code explain(const struct power_columns *found, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	bool failed;

	power_columns_explain(found, app, &text);
	failed = text.failed;
	strbuf_release(&text);
	return failed ? err_set(e, ERR_NOMEM, "text") : ERR_OK;
}

TEST(what_could_not_be_said_is_known)
{
	const struct power_columns found = found_in(1984);

	failing_each_allocation (explain(&found, &err), &err)
		;
}

static void check_stored(const struct power_columns *found)
{
	struct power_columns loaded;
	RELEASED(kb_fit) fit = {0};

	must(power_columns_store(found, app, &fit, &err));
	power_columns_load(&fit, app, &loaded);
	assert_int_equal(loaded.n, found->n);
	assert_memory_equal(loaded.column, found->column, found->n * sizeof *found->column);
	assert_memory_equal(loaded.aligned, found->aligned, found->n * sizeof *found->aligned);
}

TEST(what_is_stored_is_loaded)
{
	const struct power_columns powers_only = found_in(2048), both = found_in(1984);

	check_stored(&powers_only);
	check_stored(&both);
}

TEST_GROUP(qr_set_up, qr_tear_down)
