#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/config_table.h"
#include "tests/unit/mining/shared_qr.h"

FREEABLE(config_table)

static struct config_table *table_of(const struct dataset *runs)
{
	struct config_table *t = NULL;

	must(config_table_make(runs, &t, &err));
	return t;
}

static const struct qr small = {100, 100, 8, 0, 1}, large = {200, 100, 8, 0, 1},
		       wide = {100, 200, 8, 0, 1};

TEST(repeats_become_one_configuration_with_their_median)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	qr_add(d, small, 5);
	qr_add(d, large, 20);
	qr_add(d, small, 1);
	qr_add(d, small, 90);
	qr_add(d, large, 30);
	t = table_of(d);
	assert_int_equal(t->n, 2);
	check_abs(t->time_s[0], 5, 0);	/* of 1 5 90 */
	check_abs(t->time_s[1], 25, 0); /* midway between 20 and 30 */
	assert_int_equal(t->n_repeats[0], 3);
	assert_int_equal(t->n_repeats[1], 2);
}

/* Configurations in order of first appearance, and within each its runs in theirs: medians must not
 * have sorted them. */
TEST(runs_and_configurations_keep_their_order)
{
	static const double by_config[] = {7, 3, 2, 9, 8, 4};
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	qr_add(d, wide, 7);
	qr_add(d, small, 2);
	qr_add(d, large, 8);
	qr_add(d, small, 9);
	qr_add(d, wide, 3);
	qr_add(d, large, 4);
	t = table_of(d);
	assert_int_equal(t->n, 3);
	check_abs(config_table_row(t, 0)[application_column(app, "n")], 200, 0);
	check_abs(config_table_row(t, 1)[application_column(app, "m")], 100, 0);
	check_abs(config_table_row(t, 2)[application_column(app, "m")], 200, 0);
	for (size_t i = 0; i <= 3; i++)
		assert_int_equal(t->first[i], 2 * i);
	for (size_t k = 0; k < 6; k++)
		check_abs(t->run_s[k], by_config[k], 0);
	assert_int_equal(t->config_of[4], 0);
	assert_int_equal(t->config_of[3], 1);
	assert_int_equal(t->config_of[5], 2);
}

TEST(runs_that_did_not_finish_do_not_count)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	qr_add_as(d, large, NAN, RUN_FAILED);
	qr_add_as(d, small, 3600, RUN_TIMEOUT);
	qr_add(d, small, 2);
	qr_add_as(d, small, 1, RUN_FAILED);
	t = table_of(d);
	assert_int_equal(t->n, 1);
	check_abs(t->time_s[0], 2, 0);
	assert_int_equal(t->first[1], 1);
	assert_true(t->config_of[0] == SIZE_MAX && t->config_of[1] == SIZE_MAX &&
		    t->config_of[3] == SIZE_MAX);
	assert_int_equal(t->config_of[2], 0);
}

TEST(without_a_finished_run_there_is_no_data)
{
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t = NULL;

	assert_int_equal(config_table_make(d, &t, &err), ERR_NODATA);
	qr_add_as(d, small, 3600, RUN_TIMEOUT);
	must_fail(config_table_make(d, &t, &err), ERR_NODATA, "among 1 runs");
	assert_null(t);
}

/* Two spellings of zero, and NaN with or without a sign, are one value each; a missing value and
 * zero are two. */
TEST(zeros_are_equal_and_so_are_missing_values)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	qr_add(d, (struct qr){100, 100, 0.0, 0, 1}, 1);
	qr_add(d, (struct qr){100, 100, -0.0, 0, 1}, 2);
	qr_add(d, (struct qr){100, 100, (double)NAN, 0, 1}, 3);
	qr_add(d, (struct qr){100, 100, -(double)NAN, 0, 1}, 4);
	t = table_of(d);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->n_repeats[0], 2);
	assert_int_equal(t->n_repeats[1], 2);
}

/* 60 000 runs of 20 000 configurations that differ little: every hash chain is exercised. The
 * second way to count: the configuration's number is in m, n and procs. */
TEST(many_runs_are_told_apart)
{
	enum { N = 20000 };
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	for (int r = 0; r < 3; r++) {
		for (int i = 0; i < N; i++) {
			int m = 1 + i % 100, n = 1 + i / 100 % 100, procs = 1 + i / 10000;

			qr_add(d, (struct qr){m, n, 8, 0, procs}, 100 + i + r);
		}
	}
	t = table_of(d);
	assert_int_equal(t->n, N);
	for (size_t i = 0; i < N; i++) {
		const double *row = config_table_row(t, i);
		size_t m = 1 + i % 100, procs = 1 + i / 10000;

		assert_int_equal(t->n_repeats[i], 3);
		check_abs(t->time_s[i], 101 + (double)i, 0);
		check_abs(row[application_column(app, "m")], (double)m, 0);
		check_abs(row[application_column(app, "procs")], (double)procs, 0);
		assert_int_equal(t->config_of[2 * N + i], i);
	}
}

TEST(a_subset_keeps_rows_medians_and_runs)
{
	static const unsigned char keep[] = {1, 0, 1}, none[] = {0, 0, 0};
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t, *s = NULL;

	qr_add(d, small, 3);
	qr_add(d, large, 50);
	qr_add(d, wide, 6);
	qr_add(d, small, 1);
	t = table_of(d);
	must(config_table_subset(t, keep, &s, &err));
	assert_int_equal(s->n, 2);
	assert_memory_equal(config_table_row(s, 1), config_table_row(t, 2),
			    t->n_columns * sizeof(double));
	check_abs(s->time_s[0], 2, 0);
	check_abs(s->time_s[1], 6, 0);
	assert_int_equal(s->first[1], 2);
	assert_int_equal(s->first[2], 3);
	check_abs(s->run_s[0], 3, 0);
	check_abs(s->run_s[1], 1, 0);
	check_abs(s->run_s[2], 6, 0);
	assert_null(s->config_of);
	config_table_free(s);
	s = NULL;
	assert_int_equal(config_table_subset(t, none, &s, &err), ERR_NODATA);
	assert_null(s);
	config_table_free(t);
}

static void add_from(struct dataset *d, struct qr c, double wall_s, enum run_source source,
		     enum run_status status)
{
	double row[16];

	qr_row(d->app, c, row);
	runs_add_as(d, row, wall_s, source, status);
}

TEST(a_measured_configuration_ignores_its_modelled_runs)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;
	size_t n_of[SOURCE_COUNT];

	add_from(d, small, 9, SOURCE_MODELLED, RUN_OK);
	add_from(d, small, 5, SOURCE_MEASURED, RUN_OK);
	add_from(d, large, 7, SOURCE_MODELLED, RUN_OK);
	add_from(d, large, 8, SOURCE_SIMULATED, RUN_OK);
	t = table_of(d);
	assert_int_equal(t->n, 2);
	check_abs(t->time_s[0], 5, 0);
	check_abs(t->time_s[1], 8, 0);
	assert_true(t->config_of[0] == SIZE_MAX && t->config_of[2] == SIZE_MAX);
	assert_int_equal(config_table_best_source(t, n_of), SOURCE_MEASURED);
	assert_int_equal(n_of[SOURCE_SIMULATED], 1);
	assert_int_equal(n_of[SOURCE_MODELLED], 0);
}

/* small finished once: its limit is a repeat's. wide never did: of 20 and 30 the fit obeys 30. */
TEST(cut_runs_are_kept_apart)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t;

	qr_add_as(d, wide, 20, RUN_TIMEOUT);
	qr_add(d, small, 5);
	qr_add_as(d, small, 10, RUN_TIMEOUT);
	qr_add_as(d, wide, 30, RUN_TIMEOUT);
	t = table_of(d);
	assert_int_equal(t->n, 1);
	check_abs(t->time_s[0], 5, 0);
	assert_int_equal(t->n_cut, 3);
	assert_true(t->cut[0].config == SIZE_MAX && !t->cut[0].longest);
	assert_true(t->cut[1].config == 0 && !t->cut[1].longest);
	assert_true(t->cut[2].config == SIZE_MAX && t->cut[2].longest);
	check_abs(t->cut[2].limit_s, 30, 0);
	check_abs(config_table_cut_row(t, 2)[application_column(app, "n")], 200, 0);
}

TEST(a_part_keeps_the_limits_of_its_configurations)
{
	FREED(dataset) *d = dataset_new(app);
	const unsigned char second[] = {0, 1}, last_cut[] = {0, 0, 1};
	struct config_table *t, *part = NULL;

	qr_add(d, small, 5);
	qr_add(d, large, 6);
	qr_add_as(d, small, 10, RUN_TIMEOUT);
	qr_add_as(d, large, 11, RUN_TIMEOUT);
	qr_add_as(d, wide, 12, RUN_TIMEOUT);
	t = table_of(d);
	must(config_table_subset(t, second, &part, &err));
	assert_int_equal(part->n_cut, 2);
	assert_int_equal(part->cut[0].config, 0);
	check_abs(part->cut[0].limit_s, 11, 0);
	check_abs(part->cut[1].limit_s, 12, 0);
	config_table_free(part);
	must(config_table_split(t, second, last_cut, &part, &err));
	assert_int_equal(part->n_cut, 1);
	check_abs(part->cut[0].limit_s, 12, 0);
	config_table_free(part);
	config_table_free(t);
}

/* Three configurations of three repeats; the second has a disturbed run. */
static const double runs[] = {10, 10.2, 10.4, 20, 20.6, 200, 30, 30.9, 31};
static const size_t first[] = {0, 3, 6, 9};

/* First gaps: log 1.02 = 0.0198, log 1.03 = 0.0296, log 1.03; the median is 0.0296, five times
 * that over 0.7 is 0.211. */
TEST(a_gap_is_several_times_what_the_two_fastest_differ_by)
{
	double work[3];

	check_rel(repeats_log_gap(runs, first, 3, work), 5 * log(1.03) / 0.7, 1e-12);
}

TEST(repeats_that_never_differ_leave_room_for_a_tenth)
{
	const double same[] = {5, 5, 7, 7};
	const size_t at[] = {0, 2, 4};
	double work[2];

	check_rel(repeats_log_gap(same, at, 2, work), 0.1, 1e-12);
	check_rel(repeats_log_gap(same, (const size_t[]){0, 1, 2}, 2, work), 0.1, 1e-12);
}

TEST(a_disturbed_run_does_not_count)
{
	size_t n;

	check_rel(repeats_median(runs + 3, 3, 0.2, &n), 20.3, 1e-12);
	assert_int_equal(n, 2);
}

TEST(of_three_that_all_disagree_the_fastest_counts)
{
	size_t n;

	check_rel(repeats_median((const double[]){20, 90, 400}, 3, 0.2, &n), 20.0, 1e-12);
	assert_int_equal(n, 1);
}

TEST(a_second_way_to_run_outvotes_a_single_fast_run)
{
	check_rel(repeats_median((const double[]){0.01, 20, 21}, 3, 0.2, NULL), 20.5, 1e-12);
}

TEST(one_run_speaks_for_itself)
{
	check_rel(repeats_median((const double[]){7}, 1, 0.2, NULL), 7.0, 0);
}

/* Of the first and third configuration log variances over 2 degrees of freedom, of the second over
 * 1, without its disturbed run. With d = log(x / first):
 *   10, 10.2, 10.4: d = 0, 0.0198026, 0.0392207: mean 0.0196744, variance 3.84578e-4
 *   20, 20.6: log(1.03)^2 / 2 = 4.36858e-4
 *   30, 30.9, 31: d = 0, 0.0295588, 0.0327898: mean 0.0207829, variance 3.26480e-4
 * over the medians of chi^2/k, (1 - 2/18)^3 = 0.702332 and (1 - 2/9)^3 = 0.470508:
 *   5.47573e-4, 9.28482e-4, 4.64851e-4; the median is 5.47573e-4, its root 0.0234003. */
TEST(noise_is_the_median_over_configurations_without_disturbed_runs)
{
	double work[3];

	check_rel(repeats_noise(runs, first, 3, 0.2, work), 0.0234003, 1e-5);
}

TEST(without_repeats_noise_is_not_known)
{
	double work[3];

	assert_true(isnan(repeats_noise(runs, (const size_t[]){0, 1, 2, 3}, 3, 0.2, work)));
}

/* Twenty sizes, of which 6 were measured, 10 simulated and 4 modelled, in turn. */
static struct dataset *of_three_sources(void)
{
	static const char source[] = "msssomsmsosomssmsoms";
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < 20; i++)
		add_from(d, (struct qr){100 + i, 100, 8, 0, 1}, 1 + i,
			 source[i] == 'm'   ? SOURCE_MEASURED
			 : source[i] == 's' ? SOURCE_SIMULATED
					    : SOURCE_MODELLED,
			 RUN_OK);
	return d;
}

static void check_pick(const struct config_table *t, size_t most, const size_t *want, size_t n)
{
	size_t pick[20];
	FREED(config_table) *some = NULL;

	assert_int_equal(config_table_pick(t, most, pick), n);
	must(config_table_sample(t, most, &some, &err));
	assert_int_equal(some->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(pick[i], want[i]);
		check_abs(some->time_s[i], t->time_s[want[i]], 0);
		assert_int_equal(some->source[i], t->source[want[i]]);
		assert_int_equal(some->n_repeats[i], 1);
		assert_memory_equal(config_table_row(some, i), config_table_row(t, want[i]),
				    t->n_columns * sizeof *t->x);
	}
}

/* Of the measured ones 0, 5, 7, 12, 15 and 18; of the simulated 1, 2, 3, 6, 8, ... the share s of n
 * takes numbers floor(k n / s). */
TEST(a_sample_takes_the_best_source_first_and_evenly)
{
	FREED(dataset) *d = of_three_sources();
	FREED(config_table) *t = table_of(d);
	size_t n_of[SOURCE_COUNT], all[20];

	for (size_t i = 0; i < 20; i++)
		all[i] = i;
	assert_int_equal(config_table_best_source(t, n_of), SOURCE_MEASURED);
	assert_int_equal(n_of[SOURCE_MEASURED], 6);
	assert_int_equal(n_of[SOURCE_SIMULATED], 10);
	assert_int_equal(n_of[SOURCE_MODELLED], 4);
	check_pick(t, 3, (const size_t[]){0, 7, 15}, 3);
	check_pick(t, 6, (const size_t[]){0, 5, 7, 12, 15, 18}, 6);
	/* numbers 0, 2, 5 and 7 of the simulated */
	check_pick(t, 10, (const size_t[]){0, 1, 3, 5, 7, 10, 12, 14, 15, 18}, 10);
	check_pick(t, 20, all, 20);
	check_pick(t, 100, all, 20);
}

TEST(the_best_source_is_the_first_that_there_is)
{
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t;

	add_from(d, small, 1, SOURCE_MODELLED, RUN_OK);
	t = table_of(d);
	assert_int_equal(config_table_best_source(t, NULL), SOURCE_MODELLED);
	config_table_free(t);
	add_from(d, large, 1, SOURCE_SIMULATED, RUN_OK);
	t = table_of(d);
	assert_int_equal(config_table_best_source(t, NULL), SOURCE_SIMULATED);
	config_table_free(t);
}

static enum err_code make_and_sample(const struct dataset *d, struct err *e)
{
	FREED(config_table) *t = NULL, *some = NULL;
	enum err_code rc = config_table_make(d, &t, e);

	if (!rc)
		rc = config_table_sample(t, 5, &some, e);
	return rc;
}

TEST(a_table_is_made_or_there_is_no_memory)
{
	FREED(dataset) *d = of_three_sources();

	add_from(d, wide, 9, SOURCE_MEASURED, RUN_TIMEOUT);
	failing_each_allocation (make_and_sample(d, &err), &err)
		;
}

TEST_GROUP(qr_set_up, qr_tear_down)
