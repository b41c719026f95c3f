#include "api/task_question.h"

#include <stdlib.h>
#include <string.h>

#include "api/datadir.h"
#include "base/strbuf.h"

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
