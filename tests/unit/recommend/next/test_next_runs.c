#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/next_runs.h"

/* An answer, and the runs that it asks for. */
struct asked {
	double row[WORLD_COLUMNS];
	struct advice_request q;
	struct advice *advice;
	struct next_runs next;
};

static void ask(struct asked *a, const char *fixed, double deadline_s, size_t n)
{
	*a = (struct asked){0};
	world_row(&world, a->row, "50x50x50", fixed);
	a->q = world_request(&world, a->row, deadline_s);
	must(advice_find(&a->q, &a->advice, &err));
	must(next_runs_find(&a->q, a->advice, n, &a->next, &err));
}

static void asked_release(struct asked *a)
{
	next_runs_release(&a->next);
	advice_free(a->advice);
}

#define ONE "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1"

static double predicted_s(const char *fixed)
{
	RELEASED(asked) a;
	double time_s;

	ask(&a, fixed, NAN, 1);
	time_s = a.advice->best.prediction.time_s;
	return time_s;
}

TEST(each_run_is_legal_and_takes_the_chance_on_from_the_one_before)
{
	RELEASED(asked) a;
	double wrong;

	ask(&a, NULL, NAN, 5);
	assert_in_range(a.next.n_candidate_set, 2, 24);
	assert_in_range(a.next.n, 1, 5);
	assert_true(a.next.wrong > 0.01 && a.next.wrong < 1);
	assert_false(a.next.safe);
	wrong = a.next.wrong;
	for (size_t i = 0; i < a.next.n; i++) {
		const struct next_run *r = &a.next.run[i];

		assert_true(configuration_legal(world.app, r->row, NULL));
		check_rel(r->node_hours, r->nodes * r->at.time_s / 3600, 1e-12);
		check_abs(r->nodes, world_get(&world, r->row, "nodes"), 0);
		assert_true(r->lo_s < r->at.time_s && r->at.time_s < r->hi_s);
		check_abs(r->before.wrong, wrong, 0);
		assert_true(r->after.wrong <= r->before.wrong && r->after.wrong >= 0);
		wrong = r->after.wrong;
	}
	assert_true(wrong < a.next.wrong);
}

TEST(the_same_question_gets_the_same_runs_to_the_last_bit)
{
	RELEASED(asked) a, b;

	ask(&a, NULL, NAN, 3);
	ask(&b, NULL, NAN, 3);
	assert_int_equal(a.next.n, b.next.n);
	for (size_t i = 0; i < a.next.n; i++) {
		assert_memory_equal(a.next.run[i].row, b.next.run[i].row,
				    world.app->n_columns * sizeof(double));
		assert_memory_equal(&a.next.run[i].after, &b.next.run[i].after,
				    sizeof(struct expectation));
	}
}

TEST(who_has_one_choice_and_no_deadline_needs_no_run)
{
	RELEASED(asked) a;

	ask(&a, ONE, NAN, 3);
	assert_int_equal(a.next.n_candidate_set, 1);
	check_abs(a.next.wrong, 0, 0);
	check_abs(a.next.answer_right, 1, 0);
	assert_true(a.next.safe);
	assert_int_equal(a.next.n, 0);
}

TEST(far_from_the_deadline_the_answer_is_safe_on_either_side)
{
	double time_s = predicted_s(ONE);
	struct asked a;

	ask(&a, ONE, 3 * time_s, 3);
	assert_true(a.advice->feasible && a.next.safe);
	asked_release(&a);
	ask(&a, ONE, time_s / 3, 3);
	assert_true(!a.advice->feasible && a.next.safe);
	check_abs(a.next.answer_right, 1, 0.01); /* the honest no */
	asked_release(&a);
}

/* The deadline is where the time of a repeat would be good enough by a hair: even odds. */
TEST(near_the_deadline_a_run_teaches_whether_it_is_feasible)
{
	double time_s = predicted_s(ONE);
	RELEASED(asked) a;

	ask(&a, ONE, 1.02 * time_s, 2);
	assert_false(a.advice->feasible);
	assert_int_equal(a.next.n_candidate_set, 1);
	assert_true(a.next.wrong > 0.1);
	check_abs(a.next.answer_right, 1 - a.next.wrong, 1e-12);
	assert_in_range(a.next.n, 1, 2);
	assert_true(a.next.run[0].after.wrong < a.next.wrong);
}

TEST(what_stands_for_another_costs_at_most_half_of_the_dearest)
{
	double time_s = predicted_s(ONE);
	RELEASED(asked) a;

	ask(&a, ONE, 1.02 * time_s, 10);
	for (size_t i = 0; i < a.next.n; i++) {
		const struct next_run *r = &a.next.run[i];

		if (strcmp(r->kind, "best effort") != 0)
			assert_true(r->node_hours <= a.advice->best.node_hours / 2);
	}
}

TEST(a_budget_is_a_limit_like_the_deadline)
{
	double time_s = predicted_s(ONE);
	RELEASED(asked) a = {0};

	world_row(&world, a.row, "50x50x50", ONE);
	a.q = world_request(&world, a.row, NAN);
	a.q.budget_node_hours = 1.02 * time_s / 3600;
	must(advice_find(&a.q, &a.advice, &err));
	must(next_runs_find(&a.q, a.advice, 1, &a.next, &err));
	assert_false(a.advice->feasible);
	assert_true(a.next.wrong > 0.1);
}

TEST(where_nothing_fits_there_is_nothing_to_decide)
{
	struct machine roomy = world.machine;
	RELEASED(asked) a;

	world.machine.memory_bytes_per_node = 1000;
	ask(&a, NULL, 100, 1);
	world.machine = roomy;
	assert_null(a.advice->best.row);
	assert_int_equal(a.next.n_candidate_set, 0);
	assert_int_equal(a.next.n, 0);
	assert_true(isnan(a.next.wrong));
}

TEST(a_senseless_number_of_runs_is_refused)
{
	RELEASED(asked) a;

	ask(&a, ONE, NAN, 1);
	must_fail(next_runs_find(&a.q, a.advice, 0, &a.next, &err), ERR_ARG, "");
	assert_int_equal(next_runs_find(&a.q, a.advice, MAX_NEXT_RUNS + 1, &a.next, NULL), ERR_ARG);
	assert_non_null(strstr(err.msg, "1 to 20"));
}

static bool stop_in_next_runs(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return !what || strcmp(what, "next runs") != 0;
}

TEST(an_interrupt_ends_it_without_a_result)
{
	const struct progress stop = {.step = stop_in_next_runs};
	RELEASED(asked) a = {0};

	world_row(&world, a.row, "50x50x50", NULL);
	a.q = world_request(&world, a.row, NAN);
	a.q.progress = &stop;
	must(advice_find(&a.q, &a.advice, &err));
	assert_int_equal(next_runs_find(&a.q, a.advice, 3, &a.next, &err), ERR_INTERRUPTED);
	assert_null(a.next.run);
}

TEST_GROUP(world_set_up, world_tear_down)
