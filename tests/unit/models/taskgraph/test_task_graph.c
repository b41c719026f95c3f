#include "tests/support/check.h"

#include "models/taskgraph/critical_path.h"
#include "models/taskgraph/task_graph_text.h"

FREEABLE(task_graph)

static uint32_t add(struct task_graph *g, const char *name, double seconds, int32_t proc)
{
	return task_graph_add_task(
		g, name, &(struct task){.seconds = seconds, .proc = proc, .peer = TASK_ANY_PROC});
}

static void join(struct task_graph *g, uint32_t from, uint32_t to, double seconds)
{
	task_graph_add_edge(g, &(struct task_edge){from, to, seconds, 0});
}

/* read 1 s sends to left 4 s (message 2 s) and right 3 s (message 4 s); both to last 1 s, for
 * nothing. Longest chain: read, right, last: 1 + 4 + 3 + 1 = 9 s; by left it is 8. */
static struct task_graph *diamond(int32_t proc_of_right)
{
	struct task_graph *g = task_graph_new();
	uint32_t read, left, right, last;

	assert_non_null(g);
	read = add(g, "read", 1, 0);
	left = add(g, "left", 4, 1);
	right = add(g, "right", 3, proc_of_right);
	last = add(g, "last", 1, 1);
	join(g, right, last, 0); /* not in the order of `from` */
	join(g, left, last, 0);
	join(g, read, left, 2);
	join(g, read, right, 4);
	must(task_graph_finish(g, NULL, &err));
	return g;
}

TEST(edges_are_found_from_both_ends)
{
	FREED(task_graph) *g = diamond(2);

	assert_int_equal(g->n_procs, 3);
	for (uint32_t t = 0; t < g->n_tasks; t++) {
		for (uint32_t k = g->out_first[t]; k < g->out_first[t + 1]; k++)
			assert_int_equal(g->edge[k].from, t);
		for (uint32_t k = g->in_first[t]; k < g->in_first[t + 1]; k++)
			assert_int_equal(g->edge[g->in_edge[k]].to, t);
	}
	assert_int_equal(g->out_first[1] - g->out_first[0], 2);
	assert_int_equal(g->in_first[4] - g->in_first[3], 2);
	assert_string_equal(task_graph_name(g, 2), "right");
}

TEST(the_order_has_every_task_after_those_it_waits_for)
{
	FREED(task_graph) *g = diamond(2);
	size_t place[4];

	for (size_t i = 0; i < 4; i++)
		place[g->order[i]] = i;
	for (size_t k = 0; k < g->n_edges; k++)
		assert_true(place[g->edge[k].from] < place[g->edge[k].to]);
}

TEST(the_critical_path_of_a_diamond_by_hand)
{
	static const char *const want[] = {"read", "right", "last"};
	FREED(task_graph) *g = diamond(2);
	double length_s, remaining_s[4];
	RELEASED(task_path) path;

	must(critical_path_find(g, &length_s, &path, &err));
	check_abs(length_s, 9, 0);
	assert_int_equal(path.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(task_graph_name(g, path.task[i]), want[i]);
	assert_int_equal(path.edge[0], TASK_GRAPH_NONE);
	critical_path_remaining(g, remaining_s);
	check_abs(remaining_s[0], 9, 0);
	check_abs(remaining_s[1], 5, 0);
	check_abs(remaining_s[2], 4, 0);
	check_abs(remaining_s[3], 1, 0);
}

/* With right on the processor of read its message costs nothing: left is the longest, 8 s. */
TEST(a_message_within_a_processor_is_free)
{
	FREED(task_graph) *g = diamond(0);
	double length_s;

	must(critical_path_find(g, &length_s, NULL, &err));
	check_abs(length_s, 8, 0);
}

TEST(a_cycle_is_told_with_the_edge_that_closes_it)
{
	FREED(task_graph) *g = task_graph_new();
	uint32_t closing, t[4];

	assert_non_null(g);
	for (int i = 0; i < 4; i++)
		t[i] = add(g, (const char *const[]){"a", "b", "c", "after"}[i], 1, 0);
	join(g, t[0], t[1], 0);
	join(g, t[1], t[2], 0);
	join(g, t[2], t[3], 0); /* downstream of the cycle, not on it */
	join(g, t[2], t[0], 0);
	must_say(task_graph_finish(g, &closing, &err), ERR_ARG,
		 "the tasks wait for each other in a cycle: a -> b -> c -> a");
	assert_int_equal(closing, 3);
}

TEST(a_task_that_waits_for_itself_is_a_cycle)
{
	FREED(task_graph) *g = task_graph_new();
	uint32_t closing, a;

	assert_non_null(g);
	a = add(g, "a", 1, 0);
	join(g, a, a, 0);
	must_say(task_graph_finish(g, &closing, &err), ERR_ARG,
		 "the tasks wait for each other in a cycle: a -> a");
	assert_int_equal(closing, 0);
}

TEST(a_long_cycle_is_cut_short)
{
	FREED(task_graph) *g = task_graph_new();

	assert_non_null(g);
	for (int i = 0; i < 1000; i++)
		add(g, "x", 1, 0);
	for (uint32_t i = 0; i < 1000; i++)
		join(g, i, (i + 1) % 1000, 0);
	must_fail(task_graph_finish(g, NULL, &err), ERR_ARG, "(992 more)");
}

/* Eight are shown: that is all of them, and one too few. */
TEST(a_cycle_is_shown_whole_up_to_eight_tasks)
{
	for (uint32_t n = 8; n <= 9; n++) {
		FREED(task_graph) *g = task_graph_new();

		assert_non_null(g);
		for (uint32_t i = 0; i < n; i++)
			add(g, "x", 1, 0);
		for (uint32_t i = 0; i < n; i++)
			join(g, i, (i + 1) % n, 0);
		must_fail(task_graph_finish(g, NULL, &err), ERR_ARG, "");
		if (n == 8)
			assert_null(strstr(err.msg, "more)"));
		else
			assert_non_null(strstr(err.msg, "x -> (1 more) -> x"));
	}
}

/* The first of several mistakes is told, whatever comes after it. */
TEST(what_is_wrong_with_a_task_or_edge_is_told_at_the_end)
{
	const struct {
		double seconds, bytes;
		int32_t proc;
		const char *says;
	} bad[] = {
		{NAN, 0, 0, "task bad: nan s"},
		{-1, 0, 0, "must be finite and not negative"},
		{INFINITY, 0, 0, "inf s"},
		{1, -8, 0, "-8 bytes"},
		{1, 0, -2, "processors count from 0"},
		{1, 0, TASK_GRAPH_MAX_PROCS, "processors count from 0 to 9999999"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		FREED(task_graph) *g = task_graph_new();

		assert_non_null(g);
		assert_int_equal(task_graph_add_task(g, "bad",
						     &(struct task){.seconds = bad[i].seconds,
								    .bytes = bad[i].bytes,
								    .proc = bad[i].proc}),
				 TASK_GRAPH_NONE);
		assert_int_equal(add(g, "good", 1, 0), TASK_GRAPH_NONE);
		join(g, 5, 6, NAN);
		must_fail(task_graph_finish(g, NULL, &err), ERR_ARG, bad[i].says);
	}
}

TEST(edges_join_tasks_that_are_there)
{
	FREED(task_graph) *g = task_graph_new(), *none = task_graph_new();

	assert_non_null(g);
	assert_non_null(none);
	add(g, "a", 1, 0);
	join(g, 0, 1, 0);
	must_say(task_graph_finish(g, NULL, &err), ERR_ARG, "edge 0 joins tasks 0 and 1 of 1");
	assert_int_equal(task_graph_finish(none, NULL, NULL), ERR_ARG);
}

TEST(times_that_overflow_are_refused)
{
	FREED(task_graph) *g = task_graph_new();
	double length_s = 7;

	assert_non_null(g);
	add(g, "a", 1e308, 0);
	add(g, "b", 1e308, 0);
	join(g, 0, 1, 0);
	must(task_graph_finish(g, NULL, &err));
	assert_int_equal(critical_path_find(g, &length_s, NULL, &err), ERR_ARG);
	check_abs(length_s, 7, 0);
}

/* Time, bytes, both, neither. */
TEST(the_drawing_says_what_a_message_takes_and_carries)
{
	static const char *const label[] = {"1.00 s", "100 B", "1.00 s\\n100 B", ""};
	FREED(task_graph) *g = task_graph_new();
	RELEASED(strbuf) dot = STRBUF_INIT;

	assert_non_null(g);
	add(g, "from", 1, 0);
	for (uint32_t i = 0; i < 4; i++) {
		add(g, "to", 1, 1);
		task_graph_add_edge(g, &(struct task_edge){.from = 0,
							   .to = i + 1,
							   .seconds = i % 2 == 0 ? 1 : 0,
							   .bytes = i == 1 || i == 2 ? 100 : 0});
	}
	must(task_graph_finish(g, NULL, &err));
	must(task_graph_dot(g, NULL, &dot, &err));
	for (uint32_t i = 0; i < 4; i++) {
		char want[80];

		snprintf(want, sizeof want, "t0 -> t%u [label=\"%s\"];", i + 1, label[i]);
		assert_non_null(strstr(strbuf_text(&dot), want));
	}
}

TEST(the_drawing_marks_the_path_and_quotes_names)
{
	FREED(task_graph) *g = diamond(2), *odd = task_graph_new();
	RELEASED(strbuf) dot = STRBUF_INIT;
	RELEASED(task_path) path;
	double length_s;

	must(critical_path_find(g, &length_s, &path, &err));
	must(task_graph_dot(g, &path, &dot, &err));
	assert_non_null(strstr(strbuf_text(&dot), "t0 -> t2 [label=\"4.00 s\", color=red"));
	assert_non_null(strstr(strbuf_text(&dot), "t0 -> t1 [label=\"2.00 s\"];"));
	assert_non_null(strstr(strbuf_text(&dot), "t1 [label=\"left\\n4.00 s\", group=p1];"));
	strbuf_clear(&dot);
	assert_non_null(odd);
	add(odd, "\"]; t9 [", 0, 0);
	must(task_graph_finish(odd, NULL, &err));
	must(task_graph_dot(odd, NULL, &dot, &err));
	assert_non_null(strstr(strbuf_text(&dot), "t0 [label=\"\\\"]; t9 [\", group=p0];"));
}
