#include "cli/advice_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"

const struct option_spec opt_objective = {
	.name = "objective",
	.arg = "WHAT",
	.values = "nodes node-hours time",
	.help = "what to keep low: nodes (default), node-hours or time",
};

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
	free(q->given);
	free(q->row);
	*q = (struct advice_question){0};
}

static enum err_code read_limits(struct context *c, struct advice_request *r, struct err *e)
{
	long long max_nodes = 0;
	int objective = OBJECTIVE_NODES;
	enum err_code rc;

	r->deadline_s = NAN;
	r->confidence = 0.9;
	if ((rc = options_duration(&c->opt, &opt_deadline, &r->deadline_s, e)) ||
	    (rc = options_number(&c->opt, &opt_confidence, 0.5, 0.999, &r->confidence, e)) ||
	    (rc = options_integer(&c->opt, &opt_max_nodes, 1, INT64_C(1000000000), &max_nodes,
				  e)) ||
	    (rc = options_choice(&c->opt, &opt_objective, &objective, e)))
		return rc;
	r->max_nodes = max_nodes;
	r->objective = (enum objective)objective;
	if (isnan(r->deadline_s) && r->objective != OBJECTIVE_TIME)
		return err_set(
			e, ERR_USAGE,
			"by when? Give --deadline 1h (90s, 15m, 1:30:00, 2d), or --objective "
			"time for the fastest");
	return ERR_OK;
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

	if ((rc = read_limits(c, &q->request, e)) ||
	    (rc = kb_next_run_id(c->kb, &q->first_run_id, e)) ||
	    (rc = context_application(c, &q->app, &q->app_id, e)) ||
	    (rc = read_configuration(c, q, e)))
		return rc;
	q->request.app = q->app;
	q->request.row = q->row;
	q->request.progress = c->progress;
	return ERR_OK;
}

enum err_code advice_question_put_to(struct context *c, const char *name, struct advice_question *q,
				     struct err *e)
{
	struct kb_filter f = {0};
	enum err_code rc;

	let_go_of_machine(q);
	if ((rc = mined_machine_load(c, q->app, q->app_id, name, &q->mined, e)))
		return rc;
	f.machine_id = q->mined.runs_machine_id;
	if ((rc = kb_load_runs(c->kb, q->app, &f, c->progress, &q->runs, e)))
		return rc;
	q->request.machine = q->mined.machine;
	q->request.predictor = q->mined.predictor;
	q->request.rules = q->mined.rules.item;
	q->request.n_rules = q->mined.rules.n;
	q->request.runs = q->runs;
	return ERR_OK;
}
