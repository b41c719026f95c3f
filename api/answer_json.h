#ifndef API_ANSWER_JSON_H
#define API_ANSWER_JSON_H
#include "domain/breakdown.h"
#include "recommend/space/rule_advice.h"
#include "api/fitted_machine.h"

/* Where a predicted time goes, as JSON. */
struct json_t;

/* {"compute_s": ..., ...}; NULL: out of memory. */
struct json_t *breakdown_json(const struct breakdown *b);
/* The inverse of breakdown_json(); an absent part is 0. */
struct breakdown breakdown_from_json(const struct json_t *object);

/* Parts of the answers of both `predict` and `recommend`, as JSON. Each returns NULL when out
 * of memory, which jansson's setters take for a failure. */
struct json_t;

/* {"app", "machine", "problem": {...}, "workload": {...}, "assumed": [...]}, for a what if also
 * "like" and "wg_factor". given: the row as typed, row: with workload defaults. */
struct json_t *answer_setting_json(const struct application *app, const struct fitted_machine *m,
				   const double *given, const double *row);

/* {"model", "explanation", "rules": [], "rule_preferences": [], "rules_identity", "snapshot",
 * "stale", "breakdown", "machine": {...}}. rules: see answer_text.h. breakdown NULL: not known. */
struct json_t *answer_evidence_json(const struct fitted_machine *m, const struct rule_report *rules,
				    const struct breakdown *breakdown);

#endif
