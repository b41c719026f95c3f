#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include "domain/dataset.h"
#include "mining/findings/findings_private.h"

/* Repeats of a few configurations, in tables made by hand. The log time of a configuration is
 * given, not a median, so that the signs of its runs are known. */

enum { MOST = 100, CONFIGS = 8 };

static double wall_s[MOST], log_time[CONFIGS];
static int64_t run_id[MOST];
static uint32_t config_of_run[MOST], n_runs[CONFIGS];
static struct dataset runs;
static struct slowdown_table table;

static int set_up(void **state)
{
	runs = (struct dataset){.wall_s = wall_s, .run_id = run_id};
	table = (struct slowdown_table){.runs = &runs,
					.n = CONFIGS,
					.config_of_run = config_of_run,
					.n_runs = n_runs,
					.log_time = log_time,
					.noise = 0.01};
	for (size_t c = 0; c < CONFIGS; c++) {
		n_runs[c] = 0;
		log_time[c] = log(1.1);
	}
	return 0;
}

/* Run ids are 101, 102, ... */
static void add(uint32_t config, double time_s)
{
	wall_s[runs.n] = time_s;
	config_of_run[runs.n] = config;
	run_id[runs.n] = 101 + (int64_t)runs.n;
	runs.n++;
	if (config != SLOWDOWN_NONE)
		n_runs[config]++;
}

static void add_times(uint32_t config, double time_s, int n)
{
	for (int i = 0; i < n; i++)
		add(config, time_s);
}

static struct repeat_summary summarise(void)
{
	struct repeat_summary s;

	must(repeat_summary(&table, &s, &err));
	return s;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, NULL)

/* Deviations of log time 0 and log(1.2) / sqrt(2); nine tenths of the way between them. */
IN_FIXTURE(configurations_with_two_runs_and_more_count)
{
	struct repeat_summary s;

	add_times(0, 1, 3);
	add(1, 5);
	add(3, 1);
	add(SLOWDOWN_NONE, 100);
	add(3, 1.2);
	s = summarise();
	assert_int_equal(s.n_repeated, 2);
	check_rel(s.noise_p90, 0.9 * log(1.2) / sqrt(2), 1e-12);
	assert_int_equal(s.n_regimes, 1);
	check_abs(s.shift, 0, 0);
}

IN_FIXTURE(without_repeats_nothing_is_known)
{
	struct repeat_summary s;

	add(0, 1);
	add(1, 2);
	s = summarise();
	assert_int_equal(s.n_repeated, 0);
	assert_true(isnan(s.noise_p90));
	assert_int_equal(s.n_regimes, 1);
	assert_int_equal(s.n_outliers, 0);
}

/* Outliers among n - n_slow runs of 1 s, from 0.99 s on, and n_slow of so many times that. */
static int64_t outliers(int n, int n_slow, double ratio, double noise)
{
	set_up(NULL);
	table.noise = noise;
	add(0, 0.99);
	add_times(0, 1, n - n_slow - 1);
	add_times(0, ratio, n_slow);
	return summarise().n_outliers;
}

IN_FIXTURE(an_outlier_is_a_tenth_and_five_deviations_above_the_others)
{
	assert_int_equal(outliers(5, 1, 1.105, 0.01), 1);
	assert_int_equal(outliers(5, 1, 1.095, 0.01), 0);
	assert_int_equal(outliers(5, 1, exp(0.21), 0.04), 1);
	assert_int_equal(outliers(5, 1, exp(0.19), 0.04), 0);
	assert_int_equal(outliers(6, 2, 1.3, 0.01), 2);
	assert_int_equal(outliers(5, 2, 1.3, 0.01), 2);
	assert_int_equal(outliers(4, 2, 1.3, 0.01), 2);
	/* the others of the slowest lie half on either side, at the root of 1.15 */
	assert_int_equal(outliers(5, 3, 1.15, 0.01), 0);
	assert_int_equal(outliers(2, 1, 1.3, 0.01), 1);
	assert_int_equal(outliers(3, 1, 1.096, 0.01), 1); /* 10 % over their mean, 0.995 */
	assert_int_equal(outliers(3, 1, 1.09, 0.01), 0);
}

/* n fast runs, then as many slow ones: a walk to n and back, of variance 1, and a break if n is
 * more than 2.8 sqrt(2 n), which is from 16 on. */
static struct repeat_summary two_halves(int n, double ratio)
{
	set_up(NULL);
	log_time[2] = log(ratio) / 2;
	add_times(2, 1, n);
	add_times(2, ratio, n);
	return summarise();
}

IN_FIXTURE(a_regime_begins_where_times_shift)
{
	struct repeat_summary s = two_halves(16, 1.2);

	assert_int_equal(s.n_regimes, 2);
	check_rel(s.shift, log(1.2), 1e-12);
	assert_int_equal(s.shift_run_id, 101 + 16);
	assert_int_equal(two_halves(15, 1.2).n_regimes, 1);
	/* what is less than 5 % is not told */
	assert_int_equal(two_halves(20, 1.051).n_regimes, 2);
	assert_int_equal(two_halves(20, 1.049).n_regimes, 1);
	s = two_halves(20, 0.8);
	assert_int_equal(s.n_regimes, 2);
	check_rel(s.shift, log(0.8), 1e-12);
}

/* Signs 0 and 1, or -1 and 0: steps of half the size, and a variance of a quarter. */
IN_FIXTURE(a_run_at_the_median_has_no_sign)
{
	for (int slow = 0; slow < 2; slow++) {
		set_up(NULL);
		log_time[2] = log(slow ? 1 : 1.2);
		add_times(2, 1, 20);
		add_times(2, 1.2, 20);
		assert_int_equal(summarise().n_regimes, 2);
	}
}

/* A disturbed stretch has a break at both ends; the larger shift is named. */
IN_FIXTURE(a_disturbed_stretch_has_two_ends)
{
	struct repeat_summary s;

	add_times(0, 1, 22);
	add_times(0, 1.3, 22);
	add_times(0, 1.02, 22);
	s = summarise();
	assert_int_equal(s.n_regimes, 3);
	check_rel(s.shift, log(1.3), 1e-12);
	assert_int_equal(s.shift_run_id, 101 + 22);
	set_up(NULL);
	add_times(0, 1.02, 22);
	add_times(0, 1.3, 22);
	add_times(0, 1, 22);
	s = summarise();
	assert_int_equal(s.n_regimes, 3);
	check_rel(s.shift, -log(1.3), 1e-12);
	assert_int_equal(s.shift_run_id, 101 + 44);
}

/* The shift is the median over configurations that ran before and after: log 1.2 and log 1.4. */
IN_FIXTURE(a_shift_is_of_what_ran_on_both_sides)
{
	struct repeat_summary s;

	add_times(2, 0.5, 2);
	for (int i = 0; i < 10; i++) {
		add(0, 1);
		add(1, 1);
	}
	for (int i = 0; i < 11; i++) {
		add(0, 1.2);
		add(1, 1.4);
	}
	s = summarise();
	assert_int_equal(s.n_regimes, 2);
	check_rel(s.shift, (log(1.2) + log(1.4)) / 2, 1e-12);
	assert_int_equal(s.shift_run_id, 101 + 22);
}

/* Runs may come in any order; what counts is their number. */
IN_FIXTURE(runs_are_taken_in_the_order_of_their_numbers)
{
	struct repeat_summary s;

	for (int i = 0; i < 20; i++) {
		add(0, 1.2);
		add(0, 1);
		run_id[2 * i] = 90 - i;
		run_id[2 * i + 1] = 40 - i;
	}
	s = summarise();
	assert_int_equal(s.n_regimes, 2);
	check_rel(s.shift, log(1.2), 1e-12);
	assert_int_equal(s.shift_run_id, 71);
}

/* One run in three is slow, all along: no regimes. */
IN_FIXTURE(steady_noise_has_one_regime)
{
	for (int i = 0; i < 90; i++)
		add(0, i % 3 ? 1 : 1.3);
	assert_int_equal(summarise().n_regimes, 1);
}

IN_FIXTURE(without_memory_repeats_are_not_summarised)
{
	struct repeat_summary s;

	add_times(0, 1.2, 2);
	add(0, 1);
	run_id[2] = 7; /* to be sorted */
	failing_each_allocation (repeat_summary(&table, &s, &err), &err)
		;
	assert_int_equal(s.n_repeated, 1);
}
