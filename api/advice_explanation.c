#include "api/advice_explanation.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

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

/* ---- then and today ---- */

static bool configuration_differs(const struct application *a, const struct answer_choice *then,
				  const struct answer_choice *now)
{
	bool same =
		strcmp(then->machine ? then->machine : "", now->machine ? now->machine : "") == 0;

	for (size_t i = 0; i < a->n_columns && same; i++)
		same = answer_value_equal(&then->value[i], &now->value[i]);
	return !same;
}

static bool duration_differs(double then, double now)
{
	char a[32], b[32];

	return strcmp(duration_format(then, a, sizeof a), duration_format(now, b, sizeof b)) != 0;
}

static bool probability_differs(double then, double now)
{
	return isnan(then) || isnan(now) ? isnan(then) != isnan(now)
					 : round(100 * then) != round(100 * now);
}

unsigned advice_explanation_differences(const struct advice_explanation *x)
{
	const struct answer *was = &x->advice.told, *is = &x->today.told;
	const struct answer_choice *then = &was->best, *now = &is->best;
	const bool both = then->given && now->given;
	unsigned differs = 0;

	if (!x->today.answer)
		return 0;
	if (was->feasible != is->feasible)
		differs |= 1u << ASPECT_FEASIBLE;
	if (!then->given && !now->given)
		return differs;
	if (!both || configuration_differs(was->app, then, now))
		differs |= 1u << ASPECT_CONFIGURATION;
	if (!both || duration_differs(then->predicted_s, now->predicted_s) ||
	    duration_differs(then->lo_s, now->lo_s) || duration_differs(then->hi_s, now->hi_s))
		differs |= 1u << ASPECT_TIME;
	if (both ? probability_differs(then->p_meet, now->p_meet)
		 : !isnan(then->given ? then->p_meet : now->p_meet))
		differs |= 1u << ASPECT_P_MEET;
	return differs;
}
