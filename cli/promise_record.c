#include "cli/promise_record.h"

#include <stdlib.h>

#include "cli/answer_text.h"

static struct promise promise_of(const struct stored_advice *s)
{
	return (struct promise){
		.predicted_s = answer_number(s->choice, "predicted_s"),
		.lo_s = answer_number(s->choice, "lo_s"),
		.hi_s = answer_number(s->choice, "hi_s"),
		.confidence = answer_number(s->request, "confidence"),
		.deadline_s = answer_number(s->request, "deadline_s"),
		.p_meet = answer_number(s->choice, "p_meet"),
	};
}

/* None where class, machine or choice are gone. */
static enum err_code find_runs(struct context *c, const struct stored_advice *s,
			       struct kb_outcomes *out, struct err *e)
{
	double *row;
	enum err_code rc = ERR_OK;

	if (!s->choice || !s->app_id || !s->machine_id)
		return ERR_OK;
	row = calloc(s->app->n_columns, sizeof *row);
	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (stored_advice_row(s, true, row))
		rc = kb_find_outcomes(c->kb, s->app, s->machine_id, row, &s->kept, out, e);
	free(row);
	return rc;
}

enum err_code promise_record_find(struct context *c, const struct stored_advice *s,
				  struct promise_record *out, struct err *e)
{
	struct promise_record r = {.promise = promise_of(s)};
	enum err_code rc;

	if ((rc = find_runs(c, s, &r.runs, e)) ||
	    (rc = promise_judge(&r.promise, r.runs.item, r.runs.n, &r.outcome, e)))
		promise_record_release(&r);
	else
		*out = r;
	return rc;
}

void promise_record_release(struct promise_record *r)
{
	kb_outcomes_release(&r->runs);
	*r = (struct promise_record){0};
}
