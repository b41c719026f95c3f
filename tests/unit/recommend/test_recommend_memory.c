#include "tests/unit/recommend/world.h"

#include "recommend/next_runs.h"
#include "tests/support/failing_allocations.h"

/* The room without memory: whatever is asked, each place that allocates fails in turn, and there is
 * the answer of a calm run or none. */

static struct world world;
static double row[WORLD_COLUMNS];

static int set_up(void **state)
{
	(void)state;
	world_open(&world);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	world_close(&world);
	return 0;
}

static struct advice_request request(const char *fixed, double deadline_s)
{
	struct advice_request q;

	world_row(&world, row, "20x20x20", fixed);
	q = world_request(&world, row, deadline_s);
	q.frontier = q.sensitivity = true;
	q.fastest_of_ties = false;
	q.max_nodes = 2;
	return q;
}

static struct advice *find(const struct advice_request *q)
{
	struct advice *a = NULL;
	struct err e = {0};

	check_ok(advice_find(q, &a, &e), &e);
	return a;
}

static void check_same(const struct advice *a, const struct advice *calm)
{
	size_t n_bytes = world.app->n_columns * sizeof(double);

	assert_memory_equal(a->best.row, calm->best.row, n_bytes);
	assert_true(a->best.prediction.time_s == calm->best.prediction.time_s);
	assert_int_equal(a->feasible, calm->feasible);
	assert_int_equal(a->n_alternative, calm->n_alternative);
	assert_int_equal(a->n_frontier, calm->n_frontier);
	assert_int_equal(a->n_near, calm->n_near);
	assert_int_equal(a->sensitivity.n, calm->sensitivity.n);
}

static void check_advice(const struct advice_request *q)
{
	struct advice *calm = find(q), *a = NULL;
	struct err e;

	/* The search does without its sharper bounds (tuning_bound_at()), and looks at more. */
	failing_each_place_tolerated (advice_find(q, &a, &e), &e) {
		if (e.code == ERR_OK)
			check_same(a, calm);
		else
			assert_null(a);
		advice_free(a);
		a = NULL;
	}
	check_same(a, calm);
	advice_free(a);
	advice_free(calm);
}

static void advice_is_whole_or_none(void **state)
{
	struct advice_request q = request("mk=10,mmi=3", 3600);

	(void)state;
	check_advice(&q);
}

static void an_honest_no_is_whole_or_none(void **state)
{
	struct advice_request q = request("npe_i=2,mk=10", 1e-3);

	(void)state;
	q.budget_node_hours = 1e-9;
	check_advice(&q);
}

static void next_runs_are_whole_or_none(void **state)
{
	struct advice_request q = request("mk=10,mmi=3", 3600);
	struct next_runs r = {0};
	struct advice *a;
	struct err e;

	(void)state;
	a = find(&q);
	failing_each_place (next_runs_find(&q, a, 2, &r, &e), &e)
		assert_true(r.run == NULL && r.n == 0);
	assert_true(r.n_contenders > 0);
	next_runs_release(&r);
	advice_free(a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(advice_is_whole_or_none),
	cmocka_unit_test(an_honest_no_is_whole_or_none),
	cmocka_unit_test(next_runs_are_whole_or_none),
};

int main(void)
{
	return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
