#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "mining/findings/findings_private.h"

/* A column of two to four groups, each bin one, and log slow-downs by hand. Quantiles of Student's
 * t as in test_effects_ranks.c. */
#define T2 4.302652729749464
#define T3 3.182446305284263

enum { MOST = 256 };

static unsigned char code[MOST];
static uint32_t start[MOST], config[MOST], block[MOST];
static double value[MOST], weight[MOST];
static struct slowdown_table table;
static struct rank_strata strata;
static struct column_groups groups;

static int set_up(void **state)
{
	table = (struct slowdown_table){.n_columns = 1, .code = code};
	strata = (struct rank_strata){.t = &table,
				      .start = start,
				      .config = config,
				      .block = block,
				      .value = value,
				      .weight = weight};
	memset(&groups, 0, sizeof groups);
	groups.n = 2;
	memset(groups.of_code, GROUP_NONE, sizeof groups.of_code);
	for (unsigned char g = 0; g < 4; g++)
		groups.of_code[g] = g;
	return 0;
}

static void begin_case(void)
{
	weight[strata.n_strata] = 1;
	start[strata.n_strata++] = (uint32_t)strata.n;
}

static void add(unsigned group, double y, uint32_t its_block)
{
	code[strata.n] = (unsigned char)group;
	config[strata.n] = (uint32_t)strata.n;
	block[strata.n] = its_block;
	value[strata.n++] = y;
	start[strata.n_strata] = (uint32_t)strata.n;
	table.n = strata.n;
	if (its_block >= strata.n_blocks)
		strata.n_blocks = its_block + 1;
}

/* A case and block of its own, with one value of each group. */
static void add_case(const double *y, size_t n)
{
	uint32_t own = (uint32_t)strata.n_blocks;

	begin_case();
	for (unsigned g = 0; g < n; g++)
		add(g, y[g], own);
}

static struct group_contrast contrast(void)
{
	struct group_contrast c;

	must(group_contrast(&strata, 0, &groups, &c, &err));
	return c;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

/* Differences 0.1, 0.2 and 0.3: mean 0.2, standard error 0.1 / sqrt(3). */
IN_FIXTURE(blocks_give_the_interval)
{
	static const double y[][2] = {{0, 0.1}, {1, 1.2}, {0, 0.3}};
	struct group_contrast c;

	for (int i = 0; i < 3; i++)
		add_case(y[i], 2);
	c = contrast();
	assert_int_equal(c.best, 0);
	assert_int_equal(c.worst, 1);
	check_rel(c.effect, exp(0.2), 1e-12);
	check_rel(log(c.lo), 0.2 - T2 * 0.1 / sqrt(3), 1e-8);
	check_rel(log(c.hi), 0.2 + T2 * 0.1 / sqrt(3), 1e-8);
}

IN_FIXTURE(two_blocks_give_none)
{
	static const double y[][2] = {{0, 0.1}, {0, 0.3}};
	struct group_contrast c;

	add_case(y[0], 2);
	add_case(y[1], 2);
	c = contrast();
	check_rel(c.effect, exp(0.2), 1e-12);
	assert_true(isnan(c.lo) && isnan(c.hi));
}

/* Of three groups the second is best and the third worst: differences 0.4, 0.5, 0.5 and 0.6 with a
 * standard error of sqrt(0.02 / 3 / 4). Any of three pairs might have been picked: outside of
 * t standard errors are 0.05 / 3 of a t of 3 degrees of freedom, whose tails are elementary. */
IN_FIXTURE(the_largest_of_all_pairs_is_picked)
{
	static const double y[][3] = {{0.3, 0, 0.4}, {0.3, 0, 0.5}, {0.3, 0, 0.5}, {0.3, 0, 0.6}};
	struct group_contrast c;
	double t, x;

	groups.n = 3;
	for (int i = 0; i < 4; i++)
		add_case(y[i], 3);
	c = contrast();
	assert_int_equal(c.best, 1);
	assert_int_equal(c.worst, 2);
	check_rel(c.effect, exp(0.5), 1e-12);
	t = (log(c.hi) - 0.5) / sqrt(0.02 / 12);
	x = t / sqrt(3);
	check_rel(1 - 2 / M_PI * (x / (1 + x * x) + atan(x)), 0.05 / 3, 1e-7);
	check_rel(0.5 - log(c.lo), log(c.hi) - 0.5, 1e-9);
}

IN_FIXTURE(the_later_group_may_be_the_best)
{
	static const double y[][2] = {{0.5, 0}, {0.7, 0.1}};
	struct group_contrast c;

	add_case(y[0], 2);
	add_case(y[1], 2);
	c = contrast();
	assert_int_equal(c.best, 1);
	assert_int_equal(c.worst, 0);
	check_rel(c.effect, exp(0.55), 1e-12);
}

/* Groups 0 and 1 meet in `often` cases, 0 and 2 in one, where 2 is far worse. */
static size_t worst_of(int often)
{
	set_up(NULL);
	groups.n = 3;
	for (int i = 0; i < often; i++) {
		begin_case();
		add(0, 0, (uint32_t)i);
		add(1, 0.1, (uint32_t)i);
	}
	begin_case();
	add(0, 0, 0);
	add(2, 2, 0);
	return contrast().worst;
}

/* A fifth of the meetings of the pair that met most is enough. */
IN_FIXTURE(the_rarest_pair_is_not_picked)
{
	assert_int_equal(worst_of(5), 2);
	assert_int_equal(worst_of(6), 1);
}

/* In one block: 20 + 20 configurations, which count as CASE_CAP halved, 8, and one of each, 1 / 2.
 * Another block has the same difference in one case. */
IN_FIXTURE(large_cases_are_capped)
{
	static const double y[] = {0, 0.4};

	begin_case();
	for (int i = 0; i < 20; i++) {
		add(0, 0, 0);
		add(1, 0.1, 0);
	}
	begin_case();
	add(0, 1, 0);
	add(1, 1.7, 0);
	add_case(y, 2);
	/* 0.1 of weight 8 and 0.7 of 1 / 2; blocks weigh the same */
	check_rel(contrast().effect, exp(((0.1 * 8 + 0.7 / 2) / 8.5 + 0.4) / 2), 1e-12);
}

/* Configurations stand for themselves. Group 0: 0 0.1 0.2, group 1: 0.5 0.7 in one case, worth
 * 3 2 / 5; 0 and 0.3 in another, worth 1 / 2. Squares within groups 0.02 + 0.02, of 2 + 1 degrees
 * of freedom; the variance of a weighted mean is that over the sum of weights. */
IN_FIXTURE(configurations_are_pooled)
{
	double mean = (0.5 * 1.2 + 0.3 * 0.5) / 1.7, half = T3 * sqrt(0.04 / 3 / 1.7);
	struct group_contrast c;

	table.block_kind = BLOCK_CONFIGURATION;
	begin_case();
	add(0, 0, 0);
	add(0, 0.1, 1);
	add(0, 0.2, 2);
	add(1, 0.5, 3);
	add(1, 0.7, 4);
	add(9, 5, 5); /* in no group */
	begin_case();
	add(0, 0, 6);
	add(1, 0.3, 7);
	begin_case(); /* one group alone: squares, but no difference */
	add(0, 3, 8);
	c = contrast();
	check_rel(log(c.effect), mean, 1e-12);
	check_rel(log(c.lo), mean - half, 1e-8);
	check_rel(log(c.hi), mean + half, 1e-8);
}

/* One of each: nothing is known of how they vary. */
IN_FIXTURE(single_configurations_have_no_interval)
{
	static const double y[] = {0, 0.4};
	struct group_contrast c;

	table.block_kind = BLOCK_CONFIGURATION;
	add_case(y, 2);
	c = contrast();
	check_rel(c.effect, exp(0.4), 1e-12);
	assert_true(isnan(c.lo) && isnan(c.hi));
}

IN_FIXTURE(groups_that_never_met_are_not_compared)
{
	struct group_contrast c;

	begin_case();
	add(0, 0, 0);
	add(0, 1, 0);
	begin_case();
	add(1, 0, 1);
	c = contrast();
	assert_true(isnan(c.effect) && isnan(c.lo) && isnan(c.hi));
}

IN_FIXTURE(without_memory_nothing_is_compared)
{
	static const double y[] = {0, 0.4};
	struct group_contrast c;

	add_case(y, 2);
	failing_each_allocation (group_contrast(&strata, 0, &groups, &c, &err), &err)
		;
	check_rel(c.effect, exp(0.4), 1e-12);
}
