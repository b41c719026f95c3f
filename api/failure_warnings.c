#include "api/failure_warnings.h"

#include <jansson.h>

#include "kb/kb_run_index.h"
#include "mining/mine.h"
#include "recommend/space/failed_runs.h"

/* ---- which runs ---- */

enum err_code failures_load(struct session *session, const struct application *app, int64_t app_id,
			    int64_t machine_id, struct dataset **out, struct err *e)
{
	const struct kb_filter f = {
		.machine_id = machine_id, .all_status = true, .where = "status != 'ok'"};
	enum err_code rc = kb_load_unended_runs(session->kb, app, app_id, machine_id, out, e);

	/* to look for them reads all runs */
	return rc || *out ? rc : kb_load_runs(session->kb, app, &f, session->progress, out, e);
}

static bool is_same_problem(const struct application *app, const double *x, const double *y)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		const enum column_role role = app->column[i].role;

		if ((role == COL_PROBLEM || role == COL_WORKLOAD) && x[i] != y[i])
			return false;
	}
	return true;
}

/* q has all but its row. */
static enum err_code judge_rows(struct advice_request *q, const double *rows, size_t n,
				struct warning *out, struct err *e)
{
	const size_t width = q->app->n_columns;
	struct failed_runs f = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		const double *row = rows + i * width;

		if (i == 0 || !is_same_problem(q->app, row, row - width)) {
			failed_runs_release(&f);
			f = (struct failed_runs){0};
			q->row = row;
			rc = failed_runs_find(q, &f, e);
		}
		if (!rc)
			out[i] = failed_runs_judge(&f, row);
	}
	failed_runs_release(&f);
	return rc;
}

/* Of runs that have no index yet; those that did less are added to the failures. */
static enum err_code load_screened(struct session *session, const struct application *app,
				   int64_t machine_id, struct dataset *failures,
				   struct dataset **runs, struct err *e)
{
	const struct kb_filter all = {.machine_id = machine_id};
	struct run_screen screen;
	struct short_runs did_less;
	enum err_code rc = kb_load_runs(session->kb, app, &all, session->progress, runs, e);

	if (!rc && !(rc = dataset_order_by_content(*runs, e)))
		rc = mine_screen_runs(session->kb, machine_id, runs, failures, &screen, &did_less,
				      e);
	return rc;
}

enum err_code failures_judge(struct session *session, const struct predictor *p,
			     const struct application *app, int64_t app_id, int64_t machine_id,
			     const double *rows, size_t n, struct warning *out, struct err *e)
{
	const struct stored_runs stored = {session->kb, app_id, machine_id};
	struct advice_request q = {.app = app, .demands = predictor_failing_demands(p)};
	struct dataset *failures = NULL, *runs = NULL;
	enum err_code rc = failures_load(session, app, app_id, machine_id, &failures, e);

	for (size_t i = 0; i < n; i++)
		out[i] = (struct warning){0};
	if (rc || (rc = kb_load_run_sample(session->kb, app, app_id, machine_id, &runs, e)))
		goto done;
	q.stored = runs ? &stored : NULL;
	if (!runs && (rc = load_screened(session, app, machine_id, failures, &runs, e)))
		goto done;
	if (failures->n == 0)
		goto done;
	q.failures = failures;
	q.runs = runs;
	rc = judge_rows(&q, rows, n, out, e);
done:
	dataset_free(runs);
	dataset_free(failures);
	return rc;
}

/* ---- JSON ---- */

const char *const failure_kind_name[] = {
	[RISK_AT_RISK] = "at risk",
	[RISK_FAILED] = "failed",
};

int failure_set_warning(struct json_t *choice, const struct warning *w)
{
	if (w->risk == RISK_NONE)
		return 0;
	return json_object_set_new(choice, "warning",
				   json_pack("{s:s, s:I}", "kind", failure_kind_name[w->risk],
					     "run_id", (json_int_t)w->run_id));
}

static int set_left_out(json_t *object, const char *name, const struct left_out *l)
{
	if (l->n == 0)
		return 0;
	return json_object_set_new(object, name,
				   json_pack("{s:I, s:I}", "configurations", (json_int_t)l->n,
					     "run_id", (json_int_t)l->run_id));
}

int failure_set_left_out(struct json_t *search, const struct advice *a)
{
	json_t *object;

	if (a->failed.n == 0 && a->at_risk.n == 0)
		return 0;
	object = json_object();
	return set_left_out(object, "failed", &a->failed) |
	       set_left_out(object, "at_risk", &a->at_risk) |
	       json_object_set_new(search, "left_out", object);
}
