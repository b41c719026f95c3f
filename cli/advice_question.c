#include "cli/advice_question.h"

#include <stdlib.h>
#include <string.h>

#include "cli/machine_survey.h"
#include "domain/configuration.h"

static void let_go_of_machine(struct advice_question *q)
{
	mined_machine_release(&q->mined);
	dataset_free(q->runs);
	q->runs = NULL;
}

void advice_question_release(struct advice_question *q)
{
	let_go_of_machine(q); /* its predictor borrows the application */
	application_free(q->app);
	machine_survey_free(q->survey);
	free(q->given);
	free(q->row);
	*q = (struct advice_question){0};
}

static enum err_code read_configuration(struct context *c, struct advice_question *q, struct err *e)
{
	enum err_code rc;

	q->given = calloc(q->app->n_columns, sizeof *q->given);
	q->row = calloc(q->app->n_columns, sizeof *q->row);
	if (!q->given || !q->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if ((rc = context_configuration(c, q->app, true, q->given, e)))
		return rc;
	memcpy(q->row, q->given, q->app->n_columns * sizeof *q->row);
	configuration_default_workload(q->app, q->row);
	return ERR_OK;
}

enum err_code advice_question_read(struct context *c, struct advice_question *q, struct err *e)
{
	enum err_code rc;

	/* The limits last: --dedline 1h is an unknown option, not a deadline that is missing. */
	if ((rc = kb_next_run_id(c->kb, &q->first_run_id, e)) ||
	    (rc = context_application(c, &q->app, &q->app_id, e)) ||
	    (rc = read_configuration(c, q, e)) ||
	    (rc = advice_limits_read(&c->opt, &q->request, &q->by, e)))
		return rc;
	q->request.app = q->app;
	q->request.row = q->row;
	q->request.sensitivity = true;
	q->request.progress = c->progress;
	return ERR_OK;
}

/* With an index of the runs a sample of them is enough: those near the answer are looked up when it
 * is known. */
static enum err_code load_runs(struct context *c, struct advice_question *q, struct err *e)
{
	struct kb_filter f = {.machine_id = q->mined.runs_machine_id};
	enum err_code rc = kb_load_run_sample(c->kb, q->app, q->app_id, f.machine_id, &q->runs, e);

	q->stored = (struct stored_runs){c->kb, q->app_id, f.machine_id};
	q->request.stored = q->runs ? &q->stored : NULL;
	if (!rc && !q->runs)
		rc = kb_load_runs(c->kb, q->app, &f, c->progress, &q->runs, e);
	q->request.runs = q->runs;
	return rc;
}

enum err_code advice_question_put_to(struct context *c, const char *name, struct advice_question *q,
				     struct err *e)
{
	enum err_code rc;

	let_go_of_machine(q);
	if ((rc = mined_machine_load(c, q->app, q->app_id, name, &q->mined, e)) ||
	    (rc = load_runs(c, q, e)))
		return rc;
	q->request.machine = q->mined.machine;
	q->request.predictor = q->mined.predictor;
	q->request.rules = q->mined.rules.item;
	q->request.n_rules = q->mined.rules.n;
	return ERR_OK;
}
