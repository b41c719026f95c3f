#include "api/outcome_record.h"

#include <stdlib.h>

static struct reliability promise_of(const struct advice_record *s)
{
	return (struct reliability){
		.predicted_s = s->told.best.predicted_s,
		.lo_s = s->told.best.lo_s,
		.hi_s = s->told.best.hi_s,
		.confidence = s->told.request.confidence,
		.deadline_s = s->told.request.deadline_s,
		.p_meet = s->told.best.p_meet,
	};
}

/* None where class, machine or choice are gone. */
static enum err_code find_runs(struct session *session, const struct advice_record *s,
			       struct kb_outcomes *out, struct err *e)
{
	double *row;
	enum err_code rc = ERR_OK;

	if (!s->choice || !s->app_id || !s->machine_id)
		return ERR_OK;
	row = calloc(s->app->n_columns, sizeof *row);
	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if (advice_record_row(s, true, row))
		rc = kb_find_outcomes(session->kb, s->app, s->machine_id, row, &s->kept, out, e);
	free(row);
	return rc;
}

enum err_code outcome_record_find(struct session *session, const struct advice_record *s,
				  struct outcome_record *out, struct err *e)
{
	struct outcome_record r = {.promise = promise_of(s)};
	enum err_code rc;

	if ((rc = find_runs(session, s, &r.runs, e)) ||
	    (rc = reliability_judge(&r.promise, r.runs.item, r.runs.n, &r.outcome, e)))
		outcome_record_release(&r);
	else
		*out = r;
	return rc;
}

void outcome_record_release(struct outcome_record *r)
{
	kb_outcomes_release(&r->runs);
	*r = (struct outcome_record){0};
}
