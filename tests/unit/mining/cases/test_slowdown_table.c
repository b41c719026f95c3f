#include "tests/support/made_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/slowdown_table.h"
#include "tests/support/synthetic_runs.h"

static struct slowdown_table *table_of(const struct dataset *d)
{
	struct slowdown_table *t = NULL;

	must(slowdown_table_make(d, NULL, &t, &err));
	return t;
}

/* Problem m with block size b on 4 processors. */
static void add(struct dataset *d, double m, double b, double wall_s)
{
	qr_add(d, (struct qr){m, 100, b, 0, 4}, wall_s);
}

static void add_from(struct dataset *d, double m, double b, double wall_s, int64_t machine,
		     enum run_source source)
{
	double row[16];

	qr_row(app, (struct qr){m, 100, b, 0, 4}, row);
	must(dataset_add(d, row, wall_s, (int64_t)d->n + 1, machine, source, RUN_OK, 1, &err));
}

static void release(struct slowdown_table *t, struct dataset *d)
{
	slowdown_table_free(t);
	dataset_free(d);
}

/* ---- configurations and cases ---- */

TEST(a_case_is_measured_by_its_fastest)
{
	const double want[] = {0, log(2), log(1.5), log(10), 0};
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	add(d, 1, 8, 2);
	add(d, 1, 16, 4);
	add(d, 1, 32, 3);
	add(d, 2, 8, 70); /* another problem: another case */
	add(d, 2, 16, 7);
	t = table_of(d);
	assert_int_equal(t->n, 5);
	assert_int_equal(t->n_strata, 2);
	assert_int_equal(t->n_problems, 2);
	for (size_t i = 0; i < 5; i++)
		check_abs(t->log_slowdown[i], want[i], 1e-15);
	assert_int_equal(t->stratum[0], t->stratum[2]);
	assert_int_not_equal(t->stratum[0], t->stratum[3]);
	release(t, d);
}

TEST(repeats_are_one_configuration_with_their_median)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	add(d, 1, 8, 2);
	add(d, 1, 16, 5);
	add(d, 1, 8, 90);
	add(d, 1, 8, 3);
	t = table_of(d);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->n_runs[0], 3);
	check_rel(exp(t->log_time[0]), 3.0, 1e-14);
	assert_int_equal(t->first_run[1], 1);
	assert_int_equal(t->config_of_run[3], 0);
	release(t, d);
}

/* Pairs of repeats that differ by 0.1 in the logarithm: noise 0.1 / (0.6745 sqrt(2)) = 0.105. Two
 * of that are 0.210: the second at 0.15 is tied with the first, and the mean, 0.075, is the best;
 * the third is 0.925 above it. */
TEST(what_noise_cannot_tell_from_the_fastest_is_the_best_too)
{
	const double centre[] = {0, 0.15, 1}, want[] = {0, 0.075, 0.925};
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < 3; i++) {
		add(d, 1, 8 << i, exp(centre[i] - 0.05));
		add(d, 1, 8 << i, exp(centre[i] + 0.05));
	}
	t = table_of(d);
	check_rel(t->noise, 0.1 / (0.6745 * sqrt(2)), 1e-12);
	for (size_t i = 0; i < 3; i++)
		check_abs(t->log_slowdown[i], want[i], 1e-12);
	release(t, d);
}

/* The same with the second at 0.25: noise alone does not make that. */
TEST(what_noise_can_tell_is_slower)
{
	const double centre[] = {0, 0.25, 1};
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < 6; i++)
		add(d, 1, 8 << i / 2, exp(centre[i / 2] + (i % 2 ? 0.05 : -0.05)));
	t = table_of(d);
	for (size_t i = 0; i < 3; i++)
		check_abs(t->log_slowdown[i], centre[i], 1e-12);
	release(t, d);
}

TEST(machines_and_sources_are_cases_of_their_own)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	add_from(d, 1, 8, 1, 1, SOURCE_MEASURED);
	add_from(d, 1, 16, 2, 1, SOURCE_MEASURED);
	add_from(d, 1, 8, 30, 2, SOURCE_MEASURED); /* not a repeat of the first */
	add_from(d, 1, 16, 10, 2, SOURCE_MEASURED);
	add_from(d, 1, 8, 0.5, 1, SOURCE_MODELLED);
	add_from(d, 1, 16, 0.6, 1, SOURCE_MODELLED);
	t = table_of(d);
	assert_int_equal(t->n, 6);
	assert_int_equal(t->n_strata, 3);
	assert_int_equal(t->n_problems, 1); /* it is the same problem everywhere */
	check_abs(t->log_slowdown[0], 0, 0);
	check_abs(t->log_slowdown[2], log(3), 1e-15);
	check_abs(t->log_slowdown[5], log(1.2), 1e-15);
	release(t, d);
}

/* ---- times that are none ---- */

TEST(an_absurdly_low_time_is_not_the_best)
{
	const double wall_s[] = {11, 0.01, 10, 12, 13};
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < 5; i++)
		add(d, 1, 8 << i, wall_s[i]);
	t = table_of(d);
	assert_true(isnan(t->log_slowdown[1]));
	check_abs(t->log_slowdown[0], log(1.1), 1e-15);
	check_abs(t->log_slowdown[2], 0, 0);
	release(t, d);
}

/* Runs that stop at once take about the same: the gap is above all of them. */
TEST(absurd_times_may_be_alike)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < 12; i++)
		add(d, 1, 8 + i, i == 3 ? 0.010 : i == 7 ? 0.011 : 10 + 0.1 * i);
	t = table_of(d);
	for (size_t i = 0; i < 12; i++) {
		if (i == 3 || i == 7)
			assert_true(isnan(t->log_slowdown[i]));
		else
			check_abs(t->log_slowdown[i], log(1 + 0.01 * (double)i), 1e-12);
	}
	release(t, d);
}

/* One, and one more for every ten: three of twenty, but not of nineteen. */
TEST(three_of_twenty_may_be_absurd)
{
	for (int n = 19; n <= 20; n++) {
		struct dataset *d = dataset_new(app);
		struct slowdown_table *t;

		for (int i = 0; i < n; i++)
			add(d, 1, 8 + i, i < 3 ? 0.010 + 0.001 * i : 10 + 0.1 * i);
		t = table_of(d);
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(isnan(t->log_slowdown[i]) != 0, n == 20);
		assert_true(t->log_slowdown[3] >= 0);
		release(t, d);
	}
}

static void check_best_is_kept(const double *wall_s, size_t n)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (size_t i = 0; i < n; i++)
		add(d, 1, 8 + (double)i, wall_s[i]);
	t = table_of(d);
	for (size_t i = 0; i < n; i++)
		check_abs(t->log_slowdown[i], log(wall_s[i] / wall_s[0]), 1e-12);
	release(t, d);
}

TEST(a_choice_that_is_much_better_is_kept)
{
	/* five times as fast as the others */
	check_best_is_kept((const double[]){2, 10, 10.5, 11, 12}, 5);
	/* far from the others, which are far from each other */
	check_best_is_kept((const double[]){1, 12, 150, 2000}, 4);
	/* too few to say what is usual */
	check_best_is_kept((const double[]){0.01, 10, 10}, 3);
	/* a third of all choices */
	check_best_is_kept((const double[]){0.010, 0.011, 0.012, 10, 10.5, 11, 10, 12, 11}, 9);
}

TEST(failed_and_flagged_runs_and_timeouts_do_not_count)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	qr_add_as(d, (struct qr){1, 100, 8, 0, 4}, 0.1, RUN_FAILED);
	qr_add_as(d, (struct qr){1, 100, 16, 0, 4}, 0.1, RUN_TIMEOUT);
	add(d, 1, 32, 0.1);
	d->flagged[2] = 1;
	add(d, 1, 8, 2);
	add(d, 1, 16, 4);
	t = table_of(d);
	assert_int_equal(t->n, 2);
	check_abs(t->log_slowdown[0], 0, 0);
	check_abs(t->log_slowdown[1], log(2), 1e-15);
	assert_int_equal(t->config_of_run[0], SLOWDOWN_NONE);
	assert_int_equal(t->config_of_run[3], 0);
	release(t, d);
}

TEST(runs_of_which_none_counts_are_no_data)
{
	FREED(dataset) *d = dataset_new(app);
	struct slowdown_table *t = NULL;

	assert_int_equal(slowdown_table_make(d, NULL, &t, &err), ERR_NODATA);
	qr_add_as(d, (struct qr){1, 100, 8, 0, 4}, NAN, RUN_FAILED);
	assert_int_equal(slowdown_table_make(d, NULL, &t, &(struct err){0}), ERR_NODATA);
	assert_null(t);
}

TEST(one_run_has_nothing_to_be_compared_with)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	add(d, 1, 8, 2);
	t = table_of(d);
	assert_int_equal(t->n, 1);
	assert_true(isnan(t->log_slowdown[0]));
	check_abs(t->noise, 0, 0);
	for (size_t c = 0; c < t->n_columns; c++)
		assert_int_equal(t->use[c], USE_NONE);
	release(t, d);
}

TEST(equal_times_have_no_slowdown)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < 40; i++) {
		int problem = 1 + i / 10;

		add(d, problem, 8 + i % 10, 0.7);
	}
	t = table_of(d);
	for (size_t i = 0; i < t->n; i++)
		check_abs(t->log_slowdown[i], 0, 0);
	release(t, d);
}

/* ---- columns ---- */

TEST(what_a_column_is_used_for_follows_from_its_role_and_values)
{
	FREED(application) *choices = made_application(
		"choices", "m", "a,copy,same_order,turned,fixed,absent", "", "procs");
	struct dataset *d = dataset_new(choices);
	struct slowdown_table *t;
	size_t a = application_column(choices, "a");

	for (int i = 0; i < 12; i++) {
		int m = i / 4;
		const double value[] = {m, i % 4, i % 4, 1 << i % 4, -(i % 4), 3, NAN, 4};
		static const char *const name[] = {"m",	     "a",     "copy",	"same_order",
						   "turned", "fixed", "absent", "procs"};
		double row[16];

		for (size_t c = 0; c < 8; c++)
			row[application_column(choices, name[c])] = value[c];
		runs_add(d, row, 1 + i);
	}
	t = table_of(d);
	assert_int_equal(t->use[application_column(choices, "m")], USE_CONTEXT);
	assert_int_equal(t->use[a], USE_CHOICE);
	assert_int_equal(t->copy_of[a], SIZE_MAX);
	/* Equal or in the same order: conditions on them say what those on `a` say. */
	assert_int_equal(t->use[application_column(choices, "copy")], USE_NONE);
	assert_int_equal(t->copy_of[application_column(choices, "copy")], a);
	assert_int_equal(t->copy_of[application_column(choices, "same_order")], a);
	assert_int_equal(t->use[application_column(choices, "turned")], USE_CHOICE);
	assert_int_equal(t->use[application_column(choices, "fixed")], USE_NONE);
	assert_int_equal(t->copy_of[application_column(choices, "fixed")], SIZE_MAX);
	assert_int_equal(t->use[application_column(choices, "absent")], USE_NONE);
	assert_int_equal(t->use[application_column(choices, "procs")], USE_NONE);
	release(t, d);
}

/* Of Sweep3D the shape of the grid and the blocking are free; the cells of a processor derive from
 * the shape, but only by rounding. All problems are cubes,
 * and each processor is a node. */
TEST(derived_columns_are_choices_if_choosing_moves_them)
{
	static const struct {
		const char *column;
		enum column_use use;
	} want[] = {
		{"it_g", USE_CONTEXT},		 {"jt_g", USE_NONE}, {"nodes", USE_CONTEXT},
		{"cells_per_proc", USE_CONTEXT}, {"mk", USE_CHOICE}, {"jt", USE_CHOICE},
		{"npe_i", USE_CHOICE},		 {"mm", USE_NONE},   {"efficiency", USE_CHOICE}};
	struct synthetic s;
	struct dataset *d;
	struct slowdown_table *t;

	assert_int_equal(synthetic_open(&s), 0);
	d = synthetic_runs(&s, 16, 1, 0.02, 0, 9);
	t = table_of(d);
	for (size_t k = 0; k < sizeof want / sizeof want[0]; k++)
		assert_int_equal(t->use[application_column(s.app, want[k].column)], want[k].use);
	assert_int_equal(t->copy_of[application_column(s.app, "jt_g")],
			 application_column(s.app, "it_g"));
	assert_int_equal(t->n_strata, 5 * 5); /* cubes on 1, 2, ... 16 processors, of any shape */
	release(t, d);
	synthetic_close(&s);
}

/* ---- what is held out together ---- */

static void check_blocks(int n_problems, int n_procs, enum block_kind kind, size_t n_blocks)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;

	for (int i = 0; i < n_problems * n_procs * 3; i++) {
		int problem = 1 + i / 3 / n_procs, procs = 1 << i / 3 % n_procs;

		qr_add(d, (struct qr){problem, 100, 8 << i % 3, 0, procs}, 1 + i);
	}
	t = table_of(d);
	assert_int_equal(t->block_kind, kind);
	assert_int_equal(t->n_blocks, n_blocks);
	for (size_t i = 0; i < t->n; i++)
		assert_true(t->block[i] < n_blocks);
	release(t, d);
}

/* Six are the fewest to be held out in turn. */
TEST(blocks_are_problems_or_else_cases_or_else_configurations)
{
	check_blocks(6, 2, BLOCK_PROBLEM, 6);
	check_blocks(2, 3, BLOCK_CASE, 6);
	check_blocks(1, 5, BLOCK_CONFIGURATION, 15);
}

/* Of problems first..last, in two choices each, fold[m] in 0..n_folds-1. */
static void folds_of_problems(int first, int last, unsigned n_folds, unsigned char *fold)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t;
	unsigned char by_block[100];

	for (int m = first; m <= last; m++) {
		add(d, m, 8, 1);
		add(d, m, 16, 2);
	}
	t = table_of(d);
	must(slowdown_folds(t, n_folds, by_block, &err));
	for (size_t i = 0; i < t->n; i++)
		fold[first + (int)i / 2] = by_block[t->block[i]];
	release(t, d);
}

TEST(few_problems_are_dealt_out_evenly)
{
	for (int n = 6; n < 24; n++) {
		for (unsigned n_folds = 2; n_folds <= 5; n_folds++) {
			unsigned char fold[100];
			int size[5] = {0};

			folds_of_problems(1, n, n_folds, fold);
			for (int m = 1; m <= n; m++)
				size[fold[m]]++;
			for (unsigned f = 0; f < n_folds; f++)
				assert_in_range(size[f], n / (int)n_folds,
						(n + (int)n_folds - 1) / (int)n_folds);
		}
	}
}

/* Neither fold has all the even ones, nor all the large ones. 60 problems: a fair coin falls 18 to
 * 42 times on one side in 998 of 1000 series; of 30: 7 to 23 times. */
TEST(folds_follow_no_pattern)
{
	unsigned char fold[100];
	int n = 0, n_even = 0, n_large = 0;

	folds_of_problems(1, 60, 2, fold);
	for (int m = 1; m <= 60; m++) {
		n += fold[m] == 0;
		n_even += fold[m] == 0 && m % 2 == 0;
		n_large += fold[m] == 0 && m > 30;
	}
	assert_in_range(n, 18, 42);
	assert_in_range(n_even, 7, 23);
	assert_in_range(n_large, 7, 23);
}

TEST(a_problem_stays_in_its_fold_as_others_come_and_go)
{
	unsigned char fold[100], later[100];

	folds_of_problems(10, 49, 2, fold);
	folds_of_problems(1, 40, 2, later);
	assert_memory_equal(fold + 10, later + 10, 31);
}

TEST(a_part_is_the_rows_that_were_kept)
{
	struct dataset *d = dataset_new(app);
	struct slowdown_table *t, *part = NULL;
	unsigned char keep[20];
	size_t b = application_column(app, "b");

	for (int i = 0; i < 20; i++) {
		int problem = 1 + i / 4;

		add(d, problem, 8 << i % 4, 1 + i);
	}
	t = table_of(d);
	for (size_t i = 0; i < 20; i++)
		keep[i] = i / 4 % 2 == 1;
	must(slowdown_table_subset(t, keep, &part, &err));
	assert_int_equal(part->n, 8);
	for (size_t i = 0; i < 8; i++) {
		size_t of = 4 + i / 4 * 8 + i % 4;

		assert_ptr_equal(slowdown_row(part, i), slowdown_row(t, of));
		assert_int_equal(slowdown_codes(part, b)[i], slowdown_codes(t, b)[of]);
		assert_int_equal(part->stratum[i], t->stratum[of]);
		assert_int_equal(part->block[i], t->block[of]);
		check_abs(part->log_slowdown[i], t->log_slowdown[of], 0);
	}
	slowdown_table_free(part);
	release(t, d);
}

TEST(it_can_be_interrupted)
{
	const struct progress stop = {stop_at_once, NULL};
	FREED(dataset) *d = dataset_new(app);
	struct slowdown_table *t = NULL;

	add(d, 1, 8, 1);
	assert_int_equal(slowdown_table_make(d, &stop, &t, &(struct err){0}), ERR_INTERRUPTED);
	assert_null(t);
}

TEST_GROUP(qr_set_up, qr_tear_down)
