#include "tests/support/made_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "base/compare.h"
#include "mining/training/mixed_units.h"
#include "mining/training/run_screen.h"
#include "mining/training/short_runs.h"
#include "tests/support/uniform.h"

/* A sweep of m on the tunable nb: m^2 / nb^0.2, in content order. */
static double time_of(double m, double nb)
{
	return m * m / 100 / pow(nb, 0.2);
}

static struct dataset *sweep(void)
{
	struct dataset *d = dataset_new(app);

	for (double m = 100; m <= 800; m *= 2) {
		for (double nb = 8; nb <= 32; nb *= 2)
			qr_add(d, (struct qr){m, 100, nb, 0, 1}, time_of(m, nb));
	}
	return d;
}

static struct run_screen screen(struct dataset *d)
{
	struct run_screen s;

	must(run_screen(d, &s, &err));
	return s;
}

static size_t n_of_status(const struct dataset *d, enum run_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += d->status[i] == status;
	return n;
}

TEST(nothing_is_left_out_of_a_sweep)
{
	FREED(dataset) *d = sweep();
	struct run_screen s = screen(d);
	RELEASED(strbuf) text = STRBUF_INIT;

	assert_int_equal(s.n_fast + s.n_slow + s.n_cut, 0);
	assert_int_equal(n_of_status(d, RUN_OK), d->n);
	run_screen_explain(&s, &text);
	assert_int_equal(text.len, 0);
}

/* m = 800 ended at once with nb = 8. */
TEST(a_larger_problem_does_not_end_at_once)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	d->wall_s[9] = 1.5;
	s = screen(d);
	assert_int_equal(s.n_fast, 1);
	assert_int_equal(s.n_slow, 0);
	for (size_t i = 0; i < d->n; i++) {
		assert_int_equal(d->status[i], i == 9 ? RUN_FAILED : RUN_OK);
		assert_int_equal(d->flagged[i], i == 9 ? FLAG_SCREENED : 0);
	}
	check_abs(s.run_s, 1.5, 0);
}

/* m = 800 ended after half a minute on 1 to 8 processors, where m = 400 took 1600 s to 200 s. As
 * many pairs in m go down as up, and a third of the near ones; and on 8 processors it is within
 * ten. */
TEST(the_largest_problem_ended_at_once_on_all_processors)
{
	FREED(dataset) *d = dataset_new(app);
	struct run_screen s;

	for (double m = 100; m <= 800; m *= 2) {
		for (double procs = 1; procs <= 8; procs *= 2)
			qr_add(d, (struct qr){m, 100, 8, 0, procs},
			       m < 800 ? m * m / 100 / procs : 30 + 0.1 * procs);
	}
	s = screen(d);
	assert_int_equal(s.n_fast, 4);
	assert_int_equal(s.n_slow, 0);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->status[i], i >= 12 ? RUN_FAILED : RUN_OK);
}

/* m = 400 and 800 with all nb: most pairs in m then go down, but none that is within ten. */
TEST(a_corner_that_ended_at_once_turns_no_direction)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (size_t i = 6; i < d->n; i++)
		d->wall_s[i] = 2 + 0.1 * (double)i;
	for (double m = 150; m <= 300; m *= 2)
		qr_add(d, (struct qr){m, 100, 8, 0, 1}, time_of(m, 8));
	s = screen(d);
	assert_int_equal(s.n_fast, 6);
	assert_int_equal(s.n_slow, 0);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->status[i], i >= 6 && i < 12 ? RUN_FAILED : RUN_OK);
}

/* A run that hung contradicts all larger ones: to set it aside is cheaper than them. */
TEST(one_slow_run_is_set_aside_rather_than_many)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (int repeat = 0; repeat < 2; repeat++) {
		for (double m = 200; m <= 800; m *= 2)
			qr_add(d, (struct qr){m, 100, 8, 0, 1}, time_of(m, 8));
	}
	d->wall_s[0] *= 1e5;
	s = screen(d);
	assert_int_equal(s.n_slow, 1);
	assert_int_equal(s.n_fast, 0);
	assert_int_equal(d->status[0], RUN_FAILED);
}

/* A factor of nine is within what caches and swapping may do. */
TEST(a_cliff_is_no_contradiction)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (size_t i = 0; i < 3; i++)
		d->wall_s[i] = 8.9 * d->wall_s[i + 3];
	s = screen(d);
	assert_int_equal(s.n_fast + s.n_slow, 0);
}

/* Where larger values are as often faster as slower, they are no more work. */
TEST(a_column_without_direction_says_nothing)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (size_t i = 0; i < d->n; i++)
		d->wall_s[i] = i / 3 % 2 ? 1 : 100;
	s = screen(d);
	assert_int_equal(s.n_fast + s.n_slow, 0);
}

/* m = 400 and 800 of all nb end within 0.5 % of 300 s, though they are four times as much. */
TEST(the_longest_times_that_agree_are_a_limit)
{
	/* the latest run is the longest, or the first */
	for (int falling = 0; falling < 2; falling++) {
		FREED(dataset) *d = sweep();
		struct run_screen s;

		for (double m = 500; m <= 700; m += 100)
			qr_add(d, (struct qr){m, 100, 8, 0, 1}, time_of(m, 8));
		for (size_t i = 0; i < d->n; i++)
			d->wall_s[i] =
				fmin(d->wall_s[i], 300 + 0.1 * (double)(falling ? d->n - i : i));
		s = screen(d);
		assert_int_equal(s.n_fast + s.n_slow, 0);
		assert_int_equal(s.n_cut, n_of_status(d, RUN_TIMEOUT));
		assert_int_equal(s.n_cut, 9);
	}
}

/* Killed half a minute late at most, at ten minutes: they agree within 5 %, not within 0.5 %. The
 * time that m = 550 takes in truth is not far below. */
TEST(a_limit_is_looked_at_twice_a_minute)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (double m = 220; m <= 1500; m *= 1.2) {
		for (double nb = 8; nb <= 32; nb *= 2)
			qr_add(d, (struct qr){m, 100, nb, 0, 1}, time_of(m, nb));
	}
	for (size_t i = 0; i < d->n; i++)
		d->wall_s[i] = fmin(d->wall_s[i], 600 + fmod(7.3 * (double)i, 30));
	s = screen(d);
	assert_int_equal(s.n_fast + s.n_slow, 0);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->status[i], d->wall_s[i] >= 600 ? RUN_TIMEOUT : RUN_OK);
	assert_true(s.n_cut >= 20);
	check_rel(s.limit_s, 600.0, 0.01);
}

static double chance_of_more(size_t k, double expected)
{
	double sum = 0, term = exp(-expected);

	for (size_t j = 0; j <= k; j++) {
		sum += term;
		term *= expected / (double)(j + 1);
	}
	return 1 - sum;
}

/* A run of a power law, 3 s with m = 10. */
static void add_of_law(struct dataset *d, double time_s)
{
	qr_add(d, (struct qr){10 * sqrt(time_s / 3), 100, 8, 0, 1}, time_s);
}

/* With n runs more, one of 300 s, the others of 0.4 % less, that the law would have take 1.3 times
 * as long or more: how many are cut? */
static size_t n_cut_of(struct dataset *d, size_t n)
{
	struct run_screen s;

	for (size_t i = 0; i < n; i++)
		qr_add(d, (struct qr){115 + (double)i, 100, 8, 0, 1},
		       i == n / 2 ? 300 : 300 * exp(-0.004));
	s = screen(d);
	assert_int_equal(s.n_fast + s.n_slow, 0);
	assert_int_equal(n_of_status(d, RUN_TIMEOUT), s.n_cut);
	dataset_free(d);
	return s.n_cut;
}

/* Below a limit lies one time each 0.24 %, three in a window of 0.5 % at most. By chance so many
 * agree with a time as lie in a window on average of the 20 below, or of those that there are, or
 * as all would if they were spread over the range. That n - 1 more agree with the longest must be
 * rarer than 1e-4 (Poisson). */
TEST(times_that_agree_by_chance_are_no_limit)
{
	for (size_t n_below = 12; n_below <= 60; n_below += 2) {
		for (int and_short = 0; and_short < 2; and_short++) {
			const double range = 0.006 + 0.0024 * (double)(n_below - 1);
			const double windows = (and_short ? log(100) : range) / 0.005;
			size_t near = 0, least = 7;

			for (size_t i = 0; i < n_below; i++)
				near += 0.006 + 0.0024 * (double)i <= 21 * log(1.005);
			while (chance_of_more(least - 2,
					      fmax((double)near / fmin(20, windows),
						   (double)(n_below + least + (size_t)and_short) /
							   windows)) > 1e-4)
				least++;
			for (size_t n = least - 1; n <= least; n++) {
				struct dataset *d = dataset_new(app);

				if (and_short)
					add_of_law(d, 3);
				for (size_t i = 0; i < n_below; i++)
					add_of_law(d, 300 * exp(-0.006 - 0.0024 * (double)i));
				assert_int_equal(n_cut_of(d, n), n < least ? 0 : n);
			}
		}
	}
}

/* Five of six times agree at a quarter of the longest, the first five or the last: eleven are more
 * than twice as many, ten are not. Of times below a quarter that is no matter. */
TEST(the_longest_are_more_than_agree_elsewhere)
{
	for (int below = 0; below < 2; below++) {
		for (size_t n = 10; n <= 11; n++) {
			struct dataset *d = dataset_new(app);

			for (double time_s = 4; time_s < 280; time_s *= 1.5)
				add_of_law(d, time_s);
			for (int k = 0; k < 6; k++)
				add_of_law(d, (below ? 74.999 / 1.0055 : 75) *
						      (1 + 0.0011 * (double)k));
			assert_int_equal(n_cut_of(d, n), below || n > 10 ? n : 0);
		}
	}
}

/* Times told in whole minutes agree everywhere. */
TEST(rounded_times_are_no_limit)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	for (size_t i = 0; i < d->n; i++)
		d->wall_s[i] = 60 * (1 + floor((double)i / 4));
	s = screen(d);
	assert_int_equal(s.n_cut, 0);
}

/* Seconds of a clock of whole ones, the same_number for all but one: it takes 5 s. Nor does weak
 * scaling, whose times agree though the cases differ, stop at a limit: those of strong scaling
 * below lead to 100 s, not beyond. */
TEST(a_time_that_stays_the_same_is_no_limit)
{
	struct dataset *d = dataset_new(app);
	struct run_screen s;

	for (int i = 0; i < 40; i++)
		qr_add(d, (struct qr){100 * (i % 10 + 1), 100, 8 << i / 10, 0, 1}, i == 7 ? 4 : 5);
	s = screen(d);
	assert_int_equal(s.n_cut, 0);
	dataset_free(d);
	d = dataset_new(app);
	for (int i = 0; i < 6; i++) {
		qr_add(d, (struct qr){100 << i, 100, 8 << i, 0, 1}, 100 + 0.01 * i);
		qr_add(d, (struct qr){100 << i, 100, 16 << i, 0, 1}, 55 + 0.3 * i);
		qr_add(d, (struct qr){100 << i, 100, 32 << i, 0, 1}, 30 + 0.2 * i);
	}
	s = screen(d);
	assert_int_equal(s.n_cut, 0);
	dataset_free(d);
}

/* A clock of whole minutes hides no limit from which other times are far: 30 min. Many short runs
 * agree, too, as the clock is coarse. */
TEST(a_coarse_clock_has_limits)
{
	FREED(dataset) *d = dataset_new(app);
	struct run_screen s;

	for (double m = 10; m <= 120; m += 10)
		qr_add(d, (struct qr){m, 100, 8, 0, 1}, 60);
	for (double m = 150; m <= 1500; m += 50)
		qr_add(d, (struct qr){m, 100, 8, 0, 1},
		       60 * fmin(fmax(rint(m * m / 20000), 1), 30));
	s = screen(d);
	assert_int_equal(s.n_cut, 15); /* of m = 800 (32 min) to 1500 */
	check_abs(s.limit_s, 1800, 0);
}

/* 1e5 where m = 400 and 800 found no memory with nb = 8 and 16; not where those of one case have
 * it, nor where it is a time that others let expect. */
TEST(a_number_in_place_of_a_time_is_a_failure)
{
	const size_t nb_column = application_column(app, "b");

	for (int kind = 0; kind < 3; kind++) {
		FREED(dataset) *d = sweep();
		const double stand_in_s = kind == 2 ? 1.2 * time_of(800, 8) : 1e5;
		RELEASED(strbuf) text = STRBUF_INIT;
		struct run_screen s;
		size_t n = 0;

		for (double m = 300; m <= 700; m += 200) {
			for (double nb = 8; nb <= 32; nb *= 2)
				qr_add(d, (struct qr){m, 100, nb, 0, 1}, time_of(m, nb));
		}
		for (size_t i = 0; i < d->n; i++) {
			const double *row = dataset_row(d, i);

			if (row[0] < (kind == 1 ? 800 : 400) || row[nb_column] > 16)
				continue;
			d->wall_s[i] = stand_in_s;
			n++;
		}
		s = screen(d);
		assert_int_equal(s.n_no_time, kind == 0 ? n : 0);
		check_abs(s.no_time_s, kind == 0 ? 1e5 : 0, 0);
		for (size_t i = 0; i < d->n && kind == 0; i++) {
			const bool failed = d->wall_s[i] >= 1e5;

			assert_int_equal(d->status[i], failed ? RUN_FAILED : RUN_OK);
			assert_int_equal(d->flagged[i], failed ? FLAG_SHORT : 0);
		}
		run_screen_explain(&s, &text);
		assert_true((kind == 0) == !!strstr(strbuf_text(&text), " Counted as failed: "));
	}
}

/* Two kinds of node, of which the slower takes three times as long, and no column that says so. */
TEST(repeats_that_differ_are_told)
{
	FREED(dataset) *d = sweep();
	const size_t n = d->n;
	struct run_screen s = screen(d);
	RELEASED(strbuf) text = STRBUF_INIT;

	check_abs(s.repeats_differ, 0, 0);
	for (double m = 100; m <= 800; m *= 2) {
		for (double nb = 8; nb <= 32; nb *= 2)
			qr_add(d, (struct qr){m, 100, nb, 0, 1}, 3 * time_of(m, nb));
	}
	s = screen(d);
	check_rel(s.repeats_differ, 3.0, 1e-12);
	assert_int_equal(s.n_repeated, n);
	assert_int_equal(s.n_fast + s.n_slow + s.n_cut, 0);
	run_screen_explain(&s, &text);
	assert_non_null(strstr(strbuf_text(&text), "differ by a factor of 3 (median of 12)"));
}

TEST(says_which_runs_and_why)
{
	const struct run_screen s = {.n_fast = 2,
				     .run_id = 7,
				     .run_s = 1.5,
				     .other_id = 3,
				     .other_s = 600,
				     .n_cut = 4,
				     .limit_s = 1800};
	RELEASED(strbuf) text = STRBUF_INIT;

	run_screen_explain(&s, &text);
	assert_non_null(strstr(strbuf_text(&text), " Left out: 2 runs"));
	assert_non_null(strstr(strbuf_text(&text), "run 7 took 1.5 s, run 3 600 s"));
	assert_non_null(strstr(strbuf_text(&text),
			       " Counted as cut: 4 runs of different cases that all took 1800 s"));
}

/* Every third run in milliseconds: too many to be the others' fault, so that seconds go. */
TEST(milliseconds_among_seconds_are_told)
{
	FREED(dataset) *d = sweep();
	RELEASED(strbuf) text = STRBUF_INIT;
	struct run_screen s;

	for (size_t i = 0; i < d->n; i += 3)
		d->wall_s[i] *= 1000;
	s = screen(d);
	assert_int_equal(s.n_units, 8);
	assert_int_equal(s.n_fast, 8);
	for (size_t i = 0; i < d->n; i++)
		assert_int_equal(d->status[i], i % 3 ? RUN_FAILED : RUN_OK);
	run_screen_explain(&s, &text);
	assert_non_null(strstr(strbuf_text(&text),
			       " Left out: 8 runs with a thousandth of the time that the others "
			       "would have them take (seconds and milliseconds in one column?)"));
}

/* One run in milliseconds is set aside itself. */
TEST(a_run_in_milliseconds_is_set_aside)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	d->wall_s[4] *= 1000;
	s = screen(d);
	assert_int_equal(s.n_units, 1);
	assert_int_equal(s.n_slow, 1);
	assert_int_equal(d->status[4], RUN_FAILED);
	assert_int_equal(n_of_status(d, RUN_OK), d->n - 1);
}

/* All of m = 500 and more took 1/100: the time of one of a hundred steps. A larger problem is more
 * work; a smaller exponent with m = 200 and more, that is 1/9 of the time there, is a law. */
TEST(large_problems_in_another_unit_are_told)
{
	for (int per_step = 0; per_step < 2; per_step++) {
		FREED(dataset) *d = sweep();
		RELEASED(strbuf) text = STRBUF_INIT;
		struct run_screen s;

		for (double nb = 8; nb <= 32; nb *= 2) {
			qr_add(d, (struct qr){500, 100, nb, 0, 1}, time_of(500, nb));
			qr_add(d, (struct qr){150, 100, nb, 0, 1}, time_of(150, nb));
		}
		for (size_t i = 0; i < d->n; i++)
			d->wall_s[i] /= dataset_row(d, i)[0] >= 500 ? (per_step ? 100 : 9) : 1;
		s = screen(d);
		assert_int_equal(s.n_units, per_step ? 6 : 0);
		assert_int_equal(s.n_fast, per_step ? 6 : 0);
		for (size_t i = 0; i < d->n && per_step; i++)
			assert_int_equal(d->status[i],
					 dataset_row(d, i)[0] >= 500 ? RUN_FAILED : RUN_OK);
		run_screen_explain(&s, &text);
		assert_true(!per_step == !strstr(strbuf_text(&text), " Left out: 6 runs with 1/"));
	}
}

TEST(want_of_memory_is_an_error)
{
	FREED(dataset) *d = sweep();
	struct run_screen s;

	d->wall_s[11] = 1;
	failing_each_allocation (run_screen(d, &s, &err), &err)
		d->status[11] = RUN_OK;
}

/* ---- a look at all pairs ---- */

enum { M, N, B, LAYOUT, N_OTHERS, N_MIXED = 60 };

static double mixed_procs(const struct dataset *d, size_t i)
{
	return dataset_row(d, i)[application_column(app, "procs")];
}

static double mixed(const struct dataset *d, size_t i, int c)
{
	static const char *const name[N_OTHERS] = {"m", "n", "b", "layout"};

	return dataset_row(d, i)[application_column(app, name[c])];
}

/* Times go with m n and the processors, by a factor of 3 either way; one in ten is far off. Some
 * runs failed, some are simulated, and of some m is not known. */
static struct dataset *mixed_runs(uint64_t *seed)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < N_MIXED; i++) {
		const struct qr c = {
			100 << (int)uniform_draw(seed, 0, 3), 100 << (int)uniform_draw(seed, 0, 2),
			8, floor(uniform_draw(seed, 0, 2)), uniform_draw(seed, 0, 3) < 2 ? 1 : 4};
		const double far = uniform_draw(seed, 0, 1);
		double row[16], time_s = c.m * c.n / c.procs * exp(uniform_draw(seed, -1, 1));

		qr_row(app, c, row);
		if (i % 17 == 16)
			row[application_column(app, "m")] = NAN;
		time_s *= far < 0.05 ? 0.01 : far < 0.1 ? 50 : 1;
		runs_add_as(d, row, time_s, i % 13 == 12 ? SOURCE_SIMULATED : SOURCE_MEASURED,
			    i % 11 == 10 ? RUN_FAILED : RUN_OK);
	}
	return d;
}

/* Alike in what is no work; in processors only where asked. */
static bool alike(const struct dataset *d, size_t i, size_t k, bool in_work)
{
	return d->source[i] == d->source[k] && same_number(mixed(d, i, B), mixed(d, k, B)) &&
	       same_number(mixed(d, i, LAYOUT), mixed(d, k, LAYOUT)) &&
	       (in_work ? same_number(mixed(d, i, M), mixed(d, k, M)) &&
				  same_number(mixed(d, i, N), mixed(d, k, N))
			: mixed_procs(d, i) == mixed_procs(d, k));
}

/* Does the pair differ in work column c alone? */
static bool in_one(const struct dataset *d, const bool *ended, size_t i, size_t k, int c)
{
	return i != k && ended[i] && ended[k] && alike(d, i, k, false) &&
	       !same_number(mixed(d, i, c), mixed(d, k, c)) &&
	       same_number(mixed(d, i, N - c), mixed(d, k, N - c));
}

/* Of what did not fall to a tenth of a run with less of it, nor has a value of which half did; if
 * that is more than half. */
static bool rest_says_more(const struct dataset *d, const bool *ended, int c)
{
	bool fell[N_MIXED] = {false}, whole[N_MIXED];
	size_t n = 0, n_fell = 0, up = 0, down = 0;

	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < d->n; k++)
			fell[i] = fell[i] ||
				  (in_one(d, ended, i, k, c) && mixed(d, i, c) > mixed(d, k, c) &&
				   d->wall_s[i] * 10 < d->wall_s[k]);
	}
	for (size_t i = 0; i < d->n; i++) {
		size_t n_like = 0, n_like_fell = 0;

		for (size_t k = 0; k < d->n; k++) {
			const bool like = ended[k] && mixed(d, i, c) == mixed(d, k, c);

			n_like += like;
			n_like_fell += like && fell[k];
		}
		whole[i] = fell[i] || (ended[i] && n_like > 0 && 2 * n_like_fell >= n_like);
		n += ended[i];
		n_fell += whole[i];
	}
	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!in_one(d, ended, i, k, c) || whole[i] || whole[k] ||
			    isnan(mixed(d, i, c)) || isnan(mixed(d, k, c)))
				continue;
			if ((mixed(d, i, c) > mixed(d, k, c)) == (d->wall_s[i] > d->wall_s[k]))
				up++;
			else
				down++;
		}
	}
	return n_fell > 0 && 2 * n_fell < n && up >= 3 && up > 3 * down;
}

/* Of m and n: pairs that differ in it alone, and took longer with more of it, or less long; or
 * those of them within a factor of ten, if they are a quarter; or those that fell far left out. */
static void directions(const struct dataset *d, const bool *ended, bool more[2])
{
	for (int c = M; c <= N; c++) {
		size_t up = 0, down = 0, near_up = 0, near_down = 0;

		for (size_t i = 0; i < d->n; i++) {
			for (size_t k = i + 1; k < d->n; k++) {
				if (!in_one(d, ended, i, k, c))
					continue;
				const bool is_up = (mixed(d, i, c) > mixed(d, k, c)) ==
						   (d->wall_s[i] > d->wall_s[k]);
				const bool near = fabs(log(d->wall_s[i] / d->wall_s[k])) <= log(10);

				up += is_up;
				down += !is_up;
				near_up += is_up && near;
				near_down += !is_up && near;
			}
		}
		more[c] = (up >= 3 && up > 3 * down) ||
			  (4 * (near_up + near_down) >= up + down && near_up >= 3 &&
			   near_up > 3 * near_down) ||
			  rest_says_more(d, ended, c);
	}
}

static bool no_less(const struct dataset *d, size_t i, size_t k, const bool more[2])
{
	for (int c = M; c <= N; c++) {
		if (!same_number(mixed(d, i, c), mixed(d, k, c)) &&
		    !(more[c] && mixed(d, i, c) > mixed(d, k, c)))
			return false;
	}
	return true;
}

/* Is i too fast beside k? */
static bool contradicts(const struct dataset *d, size_t i, size_t k, const bool more[2])
{
	const double times = mixed_procs(d, i) / mixed_procs(d, k);

	if (alike(d, i, k, false) && no_less(d, i, k, more))
		return d->wall_s[i] * (no_less(d, k, i, more) ? 30 : 10) < d->wall_s[k];
	return alike(d, i, k, true) && times != 1 &&
	       d->wall_s[i] * fmax(times, 1 / times) * 10 < d->wall_s[k];
}

/* Besides: what ended as soon on more processors as one that was too fast. */
static void as_soon(const struct dataset *d, const bool *died, bool *aside, size_t *n_fast)
{
	for (size_t i = 0; i < d->n; i++) {
		bool is = false;

		for (size_t k = 0; k < d->n && d->status[i] == RUN_OK && !aside[i]; k++)
			is = is || (died[k] && alike(d, i, k, true) &&
				    mixed_procs(d, i) > mixed_procs(d, k) &&
				    fabs(log(d->wall_s[i] / d->wall_s[k])) <= log(1.5));
		aside[i] = aside[i] || is;
		*n_fast += is;
	}
}

/* Of runs that contradict others the one that does most so is set aside, and so on; to have been
 * too slow is a third of that. Returns false where two are alike in that, and which goes is chance.
 */
static bool by_all_pairs(const struct dataset *d, bool *aside, size_t *n_fast, size_t *n_slow)
{
	static bool fast[N_MIXED][N_MIXED];
	bool ended[N_MIXED], more[2], died[N_MIXED] = {false};
	bool unique = true;

	for (size_t i = 0; i < d->n; i++) {
		ended[i] = d->status[i] == RUN_OK;
		aside[i] = false;
	}
	directions(d, ended, more);
	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < d->n; k++)
			fast[i][k] = i != k && ended[i] && ended[k] && contradicts(d, i, k, more);
	}
	for (;;) {
		double most = 0;
		size_t worst = 0, of_fast = 0, of_slow = 0;

		for (size_t i = 0; i < d->n; i++) {
			size_t as_fast = 0, as_slow = 0;
			double weight;

			for (size_t k = 0; k < d->n; k++) {
				as_fast += fast[i][k];
				as_slow += fast[k][i];
			}
			weight = (double)as_fast + (double)as_slow / 3;
			unique = unique && (weight == 0 || weight != most);
			if (weight <= most)
				continue;
			unique = true;
			most = weight;
			worst = i;
			of_fast = as_fast;
			of_slow = as_slow;
		}
		if (most == 0)
			as_soon(d, died, aside, n_fast);
		if (most == 0 || !unique)
			return unique;
		aside[worst] = true;
		died[worst] = 3 * of_fast >= of_slow;
		*n_fast += 3 * of_fast >= of_slow;
		*n_slow += 3 * of_fast < of_slow;
		for (size_t k = 0; k < d->n; k++)
			fast[worst][k] = fast[k][worst] = false;
	}
}

TEST(what_is_set_aside_is_what_all_pairs_say)
{
	uint64_t seed = 12;
	size_t n_told = 0, n_aside = 0;

	for (int trial = 0; trial < 300; trial++) {
		FREED(dataset) *d = mixed_runs(&seed);
		bool aside[N_MIXED] = {false}, failed[N_MIXED] = {false};
		size_t n_fast = 0, n_slow = 0;
		const bool told = by_all_pairs(d, aside, &n_fast, &n_slow);
		struct run_screen s;

		for (size_t i = 0; i < d->n; i++)
			failed[i] = d->status[i] == RUN_FAILED;
		s = screen(d);
		for (size_t i = 0; i < d->n && told; i++) {
			assert_int_equal(d->status[i], aside[i] || failed[i] ? RUN_FAILED : RUN_OK);
			assert_int_equal(d->flagged[i], aside[i] ? FLAG_SCREENED : 0);
		}
		if (told) {
			assert_int_equal(s.n_fast, n_fast);
			assert_int_equal(s.n_slow, n_slow);
			n_told++;
			n_aside += n_fast + n_slow;
		}
	}
	assert_true(n_told >= 50 && n_aside >= 100);
}

/* ---- two units ---- */

/* n runs of one configuration, or of two layouts, the second of which takes so many times as long;
 * the first and second half of a layout's runs, in turn, are in one unit and in one that makes
 * numbers `factor` times as large. How many are slow; all of those that should, or none. */
static size_t n_in_slow_unit(size_t n, double factor, double other_layout)
{
	FREED(dataset) *d = dataset_new(app);
	unsigned char is_slow[32];
	uint32_t run[32];
	double factor_found;
	size_t n_slow = 77;

	for (size_t i = 0; i < n; i++) {
		const int layout = other_layout != 1 && i % 4 > 1;

		run[i] = (uint32_t)i;
		qr_add(d, (struct qr){100, 100, 8, layout, 1},
		       0.5 * (layout ? other_layout : 1) * (i % 2 ? factor : 1));
	}
	must(mixed_units_find(d, run, n, is_slow, &n_slow, &factor_found, &err));
	for (size_t i = 0; i < n && n_slow > 0; i++)
		assert_int_equal(is_slow[i], i % 2);
	if (n_slow > 0) {
		failing_each_place_repeated(
			mixed_units_find(d, run, n, is_slow, &n_slow, &factor_found, &err), &err);
	}
	return n_slow;
}

/* Eight runs are the fewest; a factor between 600 and 1650 is 1000, but for what is shrunk of its
 * difference. That a layout takes twelve times as long (within four deviations of what is usual) is
 * told apart from units; without it half of 9 ln 12 would be missed. */
TEST(a_factor_of_about_1000_is_another_unit)
{
	assert_int_equal(n_in_slow_unit(8, 1000, 1), 4);
	assert_int_equal(n_in_slow_unit(7, 1000, 1), 0);
	assert_int_equal(n_in_slow_unit(32, 1600, 1), 16);
	assert_int_equal(n_in_slow_unit(32, 1800, 1), 0);
	assert_int_equal(n_in_slow_unit(32, 625, 1), 16);
	assert_int_equal(n_in_slow_unit(32, 550, 1), 0);
	assert_int_equal(n_in_slow_unit(32, 1000, 12), 16);
}

/* 400 runs, of 0.5 s and, where a column is exp(step) times as large or a layout another, of 500 s:
 * how many are slow by their unit? */
static size_t n_slow_beyond(const char *column, double step)
{
	enum { N_RUNS = 400 };
	FREED(dataset) *d = dataset_new(app);
	unsigned char is_slow[N_RUNS];
	uint32_t run[N_RUNS];
	double factor_found;
	size_t n_slow = 77;

	for (size_t i = 0; i < N_RUNS; i++) {
		const double x = i % 2 ? exp(step) : 1;
		const bool is_of_m = !strcmp(column, "m"), is_of_b = !strcmp(column, "b");

		run[i] = (uint32_t)i;
		qr_add(d,
		       (struct qr){is_of_m ? 100 * x : 100, 100, is_of_b ? 8 * x : 8,
				   !strcmp(column, "layout") ? (double)(i % 2) : 0,
				   !strcmp(column, "procs") ? x : 1},
		       i % 2 ? 500 : 0.5);
	}
	must(mixed_units_find(d, run, N_RUNS, is_slow, &n_slow, &factor_found, &err));
	assert_true(n_slow == 0 || n_slow == N_RUNS / 2);
	return n_slow;
}

/* Either an exponent e = ln 1000 / step explains all, or the units do; so many runs leave nothing
 * else to tell but what is expected of the exponent, mean and deviation, and the ln(2 * 8 * 5) nats
 * of a split of one of five terms, for evidence of ln 100.
 *
 * b, 0 +- 0.5: (e / 0.5)^2 / 2 > ln 80 + ln 100, so e > 2.12 and a step below 3.26.
 *
 * m, 1.5 +- 1: the units explain what they can of -1.5 * step, which m should have made, too: the
 * least sum of squares, in deviations, leaves a factor of exp(1.5 step / (1 + step^2)), and that
 * is to be below exp(0.5): a step below 0.382.
 *
 * procs, -0.7 +- 0.5: 0.7 step / (1 + step^2 / 4) < 0.5, a step below 0.840.
 *
 * Of a layout both levels take half, 0 +- 0.7 each: (ln 1000 / 2 / 0.7)^2 = 24 nats. */
TEST(what_is_expected_of_a_column_is_no_unit)
{
	assert_int_equal(n_slow_beyond("b", 3.1), 200);
	assert_int_equal(n_slow_beyond("b", 3.4), 0);
	assert_int_equal(n_slow_beyond("m", 0.37), 200);
	assert_int_equal(n_slow_beyond("m", 0.39), 0);
	assert_int_equal(n_slow_beyond("procs", 0.82), 200);
	assert_int_equal(n_slow_beyond("procs", 0.86), 0);
	assert_int_equal(n_slow_beyond("layout", 0), 200);
}

/* Four sizes on one to four processes, with methods 1, 2, ... in m (or b), which take so many times
 * as long. How many are set aside. */
static size_t n_aside_of_methods(const double *factor, int n_methods, bool in_m)
{
	FREED(dataset) *d = dataset_new(app);
	struct run_screen s;
	int i = 0;

	for (double n = 500; n <= 4000; n *= 2) {
		for (int method = 1; method <= n_methods; method++) {
			for (double procs = 1; procs <= 4; procs *= 2, i++)
				qr_add(d,
				       (struct qr){in_m ? method : 100, n, in_m ? 8 : method, 0,
						   procs},
				       (n * n / 5e4 * factor[method - 1] / procs + 0.01) *
					       (1 + 0.03 * sin(i)));
		}
	}
	s = screen(d);
	return s.n_fast + s.n_slow;
}

/* Each of these had half of the runs or more set aside, or a quarter of one method. */
TEST(codes_of_methods_are_no_sizes_and_no_units)
{
	static const double in_turn[] = {9.08, 533, 9.53, 677}, slow_first[] = {342, 1.49, 6.11},
			    slow_last[] = {5.26, 2.04, 1.05, 567},
			    mostly_up[] = {1.72, 8.8, 37.8, 3.08};

	assert_int_equal(n_aside_of_methods(in_turn, 4, true), 0);
	assert_int_equal(n_aside_of_methods(mostly_up, 4, true), 0);
	assert_int_equal(n_aside_of_methods(slow_first, 3, false), 0);
	assert_int_equal(n_aside_of_methods(slow_last, 4, false), 0);
}

/* Levels 1 to 6 of a mesh, of which the finer half was timed by the step, of 200. */
TEST(small_numbers_that_time_grows_with_are_sizes)
{
	static const double by_step[] = {1, 4, 9, 16.0 / 200, 25.0 / 200, 36.0 / 200};

	assert_int_equal(n_aside_of_methods(by_step, 6, true), 36);
}

TEST_GROUP(qr_set_up, qr_tear_down)
