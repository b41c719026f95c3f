#include "tests/unit/recommend/shared_world.h"

static double row[WORLD_COLUMNS];

static struct advice_request request(const char *problem, const char *fixed, double deadline_s)
{
	world_row(&world, row, problem, fixed);
	return world_request(&world, row, deadline_s);
}

static void check_refused(const struct advice_request *q, const char *because)
{
	struct advice *a = NULL;

	must_fail(advice_find(q, &a, &err), ERR_ARG, because);
	assert_null(a);
}

static double best(const struct advice *a, const char *column)
{
	return world_get(&world, a->best.row, column);
}

static const struct choice *alternative(const struct advice *a, const char *why)
{
	for (size_t i = 0; i < a->n_alternative; i++) {
		if (!strcmp(a->alternative[i].why, why))
			return &a->alternative[i];
	}
	return NULL;
}

/* ---- what is fixed ---- */

TEST(fixed_values_are_honoured)
{
	struct advice_request q = request("50x50x50", "mk=7,npe_i=4,npe_j=2", 3600);
	FREED(advice) *a = world_find(&q);

	check_abs(best(a, "mk"), 7, 0);
	check_abs(best(a, "npe_i"), 4, 0);
	check_abs(best(a, "npe_j"), 2, 0);
	check_abs(best(a, "nodes"), 2, 0);
	assert_int_equal(a->n_legal, 4); /* mmi = 1, 2, 3, 6 */
}

TEST(a_fixed_grid_may_leave_nodes_partly_empty)
{
	struct advice_request q = request("50x50x50", "nodes=8,npe_i=4,npe_j=2", 3600);
	FREED(advice) *a = world_find(&q);

	check_abs(best(a, "nodes"), 8, 0);
}

TEST(illegal_fixed_values_are_refused_with_the_reason)
{
	struct advice_request q = request("50x50x50", "mmi=4", 3600);

	check_refused(&q, "mmi must divide the angles per octant");
	q = request("50x50x50", "mk=51", 3600);
	check_refused(&q, "mk must not exceed kt");
	q = request("50x50x50", "npe_i=51,npe_j=1", 3600);
	check_refused(&q, "npe_i must not exceed it_g");
	q = request("50x50x50", "npe_i=1,npe_j=1,mk=10", 3600);
	check_refused(&q, "on one processor the program itself forces");
}

TEST(what_does_not_fit_is_refused_with_the_limit)
{
	struct advice_request q = request("500x500x50", "nodes=65", 3600);

	check_refused(&q, "65 nodes are asked for, and the limit is 64 nodes (the machine's size)");
	q = request("500x500x50", "npe_i=50,npe_j=10", 3600);
	q.max_nodes = 100;
	check_refused(&q, "500 processors need 125 nodes of 4 processors, and the limit is 100 "
			  "nodes (asked for)");
	q = request("500x500x50", "npe_i=50,npe_j=10", 3600);
	q.max_procs = 499;
	check_refused(&q, "need 500 processors, and the limit is 499");
	q = request("500x500x50", "nodes=1,npe_i=5,npe_j=1", 3600);
	check_refused(&q, "5 processors do not fit on 1 node of ");
	check_refused(&q, ": 4 processors a node");
}

/* 2x2 cells have room for 4 processors; two nodes want 5 at least. */
TEST(an_empty_space_says_what_stood_in_the_way)
{
	struct advice_request q = request("2x2x50", "nodes=2", 3600);

	check_refused(&q, "no configuration of 2x2x50 with nodes = 2 is legal");
	check_refused(&q, "must not exceed");
}

TEST(requests_without_sense_are_refused)
{
	struct advice_request q = request("50x50x50", NULL, 3600);

	q.confidence = 1;
	check_refused(&q, "confidence 1 is not between 0 and 1");
	q = request("50x50x50", NULL, -1);
	check_refused(&q, "a deadline of -1 s");
	q = request("50x50x50", NULL, NAN);
	q.objective = OBJECTIVE_NODES;
	check_refused(&q, "needs a deadline");
	q = request("50x50x50", NULL, 3600);
	row[world_column(&world, "kt")] = NAN;
	check_refused(&q, "kt is not given");
}

/* ---- the choice ---- */

TEST(fewest_nodes_are_one_more_than_too_few)
{
	struct advice_request q = request("100x100x100", NULL, NAN);
	struct advice *fastest = world_find(&q), *a;
	double nodes;

	q = request("100x100x100", NULL, 3 * fastest->feasible_deadline_s);
	a = world_find(&q);
	assert_true(a->feasible);
	assert_true(a->best.p_meet >= 0.9);
	nodes = best(a, "nodes");
	assert_true(nodes > 1);
	advice_free(a);
	q.max_nodes = (int64_t)nodes - 1;
	a = world_find(&q);
	assert_false(a->feasible);
	assert_string_equal(a->max_nodes_origin, "asked for");
	advice_free(a);
	advice_free(fastest);
}

TEST(alternatives_are_better_in_what_they_are_named_for)
{
	struct advice_request q = request("100x100x100", NULL, 200);
	FREED(advice) *a = world_find(&q);
	const struct choice *fastest = alternative(a, "fastest");
	const struct choice *cheapest = alternative(a, "cheapest");
	const struct choice *safest = alternative(a, "safest");

	assert_true(a->feasible);
	assert_non_null(fastest);
	assert_true(fastest->prediction.time_s < a->best.prediction.time_s);
	assert_true(!cheapest || cheapest->node_hours < a->best.node_hours);
	assert_true(!safest || safest->p_meet > a->best.p_meet);
	for (size_t i = 0; i < a->n_alternative; i++) {
		const struct choice *c = &a->alternative[i];

		assert_true(c->lo_s < c->prediction.time_s && c->prediction.time_s < c->hi_s);
		check_rel(c->node_hours,
			  world_get(&world, c->row, "nodes") * c->prediction.time_s / 3600, 1e-15);
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(c->row, a->alternative[k].row,
						world.app->n_columns * sizeof *c->row);
	}
}

/* mk = 10 of 50: its neighbours are 5 and 25, those of mmi = 3 are 2 and 6. */
TEST(neighbours_are_one_step_away)
{
	struct advice_request q = request("50x50x50", "npe_i=4,npe_j=2", 3600);
	FREED(advice) *a = world_find(&q);
	size_t n = 0;

	for (size_t i = 0; i < a->n_alternative; i++) {
		const double *r = a->alternative[i].row;
		bool mk = world_get(&world, r, "mk") != best(a, "mk");
		bool mmi = world_get(&world, r, "mmi") != best(a, "mmi");

		if (strcmp(a->alternative[i].why, "neighbour") != 0)
			continue;
		assert_true(mk != mmi);
		n++;
	}
	assert_in_range(n, 2, 4);
}

TEST(a_free_grid_is_shown_transposed)
{
	struct advice_request q = request("50x50x50", "nodes=2", 3600);
	FREED(advice) *a = world_find(&q);
	bool transposed = best(a, "npe_i") == best(a, "npe_j");

	for (size_t i = 0; i < a->n_alternative; i++) {
		const double *r = a->alternative[i].row;

		transposed = transposed || (world_get(&world, r, "npe_i") == best(a, "npe_j") &&
					    world_get(&world, r, "npe_j") == best(a, "npe_i") &&
					    world_get(&world, r, "mk") == best(a, "mk"));
	}
	assert_true(transposed);
}

TEST(time_needs_no_deadline)
{
	struct advice_request q = request("50x50x50", NULL, NAN);
	FREED(advice) *a = world_find(&q);

	assert_true(a->feasible);
	assert_true(isnan(a->best.p_meet));
	assert_null(alternative(a, "fastest")); /* it is the recommendation */
	assert_null(alternative(a, "safest"));
}

/* ---- the honest no ---- */

TEST(the_deadline_named_can_be_met_and_no_shorter_one)
{
	static const double confidence[] = {0.5, 0.8, 0.9, 0.95};

	for (int i = 0; i < 4; i++) {
		struct advice_request q = request("120x90x80", NULL, 1e-3);
		struct advice *a, *again;

		q.confidence = confidence[i];
		a = world_find(&q);
		assert_false(a->feasible);
		assert_non_null(a->best.row);
		assert_non_null(strstr(a->reason, "legal configurations on up to 64 nodes (the "
						  "machine's size)"));
		q.deadline_s = a->feasible_deadline_s;
		again = world_find(&q);
		assert_true(again->feasible);
		check_abs(again->feasible_deadline_s, a->feasible_deadline_s, 0);
		advice_free(again);
		q.deadline_s = a->feasible_deadline_s * (1 - 1e-9);
		again = world_find(&q);
		assert_false(again->feasible);
		advice_free(again);
		advice_free(a);
	}
}

/* ---- limits of the machine ---- */

/* 8 * (200^3 * 13 + 3 * 201^3) bytes = 0.95 GiB for all on one processor. Four on a node of 1 GiB
 * need a little more than that in all (their sub-grids have more surface). */
TEST(memory_keeps_configurations_out)
{
	struct advice_request q = request("200x200x200", "nodes=1", 1e9);
	struct machine small = world.machine;
	struct advice *a = world_find(&q);

	assert_true(a->memory_checked);
	assert_true(a->n_legal > 1);
	advice_free(a);
	small.memory_bytes_per_node = 0.94 * 0x1p30;
	q.machine = &small;
	a = world_find(&q);
	assert_false(a->feasible);
	assert_null(a->best.row);
	assert_true(isnan(a->feasible_deadline_s));
	assert_non_null(strstr(a->reason, "the smallest needs 0.95"));
	advice_free(a);
}

TEST(what_is_not_known_of_a_machine_is_said)
{
	struct advice_request q = request("50x50x50", NULL, 3600);
	struct machine unknown = {.name = world.machine.name};
	struct advice *a;

	q.machine = &unknown;
	a = world_find(&q);
	assert_false(a->memory_checked);
	assert_false(a->cores_known);
	/* 4x4 processors on nodes of 4 cores is the largest run. */
	check_abs(a->cores_seen, 4, 0);
	check_abs(best(a, "nodes"), ceil(best(a, "procs") / 4), 0);
	assert_int_equal(a->max_nodes, 4);
	assert_string_equal(a->max_nodes_origin, "the most nodes seen in runs");
	advice_free(a);

	/* What somebody asks for by name is not held against the size of past runs. */
	q = request("50x50x50", "nodes=9", 3600);
	q.machine = &unknown;
	a = world_find(&q);
	assert_true(best(a, "procs") > 32 && best(a, "procs") <= 36);
	check_abs(best(a, "nodes"), 9, 0);
	assert_string_equal(a->max_nodes_origin, "asked for");
	advice_free(a);

	q = request("50x50x50", NULL, 3600);
	q.machine = &unknown;
	q.runs = NULL;
	check_refused(&q, "nothing says how many nodes testbed has");
}

TEST(the_smallest_problem_has_one_answer)
{
	struct advice_request q = request("1x1x1", NULL, 3600);
	FREED(advice) *a = world_find(&q);

	assert_true(a->feasible);
	assert_int_equal(a->n_legal, 1);
	check_abs(best(a, "procs"), 1, 0);
	assert_int_equal(a->n_alternative, 0);
}

/* ---- evidence ---- */

TEST(the_breakdown_sums_to_the_time)
{
	struct advice_request q = request("50x50x50", NULL, 3600);
	FREED(advice) *a = world_find(&q);

	assert_true(a->has_breakdown);
	check_rel(breakdown_total_s(&a->breakdown), a->best.prediction.time_s, 1e-9);
}

TEST_GROUP(world_set_up, world_tear_down)
