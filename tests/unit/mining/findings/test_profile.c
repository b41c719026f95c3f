#include "tests/support/shared_app.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/cases/rule_miners.h"
#include "tests/support/uniform.h"

FREEABLE(slowdown_table)

/* Anew for each test: some add levels. */
static int set_up(void **state)
{
	app = qr_application();
	return 0;
}

/* Frees the runs. */
static struct findings profile(struct dataset *d)
{
	FREED(slowdown_table) *t = NULL;
	struct findings f = {.n_columns = 0};

	must(slowdown_table_make(d, NULL, &t, &err));
	must(mine_profile(d, t, &f, &err));
	dataset_free(d);
	return f;
}

static const struct column_profile *column_of(const struct findings *f, const char *name)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		if (!strcmp(f->column[i].column, name))
			return &f->column[i];
	}
	return NULL;
}

static bool remarks_say(const struct findings *f, const char *text)
{
	return strstr(f->profile.remarks, text) != NULL;
}

#define IN_FIXTURE(f) TEST_WITH(f, set_up, free_app)

/* 3 m x 3 n x 3 b x 2 layouts x 3 procs, all crossed, each once. */
IN_FIXTURE(a_factorial_design_is_counted_and_covered)
{
	RELEASED(findings) f = profile(qr_runs(app, qr_power_law, 0.01));
	const struct column_profile *b = column_of(&f, "b"), *layout = column_of(&f, "layout");

	assert_int_equal(f.profile.n_runs, 162);
	assert_int_equal(f.profile.n_configurations, 162);
	assert_int_equal(f.profile.n_problems, 9);
	assert_int_equal(f.profile.n_cases, 27);
	assert_int_equal(f.profile.n_repeated, 0);
	assert_true(isnan(f.profile.noise) && isnan(f.profile.noise_p90));
	check_abs(f.profile.design_coverage, 1, 0);
	assert_int_equal(f.profile.n_regimes, 1);
	check_abs(f.profile.regime_shift, 1, 0);
	assert_string_equal(f.profile.remarks,
			    "no configuration was run twice: how much times vary by themselves is "
			    "not known");

	assert_int_equal(f.n_columns, 5);
	assert_string_equal(b->role, "tunable");
	assert_int_equal(b->n, 162);
	assert_int_equal(b->n_missing, 0);
	assert_int_equal(b->n_levels, 3);
	check_abs(b->min, 16, 0);
	check_abs(b->q25, 16, 0);
	check_abs(b->median, 64, 0);
	check_abs(b->q75, 256, 0);
	check_abs(b->max, 256, 0);
	assert_string_equal(b->levels, "");
	assert_string_equal(b->remark, "");
	assert_int_equal(layout->n_levels, 2);
	assert_true(isnan(layout->min) && isnan(layout->median) && isnan(layout->max));
	assert_string_equal(layout->levels, "row 81, column 81");
}

/* b = 8 only in the run that came first, 16 and 32 for both problems: 5 of 2 x 3. */
IN_FIXTURE(a_value_of_the_first_run_alone_is_in_the_design)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	qr_add(d, (struct qr){100, 100, 8, 0, 1}, 1);
	for (int i = 0; i < 4; i++)
		qr_add(d, (struct qr){100 << i / 2, 100, 16 << i % 2, 0, 1}, 2 + i);
	f = profile(d);
	check_rel(f.profile.design_coverage, 5.0 / (2 * 3), 1e-12);
}

IN_FIXTURE(half_a_design_is_half_covered)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 12; i++) /* the diagonal half of 4 b x 6 m */
		qr_add(d, (struct qr){100 << i / 2, 100, 8 << (i / 2 + i) % 4, 0, 1}, 1 + i);
	f = profile(d);
	check_rel(f.profile.design_coverage, 12.0 / (6 * 4), 1e-12);
}

/* Normal noise of 2 %, three repeats each of 100 configurations, one of them disturbed. */
static struct dataset *repeated(size_t n_configs, int n_repeats, double noise)
{
	struct dataset *d = dataset_new(app);
	uint64_t seed = 7;

	for (int r = 0; r < n_repeats; r++) {
		for (size_t i = 0; i < n_configs; i++) {
			double z = 0; /* a sum of 12 uniform numbers has variance 1 */

			for (int k = 0; k < 12; k++)
				z += uniform_draw(&seed, -0.5, 0.5);
			qr_add(d, (struct qr){100 << i % 8, 100, 8 + floor((double)i / 8), 0, 1},
			       (double)(1 + i % 8) * exp(noise * z));
		}
	}
	return d;
}

IN_FIXTURE(noise_is_measured_and_outliers_do_not_change_it)
{
	struct dataset *d = repeated(200, 3, 0.02);
	RELEASED(findings) f;

	for (size_t i = 0; i < 5; i++)
		d->wall_s[31 * i] *= 4;
	f = profile(d);
	assert_int_equal(f.profile.n_repeated, 200);
	check_rel(f.profile.noise, 0.02, 0.2);
	/* 90 % of s^2 of three are below 2.303 sigma^2: -log(0.1) */
	check_rel(f.profile.noise_p90, 0.02 * sqrt(2.303), 0.25);
	assert_int_equal(f.profile.n_outliers, 5);
	assert_int_equal(f.profile.n_regimes, 1);
	assert_true(remarks_say(&f, "5 repeats took far longer than the others of the same "
				    "configuration"));
}

IN_FIXTURE(a_lucky_repeat_is_no_outlier)
{
	struct dataset *d = repeated(50, 4, 0.02);
	RELEASED(findings) f;

	d->wall_s[3] /= 3;
	f = profile(d);
	assert_int_equal(f.profile.n_outliers, 0);
}

IN_FIXTURE(of_two_repeats_the_slow_one_is_the_outlier)
{
	struct dataset *d = repeated(50, 2, 0.01);
	RELEASED(findings) f;

	d->wall_s[3] *= 2;
	f = profile(d);
	assert_int_equal(f.profile.n_outliers, 1);
}

/* Four rounds over 50 configurations; from the third on the machine is 20 % slower. */
IN_FIXTURE(a_change_of_the_machine_is_a_regime)
{
	struct dataset *d = repeated(50, 4, 0.02);
	RELEASED(findings) f;

	for (size_t i = 100; i < d->n; i++)
		d->wall_s[i] *= 1.2;
	f = profile(d);
	assert_int_equal(f.profile.n_regimes, 2);
	check_rel(f.profile.regime_shift, 1.2, 0.02);
	assert_true(remarks_say(&f, "times changed along the way: from run 101 on they are 1.2"));
}

IN_FIXTURE(runs_out_of_order_are_put_in_order_first)
{
	struct dataset *d = repeated(50, 4, 0.02);
	RELEASED(findings) f;

	for (size_t i = 0; i < d->n; i++) {
		d->run_id[i] = (int64_t)(i * 77 % 200) + 1; /* 77 and 200 are coprime */
		if (d->run_id[i] > 100)
			d->wall_s[i] *= 1.2;
	}
	f = profile(d);
	assert_int_equal(f.profile.n_regimes, 2);
}

IN_FIXTURE(a_disturbed_stretch_is_three_regimes)
{
	struct dataset *d = repeated(50, 8, 0.02);
	RELEASED(findings) f;

	for (size_t i = 150; i < 250; i++)
		d->wall_s[i] *= 1.5;
	f = profile(d);
	assert_int_equal(f.profile.n_regimes, 3);
	check_rel(f.profile.regime_shift, 1.5, 0.03);
}

IN_FIXTURE(runs_that_do_not_count_are_counted)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 10; i++)
		qr_add(d, (struct qr){100 << i, 100, 8, 0, 1}, 1 + i);
	qr_add_as(d, (struct qr){1, 1, 8, 0, 1}, 0.001, RUN_FAILED);
	qr_add_as(d, (struct qr){1e6, 1e6, 8, 0, 1}, 3600, RUN_TIMEOUT);
	qr_add_as(d, (struct qr){2e6, 1e6, 8, 0, 1}, 3600, RUN_TIMEOUT);
	d->flagged[0] = 1;
	d->n_repeats[1] = 5;
	f = profile(d);
	assert_int_equal(f.profile.n_runs, 13);
	assert_int_equal(f.profile.n_configurations, 9);
	assert_int_equal(f.profile.n_failed, 1);
	assert_int_equal(f.profile.n_timeout, 2);
	assert_int_equal(f.profile.n_flagged, 1);
	assert_int_equal(f.profile.n_aggregates, 1);
	check_abs(column_of(&f, "m")->max, 51200, 0); /* of those that count */
	assert_true(remarks_say(&f, "2 runs were cut off by a time limit: "));
	assert_true(remarks_say(&f, "one run is flagged as suspicious: "));
	assert_true(remarks_say(&f, "no problem was run in two ways on the same resources"));
}

IN_FIXTURE(what_a_design_cannot_tell_is_said)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 8; i++)
		qr_add(d, (struct qr){100 << i / 4, 100, 8, 0, 1 << i % 4}, 1 + i);
	f = profile(d);
	assert_string_equal(
		f.profile.remarks,
		"only 2 problems were run: what is found may not hold for others\n"
		"no problem was run in two ways on the same resources: choices cannot be "
		"compared\n"
		"no configuration was run twice: how much times vary by themselves is not "
		"known");
}

IN_FIXTURE(constant_times_teach_nothing)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 20; i++)
		qr_add(d, qr_design(i), 3.2);
	f = profile(d);
	assert_true(remarks_say(&f, "every run took 3.20 s: there is nothing to learn from\n"));
}

IN_FIXTURE(one_run_is_a_profile)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	qr_add(d, qr_design(0), 3.2);
	f = profile(d);
	assert_int_equal(f.profile.n_configurations, 1);
	check_abs(f.profile.design_coverage, 1, 0);
	assert_true(remarks_say(&f, "only one run counts: there is nothing to compare\n"));
	assert_string_equal(column_of(&f, "m")->remark, "constant");
	check_abs(column_of(&f, "m")->median, 1000, 0);
}

IN_FIXTURE(a_copy_is_called_one)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 24; i++) {
		double m = 100 << i % 6;

		qr_add(d, (struct qr){m, m, 8 << i / 6, 0, 1}, 1 + i);
	}
	f = profile(d);
	assert_true(remarks_say(&f, "n is a copy of m"));
	assert_string_equal(column_of(&f, "n")->remark, "a copy of m");
	assert_string_equal(column_of(&f, "m")->remark, "");
}

IN_FIXTURE(what_only_rises_with_another_is_no_copy)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 24; i++) {
		double m = 100 << i % 6;

		qr_add(d, (struct qr){m, 2 * m, 8 << i / 6, 0, 1}, 1 + i);
	}
	f = profile(d);
	assert_false(remarks_say(&f, "copy"));
	assert_true(remarks_say(&f, "n rises and falls with m: what either does to time cannot be "
				    "told apart"));
	assert_string_equal(column_of(&f, "n")->remark, "rises and falls with m");
}

IN_FIXTURE(weak_scaling_is_said_once)
{
	static const char told[] = "m and procs move together in these runs";
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;
	const char *first;

	for (int i = 0; i < 24; i++)
		qr_add(d, (struct qr){100 << i % 6, 100, 8 << i / 6, 0, 1 << i % 6}, 1 + i);
	f = profile(d);
	first = strstr(f.profile.remarks, told);
	assert_non_null(first);
	assert_null(strstr(first + 1, told));
	assert_false(remarks_say(&f, "rises and falls"));
	assert_non_null(strstr(column_of(&f, "procs")->remark, told));
}

/* 200 levels, the first 10 more often than the others. */
IN_FIXTURE(of_many_levels_the_frequent_ones_are_named)
{
	struct levels *l = &app->column[application_column(app, "layout")].levels;
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;
	char name[16];

	for (int i = 3; i < 200; i++) {
		snprintf(name, sizeof name, "L%d", i);
		assert_int_equal(levels_add(l, name), i);
	}
	for (int i = 0; i < 200; i++) {
		for (int k = 0; k < (i < 10 ? 20 - i : 1); k++)
			qr_add(d, (struct qr){100, 100, 8 << k % 4, i, 1}, 1 + k);
	}
	f = profile(d);
	assert_int_equal(column_of(&f, "layout")->n_levels, 200);
	assert_string_equal(
		column_of(&f, "layout")->levels,
		"row 20, column 19, tiled 18, L3 17, L4 16, L5 15, L6 14, L7 13, L8 12, "
		"L9 11, 190 more");
}

IN_FIXTURE(missing_values_are_counted)
{
	struct dataset *d = qr_runs(app, qr_power_law, 0.01);
	RELEASED(findings) f;

	for (size_t i = 0; i < d->n; i++) {
		if (i % 3 == 0)
			d->rows[i * d->n_columns + application_column(app, "b")] = NAN;
		d->rows[i * d->n_columns + application_column(app, "layout")] = NAN;
	}
	f = profile(d);
	assert_int_equal(column_of(&f, "b")->n, 108);
	assert_int_equal(column_of(&f, "b")->n_missing, 54);
	assert_int_equal(column_of(&f, "layout")->n, 0);
	assert_int_equal(column_of(&f, "layout")->n_missing, 162);
	assert_string_equal(column_of(&f, "layout")->levels, "");
	assert_string_equal(column_of(&f, "layout")->remark, "missing in every run");
}

/* 1000 distinct values 1..1000: quartiles at ranks 250, 500, 750. */
IN_FIXTURE(quartiles_of_many_values_are_those_of_the_runs)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < 1000; i++)
		qr_add(d, (struct qr){100, 100, 1 + i * 7 % 1000, 0, 1}, 1 + i);
	f = profile(d);
	check_abs(column_of(&f, "b")->min, 1, 0);
	check_abs(column_of(&f, "b")->q25, 250, 0);
	check_abs(column_of(&f, "b")->median, 500, 0);
	check_abs(column_of(&f, "b")->q75, 750, 0);
	check_abs(column_of(&f, "b")->max, 1000, 0);
	assert_int_equal(column_of(&f, "b")->n_levels, 1000);
}

IN_FIXTURE(levels_beyond_the_limit_are_not_counted)
{
	struct dataset *d = dataset_new(app);
	RELEASED(findings) f;

	for (int i = 0; i < PROFILE_MAX_LEVELS + 1000; i++)
		qr_add(d, (struct qr){100, 100, 1 + i, 0, 1}, 1 + i);
	f = profile(d);
	assert_int_equal(column_of(&f, "b")->n_levels, PROFILE_MAX_LEVELS);
}
