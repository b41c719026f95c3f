#include "api/task_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "api/datadir.h"

/* ---- the description ---- */

static enum err_code say_shipped(const char *name, char **list, struct err *e)
{
	struct strbuf names = STRBUF_INIT;

	for (char **p = list; *p; p++) {
		const char *file = strrchr(*p, '/') + 1;

		strbuf_printf(&names, "%s%.*s", p == list ? "" : ", ", (int)strcspn(file, "."),
			      file);
	}
	err_set(e, ERR_NOTFOUND,
		"no task description '%s' ships with lemnos (%s do); a file of yours is given with "
		"its suffix or as ./%s",
		name, strbuf_text(&names), name);
	strbuf_release(&names);
	return ERR_NOTFOUND;
}

static enum err_code open_shipped(const char *name, struct task_description **out, struct err *e)
{
	char *datadir = NULL, **list = NULL;
	const char *path = NULL;
	enum err_code rc;

	if ((rc = datadir_find(&datadir, e)) ||
	    (rc = datadir_list(datadir, "tasks", "", ".ted", &list, e)))
		goto done;
	for (char **p = list; *p; p++) {
		const char *file = strrchr(*p, '/') + 1;

		if (strncmp(file, name, strlen(name)) == 0 &&
		    strcmp(file + strlen(name), ".ted") == 0)
			path = *p;
	}
	rc = path ? task_description_read(path, out, e) : say_shipped(name, list, e);
done:
	datadir_free(list);
	free(datadir);
	return rc;
}

enum err_code task_question_open(const char *file_or_name, struct task_description **out,
				 struct err *e)
{
	if (!strpbrk(file_or_name, "/."))
		return open_shipped(file_or_name, out, e);
	return task_description_read(file_or_name, out, e);
}

/* ---- the answer ---- */

enum err_code task_question_evaluate(const struct session *session,
				     const struct task_description *t, const double *asked,
				     struct ted_result *out, struct err *e)
{
	char *folder = program_folder_find();
	struct ted_options o = {.program_folder = folder,
				.allow_run = session->allow_run,
				.progress = session->progress};
	enum err_code rc = ted_evaluate(t, asked, &o, out, e);

	free(folder);
	return rc;
}

/* ---- as Wg of a model ---- */

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
