#include "api/advice_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/advice_diff.h"
#include "api/advice_json.h"
#include "api/advice_question.h"
#include "api/json_text.h"
#include "api/multi_machine.h"
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
static void forget_assumed(const struct advice_record *s, double *given)
{
	const json_t *assumed = json_object_get(s->request, "assumed");

	for (size_t i = 0; i < json_array_size(assumed); i++) {
		const char *name = json_string_value(json_array_get(assumed, i));
		size_t i_column = name ? application_column(s->app, name) : SIZE_MAX;

		if (i_column != SIZE_MAX)
			given[i_column] = NAN;
	}
}

static enum err_code recall(struct session *session, const struct advice_record *s,
			    struct advice_question *q, struct err *e)
{
	size_t n = s->app->n_columns;
	enum err_code rc = kb_get_application(session->kb, s->app_name, &q->app, &q->app_id, e);

	if (rc)
		return rc;
	q->given = calloc(n, sizeof *q->given);
	q->row = calloc(n, sizeof *q->row);
	if (!q->given || !q->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (!advice_record_row(s, false, q->row))
		return err_set(e, ERR_ARG,
			       "the application %s no longer knows all that was asked about",
			       s->app_name);
	memcpy(q->given, q->row, n * sizeof *q->given);
	forget_assumed(s, q->given);
	configuration_default_workload(q->app, q->row);
	recall_limits(s->request, &q->request);
	q->request.app = q->app;
	q->request.row = q->row;
	q->request.progress = session->progress;
	return ERR_OK;
}

static enum err_code put_to_machine(struct session *session, const struct advice_record *s,
				    struct advice_question *q, struct err *e)
{
	const struct machine_request asked = {
		.name = s->machine_name,
		.like = s->like,
		.wg_factor = s->like ? answer_number(s->request, "wg_factor") : 1,
	};

	return advice_question_put_to(session, &asked, q, e);
}

/* Names as they were given, NULL-terminated, one block. */
static enum err_code asked_names(const json_t *machines, const char ***out, struct err *e)
{
	size_t n = 0;
	const char **name = calloc(json_array_size(machines) + 1, sizeof *name);

	if (!name)
		return err_set(e, ERR_NOMEM, "the names of machines");
	for (size_t i = 0; i < json_array_size(machines); i++) {
		const char *text = json_string_value(json_array_get(machines, i));

		if (text)
			name[n++] = text;
	}
	*out = name;
	return ERR_OK;
}

/* Several machines were asked, of which the answer names the best. They may be others today. */
static enum err_code put_to_all(struct session *session, const struct advice_record *s,
				struct advice_question *q, struct advice_replay *t, struct err *e)
{
	json_t *machines = json_object_get(s->request, "machines");
	char id[ADVICE_ID_SIZE];
	const char **name = NULL;
	bool others;
	enum err_code rc;

	if (!json_is_array(machines))
		return ERR_OK;
	if (!(rc = asked_names(machines, &name, e)) &&
	    !(rc = multi_machine_make(session, name, q, e)))
		rc = advice_id(s->request, q, id, e);
	free(name);
	if (rc)
		return rc;
	others = t->current && strcmp(id, s->kept.id) != 0;
	t->current = t->current && !others;
	t->since.several_machines = true;
	t->since.other_machines = others;
	return ERR_OK;
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

static enum err_code find(struct session *session, const struct advice_record *s,
			  struct advice_question *q, struct advice_replay *t, struct err *e)
{
	enum err_code rc;

	if (!s->app_id)
		return err_set(e, ERR_NOTFOUND, "the application %s is no longer in %s",
			       s->app_name, kb_path(session->kb));
	if (!s->machine_id)
		return err_set(e, ERR_NOTFOUND, "the machine %s is no longer in %s",
			       s->machine_name, kb_path(session->kb));
	if ((rc = recall(session, s, q, e)) || (rc = put_to_machine(session, s, q, e)) ||
	    (rc = advice_diff_find(session, s, &q->mined, &t->current, &t->since, e)))
		return rc;
	t->since_known = true;
	if ((rc = put_to_all(session, s, q, t, e)))
		return rc;
	if (t->current)
		return ERR_OK;
	rc = answer(q, &t->answer, e);
	return rc ? rc : answer_read(t->answer, s->app, &t->told, e);
}

enum err_code advice_replay_find(struct session *session, const struct advice_record *s,
				 struct advice_replay *out, struct err *e)
{
	struct advice_replay t = {0};
	struct advice_question q = {0};
	struct err why = {0};
	enum err_code rc = find(session, s, &q, &t, &why);

	advice_question_release(&q);
	if (rc && !is_no_answer(rc)) {
		advice_replay_release(&t);
		return err_set(e, rc, "%s", why.msg);
	}
	if (rc)
		memcpy(t.no_answer, why.msg, sizeof t.no_answer);
	*out = t;
	return ERR_OK;
}

void advice_replay_release(struct advice_replay *t)
{
	advice_diff_release(&t->since);
	answer_release(&t->told);
	json_decref(t->answer);
	*t = (struct advice_replay){0};
}
