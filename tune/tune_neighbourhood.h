#ifndef TUNE_NEIGHBOURHOOD_H
#define TUNE_NEIGHBOURHOOD_H

/* The neighbourhood set's attributes, and what LogGP expects of its implementations, apart from
 * MPI. */

/* Values of the attributes, in the order pattern, data, primitive, overlap. */
enum { AAO, PAIR };
enum { DERIVED, PACK };
enum { ISEND_IRECV, SEND_IRECV, SEND_RECV, SENDRECV, FENCE_PUT, FENCE_GET, PS_PUT, PS_GET };
enum { NO_OVERLAP, RECEIVES, BOTH };

enum { NEIGHBOURHOOD_MAX_MESSAGES = 8 };

/* The messages that a process with all its neighbours sends; 0 bytes where there is none. */
struct neighbourhood_shape {
	int n_procs, n_messages;
	double bytes[NEIGHBOURHOOD_MAX_MESSAGES];
};

/* A message between neighbours. [0]: of small_bytes, [1]: of large_bytes. */
struct tune_network {
	double small_bytes, large_bytes; /* large_bytes > small_bytes */
	double post_s[2];		 /* in the calls that post a send and a receive */
	double message_s[2];		 /* half of a round trip */
};

/* The time [s] that LogGP expects of the implementation with these values of the attributes. */
double neighbourhood_expected_s(const struct neighbourhood_shape *shape, const int *values,
				const struct tune_network *network);

#endif
