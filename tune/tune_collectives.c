/* Sets of collective operations, each with algorithms that are textbook and with what MPI chooses.
 * Sources: Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in
 * MPICH", IJHPCA 19(1), 2005; Bruck et al., "Efficient Algorithms for All-to-All Communications in
 * Multiport Message-Passing Systems", IEEE TPDS 8(11), 1997. Vectors have no halo here. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune_objects.h"

enum { TAG = 100 };

static int elements(const struct ltune_context *c)
{
	int n = 1;

	for (int d = 0; d < c->ndims; d++)
		n *= c->dims[d];
	return n;
}

/* Part i of n elements in p parts: the first n mod p have one more. */
static void part_of(int n, int p, int i, int *first, int *count)
{
	const int more = n % p;

	*count = n / p + (i < more);
	*first = i * (n / p) + (i < more ? i : more);
}

static char *element(const struct ltune_context *c, void *buffer, int i)
{
	return (char *)buffer + (size_t)i * c->type_bytes;
}

/* A working copy of a vector, where an algorithm needs one. */
static int prepare_copy(const struct ltune_context *c, void **state)
{
	*state = malloc((size_t)elements(c) * c->type_bytes);
	return *state ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static void release_copy(const struct ltune_context *c, void *state)
{
	(void)c;
	free(state);
}

/* Collective. Dimensions alike everywhere, no halo, and a size that MPI's counts can say. */
static enum ltune_code check_vector(const struct ltune_context *c, struct ltune_error *e)
{
	long long n = 1, mine[2], all[2];
	enum ltune_code rc = LTUNE_OK;

	for (int d = 0; d < c->ndims && n <= INT_MAX; d++)
		n *= c->dims[d];
	if (c->halo)
		rc = ltune_fail(e, LTUNE_ARG, "a collective takes no halo, this has %d", c->halo);
	else if (n > INT_MAX)
		rc = ltune_fail(e, LTUNE_ARG, "a collective takes up to %d elements", INT_MAX);
	mine[0] = n * (long long)c->type_bytes;
	mine[1] = -mine[0];
	if ((rc = ltune_agree(c->comm, rc, e)) ||
	    (rc = ltune_fail_mpi(e, MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_MAX, c->comm),
				 "collective")))
		return rc;
	if (all[0] != -all[1])
		return ltune_fail(e, LTUNE_MISMATCH, "vectors of %lld to %lld bytes", -all[1],
				  all[0]);
	return LTUNE_OK;
}

/* ---- broadcast ---- */

static int broadcast_mpi(const struct ltune_context *c, void *state)
{
	(void)state;
	return MPI_Bcast(c->buffer, elements(c), c->type, c->root, c->comm);
}

static int broadcast_linear(const struct ltune_context *c, void *state)
{
	int rc = MPI_SUCCESS;

	(void)state;
	if (c->rank != c->root)
		return MPI_Recv(c->buffer, elements(c), c->type, c->root, TAG, c->comm,
				MPI_STATUS_IGNORE);
	for (int to = 0; !rc && to < c->n_procs; to++) {
		if (to != c->root)
			rc = MPI_Send(c->buffer, elements(c), c->type, to, TAG, c->comm);
	}
	return rc;
}

/* Process v (counted from the root) receives from v less its lowest bit. */
static int broadcast_binomial(const struct ltune_context *c, void *state)
{
	const int p = c->n_procs, v = (c->rank - c->root + p) % p;
	int bit = 1, rc = MPI_SUCCESS;

	(void)state;
	for (; bit < p && !(v & bit); bit <<= 1)
		;
	if (v)
		rc = MPI_Recv(c->buffer, elements(c), c->type, (v - bit + c->root) % p, TAG,
			      c->comm, MPI_STATUS_IGNORE);
	for (bit >>= 1; !rc && bit; bit >>= 1) {
		if (v + bit < p)
			rc = MPI_Send(c->buffer, elements(c), c->type, (v + bit + c->root) % p, TAG,
				      c->comm);
	}
	return rc;
}

/* From one to the next, in p parts, so that all links are busy. */
static int broadcast_chain(const struct ltune_context *c, void *state)
{
	const int p = c->n_procs, v = (c->rank - c->root + p) % p;
	int rc = MPI_SUCCESS;

	(void)state;
	for (int i = 0; !rc && i < p; i++) {
		int first, count;

		part_of(elements(c), p, i, &first, &count);
		if (v)
			rc = MPI_Recv(element(c, c->buffer, first), count, c->type,
				      (c->rank - 1 + p) % p, TAG, c->comm, MPI_STATUS_IGNORE);
		if (!rc && v + 1 < p)
			rc = MPI_Send(element(c, c->buffer, first), count, c->type,
				      (c->rank + 1) % p, TAG, c->comm);
	}
	return rc;
}

/* ---- all-reduce, in place ---- */

static int allreduce_mpi(const struct ltune_context *c, void *state)
{
	(void)state;
	return MPI_Allreduce(MPI_IN_PLACE, c->buffer, elements(c), c->type, c->op, c->comm);
}

static int allreduce_reduce_broadcast(const struct ltune_context *c, void *state)
{
	const int n = elements(c);
	int rc;

	(void)state;
	if (c->rank == c->root)
		rc = MPI_Reduce(MPI_IN_PLACE, c->buffer, n, c->type, c->op, c->root, c->comm);
	else
		rc = MPI_Reduce(c->buffer, NULL, n, c->type, c->op, c->root, c->comm);
	return rc ? rc : MPI_Bcast(c->buffer, n, c->type, c->root, c->comm);
}

/* Those beyond the largest power of two hand their part to a partner before, and get the result. */
static int allreduce_doubling(const struct ltune_context *c, void *state)
{
	const int n = elements(c);
	int whole = 1, rc = MPI_SUCCESS;

	while (2 * whole <= c->n_procs)
		whole *= 2;
	if (c->rank >= whole) {
		rc = MPI_Send(c->buffer, n, c->type, c->rank - whole, TAG, c->comm);
		return rc ? rc
			  : MPI_Recv(c->buffer, n, c->type, c->rank - whole, TAG, c->comm,
				     MPI_STATUS_IGNORE);
	}
	if (c->rank + whole < c->n_procs) {
		rc = MPI_Recv(state, n, c->type, c->rank + whole, TAG, c->comm, MPI_STATUS_IGNORE);
		if (!rc)
			rc = MPI_Reduce_local(state, c->buffer, n, c->type, c->op);
	}
	for (int bit = 1; !rc && bit < whole; bit *= 2) {
		rc = MPI_Sendrecv(c->buffer, n, c->type, c->rank ^ bit, TAG, state, n, c->type,
				  c->rank ^ bit, TAG, c->comm, MPI_STATUS_IGNORE);
		if (!rc)
			rc = MPI_Reduce_local(state, c->buffer, n, c->type, c->op);
	}
	if (!rc && c->rank + whole < c->n_procs)
		rc = MPI_Send(c->buffer, n, c->type, c->rank + whole, TAG, c->comm);
	return rc;
}

/* Reduce-scatter round the ring, then gather round the ring. */
static int allreduce_ring(const struct ltune_context *c, void *state)
{
	const int p = c->n_procs, n = elements(c), up = (c->rank + 1) % p,
		  down = (c->rank - 1 + p) % p;
	int rc = MPI_SUCCESS;

	for (int step = 0; !rc && step < 2 * (p - 1); step++) {
		const int gather = step >= p - 1;
		int first, count, into, n_into;

		part_of(n, p, (c->rank - step + 2 * p) % p, &first, &count);
		part_of(n, p, (c->rank - step - 1 + 2 * p) % p, &into, &n_into);
		rc = MPI_Sendrecv(element(c, c->buffer, first), count, c->type, up, TAG,
				  gather ? element(c, c->buffer, into) : state, n_into, c->type,
				  down, TAG, c->comm, MPI_STATUS_IGNORE);
		if (!rc && !gather)
			rc = MPI_Reduce_local(state, element(c, c->buffer, into), n_into, c->type,
					      c->op);
	}
	return rc;
}

/* ---- all-to-all ---- */

static int block_elements(const struct ltune_context *c)
{
	return elements(c) / c->n_procs;
}

static enum ltune_code check_alltoall(const struct ltune_context *c, struct ltune_error *e)
{
	enum ltune_code rc = LTUNE_OK;

	if (!c->result || c->result == c->buffer)
		rc = ltune_fail(e, LTUNE_ARG, "all-to-all needs a result vector of its own");
	else if (c->dims[0] != c->n_procs)
		rc = ltune_fail(e, LTUNE_MISMATCH, "all-to-all of %d blocks on %d processes",
				c->dims[0], c->n_procs);
	if ((rc = ltune_agree(c->comm, rc, e)))
		return rc;
	return check_vector(c, e);
}

static int alltoall_mpi(const struct ltune_context *c, void *state)
{
	const int n = block_elements(c);

	(void)state;
	return MPI_Alltoall(c->buffer, n, c->type, c->result, n, c->type, c->comm);
}

static int alltoall_linear(const struct ltune_context *c, void *state)
{
	MPI_Request *requests = state;
	const int p = c->n_procs, n = block_elements(c);
	int rc = MPI_SUCCESS;

	for (int i = 0; i < 2 * p; i++)
		requests[i] = MPI_REQUEST_NULL;
	for (int i = 0; !rc && i < p; i++) {
		const int from = (c->rank + i) % p;

		rc = MPI_Irecv(element(c, c->result, from * n), n, c->type, from, TAG, c->comm,
			       &requests[i]);
	}
	for (int i = 0; !rc && i < p; i++) {
		const int to = (c->rank - i + p) % p;

		rc = MPI_Isend(element(c, c->buffer, to * n), n, c->type, to, TAG, c->comm,
			       &requests[p + i]);
	}
	return rc;
}

static int end_alltoall_linear(const struct ltune_context *c, void *state)
{
	return MPI_Waitall(2 * c->n_procs, state, MPI_STATUSES_IGNORE);
}

static int prepare_requests(const struct ltune_context *c, void **state)
{
	*state = malloc(2 * (size_t)c->n_procs * sizeof(MPI_Request));
	return *state ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int alltoall_pairwise(const struct ltune_context *c, void *state)
{
	const int p = c->n_procs, n = block_elements(c);
	int rc = MPI_SUCCESS;

	(void)state;
	for (int i = 0; !rc && i < p; i++) {
		const int to = (c->rank + i) % p, from = (c->rank - i + p) % p;

		rc = MPI_Sendrecv(element(c, c->buffer, to * n), n, c->type, to, TAG,
				  element(c, c->result, from * n), n, c->type, from, TAG, c->comm,
				  MPI_STATUS_IGNORE);
	}
	return rc;
}

/* Bruck: log2 p messages of half of all blocks each, for small blocks. */
struct bruck {
	char *rotated, *out, *in;
};

static void release_bruck(const struct ltune_context *c, void *state)
{
	struct bruck *b = state;

	(void)c;
	if (!b)
		return;
	free(b->rotated);
	free(b->out);
	free(b->in);
	free(b);
}

static int prepare_bruck(const struct ltune_context *c, void **state)
{
	const size_t bytes = (size_t)elements(c) * c->type_bytes;
	struct bruck *b = calloc(1, sizeof *b);

	*state = b;
	if (!b)
		return MPI_ERR_NO_MEM;
	b->rotated = malloc(bytes);
	b->out = malloc(bytes);
	b->in = malloc(bytes);
	return b->rotated && b->out && b->in ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int alltoall_bruck(const struct ltune_context *c, void *state)
{
	struct bruck *b = state;
	const int p = c->n_procs, n = block_elements(c);
	const size_t bytes = (size_t)n * c->type_bytes;

	for (int i = 0; i < p; i++)
		memcpy(b->rotated + (size_t)i * bytes, element(c, c->buffer, (c->rank + i) % p * n),
		       bytes);
	for (int bit = 1; bit < p; bit *= 2) {
		int count = 0, rc;

		for (int i = 0; i < p; i++) {
			if (i & bit)
				memcpy(b->out + (size_t)count++ * bytes,
				       b->rotated + (size_t)i * bytes, bytes);
		}
		rc = MPI_Sendrecv(b->out, count * n, c->type, (c->rank + bit) % p, TAG, b->in,
				  count * n, c->type, (c->rank - bit + p) % p, TAG, c->comm,
				  MPI_STATUS_IGNORE);
		if (rc)
			return rc;
		count = 0;
		for (int i = 0; i < p; i++) {
			if (i & bit)
				memcpy(b->rotated + (size_t)i * bytes,
				       b->in + (size_t)count++ * bytes, bytes);
		}
	}
	for (int i = 0; i < p; i++)
		memcpy(element(c, c->result, (c->rank - i + p) % p * n),
		       b->rotated + (size_t)i * bytes, bytes);
	return MPI_SUCCESS;
}

/* ---- the sets ---- */

#define PLAIN(begin)                    \
	{                               \
		NULL, begin, NULL, NULL \
	}
#define COPYING(begin)                                  \
	{                                               \
		prepare_copy, begin, NULL, release_copy \
	}

static const struct ltune_attribute_row broadcast_attributes[] = {
	{"algorithm", 0, {"mpi", "linear", "binomial", "chain"}},
};
static const struct ltune_function_row broadcast_functions[] = {
	{"broadcast_mpi", {0}, PLAIN(broadcast_mpi)},
	{"broadcast_linear", {1}, PLAIN(broadcast_linear)},
	{"broadcast_binomial", {2}, PLAIN(broadcast_binomial)},
	{"broadcast_chain", {3}, PLAIN(broadcast_chain)},
};
static const struct ltune_attribute_row allreduce_attributes[] = {
	{"algorithm", 0, {"mpi", "reduce-broadcast", "recursive-doubling", "ring"}},
};
static const struct ltune_function_row allreduce_functions[] = {
	{"allreduce_mpi", {0}, PLAIN(allreduce_mpi)},
	{"allreduce_reduce_broadcast", {1}, PLAIN(allreduce_reduce_broadcast)},
	{"allreduce_doubling", {2}, COPYING(allreduce_doubling)},
	{"allreduce_ring", {3}, COPYING(allreduce_ring)},
};
static const struct ltune_attribute_row alltoall_attributes[] = {
	{"algorithm", 0, {"mpi", "linear", "pairwise", "bruck"}},
};
static const struct ltune_function_row alltoall_functions[] = {
	{"alltoall_mpi", {0}, PLAIN(alltoall_mpi)},
	{"alltoall_linear",
	 {1},
	 {prepare_requests, alltoall_linear, end_alltoall_linear, release_copy}},
	{"alltoall_pairwise", {2}, PLAIN(alltoall_pairwise)},
	{"alltoall_bruck", {3}, {prepare_bruck, alltoall_bruck, NULL, release_bruck}},
};

enum ltune_code ltune_set_broadcast(struct ltune_function_set **out, struct ltune_error *e)
{
	enum ltune_code rc = ltune_set_from_tables("broadcast", 1, broadcast_attributes, 4,
						   broadcast_functions, out, e);

	if (!rc)
		(*out)->check = check_vector;
	return rc;
}

enum ltune_code ltune_set_allreduce(struct ltune_function_set **out, struct ltune_error *e)
{
	enum ltune_code rc = ltune_set_from_tables("allreduce", 1, allreduce_attributes, 4,
						   allreduce_functions, out, e);

	if (!rc)
		(*out)->check = check_vector;
	return rc;
}

enum ltune_code ltune_set_alltoall(struct ltune_function_set **out, struct ltune_error *e)
{
	enum ltune_code rc = ltune_set_from_tables("alltoall", 1, alltoall_attributes, 4,
						   alltoall_functions, out, e);

	if (!rc)
		(*out)->check = check_alltoall;
	return rc;
}
