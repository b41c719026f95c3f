#include "tests/support/check.h"

#include "mining/rules/setting_cases.h"

/* Cases made by hand, with one choice. */

enum { MOST = 64, COLUMN = 0 };

static double low[MOST];
static struct column_bins bins;
static struct slowdown_table table;
static unsigned char code[MOST];
static double slowdown[MOST], mean[MOST];
static size_t first[MOST], choice[] = {COLUMN};
static struct setting_cases cases;

static int set_up(void **state)
{
	bins = (struct column_bins){.ordered = true, .low = low, .high = low};
	table = (struct slowdown_table){.n_columns = 1, .bins = &bins};
	memset(slowdown, 0, sizeof slowdown);
	memset(mean, 0, sizeof mean);
	memset(first, 0, sizeof first);
	cases = (struct setting_cases){.t = &table,
				       .first = first,
				       .slowdown = slowdown,
				       .mean = mean,
				       .n_choices = 1,
				       .choice = choice,
				       .choice_code = code};
	return 0;
}

static void begin_case(void)
{
	first[++cases.n_cases] = cases.n;
}

/* A configuration of the last case, and what it saves over the mean of the case, which is 0. */
static void add(unsigned char its_code, double saved)
{
	code[cases.n] = its_code;
	slowdown[cases.n++] = -saved;
	first[cases.n_cases] = cases.n;
}

static struct choice_groups make(void)
{
	static const uint32_t which[] = {0, 1, 2};
	struct choice_groups out;
	double weight[3]; /* together 1 */

	for (size_t c = 0; c < cases.n_cases; c++)
		weight[c] = 1 / (double)cases.n_cases;
	choice_groups_make(&cases, 0, which, weight, cases.n_cases, &out);
	return out;
}

/* n bins of one configuration each. */
static struct choice_groups make_bins(size_t n)
{
	bins.n = n;
	begin_case();
	for (size_t b = 0; b < n; b++)
		add((unsigned char)b, 0);
	return make();
}

static void check_lows(const struct choice_groups *g, const unsigned char want[SETTING_GROUPS],
		       size_t n_bins)
{
	assert_int_equal(g->n, SETTING_GROUPS);
	for (size_t k = 0; k < SETTING_GROUPS; k++) {
		size_t next = k + 1 < SETTING_GROUPS ? want[k + 1] : n_bins;

		assert_int_equal(g->low[k], want[k]);
		assert_int_equal(g->high[k], next - 1);
		for (size_t b = want[k]; b < next; b++)
			assert_int_equal(g->of[b], k);
	}
}

TEST_WITH(few_bins_are_a_group_each, set_up, NULL)
{
	struct choice_groups g = make_bins(SETTING_GROUPS);

	assert_true(g.ordered);
	assert_int_equal(g.n, SETTING_GROUPS);
	for (size_t b = 0; b < SETTING_GROUPS; b++)
		assert_int_equal(g.of[b], b);
	assert_int_equal(g.of[SETTING_GROUPS], SETTING_GROUPS); /* never seen */
	assert_int_equal(g.of[BIN_MISSING], SETTING_GROUPS);
}

TEST_WITH(bins_that_were_not_seen_have_no_group, set_up, NULL)
{
	struct choice_groups g;

	bins.n = 6;
	begin_case();
	add(2, 0);
	add(5, 0);
	g = make();
	assert_int_equal(g.n, 2);
	assert_int_equal(g.of[2], 0);
	assert_int_equal(g.of[5], 1);
	assert_int_equal(g.of[0], SETTING_GROUPS);
	assert_int_equal(g.of[3], SETTING_GROUPS);
}

/* Where logarithms are not known (the values begin at 0) group k begins with the first bin that has
 * k / 12 of the weight of 32 bins below it: ceil(32 k / 12). */
TEST_WITH(many_bins_share_groups_of_equal_weight, set_up, NULL)
{
	static const unsigned char want[] = {0, 3, 6, 8, 11, 14, 16, 19, 22, 24, 27, 30};
	struct choice_groups g;

	for (int b = 0; b < 32; b++)
		low[b] = b;
	g = make_bins(32);
	check_lows(&g, want, 32);
}

/* Values 1, 2, ..., 32: group k begins with the first value b + 1 for which
 * b / 32 + log(b + 1) / log(32) >= 2 k / 12. */
TEST_WITH(small_values_are_told_apart_more_finely, set_up, NULL)
{
	static const unsigned char want[] = {0, 1, 2, 4, 5, 8, 10, 13, 17, 20, 24, 28};
	struct choice_groups g;

	for (int b = 0; b < 32; b++)
		low[b] = b + 1;
	g = make_bins(32);
	check_lows(&g, want, 32);
}

static struct choice_groups make_levels(size_t n)
{
	bins = (struct column_bins){.n = n, .exact = true, .low = low, .high = low};
	return make();
}

/* Level 0 saves 0.5 in two cases of three, level 2 more, but in one. Two cases of nothing are added
 * to each: 2 x 0.5 / 4 = 0.25 against 0.74 / 3 = 0.247 and 0.76 / 3 = 0.253. */
TEST_WITH(a_level_seen_once_is_drawn_to_nothing, set_up, NULL)
{
	static const double lucky[] = {0.74, 0.76};
	static const unsigned char place_of_0[] = {0, 1};

	for (size_t k = 0; k < 2; k++) {
		struct choice_groups g;

		set_up(state);
		begin_case();
		add(0, 0.5);
		begin_case();
		add(2, lucky[k]);
		begin_case();
		add(0, 0.5);
		g = make_levels(3);
		assert_false(g.ordered);
		assert_int_equal(g.n, 2);
		assert_int_equal(g.of[0], place_of_0[k]);
		assert_int_equal(g.of[2], 1 - place_of_0[k]);
		assert_int_equal(g.of[1], SETTING_GROUPS);
	}
}

/* Of two cases, level 0 is all of one and saves 0.4, level 1 half of the other and saves 0.6:
 * 0.4 / (1 + 2) = 0.13 against 0.5 x 0.6 / (0.5 + 2) = 0.12. Level 2 saves nothing. */
TEST_WITH(a_case_weighs_the_same_however_many_configurations_it_has, set_up, NULL)
{
	struct choice_groups g;

	begin_case();
	add(0, 0.4);
	begin_case();
	add(1, 0.6);
	add(1, 0.6);
	add(2, 0);
	add(2, 0);
	g = make_levels(3);
	for (size_t level = 0; level < 3; level++)
		assert_int_equal(g.of[level], level);
}

/* 14 levels, the last of them the best: beyond the last group but one they share. */
TEST_WITH(the_worst_levels_share_the_last_group, set_up, NULL)
{
	struct choice_groups g;

	begin_case();
	for (unsigned char level = 0; level < 14; level++)
		add(level, 0.1 * level);
	g = make_levels(14);
	assert_int_equal(g.n, SETTING_GROUPS);
	for (size_t level = 0; level < 14; level++)
		assert_int_equal(g.of[level], level > 2 ? 13 - level : SETTING_GROUPS - 1);
}

TEST_WITH(a_range_of_groups_is_open_at_the_ends, set_up, NULL)
{
	struct choice_groups g;
	struct bin_condition q;

	bins.n = 9;
	begin_case();
	for (unsigned char b = 1; b < 8; b += 2)
		add(b, 0); /* groups 0 to 3 are bins 1, 3, 5, 7 */
	g = make();
	q = choice_groups_condition(&cases, 0, &g, 1, 2);
	assert_int_equal(q.column, COLUMN);
	assert_false(q.is_set);
	assert_int_equal(q.lo, 3);
	assert_int_equal(q.hi, 5);
	q = choice_groups_condition(&cases, 0, &g, 0, 1);
	assert_int_equal(q.lo, 0);
	assert_int_equal(q.hi, 3);
	q = choice_groups_condition(&cases, 0, &g, 2, 3);
	assert_int_equal(q.lo, 5);
	assert_int_equal(q.hi, 8);
}

TEST_WITH(groups_of_levels_are_a_set, set_up, NULL)
{
	static const unsigned char level[] = {70, 3, 1};
	struct choice_groups g;
	struct bin_condition q;

	begin_case();
	for (int k = 0; k < 3; k++)
		add(level[k], -k); /* 70 is best, then 3 */
	g = make_levels(80);
	q = choice_groups_condition(&cases, 0, &g, 0, 1);
	assert_true(q.is_set);
	assert_true(bin_condition_holds(&q, 70));
	assert_true(bin_condition_holds(&q, 3));
	assert_false(bin_condition_holds(&q, 1));
	assert_false(bin_condition_holds(&q, 2)); /* never seen */
	q = choice_groups_condition(&cases, 0, &g, 1, 2);
	assert_false(bin_condition_holds(&q, 70));
	assert_true(bin_condition_holds(&q, 1));
}
