#ifndef API_MODEL_JSON_H
#define API_MODEL_JSON_H
#include "api/model_question.h"
#include "api/simulation.h"

/* The JSON form of what models say. Each returns NULL when out of memory. */
struct json_t;

/* {"format_version", "model", "machine", "configuration", "wg_s", "wg_fixup_s", "time_s",
 * "breakdown", "caveat"}: of a wavefront model; q was configured with q->row. */
struct json_t *model_time_json(const struct model_question *q, const struct sweep_time *time);
/* {"format_version", "model", "machine", "configuration", "program", "wg_s" or "cpu_scale",
 * "time_s", "remarks"}: of the program itself on a simulated machine. name: of this model; time_s:
 * as simulation_run() gave it. */
struct json_t *simulated_time_json(const char *name, const struct model_question *q,
				   const struct simulation *s, double time_s);
/* {"format_version", "model", "source", "inputs", "results", "caveat"}: of a model with a formula.
 * in: NaN where its default was taken; value: as formula_evaluate() gave them. */
struct json_t *formula_json(const struct model *m, const double *in, const double *value);
/* {"format_version", "model", "kinds": [...], "results"}: of units of several kinds. */
struct json_t *unit_study_json(const struct model *m, const struct unit_kind *kind, size_t n_kinds,
			       const struct unit_study *s);

#endif
