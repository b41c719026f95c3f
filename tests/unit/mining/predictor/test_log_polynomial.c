#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/predictor/log_polynomial.h"
#include "mining/predictor/predictor.h"
#include "mining/training/predictor_kind.h"
#include "tests/support/uniform.h"

FREEABLE(config_table)
FREEABLE(predictor)

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

static struct predictor *fit(const char *name, const struct dataset *runs)
{
	struct fit_input in = {.runs = runs, .machine = &machine};
	struct predictor *p = NULL;

	must(predictor_fit(name, &in, &p, &err));
	return p;
}

static struct prediction predict(const struct predictor *p, struct qr c)
{
	struct prediction out;
	double row[16];

	qr_row(app, c, row);
	predictor_predict(p, row, 1, &out);
	return out;
}

/* The penalties are 0.01 of a run, of 162: what they pull is below 0.1 %. */
TEST(a_power_law_is_recovered_and_goes_on)
{
	static const struct qr between = {2000, 700, 32, 1, 8}, twice = {32000, 2000, 64, 0, 32};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(predictor) *p = fit("power-law", d), *q = fit("log-quadratic", d);

	check_rel(predict(p, between).time_s, qr_power_law(between), 1e-3);
	check_rel(predict(q, between).time_s, qr_power_law(between), 2e-3);
	assert_int_equal(predict(p, between).support, SUPPORT_INSIDE);
	check_rel(predict(p, twice).time_s, qr_power_law(twice), 2e-3);
	assert_int_equal(predict(p, twice).support, SUPPORT_OUTSIDE);
}

/* A parabola in log b with its vertex, the best block size, at 64: only degree 2 sees it. */
static double best_at_64(struct qr c)
{
	return qr_power_law(c) * exp(0.3 * pow(log(c.b / 64), 2));
}

TEST(degree_two_finds_the_best_block_size)
{
	FREED(dataset) *d = qr_runs(app, best_at_64, 0);
	FREED(predictor) *p = fit("power-law", d), *q = fit("log-quadratic", d);

	for (double b = 16; b < 257; b *= 2) {
		struct qr c = {4000, 1000, b, 0, 4};

		check_rel(predict(q, c).time_s, best_at_64(c), 0.02);
	}
	assert_true(fabs(log(predict(p, (struct qr){4000, 1000, 64, 0, 4}).time_s /
			     best_at_64((struct qr){4000, 1000, 64, 0, 4}))) > 0.2);
}

/* Degree 2 without bounds would multiply the error of a parabola by the square of the distance:
 * here the squares stay at the value of the last run, so a power law is still met. */
TEST(squares_do_not_run_away)
{
	static const struct qr far = {1e6, 2000, 64, 0, 16};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0.1);
	FREED(predictor) *q = fit("log-quadratic", d);

	assert_true(fabs(log(predict(q, far).time_s / qr_power_law(far))) < 0.5);
}

/* "tiled" is a level of the application that none of these runs has (another machine's may): the
 * answer is the middle of the levels seen, sqrt(1 * 2), and outside. */
TEST(a_level_never_seen_is_outside)
{
	struct qr c = {4000, 1000, 64, 2, 4}, row_layout = c;
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(predictor) *p = fit("power-law", d);

	row_layout.layout = 0;
	assert_int_equal(predict(p, row_layout).support, SUPPORT_INSIDE);
	assert_int_equal(predict(p, c).support, SUPPORT_OUTSIDE);
	assert_true(predict(p, c).scale > 1);
	check_rel(predict(p, c).time_s, sqrt(2) * predict(p, row_layout).time_s, 0.01);
}

/* All runs have m = 1000 on one processor: what another m or another count does, nobody knows. */
/* All runs but those of the largest matrices: 16000 x 1000 and 4000 x 2000 are the largest left,
 * and 16000 x 2000 is twice that, though 16000 and 2000 were seen. Beyond, a trend may err either
 * way. */
TEST(a_problem_larger_than_any_is_outside_though_its_sides_are_not)
{
	struct qr largest = {16000, 2000, 64, 0, 4}, smaller = {16000, 1000, 64, 0, 4};
	FREED(dataset) *d = dataset_new(app);
	struct prediction at;
	FREED(predictor) *p;
	uint64_t seed = 3;

	for (int i = 0; i < QR_DESIGN_N; i++) {
		struct qr c = qr_design(i);

		if (c.m < 16000 || c.n < 2000)
			qr_add(d, c, qr_power_law(c) * uniform_draw(&seed, 0.95, 1.05));
	}
	p = fit("power-law", d);
	assert_int_equal(predict(p, smaller).support, SUPPORT_INSIDE);
	at = predict(p, largest);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	assert_true(prediction_quantile_s(p, &at, 0.05) < at.time_s);
	assert_true(prediction_quantile_s(p, &at, 0.95) > at.time_s);
}

TEST(a_column_that_never_varied_supports_its_value_only)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(predictor) *p;

	for (int i = 0; i < 60; i++) {
		struct qr c = {1000, 100 * (1 + i % 20), 8 << i / 20, 0, 1};

		qr_add(d, c, qr_power_law(c));
	}
	p = fit("power-law", d);
	assert_int_equal(predict(p, (struct qr){1000, 550, 16, 0, 1}).support, SUPPORT_INSIDE);
	assert_int_equal(predict(p, (struct qr){1100, 550, 16, 0, 1}).support, SUPPORT_EDGE);
	assert_int_equal(predict(p, (struct qr){2000, 550, 16, 0, 1}).support, SUPPORT_OUTSIDE);
	assert_int_equal(predict(p, (struct qr){1000, 550, 16, 0, 64}).support, SUPPORT_OUTSIDE);
	assert_true(predict(p, (struct qr){1000, 550, 16, 0, 64}).scale > 2);
}

/* What is missing only: neither what was asked nor what varied. */
TEST(a_missing_constant_is_filled_in)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	HEAP struct log_polynomial *m = NULL;
	double row[16];

	for (int i = 0; i < 60; i++) {
		struct qr c = {1000, 100 * (1 + i % 20), 8 << i / 20, 0, 1};

		qr_add(d, c, qr_power_law(c));
	}
	must(config_table_make(d, &t, &err));
	must(log_polynomial_fit(t, 1, &m, &err));
	qr_row(app, (struct qr){(double)NAN, (double)NAN, 16, 0, 4}, row);
	log_polynomial_fill_constants(m, row);
	check_abs(row[application_column(app, "m")], 1000, 0);
	assert_true(isnan(row[application_column(app, "n")]));
	check_abs(row[application_column(app, "procs")], 4, 0);
}

/* A missing block size stands in the middle of the logs seen: sqrt(16 * 256) = 64. */
TEST(a_missing_value_stands_in_the_middle_and_is_no_longer_inside)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(predictor) *p = fit("power-law", d);
	struct prediction with = predict(p, (struct qr){4000, 1000, 64, 0, 4}),
			  without = predict(p, (struct qr){4000, 1000, (double)NAN, 0, 4});

	check_rel(without.time_s, with.time_s, 1e-12);
	assert_int_equal(with.support, SUPPORT_INSIDE);
	assert_int_equal(without.support, SUPPORT_EDGE);
}

/* A tenth of the runs did not note it: the rest tells what it does. */
TEST(runs_with_a_missing_value_still_count)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0), *holes = dataset_new(app);
	FREED(predictor) *p;

	for (size_t i = 0; i < d->n; i++) {
		double row[16];

		memcpy(row, dataset_row(d, i), app->n_columns * sizeof *row);
		if (i % 10 == 0)
			row[application_column(app, "b")] = (double)NAN;
		must(dataset_add(holes, row, d->wall_s[i], (int64_t)i, 1, SOURCE_MEASURED, RUN_OK,
				 1, &err));
	}
	p = fit("power-law", holes);
	check_rel(predict(p, (struct qr){4000, 1000, 16, 0, 4}).time_s,
		  qr_power_law((struct qr){4000, 1000, 16, 0, 4}), 0.05);
}

static double constant(struct qr c)
{
	return 3;
}

TEST(a_constant_time_is_predicted_everywhere)
{
	FREED(dataset) *d = qr_runs(app, constant, 0);
	FREED(predictor) *p = fit(NULL, d);

	check_rel(predict(p, (struct qr){2000, 700, 32, 1, 8}).time_s, 3.0, 1e-6);
	check_rel(predict(p, (struct qr){1e9, 1e9, 1e9, 1, 1e6}).time_s, 3.0, 1e-3);
}

/* One column varies, and takes the value 0: log(b + 1), shifted. */
TEST(one_varying_column_with_a_zero_is_enough)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(predictor) *p;

	for (int b = 0; b < 32; b++)
		qr_add(d, (struct qr){1000, 1000, b, 0, 1}, 5 * pow(1 + b, 0.7));
	p = fit("power-law", d);
	check_rel(predict(p, (struct qr){1000, 1000, 0, 0, 1}).time_s, 5.0, 0.01);
	check_rel(predict(p, (struct qr){1000, 1000, 10.5, 0, 1}).time_s, 5 * pow(11.5, 0.7), 0.01);
}

/* Whatever is asked, a time is finite and positive. */
TEST(wild_questions_get_finite_times)
{
	static const double wild[] = {0, -5, 1e300, 1e-300, INFINITY};
	FREED(dataset) *d = qr_runs(app, best_at_64, 0.05);
	FREED(predictor) *p = fit("power-law", d), *q = fit("log-quadratic", d);

	for (size_t i = 0; i < 5; i++) {
		struct qr c = {wild[i], wild[(i + 1) % 5], wild[(i + 2) % 5], 1, 4};
		struct prediction a = predict(p, c), b = predict(q, c);

		assert_true(a.time_s > 0 && isfinite(a.time_s));
		assert_true(b.time_s > 0 && isfinite(b.time_s));
		assert_int_equal(a.support, SUPPORT_OUTSIDE);
		assert_true(isfinite(a.scale) && isfinite(b.scale));
	}
}

/* All runs have 500 columns or more: none count as 250, by each regression, and are not known. The
 * process allows for no limit, too. */
TEST(nothing_where_all_runs_had_some_is_half_of_the_least)
{
	static const char *const name[] = {"power-law", "log-quadratic", "gaussian-process"};
	static const struct qr none = {2000, 0, 32, 0, 4}, half = {2000, 250, 32, 0, 4};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);

	for (int i = 0; i < 3; i++) {
		FREED(predictor) *p = fit(name[i], d);
		const struct prediction at = predict(p, none), of_half = predict(p, half);

		if (i < 2)
			check_rel(at.time_s, of_half.time_s, 0.02);
		else
			assert_true(at.time_s > of_half.time_s);
		assert_int_equal(at.support, SUPPORT_OUTSIDE);
		assert_true(prediction_quantile_s(p, &at, 0.95) >=
			    prediction_quantile_s(p, &of_half, 0.95) * 0.98);
	}
}

/* The order of columns may change with the definition, and a level may be gone: a fit names both.
 * Here it goes to an application that has the levels in another order. */
TEST(a_stored_fit_finds_levels_by_name)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(predictor) *p = fit("power-law", d), *q = NULL;
	FREED(application) *other = qr_application();
	struct levels *l = &other->column[application_column(other, "layout")].levels;
	struct qr c = {4000, 1000, 64, 1, 4};
	RELEASED(kb_fit) stored = {0};
	struct prediction at;
	double row[16];
	char *name;

	name = l->name[1]; /* "column" becomes 2, "tiled" 1 */
	l->name[1] = l->name[2];
	l->name[2] = name;
	must(predictor_store(p, &stored, &err));
	must(predictor_load(&stored, other, &q, &err));
	qr_row(other, c, row);
	row[application_column(other, "layout")] = 2;
	predictor_predict(q, row, 1, &at);
	check_abs(at.time_s, predict(p, c).time_s, 0);
	assert_int_equal(at.support, SUPPORT_INSIDE);
	row[application_column(other, "layout")] = 1;
	predictor_predict(q, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
}

TEST(a_damaged_fit_asks_for_mining)
{
	static const char *const lost[] = {
		"scale",  "n_configs",	"range_0_column", "range_1_lo",	    "level_0",	"term_0",
		"term_5", "range_2_hi", "range_0_shift",  "range_3_column", "n_ranges", "n_levels"};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct predictor *p = fit("power-law", d), *q = NULL;

	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
		RELEASED(kb_fit) stored = {0};
		struct err e = {0};
		bool found = false;

		check_ok(predictor_store(p, &stored, &e), &e);
		for (size_t k = 0; k < stored.n_param; k++) {
			if (!strcmp(stored.param[k].name, lost[i])) {
				stored.param[k].name[0] = '#';
				found = true;
			}
		}
		assert_true(found);
		if (predictor_load(&stored, app, &q, &e) != ERR_NOTMINED)
			fail_msg("a fit without %s was loaded", lost[i]);
		assert_non_null(strstr(e.msg, "lemnos mine"));
		assert_null(q);
	}
	predictor_free(p);
}

/* Fresh runs of 140 worlds of eight runs each, with noise up to 10 %. So few that hardly a residual
 * inside can be held out; an interval made of those alone covers 62 %. */
TEST(the_interval_of_eight_runs_is_honest)
{
	uint64_t seed = 8;
	int n = 0, covered = 0;

	for (int world = 0; world < 140; world++) {
		struct dataset *d = dataset_new(app);
		struct predictor *p;

		for (int i = 0; i < 8; i++) {
			struct qr c = qr_design((int)uniform_draw(&seed, 0, 54));

			qr_add(d, c, qr_power_law(c) * (1 + uniform_draw(&seed, -0.1, 0.1)));
		}
		p = fit(NULL, d);
		for (int i = 0; i < 20; i++) {
			struct qr c = qr_design((int)uniform_draw(&seed, 0, 54));
			double t = qr_power_law(c) * (1 + uniform_draw(&seed, -0.1, 0.1));
			struct prediction at = predict(p, c);

			if (at.support != SUPPORT_INSIDE)
				continue;
			n++;
			covered += t >= prediction_quantile_s(p, &at, 0.05) &&
				   t <= prediction_quantile_s(p, &at, 0.95);
		}
		predictor_free(p);
		dataset_free(d);
	}
	assert_true(n > 500);
	assert_true(covered > 0.87 * n);
}

/* The repeats of a configuration lie anywhere in +-10 %: nine of ten in +-9 %. */
static void check_uniform(const struct predictor *p, enum support s)
{
	check_rel(predictor_error(p, s).lo, 0.91, 0.003);
	check_rel(predictor_error(p, s).hi, 1.09, 0.003);
}

static struct predictor *fit_repeats(size_t n)
{
	FREED(dataset) *d = dataset_new(app);
	uint64_t seed = 9;
	struct predictor *p;

	for (size_t i = 0; i < n * QR_DESIGN_N; i++) {
		const struct qr c = qr_design((int)(i % QR_DESIGN_N));

		qr_add(d, c, qr_power_law(c) * (1 + uniform_draw(&seed, -0.1, 0.1)));
	}
	p = fit("power-law", d);
	return p;
}

/* 202 500 runs of 162 configurations: 200 000 of them are asked about, at random. All are held out
 * as often as those of a few repeats are, whatever the folds. */
TEST(of_very_many_repeats_a_part_tells_as_much)
{
	FREED(predictor) *few = fit_repeats(20), *many = fit_repeats(1250);
	const double times = (double)predictor_error(many, SUPPORT_INSIDE).n /
			     (double)predictor_error(few, SUPPORT_INSIDE).n;

	check_rel(times, 200000.0 / (20 * QR_DESIGN_N), 0.002);
	check_uniform(many, SUPPORT_INSIDE);
}

/* 24 000 configurations, each run once: no more than 20 000 are held out, in 14 folds at most, of
 * which those of the first two ways hold out each once. */
TEST(of_very_many_configurations_a_part_is_held_out)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(predictor) *p;
	uint64_t seed = 9;
	size_t n = 0;

	for (int i = 0; i < 24000; i++) {
		const int round = i / QR_DESIGN_N;
		struct qr c = qr_design(i % QR_DESIGN_N);

		c.m += round;
		qr_add(d, c, qr_power_law(c) * (1 + uniform_draw(&seed, -0.1, 0.1)));
	}
	p = fit("power-law", d);
	for (int s = 0; s < 3; s++)
		n += predictor_error(p, (enum support)s).n;
	assert_in_range(n, 2 * 10000, 4 * 10000 - 1);
	check_uniform(p, SUPPORT_INSIDE);
}

TEST(four_configurations_are_too_few)
{
	FREED(dataset) *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct predictor *p = NULL;

	for (int i = 0; i < 20; i++)
		qr_add(d, (struct qr){100 * (1 + i % 4), 100, 8, 0, 1}, 1 + i);
	must_fail(predictor_fit("power-law", &in, &p, &err), ERR_NODATA, "4 configurations");
	assert_non_null(strstr(err.msg, "5 or more"));
}

/* Each input for itself, how large the problem and how many the processors are in all, and how far
 * other columns are beyond the runs. */
TEST(features_are_inputs_totals_and_the_rest)
{
	static const char *const total[] = {"size of the problem", "processors", "other columns"};
	const struct qr c = {3000, 700, 32, 1, 8};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	FREED(config_table) *t = NULL;
	struct log_polynomial *m = NULL;
	double row[16], f[PREDICTOR_KIND_MAX_FEATURES];

	must(config_table_make(d, &t, &err));
	must(log_polynomial_fit(t, 1, &m, &err));
	qr_row(app, c, row);
	assert_int_equal(log_polynomial_features(m, row, f), 4 + 3);
	assert_int_equal(m->n_inputs, 4); /* m, n, b and processors */
	for (size_t i = 0; i < 4; i++) {
		const size_t column = m->range[i].column;

		check_rel(f[i], row[column], 1e-15);
		assert_string_equal(log_polynomial_feature_name(m, i), app->column[column].name);
	}
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(log_polynomial_feature_name(m, 4 + i), total[i]);
	check_rel(f[4], 3000.0 * 700, 1e-15);
	check_rel(f[5], 8.0, 1e-15);
	check_rel(f[6], 1.0, 1e-15);
	row[application_column(app, "layout")] = 2; /* never seen: outside */
	log_polynomial_features(m, row, f);
	assert_true(f[6] > 1.5);
	predictor_kind_power_law.free(m);
}

/* ln 10 at a tenth that is left; what is filled to the whole, or more, counts as to a millionth. */
TEST(a_scale_has_a_coordinate_and_its_inverse)
{
	static const struct {
		struct log_range range;
		double x, coordinate;
	} golden[] = {{{.scale = SCALE_RATIO}, 7.389056098930650, 2},
		      {{.scale = SCALE_RATIO, .shift = 1}, 0, 0},
		      {{.scale = SCALE_STEPS}, 5, 5},
		      {{.scale = SCALE_SHARE}, 0.9, 2.302585092994046},
		      {{.scale = SCALE_PERCENT}, 90, 2.302585092994046}};

	for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
		check_abs(log_range_coordinate(&golden[i].range, golden[i].x), golden[i].coordinate,
			  1e-14);
		check_abs(log_range_value(&golden[i].range, golden[i].coordinate), golden[i].x,
			  1e-12);
	}
	check_rel(column_scale_at(SCALE_PERCENT, 0, 100), log(1e6), 1e-12);
	check_rel(column_scale_at(SCALE_SHARE, 0, 1e300), log(1e6), 1e-12);
	assert_true(isfinite(column_scale_at(SCALE_STEPS, 0, INFINITY)));
}

TEST_GROUP(qr_set_up, qr_tear_down)
