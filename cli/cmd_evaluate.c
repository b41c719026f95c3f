#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/evaluate_output.h"
#include "cli/evaluate_plot.h"
#include "cli/evaluate_request.h"
#include "mining/evaluate.h"
#include "mining/evaluate_rules.h"
#include "mining/mine.h"
#include "recommend/evaluate_decisions.h"

static const struct option_spec opt_reliability = {
	.name = "reliability",
	.help = "show what was promised of deadlines, and what happened",
};

static const struct option_spec opt_decisions = {
	.name = "decisions",
	.help = "test decisions instead: the fastest configuration, and the\n"
		"cheapest that meets a deadline, among those that were measured",
};

static const struct option_spec opt_rules = {
	.name = "rules",
	.help = "test the mined rules instead: how well they predict, and choose",
};

static enum err_code load_runs(struct context *c, const struct mine_target *on,
			       struct mine_input *out, struct err *e)
{
	enum err_code rc = mine_input_load(c->kb, on, c->progress, out, e);

	if (rc || out->runs->n > 0)
		return rc;
	mine_input_release(out);
	return err_set(e, ERR_NODATA, "there are no runs of %s on %s", on->app->name,
		       on->machine->name);
}

/* ---- predictions ---- */

static enum err_code run_protocols(struct context *c, const struct mine_target *on,
				   const struct evaluate_question *q, struct evaluation *v,
				   struct err *e)
{
	bool plotted = options_has(&c->opt, &opt_evaluate_plot);
	struct evaluate_plot plot = {0};
	struct mine_input in = {0};
	struct evaluate_request request = {.in = &in.fit,
					   .protocol = q->protocol,
					   .n_protocols = q->n_protocols,
					   .predictor = q->predictor,
					   .n_predictors = q->n_predictors,
					   .seed = q->seed,
					   .disturb = q->disturb,
					   .visit = plotted ? evaluate_plot_visit : NULL,
					   .arg = &plot};
	size_t n = 0;
	enum err_code rc;

	if ((rc = load_runs(c, on, &in, e)))
		return rc;
	rc = evaluate(&request, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = options_has(&c->opt, &opt_reliability)
			     ? evaluate_print_reliability(c, on, v, n, e)
			     : evaluate_print_scores(c, on, v, n, e);
	if (!rc && plotted)
		rc = evaluate_plot_write(c, on, &plot, e);
	evaluate_plot_release(&plot);
	mine_input_release(&in);
	return rc;
}

static enum err_code evaluate_predictions(struct context *c, const struct mine_target *on,
					  const struct evaluate_question *q, struct err *e)
{
	struct evaluation *v = calloc(q->n_protocols * q->n_predictors, sizeof *v);
	enum err_code rc =
		v ? run_protocols(c, on, q, v, e) : err_set(e, ERR_NOMEM, "the evaluation");

	free(v);
	return rc;
}

/* ---- --decisions ---- */

static enum err_code evaluate_choices(struct context *c, const struct mine_target *on,
				      const struct evaluate_question *q, struct err *e)
{
	struct decision_evaluation v[DECISION_ROWS_MAX];
	struct mine_input in = {0};
	struct decision_request request = {.in = &in.fit,
					   .predictor = q->predictor,
					   .n_predictors = q->n_predictors,
					   .seed = q->seed};
	size_t n = 0;
	enum err_code rc;

	if ((rc = load_runs(c, on, &in, e)))
		return rc;
	rc = evaluate_decisions(&request, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = evaluate_print_decisions(c, on, v, n, e);
	mine_input_release(&in);
	return rc;
}

/* ---- --rules ---- */

static enum err_code evaluate_mined(struct context *c, const struct mine_target *on,
				    const struct evaluate_question *q, struct err *e)
{
	struct rule_evaluation v[RULE_EVALUATIONS];
	struct mine_input in = {0};
	size_t n;
	enum err_code rc;

	if ((rc = load_runs(c, on, &in, e)))
		return rc;
	rc = evaluate_rules(&in.fit, q->seed, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = evaluate_print_rules(c, on, v, n, e);
	mine_input_release(&in);
	return rc;
}

/* ---- which ---- */

/* What is tested in its own way takes no option that says how predictions are tested. */
static enum err_code refuse_beside(const struct context *c, const struct option_spec *view,
				   const struct option_spec *const *other, const char *why,
				   struct err *e)
{
	for (; *other; other++) {
		if (options_has(&c->opt, *other))
			return err_set(e, ERR_USAGE, "--%s %s: leave out --%s", view->name, why,
				       (*other)->name);
	}
	return ERR_OK;
}

static const struct option_spec *const of_predictions[] = {&opt_reliability,
							   &opt_evaluate_plot,
							   &opt_protocols,
							   &opt_train,
							   &opt_test,
							   &opt_disturb,
							   NULL};
static const struct option_spec *const of_other_views[] = {&opt_rules, NULL};
static const struct option_spec *const of_predictors[] = {&opt_predictors, NULL};

static enum err_code check_options(const struct context *c, struct err *e)
{
	static const char choosing[] = "chooses what is seen itself",
			  fixed[] = "is tested beside fixed methods";
	enum err_code rc = evaluate_plot_check(c, e);

	if (!rc && options_has(&c->opt, &opt_decisions) &&
	    ((rc = refuse_beside(c, &opt_decisions, of_other_views, choosing, e)) ||
	     (rc = refuse_beside(c, &opt_decisions, of_predictions, choosing, e))))
		return rc;
	if (!rc && options_has(&c->opt, &opt_rules) &&
	    !(rc = refuse_beside(c, &opt_rules, of_predictors, fixed, e)))
		rc = refuse_beside(c, &opt_rules, of_predictions, fixed, e);
	return rc;
}

static enum err_code evaluate_asked(struct context *c, const struct mine_target *on, struct err *e)
{
	struct evaluate_question q;
	enum err_code rc;

	if ((rc = check_options(c, e)))
		return rc;
	if ((rc = evaluate_question_read(c, on->app, &q, e)))
		goto done;
	if (options_has(&c->opt, &opt_decisions))
		rc = evaluate_choices(c, on, &q, e);
	else if (options_has(&c->opt, &opt_rules))
		rc = evaluate_mined(c, on, &q, e);
	else
		rc = evaluate_predictions(c, on, &q, e);
done:
	evaluate_question_release(&q);
	return rc;
}

static enum err_code evaluate_run(struct context *c, struct err *e)
{
	struct application *app = NULL;
	struct machine *machine = NULL;
	struct mine_target on = {0};
	enum err_code rc;

	if ((rc = context_application(c, &app, &on.app_id, e)) ||
	    (rc = context_machine(c, on.app_id, &machine, &on.machine_id, e)))
		goto done;
	on.app = app;
	on.machine = machine;
	rc = evaluate_asked(c, &on, e);
done:
	machine_free(machine);
	application_free(app);
	return rc;
}

static const struct option_spec *const evaluate_options[] = {&opt_app,		 &opt_machine,
							     &opt_protocols,	 &opt_predictors,
							     &opt_train,	 &opt_test,
							     &opt_disturb,	 &opt_reliability,
							     &opt_evaluate_plot, &opt_decisions,
							     &opt_rules,	 &opt_seed,
							     &opt_format,	 NULL};

static const struct action evaluate_actions[] = {
	{NULL, "[--app NAME] [--machine NAME] [--reliability | --decisions | --rules]", NULL, 0, 0,
	 NEEDS_KB_READ, evaluate_run},
};

const struct cmd cmd_evaluate = {
	.name = "evaluate",
	.summary = "back-test: hold out runs, predict them, say how good that is",
	.description =
		"Holds out single runs, configurations, whole problems, the larger processor "
		"counts\n"
		"and the larger problems in turn, or what a condition leaves (--train), fits each\n"
		"predictor to the rest, and compares its predictions with what was measured: "
		"errors\n"
		"relative to the median of the repeats, their median (bias), the shares of single\n"
		"runs within the 50, 80, 90 and 95 % intervals (as stated, if they are honest; +- "
		"is\n"
		"the binomial standard error), the width of the 90 % interval (upper over lower "
		"end)\n"
		"and its interval score (smaller is better). Changes nothing.\n\n"
		"With --reliability, shows how often deadlines were met that were promised with a\n"
		"probability; with --plot, draws that and the predictions.\n\n"
		"With --decisions, lets predictors choose among the configurations in which a "
		"problem\n"
		"was measured: the fastest when a tenth of them is known, beside the best one "
		"known\n"
		"and a random choice; and the cheapest that meets a deadline with a confidence of\n"
		"0.9, among configurations that were not seen. Says how many deadlines were met, "
		"and\n"
		"what was paid over the least possible.\n\n"
		"With --rules, mines rules from each training part instead and asks how far their\n"
		"times are off, beside a single regression tree, a power law and the predictor; "
		"how\n"
		"much slower than the best known the settings are that they choose, beside the "
		"best\n"
		"fixed setting and a random choice; and how often choice rules are true.",
	.examples =
		"  lemnos evaluate\n"
		"  lemnos evaluate --machine iblike --predictors wavefront,power-law --format csv\n"
		"  lemnos evaluate --machine iblike --train 'procs <= 16'\n"
		"  lemnos evaluate --machine iblike --decisions\n"
		"  lemnos evaluate --machine iblike --rules",
	.options = evaluate_options,
	.action = evaluate_actions,
	.n_actions = 1,
};
