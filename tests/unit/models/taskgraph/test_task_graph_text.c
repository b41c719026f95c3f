#include "tests/support/check.h"

#include "models/taskgraph/task_graph_text.h"

FREEABLE(task_graph)

static struct task_graph *read_text(const char *text)
{
	struct task_graph *g = NULL;

	must(task_graph_read(text, strlen(text), "graph.txt", &g, &err));
	return g;
}

TEST(a_graph_is_read_as_it_is_written_by_hand)
{
	FREED(task_graph) *g = read_text("# Two tasks.\n"
					 "task-graph 1\n"
					 "\n"
					 "task read  proc=0 time=2ms   # from disk\n"
					 "task \"solve \\\"it\\\"\" proc=1 time=1.5 kind=receive "
					 "bytes=4KiB peer=0\r\n"
					 "edge read \"solve \\\"it\\\"\" bytes=100 time=1e1us");

	assert_int_equal(g->n_tasks, 2);
	assert_string_equal(task_graph_name(g, 1), "solve \"it\"");
	check_rel(g->task[0].seconds, 0.002, 1e-15);
	assert_int_equal(g->task[0].kind, TASK_COMPUTE);
	assert_int_equal(g->task[0].peer, TASK_ANY_PROC);
	check_abs(g->task[1].seconds, 1.5, 0);
	assert_int_equal(g->task[1].kind, TASK_RECEIVE);
	check_abs(g->task[1].bytes, 4096, 0);
	assert_int_equal(g->task[1].peer, 0);
	assert_int_equal(g->n_edges, 1);
	check_rel(g->edge[0].seconds, 1e-5, 1e-15);
	check_abs(g->edge[0].bytes, 100, 0);
}

TEST(a_comment_may_follow_a_closing_quote)
{
	FREED(task_graph) *g = read_text("task-graph 1\ntask \"a\"# with no blank between\n");

	assert_int_equal(g->n_tasks, 1);
	assert_string_equal(task_graph_name(g, 0), "a");
}

static uint64_t random_state = 42;

static int64_t pick(int64_t lo, int64_t hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

static struct task_graph *random_graph(void)
{
	static const char *const name[] = {
		"plain", "a b", "#", "a=b", "\"", "\\", "\xc3\xa9t\xc3\xa9", "it's;", "<&>", "-"};
	struct task_graph *g = task_graph_new();
	int n = (int)pick(1, 10);

	assert_non_null(g);
	for (int t = 0; t < n; t++)
		task_graph_add_task(g, name[t],
				    &(struct task){.seconds = (double)pick(0, 1000) / 7e3,
						   .bytes = (double)pick(0, 3),
						   .proc = (int32_t)pick(-1, 5),
						   .peer = (int32_t)pick(-1, 5),
						   .kind = (enum task_kind)pick(0, 2)});
	for (int k = 0; n > 1 && k < 20; k++) {
		int64_t to = pick(1, n - 1);

		task_graph_add_edge(g, &(struct task_edge){(uint32_t)pick(0, to - 1), (uint32_t)to,
							   (double)pick(0, 9) * 1e-300,
							   (double)pick(0, 9) / 3});
	}
	must(task_graph_finish(g, NULL, &err));
	for (size_t t = 0; t < g->n_tasks; t++)
		g->task[t].fires_at = (uint32_t)pick(0, g->in_first[t + 1] - g->in_first[t]);
	return g;
}

TEST(what_is_written_reads_back_the_same_to_the_last_bit)
{
	for (int i = 0; i < 200; i++) {
		FREED(task_graph) *g = random_graph(), *back;
		RELEASED(strbuf) text = STRBUF_INIT, again = STRBUF_INIT;

		task_graph_write(g, &text);
		back = read_text(strbuf_text(&text));
		assert_int_equal(back->n_tasks, g->n_tasks);
		assert_int_equal(back->n_edges, g->n_edges);
		for (uint32_t t = 0; t < g->n_tasks; t++) {
			assert_string_equal(task_graph_name(back, t), task_graph_name(g, t));
			check_abs(back->task[t].seconds, g->task[t].seconds, 0);
			check_abs(back->task[t].bytes, g->task[t].bytes, 0);
			assert_int_equal(back->task[t].proc, g->task[t].proc);
			assert_int_equal(back->task[t].peer, g->task[t].peer);
			assert_int_equal(back->task[t].kind, g->task[t].kind);
			assert_int_equal(back->task[t].fires_at, g->task[t].fires_at);
		}
		for (size_t k = 0; k < g->n_edges; k++) {
			assert_int_equal(back->edge[k].from, g->edge[k].from);
			assert_int_equal(back->edge[k].to, g->edge[k].to);
			check_abs(back->edge[k].seconds, g->edge[k].seconds, 0);
			check_abs(back->edge[k].bytes, g->edge[k].bytes, 0);
		}
		task_graph_write(back, &again);
		assert_string_equal(strbuf_text(&text), strbuf_text(&again));
	}
}

#define HEAD "task-graph 1\n"

static const struct {
	const char *text;
	const char *says; /* after "graph.txt:" */
} mistakes[] = {
	{"", "1:1: a task graph begins with `task-graph 1`"},
	{"# only\n\n", ": a task graph begins with `task-graph 1`"},
	{"task a\n", "1:1: a task graph begins with `task-graph 1`"},
	{"task-graph 2\n", "1:12: this program reads version 1"},
	{"task-graph\n", "1:11: this program reads version 1"},
	{"task-graph 1 2\n", "1:14: nothing belongs after"},
	{HEAD, " a task graph has at least one task"},
	{HEAD "node a\n", "2:1: node: a line begins with task or edge"},
	{HEAD "task\n", "2:5: the name of a task belongs here"},
	{HEAD "task time=1\n",
	 "2:6: the name of a task belongs here; one with = is written in quotes"},
	{HEAD "task a\n  task a\n", "3:8: there is a task a above already"},
	{HEAD "task a\ntask \"a\"\n", "3:6: there is a task a above already"},
	{HEAD "task a time=-1\n", "2:13: -1 is not a time >= 0"},
	{HEAD "task a time=nan\n", "2:13: nan is not a time >= 0"},
	{HEAD "task a time=inf\n", "2:13: inf is not a time"},
	{HEAD "task a time=1e400\n", "2:13: 1e400 is not a time"},
	{HEAD "task a time=1e308d\n", "2:13: 1e308d is not a time"},
	{HEAD "task a time=1,5\n", "2:13: 1,5 is not a time"},
	{HEAD "task a time=5 s\n", "2:15: s: a task takes time=, bytes=,"},
	{HEAD "task a time=5kg\n", "2:13: 5kg is not a time >= 0: seconds, or a number with ns"},
	{HEAD "task a time=\n", "2:13: a value belongs after the ="},
	{HEAD "task a time=0x10\n", "2:13: 0x10 is not a time"},
	{HEAD "task a time=1 time=2\n", "2:15: time= is given twice"},
	{HEAD "task a bytes=1s\n", "2:14: 1s is not a size >= 0: bytes, or"},
	{HEAD "task a proc=-1\n", "2:13: -1 is not a processor: 0 to 9999999"},
	{HEAD "task a proc=1.5\n", "2:13: 1.5 is not a processor"},
	{HEAD "task a proc=99999999999999999999\n", " is not a processor"},
	{HEAD "task a kind=idle\n", "2:13: idle is not a kind of task: compute, send or receive"},
	{HEAD "task a fires=0\n", "2:14: 0 is not a number of messages, from 1 on, any or all"},
	{HEAD "task a fires=some\n", "2:14: some is not a number of messages"},
	{HEAD "task a\ntask b fires=2\nedge a b\n", "4:1: task b fires at 2 messages, and 1 come"},
	{HEAD "task a fires=any\n", " task a fires at 1 messages, and 0 come"},
	{HEAD "task a colour=red\n", "2:8: colour=red: a task takes time=,"},
	{HEAD "task \"a\n", "2:6: this quote is not closed"},
	{HEAD "task \"\"\n", "2:6: a name has at least one character"},
	{HEAD "task \"a\"b\n", "2:9: a space belongs after the closing quote"},
	{HEAD "task a\"b\"\n", "2:7: a quote within a word"},
	{HEAD "task \"a\\n\"\n", "2:8: after \\ in a name comes \" or \\"},
	{HEAD "task \x1b[31m\n", "2:6: byte 0x1b: names are made of printable characters"},
	{HEAD "task \xff\n", "2:6: byte 0xff: a task graph is UTF-8 text"},
	{HEAD "task a\nedge a\n", "3:7: the name of the task that an edge goes to belongs here"},
	{HEAD "task a\nedge a b\n", "3:8: there is no task b above; `task b` belongs before"},
	{HEAD "task a\ntask b\nedge a b proc=1\n", "4:10: proc=1: an edge takes time= and bytes="},
	{HEAD "task a\ntask b\nedge a b time=1 bytes=-4\n", "4:23: -4 is not a size"},
	{HEAD "task a\nedge a a\n", "3:1: the tasks wait for each other in a cycle: a -> a"},
	{HEAD "task a\ntask b\nedge a b\nedge b a\n", "in a cycle: "},
};

TEST(every_mistake_names_its_place_and_what_would_be_right)
{
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct task_graph *g = NULL;
		struct err e = {0};
		enum err_code rc = task_graph_read(mistakes[i].text, strlen(mistakes[i].text),
						   "graph.txt", &g, &e);

		if (rc != ERR_PARSE || strncmp(e.msg, "graph.txt:", 10) != 0 ||
		    !strstr(e.msg + 10, mistakes[i].says)) {
			print_error("%s\ngives %d: %s\n", mistakes[i].text, rc, e.msg);
			fail();
		}
		assert_null(g);
	}
}

TEST(a_zero_byte_and_a_long_name_are_refused)
{
	static const char zero[] = HEAD "task a time=1\0000\n";
	char text[400] = HEAD "task ";
	struct task_graph *g = NULL;

	must_say(task_graph_read(zero, sizeof zero - 1, "g", &g, &err), ERR_PARSE,
		 "g:2:14: byte 0x00: a task graph is UTF-8 text");
	memset(text + strlen(text), 'x', 256);
	must_say(task_graph_read(text, strlen(text), "g", &g, &err), ERR_PARSE,
		 "g:2:6: a name of more than 255 bytes");
	assert_null(g);
}

/* Cut anywhere, a text is a graph or an error, never more. */
TEST(a_text_that_breaks_off_anywhere_is_no_trouble)
{
	static const char text[] =
		HEAD "task \"a b\" proc=0 time=1.5ms kind=send bytes=3KiB peer=1\n"
		     "task b # comment\nedge \"a b\" b time=2us bytes=8\n";

	for (size_t len = 0; len < sizeof text; len++) {
		FREED(task_graph) *g = NULL;
		enum err_code rc = task_graph_read(text, len, "cut", &g, NULL);

		assert_true(rc == ERR_OK || rc == ERR_PARSE);
		assert_true((g != NULL) == (rc == ERR_OK));
	}
}
