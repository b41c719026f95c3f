#include "cli/evaluate/evaluate_request.h"

#include <stdlib.h>
#include <string.h>

const struct option_spec opt_protocols = {
	.name = "protocols",
	.arg = "NAME,...",
	.help = "what to hold out: rows, configurations-70/30, configurations,\n"
		"problems, processors, sizes, levels (default: each in turn)",
};

const struct option_spec opt_predictors = {
	.name = "predictors",
	.arg = "NAME,...",
	.help = "which to test (default: all that apply, and nearest-neighbours)",
};

const struct option_spec opt_train = {
	.name = "train",
	.arg = "CONDITION",
	.help = "fit to the runs for which it holds, test on the others:\n"
		"'procs <= 16'",
};

const struct option_spec opt_test = {
	.name = "test",
	.arg = "CONDITION",
	.help = "with --train: test only on those of the others",
};

const struct option_spec opt_disturb = {
	.name = "disturb",
	.arg = "SHARE",
	.help = "slow this share of the training runs by up to 25, at random:\n"
		"how well are disturbed runs withstood?",
};

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

enum err_code evaluate_question_read(const struct context *c, const struct application *app,
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

void evaluate_question_release(struct evaluate_question *q)
{
	expr_free(q->train);
	expr_free(q->test);
	strbuf_release(&q->cut_name);
	free(q->typed);
}
