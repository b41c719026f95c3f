#ifndef MODELS_AMVA_H
#define MODELS_AMVA_H
#include <stddef.h>
#include "base/err.h"

/* Mean values of a closed queueing network of several classes, approximately: how long customers
 * stay at each station when all of them compete.
 *
 * Source: Schweitzer, "Approximate Analysis of Multiclass Closed Networks of Queues", 1979, and
 * Bard, "Some Extensions to Multiclass Queueing Network Analysis", 1979. A customer that arrives
 * finds the others, and of its own class all but its own share:
 *	R_ck = D_ck (1 + Q_k - Q_ck / N_c),  X_c = N_c / (Z_c + sum over k of R_ck),  Q_ck = X_c
 * R_ck Exact for one customer in all; for a few, usually within some per cent of exact mean value
 * analysis, at a cost that does not depend on the number of customers. */
struct amva_network {
	size_t n_classes, n_stations;
	const double *population; /* [n_classes]: customers N_c, whole, >= 0 */
	const double *think_s;	  /* [n_classes]: Z_c, time away from all stations */
	const double *demand_s;	  /* [n_classes * n_stations], class by class: D_ck, service of a
				     cycle at a station that serves one customer at a time */
};

/* residence_s[n_classes * n_stations], as demand_s: R_ck, waiting and service of a cycle; what one
 * customer would find, for a class of none. throughput_per_s[n_classes] (may be NULL): X_c cycles
 * of the whole class; infinite if a cycle takes no time.
 * Errors: ARG (what is negative or not finite is named), NUMERIC (no fixed point found), NOMEM. */
enum err_code amva_solve(const struct amva_network *network, double *residence_s,
			 double *throughput_per_s, struct err *e);

#endif
