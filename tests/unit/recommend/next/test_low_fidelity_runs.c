#include "tests/unit/mining/qr_application.h"
#include "tests/unit/recommend/shared_world.h"

#include "recommend/next/candidate_points.h"

/* Cheaper runs, by hand: what they are of, and what they may cost. */

/* The proxies of one place, which comes first. */
struct scene {
	double row[WORLD_COLUMNS], free_row[WORLD_COLUMNS];
	struct advice_request request;
	struct config_space space;
	struct candidate_points places;
};

#define GRID_4X4 "npe_i=4,npe_j=4,mk=10,mmi=3,nodes=4"

/* Of a place that is said to cost so many node-hours. */
static void find_proxies(struct scene *s, const char *problem, const char *fixed, double node_hours)
{
	struct candidate_point x = {.node_hours = node_hours};

	*s = (struct scene){0};
	world_row(&world, s->row, problem, fixed);
	configuration_derive(world.app, s->row);
	assert_true(configuration_legal(world.app, s->row, NULL));
	world_row(&world, s->free_row, problem, NULL);
	s->request = world_request(&world, s->free_row, 3600);
	must(config_space_init(&s->space, &s->request, &err));
	must(candidate_points_add(&s->places, &x, s->row, world.app->n_columns, &err));
	must(low_fidelity_runs_add(&s->space, &s->places, 1, &err));
}

static void scene_release(struct scene *s)
{
	candidate_points_release(&s->places);
	config_space_release(&s->space);
}

/* The proxy is the configuration with only `changed` set otherwise. */
static void check_proxy(const struct scene *s, size_t i, const char *kind, const char *changed)
{
	double want[WORLD_COLUMNS];

	assert_true(i < s->places.n);
	assert_string_equal(s->places.item[i].kind, kind);
	memcpy(want, s->row, world.app->n_columns * sizeof *want);
	must(configuration_set(world.app, changed, want, &err));
	configuration_derive(world.app, want);
	for (size_t c = 0; c < world.app->n_columns; c++)
		check_abs(s->places.item[i].row[c], want[c], 0);
}

/* A quarter of 12 iterations; of 6 angles it would be 1, which mmi = 3 does not divide; one energy
 * group and one time step stay one, which is no other run. Half of everything else: 2x2 processors
 * fill one node of four cores. */
TEST(work_comes_in_quarters_and_all_else_in_halves)
{
	RELEASED(scene) s;

	find_proxies(&s, "50x50x50", GRID_4X4, 1e6);
	assert_int_equal(s.places.n, 5);
	check_proxy(&s, 1, "less work", "iterations=3");
	check_proxy(&s, 2, "smaller problem", "it_g=25,jt_g=25,kt=25");
	check_proxy(&s, 3, "fewer processors", "npe_i=2,npe_j=2,nodes=1");
	check_proxy(&s, 4, "scaled down", "it_g=25,jt_g=25,kt=25,npe_i=2,npe_j=2,nodes=1");
}

/* 51 / 2 = 25, 21 / 2 = 10, 3 processors of which 1 is left; 7 / 4 groups are 1, a quarter of 2
 * time steps would be none. mm = 4 of which a quarter is 1, as mmi is. */
TEST(shares_are_whole_and_never_below_what_is_legal)
{
	RELEASED(scene) s;

	find_proxies(&s, "51x50x21",
		     "npe_i=3,npe_j=1,mk=7,mmi=1,nodes=1,mm=4,iterations=5,groups=7,timesteps=2",
		     1e6);
	check_proxy(&s, 1, "less work", "mm=1");
	check_proxy(&s, 2, "less work", "iterations=1");
	check_proxy(&s, 3, "less work", "groups=1");
	check_proxy(&s, 4, "less work", "timesteps=1");
	check_proxy(&s, 5, "smaller problem", "it_g=25,jt_g=25,kt=10");
	/* one processor would have to compute all in one block: mk = kt and mmi = mm */
	assert_int_equal(s.places.n, 6);
}

/* Half of 8x1 processors: 4x1. */
TEST(a_side_of_one_processor_stays)
{
	RELEASED(scene) s;

	find_proxies(&s, "50x50x50", "npe_i=8,npe_j=1,mk=10,mmi=3,nodes=2", 1e6);
	check_proxy(&s, 3, "fewer processors", "npe_i=4,nodes=1");
}

static double cost_of(const struct scene *s, size_t i)
{
	struct prediction at;

	predictor_predict(world.predictor, s->places.item[i].row, 1, &at);
	return world_get(&world, s->places.item[i].row, "nodes") * at.time_s / 3600;
}

TEST(what_costs_more_than_half_is_no_proxy)
{
	struct scene s;
	double cost;

	find_proxies(&s, "50x50x50", GRID_4X4, 1e6);
	cost = cost_of(&s, 1); /* a quarter of the iterations */
	check_rel(s.places.item[1].node_hours, cost, 1e-12);
	for (size_t i = 2; i < s.places.n; i++)
		assert_true(cost_of(&s, i) != cost);
	scene_release(&s);
	find_proxies(&s, "50x50x50", GRID_4X4, 2 * cost);
	check_proxy(&s, 1, "less work", "iterations=3"); /* half is cheap enough */
	scene_release(&s);
	find_proxies(&s, "50x50x50", GRID_4X4, 1.9 * cost);
	for (size_t i = 1; i < s.places.n; i++) {
		assert_string_not_equal(s.places.item[i].kind, "less work");
		assert_true(cost_of(&s, i) <= 0.95 * cost);
	}
	scene_release(&s);
}

TEST(each_place_asked_for_has_its_own)
{
	struct candidate_point x = {.node_hours = 1e6};
	double row[WORLD_COLUMNS];
	struct scene s;
	size_t n;

	find_proxies(&s, "50x50x50", GRID_4X4, 1e6);
	n = s.places.n;
	/* those of the first are there already, and none is asked for of the last */
	must(low_fidelity_runs_add(&s.space, &s.places, 1, &err));
	assert_int_equal(s.places.n, n);
	scene_release(&s);

	find_proxies(&s, "50x50x50", GRID_4X4, 0);
	assert_int_equal(s.places.n, 1); /* nothing is cheaper than that */
	world_row(&world, row, "50x50x50", "npe_i=8,npe_j=2,mk=10,mmi=3,nodes=4");
	configuration_derive(world.app, row);
	must(candidate_points_add(&s.places, &x, row, world.app->n_columns, &err));
	must(low_fidelity_runs_add(&s.space, &s.places, 2, &err));
	assert_int_equal(s.places.n, 2 + 4);
	check_abs(world_get(&world, s.places.item[2].row, "npe_i"), 8, 0);
	check_abs(world_get(&world, s.places.item[4].row, "npe_i"), 4, 0);
	check_abs(world_get(&world, s.places.item[4].row, "npe_j"), 1, 0);
	scene_release(&s);
}

/* ---- applications without a definition ---- */

static struct application *qr;
static struct dataset *qr_runs;
static struct predictor *qr_predictor;
static const struct machine of_4_cores = {
	.name = (char *)(uintptr_t) "m", .nodes = 64, .cores_per_node = 4};

/* t = m n^2 / (1e8 procs) seconds */
static double qr_time_s(struct qr c)
{
	return c.m * c.n * c.n / (1e8 * c.procs);
}

static int set_up_qr(void **state)
{
	qr = qr_application();
	qr_runs = dataset_new(qr);
	assert_non_null(qr_runs);
	for (double m = 2000; m <= 8000; m *= 2) {
		for (double b = 8; b <= 32; b *= 2) {
			for (double procs = 1; procs <= 8; procs *= 2) {
				const struct qr c = {m, 500, b, 0, procs};

				qr_add(qr_runs, c, qr_time_s(c));
			}
		}
	}
	must(predictor_fit(NULL, &(struct fit_input){.runs = qr_runs, .machine = &of_4_cores},
			   &qr_predictor, &err));
	return 0;
}

static int tear_down_qr(void **state)
{
	predictor_free(qr_predictor);
	dataset_free(qr_runs);
	application_free(qr);
	return 0;
}

/* The problem that stands for 8000 x 500, by these runs; m = 0: there is none. */
static struct qr problem_for_8000x500(const struct dataset *runs)
{
	struct candidate_point x = {.node_hours = 1e6};
	double row[WORLD_COLUMNS], free_row[WORLD_COLUMNS];
	struct advice_request q = {.app = qr,
				   .machine = &of_4_cores,
				   .predictor = qr_predictor,
				   .runs = runs,
				   .row = free_row,
				   .deadline_s = NAN,
				   .confidence = 0.9,
				   .objective = OBJECTIVE_TIME};
	RELEASED(config_space) space;
	RELEASED(candidate_points) places = {0};
	struct qr found = {0, 0, 0, 0, 0};

	qr_row(qr, (struct qr){8000, 500, 16, 0, 4}, row);
	qr_row(qr, (struct qr){8000, 500, NAN, NAN, NAN}, free_row);
	must(config_space_init(&space, &q, &err));
	must(candidate_points_add(&places, &x, row, qr->n_columns, &err));
	must(low_fidelity_runs_add(&space, &places, 1, &err));
	assert_in_range(places.n, 1, 2);
	if (places.n == 2) {
		const double *r = places.item[1].row;

		assert_string_equal(places.item[1].kind, "smaller problem");
		found = (struct qr){r[application_column(qr, "m")], r[application_column(qr, "n")],
				    r[application_column(qr, "b")], 0,
				    r[application_column(qr, "procs")]};
	}
	return found;
}

static void check_problem(struct qr got, double m, double n)
{
	check_abs(got.m, m, 0);
	check_abs(got.n, n, 0);
	check_abs(got.b, 16, 0);
	check_abs(got.procs, 4, 0);
}

/* In logs 4000 x 500 is 0.69 away, 7000 x 300 0.13 + 0.51 = 0.64. */
TEST_WITH(the_nearest_smaller_problem_that_was_run_stands_for_another, set_up_qr, tear_down_qr)
{
	FREED(dataset) *runs = dataset_new(qr);

	qr_add(runs, (struct qr){8000, 500, 16, 0, 4}, 5); /* the same one */
	assert_true(problem_for_8000x500(runs).m == 0);
	qr_add(runs, (struct qr){2000, 500, 8, 0, 1}, 5);
	check_problem(problem_for_8000x500(runs), 2000, 500);
	qr_add(runs, (struct qr){4000, 500, 8, 0, 1}, 10);
	check_problem(problem_for_8000x500(runs), 4000, 500);
	qr_add(runs, (struct qr){1000, 500, 8, 0, 1}, 2);
	check_problem(problem_for_8000x500(runs), 4000, 500);
	qr_add(runs, (struct qr){7000, 300, 8, 0, 1}, 6);
	check_problem(problem_for_8000x500(runs), 7000, 300);
}

TEST_WITH(a_problem_that_failed_or_is_larger_in_anything_stands_for_none, set_up_qr, tear_down_qr)
{
	FREED(dataset) *runs = dataset_new(qr);

	qr_add(runs, (struct qr){2000, 500, 16, 0, 4}, 5);
	qr_add_as(runs, (struct qr){7900, 500, 16, 0, 4}, 19, RUN_FAILED);
	qr_add_as(runs, (struct qr){7800, 500, 16, 0, 4}, 19, RUN_TIMEOUT);
	qr_add(runs, (struct qr){7000, 501, 16, 0, 4}, 17);
	qr_add(runs, (struct qr){8001, 400, 16, 0, 4}, 12);
	qr_add(runs, (struct qr){9000, 500, 16, 0, 4}, 22);
	check_problem(problem_for_8000x500(runs), 2000, 500);
}

TEST_GROUP(world_set_up, world_tear_down)
