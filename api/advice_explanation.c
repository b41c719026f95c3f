#include "api/advice_explanation.h"

enum err_code advice_explanation_find(struct session *session, const char *id,
				      struct advice_explanation *out, struct err *e)
{
	struct advice_explanation x = {0};
	struct kb_advice kept = {0};
	enum err_code rc;

	if ((rc = id ? kb_get_advice(session->kb, id, &kept, e)
		     : kb_get_latest_advice(session->kb, &kept, e)) ||
	    (rc = advice_record_read(session, &kept, &x.advice, e)) ||
	    (rc = outcome_record_find(session, &x.advice, &x.record, e)) ||
	    (rc = job_reports_read(session, x.advice.kept.id, &x.jobs, e)) ||
	    (rc = advice_replay_find(session, &x.advice, &x.today, e)))
		advice_explanation_release(&x);
	else
		*out = x;
	return rc;
}

void advice_explanation_release(struct advice_explanation *x)
{
	advice_record_release(&x->advice);
	outcome_record_release(&x->record);
	job_reports_release(&x->jobs);
	advice_replay_release(&x->today);
}
