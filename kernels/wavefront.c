/* A pipelined wavefront with MPI, in the loop structure of Sweep3D: eight octants of angle groups
 * and k blocks, for each a receive from the west or east and from the north or south, the
 * computation, and the same sends, all of them blocking. Its answer has the same bits for every
 * decomposition and blocking.
 *
 * No mutable globals: SimGrid's SMPI runs all ranks in one process, and this program without
 * making copies of its data. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "kernels/transport.h"

/* Products of three counts then fit any integer here; memory ends long before. */
#define MAX_COUNT 1000000

/* smpicc's mpi.h: the same program, simulated. Hosts of our platforms do 1e9 flop/s, so that a
 * flop is a nanosecond. */
#ifdef SMPI_H
static const bool simulated = true;
static void compute_for(double time_s)
{
	smpi_execute_flops(1e9 * time_s);
}
#else
static const bool simulated = false;
static void compute_for(double time_s)
{
	(void)time_s;
}
#endif

static const char usage[] =
	"usage: wavefront --it_g N --jt_g N --kt N --npe_i N --npe_j N [--mk N] [--mmi N] [--mm "
	"N]\n"
	"                 [--iterations N] [--wg SECONDS] [--wg_fixup SECONDS]\n"
	"Sweeps it_g x jt_g x kt cells on npe_i x npe_j MPI processes in blocks of mk planes "
	"(default\n"
	"kt) and mmi angles (default mm) of the mm angles (3 or 6, default 6) of an octant, 12\n"
	"iterations unless told otherwise, and prints a line of CSV that `lemnos ingest --app\n"
	"sweep3d` takes. Iterations after the 7th do flux fix-ups. On one process mk = kt and\n"
	"mmi = mm, as in Sweep3D.\n"
	"Compiled by smpicc and simulated, it can let the computation of a cell and angle take wg\n"
	"(wg_fixup with fix-ups, default wg) of simulated time.\n";

struct request {
	int it_g, jt_g, kt, npe_i, npe_j, mk, mmi, mm, iterations;
	double wg_s, wg_fixup_s; /* 0: not given */
};

/* One process of the grid. */
struct process {
	const struct request *r;
	int i, j; /* column and row */
	struct transport part;
};

/* ---- what is asked ---- */

/* Every rank reads the same arguments; the first one speaks. */
static void say(int rank, const char *what, const char *why)
{
	if (rank == 0)
		fprintf(stderr, "wavefront: %s%s\n", what, why);
}

static int refuse(int rank, const char *what, const char *why)
{
	say(rank, what, why);
	return 2;
}

static int read_argument(int rank, struct request *r, const char *name, const char *text)
{
	const struct {
		const char *name;
		int *count;
		double *time_s;
	} known[] = {
		{"--it_g", &r->it_g, NULL},
		{"--jt_g", &r->jt_g, NULL},
		{"--kt", &r->kt, NULL},
		{"--npe_i", &r->npe_i, NULL},
		{"--npe_j", &r->npe_j, NULL},
		{"--mk", &r->mk, NULL},
		{"--mmi", &r->mmi, NULL},
		{"--mm", &r->mm, NULL},
		{"--iterations", &r->iterations, NULL},
		{"--wg", NULL, &r->wg_s},
		{"--wg_fixup", NULL, &r->wg_fixup_s},
	};
	char *end;
	double value;

	for (size_t a = 0; a < sizeof known / sizeof known[0]; a++) {
		if (strcmp(known[a].name, name))
			continue;
		value = strtod(text, &end);
		if (end == text || *end || !isfinite(value))
			return refuse(rank, name, ": needs a number");
		if (known[a].time_s) {
			*known[a].time_s = value;
			return value < 0 ? refuse(rank, name, ": needs a time >= 0") : 0;
		}
		if (value < 1 || value > MAX_COUNT || value != floor(value))
			return refuse(rank, name, ": needs a whole number from 1 to 1000000");
		*known[a].count = (int)value;
		return 0;
	}
	return refuse(rank, name, ": no such argument; see --help");
}

static int check_request(int rank, int size, struct request *r)
{
	if (!r->it_g || !r->jt_g || !r->kt || !r->npe_i || !r->npe_j)
		return refuse(rank, "", "give --it_g, --jt_g, --kt, --npe_i and --npe_j");
	if ((long long)r->npe_i * r->npe_j != size)
		return refuse(rank, "", "npe_i times npe_j is not the number of processes");
	if (r->npe_i > r->it_g || r->npe_j > r->jt_g)
		return refuse(rank, "", "a process needs at least one column and row of cells");
	if (r->mm != 3 && r->mm != 6)
		return refuse(rank, "--mm", ": there are sets of 3 and of 6 angles only");
	if (size == 1 || !r->mk)
		r->mk = r->kt;
	if (size == 1 || !r->mmi)
		r->mmi = r->mm;
	if (r->mk > r->kt)
		return refuse(rank, "--mk", ": must not exceed kt");
	if (r->mm % r->mmi)
		return refuse(rank, "--mmi", ": must divide mm");
	if (r->wg_s > 0 && !simulated)
		return refuse(rank, "--wg", ": this program was not compiled by smpicc");
	if (!(r->wg_fixup_s > 0))
		r->wg_fixup_s = r->wg_s;
	return 0;
}

static int read_request(int rank, int size, int argc, char **argv, struct request *out)
{
	struct request r = {.mm = 6, .iterations = 12};
	int status;

	for (int a = 1; a < argc; a += 2) {
		if (a + 1 == argc)
			return refuse(rank, argv[a], ": needs a value");
		if ((status = read_argument(rank, &r, argv[a], argv[a + 1])))
			return status;
	}
	status = check_request(rank, size, &r);
	*out = r;
	return status;
}

/* ---- the grid ---- */

/* n cells over p processes: the first n mod p have one more. */
static void share(int n, int p, int which, int *first, int *count)
{
	int extra = n % p;

	*count = n / p + (which < extra);
	*first = which * (n / p) + (which < extra ? which : extra);
}

/* Column by column in a row, row after row. */
static int rank_of(const struct process *p, int i, int j)
{
	if (i < 0 || i >= p->r->npe_i || j < 0 || j >= p->r->npe_j)
		return MPI_PROC_NULL;
	return j * p->r->npe_i + i;
}

static bool process_init(struct process *p, const struct request *r, int rank)
{
	struct transport *t = &p->part;

	*p = (struct process){.r = r, .i = rank % r->npe_i, .j = rank / r->npe_i};
	t->it_g = r->it_g;
	t->jt_g = r->jt_g;
	t->cells.kt = r->kt;
	share(r->it_g, r->npe_i, p->i, &t->i_first, &t->cells.it);
	share(r->jt_g, r->npe_j, p->j, &t->j_first, &t->cells.jt);
	return sweep_angles_set(r->mm, &t->angles) && transport_init(t, r->mk, r->mmi);
}

/* ---- the sweeps ---- */

/* Inflow from a neighbour, or none from outside. Without one MPI_Recv would leave what is there. */
static void receive(double *face, int n, int from)
{
	if (from == MPI_PROC_NULL)
		memset(face, 0, (size_t)n * sizeof *face);
	else
		MPI_Recv(face, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A block with its messages. They are full-size for a partial last block, as in Sweep3D. */
static long block(struct process *p, const struct sweep_task *task)
{
	struct transport *t = &p->part;
	const int it = t->cells.it, jt = t->cells.jt, planes = p->r->mk * p->r->mmi;
	const int step_i = task->i_up ? 1 : -1, step_j = task->j_up ? 1 : -1;
	const double wg_s = task->fixup ? p->r->wg_fixup_s : p->r->wg_s;
	long n_fixed;

	receive(t->face_i, planes * jt, rank_of(p, p->i - step_i, p->j));
	receive(t->face_j, planes * it, rank_of(p, p->i, p->j - step_j));
	n_fixed = sweep_block_do(&t->cells, &t->angles, task, t->face_i, t->face_j, t->face_k);
	if (wg_s > 0)
		compute_for(wg_s * it * jt * task->n_k * task->n_angle);
	MPI_Send(t->face_i, planes * jt, MPI_DOUBLE, rank_of(p, p->i + step_i, p->j), 0,
		 MPI_COMM_WORLD);
	MPI_Send(t->face_j, planes * it, MPI_DOUBLE, rank_of(p, p->i, p->j + step_j), 0,
		 MPI_COMM_WORLD);
	return n_fixed;
}

static long sweep(struct process *p, bool fixup)
{
	const struct request *r = p->r;
	struct transport *t = &p->part;
	struct sweep_task task = {.n_angle = r->mmi, .fixup = fixup};
	long n_fixed = 0;

	for (int octant = 0; octant < SWEEP_OCTANTS; octant++) {
		sweep_task_octant(octant, &task);
		for (int angle = 0; angle < r->mm; angle += r->mmi) {
			task.angle_first = angle;
			memset(t->face_k, 0,
			       (size_t)r->mmi * (size_t)t->cells.jt * (size_t)t->cells.it *
				       sizeof *t->face_k);
			for (int k = 0; k < r->kt; k += r->mk) {
				task.k_first = k;
				task.n_k = r->kt - k < r->mk ? r->kt - k : r->mk;
				n_fixed += block(p, &task);
			}
		}
	}
	return n_fixed;
}

/* What the processes agree on. Maxima and sums of integers: the order plays no part. */
struct answer {
	double runtime_s, change;
	long fixed;
	uint64_t checksum;
};

static struct answer solve(struct process *p)
{
	struct answer a = {0};
	double start_s, elapsed_s;
	uint64_t checksum;

	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	for (int n = 0; n < p->r->iterations; n++) {
		double change;
		long fixed;

		transport_begin(&p->part);
		fixed = sweep(p, n >= TRANSPORT_PLAIN_ITERATIONS);
		change = transport_change(&p->part);
		MPI_Allreduce(&change, &a.change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		MPI_Allreduce(&fixed, &a.fixed, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	}
	elapsed_s = MPI_Wtime() - start_s;
	MPI_Allreduce(&elapsed_s, &a.runtime_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	checksum = transport_checksum(&p->part);
	MPI_Allreduce(&checksum, &a.checksum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	return a;
}

/* Nodes are counted by their first processes. */
static int count_nodes(void)
{
	MPI_Comm node;
	int rank, first, n;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &rank);
	MPI_Comm_free(&node);
	first = rank == 0;
	MPI_Allreduce(&first, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return n;
}

static int run(int rank, const struct request *r)
{
	struct process p;
	struct answer a;
	int fault = !process_init(&p, r, rank), any_fault, nodes;

	MPI_Allreduce(&fault, &any_fault, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (any_fault) {
		transport_release(&p.part);
		say(rank, "", "not enough memory for this grid");
		return 5;
	}
	a = solve(&p);
	transport_release(&p.part);
	nodes = count_nodes();
	if (rank == 0) {
		puts("app,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,mm,iterations,runtime_s,flux_"
		     "change,"
		     "fixups,checksum");
		printf("sweep3d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%.9g,%.17g,%ld,%016" PRIx64 "\n",
		       r->it_g, r->jt_g, r->kt, r->npe_i, r->npe_j, nodes, r->mk, r->mmi, r->mm,
		       r->iterations, a.runtime_s, a.change, a.fixed, a.checksum);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct request r;
	int rank, size, status = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		if (rank == 0)
			fputs(usage, stdout);
	} else if (!(status = read_request(rank, size, argc, argv, &r))) {
		status = run(rank, &r);
	}
	MPI_Finalize();
	return status;
}
