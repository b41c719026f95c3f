#include "api/advice_explanation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/advice_diff.h"
#include "api/advice_json.h"
#include "api/advice_question.h"
#include "api/json_text.h"
#include "api/multi_machine.h"
#include "base/units.h"
#include "domain/configuration.h"

/* ---- the same question today ---- */

/* An error that the user can do something about is told; any other ends the command. */
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

/* A value that was assumed then was not given. */
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

static enum err_code bind_machine(struct session *session, const struct advice_record *s,
				  struct advice_question *q, struct err *e)
{
	const struct machine_request asked = {
		.name = s->machine_name,
		.like = s->like,
		.wg_factor = s->like ? answer_number(s->request, "wg_factor") : 1,
		.gone_too = true,
	};

	return advice_question_bind_machine(session, &asked, q, e);
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
static enum err_code ask_all_machines(struct session *session, const struct advice_record *s,
				      struct advice_question *q, struct advice_replay *t,
				      struct err *e)
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
	if ((rc = recall(session, s, q, e)) || (rc = bind_machine(session, s, q, e)) ||
	    (rc = advice_diff_find(session, s, &q->mined, &t->current, &t->since, e)))
		return rc;
	t->since_known = true;
	if ((rc = ask_all_machines(session, s, q, t, e)))
		return rc;
	if (t->current)
		return ERR_OK;
	if (!t->since.several_machines &&
	    (rc = fitted_machine_refuse_gone(session, q->app, q->app_id, &q->mined, e)))
		return rc;
	rc = answer(q, &t->answer, e);
	return rc ? rc : answer_read(t->answer, s->app, &t->told, e);
}

static void advice_replay_release(struct advice_replay *t)
{
	advice_diff_release(&t->since);
	answer_release(&t->told);
	json_decref(t->answer);
	*t = (struct advice_replay){0};
}

/* That the question has no answer any more is no error. */
static enum err_code advice_replay_find(struct session *session, const struct advice_record *s,
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

enum err_code advice_explanation_find(struct session *session, const char *id,
				      struct advice_explanation *out, struct err *e)
{
	struct advice_explanation x = {0};
	struct kb_advice kept = {0};
	enum err_code rc;

	if ((rc = id ? kb_get_advice(session->kb, id, &kept, e)
		     : kb_get_latest_advice(session->kb, &kept, e)) ||
	    (rc = advice_record_read(session, &kept, &x.advice, e)) ||
	    (rc = outcome_record_find(session, &x.advice, &x.record, e)) ||
	    (rc = job_reports_read(session, x.advice.kept.id, &x.jobs, e)) ||
	    (rc = advice_replay_find(session, &x.advice, &x.today, e)))
		advice_explanation_release(&x);
	else
		*out = x;
	return rc;
}

void advice_explanation_release(struct advice_explanation *x)
{
	advice_record_release(&x->advice);
	outcome_record_release(&x->record);
	job_reports_release(&x->jobs);
	advice_replay_release(&x->today);
}

/* ---- then and today ---- */

static bool configuration_differs(const struct application *a, const struct answer_choice *then,
				  const struct answer_choice *now)
{
	bool same =
		strcmp(then->machine ? then->machine : "", now->machine ? now->machine : "") == 0;

	for (size_t i = 0; i < a->n_columns && same; i++)
		same = answer_value_equal(&then->value[i], &now->value[i]);
	return !same;
}

static bool duration_differs(double then, double now)
{
	char a[32], b[32];

	return strcmp(duration_format(then, a, sizeof a), duration_format(now, b, sizeof b)) != 0;
}

static bool probability_differs(double then, double now)
{
	return isnan(then) || isnan(now) ? isnan(then) != isnan(now)
					 : round(100 * then) != round(100 * now);
}

unsigned advice_explanation_differences(const struct advice_explanation *x)
{
	const struct answer *was = &x->advice.told, *is = &x->today.told;
	const struct answer_choice *then = &was->best, *now = &is->best;
	const bool both = then->given && now->given;
	unsigned differs = 0;

	if (!x->today.answer)
		return 0;
	if (was->feasible != is->feasible)
		differs |= 1u << ASPECT_FEASIBLE;
	if (!then->given && !now->given)
		return differs;
	if (!both || configuration_differs(was->app, then, now))
		differs |= 1u << ASPECT_CONFIGURATION;
	if (!both || duration_differs(then->predicted_s, now->predicted_s) ||
	    duration_differs(then->lo_s, now->lo_s) || duration_differs(then->hi_s, now->hi_s))
		differs |= 1u << ASPECT_TIME;
	if (both ? probability_differs(then->p_meet, now->p_meet)
		 : !isnan(then->given ? then->p_meet : now->p_meet))
		differs |= 1u << ASPECT_P_MEET;
	return differs;
}

/* ---- as JSON ---- */

static json_t *hit_json(enum hit k)
{
	return k == HIT_UNKNOWN ? json_null() : json_boolean(k == HIT_YES);
}

static json_t *runs_json(const struct kb_outcomes *runs)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < runs->n; i++)
		failed |= json_array_append_new(
			list, json_pack("{s:I, s:I, s:o, s:b}", "run_id",
					(json_int_t)runs->item[i].run_id, "import_id",
					(json_int_t)runs->item[i].import_id, "wall_s",
					out_json_real(runs->item[i].wall_s), "timed_out",
					(int)runs->item[i].timed_out));
	return out_json_unless(failed, list);
}

static json_t *outcome_json(const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;

	return json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "median_s", out_json_real(o->median_s),
			 "runs", runs_json(&r->runs), "n_in_time", (json_int_t)o->n_in_time,
			 "n_late", (json_int_t)o->n_late, "next_in_time", hit_json(o->in_time),
			 "next_inside", hit_json(o->inside));
}

/* ---- then and today ---- */

static const char *const aspect_name[ASPECT_COUNT] = {
	[ASPECT_FEASIBLE] = "feasible",
	[ASPECT_CONFIGURATION] = "configuration",
	[ASPECT_TIME] = "time",
	[ASPECT_P_MEET] = "p_meet",
};

static json_t *differences_json(unsigned differences)
{
	json_t *names = json_array();

	for (int i = 0; i < ASPECT_COUNT; i++) {
		if (differences & 1u << i &&
		    json_array_append_new(names, json_string(aspect_name[i]))) {
			json_decref(names);
			return NULL;
		}
	}
	return names;
}

static json_t *today_json(const struct advice_explanation *x)
{
	const struct advice_replay *t = &x->today;
	json_t *since = t->since_known ? advice_diff_json(&t->since) : json_null();

	return json_pack("{s:o, s:o, s:O?, s:o}", "differs",
			 differences_json(advice_explanation_differences(x)), "since", since,
			 "answer", t->answer, "reason",
			 *t->no_answer ? out_json_string(t->no_answer) : json_null());
}

enum err_code advice_explanation_json(const struct advice_explanation *x, struct json_t **out,
				      struct err *e)
{
	const struct kb_advice *kept = &x->advice.kept;
	json_t *answer = out_json_answer();

	*out = NULL;
	if (json_object_set_new(answer, "id", json_string(kept->id)) |
	    member_text(answer, "given_at", kept->given_at) |
	    member_text(answer, "snapshot", kept->snapshot) |
	    member_bool(answer, "current", x->today.current) |
	    json_object_set(answer, "answer", x->advice.answer) |
	    json_object_set_new(answer, "outcome", outcome_json(&x->record)) |
	    json_object_set_new(answer, "today", today_json(x)) |
	    (x->jobs.n > 0 ? json_object_set_new(answer, "jobs", job_reports_json(&x->jobs)) : 0)) {
		json_decref(answer);
		return err_set(e, ERR_NOMEM, "the answer as JSON");
	}
	*out = answer;
	return ERR_OK;
}
