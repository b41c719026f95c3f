
#include "tests/unit/mining/synthetic_world.h"
#include "mining/predictor/predictor_state.h"
#include "mining/training/predictor_kind.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/uniform.h"

/* What a search may rely on, of each kind of predictor: bounds are below what is predicted, and
 * distributions are consistent with themselves. Random rows, from between the runs to far outside.
 */

static struct dataset *runs;

/* The last two are made to choose from, and their runs differed from import to import; the process
 * of the hybrid among them has been bent. */
enum { N_FITTED = 4, N_KINDS = 6 };
static const char *const kind_name[N_KINDS] = {"hybrid",    "wavefront", "log-quadratic",
					       "power-law", "hybrid",	 "power-law"};
static struct predictor *kind[N_KINDS];

/* Of a process of two parts the second, that of the grid, which varies with no levels. */
static void let_the_grid_matter_most(struct kb_fit *stored)
{
	for (size_t i = 0; i < stored->n_param; i++) {
		if (!strcmp(stored->param[i].name, "process__sd_0"))
			stored->param[i].value = log(0.05);
		if (!strcmp(stored->param[i].name, "process__sd_1"))
			stored->param[i].value = log(0.4);
	}
}

static struct predictor *fit_to_choose_from(const char *name)
{
	struct predictor *p = fit(name, runs), *chosen_from = NULL;
	struct kb_fit stored = {0};

	must(predictor_store(p, &stored, &err));
	predictor_free(p);
	assert_true(isnan(kb_fit_value(&stored, "optimism")));
	assert_true(isnan(kb_fit_value(&stored, "batch_sd")));
	must(kb_fit_add(&stored, "optimism", 0.5, NAN, "1", "", &err));
	must(kb_fit_add(&stored, "batch_sd", 0.2, NAN, "1", "", &err));
	let_the_grid_matter_most(&stored);
	must(predictor_load(&stored, world.app, &chosen_from, &err));
	kb_fit_release(&stored);
	predictor_choose_from(chosen_from);
	return chosen_from;
}

static double *at(double *row, const char *name)
{
	return &row[application_column(world.app, name)];
}

static int set_up(void **state)
{
	if (open_synthetic(state))
		return -1;
	runs = synthetic_runs(&world, 8, 2, 0.02, 0, 11);
	/* a function that no kind has, so that the hybrid one has something to correct */
	for (size_t i = 0; i < runs->n; i++) {
		const double *row = dataset_row(runs, i);

		runs->wall_s[i] *=
			exp(0.1 * sin(2 * log(row[application_column(world.app, "it")])));
	}
	for (int k = 0; k < N_KINDS; k++)
		kind[k] = k < N_FITTED ? fit(kind_name[k], runs) : fit_to_choose_from(kind_name[k]);
	return 0;
}

static int tear_down(void **state)
{
	for (int k = 0; k < N_KINDS; k++)
		predictor_free(kind[k]);
	dataset_free(runs);
	return close_synthetic(state);
}

static double whole(uint64_t *seed, double lo, double hi)
{
	return floor(uniform_draw(seed, lo, hi + 1));
}

/* As likely small as large: uniform in the logarithm. */
static double whole_log(uint64_t *seed, double lo, double hi)
{
	return floor(exp(uniform_draw(seed, log(lo), log(hi + 1))));
}

/* A legal, complete row, every other one a cube: sizes up to two doublings beyond the runs (150
 * cells, 8 processors), grids beyond that.
 */
static void random_row(uint64_t *seed, double *row)
{
	const double mmi[] = {1, 2, 3, 6};

	do {
		double angles = mmi[(int)whole(seed, 0, 3)], npe_j = whole_log(seed, 1, 16);
		double npe_i = whole_log(seed, 1, 16), cube = whole_log(seed, 5, 600);

		synthetic_row(&world, row, cube, npe_i, npe_j, 1, angles);
		/* cubes, as all runs are, and others, which to a trend are outside */
		if (whole(seed, 0, 1) > 0)
			*at(row, "kt") = whole_log(seed, 5, 600);
		*at(row, "mk") =
			*at(row, "procs") > 1 ? whole_log(seed, 1, *at(row, "kt")) : *at(row, "kt");
		configuration_derive(world.app, row);
	} while (!configuration_legal(world.app, row, NULL));
}

/* Better in nothing. */
static void check_is_bound(const struct prediction *bound, const struct prediction *p)
{
	assert_true(bound->time_s <= p->time_s);
	assert_true(bound->support <= p->support);
	assert_true(bound->scale <= p->scale);
}

TEST(no_completion_beats_the_bound_of_a_partial_row)
{
	for (int k = 0; k < N_KINDS; k++) {
		uint64_t seed = 21;

		for (int trial = 0; trial < 3000; trial++) {
			struct prediction bound, p;
			double row[64];
			int free_ = (int)whole(&seed, 0, 3); /* mk, mmi, both or none */

			random_row(&seed, row);
			predictor_predict(kind[k], row, 1, &p);
			check_abs(predictor_time_s(kind[k], row), p.time_s, 0);
			if (free_ & 1)
				*at(row, "mk") = NAN;
			if (free_ & 2)
				*at(row, "mmi") = NAN;
			configuration_derive(world.app, row);
			predictor_bound(kind[k], row, &bound);
			check_is_bound(&bound, &p);
		}
	}
}

TEST(a_complete_row_is_never_better_than_its_bound)
{
	double rows[64 * 64];
	struct prediction bound[64], near[64], sharper[64], p[64];
	size_t n_columns = world.app->n_columns;

	for (int k = 0; k < N_KINDS; k++) {
		struct correction_bound *b = NULL;
		uint64_t seed = 22;
		int n_of[3] = {0}, n_sharper = 0;

		must(correction_bound_new(kind[k], &b, &err));

		for (int batch = 0; batch < 40; batch++) {
			for (size_t i = 0; i < 64; i++)
				random_row(&seed, rows + i * n_columns);
			predictor_predict(kind[k], rows, 64, p);
			predictor_bound_complete(kind[k], NULL, false, rows, 64, bound);
			predictor_bound_complete(kind[k], b, false, rows, 64, near);
			memcpy(sharper, near, sizeof sharper);
			predictor_bound_epistemic(kind[k], rows, 64, sharper);
			for (size_t i = 0; i < 64; i++) {
				check_is_bound(&near[i], &p[i]);
				check_is_bound(&sharper[i], &p[i]);
				check_is_bound(&near[i], &sharper[i]);
				check_is_bound(&bound[i], &near[i]);
				n_sharper += bound[i].time_s < near[i].time_s;
				n_of[p[i].support]++;
			}
		}
		/* the largest part of the first process varies with levels: none is nearby */
		assert_in_range(n_sharper, k == 4 ? 1000 : 0, k == 4 ? 40 * 64 : 0);
		correction_bound_free(b);
		/* of 2560 rows a good few of each kind, or nothing was shown */
		for (int s = 0; s < 3; s++)
			assert_in_range(n_of[s], 50, 2400);
	}
}

TEST(only_doubt_is_open_in_the_sharper_bound_of_a_corrected_prediction)
{
	const struct predictor *hybrid = kind[0];
	uint64_t seed = 27;
	int n_doubted = 0;

	for (int trial = 0; trial < 500; trial++) {
		struct prediction bound = {.trend_sd = INFINITY}, p;
		double row[64];

		random_row(&seed, row);
		predictor_predict(hybrid, row, 1, &p);
		predictor_bound_epistemic(hybrid, row, 1, &bound);
		check_abs(bound.time_s, p.time_s, 0);
		assert_int_equal(bound.support, p.support);
		assert_true(isinf(bound.trend_sd));
		n_doubted += bound.scale < p.scale;
	}
	assert_in_range(n_doubted, 50, 500);
}

TEST(what_nothing_corrects_has_no_sharper_bound)
{
	uint64_t seed = 28;

	assert_true(predictor_is_corrected(kind[0]));
	for (int k = 1; k < N_FITTED; k++) {
		struct prediction bound, sharper = {.trend_sd = INFINITY};
		double row[64];

		random_row(&seed, row);
		assert_false(predictor_is_corrected(kind[k]));
		predictor_bound_complete(kind[k], NULL, false, row, 1, &bound);
		predictor_bound_epistemic(kind[k], row, 1, &sharper);
		check_abs(sharper.time_s, bound.time_s, 0);
	}
}

/* All divisors of kt and mm are the tunings of one problem; resources are drawn. */
TEST(no_tuning_beats_the_bound_that_knows_them)
{
	static const double mk[] = {1, 2, 4, 5, 10, 20, 25, 50, 100}, mmi[] = {1, 2, 3, 6};
	enum { N = 36 };
	size_t n_columns = world.app->n_columns;
	double rows[N * 64], given[64];
	int n_each = 0, n_sharper = 0;

	for (int k = 0; k < N_KINDS; k++) {
		struct tuning_bound *b = NULL;
		struct correction_bound *near = NULL;
		uint64_t seed = 23;

		synthetic_row(&world, given, 100, 2, 2, 1, 1);
		*at(given, "npe_i") = *at(given, "npe_j") = *at(given, "nodes") = NAN;
		for (size_t i = 0; i < N; i++) {
			double *row = rows + i * n_columns;

			memcpy(row, given, n_columns * sizeof *row);
			*at(row, "mk") = mk[i % 9];
			*at(row, "mmi") = mmi[i / 9];
		}
		must(tuning_bound_new(kind[k], rows, N, &b, &err));
		must(correction_bound_new(kind[k], &near, &err));
		for (int trial = 0; trial < 200; trial++) {
			double npe_i = whole_log(&seed, 1, 64), npe_j = whole_log(&seed, 2, 64);
			struct prediction bound, own, p;
			double row[64], open[64], least_s[N], sharper_s[N];
			const bool knows = trial % 2;
			bool each;

			synthetic_row(&world, open, 100, npe_i, npe_j, 1, 1);
			*at(open, "mk") = *at(open, "mmi") = NAN;
			configuration_derive(world.app, open);
			tuning_bound_at(b, open, &bound);
			each = tuning_bound_each(b, knows ? near : NULL, open, least_s, &own);
			n_each += each;
			memcpy(sharper_s, least_s, sizeof sharper_s);
			if (each && knows)
				tuning_bound_sharpen(b, near, open, least_s[trial % N], sharper_s);
			for (size_t i = 0; i < N; i++) {
				synthetic_row(&world, row, 100, npe_i, npe_j, mk[i % 9],
					      mmi[i / 9]);
				predictor_predict(kind[k], row, 1, &p);
				check_is_bound(&bound, &p);
				if (!each)
					continue;
				tuning_bound_put_time(b, open, least_s[i], &own);
				check_is_bound(&own, &p);
				n_sharper += sharper_s[i] > least_s[i];
				tuning_bound_put_time(b, open, sharper_s[i], &own);
				check_is_bound(&own, &p);
			}
		}
		correction_bound_free(near);
		tuning_bound_free(b);
	}
	assert_true(n_each > 0 && n_sharper > 0); /* of one kind at least */
}

/* Without memory for what is kept from row to row a bound says less; the next row may have some. */
TEST(a_bound_of_tunings_goes_on_after_want_of_memory)
{
	static const double mk[] = {1, 5, 20, 100};
	enum { N = 8, MOST = 40 };
	const size_t n_columns = world.app->n_columns;
	double rows[N * 64], open[64], want_s[N] = {0}, got_s[N];
	struct correction_bound *near = NULL;
	struct prediction bound;
	int n_failed = 0;

	synthetic_row(&world, open, 100, 8, 8, 1, 1);
	*at(open, "mk") = *at(open, "mmi") = NAN;
	configuration_derive(world.app, open);
	for (size_t i = 0; i < N; i++) {
		double *row = rows + i * n_columns;

		synthetic_row(&world, row, 100, 2, 2, 1, 1);
		*at(row, "npe_i") = *at(row, "npe_j") = *at(row, "nodes") = NAN;
		*at(row, "mk") = mk[i % 4];
		*at(row, "mmi") = i < 4 ? 1 : 3;
	}
	must(correction_bound_new(kind[4], &near, &err));
	for (long nth = 0; nth < MOST; nth++) {
		struct tuning_bound *b = NULL;
		bool told;

		must(tuning_bound_new(kind[4], rows, N, &b, &err));
		if (nth > 0)
			failing_allocation_start(nth);
		told = tuning_bound_each(b, near, open, got_s, &bound);
		assert_true(told || nth > 0);
		n_failed += nth > 0 && failing_allocation_stop();
		for (size_t i = 0; i < N && nth > 0 && told; i++)
			assert_true(got_s[i] <= want_s[i]);
		assert_true(tuning_bound_each(b, near, open, nth > 0 ? got_s : want_s, &bound));
		for (size_t i = 0; i < N && nth > 0; i++)
			check_abs(got_s[i], want_s[i], 0);
		tuning_bound_free(b);
	}
	assert_true(n_failed > 0);
	correction_bound_free(near);
}

static void check_chances(const struct predictor *of, const struct prediction *bound,
			  const struct prediction *p, double deadline_s, double prob)
{
	const double p_meet = prediction_p_meet(of, p, deadline_s);

	assert_true(p_meet <= predictor_best_p_meet(of, bound, deadline_s) ||
		    p_meet < PREDICTOR_NO_CHANCE);
	/* a relative 1e-12 for the rounding of two ways to multiply */
	assert_true(prediction_deadline_s(of, p, prob) >=
		    predictor_min_deadline_s(of, bound, prob) * (1 - 1e-12));
}

/* Deadlines on both sides: no prediction has a higher chance or a smaller quantile than its bound.
 */
TEST(chances_and_quantiles_of_a_bound_bound_the_real_ones)
{
	for (int k = 0; k < N_KINDS; k++) {
		uint64_t seed = 24;
		int n_without = 0;

		for (int trial = 0; trial < 2000; trial++) {
			double row[64], deadline_s, prob = uniform_draw(&seed, 0.01, 0.99);
			struct prediction bound, p;

			random_row(&seed, row);
			predictor_predict(kind[k], row, 1, &p);
			predictor_bound_complete(kind[k], NULL, false, row, 1, &bound);
			deadline_s = p.time_s * exp(uniform_draw(&seed, -1, 1));
			check_chances(kind[k], &bound, &p, deadline_s, prob);
			predictor_bound_trend(kind[k], row, 1, &bound);
			check_abs(bound.trend_sd, p.trend_sd, 0);
			check_chances(kind[k], &bound, &p, deadline_s, prob);
			/* in far too little time: some can be told to have no chance */
			deadline_s = p.time_s * exp(uniform_draw(&seed, -9, -1));
			check_chances(kind[k], &bound, &p, deadline_s, prob);
			n_without += predictor_best_p_meet(kind[k], &bound, deadline_s) <
				     PREDICTOR_NO_CHANCE;
		}
		assert_in_range(n_without, 100, 2000);
	}
}

static double drift(const void *state, const double *row)
{
	return 0.1;
}

/* Three residuals are sure of 1 - 1 / 8 at most, and that is rank 3.5 of 4: 0.1 and half of a
 * quarter of their range beyond. With two it is 1 - 1 / 6. */
TEST(a_deadline_is_promised_up_to_what_residuals_bear)
{
	const struct predictor_kind plain = {.name = "k"},
				    drifts = {.name = "d", .trend_sd = drift};
	struct predictor p = {.kind = &plain};
	struct prediction bound = {
		.time_s = 8, .scale = 2, .support = SUPPORT_EDGE, .trend_sd = INFINITY};
	double r[3][3] = {{-0.1, 0, 0.1}, {-0.1, 0, 0.1}, {-0.1, 0, 0.1}};

	residual_table_make(r[0], 3, 1, &p.table[SUPPORT_INSIDE]);
	residual_table_make(r[1], 3, 1, &p.table[SUPPORT_EDGE]);
	residual_table_make(r[2], 2, 1, &p.table[SUPPORT_OUTSIDE]);
	check_rel(predictor_min_deadline_s(&p, &bound, 0.875), 8 * exp(2 * 0.125), 1e-14);
	assert_true(isinf(predictor_min_deadline_s(&p, &bound, nextafter(0.875, 1))));
	/* what a trend may be off by makes only what is unlikely likelier */
	p.kind = &drifts;
	check_rel(predictor_min_deadline_s(&p, &bound, 0.875), 8 * exp(2 * 0.125), 1e-14);
	check_abs(predictor_min_deadline_s(&p, &bound, 0.49), 0, 0);
	p.kind = &plain;
	/* of the two residuals outside, 0 is of rank 2 of 3 */
	check_rel(predictor_best_p_meet(&p, &bound, 8), 2 / 3.0, 1e-14);
}

/* ---- one distribution ---- */

/* n residuals never make certain of more than 1 - 1 / (2 n + 2): the chance of a deadline that
 * never comes. Up to there a deadline at a quantile is met with its probability. */
TEST(a_deadline_at_a_quantile_is_met_with_its_probability)
{
	for (int k = 0; k < N_KINDS; k++) {
		uint64_t seed = 25;

		for (int trial = 0; trial < 2000; trial++) {
			double row[64], prob = uniform_draw(&seed, 0.001, 0.999);
			struct prediction p;
			double surest;

			random_row(&seed, row);
			predictor_predict(kind[k], row, 1, &p);
			surest = prediction_p_meet(kind[k], &p, INFINITY);
			assert_true(surest > 0.9 && surest < 1);
			assert_true(prediction_p_meet(kind[k], &p,
						      prediction_quantile_s(kind[k], &p, prob)) >=
				    fmin(prob, surest));
		}
	}
}

/* Both are standard deviations of log time and independent: their squares add up to that of the
 * distribution, which is half of what lies between the quantiles of -1 and +1 standard deviation.
 */
TEST(noise_and_doubt_make_the_spread)
{
	for (int k = 0; k < N_KINDS; k++) {
		uint64_t seed = 26;

		for (int trial = 0; trial < 500; trial++) {
			double row[64], noise, epistemic_sd, spread;
			struct prediction p;

			random_row(&seed, row);
			predictor_predict(kind[k], row, 1, &p);
			noise = prediction_noise_sd(kind[k], &p);
			epistemic_sd = prediction_epistemic_sd(kind[k], &p);
			spread = log(prediction_quantile_s(kind[k], &p, 0.8413) /
				     prediction_quantile_s(kind[k], &p, 0.1587)) /
				 2;
			assert_true(noise > 0 && epistemic_sd >= 0);
			check_rel(hypot(noise, epistemic_sd), spread, 1e-9);
		}
	}
}

TEST_GROUP(set_up, tear_down)
