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

static const char usage[] =
	"usage: pingpong [--max_bytes N] [--repeats N] [--pairs N] [--batch_us N]\n"
	"Round trips of messages of 1 to max_bytes bytes (4194304) between pairs of processes, at\n"
	"most so many on one node and on two (2), each size so many times (9), a time being the\n"
	"mean over batch_us microseconds (1000). Prints CSV that `lemnos calibrate --pingpong`\n"
	"takes; `lemnos calibrate --run` runs it.\n";

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
	int max_bytes, repeats, pairs, batch_us;
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
	} known[] = {{"--max_bytes", &r->max_bytes},
		     {"--repeats", &r->repeats},
		     {"--pairs", &r->pairs},
		     {"--batch_us", &r->batch_us}};
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

/* Cores, two threads of one counting once, as Linux shows them: a processor leads its core if its
 * own number begins the list of the core's. 0: it does not show them. */
static int64_t count_cores(void)
{
	int64_t n = 0;

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		char path[96];
		FILE *f;
		long first;

		snprintf(path, sizeof path,
			 "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list", cpu);
		f = fopen(path, "r");
		if (!f)
			continue; /* not online */
		n += fscanf(f, "%ld", &first) == 1 && first == cpu;
		fclose(f);
	}
	return n;
}

static struct node this_node(void)
{
	struct node n = {0};
	int length;

	MPI_Get_processor_name(n.name, &length);
	for (char *c = n.name; *c; c++) {
		if (*c == ',' || *c == '"' || (unsigned char)*c < ' ')
			*c = '_';
	}
	/* Those of a simulated node are not known. */
	if (!simulated) {
		n.cores = count_cores();
		n.memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	}
	return n;
}

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

/* Rank 0 prints, so that lines stay whole. */
static void tell(int rank, const struct pair *p, const struct node *node, int bytes, int repeat,
		 struct measurement *m)
{
	double value[4] = {m->roundtrip_s, m->send_s, m->receive_s, m->blocks};

	if (p->a != 0 && rank == p->a)
		MPI_Send(value, 4, MPI_DOUBLE, 0, TAG_BATCH, MPI_COMM_WORLD);
	if (p->a != 0 && rank == 0) {
		MPI_Recv(value, 4, MPI_DOUBLE, p->a, TAG_BATCH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		*m = (struct measurement){value[0], value[1], value[2], value[3] > 0};
	}
	if (rank == 0)
		print_row(p, node, bytes, repeat, m);
}

static void measure_pair(int rank, const struct request *r, const struct pair *p,
			 const struct node *node, char *buffer)
{
	for (int repeat = 0; repeat <= r->repeats; repeat++) {
		/* at most two steps of 3/2 and 4/3 below 2^30: no overflow */
		for (int bytes = 1; bytes <= r->max_bytes; bytes = next_size(bytes)) {
			struct measurement m = {0};

			if (rank == p->a || rank == p->b)
				m = measure(rank == p->a, rank == p->a ? p->b : p->a, buffer, bytes,
					    1e-6 * r->batch_us);
			if (repeat > 0) /* the first pass warms up */
				tell(rank, p, node, bytes, repeat, &m);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

static int measure_all(int rank, int size, const struct request *r)
{
	struct node *node = calloc((size_t)size, sizeof *node), mine = this_node();
	struct pair *pair = calloc(2 * (size_t)size, sizeof *pair);
	int *leader = calloc((size_t)size, sizeof *leader);
	char *buffer = calloc((size_t)r->max_bytes, 1);
	const bool have = node && pair && leader && buffer;
	int ok = have, all_ok, n_pairs;

	MPI_Allreduce(&ok, &all_ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (have && all_ok) {
		memset(buffer, 1, (size_t)r->max_bytes);
		MPI_Allgather(&mine, sizeof mine, MPI_BYTE, node, sizeof mine, MPI_BYTE,
			      MPI_COMM_WORLD);
		find_nodes(rank, size, node, leader);
		n_pairs = find_pairs(leader, size, r->pairs, pair);
		if (rank == 0)
			puts("message_bytes,roundtrip_us,send_us,receive_us,blocks,repeat,pair_nodes,"
			     "rank_a,rank_b,node_a,node_b,cores,memory_bytes,simulated");
		for (int i = 0; i < n_pairs; i++)
			measure_pair(rank, r, &pair[i], node, buffer);
	}
	free(node);
	free(pair);
	free(leader);
	free(buffer);
	return all_ok ? 0 : refuse(rank, "", "not enough memory for the buffers") + 3;
}

int main(int argc, char **argv)
{
	struct request r = {.max_bytes = 4194304, .repeats = 9, .pairs = 2, .batch_us = 1000};
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
