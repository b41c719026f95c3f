/* Sums of predicted costs: intervals of what errs alike add up, those of noise do as squares. */
#include "tests/support/check.h"

#include "api/campaign_total.h"
#include "api/scaling_answer.h"
#include "tests/support/scaled_base.h"

#define MAX_COLUMNS 16

struct row {
	struct fitted_machine m;
	double x[MAX_COLUMNS];
	struct row_prediction f;
};

static void predict(struct scaled_base *b, double n, double nodes, double confidence, struct row *r)
{
	const struct machine_request any = {.name = NULL};
	RELEASED(strbuf) why = STRBUF_INIT;

	assert_true(b->app->n_columns <= MAX_COLUMNS);
	must(fitted_machine_load(&b->session, b->app, b->app_id, &any, &r->m, &err));
	for (size_t i = 0; i < MAX_COLUMNS; i++)
		r->x[i] = NAN;
	r->x[application_column(b->app, "n")] = n;
	r->x[application_column(b->app, "tile")] = 32;
	r->x[b->app->i_nodes] = nodes;
	assert_true(predict_row_complete(b->app, 1, r->x, &why));
	r->f = predict_row(r->m.predictor, r->x, confidence);
}

TEST(the_sum_of_one_row_is_that_row)
{
	struct scaled_base *b = *state;
	struct campaign_total t;
	struct campaign_cost c;
	struct row r;
	double skew;

	predict(b, 2000, 4, 0.8, &r);
	campaign_total_init(&t, b->app, 0.8);
	campaign_total_add(&t, &r.m, r.x, &r.f, 7);
	c = campaign_node_hours(&t);
	skew = pow(prediction_noise_sd(r.m.predictor, &r.f.prediction), 2) / 2;
	check_rel(c.middle, 4 * r.f.prediction.time_s / 3600 * exp(skew), 1e-12);
	check_rel(c.hi - c.middle, 4 * (r.f.hi_s - r.f.prediction.time_s) / 3600, 1e-9);
	check_rel(c.lo - c.middle, 4 * (r.f.lo_s - r.f.prediction.time_s) / 3600, 1e-9);
	assert_true(c.middle < c.enough && c.enough < c.hi); /* one-sided 80 %, and 90 % */
	assert_int_equal(t.longest_line, 7);
	assert_true(isnan(campaign_core_hours(&t).middle)); /* an application without processes */
	assert_int_equal(t.n_no_cores, 1);
	fitted_machine_release(&r.m);
}

/* n equal rows: sqrt((1 - share) n^2 + share n) times the distance of one. */
TEST(doubt_adds_up_and_noise_does_as_squares)
{
	struct scaled_base *b = *state;
	struct campaign_total one, nine;
	struct row r;
	double noise, doubt, share;

	predict(b, 2000, 4, 0.9, &r);
	noise = prediction_noise_sd(r.m.predictor, &r.f.prediction);
	doubt = prediction_epistemic_sd(r.m.predictor, &r.f.prediction);
	assert_true(noise > 0.001 && doubt > 0);
	share = noise * noise / (noise * noise + doubt * doubt);
	campaign_total_init(&one, b->app, 0.9);
	campaign_total_init(&nine, b->app, 0.9);
	campaign_total_add(&one, &r.m, r.x, &r.f, 2);
	for (uint64_t i = 0; i < 9; i++)
		campaign_total_add(&nine, &r.m, r.x, &r.f, 2 + i);
	check_rel(campaign_node_hours(&nine).middle, 9 * campaign_node_hours(&one).middle, 1e-12);
	check_rel(campaign_node_hours(&nine).hi - campaign_node_hours(&nine).middle,
		  sqrt((1 - share) * 81 + share * 9) *
			  (campaign_node_hours(&one).hi - campaign_node_hours(&one).middle),
		  1e-9);
	assert_int_equal(nine.longest_line, 2); /* the first of equals */
	fitted_machine_release(&r.m);
}

TEST(what_is_extrapolated_or_left_out_is_counted)
{
	struct scaled_base *b = *state;
	struct campaign_total t;
	struct row near, far;

	predict(b, 2000, 4, 0.9, &near);
	predict(b, 32000, 4, 0.9, &far);
	campaign_total_init(&t, b->app, 0.9);
	assert_true(isnan(campaign_node_hours(&t).middle));
	campaign_total_add(&t, &near.m, near.x, &near.f, 2);
	campaign_total_add(&t, &far.m, far.x, &far.f, 3);
	campaign_total_add_bad(&t);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.n_bad, 1);
	assert_int_equal(t.n_of[SUPPORT_INSIDE], 1);
	assert_int_equal(t.n_of[SUPPORT_OUTSIDE], 1);
	check_rel(t.outside_node_hours, 4 * far.f.prediction.time_s / 3600, 1e-12);
	assert_int_equal(t.longest_line, 3);
	fitted_machine_release(&near.m);
	fitted_machine_release(&far.m);
}

/* 66 runs: of a few hundred residuals that were held out, none is surpassed once in 10 000. */
TEST(more_than_was_held_out_is_not_promised)
{
	struct scaled_base *b = *state;
	struct campaign_total t;
	struct row r;

	predict(b, 2000, 4, 0.9999, &r);
	campaign_total_init(&t, b->app, 0.9999);
	campaign_total_add(&t, &r.m, r.x, &r.f, 2);
	assert_true(isnan(campaign_node_hours(&t).enough));
	assert_true(isnan(t.longest_enough_s));
	assert_true(t.max_confidence < 0.9999 && t.max_confidence > 0.5);
	fitted_machine_release(&r.m);
}

TEST_GROUP(scaled_base_setup, scaled_base_teardown)
