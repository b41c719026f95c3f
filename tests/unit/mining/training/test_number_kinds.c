#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/number_kinds.h"

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

/* Column `column` has numbers of the kind, as item i. */
static void check_item(const struct number_kinds *found, size_t i, const char *column,
		       enum number_kind_name name)
{
	assert_int_equal(found->item[i].column, application_column(app, column));
	assert_int_equal(found->item[i].name, name);
}

static struct number_kinds found_in(double m_of_last)
{
	FREED(config_table) *t = powers(m_of_last);
	struct number_kinds found;

	number_kinds_find(t, &found);
	return found;
}

/* The sizes are 256 to 2048, and 100 to 300. */
TEST(columns_of_three_powers_are_found)
{
	const struct number_kinds found = found_in(2048);
	RELEASED(strbuf) text = STRBUF_INIT;

	assert_int_equal(found.n, 4);
	check_item(&found, 0, "m", NUMBER_POWER);
	check_item(&found, 1, "m", NUMBER_FACTORS);
	check_item(&found, 2, "n", NUMBER_FACTORS);
	check_item(&found, 3, "procs", NUMBER_POWER);
	assert_true(found.item[1].largest_factor == 2);
	assert_true(found.item[2].largest_factor == 5);
	number_kinds_explain(&found, app, &text);
	assert_string_equal(
		strbuf_text(&text),
		" Only powers of two were run of m and procs: other values may be off by 22 % "
		"more. No m with a prime factor above 2 was run: with one above 51, as in a "
		"transform, time may be another. No n with a prime factor above 5 was run: with "
		"one above 51, as in a transform, time may be another.");
}

/* 2038 is 2 * 1019: that is large, and was run. */
TEST(one_other_value_is_enough_to_know)
{
	const struct number_kinds found = found_in(2038), none = {.n = 0};
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(found.n, 2);
	check_item(&found, 0, "n", NUMBER_FACTORS);
	check_item(&found, 1, "procs", NUMBER_POWER);
	number_kinds_explain(&none, app, &text);
	assert_int_equal(text.len, 0);
}

TEST(what_counts_no_line_has_no_kind)
{
	const struct number_kinds halves = found_in(2000.5), long_lines = found_in(65537);

	assert_int_equal(halves.n, 2);
	check_item(&halves, 0, "n", NUMBER_FACTORS);
	assert_int_equal(long_lines.n, 2);
	check_item(&long_lines, 0, "n", NUMBER_FACTORS);
}

TEST(a_question_between_powers_leaves_them)
{
	const struct number_kinds found = found_in(2048);
	double row[16];

	qr_row(app, (struct qr){512, 300, 12, 0, 4}, row);
	assert_true(number_kinds_sd(&found, row) == 0);
	row[application_column(app, "m")] = NAN;
	assert_true(number_kinds_sd(&found, row) == 0);
	row[application_column(app, "procs")] = 6;
	assert_true(number_kinds_sd(&found, row) == NUMBER_KIND_SD);
	/* another power of two, beyond those seen, is of the same kind */
	row[application_column(app, "procs")] = 1024;
	assert_true(number_kinds_sd(&found, row) == 0);
}

/* The largest that was run is 31 of m and 5 of n. */
TEST(a_large_prime_factor_is_beyond_by_its_doublings)
{
	const struct number_kinds found = found_in(1984);
	RELEASED(strbuf) text = STRBUF_INIT;
	double row[16];

	qr_row(app, (struct qr){512, 338 /* 2 * 13 * 13 */, 12, 0, 4}, row);
	assert_true(number_kinds_factor_doublings(&found, row) == 0);
	row[application_column(app, "n")] = 96 * 47;
	assert_true(number_kinds_factor_doublings(&found, row) == 0);
	row[application_column(app, "n")] = 257.5;
	assert_true(number_kinds_factor_doublings(&found, row) == 0);
	number_kinds_explain_row(&found, app, row, "; ", &text);
	assert_int_equal(text.len, 0);
	row[application_column(app, "n")] = 257;
	assert_true(number_kinds_factor_doublings(&found, row) == log2(257. / 13));
	number_kinds_explain_row(&found, app, row, "; ", &text);
	assert_string_equal(strbuf_text(&text), "; no n with a prime factor above 5 was run");
	row[application_column(app, "n")] = NAN;
	row[application_column(app, "m")] = 961;
	assert_true(number_kinds_factor_doublings(&found, row) == 0);
	row[application_column(app, "m")] = 1021;
	assert_true(number_kinds_factor_doublings(&found, row) == log2(1021. / 31));
}

/* 256, 512, 1024 and 31 * 64 of m. */
TEST(a_size_that_is_not_aligned_leaves_those_that_are)
{
	const struct number_kinds found = found_in(1984);
	struct strbuf text = STRBUF_INIT;
	double row[16];

	check_item(&found, 0, "m", NUMBER_ALIGNED);
	number_kinds_explain(&found, app, &text);
	assert_non_null(strstr(strbuf_text(&text),
			       " Only multiples of 64 were run of m: what is no multiple of 16 may "
			       "be off by 22 % more."));
	strbuf_release(&text);
	qr_row(app, (struct qr){1200, 300, 12, 0, 4}, row); /* 75 * 16 */
	assert_true(number_kinds_sd(&found, row) == 0);
	row[application_column(app, "m")] = 1208; /* 8 * 151 */
	assert_true(number_kinds_sd(&found, row) == NUMBER_KIND_SD);
}

static enum err_code explain(const struct number_kinds *found, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	bool failed;

	number_kinds_explain(found, app, &text);
	failed = text.failed;
	strbuf_release(&text);
	return failed ? err_set(e, ERR_NOMEM, "text") : ERR_OK;
}

TEST(what_could_not_be_said_is_known)
{
	const struct number_kinds found = found_in(1984);

	failing_each_allocation (explain(&found, &err), &err)
		;
}

static void check_stored(const struct number_kinds *found)
{
	struct number_kinds loaded;
	RELEASED(kb_fit) fit = {0};

	must(number_kinds_store(found, app, &fit, &err));
	number_kinds_load(&fit, app, &loaded);
	assert_int_equal(loaded.n, found->n);
	for (size_t i = 0; i < found->n; i++) {
		assert_int_equal(loaded.item[i].column, found->item[i].column);
		assert_int_equal(loaded.item[i].name, found->item[i].name);
		if (found->item[i].name == NUMBER_FACTORS)
			assert_true(loaded.item[i].largest_factor == found->item[i].largest_factor);
	}
}

TEST(what_is_stored_is_loaded)
{
	const struct number_kinds powers_only = found_in(2048), both = found_in(1984);

	check_stored(&powers_only);
	check_stored(&both);
}

TEST_GROUP(qr_set_up, qr_tear_down)
