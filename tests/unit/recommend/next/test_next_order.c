#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/candidate_points.h"
#include "recommend/next/next_runs.h"
#include "recommend/search/rank.h"

/* The order of runs, found a second time by the words of next_runs.h: every place is foreseen anew
 * for every run, and none is given up on the way. */

enum { WITH_PROXIES = 6, MAX_CANDIDATE_POINTS = 64 };

/* A request, what is answered and asked for, and all that it was chosen from. */
struct scene {
	double row[WORLD_COLUMNS];
	struct advice_request q;
	struct advice *advice;
	struct next_runs next;
	struct candidate_points places;
	struct option option[MAX_CANDIDATE_SET];
	struct choice_problem choice;
	struct posterior_samples samples;
};

static void list_places(struct scene *s)
{
	RELEASED(config_space) space;
	size_t n;

	must(config_space_init(&space, &s->q, &err));
	must(candidate_set_find(&space, s->advice, &s->places, &err));
	n = s->places.n;
	must(low_fidelity_runs_add(&space, &s->places, n < WITH_PROXIES ? n : WITH_PROXIES, &err));
	assert_true(s->places.n <= MAX_CANDIDATE_POINTS);
	candidate_points_choice(&s->places, n, &s->q, s->option, &s->choice);
}

static void ask(struct scene *s, const char *fixed, double deadline_s, size_t n)
{
	*s = (struct scene){0};
	world_row(&world, s->row, "50x50x50", fixed);
	s->q = world_request(&world, s->row, deadline_s);
	must(advice_find(&s->q, &s->advice, &err));
	must(next_runs_find(&s->q, s->advice, n, &s->next, &err));
	list_places(s);
	must(candidate_points_samples(&s->places, world.app, &s->samples, &err));
}

static void scene_release(struct scene *s)
{
	posterior_samples_release(&s->samples);
	candidate_points_release(&s->places);
	next_runs_release(&s->next);
	advice_free(s->advice);
}

static double predicted_s(const char *fixed)
{
	RELEASED(scene) s;
	double time_s;

	ask(&s, fixed, NAN, 1);
	time_s = s.advice->best.prediction.time_s;
	return time_s;
}

/* Of those that gain at least a quarter of the most, who gains most per node-hour. */
static size_t best_run(const struct scene *s)
{
	double gain[MAX_CANDIDATE_POINTS], most = 0, best = 0;
	size_t chosen = SIZE_MAX;

	for (size_t i = 0; i < s->places.n; i++) {
		struct expectation before, after;

		must(voi_foresee(&s->choice, &s->samples, i, s->places.item[i].noise, false,
				 &before, &after, &err));
		gain[i] = before.wrong - after.wrong + before.brier - after.brier;
		most = fmax(most, gain[i]);
	}
	for (size_t i = 0; i < s->places.n; i++) {
		double each = gain[i] / s->places.item[i].node_hours;

		if (gain[i] < most / 4 || each <= best)
			continue;
		best = each;
		chosen = i;
	}
	return chosen;
}

static void check_run(struct scene *s, size_t k)
{
	const struct next_run *r = &s->next.run[k];
	size_t i = best_run(s);
	const struct candidate_point *x;
	struct expectation before, after;

	assert_true(i < s->places.n);
	x = &s->places.item[i];
	assert_true(rows_are_equal(r->row, x->row, world.app->n_columns));
	assert_string_equal(r->kind, x->kind);
	check_abs(r->node_hours, x->node_hours, 0);
	must(voi_foresee(&s->choice, &s->samples, i, x->noise, true, &before, &after, &err));
	/* each run goes on from where the one before it ends, by what it gains itself */
	check_abs(r->before.wrong, k == 0 ? s->next.wrong : r[-1].after.wrong, 0);
	check_abs(r->after.wrong, r->before.wrong - (before.wrong - after.wrong), 1e-12);
	check_abs(r->before.wasted_node_hours,
		  k == 0 ? before.wasted_node_hours : r[-1].after.wasted_node_hours, 0);
	check_abs(r->after.wasted_node_hours,
		  fmax(0, r->before.wasted_node_hours -
				  (before.wasted_node_hours - after.wasted_node_hours)),
		  1e-12);
	must(posterior_samples_condition_on(&s->samples, i, x->noise, &err));
}

#define ONE "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1"

/* The deadline is where a repeat would be in time by a hair. */
TEST(one_choice_near_its_deadline_is_tried_in_the_order_of_gain_by_price)
{
	double time_s = predicted_s(ONE);
	RELEASED(scene) s;

	ask(&s, ONE, 1.02 * time_s, 3);
	assert_true(s.next.n >= 2);
	for (size_t k = 0; k < s.next.n; k++)
		check_run(&s, k);
	assert_true(s.next.run[0].after.wrong > 0);
}

TEST(shapes_of_the_grid_are_tried_in_the_order_of_gain_by_price)
{
	RELEASED(scene) s;

	ask(&s, "mk=10,mmi=3,nodes=2", NAN, 3);
	assert_true(s.next.n_candidate_set > 1);
	assert_true(s.next.n >= 2);
	for (size_t k = 0; k < s.next.n; k++)
		check_run(&s, k);
}

/* Whoever has made the first runs has made the same ones. */
TEST(who_asks_for_fewer_gets_the_first_ones)
{
	RELEASED(scene) one, three;

	ask(&one, "mk=10,mmi=3,nodes=2", NAN, 1);
	ask(&three, "mk=10,mmi=3,nodes=2", NAN, 3);
	assert_int_equal(one.next.n, 1);
	assert_memory_equal(one.next.run[0].row, three.next.run[0].row,
			    world.app->n_columns * sizeof(double));
	check_abs(one.next.run[0].after.wrong, three.next.run[0].after.wrong, 0);
	check_abs(one.next.wrong, three.next.wrong, 0);
}

/* Every run that is named changes something: by a thousandth at least, up to the last. */
TEST(the_last_run_changes_something)
{
	RELEASED(scene) s;

	ask(&s, "mk=10,mmi=3,nodes=2", NAN, MAX_NEXT_RUNS);
	assert_in_range(s.next.n, 1, MAX_NEXT_RUNS);
	assert_true(s.next.run[s.next.n - 1].before.wrong - s.next.run[s.next.n - 1].after.wrong >=
		    0.001);
}

TEST_GROUP(world_set_up, world_tear_down)
