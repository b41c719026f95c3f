#include "tests/support/sp2.h"

#include "models/pipeline.h"
#include "models/wavefront.h"
#include "tests/support/sweep3d_formulas.h"

enum { MAX_SIDE = 5, MAX_PROCS = MAX_SIDE * MAX_SIDE, MAX_BLOCKS = 8 * 12 };

static const struct message_time free_eager = {0};
static const struct message_time free_blocking = {.blocks = true};

/* A pipeline whose rows and columns all use the same message and whose processors work alike. */
struct uniform {
	struct pipeline p;
	double work_s[MAX_PROCS];
	struct message_time ew[MAX_SIDE], ns[MAX_SIDE];
};

static void uniform_init(struct uniform *u, int64_t n, int64_t m, double work_s,
			 struct message_time t)
{
	for (int i = 0; i < MAX_PROCS; i++)
		u->work_s[i] = work_s;
	for (int i = 0; i < MAX_SIDE; i++)
		u->ew[i] = u->ns[i] = t;
	u->p = (struct pipeline){n, m, 1, 1, 1, u->work_s, u->ew, u->ns};
}

static double makespan_of(const struct pipeline *p)
{
	struct sweep_time t;

	must(pipeline_evaluate(p, &t, &err));
	return t.time_s;
}

/* --- by hand */

TEST(one_processor_takes_its_blocks)
{
	struct uniform u;

	uniform_init(&u, 1, 1, 3, (struct message_time){4, 5, 7, 1, true, 0});
	u.p.angle_groups = 2;
	u.p.k_blocks = 3;
	u.p.last_share = 0.5;
	check_abs(makespan_of(&u.p), 8 * 2 * 2.5 * 3, 0);
}

/* Two columns, one block an octant, W = 10; send 4, receive 5, total 7, so lead 2, and a blocking
 * send ends 2 after the meeting. Octants 1-4 run from processor 1 to 0:
 *   1 computes to 10, meets 0 at 12 and is free at 14; 0 has received at 17, computed at 27.
 *   1: 24, meeting at max(26, 27) = 27, free 29; 0: 32, 42.   1: 39, max(41, 42), 44; 0: 47, 57.
 *   1: 54, max(56, 57), 59; 0: 62, 72.
 * Octants 5-8 run back: 0: 82, max(84, 59), 86; 1: 89, 99.   0: 96, max(98, 99), 101; 1: 104, 114.
 *   0: 111, max(113, 114), 116; 1: 119, 129.   0: 126, max(128, 129), 131; 1: 134, 144. */
TEST(two_columns_with_blocking_sends_by_hand)
{
	struct uniform u;

	uniform_init(&u, 2, 1, 10, (struct message_time){4, 5, 7, 1, true, 0});
	check_abs(makespan_of(&u.p), 144, 0);
}

/* Two rows, else the same: now the direction turns after every second octant.
 *   Octants 1, 2: 1: 10, 12, 14; 0: 17, 27.   1: 24, 27, 29; 0: 32, 42.
 *   Octants 3, 4: 0: 52, 54, 56; 1: 59, 69.   0: 66, max(68, 69), 71; 1: 74, 84.
 *   Octants 5, 6: 1: 94, 96, 98; 0: 101, 111.   1: 108, 111, 113; 0: 116, 126.
 *   Octants 7, 8: 0: 136, 138, 140; 1: 143, 153.   0: 150, 153, 155; 1: 158, 168. */
TEST(two_rows_with_blocking_sends_by_hand)
{
	struct uniform u;

	uniform_init(&u, 1, 2, 10, (struct message_time){4, 5, 7, 1, true, 0});
	check_abs(makespan_of(&u.p), 168, 0);
}

/* Two columns, free messages, k blocks of 10 and 1. A sender that does not wait is done with its 8
 * blocks at 11, 22, 33, 44; the receiver computes 10-20, 20-21, 21-31, ..., 53-54: 54 each way.
 * A blocking one meets at 10, 20 (posted when block 1 is done), 30, 40, 50, 60, 70, 80, and the
 * receiver ends at 81: 162 both ways. */
TEST(a_blocking_send_waits_for_its_receive)
{
	struct uniform u;
	struct sweep_time t;

	uniform_init(&u, 2, 1, 10, free_eager);
	u.p.k_blocks = 2;
	u.p.last_share = 0.1;
	check_abs(makespan_of(&u.p), 108, 1e-12);
	uniform_init(&u, 2, 1, 10, free_blocking);
	u.p.k_blocks = 2;
	u.p.last_share = 0.1;
	must(pipeline_evaluate(&u.p, &t, &err));
	check_abs(t.time_s, 162, 1e-12);
	check_abs(t.parts.compute_s, 88, 1e-12);
	check_abs(t.parts.fill_s, 20, 1e-12);
	check_abs(t.parts.comm_s, 0, 0);
	check_abs(t.parts.sync_s, 54, 1e-12);
}

/* 2 x 2, W = 10, one block, a message that is only latency 1. A is the corner of octants 1 and 2,
 * B its i neighbour, C its j neighbour, D opposite. Computations:
 *   octants 1, 2 from A:  A 0-10-20;  B, C 11-21-31;  D 22-32-42.
 *   octants 3, 4 from C:  C 31-41-51;  D 42-52-62;  A 42-52-62;  B 53-63-73.
 *   octants 5, 6 from B:  B 73-83-93;  A, D 84-94-104;  C 95-105-115.
 *   octants 7, 8 from D:  D 104-114-124;  B 115-125-135;  C 115-125-135;  A 126-136-146. */
TEST(four_processors_by_hand)
{
	struct uniform u;

	uniform_init(&u, 2, 2, 10, (struct message_time){.total_s = 1});
	check_abs(makespan_of(&u.p), 146, 0);
}

TEST(free_messages_give_the_efficiency_formula_exactly)
{
	for (int64_t n = 1; n <= MAX_SIDE; n++) {
		for (int64_t m = 1; m <= MAX_SIDE; m++) {
			const struct sweep s = {50, 50, 60, n, m, 10, 3, 6}; /* 12 blocks */
			struct uniform u;
			double efficiency;

			uniform_init(&u, n, m, 1, free_eager);
			u.p.k_blocks = 6;
			u.p.angle_groups = 2;
			check_abs(makespan_of(&u.p),
				  8 * 12 + 2 * ((double)(n - 1) + 2 * (double)(m - 1)), 0);
			must(sweep3d_efficiency(&s, &efficiency, &err));
			check_rel(8 * 12 / makespan_of(&u.p), efficiency, 1e-15);
		}
	}
}

/* --- a second method: every processor as a program that runs until it must wait */

enum op { RECEIVE_I, RECEIVE_J, COMPUTE, SEND_I, SEND_J, N_OPS };

struct process {
	int at;				  /* number of the operation in hand: block * N_OPS + op */
	double now;			  /* when it was reached */
	double called[MAX_BLOCKS][N_OPS]; /* when each send or receive was called; -1: not yet */
};

struct machine_sim {
	const struct pipeline *p;
	struct process process[MAX_PROCS];
};

/* The direction of a block's octant: octant bits are (i up, j up, k up). */
static int step_of(const struct machine_sim *sim, int block, bool along_i)
{
	int octant = block / (int)(sim->p->angle_groups * sim->p->k_blocks);

	return (octant >> (along_i ? 2 : 1)) & 1 ? 1 : -1;
}

/* The processor at the other end of op, or -1. */
static int partner(const struct machine_sim *sim, int self, int block, enum op op)
{
	int n = (int)sim->p->npe_i, m = (int)sim->p->npe_j, i = self % n, j = self / n;
	bool along_i = op == RECEIVE_I || op == SEND_I;
	int towards = op == SEND_I || op == SEND_J ? 1 : -1;
	int by = towards * step_of(sim, block, along_i);

	if (along_i)
		return i + by < 0 || i + by >= n ? -1 : self + by;
	return j + by < 0 || j + by >= m ? -1 : self + by * n;
}

static double meeting(double sent, double posted, const struct message_time *t)
{
	return fmax(sent + (t->total_s - t->receive_s), posted);
}

/* Perform the operation in hand if its end can be known; true if it was. */
static bool advance(struct machine_sim *sim, int self)
{
	struct process *me = &sim->process[self];
	int block = me->at / N_OPS;
	enum op op = (enum op)(me->at % N_OPS);
	const struct pipeline *p = sim->p;
	const struct message_time *t =
		op == RECEIVE_I || op == SEND_I ? &p->ew[self / p->npe_i] : &p->ns[self % p->npe_i];
	int other = op == COMPUTE ? -1 : partner(sim, self, block, op);

	me->called[block][op] = me->now;
	if (op == COMPUTE) {
		bool last = (block + 1) % (int)p->k_blocks == 0;

		me->now += p->work_s[self] * (last ? p->last_share : 1);
	} else if (other >= 0 && (op == RECEIVE_I || op == RECEIVE_J)) {
		double sent = sim->process[other].called[block][op == RECEIVE_I ? SEND_I : SEND_J];

		if (sent < 0)
			return false;
		me->now = meeting(sent, me->now, t) + t->receive_s;
	} else if (other >= 0 && !t->blocks) {
		me->now += t->send_s;
	} else if (other >= 0) {
		double posted =
			sim->process[other].called[block][op == SEND_I ? RECEIVE_I : RECEIVE_J];

		if (posted < 0)
			return false;
		me->now = meeting(me->now, posted, t) + t->send_s - (t->total_s - t->receive_s);
	}
	me->at++;
	return true;
}

static double simulated(const struct pipeline *p)
{
	static struct machine_sim sim;
	int procs = (int)(p->npe_i * p->npe_j);
	int end = 8 * (int)(p->angle_groups * p->k_blocks) * N_OPS;
	double last = 0;
	bool moved = true;

	sim.p = p;
	for (int k = 0; k < procs; k++) {
		sim.process[k].at = 0;
		sim.process[k].now = 0;
		for (int b = 0; b < MAX_BLOCKS; b++)
			for (int op = 0; op < N_OPS; op++)
				sim.process[k].called[b][op] = -1;
	}
	while (moved) {
		moved = false;
		for (int k = 0; k < procs; k++)
			while (sim.process[k].at < end && advance(&sim, k))
				moved = true;
	}
	for (int k = 0; k < procs; k++) {
		assert_int_equal(sim.process[k].at, end); /* no deadlock */
		last = fmax(last, sim.process[k].now);
	}
	return last;
}

static uint64_t random_state;

static int64_t pick(int64_t lo, int64_t hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

/* Whole numbers, so that both methods compute without rounding. */
static struct message_time random_message(void)
{
	double send = (double)pick(0, 20), receive = (double)pick(0, 20), lead = (double)pick(0, 9);
	bool blocks = pick(0, 1) == 1;

	if (blocks)
		send += lead;
	return (struct message_time){send, receive, lead + receive, 0, blocks, 0};
}

static void random_init(struct uniform *u)
{
	bool alike = pick(0, 1) == 1;

	uniform_init(u, pick(1, MAX_SIDE), pick(1, MAX_SIDE), (double)(2 * pick(0, 20)),
		     random_message());
	u->p.angle_groups = pick(1, 3);
	u->p.k_blocks = pick(1, 4);
	u->p.last_share = pick(0, 1) == 1 ? 1 : 0.5;
	if (alike)
		return;
	for (int i = 0; i < MAX_PROCS; i++)
		u->work_s[i] = (double)(2 * pick(0, 20));
	for (int i = 0; i < MAX_SIDE; i++) {
		u->ew[i] = random_message();
		u->ns[i] = random_message();
	}
}

TEST(the_recurrence_equals_an_event_simulation)
{
	random_state = 1024;
	for (int k = 0; k < 1000; k++) {
		struct uniform u;

		random_init(&u);
		check_abs(makespan_of(&u.p), simulated(&u.p), 0);
	}
}

TEST(dearer_messages_or_work_never_make_it_faster)
{
	random_state = 55;
	for (int k = 0; k < 500; k++) {
		struct uniform u;
		double before;
		int64_t at;

		random_init(&u);
		before = makespan_of(&u.p);
		u.work_s[pick(0, u.p.npe_i * u.p.npe_j - 1)] += 3;
		assert_true(makespan_of(&u.p) >= before);
		before = makespan_of(&u.p);
		at = pick(0, u.p.npe_j - 1);
		u.ew[at].receive_s += 2;
		u.ew[at].total_s += 2;
		u.ew[at].send_s += 1;
		assert_true(makespan_of(&u.p) >= before);
	}
}

TEST(the_parts_sum_to_the_time_and_none_is_negative)
{
	random_state = 66;
	for (int k = 0; k < 500; k++) {
		struct uniform u;
		struct sweep_time t;

		random_init(&u);
		must(pipeline_evaluate(&u.p, &t, &err));
		check_abs(t.time_s, makespan_of(&u.p), 0);
		check_abs(breakdown_total_s(&t.parts), t.time_s, 1e-9);
		assert_true(t.parts.compute_s >= 0 && t.parts.comm_s >= 0);
		assert_true(t.parts.fill_s >= 0 && t.parts.sync_s >= 0);
		check_abs(t.parts.other_s, 0, 0);
	}
}

/* --- configurations */

static struct sweep_time iteration(const struct sweep *s, const struct loggp *p, double Wg_s)
{
	struct message_cost c = cost_of(p);
	struct sweep_time t;

	must(pipeline_iteration(s, &c, Wg_s, &t, &err));
	return t;
}

TEST(with_equal_sub_grids_and_free_messages_it_is_the_wavefront_model)
{
	const struct loggp none = {.small_max_bytes = 1024};
	const struct sweep s = {80, 60, 100, 8, 6, 10, 3, 6};
	struct message_cost c = cost_of(&none);
	struct wavefront w;

	must(wavefront_basic(&s, &c, 1e-7, &w, &err));
	check_rel(iteration(&s, &none, 1e-7).time_s, w.all.time_s, 1e-12);
}

TEST(unequal_sub_grids_and_a_partial_block_are_taken_as_they_are)
{
	/* 5 columns on 2 processors: 3 and 2; 7 planes by 4: blocks of 4 and 3. One unit of work
	 * per cell and angle, mmi = 1, jt = 1: full blocks 12 and 8, last ones 9 and 6, free
	 * messages. Octants 1-4 run from the 2-cell processor 1 to 0, which computes 4 * 21 without
	 * a pause once it has started at 8: 92. Octants 5-8 start there: 12, then 9; processor 1
	 * receives at 104 and follows 8 and 6 behind: it ends 6 after processor 0's last block, 92
	 * + 84 + 6 = 182. */
	const struct loggp none = {.small_max_bytes = 1024};
	const struct sweep s = {5, 1, 7, 2, 1, 4, 1, 1};
	struct sweep_time t = iteration(&s, &none, 1);

	check_abs(t.time_s, 182, 1e-12);
	check_abs(t.parts.compute_s, 168, 1e-12);
	check_abs(t.parts.fill_s, 14, 1e-12);
}

TEST(the_analytic_model_is_near_the_exact_pipeline_on_the_sp2)
{
	/* The paper claims high accuracy against measurement. Where compute outweighs messages, its
	 * equations and the exact recurrence must agree within a few per cent. */
	const struct sweep s = {152, 152, 150, 4, 4, 10, 3, 6};
	struct message_cost c = cost_of(&sp2_fortran);
	struct wavefront w;

	must(wavefront_basic(&s, &c, 0.2e-6, &w, &err));
	check_rel(iteration(&s, &sp2_fortran, 0.2e-6).time_s, w.all.time_s, 0.05);
}

/* --- hostile input */

static void check_refused(const struct pipeline *p, const char *part_of_message)
{
	struct sweep_time t = {.time_s = 77};

	must_fail(pipeline_evaluate(p, &t, &err), ERR_ARG, part_of_message);
	check_abs(t.time_s, 77, 0);
}

TEST(nonsense_is_refused_with_the_reason)
{
	struct uniform good, u;

	uniform_init(&good, 2, 2, 1, (struct message_time){4, 5, 7, 1, true, 0});
	u = good;
	u.p = (struct pipeline){0, 2, 1, 1, 1, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "0 x 2 processors");
	u.p = (struct pipeline){1000000, 1000000, 1, 1, 1, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "the exact pipeline takes up");
	u.p = (struct pipeline){INT64_MAX, INT64_MAX, 1, 1, 1, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "the exact pipeline takes up");
	u.p = (struct pipeline){2, 2, 1, INT64_MAX, 1, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "the exact pipeline takes up");
	u.p = (struct pipeline){2, 2, 1, 1, 0, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "last k block");
	u.p = (struct pipeline){2, 2, 1, 1, NAN, u.work_s, u.ew, u.ns};
	check_refused(&u.p, "last k block");
	u.p = (struct pipeline){2, 2, 1, 1, 1, u.work_s, u.ew, u.ns};
	u.work_s[3] = -1;
	check_refused(&u.p, "work_s[3]");
	u.work_s[3] = 1e308;
	u.work_s[2] = 1e308;
	check_refused(&u.p, "too large");
	u.work_s[2] = u.work_s[3] = 1;
	u.ew[1].total_s = 4; /* less than its receive */
	check_refused(&u.p, "east-west message 1");
	u.ew[1].total_s = NAN;
	check_refused(&u.p, "east-west message 1");
	u.ew[1].total_s = 7;
	u.ns[0].send_s = 1; /* a blocking send shorter than the header's way */
	check_refused(&u.p, "north-south message 0");
}

TEST(nonsense_configurations_are_refused)
{
	const struct sweep good = {50, 50, 50, 2, 2, 10, 3, 6};
	const struct sweep huge = {10000000, 10, 50, 10000000, 2, 10, 3, 6};
	struct sweep s = good;
	struct message_cost c = cost_of(&sp2_fortran);
	struct sweep_time t = {.time_s = 77};

	assert_int_equal(pipeline_iteration(&good, &c, -1, &t, &err), ERR_ARG);
	assert_int_equal(pipeline_iteration(&huge, &c, 1, &t, &err), ERR_ARG);
	s.mmi = 5;
	assert_int_equal(pipeline_iteration(&s, &c, 1, &t, &err), ERR_ARG);
	check_abs(t.time_s, 77, 0);
}
