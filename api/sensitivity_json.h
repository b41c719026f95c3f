#ifndef API_SENSITIVITY_JSON_H
#define API_SENSITIVITY_JSON_H
#include "recommend/space/recommend.h"

/* How firm an answer is, as JSON. Each returns NULL when out of memory. */
struct json_t;

/* [{"parameter", "ratio", ... a choice ...}, ...] */
struct json_t *sensitivity_json(const struct application *app, const struct sensitivity *s);
/* {"deadline_from_s", "deadline_to_s", "confidence_from", "confidence_to"}; null: not known */
struct json_t *node_limits_json(const struct node_limits *l);
/* {"configurations", "within", "neighbours", "loss", "instead_of", "instead_of_loss"}; null: there
 * was nothing to choose from */
struct json_t *tie_break_json(const struct application *app, const struct tie_break *c);

#endif
