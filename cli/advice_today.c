#include "cli/advice_today.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/advice_changes.h"
#include "cli/advice_json.h"
#include "cli/advice_question.h"
#include "cli/answer_text.h"
#include "cli/machine_survey.h"
#include "domain/configuration.h"

/* What the user can do something about is told; what is broken ends the command. */
static bool is_no_answer(enum err_code rc)
{
	return err_exit_status(rc) < err_exit_status(ERR_NOMEM) && rc != ERR_KB && rc != ERR_BUSY &&
	       rc != ERR_SCHEMA;
}

/* ---- the question again ---- */

static void recall_limits(const json_t *request, struct advice_request *q)
{
	int objective = objective_from(answer_text(request, "objective"));
	double max_nodes = answer_number(request, "max_nodes");
	double budget = answer_number(request, "budget_node_hours");

	q->deadline_s = answer_number(request, "deadline_s");
	q->confidence = answer_number(request, "confidence");
	q->objective = objective < 0 ? OBJECTIVE_NODES : (enum objective)objective;
	q->max_nodes = isnan(max_nodes) ? 0 : (int64_t)max_nodes;
	q->budget_node_hours = isnan(budget) ? 0 : budget;
	q->frontier = answer_is(request, "frontier");
}

/* What was assumed then was not given. */
static void forget_assumed(const struct stored_advice *s, double *given)
{
	const json_t *assumed = json_object_get(s->request, "assumed");

	for (size_t i = 0; i < json_array_size(assumed); i++) {
		const char *name = json_string_value(json_array_get(assumed, i));
		size_t i_column = name ? application_column(s->app, name) : SIZE_MAX;

		if (i_column != SIZE_MAX)
			given[i_column] = NAN;
	}
}

static enum err_code recall(struct context *c, const struct stored_advice *s,
			    struct advice_question *q, struct err *e)
{
	size_t n = s->app->n_columns;
	enum err_code rc = kb_get_application(c->kb, s->app_name, &q->app, &q->app_id, e);

	if (rc)
		return rc;
	q->given = calloc(n, sizeof *q->given);
	q->row = calloc(n, sizeof *q->row);
	if (!q->given || !q->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (!stored_advice_row(s, false, q->row))
		return err_set(e, ERR_ARG,
			       "the application %s no longer knows all that was asked about",
			       s->app_name);
	memcpy(q->given, q->row, n * sizeof *q->given);
	forget_assumed(s, q->given);
	configuration_default_workload(q->app, q->row);
	recall_limits(s->request, &q->request);
	q->request.app = q->app;
	q->request.row = q->row;
	q->request.progress = c->progress;
	return ERR_OK;
}

/* A what if is asked with the flags that made it one. */
static enum err_code put_to_machine(const struct context *c, const struct stored_advice *s,
				    struct advice_question *q, struct err *e)
{
	struct context again = *c;
	char factor[REAL_TEXT_SIZE];
	struct option_value given[] = {
		{&opt_like, s->like},
		{&opt_wg_factor, real_text(answer_number(s->request, "wg_factor"), factor)},
	};

	again.opt = (struct options){0};
	if (s->like) {
		again.opt.given = given;
		again.opt.n_given = sizeof given / sizeof given[0];
	}
	return advice_question_put_to(&again, s->machine_name, q, e);
}

/* Several machines were asked, of which the answer names the best. They may be others today. */
static enum err_code put_to_all(struct context *c, const struct stored_advice *s,
				struct advice_question *q, struct advice_today *t, struct err *e)
{
	json_t *machines = json_object_get(s->request, "machines");
	char id[ADVICE_ID_SIZE];
	bool others;
	enum err_code rc;

	if (!json_is_array(machines))
		return ERR_OK;
	if ((rc = machine_survey_make(c, machines, q, e)) || (rc = advice_id(s->request, q, id, e)))
		return rc;
	others = t->current && strcmp(id, s->kept.id) != 0;
	t->current = t->current && !others;
	return json_object_set_new(t->since, "other_machines", json_boolean(others))
		       ? err_set(e, ERR_NOMEM, "what changed since a recommendation")
		       : ERR_OK;
}

/* As `recommend` would give it today. */
static enum err_code answer(const struct advice_question *q, json_t **out, struct err *e)
{
	struct advice *advice = NULL;
	json_t *request = NULL;
	char id[ADVICE_ID_SIZE];
	enum err_code rc;

	if (!(rc = advice_find(&q->request, &advice, e)) &&
	    !(rc = advice_request_json(q, &request, e)) && !(rc = advice_id(request, q, id, e)))
		rc = advice_answer_json(id, request, q, advice, out, e);
	json_decref(request);
	advice_free(advice);
	return rc;
}

/* ---- all together ---- */

static enum err_code find(struct context *c, const struct stored_advice *s,
			  struct advice_question *q, struct advice_today *t, struct err *e)
{
	enum err_code rc;

	if (!s->app_id)
		return err_set(e, ERR_NOTFOUND, "the application %s is no longer in %s",
			       s->app_name, kb_path(c->kb));
	if (!s->machine_id)
		return err_set(e, ERR_NOTFOUND, "the machine %s is no longer in %s",
			       s->machine_name, kb_path(c->kb));
	if ((rc = recall(c, s, q, e)) || (rc = put_to_machine(c, s, q, e)) ||
	    (rc = advice_changes_json(c, s, &q->mined, &t->current, &t->since, e)) ||
	    (rc = put_to_all(c, s, q, t, e)))
		return rc;
	return t->current ? ERR_OK : answer(q, &t->answer, e);
}

enum err_code advice_today_find(struct context *c, const struct stored_advice *s,
				struct advice_today *out, struct err *e)
{
	struct advice_today t = {0};
	struct advice_question q = {0};
	struct err why = {0};
	enum err_code rc = find(c, s, &q, &t, &why);

	advice_question_release(&q);
	if (rc && !is_no_answer(rc)) {
		advice_today_release(&t);
		return err_set(e, rc, "%s", why.msg);
	}
	if (rc)
		memcpy(t.no_answer, why.msg, sizeof t.no_answer);
	*out = t;
	return ERR_OK;
}

void advice_today_release(struct advice_today *t)
{
	json_decref(t->since);
	json_decref(t->answer);
	*t = (struct advice_today){0};
}
