#ifndef RECOMMEND_SENSITIVITY_H
#define RECOMMEND_SENSITIVITY_H
#include "recommend/choose/neighbours.h"
#include "recommend/space/recommend.h"

/* What would change the answer: each free parameter of the choice moved one step both ways (to
 * every other name where it has names), and the limits within which its number of nodes is the
 * answer. */

/* best: the choice, one of the peers; with a row that is none of them there are no moves. Errors:
 * NOMEM. */
enum err_code sensitivity_find(const struct search *s, const struct neighbours *nb,
			       const struct winner *best, struct sensitivity *out, struct err *e);
void sensitivity_release(struct sensitivity *s);

/* How far deadline and confidence may be moved until another number of nodes is the fewest that
 * will do. Left as it is unless the objective is the fewest nodes, they are free, and no budget
 * plays a part. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code node_limits_find(const struct search *s, const struct winner *best,
			       struct node_limits *out, struct err *e);

#endif
