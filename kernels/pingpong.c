/* Round trips of messages with MPI, between pairs of processes on one node and on two, and the time
 * that the processors at both ends spend on them: what L, o and G of LogGP are fitted to (`lemnos
 * calibrate --run`).
 *
 * For each size, after a round that is not kept:
 *   round trip	 a sends, b answers, so often that the clock's resolution does not count
 *   send	 a's MPI_Isend, b's receive not being posted yet
 *   receive	 b's MPI_Recv, after it has waited for so long that a message which does not wait
 *		 for it is there
 *   blocks	 a's message was not taken (MPI_Wait) before b received it
 * The last three as in Culler et al., "Assessing Fast Network Interfaces", IEEE Micro 1996. Passes
 * over all sizes follow one another, so that a disturbance meets few repeats of a size.
 *
 * No mutable globals: SimGrid's SMPI runs all ranks in one process. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>
#ifndef SMPI_H
#include <hwloc.h>
#endif

static const char usage[] =
	"usage: pingpong [--max_bytes N] [--repeats N] [--pairs N] [--batch_us N] [--busy N]\n"
	"                [--limit_s N]\n"
	"Round trips of messages of 1 to max_bytes bytes (4194304) between pairs of processes, at\n"
	"most so many on one node and on two (2), each size so many times (9), a time being the\n"
	"mean over batch_us microseconds (1000). Prints CSV that `lemnos calibrate --pingpong`\n"
	"takes; `lemnos calibrate --run` runs it. Ends with status 4 when a pair has waited for\n"
	"processors for more than busy per cent of its time (10; 100: never), from two seconds on,\n"
	"and after limit_s seconds (1800).\n";

enum { TAG_BATCH = 1, TAG_READY, TAG_PING, TAG_PONG, MAX_ROUNDS = 1000, N_CALLS = 24 };

/* Simulated, time passes only in calls: smpicc's mpi.h says so. */
#ifdef SMPI_H
static const bool simulated = true;
static void pass_time(double time_s)
{
	smpi_execute_flops(1e9 * time_s); /* of hosts with 1e9 flop/s; others are asked again */
}
#else
static const bool simulated = false;
static void pass_time(double time_s)
{
	(void)time_s;
}
#endif

struct request {
	int max_bytes, repeats, pairs, batch_us, busy_percent, limit_s;
};

/* Two processes, a < b. */
struct pair {
	int a, b;
	bool one_node;
};

struct measurement {
	double roundtrip_s, send_s, receive_s;
	bool blocks;
};

/* Where a pair is, and whether it goes on. */
struct state {
	enum { GOES_ON, BUSY, TOO_LONG } end;
	double waited_percent; /* for a processor, of the time of both processes */
	double load;	       /* the load average of a's node; negative: not known */
};

/* The node of a process. Zeros: not known. */
struct node {
	int64_t cores;
	double memory_bytes;
	char name[MPI_MAX_PROCESSOR_NAME];
};

/* ---- arguments ---- */

static int refuse(int rank, const char *what, const char *why)
{
	if (rank == 0)
		fprintf(stderr, "pingpong: %s%s\n", what, why);
	return 2;
}

static int read_argument(int rank, struct request *r, const char *name, const char *text)
{
	const struct {
		const char *name;
		int *value;
	} known[] = {{"--max_bytes", &r->max_bytes}, {"--repeats", &r->repeats},
		     {"--pairs", &r->pairs},	     {"--batch_us", &r->batch_us},
		     {"--busy", &r->busy_percent},   {"--limit_s", &r->limit_s}};
	char *end;
	long value;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		value = strtol(text, &end, 10);
		if (end == text || *end || value < 1 || value > 1 << 30)
			return refuse(rank, name, ": needs a whole number from 1 to 1073741824");
		*known[i].value = (int)value;
		return 0;
	}
	return refuse(rank, name, ": no such argument; see --help");
}

static int read_request(int rank, int argc, char **argv, struct request *r)
{
	int status = 0;

	for (int i = 1; i < argc && !status; i += 2) {
		if (i + 1 == argc)
			return refuse(rank, argv[i], ": needs a value");
		status = read_argument(rank, r, argv[i], argv[i + 1]);
	}
	return status;
}

/* ---- the nodes ---- */

static struct node this_node(void)
{
	struct node n = {0};
	int length;

	MPI_Get_processor_name(n.name, &length);
	for (char *c = n.name; *c; c++) {
		if (*c == ',' || *c == '"' || (unsigned char)*c < ' ')
			*c = '_';
	}
	return n;
}

/* All that the node has, whatever of it this process may use; threads of one core count once.
 * Memory is the system's word: hwloc 2.9 in a virtual machine has told less than a third. */
#ifdef SMPI_H
static void look_at_node(struct node *n)
{
	(void)n; /* those of a simulated node are not known */
}
#else
static void look_at_node(struct node *n)
{
	hwloc_topology_t t;
	int n_cores = 0;

	if (!hwloc_topology_init(&t)) {
		if (!hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) &&
		    !hwloc_topology_load(t))
			n_cores = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE);
		hwloc_topology_destroy(t);
	}
	n->cores = n_cores > 0 ? n_cores : 0;
	n->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
#endif

/* leader[size]: for each process the first one that shares memory with it. Simulated nodes are told
 * by their names: SMPI runs everything in one memory. */
static void find_nodes(int rank, int size, const struct node *node, int *leader)
{
	MPI_Comm sharing;
	int mine = rank;

	if (!simulated) {
		MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
				    &sharing);
		MPI_Bcast(&mine, 1, MPI_INT, 0, sharing);
		MPI_Comm_free(&sharing);
		MPI_Allgather(&mine, 1, MPI_INT, leader, 1, MPI_INT, MPI_COMM_WORLD);
		return;
	}
	for (int r = 0; r < size; r++)
		leader[r] = r;
	for (int r = 0; r < size; r++) {
		for (int first = 0; first < r && leader[r] == r; first++) {
			if (!strcmp(node[first].name, node[r].name))
				leader[r] = first;
		}
	}
}

/* At most `most` of each kind: on one node its first process with the others, node after node; on
 * two, the first processes of two nodes. */
static int find_pairs(const int *leader, int size, int most, struct pair *out)
{
	int n = 0, n_one = 0, n_two = 0;

	for (int b = 1; b < size; b++) {
		if (leader[b] != b && n_one < most) {
			out[n++] = (struct pair){leader[b], b, true};
			n_one++;
		}
	}
	for (int b = 1; b < size; b++) {
		if (leader[b] == b && n_two < most) {
			out[n++] = (struct pair){0, b, false};
			n_two++;
		}
	}
	return n;
}

/* ---- one size ---- */

static void wait_for(double time_s)
{
	double start_s = MPI_Wtime();

	do
		pass_time(time_s);
	while (MPI_Wtime() - start_s < time_s);
}

/* What asking for the time takes: it is in every time of a single call. */
static double clock_cost(void)
{
	enum { N = 100 };
	double start_s = MPI_Wtime(), end_s = start_s;

	for (int i = 0; i < N; i++)
		end_s = MPI_Wtime();
	return (end_s - start_s) / N;
}

static double round_trips(bool is_a, int other, char *buffer, int bytes, int n)
{
	double start_s = MPI_Wtime();

	for (int i = 0; i < n; i++) {
		if (is_a)
			MPI_Send(buffer, bytes, MPI_BYTE, other, TAG_PING, MPI_COMM_WORLD);
		MPI_Recv(buffer, bytes, MPI_BYTE, other, is_a ? TAG_PONG : TAG_PING, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		if (!is_a)
			MPI_Send(buffer, bytes, MPI_BYTE, other, TAG_PONG, MPI_COMM_WORLD);
	}
	return (MPI_Wtime() - start_s) / n;
}

static int by_value(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* The mean of the middle half: robust as a median, but finer than the steps of the clock. */
static double middle_of_calls(double *time_s, double clock_s)
{
	const int n = N_CALLS / 2, first = (N_CALLS - n) / 2;
	double sum_s = 0;

	qsort(time_s, N_CALLS, sizeof *time_s, by_value);
	for (int i = first; i < first + n; i++)
		sum_s += time_s[i];
	return sum_s / n > clock_s ? sum_s / n - clock_s : 0;
}

/* b says that it is ready, waits, and receives. */
static void single_calls(bool is_a, int other, char *buffer, int bytes, double late_s,
			 struct measurement *out)
{
	const double clock_s = clock_cost();
	double call_s[N_CALLS], taken_s[N_CALLS];

	for (int i = 0; i < N_CALLS; i++) {
		double start_s;
		MPI_Request sent;

		if (is_a) {
			MPI_Recv(NULL, 0, MPI_BYTE, other, TAG_READY, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
			start_s = MPI_Wtime();
			MPI_Isend(buffer, bytes, MPI_BYTE, other, TAG_PING, MPI_COMM_WORLD, &sent);
			call_s[i] = MPI_Wtime() - start_s;
			MPI_Wait(&sent, MPI_STATUS_IGNORE);
			taken_s[i] = MPI_Wtime() - start_s;
		} else {
			MPI_Send(NULL, 0, MPI_BYTE, other, TAG_READY, MPI_COMM_WORLD);
			wait_for(late_s);
			start_s = MPI_Wtime();
			MPI_Recv(buffer, bytes, MPI_BYTE, other, TAG_PING, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
			call_s[i] = MPI_Wtime() - start_s;
		}
	}
	if (is_a) {
		out->send_s = middle_of_calls(call_s, clock_s);
		out->blocks = middle_of_calls(taken_s, clock_s) > late_s / 2;
		MPI_Recv(&out->receive_s, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	} else {
		double receive_s = middle_of_calls(call_s, clock_s);

		MPI_Send(&receive_s, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD);
	}
}

/* a decides how many round trips, and for how long b is late. */
static struct measurement measure(bool is_a, int other, char *buffer, int bytes, double batch_s)
{
	struct measurement m = {0};
	double guess_s = round_trips(is_a, other, buffer, bytes, 3);
	double plan[2] = {batch_s / guess_s, 0};

	if (!(plan[0] >= 1))
		plan[0] = 1;
	if (plan[0] > MAX_ROUNDS)
		plan[0] = MAX_ROUNDS;
	if (is_a)
		MPI_Send(plan, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD);
	else
		MPI_Recv(plan, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	m.roundtrip_s = round_trips(is_a, other, buffer, bytes, (int)plan[0]);
	/* Twice as long as the message and b's word to a take, and what a process may be late. */
	plan[1] = 2 * m.roundtrip_s + 1e-5;
	if (is_a)
		MPI_Send(&plan[1], 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD);
	else
		MPI_Recv(&plan[1], 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	single_calls(is_a, other, buffer, bytes, plan[1], &m);
	return m;
}

/* ---- busy processors ---- */

/* How long this process has been ready to run and had no processor, as Linux counts it; 0 where it
 * does not. Unlike wall time less processor time it leaves out waiting for messages, in which some
 * MPIs sleep. */
static double waited_s(void)
{
	FILE *f = simulated ? NULL : fopen("/proc/self/schedstat", "r");
	uint64_t on_processor_ns, waiting_ns = 0;

	if (f) {
		if (fscanf(f, "%" SCNu64 " %" SCNu64, &on_processor_ns, &waiting_ns) != 2)
			waiting_ns = 0;
		fclose(f);
	}
	return 1e-9 * (double)waiting_ns;
}

static double load_average(void)
{
	FILE *f = fopen("/proc/loadavg", "r");
	double load = -1;

	if (f) {
		if (fscanf(f, "%lf", &load) != 1)
			load = -1;
		fclose(f);
	}
	return load;
}

/* Both of a pair know the answer. start_s, waited_before_s: as it began; begin_s: as all did. */
static struct state look(bool is_a, int other, const struct request *r, double begin_s,
			 double start_s, double waited_before_s)
{
	enum { LEAST_S = 2 }; /* a disturbance that is over by then is no reason to end */
	const double waited = waited_s() - waited_before_s;
	struct state s = {.end = GOES_ON, .load = -1};
	double waited_b = 0, time_s;

	if (!is_a) {
		MPI_Send(&waited, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD);
		MPI_Recv(&s, sizeof s, MPI_BYTE, other, TAG_BATCH, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return s;
	}
	MPI_Recv(&waited_b, 1, MPI_DOUBLE, other, TAG_BATCH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	time_s = MPI_Wtime() - start_s;
	if (time_s >= LEAST_S)
		s.waited_percent = 100 * (waited + waited_b) / (2 * time_s);
	if (s.waited_percent > r->busy_percent) {
		s.end = BUSY;
		s.load = load_average();
	} else if (!simulated && MPI_Wtime() - begin_s > r->limit_s) {
		s.end = TOO_LONG;
	}
	MPI_Send(&s, sizeof s, MPI_BYTE, other, TAG_BATCH, MPI_COMM_WORLD);
	return s;
}

static void say_why(const struct state *s, const struct pair *p, const struct node *node,
		    const struct request *r, double time_s)
{
	char load[64] = "";

	if (s->end == TOO_LONG) {
		fprintf(stderr,
			"pingpong: stopped after %.0f s, the limit of --limit_s: its times mean "
			"nothing before all sizes were measured\n",
			(double)r->limit_s);
		return;
	}
	if (s->load >= 0)
		snprintf(load, sizeof load, ", load average %.1f", s->load);
	fprintf(stderr,
		"pingpong: stopped after %.0f s: processes %d and %d have waited for a processor for "
		"%.0f %% of their time, and more than %d %% is waiting that would be taken for "
		"messages. Others compute on node %s (%" PRId64 " cores%s), or more processes than "
		"cores were started there; measure when it is free, as with srun --exclusive, or all "
		"the same with --busy\n",
		time_s, p->a, p->b, s->waited_percent, r->busy_percent, node[p->a].name,
		node[p->a].cores, load);
}

/* ---- all sizes ---- */

/* 1, 2, 3, 4, 6, 8, 12, ...: powers of two, and one between each two. */
static int next_size(int bytes)
{
	if (bytes < 2)
		return bytes + 1;
	return bytes & (bytes - 1) ? bytes / 3 * 4 : bytes / 2 * 3;
}

static void print_row(const struct pair *p, const struct node *node, int bytes, int repeat,
		      const struct measurement *m)
{
	printf("%d,%.6g,%.6g,%.6g,%d,%d,%d,%d,%d,%s,%s,%" PRId64 ",%.0f,%d\n", bytes,
	       1e6 * m->roundtrip_s, 1e6 * m->send_s, 1e6 * m->receive_s, m->blocks, repeat,
	       p->one_node ? 1 : 2, p->a, p->b, node[p->a].name, node[p->b].name, node[p->a].cores,
	       node[p->a].memory_bytes, simulated);
}

/* Rank 0 prints, so that lines stay whole, and at once, as whoever started it counts them. */
static void tell(int rank, const struct pair *p, const struct node *node, int bytes, int repeat,
		 struct measurement *m, struct state *s)
{
	if (p->a != 0 && rank == p->a) {
		MPI_Send(m, sizeof *m, MPI_BYTE, 0, TAG_BATCH, MPI_COMM_WORLD);
		MPI_Send(s, sizeof *s, MPI_BYTE, 0, TAG_BATCH, MPI_COMM_WORLD);
	}
	if (p->a != 0 && rank == 0) {
		MPI_Recv(m, sizeof *m, MPI_BYTE, p->a, TAG_BATCH, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Recv(s, sizeof *s, MPI_BYTE, p->a, TAG_BATCH, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	}
	if (rank == 0 && repeat > 0) { /* the first pass warms up */
		print_row(p, node, bytes, repeat, m);
		fflush(stdout);
	}
}

/* All processes know whether it goes on. */
static bool measure_pair(int rank, const struct request *r, const struct pair *p,
			 const struct node *node, char *buffer, double begin_s)
{
	const bool is_a = rank == p->a, is_one = is_a || rank == p->b;
	const double start_s = MPI_Wtime(), waited_before_s = waited_s();
	struct state s = {GOES_ON, 0, -1};
	int end;

	for (int repeat = 0; repeat <= r->repeats && s.end == GOES_ON; repeat++) {
		/* at most two steps of 3/2 and 4/3 below 2^30: no overflow */
		for (int bytes = 1; bytes <= r->max_bytes && s.end == GOES_ON;
		     bytes = next_size(bytes)) {
			const int other = is_a ? p->b : p->a;
			struct measurement m = {0};

			if (is_one) {
				m = measure(is_a, other, buffer, bytes, 1e-6 * r->batch_us);
				s = look(is_a, other, r, begin_s, start_s, waited_before_s);
			}
			tell(rank, p, node, bytes, repeat, &m, &s);
		}
	}
	if (rank == 0 && s.end != GOES_ON)
		say_why(&s, p, node, r, MPI_Wtime() - begin_s);
	end = s.end != GOES_ON;
	MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return !end;
}

/* The exit status. */
static int measure_all(int rank, int size, const struct request *r)
{
	struct node *node = calloc((size_t)size, sizeof *node), mine = this_node();
	struct pair *pair = calloc(2 * (size_t)size, sizeof *pair);
	int *leader = calloc((size_t)size, sizeof *leader);
	char *buffer = calloc((size_t)r->max_bytes, 1);
	const bool have = node && pair && leader && buffer;
	const double begin_s = MPI_Wtime();
	int ok = have, all_ok, n_pairs;
	bool goes_on = true;

	MPI_Allreduce(&ok, &all_ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (have && all_ok) {
		memset(buffer, 1, (size_t)r->max_bytes);
		MPI_Allgather(&mine, sizeof mine, MPI_BYTE, node, sizeof mine, MPI_BYTE,
			      MPI_COMM_WORLD);
		find_nodes(rank, size, node, leader);
		if (leader[rank] == rank) /* one of each node, as a look takes milliseconds */
			look_at_node(&mine);
		MPI_Allgather(&mine, sizeof mine, MPI_BYTE, node, sizeof mine, MPI_BYTE,
			      MPI_COMM_WORLD);
		n_pairs = find_pairs(leader, size, r->pairs, pair);
		if (rank == 0)
			puts("message_bytes,roundtrip_us,send_us,receive_us,blocks,repeat,pair_nodes,"
			     "rank_a,rank_b,node_a,node_b,cores,memory_bytes,simulated");
		for (int i = 0; i < n_pairs && goes_on; i++)
			goes_on = measure_pair(rank, r, &pair[i], node, buffer, begin_s);
	}
	free(node);
	free(pair);
	free(leader);
	free(buffer);
	if (!all_ok)
		return refuse(rank, "", "not enough memory for the buffers") + 3;
	return goes_on ? 0 : 4;
}

int main(int argc, char **argv)
{
	struct request r = {.max_bytes = 4194304,
			    .repeats = 9,
			    .pairs = 2,
			    .batch_us = 1000,
			    .busy_percent = 10,
			    .limit_s = 1800};
	int rank, size, status;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		if (rank == 0)
			fputs(usage, stdout);
		status = 0;
	} else if (!(status = read_request(rank, argc, argv, &r))) {
		status = size < 2 ? refuse(rank, "",
					   "needs two processes or more: mpirun -np 2. (Two "
					   "that say so were started by another MPI than this "
					   "program was built with.)")
				  : measure_all(rank, size, &r);
	}
	MPI_Finalize();
	return fflush(stdout) ? 5 : status;
}
