#include "tests/support/check.h"
#include "tests/support/made_runs.h"

#include "domain/configuration.h"
#include "mining/cases/rule_miners.h"
#include "mining/evaluate/evaluate_choices.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/synthetic_runs.h"
#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

FREEABLE(slowdown_table)

/* What is learned: layout "row" with b = 16 is best, other b take 1.1 times, "column" twice and
 * "tiled" three times as long, in 16 problems. From that one setting rule follows (row and 16) and
 * several choice rules, mostly about layouts. Held out are cases with any times a test gives them.
 */

enum { N_PROBLEMS = 16, N_LEARNED = 12 * N_PROBLEMS, MAX_HELD = 32 };

static void learn_from(struct dataset *d)
{
	for (int i = 0; i < N_LEARNED; i++) {
		int problem = i / 12;
		struct qr c = {1000 + 100 * (problem % 8), 500 + 100 * floor(problem / 8.0),
			       16 << i % 4, i / 4 % 3, 1};

		qr_add(d, c, 1e-9 * c.m * c.n * c.n * (1 + c.layout) * (c.b > 16 ? 1.1 : 1));
	}
}

/* A held-out configuration: which case it is of, what it chooses and how long that takes. */
struct held {
	int problem;
	double b, layout, wall_s;
};

struct asked {
	struct dataset *train, *runs;
	struct slowdown_table *all;
	unsigned char held_out[N_LEARNED + MAX_HELD];
	uint32_t problem_of[N_LEARNED + MAX_HELD];
	struct choice_scores s;
};

/* Problems of the held configurations are numbered 100, 101, ... */
static void asked_open(struct asked *a, const struct held *h, size_t n)
{
	*a = (struct asked){.train = dataset_new(app), .runs = dataset_new(app)};
	learn_from(a->train);
	learn_from(a->runs);
	for (size_t i = 0; i < n; i++)
		qr_add(a->runs, (struct qr){50000, 3000 + h[i].problem, h[i].b, h[i].layout, 1},
		       h[i].wall_s);
	must(slowdown_table_make(a->runs, NULL, &a->all, &err));
	assert_int_equal(a->all->n, N_LEARNED + n); /* in the order of the runs */
	for (size_t i = 0; i < n; i++) {
		a->held_out[N_LEARNED + i] = 1;
		a->problem_of[N_LEARNED + i] = 100 + (uint32_t)h[i].problem;
	}
}

static enum err_code ask(struct asked *a, struct err *e)
{
	return evaluate_choices(a->train, a->all, a->held_out, a->problem_of, NULL, &a->s, e);
}

static void asked_release(struct asked *a)
{
	choice_scores_release(&a->s);
	slowdown_table_free(a->all);
	dataset_free(a->train);
	dataset_free(a->runs);
}

static void check_case(const struct choice_case *c, double rules, double fixed, double random)
{
	check_abs(c->regret[CHOOSE_RULES], rules, 1e-12);
	check_abs(c->regret[CHOOSE_FIXED], fixed, 1e-12);
	check_abs(c->regret[CHOOSE_RANDOM], random, 1e-12);
}

/* Case 0: the setting (row, 16) takes 3 s where 1 s would do: regret 2, not within 1 %. The median
 * of 1, 3 and 5 s is 3 s as well. Case 1: it is the best, the median of 1 and 4 s is 2 s in logs.
 * Case 2: nobody ran it; both methods are then as chance, the median of 2 and 8 s over 2 s. */
TEST(regret_is_that_of_what_the_method_names_or_else_of_chance)
{
	static const struct held held[] = {{0, 16, 0, 3}, {0, 16, 1, 1}, {0, 32, 2, 5},
					   {1, 16, 0, 1}, {1, 32, 0, 4}, {2, 16, 1, 2},
					   {2, 16, 2, 8}};
	RELEASED(asked) a;

	asked_open(&a, held, sizeof held / sizeof *held);
	must(ask(&a, &err));
	assert_int_equal(a.s.n_folds, 1);
	assert_int_equal(a.s.n_setting_rules, 1);
	assert_int_equal(a.s.n_train, N_LEARNED);
	assert_int_equal(a.s.n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(a.s.item[i].problem, 100 + i);
		assert_true(a.s.item[i].covered[CHOOSE_RANDOM]);
		assert_int_equal(a.s.item[i].covered[CHOOSE_RULES], i < 2);
		assert_int_equal(a.s.item[i].covered[CHOOSE_FIXED], i < 2);
		assert_int_equal(a.s.item[i].as_promised, i == 1);
	}
	check_case(&a.s.item[0], 2, 2, 2);
	check_case(&a.s.item[1], 0, 0, 1);
	check_case(&a.s.item[2], 1, 1, 1);
}

/* One configuration leaves no choice, nor does a second one that is not held out; folds add up. */
TEST(a_case_is_asked_only_if_two_of_it_are_held_out)
{
	static const struct held held[] = {
		{0, 16, 0, 3}, {1, 16, 0, 1}, {1, 32, 0, 4}, {2, 16, 0, 1}, {2, 32, 0, 4}};
	RELEASED(asked) a;

	asked_open(&a, held, sizeof held / sizeof *held);
	a.held_out[N_LEARNED + 3] = 0;
	must(ask(&a, &err));
	assert_int_equal(a.s.n, 1);
	assert_int_equal(a.s.item[0].problem, 101);
	assert_int_equal(a.s.n_train, N_LEARNED + 1);
	for (int i = 0; i < 99; i++)
		must(ask(&a, &err));
	assert_int_equal(a.s.n, 100);
	assert_int_equal(a.s.n_folds, 100);
	assert_int_equal(a.s.n_setting_rules, 100);
	for (int i = 0; i < 100; i++)
		check_case(&a.s.item[i], 0, 0, 1);
}

/* What a choice rule on the layouts says of a case that took time[layout] (NaN: was not run). */
static bool is_slower(const double *time, bool column_too, double *in)
{
	double sum[2] = {0}, n[2] = {0};

	for (int layout = 0; layout < 3; layout++) {
		int holds = layout == 2 || (layout == 1 && column_too);

		sum[holds] += isnan(time[layout]) ? 0 : log(time[layout]);
		n[holds] += !isnan(time[layout]);
	}
	*in = n[0] > 0 && n[1] > 0 ? exp(sum[1] / n[1]) : (double)NAN;
	return sum[1] / n[1] > sum[0] / n[0];
}

/* A second way: the miner itself says what it states of "tiled", and of "column" and "tiled"; it
 * also has a rule of b >= 32, which none of these cases has. The times are those over the best of
 * the case: in the first all rules are true, in the second "row" alone was run, so that nothing can
 * be true or false, in the third rules are wrong, and so on. */
TEST(choice_rules_are_compared_where_both_kinds_were_run)
{
	static const double time[][3] = {{1, 2, 4.5}, {1, NAN, NAN}, {7, 1, 1},
					 {1, 4, 6},   {1, 25, 3},    {NAN, 1, 4}};
	enum { N_CASES = sizeof time / sizeof *time };
	struct held held[3 * N_CASES + 1];
	FREED(slowdown_table) *t = NULL;
	RELEASED(rule_list) rules = {0};
	RELEASED(asked) a;
	size_t n_held = 0, n = 0, n_slower = 0;

	for (int c = 0; c < N_CASES; c++) {
		for (int layout = 0; layout < 3; layout++) {
			if (!isnan(time[c][layout]))
				held[n_held++] = (struct held){c, 16, layout, time[c][layout]};
		}
	}
	held[n_held++] = (struct held){1, 8, 0, 2};
	asked_open(&a, held, n_held);
	must(ask(&a, &err));
	assert_int_equal(a.s.n, N_CASES);
	must(slowdown_table_make(a.train, NULL, &t, &err));
	must(mine_choice_rules(t, NULL, &rules, &err));
	assert_int_equal(a.s.n_choice_rules, rules.n);
	for (size_t c = 0; c < N_CASES; c++) {
		assert_int_equal(a.s.item[c].compared, c != 1);
		for (size_t r = 0; r < rules.n; r++) {
			const char *says = rules.item[r].condition;
			bool column_too = !strcmp(says, "layout in ('column', 'tiled')"), slower;
			double in;

			if (strstr(says, "b >= 32"))
				continue;
			assert_true(column_too || !strcmp(says, "layout = 'tiled'"));
			slower = is_slower(time[c], column_too, &in);
			if (isnan(in))
				continue;
			n_slower += slower;
			assert_true(n < a.s.slowdown.n);
			check_abs(a.s.slowdown.value[n++], rules.item[r].evidence.effect / in - 1,
				  1e-12);
		}
	}
	assert_int_equal(n, 2 * 4 + 1); /* two rules in four cases, one in the last */
	assert_int_equal(a.s.slowdown.n, n);
	assert_int_equal(a.s.n_slower, n_slower);
}

/* As all runs of the training part are flagged: every choice is a random one. */
TEST(nothing_is_learned_where_no_run_counts)
{
	static const struct held held[] = {{0, 16, 0, 1}, {0, 32, 0, 4}};
	RELEASED(asked) a;

	asked_open(&a, held, 2);
	memset(a.train->flagged, 1, a.train->n);
	must(ask(&a, &err));
	assert_int_equal(a.s.n_folds, 1);
	assert_int_equal(a.s.n_setting_rules + a.s.n_choice_rules, 0);
	assert_int_equal(a.s.n, 1);
	check_case(&a.s.item[0], 1, 1, 1);
	assert_false(a.s.item[0].covered[CHOOSE_RULES] || a.s.item[0].covered[CHOOSE_FIXED]);
}

TEST(no_choices_are_judged_without_memory)
{
	static const struct held held[] = {{0, 16, 0, 2}, {0, 16, 1, 4}, {0, 16, 2, 9}};
	RELEASED(asked) a;

	asked_open(&a, held, 3);
	memset(a.train->flagged + 24, 1, a.train->n - 24); /* two problems do */
	failing_each_place (ask(&a, &err), &err) {
		choice_scores_release(&a.s);
		assert_int_equal(a.s.n + a.s.cap + a.s.n_folds, 0);
	}
	assert_int_equal(a.s.n, 1);
}

/* Sweep3D on 16 processors: a case is a cube, a setting mk and mmi; two processor grids of a case
 * with the same setting are two configurations. */

static struct synthetic s;
static struct dataset *runs;
static struct single_best found;

static int set_up(void **state)
{
	if (synthetic_open(&s))
		return -1;
	runs = dataset_new(s.app);
	return 0;
}

static int tear_down(void **state)
{
	single_best_release(&found);
	dataset_free(runs);
	synthetic_close(&s);
	return 0;
}

static void add(double cube, double npe_i, double mk, double mmi, double wall_s)
{
	double row[64];

	synthetic_row(&s, row, cube, npe_i, 16 / npe_i, mk, mmi);
	runs_add(runs, row, wall_s);
}

static void find(void)
{
	FREED(slowdown_table) *t = NULL;

	must(slowdown_table_make(runs, NULL, &t, &err));
	must(single_best_find(t, &found, &err));
}

static bool is_found(double mk, double mmi)
{
	double row[64];

	synthetic_row(&s, row, 50, 2, 2, mk, mmi); /* another problem on other processors */
	return single_best_holds(&found, row);
}

/* mk = 10 is 20 % above the best of each cube on either grid, mk = 5 50 % on the one it was run on;
 * the best has another mk for each cube. */
TEST_WITH(grids_of_one_case_count_by_their_mean, set_up, tear_down)
{
	for (int cube = 1; cube <= 3; cube++) {
		add(20 * cube, 4, 20 * cube, 1, 10);
		add(20 * cube, 4, 10, 1, 12);
		add(20 * cube, 2, 10, 1, 12);
		add(20 * cube, 4, 5, 1, 15);
	}
	find();
	assert_true(is_found(10, 1));
	assert_false(is_found(5, 1));
	assert_false(is_found(10, 3)); /* both tunables make the setting */
}

/* Mean slow-downs over the cubes: in logs of 2 mk = 5 (1 + 3 + 2) / 3, mk = 10 (2 + 1 + 2) / 3. */
TEST_WITH(the_least_mean_over_the_cases_wins, set_up, tear_down)
{
	static const double slow_5[] = {2, 8, 4}, slow_10[] = {4, 2, 4};

	for (int k = 0; k < 3; k++) {
		add(20 * (k + 1), 4, 20 * (k + 1), 1, 10);
		add(20 * (k + 1), 4, 5, 1, 10 * slow_5[k]);
		add(20 * (k + 1), 4, 10, 1, 10 * slow_10[k]);
	}
	find();
	assert_true(is_found(10, 1));
}

/* The fastest of a cube was run in `cases` of 4 cubes. */
static void add_lucky(int cases)
{
	for (int k = 0; k < 4; k++) {
		add(20 * (k + 1), 4, 10, 1, 12);
		add(20 * (k + 1), 4, 5, 1, 15);
		if (k < cases)
			add(20 * (k + 1), 4, 2, 3, 10);
	}
	find();
}

TEST_WITH(a_setting_of_half_of_the_cases_can_win, set_up, tear_down)
{
	add_lucky(2);
	assert_true(is_found(2, 3));
}

TEST_WITH(a_setting_of_fewer_cases_cannot, set_up, tear_down)
{
	add_lucky(1);
	assert_true(is_found(10, 1));
}

TEST_WITH(without_a_comparison_nothing_is_found_and_nothing_holds, set_up, tear_down)
{
	add(20, 4, 10, 1, 12);
	find();
	assert_null(found.row);
	assert_false(is_found(10, 1));
}

TEST_WITH(what_is_missing_in_both_agrees, set_up, tear_down)
{
	double row[64];
	const size_t mk = application_column(s.app, "mk");

	for (int cube = 20; cube <= 40; cube += 20) {
		add(cube, 4, NAN, 1, 10);
		add(cube, 4, 5, 1, 15);
	}
	find();
	synthetic_row(&s, row, 50, 2, 2, 5, 1);
	assert_false(single_best_holds(&found, row));
	row[mk] = NAN;
	assert_true(single_best_holds(&found, row));
}

TEST_GROUP(qr_set_up, qr_tear_down)
