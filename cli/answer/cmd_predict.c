#include <stdlib.h>

#include "api/predict_answer.h"
#include "cli/answer/answer_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/answer/predict_file.h"
#include "cli/answer/question_options.h"
#include "cli/frame/fold.h"
#include "cli/answer/scaling_text.h"
#include "cli/frame/gnuplot.h"
#include "domain/configuration.h"

static OPTION(opt_from, "from", "FILE", .values = "FILE",
	      .help = "predict every row of a CSV file (- is stdin); the row comes back\n"
		      "with predicted_s, lo_s, hi_s and support behind it");

static OPTION(opt_total, "total", NULL,
	      .help = "with --from: what all rows cost together, and the longest of them");

enum { MAX_RULES_ON_A_SCREEN = 5 };

/* ---- output ---- */

static enum err_code print_text(const struct context *c, const struct answer *answer, struct err *e)
{
	const struct answer_choice *prediction = &answer->best;
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	answer_put_interval(&text, prediction, answer->request.confidence);
	strbuf_puts(&text, " on ");
	answer_put_choice(&text, answer->app, prediction);
	strbuf_putc(&text, '\n');
	answer_put_support(&text, prediction);
	failure_put_warning(&text, prediction);
	failure_put_outlasted(&text, prediction);
	answer_put_overuse(&text, answer);
	answer_put_stale(&text, &answer->evidence, c->color);
	strbuf_putc(&text, '\n');
	answer_put_setting(&text, answer);
	answer_put_model(&text, &answer->evidence, true);
	answer_put_rules(&text, answer->app, &answer->evidence, MAX_RULES_ON_A_SCREEN,
			 "--format json");
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "the prediction");
	else
		fold_print(strbuf_text(&text), c->out);
	strbuf_release(&text);
	if (!rc && answer->evidence.has_breakdown) {
		fputc('\n', c->out);
		rc = breakdown_print(&answer->evidence.breakdown, c->out, e);
	}
	return rc;
}

static enum err_code print_csv(const struct context *c, const struct application *app,
			       const struct predict_answer *a, struct err *e)
{
	struct out_table *t = prediction_table_new(app);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the prediction");
	prediction_table_add(t, app, a->mined.machine->name, a->row, &a->forecast, NULL);
	rc = out_table_print(t, FORMAT_CSV, "predictions", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- the command ---- */

static enum err_code run_single(struct context *c, const struct application *app, int64_t app_id,
				double confidence, struct err *e)
{
	double *given = calloc(app->n_columns, sizeof *given);
	struct predict_question q = {
		.app = app, .app_id = app_id, .given = given, .confidence = confidence};
	struct predict_answer a = {0};
	enum err_code rc = given ? ERR_OK : err_set(e, ERR_NOMEM, "a configuration");

	if (!rc && !(rc = context_configuration(c, app, true, given, e)) &&
	    !(rc = machine_request_read(c, &q.machine, e)) &&
	    !(rc = predict_answer_find(&c->session, &q, &a, e)))
		rc = c->format == FORMAT_CSV	? print_csv(c, app, &a, e)
		     : c->format == FORMAT_JSON ? out_json(a.json, c->out, e)
						: print_text(c, &a.told, e);
	predict_answer_release(&a);
	free(given);
	return rc;
}

static enum err_code run_lists(struct context *c, const struct application *app, int64_t app_id,
			       double confidence, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_scaling_plot);
	struct configuration_axes axes = {.n = 0};
	struct scaling_question q = {.app = app,
				     .app_id = app_id,
				     .axes = &axes,
				     .confidence = confidence,
				     .with_runs = plot != NULL};
	struct scaling_answer a = {.i_resource = SIZE_MAX};
	enum err_code rc;

	if (!(rc = context_axes(c, app, &axes, e)) &&
	    !(rc = machine_request_read(c, &q.machine, e)) &&
	    !(rc = scaling_answer_find(&c->session, &q, &a, e)) &&
	    !(plot && (rc = scaling_draw_check(&a, e)))) {
		progress_bar_clear(&c->bar);
		rc = scaling_print(c, &q, &a, e);
		if (!rc && plot)
			rc = scaling_draw(&q, &a, plot, e);
	}
	scaling_answer_release(&a);
	configuration_axes_release(&axes);
	return rc;
}

/* One configuration, unless some option lists several values: a word may hold a comma. */
static enum err_code run_options(struct context *c, const struct application *app, int64_t app_id,
				 double confidence, struct err *e)
{
	double *given = calloc(app->n_columns + 1, sizeof *given);
	bool lists = options_has(&c->opt, &opt_scaling_plot);

	if (!given)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (!lists && context_has_lists(c))
		lists = context_configuration(c, app, true, given, NULL) != ERR_OK;
	free(given);
	return lists ? run_lists(c, app, app_id, confidence, e)
		     : run_single(c, app, app_id, confidence, e);
}

static enum err_code check_output(const struct context *c, const char *from, struct err *e)
{
	const char *plot = options_get(&c->opt, &opt_scaling_plot);

	if (plot && from)
		return err_set(e, ERR_USAGE,
			       "--plot draws what lists ask for (--nodes 1,2,4..64), not --from");
	if (!from && options_has(&c->opt, &opt_total))
		return err_set(e, ERR_USAGE,
			       "--total adds up the rows of a file: give one with --from FILE");
	return plot ? gnuplot_check(plot, e) : ERR_OK;
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
	    (rc = check_output(c, from, e)) || (rc = context_application(c, &app, &app_id, e)))
		return rc;
	rc = from ? predict_file(c, app, app_id, from, confidence, options_has(&c->opt, &opt_total),
				 e)
		  : run_options(c, app, app_id, confidence, e);
	application_free(app);
	return rc;
}

static const struct option_spec *const predict_options[] = {
	&opt_problem, &opt_from, &opt_total,	 &opt_confidence,   &opt_app,  &opt_machine,
	&opt_set,     &opt_like, &opt_wg_factor, &opt_scaling_plot, &opt_seed, &opt_max_memory,
	&opt_format,  NULL};

static const struct action predict_actions[] = {
	{NULL, "--problem SIZE [OPTION]... | --from FILE [--total]", NULL, 0, 0, NEEDS_KB_READ,
	 predict_run},
};

const struct cmd cmd_predict = {
	.name = "predict",
	.summary = "the time of one configuration, or of many from a file",
	.description =
		"Predicts the run time of a configuration (--problem, --grid 8x16, --mk 10, ...) "
		"with the\n"
		"central interval at --confidence (default 0.9), and says whether that lies "
		"between the runs\n"
		"seen or was extrapolated. Options that list values (--nodes 1,2,4,8..64 or "
		"--set tile=16,32)\n"
		"make a table of all their combinations, with speed-up, efficiency and costs. With "
		"--from,\n"
		"every row of a file comes back in order, its text unchanged, with predicted_s, "
		"lo_s, hi_s\n"
		"and support behind it (CSV unless --format says otherwise). A row that cannot be "
		"predicted\n"
		"has empty cells there, its reason goes to standard error, and the exit status is "
		"3.",
	.examples = "  lemnos predict --problem 280x280x255 --grid 4x8 --mk 10 --mmi 3\n"
		    "  lemnos predict --problem 280x280x255 --grid 2x2,4x4,8x8 --mk 5,10 --mmi 3\n"
		    "  lemnos predict --from candidates.csv --machine sp2like >predicted.csv\n"
		    "  lemnos predict --from campaign.csv --machine sp2like --total",
	.options = predict_options,
	.less_memory = "mine fewer runs (`lemnos runs exclude`, `lemnos mine`)",
	.action = predict_actions,
	.n_actions = 1,
	.app_flags = true,
};
