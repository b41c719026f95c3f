#include "api/advice_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/json_text.h"
#include "domain/configuration.h"
#include "ingest/formats/foreign_json.h"

/* ---- an application that is gone ---- */

enum { N_RESOURCES = 4 };
static const char *const resource[N_RESOURCES] = {"nodes", "ppn", "procs", "threads"};

/* Names of columns by role, as struct ad_hoc wants them: NULL-terminated, borrowed. */
struct roles {
	const char **problem, **tunable, **text, **resource;
	size_t n_problem, n_tunable, n_text, n_resource;
};

static void add_column(struct roles *r, const char *name, const json_t *value, bool is_problem)
{
	for (size_t i = 0; !is_problem && i < N_RESOURCES; i++) {
		if (!strcmp(name, resource[i])) {
			r->resource[r->n_resource++] = resource[i];
			return;
		}
	}
	if (is_problem)
		r->problem[r->n_problem++] = name;
	else
		r->tunable[r->n_tunable++] = name;
	if (json_is_string(value))
		r->text[r->n_text++] = name;
}

/* A choice has its columns first, then what is predicted for it (advice_json.c). */
static void add_columns(struct roles *r, const struct advice_record *s)
{
	json_t *problem = json_object_get(s->request, "problem");
	json_t *choice = (json_t *)s->choice;
	const char *name;
	json_t *value;

	json_object_foreach(problem, name, value)
	{
		add_column(r, name, value, true);
	}
	json_object_foreach(choice, name, value)
	{
		if (!strcmp(name, "predicted_s"))
			break;
		add_column(r, name, value, false);
	}
}

static enum err_code parse_roles(const char *name, const struct roles *r, struct application **out,
				 struct err *e)
{
	const struct ad_hoc spec = {
		.name = name,
		.target = "wall_s",
		.target_unit_s = 1,
		.problem = r->problem,
		.tunable = r->tunable,
		.categorical = r->text,
		.resource_column = r->resource,
		.resource_field = r->resource,
	};
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!(rc = application_ad_hoc_text(&spec, &text, e)))
		rc = application_parse(strbuf_text(&text), name, out, e);
	strbuf_release(&text);
	return rc;
}

/* As far as the answer tells it: names, and which of them are the problem's. */
static enum err_code imagine_application(struct advice_record *s, struct err *e)
{
	size_t n = json_object_size(json_object_get(s->request, "problem")) +
		   json_object_size(s->choice) + 1;
	struct roles r = {
		.problem = calloc(n, sizeof *r.problem),
		.tunable = calloc(n, sizeof *r.tunable),
		.text = calloc(n, sizeof *r.text),
		.resource = calloc(N_RESOURCES + 1, sizeof *r.resource),
	};
	enum err_code rc;

	if (r.problem && r.tunable && r.text && r.resource) {
		add_columns(&r, s);
		rc = parse_roles(s->app_name, &r, &s->app, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "an application that is gone");
	}
	free(r.problem);
	free(r.tunable);
	free(r.text);
	free(r.resource);
	return rc;
}

/* ---- reading ---- */

static enum err_code find_application(struct session *session, struct advice_record *s,
				      struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_application(session->kb, s->app_name, &s->app, &s->app_id, &why);

	if (rc == ERR_NOTFOUND)
		return imagine_application(s, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code find_machine(struct session *session, const char *name, int64_t *id,
				  struct err *e)
{
	struct machine *machine = NULL;
	struct err why = {0};
	enum err_code rc = kb_get_machine(session->kb, name, &machine, id, &why);

	machine_free(machine);
	return rc && rc != ERR_NOTFOUND ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code parse(struct advice_record *s, struct err *e)
{
	json_error_t where;
	const json_t *best;
	enum err_code rc = json_load(s->kept.answer, strlen(s->kept.answer), 0, NULL, NULL,
				     &s->answer, &where);

	if (rc == ERR_NOMEM)
		return err_set(e, rc, "no memory for the answer stored as %s", s->kept.id);
	if (rc)
		return err_set(e, ERR_KB, "the answer stored as %s is no JSON: line %d: %s",
			       s->kept.id, where.line, where.text);
	s->request = json_object_get(s->answer, "request");
	s->app_name = answer_text(s->request, "app");
	s->machine_name = answer_text(s->request, "machine");
	s->like = json_string_value(json_object_get(s->request, "like"));
	if (!*s->app_name || !*s->machine_name)
		return err_set(e, ERR_KB, "the answer stored as %s does not say what was asked",
			       s->kept.id);
	best = json_object_get(s->answer, "recommendation");
	if (!json_is_object(best))
		best = json_object_get(s->answer, "best_effort");
	s->choice = json_is_object(best) ? best : NULL;
	return ERR_OK;
}

enum err_code advice_record_read(struct session *session, struct kb_advice *kept,
				 struct advice_record *out, struct err *e)
{
	struct advice_record s = {.kept = *kept};
	enum err_code rc;

	*kept = (struct kb_advice){0};
	if ((rc = parse(&s, e)) || (rc = find_application(session, &s, e)) ||
	    (rc = find_machine(session, s.machine_name, &s.machine_id, e)) ||
	    (s.like && (rc = find_machine(session, s.like, &s.like_id, e))) ||
	    (rc = answer_read(s.answer, s.app, &s.told, e)))
		advice_record_release(&s);
	else
		*out = s;
	return rc;
}

void advice_record_release(struct advice_record *s)
{
	kb_advice_release(&s->kept);
	answer_release(&s->told);
	json_decref(s->answer);
	application_free(s->app);
	*s = (struct advice_record){0};
}

/* ---- as a row ---- */

static bool set_value(const struct application *a, size_t i, const json_t *value, double *row)
{
	size_t level;

	if (json_is_null(value))
		return true;
	if (a->column[i].type != COL_TEXT) {
		row[i] = json_number_value(value);
		return json_is_number(value);
	}
	level = json_is_string(value) ? levels_find(&a->column[i].levels, json_string_value(value))
				      : SIZE_MAX;
	row[i] = (double)level;
	return level != SIZE_MAX;
}

/* Every member is a column. */
static bool set_members(const struct application *a, json_t *members, double *row)
{
	const char *name;
	json_t *value;

	json_object_foreach(members, name, value)
	{
		size_t i = application_column(a, name);

		if (i == SIZE_MAX || !set_value(a, i, value, row))
			return false;
	}
	return true;
}

static bool set_choice(const struct application *a, const json_t *choice, double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const json_t *value = json_object_get(choice, a->column[i].name);
		enum column_role role = a->column[i].role;

		if ((role == COL_TUNABLE || role == COL_RESOURCE) && value &&
		    !set_value(a, i, value, row))
			return false;
	}
	return true;
}

bool advice_record_row(const struct advice_record *s, bool with_choice, double *row)
{
	configuration_clear(s->app, row);
	if (!set_members(s->app, json_object_get(s->request, "problem"), row) ||
	    !set_members(s->app, json_object_get(s->request, "workload"), row))
		return false;
	return with_choice ? set_choice(s->app, s->choice, row)
			   : set_members(s->app, json_object_get(s->request, "fixed"), row);
}

/* ---- what happened ---- */

struct reliability advice_record_forecast(const struct advice_record *s)
{
	return (struct reliability){
		.predicted_s = s->told.best.predicted_s,
		.lo_s = s->told.best.lo_s,
		.hi_s = s->told.best.hi_s,
		.confidence = s->told.request.confidence,
		.deadline_s = s->told.request.deadline_s,
		.p_meet = s->told.best.p_meet,
	};
}

/* None where application, machine or choice are gone. */
static enum err_code find_runs(struct session *session, const struct advice_record *s,
			       struct kb_outcomes *out, struct err *e)
{
	double *row;
	enum err_code rc = ERR_OK;

	if (!s->choice || !s->app_id || !s->machine_id)
		return ERR_OK;
	row = calloc(s->app->n_columns, sizeof *row);
	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (advice_record_row(s, true, row))
		rc = kb_find_outcomes(session->kb, s->app, s->machine_id, row, &s->kept, out, e);
	free(row);
	return rc;
}

enum err_code outcome_record_find(struct session *session, const struct advice_record *s,
				  struct outcome_record *out, struct err *e)
{
	struct outcome_record r = {.forecast = advice_record_forecast(s)};
	enum err_code rc;

	if ((rc = find_runs(session, s, &r.runs, e)) ||
	    (rc = reliability_judge(&r.forecast, r.runs.item, r.runs.n, &r.outcome, e)))
		outcome_record_release(&r);
	else
		*out = r;
	return rc;
}

void outcome_record_release(struct outcome_record *r)
{
	kb_outcomes_release(&r->runs);
	*r = (struct outcome_record){0};
}

/* ---- calibration ---- */

static void add_line(struct advice_calibration *k, const char *what, struct judged_forecast *item,
		     size_t n)
{
	struct calibration_line *l = &k->line[k->n];

	l->what = what;
	reliability_summarise(item, n, &l->kept);
	k->n += l->kept.n > 0;
}

enum err_code advice_calibration_make(struct judged_forecast *in_time,
				      struct judged_forecast *inside, size_t n, double *ratio,
				      size_t n_ratio, struct advice_calibration *out, struct err *e)
{
	/* Best efforts promise little, recommendations much: kept apart, both can be wrong. */
	static const struct {
		const char *what;
		double from, below;
	} bin[] = {
		{"in time, promised with 0 to 50 %", 0, 0.5},
		{"in time, promised with 50 to 90 %", 0.5, 0.9},
		{"in time, promised with 90 to 99 %", 0.9, 0.99},
		{"in time, promised with 99 % and more", 0.99, INFINITY},
	};
	struct judged_forecast *some = calloc(n + 1, sizeof *some);

	if (!some)
		return err_set(e, ERR_NOMEM, "%zu promises", n);
	*out = (struct advice_calibration){.ratio = reliability_median(ratio, n_ratio),
					   .n_ratio = n_ratio};
	add_line(out, "in time", in_time, n);
	for (size_t k = 0; k < sizeof bin / sizeof bin[0]; k++) {
		size_t n_some = 0;

		for (size_t i = 0; i < n; i++) {
			double p = in_time[i].probability;

			if (p >= bin[k].from && p < bin[k].below)
				some[n_some++] = in_time[i];
		}
		add_line(out, bin[k].what, some, n_some);
	}
	add_line(out, "inside the interval", inside, n);
	free(some);
	return ERR_OK;
}

static int set_line(json_t *o, const void *arg, size_t i)
{
	const struct calibration_line *l = (const struct calibration_line *)arg + i;
	const struct reliability_summary *k = &l->kept;

	return member_text(o, "what", l->what) | member_int(o, "promises", (json_int_t)k->n) |
	       member_int(o, "runs", (json_int_t)k->n_runs) |
	       member_int(o, "kept", (json_int_t)k->n_hits) |
	       member_real(o, "promised_share", k->promised) |
	       member_real(o, "kept_share", k->hit_rate) | member_real(o, "error", k->error) |
	       member_text(o, "verdict", reliability_verdict_name(k->verdict));
}

struct json_t *advice_calibration_json(const struct advice_calibration *k)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_value(answer, "calibration", out_json_list(set_line, k->line, k->n)) |
			member_real(answer, "time_over_predicted", k->ratio) |
			member_int(answer, "time_over_predicted_runs", (json_int_t)k->n_ratio),
		answer);
}
