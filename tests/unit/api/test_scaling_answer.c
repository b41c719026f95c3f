/* Products of lists, predicted from a small base: which is the baseline, what is told of what
 * cannot be, which runs stand beside a series, what is paid. */
#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include "api/scaling_answer.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/scaled_base.h"

static void ask(struct scaled_base *f, const char *set, bool with_runs, struct scaling_answer *a)
{
	RELEASED(configuration_axes) axes = {.n = 0};
	const struct scaling_question q = {.app = f->app,
					   .app_id = f->app_id,
					   .axes = &axes,
					   .confidence = 0.9,
					   .with_runs = with_runs};

	must(configuration_axes_add_set(&axes, f->app, set, &err));
	must(scaling_answer_find(&f->session, &q, a, &err));
}

TEST(speed_up_is_told_against_the_fewest_nodes)
{
	RELEASED(scaling_answer) a = {0};

	ask(*state, "n=2000,tile=32,nodes=4,1,2", false, &a);
	assert_int_equal(a.n, 3);
	assert_int_equal(a.n_series, 1);
	assert_int_equal(a.series[0].baseline, 1);
	assert_false(a.series[0].is_not_least);
	check_rel(a.point[0].speedup, 4.0, 0.02);
	check_rel(a.point[0].efficiency, 1.0, 0.02);
	check_rel(a.point[1].speedup, 1.0, 1e-15);
	/* 1e-4 4e6 1.5 = 600 s on one node */
	check_rel(a.point[1].forecast.prediction.time_s, 600.0, 0.02);
	check_rel(a.point[1].node_hours, a.point[1].forecast.prediction.time_s / 3600, 1e-15);
}

TEST(what_is_illegal_is_no_baseline_and_keeps_its_reason)
{
	RELEASED(scaling_answer) a = {0};

	ask(*state, "n=2000,4000,tile=32,nodes=1,2,4", false, &a);
	assert_int_equal(a.n, 6);
	assert_int_equal(a.n_bad, 1);
	assert_int_equal(a.n_series, 2);
	assert_non_null(a.point[3].why);
	assert_non_null(strstr(a.point[3].why, "nodes > 1 or n < 4000"));
	assert_int_equal(a.series[1].baseline, 4);
	assert_true(a.series[1].is_not_least);
	assert_false(a.series[0].is_not_least);
	check_rel(a.point[4].speedup, 1.0, 1e-15);
	check_rel(a.point[5].speedup, 2.0, 0.02);
	assert_true(isnan(a.point[3].speedup));
}

/* Asked for 2 and 16 nodes, those on 1, 4 and 8 are points as well; those of another tile are not.
 */
TEST(runs_beside_a_series_differ_in_resources_alone)
{
	struct scaling_answer a = {0};

	ask(*state, "n=2000,tile=16,32,nodes=2,16", true, &a);
	assert_int_equal(a.n_series, 2);
	assert_int_equal(a.n_runs, 16);
	for (size_t i = 0; i < a.n_runs; i++) {
		const double tile = a.run[i].series == 0 ? 16 : 32;

		check_rel(a.run[i].wall_s, scaled_base_time_s(2000, a.run[i].resource, tile),
			  0.0031);
	}
	scaling_answer_release(&a);
	ask(*state, "n=2000,tile=16,32,nodes=2", true, &a);
	assert_int_equal(a.i_resource, SIZE_MAX);
	assert_int_equal(a.n_runs, 0);
	assert_true(isnan(a.point[0].speedup));
	scaling_answer_release(&a);
}

TEST(nothing_that_can_be_predicted_is_an_error)
{
	struct scaled_base *f = *state;
	RELEASED(configuration_axes) axes = {.n = 0};
	const struct scaling_question q = {
		.app = f->app, .app_id = f->app_id, .axes = &axes, .confidence = 0.9};
	struct scaling_answer a = {0};

	must(configuration_axes_add_set(&axes, f->app, "n=4000,8000,tile=16,nodes=1", &err));
	must_fail(scaling_answer_find(&f->session, &q, &a, &err), ERR_ARG,
		  "none of 2 combinations");
}

TEST(cores_are_those_of_nodes_where_they_are_known)
{
	const struct machine known = {.cores_per_node = 48}, unknown = {.nodes = 4};
	FREED(application) *app;
	double row[32];

	must(application_read("data/applications/sweep3d.conf", &app, &err));
	assert_true(app->n_columns <= 32);
	for (size_t i = 0; i < 32; i++)
		row[i] = NAN;
	row[app->i_nodes] = 4;
	row[app->i_procs] = 8;
	check_rel(node_hours_of(app, row, 1800), 2.0, 1e-15);
	check_rel(core_hours_of(app, &known, row, 1800), 96.0, 1e-15);
	check_rel(core_hours_of(app, &unknown, row, 1800), 4.0, 1e-15);
	row[app->i_nodes] = NAN;
	assert_true(isnan(node_hours_of(app, row, 1800)));
	check_rel(core_hours_of(app, &known, row, 1800), 4.0, 1e-15);
}

static enum err_code count(struct scaled_base *b, size_t *n, struct err *e)
{
	RELEASED(configuration_axes) axes = {.n = 0};
	const struct scaling_question q = {.app = b->app,
					   .app_id = b->app_id,
					   .axes = &axes,
					   .confidence = 0.9,
					   .with_runs = true};
	RELEASED(scaling_answer) a = {0};
	enum err_code rc =
		configuration_axes_add_set(&axes, b->app, "n=2000,4000,tile=16,nodes=1,2,4..8", e);

	if (!rc)
		rc = scaling_answer_find(&b->session, &q, &a, e);
	*n = a.n + 100 * a.n_bad + 1000 * a.n_runs;
	return rc;
}

TEST(a_table_is_whole_or_there_is_an_error)
{
	size_t want = 0, got = 0;

	must(count(*state, &want, &err));
	assert_int_equal(want, 14108); /* 8 points, one of them not legal, 8 + 6 runs */
	failing_each_place_tolerated (count(*state, &got, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(got, want);
	}
}

/* ---- what doubling does, asked of one machine, of all, of one that is not there ---- */

static const struct doubling_effect *effect_of(const struct scaled_base *b,
					       const struct scaling_rules *s, const char *column)
{
	for (size_t i = 0; i < s->item[0].effects.n; i++) {
		const struct doubling_effect *x = &s->item[0].effects.item[i];

		if (!strcmp(b->app->column[x->column[0]].name, column))
			return x;
	}
	fail_msg("nothing is said of %s", column);
	return NULL;
}

TEST(a_base_tells_what_doubling_does)
{
	struct scaled_base *b = *state;
	RELEASED(scaling_rules) s = {0};
	const struct doubling_piece *nodes, *n;

	must(scaling_rules_find(&b->session, b->app, b->app_id, NULL, 0.9, &s, &err));
	assert_int_equal(s.n, 1);
	assert_string_equal(s.item[0].machine, "m");
	assert_int_equal(s.item[0].n_runs, 66);
	assert_false(s.item[0].stale);
	nodes = effect_of(b, &s, "nodes")->piece;
	n = effect_of(b, &s, "n")->piece;
	check_rel(nodes->effect, 0.5, 0.02);
	assert_true(nodes->lo <= 0.5 && nodes->hi >= 0.5 && nodes->from == 1 && nodes->to == 8);
	check_rel(n->effect, 4.0, 0.02);
	assert_true(n->from == 1000 && n->to == 4000 && n->n_pairs > 0);
}

TEST(a_machine_that_is_not_there_is_an_error)
{
	struct scaled_base *b = *state;
	struct scaling_rules s = {0};

	assert_int_equal(scaling_rules_find(&b->session, b->app, b->app_id, "x", 0.9, &s, &err),
			 ERR_NOTFOUND);
	assert_int_equal(s.n, 0);
}

static enum err_code count_effects(struct scaled_base *b, size_t *n, struct err *e)
{
	RELEASED(scaling_rules) s = {0};
	enum err_code rc = scaling_rules_find(&b->session, b->app, b->app_id, NULL, 0.9, &s, e);

	*n = rc ? 0 : s.item[0].effects.n;
	return rc;
}

TEST(they_are_all_there_or_there_is_an_error)
{
	size_t want = 0, got = 0;

	must(count_effects(*state, &want, &err));
	failing_each_place_tolerated (count_effects(*state, &got, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(got, want);
	}
}

TEST_GROUP(scaled_base_setup, scaled_base_teardown)
