#ifndef API_STUDY_JSON_H
#define API_STUDY_JSON_H
#include "api/back_test.h"
#include "api/message_studies.h"
#include "api/projection.h"
#include "api/system_ranking.h"

/* The JSON form of studies: of models on several numbers of processors, of models beside runs, of
 * systems, of messages. Each returns NULL when out of memory. */
struct json_t;

/* {"format_version", "model", "machine", "per_proc", "projection": [...], "scaling"} */
struct json_t *projection_json(const struct projection *p);
/* {"format_version", "app", "machine", "held_out", "message_costs", "configs", "configs_there",
 * "runs", "models": [...], "not_compared": [...]} */
struct json_t *model_comparison_json(const struct mine_target *on, enum holdout held_out,
				     const struct model_comparison *v);
/* {"format_version", "systems": [...], "accelerated", "incomplete", "b_eff", "core"} */
struct json_t *system_ranking_json(const struct system_ranking *r);
/* {"format_version", "nodes": [...], "law"} */
struct json_t *collective_fit_json(const struct collective_fit *f);

#endif
