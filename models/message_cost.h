#ifndef MODELS_MESSAGE_COST_H
#define MODELS_MESSAGE_COST_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/machine.h"

/* What one message costs: processor time at both ends and time from end to end, piecewise linear
 * in its size. A value without pointers: copy it freely.
 *
 * Source: Sundaram-Stukel and Vernon, "Predictive Analysis of a Wavefront Application Using
 * LogGP", PPoPP 1999, equations 1 to 4. */

/* The cost of a message of one size. lead_s = total_s - receive_s is never negative: so long after
 * the send began the message (a blocking one: its header) is at the receiver. */
struct message_time {
	double send_s;	  /* the sender's call, the receive being posted in time: (3a), (4a) */
	double receive_s; /* the receiver's call, the message being there: (3b), (4b) */
	double total_s;	  /* from the start of the send to the end of the receive: (1), (2) */
	double sync_s;	  /* latency paid for each wait on the other side: L if blocking, else 0 */
	bool blocks;	  /* the send waits for the receive to be posted */
	double latency_s; /* L, whether the send blocks or not */
};

/* total_s - receive_s, and what is left of a blocking send once both sides have met:
 * send_s - lead_s. Differences of rounded sums may miss 0 by a little; neither is below it. */
double message_lead_s(const struct message_time *t);
double message_tail_s(const struct message_time *t);

/* The sizes from from_bytes up to the next range. */
struct message_range {
	double from_bytes;
	double send_s;
	double receive_s, receive_s_per_byte;
	double total_s, total_s_per_byte;
	double sync_s, latency_s;
	bool blocks;
};

enum { MESSAGE_COST_MAX_SEGMENTS = 16 };

struct message_cost {
	size_t n_range; /* >= 1; range[0].from_bytes is 0, from_bytes ascends */
	struct message_range range[MESSAGE_COST_MAX_SEGMENTS + 1];
};

/* From LogGP parameters, as the paper has it: o and G change above small_max_bytes; messages of
 * handshake_bytes and more (0: none) cost equations 2 and 4. Errors: ARG (a parameter that is
 * negative or not finite is named). */
enum err_code message_cost_from_loggp(const struct loggp *p, struct message_cost *out,
				      struct err *e);

/* From a piecewise linear one-way cost, such as a fitted ping-pong gives. Total_Comm is the
 * segment's, whatever its shape; the first segment reaches down to 0 bytes; messages of
 * blocking_bytes and more (0: none) block.
 *
 * A ping-pong does not tell processor time from latency, so Send and Receive are a convention:
 * the processor at each end takes the share a = overhead_share of an eager message's intercept c
 * (o = a c, L = (1 - 2 a) c; no time per byte), and a blocking message has the parts of equation 2
 * with o_s = o_l = o in the same ratio: c = 5 o + 3 L, so o = a c / (3 - a),
 * L = (1 - 2 a) c / (3 - a), Send = 4 o + 2 L, Receive = Total_Comm - 2 o - L. A negative
 * intercept (it occurs in fits of large messages) has no overhead and no latency: c = 0 there.
 * Errors: ARG (no or too many segments, not ascending, a negative or not finite cost,
 * overhead_share outside [0, 0.5]). */
enum err_code message_cost_from_segments(const struct cost_segment *segment, size_t n,
					 double blocking_bytes, double overhead_share,
					 struct message_cost *out, struct err *e);

/* The share where nothing better is known: o = L = c / 3, as in Table 1 (Fortran, small: 23, 23 of
 * 69 us). On the SP/2 and on the simulated machines of data/ it is between 0.20 and 0.40. */
#define MESSAGE_COST_OVERHEAD_SHARE (1.0 / 3.0)
/* Where o of small messages is known (0: it is not), the share that it is of the constant of the
 * first segment, at most 1/2. */
double message_cost_overhead_share(double overhead_s, const struct cost_segment *first);

/* Of a machine's definition, between its nodes: LogGP if given, else segments, with the share that
 * their overhead is, if it is known. Errors: NODATA (it
 * gives neither: the message says what to do), ARG. */
enum err_code message_cost_from_machine(const struct machine *m, struct message_cost *out,
					struct err *e);
/* Inside a node. Errors: NODATA, ARG. */
enum err_code message_cost_local_from_machine(const struct machine *m, struct message_cost *out,
					      struct err *e);

/* What the network carries of the largest messages: 1 / their time per byte. Errors: ARG (they take
 * no time per byte). */
enum err_code message_cost_bandwidth(const struct message_cost *c, double *bytes_per_s,
				     struct err *e);

/* The cost of a message of `bytes` >= 0. */
struct message_time message_cost_at(const struct message_cost *c, double bytes);

#endif
