#ifndef MODELS_TRANSFER_STATE_H
#define MODELS_TRANSFER_STATE_H
#include <stddef.h>
#include "base/err.h"

/* The three states of a network as message sizes grow: spare (start-up dominates, bandwidth is left
 * unused), ideal, congested (bandwidth falls again).
 *
 * Source: Liu, Qiao and Liu 2000, section 3 and Table 1, which names the states but gives no rule;
 * the rule is ours. A size is ideal if its bandwidth is at least ideal_share of the best one,
 * otherwise spare below the size of the best bandwidth and congested above it. With ideal_share =
 * 1/2 and a cost of t0 + m / r_inf, ideal begins at m = t0 r_inf, Hockney's n_1/2. */
enum transfer_state { TRANSFER_SPARE, TRANSFER_IDEAL, TRANSFER_CONGESTED };
#define TRANSFER_IDEAL_SHARE 0.5

/* "spare" */
const char *transfer_state_name(enum transfer_state s);

/* Neighbouring measured sizes in the same state. */
struct transfer_range {
	enum transfer_state state;
	double from_bytes, to_bytes; /* the first and the last measured size */
	double best_bytes;	     /* where its bandwidth was best */
	double best_bytes_per_s;
};

struct transfer_states {
	struct transfer_range *range;
	size_t n;
};

/* From one-way times time_s[n] of messages of bytes[n], in any order; repeats of a size count as
 * their median. Errors: NODATA (fewer than 3 sizes), ARG (a size that is not finite and >= 0, a
 * time that is not finite and > 0, ideal_share outside (0, 1)), NOMEM. */
enum err_code transfer_states_find(const double *bytes, const double *time_s, size_t n,
				   double ideal_share, struct transfer_states *out, struct err *e);
void transfer_states_release(struct transfer_states *s);

#endif
