#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/context.h"
#include "mining/evaluate.h"
#include "mining/evaluate_rules.h"
#include "mining/mine.h"

static const struct option_spec opt_predictors = {
	.name = "predictors",
	.arg = "NAME,...",
	.help = "which to test (default: all that apply)",
};

static const struct option_spec opt_rules = {
	.name = "rules",
	.help = "test the mined rules instead: how well they predict, and choose",
};

static const struct out_column columns[] = {
	{"app", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"held_out", "held out", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"n_train", "train", OUT_INT},
	{"n_test", "test", OUT_INT},
	{"median_error", "median error", OUT_PERCENT},
	{"p90_error", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"coverage", "in 90 % interval", OUT_PERCENT},
	{"width", "its width", OUT_REAL},
};

static void put_evaluation(struct out_table *t, const struct mine_target *on,
			   const struct evaluation *v)
{
	out_text(t, on->app->name);
	out_text(t, on->machine->name);
	out_text(t, holdout_info[v->protocol].name);
	out_text(t, v->predictor);
	out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	out_real(t, v->median_error);
	out_real(t, v->p90_error);
	out_real(t, v->bias);
	out_real(t, v->coverage);
	out_real(t, v->width);
}

static enum err_code print_evaluations(struct context *c, const struct mine_target *on,
				       const struct evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++)
		put_evaluation(t, on, &v[i]);
	rc = out_table_print(t, c->format, "evaluation", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code evaluate_pair(struct context *c, const struct mine_target *on,
				   const char *const *predictor, size_t n_predictors, unsigned seed,
				   struct err *e)
{
	struct evaluation *v = calloc(n_predictors * HOLDOUT_COUNT, sizeof *v);
	struct mine_input in = {0};
	size_t n = 0;
	enum err_code rc;

	if (!v)
		return err_set(e, ERR_NOMEM, "the evaluation");
	if ((rc = mine_input_load(c->kb, on, c->progress, &in, e)) ||
	    (rc = evaluate(&in.fit, predictor, n_predictors, seed, v, &n, e)))
		goto done;
	progress_bar_clear(&c->bar);
	rc = print_evaluations(c, on, v, n, e);
done:
	mine_input_release(&in);
	free(v);
	return rc;
}

static enum err_code evaluate_chosen(struct context *c, const struct mine_target *on, struct err *e)
{
	const char *all[PREDICTOR_KINDS];
	char **asked = NULL;
	size_t n = 0;
	unsigned seed;
	enum err_code rc;

	if ((rc = options_seed(&c->opt, &seed, e)) ||
	    (rc = options_list(&c->opt, &opt_predictors, &asked, &n, e)))
		return rc;
	rc = n > 0 ? evaluate_pair(c, on, (const char *const *)asked, n, seed, e)
		   : evaluate_pair(c, on, all, predictor_names(on->app, all), seed, e);
	free(asked);
	return rc;
}

/* ---- --rules ---- */

static const struct out_column rule_columns[] = {
	{"app", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"held_out", "held out", OUT_TEXT},
	{"measure", NULL, OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"n_train", "train", OUT_INT},
	{"n_test", "test", OUT_INT},
	{"size", NULL, OUT_REAL},
	{"covered", NULL, OUT_PERCENT},
	{"median", NULL, OUT_PERCENT},
	{"p90", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"share_true", "true", OUT_PERCENT},
};

static void put_rule_evaluation(struct out_table *t, const struct mine_target *on,
				const struct rule_evaluation *v)
{
	out_text(t, on->app->name);
	out_text(t, on->machine->name);
	out_text(t, holdout_info[v->protocol].name);
	out_text(t, rule_measure_name[v->measure]);
	out_text(t, v->method);
	out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	out_real(t, v->size);
	out_real(t, v->covered);
	out_real(t, v->median);
	out_real(t, v->p90);
	out_real(t, v->bias);
	out_real(t, v->share_true);
}

static enum err_code print_rules(struct context *c, const struct mine_target *on,
				 const struct rule_evaluation *v, size_t n, struct err *e)
{
	struct out_table *t =
		out_table_new(rule_columns, sizeof rule_columns / sizeof rule_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++)
		put_rule_evaluation(t, on, &v[i]);
	rc = out_table_print(t, c->format, "evaluation", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code evaluate_mined(struct context *c, const struct mine_target *on, struct err *e)
{
	struct rule_evaluation v[RULE_EVALUATIONS];
	struct mine_input in = {0};
	unsigned seed;
	size_t n;
	enum err_code rc;

	if (options_has(&c->opt, &opt_predictors))
		return err_set(e, ERR_USAGE,
			       "--rules is tested beside fixed methods: leave out --predictors");
	if ((rc = options_seed(&c->opt, &seed, e)) ||
	    (rc = mine_input_load(c->kb, on, c->progress, &in, e)))
		return rc;
	rc = evaluate_rules(&in.fit, seed, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = print_rules(c, on, v, n, e);
	mine_input_release(&in);
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
	rc = options_has(&c->opt, &opt_rules) ? evaluate_mined(c, &on, e)
					      : evaluate_chosen(c, &on, e);
done:
	machine_free(machine);
	application_free(app);
	return rc;
}

static const struct option_spec *const evaluate_options[] = {
	&opt_app, &opt_machine, &opt_predictors, &opt_rules, &opt_seed, &opt_format, NULL};

static const struct action evaluate_actions[] = {
	{NULL, "[--app NAME] [--machine NAME] [--rules]", NULL, 0, 0, NEEDS_KB_READ, evaluate_run},
};

const struct cmd cmd_evaluate = {
	.name = "evaluate",
	.summary = "back-test: hold out runs, predict them, say how good that is",
	.description =
		"Holds out configurations, whole problems, the larger processor counts and the\n"
		"larger problems in turn, fits each predictor to the rest, and compares its\n"
		"predictions with what was measured: errors relative to the median of the "
		"repeats,\n"
		"their median (bias), and the share of single runs that lie in the 90 % interval\n"
		"(90 % if it is honest) with its width (upper over lower end). Changes nothing.\n\n"
		"With --rules, mines rules from each training part instead and asks how far their\n"
		"times are off, beside a single regression tree, a power law and the predictor; "
		"how\n"
		"much slower than the best known the settings are that they choose, beside the "
		"best\n"
		"fixed setting and a random choice; and how often choice rules are true.",
	.examples =
		"  lemnos evaluate\n"
		"  lemnos evaluate --machine iblike --predictors wavefront,power-law --format csv\n"
		"  lemnos evaluate --machine iblike --rules",
	.options = evaluate_options,
	.action = evaluate_actions,
	.n_actions = 1,
};
