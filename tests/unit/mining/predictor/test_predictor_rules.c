#include "tests/unit/mining/synthetic_world.h"
#include "tests/unit/mining/qr_runs.h"

#include "tests/support/uniform.h"

/* A predictor with a structural part and one without, and the rules that they are told to follow.
 */
static struct dataset *runs;
static struct predictor *plain, *ruled; /* the same fit; rules are set on the second */
static struct application *qr;
static struct predictor *qr_plain, *qr_ruled;

static int set_up(void **state)
{
	struct dataset *d;

	if (open_synthetic(state))
		return -1;
	runs = synthetic_runs(&world, 8, 1, 0.02, 0, 7);
	plain = fit("wavefront", runs);
	ruled = fit("wavefront", runs);
	qr = qr_application();
	d = qr_runs(qr, qr_power_law, 0.02);
	qr_plain = fit("power-law", d);
	qr_ruled = fit("power-law", d);
	dataset_free(d);
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(plain);
	predictor_free(ruled);
	predictor_free(qr_plain);
	predictor_free(qr_ruled);
	dataset_free(runs);
	application_free(qr);
	return close_synthetic(state);
}

static char *text(const char *s)
{
	return (char *)(uintptr_t)s; /* rules own their texts; here nobody frees them */
}

static struct rule factor_rule(const char *condition, double factor, double weight)
{
	return (struct rule){.kind = RULE_TIME,
			     .condition = text(condition),
			     .on_model = true,
			     .coefficient = factor,
			     .min = factor,
			     .max = factor,
			     .weight = weight};
}

/* At most three; NULL: no more. */
static void use(struct predictor *p, const struct rule *a, const struct rule *b,
		const struct rule *c)
{
	const struct rule *list[] = {a, b, c};
	size_t n = c ? 3 : b ? 2 : a ? 1 : 0;

	must(predictor_use_rules(p, list, n, &err));
}

/* 100^3 on 2 x 4 with mk = 5, mmi = 3: inside. */
static const double *some_row(void)
{
	static double row[64];

	synthetic_row(&world, row, 100, 2, 4, 5, 3);
	return row;
}

TEST(rules_that_say_nothing_here_change_no_bit)
{
	struct rule elsewhere = factor_rule("mk > 5", 2, 1), idle = factor_rule("", 2, 0);
	struct rule choice = {.kind = RULE_CHOICE, .condition = text("mk = 5"), .weight = 1};

	use(ruled, &elsewhere, &idle, &choice);
	check_abs(predicted_s(ruled, some_row()), predicted_s(plain, some_row()), 0);
	use(ruled, &idle, &choice, NULL);
	assert_string_equal(predictor_explanation(ruled), predictor_explanation(plain));
	use(ruled, NULL, NULL, NULL);
	for (size_t i = 0; i < runs->n; i++)
		check_abs(predicted_s(ruled, dataset_row(runs, i)),
			  predicted_s(plain, dataset_row(runs, i)), 0);
}

/* 2^0.5 of the structural prediction. */
TEST(a_rule_is_followed_as_far_as_its_weight_says)
{
	struct rule rule = factor_rule("mk = 5", 2, 0.5);

	use(ruled, &rule, NULL, NULL);
	check_rel(predicted_s(ruled, some_row()), sqrt(2) * predicted_s(plain, some_row()), 1e-12);
	assert_non_null(strstr(predictor_explanation(ruled), "1 mined time rule is followed"));
}

/* (log 2 + log 8) / 2 = log 4; a third that does not hold has no say. */
TEST(where_several_hold_their_mean_in_the_logarithm_is_followed)
{
	struct rule twice = factor_rule("mk = 5", 2, 1), eight = factor_rule("procs = 8", 8, 1);
	struct rule elsewhere = factor_rule("procs = 4", 100, 1);

	use(ruled, &twice, &eight, &elsewhere);
	check_rel(predicted_s(ruled, some_row()), 4 * predicted_s(plain, some_row()), 1e-12);
	assert_non_null(strstr(predictor_explanation(ruled), "3 mined time rules are followed"));
}

/* 0.1 mk^1: 0.5 of the structural prediction at mk = 5; kept at 0.7 at least. */
TEST(formulas_are_kept_within_what_was_seen)
{
	struct rule_term term = {text("mk"), 1};
	struct rule rule = factor_rule("", 0.1, 1);

	rule.term = &term;
	rule.n_term = 1;
	rule.min = 0.01;
	rule.max = 9;
	use(ruled, &rule, NULL, NULL);
	check_rel(predicted_s(ruled, some_row()), 0.5 * predicted_s(plain, some_row()), 1e-12);
	rule.min = 0.7;
	use(ruled, &rule, NULL, NULL);
	check_rel(predicted_s(ruled, some_row()), 0.7 * predicted_s(plain, some_row()), 1e-12);
}

/* log t = 0.25 log t0 + 0.75 log 3 s. */
TEST(without_structure_a_rule_is_mixed_with_the_prediction)
{
	struct rule rule = factor_rule("layout = 'row'", 3, 0.75);
	double row[16];

	rule.on_model = false;
	qr_row(qr, qr_design(5), row);
	use(qr_ruled, &rule, NULL, NULL);
	check_rel(predicted_s(qr_ruled, row), pow(predicted_s(qr_plain, row), 0.25) * pow(3, 0.75),
		  1e-12);
	qr_row(qr, qr_design(27 + 5), row); /* layout "column" */
	check_abs(predicted_s(qr_ruled, row), predicted_s(qr_plain, row), 0);
	assert_false(predictor_is_structural(qr_plain));
	assert_true(predictor_is_structural(plain));
}

/* There is nothing for it to correct. */
TEST(a_rule_on_the_model_is_passed_over_without_one)
{
	struct rule rule = factor_rule("", 3, 1);
	double row[16];

	qr_row(qr, qr_design(5), row);
	use(qr_ruled, &rule, NULL, NULL);
	check_abs(predicted_s(qr_ruled, row), predicted_s(qr_plain, row), 0);
}

TEST(outside_of_what_was_seen_no_rule_is_followed)
{
	struct rule rule = factor_rule("", 2, 1);
	struct prediction at;
	double row[64];

	synthetic_row(&world, row, 1000, 16, 16, 10, 3);
	use(ruled, &rule, NULL, NULL);
	predictor_predict(ruled, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	check_abs(at.time_s, predicted_s(plain, row), 0);
}

TEST(the_parts_still_sum_to_the_whole)
{
	struct rule rule = factor_rule("mk = 5", 1.7, 1);
	struct breakdown with, without;
	bool known = false;

	use(ruled, &rule, NULL, NULL);
	predictor_breakdown(ruled, some_row(), &with, &known);
	assert_true(known);
	predictor_breakdown(plain, some_row(), &without, &known);
	check_rel(breakdown_total_s(&with), predicted_s(ruled, some_row()), 1e-12);
	check_rel(with.comm_s / with.compute_s, without.comm_s / without.compute_s, 1e-12);
}

TEST(a_transferred_predictor_leaves_the_rules_behind)
{
	struct cost_segment dear = {0, 200e-6, 100e-9, 0, 0};
	struct machine other = {.name = text("other"), .segment = &dear, .n_segment = 1};
	struct rule rule = factor_rule("", 2, 1);
	FREED(predictor) *a = NULL, *b = NULL;

	use(ruled, &rule, NULL, NULL);
	must(predictor_transfer(ruled, &other, 1, &a, &err));
	must(predictor_transfer(plain, &other, 1, &b, &err));
	check_abs(predicted_s(a, some_row()), predicted_s(b, some_row()), 0);
	assert_non_null(strstr(predictor_explanation(a), "left out"));
	assert_null(strstr(predictor_explanation(b), "left out"));
}

TEST(a_bad_rule_changes_nothing)
{
	struct rule good = factor_rule("mk = 5", 2, 1), bad = factor_rule("mk >= and", 3, 1);
	const struct rule *list = &bad;

	use(ruled, &good, NULL, NULL);
	assert_int_equal(predictor_use_rules(ruled, &list, 1, &err), ERR_PARSE);
	check_rel(predicted_s(ruled, some_row()), 2 * predicted_s(plain, some_row()), 1e-12);
}

/* Rules over tunables, resources and what derives from both, faster and slower, one of them kept by
 * its minimum only, one a time: such rules come from mining without a model. */
static void use_many_rules(void)
{
	struct rule_term by_mk = {text("mk"), -0.7}, by_cells = {text("cells_per_proc"), 0.5};
	struct rule small = factor_rule("mk <= 2", 0.6, 1);
	struct rule some = factor_rule("procs >= 4 and mmi = 3", 0.7, 0.75);
	struct rule slow = factor_rule("ew_bytes > 4000 and mk > 1", 1.5, 1);
	struct rule waiting = factor_rule("efficiency < 0.9", 0.8, 0.5);
	struct rule formula = factor_rule("", 1, 1), time = factor_rule("kt >= 40", 1e-3, 0.25);
	const struct rule *list[] = {&small, &some, &slow, &waiting, &formula, &time};

	formula.term = &by_mk;
	formula.n_term = 1;
	formula.min = 0.3;
	formula.max = 2;
	time.on_model = false;
	time.term = &by_cells;
	time.n_term = 1;
	time.min = 0.05;
	time.max = 50;
	must(predictor_use_rules(ruled, list, 6, &err));
}

/* `row` with its tunables forgotten, and all that derives from them. */
static void forget_tunables(double *row)
{
	row[application_column(world.app, "mk")] = NAN;
	row[application_column(world.app, "mmi")] = NAN;
	configuration_derive(world.app, row);
}

static void check_bound(const struct prediction *bound, const struct prediction *at)
{
	assert_true(bound->time_s > 0);
	assert_true(bound->time_s <= at->time_s);
	assert_true(bound->support <= at->support);
	assert_true(bound->scale <= at->scale);
}

TEST(no_completion_is_faster_than_the_bounds)
{
	static const double mk[] = {1, 2, 5, 10, 20}, mmi[] = {1, 2, 3, 6}, npe[] = {1, 2, 3, 4};
	uint64_t seed = 21;

	use_many_rules();
	for (int trial = 0; trial < 3000; trial++) {
		double cube = floor(uniform_draw(&seed, 20, 200));
		double npe_i = npe[(int)uniform_draw(&seed, 0, 4)];
		double npe_j = npe[(int)uniform_draw(&seed, 0, 4)];
		struct prediction at, bound;
		double row[64], angles = mmi[(int)uniform_draw(&seed, 0, 4)];
		double planes = mk[(int)uniform_draw(&seed, 0, 5)];

		synthetic_row(&world, row, cube, npe_i, npe_j, planes, angles);
		predictor_predict(ruled, row, 1, &at);
		predictor_bound(ruled, row, &bound);
		check_bound(&bound, &at);
		forget_tunables(row);
		predictor_bound(ruled, row, &bound);
		check_bound(&bound, &at);
	}
}

TEST(no_tuning_is_faster_than_its_bound)
{
	enum { N = 12 };
	const size_t n_columns = world.app->n_columns;
	double *tuning = zeroed(N * n_columns, sizeof *tuning), row[64];
	struct tuning_bound *b = NULL;

	use_many_rules();
	for (int k = 0; k < N; k++) {
		synthetic_row(&world, row, 100, 2, 2, 1 + 3 * k, k % 2 ? 3 : 6);
		memcpy(tuning + (size_t)k * n_columns, row, n_columns * sizeof *row);
	}
	must(tuning_bound_new(ruled, tuning, N, &b, &err));
	for (int grid = 0; grid < 16; grid++) {
		int npe_i = 1 + grid % 4, npe_j = 2 + grid / 4;
		struct prediction at, bound;

		synthetic_row(&world, row, 100, npe_i, npe_j, 1, 1);
		forget_tunables(row);
		tuning_bound_at(b, row, &bound);
		for (int k = 0; k < N; k++) {
			synthetic_row(&world, row, 100, npe_i, npe_j, 1 + 3 * k, k % 2 ? 3 : 6);
			predictor_predict(ruled, row, 1, &at);
			check_bound(&bound, &at);
		}
	}
	tuning_bound_free(b);
	free(tuning);
}

TEST_GROUP(set_up, tear_down)
