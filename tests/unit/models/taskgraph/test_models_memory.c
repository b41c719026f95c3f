#include "tests/support/sp2.h"

#include "models/instruction_pipeline.h"
#include "models/pipeline.h"
#include "models/taskgraph/contention.h"
#include "models/taskgraph/event_queue.h"
#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/task_graph_text.h"
#include "tests/support/failing_allocations.h"

FREEABLE(task_graph)

/* Whatever allocation fails: an error that says so, and nothing handed out. */

/* A chain of n tasks that take turns on two processors, with messages of 100 bytes, as text. */
static char *chain_text(int n)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_puts(&text, "task-graph 1\n");
	for (int i = 0; i < n; i++) {
		strbuf_printf(&text, "task t%d proc=%d time=1\n", i, i % 2);
		if (i > 0)
			strbuf_printf(&text, "edge t%d t%d time=1 bytes=100\n", i - 1, i);
	}
	assert_false(text.failed);
	return text.buf;
}

/* Enough that every table grows. */
TEST(reading_a_graph_needs_memory)
{
	HEAP char *text = chain_text(600);
	FREED(task_graph) *g = NULL;

	failing_each_allocation (task_graph_read(text, strlen(text), "graph.txt", &g, &err), &err)
		assert_null(g);
	assert_int_equal(g->n_tasks, 600);
	assert_int_equal(g->n_edges, 599);
}

TEST(the_analysis_of_a_graph_needs_memory)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 100};
	HEAP char *text = chain_text(40);
	FREED(task_graph) *g = NULL;
	RELEASED(task_analysis) a = {0};

	must(task_graph_read(text, strlen(text), "graph.txt", &g, &err));
	failing_each_allocation (task_graph_analyse(g, &bus, NULL, &a, &err), &err)
		assert_null(a.start_s);
	check_rel(a.time_s, 40.0 + 39, 1e-12); /* one after the other */
}

/* The queue stays as it was, and goes on once there is memory. */
TEST(a_critical_path_through_tasks_that_fire_early_needs_memory)
{
	static const char text[] = "task-graph 1\ntask a time=1\ntask b time=2\n"
				   "task c fires=any time=4\nedge a c\nedge b c\n";
	FREED(task_graph) *g = NULL;
	double length_s = -1;

	must(task_graph_read(text, strlen(text), "graph.txt", &g, &err));
	failing_each_allocation (critical_path_find(g, &length_s, NULL, &err), &err)
		assert_true(length_s < 0);
	check_rel(length_s, 5.0, 0);
}

TEST(a_loop_of_instructions_needs_memory)
{
	struct instruction_unit unit = {NULL, 1};
	struct instruction_kind add = {NULL, 0, 1, 1};
	struct instruction sum = {.n_sources = 1, .source = {0}};
	const struct instruction_loop loop = {.issue_width = 1,
					      .window = 8,
					      .unit = &unit,
					      .kind = &add,
					      .body = &sum,
					      .n_units = 1,
					      .n_kinds = 1,
					      .n = 1};
	double cycles = -1;

	failing_each_allocation (instruction_loop_cycles(&loop, &cycles, &err), &err)
		assert_true(cycles < 0);
	check_rel(cycles, 1.0, 0.01);
}

TEST(a_queue_that_cannot_grow_keeps_what_it_has)
{
	RELEASED(event_queue) q = {0};
	size_t n;

	must(event_queue_push(&q, (struct event){.time_s = 1}, &err));
	while (q.n < q.cap)
		must(event_queue_push(&q, (struct event){.time_s = 2}, &err));
	n = q.n;
	failing_each_allocation (event_queue_push(&q, (struct event){.time_s = 3}, &err), &err)
		assert_int_equal(q.n, n);
	assert_int_equal(q.n, n + 1);
	check_abs(event_queue_pop(&q).time_s, 1, 0);
}

static enum err_code join_classes(struct contention *c, struct err *e)
{
	enum err_code rc = contention_init(c, 20, 1, e);
	bool solved;

	for (uint32_t i = 0; i < 20 && !rc; i++)
		rc = contention_join(c, 0, i, 10 + i, 1 + i, 0, e);
	return rc ? rc : contention_settle(c, 0, 0, &solved, e);
}

TEST(stations_need_memory)
{
	struct contention c;

	failing_each_allocation (join_classes(&c, &err), &err)
		contention_release(&c);
	assert_int_equal(c.station[0].n, 20);
	contention_release(&c);
}

TEST(a_pipeline_needs_memory)
{
	static const struct message_time eager[2];
	const double work_s[4] = {1, 1, 1, 1};
	const struct pipeline p = {2, 2, 1, 1, 1, work_s, eager, eager};
	struct sweep_time out = {.time_s = 77};

	failing_each_allocation (pipeline_evaluate(&p, &out, &err), &err)
		check_abs(out.time_s, 77, 0);
	assert_true(out.time_s > 8);
}

/* 150^3 on 2 x 2 of the SP/2, mk = 50, mmi = 6, Wg = 0.2 us. */
static const struct sweep sweep = {150, 150, 150, 2, 2, 50, 6, 6};

TEST(an_iteration_has_the_time_of_a_calm_run_or_none)
{
	static const enum task_network network[] = {NETWORK_UNSHARED, NETWORK_BUS, NETWORK_PORTS,
						    NETWORK_LINKS};
	struct message_cost cost = cost_of(&sp2_fortran);
	struct sweep_time calm, t = {.time_s = -1};

	must(pipeline_iteration(&sweep, &cost, 0.2e-6, &calm, &err));
	failing_each_place (pipeline_iteration(&sweep, &cost, 0.2e-6, &t, &err), &err)
		assert_true(t.time_s == -1);
	assert_true(t.time_s == calm.time_s);
	for (size_t i = 0; i < sizeof network / sizeof network[0]; i++) {
		t.time_s = -1;
		must(task_graph_iteration(&sweep, &cost, network[i], 0.2e-6, &calm, &err));
		failing_each_place (
			task_graph_iteration(&sweep, &cost, network[i], 0.2e-6, &t, &err), &err)
			assert_true(t.time_s == -1);
		assert_true(t.time_s == calm.time_s);
	}
}
