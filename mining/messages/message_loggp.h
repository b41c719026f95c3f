#ifndef MINING_MESSAGE_LOGGP_H
#define MINING_MESSAGE_LOGGP_H
#include <stdbool.h>
#include <stddef.h>
#include "domain/machine.h"
#include "mining/messages/message_line.h"

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

/* From the n > 0 ranges with moments m[], their fitted segments, and the relative standard error of
 * a point. */
struct message_loggp message_loggp_solve(const struct message_moments *m,
					 const struct cost_segment *segment, size_t n,
					 double noise);

#endif
