#ifndef API_FAILURE_WARNINGS_H
#define API_FAILURE_WARNINGS_H
#include "api/session.h"
#include "recommend/space/recommend.h"

/* Warnings of failed runs about configurations (recommend/space/failed_runs.h): asked of the base,
 * and as JSON. */
struct json_t;

/* By enum risk: what "kind" says in JSON. */
extern const char *const failure_kind_name[];

/* The runs of an application on a machine that failed or timed out. Errors: those of
 * kb_load_runs(). */
enum err_code failures_load(struct session *session, const struct application *app, int64_t app_id,
			    int64_t machine_id, struct dataset **out, struct err *e);
/* Warnings about complete rows[n * n_columns]: out[n]. Rows of one problem that stand
 * together are looked up together. p: what was learned of the machine's runs. */
enum err_code failures_judge(struct session *session, const struct predictor *p,
			     const struct application *app, int64_t app_id, int64_t machine_id,
			     const double *rows, size_t n, struct warning *out, struct err *e);

/* "warning": {"kind": "failed" | "at risk", "run_id"} into a choice; nothing without a risk. 0:
 * done, as jansson's setters. */
int failure_set_warning(struct json_t *choice, const struct warning *w);
/* "left_out": {"failed": {"configurations", "run_id"}, "at_risk": ...} into evidence.search. */
int failure_set_left_out(struct json_t *search, const struct advice *a);

#endif
