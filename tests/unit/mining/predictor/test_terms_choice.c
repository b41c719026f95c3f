#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/terms_application.h"

#include "mining/predictor/predictor.h"
#include "mining/training/predictor_kind.h"
#include "tests/support/mining_set_up.h"

FREEABLE(predictor)

/* Terms stand in the trend's place only where held-out runs prefer them. */

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

static struct predictor *fit(const struct dataset *runs)
{
	struct fit_input in = {.runs = runs, .machine = &machine};
	struct predictor *p = NULL;

	must(predictor_fit(NULL, &in, &p, &err));
	assert_string_equal(predictor_name(p), "gaussian-process");
	return p;
}

static struct prediction at(const struct predictor *p, const struct application *a,
			    struct terms_run r)
{
	struct prediction out;
	double row[16];

	terms_row(a, r, row);
	predictor_predict(p, row, 1, &out);
	return out;
}

static const struct terms_run beyond = {800, 1000, 64, 16};

TEST(terms_that_are_true_carry_on_beyond_the_runs)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = terms_runs(a, 8, terms_time, 0.02);
	FREED(predictor) *p = fit(d);
	struct prediction out = at(p, a, beyond);

	assert_non_null(strstr(predictor_explanation(p), "The terms of application t, "));
	assert_non_null(strstr(predictor_explanation(p), " The definition's terms are used: "));
	check_rel(out.time_s, terms_time(beyond), 0.08);
	/* and the 90 % interval, wider there than among the runs, holds the truth */
	assert_true(prediction_quantile_s(p, &out, 0.05) < terms_time(beyond));
	assert_true(prediction_quantile_s(p, &out, 0.95) > terms_time(beyond));
	assert_true(out.trend_sd > at(p, a, (struct terms_run){400, 1000, 4, 4}).trend_sd);
}

/* Nothing of this is in the runs: time would grow with the processors. */
TEST(terms_that_are_wrong_are_refused)
{
	FREED(application) *wrong = terms_application(
				   "compute = [ \"procs\", \"m * procs * procs\" ];"),
			   *none = terms_application("");
	FREED(dataset) *d = terms_runs(wrong, 8, terms_time, 0.02),
		       *same = terms_runs(none, 8, terms_time, 0.02);
	FREED(predictor) *p = fit(d), *plain = fit(same);

	assert_non_null(strstr(predictor_explanation(p), "A sum of "));
	assert_non_null(strstr(predictor_explanation(p), " The definition's terms are not used: "));
	/* as if they were not there */
	assert_true(at(p, wrong, beyond).time_s == at(plain, none, beyond).time_s);
	assert_true(at(p, wrong, beyond).trend_sd == at(plain, none, beyond).trend_sd);
	assert_null(strstr(predictor_explanation(plain), "terms are"));
}

/* 36 runs on one node, one process count each: nothing to hold out of "more nodes" is too little to
 * tell. */
TEST(terms_are_not_used_where_too_little_can_be_held_out)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = dataset_new(a);
	FREED(predictor) *p;

	for (int i = 0; i < 12; i++) {
		double row[16];
		const int half = 1 + i / 4;
		const struct terms_run r = {100 << i % 4, 10 * half, 1, 1};

		terms_row(a, r, row);
		runs_add(d, row, terms_time(r));
	}
	p = fit(d);
	assert_non_null(strstr(predictor_explanation(p),
			       " The definition's terms are not used: held-out error of processors "
			       "not told (too few runs)"));
}

/* At n = 800, m = 10 on 8 processors: 0.128 s and 0.0004 s of computing, 0.012 s of messages. */
TEST(time_is_divided_as_terms_are)
{
	static const struct terms_run asked = {800, 10, 2, 4};
	FREED(application) *a = terms_application_true(), *none = terms_application("");
	FREED(dataset) *d = terms_runs(a, 8, terms_time, 0.02),
		       *same = terms_runs(none, 8, terms_time, 0.02);
	FREED(predictor) *p = fit(d), *plain = fit(same);
	struct breakdown parts;
	double row[16];
	bool known;

	terms_row(a, asked, row);
	predictor_breakdown(p, row, &parts, &known);
	assert_true(known);
	check_rel(breakdown_total_s(&parts), at(p, a, asked).time_s, 1e-12);
	check_abs(parts.comm_s / breakdown_total_s(&parts), 0.012 / 0.1404, 0.02);
	check_abs(parts.fill_s + parts.sync_s + parts.other_s, 0.0, 0.0);
	predictor_breakdown(plain, row, &parts, &known);
	assert_false(known); /* power laws do not say what they are of */
}

static double of_one_problem(struct terms_run r)
{
	r.m = 1000;
	return terms_time(r);
}

/* m is the same in all runs: its term is known by name only, and doubt grows with the distance. */
TEST(what_only_the_terms_tell_is_said)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = dataset_new(a), *all = terms_runs(a, 8, of_one_problem, 0.02);
	const size_t m = application_column(a, "m");
	FREED(predictor) *p;

	for (size_t i = 0; i < all->n; i++) {
		if (dataset_row(all, i)[m] == 1000)
			must(dataset_add(d, dataset_row(all, i), all->wall_s[i], (int64_t)i + 1, 1,
					 SOURCE_MEASURED, RUN_OK, 1, &err));
	}
	p = fit(d);
	assert_non_null(strstr(predictor_explanation(p), " The definition's terms are used: "));
	assert_non_null(strstr(predictor_explanation(p),
			       " In these runs m was 1000: what other values would do to time "
			       "only the terms tell."));
	assert_true(at(p, a, (struct terms_run){400, 4000, 4, 4}).trend_sd >
		    at(p, a, (struct terms_run){400, 1000, 4, 4}).trend_sd);
	/* no exponent's prior, which would be 1 for each unit of ln */
	assert_true(at(p, a, (struct terms_run){400, 4000, 4, 4}).trend_sd < 0.5);
}

TEST(a_predictor_with_terms_is_the_same_when_loaded)
{
	static const struct terms_run asked[] = {
		{100, 10, 1, 1}, {800, 1000, 64, 16}, {300, 70, 3, 4}};
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = terms_runs(a, 8, terms_time, 0.02);
	FREED(predictor) *was = fit(d), *is = NULL;
	RELEASED(kb_fit) stored = {0};

	must(predictor_store(was, &stored, &err));
	must(predictor_load(&stored, a, &is, &err));
	for (size_t i = 0; i < 3; i++) {
		struct prediction x = at(was, a, asked[i]), y = at(is, a, asked[i]);

		assert_true(x.time_s == y.time_s);
		assert_true(x.trend_sd == y.trend_sd);
		assert_true(x.scale == y.scale);
		assert_true(prediction_quantile_s(was, &x, 0.9) ==
			    prediction_quantile_s(is, &y, 0.9));
	}
}

TEST_GROUP(mining_set_up, NULL)
