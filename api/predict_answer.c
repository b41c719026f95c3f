#include "api/predict_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "domain/configuration.h"
#include "api/answer_json.h"
#include "api/failure_warnings.h"
#include "api/json_text.h"

/* "--mk", "--grid", "--set NAME=..." */
static void put_flag(const struct application *a, size_t i_column, struct strbuf *out)
{
	for (size_t g = 0; g < a->n_group; g++) {
		for (size_t i = 0; i < a->group[g].n; i++) {
			if (a->group[g].column[i] == i_column) {
				strbuf_printf(out, "--%s", a->group[g].flag);
				return;
			}
		}
	}
	if (a->column[i_column].flag)
		strbuf_printf(out, "--%s", a->column[i_column].flag);
	else
		strbuf_printf(out, "--set %s=...", a->column[i_column].name);
}

static bool all_there(const struct application *a, const double *row, struct strbuf *why)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];

		if (c->role == COL_DERIVED || !isnan(row[i]))
			continue;
		strbuf_printf(why, "%s is not given", c->name);
		if (*c->doc)
			strbuf_printf(why, " (%s)", c->doc);
		strbuf_puts(why, ": ");
		put_flag(a, i, why);
		return false;
	}
	return true;
}

bool predict_row_complete(const struct application *a, double cores_per_node, double *row,
			  struct strbuf *why)
{
	configuration_default_workload(a, row);
	configuration_derive(a, row);
	configuration_complete_resources(a, cores_per_node, row);
	return all_there(a, row, why) && configuration_legal(a, row, why);
}

struct row_prediction predict_row(const struct predictor *p, const double *row, double confidence)
{
	struct row_prediction f;

	predictor_predict(p, row, 1, &f.prediction);
	f.lo_s = prediction_quantile_s(p, &f.prediction, (1 - confidence) / 2);
	f.hi_s = prediction_quantile_s(p, &f.prediction, (1 + confidence) / 2);
	return f;
}

/* ---- an answer ---- */

static enum err_code complete(const struct predict_question *q, struct predict_answer *a,
			      struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	memcpy(a->row, q->given, q->app->n_columns * sizeof *a->row);
	predictor_fill_constants(a->mined.predictor, a->row);
	if (!predict_row_complete(q->app, a->mined.cores_per_node, a->row, &why))
		rc = err_set(e, ERR_ARG, "%s", strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

/* ---- JSON ---- */

static json_t *request_json(const struct predict_question *q, const struct predict_answer *a)
{
	json_t *request = answer_setting_json(q->app, &a->mined, q->given, a->row);

	return out_json_unless(member_real(request, "confidence", q->confidence), request);
}

static json_t *prediction_json(const struct predict_question *q, const struct predict_answer *a,
			       const struct warning *warning)
{
	const struct row_prediction *f = &a->forecast;
	struct strbuf why = STRBUF_INIT;
	json_t *p = json_object();
	int failed;

	predictor_explain_support(a->mined.predictor, a->row, &why);
	failed = why.failed;
	if (why.len > 0)
		failed |= member_text(p, "support_why", strbuf_text(&why));
	strbuf_release(&why);
	return out_json_unless(
		failed | config_json_set_choice(p, q->app, a->row) |
			failure_set_warning(p, warning) |
			member_real(p, "predicted_s", f->prediction.time_s) |
			member_real(p, "lo_s", f->lo_s) | member_real(p, "hi_s", f->hi_s) |
			json_object_set_new(p, "support",
					    json_string(support_name(f->prediction.support))) |
			(f->prediction.least_s > 0
				 ? member_real(p, "outlasts_s", f->prediction.least_s)
				 : 0),
		p);
}

static enum err_code make_json(const struct predict_question *q, const struct warning *warning,
			       const struct rule_report *rules, struct predict_answer *a,
			       struct err *e)
{
	struct breakdown parts;
	bool has_parts = false;

	predictor_breakdown(a->mined.predictor, a->row, &parts, &has_parts);
	a->json = out_json_answer();
	if (json_object_set_new(a->json, "request", request_json(q, a)) |
	    json_object_set_new(a->json, "prediction", prediction_json(q, a, warning)) |
	    json_object_set_new(a->json, "evidence",
				answer_evidence_json(&a->mined, rules, has_parts ? &parts : NULL)))
		return err_set(e, ERR_NOMEM, "the prediction");
	return answer_read(a->json, q->app, &a->told, e);
}

/* ---- the answer ---- */

static enum err_code predict(struct session *session, const struct predict_question *q,
			     struct rule_report *rules, struct predict_answer *a, struct err *e)
{
	struct warning warning = {0};
	enum err_code rc;

	a->row = calloc(q->app->n_columns, sizeof *a->row);
	if (!a->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if ((rc = fitted_machine_load(session, q->app, q->app_id, &q->machine, &a->mined, e)) ||
	    (rc = complete(q, a, e)))
		return rc;
	a->forecast = predict_row(a->mined.predictor, a->row, q->confidence);
	if ((rc = failures_judge(session, a->mined.predictor, q->app, q->app_id,
				 a->mined.runs_machine_id, a->row, 1, &warning, e)) ||
	    (rc = fitted_machine_ask_rules(&a->mined, q->app, a->row, &a->forecast.prediction,
					   rules, e)))
		return rc;
	return make_json(q, &warning, rules, a, e);
}

enum err_code predict_answer_find(struct session *session, const struct predict_question *q,
				  struct predict_answer *out, struct err *e)
{
	struct predict_answer a = {0};
	struct rule_report rules = {0};
	enum err_code rc = predict(session, q, &rules, &a, e);

	rule_report_release(&rules);
	if (rc)
		predict_answer_release(&a);
	else
		*out = a;
	return rc;
}

void predict_answer_release(struct predict_answer *a)
{
	answer_release(&a->told);
	json_decref(a->json);
	fitted_machine_release(&a->mined);
	free(a->row);
	*a = (struct predict_answer){0};
}
