#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/predictor/chance_failures.h"
#include "mining/training/run_screen.h"
#include "mining/training/short_runs.h"

/* Two runs of each of qr_design(): of those that fails() picks none, one or both failed. */
static void make_failures(bool (*fails)(struct qr c), bool always, struct dataset **ended,
			  struct dataset **failed)
{
	*ended = dataset_new(app);
	*failed = dataset_new(app);
	for (int i = 0; i < QR_DESIGN_N; i++) {
		const struct qr c = qr_design(i);

		for (int k = 0; k < 2; k++) {
			if (fails(c) && (always || (i >> k & 1)))
				qr_add_as(*failed, c, (double)NAN, RUN_FAILED);
			else
				qr_add(*ended, c, qr_power_law(c));
		}
	}
}

static double chance_in(const struct chance_failures *m, struct qr c, double time_s)
{
	double row[16];

	qr_row(app, c, row);
	return chance_failures_at(m, app, row, time_s);
}

static double chance_of(const struct chance_failures *m, struct qr c)
{
	return chance_in(m, c, (double)NAN);
}

static void learn_failures(bool (*fails)(struct qr c), bool always, struct chance_failures *m)
{
	FREED(dataset) *ended, *failed;

	make_failures(fails, always, &ended, &failed);
	must(chance_failures_make(ended, failed, NULL, NULL, NULL, m, &err));
}

static bool on_16(struct qr c)
{
	return c.procs == 16;
}

static bool in_columns(struct qr c)
{
	return c.layout == 1;
}

static bool is_large(struct qr c)
{
	return c.m == 16000 && c.n == 2000;
}

static bool never(struct qr c)
{
	return !(c.m > 0);
}

static bool everywhere(struct qr c)
{
	return c.m > 0;
}

/* Of each four configurations one has two runs that ended, and two have one that ended and one that
 * failed, which alone tells, for the one that ended has no other; what failed twice tells nothing:
 * 2 of 4. 162 are forty times four, and then the first two of four: 163 runs tell, and 81 of them
 * failed. */
TEST(a_run_tells_if_another_one_of_its_configuration_ended)
{
	RELEASED(chance_failures) m;
	RELEASED(strbuf) text = STRBUF_INIT;

	assert_int_equal(QR_DESIGN_N, 162);
	learn_failures(everywhere, false, &m);
	assert_int_equal(m.n_told, 163);
	assert_int_equal(m.n_failed, 81);
	check_rel(m.all, 81 / 164.0, 1e-15);
	chance_failures_explain(&m, &text);
	assert_string_equal(
		strbuf_text(&text),
		" Failed by chance: 81 of 163 runs of what ended at other times, or all around: "
		"the next one may, too, and promises allow for it.");
}

/* One run of each of qr_design(), without a "column"; flag is set of those that fails() picks. */
static void learn_single_runs(bool (*fails)(struct qr c), int flag, struct chance_failures *m)
{
	FREED(dataset) *ended = dataset_new(app), *failed = dataset_new(app);

	for (int i = 0; i < QR_DESIGN_N; i++) {
		const struct qr c = qr_design(i);

		if (c.layout != 0)
			continue;
		if (fails(c))
			qr_add_as(failed, c, (double)NAN, RUN_FAILED);
		else
			qr_add(ended, c, qr_power_law(c));
	}
	memset(failed->flagged, flag, failed->n);
	must(chance_failures_make(ended, failed, NULL, NULL, NULL, m, &err));
}

static bool in_the_middle(struct qr c)
{
	return c.m == 4000 && c.n == 1000 && c.b == 64 && c.procs == 4;
}

static bool is_thin(struct qr c)
{
	return c.procs == 16 && c.m == 1000 && c.n == 500;
}

static bool is_wide(struct qr c)
{
	return c.b == 256 && c.n == 2000;
}

/* 3 values each of m, n, b and procs. A run is among others if one that ended has m and n no less
 * on no more processes, b no less, and one b no more; and so the other way round: of itself alone
 * it is not. With equal b either is another run of that b, or there is one beyond on either side.
 * Only corners have none: the largest m and n on one process, the smallest on 16, of the least and
 * the most b. Of the middle b at these corners there is one above and one below: it is among them.
 */
TEST(a_single_run_tells_if_others_that_ended_are_around_it)
{
	RELEASED(chance_failures) m;

	learn_single_runs(in_the_middle, 0, &m);
	assert_int_equal(m.n_told, 81 - 4);
	assert_int_equal(m.n_failed, 1);
	check_rel(m.all, 1 / 78.0, 1e-15);
}

/* It diverged, which the like may do as likely as others that failed; but what ended once is
 * thought to diverge half as often. */
TEST(what_ended_is_less_likely_to_diverge)
{
	RELEASED(chance_failures) m;
	const struct qr ended = {4000, 1000, 64, 0, 16};

	learn_single_runs(in_the_middle, 0, &m);
	check_rel(chance_of(&m, ended), 1 / 78.0, 1e-15);
	chance_failures_release(&m);
	learn_single_runs(in_the_middle, FLAG_SHORT, &m);
	check_rel(m.all, 1 / 78.0, 1e-15);
	check_rel(chance_of(&m, ended), 0.5 / 78.0, 1e-15);
	check_rel(chance_of(&m, (struct qr){4000, 1000, 99, 0, 16}), 1 / 78.0, 1e-15);
}

/* The smallest problems on most processes, and the widest panels: these may be the reason. Likewise
 * what is known to fail. */
TEST(what_failed_on_one_side_is_no_chance)
{
	static bool (*const one_sided[])(struct qr c) = {is_thin, is_wide};

	for (size_t k = 0; k < 2; k++) {
		RELEASED(chance_failures) m;

		learn_single_runs(one_sided[k], 0, &m);
		assert_int_equal(m.n_failed, 0);
		check_abs(m.all, 0, 0);
	}
	for (int flag = FLAG_SCREENED; flag <= FLAG_EXPLAINED; flag++) {
		RELEASED(chance_failures) m;

		learn_single_runs(in_the_middle, flag, &m);
		assert_int_equal(m.n_failed, 0);
	}
}

/* Half of the runs on 16 processes failed, whatever was chosen. */
TEST(what_failed_by_chance_may_fail_again)
{
	RELEASED(chance_failures) m, back;
	RELEASED(kb_fit) fit = {0};

	learn_failures(on_16, false, &m);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){8000, 3000, 99, 0, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 4}), 0, 20);
	must(chance_failures_store(&m, &fit, &err));
	must(chance_failures_load(&fit, &back, &err));
	for (int i = 0; i < QR_DESIGN_N; i++)
		check_abs(chance_of(&back, qr_design(i)), chance_of(&m, qr_design(i)), 0);
}

TEST(chance_goes_with_what_was_chosen)
{
	RELEASED(chance_failures) m;

	learn_failures(in_columns, false, &m);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 1, 16}), 400, 600);
	assert_in_range(1000 * chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 20);
}

/* No run of what failed ended: there may be a reason. */
TEST(what_failed_always_is_no_chance)
{
	struct chance_failures m;

	learn_failures(is_large, true, &m);
	check_abs(chance_of(&m, (struct qr){16000, 2000, 64, 0, 16}), 0, 0);
	check_abs(chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 0);
	chance_failures_release(&m);
	learn_failures(never, false, &m);
	check_abs(chance_of(&m, (struct qr){4000, 1000, 64, 0, 16}), 0, 0);
	chance_failures_release(&m);
}

/* ---- nodes that fail: an application without nodes has processes ---- */

/* All runs take 10 s of all their processes together. */
static double ten_process_seconds(const void *fit, const double *row)
{
	return 10 / row[application_column(app, "procs")];
}

static double product(struct qr c)
{
	return c.m * c.n * c.n / c.procs;
}

static double by_product(const void *fit, const double *row)
{
	return product((struct qr){.m = row[application_column(app, "m")],
				   .n = row[application_column(app, "n")],
				   .procs = row[application_column(app, "procs")]});
}

/* Of 163 runs 81 failed: with one more that ended the likeliest chance is 81/164, of either law. */
TEST(runs_of_one_length_tell_a_rate_and_not_the_law)
{
	FREED(dataset) *ended, *failed;
	RELEASED(chance_failures) m;

	make_failures(everywhere, false, &ended, &failed);
	must(chance_failures_make(ended, failed, NULL, ten_process_seconds, NULL, &m, &err));
	check_rel(m.rate, -log1p(-81 / 164.0) / 10, 1e-9);
	assert_true(m.rate_p > 0 && m.rate_p <= 0.5 + 1e-9);
}

/* Half of the runs on 16 processes, which took no longer than the others in all. */
TEST(what_fails_on_some_nodes_is_no_rate)
{
	FREED(dataset) *ended, *failed;
	RELEASED(chance_failures) m;

	make_failures(on_16, false, &ended, &failed);
	must(chance_failures_make(ended, failed, NULL, ten_process_seconds, NULL, &m, &err));
	assert_true(m.rate_p < 1e-6);
}

TEST(the_longer_on_the_more_nodes_the_more_fail)
{
	static const struct qr twice = {32000, 2000, 64, 0, 64};
	FREED(dataset) *ended = dataset_new(app), *failed = dataset_new(app);
	const double rate = 0.25 / (16000.0 * 2000 * 2000);
	const double time_s = product(twice);
	double due = 0;
	RELEASED(chance_failures) m, back;
	RELEASED(strbuf) text = STRBUF_INIT;
	RELEASED(kb_fit) fit = {0};

	for (int i = 0; i < QR_DESIGN_N; i++) {
		const struct qr c = qr_design(i);

		for (int k = 0; k < 20; k++) {
			due -= expm1(-rate * product(c) * c.procs);
			if (due >= 1)
				qr_add_as(failed, c, (double)NAN, RUN_FAILED);
			else
				qr_add(ended, c, product(c));
			due -= due >= 1;
		}
	}
	must(chance_failures_make(ended, failed, NULL, by_product, NULL, &m, &err));
	check_rel(m.rate, rate, 0.03);
	assert_true(m.rate_p > 0.999);
	check_rel(chance_in(&m, twice, time_s), 1 - exp(-0.5), 0.03);
	assert_true(chance_in(&m, twice, 1e3 * time_s) > 0.999);
	chance_failures_explain(&m, &text);
	assert_non_null(strstr(strbuf_text(&text), ", the more the longer, on the more nodes: "));
	must(chance_failures_store(&m, &fit, &err));
	must(chance_failures_load(&fit, &back, &err));
	check_abs(chance_in(&back, twice, time_s), chance_in(&m, twice, time_s), 0);
}

TEST(want_of_memory_is_an_error)
{
	RELEASED(chance_failures) m = {0};
	FREED(dataset) *ended, *failed;

	make_failures(on_16, false, &ended, &failed);
	failing_each_allocation (
		chance_failures_make(ended, failed, NULL, ten_process_seconds, NULL, &m, &err),
		&err)
		;
}

TEST_GROUP(qr_set_up, qr_tear_down)
