#include "tests/unit/mining/shared_qr.h"

#include "mining/rules/time_trees.h"
#include "tests/support/uniform.h"

/* How large a tree of time rules may be is for held-out runs to say. */

enum { N = 160 };

/* Of N runs over a random design of as many problems, whose times are time_s(c, seed). */
static struct time_trees grown(double (*time_s)(struct qr c, uint64_t *seed))
{
	static const double b[] = {16, 32, 64, 128};
	unsigned char fold[N];
	uint64_t seed = 29;
	struct dataset *runs = dataset_new(app);
	struct slowdown_table *table = NULL;
	struct time_target target;
	struct time_trees out = {.n_leaves = 0};
	struct err e = {0};

	for (int i = 0; i < N; i++) {
		struct qr c = {floor(uniform_draw(&seed, 1000, 9000)),
			       floor(uniform_draw(&seed, 500, 2000)),
			       b[(int)uniform_draw(&seed, 0, 4)], 0, 4};

		qr_add(runs, c, time_s(c, &seed));
	}
	check_ok(slowdown_table_make(runs, NULL, &table, &e), &e);
	check_ok(time_target_make(table, NULL, N, &target, &e), &e);
	check_ok(time_target_add_factors(&target, &e), &e);
	assert_true(target.table->n_blocks <= N);
	for (size_t k = 0; k < target.table->n_blocks; k++)
		fold[k] = (unsigned char)(k % TIME_FOLDS);
	check_ok(time_trees_grow(&target, fold, NULL, &out, &e), &e);
	time_target_release(&target);
	slowdown_table_free(table);
	dataset_free(runs);
	return out;
}

/* Noise of a factor of 3 either way: a tree follows it where it was grown, and nowhere else. */
static double noise(struct qr c, uint64_t *seed)
{
	(void)c;
	return exp(uniform_draw(seed, -1.1, 1.1));
}

static void noise_grows_no_tree(void **state)
{
	(void)state;
	assert_int_equal(grown(noise).n_leaves, 0);
}

static double step(struct qr c, uint64_t *seed)
{
	return (c.b >= 64 ? 3 : 1) * exp(uniform_draw(seed, -0.1, 0.1));
}

static void a_step_is_a_tree_of_two_constants(void **state)
{
	struct time_trees t = grown(step);

	(void)state;
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

static void a_power_law_of_two_columns_is_one_leaf(void **state)
{
	struct time_trees t = grown(power);

	(void)state;
	assert_int_equal(t.n_leaves, 1);
	assert_int_equal(t.max_terms, 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(noise_grows_no_tree),
	cmocka_unit_test(a_step_is_a_tree_of_two_constants),
	cmocka_unit_test(a_power_law_of_two_columns_is_one_leaf),
};

int main(void)
{
	return cmocka_run_group_tests(tests, qr_set_up, qr_tear_down) != 0;
}
