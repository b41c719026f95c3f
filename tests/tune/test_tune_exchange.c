/* Each of the 20 implementations against a reference, to the byte: what a halo must hold follows
 * from global positions, whatever is not a face of the halo keeps what it held. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tune/tune_check.h"

struct box {
	int ndims, halo;
	int grid[3], coordinate[3], periodic[3];
	int cells[3]; /* owned */
	int offset[3], n_global[3];
	int doubles; /* of an element */
	size_t n;    /* elements with the halo */
};

/* Parts differ in size: odd coordinates have one more. */
static int part(const struct box *b, int d, int coordinate)
{
	return b->halo + 1 + d + coordinate % 2;
}

static void box_init(struct box *b, MPI_Comm comm)
{
	MPI_Cart_get(comm, b->ndims, b->grid, b->periodic, b->coordinate);
	b->n = 1;
	for (int d = 0; d < b->ndims; d++) {
		b->cells[d] = part(b, d, b->coordinate[d]);
		b->offset[d] = b->n_global[d] = 0;
		for (int q = 0; q < b->grid[d]; q++) {
			b->offset[d] += q < b->coordinate[d] ? part(b, d, q) : 0;
			b->n_global[d] += part(b, d, q);
		}
		b->n *= (size_t)(b->cells[d] + 2 * b->halo);
	}
}

/* What the element at a local position holds: its global position, hashed. 0: nothing is known of
 * it, or it must stay what it was. */
static uint64_t wanted(const struct box *b, size_t index, uint64_t round, int after)
{
	uint64_t hash = round;
	int at[3] = {0}, n_outside = 0;

	for (int d = b->ndims - 1; d >= 0; d--) {
		at[d] = (int)(index % (size_t)(b->cells[d] + 2 * b->halo)) - b->halo;
		index /= (size_t)(b->cells[d] + 2 * b->halo);
		n_outside += at[d] < 0 || at[d] >= b->cells[d];
	}
	if (n_outside > 1 || (n_outside && !after))
		return 0;
	for (int d = 0; d < b->ndims; d++) {
		int global = b->offset[d] + at[d];

		if (global < 0 || global >= b->n_global[d]) {
			if (!b->periodic[d])
				return 0;
			global = (global + b->n_global[d]) % b->n_global[d];
		}
		hash = (hash ^ (uint64_t)(global + 1)) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	return hash | 1;
}

static void fill(const struct box *b, uint64_t *buffer, uint64_t round, int after)
{
	for (size_t i = 0; i < b->n; i++) {
		const uint64_t value = wanted(b, i, round, after);

		for (int k = 0; k < b->doubles; k++)
			buffer[i * (size_t)b->doubles + (size_t)k] =
				value ? value + (uint64_t)k : UINT64_C(0x5555) + i;
	}
}

static void one_function(struct checks *c, const struct box *b, struct ltune_topology *topology,
			 struct ltune_vector *vector, struct ltune_function_set *set, int f,
			 uint64_t *buffer, uint64_t *reference)
{
	const size_t bytes = b->n * (size_t)b->doubles * sizeof *buffer;
	struct ltune_options options;
	struct ltune_request *request = NULL;
	struct ltune_error e = {0};

	ltune_options_init(&options);
	options.logic = "fixed";
	options.fixed = ltune_function_set_name(set, f);
	check_ok(c, ltune_request_create(topology, vector, set, &options, &request, &e), &e,
		 "request");
	for (uint64_t round = 0; request && round < 3; round++) {
		fill(b, buffer, round, 0);
		fill(b, reference, round, 1);
		if (round < 2) {
			const enum ltune_code rc = ltune_request_start(request, &e);

			/* Open MPI 4.1 makes no windows on one process. */
			if (rc == LTUNE_MPI && strstr(e.message, "invalid window")) {
				c->unavailable++;
				e = (struct ltune_error){0};
				break;
			}
			check_ok(c, rc, &e, options.fixed);
		} else {
			check_ok(c, ltune_request_init(request, &e), &e, options.fixed);
			check_ok(c, ltune_request_wait(request, &e), &e, options.fixed);
		}
		check(c, !memcmp(buffer, reference, bytes),
		      "%s, %d dimensions, halo %d, periodic %d%d%d, %d doubles, round %d",
		      options.fixed, b->ndims, b->halo, b->periodic[0], b->periodic[1],
		      b->periodic[2], b->doubles, (int)round);
	}
	check_ok(c, ltune_request_free(&request, &e), &e, "free");
}

static void one_box(struct checks *c, struct box *b, MPI_Comm comm, struct ltune_function_set *set)
{
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_error e = {0};
	MPI_Datatype element;
	uint64_t *buffer, *reference;

	box_init(b, comm);
	buffer = malloc(b->n * (size_t)b->doubles * sizeof *buffer);
	reference = malloc(b->n * (size_t)b->doubles * sizeof *reference);
	MPI_Type_contiguous(b->doubles, MPI_UINT64_T, &element);
	MPI_Type_commit(&element);
	check_ok(c, ltune_topology_create(comm, &topology, &e), &e, "topology");
	check_ok(c,
		 ltune_vector_register(b->ndims, b->cells, b->halo, element, buffer, &vector, &e),
		 &e, "vector");
	MPI_Type_free(&element);
	for (int f = 0; f < ltune_function_set_size(set); f++)
		one_function(c, b, topology, vector, set, f, buffer, reference);
	ltune_vector_free(&vector);
	check_ok(c, ltune_topology_free(&topology, &e), &e, "topology");
	free(buffer);
	free(reference);
}

void test_exchange(struct checks *c)
{
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_set_neighbourhood(&set, &e), &e, "set");
	check(c, ltune_function_set_size(set) == 20, "%d implementations, not 20",
	      ltune_function_set_size(set));
	for (int ndims = 1; ndims <= 3; ndims++) {
		/* none, all, and only the first dimension periodic */
		for (int periodic = 0; periodic < 3; periodic++) {
			const int periods[3] = {periodic > 0, periodic == 1, periodic == 1};
			int grid[3];
			MPI_Comm comm = cart(ndims, periods, grid);

			for (int halo = 1; halo <= 3; halo++) {
				if (c->quick && (halo != 2 || periodic != 2))
					continue;
				struct box b = {
					.ndims = ndims, .halo = halo, .doubles = halo == 2 ? 3 : 1};

				one_box(c, &b, comm, set);
			}
			MPI_Comm_free(&comm);
		}
	}
	ltune_function_set_free(&set);
}
