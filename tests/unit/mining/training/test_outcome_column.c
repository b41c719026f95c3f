#include "tests/support/made_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/outcome_column.h"

static double noise(size_t i)
{
	return exp(0.02 * sin(1 + 7 * (double)i));
}

/* 24 runs of m on `procs`; `of` makes the tunable b of m, procs and time. */
static struct dataset *runs_with(double (*of)(double m, double procs, double time_s, size_t i))
{
	struct dataset *d = dataset_new(app);

	for (double m = 100; m <= 400; m *= 2) {
		for (double procs = 1; procs <= 8; procs *= 2) {
			for (int repeat = 0; repeat < 2; repeat++) {
				const double t = m * m * (0.1 + 1 / procs) * noise(d->n);

				qr_add(d, (struct qr){m, 100, of(m, procs, t, d->n), 0, procs}, t);
			}
		}
	}
	return d;
}

/* The same behind a run that failed. */
static struct dataset *behind_a_failure(struct dataset *runs)
{
	const size_t b = application_column(app, "b");
	struct dataset *d = dataset_new(app);

	qr_add_as(d, (struct qr){100, 100, 3, 0, 1}, 1, RUN_FAILED);
	for (size_t i = 0; i < runs->n; i++)
		must(dataset_add(d, dataset_row(runs, i), runs->wall_s[i], (int64_t)i + 2, 1,
				 SOURCE_MEASURED, RUN_OK, 1, &err));
	assert_true(dataset_row(d, 1)[b] == dataset_row(runs, 0)[b]);
	dataset_free(runs);
	return d;
}

static size_t found_in(struct dataset *d)
{
	size_t column = 0;

	must(outcome_column_find(d, &column, &err));
	dataset_free(d);
	return column;
}

static double rate(double m, double procs, double time_s, size_t i)
{
	(void)procs, (void)i;
	return m * m * m / time_s;
}

static double node_hours(double m, double procs, double time_s, size_t i)
{
	(void)m, (void)i;
	return procs * time_s / 3600;
}

/* Against m on one process: what Amdahl's law takes is no power of procs. */
static double efficiency(double m, double procs, double time_s, size_t i)
{
	return 1.1 * m * m / procs / time_s;
}

static double number(double m, double procs, double time_s, size_t i)
{
	(void)m, (void)procs, (void)time_s;
	return (double)i + 1;
}

static double setting(double m, double procs, double time_s, size_t i)
{
	(void)m, (void)procs, (void)time_s;
	return i % 3 ? 32 : 8;
}

/* A setting that time is proportional to, with noise of its own beside it. */
static double proportional(double m, double procs, double time_s, size_t i)
{
	return time_s / (m * m) / (0.1 + 1 / procs) / noise(i) * exp(0.03 * cos(5 * (double)i));
}

TEST(what_comes_out_of_a_run_is_found)
{
	const size_t b = application_column(app, "b");

	assert_int_equal(found_in(runs_with(rate)), b);
	assert_int_equal(found_in(runs_with(node_hours)), b);
	assert_int_equal(found_in(runs_with(efficiency)), b);
	assert_int_equal(found_in(behind_a_failure(runs_with(efficiency))), b);
	assert_int_equal(found_in(behind_a_failure(runs_with(rate))), b);
}

TEST(settings_and_numbers_of_runs_are_none)
{
	assert_true(found_in(runs_with(number)) == SIZE_MAX);
	assert_true(found_in(runs_with(setting)) == SIZE_MAX);
	assert_true(found_in(runs_with(proportional)) == SIZE_MAX);
}

/* A rate of work that grows with the block size nb, which time does not: nobody could tell it from
 * time without what nb is. The same with m, of which each run has a value of its own: it is known
 * for all that, as nobody chooses it. In the last case nb, too, is one per run, so that neither it
 * nor the rate tells of the other. */
TEST(settings_and_the_problem_are_known)
{
	for (int kind = 0; kind < 3; kind++) {
		FREED(application) *a = made_application("a", "m", "nb,rate", "", "procs");
		FREED(dataset) *d = dataset_new(a);
		size_t found;

		for (int i = 0; i < 24; i++) {
			const double m = kind == 1 ? 100 + 13 * i : 100 << i / 8,
				     nb = kind == 2 ? 8 + 7 * (i * 5 % 24) : 8 << i % 4,
				     time_s = m * m * noise((size_t)i);
			double row[16];

			configuration_clear(a, row);
			row[application_column(a, "m")] = m;
			row[application_column(a, "nb")] = nb;
			row[application_column(a, "rate")] = m * m * m * nb / time_s;
			row[application_column(a, "procs")] = 1;
			configuration_derive(a, row);
			runs_add(d, row, time_s);
		}
		must(outcome_column_find(d, &found, &err));
		assert_int_equal(found, kind < 2 ? application_column(a, "rate") : SIZE_MAX);
	}
}

TEST(a_few_runs_tell_nothing)
{
	struct dataset *d = runs_with(rate);

	d->n = 7;
	assert_true(found_in(d) == SIZE_MAX);
}

TEST(the_refusal_names_the_column)
{
	FREED(dataset) *d = runs_with(rate);

	must_fail(outcome_column_refuse(d, &err), ERR_NODATA, "column 'b' comes out of a run");
}

/* What somebody lists as the problem: node-hours in few digits; core-hours of 48 cores each;
 * particles that time is proportional to, but for noise. */
TEST(a_problem_that_is_the_time_again_is_found)
{
	for (int kind = 0; kind < 5; kind++) {
		FREED(application) *a = made_application("a", "m,z", "nb", "", "procs");
		FREED(dataset) *d = dataset_new(a);
		size_t found;

		for (int i = 0; i < 24; i++) {
			const double procs = 1 << i % 4, m = 100 << i / 8,
				     time_s = round(1e3 * m * m * noise((size_t)i) / procs) / 1e3;
			double row[16];

			configuration_clear(a, row);
			row[application_column(a, "m")] = m;
			row[application_column(a, "z")] =
				kind == 0   ? round(1e2 * procs * time_s / 3600) / 1e2
				: kind == 1 ? round(1e3 * 48 * procs * time_s / 3600) / 1e3
				: kind == 2 ? round(time_s * procs)
				: kind == 3
					? round(1e2 * procs * time_s * noise((size_t)i + 3)) / 1e2
					: procs * time_s / 3600;
			row[application_column(a, "nb")] = 8;
			row[application_column(a, "procs")] = procs;
			must(dataset_add(d, row, time_s, i + 1, 1,
					 kind == 4 ? SOURCE_SIMULATED : SOURCE_MEASURED, RUN_OK, 1,
					 &err));
		}
		must(outcome_column_find(d, &found, &err));
		assert_true(found == (kind < 2 ? application_column(a, "z") : SIZE_MAX));
		if (kind == 0)
			must_fail(outcome_column_refuse(d, &err), ERR_NODATA,
				  "column 'z' comes out of a run: it is the time itself");
	}
}

TEST(want_of_memory_is_an_error)
{
	FREED(dataset) *d = runs_with(rate);
	size_t column;

	failing_each_allocation (outcome_column_find(d, &column, &err), &err)
		assert_true(column == SIZE_MAX);
}

/* Speed-ups of three problems on 1 to 8 processes, their efficiencies in per cent, and times of
 * which one begins at 1 s. */
TEST(a_speed_up_is_no_time)
{
	for (int kind = 0; kind < 3; kind++) {
		FREED(dataset) *d = dataset_new(app);
		struct err e = {0};

		for (double m = 100; m <= 400; m *= 2) {
			for (double procs = 1; procs <= 8; procs *= 2) {
				const double speed_up = procs / (1 + (procs - 1) * 20 / m);

				qr_add(d, (struct qr){m, 100, 8, 0, procs},
				       kind == 0   ? speed_up
				       : kind == 1 ? 100 * speed_up / pow(procs, 1.5)
						   : m / 400 / speed_up);
			}
		}
		assert_int_equal(outcome_column_refuse(d, &e), kind < 2 ? ERR_NODATA : ERR_OK);
		if (kind < 2) {
			assert_non_null(strstr(e.msg, "a speed-up, an efficiency"));
		} else {
			failing_each_allocation (outcome_column_refuse(d, &e), &e)
				;
		}
	}
}

/* A run that failed stands first; the time it took is no start of its problem. */
TEST(the_first_run_that_did_not_fail_counts)
{
	FREED(dataset) *d = dataset_new(app);

	qr_add_as(d, (struct qr){100, 100, 8, 0, 1}, 3.7, RUN_FAILED);
	for (double m = 100; m <= 400; m *= 2) {
		for (double procs = 1; procs <= 8; procs *= 2)
			qr_add(d, (struct qr){m, 100, 8, 0, procs},
			       procs / (1 + (procs - 1) * 20 / m));
	}
	must_fail(outcome_column_refuse(d, &err), ERR_NODATA, "a speed-up, an efficiency");
}

TEST_GROUP(qr_set_up, qr_tear_down)
