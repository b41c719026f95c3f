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

TEST(want_of_memory_is_an_error)
{
	struct config_table *configs = NULL;
	struct failing_demands m = {0};
	struct table t;

	start(&t);
	add_early(&t, at(8000, 4), 0.3);
	must(config_table_make(t.runs, &configs, &err));
	failing_each_allocation (failing_demands_make(t.runs, NULL, configs, t.expected_s, &m, &err), &err)
		;
	failing_demands_release(&m);
	config_table_free(configs);
	dataset_free(t.runs);
}

TEST_GROUP(qr_set_up, qr_tear_down)
