/* The neighbourhood set: 20 implementations of one halo exchange, as listed by Gabriel and Huang
 * (HIPS 2007, table "Currently available implementations for neighborhood communication").
 *
 * Message m = 2 d + s travels along dimension d, downwards (s = 0) or upwards (s = 1): out of the
 * owned elements at side s, to the neighbour at side s, into its halo at side 1 - s. "All at once"
 * has all messages under way together; "pair" has one direction of one dimension at a time.
 *
 * The table calls some all-at-once functions "ddt" that carry "pack" in their names; the names are
 * right. Edges and corners of the halo are not exchanged and not touched. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune_neighbourhood.h"
#include "tune/tune_objects.h"

enum { MAX_MESSAGES = 2 * LTUNE_MAX_DIMS };
_Static_assert((int)MAX_MESSAGES == (int)NEIGHBOURHOOD_MAX_MESSAGES, "limits differ");

/* ---- slabs: the part of a local array that a message fills or empties ---- */

struct slab {
	int size[LTUNE_MAX_DIMS];  /* of the array with its halo */
	int count[LTUNE_MAX_DIMS]; /* of the slab */
	int first[LTUNE_MAX_DIMS];
};

/* In an array of dims[]: the halo, or the owned elements next to it, at this side of dimension d.
 */
static struct slab slab_of(const int *dims, int ndims, int halo, int d, int side, int owned)
{
	struct slab s = {{0}, {0}, {0}};

	for (int k = 0; k < ndims; k++) {
		s.size[k] = dims[k] + 2 * halo;
		s.count[k] = k == d ? halo : dims[k];
		s.first[k] = halo;
	}
	if (owned)
		s.first[d] = side ? dims[d] : halo;
	else
		s.first[d] = side ? dims[d] + halo : 0;
	return s;
}

static int slab_elements(const struct slab *s, int ndims)
{
	int n = 1;

	for (int k = 0; k < ndims; k++)
		n *= s->count[k];
	return n;
}

/* Copy a slab out of the array into packed[], or back. Rows of the last dimension are contiguous.
 */
static void slab_copy(const struct slab *s, int ndims, size_t type_bytes, char *array, char *packed,
		      int out)
{
	const int last = ndims - 1;
	const size_t row_bytes = (size_t)s->count[last] * type_bytes;
	const int n_rows = slab_elements(s, ndims) / s->count[last];
	int at[LTUNE_MAX_DIMS] = {0};

	for (int row = 0; row < n_rows; row++) {
		size_t offset = 0;
		char *cell;

		for (int k = 0; k < ndims; k++)
			offset = offset * (size_t)s->size[k] + (size_t)(s->first[k] + at[k]);
		cell = array + offset * type_bytes;
		if (out)
			memcpy(packed, cell, row_bytes);
		else
			memcpy(cell, packed, row_bytes);
		packed += row_bytes;
		for (int k = last - 1; k >= 0 && ++at[k] == s->count[k]; k--)
			at[k] = 0;
	}
}

static int slab_type(const struct slab *s, int ndims, MPI_Datatype element, MPI_Datatype *out)
{
	int rc = MPI_Type_create_subarray(ndims, s->size, s->count, s->first, MPI_ORDER_C, element,
					  out);

	return rc ? rc : MPI_Type_commit(out);
}

/* ---- the exchange as one process sees it ---- */

struct exchange {
	int n_messages;
	int send_to[MAX_MESSAGES], receive_from[MAX_MESSAGES];
	struct slab out[MAX_MESSAGES], in[MAX_MESSAGES];
	/* derived datatypes, or NULL and packed copies */
	MPI_Datatype out_type[MAX_MESSAGES], in_type[MAX_MESSAGES];
	int packed;
	char *out_packed[MAX_MESSAGES], *in_packed[MAX_MESSAGES];
	MPI_Request requests[2 * MAX_MESSAGES];
	int n_requests;
	/* One-sided: windows on the same array, one for all messages or one for each; datatypes in
	 * the neighbour's array. */
	MPI_Win window[MAX_MESSAGES];
	int n_windows;
	MPI_Datatype put_type[MAX_MESSAGES], get_type[MAX_MESSAGES];
	MPI_Group all, to[MAX_MESSAGES], from[MAX_MESSAGES];
};

static void free_type(MPI_Datatype *type)
{
	if (*type != MPI_DATATYPE_NULL)
		MPI_Type_free(type);
}

static void free_group(MPI_Group *group)
{
	if (*group != MPI_GROUP_NULL && *group != MPI_GROUP_EMPTY)
		MPI_Group_free(group);
}

static void exchange_release(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;

	(void)c;
	if (!x)
		return;
	for (int m = 0; m < MAX_MESSAGES; m++) {
		if (x->window[m] != MPI_WIN_NULL)
			MPI_Win_free(&x->window[m]);
		free_type(&x->out_type[m]);
		free_type(&x->in_type[m]);
		free_type(&x->put_type[m]);
		free_type(&x->get_type[m]);
		free_group(&x->to[m]);
		free_group(&x->from[m]);
		free(x->out_packed[m]);
		free(x->in_packed[m]);
	}
	free_group(&x->all);
	free(x);
}

static struct exchange *exchange_new(const struct ltune_context *c)
{
	struct exchange *x = calloc(1, sizeof *x);

	if (!x)
		return NULL;
	x->n_messages = 2 * c->ndims;
	x->all = MPI_GROUP_NULL;
	for (int m = 0; m < MAX_MESSAGES; m++) {
		x->out_type[m] = x->in_type[m] = MPI_DATATYPE_NULL;
		x->put_type[m] = x->get_type[m] = MPI_DATATYPE_NULL;
		x->to[m] = x->from[m] = MPI_GROUP_NULL;
		x->window[m] = MPI_WIN_NULL;
	}
	for (int m = 0; m < x->n_messages; m++) {
		const int d = m / 2, s = m % 2;

		x->send_to[m] = c->neighbour[2 * d + s];
		x->receive_from[m] = c->neighbour[2 * d + 1 - s];
		x->out[m] = slab_of(c->dims, c->ndims, c->halo, d, s, 1);
		x->in[m] = slab_of(c->dims, c->ndims, c->halo, d, 1 - s, 0);
	}
	return x;
}

static int prepare_derived(const struct ltune_context *c, void **state)
{
	struct exchange *x = exchange_new(c);
	int rc = MPI_SUCCESS;

	if (!x)
		return MPI_ERR_NO_MEM;
	*state = x;
	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = slab_type(&x->out[m], c->ndims, c->type, &x->out_type[m]);
		if (!rc)
			rc = slab_type(&x->in[m], c->ndims, c->type, &x->in_type[m]);
	}
	return rc;
}

static int prepare_packed(const struct ltune_context *c, void **state)
{
	struct exchange *x = exchange_new(c);

	if (!x)
		return MPI_ERR_NO_MEM;
	*state = x;
	x->packed = 1;
	for (int m = 0; m < x->n_messages; m++) {
		const size_t n = (size_t)slab_elements(&x->out[m], c->ndims) * c->type_bytes;

		x->out_packed[m] = malloc(n);
		x->in_packed[m] = malloc(n);
		if (!x->out_packed[m] || !x->in_packed[m])
			return MPI_ERR_NO_MEM;
	}
	return MPI_SUCCESS;
}

/* ---- two-sided messages, derived datatype or packed ---- */

/* Where message m leaves from, or arrives: address, count and datatype of one MPI call. */
struct place {
	void *address;
	int count;
	MPI_Datatype type;
};

#ifdef SMPI_H
/* Simulated: copying costs time, 8 GB/s in a processor of 1 Gflop/s. */
static void copying_takes(size_t bytes)
{
	smpi_execute_flops((double)bytes / 8);
}
#else
static void copying_takes(size_t bytes)
{
	(void)bytes;
}
#endif

static struct place leave(const struct ltune_context *c, struct exchange *x, int m)
{
	const int n = slab_elements(&x->out[m], c->ndims);

	if (!x->packed)
		return (struct place){c->buffer, 1, x->out_type[m]};
	if (x->send_to[m] != MPI_PROC_NULL) {
		slab_copy(&x->out[m], c->ndims, c->type_bytes, c->buffer, x->out_packed[m], 1);
		copying_takes((size_t)n * c->type_bytes);
	}
	return (struct place){x->out_packed[m], n, c->type};
}

static struct place arrive(const struct ltune_context *c, const struct exchange *x, int m)
{
	if (!x->packed)
		return (struct place){c->buffer, 1, x->in_type[m]};
	return (struct place){x->in_packed[m], slab_elements(&x->in[m], c->ndims), c->type};
}

static void unpack(const struct ltune_context *c, struct exchange *x, int m)
{
	if (!x->packed || x->receive_from[m] == MPI_PROC_NULL)
		return;
	slab_copy(&x->in[m], c->ndims, c->type_bytes, c->buffer, x->in_packed[m], 0);
	copying_takes((size_t)slab_elements(&x->in[m], c->ndims) * c->type_bytes);
}

static int post_receive(const struct ltune_context *c, struct exchange *x, int m)
{
	const struct place p = arrive(c, x, m);

	return MPI_Irecv(p.address, p.count, p.type, x->receive_from[m], m, c->comm,
			 &x->requests[x->n_requests++]);
}

static int post_send(const struct ltune_context *c, struct exchange *x, int m)
{
	const struct place p = leave(c, x, m);

	return MPI_Isend(p.address, p.count, p.type, x->send_to[m], m, c->comm,
			 &x->requests[x->n_requests++]);
}

static int send(const struct ltune_context *c, struct exchange *x, int m)
{
	const struct place p = leave(c, x, m);

	return MPI_Send(p.address, p.count, p.type, x->send_to[m], m, c->comm);
}

static int receive(const struct ltune_context *c, struct exchange *x, int m)
{
	const struct place p = arrive(c, x, m);

	return MPI_Recv(p.address, p.count, p.type, x->receive_from[m], m, c->comm,
			MPI_STATUS_IGNORE);
}

static int wait_all(struct exchange *x)
{
	int n = x->n_requests;

	x->n_requests = 0;
	return MPI_Waitall(n, x->requests, MPI_STATUSES_IGNORE);
}

static int end_all(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = wait_all(x);

	for (int m = 0; !rc && m < x->n_messages; m++)
		unpack(c, x, m);
	return rc;
}

static int isend_irecv_all(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = post_receive(c, x, m);
	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = post_send(c, x, m);
	return rc;
}

static int isend_irecv_pair(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = post_receive(c, x, m);
		if (!rc)
			rc = post_send(c, x, m);
		if (!rc)
			rc = wait_all(x);
		unpack(c, x, m);
	}
	return rc;
}

/* Every receive is posted before the first process sends, so blocking sends go through. */
static int send_irecv_all(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = post_receive(c, x, m);
	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = send(c, x, m);
	return rc;
}

static int send_irecv_pair(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = post_receive(c, x, m);
		if (!rc)
			rc = send(c, x, m);
		if (!rc)
			rc = wait_all(x);
		unpack(c, x, m);
	}
	return rc;
}

static int sendrecv_one(const struct ltune_context *c, struct exchange *x, int m)
{
	const struct place out = leave(c, x, m), in = arrive(c, x, m);

	return MPI_Sendrecv(out.address, out.count, out.type, x->send_to[m], m, in.address,
			    in.count, in.type, x->receive_from[m], m, c->comm, MPI_STATUS_IGNORE);
}

static int sendrecv_pair(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = sendrecv_one(c, x, m);
		unpack(c, x, m);
	}
	return rc;
}

/* Both calls block: processes at odd coordinates receive first, which breaks every ring. A process
 * that is its own neighbour has none to break it with, and copies by MPI_Sendrecv(). */
static int send_recv_pair(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++) {
		if (x->send_to[m] == c->rank) {
			rc = sendrecv_one(c, x, m);
		} else if (c->coordinate[m / 2] % 2) {
			rc = receive(c, x, m);
			if (!rc)
				rc = send(c, x, m);
		} else {
			rc = send(c, x, m);
			if (!rc)
				rc = receive(c, x, m);
		}
		unpack(c, x, m);
	}
	return rc;
}

/* ---- one-sided ---- */

/* The sizes of the neighbours' arrays, which need not be ours in the dimension between us:
 * theirs[2 d + s][] of the neighbour at side s of dimension d; halo and element size at the end. */
enum { SHAPE = LTUNE_MAX_DIMS + 3 };

static int neighbours_shapes(const struct ltune_context *c, int theirs[MAX_MESSAGES][SHAPE])
{
	int mine[SHAPE] = {0}, rc = MPI_SUCCESS;

	memcpy(mine, c->dims, (size_t)c->ndims * sizeof *mine);
	mine[LTUNE_MAX_DIMS] = c->halo;
	mine[LTUNE_MAX_DIMS + 1] = (int)c->type_bytes;
	mine[LTUNE_MAX_DIMS + 2] = c->ndims;
	for (int side = 0; !rc && side < 2 * c->ndims; side++) {
		const int other = side ^ 1; /* the opposite side of the same dimension */

		memcpy(theirs[side], mine, sizeof mine);
		rc = MPI_Sendrecv(mine, SHAPE, MPI_INT, c->neighbour[other], side, theirs[side],
				  SHAPE, MPI_INT, c->neighbour[side], side, c->comm,
				  MPI_STATUS_IGNORE);
	}
	return rc;
}

static int group_of(MPI_Group world, int n, const int *ranks, MPI_Group *out)
{
	int unique[MAX_MESSAGES], n_unique = 0;

	for (int i = 0; i < n; i++) {
		int known = ranks[i] == MPI_PROC_NULL;

		for (int j = 0; j < n_unique; j++)
			known |= unique[j] == ranks[i];
		if (!known)
			unique[n_unique++] = ranks[i];
	}
	if (!n_unique) {
		*out = MPI_GROUP_EMPTY;
		return MPI_SUCCESS;
	}
	return MPI_Group_incl(world, n_unique, unique, out);
}

static int prepare_groups(const struct ltune_context *c, struct exchange *x)
{
	MPI_Group world = MPI_GROUP_NULL;
	int rc = MPI_Comm_group(c->comm, &world);

	if (!rc)
		rc = group_of(world, x->n_messages, x->send_to, &x->all);
	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = group_of(world, 1, &x->send_to[m], &x->to[m]);
		if (!rc)
			rc = group_of(world, 1, &x->receive_from[m], &x->from[m]);
	}
	free_group(&world);
	return rc;
}

/* Collective: rc, or the failure of another process. MPI_Win_create() would wait for it. */
static int all_succeed(const struct ltune_context *c, int rc)
{
	int failed = rc != MPI_SUCCESS, any = 0;
	int reduced = MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, c->comm);

	if (rc)
		return rc;
	return reduced ? reduced : any ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int prepare_target_types(const struct ltune_context *c, struct exchange *x)
{
	int theirs[MAX_MESSAGES][SHAPE], rc = neighbours_shapes(c, theirs);

	for (int m = 0; !rc && m < x->n_messages; m++) {
		const int d = m / 2, s = m % 2;
		const struct slab into = slab_of(theirs[2 * d + s], c->ndims, c->halo, d, 1 - s, 0);
		const struct slab from = slab_of(theirs[2 * d + 1 - s], c->ndims, c->halo, d, s, 1);

		rc = slab_type(&into, c->ndims, c->type, &x->put_type[m]);
		if (!rc)
			rc = slab_type(&from, c->ndims, c->type, &x->get_type[m]);
	}
	return rc;
}

static int prepare_windows(const struct ltune_context *c, void **state, int n_windows)
{
	MPI_Aint bytes = (MPI_Aint)c->type_bytes;
	int rc = all_succeed(c, prepare_derived(c, state));
	struct exchange *x = *state;

	if (!rc)
		rc = prepare_target_types(c, x);
	if (!rc)
		rc = prepare_groups(c, x);
	rc = all_succeed(c, rc);
	for (int d = 0; d < c->ndims; d++)
		bytes *= c->dims[d] + 2 * c->halo;
	for (int w = 0; !rc && w < n_windows; w++) {
		rc = MPI_Win_create(c->buffer, bytes, 1, MPI_INFO_NULL, c->comm, &x->window[w]);
		if (!rc)
			rc = MPI_Win_set_errhandler(x->window[w], MPI_ERRORS_RETURN);
		x->n_windows += !rc;
	}
	return rc;
}

/* Two calls, as what shares a state shares a window, and a window has one kind of epochs. */
static int prepare_fence(const struct ltune_context *c, void **state)
{
	return prepare_windows(c, state, 1);
}

static int prepare_post_start(const struct ltune_context *c, void **state)
{
	return prepare_windows(c, state, 1);
}

/* MPICH 4.0 counts who has posted to a window, not whose post it is: with groups that change from
 * message to message, the post of a process that is ahead opens the wrong epoch. With a window for
 * each message the groups of a window never change, if Put and Get have windows of their own. */
static int prepare_post_start_each(const struct ltune_context *c, void **state)
{
	return prepare_windows(c, state, 2 * c->ndims);
}

static MPI_Win window_of(const struct exchange *x, int m)
{
	return x->window[x->n_windows > 1 ? m : 0];
}

static int put(const struct ltune_context *c, struct exchange *x, int m)
{
	if (x->send_to[m] == MPI_PROC_NULL)
		return MPI_SUCCESS;
	return MPI_Put(c->buffer, 1, x->out_type[m], x->send_to[m], 0, 1, x->put_type[m],
		       window_of(x, m));
}

static int get(const struct ltune_context *c, struct exchange *x, int m)
{
	if (x->receive_from[m] == MPI_PROC_NULL)
		return MPI_SUCCESS;
	return MPI_Get(c->buffer, 1, x->in_type[m], x->receive_from[m], 0, 1, x->get_type[m],
		       window_of(x, m));
}

typedef int transfer(const struct ltune_context *c, struct exchange *x, int m);

static int fence_all(const struct ltune_context *c, struct exchange *x, transfer *move)
{
	int rc = MPI_Win_fence(0, x->window[0]);

	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = move(c, x, m);
	return rc;
}

static int end_fence(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;

	(void)c;
	return MPI_Win_fence(0, x->window[0]);
}

static int fence_pair(const struct ltune_context *c, struct exchange *x, transfer *move)
{
	int rc = MPI_Win_fence(0, x->window[0]);

	for (int m = 0; !rc && m < x->n_messages; m++) {
		rc = move(c, x, m);
		if (!rc)
			rc = MPI_Win_fence(0, x->window[0]);
	}
	return rc;
}

/* Expose to those of one group, access those of the other. An empty group has no epoch: MPICH 4.0
 * waits for ever in one. */
static int open_epochs(MPI_Win window, MPI_Group expose_to, MPI_Group access)
{
	int rc = MPI_SUCCESS;

	if (expose_to != MPI_GROUP_EMPTY)
		rc = MPI_Win_post(expose_to, 0, window);
	if (!rc && access != MPI_GROUP_EMPTY)
		rc = MPI_Win_start(access, 0, window);
	return rc;
}

static int close_epochs(MPI_Win window, MPI_Group expose_to, MPI_Group access)
{
	int rc = MPI_SUCCESS;

	if (access != MPI_GROUP_EMPTY)
		rc = MPI_Win_complete(window);
	if (!rc && expose_to != MPI_GROUP_EMPTY)
		rc = MPI_Win_wait(window);
	return rc;
}

static int post_start_all(const struct ltune_context *c, struct exchange *x, transfer *move)
{
	int rc = open_epochs(x->window[0], x->all, x->all);

	for (int m = 0; !rc && m < x->n_messages; m++)
		rc = move(c, x, m);
	return rc;
}

static int end_post_start(const struct ltune_context *c, void *state)
{
	struct exchange *x = state;

	(void)c;
	return close_epochs(x->window[0], x->all, x->all);
}

/* Put: the one below or above writes here. Get: it reads here, so the groups change places. */
static int post_start_pair(const struct ltune_context *c, struct exchange *x, transfer *move)
{
	int rc = MPI_SUCCESS;

	for (int m = 0; !rc && m < x->n_messages; m++) {
		MPI_Group expose_to = move == put ? x->from[m] : x->to[m];
		MPI_Group access = move == put ? x->to[m] : x->from[m];

		rc = open_epochs(window_of(x, m), expose_to, access);
		if (!rc)
			rc = move(c, x, m);
		if (!rc)
			rc = close_epochs(window_of(x, m), expose_to, access);
	}
	return rc;
}

#define ONE_SIDED(name, protocol, move)                             \
	static int name(const struct ltune_context *c, void *state) \
	{                                                           \
		return protocol(c, state, move);                    \
	}
ONE_SIDED(fence_put_all, fence_all, put)
ONE_SIDED(fence_get_all, fence_all, get)
ONE_SIDED(fence_put_pair, fence_pair, put)
ONE_SIDED(fence_get_pair, fence_pair, get)
ONE_SIDED(post_start_put_all, post_start_all, put)
ONE_SIDED(post_start_get_all, post_start_all, get)
ONE_SIDED(post_start_put_pair, post_start_pair, put)
ONE_SIDED(post_start_get_pair, post_start_pair, get)

/* ---- the set ---- */

/* Collective. Dimensions and neighbours that cannot exchange, before any message is lost. */
static enum ltune_code check_neighbourhood(const struct ltune_context *c, struct ltune_error *e)
{
	int theirs[MAX_MESSAGES][SHAPE];
	enum ltune_code rc = LTUNE_OK;

	if (c->grid_ndims != c->ndims || c->grid_ndims == 0)
		rc = ltune_fail(e, LTUNE_MISMATCH,
				"a vector of %d dimensions on a process grid of %d", c->ndims,
				c->grid_ndims);
	else if (c->halo < 1)
		rc = ltune_fail(e, LTUNE_ARG, "a neighbourhood needs a halo, its width is 0");
	for (int d = 0; !rc && d < c->ndims; d++) {
		long long face = c->halo;

		if (c->dims[d] < c->halo)
			rc = ltune_fail(e, LTUNE_MISMATCH,
					"dimension %d: %d elements cannot fill a halo of %d", d,
					c->dims[d], c->halo);
		for (int k = 0; !rc && k < c->ndims; k++) {
			if (k != d && (face *= c->dims[k]) > INT_MAX)
				rc = ltune_fail(e, LTUNE_MISMATCH, "dimension %d: face too large",
						d);
		}
	}
	/* A process with another number of dimensions would wait for other messages. */
	if ((rc = ltune_agree(c->comm, rc, e)) ||
	    (rc = ltune_fail_mpi(e, neighbours_shapes(c, theirs), "neighbourhood")))
		return rc;
	for (int side = 0; side < 2 * c->ndims; side++) {
		const int *t = theirs[side];

		if (t[LTUNE_MAX_DIMS] != c->halo || t[LTUNE_MAX_DIMS + 1] != (int)c->type_bytes)
			return ltune_fail(e, LTUNE_MISMATCH,
					  "process %d has another halo or element size",
					  c->neighbour[side]);
		for (int k = 0; k < c->ndims; k++) {
			if (k != side / 2 && t[k] != c->dims[k])
				return ltune_fail(
					e, LTUNE_MISMATCH,
					"dimension %d: %d elements here, %d on process %d", k,
					c->dims[k], t[k], c->neighbour[side]);
		}
		if (t[side / 2] < c->halo)
			return ltune_fail(e, LTUNE_MISMATCH, "process %d cannot fill the halo",
					  c->neighbour[side]);
	}
	return LTUNE_OK;
}

static const struct ltune_attribute_row attributes[] = {
	{"pattern", 0, {"aao", "pair"}},
	{"data", 0, {"ddt", "pack"}},
	{"primitive",
	 0,
	 {"Isend-Irecv", "Send-Irecv", "Send-Recv", "Sendrecv", "fence-Put", "fence-Get",
	  "post-start-Put", "post-start-Get"}},
	/* Follows from pattern and primitive. */
	{"overlap", 1, {"none", "receives", "both"}},
};

#define DDT(begin, end)                                       \
	{                                                     \
		prepare_derived, begin, end, exchange_release \
	}
#define PACKED(begin, end)                                   \
	{                                                    \
		prepare_packed, begin, end, exchange_release \
	}
#define FENCED(begin, end)                                  \
	{                                                   \
		prepare_fence, begin, end, exchange_release \
	}
#define POSTED(begin, end)                                       \
	{                                                        \
		prepare_post_start, begin, end, exchange_release \
	}
#define POSTED_EACH(begin, end)                                       \
	{                                                             \
		prepare_post_start_each, begin, end, exchange_release \
	}

static const struct ltune_function_row functions[] = {
	{"IsendIrecv_aao", {AAO, DERIVED, ISEND_IRECV, BOTH}, DDT(isend_irecv_all, end_all)},
	{"IsendIrecv_pair", {PAIR, DERIVED, ISEND_IRECV, NO_OVERLAP}, DDT(isend_irecv_pair, NULL)},
	{"SendIrecv_aao", {AAO, DERIVED, SEND_IRECV, RECEIVES}, DDT(send_irecv_all, end_all)},
	{"SendIrecv_pair", {PAIR, DERIVED, SEND_IRECV, NO_OVERLAP}, DDT(send_irecv_pair, NULL)},
	{"IsendIrecv_aao_pack", {AAO, PACK, ISEND_IRECV, BOTH}, PACKED(isend_irecv_all, end_all)},
	{"IsendIrecv_pair_pack",
	 {PAIR, PACK, ISEND_IRECV, NO_OVERLAP},
	 PACKED(isend_irecv_pair, NULL)},
	{"SendIrecv_aao_pack", {AAO, PACK, SEND_IRECV, RECEIVES}, PACKED(send_irecv_all, end_all)},
	{"SendIrecv_pair_pack",
	 {PAIR, PACK, SEND_IRECV, NO_OVERLAP},
	 PACKED(send_irecv_pair, NULL)},
	{"SendRecv_pair", {PAIR, DERIVED, SEND_RECV, NO_OVERLAP}, DDT(send_recv_pair, NULL)},
	{"Sendrecv_pair", {PAIR, DERIVED, SENDRECV, NO_OVERLAP}, DDT(sendrecv_pair, NULL)},
	{"SendRecv_pair_pack", {PAIR, PACK, SEND_RECV, NO_OVERLAP}, PACKED(send_recv_pair, NULL)},
	{"Sendrecv_pair_pack", {PAIR, PACK, SENDRECV, NO_OVERLAP}, PACKED(sendrecv_pair, NULL)},
	{"WinfencePut_aao", {AAO, DERIVED, FENCE_PUT, BOTH}, FENCED(fence_put_all, end_fence)},
	{"WinfenceGet_aao", {AAO, DERIVED, FENCE_GET, BOTH}, FENCED(fence_get_all, end_fence)},
	{"PostStartPut_aao",
	 {AAO, DERIVED, PS_PUT, BOTH},
	 POSTED(post_start_put_all, end_post_start)},
	{"PostStartGet_aao",
	 {AAO, DERIVED, PS_GET, BOTH},
	 POSTED(post_start_get_all, end_post_start)},
	{"WinfencePut_pair", {PAIR, DERIVED, FENCE_PUT, NO_OVERLAP}, FENCED(fence_put_pair, NULL)},
	{"WinfenceGet_pair", {PAIR, DERIVED, FENCE_GET, NO_OVERLAP}, FENCED(fence_get_pair, NULL)},
	{"PostStartPut_pair",
	 {PAIR, DERIVED, PS_PUT, NO_OVERLAP},
	 POSTED_EACH(post_start_put_pair, NULL)},
	{"PostStartGet_pair",
	 {PAIR, DERIVED, PS_GET, NO_OVERLAP},
	 POSTED_EACH(post_start_get_pair, NULL)},
};

/* That on success at the end, two in prepare_windows(), and one for each window that is made:
 * as many as messages at most. */
static int agreements_of(int (*prepares)(const struct ltune_context *c, void **state))
{
	if (prepares == prepare_fence || prepares == prepare_post_start)
		return 4;
	return prepares == prepare_post_start_each ? 3 + 2 * LTUNE_MAX_DIMS : 1;
}

/* As of a process with all its neighbours, with this one's part of the grid. */
static void expect_neighbourhood(const struct ltune_function_set *set,
				 const struct ltune_context *c, const int *periodic,
				 const struct tune_network *network, double *time_s)
{
	struct neighbourhood_shape shape = {.n_procs = c->n_procs, .n_messages = 2 * c->ndims};

	for (int m = 0; m < shape.n_messages; m++) {
		const int d = m / 2;
		/* On two processes without a period each has one neighbour. */
		const int sends = c->grid[d] > 1 && (periodic[d] || c->grid[d] > 2 || m % 2);
		const struct slab face = slab_of(c->dims, c->ndims, c->halo, d, 0, 1);

		if (sends)
			shape.bytes[m] =
				(double)slab_elements(&face, c->ndims) * (double)c->type_bytes;
	}
	for (int f = 0; f < set->n; f++)
		time_s[f] = neighbourhood_expected_s(&shape, set->functions[f]->values, network);
}

enum ltune_code ltune_set_neighbourhood(struct ltune_function_set **out, struct ltune_error *e)
{
	enum ltune_code rc = ltune_set_from_tables(
		"neighbourhood", sizeof attributes / sizeof attributes[0], attributes,
		sizeof functions / sizeof functions[0], functions, out, e);

	if (rc)
		return rc;
	(*out)->check = check_neighbourhood;
	(*out)->expect = expect_neighbourhood;
	for (int f = 0; f < (*out)->n; f++) {
		struct ltune_function *function = (*out)->functions[f];

		function->shares_state = functions[f].steps.prepare != prepare_post_start_each;
		function->agreements = agreements_of(functions[f].steps.prepare);
		function->prepares_alone = function->agreements == 1;
	}
	return LTUNE_OK;
}
