#include "tests/support/made_runs.h"
#include "tests/unit/recommend/shared_world.h"

/* The answer of the search with bounds is that of the search without, bit by bit. */

static void check_same_or_none(double a, double b)
{
	assert_true(a == b || (isnan(a) && isnan(b)));
}

static void check_same_choice(const struct choice *a, const struct choice *b)
{
	assert_int_equal(a->row == NULL, b->row == NULL);
	if (!a->row || !b->row)
		return;
	for (size_t i = 0; i < world.app->n_columns; i++)
		check_abs(a->row[i], b->row[i], 0);
	check_abs(a->prediction.time_s, b->prediction.time_s, 0);
	check_abs(a->lo_s, b->lo_s, 0);
	check_abs(a->hi_s, b->hi_s, 0);
	check_same_or_none(a->p_meet, b->p_meet);
	check_same_or_none(a->p_budget, b->p_budget);
	check_abs(a->node_hours, b->node_hours, 0);
	if (a->why || b->why)
		assert_string_equal(a->why, b->why);
}

static void check_same(const struct advice *a, const struct advice *b)
{
	assert_int_equal(a->feasible, b->feasible);
	check_same_choice(&a->best, &b->best);
	assert_int_equal(a->n_alternative, b->n_alternative);
	for (size_t i = 0; i < a->n_alternative; i++)
		check_same_choice(&a->alternative[i], &b->alternative[i]);
	check_same_or_none(a->feasible_deadline_s, b->feasible_deadline_s);
	check_same_or_none(a->feasible_budget_node_hours, b->feasible_budget_node_hours);
	assert_int_equal(a->n_legal, b->n_legal);
	assert_int_equal(a->reason == NULL, b->reason == NULL);
	if (a->reason)
		assert_string_equal(a->reason, b->reason);
	assert_int_equal(a->n_near, b->n_near);
	for (size_t i = 0; i < a->n_near; i++)
		assert_int_equal(a->near[i].run_id, b->near[i].run_id);
}

struct question {
	double row[WORLD_COLUMNS];
	struct advice_request request;
	char text[240];
};

/* A random request over all that the search tells apart. */
static void make_question(struct question *q, uint64_t *seed)
{
	static const char *const fixed[] = {"",
					    "",
					    "",
					    "mk=7",
					    "mmi=2",
					    "npe_i=3",
					    "nodes=5",
					    "npe_j=1",
					    "npe_i=2,npe_j=4",
					    "mk=1,mmi=6",
					    "nodes=2,mk=3"};
	static const double confidence[] = {0.5, 0.8, 0.9, 0.99};
	int64_t i = world_pick(seed, 10, 150), j = world_pick(seed, 10, 150);
	int64_t k = world_pick(seed, 10, 120);
	const char *set = fixed[world_pick(seed, 0, 10)];
	char problem[64];
	double deadline_s;

	snprintf(problem, sizeof problem, "%dx%dx%d", (int)i, (int)j, (int)k);
	world_row(&world, q->row, problem, set);
	/* From far too early to plenty: one processor needs about this. */
	deadline_s = 1e-7 * 12 * 48 * (double)(i * j * k) * exp(-6 + 8 * world_uniform(seed));
	if (world_pick(seed, 0, 9) == 0)
		deadline_s = NAN;
	q->request = world_request(&world, q->row, deadline_s);
	q->request.confidence = confidence[world_pick(seed, 0, 3)];
	q->request.objective =
		isnan(deadline_s) ? OBJECTIVE_TIME : (enum objective)world_pick(seed, 0, 2);
	q->request.max_nodes = world_pick(seed, 5, 64);
	q->request.soonest = q->request.max_nodes % 4 == 0;
	q->request.max_procs = world_pick(seed, 0, 3) == 0 ? world_pick(seed, 20, 100) : 0;
	/* From a twentieth of the hours that one processor needs to three times those. */
	if (world_pick(seed, 0, 1) == 0)
		q->request.budget_node_hours = 1e-7 * 12 * 48 * (double)(i * j * k) / 3600 *
					       exp(-3 + 4 * world_uniform(seed));
	snprintf(q->text, sizeof q->text,
		 "%s %s deadline %.17g budget %.17g confidence %g objective %s nodes %d", problem,
		 set, deadline_s, q->request.budget_node_hours, q->request.confidence,
		 objective_name(q->request.objective), (int)q->request.max_nodes);
}

/* n questions to `predictor`. */
static void check_pruning(const struct predictor *predictor, int n)
{
	uint64_t seed = 42;
	uint64_t predicted = 0, legal = 0;
	int n_feasible = 0, n_over_budget = 0;

	for (int i = 0; i < n; i++) {
		struct advice *pruned = NULL, *exhaustive = NULL;
		struct question q;
		struct err e = {0};

		make_question(&q, &seed);
		q.request.predictor = predictor;
		if (advice_find(&q.request, &pruned, &e) == ERR_ARG) /* nothing legal */
			continue;
		check_ok(e.code, &e);
		q.request.exhaustive = true;
		check_ok(advice_find(&q.request, &exhaustive, &e), &e);
		assert_int_equal(exhaustive->n_predicted, exhaustive->n_legal);
		check_same(pruned, exhaustive);
		n_feasible += pruned->feasible;
		n_over_budget += !isnan(pruned->feasible_budget_node_hours);
		predicted += pruned->n_predicted;
		legal += pruned->n_legal;
		advice_free(pruned);
		advice_free(exhaustive);
	}
	/* The requests were of both kinds, and the bounds were of use. */
	assert_in_range(n_feasible, n / 4, 9 * n / 10);
	assert_in_range(n_over_budget, n / 20, n / 2);
	assert_true(predicted < legal);
}

TEST(bounds_do_not_change_the_answer)
{
	check_pruning(world.predictor, 300);
}

/* Its bounds are wider by all that a correction could be. Fewer questions: each prediction asks all
 * the configurations that it was fitted to. */
TEST(bounds_of_corrected_predictions_do_not_change_the_answer)
{
	struct world corrected = world;

	world_fit(&corrected, "hybrid");
	check_pruning(corrected.predictor, 60);
	predictor_free(corrected.predictor);
}

/* Runs with a node for each process, too, where they take a third less: the nodes, which the
 * formula does not read, have factors. */
TEST(bounds_of_factors_do_not_change_the_answer)
{
	struct world spread = world;
	const size_t nodes = world_column(&world, "nodes"), procs = world_column(&world, "procs");

	spread.runs = dataset_new(world.app);
	assert_non_null(spread.runs);
	for (size_t i = 0; i < 2 * world.runs->n; i++) {
		const size_t of = i / 2;
		double row[WORLD_COLUMNS], slower = 1;

		memcpy(row, dataset_row(world.runs, of), world.app->n_columns * sizeof *row);
		if (i % 2)
			row[nodes] = row[procs];
		else
			slower = row[procs] > row[nodes] ? 1.5 : 1;
		runs_add_as(spread.runs, row, slower * world.runs->wall_s[of], SOURCE_SIMULATED,
			    RUN_OK);
	}
	world_fit(&spread, "hybrid");
	assert_non_null(strstr(predictor_explanation(spread.predictor), "the processes on a node"));
	check_pruning(spread.predictor, 60);
	predictor_free(spread.predictor);
	dataset_free(spread.runs);
}

/* What is slower by its bound cannot be safer, cheaper or faster. */
TEST(without_a_deadline_bounds_are_of_use_too)
{
	double row[WORLD_COLUMNS];
	struct advice_request q;
	FREED(advice) *a = NULL;

	world_row(&world, row, "100x100x100", NULL);
	q = world_request(&world, row, NAN);
	must(advice_find(&q, &a, &err));
	assert_true(a->n_predicted < a->n_legal / 2);
}

TEST(the_same_request_gives_the_same_answer)
{
	FREED(advice) *first = NULL, *second = NULL;
	uint64_t seed = 7;
	struct question q;

	make_question(&q, &seed);
	must(advice_find(&q.request, &first, &err));
	must(advice_find(&q.request, &second, &err));
	check_same(first, second);
	assert_int_equal(first->n_predicted, second->n_predicted);
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	int *n = arg;

	return --*n > 0;
}

TEST(an_interrupt_ends_the_search)
{
	double row[WORLD_COLUMNS];
	int n = 3;
	struct progress progress = {stop, &n};
	struct advice_request q;
	struct advice *a = NULL;

	world_row(&world, row, "280x280x255", NULL);
	q = world_request(&world, row, 3600);
	q.max_nodes = 4096;
	q.progress = &progress;
	assert_int_equal(advice_find(&q, &a, &err), ERR_INTERRUPTED);
	assert_null(a);
	assert_int_equal(n, 0);
}

TEST_GROUP(world_set_up, world_tear_down)
