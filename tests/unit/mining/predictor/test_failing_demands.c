#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/predictor/failing_demands.h"
#include "mining/training/run_screen.h"

static struct qr at(double m, double procs)
{
	return (struct qr){m, 1000, 64, 0, procs};
}

static double expected(struct qr c)
{
	return c.m * c.n / 1e4 / c.procs;
}

enum { MOST_RUNS = 32 };

/* Runs that ended, 4 to 32 times 1000 rows on 4 and 16 processes, and what each should take. */
struct table {
	struct dataset *runs;
	double expected_s[MOST_RUNS];
};

static void add_run(struct table *t, struct qr c)
{
	t->expected_s[t->runs->n] = expected(c);
	qr_add(t->runs, c, expected(c));
}

static void add_early(struct table *t, struct qr c, double time_s)
{
	add_run(t, c);
	t->runs->wall_s[t->runs->n - 1] = time_s;
	t->runs->status[t->runs->n - 1] = RUN_FAILED;
	t->runs->flagged[t->runs->n - 1] = FLAG_SCREENED;
}

static void start(struct table *t)
{
	t->runs = dataset_new(app);
	for (double m = 1000; m <= 8000; m *= 2) {
		add_run(t, at(m, 16));
		if (m <= 4000)
			add_run(t, at(m, 4));
	}
}

static void learn(struct table *t, struct failing_demands *out)
{
	struct config_table *configs = NULL;

	must(config_table_make(t->runs, &configs, &err));
	must(failing_demands_make(t->runs, NULL, configs, t->expected_s, out, &err));
	config_table_free(configs);
	dataset_free(t->runs);
}

static double chance(const struct failing_demands *m, struct qr c)
{
	double row[16];

	qr_row(app, c, row);
	return failing_demands_chance(m, app, row);
}

/* With 8000 rows on 4 processes a run was over at once; 4000 went. */
TEST(what_ended_too_early_may_fail_and_what_asks_more)
{
	RELEASED(failing_demands) m, back;
	RELEASED(kb_fit) fit = {0};
	struct table t;

	start(&t);
	add_early(&t, at(8000, 4), 0.3);
	learn(&t, &m);
	must(failing_demands_store(&m, app, &fit, &err));
	must(failing_demands_load(&fit, app, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;
		struct qr other = at(8000, 4);

		other.b = 128;
		check_abs(chance(x, at(8000, 4)), 0.5, 0);
		check_abs(chance(x, at(16000, 4)), 0.5, 0);
		check_abs(chance(x, at(8000, 2)), 0.5, 0);
		check_abs(chance(x, at(8000 / sqrt(2), 4)), 0.25, 1e-12);
		check_abs(chance(x, at(8000 / sqrt(2), 2)), 0.25, 1e-12);
		check_abs(chance(x, at(4000, 4)), 0, 1e-12);
		check_abs(chance(x, at(8000, 16)), 0, 0);
		check_abs(chance(x, at(16000, 16)), 0, 0);
		check_abs(chance(x, other), 0, 0);
	}
}

TEST(what_asked_more_and_ended_takes_it_back)
{
	RELEASED(failing_demands) m;
	struct table t;

	start(&t);
	add_early(&t, at(8000, 4), 0.3);
	add_run(&t, at(9000, 4));
	learn(&t, &m);
	check_abs(chance(&m, at(8000, 4)), 0, 0);
	check_abs(chance(&m, at(16000, 4)), 0, 0);
}

/* Of three times that are each a hundredth of what they should be; and of three that are alike. */
TEST(times_that_go_with_the_work_are_no_ends)
{
	for (int alike = 0; alike < 2; alike++) {
		RELEASED(strbuf) text = STRBUF_INIT;
		RELEASED(failing_demands) m;
		struct table t;

		start(&t);
		for (double rows = 8000; rows <= 32000; rows *= 2)
			add_early(&t, at(rows, 4),
				  alike ? 0.3 : expected(at(rows, 4)) / 100 * (1 + rows / 1e7));
		learn(&t, &m);
		check_abs(chance(&m, at(8000, 4)), alike ? 0.5 : 0, 0);
		failing_demands_explain(&m, &text);
		assert_string_equal(strbuf_text(&text),
				    alike ? " What 3 of them tried, and larger problems on as few "
					    "nodes, may fail: no more than 0.5 is promised of it."
					  : "");
	}
}

/* ---- what failed ---- */

/* Two layouts and three panel widths ended with 1000 to 4000 rows on 1 to 4 processes, and with
 * 8000 on 4; what is in `failed` did not, on 1. */
static void learn_failed(const struct qr *failed, size_t n, struct failing_demands *out)
{
	FREED(dataset) *ended = dataset_new(app), *others = dataset_new(app);
	struct config_table *configs = NULL;

	for (double m = 1000; m <= 8000; m *= 2) {
		for (double procs = m > 4000 ? 4 : 1; procs <= 4; procs *= 2) {
			for (int k = 0; k < 6; k++)
				qr_add(ended, (struct qr){m, 1000, 16 << k % 3, k >= 3, procs},
				       m / procs);
		}
	}
	for (size_t i = 0; i < n; i++)
		qr_add_as(others, failed[i], (double)NAN, RUN_FAILED);
	must(config_table_make(ended, &configs, &err));
	must(failing_demands_make(ended, others, configs, NULL, out, &err));
	config_table_free(configs);
}

static double chance_of(const struct failing_demands *m, double rows, double b, double layout,
			double procs)
{
	return chance(m, (struct qr){rows, 1000, b, layout, procs});
}

TEST(what_nothing_as_demanding_ended_may_fail_whatever_is_chosen)
{
	static const struct qr failed[] = {{8000, 1000, 16, 0, 1}, {16000, 1000, 16, 0, 1}};
	RELEASED(failing_demands) m, back;
	RELEASED(kb_fit) fit = {0};
	RELEASED(strbuf) text = STRBUF_INIT;

	learn_failed(failed, 2, &m);
	assert_int_equal(m.n, 1); /* the second is implied */
	must(failing_demands_store(&m, app, &fit, &err));
	must(failing_demands_load(&fit, app, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;

		check_abs(chance_of(x, 8000, 64, 1, 1), 0.5, 0);
		check_abs(chance_of(x, 32000, 64, 1, 1), 0.5, 0);
		check_abs(chance_of(x, 8000 / sqrt(2), 64, 1, 1), 0.25, 1e-12);
		check_abs(chance_of(x, 4000, 64, 1, 1), 0, 1e-12);
		/* four times the rows are no less on four times the processes */
		check_abs(chance_of(x, 32000, 64, 1, 4), 0.5, 0);
		check_abs(chance_of(x, 31999, 64, 1, 4), 0, 0);
	}
	failing_demands_explain(&m, &text);
	assert_string_equal(strbuf_text(&text),
			    " Nothing ended that asked as much of a node as runs that failed (1 "
			    "limit, of all settings or of one): no more than 0.5 is promised "
			    "beyond.");
}

/* One layout fails with 8000 rows on 4 processes, where the other ended; likewise wide panels. */
TEST(one_setting_may_be_what_fails)
{
	static const struct qr layout = {7000, 1000, 32, 2, 4}, panel = {7000, 1000, 128, 0, 4};
	RELEASED(failing_demands) by_layout, by_panel, back;
	RELEASED(kb_fit) fit = {0};

	learn_failed(&layout, 1, &by_layout);
	must(failing_demands_store(&by_layout, app, &fit, &err));
	must(failing_demands_load(&fit, app, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &by_layout;

		check_abs(chance_of(x, 7000, 16, 2, 4), 0.5, 0);
		check_abs(chance_of(x, 14000, 256, 2, 4), 0.5, 0);
		check_abs(chance_of(x, 7000, 16, 1, 4), 0, 0);
	}
	learn_failed(&panel, 1, &by_panel);
	check_abs(chance_of(&by_panel, 7000, 256, 2, 4), 0.5, 0);
	check_abs(chance_of(&by_panel, 7000, 64, 0, 4), 0, 0);
}

/* Panels of 128 fail with 7000 rows, of 64 and less 8000 ended there and 4000 on a quarter of the
 * processes: memory may go with the panel times a power p of the rows from 1.5 to 3 (not 1, by the
 * latter), and these leave ln 2 - p ln(8 / 7) and p ln(7 / 4) - ln 2 to what failed. */
TEST(less_of_what_fails_is_no_relief_of_what_is_larger_by_more)
{
	static const struct qr panel = {7000, 1000, 128, 0, 4};
	RELEASED(failing_demands) m, back;
	RELEASED(kb_fit) fit = {0};
	double share = 0;

	for (double p = 1.5; p <= 3; p += 0.5) {
		const double room = fmin(log(2) - p * log(8 / 7.0), p * log(7 / 4.0) - log(2));

		share += fmin(1, fmax(0, 1 + (p * log(17 / 7.0) - log(4)) / room)) / 4;
	}
	learn_failed(&panel, 1, &m);
	must(failing_demands_store(&m, app, &fit, &err));
	must(failing_demands_load(&fit, app, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;

		check_abs(chance_of(x, 8000, 64, 0, 4), 0, 1e-12);
		check_abs(chance_of(x, 14001, 64, 0, 4), 0.5, 0);
		check_abs(chance_of(x, 17000, 32, 1, 4), share / 2, 1e-12);
		check_abs(chance_of(x, 14001, 64, 0, 64), 0, 0);
	}
}

/* With 16000 rows and half of the panel a run ended that is as demanding by any of these powers. */
TEST(what_ended_with_less_of_it_takes_that_back)
{
	static const struct qr ended[] = {{7000, 1000, 64, 0, 4}, {16000, 1000, 64, 0, 4}};
	static const struct qr panel = {7000, 1000, 128, 0, 4};

	for (size_t n = 1; n <= 2; n++) {
		FREED(dataset) *runs = dataset_new(app), *failed = dataset_new(app);
		RELEASED(failing_demands) m;
		struct config_table *configs = NULL;

		for (size_t i = 0; i < n; i++)
			qr_add(runs, ended[i], 100);
		qr_add_as(failed, panel, (double)NAN, RUN_FAILED);
		must(config_table_make(runs, &configs, &err));
		must(failing_demands_make(runs, failed, configs, NULL, &m, &err));
		check_abs(chance_of(&m, 20000, 64, 0, 4), n == 1 ? 0.5 : 0, 0);
		check_abs(chance_of(&m, 20000, 128, 0, 4), 0.5, 0);
		config_table_free(configs);
	}
}

TEST(what_ended_around_it_says_nothing_of_demand)
{
	static const struct qr failed = {2000, 1000, 32, 0, 2};
	RELEASED(failing_demands) m;

	learn_failed(&failed, 1, &m);
	assert_int_equal(m.n, 0);
}

/* Of one size, n on nodes. Memory grows with n^k over the nodes, k from 1 to 3 by halves. In units
 * of what 1000 need on one node, which ended, 2000 on one, which failed, need 2^k, and 4000 on 8,
 * which ended, 4^k / 8: with k = 3 as much, so that k is not 3. Asked is 4000 on 4, 4^k / 4: with k
 * = 1 that is 1, what ended; with 1.5 it is 2 of 1 to 2.83; from 2 on it is 2^k or more. */
TEST(memory_grows_with_a_power_that_runs_bound)
{
	static const double nodes[] = {1, 8, 1}, n[] = {1000, 4000, 2000};
	FREED(application) *one = made_application("lu", "n", "b", "", "nodes");
	FREED(dataset) *runs = dataset_new(one);
	RELEASED(failing_demands) m;
	struct config_table *configs = NULL;
	const double shares[] = {0, log(2) / log(pow(2, 1.5)), 1, 1};
	double row[16];

	for (int i = 0; i < 3; i++) {
		configuration_clear(one, row);
		row[application_column(one, "n")] = n[i];
		row[application_column(one, "b")] = 8;
		row[application_column(one, "nodes")] = nodes[i];
		configuration_derive(one, row);
		runs_add_as(runs, row, i < 2 ? n[i] : (double)NAN, SOURCE_MEASURED,
			    i < 2 ? RUN_OK : RUN_FAILED);
	}
	must(config_table_make(runs, &configs, &err));
	must(failing_demands_make(runs, NULL, configs, NULL, &m, &err));
	assert_true(isnan(m.item[0].room_by_power[4]));
	row[application_column(one, "n")] = 4000;
	row[application_column(one, "nodes")] = 4;
	configuration_derive(one, row);
	check_rel(failing_demands_chance(&m, one, row),
		  (shares[0] + shares[1] + shares[2] + shares[3]) / 4 / 2, 1e-12);
	config_table_free(configs);
}

/* ---- runs of one problem column on nodes ---- */

struct lu {
	double n, nodes, ppn;
	bool failed;
};

/* time(n, nodes) of what ended. */
static void learn_lu(const struct application *lu, const struct lu *run, size_t n_runs,
		     double exponent, struct failing_demands *out)
{
	FREED(dataset) *runs = dataset_new(lu);
	struct config_table *configs = NULL;
	double row[16];

	for (size_t i = 0; i < n_runs; i++) {
		const struct lu *r = &run[i];

		configuration_clear(lu, row);
		row[application_column(lu, "n")] = r->n;
		row[application_column(lu, "b")] = 8;
		row[application_column(lu, "nodes")] = r->nodes;
		row[application_column(lu, "ppn")] = r->ppn;
		configuration_derive(lu, row);
		runs_add_as(runs, row, r->failed ? (double)NAN : pow(r->n, exponent) / r->nodes,
			    SOURCE_MEASURED, r->failed ? RUN_FAILED : RUN_OK);
	}
	must(config_table_make(runs, &configs, &err));
	must(failing_demands_make(runs, NULL, configs, NULL, out, &err));
	config_table_free(configs);
}

static double chance_of_lu(const struct failing_demands *m, const struct application *lu, double n,
			   double nodes, double ppn)
{
	double row[16];

	configuration_clear(lu, row);
	row[application_column(lu, "n")] = n;
	row[application_column(lu, "b")] = 8;
	row[application_column(lu, "nodes")] = nodes;
	row[application_column(lu, "ppn")] = ppn;
	configuration_derive(lu, row);
	return failing_demands_chance(m, lu, row);
}

/* n is the width of a cell: 1 ran out of memory on one node, 2, 4 and 8 did not. */
TEST(of_a_width_less_asks_more)
{
	static const struct lu run[] = {{1, 1, 4, true},  {2, 1, 4, false}, {4, 1, 4, false},
					{8, 1, 4, false}, {2, 2, 4, false}, {4, 2, 4, false},
					{8, 2, 4, false}, {1, 4, 4, false}, {2, 4, 4, false},
					{4, 4, 4, false}};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");
	RELEASED(failing_demands) m, back;
	RELEASED(kb_fit) fit = {0};

	learn_lu(lu, run, sizeof run / sizeof *run, -3, &m);
	must(failing_demands_store(&m, lu, &fit, &err));
	must(failing_demands_load(&fit, lu, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;

		assert_int_equal(x->falling.n, 1);
		assert_int_equal(x->falling.column[0], application_column(lu, "n"));
		check_abs(chance_of_lu(x, lu, 1, 1, 4), 0.5, 0);
		check_abs(chance_of_lu(x, lu, 0.5, 1, 4), 0.5, 0);
		check_abs(chance_of_lu(x, lu, sqrt(2), 1, 4), 0.25, 1e-12);
		check_abs(chance_of_lu(x, lu, 2, 1, 4), 0, 1e-12);
		check_abs(chance_of_lu(x, lu, 16, 1, 4), 0, 0);
	}
}

/* 2000 ran out of memory with 8 processes on one node, not with 4; nor 1000 with 16, so that a
 * process needs more than in proportion to n. As many need 4000 with 4 on one node as failed, or
 * more; on 4 nodes they do if each holds a copy of all (k = 1.5 to 3: four shares of 1), and if
 * each holds its part, with k = 2.5 half of the room, with 3 all of it. */
TEST(few_processes_of_a_larger_problem_are_no_relief)
{
	static const struct lu run[] = {
		{2000, 1, 8, true}, {2000, 1, 4, false}, {1000, 1, 16, false}};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");
	RELEASED(failing_demands) m, back;
	RELEASED(kb_fit) fit = {0};

	learn_lu(lu, run, sizeof run / sizeof *run, 3, &m);
	must(failing_demands_store(&m, lu, &fit, &err));
	must(failing_demands_load(&fit, lu, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;

		check_abs(chance_of_lu(x, lu, 4000, 1, 4), 0.5, 1e-12);
		check_abs(chance_of_lu(x, lu, 4000, 4, 4), (4 + 0.5 + 1) / 8 / 2, 1e-12);
		check_abs(chance_of_lu(x, lu, 2000, 1, 4), 0, 0);
		check_abs(chance_of_lu(x, lu, 1000, 1, 16), 0, 1e-12);
	}
}

/* 2000 ran out of memory with 8 processes on one node and ended with 4, so that processes matter.
 * With 8 on each of 4 nodes it fails if each holds a copy of all of it, which is half of what may
 * be; until such a run ended. Where no fewer processes ended it is the problem's part of a node, a
 * quarter: of the room from 1000 on, 1 - ln 4 / ln 2^k for k = 2.5 and 3 of five. */
TEST(nodes_are_no_relief_of_what_processes_copy)
{
	static const struct lu run[] = {
		{2000, 1, 8, true}, {1000, 1, 8, false}, {2000, 1, 4, false}, {2000, 4, 8, false}};
	static const double want[] = {(0.2 + 1 / 3.0) / 5 / 2, 0.25, 0};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");

	for (size_t n = 2; n <= 4; n++) {
		RELEASED(failing_demands) m, back;
		RELEASED(kb_fit) fit = {0};

		learn_lu(lu, run, n, 3, &m);
		must(failing_demands_store(&m, lu, &fit, &err));
		must(failing_demands_load(&fit, lu, &back, &err));
		check_abs(chance_of_lu(&m, lu, 2000, 4, 8), want[n - 2], 1e-12);
		check_abs(chance_of_lu(&back, lu, 2000, 4, 8), want[n - 2], 1e-12);
	}
}

/* 16 processes on a node ran out of memory; then 12 did not. */
TEST(few_processes_less_are_no_relief)
{
	static const struct lu run[] = {{2000, 1, 16, true},
					{1000, 1, 16, false},
					{2000, 2, 16, false},
					{2000, 1, 12, false}};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");

	for (size_t ended = 0; ended < 2; ended++) {
		RELEASED(failing_demands) m, back;
		RELEASED(kb_fit) fit = {0};

		learn_lu(lu, run, 3 + ended, 3, &m);
		must(failing_demands_store(&m, lu, &fit, &err));
		must(failing_demands_load(&fit, lu, &back, &err));
		for (int stored = 0; stored < 2; stored++) {
			const struct failing_demands *x = stored ? &back : &m;

			check_abs(chance_of_lu(x, lu, 2000, 1, 16), 0.5, 0);
			check_abs(chance_of_lu(x, lu, 2000, 1, 15), 0.5, 0);
			check_abs(chance_of_lu(x, lu, 2000, 1, 12), ended ? 0 : 0.5, 0);
			check_abs(chance_of_lu(x, lu, 2000, 1, 9), ended ? 0 : 0.5, 0);
			check_abs(chance_of_lu(x, lu, 2000, 1, 8), 0, 0);
		}
	}
}

/* 2000 failed on 2 and on 8, the most nodes that were tried; as much for each node as 1000 on 1. */
TEST(what_failed_on_all_node_counts_fails_on_any)
{
	static const struct lu run[] = {{2000, 2, 4, true},  {2000, 8, 4, true},
					{1000, 1, 4, false}, {1000, 2, 4, false},
					{1000, 8, 4, false}, {2000, 8, 4, false}};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");
	RELEASED(failing_demands) m, back, ended;
	RELEASED(kb_fit) fit = {0};
	double row[16];

	learn_lu(lu, run, 5, 3, &m);
	must(failing_demands_store(&m, lu, &fit, &err));
	must(failing_demands_load(&fit, lu, &back, &err));
	for (int stored = 0; stored < 2; stored++) {
		const struct failing_demands *x = stored ? &back : &m;

		check_abs(chance_of_lu(x, lu, 2000, 64, 4), 0.5, 0);
		check_abs(chance_of_lu(x, lu, 3000, 1024, 4), 0.5, 0);
		check_abs(chance_of_lu(x, lu, 1000 * sqrt(2), 64, 4), 0.25, 1e-12);
		check_abs(chance_of_lu(x, lu, 1000, 1, 4), 0, 1e-12);
		configuration_clear(lu, row);
		row[application_column(lu, "n")] = 2000;
		row[application_column(lu, "nodes")] = 2;
		row[application_column(lu, "ppn")] = 4;
		assert_true(failing_demands_on_any_nodes(x, lu, row));
		row[application_column(lu, "n")] = 1999;
		assert_false(failing_demands_on_any_nodes(x, lu, row));
	}
	learn_lu(lu, run, 6, 3, &ended); /* on 8 another run of it ended */
	check_abs(chance_of_lu(&ended, lu, 2000, 64, 4), 0, 0);
}

/* 2000 failed on 1 and 2, and 1000 ended there: memory that grows with n^3 may be the reason, of
 * which on 16 there is half as much on each as of 1000 on 1. */
TEST(what_may_be_memory_is_relieved_by_nodes)
{
	static const struct lu run[] = {
		{2000, 1, 4, true}, {2000, 2, 4, true}, {1000, 1, 4, false}, {1000, 2, 4, false}};
	FREED(application) *lu = made_application("lu", "n", "b", "", "nodes,ppn");
	RELEASED(failing_demands) m;

	learn_lu(lu, run, 4, 3, &m);
	check_abs(chance_of_lu(&m, lu, 2000, 2, 4), 0.5, 0);
	check_abs(chance_of_lu(&m, lu, 2000, 16, 4), 0, 0);
}

TEST(want_of_memory_is_an_error)
{
	struct config_table *configs = NULL;
	struct failing_demands m = {0};
	struct table t;

	start(&t);
	add_early(&t, at(8000, 4), 0.3);
	must(config_table_make(t.runs, &configs, &err));
	failing_each_allocation (
		failing_demands_make(t.runs, NULL, configs, t.expected_s, &m, &err), &err)
		;
	failing_demands_release(&m);
	config_table_free(configs);
	dataset_free(t.runs);
}

/* ---- columns of which less is more work ---- */

FREEABLE(config_table)

/* 24 runs on 1 to 4 processes: time goes with m^up n^down, and b. every: of n, so many rows of m
 * one after the other have one value; 0: n is 4e6 / m, which says what m says. */
static struct config_table *runs_of(double up, double down, int every)
{
	FREED(dataset) *d = dataset_new(app);
	struct config_table *t = NULL;

	for (int i = 0; i < 24; i++) {
		const double m = 1000 << i % 4;
		struct qr c = {m, every ? 1 + 2 * (i / every % 3) : 4e6 / m, 16 << i % 2, i % 3,
			       1 << i / 8};

		qr_add(d, c, pow(c.m, up) * pow(c.n, down) / c.procs * (1 + 0.02 * sin(7.0 * i)));
	}
	must(config_table_make(d, &t, &err));
	return t;
}

static struct falling_columns found_in(double up, double down, int every)
{
	FREED(config_table) *t = runs_of(up, down, every);
	struct falling_columns found;

	must(falling_columns_find(t, &found, &err));
	return found;
}

TEST(of_a_width_less_is_more_work)
{
	const struct falling_columns found = found_in(1, -3, 4);
	const size_t n = application_column(app, "n"), m = application_column(app, "m");

	assert_int_equal(found.n, 1);
	assert_int_equal(found.column[0], n);
	assert_true(falling_columns_have(&found, n) && !falling_columns_have(&found, m));
	assert_false(falling_columns_have(NULL, n));
	check_rel(falling_columns_size(&found, n, 1, 4), 0.25, 1e-15);
	check_rel(falling_columns_size(&found, m, 1, 4), 4.0, 1e-15);
	check_rel(falling_columns_size(NULL, n, 1, 4), 4.0, 1e-15);
	check_rel(found.exponent[0], 3.0, 0.05);
	check_rel(falling_columns_size(&found, n, 9, 4), pow(4, -found.exponent[0]), 1e-15);
	assert_true(isinf(falling_columns_size(&found, n, 1, 0)));
	assert_true(isnan(falling_columns_size(&found, n, 1, (double)NAN)));
}

TEST(what_grows_with_time_or_plays_no_part_does_not_fall)
{
	assert_int_equal(found_in(1, 2, 4).n, 0);
	assert_int_equal(found_in(1, -0.01, 4).n, 0);
}

/* Procs fall, and are no matter of the problem. */
TEST(columns_that_say_the_same_say_nothing_of_their_own)
{
	assert_int_equal(found_in(1, 0, 0).n, 0);
}

TEST(too_few_runs_say_nothing)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct falling_columns found;

	for (double n = 1; n <= 4; n *= 2)
		qr_add(d, (struct qr){1000, n, 16, 0, 1}, 8 / n);
	must(config_table_make(d, &t, &err));
	must(falling_columns_find(t, &found, &err));
	assert_int_equal(found.n, 0);
}

TEST(want_of_memory_for_a_law_is_an_error)
{
	FREED(config_table) *t = runs_of(1, -3, 4);
	struct falling_columns found;

	failing_each_allocation (falling_columns_find(t, &found, &err), &err)
		;
	assert_int_equal(found.n, 1);
}

TEST_GROUP(qr_set_up, qr_tear_down)
