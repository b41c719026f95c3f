#include "cli/answer/next_answer.h"

#include <stdlib.h>

#include "cli/answer/answer_text.h"
#include "api/advice_parts_json.h"
#include "cli/answer/next_table.h"
#include "cli/frame/output.h"
#include "cli/frame/fold.h"
#include "cli/frame/wrapped_text.h"

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
static void put_meaning(struct strbuf *s, const struct answer *answer)
{
	int objective = answer->request.objective;
	double percent = 100 * answer->decision.tolerance;

	strbuf_puts(s, "wrong is what breaks a limit that another keeps, or if another ");
	if (objective == OBJECTIVE_TIME)
		strbuf_printf(s, "takes over %.0f %% less time\n", percent);
	else if (objective == OBJECTIVE_NODE_HOURS)
		strbuf_printf(s, "takes over %.0f %% fewer node-hours\n", percent);
	else
		strbuf_printf(s, "needs fewer nodes, or as many for over %.0f %% less time\n",
			      percent);
}

/* "1. No run has tile = 24 ...": why each of them. */
static void put_reasons(struct strbuf *s, const struct answer *answer)
{
	struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < answer->n_next; i++) {
		if (!*answer->next[i].why) /* an older program did not say */
			continue;
		strbuf_clear(&line);
		strbuf_printf(&line, "%zu. %s", i + 1, answer->next[i].why);
		text_put_wrapped(strbuf_text(&line), 2, s);
	}
	s->failed = s->failed || line.failed;
	strbuf_release(&line);
}

/* Why there are none. */
static void put_none(struct strbuf *s, const struct answer_decision *decision)
{
	strbuf_puts(s, "runs that would teach most: none, ");
	if (decision->contenders == 0) {
		strbuf_puts(s, "nothing is to be decided where no configuration fits\n");
		return;
	}
	strbuf_puts(s, "the chance of a wrong decision is ");
	put_chance(s, decision->wrong);
	strbuf_puts(s, decision->safe ? "\n" : ", and no single run changes it\n");
}

static void put_heading(struct strbuf *s, const struct answer *answer)
{
	const struct answer_decision *decision = &answer->decision;
	double wrong = decision->wrong, right = decision->answer_right;

	strbuf_puts(s, "runs that would teach most per node-hour, the best first\n"
		       "chance of a wrong decision now: ");
	put_chance(s, wrong);
	strbuf_puts(s, ", among ");
	answer_put_count(s, decision->contenders, "contender");
	strbuf_putc(s, '\n');
	put_meaning(s, answer);
	if (right < 1 - wrong - decision->tolerance) {
		strbuf_puts(s, "this answer is the right one with a chance of ");
		put_chance(s, right);
		strbuf_puts(s, " only: what is likelier right is not sure enough yet\n");
	}
}

enum err_code next_answer_print(const struct context *c, const struct answer *answer, struct err *e)
{
	size_t n = answer->n_next;
	struct strbuf s = STRBUF_INIT;
	struct out_table *t;
	enum err_code rc;

	if (!answer->decision.given)
		return ERR_OK;
	if (n > 0)
		put_heading(&s, answer);
	else
		put_none(&s, &answer->decision);
	t = s.failed ? NULL : next_table(answer, true);
	if (!t) {
		strbuf_release(&s);
		return err_set(e, ERR_NOMEM, "runs to make");
	}
	fold_print(strbuf_text(&s), c->out);
	rc = out_table_print(t, FORMAT_TABLE, "next", c->out, e);
	strbuf_clear(&s);
	put_reasons(&s, answer);
	if (!rc && s.failed)
		rc = err_set(e, ERR_NOMEM, "why runs are to be made");
	if (!rc)
		fputs(strbuf_text(&s), c->out);
	if (!rc && n > 0 && (double)n < answer->request.n_next)
		fputs("further runs would make no difference\n", c->out);
	fputc('\n', c->out);
	out_table_free(t);
	strbuf_release(&s);
	return rc;
}
