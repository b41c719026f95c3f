/* Each algorithm of the built-in collectives against what the operation is defined to give. */
#include <stdlib.h>
#include <string.h>

#include "tests/tune/tune_check.h"

enum { MAX = 4000 };

static long data[MAX], result[MAX];

static void one(struct checks *c, struct ltune_function_set *set, int n_rows, int n, int root,
		int with_result, long (*before)(const struct checks *, int, int),
		long (*after)(const struct checks *, int, int))
{
	const int dims[2] = {n_rows, n};
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL, *second = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_topology_create(MPI_COMM_WORLD, &topology, &e), &e, "topology");
	check_ok(c, ltune_vector_register(2, dims, 0, MPI_LONG, data, &vector, &e), &e, "vector");
	check_ok(c, ltune_vector_register(2, dims, 0, MPI_LONG, result, &second, &e), &e, "vector");
	for (int f = 0; f < ltune_function_set_size(set); f++) {
		struct ltune_options options;
		struct ltune_request *request = NULL;
		const long *got = with_result ? result : data;
		int wrong = 0;

		ltune_options_init(&options);
		options.logic = "fixed";
		options.fixed = ltune_function_set_name(set, f);
		options.root = root;
		options.result = with_result ? second : NULL;
		check_ok(c, ltune_request_create(topology, vector, set, &options, &request, &e), &e,
			 options.fixed);
		for (int round = 0; request && round < 2; round++) {
			for (int i = 0; i < n_rows * n; i++) {
				data[i] = before(c, root, i) + round;
				result[i] = -1;
			}
			check_ok(c, ltune_request_start(request, &e), &e, options.fixed);
			for (int i = 0; i < n_rows * n; i++)
				wrong += got[i] != after(c, root, i) + round;
		}
		check(c, !wrong, "%s of %d x %d, root %d: %d elements are wrong", options.fixed,
		      n_rows, n, root, wrong);
		check_ok(c, ltune_request_free(&request, &e), &e, "free");
	}
	ltune_vector_free(&vector);
	ltune_vector_free(&second);
	ltune_topology_free(&topology, &e);
}

static long of_root(const struct checks *c, int root, int i)
{
	(void)c;
	return 1000L * root + i;
}
static long of_rank_or_nothing(const struct checks *c, int root, int i)
{
	return c->rank == root ? of_root(c, root, i) : -5;
}
static long addend(const struct checks *c, int root, int i)
{
	(void)root;
	return (c->rank + 1) * 10000L + i;
}
/* sum over ranks of (rank + 1) 10000 + i; the round is added by each process */
static long sum(const struct checks *c, int root, int i)
{
	(void)root;
	return 10000L * c->size * (c->size + 1) / 2 + (long)c->size * i;
}
static int block; /* elements of a block of the all-to-all */
static long outgoing(const struct checks *c, int root, int i)
{
	(void)root;
	return c->rank * 100000L + i;
}
/* block j comes from process j, its block for this rank */
static long incoming(const struct checks *c, int root, int i)
{
	(void)root;
	return i / block * 100000L + (long)c->rank * block + i % block;
}

static void allreduce(struct checks *c, struct ltune_function_set *set, int n)
{
	const int dims[1] = {n};
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_topology_create(MPI_COMM_WORLD, &topology, &e), &e, "topology");
	check_ok(c, ltune_vector_register(1, dims, 0, MPI_LONG, data, &vector, &e), &e, "vector");
	for (int f = 0; f < ltune_function_set_size(set); f++) {
		struct ltune_options options;
		struct ltune_request *request = NULL;
		int wrong = 0;

		ltune_options_init(&options);
		options.logic = "fixed";
		options.fixed = ltune_function_set_name(set, f);
		check_ok(c, ltune_request_create(topology, vector, set, &options, &request, &e), &e,
			 options.fixed);
		for (int i = 0; i < n; i++)
			data[i] = addend(c, 0, i);
		check_ok(c, ltune_request_start(request, &e), &e, options.fixed);
		for (int i = 0; i < n; i++)
			wrong += data[i] != sum(c, 0, i);
		check(c, !wrong, "%s of %d: %d elements are wrong", options.fixed, n, wrong);
		check_ok(c, ltune_request_free(&request, &e), &e, "free");
	}
	ltune_vector_free(&vector);
	ltune_topology_free(&topology, &e);
}

void test_collectives(struct checks *c)
{
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_set_broadcast(&set, &e), &e, "set");
	check(c, ltune_function_set_size(set) >= 3, "too few broadcasts");
	for (int root = 0; root<c->size; root += c->size> 4 ? c->size - 1 : 1) {
		one(c, set, 1, 1, root, 0, of_rank_or_nothing, of_root); /* fewer than parts */
		one(c, set, 7, 13, root, 0, of_rank_or_nothing, of_root);
	}
	ltune_function_set_free(&set);
	check_ok(c, ltune_set_allreduce(&set, &e), &e, "set");
	check(c, ltune_function_set_size(set) >= 3, "too few all-reduces");
	allreduce(c, set, 1);
	allreduce(c, set, 97);
	ltune_function_set_free(&set);
	check_ok(c, ltune_set_alltoall(&set, &e), &e, "set");
	check(c, ltune_function_set_size(set) >= 3, "too few all-to-alls");
	for (block = 1; block < 20; block += 6)
		one(c, set, c->size, block, 0, 1, outgoing, incoming);
	ltune_function_set_free(&set);
}
