#include "tests/unit/mining/shared_qr.h"

#include "mining/rules/model_tree.h"
#include "tests/support/uniform.h"

FREEABLE(slowdown_table)

/* A tree and what it was grown from. */
struct grown {
	struct dataset *runs;
	struct slowdown_table *table;
	struct time_target target;
	struct model_tree tree;
};

/* Of n runs over a random design, whose times are time_s(c). */
static void grow(struct grown *g, int n, double (*time_s)(struct qr c), size_t max_terms)
{
	static const double b[] = {16, 32, 64, 128}, procs[] = {1, 2, 4, 8, 16};
	uint64_t seed = 17;

	memset(g, 0, sizeof *g);
	g->runs = dataset_new(app);
	for (int i = 0; i < n; i++) {
		struct qr c = {floor(uniform_draw(&seed, 1000, 9000)),
			       floor(uniform_draw(&seed, 500, 2000)),
			       b[(int)uniform_draw(&seed, 0, 4)], floor(uniform_draw(&seed, 0, 3)),
			       procs[(int)uniform_draw(&seed, 0, 5)]};

		qr_add(g->runs, c, time_s(c));
	}
	must(slowdown_table_make(g->runs, NULL, &g->table, &err));
	must(time_target_make(g->table, NULL, (size_t)n, &g->target, &err));
	must(time_target_add_factors(&g->target, &err));
	must(model_tree_grow(g->target.table, &g->target.data, NULL, max_terms, &g->tree, &err));
}

static void grown_release(struct grown *g)
{
	time_target_release(&g->target);
	slowdown_table_free(g->table);
	dataset_free(g->runs);
}

static void check_path(const struct grown *g, size_t node, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	conjunction_put_text(&g->tree.node[node].path, g->table, &text);
	assert_string_equal(strbuf_text(&text), want);
}

static double slow_large_blocks(struct qr c)
{
	return c.b >= 64 ? 3 : 2;
}

TEST(a_step_is_one_split_where_it_is)
{
	RELEASED(grown) g;

	grow(&g, 300, slow_large_blocks, 0);
	assert_int_equal(g.tree.n_leaves, 2);
	check_path(&g, 1, "b <= 32");
	check_path(&g, 2, "b >= 64");
	check_abs(g.tree.node[1].formula.coefficient, 2, 0);
	check_abs(g.tree.node[2].formula.coefficient, 3, 0);
}

static double power_law(struct qr c)
{
	return 1e-6 * c.m * c.n / c.procs;
}

TEST(what_one_formula_explains_is_not_split)
{
	RELEASED(grown) g;

	grow(&g, 300, power_law, 3);
	assert_int_equal(g.tree.n_leaves, 1);
	assert_int_equal(g.tree.node[0].formula.n_terms, 3);
	check_abs(g.tree.node[0].formula.coefficient, 1e-6, 1e-12);
}

/* "row" and "tiled" behave alike and stay together, though their codes are 0 and 2. */
static double slow_column_layout(struct qr c)
{
	return power_law(c) * (c.layout == 1 ? 2 : 1);
}

TEST(texts_are_grouped_by_what_they_do)
{
	RELEASED(grown) g;

	grow(&g, 400, slow_column_layout, 3);
	assert_int_equal(g.tree.n_leaves, 2);
	check_path(&g, 1, "layout in ('row', 'tiled')");
	check_path(&g, 2, "layout = 'column'");
	check_rel(g.tree.node[2].formula.coefficient / g.tree.node[1].formula.coefficient, 2.0,
		  1e-9);
}

/* b matters most, layout less and only for small b, so b is split first. */
static double two_steps(struct qr c)
{
	return c.b >= 64 ? 10 : c.layout == 1 ? 2 : 1;
}

TEST(a_smaller_tree_is_the_same_with_its_last_splits_undone)
{
	RELEASED(grown) g;

	grow(&g, 400, two_steps, 0);
	assert_int_equal(g.tree.n_leaves, 3);
	for (size_t i = 0; i < g.target.table->n; i++) {
		size_t one = model_tree_leaf(&g.tree, 1, g.target.table, i);
		size_t two = model_tree_leaf(&g.tree, 2, g.target.table, i);
		size_t three = model_tree_leaf(&g.tree, 3, g.target.table, i);

		assert_int_equal(one, 0);
		assert_true(conjunction_holds(&g.tree.node[two].path, g.target.table, i));
		assert_true(conjunction_holds(&g.tree.node[three].path, g.target.table, i));
		check_rel(exp(g.target.y[i]), g.tree.node[three].formula.coefficient, 1e-12);
		assert_true(three == two || two == 1 || two == 2);
		assert_true(three == two || three > 2);
	}
}

/* The layout is 1.2 times where b is small, and 4 times where it is large. */
static double more_where_b_is_large(struct qr c)
{
	return c.b >= 64 ? (c.layout == 1 ? 4000 : 1000) : (c.layout == 1 ? 1.2 : 1);
}

TEST(the_leaf_that_gains_most_is_split_first)
{
	RELEASED(grown) g;
	const size_t b = application_column(app, "b");

	grow(&g, 400, more_where_b_is_large, 0);
	assert_int_equal(g.tree.n_leaves, 4);
	for (size_t i = 0; i < g.target.table->n; i++) {
		const double *row = slowdown_row(g.target.table, i);
		size_t two = model_tree_leaf(&g.tree, 2, g.target.table, i);
		size_t three = model_tree_leaf(&g.tree, 3, g.target.table, i);

		assert_int_equal(three != two, row[b] >= 64);
	}
}

/* 39 runs cannot fill two leaves of 20, 40 can. */
static double by_processors(struct qr c)
{
	return c.procs >= 4 ? 1 : 5;
}

TEST(no_leaf_is_smaller_than_twenty)
{
	struct grown g;
	size_t n[MODEL_TREE_NODES] = {0};

	grow(&g, 39, by_processors, 0);
	assert_int_equal(g.tree.n_leaves, 1);
	grown_release(&g);
	grow(&g, 400, two_steps, 0);
	for (size_t i = 0; i < g.target.table->n; i++)
		n[model_tree_leaf(&g.tree, g.tree.n_leaves, g.target.table, i)]++;
	for (size_t k = 0; k < g.tree.n_nodes; k++)
		assert_true(g.tree.node[k].child != 0 || n[k] >= 20);
	grown_release(&g);
}

TEST(what_was_left_out_teaches_nothing)
{
	RELEASED(grown) g;
	unsigned char *leave_out;
	struct model_tree blind;

	grow(&g, 300, slow_large_blocks, 0);
	leave_out = zeroed(g.target.table->n, 1);
	for (size_t i = 0; i < g.target.table->n; i++)
		leave_out[i] = g.target.y[i] > 1; /* the slow ones: log 3 */
	must(model_tree_grow(g.target.table, &g.target.data, leave_out, 0, &blind, &err));
	assert_int_equal(blind.n_leaves, 1);
	check_abs(blind.node[0].formula.coefficient, 2, 0);
	memset(leave_out, 1, g.target.table->n);
	must(model_tree_grow(g.target.table, &g.target.data, leave_out, 0, &blind, &err));
	assert_int_equal(blind.n_leaves, 0);
	assert_true(model_tree_leaf(&blind, 1, g.target.table, 0) == SIZE_MAX);
	free(leave_out);
}

/* As NULL fulfils no condition, a run without a block size lies in no leaf. */
TEST(a_missing_value_ends_in_no_leaf)
{
	RELEASED(grown) g;
	struct dataset *d;
	size_t n = 0;

	grow(&g, 300, slow_large_blocks, 0);
	d = g.runs;
	for (int i = 0; i < 30; i++) {
		struct qr c = {1000 + 300 * i, 500 + 50 * i, NAN, i % 3, 4};

		qr_add(d, c, 2 + i % 2);
	}
	time_target_release(&g.target);
	slowdown_table_free(g.table);
	must(slowdown_table_make(d, NULL, &g.table, &err));
	must(time_target_make(g.table, NULL, d->n, &g.target, &err));
	must(time_target_add_factors(&g.target, &err));
	must(model_tree_grow(g.target.table, &g.target.data, NULL, 0, &g.tree, &err));
	assert_int_equal(g.tree.n_leaves, 2);
	for (size_t i = 0; i < g.target.table->n; i++)
		n += model_tree_leaf(&g.tree, 2, g.target.table, i) == SIZE_MAX;
	assert_int_equal(n, 30);
}

/* How large a tree of time rules may be is for held-out runs to say. */

enum { N = 160 };

/* Of N runs over a random design of as many problems, whose times are time_s(c, seed). */
static struct time_trees grown(double (*time_s)(struct qr c, uint64_t *seed))
{
	static const double b[] = {16, 32, 64, 128};
	unsigned char fold[N];
	uint64_t seed = 29;
	FREED(dataset) *runs = dataset_new(app);
	FREED(slowdown_table) *table = NULL;
	RELEASED(time_target) target;
	struct time_trees out = {.n_leaves = 0};

	for (int i = 0; i < N; i++) {
		struct qr c = {floor(uniform_draw(&seed, 1000, 9000)),
			       floor(uniform_draw(&seed, 500, 2000)),
			       b[(int)uniform_draw(&seed, 0, 4)], 0, 4};

		qr_add(runs, c, time_s(c, &seed));
	}
	must(slowdown_table_make(runs, NULL, &table, &err));
	must(time_target_make(table, NULL, N, &target, &err));
	must(time_target_add_factors(&target, &err));
	assert_true(target.table->n_blocks <= N);
	for (size_t k = 0; k < target.table->n_blocks; k++)
		fold[k] = (unsigned char)(k % TIME_FOLDS);
	must(time_trees_grow(&target, fold, NULL, &out, &err));
	return out;
}

/* Noise of a factor of 3 either way: a tree follows it where it was grown, and nowhere else. */
static double noise(struct qr c, uint64_t *seed)
{
	return exp(uniform_draw(seed, -1.1, 1.1));
}

TEST(noise_grows_no_tree)
{
	assert_int_equal(grown(noise).n_leaves, 0);
}

static double step(struct qr c, uint64_t *seed)
{
	return (c.b >= 64 ? 3 : 1) * exp(uniform_draw(seed, -0.1, 0.1));
}

TEST(a_step_is_a_tree_of_two_constants)
{
	struct time_trees t = grown(step);

	assert_int_equal(t.n_leaves, 2);
	assert_int_equal(t.max_terms, 0);
	check_rel(t.whole.node[1].formula.coefficient, 1.0, 0.05);
	check_rel(t.whole.node[2].formula.coefficient, 3.0, 0.05);
	for (int f = 0; f < TIME_FOLDS; f++)
		check_rel(t.fold[f].node[2].formula.coefficient, 3.0, 0.05);
}

static double power(struct qr c, uint64_t *seed)
{
	return 1e-6 * c.m * c.n * exp(uniform_draw(seed, -0.1, 0.1));
}

TEST(a_power_law_of_two_columns_is_one_leaf)
{
	struct time_trees t = grown(power);

	assert_int_equal(t.n_leaves, 1);
	assert_int_equal(t.max_terms, 2);
}
/* Four folds of 20 configurations whose times are e or 1/e by the block size, and one of 60 of
 * which they are e^(1/4) or less that. Against no tree (log 1), a tree of both is off by 3/8 of 1
 * in the small folds: it has seen as many of either kind, and gains 5/8; in the large one it is off
 * by 3/4 and loses 1/2. Each fold counts as much: (4 * 5/8 - 1/2) / 5 = 0.4, above the standard
 * error of these five, 0.225. Sums would say 4 * 5/8 - 9/2 where a fold is weighted by the square
 * of its size. */
TEST(folds_count_alike_however_many_are_in_them)
{
	enum { N_FOLDED = 140 };
	unsigned char fold[N_FOLDED + 1] = {0};
	FREED(dataset) *runs = dataset_new(app);
	FREED(slowdown_table) *table = NULL;
	RELEASED(time_target) target;
	struct time_trees t = {.n_leaves = 77};

	for (int i = 0; i < N_FOLDED; i++) {
		const bool is_slow = i / 7 % 2;
		const double y = (is_slow ? 1 : -1) * (i % 7 < 3 ? 0.25 : 1);

		qr_add(runs, (struct qr){1000 + i, 500, is_slow ? 64 : 16, 0, 4}, exp(y));
	}
	must(slowdown_table_make(runs, NULL, &table, &err));
	must(time_target_make(table, NULL, N_FOLDED, &target, &err));
	must(time_target_add_factors(&target, &err));
	check_abs(target.typical, 0, 1e-12);
	assert_int_equal(target.table->n_blocks, N_FOLDED);
	for (size_t k = 0; k < target.table->n; k++) {
		const double m = slowdown_row(target.table, k)[application_column(app, "m")];
		const int of_7 = ((int)m - 1000) % 7;

		fold[target.table->block[k]] = (unsigned char)(of_7 < 3 ? 0 : of_7 - 2);
	}
	must(time_trees_grow(&target, fold, NULL, &t, &err));
	assert_int_equal(t.n_leaves, 2);
	assert_int_equal(t.max_terms, 0);
	check_rel(t.fold[0].node[2].formula.coefficient, 2.72, 1e-9); /* e in three digits */
}

TEST_GROUP(qr_set_up, qr_tear_down)
