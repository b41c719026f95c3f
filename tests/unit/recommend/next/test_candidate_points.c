#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/candidate_points.h"

/* What is not known about configurations, and what they are as a choice; by hand. */

#define ONE "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1"

static void fill(double *row, const char *fixed)
{
	world_row(&world, row, "50x50x50", ONE);
	if (*fixed) {
		struct err e = {0};

		check_ok(configuration_set(world.app, fixed, row, &e), &e);
	}
	configuration_derive(world.app, row);
}

static void add_place(struct candidate_points *p, const char *fixed, double epistemic_sd)
{
	struct place x = {.epistemic_sd = epistemic_sd};
	double row[WORLD_COLUMNS];
	struct err e = {0};

	fill(row, fixed);
	check_ok(candidate_points_add(p, &x, row, world.app->n_columns, &e), &e);
}

/* exp(-log 2 / (2 log 2)) = exp(-1/2) at a factor of two in a tunable or a side of the problem,
 * exp(-1/16) in the iterations, and exp(-sqrt(5)/2) at factors of two and four. */
static void posterior_samples_are_correlated_by_distance(void **state)
{
	enum { N = 5 };
	struct candidate_points p = {0};
	struct posterior_samples d;
	struct err e = {0};

	(void)state;
	add_place(&p, "mk=10", 0.1);
	add_place(&p, "mk=5", 0.2);
	add_place(&p, "iterations=6", 0.1);
	add_place(&p, "mk=20,npe_i=8", 0.1);
	add_place(&p, "it_g=100", 0.1);
	check_ok(candidate_points_samples(&p, world.app, &d, &e), &e);
	check_rel(d.covariance[0 * N + 0], 0.01, 1e-12);
	check_rel(d.covariance[0 * N + 1], 0.02 * exp(-0.5), 1e-12);
	check_rel(d.covariance[1 * N + 0], 0.02 * exp(-0.5), 1e-12);
	check_rel(d.covariance[0 * N + 2], 0.01 * exp(-1.0 / 16), 1e-12);
	check_rel(d.covariance[0 * N + 3], 0.01 * exp(-sqrt(5) / 2), 1e-12);
	check_rel(d.covariance[0 * N + 4], 0.01 * exp(-0.5), 1e-12);
	posterior_samples_release(&d);
	candidate_points_release(&p);
}

/* Of what one repeat may take beyond its median the noise has its share by standard deviations. */
static void a_place_says_what_is_predicted_and_how_sure(void **state)
{
	const double confidence = 0.9;
	double row[WORLD_COLUMNS], free_row[WORLD_COLUMNS], epistemic_sd, noise, whole;
	struct advice_request q;
	struct placement where;
	struct prediction at;
	struct place x;
	struct err e = {0};

	(void)state;
	fill(row, "npe_j=4,nodes=2");
	world_row(&world, free_row, "50x50x50", NULL);
	q = world_request(&world, free_row, NAN);
	check_ok(placement_init(&where, &q, free_row, &e), &e);
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

static struct place on_4_nodes = {
	.at = {.time_s = 100}, .nodes = 4, .node_hours = 400.0 / 3600, .tail = 0.25};

static struct advice_request request(enum objective objective, double deadline_s, double budget)
{
	return (struct advice_request){
		.objective = objective, .deadline_s = deadline_s, .budget_node_hours = budget};
}

/* Half a node-hour is 450 s on four nodes. */
static void the_stricter_limit_counts(void **state)
{
	struct advice_request q = request(OBJECTIVE_TIME, 1000, 0.5);
	struct option o = place_option(&on_4_nodes, &q);

	(void)state;
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

static void objectives_are_levels_and_prices(void **state)
{
	struct advice_request q = request(OBJECTIVE_NODES, 1000, 0);
	struct option o = place_option(&on_4_nodes, &q);

	(void)state;
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

static void the_first_places_are_the_choice(void **state)
{
	struct advice_request q = request(OBJECTIVE_NODES, 1000, 0);
	struct candidate_points p = {0};
	struct option option[2];
	struct choice_problem c;

	(void)state;
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
	candidate_points_release(&p);
}

static void a_place_is_there_once_it_was_added(void **state)
{
	struct candidate_points p = {0};
	double row[WORLD_COLUMNS];

	(void)state;
	add_place(&p, "mk=10", 0.1);
	add_place(&p, "mk=5", 0.1);
	fill(row, "mk=5");
	assert_true(candidate_points_have(&p, row, world.app->n_columns));
	fill(row, "mk=1");
	assert_false(candidate_points_have(&p, row, world.app->n_columns));
	candidate_points_release(&p);
	assert_false(candidate_points_have(&p, row, world.app->n_columns));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(posterior_samples_are_correlated_by_distance),
	cmocka_unit_test(a_place_says_what_is_predicted_and_how_sure),
	cmocka_unit_test(the_stricter_limit_counts),
	cmocka_unit_test(objectives_are_levels_and_prices),
	cmocka_unit_test(the_first_places_are_the_choice),
	cmocka_unit_test(a_place_is_there_once_it_was_added),
};

int main(void)
{
	return cmocka_run_group_tests(tests, world_set_up, world_tear_down) != 0;
}
