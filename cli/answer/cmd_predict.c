#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/answer_json.h"
#include "api/failure_warnings.h"
#include "cli/answer/answer_rules.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/breakdown_output.h"
#include "cli/frame/cmd.h"
#include "api/config_json.h"
#include "cli/answer/failure_output.h"
#include "cli/frame/context.h"
#include "cli/answer/predict_file.h"
#include "api/predict_row.h"
#include "cli/answer/question_options.h"
#include "cli/answer/prediction_table.h"
#include "domain/configuration.h"

static const struct option_spec opt_from = {
	.name = "from",
	.arg = "FILE",
	.values = "FILE",
	.help = "predict every row of a CSV file (- is stdin); the row comes back\n"
		"with predicted_s, lo_s, hi_s and support behind it",
};

/* One configuration and what is predicted for it. */
struct single {
	const struct application *app;
	struct fitted_machine mined;
	double confidence;
	double *given; /* the row as typed */
	double *row;   /* complete */
	struct row_prediction forecast;
	struct breakdown breakdown;
	bool has_breakdown;
	struct rule_report rules;
	struct warning warning; /* of runs that failed */
};

enum { MAX_RULES_ON_A_SCREEN = 5 };

static enum err_code complete(const struct single *s, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	predictor_fill_constants(s->mined.predictor, s->row);
	if (!predict_row_complete(s->app, s->mined.cores_per_node, s->row, &why))
		rc = err_set(e, ERR_ARG, "%s", strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

static enum err_code predict_single(struct context *c, int64_t app_id, struct single *s,
				    struct err *e)
{
	size_t n = s->app->n_columns;
	struct machine_request asked;
	enum err_code rc;

	s->given = calloc(n, sizeof *s->given);
	s->row = calloc(n, sizeof *s->row);
	if (!s->given || !s->row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if ((rc = context_configuration(c, s->app, true, s->given, e)) ||
	    (rc = machine_request_read(c, &asked, e)) ||
	    (rc = fitted_machine_load(&c->session, s->app, app_id, &asked, &s->mined, e)))
		return rc;
	memcpy(s->row, s->given, n * sizeof *s->row);
	if ((rc = complete(s, e)))
		return rc;
	s->forecast = predict_row(s->mined.predictor, s->row, s->confidence);
	predictor_breakdown(s->mined.predictor, s->row, &s->breakdown, &s->has_breakdown);
	if ((rc = failures_judge(&c->session, s->app, app_id, s->mined.runs_machine_id, s->row,
				 &s->warning, e)))
		return rc;
	return fitted_machine_ask_rules(&s->mined, s->app, s->row, &s->forecast.prediction,
					&s->rules, e);
}

/* ---- output ---- */

static json_t *prediction_json(const struct single *s)
{
	const struct row_prediction *f = &s->forecast;
	json_t *p = json_object();

	if (config_json_set_choice(p, s->app, s->row) | failure_set_warning(p, &s->warning) |
	    json_object_set_new(p, "predicted_s", out_json_real(f->prediction.time_s)) |
	    json_object_set_new(p, "lo_s", out_json_real(f->lo_s)) |
	    json_object_set_new(p, "hi_s", out_json_real(f->hi_s)) |
	    json_object_set_new(p, "support", json_string(support_name(f->prediction.support)))) {
		json_decref(p);
		return NULL;
	}
	if (f->prediction.least_s > 0 &&
	    json_object_set_new(p, "outlasts_s", out_json_real(f->prediction.least_s))) {
		json_decref(p);
		return NULL;
	}
	return p;
}

static json_t *single_json(const struct single *s)
{
	json_t *answer = out_json_answer();
	json_t *request = answer_setting_json(s->app, &s->mined, s->given, s->row);

	if (json_object_set_new(request, "confidence", out_json_real(s->confidence)) |
	    json_object_set_new(answer, "request", request) |
	    json_object_set_new(answer, "prediction", prediction_json(s)) |
	    json_object_set_new(answer, "evidence",
				answer_evidence_json(&s->mined, &s->rules,
						     s->has_breakdown ? &s->breakdown : NULL))) {
		json_decref(answer);
		return NULL;
	}
	return answer;
}

static enum err_code print_text(const struct context *c, const struct single *s,
				const struct answer *answer, struct err *e)
{
	const struct answer_choice *prediction = &answer->best;
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	answer_put_interval(&text, prediction, s->confidence);
	strbuf_puts(&text, " on ");
	answer_put_choice(&text, s->app, prediction);
	strbuf_putc(&text, '\n');
	answer_put_support(&text, prediction);
	failure_put_warning(&text, prediction);
	failure_put_outlasted(&text, prediction);
	answer_put_overuse(&text, answer);
	answer_put_stale(&text, &answer->evidence, c->color);
	strbuf_putc(&text, '\n');
	answer_put_setting(&text, answer);
	answer_put_model(&text, &answer->evidence, true);
	answer_put_rules(&text, s->app, &answer->evidence, MAX_RULES_ON_A_SCREEN, "--format json");
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "the prediction");
	else
		fputs(strbuf_text(&text), c->out);
	strbuf_release(&text);
	if (!rc && s->has_breakdown) {
		fputc('\n', c->out);
		rc = breakdown_print(&s->breakdown, c->out, e);
	}
	return rc;
}

static enum err_code print_csv(const struct context *c, const struct single *s, struct err *e)
{
	struct out_table *t = prediction_table_new(s->app);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the prediction");
	prediction_table_add(t, s->app, s->mined.machine->name, s->row, &s->forecast, NULL);
	rc = out_table_print(t, FORMAT_CSV, "predictions", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code print_single(const struct context *c, const struct single *s, struct err *e)
{
	struct answer told = {0};
	json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_CSV)
		return print_csv(c, s, e);
	answer = single_json(s);
	if (!answer)
		return err_set(e, ERR_NOMEM, "the prediction");
	if (c->format == FORMAT_JSON)
		rc = out_json(answer, c->out, e);
	else if (!(rc = answer_read(answer, s->app, &told, e)))
		rc = print_text(c, s, &told, e);
	answer_release(&told);
	json_decref(answer);
	return rc;
}

/* ---- the command ---- */

static enum err_code run_single(struct context *c, const struct application *app, int64_t app_id,
				double confidence, struct err *e)
{
	struct single s = {.app = app, .confidence = confidence};
	enum err_code rc = predict_single(c, app_id, &s, e);

	if (!rc)
		rc = print_single(c, &s, e);
	rule_report_release(&s.rules);
	fitted_machine_release(&s.mined);
	free(s.given);
	free(s.row);
	return rc;
}

static enum err_code predict_run(struct context *c, struct err *e)
{
	const char *from = options_get(&c->opt, &opt_from);
	struct application *app = NULL;
	double confidence = 0.9;
	int64_t app_id;
	unsigned seed;
	enum err_code rc;

	if ((rc = options_seed(&c->opt, &seed, e)) ||
	    (rc = options_number(&c->opt, &opt_confidence, 0.5, 0.999, &confidence, e)) ||
	    (from && (rc = context_refuse_configuration(c, e))) ||
	    (rc = context_application(c, &app, &app_id, e)))
		return rc;
	rc = from ? predict_file(c, app, app_id, from, confidence, e)
		  : run_single(c, app, app_id, confidence, e);
	application_free(app);
	return rc;
}

static const struct option_spec *const predict_options[] = {
	&opt_problem, &opt_from,      &opt_confidence, &opt_app,	&opt_machine, &opt_set,
	&opt_like,    &opt_wg_factor, &opt_seed,       &opt_max_memory, &opt_format,  NULL};

static const struct action predict_actions[] = {
	{NULL, "--problem SIZE [OPTION]... | --from FILE", NULL, 0, 0, NEEDS_KB_READ, predict_run},
};

const struct cmd cmd_predict = {
	.name = "predict",
	.summary = "the time of one configuration, or of many from a file",
	.description = "Predicts the run time of a configuration (--problem, --grid 8x16, --mk 10, "
		       "...) with "
		       "the\n"
		       "central interval at --confidence (default 0.9), and says whether that lies "
		       "between "
		       "the runs\n"
		       "seen or was extrapolated. With --from, every row of a file comes back in "
		       "order, its "
		       "text\n"
		       "unchanged, with predicted_s, lo_s, hi_s and support behind it (CSV unless "
		       "--format "
		       "says\n"
		       "otherwise). A row that cannot be predicted has empty cells there, its "
		       "reason goes to "
		       "standard\n"
		       "error, and the exit status is 3.",
	.examples = "  lemnos predict --problem 280x280x255 --grid 4x8 --mk 10 --mmi 3\n"
		    "  lemnos predict --from candidates.csv --machine sp2like >predicted.csv",
	.options = predict_options,
	.less_memory = "mine fewer runs (`lemnos runs exclude`, `lemnos mine`)",
	.action = predict_actions,
	.n_actions = 1,
	.app_flags = true,
};
