#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/candidate_points.h"
#include "recommend/search/rank.h"

/* What is not known about configurations, and what they are as a choice; by hand. */

#define ONE "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1"

static void fill(double *row, const char *fixed)
{
	world_row(&world, row, "50x50x50", ONE);
	if (*fixed) {
		must(configuration_set(world.app, fixed, row, &err));
	}
	configuration_derive(world.app, row);
}

static void add_place(struct candidate_points *p, const char *fixed, double epistemic_sd)
{
	struct candidate_point x = {.epistemic_sd = epistemic_sd};
	double row[WORLD_COLUMNS];

	fill(row, fixed);
	must(candidate_points_add(p, &x, row, world.app->n_columns, &err));
}

/* exp(-log 2 / (2 log 2)) = exp(-1/2) at a factor of two in a tunable or a side of the problem,
 * exp(-1/16) in the iterations, and exp(-sqrt(5)/2) at factors of two and four. */
TEST(posterior_samples_are_correlated_by_distance)
{
	enum { N = 5 };
	RELEASED(candidate_points) p = {0};
	RELEASED(posterior_samples) d;

	add_place(&p, "mk=10", 0.1);
	add_place(&p, "mk=5", 0.2);
	add_place(&p, "iterations=6", 0.1);
	add_place(&p, "mk=20,npe_i=8", 0.1);
	add_place(&p, "it_g=100", 0.1);
	must(candidate_points_samples(&p, world.app, &d, &err));
	check_rel(d.covariance[0 * N + 0], 0.01, 1e-12);
	check_rel(d.covariance[0 * N + 1], 0.02 * exp(-0.5), 1e-12);
	check_rel(d.covariance[1 * N + 0], 0.02 * exp(-0.5), 1e-12);
	check_rel(d.covariance[0 * N + 2], 0.01 * exp(-1.0 / 16), 1e-12);
	check_rel(d.covariance[0 * N + 3], 0.01 * exp(-sqrt(5) / 2), 1e-12);
	check_rel(d.covariance[0 * N + 4], 0.01 * exp(-0.5), 1e-12);
}

/* Of what one repeat may take beyond its median the noise has its share by standard deviations. */
TEST(a_place_says_what_is_predicted_and_how_sure)
{
	const double confidence = 0.9;
	double row[WORLD_COLUMNS], free_row[WORLD_COLUMNS], epistemic_sd, noise, whole;
	struct advice_request q;
	struct placement where;
	struct prediction at;
	struct candidate_point x;

	fill(row, "npe_j=4,nodes=2");
	world_row(&world, free_row, "50x50x50", NULL);
	q = world_request(&world, free_row, NAN);
	must(placement_init(&where, &q, free_row, &err));
	predictor_predict(world.predictor, row, 1, &at);
	x = place_at(&q, &where, row, &at);
	check_abs(x.at.time_s, at.time_s, 0);
	check_abs(x.nodes, 2, 0);
	check_rel(x.node_hours, 2 * at.time_s / 3600, 1e-15);
	epistemic_sd = prediction_epistemic_sd(world.predictor, &at);
	noise = prediction_noise_sd(world.predictor, &at);
	check_abs(x.epistemic_sd, epistemic_sd, 0);
	check_abs(x.noise, noise, 0);
	assert_true(epistemic_sd > 0 && noise > 0);
	whole = log(prediction_quantile_s(world.predictor, &at, confidence) / at.time_s);
	check_rel(x.tail, whole * noise / sqrt(epistemic_sd * epistemic_sd + noise * noise), 1e-12);
}

static struct candidate_point on_4_nodes = {
	.at = {.time_s = 100}, .nodes = 4, .node_hours = 400.0 / 3600, .tail = 0.25};

static struct advice_request request(enum objective objective, double deadline_s, double budget)
{
	return (struct advice_request){
		.objective = objective, .deadline_s = deadline_s, .budget_node_hours = budget};
}

/* Half a node-hour is 450 s on four nodes. */
TEST(the_stricter_limit_counts)
{
	struct advice_request q = request(OBJECTIVE_TIME, 1000, 0.5);
	struct option o = place_option(&on_4_nodes, &q);

	check_abs(o.stop_s, 450, 1e-9);
	check_rel(o.log_limit, log(450) - 0.25, 1e-12);
	q.deadline_s = 300;
	check_abs(place_option(&on_4_nodes, &q).stop_s, 300, 0);
	q.deadline_s = NAN;
	check_abs(place_option(&on_4_nodes, &q).stop_s, 450, 1e-9);
	q.budget_node_hours = 0;
	assert_true(isinf(place_option(&on_4_nodes, &q).stop_s));
	assert_true(isinf(place_option(&on_4_nodes, &q).log_limit));
}

TEST(objectives_are_levels_and_prices)
{
	struct advice_request q = request(OBJECTIVE_NODES, 1000, 0);
	struct option o = place_option(&on_4_nodes, &q);

	check_rel(o.log_time, log(100), 1e-15);
	check_abs(o.nodes, 4, 0);
	check_abs(o.level, 4, 0);
	check_abs(o.log_price, 0, 0);
	q.objective = OBJECTIVE_NODE_HOURS;
	o = place_option(&on_4_nodes, &q);
	check_abs(o.level, 0, 0);
	check_rel(o.log_price, log(4), 1e-15);
	q.objective = OBJECTIVE_TIME;
	o = place_option(&on_4_nodes, &q);
	check_abs(o.level, 0, 0);
	check_abs(o.log_price, 0, 0);
}

TEST(the_first_places_are_the_choice)
{
	struct advice_request q = request(OBJECTIVE_NODES, 1000, 0);
	RELEASED(candidate_points) p = {0};
	struct option option[2];
	struct choice_problem c;

	add_place(&p, "mk=10", 0.1);
	add_place(&p, "mk=5", 0.1);
	add_place(&p, "mk=1", 0.1);
	for (size_t i = 0; i < 3; i++)
		p.item[i].nodes = (double)i + 7;
	candidate_points_choice(&p, 2, &q, option, &c);
	assert_int_equal(c.n, 2);
	assert_ptr_equal(c.option, option);
	check_abs(c.tolerance, 0.05, 0);
	check_abs(option[0].level, 7, 0);
	check_abs(option[1].level, 8, 0);
}

TEST(a_place_is_there_once_it_was_added)
{
	struct candidate_points p = {0};
	double row[WORLD_COLUMNS];

	add_place(&p, "mk=10", 0.1);
	add_place(&p, "mk=5", 0.1);
	fill(row, "mk=5");
	assert_true(candidate_points_have(&p, row, world.app->n_columns));
	fill(row, "mk=1");
	assert_false(candidate_points_have(&p, row, world.app->n_columns));
	candidate_points_release(&p);
	assert_false(candidate_points_have(&p, row, world.app->n_columns));
}

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

static struct candidate_point place_of(const struct scene *s, const double *row)
{
	struct prediction at;

	predictor_predict(s->q.predictor, row, 1, &at);
	return place_at(&s->q, &s->space.placement, row, &at);
}

static int by_time(const void *a, const void *b)
{
	const struct candidate_point *x = a, *y = b;

	return (x->at.time_s > y->at.time_s) - (x->at.time_s < y->at.time_s);
}

/* The recommendation first, then the fastest others. */
static void list_all(struct scene *s)
{
	static double rows[MAX_LEGAL][WORLD_COLUMNS];
	static struct candidate_point place[MAX_LEGAL];
	size_t n = 0, n_columns = world.app->n_columns;
	struct groups it;
	struct group g;
	bool more;

	must(groups_init(&it, &s->space, false, &err));
	while (!groups_next(&it, &g, &more, &err) && more) {
		for (size_t at = 0; group_rows(&g, &at, rows[n], 1) > 0; n++) {
			assert_true(n + 1 < MAX_LEGAL);
			place[n] = place_of(s, rows[n]);
			place[n].row = rows[n];
		}
	}
	groups_release(&it);
	qsort(place, n, sizeof *place, by_time);
	must(candidate_points_add(&s->all, &s->candidates.item[0], s->candidates.item[0].row,
				  n_columns, &err));
	for (size_t i = 0; i < n && s->all.n < MAX_ALL; i++) {
		if (!candidate_points_have(&s->all, place[i].row, n_columns))
			must(candidate_points_add(&s->all, &place[i], place[i].row, n_columns,
						  &err));
	}
}

static void judge_all(struct scene *s)
{
	struct option option[MAX_ALL];
	struct choice_problem choice;
	RELEASED(posterior_samples) samples;

	candidate_points_choice(&s->all, s->all.n, &s->q, option, &choice);
	must(candidate_points_samples(&s->all, world.app, &samples, &err));
	must(choice_chances(&choice, &samples, s->right, &err));
}

static void set_scene(struct scene *s, const char *fixed, double deadline_s,
		      enum objective objective, int64_t max_nodes)
{
	*s = (struct scene){0};
	world_row(&world, s->row, "50x50x50", fixed);
	s->q = world_request(&world, s->row, deadline_s);
	s->q.objective = objective;
	s->q.max_nodes = max_nodes;
	must(advice_find(&s->q, &s->advice, &err));
	must(config_space_init(&s->space, &s->q, &err));
	must(candidate_set_find(&s->space, s->advice, &s->candidates, &err));
	list_all(s);
	judge_all(s);
}

static void scene_release(struct scene *s)
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
TEST(whoever_may_be_the_fastest_is_a_contender)
{
	RELEASED(scene) s;

	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 4);
	assert_in_range(s.candidates.n, 3, MAX_CANDIDATE_SET);
	check_contenders(&s);
}

TEST(whoever_may_be_the_cheapest_is_a_contender)
{
	RELEASED(scene) s;

	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_NODE_HOURS, 4);
	check_contenders(&s);
}

/* Near the deadline of the fewest nodes, on either side. */
TEST(whoever_may_meet_the_deadline_on_fewest_nodes_is_a_contender)
{
	struct scene s;
	double best_s;

	set_scene(&s, ONE_BLOCK ",nodes=2", NAN, OBJECTIVE_TIME, 4);
	best_s = s.advice->best.prediction.time_s;
	scene_release(&s);
	for (double share = 0.9; share < 1.3; share += 0.1) {
		set_scene(&s, ONE_BLOCK, share * best_s, OBJECTIVE_NODES, 4);
		check_contenders(&s);
		scene_release(&s);
	}
}

TEST(without_an_answer_the_best_effort_comes_first)
{
	struct scene s;
	double best_s;

	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 4);
	best_s = s.advice->best.prediction.time_s;
	scene_release(&s);
	set_scene(&s, ONE_BLOCK, 0.98 * best_s, OBJECTIVE_NODES, 4);
	assert_false(s.advice->feasible);
	check_contenders(&s);
	scene_release(&s);
}

/* Far more choices of resources than are looked at closely. */
TEST(of_many_the_likeliest_are_kept)
{
	RELEASED(scene) s;

	set_scene(&s, ONE_BLOCK, NAN, OBJECTIVE_TIME, 64);
	assert_int_equal(s.all.n, MAX_ALL);
	assert_int_equal(s.candidates.n, MAX_CANDIDATE_SET);
	check_contenders(&s);
}

TEST_GROUP(world_set_up, world_tear_down)
