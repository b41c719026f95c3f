#ifndef MINING_OVERHEAD_FIT_H
#define MINING_OVERHEAD_FIT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/messages/message_fit.h"

/* L and o of LogGP where the processors' part of a message was measured, too, and not only its
 * round trip: half a round trip of a small message is o_send + L + o_receive + G bytes, so
 *
 *	L = intercept - o_send - o_receive,	o = (o_send + o_receive) / 2.
 *
 * Source: Culler, Liu, Martin and Yoshikawa, "Assessing Fast Network Interfaces", IEEE Micro 16(1),
 * 1996: the time of a send call, and that of a receive call which comes late enough to find its
 * message. Here both are taken at 0 bytes, by the line through the sizes of the first range, as G
 * has what a byte costs; sizes that wait for their receiver are left out. */

/* One repeat of one size. */
struct message_call {
	double bytes;
	double send_s, receive_s; /* the calls, >= 0 */
	bool blocks;		  /* the message was not taken before it was received */
};

struct overhead_estimate {
	bool known;
	double value_s, std_error_s;
};

struct overhead_fit {
	struct overhead_estimate send, receive, o, L;
	double blocking_bytes; /* messages of this size and more wait for the receiver; 0: none */
	char why_not[256];     /* a sentence where L or an o is not known, else "" */
};

/* call[0..n-1] in any order; fit: of the round trips of the same messages. What the data do not
 * determine is not known, and no error. Errors: ARG (a bad number is named by its index), NOMEM. */
enum err_code overhead_fit(const struct message_call *call, size_t n, const struct message_fit *fit,
			   struct overhead_fit *out, struct err *e);

#endif
