#ifndef RECOMMEND_FRONTIER_H
#define RECOMMEND_FRONTIER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/search/rank.h"

/* The frontier of time against node-hours: the configurations that no other one beats in both.
 * Kept during a search, which may skip what could not stand on it. On one number of nodes less time
 * is fewer node-hours, so each number of nodes has at most one point. */
struct frontier {
	struct winner *point; /* ascending time, strictly descending node-hours */
	size_t n, cap;
	size_t n_columns; /* of a row */
};

void frontier_init(struct frontier *f, size_t n_columns);
void frontier_release(struct frontier *f);

/* Could a configuration on so many nodes that takes time_s or longer stand on it? */
bool frontier_has_room(const struct frontier *f, double nodes, double time_s);
/* Take a configuration if no other one is at least as good in both and better in one; drop what it
 * beats. Of equal ones the one stays that winner_is_beaten() prefers. Errors: NOMEM. */
enum err_code frontier_offer(struct frontier *f, const struct feasibility *o,
			     const struct prediction *at, double procs, const double *row,
			     struct err *e);

/* Index of the knee, the BALANCED point; n must be above 0. */
size_t frontier_knee(const struct frontier *f);

#endif
