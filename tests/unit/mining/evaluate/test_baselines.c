#include "tests/support/shared_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/evaluate/baselines.h"
#include "mining/numerics/mining_init.h"

FREEABLE(baseline)
FREEABLE(config_table)
FREEABLE(nearest_neighbours)
FREEABLE(predictor)

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};
static struct fit_input in;

static int set_up(void **state)
{
	mining_init();
	app = qr_application();
	runs = qr_runs(app, qr_power_law, 0.1);
	in = (struct fit_input){.runs = runs, .machine = &machine};
	return 0;
}

static struct baseline *fit(const char *name)
{
	struct baseline *f = NULL;

	must(baseline_fit(name, &in, &f, &err));
	return f;
}

TEST(what_is_compared_are_the_predictors_and_the_baseline)
{
	const char *name[FORECASTER_KINDS], *predictor[PREDICTOR_KINDS];
	size_t n = baseline_names(app, name);

	assert_int_equal(n, predictor_names(app, predictor) + 1);
	for (size_t i = 0; i + 1 < n; i++)
		assert_string_equal(name[i], predictor[i]);
	assert_string_equal(name[n - 1], "nearest-neighbours");
}

TEST(an_unknown_name_is_told_those_that_there_are)
{
	must(baseline_check("power-law", app, &err));
	must(baseline_check("nearest-neighbours", app, &err));
	must_say(baseline_check("wavefront", app, &err), ERR_ARG,
		 "there is no predictor wavefront for qr: use one of "
		 "gaussian-process, log-quadratic, power-law, "
		 "nearest-neighbours");
}

/* Said of a design point by both kinds, held against those who say it. */
TEST(a_forecast_is_what_its_maker_says)
{
	FREED(nearest_neighbours) *neighbours = NULL;
	FREED(predictor) *power = NULL;
	FREED(config_table) *t = NULL;
	double row[16];

	qr_row(app, (struct qr){2000, 700, 40, 1, 8}, row);
	must(config_table_make(runs, &t, &err));
	must(nearest_neighbours_fit(t, NULL, &neighbours, &err));
	must(predictor_fit("power-law", &in, &power, &err));
	for (int kind = 0; kind < 2; kind++) {
		FREED(baseline) *f = fit(kind ? "nearest-neighbours" : "power-law");
		struct prediction at;
		struct forecast out;
		double time_s;

		predictor_predict(power, row, 1, &at);
		time_s = kind ? nearest_neighbours_time_s(neighbours, row) : at.time_s;
		memset(&out, 0xff, sizeof out); /* NaN, in no order with anything */
		baseline_forecast(f, row, &out);
		check_rel(out.time_s, time_s, 1e-12);
		/* 90 %: from 5 to 95 %; the third deadline is the one met by 25 % */
		if (kind) {
			check_rel(out.lo_s[LEVEL_90],
				  nearest_neighbours_quantile_s(neighbours, time_s, 0.05), 1e-9);
			check_rel(out.hi_s[LEVEL_90],
				  nearest_neighbours_quantile_s(neighbours, time_s, 0.95), 1e-9);
			check_rel(out.deadline_s[2],
				  nearest_neighbours_quantile_s(neighbours, time_s, 0.25), 1e-9);
			check_rel(out.p_meet[2],
				  nearest_neighbours_p_meet(neighbours, time_s, out.deadline_s[2]),
				  1e-9);
		} else {
			check_rel(out.lo_s[LEVEL_90], prediction_quantile_s(power, &at, 0.05),
				  1e-9);
			check_rel(out.hi_s[LEVEL_90], prediction_quantile_s(power, &at, 0.95),
				  1e-9);
			check_rel(out.deadline_s[2], prediction_quantile_s(power, &at, 0.25), 1e-9);
			check_rel(out.p_meet[2], prediction_p_meet(power, &at, out.deadline_s[2]),
				  1e-9);
		}
		for (int k = 1; k < INTERVAL_LEVELS; k++) {
			assert_true(out.lo_s[k] < out.lo_s[k - 1]);
			assert_true(out.hi_s[k] > out.hi_s[k - 1]);
		}
		for (int k = 1; k < RELIABILITY_BINS; k++) {
			assert_true(out.deadline_s[k] > out.deadline_s[k - 1]);
			assert_true(out.p_meet[k] > out.p_meet[k - 1]);
		}
	}
}

/* Nobody knows better than the baseline where its doubts are larger: one scale, always inside. */
TEST(the_baseline_makes_no_difference_between_places)
{
	FREED(baseline) *f = fit("nearest-neighbours");
	struct prediction at = {0};
	double row[16];

	qr_row(app, (struct qr){1e9, 1, 1, 2, 1000}, row);
	baseline_predict(f, row, &at);
	check_abs(at.scale, 1, 0);
	assert_int_equal(at.support, SUPPORT_INSIDE);
	assert_true(at.time_s > 0);
	baseline_free(NULL);
}

TEST(no_baseline_without_memory_or_runs)
{
	FREED(dataset) *none = dataset_new(app);
	struct fit_input of_none = {.runs = none, .machine = &machine};
	struct baseline *f = NULL;

	failing_each_allocation (baseline_fit("nearest-neighbours", &in, &f, &err), &err)
		assert_null(f);
	baseline_free(f);
	f = NULL;
	assert_int_equal(baseline_fit("nearest-neighbours", &of_none, &f, &err), ERR_NODATA);
	assert_null(f);
}

TEST_GROUP(set_up, free_runs)
