#ifndef MINING_MESSAGE_FIT_H
#define MINING_MESSAGE_FIT_H
#include <stddef.h>
#include "base/err.h"
#include "domain/machine.h"
#include "mining/messages/message_loggp.h"
#include "mining/messages/message_ranges.h"

/* What a machine's messages cost, from a ping-pong: ranges of sizes with a line each. How many
 * ranges and where they meet is found, not assumed; at a break the cost may jump up or down. A
 * value without pointers to free: copy it freely. To evaluate it: message_cost_from_segments(). */
struct message_fit {
	/* Ascending; segment[0].from_bytes is the smallest size measured. Slopes are >= 0. */
	struct cost_segment segment[MESSAGE_RANGES_MAX];
	size_t n_segment;

	size_t n_size;	       /* distinct sizes fitted */
	size_t n_disturbed;    /* sizes left out: their cost fits with no neighbours' */
	double relative_error; /* of one size's cost about its line (0.01: 1 %) */

	/* The break where the cost jumps most (as a ratio): there transports usually begin to wait
	 * for the receiver, so it is the candidate for blocking_bytes. 0: it jumps nowhere. */
	double threshold_bytes;

	struct message_loggp loggp;
};

/* Fit roundtrip_s[0..n-1] [s], both directions, of messages of bytes[0..n-1]; any order, any number
 * of repeats. Errors: NODATA (fewer than 4 sizes, or fewer that agree with their neighbours), ARG
 * (a bad number is named by its index), NOMEM. */
enum err_code message_fit(const double *bytes, const double *roundtrip_s, size_t n,
			  struct message_fit *out, struct err *e);

#endif
