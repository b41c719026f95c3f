#include "cli/answer/question_options.h"

#include <string.h>

#include "cli/answer/advice_limits.h"

const struct option_spec opt_like = {
	.name = "like",
	.arg = "NAME",
	.help = "what if: a machine without runs computes like machine NAME",
};
const struct option_spec opt_wg_factor = {
	.name = "wg-factor",
	.arg = "F",
	.help = "with --like: its computation takes F times as long (default 1)",
};

enum err_code machine_request_read(const struct context *c, struct machine_request *out,
				   struct err *e)
{
	struct machine_request asked = {
		.name = options_get(&c->opt, &opt_machine),
		.like = options_get(&c->opt, &opt_like),
		.wg_factor = 1,
	};
	enum err_code rc;

	if (!asked.like && options_has(&c->opt, &opt_wg_factor))
		return err_set(e, ERR_USAGE,
			       "--wg-factor needs --like NAME, the machine whose computation times "
			       "it multiplies");
	if ((rc = options_number(&c->opt, &opt_wg_factor, 1e-6, 1e6, &asked.wg_factor, e)))
		return rc;
	*out = asked;
	return ERR_OK;
}

enum err_code advice_question_read(struct context *c, struct advice_question *q, struct err *e)
{
	enum err_code rc;

	/* The limits last: --dedline 1h is an unknown option, not a deadline that is missing. */
	if ((rc = advice_question_open(&c->session, options_get(&c->opt, &opt_app), q, e)) ||
	    (rc = context_configuration(c, q->app, true, q->given, e)) ||
	    (rc = advice_limits_read(&c->opt, &q->request, &q->by, e)))
		return rc;
	advice_question_complete(&c->session, q);
	return ERR_OK;
}

/* ---- several machines ---- */

/* Nothing forbids a machine's name with a comma, or "any". */
static enum err_code is_a_name(struct context *c, const char *text, bool *is_name, struct err *e)
{
	struct machine *of_that_name = NULL;
	struct err why = {0};
	int64_t id;
	enum err_code rc = kb_get_machine(c->session.kb, text, &of_that_name, &id, &why);

	machine_free(of_that_name);
	if (rc && rc != ERR_NOTFOUND)
		return err_set(e, rc, "%s", why.msg);
	*is_name = rc == ERR_OK;
	return ERR_OK;
}

enum err_code machine_names_read(struct context *c, char ***out, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_machine);
	bool is_name = false;
	enum err_code rc;

	*out = NULL;
	if (!text || (strcmp(text, "any") != 0 && !strchr(text, ',')))
		return ERR_OK;
	if ((rc = is_a_name(c, text, &is_name, e)) || is_name)
		return rc;
	if (options_has(&c->opt, &opt_like))
		return err_set(e, ERR_USAGE,
			       "--like asks what if of one machine: give one with --machine");
	return options_list(&c->opt, &opt_machine, out, NULL, e);
}
