#ifndef MINING_MESSAGE_FIT_H
#define MINING_MESSAGE_FIT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/machine.h"
#include "mining/messages/message_segments.h"

/* LogGP parameters from the lines of a ping-pong, half a round trip being Total_Comm of
 * Sundaram-Stukel and Vernon, PPoPP 1999, equations 1 and 2: with three ranges
 *	small	   2 o_small + L			+ G_small bytes
 *	large	   2 o_large + L			+ G_large bytes
 *	handshake  3 o_small + 2 o_large + 3 L		+ G_large bytes
 * Many machines do not follow these: then there is no L and no o, and it is said why. */

struct message_loggp {
	bool has_overheads;	/* L_s, o_small_s, o_large_s were identified; else 0 */
	char why_not[256];	/* a sentence where they were not, else "" */
	struct loggp value;	/* the G are the slopes of the first and the last range; the two
				   sizes are the breaks, 0: there is none */
	struct loggp std_error; /* of value's five parameters; 0 where there is no value */
	const char *identifiable[5]; /* "L", "o_small", "o_large", "G_small", "G_large" */
	size_t n_identifiable;
};

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
 * of repeats. progress (may be NULL) is asked whether to go on. Errors: NODATA (fewer than 4 sizes,
 * or fewer that agree with their neighbours), ARG (a bad number is named by its index),
 * INTERRUPTED, NOMEM. */
enum err_code message_fit(const double *bytes, const double *roundtrip_s, size_t n,
			  const struct progress *progress, struct message_fit *out, struct err *e);

#endif
