#ifndef MODELS_PIPELINE_H
#define MODELS_PIPELINE_H
#include <stdint.h>
#include "base/err.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* One iteration of Sweep3D evaluated exactly: every block of every octant on every processor, as a
 * max-plus recurrence over the ends of the program's actions. No closed form is assumed, so the
 * work may differ from processor to processor. The analytic models are checked against this one.
 *
 * What the program does (sweep.f of Sweep3D 2.2b), on each processor:
 *   for the 4 corners (i from, j from) = (high, high), (high, low), (low, high), (low, low):
 *    for the octants k from high, k from low of the corner:
 *     for each angle group: for each k block:
 *      receive from the i neighbour upstream; receive from the j neighbour upstream; compute;
 *      send to the i neighbour downstream; send to the j neighbour downstream.
 * Neighbours that do not exist are passed over. There is no barrier between octants: a processor
 * goes on when its own actions are done. The last k block may have fewer planes, its messages are
 * full-size all the same.
 *
 * What a message costs (struct message_time; lead = total - receive). Let the send be called at
 * s and the receive at r, both processors having finished what they did before. They meet at
 * x = max(s + lead, r), when the message (blocking: its header) is there and the receive is
 * posted.
 *   - The receive ends at x + receive.
 *   - A send that does not block ends at s + send, whatever the receiver does; the message waits.
 *   - A blocking send ends at x + send - lead: in time at s + send, late by as much as the receive
 *     was posted late, so never before r. Until then the sender does nothing else.
 * Equations 2, 4a and 4b of Sundaram-Stukel and Vernon 1999 are the case r <= s + lead. Links and
 * memory are without contention and without limit. */
struct pipeline {
	int64_t npe_i, npe_j;
	int64_t angle_groups, k_blocks;
	double last_share;	       /* planes of the last k block / mk, in (0, 1] */
	const double *work_s;	       /* [npe_j * npe_i], row j after row: a full block [s] */
	const struct message_time *ew; /* [npe_j]: between the columns, in row j */
	const struct message_time *ns; /* [npe_i]: between the rows, in column i */
};

/* More would take minutes, or memory (8 bytes a processor) without end. */
#define PIPELINE_MAX_STEPS 1e10 /* processors * blocks of an iteration */
#define PIPELINE_MAX_PROCS INT64_C(10000000)

/* Errors: ARG, as below. */
enum err_code pipeline_check(const struct pipeline *p, struct err *e);

/* The makespan, when the last processor is done, all having started at 0; and where it goes, by
 * what disappears when a cause is taken away (three evaluations): sync: if no send blocked; then
 * comm: if messages were free; then compute is the work of the busiest processor and fill the rest.
 * No part is negative, for no time in the recurrence can fall when a cost rises. Errors: ARG (a
 * count below 1 or above the limits, a time that is negative or not finite, total_s < receive_s, a
 * blocking message with send_s < total_s - receive_s), NOMEM. */
enum err_code pipeline_evaluate(const struct pipeline *p, struct sweep_time *out, struct err *e);

/* Of a configuration with its true sub-grids: where npe_i does not divide it_g, the first
 * it_g mod npe_i columns have one cell more than the others (rows alike); the last k block has the
 * planes that are left. With divisible sizes this is the uniform case. */
enum err_code pipeline_iteration(const struct sweep *s, const struct message_cost *cost,
				 double Wg_s, struct sweep_time *out, struct err *e);

/* The pipeline that this evaluates, with its storage. Errors: ARG, NOMEM. */
struct pipeline_case {
	struct pipeline p;
	double *work_s;
	struct message_time *ew, *ns;
	double *ew_bytes, *ns_bytes; /* [npe_j], [npe_i]: sizes of the messages */
};
enum err_code pipeline_case_init(struct pipeline_case *c, const struct sweep *s,
				 const struct message_cost *cost, double Wg_s, struct err *e);
void pipeline_case_release(struct pipeline_case *c);

#endif
