#include "cli/answer/next_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/answer/answer_text.h"
#include "api/config_json.h"
#include "api/next_json.h"
#include "cli/answer/next_table.h"
#include "cli/frame/output.h"

const struct option_spec opt_next = {
	.name = "next",
	.arg = "N",
	.help = "name the N runs (at most 20) that would teach most",
};

enum err_code next_answer_option(const struct options *o, size_t *n, struct err *e)
{
	long long given = 0;
	enum err_code rc = options_integer(o, &opt_next, 1, NEXT_ANSWER_MAX, &given, e);

	if (!rc)
		*n = (size_t)given;
	return rc;
}

/* "23 %"; what is not quite 0 or 100 % does not become so by rounding. */
static void put_chance(struct strbuf *s, double p)
{
	if (p > 0 && p < 0.01)
		strbuf_puts(s, "below 1 %");
	else if (p < 1 && p > 0.99)
		strbuf_puts(s, "above 99 %");
	else
		strbuf_printf(s, "%.0f %%", 100 * p);
}

/* What "wrong" means, so that the number can be judged. */
static void put_meaning(struct strbuf *s, const json_t *decision, const json_t *request)
{
	const char *objective = answer_text(request, "objective");
	double percent = 100 * answer_number(decision, "tolerance");

	strbuf_puts(s, "wrong is what breaks a limit that another keeps, or if another ");
	if (!strcmp(objective, objective_name(OBJECTIVE_TIME)))
		strbuf_printf(s, "takes over %.0f %% less time\n", percent);
	else if (!strcmp(objective, objective_name(OBJECTIVE_NODE_HOURS)))
		strbuf_printf(s, "takes over %.0f %% fewer node-hours\n", percent);
	else
		strbuf_printf(s, "needs fewer nodes, or as many for over %.0f %% less time\n",
			      percent);
}

/* Why there are none. */
static void put_none(struct strbuf *s, const json_t *decision)
{
	strbuf_puts(s, "runs that would teach most: none, ");
	if (answer_number(decision, "contenders") == 0) {
		strbuf_puts(s, "nothing is to be decided where no configuration fits\n");
		return;
	}
	strbuf_puts(s, "the chance of a wrong decision is ");
	put_chance(s, answer_number(decision, "wrong"));
	strbuf_puts(s, answer_is(decision, "safe") ? "\n" : ", and no single run changes it\n");
}

static void put_heading(struct strbuf *s, const json_t *answer)
{
	const json_t *decision = json_object_get(answer, "decision");
	double wrong = answer_number(decision, "wrong");
	double right = answer_number(decision, "answer_right");

	strbuf_puts(s, "runs that would teach most per node-hour, the best first\n"
		       "chance of a wrong decision now: ");
	put_chance(s, wrong);
	strbuf_puts(s, ", among ");
	answer_put_count(s, answer_number(decision, "contenders"), "contender");
	strbuf_putc(s, '\n');
	put_meaning(s, decision, json_object_get(answer, "request"));
	if (right < 1 - wrong - answer_number(decision, "tolerance")) {
		strbuf_puts(s, "this answer is the right one with a chance of ");
		put_chance(s, right);
		strbuf_puts(s, " only: what is likelier right is not sure enough yet\n");
	}
}

enum err_code next_answer_print(const struct context *c, const struct json_t *answer,
				const struct application *a, struct err *e)
{
	const json_t *decision = json_object_get(answer, "decision");
	size_t n = json_array_size(json_object_get(answer, "next"));
	struct strbuf s = STRBUF_INIT;
	struct out_table *t;
	enum err_code rc;

	if (!decision)
		return ERR_OK;
	if (n > 0)
		put_heading(&s, answer);
	else
		put_none(&s, decision);
	t = s.failed ? NULL : next_table(answer, a, true);
	if (!t) {
		strbuf_release(&s);
		return err_set(e, ERR_NOMEM, "runs to make");
	}
	fputs(strbuf_text(&s), c->out);
	rc = out_table_print(t, FORMAT_TABLE, "next", c->out, e);
	if (!rc && n > 0 && (double)n < answer_number(json_object_get(answer, "request"), "next"))
		fputs("further runs would make no difference\n", c->out);
	fputc('\n', c->out);
	out_table_free(t);
	strbuf_release(&s);
	return rc;
}
