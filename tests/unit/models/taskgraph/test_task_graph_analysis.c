#include "tests/support/check.h"

#include <time.h>

#include "models/taskgraph/amva.h"
#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/wavefront_graph.h"

FREEABLE(task_graph)

static const struct task_machine as_the_graph_says = {0};

static uint64_t random_state;

static int64_t pick(int64_t lo, int64_t hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

/* ---- graphs ---- */

static uint32_t add(struct task_graph *g, double seconds, int32_t proc)
{
	char name[16];

	snprintf(name, sizeof name, "t%zu", g->n_tasks);
	return task_graph_add_task(
		g, name, &(struct task){.seconds = seconds, .proc = proc, .peer = TASK_ANY_PROC});
}

static void join(struct task_graph *g, uint32_t from, uint32_t to, double seconds, double bytes)
{
	task_graph_add_edge(g, &(struct task_edge){from, to, seconds, bytes});
}

static void finish(struct task_graph *g)
{
	must(task_graph_finish(g, NULL, &err));
}

struct design {
	int n_tasks, n_edges;
	int procs;	   /* tasks are on one of these; 0: on any */
	int max_message_s; /* 0: messages take no time */
	bool has_bytes;
};

/* Whole seconds, so that sums in any order are the same. */
static struct task_graph *random_graph(const struct design *d)
{
	struct task_graph *g = task_graph_new();

	assert_non_null(g);
	for (int t = 0; t < d->n_tasks; t++)
		add(g, (double)pick(0, 9),
		    d->procs > 0 ? (int32_t)pick(0, d->procs - 1) : TASK_ANY_PROC);
	for (int k = 0; k < d->n_edges && d->n_tasks > 1; k++) {
		int64_t to = pick(1, d->n_tasks - 1), from = pick(0, to - 1);

		join(g, (uint32_t)from, (uint32_t)to, (double)pick(0, d->max_message_s),
		     d->has_bytes ? (double)pick(0, 4) : 0);
	}
	finish(g);
	return g;
}

static double analysed_s(const struct task_graph *g, const struct task_machine *m)
{
	RELEASED(task_analysis) a;
	double time_s;

	must(task_graph_analyse(g, m, NULL, &a, &err));
	time_s = a.time_s;
	return time_s;
}

static double critical_s(const struct task_graph *g)
{
	double length_s;

	must(critical_path_find(g, &length_s, NULL, &err));
	return length_s;
}

/* ---- the three agreements ---- */

TEST(rules_have_names)
{
	assert_string_equal(schedule_rule_name(SCHEDULE_FIFO), "fifo");
	assert_string_equal(schedule_rule_name(SCHEDULE_LONGEST), "longest");
}

TEST(without_contention_it_is_the_critical_path)
{
	random_state = 1993;
	for (int i = 0; i < 300; i++) {
		FREED(task_graph) *g = random_graph(&(struct design){
			(int)pick(1, 60), (int)pick(0, 150), 0, (int)pick(0, 9), true});
		const struct task_machine many = {.procs = 0,
						  .rule = (enum schedule_rule)pick(0, 1)};

		check_abs(analysed_s(g, &many), critical_s(g), 0);
	}
}

TEST(one_processor_takes_the_sum_of_the_tasks)
{
	random_state = 1;
	for (int i = 0; i < 300; i++) {
		FREED(task_graph) *g = random_graph(&(struct design){
			(int)pick(1, 60), (int)pick(0, 150), (int)pick(0, 3), 9, true});
		const struct task_machine one = {.procs = 1,
						 .rule = (enum schedule_rule)pick(0, 1),
						 .network = (enum task_network)pick(0, 1),
						 .bytes_per_s = 3};

		check_abs(analysed_s(g, &one), task_graph_work_s(g), 0);
	}
}

/* The sum of the seconds of tasks of one kind. */
static double work_of_s(const struct task_graph *g, enum task_kind kind)
{
	double sum = 0;

	for (size_t t = 0; t < g->n_tasks; t++)
		sum += g->task[t].kind == kind ? g->task[t].seconds : 0;
	return sum;
}

/* 4 x 3 processors, 16 blocks an octant, messages that block in one direction only. */
TEST(the_wavefront_takes_what_the_recurrence_says)
{
	const double work_s[12] = {1.1, 1.3, 1.7, 1.9, 1.2, 0.3, 0.7, 1.1, 1, 1.4, 1.6, 1.8};
	const struct message_time eager = {.send_s = 0.1, .receive_s = 0.2, .total_s = 0.37};
	const struct message_time blocking = {
		.send_s = 0.3, .receive_s = 0.4, .total_s = 0.6, .blocks = true};
	const struct message_time ew[3] = {eager, eager, eager};
	const struct message_time ns[4] = {blocking, blocking, blocking, blocking};
	const double bytes[4] = {100, 100, 100, 100};
	const struct pipeline p = {4, 3, 4, 4, 0.7, work_s, ew, ns};
	const struct wavefront_graph w = {&p, bytes, bytes, 8};
	FREED(task_graph) *g;
	struct task_analysis a;
	struct sweep_time want;

	must(pipeline_evaluate(&p, &want, &err));
	must(wavefront_graph_build(&w, &g, &err));
	for (int rule = 0; rule < 2; rule++) {
		const struct task_machine m = {.rule = (enum schedule_rule)rule};

		must(task_graph_analyse(g, &m, NULL, &a, &err));
		check_abs(a.time_s, want.time_s, 0);
		assert_int_equal(a.procs, 12);
		check_rel(a.on_procs.compute_s, work_of_s(g, TASK_COMPUTE), 1e-12);
		task_analysis_release(&a);
	}
	/* One processor takes all of it; messages are local. */
	check_rel(analysed_s(g, &(struct task_machine){.procs = 1}), task_graph_work_s(g), 1e-12);
}

/* ---- scheduling ---- */

/* Three tasks on two processors. First come: 1 and 1, then 2, until 3. Longest first: 2 beside
 * 1 and 1, until 2. */
TEST(the_rule_decides_who_goes_first)
{
	FREED(task_graph) *g = task_graph_new();
	const struct task_machine fifo = {.procs = 2};
	const struct task_machine longest = {.procs = 2, .rule = SCHEDULE_LONGEST};

	assert_non_null(g);
	add(g, 1, TASK_ANY_PROC);
	add(g, 1, TASK_ANY_PROC);
	add(g, 2, TASK_ANY_PROC);
	finish(g);
	check_abs(analysed_s(g, &fifo), 3, 0);
	check_abs(analysed_s(g, &longest), 2, 0);
}

/* a (1 s) sends to b and c (2 s each), each message 10 s. On two processors b stays with a and
 * starts at once; c waits for its message, or, where the message takes 0.5 s, for that. */
TEST(a_task_stays_where_its_message_is_free)
{
	const struct task_machine two = {.procs = 2};
	struct task_analysis a;

	for (double message_s = 0.5; message_s <= 10; message_s += 9.5) {
		FREED(task_graph) *g = task_graph_new();
		uint32_t from, to;

		assert_non_null(g);
		from = add(g, 1, TASK_ANY_PROC);
		for (int i = 0; i < 2; i++) {
			to = add(g, 2, TASK_ANY_PROC);
			join(g, from, to, message_s, 8);
		}
		finish(g);
		must(task_graph_analyse(g, &two, NULL, &a, &err));
		assert_int_equal(a.proc[1], 0);
		check_abs(a.end_s[1], 3, 0);
		assert_int_equal(a.proc[2], 1);
		check_abs(a.end_s[2], 1 + message_s + 2, 0);
		task_analysis_release(&a);
	}
}

/* 0 works for 1 s, 1 for 3 s; then two tasks wait for 1: one stays there, the other takes the free
 * processor with the lowest number, though 2 never worked. */
TEST(the_free_processor_with_the_lowest_number_is_taken)
{
	const struct task_machine three = {.procs = 3};
	FREED(task_graph) *g = task_graph_new();
	RELEASED(task_analysis) a;
	uint32_t longer;

	assert_non_null(g);
	add(g, 1, TASK_ANY_PROC);
	longer = add(g, 3, TASK_ANY_PROC);
	for (int i = 0; i < 2; i++)
		join(g, longer, add(g, 1, TASK_ANY_PROC), 0, 0);
	finish(g);
	must(task_graph_analyse(g, &three, NULL, &a, &err));
	assert_int_equal(a.proc[longer], 1);
	assert_int_equal(a.proc[longer + 1], 1);
	assert_int_equal(a.proc[longer + 2], 0);
}

/* A second method: every second is looked at; free processors take the best of the ready tasks. */
static double scheduled_naively(const struct task_graph *g, int procs, enum schedule_rule rule,
				const double *remaining_s)
{
	double ready_s[64], end_s[64];
	size_t n_done = 0;
	double now = 0;

	assert_true(g->n_tasks <= 64);
	for (size_t t = 0; t < g->n_tasks; t++)
		ready_s[t] = end_s[t] = -1;
	while (n_done < g->n_tasks) {
		bool moved = true;

		while (moved) { /* tasks of 0 s end at once and let others begin */
			int n_running = 0, best = -1;

			moved = false;
			n_done = 0;
			for (size_t t = 0; t < g->n_tasks; t++) {
				bool ready = true;

				for (uint32_t k = g->in_first[t]; k < g->in_first[t + 1]; k++) {
					uint32_t from = g->edge[g->in_edge[k]].from;

					ready &= end_s[from] >= 0 && end_s[from] <= now;
				}
				if (ready && ready_s[t] < 0)
					ready_s[t] = now;
				n_running += end_s[t] > now;
				n_done += end_s[t] >= 0 && end_s[t] <= now;
			}
			for (int t = 0; t < (int)g->n_tasks; t++) {
				double key_t = rule == SCHEDULE_FIFO ? ready_s[t] : -remaining_s[t];
				double key = best < 0		     ? 0
					     : rule == SCHEDULE_FIFO ? ready_s[best]
								     : -remaining_s[best];

				if (ready_s[t] >= 0 && end_s[t] < 0 && (best < 0 || key_t < key))
					best = t;
			}
			if (best >= 0 && n_running < procs) {
				end_s[best] = now + g->task[best].seconds;
				moved = true;
			}
		}
		now += 1;
	}
	now = 0;
	for (size_t t = 0; t < g->n_tasks; t++)
		now = fmax(now, end_s[t]);
	return now;
}

TEST(list_schedules_are_those_of_a_plain_simulation)
{
	random_state = 1966;
	for (int i = 0; i < 300; i++) {
		/* From 1 s on: with tasks of 0 s the two need not decide in the same order. */
		FREED(task_graph) *g = random_graph(
			&(struct design){(int)pick(1, 40), (int)pick(0, 80), 0, 0, false});
		const struct task_machine m = {.procs = (int32_t)pick(1, 6),
					       .rule = (enum schedule_rule)pick(0, 1)};
		double remaining_s[64], time_s, bound_s;

		for (size_t t = 0; t < g->n_tasks; t++)
			g->task[t].seconds += 1;
		critical_path_remaining(g, remaining_s);
		time_s = analysed_s(g, &m);
		check_abs(time_s, scheduled_naively(g, m.procs, m.rule, remaining_s), 0);
		/* Graham 1966: any list schedule ends by W / P + (1 - 1 / P) critical path. */
		bound_s = task_graph_work_s(g) / m.procs + (1 - 1.0 / m.procs) * critical_s(g);
		assert_true(time_s <= bound_s + 1e-9);
	}
}

TEST(a_processor_does_one_task_at_a_time)
{
	random_state = 12;
	for (int i = 0; i < 200; i++) {
		FREED(task_graph) *g = random_graph(&(struct design){
			(int)pick(1, 40), (int)pick(0, 60), (int)pick(1, 4), 5, true});
		const struct task_machine m = {.procs = (int32_t)pick(0, 6),
					       .network = (enum task_network)pick(0, 1),
					       .bytes_per_s = 2};
		RELEASED(task_analysis) a;

		must(task_graph_analyse(g, &m, NULL, &a, &err));
		for (size_t t = 0; t < g->n_tasks; t++) {
			assert_true(a.proc[t] >= 0 && a.proc[t] < a.procs);
			for (size_t u = 0; u < t; u++)
				assert_true(a.proc[t] != a.proc[u] || a.start_s[t] >= a.end_s[u] ||
					    a.start_s[u] >= a.end_s[t]);
		}
		for (size_t k = 0; k < g->n_edges; k++)
			assert_true(a.start_s[g->edge[k].to] >= a.end_s[g->edge[k].from]);
		check_rel(a.on_procs.compute_s + a.on_procs.comm_s + a.on_procs.contention_s +
				  a.on_procs.waiting_s + 1,
			  a.procs * a.time_s + 1, 1e-12);
	}
}

/* ---- contention ---- */

/* From one task two messages of 1 s, all of it on a bus of 8 bytes/s, to tasks of `second_s` and 0.
 */
static struct task_graph *two_messages(double late_s)
{
	struct task_graph *g = task_graph_new();
	uint32_t a, b, c, d;

	assert_non_null(g);
	a = add(g, 0, 0);
	b = add(g, late_s, 1);
	c = add(g, 0, 2);
	d = add(g, 0, 3);
	join(g, a, c, 1, 8);
	join(g, b, d, 1, 8);
	finish(g);
	return g;
}

/* Both at once: each finds the other before it, 2 s. Half a second apart: the first has done half
 * alone and takes 1 s for the other half, until 1.5; the second has done half by then and takes
 * another half second alone, until 2. */
TEST(two_messages_on_a_bus_by_hand)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 8};
	struct task_graph *g = two_messages(0);
	struct task_analysis a;

	must(task_graph_analyse(g, &bus, NULL, &a, &err));
	check_rel(a.start_s[2], 2.0, 1e-12);
	check_rel(a.start_s[3], 2.0, 1e-12);
	assert_int_equal(a.n_solutions, 1);
	check_rel(a.on_path.comm_s, 1.0, 1e-12);
	check_rel(a.on_path.contention_s, 1.0, 1e-12);
	task_analysis_release(&a);
	task_graph_free(g);

	g = two_messages(0.5);
	must(task_graph_analyse(g, &bus, NULL, &a, &err));
	check_rel(a.start_s[2], 1.5, 1e-12);
	check_rel(a.start_s[3], 2.0, 1e-12);
	task_analysis_release(&a);

	/* Links of their own: nobody waits. */
	const struct task_machine links = {.network = NETWORK_LINKS, .bytes_per_s = 8};

	must(task_graph_analyse(g, &links, NULL, &a, &err));
	check_abs(a.start_s[2], 1, 0);
	check_abs(a.start_s[3], 1.5, 0);
	assert_int_equal(a.n_solutions, 0);
	task_analysis_release(&a);
	task_graph_free(g);
}

/* Messages of 3 s of which 2 are on the bus: Z = 1, D = 2, N = 2. R = D (1 + R / (Z + R)) is
 * R^2 - 3 R - 2 = 0, so R = (3 + sqrt 17) / 2 and the message takes 1 + R. */
TEST(a_message_waits_for_its_share_of_the_bus_only)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 4};
	FREED(task_graph) *g = task_graph_new();
	uint32_t from, to;

	assert_non_null(g);
	for (int i = 0; i < 2; i++) {
		from = add(g, 0, 2 * i);
		to = add(g, 0, 2 * i + 1);
		join(g, from, to, 3, 8);
	}
	finish(g);
	check_rel(analysed_s(g, &bus), 1 + (3 + sqrt(17)) / 2, 1e-12);
}

/* Three processors send 8 bytes to one, whose port takes 8 bytes/s: 3 s, though every pair has a
 * link of its own. A receive with bytes from processor 7 wants the same port. */
TEST(a_port_is_shared_by_all_who_send_to_a_processor)
{
	const struct task_machine ports = {.network = NETWORK_PORTS, .bytes_per_s = 8};
	const struct task_machine links = {.network = NETWORK_LINKS, .bytes_per_s = 8};
	struct task_graph *g = task_graph_new();
	const struct task receive = {
		.seconds = 1, .bytes = 8, .proc = 0, .peer = 7, .kind = TASK_RECEIVE};
	uint32_t to;

	assert_non_null(g);
	to = add(g, 0, 0);
	for (int i = 0; i < 3; i++)
		join(g, add(g, 0, 1 + i), to, 1, 8);
	finish(g);
	check_rel(analysed_s(g, &ports), 3.0, 1e-12);
	check_abs(analysed_s(g, &links), 1, 0);
	task_graph_free(g);

	g = task_graph_new();
	assert_non_null(g);
	task_graph_add_task(g, "receive", &receive);
	to = add(g, 0, 0);
	join(g, add(g, 0, 1), to, 1, 8);
	finish(g);
	check_rel(analysed_s(g, &ports), 2.0, 1e-12);
	check_abs(analysed_s(g, &links), 1, 0);
	task_graph_free(g);
}

/* A second method for tasks with processors of their own and messages on a bus: from event to
 * event, each activity as a class of its own, all shares kept in a plain list. */
struct activity {
	bool is_on, is_done;
	double base_s, demand_s, left; /* left: share still to do */
};

static void pace_of(const struct activity *activity, size_t n, double *residence_s)
{
	double one[256], think_s[256], demand_s[256], r[256];
	size_t at[256], n_shared = 0;

	for (size_t i = 0; i < n; i++) {
		residence_s[i] = activity[i].base_s;
		if (!activity[i].is_on || activity[i].demand_s <= 0)
			continue;
		one[n_shared] = 1;
		think_s[n_shared] = activity[i].base_s - activity[i].demand_s;
		demand_s[n_shared] = activity[i].demand_s;
		at[n_shared++] = i;
	}
	must(amva_solve(&(struct amva_network){n_shared, 1, one, think_s, demand_s}, r, NULL,
			&err));
	for (size_t k = 0; k < n_shared; k++)
		residence_s[at[k]] = think_s[k] + r[k];
}

static double contended_naively(const struct task_graph *g, double bytes_per_s)
{
	const size_t n = g->n_tasks + g->n_edges;
	struct activity activity[256] = {{0}};
	double residence_s[256], now = 0;

	assert_true(n <= 256);
	for (size_t i = 0; i < n; i++) {
		struct activity *a = &activity[i];

		if (i >= g->n_tasks)
			a->demand_s = g->edge[i - g->n_tasks].bytes / bytes_per_s;
		a->base_s =
			fmax(i < g->n_tasks ? g->task[i].seconds : g->edge[i - g->n_tasks].seconds,
			     a->demand_s);
		a->left = 1;
	}
	for (;;) {
		double step = INFINITY;

		for (bool moved = true; moved;) { /* begin and end all that can, now */
			moved = false;
			for (size_t i = 0; i < n; i++) {
				struct activity *a = &activity[i];
				bool can = true;

				if (a->is_on && (a->left <= 1e-11 || a->base_s <= 0)) {
					a->is_on = false;
					a->is_done = moved = true;
				}
				if (a->is_on || a->is_done)
					continue;
				if (i >= g->n_tasks)
					can = activity[g->edge[i - g->n_tasks].from].is_done;
				else
					for (uint32_t k = g->in_first[i]; k < g->in_first[i + 1];
					     k++)
						can &= activity[g->n_tasks + g->in_edge[k]].is_done;
				a->is_on = can;
				moved |= can;
			}
		}
		pace_of(activity, n, residence_s);
		for (size_t i = 0; i < n; i++)
			if (activity[i].is_on)
				step = fmin(step, activity[i].left * residence_s[i]);
		if (step == INFINITY)
			return now;
		now += step;
		for (size_t i = 0; i < n; i++)
			if (activity[i].is_on)
				activity[i].left -= step / residence_s[i];
	}
}

TEST(contention_is_that_of_a_plain_simulation)
{
	random_state = 1201;
	for (int i = 0; i < 100; i++) {
		FREED(task_graph) *g = random_graph(
			&(struct design){(int)pick(2, 40), (int)pick(0, 80), 0, 5, true});
		const struct task_machine bus = {.network = NETWORK_BUS,
						 .bytes_per_s = (double)pick(1, 5)};
		RELEASED(task_analysis) a;

		must(task_graph_analyse(g, &bus, NULL, &a, &err));
		check_rel(a.time_s + 1, contended_naively(g, bus.bytes_per_s) + 1, 1e-9);
		assert_true(a.time_s >= critical_s(g));
		assert_true(a.n_solutions <= g->n_tasks + g->n_edges);
	}
}

/* A ring of 40 tasks, one message at a time: the bus is there, but nobody waits for it. */
TEST(who_is_alone_on_the_bus_takes_its_time_to_the_last_bit)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 1e9};
	FREED(task_graph) *g = task_graph_new();
	RELEASED(task_analysis) a;
	uint32_t before;

	assert_non_null(g);
	before = add(g, 0.1, 0);
	for (int i = 1; i < 40; i++) {
		uint32_t t = add(g, (double)i / 7, i % 5);

		join(g, before, t, (double)i / 11, 1000);
		before = t;
	}
	finish(g);
	must(task_graph_analyse(g, &bus, NULL, &a, &err));
	check_abs(a.time_s, critical_s(g), 0);
	assert_int_equal(a.n_solutions, 0);
}

/* 10 senders with 30 messages each in a row, all alike and in step: whenever one ends another one
 * begins, the numbers of each class stay, and one solution serves for all. */
TEST(a_solution_serves_while_the_numbers_stay)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 10};
	FREED(task_graph) *g = task_graph_new();
	RELEASED(task_analysis) a;

	assert_non_null(g);
	for (int s = 0; s < 10; s++) {
		uint32_t before = add(g, 0, 2 * s);

		for (int i = 0; i < 30; i++) {
			uint32_t t = add(g, 0, 2 * s + (i + 1) % 2);

			join(g, before, t, 1, 10);
			before = t;
		}
	}
	finish(g);
	must(task_graph_analyse(g, &bus, NULL, &a, &err));
	check_rel(a.time_s, 300.0, 1e-12); /* 10 on a server that is all they want */
	assert_int_equal(a.n_solutions, 1);
}

/* ---- the path, and the rest ---- */

TEST(the_path_explains_the_time)
{
	random_state = 3;
	for (int i = 0; i < 200; i++) {
		FREED(task_graph) *g = random_graph(&(struct design){
			(int)pick(1, 40), (int)pick(0, 60), (int)pick(0, 4), 5, true});
		const struct task_machine m = {.procs = (int32_t)pick(0, 6),
					       .network = (enum task_network)pick(0, 1),
					       .bytes_per_s = 2};
		RELEASED(task_analysis) a;

		must(task_graph_analyse(g, &m, NULL, &a, &err));
		check_rel(a.on_path.compute_s + a.on_path.comm_s + a.on_path.contention_s + 1,
			  a.time_s + 1, 1e-12);
		check_abs(a.start_s[a.path.task[0]], 0, 0);
		check_abs(a.end_s[a.path.task[a.path.n - 1]], a.time_s, 0);
		for (size_t k = 1; k < a.path.n; k++) {
			uint32_t t = a.path.task[k], before = a.path.task[k - 1];
			uint32_t edge = a.path.edge[k];

			if (edge == TASK_GRAPH_NONE) {
				assert_int_equal(a.proc[t], a.proc[before]);
				check_abs(a.start_s[t], a.end_s[before], 0);
			} else {
				assert_int_equal(g->edge[edge].from, before);
				assert_int_equal(g->edge[edge].to, t);
			}
		}
	}
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time, for the reader, not asserted. */
TEST(a_million_tasks_are_analysed)
{
	enum { CHAINS = 1000, LENGTH = 1000 };
	FREED(task_graph) *g;
	const struct task_machine few = {.procs = 64, .rule = SCHEDULE_LONGEST};
	double began_s = cpu_s(), built_s, alone_s;

	skip_under_valgrind("minutes");
	g = task_graph_new();
	assert_non_null(g);
	for (int i = 0; i < CHAINS * LENGTH; i++) {
		uint32_t t = add(g, 1 + i % 7, TASK_ANY_PROC);

		if (t >= CHAINS)
			join(g, t - CHAINS, t, 1, 8);
		if (t >= CHAINS && t % CHAINS > 0)
			join(g, t - CHAINS - 1, t, 1, 8);
	}
	finish(g);
	built_s = cpu_s();
	check_abs(analysed_s(g, &as_the_graph_says), critical_s(g), 0);
	alone_s = cpu_s();
	assert_true(analysed_s(g, &few) >= task_graph_work_s(g) / 64);
	print_message("%zu tasks, %zu edges: built in %.2f s, analysed in %.2f s, on 64 processors "
		      "in %.2f s\n",
		      g->n_tasks, g->n_edges, built_s - began_s, alone_s - built_s,
		      cpu_s() - alone_s);
}

/* ---- firing rules ---- */

/* Tasks of 1, 5 and 3 s; messages of 9, 1 and 1 s to a fourth of 2 s: there after 10, 6 and 4 s. */
static struct task_graph *three_to_one(uint32_t fires_at)
{
	struct task_graph *g = task_graph_new();
	uint32_t last;

	assert_non_null(g);
	add(g, 1, TASK_ANY_PROC);
	add(g, 5, TASK_ANY_PROC);
	add(g, 3, TASK_ANY_PROC);
	last = add(g, 2, TASK_ANY_PROC);
	join(g, 0, last, 9, 0);
	join(g, 1, last, 1, 0);
	join(g, 2, last, 1, 0);
	g->task[last].fires_at = fires_at;
	return g;
}

TEST(a_task_fires_when_as_many_messages_are_in)
{
	/* 0: all of them; the others are not waited for, but the tasks end */
	const double want_s[] = {12, 6, 8, 12};
	const uint32_t from[] = {0, 2, 1, 0};

	for (uint32_t fires_at = 0; fires_at <= 3; fires_at++) {
		FREED(task_graph) *g = three_to_one(fires_at);
		RELEASED(task_analysis) a = {0};

		finish(g);
		must(task_graph_analyse(g, &as_the_graph_says, NULL, &a, &err));
		check_abs(a.time_s, want_s[fires_at], 0);
		check_abs(critical_s(g), want_s[fires_at], 0);
		assert_int_equal(a.path.n, 2);
		assert_int_equal(a.path.task[0], from[fires_at]);
	}
}

/* Two messages of 8 bytes on a bus of 1 byte/s, which each take 8 s alone, both sent at 0, and 16 s
 * together; the first done fires. */
TEST(a_message_that_nobody_waits_for_shares_the_network)
{
	const struct task_machine bus = {.network = NETWORK_BUS, .bytes_per_s = 1};
	FREED(task_graph) *g = task_graph_new();
	double one_s;

	assert_non_null(g);
	for (int t = 0; t < 2; t++)
		add(g, 0, t);
	add(g, 1, 2);
	join(g, 0, 2, 8, 8);
	join(g, 1, 2, 8, 8);
	g->task[2].fires_at = 1;
	finish(g);
	one_s = analysed_s(g, &bus);
	assert_true(one_s > 9 + 1e-6); /* it is alone on the bus for 8 s otherwise */
	g->task[2].fires_at = 0;
	check_abs(analysed_s(g, &bus), one_s, 1e-9); /* both end together */
}

TEST(random_firing_is_the_critical_path)
{
	random_state = 1998;
	for (int i = 0; i < 300; i++) {
		FREED(task_graph) *g = random_graph(
			&(struct design){(int)pick(1, 60), (int)pick(0, 150), 0, 9, false});

		for (size_t t = 0; t < g->n_tasks; t++) {
			const int64_t n = g->in_first[t + 1] - g->in_first[t];

			g->task[t].fires_at = (uint32_t)pick(0, n);
		}
		check_abs(analysed_s(g, &as_the_graph_says), critical_s(g), 0);
	}
}

TEST(firing_that_cannot_be_is_refused)
{
	struct task_graph *g = three_to_one(4);
	struct task_analysis a = {0};

	must_fail(task_graph_finish(g, NULL, &err), ERR_ARG,
		  "task t3 fires at 4 messages, and 3 come");
	task_graph_free(g);
	g = three_to_one(2);
	finish(g);
	must_fail(task_graph_analyse(g, &(struct task_machine){.procs = 4}, NULL, &a, &err),
		  ERR_ARG, "give it proc=");
	task_graph_free(g);
}

TEST(nonsense_is_refused_with_the_reason)
{
	FREED(task_graph) *g = two_messages(0), *without = task_graph_new();
	struct task_analysis a = {.time_s = 7};

	assert_non_null(without);
	join(without, add(without, 1, TASK_ANY_PROC), add(without, 1, 0), 1, 8);
	finish(without);
	must_fail(task_graph_analyse(g, &(struct task_machine){.procs = -1}, NULL, &a, &err),
		  ERR_ARG, "-1 processors");
	assert_int_equal(task_graph_analyse(g, &(struct task_machine){.network = NETWORK_BUS}, NULL,
					    &a, NULL),
			 ERR_ARG);
	must_fail(task_graph_analyse(
			  without,
			  &(struct task_machine){.network = NETWORK_LINKS, .bytes_per_s = 1}, NULL,
			  &a, &err),
		  ERR_ARG, "task t");
	must_fail(task_graph_analyse(g,
				     &(struct task_machine){.procs = 2,
							    .network = NETWORK_PORTS,
							    .bytes_per_s = 1},
				     NULL, &a, &err),
		  ERR_ARG, "share a bus");
	check_abs(a.time_s, 7, 0);
}

static bool count_and_stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	assert_int_equal(total, 4);
	++*(int *)arg;
	return false;
}

TEST(who_is_interrupted_says_so)
{
	FREED(task_graph) *g = two_messages(1);
	struct task_analysis a = {.time_s = 7};
	int n_asked = 0;
	const struct progress stop = {count_and_stop, &n_asked};

	assert_int_equal(task_graph_analyse(g, &as_the_graph_says, &stop, &a, NULL),
			 ERR_INTERRUPTED);
	assert_int_equal(n_asked, 1);
	check_abs(a.time_s, 7, 0);
}
