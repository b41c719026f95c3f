#include "tests/unit/mining/synthetic_world.h"
#include "tests/support/made_runs.h"
#include "tests/unit/mining/qr_application.h"

#include <gsl/gsl_cdf.h>

#include "base/compare.h"
#include "mining/cases/rule_miners.h"
#include "mining/rules/model_tree.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/uniform.h"

FREEABLE(rule_test)
FREEABLE(slowdown_table)

/* Runs of the wavefront formula, or of an application without a model, with a known rule planted in
 * them: what is found must be that rule and, where none was planted, nothing. */

static struct application *qr;
static struct predictor *base; /* fitted to runs without a rule */

static int set_up(void **state)
{
	struct dataset *runs;

	if (open_synthetic(state))
		return -1;
	runs = synthetic_runs(&world, 16, 1, 0, 0, 1);
	base = fit("wavefront", runs);
	dataset_free(runs);
	qr = qr_application();
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

	for (int i = 0; i < n; i++) {
		double cube = floor(uniform_draw(&seed, 50, 98)), t;
		double angles = mmi[(int)uniform_draw(&seed, 0, 4)];
		double planes = mk[(int)uniform_draw(&seed, 0, 4)];
		double npe_j = npe[(int)uniform_draw(&seed, 0, 4)];
		double npe_i = npe[(int)uniform_draw(&seed, 0, 4)];

		synthetic_row(&world, row, cube, npe_i, npe_j, planes, angles);
		t = wavefront_time_at(&world.truth, row, NULL, NULL) * factor(row);
		t *= 1 + uniform_draw(&seed, -0.05, 0.05) + uniform_draw(&seed, -0.05, 0.05);
		if (i % 30 == 0)
			t *= uniform_draw(&seed, 1, 10);
		runs_add_as(d, row, t, SOURCE_SIMULATED, RUN_OK);
	}
	return d;
}

static struct rule_list mine(const struct dataset *runs, const struct predictor *on)
{
	FREED(slowdown_table) *t = NULL;
	struct rule_list l = {0};

	must(slowdown_table_make(runs, NULL, &t, &err));
	must(mine_time_rules(t, on, NULL, &l, &err));
	return l;
}

static double no_factor(const double *row)
{
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

TEST(a_planted_factor_on_the_model_is_found)
{
	FREED(dataset) *d = sweep_runs(900, 1, slow_many_small_blocks);
	RELEASED(rule_list) l = mine(d, base);
	const struct rule *r = &l.item[0];
	struct rule_test *test = NULL;
	bool seen[100] = {false};
	int n_cubes = 0;

	assert_int_equal(l.n, 1);
	assert_int_equal(r->kind, RULE_TIME);
	assert_true(r->on_model);
	assert_int_equal(r->n_term, 0);
	check_rel(r->coefficient, 1.2, 0.02);
	must(rule_test_new(world.app, r, &test, &err));
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
}

TEST(what_the_model_explains_gives_no_rules)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		FREED(dataset) *d = sweep_runs(300, seed, no_factor);
		RELEASED(rule_list) l = mine(d, base);

		assert_int_equal(l.n, 0);
	}
}

/* (cube / 60)^0.5 on the model: a bend that a factor alone cannot say. */
static double dearer_large_grids(const double *row)
{
	return sqrt(of(row, "it_g") / 60);
}

TEST(a_planted_power_on_the_model_is_found)
{
	FREED(dataset) *d = sweep_runs(900, 5, dearer_large_grids);
	RELEASED(rule_list) l = mine(d, base);

	assert_true(l.n >= 1);
	/* Whatever the columns it chose (it_g, jt_g and kt are one), it says what was planted. */
	for (size_t k = 0; k < l.n; k++) {
		FREED(rule_test) *test = NULL;

		must(rule_test_new(world.app, &l.item[k], &test, &err));
		for (size_t i = 0; i < d->n; i++) {
			const double *row = dataset_row(d, i);

			if (rule_condition_holds(test, row))
				check_rel(rule_formula(test, row), dearer_large_grids(row), 0.08);
		}
	}
}

TEST(without_a_base_rules_are_findings_only)
{
	FREED(dataset) *d = sweep_runs(900, 9, no_factor);
	RELEASED(rule_list) l = mine(d, NULL);

	assert_true(l.n > 0);
	for (size_t i = 0; i < l.n; i++) {
		assert_false(l.item[i].on_model);
		check_abs(l.item[i].weight, 0, 0);
	}
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
TEST(time_itself_is_explained_by_formulas)
{
	FREED(dataset) *d = factorisations(800);
	RELEASED(rule_list) l = mine(d, NULL);

	assert_int_equal(l.n, 2);
	for (size_t k = 0; k < l.n; k++) {
		const struct rule *r = &l.item[k];
		bool column = strstr(r->condition, "'column'") != NULL;
		FREED(rule_test) *test = NULL;

		assert_string_equal(r->condition,
				    column ? "layout = 'column'" : "layout in ('row', 'tiled')");
		assert_int_equal(r->n_term, 3);
		must(rule_test_new(qr, r, &test, &err));
		for (size_t i = 0; i < d->n; i++) {
			if (rule_condition_holds(test, dataset_row(d, i)))
				check_rel(d->wall_s[i], rule_formula(test, dataset_row(d, i)),
					  0.08);
		}
		assert_true(r->evidence.held_out_error < 0.05);
	}
}

TEST(a_constant_time_and_few_runs_give_no_rules)
{
	FREED(dataset) *d = dataset_new(qr);
	struct rule_list l;

	qr_add(d, (struct qr){1000, 1000, 16, 0, 1}, 5);
	l = mine(d, NULL);
	assert_int_equal(l.n, 0);
	for (int i = 1; i < 300; i++)
		qr_add(d, (struct qr){1000 + i % 20, 1000, 16 * (1 + i % 3), i % 2, 1 + i % 5}, 5);
	l = mine(d, NULL);
	assert_int_equal(l.n, 0);
}

TEST(the_same_runs_give_the_same_rules)
{
	FREED(dataset) *d = sweep_runs(900, 1, slow_many_small_blocks);
	RELEASED(rule_list) a = mine(d, NULL), b = mine(d, NULL);

	assert_int_equal(a.n, b.n);
	for (size_t i = 0; i < a.n; i++) {
		assert_string_equal(a.item[i].condition, b.item[i].condition);
		check_abs(a.item[i].coefficient, b.item[i].coefficient, 0);
		check_abs(a.item[i].evidence.p_value, b.item[i].evidence.p_value, 0);
	}
}

TEST(mining_stops_when_asked)
{
	FREED(dataset) *d = factorisations(200);
	FREED(slowdown_table) *t = NULL;
	struct progress p = {.step = stop_at_once};
	struct rule_list l = {0};

	must(slowdown_table_make(d, NULL, &t, &err));
	assert_int_equal(mine_time_rules(t, NULL, &p, &l, &err), ERR_INTERRUPTED);
	assert_int_equal(l.n, 0);
}

/* ---- the evidence, by hand ---- */

enum { N_JUDGED = 160, N_PROBLEMS = 40 };

/* A block size above 16 makes a run 1.6 times as slow, with 20 % of noise either way, in four runs
 * each of 40 problems, every other one of which has two cases (1 and 4 processors). */
static struct dataset *judged_runs(double of_m, double of_procs)
{
	struct dataset *d = dataset_new(qr);
	uint64_t seed = 41;

	for (int i = 0; i < N_JUDGED; i++) {
		const int problem = i / 4, n = 500 + 11 * (problem / 8);
		const struct qr c = {1000 * (1 + problem % 8), n, (double)(16 << i % 4), 0,
				     problem % 2 && i % 4 > 0 ? 4 : 1};

		qr_add(d, c,
		       (c.b > 16 ? 1.6 : 1) * pow(c.m / 1000, of_m) * pow(c.procs, of_procs) *
			       exp(uniform_draw(&seed, -0.2, 0.2)));
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

/* The median of time is typical (y = 0: log time less its log); a tree that had not seen a run says
 * what it should have taken. The p value is one-sided: half of Student's. */
TEST(a_leaf_is_judged_by_trees_that_had_not_seen_it)
{
	FREED(dataset) *d = judged_runs(0, 0);
	FREED(slowdown_table) *t = NULL;
	RELEASED(time_target) g;
	struct time_trees trees = {.n_leaves = 0};
	RELEASED(rule_list) l = mine(d, NULL);
	unsigned char fold[N_JUDGED];
	double p[MODEL_TREE_LEAVES], total = 0, mean = 0;

	must(slowdown_table_make(d, NULL, &t, &err));
	assert_int_equal(t->n, N_JUDGED);
	must(slowdown_folds(t, TIME_FOLDS, fold, &err));
	must(time_target_make(t, NULL, N_JUDGED, &g, &err));
	must(time_target_add_factors(&g, &err));
	must(time_trees_grow(&g, fold, NULL, &trees, &err));
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
			h.problem[(int)row[application_column(qr, "m")] / 1000 - 1 +
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
		qsort(h.error, h.n, sizeof *h.error, compare_doubles);
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
}

/* ---- how far a leaf is followed ---- */

/* A predictor of QR runs that knows powers of m and of the processors, and a step in the block
 * size, which those that are judged may have or not. */
static struct predictor *base_of(double scale, double step, double of_m, double of_procs)
{
	FREED(dataset) *d = dataset_new(qr);
	const struct fit_input in = {.runs = d, .machine = &world.machine};
	struct predictor *p = NULL;

	for (int m = 1000; m <= 8000; m *= 2) {
		for (int b = 16; b <= 128; b *= 2) {
			for (int procs = 1; procs <= 4; procs += 3)
				qr_add(d, (struct qr){m, 500, b, 0, procs},
				       scale * (b > 16 ? step : 1) * pow(m / 1000., of_m) *
					       pow(procs, of_procs));
		}
	}
	must(predictor_fit(NULL, &in, &p, &err));
	return p;
}

/* Judges: blocks that trees had not seen; more processors and larger problems, by a tree that saw
 * three quarters. */
struct judges {
	struct time_target g;
	struct time_trees trees;
	unsigned char fold[N_JUDGED], held[3][N_JUDGED];
	struct model_tree blind[3];
};

/* The largest of all sizes is never seen, unless it is the only one. */
static void hold_out_largest(struct judges *j, int judge)
{
	const size_t n = j->g.table->n;
	double size[N_JUDGED] = {0}, sorted[N_JUDGED] = {0}, cut;

	for (size_t i = 0; i < n; i++) {
		const double *row = slowdown_row(j->g.table, i);

		size[i] = sorted[i] = judge == 1 ? row[application_column(qr, "procs")]
						 : row[application_column(qr, "m")] *
							   row[application_column(qr, "n")];
	}
	qsort(sorted, n, sizeof *sorted, compare_doubles);
	cut = sorted[3 * (n - 1) / 4];
	for (size_t i = n; i-- > 0 && cut == sorted[n - 1];)
		cut = sorted[i];
	for (size_t i = 0; i < n; i++)
		j->held[judge][i] = size[i] > cut;
}

/* Mean error in log time, of runs in a leaf, of the base and so much of what the leaf says more. */
static double error_following(const struct judges *j, size_t leaf, int judge, double weight)
{
	const struct slowdown_table *t = j->g.table;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct model_tree *m =
			judge ? &j->blind[judge] : &j->trees.fold[j->fold[t->block[i]]];
		const size_t at = model_tree_leaf(m, j->trees.n_leaves, t, i);
		double error = j->g.y[i] - j->g.log_base[i];

		if (model_tree_leaf(&j->trees.whole, j->trees.n_leaves, t, i) != leaf ||
		    !j->held[judge][i])
			continue;
		if (at != SIZE_MAX)
			error -= weight *
				 (power_formula_log(&m->node[at].formula, slowdown_row(t, i)) -
				  j->g.log_base[i]);
		sum += fabs(error);
		n++;
	}
	return n > 0 ? sum / (double)n : NAN;
}

/* The best of five in blocks, by 1 % or more, that worsens neither other judge. */
static double weight_by_hand(const struct judges *j, size_t leaf)
{
	double best = 0, least = 0.99 * error_following(j, leaf, 0, 0);

	for (int quarter = 1; quarter <= 4; quarter++) {
		const double error = error_following(j, leaf, 0, quarter / 4.);
		bool harm = false;

		for (int judge = 1; judge <= 2; judge++)
			harm = harm || error_following(j, leaf, judge, quarter / 4.) >
					       error_following(j, leaf, judge, 0);
		if (error < least && !harm) {
			least = error;
			best = quarter / 4.;
		}
	}
	return best;
}

/* n_of[quarters]: how many rules have that weight. */
static void check_weights(const struct dataset *d, const struct predictor *on, size_t n_of[5])
{
	FREED(slowdown_table) *t = NULL;
	struct judges j = {.trees = {.n_leaves = 0}};
	RELEASED(rule_list) l = mine(d, on);
	size_t n = 0;

	must(slowdown_table_make(d, NULL, &t, &err));
	must(slowdown_folds(t, TIME_FOLDS, j.fold, &err));
	must(time_target_make(t, on, N_JUDGED, &j.g, &err));
	assert_false(j.g.on_model);
	must(time_target_add_factors(&j.g, &err));
	must(time_trees_grow(&j.g, j.fold, NULL, &j.trees, &err));
	memset(j.held[0], 1, sizeof j.held[0]);
	for (int judge = 1; judge <= 2; judge++) {
		hold_out_largest(&j, judge);
		must(model_tree_grow(j.g.table, &j.g.data, j.held[judge], j.trees.max_terms,
				     &j.blind[judge], &err));
	}
	for (size_t k = 0; k < j.trees.whole.n_nodes; k++) {
		const struct tree_node *node = &j.trees.whole.node[k];
		const double weight = weight_by_hand(&j, k);

		if (node->child != 0 && node->order < j.trees.n_leaves)
			continue;
		for (size_t r = 0; r < l.n; r++) {
			if (l.item[r].coefficient != node->formula.coefficient)
				continue;
			check_abs(l.item[r].weight, weight, 0);
			n_of[(int)(4 * weight)]++;
			n++;
		}
	}
	assert_int_equal(n, l.n);
	time_target_release(&j.g);
}

/* Runs that depend on m and the processors, which the base knows in part. */
TEST(a_leaf_is_followed_as_far_as_it_helps_and_harms_nowhere)
{
	uint64_t seed = 3;
	size_t n_of[5] = {0};

	for (int trial = 0; trial < 10; trial++) {
		const double of_m = uniform_draw(&seed, -0.7, 0.7),
			     of_procs = uniform_draw(&seed, -0.6, 0.6),
			     scale = uniform_draw(&seed, 0.8, 1.3),
			     step = uniform_draw(&seed, 1, 2), known = uniform_draw(&seed, 0, 1.5);
		FREED(dataset) *d = judged_runs(of_m, of_procs);
		FREED(predictor) *on = base_of(scale, step, of_m * known, of_procs * known);

		check_weights(d, on, n_of);
	}
	assert_true(n_of[0] >= 3 && n_of[4] >= 3 && n_of[1] + n_of[2] + n_of[3] >= 3);
}

static enum err_code mine_again(const struct slowdown_table *t, const struct predictor *on,
				struct rule_list *l, struct err *e)
{
	rule_list_release(l);
	*l = (struct rule_list){0};
	return mine_time_rules(t, on, NULL, l, e);
}

TEST(time_rules_need_memory)
{
	FREED(dataset) *d = judged_runs(0, 0);
	FREED(predictor) *on = base_of(2, 1, 0, 0);
	FREED(slowdown_table) *t = NULL;
	RELEASED(rule_list) l = {0};

	must(slowdown_table_make(d, NULL, &t, &err));
	failing_each_place_repeated(mine_again(t, on, &l, &err), &err);
	assert_int_equal(l.n, 2);
	check_abs(l.item[1].weight, 1, 0);
}

TEST_GROUP(set_up, tear_down)
