#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_application.h"

#include "mining/run_index.h"

/* Runs of the QR application, which has no definition: sizes m and n, tunables b and layout,
 * processors.
 */
static const struct qr base_case = {1000, 500, 16, 0, 4};

static void add(struct dataset *d, struct qr c, double wall_s, int64_t run_id,
		enum run_status status)
{
	double row[16];

	qr_row(d->app, c, row);
	must(dataset_add(d, row, wall_s, run_id, 1, SOURCE_MEASURED, status, 1, &err));
}

static struct kb_run_index index_of(const struct dataset *d)
{
	struct kb_run_index x = {.n_nodes = 77};

	must(run_index_make(d, &x, &err));
	return x;
}

static struct qr with_b(double b)
{
	struct qr c = base_case;

	c.b = b;
	return c;
}

/* Four runs of 1, 2, 3 and 4 s, mixed: the second; three of another: the middle one; and one. */
TEST(each_configuration_stands_with_its_lower_median_run)
{
	static const double first_s[] = {4, 1, 3, 2}, second_s[] = {9, 7, 8};
	static const uint32_t run[] = {3, 6, 7}, n_runs[] = {4, 3, 1};
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x;

	for (int i = 0; i < 4; i++)
		add(d, with_b(16), first_s[i], i + 1, RUN_OK);
	for (int i = 0; i < 3; i++)
		add(d, with_b(32), second_s[i], i + 5, RUN_OK);
	add(d, with_b(64), 5, 8, RUN_OK);
	x = index_of(d);
	assert_ptr_equal(x.runs, d);
	assert_int_equal(x.n_configurations, 3);
	assert_memory_equal(x.run, run, sizeof run);
	assert_memory_equal(x.n_runs, n_runs, sizeof n_runs);
	run_index_release(&x);
	assert_int_equal(x.n_configurations, 0);
}

/* Numbers 40, 20, 30 and 10 of one time: in their order 10, 20, 30, 40 the second is run 1. */
TEST(runs_that_took_as_long_are_told_apart_by_their_number)
{
	static const int64_t id[] = {40, 20, 30, 10};
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x;

	for (int i = 0; i < 4; i++)
		add(d, base_case, 2, id[i], RUN_OK);
	x = index_of(d);
	assert_int_equal(x.n_configurations, 1);
	assert_int_equal(x.run[0], 1);
	assert_int_equal(x.n_nodes, 1); /* one configuration has a box and a sample as well */
	assert_int_equal(x.n_sample, 1);
	run_index_release(&x);
}

/* Of the first configuration run 0 failed and run 1 was stopped; the second never ended. */
TEST(only_runs_that_ended_make_a_configuration)
{
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x;

	add(d, with_b(16), 1, 1, RUN_FAILED);
	add(d, with_b(16), 1, 2, RUN_TIMEOUT);
	add(d, with_b(32), 1, 3, RUN_TIMEOUT);
	add(d, with_b(16), 7, 4, RUN_OK);
	x = index_of(d);
	assert_int_equal(x.n_configurations, 1);
	assert_int_equal(x.run[0], 3);
	assert_int_equal(x.n_runs[0], 1);
	run_index_release(&x);
}

TEST(where_no_run_ended_there_is_nothing_to_index)
{
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x = index_of(d);

	assert_int_equal(x.n_configurations, 0);
	run_index_release(&x);
	add(d, base_case, 1, 1, RUN_TIMEOUT);
	x = index_of(d);
	assert_int_equal(x.n_configurations, 0);
	assert_int_equal(x.n_nodes, 0);
	assert_int_equal(x.n_sample, 0);
	assert_null(x.sample);
	run_index_release(&x);
}

/* Twelve runs: what is new in one is said beside it. Candidates are b, layout and processors, the
 * problem is m and n. */
TEST(the_sample_has_the_first_run_of_each_candidate_problem_and_status)
{
	static const struct {
		struct qr c;
		enum run_status status;
		bool is_new;
	} run[] = {
		{{1000, 500, 16, 0, 4}, RUN_OK, true},	     /* all */
		{{1000, 500, 16, 0, 4}, RUN_OK, false},	     /* repeats it */
		{{1000, 500, 32, 0, 4}, RUN_OK, true},	     /* b */
		{{1000, 500, 32, 1, 4}, RUN_OK, true},	     /* layout */
		{{1000, 500, 16, 0, 8}, RUN_OK, true},	     /* processors */
		{{2000, 500, 16, 0, 4}, RUN_OK, true},	     /* m */
		{{2000, 900, 16, 0, 4}, RUN_OK, true},	     /* n */
		{{2000, 900, 32, 0, 4}, RUN_OK, false},	     /* both seen, only not together */
		{{1000, 500, 16, 0, 4}, RUN_TIMEOUT, true},  /* the status */
		{{2000, 900, 16, 0, 4}, RUN_TIMEOUT, true},  /* the status of the problem */
		{{2000, 900, 16, 0, 4}, RUN_TIMEOUT, false}, /* repeats it */
		{{2000, 900, 32, 1, 4}, RUN_TIMEOUT, true},  /* the status of the candidates */
	};
	enum { N = sizeof run / sizeof *run };
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x;
	size_t n = 0;

	for (int i = 0; i < N; i++)
		add(d, run[i].c, 1, i + 1, run[i].status);
	x = index_of(d);
	for (uint32_t i = 0; i < N; i++) {
		if (run[i].is_new)
			assert_int_equal(x.sample[n++], i);
	}
	assert_int_equal(x.n_sample, n);
	run_index_release(&x);
}

/* Sweep3D says itself which mk, mmi and grids there are, and has no need of other problems: what
 * stays are nodes and processors. */
TEST(of_an_application_with_a_definition_the_sample_is_of_its_resources)
{
	static const struct {
		double it_g, mk, npe_i, nodes;
	} run[] = {
		{50, 1, 2, 1}, {50, 10, 2, 1}, {100, 1, 2, 1}, {50, 1, 2, 2}, {50, 1, 4, 2},
	};
	static const uint32_t sample[] = {0, 3, 4};
	FREED(application) *app = NULL;
	FREED(dataset) *d;
	struct kb_run_index x;

	must(application_read("data/applications/sweep3d.conf", &app, &err));
	d = dataset_new(app);
	for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
		double row[64];

		configuration_clear(app, row);
		row[application_column(app, "it_g")] = run[i].it_g;
		row[application_column(app, "mk")] = run[i].mk;
		row[application_column(app, "npe_i")] = run[i].npe_i;
		row[application_column(app, "npe_j")] = 1;
		row[application_column(app, "nodes")] = run[i].nodes;
		runs_add(d, row, 1);
	}
	x = index_of(d);
	assert_int_equal(x.n_configurations, 5);
	assert_int_equal(x.n_sample, 3);
	assert_memory_equal(x.sample, sample, sizeof sample);
	run_index_release(&x);
}

TEST(no_index_without_memory)
{
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct kb_run_index x = {.n_nodes = 77};

	for (int i = 0; i < 40; i++)
		add(d, with_b(16 + i), 1, i + 1, RUN_OK);
	failing_each_allocation (run_index_make(d, &x, &err), &err)
		assert_int_equal(x.n_nodes, 77);
	assert_int_equal(x.n_configurations, 40);
	run_index_release(&x);
}
