#include "tests/unit/mining/qr_class.h"

#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/cases/rule_miners.h"
#include "mining/numerics/mining_init.h"
#include "mining/rules/model_tree.h"
#include "tests/support/synthetic_runs.h"
#include "tests/support/uniform.h"

/* Runs of the wavefront formula, or of a class without a model, with a known rule planted in them:
 * what is found must be that rule and, where none was planted, nothing. */

static struct synthetic world;
static struct application *qr;
static struct predictor *base; /* fitted to runs without a rule */

static struct predictor *fit(const struct dataset *runs)
{
	struct fit_input in = {
		.runs = runs, .machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct predictor *p = NULL;
	struct err e = {0};

	check_ok(predictor_fit("wavefront", &in, &p, &e), &e);
	return p;
}

static int set_up(void **state)
{
	struct dataset *runs;

	mining_init();
	if (synthetic_open(&world))
		return -1;
	runs = synthetic_runs(&world, 16, 1, 0, 0, 1);
	base = fit(runs);
	dataset_free(runs);
	qr = qr_class();
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(base);
	synthetic_close(&world);
	application_free(qr);
	return 0;
}

/* n runs of 48 cubes on 1 to 64 processors with noise up to +-10 % (a triangle: 4 % standard
 * deviation), one in thirty disturbed, each times factor(row). */
static struct dataset *sweep_runs(int n, uint64_t seed, double (*factor)(const double *row))
{
	static const double mk[] = {1, 2, 5, 10}, mmi[] = {1, 2, 3, 6}, npe[] = {1, 2, 4, 8};
	struct dataset *d = dataset_new(world.app);
	double row[64];
	struct err e = {0};

	for (int i = 0; i < n; i++) {
		double cube = floor(uniform_draw(&seed, 50, 98)), t;

		synthetic_row(&world, row, cube, npe[(int)uniform_draw(&seed, 0, 4)],
			      npe[(int)uniform_draw(&seed, 0, 4)],
			      mk[(int)uniform_draw(&seed, 0, 4)],
			      mmi[(int)uniform_draw(&seed, 0, 4)]);
		t = wavefront_time_at(&world.truth, row, NULL, NULL) * factor(row);
		t *= 1 + uniform_draw(&seed, -0.05, 0.05) + uniform_draw(&seed, -0.05, 0.05);
		if (i % 30 == 0)
			t *= uniform_draw(&seed, 1, 10);
		check_ok(dataset_add(d, row, t, i + 1, 1, SOURCE_SIMULATED, RUN_OK, 1, &e), &e);
	}
	return d;
}

static struct rule_list mine(const struct dataset *runs, const struct predictor *on)
{
	struct slowdown_table *t = NULL;
	struct rule_list l = {0};
	struct err e = {0};

	check_ok(slowdown_table_make(runs, NULL, &t, &e), &e);
	check_ok(mine_time_rules(t, on, NULL, &l, &e), &e);
	slowdown_table_free(t);
	return l;
}

static double no_factor(const double *row)
{
	(void)row;
	return 1;
}

static double of(const double *row, const char *column)
{
	return row[application_column(world.app, column)];
}

static double slow_many_small_blocks(const double *row)
{
	return of(row, "procs") >= 16 && of(row, "mk") <= 2 ? 1.2 : 1;
}

static void a_planted_factor_on_the_model_is_found(void **state)
{
	struct dataset *d = sweep_runs(900, 1, slow_many_small_blocks);
	struct rule_list l = mine(d, base);
	const struct rule *r = &l.item[0];
	struct rule_test *test = NULL;
	bool seen[100] = {false};
	int n_cubes = 0;
	struct err e = {0};

	assert_int_equal(l.n, 1);
	assert_int_equal(r->kind, RULE_TIME);
	assert_true(r->on_model);
	assert_int_equal(r->n_term, 0);
	check_rel(r->coefficient, 1.2, 0.02);
	check_ok(rule_test_new(world.app, r, &test, &e), &e);
	for (size_t i = 0; i < d->n; i++) {
		const double *row = dataset_row(d, i);

		bool planted = slow_many_small_blocks(row) > 1;
		bool *cube = &seen[(int)of(row, "it_g")];

		assert_int_equal(rule_condition_holds(test, row), planted);
		n_cubes += planted && !*cube;
		*cube = *cube || planted;
	}
	rule_test_free(test);
	/* A fifth above the model, within its interval and as sure as can be. */
	assert_true(r->evidence.lo < 1.2 && 1.2 < r->evidence.hi);
	assert_true(r->evidence.p_value < 1e-6);
	assert_true(r->evidence.confidence > 0.9);
	assert_true(r->evidence.held_out_error < 0.05);
	assert_int_equal(r->evidence.n_problems, n_cubes);
	check_abs(r->weight, 1, 0);
	rule_list_release(&l);
	dataset_free(d);
}

static void what_the_model_explains_gives_no_rules(void **state)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct dataset *d = sweep_runs(300, seed, no_factor);
		struct rule_list l = mine(d, base);

		assert_int_equal(l.n, 0);
		rule_list_release(&l);
		dataset_free(d);
	}
}

/* (cube / 60)^0.5 on the model: a bend that a factor alone cannot say. */
static double dearer_large_grids(const double *row)
{
	return sqrt(of(row, "it_g") / 60);
}

static void a_planted_power_on_the_model_is_found(void **state)
{
	struct dataset *d = sweep_runs(900, 5, dearer_large_grids);
	struct rule_list l = mine(d, base);
	struct err e = {0};

	assert_true(l.n >= 1);
	/* Whatever the columns it chose (it_g, jt_g and kt are one), it says what was planted. */
	for (size_t k = 0; k < l.n; k++) {
		struct rule_test *test = NULL;

		check_ok(rule_test_new(world.app, &l.item[k], &test, &e), &e);
		for (size_t i = 0; i < d->n; i++) {
			const double *row = dataset_row(d, i);

			if (rule_condition_holds(test, row))
				check_rel(rule_formula(test, row), dearer_large_grids(row), 0.08);
		}
		rule_test_free(test);
	}
	rule_list_release(&l);
	dataset_free(d);
}

static void without_a_base_rules_are_findings_only(void **state)
{
	struct dataset *d = sweep_runs(900, 9, no_factor);
	struct rule_list l = mine(d, NULL);

	assert_true(l.n > 0);
	for (size_t i = 0; i < l.n; i++) {
		assert_false(l.item[i].on_model);
		check_abs(l.item[i].weight, 0, 0);
	}
	rule_list_release(&l);
	dataset_free(d);
}

/* 2e-9 m n^2 / p, three times that with layout "column". */
static double factorisation(struct qr c)
{
	return 2e-9 * c.m * c.n * c.n / c.procs * (c.layout == 1 ? 3 : 1);
}

static struct dataset *factorisations(int n)
{
	static const double b[] = {16, 32, 64}, procs[] = {1, 2, 4, 8};
	struct dataset *d = dataset_new(qr);
	uint64_t seed = 23;

	for (int i = 0; i < n; i++) {
		struct qr c = {1000 * floor(uniform_draw(&seed, 1, 9)),
			       500 * floor(uniform_draw(&seed, 1, 9)),
			       b[(int)uniform_draw(&seed, 0, 3)], floor(uniform_draw(&seed, 0, 3)),
			       procs[(int)uniform_draw(&seed, 0, 4)]};

		qr_add(d, c, factorisation(c) * (1 + uniform_draw(&seed, -0.05, 0.05)));
	}
	return d;
}

/* Alone, where there is no structural model: one formula for each kind of layout. */
static void time_itself_is_explained_by_formulas(void **state)
{
	struct dataset *d = factorisations(800);
	struct rule_list l = mine(d, NULL);
	struct err e = {0};

	assert_int_equal(l.n, 2);
	for (size_t k = 0; k < l.n; k++) {
		const struct rule *r = &l.item[k];
		bool column = strstr(r->condition, "'column'") != NULL;
		struct rule_test *test = NULL;

		assert_string_equal(r->condition,
				    column ? "layout = 'column'" : "layout in ('row', 'tiled')");
		assert_int_equal(r->n_term, 3);
		check_ok(rule_test_new(qr, r, &test, &e), &e);
		for (size_t i = 0; i < d->n; i++) {
			if (rule_condition_holds(test, dataset_row(d, i)))
				check_rel(d->wall_s[i], rule_formula(test, dataset_row(d, i)),
					  0.08);
		}
		assert_true(r->evidence.held_out_error < 0.05);
		rule_test_free(test);
	}
	rule_list_release(&l);
	dataset_free(d);
}

static void a_constant_time_and_few_runs_give_no_rules(void **state)
{
	struct dataset *d = dataset_new(qr);
	struct rule_list l;

	qr_add(d, (struct qr){1000, 1000, 16, 0, 1}, 5);
	l = mine(d, NULL);
	assert_int_equal(l.n, 0);
	for (int i = 1; i < 300; i++)
		qr_add(d, (struct qr){1000 + i % 20, 1000, 16 * (1 + i % 3), i % 2, 1 + i % 5}, 5);
	l = mine(d, NULL);
	assert_int_equal(l.n, 0);
	dataset_free(d);
}

static void the_same_runs_give_the_same_rules(void **state)
{
	struct dataset *d = sweep_runs(900, 1, slow_many_small_blocks);
	struct rule_list a = mine(d, NULL), b = mine(d, NULL);

	assert_int_equal(a.n, b.n);
	for (size_t i = 0; i < a.n; i++) {
		assert_string_equal(a.item[i].condition, b.item[i].condition);
		check_abs(a.item[i].coefficient, b.item[i].coefficient, 0);
		check_abs(a.item[i].evidence.p_value, b.item[i].evidence.p_value, 0);
	}
	rule_list_release(&a);
	rule_list_release(&b);
	dataset_free(d);
}

static bool never(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)arg;
	(void)what;
	(void)done;
	(void)total;
	return false;
}

static void mining_stops_when_asked(void **state)
{
	struct dataset *d = factorisations(200);
	struct slowdown_table *t = NULL;
	struct progress p = {.step = never};
	struct rule_list l = {0};
	struct err e = {0};

	check_ok(slowdown_table_make(d, NULL, &t, &e), &e);
	assert_int_equal(mine_time_rules(t, NULL, &p, &l, &e), ERR_INTERRUPTED);
	assert_int_equal(l.n, 0);
	slowdown_table_free(t);
	dataset_free(d);
}

/* ---- the evidence, by hand ---- */

enum { N_JUDGED = 160, N_PROBLEMS = 40 };

/* A block size above 16 makes a run 1.6 times as slow, with 20 % of noise either way, in four runs
 * each of 40 problems, every other one of which has two cases (1 and 4 processors). */
static struct dataset *judged_runs(void)
{
	struct dataset *d = dataset_new(qr);
	uint64_t seed = 41;

	for (int i = 0; i < N_JUDGED; i++) {
		const int problem = i / 4;
		const struct qr c = {1000 + 37 * (problem % 8), 500 + 11 * (problem / 8),
				     (double)(16 << i % 4), 0,
				     problem % 2 && i % 4 > 1 ? 4 : 1};

		qr_add(d, c, (c.b > 16 ? 1.6 : 1) * exp(uniform_draw(&seed, -0.2, 0.2)));
	}
	return d;
}

/* What is asked of a leaf, with sums of its blocks. */
struct by_hand {
	double y[N_JUDGED], gain[N_JUDGED], error[N_JUDGED];
	size_t n_of_block[N_JUDGED], n, n_nearer;
	double explained;
	bool stratum[N_JUDGED], problem[N_PROBLEMS];
};

static size_t true_ones(const bool *x, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

/* Of sums by block, the mean of their means, and its standard error. */
static double mean_of_blocks(const double *sum, const size_t *n, size_t *n_blocks, double *se)
{
	double mean = 0, squares = 0;

	*n_blocks = 0;
	for (size_t k = 0; k < N_JUDGED; k++) {
		if (n[k] > 0) {
			mean += sum[k] / (double)n[k];
			++*n_blocks;
		}
	}
	mean /= (double)*n_blocks;
	for (size_t k = 0; k < N_JUDGED; k++)
		squares += n[k] > 0 ? pow(sum[k] / (double)n[k] - mean, 2) : 0;
	*se = sqrt(squares / (double)(*n_blocks - 1) / (double)*n_blocks);
	return mean;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of time is typical (y = 0: log time less its log); a tree that had not seen a run says
 * what it should have taken. The p value is one-sided: half of Student's. */
static void a_leaf_is_judged_by_trees_that_had_not_seen_it(void **state)
{
	struct dataset *d = judged_runs();
	struct slowdown_table *t = NULL;
	struct time_target g;
	struct time_trees trees = {.n_leaves = 0};
	struct rule_list l = mine(d, NULL);
	unsigned char fold[N_JUDGED];
	double p[MODEL_TREE_LEAVES], total = 0, mean = 0;
	struct err e = {0};

	check_ok(slowdown_table_make(d, NULL, &t, &e), &e);
	assert_int_equal(t->n, N_JUDGED);
	check_ok(slowdown_folds(t, TIME_FOLDS, fold, &e), &e);
	check_ok(time_target_make(t, NULL, N_JUDGED, &g, &e), &e);
	check_ok(time_target_add_factors(&g, &e), &e);
	check_ok(time_trees_grow(&g, fold, NULL, &trees, &e), &e);
	assert_int_equal(trees.n_leaves, 2);
	assert_int_equal(l.n, 2);
	for (size_t i = 0; i < t->n; i++)
		mean += t->log_time[i] / (double)t->n;
	for (size_t i = 0; i < t->n; i++)
		total += pow(t->log_time[i] - mean, 2);
	for (size_t leaf = 1; leaf <= 2; leaf++) {
		const struct rule_evidence *v = &l.item[leaf - 1].evidence;
		struct by_hand h = {.n = 0};
		size_t n_blocks;
		double se, effect;

		for (size_t i = 0; i < g.table->n; i++) {
			const double *row = slowdown_row(g.table, i);
			const size_t block = g.table->block[i];
			const struct model_tree *blind = &trees.fold[fold[block]];
			const double says = power_formula_log(
				&blind->node[model_tree_leaf(blind, 2, g.table, i)].formula, row);
			const double without = g.y[i] - g.typical, with = g.y[i] - says;

			if (model_tree_leaf(&trees.whole, 2, g.table, i) != leaf)
				continue;
			h.y[block] += without;
			h.gain[block] += fabs(without) - fabs(with);
			h.n_of_block[block]++;
			h.error[h.n++] = fabs(with);
			h.n_nearer += fabs(with) < fabs(without);
			h.explained += without * without - with * with;
			h.stratum[g.table->stratum[i]] = true;
			h.problem[((int)row[application_column(qr, "m")] - 1000) / 37 +
				  8 * (((int)row[application_column(qr, "n")] - 500) / 11)] = true;
		}
		effect = mean_of_blocks(h.y, h.n_of_block, &n_blocks, &se);
		check_rel(v->effect, exp(effect), 1e-12);
		se *= gsl_cdf_tdist_Pinv(0.95, (double)n_blocks - 1);
		check_rel(v->lo, exp(effect - se), 1e-12);
		check_rel(v->hi, exp(effect + se), 1e-12);
		effect = mean_of_blocks(h.gain, h.n_of_block, &n_blocks, &se);
		p[leaf - 1] = gsl_cdf_tdist_Q(effect / se, (double)n_blocks - 1);
		check_rel(v->confidence, (double)h.n_nearer / (double)h.n, 1e-12);
		check_rel(v->usefulness, h.explained / total, 1e-9);
		qsort(h.error, h.n, sizeof *h.error, by_size);
		check_rel(v->held_out_error, (h.error[(h.n - 1) / 2] + h.error[h.n / 2]) / 2,
			  1e-12);
		assert_int_equal(v->n_cases, true_ones(h.stratum, N_JUDGED));
		assert_int_equal(v->n_problems, true_ones(h.problem, N_PROBLEMS));
		assert_true(isnan(v->versus_others));
	}
	/* Of two the larger p stays as it is, the smaller doubles but for that (Benjamini and
	 * Hochberg). */
	for (size_t k = 0; k < 2; k++)
		check_rel(l.item[k].evidence.p_value,
			  p[k] > p[1 - k] ? p[k] : fmin(2 * p[k], p[1 - k]), 1e-6);
	time_target_release(&g);
	slowdown_table_free(t);
	rule_list_release(&l);
	dataset_free(d);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_planted_factor_on_the_model_is_found),
	cmocka_unit_test(what_the_model_explains_gives_no_rules),
	cmocka_unit_test(a_planted_power_on_the_model_is_found),
	cmocka_unit_test(without_a_base_rules_are_findings_only),
	cmocka_unit_test(time_itself_is_explained_by_formulas),
	cmocka_unit_test(a_constant_time_and_few_runs_give_no_rules),
	cmocka_unit_test(the_same_runs_give_the_same_rules),
	cmocka_unit_test(mining_stops_when_asked),
	cmocka_unit_test(a_leaf_is_judged_by_trees_that_had_not_seen_it),
};

CHECK_MAIN_WITH(tests, set_up, tear_down)
