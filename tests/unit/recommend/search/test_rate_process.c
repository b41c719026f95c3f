#include "tests/support/made_application.h"
#include "tests/support/shared_app.h"
#include "tests/unit/recommend/world.h"
#include "mining/numerics/mining_init.h"

#include "recommend/search/rate_process.h"

FREEABLE(rate_process)

/* Of one problem: t = 10 (1 + 0.02 (a - 6)^2 + 0.02 (b - 4)^2) c s, least 8 s at a = 6, b = 4 in
 * colour "red" (c = 0.8, else 1); the corner around it was not run. */

static struct machine machine;

static double time_s(double a, double b, bool red)
{
	return 10 * (1 + 0.02 * (a - 6) * (a - 6) + 0.02 * (b - 4) * (b - 4)) * (red ? 0.8 : 1);
}

static void put(double n, double a, double b, bool red, double *row)
{
	char text[100];

	configuration_clear(app, row);
	snprintf(text, sizeof text, "n=%.0f,a=%.0f,b=%.0f,colour=%s,nodes=1", n, a, b,
		 red ? "red" : "blue");
	must(configuration_set(app, text, row, &err));
}

static bool was_run(double a, double b, bool red)
{
	return !(red && fabs(a - 6) < 1.5 && fabs(b - 4) < 1.5);
}

/* Problem n from 1 to n_problems, each n times as long; one in so many of all was run. */
static struct dataset *runs_of(int n_problems, int in)
{
	struct dataset *d = dataset_new(app);
	double row[WORLD_COLUMNS];

	assert_non_null(d);
	for (int i = 0; i < n_problems * 200; i++) {
		const int problem = i / 200, tens = i / 10;
		const double n = 1 + problem, a = 1 + i % 10, b = 1 + tens % 10;
		const bool red = i / 100 % 2;

		if (!was_run(a, b, red) || (i * 7 + i / 10) % in)
			continue;
		put(n, a, b, red, row);
		must(dataset_add(d, row, n * time_s(a, b, red), i + 1, 1, SOURCE_MEASURED, RUN_OK,
				 1, &err));
	}
	return d;
}

static int set_up(void **state)
{
	static char name[] = "testbed";

	mining_init();
	app = made_application("tiles", "n", "a,b,colour", "colour", "nodes");
	made_levels(app, "colour", "blue,red");
	machine = (struct machine){.name = name, .cores_per_node = 4};
	return 0;
}

/* From the first n runs of problem 1, what a predictor knows that learned from all of them; column
 * missing
 * (SIZE_MAX: none) has no values. */
static struct rate_process *process_without(size_t missing, const struct dataset *runs, size_t n)
{
	const struct fit_input in = {.runs = runs, .machine = &machine};
	FREED(predictor) *predictor = NULL;
	struct rate_process *p = NULL;
	HEAP double *rows = zeroed(n * runs->n_columns + 1, sizeof *rows);

	for (size_t i = 0; i < n; i++) {
		memcpy(rows + i * runs->n_columns, dataset_row(runs, i),
		       runs->n_columns * sizeof *rows);
		if (missing < runs->n_columns)
			rows[i * runs->n_columns + missing] = NAN;
	}
	must(predictor_fit(NULL, &in, &predictor, &err));
	must(rate_process_fit(predictor, app, rows, runs->wall_s, n, &p, &err));
	return p;
}

static struct rate_process *process_of(const struct dataset *runs, size_t n)
{
	return process_without(SIZE_MAX, runs, n);
}

static double score(const struct rate_process *p, double a, double b, bool red)
{
	double row[WORLD_COLUMNS];

	put(1, a, b, red, row);
	return rate_process_score_s(p, row);
}

TEST(what_is_probably_faster_than_all_runs_scores_below_them)
{
	FREED(dataset) *runs = runs_of(1, 3);
	FREED(rate_process) *p = process_of(runs, runs->n);
	double best_s = INFINITY;

	assert_non_null(p);
	for (size_t i = 0; i < runs->n; i++)
		best_s = fmin(best_s, runs->wall_s[i]);
	assert_true(best_s > 8);
	assert_true(score(p, 6, 4, true) < best_s);
	assert_true(score(p, 6, 4, true) > 0.97 * 8); /* it is doubted, not promised too much */
	assert_true(score(p, 6, 4, false) > best_s);  /* 10 s */
	assert_true(score(p, 1, 10, true) > best_s);  /* 17 s */
	/* nobody knows: no better than the mean of all */
	assert_true(score(p, 4000, 4000, true) > 1.2 * best_s);
}

TEST(where_too_few_or_others_tell_it_is_not_asked)
{
	FREED(dataset) *one = runs_of(1, 3), *three = runs_of(3, 3);
	size_t n = 0;

	assert_null(process_of(one, 0));
	assert_null(process_of(one, 29)); /* three columns vary */
	/* of three problems this one is a third */
	while (n < three->n && dataset_row(three, n)[application_column(app, "n")] < 2)
		n++;
	assert_int_equal(n, one->n);
	assert_null(process_of(three, n));
}

/* Two columns vary beside one that no run has: twenty configurations are enough, as without it. */
TEST(a_column_that_no_run_has_is_no_input)
{
	FREED(dataset) *runs = runs_of(1, 4);
	FREED(rate_process) *p = process_without(application_column(app, "a"), runs, 29);

	assert_non_null(p);
}

TEST(equal_times_tell_nothing)
{
	FREED(dataset) *runs = runs_of(1, 3);

	for (size_t i = 0; i < runs->n; i++)
		runs->wall_s[i] = 5;
	assert_null(process_of(runs, runs->n));
}

TEST_GROUP(set_up, free_app)
