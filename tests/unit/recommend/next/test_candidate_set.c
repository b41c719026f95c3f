#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/candidate_set.h"
#include "recommend/search/rank.h"

/* Contenders against a second way to find them: all configurations, or the 100 fastest, take part
 * in the choice together, and nobody is left out by a rough chance of its own. */

enum { MAX_ALL = 100, MAX_LEGAL = 4000 };

/* A request, its answer, its contenders, and the chances that these have by the second way. */
struct scene {
	double row[WORLD_COLUMNS];
	struct advice_request q;
	struct config_space space;
	struct advice *advice;
	struct candidate_points candidates;
	struct candidate_points all;
	double right[MAX_ALL + 1];
};

static struct place place_of(const struct scene *s, const double *row)
{
	struct prediction at;

	predictor_predict(s->q.predictor, row, 1, &at);
	return place_at(&s->q, &s->space.placement, row, &at);
}

static int by_time(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->at.time_s > y->at.time_s) - (x->at.time_s < y->at.time_s);
}

/* The recommendation first, then the fastest others. */
static void list_all(struct scene *s)
{
	static double rows[MAX_LEGAL][WORLD_COLUMNS];
	static struct place place[MAX_LEGAL];
	size_t n = 0, n_columns = world.app->n_columns;
	struct groups it;
	struct group g;
	bool more;
	struct err e = {0};

	check_ok(groups_init(&it, &s->space, false, &e), &e);
	while (!groups_next(&it, &g, &more, &e) && more) {
		for (size_t at = 0; group_rows(&g, &at, rows[n], 1) > 0; n++) {
			assert_true(n + 1 < MAX_LEGAL);
			place[n] = place_of(s, rows[n]);
			place[n].row = rows[n];
		}
	}
	groups_release(&it);
	qsort(place, n, sizeof *place, by_time);
	check_ok(candidate_points_add(&s->all, &s->candidates.item[0], s->candidates.item[0].row,
				      n_columns, &e),
		 &e);
	for (size_t i = 0; i < n && s->all.n < MAX_ALL; i++) {
		if (!candidate_points_have(&s->all, place[i].row, n_columns))
			check_ok(candidate_points_add(&s->all, &place[i], place[i].row, n_columns,
						      &e),
				 &e);
	}
}

static void judge_all(struct scene *s)
{
	struct option option[MAX_ALL];
	struct choice_problem choice;
	struct posterior_samples samples;
	struct err e = {0};

	candidate_points_choice(&s->all, s->all.n, &s->q, option, &choice);
	check_ok(candidate_points_samples(&s->all, world.app, &samples, &e), &e);
	check_ok(choice_chances(&choice, &samples, s->right, &e), &e);
	posterior_samples_release(&samples);
}

static void set_scene(struct scene *s, const char *fixed, double deadline_s,
		      enum objective objective, int64_t max_nodes)
{
	struct err e = {0};

	*s = (struct scene){0};
	world_row(&world, s->row, "50x50x50", fixed);
	s->q = world_request(&world, s->row, deadline_s);
	s->q.objective = objective;
	s->q.max_nodes = max_nodes;
	check_ok(advice_find(&s->q, &s->advice, &e), &e);
	check_ok(config_space_init(&s->space, &s->q, &e), &e);
	check_ok(candidate_set_find(&s->space, s->advice, &s->candidates, &e), &e);
	list_all(s);
	judge_all(s);
}

static void release(struct scene *s)
{
	candidate_points_release(&s->all);
	candidate_points_release(&s->candidates);
	config_space_release(&s->space);
	advice_free(s->advice);
}

static double chance_of(const struct scene *s, const double *row)
{
	for (size_t i = 0; i < s->all.n; i++) {
		if (rows_are_equal(s->all.item[i].row, row, world.app->n_columns))
			return s->right[i];
	}
	return 0;
}

/* Chances are shares of draws and of slightly different choices: hence the tolerances. */
static void check_contenders(const struct scene *s)
{
	const struct candidate_points *c = &s->candidates;
	/* where there is no room for all, those left out are no likelier than the last */
	double enough =
		c->n < MAX_CANDIDATE_SET ? 0.02 : chance_of(s, c->item[c->n - 1].row) + 0.05;

	assert_in_range(c->n, 1, MAX_CANDIDATE_SET);
	assert_true(rows_are_equal(c->item[0].row, s->advice->best.row, world.app->n_columns));
	assert_string_equal(c->item[0].kind, s->advice->feasible ? "recommended" : "best effort");
	for (size_t i = 0; i < s->all.n; i++) {
		if (s->right[i] > enough)
			assert_true(
				candidate_points_have(c, s->all.item[i].row, world.app->n_columns));
	}
	for (size_t i = 1; i < c->n; i++) {
		double chance = chance_of(s, c->item[i].row);

		assert_true(chance > 0 || !strcmp(c->item[i].kind, "neighbour"));
		if (i > 1)
			assert_true(chance <= chance_of(s, c->item[i - 1].row) + 0.03);
		for (size_t k = 0; k < i; k++)
			assert_false(rows_are_equal(c->item[i].row, c->item[k].row,
						    world.app->n_columns));
	}
}

#define ONE_BLOCK "mk=10,mmi=3"

/* Grids on up to 4 nodes. */
static void whoever_may_be_the_fastest_is_a_contender(void **state)
{
	struct scene s;

	(void)state;
	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 4);
	assert_in_range(s.candidates.n, 3, MAX_CANDIDATE_SET);
	check_contenders(&s);
	release(&s);
}

static void whoever_may_be_the_cheapest_is_a_contender(void **state)
{
	struct scene s;

	(void)state;
	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_NODE_HOURS, 4);
	check_contenders(&s);
	release(&s);
}

/* Near the deadline of the fewest nodes, on either side. */
static void whoever_may_meet_the_deadline_on_fewest_nodes_is_a_contender(void **state)
{
	struct scene s;
	double best_s;

	(void)state;
	set_scene(&s, ONE_BLOCK ",nodes=2", NAN, OBJECTIVE_TIME, 4);
	best_s = s.advice->best.prediction.time_s;
	release(&s);
	for (double share = 0.9; share < 1.3; share += 0.1) {
		set_scene(&s, ONE_BLOCK, share * best_s, OBJECTIVE_NODES, 4);
		check_contenders(&s);
		release(&s);
	}
}

static void without_an_answer_the_best_effort_comes_first(void **state)
{
	struct scene s;
	double best_s;

	(void)state;
	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 4);
	best_s = s.advice->best.prediction.time_s;
	release(&s);
	set_scene(&s, ONE_BLOCK, 0.98 * best_s, OBJECTIVE_NODES, 4);
	assert_false(s.advice->feasible);
	check_contenders(&s);
	release(&s);
}

/* Far more choices of resources than are looked at closely. */
static void of_many_the_likeliest_are_kept(void **state)
{
	struct scene s;

	(void)state;
	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 64);
	assert_int_equal(s.all.n, MAX_ALL);
	assert_int_equal(s.candidates.n, MAX_CANDIDATE_SET);
	check_contenders(&s);
	release(&s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(whoever_may_be_the_fastest_is_a_contender),
	cmocka_unit_test(whoever_may_be_the_cheapest_is_a_contender),
	cmocka_unit_test(whoever_may_meet_the_deadline_on_fewest_nodes_is_a_contender),
	cmocka_unit_test(without_an_answer_the_best_effort_comes_first),
	cmocka_unit_test(of_many_the_likeliest_are_kept),
};

int main(void)
{
	return cmocka_run_group_tests(tests, world_set_up, world_tear_down) != 0;
}
