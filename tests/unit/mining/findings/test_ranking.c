#include "tests/support/made_runs.h"
#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/rule_miners.h"
#include "tests/support/synthetic_runs.h"

FREEABLE(slowdown_table)

static struct findings mined_from(const struct dataset *d)
{
	FREED(slowdown_table) *t = NULL;
	struct findings f = {0};

	must(slowdown_table_make(d, NULL, &t, &err));
	must(mine_ranking(t, 0.05, &f, &err));
	return f;
}

/* A run of problem m with block size b on 4 processors. */
static void add_block_size(struct dataset *d, int m, double b, double wall_s)
{
	qr_add(d, (struct qr){1000 + m, 100, b, 0, 4}, wall_s);
}

static const struct ranked_choice *find(const struct ranking *r, const char *choice)
{
	for (size_t i = 0; i < r->n_choices; i++) {
		if (!strcmp(r->choice[i].choice, choice))
			return &r->choice[i];
	}
	fail_msg("%s is not ranked", choice);
	return NULL;
}

/* By hand: 10 problems, b = 8 is always first, 16 and 32 share the other two places. Rank sums 10,
 * 25, 25; chi2 = 12 / (10 * 3 * 4) (100 + 625 + 625) - 3 * 10 * 4 = 15, p = exp(-15 / 2). Sums
 * differ from 3.314 sqrt(10 * 3 * 4 / 12) = 10.48 on. */
TEST(choices_are_ranked_and_those_not_told_apart_share_a_letter)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;
	const struct ranking *r = &f.ranking;

	for (int m = 0; m < 10; m++) {
		add_block_size(d, m, 8, 1 + m);
		add_block_size(d, m, 16, (m % 2 ? 2 : 3) * (1 + m));
		add_block_size(d, m, 32, (m % 2 ? 3 : 2) * (1 + m));
	}
	f = mined_from(d);
	assert_int_equal(r->n_choices, 3);
	assert_int_equal(r->n_cases, 10);
	check_rel(r->chi2, 15.0, 1e-12);
	check_rel(r->p, exp(-7.5), 1e-12);
	check_abs(r->alpha, 0.05, 0);
	assert_string_equal(r->choice[0].choice, "b=8");
	check_abs(r->choice[0].rank_sum, 10, 0);
	check_abs(r->choice[0].mean_rank, 1, 0);
	assert_string_equal(r->choice[0].ties, "a");
	assert_string_equal(r->choice[1].choice, "b=16"); /* even sums: by name */
	check_abs(r->choice[1].mean_rank, 2.5, 1e-15);
	assert_string_equal(r->choice[1].ties, "b");
	assert_string_equal(r->choice[2].ties, "b");
}

/* By hand: in 8 problems b = 8 16 32 take places 1 2 3 five times and 2 1 3, 1 3 2, 2 3 1 once
 * each: rank sums 10, 17, 21, and sums differ from 3.314 sqrt(8) = 9.37 on. 8 and 16 are not told
 * apart, nor 16 and 32; 8 and 32 are. */
TEST(a_choice_in_between_has_the_letters_of_both_sides)
{
	static const double place[8][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3},
					   {1, 2, 3}, {2, 1, 3}, {1, 3, 2}, {2, 3, 1}};
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int m = 0; m < 8; m++) {
		for (int k = 0; k < 3; k++)
			add_block_size(d, m, 8 << k, place[m][k]);
	}
	f = mined_from(d);
	check_abs(find(&f.ranking, "b=8")->rank_sum, 10, 0);
	check_abs(find(&f.ranking, "b=16")->rank_sum, 17, 0);
	check_abs(find(&f.ranking, "b=32")->rank_sum, 21, 0);
	assert_string_equal(find(&f.ranking, "b=8")->ties, "a");
	assert_string_equal(find(&f.ranking, "b=16")->ties, "ab");
	assert_string_equal(find(&f.ranking, "b=32")->ties, "b");
}

/* 27 cases of 3 block sizes x 2 layouts: the order of qr_power_law() in every one of them. */
TEST(a_choice_is_the_combination_of_all_tunables)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	RELEASED(findings) f = mined_from(d);
	const struct ranking *r = &f.ranking;

	assert_int_equal(r->n_cases, 27);
	assert_int_equal(r->n_choices, 6);
	assert_string_equal(r->choice[0].choice, "b=256,layout=row");
	assert_string_equal(r->choice[1].choice, "b=64,layout=row");
	assert_string_equal(r->choice[5].choice, "b=16,layout=column");
	for (size_t k = 0; k < 6; k++)
		check_abs(r->choice[k].mean_rank, (double)k + 1, 1e-12);
}

/* 8 and 16 were run in all of 20 problems, 32 in 12 of them, 64 in 9: half of 20 is the least. */
TEST(choices_that_were_run_together_too_rarely_are_left_out)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int m = 0; m < 20; m++) {
		add_block_size(d, m, 8, 1);
		add_block_size(d, m, 16, 2);
		if (m < 12)
			add_block_size(d, m, 32, 0.5);
		if (m >= 11)
			add_block_size(d, m, 64, 0.25);
	}
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 3);
	assert_int_equal(f.ranking.n_cases, 12);
	assert_string_equal(f.ranking.choice[0].choice, "b=32");
}

/* b = 64 is the most frequent choice, in 50 problems, but with another partner in each. */
TEST(the_most_frequent_choice_may_have_nothing_in_common)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int m = 0; m < 50; m++) {
		add_block_size(d, m, 64, 1);
		add_block_size(d, m, 1000 + m, 2);
	}
	for (int m = 50; m < 56; m++) {
		add_block_size(d, m, 8, 1);
		add_block_size(d, m, 16, 2);
	}
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 2);
	assert_int_equal(f.ranking.n_cases, 6);
	assert_string_equal(f.ranking.choice[0].choice, "b=8");
}

/* 200 layouts everywhere: the twelve fastest are ranked. Layout l takes 1 + l / 100 s. */
TEST(of_many_choices_the_fastest_are_ranked)
{
	FREED(dataset) *d = dataset_new(app);
	struct levels *levels = &app->column[application_column(app, "layout")].levels;
	RELEASED(findings) f;

	for (int l = 3; l < 200; l++) {
		char name[16];

		snprintf(name, sizeof name, "v%d", l);
		assert_int_equal(levels_add(levels, name), l);
	}
	for (int m = 0; m < 10; m++) {
		for (int l = 199; l >= 0; l--)
			qr_add(d, (struct qr){100 + m, 100, 8, l, 4}, 1 + l / 100.0);
	}
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 12);
	assert_string_equal(f.ranking.choice[0].choice, "layout=row");
	assert_string_equal(f.ranking.choice[11].choice, "layout=v11");
	check_abs(f.ranking.choice[11].mean_rank, 12, 1e-12);
}

/* Sweep3D on 4 processors in three shapes: the time of a blocking is the median of theirs. mk = 1
 * has the fastest shape and the better mean, mk = 10 the better median. */
TEST(the_shapes_of_the_grid_are_reduced_to_their_median)
{
	static const double wall_s[2][3] = {{1, 6, 6.5}, {5, 5.5, 20}};
	struct synthetic s;
	FREED(dataset) *d;
	RELEASED(findings) f;

	assert_int_equal(synthetic_open(&s), 0);
	d = dataset_new(s.app);
	for (int i = 0; i < 6 * 6; i++) {
		int problem = i / 6, blocking = i / 3 % 2, npe_i = 1 << i % 3, npe_j = 4 / npe_i;
		double row[64];

		synthetic_row(&s, row, 20 + 10 * problem, npe_i, npe_j, blocking ? 10 : 1, 6);
		runs_add(d, row, wall_s[blocking][i % 3]);
	}
	/* nodes are those of a case, not of a shape: synthetic_row() gives each processor one */
	f = mined_from(d);
	assert_int_equal(f.ranking.n_cases, 6);
	assert_int_equal(f.ranking.n_choices, 2);
	assert_string_equal(f.ranking.choice[0].choice, "mk=10");
	check_abs(f.ranking.choice[0].mean_rank, 1, 0);
	synthetic_close(&s);
}

TEST(equal_times_share_every_rank)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < QR_DESIGN_N; i++)
		qr_add(d, qr_design(i), 7);
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 6);
	check_abs(f.ranking.chi2, 0, 0);
	check_abs(f.ranking.p, 1, 0);
	for (size_t k = 0; k < 6; k++) {
		check_abs(f.ranking.choice[k].mean_rank, 3.5, 0);
		assert_string_equal(f.ranking.choice[k].ties, "a");
	}
}

TEST(too_few_cases_rank_nothing)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int m = 0; m < 5; m++) {
		add_block_size(d, m, 8, 1);
		f = mined_from(d); /* one run first, then cases of one choice or too few */
		assert_int_equal(f.ranking.n_choices, 0);
		assert_null(f.ranking.choice);
		assert_true(isnan(f.ranking.p));
		add_block_size(d, m, 16, 2);
	}
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 2);
	assert_int_equal(f.ranking.n_cases, 5);
}

TEST(a_choice_that_is_not_known_is_none)
{
	FREED(dataset) *d = dataset_new(app);
	RELEASED(findings) f;

	for (int m = 0; m < 6; m++) {
		qr_add(d, (struct qr){m, NAN, 8, 0, 4}, 2);
		qr_add(d, (struct qr){m, NAN, 16, 0, 4}, 3);
		qr_add(d, (struct qr){m, NAN, NAN, 0, 4}, 1);
	}
	f = mined_from(d);
	assert_int_equal(f.ranking.n_choices, 2);
	assert_string_equal(f.ranking.choice[0].choice, "b=8");
}

TEST_GROUP(qr_set_up, qr_tear_down)
