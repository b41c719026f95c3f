#ifndef API_BREAKDOWN_JSON_H
#define API_BREAKDOWN_JSON_H
#include "domain/breakdown.h"

/* Where a predicted time goes, as JSON. */
struct json_t;

/* {"compute_s": ..., ...}; NULL: out of memory. */
struct json_t *breakdown_json(const struct breakdown *b);
/* What breakdown_json() made; an absent part is 0. */
struct breakdown breakdown_from_json(const struct json_t *object);

#endif
