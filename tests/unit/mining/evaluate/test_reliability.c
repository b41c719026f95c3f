#include "tests/support/check.h"

#include "mining/evaluate/scoring_rules.h"

static const struct reliability promised = {
	.predicted_s = 100,
	.lo_s = 90,
	.hi_s = 130,
	.confidence = 0.9,
	.deadline_s = 120,
	.p_meet = 0.95,
};

static struct reliability_outcome judge(const struct reliability *p, const struct kb_outcome *run,
					size_t n)
{
	struct reliability_outcome o;

	must(reliability_judge(p, run, n, &o, &err));
	return o;
}

TEST(nothing_ran_so_nothing_is_known)
{
	struct reliability_outcome o = judge(&promised, NULL, 0);

	assert_int_equal(o.n_runs, 0);
	assert_true(isnan(o.median_s));
	assert_true(isnan(o.next_ratio));
	assert_int_equal(o.in_time, HIT_UNKNOWN);
	assert_int_equal(o.inside, HIT_UNKNOWN);
}

/* The promise is about the next run; those after it are shown, not judged. */
TEST(next_run_decides_and_all_are_counted)
{
	const struct kb_outcome run[] = {{.run_id = 7, .wall_s = 125},
					 {.run_id = 8, .wall_s = 95},
					 {.run_id = 9, .wall_s = 80}};
	struct reliability_outcome o = judge(&promised, run, 3);

	assert_int_equal(o.next_run_id, 7);
	assert_int_equal(o.in_time, HIT_NO); /* 125 > 120 */
	assert_int_equal(o.inside, HIT_YES); /* 90 <= 125 <= 130 */
	check_rel(o.next_ratio, 1.25, 1e-15);
	check_rel(o.median_s, 95.0, 1e-15);
	assert_int_equal(o.n_in_time, 2);
	assert_int_equal(o.n_late, 1);
}

TEST(limits_belong_to_the_promise)
{
	const struct kb_outcome at_lo = {.wall_s = 90}, below = {.wall_s = 89.9},
				at_deadline = {.wall_s = 120};

	assert_int_equal(judge(&promised, &at_lo, 1).inside, HIT_YES);
	assert_int_equal(judge(&promised, &below, 1).inside, HIT_NO);
	assert_int_equal(judge(&promised, &at_deadline, 1).in_time, HIT_YES);
}

/* It took longer than its limit, nobody knows how much. */
TEST(timeout_is_late_only_from_the_deadline_on)
{
	const struct kb_outcome early = {.wall_s = 60, .timed_out = true};
	const struct kb_outcome late = {.wall_s = 140, .timed_out = true};
	struct reliability_outcome o = judge(&promised, &early, 1);

	assert_int_equal(o.in_time, HIT_UNKNOWN);
	assert_int_equal(o.inside, HIT_UNKNOWN);
	assert_int_equal(o.n_in_time + o.n_late, 0);
	assert_true(isnan(o.next_ratio));
	o = judge(&promised, &late, 1);
	assert_int_equal(o.in_time, HIT_NO);
	assert_int_equal(o.inside, HIT_NO);
	assert_int_equal(o.n_late, 1);
}

TEST(without_deadline_nothing_is_late)
{
	const struct kb_outcome run = {.wall_s = 1000};
	struct reliability p = promised;
	struct reliability_outcome o;

	p.deadline_s = NAN;
	p.p_meet = NAN;
	o = judge(&p, &run, 1);
	assert_int_equal(o.in_time, HIT_UNKNOWN);
	assert_int_equal(o.inside, HIT_NO);
	assert_int_equal(o.n_late, 0);
}

/* ---- calibration ---- */

enum { MANY = 100 };

/* n promises of probability p, the first n_kept of them kept, each by a run of its own. */
static struct reliability_summary calibrate(size_t n, double p, size_t n_kept)
{
	struct judged_forecast item[MANY];
	struct reliability_summary c;

	assert_true(n <= MANY);
	for (size_t i = 0; i < n; i++)
		item[i] =
			(struct judged_forecast){p, i < n_kept ? HIT_YES : HIT_NO, (int64_t)i + 1};
	reliability_summarise(item, n, &c);
	return c;
}

TEST(error_is_binomial)
{
	struct reliability_summary c = calibrate(100, 0.9, 87);

	assert_int_equal(c.n, 100);
	assert_int_equal(c.n_hits, 87);
	check_rel(c.promised, 0.9, 1e-12);
	check_rel(c.hit_rate, 0.87, 1e-12);
	check_rel(c.error, 0.03, 1e-12);		      /* sqrt(0.9 * 0.1 / 100) */
	assert_int_equal(c.verdict, RELIABILITY_AS_PROMISED); /* 0.87 is one error away */
}

TEST(verdict_needs_more_than_two_errors)
{
	assert_int_equal(calibrate(100, 0.9, 85).verdict, RELIABILITY_AS_PROMISED);
	assert_int_equal(calibrate(100, 0.9, 83).verdict, RELIABILITY_LESS);
	assert_int_equal(calibrate(100, 0.9, 97).verdict, RELIABILITY_MORE);
	assert_int_equal(calibrate(100, 1.0, 99).verdict, RELIABILITY_LESS); /* it was certain */
}

TEST(few_promises_are_not_judged)
{
	struct reliability_summary none;

	assert_int_equal(calibrate(RELIABILITY_MIN - 1, 0.9, 0).verdict, RELIABILITY_TOO_FEW);
	assert_int_equal(calibrate(RELIABILITY_MIN, 0.9, 0).verdict, RELIABILITY_LESS);
	reliability_summarise(NULL, 0, &none);
	assert_int_equal(none.n, 0);
	assert_int_equal(none.verdict, RELIABILITY_TOO_FEW);
	assert_true(isnan(none.promised));
}

/* Asked twenty times and run once: one observation, not twenty. */
TEST(promises_answered_by_one_run_count_as_one)
{
	struct judged_forecast item[20];
	struct reliability_summary c;

	for (int i = 0; i < 20; i++)
		item[i] = (struct judged_forecast){0.5, HIT_YES, 1 + i % 2};
	reliability_summarise(item, 20, &c);
	assert_int_equal(c.n, 20);
	assert_int_equal(c.n_runs, 2);
	check_rel(c.error, 0.35355339059327373, 1e-12); /* sqrt(0.25 / 2) */
	assert_int_equal(c.verdict, RELIABILITY_TOO_FEW);
}

TEST(unknown_outcomes_are_passed_over)
{
	struct judged_forecast item[] = {
		{0.9, HIT_UNKNOWN, 1}, {0.8, HIT_YES, 2}, {0.1, HIT_UNKNOWN, 3}};
	struct reliability_summary c;

	reliability_summarise(item, 3, &c);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.n_runs, 1);
	check_rel(c.promised, 0.8, 1e-15);
}

TEST(every_verdict_has_a_name)
{
	for (int v = RELIABILITY_TOO_FEW; v <= RELIABILITY_MORE; v++)
		assert_non_null(reliability_verdict_name((enum reliability_verdict)v));
}
