#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/evaluate/regression_tree.h"
#include "tests/support/uniform.h"

FREEABLE(regression_tree)
FREEABLE(slowdown_table)

/* A tree over the runs; the table must outlive it. */
static struct regression_tree *fit(const struct dataset *d, struct slowdown_table **t)
{
	struct regression_tree *m = NULL;

	must(slowdown_table_make(d, NULL, t, &err));
	must(regression_tree_fit(*t, &m, &err));
	return m;
}

static double predict(const struct regression_tree *m, struct qr c)
{
	double row[16];

	qr_row(app, c, row);
	return exp(regression_tree_log_time(m, row));
}

/* Steps in a number and in a text: 1 s up to m = 4000, 8 s above, twice that with "tiled". */
static double steps(struct qr c)
{
	return (c.m <= 4000 ? 1 : 8) * (c.layout == 2 ? 2 : 1);
}

/* 10 values of m, 10 of n, three layouts. */
static struct qr of_grid(int i)
{
	return (struct qr){1000 * (1 + i % 10), 500 * (1 + i / 10 % 10), 16, floor(i / 100.0), 1};
}

TEST(steps_in_numbers_and_texts_are_found_exactly)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(slowdown_table) *t;
	FREED(regression_tree) *m;

	for (int i = 0; i < 300; i++)
		qr_add(d, of_grid(i), steps(of_grid(i)));
	m = fit(d, &t);
	assert_int_equal(regression_tree_leaves(m), 4);
	for (int i = 0; i < 300; i++)
		check_rel(predict(m, of_grid(i)), steps(of_grid(i)), 1e-12);
	/* beyond what was seen the outermost leaf goes on */
	check_rel(predict(m, (struct qr){90000, 500, 16, 2, 1}), 16.0, 1e-12);
	check_rel(predict(m, (struct qr){1, 500, 16, 0, 1}), 1.0, 1e-12);
}

/* Each value of n is a block that is held out once, so a tree that splits noise is worse there. */
TEST(noise_alone_gives_hardly_a_leaf)
{
	size_t n_leaves = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		FREED(dataset) *d = dataset_new(app);
		FREED(slowdown_table) *t;
		FREED(regression_tree) *m;
		uint64_t s = seed;

		for (int i = 0; i < 300; i++)
			qr_add(d, of_grid(i), 1 + uniform_draw(&s, -0.1, 0.1));
		m = fit(d, &t);
		n_leaves += regression_tree_leaves(m);
	}
	/* the least error of cross-validation is a lenient choice; unpruned trees have 40 leaves */
	assert_true(n_leaves < 20 * 4);
}

TEST(a_tree_of_missing_values_and_of_one_run_predicts_still)
{
	FREED(dataset) *d = dataset_new(app);
	struct slowdown_table *t;
	struct regression_tree *m;

	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	m = fit(d, &t);
	assert_int_equal(regression_tree_leaves(m), 1);
	check_rel(predict(m, (struct qr){NAN, NAN, NAN, NAN, NAN}), 3.0, 1e-12);
	regression_tree_free(m);
	slowdown_table_free(t);

	for (int i = 0; i < 300; i++)
		qr_add(d, of_grid(i), steps(of_grid(i)));
	m = fit(d, &t);
	/* missing m goes with the larger side (six of ten values), missing layout with two of
	 * three */
	check_rel(predict(m, (struct qr){NAN, 500, 16, NAN, 1}), 8.0, 0.1);
	regression_tree_free(m);
	slowdown_table_free(t);
}

TEST_GROUP(qr_set_up, qr_tear_down)
