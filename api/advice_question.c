#include "api/advice_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/failure_warnings.h"
#include "api/multi_machine.h"
#include "domain/configuration.h"
#include "mining/mine.h"

static void release_machine(struct advice_question *q)
{
	fitted_machine_release(&q->mined);
	dataset_free(q->runs);
	dataset_free(q->failures);
	kb_run_dates_release(&q->dates);
	q->runs = q->failures = NULL;
}

void advice_question_release(struct advice_question *q)
{
	release_machine(q); /* its predictor borrows the application */
	application_free(q->app);
	multi_machine_free(q->machines);
	free(q->given);
	free(q->row);
	*q = (struct advice_question){0};
}

enum err_code advice_question_open(struct session *session, const char *app,
				   struct advice_question *q, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_next_run_id(session->kb, &q->first_run_id, e)) ||
	    (rc = session_application(session, app, &q->app, &q->app_id, e)))
		return rc;
	q->given = calloc(q->app->n_columns, sizeof *q->given);
	q->row = calloc(q->app->n_columns, sizeof *q->row);
	if (!q->given || !q->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	configuration_clear(q->app, q->given);
	q->request.deadline_s = NAN;
	q->request.confidence = 0.9;
	q->request.objective = OBJECTIVE_TIME;
	return ERR_OK;
}

void advice_question_complete(struct session *session, struct advice_question *q)
{
	memcpy(q->row, q->given, q->app->n_columns * sizeof *q->row);
	configuration_default_workload(q->app, q->row);
	q->request.app = q->app;
	q->request.row = q->row;
	q->request.sensitivity = true;
	q->request.progress = session->progress;
}

/* With an index of the runs a sample of them is enough: those near the answer are looked up when it
 * is known. */
static enum err_code load_runs(struct session *session, struct advice_question *q, struct err *e)
{
	struct kb_filter f = {.machine_id = q->mined.runs_machine_id};
	enum err_code rc =
		kb_load_run_sample(session->kb, q->app, q->app_id, f.machine_id, &q->runs, e);
	struct run_screen screen;
	struct short_runs did_less;

	q->stored = (struct stored_runs){session->kb, q->app_id, f.machine_id};
	q->request.stored = q->runs ? &q->stored : NULL;
	if (!rc && !q->runs)
		rc = kb_load_runs(session->kb, q->app, &f, session->progress, &q->runs, e);
	if (!rc)
		rc = dataset_order_by_content(q->runs, e);
	if (!rc)
		rc = failures_load(session, q->app, q->app_id, f.machine_id, &q->failures, e);
	/* The sample is of runs that were looked at already. */
	if (!rc && !q->request.stored)
		rc = mine_screen_runs(session->kb, f.machine_id, &q->runs, q->failures, &screen,
				      &did_less, e);
	if (!rc && predictor_changes(q->mined.predictor)->n > 0)
		rc = kb_load_run_dates(session->kb, q->app, f.machine_id, &q->dates, e);
	q->request.dates = q->dates.n > 0 ? &q->dates : NULL;
	q->request.failures = q->failures;
	q->request.runs = q->runs;
	return rc;
}

enum err_code advice_question_bind_machine(struct session *session,
					   const struct machine_request *asked,
					   struct advice_question *q, struct err *e)
{
	enum err_code rc;

	release_machine(q);
	if ((rc = fitted_machine_load(session, q->app, q->app_id, asked, &q->mined, e)) ||
	    (rc = load_runs(session, q, e)))
		return rc;
	q->request.machine = q->mined.machine;
	predictor_choose_from(q->mined.predictor);
	q->request.predictor = q->mined.predictor;
	q->request.demands = predictor_failing_demands(q->mined.predictor);
	q->request.rules = q->mined.rules.item;
	q->request.n_rules = q->mined.rules.n;
	return ERR_OK;
}
