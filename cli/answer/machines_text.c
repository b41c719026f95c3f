#include "cli/answer/machines_text.h"

#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"
#include "cli/frame/fold.h"

void machines_put_chosen(struct strbuf *s, const struct answer *answer)
{
	if (!answer->has_machines)
		return;
	strbuf_puts(s, "on ");
	text_put_safe(s, answer->request.machine, false);
	if (!answer->feasible)
		strbuf_printf(s, ", the nearest of %zu machines", answer->n_machines);
	strbuf_puts(s, ": ");
}

static void put_criterion(struct strbuf *s, const struct answer *answer)
{
	if (!answer->feasible)
		strbuf_puts(s, "machines: the nearest to what was asked first\n");
	else if (answer->request.objective == OBJECTIVE_TIME)
		strbuf_puts(s, "machines: feasible ones first, by support and time\n");
	else
		strbuf_puts(s,
			    "machines: feasible ones first, by support and promised node-hours (a "
			    "node of one is not a node of another)\n");
}

/* The chosen one's was said at the top. */
static void put_reasons(struct strbuf *s, const struct answer *answer)
{
	for (size_t i = 1; i < answer->n_machines; i++) {
		const struct answer_of_machine *row = &answer->machine[i];

		if (!row->reason || !*row->reason)
			continue;
		strbuf_puts(s, "  ");
		text_put_safe(s, row->machine, false);
		strbuf_puts(s, ": ");
		text_put_safe(s, row->reason, false);
		strbuf_putc(s, '\n');
	}
}

static enum err_code print_text(struct strbuf *s, FILE *f, struct err *e)
{
	if (s->failed)
		return err_set(e, ERR_NOMEM, "the answers of machines");
	fold_print(strbuf_text(s), f);
	strbuf_clear(s);
	return ERR_OK;
}

enum err_code machines_print(const struct context *c, const struct answer *answer, struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	struct out_table *t = NULL;
	enum err_code rc;

	if (!answer->has_machines)
		return ERR_OK;
	strbuf_putc(&s, '\n');
	put_criterion(&s, answer);
	if ((rc = print_text(&s, c->out, e)))
		goto done;
	t = advice_machines_table(answer, true);
	rc = t ? out_table_print(t, FORMAT_TABLE, "machines", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answers of machines");
	if (rc)
		goto done;
	put_reasons(&s, answer);
	rc = print_text(&s, c->out, e);
done:
	out_table_free(t);
	strbuf_release(&s);
	return rc;
}
