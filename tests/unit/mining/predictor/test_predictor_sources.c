#include "tests/unit/mining/synthetic_world.h"
#include "tests/support/made_runs.h"

#include "mining/training/config_table.h"
#include "mining/predictor/source_weights.h"
#include "tests/support/uniform.h"

FREEABLE(config_table)

/* Few measured configurations on up to 4 processors (two repeats, 2 % noise), many modelled ones on
 * up to 32, too slow by 30 % and scattered by 10 % about that. */
enum { MEASURED = 30, MODELLED = 300 };

static struct dataset *measured, *both, *far_off; /* far_off: 32 processors, the truth */

static double truth_s(const double *row)
{
	return wavefront_time_at(&world.truth, row, NULL, NULL);
}

static void add(struct dataset *d, const double *row, double time_s, enum run_source source)
{
	runs_add_as(d, row, time_s, source, RUN_OK);
}

static int set_up(void **state)
{
	struct dataset *small, *large;
	uint64_t seed = 11;

	if (open_synthetic(state))
		return -1;
	small = synthetic_runs(&world, 4, 2, 0.02, 0, 5);
	large = synthetic_runs(&world, 32, 1, 0, 0, 5);
	measured = dataset_new(world.app);
	both = dataset_new(world.app);
	far_off = dataset_new(world.app);
	if (!small || !large || !measured || !both || !far_off)
		return -1;
	for (size_t k = 0; k < MEASURED; k++) {
		size_t i = 2 * (k * (small->n / 2) / MEASURED); /* its two repeats */

		for (size_t r = i; r < i + 2; r++) {
			add(measured, dataset_row(small, r), small->wall_s[r], SOURCE_MEASURED);
			add(both, dataset_row(small, r), small->wall_s[r], SOURCE_MEASURED);
		}
	}
	for (size_t k = 0; k < MODELLED; k++) {
		const double *row = dataset_row(large, k * large->n / MODELLED);

		add(both, row, truth_s(row) * 1.3 * uniform_draw(&seed, 0.9, 1.1), SOURCE_MODELLED);
	}
	for (size_t i = 0; i < large->n; i++) {
		const double *row = dataset_row(large, i);

		if (row[world.app->i_procs] == 32)
			add(far_off, row, truth_s(row), SOURCE_MEASURED);
	}
	dataset_free(small);
	dataset_free(large);
	return 0;
}

static int tear_down(void **state)
{
	dataset_free(measured);
	dataset_free(both);
	dataset_free(far_off);
	return close_synthetic(state);
}

/* The mean of |log(predicted / truth)|. */
static double mean_error(const struct predictor *p, const struct dataset *at)
{
	double sum = 0;

	for (size_t i = 0; i < at->n; i++) {
		struct prediction x;

		predictor_predict(p, dataset_row(at, i), 1, &x);
		sum += fabs(log(x.time_s / truth_s(dataset_row(at, i))));
	}
	return sum / (double)at->n;
}

TEST(what_was_measured_stays_with_the_measured)
{
	FREED(predictor) *p = fit("hybrid", both);

	for (size_t i = 0; i < measured->n; i++) {
		struct prediction x;

		predictor_predict(p, dataset_row(measured, i), 1, &x);
		check_rel(x.time_s, truth_s(dataset_row(measured, i)), 0.04);
	}
}

/* On eight times the processors that were measured. */
TEST(far_from_measured_ones_modelled_ones_help)
{
	FREED(predictor) *with = fit("hybrid", both), *without = fit("hybrid", measured);

	assert_true(mean_error(with, far_off) < mean_error(without, far_off));
	assert_true(mean_error(with, far_off) < 0.08);
}

static void learn(const struct dataset *runs, struct source_share share[SOURCE_COUNT])
{
	struct fit_input in = input_of(runs);
	FREED(config_table) *t = NULL, *as_run = NULL;

	must(config_table_make(runs, &t, &err));
	must(config_table_make(runs, &as_run, &err));
	must(source_weights_learn(&predictor_kind_hybrid, &in, t, share, &err));
	for (int s = 0; s < SOURCE_COUNT; s++)
		check_abs(t->weight[s], share[s].weight, 0);
	for (size_t i = 0; i < t->n; i++)
		check_rel(t->time_s[i], as_run->time_s[i] / share[t->source[i]].factor, 1e-15);
}

/* The modelled ones are 1.3 times too slow. Together they count at most as much as 30 measured
 * ones: some were measured too, and are no modelled ones. */
TEST(factor_and_weight_are_learned)
{
	struct dataset *modelled_first = dataset_new(world.app);
	struct source_share share[SOURCE_COUNT];

	for (size_t i = both->n; i-- > 0;)
		add(modelled_first, dataset_row(both, i), both->wall_s[i],
		    (enum run_source)both->source[i]);
	learn(modelled_first, share);
	dataset_free(modelled_first);
	assert_int_equal(share[SOURCE_MEASURED].n_configs, MEASURED);
	assert_in_range(share[SOURCE_MODELLED].n_configs, MODELLED - MEASURED, MODELLED);
	check_abs(share[SOURCE_MEASURED].weight, 1, 0);
	check_rel(share[SOURCE_MODELLED].factor, 1.3, 0.05);
	assert_true(share[SOURCE_MODELLED].weight > 0);
	assert_true(share[SOURCE_MODELLED].weight <=
		    MEASURED / (double)share[SOURCE_MODELLED].n_configs);
}

/* 3 measured configurations fit nothing: the others count a tenth each. */
TEST(where_too_few_were_measured_the_weight_is_a_choice)
{
	FREED(dataset) *d = dataset_new(world.app);
	struct source_share share[SOURCE_COUNT];

	for (size_t i = 0; i < both->n; i++) {
		if (i < 6 || both->source[i] == SOURCE_MODELLED)
			add(d, dataset_row(both, i), both->wall_s[i],
			    (enum run_source)both->source[i]);
	}
	learn(d, share);
	check_abs(share[SOURCE_MODELLED].factor, 1, 0);
	check_abs(share[SOURCE_MODELLED].weight, 0.1, 0);
	predictor_free(fit("hybrid", d));
}

TEST(the_explanation_tells_the_share_of_each)
{
	FREED(predictor) *p = fit("hybrid", both), *q = fit("hybrid", measured);
	const char *text = predictor_explanation(p);

	assert_non_null(strstr(text, " modelled configurations count 0."));
	assert_non_null(strstr(text, " each beside 30 measured ones, their times divided by 1."));
	assert_null(strstr(predictor_explanation(q), "beside"));
}

/* 30 configurations of weight 1 beside n of w (300, but for those that were measured, too): shares
 * 30 / (30 + n w) and the rest, also after a way through the knowledge base. */
TEST(shares_are_weights_over_their_sum)
{
	FREED(predictor) *p = fit("hybrid", both), *q = NULL;
	struct predictor_source own[SOURCE_COUNT], loaded[SOURCE_COUNT];
	RELEASED(kb_fit) stored = {0};
	double n, w;

	must(predictor_store(p, &stored, &err));
	must(predictor_load(&stored, world.app, &q, &err));
	predictor_sources(p, own);
	predictor_sources(q, loaded);
	assert_int_equal(own[SOURCE_MEASURED].n_configs, MEASURED);
	assert_int_equal(own[SOURCE_SIMULATED].n_configs, 0);
	n = (double)own[SOURCE_MODELLED].n_configs;
	assert_true(n >= MODELLED - MEASURED && n <= MODELLED);
	assert_true(own[SOURCE_MEASURED].weight == 1);
	w = own[SOURCE_MODELLED].weight;
	assert_true(w > 0 && n * w <= MEASURED + 1e-9); /* they do not outvote */
	check_abs(own[SOURCE_MEASURED].share, 30 / (30 + n * w), 1e-12);
	check_abs(own[SOURCE_MODELLED].share, n * w / (30 + n * w), 1e-12);
	for (int s = 0; s < SOURCE_COUNT; s++)
		assert_true(loaded[s].n_configs == own[s].n_configs &&
			    loaded[s].share == own[s].share);
}

/* Whatever it is: to the last bit. */
TEST(a_single_source_counts_in_full)
{
	FREED(dataset) *d = dataset_new(world.app);
	FREED(predictor) *p, *q;

	for (size_t i = 0; i < measured->n; i++)
		add(d, dataset_row(measured, i), measured->wall_s[i], SOURCE_SIMULATED);
	p = fit("hybrid", measured);
	q = fit("hybrid", d);
	assert_string_equal(predictor_explanation(p), predictor_explanation(q));
	for (size_t i = 0; i < far_off->n; i++) {
		struct prediction x, y;

		predictor_predict(p, dataset_row(far_off, i), 1, &x);
		predictor_predict(q, dataset_row(far_off, i), 1, &y);
		assert_true(x.time_s == y.time_s && x.scale == y.scale);
		assert_true(prediction_quantile_s(p, &x, 0.9) == prediction_quantile_s(q, &y, 0.9));
	}
}

TEST_GROUP(set_up, tear_down)
