#include "tests/support/check.h"

#include "domain/task_description.h"
#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/task_graph_text.h"
#include "tests/support/failing_allocations.h"

FREEABLE(task_graph)

static struct task_graph *read_graph(const char *text)
{
	struct task_graph *g = NULL;

	must(task_graph_read(text, strlen(text), "g.txt", &g, &err));
	return g;
}

/* The same graph to the last bit, whatever text it came from. */
static void check_same(const char *static_text, const char *dynamic_text)
{
	RELEASED(strbuf) a = STRBUF_INIT, b = STRBUF_INIT;
	FREED(task_graph) *x = read_graph(static_text), *y = read_graph(dynamic_text);

	task_graph_write(x, &a);
	task_graph_write(y, &b);
	assert_string_equal(strbuf_text(&a), strbuf_text(&b));
}

TEST(loops_and_conditions_unroll_to_the_dynamic_graph)
{
	/* fix-ups after the 2nd iteration, edges above their tasks, a loop that is empty */
	check_same("# two processors\n"
		   "static-task-graph 1\n"
		   "let last = 3   # iterations\n"
		   "for i = 1 .. last\n"
		   "\tif i > 1\n"
		   "\t\tedge \"sweep {i-1}\" \"sweep {i}\" time={i}us bytes=1kB\n"
		   "\tend\n"
		   "\tif i > 2\n"
		   "\t\ttask \"sweep {i}\" proc={i % 2} time=3ms\n"
		   "\telse\n"
		   "\t\ttask \"sweep {i}\" proc={i % 2} time=2ms\n"
		   "\tend\n"
		   "end\n"
		   "for k = 1 .. 0\n"
		   "\ttask never\n"
		   "end\n",
		   "task-graph 1\n"
		   "task \"sweep 1\" proc=1 time=2ms\n"
		   "task \"sweep 2\" proc=0 time=2ms\n"
		   "task \"sweep 3\" proc=1 time=3ms\n"
		   "edge \"sweep 1\" \"sweep 2\" time=2us bytes=1kB\n"
		   "edge \"sweep 2\" \"sweep 3\" time=3us bytes=1kB\n");
}

TEST(a_node_may_stand_for_a_graph_of_its_own)
{
	check_same("static-task-graph 1\n"
		   "let ms = 4\n"
		   "graph pair on\n"
		   "  task a proc={on} time={ms}ms\n"
		   "  task b proc={on} time=1ms\n"
		   "  edge a b\n"
		   "end\n"
		   "graph two first\n"
		   "  for i = 0 .. 1\n"
		   "    use pair \"{i}\" on={first + i}\n"
		   "  end\n"
		   "end\n"
		   "for on_2 = 0 .. 0\n"
		   "  use two \"node {on_2}\" first=5\n"
		   "end\n"
		   "edge \"node 0/0/b\" \"node 0/1/a\" time=1us\n",
		   "task-graph 1\n"
		   "task \"node 0/0/a\" proc=5 time=4ms\n"
		   "task \"node 0/0/b\" proc=5 time=1ms\n"
		   "task \"node 0/1/a\" proc=6 time=4ms\n"
		   "task \"node 0/1/b\" proc=6 time=1ms\n"
		   "edge \"node 0/0/a\" \"node 0/0/b\"\n"
		   "edge \"node 0/1/a\" \"node 0/1/b\"\n"
		   "edge \"node 0/0/b\" \"node 0/1/a\" time=1us\n");
}

/* n x m blocks of 1 s on a grid of processors, one wavefront, free messages: n + m - 1 s. */
TEST(a_wavefront_in_eight_lines_takes_its_steps)
{
	FREED(task_graph) *g = read_graph("static-task-graph 1\n"
					  "let n = 7\n"
					  "let m = 5\n"
					  "for i = 0 .. n-1\n"
					  "for j = 0 .. m-1\n"
					  "task {i},{j} proc={i + n * j} time=1\n"
					  "if i > 0\n"
					  "edge {i-1},{j} {i},{j}\n"
					  "end\n"
					  "if j > 0\n"
					  "edge {i},{j-1} {i},{j}\n"
					  "end\n"
					  "end\n"
					  "end\n");
	struct task_machine every = {0};
	RELEASED(task_analysis) a;

	must(task_graph_analyse(g, &every, NULL, &a, &err));
	check_rel(a.time_s, 7.0 + 5 - 1, 1e-14);
}

TEST(mistakes_are_told_with_their_line)
{
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{"loop\n", "g.txt:2: a line begins with task, edge, let, for, if"},
		{"for i = 1 .. 2\ntask a{i}\n", "an end is missing"},
		{"end\n", "g.txt:2: this end closes nothing"},
		{"if 1 = 1\nelse\nelse\nend\n", "g.txt:4: this else belongs to no if"},
		{"for i = 1 .. 1\nelse\nend\n", "g.txt:3: this else"},
		{"for i in 1 .. 2\nend\n", "write for NAME = FIRST .. LAST"},
		{"for i = 1 .. 2.5\nend\n", "the bounds of a for are whole numbers"},
		{"for i = 1 .. 1/0\nend\n", "the bounds of a for are whole numbers"},
		{"let x 3\n", "write let NAME = EXPRESSION"},
		{"let x = y\n", "g.txt:2: "},
		{"let x = 1\nlet X = 2\n", "g.txt:3: there is another one in sight called X"},
		{"let 1x = 1\n", "a name of letters, digits and _ belongs here"},
		{"for i = 1 .. 2\ntask a\nend\n", "g.txt:3:6: there is a task a above already"},
		{"for i = 1 .. 2\nend\ntask a{i}\n", "g.txt:4: "},
		{"task a time={1/0}\n", "g.txt:2: "},
		{"task a\nedge a b\n", "g.txt:3:8: there is no task b"},
		{"graph g p\nend\nuse g x\n", "g.txt:4: a graph is used with each of its"},
		{"graph g p\nend\nuse g x p=1 p=2\n", "each of its parameters once"},
		{"graph g p\nend\nuse g x q=1\n", "each of its parameters once"},
		{"graph g p\nend\nuse g x p=one\n", "the value of a parameter is a number"},
		{"graph g\nend\nuse g\n", "g.txt:4: write use GRAPH NODE"},
		{"graph g\nend\ngraph g\nend\n", "g.txt:4: a graph has a name of its own"},
		{"graph g\nuse g x\nend\n", "g.txt:3: no graph above is called g"},
		{"use g x\n", "no graph above is called g"},
		{"if 1\ngraph g\nend\nend\n", "a graph stands outside of every"},
		{"for i = 1 .. 1e14\nend\n", "this graph is too large"},
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct strbuf text = STRBUF_INIT;
		struct task_graph *g = NULL;

		strbuf_printf(&text, "static-task-graph 1\n%s", wrong[i].text);
		must_fail(task_graph_read(strbuf_text(&text), text.len, "g.txt", &g, &err),
			  ERR_PARSE, wrong[i].says);
		strbuf_release(&text);
		assert_null(g);
	}
}

/* ---- ted= ---- */

static enum err_code two_ns(void *arg, const char *ted, const double *asked, double *Wg_s,
			    struct err *e)
{
	if (strcmp(ted, "sweep") != 0)
		return err_set(e, ERR_NOTFOUND, "no description %s", ted);
	*(int *)arg += 1;
	*Wg_s = asked[TASK_MM] == 6 ? 2e-9 : 1e-9;
	return ERR_OK;
}

/* 10 x 20 x 5 cells, 3 angles, 2 ns each: 6 us. */
TEST(a_description_gives_the_time_of_a_task)
{
	static const char text[] = "task-graph 1\n"
				   "task a ted=sweep it=10 jt=20 mk=5 mmi=3 mm=6 proc=1\n"
				   "task b time=1us\n";
	int calls = 0;
	const struct task_time_source source = {two_ns, &calls};
	FREED(task_graph) *g = NULL;

	must(task_graph_read_from(text, strlen(text), "g.txt", &source, &g, &err));
	check_rel(g->task[0].seconds, 6e-6, 1e-14);
	assert_int_equal(g->task[0].proc, 1);
	assert_int_equal(calls, 1);
}

TEST(a_description_that_cannot_be_asked_is_an_error)
{
	static const struct {
		const char *task, *says;
	} wrong[] = {
		{"ted=other it=1 jt=1 mk=1 mmi=1", "g.txt:2:6: no description other"},
		{"ted=sweep it=1 jt=1 mk=1", "has it=, jt=, mk= and mmi=, and no time="},
		{"ted=sweep it=1 jt=1 mk=1 mmi=1 time=1", "and no time="},
		{"ted= it=1 jt=1 mk=1 mmi=1", "belongs after ted="},
		{"ted=sweep it=0 jt=1 mk=1 mmi=1", "0 is not a number of cells"},
		{"ted=sweep it=1 it=1 jt=1 mk=1 mmi=1", "given twice"},
		{"it=1", "it= is for a task with ted="},
	};
	int calls = 0;
	const struct task_time_source source = {two_ns, &calls};
	static const char plain[] = "task-graph 1\ntask a ted=sweep it=1 jt=1 mk=1 mmi=1\n";
	struct task_graph *g = NULL;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		RELEASED(strbuf) text = STRBUF_INIT;

		strbuf_printf(&text, "task-graph 1\ntask a %s\n", wrong[i].task);
		must_fail(task_graph_read_from(strbuf_text(&text), text.len, "g.txt", &source, &g,
					       &err),
			  ERR_PARSE, wrong[i].says);
	}
	must_fail(task_graph_read(plain, strlen(plain), "g.txt", &g, &err), ERR_PARSE,
		  "nobody evaluates ted= here");
	assert_null(g);
}

TEST(without_memory_there_is_no_graph)
{
	static const char text[] = "static-task-graph 1\n"
				   "let n = 2\n"
				   "graph g p\n"
				   "  task a proc={p}\n"
				   "end\n"
				   "for i = 0 .. n\n"
				   "  use g \"{i}\" p={i}\n"
				   "  if i > 0\n"
				   "    edge {i-1}/a {i}/a\n"
				   "  end\n"
				   "end\n";
	FREED(task_graph) *g = NULL;

	failing_each_allocation (task_graph_read(text, strlen(text), "g.txt", &g, &err), &err)
		assert_null(g);
	assert_int_equal(g->n_tasks, 3);
	assert_int_equal(g->n_edges, 2);
}
