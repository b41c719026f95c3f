#include "tests/support/made_runs.h"

#include "domain/expr.h"
#include "mining/cases/conjunction.h"
#include "tests/support/synthetic_runs.h"
#include "tests/support/uniform.h"

FREEABLE(slowdown_table)

/* An application whose columns and levels do not make it easy: keywords, blanks, quotes. Of headers
 * that are no names ("between", "block size") the application makes some (between_). */
enum { SIZE, ORDER, BLOCK_SIZE, REAL, FEW_REALS, BETWEEN, N_ODD };

static const char *const odd_name[N_ODD] = {"size", "order", "block size", "x\"y", "r", "between"};

static struct application *odd_application(void)
{
	static const char *const level[] = {"plain", "it's", "a \"b\"", "", "NULL", "5"};
	struct application *app = made_application(
		"choices", "size", "order,block size,x\"y,r,between", "between", "procs");
	size_t between = application_column(app, "between");

	for (size_t i = 0; i < 6; i++)
		assert_int_equal(levels_add(&app->column[between].levels, level[i]), i);
	return app;
}

static unsigned below(uint64_t *seed, size_t n)
{
	return (unsigned)uniform_draw(seed, 0, (double)n);
}

/* n runs; every value is missing with this probability. */
static struct dataset *odd_runs(const struct application *app, size_t n, double missing,
				uint64_t *seed)
{
	struct dataset *d = dataset_new(app);

	for (size_t i = 0; i < n; i++) {
		const double value[N_ODD] = {
			100 * below(seed, 5),
			(double)below(seed, 7) - 3, /* below 0, too */
			below(seed, 2000),	    /* whole, but in quantile bins */
			uniform_draw(seed, -1, 1),
			0.1 * (1 + below(seed, 6)), /* 0.1 * 3 is not 0.3 */
			below(seed, 6),
		};
		double row[16];

		configuration_clear(app, row);
		for (size_t c = 0; c < N_ODD; c++) {
			if (uniform_draw(seed, 0, 1) >= missing)
				row[application_column(app, odd_name[c])] = value[c];
		}
		row[application_column(app, "procs")] = 1 << below(seed, 4);
		runs_add(d, row, 1 + uniform_draw(seed, 0, 1));
	}
	return d;
}

static struct bin_condition random_condition(const struct slowdown_table *t, uint64_t *seed)
{
	struct bin_condition q = {0};
	size_t n;

	do
		q.column = below(seed, t->n_columns);
	while (t->bins[q.column].n == 0);
	n = t->bins[q.column].n;
	if (t->bins[q.column].ordered) {
		unsigned a = below(seed, n), b = below(seed, n);

		q.lo = (unsigned char)(a < b ? a : b);
		q.hi = (unsigned char)(a < b ? b : a);
		if (below(seed, 3) == 0)
			q.lo = 0;
		else if (below(seed, 3) == 0)
			q.hi = (unsigned char)(n - 1);
		return q;
	}
	q.is_set = true;
	q.set[0] = 1 + below(seed, ((size_t)1 << n) - 1);
	return q;
}

static struct conjunction random_conjunction(const struct slowdown_table *t, uint64_t *seed)
{
	struct conjunction q = {.n = 0};

	for (unsigned k = below(seed, CONJUNCTION_MAX + 1); k > 0; k--) {
		struct bin_condition more = random_condition(t, seed);

		conjunction_and(&q, &more, &q);
	}
	return q;
}

/* The text, parsed, against the bins, on every configuration. */
static void check_text(const struct conjunction *q, const struct slowdown_table *t)
{
	struct strbuf text = STRBUF_INIT;
	struct expr *x = NULL;

	conjunction_put_text(q, t, &text);
	if (q->n == 0) {
		assert_string_equal(strbuf_text(&text), "");
		return;
	}
	must(expr_parse(strbuf_text(&text), &t->app->scope, &x, &err));
	for (size_t i = 0; i < t->n; i++) {
		if (expr_holds(x, slowdown_row(t, i)) != conjunction_holds(q, t, i))
			fail_msg("%s: not the same in configuration %zu", strbuf_text(&text), i);
	}
	expr_free(x);
	strbuf_release(&text);
}

static void check_many_texts(const struct slowdown_table *t, int n, uint64_t *seed)
{
	while (n-- > 0) {
		struct conjunction q = random_conjunction(t, seed);

		check_text(&q, t);
	}
}

TEST(a_conjunctions_text_selects_the_same_configurations)
{
	FREED(application) *app = odd_application();
	uint64_t seed = 21;

	for (int round = 0; round < 30; round++) {
		FREED(dataset) *d =
			odd_runs(app, 20 + 20 * (size_t)round, 0.05 * (round % 4), &seed);
		FREED(slowdown_table) *t = NULL;

		must(slowdown_table_make(d, NULL, &t, &err));
		check_many_texts(t, 200, &seed);
	}
}

/* Of the application: all its words but those with a bit in `others`; the runs have each word once,
 * and none. */
static void check_words(const char *want, uint64_t others)
{
	enum { N_WORDS = 12 };
	FREED(application) *app = odd_application();
	FREED(dataset) *d = dataset_new(app);
	size_t between = application_column(app, "between");
	FREED(slowdown_table) *t = NULL;
	struct conjunction q = {.n = 1};
	RELEASED(strbuf) text = STRBUF_INIT;

	for (size_t i = 0; i <= N_WORDS; i++) {
		char word[8];
		double row[16];

		snprintf(word, sizeof word, "w%zu", i);
		if (i >= 6 && i < N_WORDS)
			assert_int_equal(levels_add(&app->column[between].levels, word), i);
		configuration_clear(app, row);
		row[application_column(app, "size")] = 100;
		if (i < N_WORDS)
			row[between] = (double)i;
		runs_add(d, row, 1);
	}
	must(slowdown_table_make(d, NULL, &t, &err));
	q.of[0] = (struct bin_condition){.column = between, .is_set = true};
	q.of[0].set[0] = ((uint64_t)1 << N_WORDS) - 1 - others;
	conjunction_put_text(&q, t, &text);
	assert_non_null(strstr(strbuf_text(&text), want));
	check_text(&q, t);
}

TEST(of_many_words_the_few_that_are_left_out_are_named)
{
	check_words(" != 'w6'", 1u << 6);
	check_words(" not in ('plain', 'w7')", 1u << 7 | 1u);
	check_words(" in ('it\'\'s', ", 1u << 8 | 1u << 7 | 1u); /* 9 of 12: not so few */
	check_words(" in ('plain', 'it''s', 'a \"b\"', '', 'NULL', '5', 'w6', 'w7', ", 0);
}

/* Sweep3D: cells per processor, blocks, the pipeline's efficiency. */
TEST(derived_columns_select_the_same_configurations)
{
	struct synthetic s;
	FREED(dataset) *d;
	FREED(slowdown_table) *t = NULL;
	uint64_t seed = 5;

	assert_int_equal(synthetic_open(&s), 0);
	d = synthetic_runs(&s, 16, 1, 0.02, 0, 9);
	must(slowdown_table_make(d, NULL, &t, &err));
	check_many_texts(t, 3000, &seed);
	synthetic_close(&s);
}

/* ---- how it reads ---- */

static struct application *app;
static struct dataset *runs;
static struct slowdown_table *table;

/* One configuration per index: size 100 200 300 400, order -3 .. 0, r 0.25 1.5 2.75 4, between a
 * level each. */
static int set_up(void **state)
{
	app = odd_application();
	runs = dataset_new(app);
	for (int i = 0; i < 4; i++) {
		double row[16];

		configuration_clear(app, row);
		row[application_column(app, "size")] = 100 * (1 + i);
		row[application_column(app, "order")] = i - 3;
		row[application_column(app, "r")] = 0.25 + 1.25 * i;
		row[application_column(app, "between")] = i;
		runs_add(runs, row, 1);
	}
	must(slowdown_table_make(runs, NULL, &table, &err));
	return 0;
}

static int tear_down(void **state)
{
	slowdown_table_free(table);
	dataset_free(runs);
	application_free(app);
	return 0;
}

static struct bin_condition range(const char *column, unsigned char lo, unsigned char hi)
{
	return (struct bin_condition){
		.column = application_column(app, column), .lo = lo, .hi = hi};
}

static struct bin_condition levels_of(const char *column, uint64_t set)
{
	return (struct bin_condition){
		.column = application_column(app, column), .is_set = true, .set = {set}};
}

static void check_reads(struct bin_condition one, const char *want)
{
	struct conjunction q = {.n = 1, .of = {one}};
	RELEASED(strbuf) text = STRBUF_INIT;

	conjunction_put_text(&q, table, &text);
	assert_string_equal(strbuf_text(&text), want);
}

TEST(ranges_are_left_open_where_the_data_end)
{
	check_reads(range("size", 0, 1), "size <= 200");
	check_reads(range("size", 1, 3), "size >= 200");
	check_reads(range("size", 1, 2), "size between 200 and 300");
	check_reads(range("size", 2, 2), "size = 300");
	check_reads(range("size", 0, 0), "size <= 100");
	check_reads(range("size", 0, 3), "size is not null");
	check_reads(range("order", 1, 2), "order between -2 and -1");
}

/* mk = 1 was tried, mk < 1 was not; but what holds on the most processors goes on. */
TEST(a_choice_at_the_end_is_named)
{
	check_reads(range("order", 0, 0), "order = -3");
	check_reads(range("order", 3, 3), "order = 0");
	check_reads(range("order", 2, 3), "order >= -1");
	check_reads(range("size", 3, 3), "size >= 400");
}

/* Between 0.25 and 1.5 the middle is 0.875, 0.9 to one digit; between 1.5 and 2.75 it is 2.125. */
TEST(real_bounds_are_short_numbers_in_the_gap)
{
	check_reads(range("r", 0, 1), "r <= 2");
	check_reads(range("r", 1, 3), "r > 0.9");
	check_reads(range("r", 2, 2), "r = 2.75");
	check_reads(range("r", 1, 2), "r > 0.9 and r <= 3");
}

TEST(levels_are_listed_as_sql_texts)
{
	check_reads(levels_of("between", 1), "between_ = 'plain'");
	check_reads(levels_of("between", 2 | 4), "between_ in ('it''s', 'a \"b\"')");
}

TEST(conditions_on_one_column_become_one)
{
	const struct bin_condition low = range("size", 0, 2), high = range("size", 1, 3),
				   highest = range("size", 3, 3), r = range("r", 0, 1);
	struct conjunction none = {.n = 0}, a, b, untouched = {.n = 77};

	assert_true(conjunction_and(&none, &low, &a));
	assert_true(conjunction_and(&a, &high, &b));
	assert_int_equal(b.n, 1);
	assert_int_equal(b.of[0].lo, 1);
	assert_int_equal(b.of[0].hi, 2);
	assert_true(conjunction_and(&b, &r, &b)); /* out may be the same */
	assert_int_equal(b.n, 2);

	assert_false(conjunction_and(&b, &highest, &untouched)); /* nothing is left */
	assert_false(conjunction_and(&b, &low, &untouched));	 /* nothing changes */
	assert_int_equal(untouched.n, 77);
}

TEST(sets_of_levels_intersect)
{
	const struct bin_condition ab = levels_of("between", 3), bc = levels_of("between", 6),
				   d = levels_of("between", 8);
	struct conjunction none = {.n = 0}, q;

	assert_true(conjunction_and(&none, &ab, &q));
	assert_false(conjunction_and(&q, &d, &q));
	assert_true(conjunction_and(&q, &bc, &q));
	assert_int_equal(q.of[0].set[0], 2);
}

TEST(there_is_room_for_six_columns)
{
	struct conjunction q = {.n = 0};

	for (size_t c = 0; c < CONJUNCTION_MAX; c++)
		assert_true(conjunction_and(&q, &(struct bin_condition){.column = c, .hi = 1}, &q));
	assert_false(conjunction_and(&q, &(struct bin_condition){.column = CONJUNCTION_MAX}, &q));
	assert_true(conjunction_and(&q, &(struct bin_condition){.column = 0, .hi = 0}, &q));
}

TEST_GROUP(set_up, tear_down)
