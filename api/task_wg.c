#include "api/task_wg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "api/task_question.h"

_Static_assert(TASK_MAX_COUNT == SWEEP_MAX_COUNT, "one limit");

struct task_wg {
	const struct session *session;
	struct task_description *task;
	double asked[TASK_VARIABLES]; /* of the last answer; 0: none yet */
	double Wg_s;
};

enum err_code task_wg_open(const struct session *session, const char *text, struct task_wg **out,
			   struct err *e)
{
	static const char prefix[] = "ted:";
	struct task_wg *w;
	enum err_code rc;

	*out = NULL;
	if (!text || strncmp(text, prefix, strlen(prefix)) != 0)
		return ERR_OK;
	w = calloc(1, sizeof *w);
	if (!w)
		return err_set(e, ERR_NOMEM, "a task");
	w->session = session;
	rc = task_question_open(text + strlen(prefix), &w->task, e);
	if (rc)
		task_wg_free(w);
	else
		*out = w;
	return rc;
}

static bool is_last(const struct task_wg *w, const double *asked)
{
	for (int v = 0; v < TASK_REPEATS; v++) {
		if (w->asked[v] != asked[v])
			return false;
	}
	return true;
}

static void take(struct task_wg *w, const double *asked, const struct ted_result *r)
{
	char time[32];

	memcpy(w->asked, asked, sizeof w->asked);
	w->Wg_s = r->Wg_s;
	session_note(w->session, "Wg %s for it %g, jt %g, mk %g, mmi %g: %s",
		     duration_format(r->Wg_s, time, sizeof time), asked[TASK_IT], asked[TASK_JT],
		     asked[TASK_MK], asked[TASK_MMI], strbuf_text(&r->evidence));
}

enum err_code task_wg_find(struct task_wg *w, const struct sweep *s, double *Wg_s, struct err *e)
{
	double asked[TASK_VARIABLES] = {[TASK_REPEATS] = (double)NAN};
	struct ted_result r = {0};
	struct sweep_block b;
	enum err_code rc = sweep_block_of(s, &b, e);

	if (rc)
		return rc;
	asked[TASK_IT] = (double)b.it;
	asked[TASK_JT] = (double)b.jt;
	asked[TASK_KT] = (double)s->kt;
	asked[TASK_MK] = (double)s->mk;
	asked[TASK_MMI] = (double)s->mmi;
	asked[TASK_MM] = (double)s->mm;
	if (!is_last(w, asked)) {
		rc = task_question_evaluate(w->session, w->task, asked, &r, e);
		if (!rc)
			take(w, asked, &r);
		ted_result_release(&r);
	}
	if (!rc)
		*Wg_s = w->Wg_s;
	return rc;
}

void task_wg_free(struct task_wg *w)
{
	if (!w)
		return;
	task_description_free(w->task);
	free(w);
}
