#include "tests/support/sp2.h"

#include <time.h>

#include "models/taskgraph/critical_path.h"
#include "models/taskgraph/wavefront_graph.h"
#include "tests/support/sweep3d_formulas.h"

FREEABLE(task_graph)

enum { MAX_SIDE = 5, MAX_PROCS = MAX_SIDE * MAX_SIDE };

/* A pipeline with its own numbers. */
struct random_case {
	struct pipeline p;
	double work_s[MAX_PROCS];
	struct message_time ew[MAX_SIDE], ns[MAX_SIDE];
	double bytes[MAX_SIDE];
};

static uint64_t random_state;

static int64_t pick(int64_t lo, int64_t hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

/* Times without a short binary form: whatever is rounded differently would show. */
static double pick_time(int64_t most)
{
	return (double)pick(0, most) / 7;
}

static struct message_time random_message(void)
{
	double lead = pick_time(9), receive = pick_time(20);
	bool blocks = pick(0, 1) == 1;

	return (struct message_time){.send_s = pick_time(20) + (blocks ? lead : 0),
				     .receive_s = receive,
				     .total_s = lead + receive,
				     .blocks = blocks};
}

static void random_init(struct random_case *r)
{
	for (int k = 0; k < MAX_PROCS; k++)
		r->work_s[k] = pick_time(40);
	for (int k = 0; k < MAX_SIDE; k++) {
		r->ew[k] = random_message();
		r->ns[k] = random_message();
		r->bytes[k] = (double)pick(0, 9000);
	}
	r->p = (struct pipeline){pick(1, MAX_SIDE),
				 pick(1, MAX_SIDE),
				 pick(1, 3),
				 pick(1, 4),
				 1,
				 r->work_s,
				 r->ew,
				 r->ns};
	r->p.last_share = (double)pick(1, 7) / 7;
}

static double critical_path_of(const struct pipeline *p, const double *ew_bytes,
			       const double *ns_bytes, int octants)
{
	const struct wavefront_graph w = {p, ew_bytes, ns_bytes, octants};
	FREED(task_graph) *g;
	double length_s;

	must(wavefront_graph_build(&w, &g, &err));
	must(critical_path_find(g, &length_s, NULL, &err));
	return length_s;
}

TEST(the_critical_path_is_the_recurrence_to_the_last_bit)
{
	random_state = 5;
	for (int k = 0; k < 500; k++) {
		struct random_case r;
		struct sweep_time want;

		random_init(&r);
		must(pipeline_evaluate(&r.p, &want, &err));
		check_abs(critical_path_of(&r.p, r.bytes, r.bytes, 8), want.time_s, 0);
	}
}

TEST(of_a_configuration_on_a_machine_it_is_the_pipeline_model)
{
	/* 16 k planes by 3, 50 and 31 cells by 4 and 3: nothing divides */
	const struct sweep s = {50, 31, 16, 4, 3, 3, 2, 6};
	struct message_cost cost = cost_of(&sp2_fortran);
	RELEASED(pipeline_case) c;
	struct sweep_time t;

	must(pipeline_iteration(&s, &cost, 0.35e-6, &t, &err));
	must(pipeline_case_init(&c, &s, &cost, 0.35e-6, &err));
	check_abs(c.ew_bytes[0], 8 * 11 * 3 * 2, 0); /* 31 = 11 + 10 + 10 rows */
	check_abs(c.ns_bytes[3], 8 * 12 * 3 * 2, 0); /* 50 = 13 + 13 + 12 + 12 columns */
	check_abs(critical_path_of(&c.p, c.ew_bytes, c.ns_bytes, 8), t.time_s, 0);
}

TEST(an_iteration_has_one_to_eight_octants)
{
	const double work_s[1] = {1}, bytes[1] = {0};
	const struct message_time none[1] = {0};
	const struct pipeline p = {1, 1, 1, 2, 1, work_s, none, none};

	for (int octants = 0; octants <= 9; octants++) {
		const struct wavefront_graph w = {&p, bytes, bytes, octants};

		if (octants == 0 || octants == 9) {
			must_fail(wavefront_graph_check(&w, &err), ERR_ARG,
				  "octants: an iteration has 1 to 8");
		} else {
			must(wavefront_graph_check(&w, &err));
		}
	}
}

/* One processor: the k-th block of its one angle group is its k-th task. */
TEST(names_count_in_decimals)
{
	const double work_s[1] = {1};
	const struct message_time none[1] = {0};
	const double bytes[1] = {0};
	const struct pipeline p = {1, 1, 1, 120, 1, work_s, none, none};
	const struct wavefront_graph w = {&p, bytes, bytes, 1};
	FREED(task_graph) *g;

	must(wavefront_graph_build(&w, &g, &err));
	assert_int_equal(g->n_tasks, 120);
	for (uint32_t t = 0; t < 120; t++) {
		char want[40];

		snprintf(want, sizeof want, "compute.i1.j1.o1.a1.k%d", (int)t + 1);
		assert_string_equal(task_graph_name(g, t), want);
	}
}

/* Free messages: an octant on n x m processors takes its B blocks and (n - 1) + (m - 1) more until
 * the last processor has begun. */
TEST(one_octant_takes_its_blocks_and_the_fill)
{
	const double work_s[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	const struct message_time none[4] = {0};
	const double bytes[4] = {0};
	const struct pipeline p = {4, 3, 2, 5, 1, work_s, none, none};

	check_abs(critical_path_of(&p, bytes, bytes, 1), 10 + 3 + 2, 0);
}

static size_t count_named(const struct task_graph *g, const char *name)
{
	size_t n = 0, len = strlen(name);

	for (uint32_t t = 0; t < g->n_tasks; t++) {
		const char *is = task_graph_name(g, t);

		n += strncmp(is, name, len) == 0 && is[len] == '.';
	}
	return n;
}

TEST(the_counts_are_those_of_the_graph)
{
	random_state = 77;
	for (int k = 0; k < 50; k++) {
		struct random_case r;
		const struct wavefront_graph w = {&r.p, r.bytes, r.bytes, (int)pick(1, 8)};
		FREED(task_graph) *g;
		double sum = 0;

		random_init(&r);
		must(wavefront_graph_build(&w, &g, &err));
		for (int c = 0; c < WAVE_N_TASKS; c++) {
			enum wavefront_task kind = (enum wavefront_task)c;

			check_abs((double)count_named(g, wavefront_task_name(kind)),
				  wavefront_graph_count(&w, kind), 0);
			sum += wavefront_graph_count(&w, kind);
		}
		check_abs((double)g->n_tasks, sum, 0);
		assert_int_equal(g->n_procs, r.p.npe_i * r.p.npe_j);
	}
}

/* [S3D]: 8 B ((n-1) m + (m-1) n) messages an iteration. */
TEST(there_are_as_many_receives_as_the_program_prints_messages)
{
	const struct sweep s = {50, 50, 50, 4, 3, 10, 3, 6};
	const struct message_cost free_cost = {.n_range = 1};
	RELEASED(pipeline_case) c;
	double messages;

	must(pipeline_case_init(&c, &s, &free_cost, 1e-6, &err));
	const struct wavefront_graph w = {&c.p, c.ew_bytes, c.ns_bytes, 8};
	must(sweep3d_messages_per_iteration(&s, &messages, &err));
	check_abs(wavefront_graph_count(&w, WAVE_RECEIVE_I) +
			  wavefront_graph_count(&w, WAVE_RECEIVE_J),
		  messages, 0);
}

/* The class of a task, by its name. */
static int class_of(const struct task_graph *g, uint32_t task)
{
	const char *name = task_graph_name(g, task);
	size_t len = strcspn(name, ".");

	for (int c = 0; c < WAVE_N_TASKS; c++) {
		const char *class = wavefront_task_name((enum wavefront_task)c);

		if (strlen(class) == len && strncmp(class, name, len) == 0)
			return c;
	}
	return -1;
}

/* Tasks that a processor at the border has not are passed over: what follows them on the processor
 * is then further down in the class order. */
static bool is_explained(const struct wavefront_static *s, const struct task_graph *g,
			 const struct task_edge *edge)
{
	int from = class_of(g, edge->from), to = class_of(g, edge->to);

	if (g->task[edge->from].proc == g->task[edge->to].proc)
		return to > from || from >= WAVE_COMPUTE;
	for (size_t k = 0; k < s->n_dependences; k++) {
		const struct wavefront_dependence *d = &s->dependence[k];

		if (d->is_message && (int)d->to == to &&
		    ((int)d->from == from || (from == WAVE_COMPUTE && d->from == WAVE_SEND_I)))
			return true;
	}
	return false;
}

TEST(every_task_and_edge_is_an_instance_of_the_static_graph)
{
	random_state = 99;
	for (int i = 0; i < 50; i++) {
		struct random_case r;
		const struct wavefront_graph w = {&r.p, r.bytes, r.bytes, (int)pick(1, 8)};
		struct wavefront_static s;
		FREED(task_graph) *g;
		double total_s[WAVE_N_TASKS] = {0};

		random_init(&r);
		must(wavefront_graph_build(&w, &g, &err));
		must(wavefront_static_of(&w, &s, &err));
		for (uint32_t t = 0; t < g->n_tasks; t++)
			total_s[class_of(g, t)] += g->task[t].seconds;
		for (size_t k = 0; k < s.n_classes; k++) {
			check_rel(s.class[k].total_s + 1, total_s[s.class[k].kind] + 1, 1e-10);
			assert_true(s.class[k].n_instances > 0);
		}
		for (size_t k = 0; k < g->n_edges; k++)
			assert_true(is_explained(&s, g, &g->edge[k]));
	}
}

TEST(the_static_graph_is_small_whatever_the_problem)
{
	const struct sweep s = {1000, 1000, 1000, 1000, 1000, 10, 1, 6};
	const struct message_cost cost = {.n_range = 1, .range = {{.total_s = 1e-6}}};
	RELEASED(pipeline_case) c;
	struct wavefront_static graph;
	RELEASED(strbuf) dot = STRBUF_INIT;

	must(pipeline_case_init(&c, &s, &cost, 1e-6, &err));
	const struct wavefront_graph w = {&c.p, c.ew_bytes, c.ns_bytes, 8};
	must(wavefront_static_of(&w, &graph, &err));
	assert_int_equal(graph.n_classes, 5);
	wavefront_static_dot(&graph, &dot);
	assert_non_null(strstr(strbuf_text(&dot), "octant = 1 .. 8"));
	assert_non_null(strstr(strbuf_text(&dot), "compute\\nWg mk mmi it jt\\n4800000000 x"));
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time, for the reader, not asserted: machines differ. */
TEST(a_million_tasks_are_built_and_followed)
{
	const struct sweep s = {160, 160, 90, 16, 16, 1, 3, 6};
	const struct message_cost cost = {.n_range = 1, .range = {{.total_s = 1e-6}}};
	RELEASED(pipeline_case) c;
	FREED(task_graph) *g;
	struct sweep_time want;
	double length_s, began = cpu_s(), built_s;

	skip_under_valgrind("minutes");
	must(pipeline_case_init(&c, &s, &cost, 1e-6, &err));
	const struct wavefront_graph w = {&c.p, c.ew_bytes, c.ns_bytes, 8};
	must(wavefront_graph_build(&w, &g, &err));
	built_s = cpu_s();
	must(critical_path_find(g, &length_s, NULL, &err));
	print_message("%zu tasks, %zu edges: built in %.2f s, critical path in %.2f s\n",
		      g->n_tasks, g->n_edges, built_s - began, cpu_s() - built_s);
	assert_true(g->n_tasks > 1000000);
	must(pipeline_evaluate(&c.p, &want, &err));
	check_abs(length_s, want.time_s, 0);
}

TEST(too_much_is_refused_before_anything_is_built)
{
	const struct sweep s = {1000, 1000, 1000, 100, 100, 1, 1, 6};
	const struct message_cost cost = {.n_range = 1};
	RELEASED(pipeline_case) c;
	struct task_graph *g = NULL;

	must(pipeline_case_init(&c, &s, &cost, 1e-6, &err));
	struct wavefront_graph w = {&c.p, c.ew_bytes, c.ns_bytes, 8};
	must_fail(wavefront_graph_build(&w, &g, &err), ERR_ARG,
		  "tasks: a task graph takes up to 10000000");
	w.octants = 9;
	assert_int_equal(wavefront_graph_build(&w, &g, NULL), ERR_ARG);
	assert_null(g);
}
