#include "tests/unit/mining/qr_application.h"

#include "mining/findings/findings_private.h"

/* Column b of the QR application in bins that a test gives, without any runs. */
enum { MAX_ROWS = 100 };

struct binned {
	struct application *app;
	struct column_bins bins[16];
	unsigned char code[16 * MAX_ROWS];
	struct slowdown_table t;
	size_t column;
	struct column_groups g;
};

/* count[i] configurations in bin i, and n_missing in none; grouped. */
static void open_bins(struct binned *x, const char *column, bool ordered, const size_t *count,
		      size_t n_bins, size_t n_missing, size_t most)
{
	unsigned char *code;
	size_t n = 0;

	memset(x, 0, sizeof *x);
	x->app = qr_application();
	x->column = application_column(x->app, column);
	for (size_t b = 0; b < n_bins; b++)
		n += count[b];
	x->t = (struct slowdown_table){.app = x->app,
				       .n = n + n_missing,
				       .n_columns = x->app->n_columns,
				       .bins = x->bins,
				       .code = x->code};
	assert_true(x->t.n <= MAX_ROWS);
	x->bins[x->column] = (struct column_bins){.n = n_bins, .ordered = ordered};
	code = x->code + x->column * x->t.n;
	for (size_t b = 0; b < n_bins; b++) {
		for (size_t k = 0; k < count[b]; k++)
			*code++ = (unsigned char)b;
	}
	memset(code, BIN_MISSING, n_missing);
	column_groups_make(&x->t, x->column, most, &x->g);
}

static void check_groups(const struct binned *x, size_t n, const unsigned char *lo,
			 const unsigned char *hi)
{
	assert_int_equal(x->g.n, n);
	assert_memory_equal(x->g.lo, lo, n);
	assert_memory_equal(x->g.hi, hi, n);
}

/* Eight bins of ten: two each. */
TEST(equal_bins_make_equal_groups)
{
	static const size_t count[] = {10, 10, 10, 10, 10, 10, 10, 10};
	static const unsigned char lo[] = {0, 2, 4, 6}, hi[] = {1, 3, 5, 7};
	struct binned x;

	open_bins(&x, "b", true, count, 8, 0, 4);
	check_groups(&x, 4, lo, hi);
	assert_true(x.g.ordered && !x.g.has_rest);
	for (int b = 0; b < 8; b++)
		assert_int_equal(x.g.of_code[b], b / 2);
	assert_int_equal(x.g.of_code[8], GROUP_NONE);
	application_free(x.app);
}

/* A bin goes where its middle lies, in quarters of 40: 2, 4, 20, 36.5, 38.5, 39.5 are in quarters
 * 0, 0, 2, 3, 3, 3; bin 2 is empty and in no group. */
TEST(a_bin_goes_where_its_middle_lies)
{
	static const size_t count[] = {4, 1, 0, 30, 3, 1, 1};
	static const unsigned char lo[] = {0, 3, 4}, hi[] = {1, 3, 6};
	struct binned x;

	open_bins(&x, "b", true, count, 7, 0, 4);
	check_groups(&x, 3, lo, hi);
	assert_int_equal(x.g.of_code[2], GROUP_NONE);
	assert_int_equal(x.g.of_code[3], 1);
	application_free(x.app);
}

/* As many as there may be: none is merged, however rare; nor are missing values in any. */
TEST(no_more_bins_than_groups_have_one_each)
{
	static const size_t count[] = {60, 1, 1, 1};
	static const unsigned char lo[] = {0, 1, 2, 3};
	struct binned x;

	open_bins(&x, "b", true, count, 4, 20, 4);
	check_groups(&x, 4, lo, lo);
	assert_int_equal(x.g.of_code[BIN_MISSING], GROUP_NONE);
	application_free(x.app);
}

/* Of five levels three groups: the two most frequent, 3 and 1 (as frequent as 4, and before it),
 * and the rest, of which one stands for all. */
TEST(frequent_levels_have_groups_of_their_own)
{
	static const size_t count[] = {5, 9, 0, 20, 9, 1};
	static const unsigned char lo[] = {3, 1, 5};
	static const unsigned char of_code[] = {2, 1, GROUP_NONE, 0, 2, 2};
	struct binned x;

	open_bins(&x, "layout", false, count, 6, 7, 3);
	check_groups(&x, 3, lo, lo);
	assert_true(x.g.has_rest && !x.g.ordered);
	assert_memory_equal(x.g.of_code, of_code, sizeof of_code);
	assert_int_equal(x.g.of_code[BIN_MISSING], GROUP_NONE);
	application_free(x.app);
	open_bins(&x, "layout", false, count, 6, 7, 5); /* as many as there are */
	assert_int_equal(x.g.n, 5);
	assert_false(x.g.has_rest);
	application_free(x.app);
}

static void check_text(const struct binned *x, size_t from, size_t to, const char *where)
{
	struct strbuf s = STRBUF_INIT;

	if (from == to && !strchr(where, '<') && !strchr(where, '>')) {
		column_groups_put(&x->t, x->column, &x->g, from, &s);
		assert_string_equal(strbuf_text(&s), where);
		strbuf_release(&s);
	}
	column_groups_put_where(&x->t, x->column, &x->g, from, to, &s);
	assert_string_equal(strbuf_text(&s), where);
	strbuf_release(&s);
}

/* Groups 1..2, 5, 10.12..20 and 32..64.5 of b: the ends are open but for a single value. Four
 * digits of 10.1239 are 10.12, and whole numbers are whole. */
TEST(groups_are_told_as_people_say_them)
{
	static const size_t count[] = {5, 5, 10, 5, 5, 5, 5};
	double low[] = {1, 2, 5, 10.1239, 20, 32, 123456},
	       high[] = {1, 2, 5, 10.1239, 20, 32, 123456.78};
	struct strbuf s = STRBUF_INIT;
	struct binned x;

	open_bins(&x, "b", true, count, 7, 0, 4);
	x.bins[x.column].low = low;
	x.bins[x.column].high = high;
	assert_int_equal(x.g.n, 4);
	check_text(&x, 0, 0, "b <= 2");
	check_text(&x, 0, 1, "b <= 5");
	check_text(&x, 1, 1, "b 5");
	check_text(&x, 2, 2, "b 10.12..20");
	check_text(&x, 1, 2, "b 5..20");
	check_text(&x, 3, 3, "b >= 32");
	check_text(&x, 0, 3, "b 1..123457");
	column_groups_put_values(&x.t, x.column, &x.g, 0, &s);
	assert_string_equal(strbuf_text(&s), "1..2");
	strbuf_release(&s);
	application_free(x.app);
}

/* An end that is one value is that value: nothing is beyond it. */
TEST(a_single_value_at_an_end_is_told_alone)
{
	static const size_t count[] = {10, 10};
	double value[] = {4, 0.03125};
	struct binned x;

	open_bins(&x, "b", true, count, 2, 0, 4);
	x.bins[x.column].low = x.bins[x.column].high = value;
	check_text(&x, 0, 0, "b 4");
	check_text(&x, 1, 1, "b 0.03125");
	application_free(x.app);
}

TEST(levels_are_told_by_name_and_the_rest_as_other)
{
	static const size_t count[] = {5, 20, 9};
	double code[] = {0, 1, 2};
	struct binned x;

	open_bins(&x, "layout", false, count, 3, 0, 2);
	x.bins[x.column].low = x.bins[x.column].high = code;
	check_text(&x, 0, 0, "layout column");
	check_text(&x, 1, 1, "layout other");
	application_free(x.app);
	open_bins(&x, "layout", false, count, 3, 0, 3);
	x.bins[x.column].low = x.bins[x.column].high = code;
	check_text(&x, 2, 2, "layout row");
	application_free(x.app);
}
