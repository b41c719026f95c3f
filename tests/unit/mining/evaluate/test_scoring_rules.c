#include "tests/support/check.h"

#include "mining/evaluate/scoring_rules.h"

/* 10 s, its central intervals 9..11, 8..12, 7..13 and 6..15 s; deadlines k + 1 s promised with
 * (k + 0.5) / 10. */
static struct forecast ten_seconds(void)
{
	struct forecast f = {
		.time_s = 10,
		.lo_s = {9, 8, 7, 6},
		.hi_s = {11, 12, 13, 15},
	};

	for (int k = 0; k < RELIABILITY_BINS; k++) {
		f.deadline_s[k] = k + 1;
		f.p_meet[k] = (k + 0.5) / 10;
	}
	return f;
}

/* In logarithms: width log 2; 2 / (1 - 0.9) = 20 times what lies outside. */
TEST(the_interval_score_is_width_and_twenty_times_the_miss)
{
	check_rel(interval_score(1, 2, 1.5, 0.9), log(2), 1e-12);
	check_rel(interval_score(1, 2, 2, 0.9), log(2), 1e-12);
	check_rel(interval_score(1, 2, 4, 0.9), log(2) + 20 * log(2), 1e-12);
	check_rel(interval_score(1, 2, 0.5, 0.9), log(2) + 20 * log(2), 1e-12);
	/* 2 / (1 - 0.5) = 4 */
	check_rel(interval_score(1, 2, 4, 0.5), 5 * log(2), 1e-12);
	/* an interval of no width that is right costs nothing */
	check_abs(interval_score(3, 3, 3, 0.9), 0, 1e-12);
}

/* exp(log(3) ...) need not be 3 to the last digit. */
TEST(rounding_does_not_decide_what_an_interval_without_width_covers)
{
	const double run_s[] = {3 * (1 + 4e-16), 3 * (1 - 4e-16), 3 * (1 + 1e-6)};
	struct forecast f = ten_seconds();
	RELEASED(scoring_rules) c = {0};
	struct scores s;

	f.time_s = f.lo_s[LEVEL_90] = f.hi_s[LEVEL_90] = 3;
	must(scoring_rules_add(&c, &f, 3, run_s, 3, &err));
	must(scoring_rules_summarise(&c, &s, &err));
	check_rel(s.coverage[LEVEL_90], 2.0 / 3, 1e-12); /* a millionth is seen by a clock */
}

/* sqrt(0.9 * 0.1 / 100) */
TEST(the_binomial_error_of_90_of_100_is_3_per_cent)
{
	check_rel(binomial_error(0.9, 100), 0.03, 1e-12);
	check_abs(binomial_error(1, 7), 0, 0);
}

/* 90 % intervals 1 to 4, 1 to 2 and 1 to 3, in this order: the middle one is 3. */
TEST(the_width_is_the_median_ratio_in_whatever_order)
{
	const double hi_s[] = {4, 2, 3}, run_s = 1.5;
	RELEASED(scoring_rules) c = {0};
	struct scores s;

	for (int i = 0; i < 3; i++) {
		struct forecast f = ten_seconds();

		f.lo_s[LEVEL_90] = 1;
		f.hi_s[LEVEL_90] = hi_s[i];
		must(scoring_rules_add(&c, &f, run_s, &run_s, 1, &err));
	}
	must(scoring_rules_summarise(&c, &s, &err));
	check_rel(s.width, 3.0, 1e-15);
}

/* Predicted 10 s for truths of 8, 10 and 12.5 s: errors 0.25, 0, -0.2. Median of the absolute ones
 * 0.2, of the signed ones 0; the 90th percentile lies at 1.8 between 0.2 and 0.25: 0.24. */
TEST(errors_are_relative_to_what_was_measured)
{
	struct forecast f = ten_seconds();
	const double run_s[] = {8, 10, 12.5};
	RELEASED(scoring_rules) c = {0};
	struct scores s;

	for (int i = 0; i < 3; i++)
		must(scoring_rules_add(&c, &f, run_s[i], &run_s[i], 1, &err));
	must(scoring_rules_summarise(&c, &s, &err));
	check_rel(s.median_error, 0.2, 1e-12);
	check_rel(s.p90_error, 0.24, 1e-12);
	check_abs(s.bias, 0, 1e-12);
	check_rel(s.width, 13.0 / 7, 1e-12);
}

/* Runs of 10, 11.5, 12.5 and 14 s: 1, 2, 3 and 4 of the intervals hold them... of 50 % one run, of
 * 80 % two, of 90 % three, of 95 % all. One configuration: one error. */
TEST(single_runs_are_counted_where_the_median_is_the_truth)
{
	struct forecast f = ten_seconds();
	const double run_s[] = {10, 11.5, 12.5, 14};
	RELEASED(scoring_rules) c = {0};
	struct scores s;

	must(scoring_rules_add(&c, &f, 12, run_s, 4, &err));
	must(scoring_rules_summarise(&c, &s, &err));
	assert_int_equal(c.n, 1);
	assert_int_equal(c.n_runs, 4);
	check_rel(s.median_error, 1.0 / 6, 1e-12);
	for (int k = 0; k < INTERVAL_LEVELS; k++)
		check_rel(s.coverage[k], (k + 1) / 4.0, 1e-12);
	/* sqrt(0.25 * 0.75 / 4) */
	check_rel(s.coverage_error[0], 0.21650635094610965, 1e-12);
	/* (4 log(13/7) + 20 log(14/13)) / 4 */
	check_rel(s.interval_score, log(13.0 / 7) + 5 * log(14.0 / 13), 1e-12);
}

/* Deadlines of 1 to 10 s for a run of 8 s: those of 8, 9 and 10 s are met. */
TEST(each_promise_falls_into_its_bin)
{
	struct forecast f = ten_seconds();
	const double run_s = 8;
	RELEASED(scoring_rules) c = {0};

	f.p_meet[0] = 0;
	f.p_meet[9] = 1; /* belongs to the last bin */
	must(scoring_rules_add(&c, &f, run_s, &run_s, 1, &err));
	for (int k = 0; k < RELIABILITY_BINS; k++) {
		assert_int_equal(c.bin[k].n, 1);
		assert_int_equal(c.bin[k].n_met, k >= 7);
		check_abs(c.bin[k].sum_promised, f.p_meet[k], 0);
	}
}
