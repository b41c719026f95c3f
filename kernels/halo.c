/* A finite-difference solver with MPI that exchanges its halo through liblemnos_tune: the equation
 * (shift - Laplace) u = f on a 2-D or 3-D grid, by weighted Jacobi or conjugate gradients. The
 * stencil is a star of order 2 w for a halo of width w: 7 points in 3-D for w = 1, 13 for 2, 19
 * for 3. Its answer has the same bits for every implementation of the exchange, with and without
 * overlap; that of Jacobi for every decomposition, too.
 *
 * No mutable globals: SimGrid's SMPI runs all ranks in one process. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/lemnos_tune.h"

enum { DIMS = 3, MAX_COUNT = 100000, MAX_WIDTH = 3 };

/* smpicc's mpi.h: the same program, simulated. Hosts of our platforms do 1e9 flop/s. */
#ifdef SMPI_H
static const int simulated = 1;
static void compute_for(double time_s)
{
	smpi_execute_flops(1e9 * time_s);
}
#else
static const int simulated = 0;
static void compute_for(double time_s)
{
	(void)time_s;
}
#endif

static const char usage[] =
	"usage: halo --it_g N --jt_g N [--kt_g N] [--npe_i N --npe_j N [--npe_k N]]\n"
	"            [--method jacobi|cg] [--iterations N] [--width 1-3] [--periodic 0|1]\n"
	"            [--overlap 0|1] [--logic NAME] [--function NAME] [--filter NAME]\n"
	"            [--tests N] [--expected N] [--history FILE] [--log FILE]\n"
	"            [--candidates FILE] [--network 0|1] [--wg SECONDS] [--jitter SHARE]\n"
	"            [--seed N] [--compute 0|1]\n"
	"Solves (0.1 - Laplace) u = f on it_g x jt_g (x kt_g) cells with a halo of the given\n"
	"width and a star stencil of twice that order, and prints a line of CSV. Logic, filter\n"
	"and tests are those of lemnos_tune(3); --function NAME uses that implementation only.\n"
	"--network 0: elimination does not ask the network what to expect.\n"
	"--expected: uses of the exchange expected, as many as iterations unless told.\n"
	"Compiled by smpicc, a cell takes wg of simulated time, more by a random share\n"
	"of at most jitter, with other numbers for each seed;\n"
	"--compute 0 lets that time pass without computing (jacobi only).\n";

struct arguments {
	int cells[DIMS], grid[DIMS];
	int iterations, width, periodic, overlap, tests, expected, compute, network, seed;
	double wg_s, jitter;
	const char *method, *logic, *function, *filter, *history, *candidates, *log;
};

struct solver {
	const struct arguments *a;
	MPI_Comm comm;
	int rank, size, ndims;
	int grid[DIMS], coordinate[DIMS];
	int n[DIMS], first[DIMS]; /* owned cells and where they begin; missing dimensions lead, 1 */
	int pad[DIMS];		  /* halo width; 0 in a missing dimension */
	size_t stride[DIMS], total;
	double weight[MAX_WIDTH + 1]; /* of the star, by distance, per dimension */
	double diagonal;
	double *u, *next, *f, *r, *p;
	struct ltune_request *request; /* exchanges `p` of CG, `u` of Jacobi */
	uint64_t random;
};

/* ---- arguments ---- */

static int refuse(int rank, const char *what, const char *why)
{
	if (rank == 0)
		fprintf(stderr, "halo: %s%s\n", what, why);
	return 2;
}

static int read_argument(int rank, struct arguments *a, const char *name, const char *text)
{
	const struct {
		const char *name;
		int *count;
		double *real;
		const char **word;
	} known[] = {
		{"--it_g", &a->cells[0], NULL, NULL},
		{"--jt_g", &a->cells[1], NULL, NULL},
		{"--kt_g", &a->cells[2], NULL, NULL},
		{"--npe_i", &a->grid[0], NULL, NULL},
		{"--npe_j", &a->grid[1], NULL, NULL},
		{"--npe_k", &a->grid[2], NULL, NULL},
		{"--iterations", &a->iterations, NULL, NULL},
		{"--width", &a->width, NULL, NULL},
		{"--periodic", &a->periodic, NULL, NULL},
		{"--overlap", &a->overlap, NULL, NULL},
		{"--tests", &a->tests, NULL, NULL},
		{"--expected", &a->expected, NULL, NULL},
		{"--compute", &a->compute, NULL, NULL},
		{"--network", &a->network, NULL, NULL},
		{"--seed", &a->seed, NULL, NULL},
		{"--wg", NULL, &a->wg_s, NULL},
		{"--jitter", NULL, &a->jitter, NULL},
		{"--method", NULL, NULL, &a->method},
		{"--logic", NULL, NULL, &a->logic},
		{"--function", NULL, NULL, &a->function},
		{"--filter", NULL, NULL, &a->filter},
		{"--history", NULL, NULL, &a->history},
		{"--candidates", NULL, NULL, &a->candidates},
		{"--log", NULL, NULL, &a->log},
	};
	char *end;
	double value;

	for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
		if (strcmp(known[k].name, name) != 0)
			continue;
		if (known[k].word) {
			*known[k].word = text;
			return 0;
		}
		value = strtod(text, &end);
		if (end == text || *end || !isfinite(value) || value < 0 || value > MAX_COUNT)
			return refuse(rank, name, ": needs a number from 0 to 100000");
		if (known[k].real)
			*known[k].real = value;
		else if (value == floor(value))
			*known[k].count = (int)value;
		else
			return refuse(rank, name, ": needs a whole number");
		return 0;
	}
	return refuse(rank, name, ": no such argument; see --help");
}

static int check_arguments(int rank, int size, struct arguments *a)
{
	const int ndims = a->cells[2] ? 3 : 2;
	int n = 1;

	if (!a->cells[0] || !a->cells[1] || !a->iterations)
		return refuse(rank, "", "give --it_g, --jt_g and at least one of --iterations");
	if (a->width < 1 || a->width > MAX_WIDTH)
		return refuse(rank, "--width", ": needs 1, 2 or 3");
	if (a->periodic > 1 || a->overlap > 1 || a->network > 1)
		return refuse(rank, "", "--periodic, --overlap and --network need 0 or 1");
	if (strcmp(a->method, "jacobi") != 0 && strcmp(a->method, "cg") != 0)
		return refuse(rank, "--method", ": needs jacobi or cg");
	if (!a->grid[0] && !a->grid[1] && !a->grid[2])
		MPI_Dims_create(size, ndims, a->grid);
	for (int d = 0; d < ndims; d++) {
		a->grid[d] = a->grid[d] ? a->grid[d] : 1;
		n *= a->grid[d];
		if (a->cells[d] / a->grid[d] < a->width)
			return refuse(rank, "",
				      "a process needs as many cells as the halo is wide");
	}
	if (n != size)
		return refuse(rank, "", "the process grid does not have the number of processes");
	if ((a->wg_s > 0 || a->jitter > 0 || !a->compute) && !simulated)
		return refuse(rank, "--wg, --jitter, --compute",
			      ": this was not compiled by smpicc");
	/* Of zeros the step is 0 / 0, and the method ends at once. */
	if (!a->compute && strcmp(a->method, "jacobi") != 0)
		return refuse(rank, "--compute", ": conjugate gradients need the numbers");
	if (!a->expected)
		a->expected = a->iterations;
	return 0;
}

/* ---- the grid ---- */

/* Second derivative, of order 2, 4 and 6 (Fornberg, Math. Comp. 51, 1988, table 1). */
static const double derivative[MAX_WIDTH + 1][MAX_WIDTH + 1] = {
	{0},
	{-2, 1},
	{-5.0 / 2, 4.0 / 3, -1.0 / 12},
	{-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
};
static const double shift = 0.1;

static size_t index_of(const struct solver *s, int i, int j, int k)
{
	return (size_t)(i + s->pad[0]) * s->stride[0] + (size_t)(j + s->pad[1]) * s->stride[1] +
	       (size_t)(k + s->pad[2]) * s->stride[2];
}

/* A source that differs from cell to cell, by its global position. */
static double source(const struct solver *s, int i, int j, int k)
{
	const int at[DIMS] = {i + s->first[0], j + s->first[1], k + s->first[2]};
	uint64_t hash = UINT64_C(0x9E3779B97F4A7C15);

	for (int d = 0; d < DIMS; d++) {
		hash = (hash ^ (uint64_t)(at[d] + 1)) * UINT64_C(0xBF58476D1CE4E5B9);
		hash ^= hash >> 31;
	}
	return (double)(hash >> 40) / (1 << 24) - 0.5;
}

/* In 2-D the first of three dimensions has one cell and no halo. */
static void solver_shape(struct solver *s)
{
	const int lead = DIMS - s->ndims;

	s->total = 1;
	for (int d = 0; d < DIMS; d++) {
		const int own = d - lead;
		int n, extra;

		s->n[d] = 1;
		if (own >= 0) {
			n = s->a->cells[own] / s->grid[own];
			extra = s->a->cells[own] % s->grid[own];
			s->n[d] = n + (s->coordinate[own] < extra);
			s->first[d] = s->coordinate[own] * n +
				      (s->coordinate[own] < extra ? s->coordinate[own] : extra);
			s->pad[d] = s->a->width;
		}
		s->total *= (size_t)s->n[d] + 2 * (size_t)s->pad[d];
	}
	s->stride[2] = 1;
	s->stride[1] = (size_t)s->n[2] + 2 * (size_t)s->pad[2];
	s->stride[0] = s->stride[1] * ((size_t)s->n[1] + 2 * (size_t)s->pad[1]);
	s->diagonal = shift;
	for (int w = 0; w <= s->a->width; w++)
		s->weight[w] = -derivative[s->a->width][w];
	s->diagonal += s->ndims * s->weight[0];
}

static void solver_release(struct solver *s)
{
	free(s->u);
	free(s->next);
	free(s->f);
	free(s->r);
	free(s->p);
}

static int solver_init(struct solver *s, const struct arguments *a, MPI_Comm comm)
{
	int periodic[DIMS];

	*s = (struct solver){.a = a, .comm = comm, .ndims = a->cells[2] ? 3 : 2};
	MPI_Comm_rank(comm, &s->rank);
	MPI_Comm_size(comm, &s->size);
	s->random = (uint64_t)s->rank + 1 + (uint64_t)a->seed * UINT64_C(0x94D049BB133111EB);
	MPI_Cart_get(comm, s->ndims, s->grid, periodic, s->coordinate);
	solver_shape(s);
	s->u = calloc(s->total, sizeof *s->u);
	s->next = calloc(s->total, sizeof *s->next);
	s->f = calloc(s->total, sizeof *s->f);
	s->r = calloc(s->total, sizeof *s->r);
	s->p = calloc(s->total, sizeof *s->p);
	if (!s->u || !s->next || !s->f || !s->r || !s->p)
		return 0;
	for (int i = 0; i < s->n[0]; i++) {
		for (int j = 0; j < s->n[1]; j++) {
			for (int k = 0; k < s->n[2]; k++)
				s->f[index_of(s, i, j, k)] = source(s, i, j, k);
		}
	}
	return 1;
}

/* ---- the operator ---- */

/* A box of cells, from first up to before last. */
struct box {
	int first[DIMS], last[DIMS];
};

/* (shift - Laplace) x in a box. Every cell is computed by one expression in one order, so that it
 * has the same bits whatever the box. */
static void apply_in(const struct solver *s, const struct box *b, const double *x, double *out)
{
	const int lead = DIMS - s->ndims;

	for (int i = b->first[0]; i < b->last[0]; i++) {
		for (int j = b->first[1]; j < b->last[1]; j++) {
			for (int k = b->first[2]; k < b->last[2]; k++) {
				const size_t c = index_of(s, i, j, k);
				double sum = s->diagonal * x[c];

				for (int d = lead; d < DIMS; d++) {
					for (int w = 1; w <= s->a->width; w++) {
						const size_t off = (size_t)w * s->stride[d];

						sum += s->weight[w] * (x[c - off] + x[c + off]);
					}
				}
				out[c] = sum;
			}
		}
	}
}

/* A number from 0 to 1 for each call (splitmix64). */
static double draw(struct solver *s)
{
	uint64_t z = s->random += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void compute_box(struct solver *s, const struct box *b, const double *x, double *out)
{
	double cells = 1;

	if (s->a->compute)
		apply_in(s, b, x, out);
	for (int d = 0; d < DIMS; d++)
		cells *= b->last[d] > b->first[d] ? b->last[d] - b->first[d] : 0;
	if (s->a->wg_s > 0 && cells > 0)
		compute_for(cells * s->a->wg_s * (1 + s->a->jitter * draw(s)));
}

/* The shell around the inner box, in slabs: no cell twice. */
static void compute_shell(struct solver *s, const struct box *inner, const double *x, double *out)
{
	struct box rest = {{0, 0, 0}, {s->n[0], s->n[1], s->n[2]}};

	for (int d = 0; d < DIMS; d++) {
		struct box slab = rest;

		slab.last[d] = inner->first[d];
		compute_box(s, &slab, x, out);
		slab = rest;
		slab.first[d] = inner->last[d];
		compute_box(s, &slab, x, out);
		rest.first[d] = inner->first[d];
		rest.last[d] = inner->last[d];
	}
}

/* out = (shift - Laplace) x; the exchange of x is that of the request. */
static enum ltune_code apply(struct solver *s, const double *x, double *out, struct ltune_error *e)
{
	struct box inner = {{0, 0, 0}, {s->n[0], s->n[1], s->n[2]}};
	const struct box all = inner;
	enum ltune_code rc;

	if (!s->a->overlap) {
		rc = ltune_request_start(s->request, e);
		if (!rc)
			compute_box(s, &all, x, out);
		return rc;
	}
	for (int d = 0; d < DIMS; d++) {
		/* The first slab takes all where both would overlap. */
		inner.first[d] = s->pad[d] < s->n[d] ? s->pad[d] : s->n[d];
		inner.last[d] =
			s->n[d] - s->pad[d] > inner.first[d] ? s->n[d] - s->pad[d] : inner.first[d];
	}
	if ((rc = ltune_request_init(s->request, e)))
		return rc;
	compute_box(s, &inner, x, out);
	if ((rc = ltune_request_wait(s->request, e)))
		return rc;
	compute_shell(s, &inner, x, out);
	return LTUNE_OK;
}

/* ---- the methods ---- */

/* Added up in the order of ranks: MPI may choose another order for another size of message or run.
 */
static double dot(const struct solver *s, const double *x, const double *y, double *parts)
{
	double sum = 0;

	for (int i = 0; i < s->n[0]; i++) {
		for (int j = 0; j < s->n[1]; j++) {
			for (int k = 0; k < s->n[2]; k++) {
				const size_t c = index_of(s, i, j, k);

				sum += x[c] * y[c];
			}
		}
	}
	MPI_Allgather(&sum, 1, MPI_DOUBLE, parts, 1, MPI_DOUBLE, s->comm);
	sum = 0;
	for (int q = 0; q < s->size; q++)
		sum += parts[q];
	return sum;
}

/* Weight 0.8: the stars of order 4 and 6 are not diagonally dominant, and plain Jacobi diverges. */
static enum ltune_code jacobi(struct solver *s, struct ltune_error *e)
{
	enum ltune_code rc = LTUNE_OK;

	for (int n = 0; !rc && n < s->a->iterations; n++) {
		rc = apply(s, s->u, s->next, e);
		for (size_t c = 0; !rc && c < s->total; c++)
			s->u[c] += 0.8 / s->diagonal * (s->f[c] - s->next[c]);
	}
	return rc;
}

/* Hestenes and Stiefel 1952, in the usual form; p is what is exchanged. */
static enum ltune_code conjugate_gradients(struct solver *s, double *parts, struct ltune_error *e)
{
	enum ltune_code rc = LTUNE_OK;
	double rr, rr_before;

	memcpy(s->r, s->f, s->total * sizeof *s->r);
	memcpy(s->p, s->f, s->total * sizeof *s->p);
	rr = dot(s, s->r, s->r, parts);
	for (int n = 0; !rc && n < s->a->iterations && rr > 0; n++) {
		double step;

		rc = apply(s, s->p, s->next, e);
		step = rr / dot(s, s->p, s->next, parts);
		for (size_t c = 0; c < s->total; c++) {
			s->u[c] += step * s->p[c];
			s->r[c] -= step * s->next[c];
		}
		rr_before = rr;
		rr = dot(s, s->r, s->r, parts);
		for (size_t c = 0; c < s->total; c++)
			s->p[c] = s->r[c] + rr / rr_before * s->p[c];
	}
	return rc;
}

/* Halo cells hold what the updates above make of them, which no stencil reads: each exchange writes
 * them before, and those outside of the grid see only zeros (f and the operator are 0 there). */

static uint64_t checksum(const struct solver *s)
{
	uint64_t sum = 0, all;

	for (int i = 0; i < s->n[0]; i++) {
		for (int j = 0; j < s->n[1]; j++) {
			for (int k = 0; k < s->n[2]; k++) {
				const int at[DIMS] = {i + s->first[0], j + s->first[1],
						      k + s->first[2]};
				uint64_t hash;

				memcpy(&hash, &s->u[index_of(s, i, j, k)], sizeof hash);
				for (int d = 0; d < DIMS; d++) {
					hash = (hash ^ (uint64_t)(at[d] + 1)) *
					       UINT64_C(0x9E3779B97F4A7C15);
					hash ^= hash >> 29;
				}
				sum += hash;
			}
		}
	}
	MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, s->comm);
	return all;
}

/* ---- the run ---- */

static void print(const struct solver *s, const struct ltune_report *report, double runtime_s,
		  double residual, uint64_t sum)
{
	const struct arguments *a = s->a;

	puts("it_g,jt_g,kt_g,npe_i,npe_j,npe_k,method,width,periodic,overlap,iterations,logic,"
	     "function,tests,functions_tested,restarts,overhead_s,runtime_s,network_s,residual,checksum");
	printf("%d,%d,%d,%d,%d,%d,%s,%d,%d,%d,%d,%s,%s,%ld,%d,%d,%.9g,%.9g,%.9g,%.17g,%016" PRIx64
	       "\n",
	       a->cells[0], a->cells[1], s->ndims == 3 ? a->cells[2] : 1, s->grid[0], s->grid[1],
	       s->ndims == 3 ? s->grid[2] : 1, a->method, a->width, a->periodic, a->overlap,
	       a->iterations, a->function ? "fixed" : a->logic,
	       report->chosen ? report->chosen : "none", report->tests, report->functions_tested,
	       report->restarts, report->overhead_s, runtime_s, report->network_s, residual, sum);
}

static enum ltune_code request_create(struct solver *s, struct ltune_error *e)
{
	const struct arguments *a = s->a;
	struct ltune_options options;
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_function_set *set = NULL;
	double *exchanged = strcmp(a->method, "cg") != 0 ? s->u : s->p;
	enum ltune_code rc;

	ltune_options_init(&options);
	options.logic = a->function ? "fixed" : a->logic;
	options.fixed = a->function;
	options.filter = a->filter;
	options.tests = a->tests;
	options.iterations = a->expected;
	options.network = a->network;
	options.history = a->history;
	options.candidates = a->candidates;
	options.log = a->log;
	if (!(rc = ltune_topology_create(s->comm, &topology, e)) &&
	    !(rc = ltune_vector_register(s->ndims, s->n + DIMS - s->ndims, a->width, MPI_DOUBLE,
					 exchanged, &vector, e)) &&
	    !(rc = ltune_set_neighbourhood(&set, e)))
		rc = ltune_request_create(topology, vector, set, &options, &s->request, e);
	/* The request keeps what it needs. */
	ltune_function_set_free(&set);
	ltune_vector_free(&vector);
	ltune_topology_free(&topology, NULL);
	return rc;
}

static enum ltune_code solve(struct solver *s, double *parts, struct ltune_error *e)
{
	struct ltune_report report;
	double start_s, elapsed_s, runtime_s, residual;
	uint64_t sum;
	enum ltune_code rc = request_create(s, e);

	if (rc)
		return rc;
	MPI_Barrier(s->comm);
	start_s = MPI_Wtime();
	rc = strcmp(s->a->method, "cg") != 0 ? jacobi(s, e) : conjugate_gradients(s, parts, e);
	elapsed_s = MPI_Wtime() - start_s;
	if (rc)
		return rc;
	ltune_request_report(s->request, &report);
	MPI_Reduce(&elapsed_s, &runtime_s, 1, MPI_DOUBLE, MPI_MAX, 0, s->comm);
	sum = checksum(s);
	/* Jacobi's last operator is of the iterate before; CG has its residual. */
	for (size_t c = 0; c < s->total && strcmp(s->a->method, "cg") != 0; c++)
		s->r[c] = s->f[c] - s->next[c];
	residual = sqrt(dot(s, s->r, s->r, parts));
	if (s->rank == 0)
		print(s, &report, runtime_s, residual, sum);
	return ltune_request_free(&s->request, e);
}

static int run(struct arguments *a, int rank, int size)
{
	const int periods[DIMS] = {a->periodic, a->periodic, a->periodic};
	struct ltune_error e = {0};
	struct solver s;
	MPI_Comm comm;
	double *parts = calloc((size_t)size, sizeof *parts);
	enum ltune_code rc;
	int fault, any_fault;

	MPI_Cart_create(MPI_COMM_WORLD, a->cells[2] ? 3 : 2, a->grid, periods, 0, &comm);
	fault = !solver_init(&s, a, comm) || !parts;
	MPI_Allreduce(&fault, &any_fault, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	rc = any_fault ? LTUNE_NOMEM : solve(&s, parts, &e);
	solver_release(&s);
	free(parts);
	MPI_Comm_free(&comm);
	if (rc && (rank == 0 || rc != LTUNE_PEER))
		fprintf(stderr, "halo: %s\n", any_fault ? "not enough memory" : e.message);
	return rc ? rc == LTUNE_ARG ? 2 : 5 : 0;
}

int main(int argc, char **argv)
{
	struct arguments a = {.iterations = 100,
			      .width = 1,
			      .compute = 1,
			      .network = 1,
			      .tests = 5,
			      .method = "jacobi",
			      .logic = "elimination",
			      .filter = "iqr"};
	int rank, size, status = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		if (rank == 0)
			fputs(usage, stdout);
	} else {
		for (int k = 1; !status && k < argc; k += 2)
			status = k + 1 == argc ? refuse(rank, argv[k], ": needs a value")
					       : read_argument(rank, &a, argv[k], argv[k + 1]);
		if (!status)
			status = check_arguments(rank, size, &a);
		if (!status)
			status = run(&a, rank, size);
	}
	MPI_Finalize();
	return status;
}
