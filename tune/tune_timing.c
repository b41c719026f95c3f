#include "tune/tune_timing.h"

#include <math.h>
#include <stdlib.h>

enum { LARGE_LEAST = 1024, LARGE_MOST = 1 << 20 };

double tune_now(const struct ltune_options *options)
{
	return options->clock ? options->clock(options->clock_data) : MPI_Wtime();
}

double tune_elapsed(double begin_s, double end_s)
{
	const double t = end_s - begin_s;

	return t > 1e-9 ? (t < 1e8 ? t : 1e8) : 1e-9;
}

/* The size of the large message between neighbours. */
static int large_bytes(const struct ltune_vector *v)
{
	double face = (double)v->type_bytes * v->halo;
	int least = v->dims[0];

	for (int d = 0; d < v->ndims; d++) {
		face *= v->dims[d];
		least = v->dims[d] < least ? v->dims[d] : least;
	}
	face /= least;
	return face > LARGE_MOST ? LARGE_MOST : face < LARGE_LEAST ? LARGE_LEAST : (int)face;
}

int tune_probe_init(struct tune_probe *p, const struct ltune_vector *v)
{
	p->bytes = large_bytes(v);
	p->buffer = calloc(2, (size_t)p->bytes);
	return p->buffer != NULL;
}

void tune_probe_release(struct tune_probe *p)
{
	free(p->buffer);
	p->buffer = NULL;
}

/* Half of a round trip, by the process that begins it; nothing by the one that answers. */
static int time_round_trip(const struct tune_probe *p, MPI_Comm comm,
			   const struct ltune_options *options, int other, int begins, int bytes,
			   double *post_s, double *message_s)
{
	char *in = p->buffer + p->bytes;
	MPI_Request requests[2];
	double begin_s, post, message;
	int rc;

	if (!begins) {
		rc = MPI_Recv(in, bytes, MPI_BYTE, other, 0, comm, MPI_STATUS_IGNORE);
		return rc ? rc : MPI_Send(p->buffer, bytes, MPI_BYTE, other, 0, comm);
	}
	begin_s = tune_now(options);
	rc = MPI_Irecv(in, bytes, MPI_BYTE, other, 0, comm, &requests[0]);
	if (!rc)
		rc = MPI_Isend(p->buffer, bytes, MPI_BYTE, other, 0, comm, &requests[1]);
	post = tune_elapsed(begin_s, tune_now(options));
	if (!rc)
		rc = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	message = tune_elapsed(begin_s, tune_now(options)) / 2;
	*post_s = post < *post_s ? post : *post_s;
	*message_s = message < *message_s ? message : *message_s;
	return rc;
}

/* The faster of two counts: the first may make connections, and waits for who comes late. */
static int time_messages(const struct tune_probe *p, const struct ltune_context *c,
			 const struct ltune_options *options, int bytes, double *post_s,
			 double *message_s)
{
	int d = 0, other, begins, rc = MPI_SUCCESS;

	for (int k = 1; k < c->grid_ndims; k++)
		d = c->grid[k] > c->grid[d] ? k : d;
	begins = c->coordinate[d] % 2 == 0;
	/* The last of an odd number is alone. */
	if (begins && c->coordinate[d] + 1 == c->grid[d])
		return MPI_SUCCESS;
	other = c->neighbour[2 * d + (begins ? 1 : 0)];
	*post_s = *message_s = INFINITY;
	for (int n = 0; !rc && n < 2; n++)
		rc = time_round_trip(p, c->comm, options, other, begins, bytes, post_s, message_s);
	if (!begins)
		*post_s = *message_s = 0;
	return rc;
}

int tune_probe_neighbours(const struct tune_probe *p, const struct ltune_context *c,
			  const struct ltune_options *options, double took_s[4])
{
	int rc = time_messages(p, c, options, TUNE_SMALL_BYTES, &took_s[0], &took_s[1]);

	return rc ? rc : time_messages(p, c, options, p->bytes, &took_s[2], &took_s[3]);
}
