#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "domain/expr.h"
#include "api/back_test.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/evaluate/evaluate_output.h"

/* What `lemnos evaluate` was asked to hold out, and to fit. */
struct evaluate_question {
	const struct cv_protocol *protocol[PROTOCOL_COUNT + 1];
	size_t n_protocols;
	const char *predictor[FORECASTER_KINDS];
	size_t n_predictors;
	unsigned seed;
	double disturb;
	/* behind the protocol that --train makes, and the names that were typed */
	struct cv_protocol cut;
	struct expr *train, *test;
	struct strbuf cut_name;
	char **typed;
};

/* ---- what is asked ---- */

static OPTION(opt_protocols, "protocols", "NAME,...",
	      .help = "what to hold out: rows, configurations-70/30, configurations,\n"
		      "problems, processors, sizes, levels (default: each in turn)");

static OPTION(opt_predictors, "predictors", "NAME,...",
	      .help = "which to test (default: all that apply, and nearest-neighbours)");

static OPTION(opt_train, "train", "CONDITION",
	      .help = "fit to the runs for which it holds, test on the others:\n"
		      "'procs <= 16'");

static OPTION(opt_test, "test", "CONDITION",
	      .help = "with --train: test only on those of the others");

static OPTION(opt_disturb, "disturb", "SHARE",
	      .help = "slow this share of the training runs by up to 25, at random:\n"
		      "how well are disturbed runs withstood?");

static enum err_code unknown_protocol(const char *name, struct err *e)
{
	struct strbuf list = STRBUF_INIT;
	enum err_code rc;

	for (size_t k = 0; k < PROTOCOL_COUNT; k++)
		strbuf_printf(&list, "%s%s", k ? ", " : "", cv_protocol_list[k].name);
	rc = err_set(e, ERR_USAGE, "--protocols: there is no protocol %s: use one of %s", name,
		     strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}

static enum err_code add_protocol(struct evaluate_question *q, const struct cv_protocol *p,
				  struct err *e)
{
	for (size_t k = 0; k < q->n_protocols; k++) {
		if (q->protocol[k] == p)
			return err_set(e, ERR_USAGE, "--protocols: %s is named twice", p->name);
	}
	q->protocol[q->n_protocols++] = p;
	return ERR_OK;
}

/* Named ones; all of them if none is named and no condition given either. */
static enum err_code read_protocols(const struct context *c, struct evaluate_question *q,
				    struct err *e)
{
	char **name = NULL;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_protocols, &name, &n, e);

	for (size_t i = 0; i < n && !rc; i++) {
		const struct cv_protocol *p = cv_protocol_find(name[i]);

		rc = p ? add_protocol(q, p, e) : unknown_protocol(name[i], e);
	}
	free(name);
	for (size_t k = 0; k < PROTOCOL_COUNT && n == 0 && !q->train && !rc; k++)
		rc = add_protocol(q, &cv_protocol_list[k], e);
	return rc;
}

static enum err_code read_condition(const struct context *c, const struct option_spec *option,
				    const struct application *app, struct expr **out, struct err *e)
{
	const char *text = options_get(&c->opt, option);
	struct err why = {0};

	if (!text || !expr_parse(text, &app->scope, out, &why))
		return ERR_OK;
	return err_set(e, ERR_USAGE, "--%s: %s", option->name, why.msg);
}

static enum err_code read_cut(const struct context *c, const struct application *app,
			      struct evaluate_question *q, struct err *e)
{
	enum err_code rc;

	if (options_has(&c->opt, &opt_test) && !options_has(&c->opt, &opt_train))
		return err_set(e, ERR_USAGE, "--test goes with --train: what to fit to");
	if ((rc = read_condition(c, &opt_train, app, &q->train, e)) ||
	    (rc = read_condition(c, &opt_test, app, &q->test, e)) || !q->train)
		return rc;
	if (q->test) {
		expr_put_text(q->test, &q->cut_name);
		strbuf_puts(&q->cut_name, ", trained on ");
	} else {
		strbuf_puts(&q->cut_name, "all but ");
	}
	expr_put_text(q->train, &q->cut_name);
	if (q->cut_name.failed)
		return err_set(e, ERR_NOMEM, "--train");
	q->cut = (struct cv_protocol){.name = strbuf_text(&q->cut_name),
				      .kind = PROTOCOL_CUT,
				      .train = q->train,
				      .test = q->test};
	q->protocol[q->n_protocols++] = &q->cut;
	return ERR_OK;
}

static enum err_code read_predictors(const struct context *c, const struct application *app,
				     struct evaluate_question *q, struct err *e)
{
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_predictors, &q->typed, &n, e);

	if (rc)
		return rc;
	if (n == 0)
		q->n_predictors = baseline_names(app, q->predictor);
	for (size_t i = 0; i < n; i++) {
		if ((rc = baseline_check(q->typed[i], app, e)))
			return rc;
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(q->typed[k], q->typed[i]))
				return err_set(e, ERR_USAGE, "--predictors: %s is named twice",
					       q->typed[i]);
		}
		q->predictor[q->n_predictors++] = q->typed[i];
	}
	return ERR_OK;
}

/* Errors: USAGE (an option makes no sense, an unknown name: lists those that there are), PARSE (a
 * condition). *out must be released in any case. */
static enum err_code evaluate_question_read(const struct context *c, const struct application *app,
					    struct evaluate_question *out, struct err *e)
{
	enum err_code rc;

	*out = (struct evaluate_question){.cut_name = STRBUF_INIT};
	if ((rc = options_seed(&c->opt, &out->seed, e)) ||
	    (rc = options_number(&c->opt, &opt_disturb, 0, 1, &out->disturb, e)) ||
	    (rc = read_cut(c, app, out, e)) || (rc = read_protocols(c, out, e)))
		return rc;
	return read_predictors(c, app, out, e);
}

static void evaluate_question_release(struct evaluate_question *q)
{
	expr_free(q->train);
	expr_free(q->test);
	strbuf_release(&q->cut_name);
	free(q->typed);
}

/* ---- the command ---- */

static OPTION(opt_reliability, "reliability", NULL,
	      .help = "show what was promised of deadlines, and what happened");

static OPTION(opt_decisions, "decisions", NULL,
	      .help = "test decisions instead: the fastest configuration, and the\n"
		      "cheapest that meets a deadline, among those that were measured");

static OPTION(opt_rules, "rules", NULL,
	      .help = "test the mined rules instead: how well they predict, and choose");

/* ---- predictions ---- */

static enum err_code run_protocols(struct context *c, struct back_test *t,
				   const struct evaluate_question *q, struct evaluation *v,
				   struct err *e)
{
	bool plotted = options_has(&c->opt, &opt_evaluate_plot);
	struct evaluate_plot plot = {0};
	struct evaluate_request request = {.in = &t->in.fit,
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

	if ((rc = back_test_load(&c->session, t, e)))
		return rc;
	rc = evaluate(&request, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = options_has(&c->opt, &opt_reliability)
			     ? evaluate_print_reliability(c, &t->on, v, n, e)
			     : evaluate_print_scores(c, &t->on, v, n, e);
	if (!rc && plotted)
		rc = evaluate_plot_write(c, &t->on, &plot, e);
	evaluate_plot_release(&plot);
	return rc;
}

static enum err_code evaluate_predictions(struct context *c, struct back_test *t,
					  const struct evaluate_question *q, struct err *e)
{
	struct evaluation *v = calloc(q->n_protocols * q->n_predictors, sizeof *v);
	enum err_code rc =
		v ? run_protocols(c, t, q, v, e) : err_set(e, ERR_NOMEM, "the evaluation");

	free(v);
	return rc;
}

/* ---- --decisions ---- */

static enum err_code evaluate_choices(struct context *c, struct back_test *t,
				      const struct evaluate_question *q, struct err *e)
{
	struct decision_evaluation v[DECISION_ROWS_MAX];
	struct decision_request request = {.in = &t->in.fit,
					   .predictor = q->predictor,
					   .n_predictors = q->n_predictors,
					   .seed = q->seed};
	size_t n = 0;
	enum err_code rc;

	if ((rc = back_test_load(&c->session, t, e)))
		return rc;
	rc = evaluate_decisions(&request, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = evaluate_print_decisions(c, &t->on, v, n, e);
	return rc;
}

/* ---- --rules ---- */

static enum err_code evaluate_mined(struct context *c, struct back_test *t,
				    const struct evaluate_question *q, struct err *e)
{
	struct rule_evaluation v[RULE_EVALUATIONS];
	size_t n;
	enum err_code rc;

	if ((rc = back_test_load(&c->session, t, e)))
		return rc;
	rc = evaluate_rules(&t->in.fit, q->seed, v, &n, e);
	progress_bar_clear(&c->bar);
	if (!rc)
		rc = evaluate_print_rules(c, &t->on, v, n, e);
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

static enum err_code evaluate_asked(struct context *c, struct back_test *t, struct err *e)
{
	struct evaluate_question q;
	enum err_code rc;

	if ((rc = check_options(c, e)))
		return rc;
	if ((rc = evaluate_question_read(c, t->app, &q, e)))
		goto done;
	if (options_has(&c->opt, &opt_decisions))
		rc = evaluate_choices(c, t, &q, e);
	else if (options_has(&c->opt, &opt_rules))
		rc = evaluate_mined(c, t, &q, e);
	else
		rc = evaluate_predictions(c, t, &q, e);
done:
	evaluate_question_release(&q);
	return rc;
}

static enum err_code evaluate_run(struct context *c, struct err *e)
{
	struct back_test t = {0};
	enum err_code rc = back_test_open(&c->session, options_get(&c->opt, &opt_app),
					  options_get(&c->opt, &opt_machine), &t, e);

	if (!rc)
		rc = evaluate_asked(c, &t, e);
	back_test_release(&t);
	return rc;
}

static const struct option_spec *const evaluate_options[] = {
	&opt_app,   &opt_machine, &opt_protocols,   &opt_predictors,	&opt_train,
	&opt_test,  &opt_disturb, &opt_reliability, &opt_evaluate_plot, &opt_decisions,
	&opt_rules, &opt_seed,	  &opt_max_memory,  &opt_format,	NULL};

static const struct action evaluate_actions[] = {
	{NULL, "[--app NAME] [--machine NAME] [--reliability | --decisions | --rules]", NULL, 0, 0,
	 NEEDS_KB_READ, evaluate_run},
};

const struct cmd cmd_evaluate = {
	.name = "evaluate",
	.summary = "back-test: hold out runs, predict them, say how good that is",
	.description =
		"Holds out single runs, configurations, whole problems, the larger processor counts,\n"
		"the larger problems and levels of problem columns in turn, or what a condition leaves\n"
		"(--train), fits each predictor to the rest, and compares its predictions with what was\n"
		"measured: errors relative to the median of the repeats, their median (bias), the shares\n"
		"of single runs within the 50, 80, 90 and 95 % intervals (as stated, if they are honest;\n"
		"+- is the binomial standard error), the width of the 90 % interval (upper over lower\n"
		"end) and its interval score (smaller is better). Changes nothing.\n\n"
		"With --reliability, shows how often deadlines were met that were promised with a\n"
		"probability; with --plot, draws that and the predictions.\n\n"
		"With --decisions, lets predictors choose among the configurations in which a problem\n"
		"was measured: the fastest when a tenth of them is known, beside the best one known\n"
		"and a random choice; and the cheapest that meets a deadline with a confidence of\n"
		"0.9, among configurations that were not seen. Says how many deadlines were met, and\n"
		"what was paid over the least possible.\n\n"
		"With --rules, mines rules from each training part instead and asks how far their\n"
		"times are off, beside a single regression tree, a power law and the predictor; how\n"
		"much slower than the best known the settings are that they choose, beside the best\n"
		"fixed setting and a random choice; and how often choice rules are true.",
	.examples =
		"  lemnos evaluate\n"
		"  lemnos evaluate --machine iblike --predictors wavefront,power-law --format csv\n"
		"  lemnos evaluate --machine iblike --train 'procs <= 16'\n"
		"  lemnos evaluate --machine iblike --decisions\n"
		"  lemnos evaluate --machine iblike --rules",
	.options = evaluate_options,
	.less_memory =
		"evaluate one machine at a time (--machine NAME), or keep runs out of it with `lemnos runs exclude`",
	.action = evaluate_actions,
	.n_actions = 1,
};
