#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

#include <string.h>

#include "models/pipeline.h"
#include "models/task_graph_iteration.h"
#include "models/task_graph_text.h"

/* Models and task graphs without memory: the time of a calm run, or none. */

/* 150^3 on 2 x 2 of the SP/2, mk = 50, mmi = 6, Wg = 0.2 us. */
static const struct sweep sweep = {150, 150, 150, 2, 2, 50, 6, 6};
static const struct loggp sp2 = {23e-6, 23e-6, 47e-6, 0.07e-6, 0.03e-6, 1024, 4096};

static void an_iteration_has_the_time_of_a_calm_run_or_none(void **state)
{
	static const enum task_network network[] = {NETWORK_UNSHARED, NETWORK_BUS, NETWORK_PORTS,
						    NETWORK_LINKS};
	struct message_cost cost;
	struct sweep_time calm, t = {.time_s = -1};
	struct err e = {0};

	(void)state;
	check_ok(message_cost_from_loggp(&sp2, &cost, &e), &e);
	check_ok(pipeline_iteration(&sweep, &cost, 0.2e-6, &calm, &e), &e);
	failing_each_place (pipeline_iteration(&sweep, &cost, 0.2e-6, &t, &e), &e)
		assert_true(t.time_s == -1);
	assert_true(t.time_s == calm.time_s);
	for (size_t i = 0; i < sizeof network / sizeof network[0]; i++) {
		t.time_s = -1;
		check_ok(task_graph_iteration(&sweep, &cost, network[i], 0.2e-6, &calm, &e), &e);
		failing_each_place (task_graph_iteration(&sweep, &cost, network[i], 0.2e-6, &t, &e),
				    &e)
			assert_true(t.time_s == -1);
		assert_true(t.time_s == calm.time_s);
	}
}

static void a_task_graph_is_whole_or_none(void **state)
{
	static const char text[] = "task-graph 1\n"
				   "task read proc=0 time=2ms\n"
				   "task solve proc=1 time=1.5\n"
				   "task \"write it\" proc=0 time=1\n"
				   "edge read solve bytes=100\n"
				   "edge solve \"write it\" time=1ms\n";
	struct task_graph *g = NULL;
	struct err e;

	(void)state;
	failing_each_allocation (task_graph_read(text, strlen(text), "g", &g, &e), &e)
		assert_null(g);
	assert_int_equal(g->n_tasks, 3);
	assert_string_equal(task_graph_name(g, 2), "write it");
	task_graph_free(g);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_iteration_has_the_time_of_a_calm_run_or_none),
	cmocka_unit_test(a_task_graph_is_whole_or_none),
};

CHECK_MAIN(tests)
