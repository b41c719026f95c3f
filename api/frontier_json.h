#ifndef API_FRONTIER_JSON_H
#define API_FRONTIER_JSON_H
#include "recommend/space/recommend.h"

struct json_t;

/* The frontier of an answer: [{... a choice ..., "feasible", "knee", "recommended"}, ...] from the
 * fewest nodes on. NULL: out of memory. */
struct json_t *frontier_json(const struct advice_request *q, const struct advice *a);

#endif
