#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acquire/ted_private.h"

enum err_code ted_words_add(struct ted_words *w, const char *text, struct err *e)
{
	struct strbuf *grown = realloc(w->word, (w->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "the arguments of a program");
	w->word = grown;
	grown[w->n] = STRBUF_INIT;
	strbuf_puts(&grown[w->n], text);
	return grown[w->n++].failed ? err_set(e, ERR_NOMEM, "the arguments of a program") : ERR_OK;
}

/* A description is data that somebody sends: what it names is run only for those who say so. */
static enum err_code refuse_to_run(const struct task_description *t, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "%s: wants to run %s, a program that does not come with lemnos; --allow-run "
		       "lets descriptions do so",
		       t->name, t->run.program);
}

/* Absolute, for the program runs in a folder of its own. Without '/': in the programs' folder if it
 * is there, else left to PATH. */
static enum err_code add_program(struct ted_words *w, const struct task_description *t,
				 const struct ted_options *o, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	bool is_path = strchr(t->run.program, '/') != NULL;
	char *absolute = NULL;
	enum err_code rc;

	errno = 0;
	if (is_path)
		ted_path(t, t->run.program, &path);
	else if (o->program_folder)
		strbuf_printf(&path, "%s/%s", o->program_folder, t->run.program);
	if (!path.failed && path.len > 0 && access(path.buf, X_OK) == 0)
		absolute = realpath(path.buf, NULL);
	/* Without memory for it, a program of this name in PATH would be another one. */
	if (path.failed || (!absolute && errno == ENOMEM))
		rc = err_set(e, ERR_NOMEM, "the path of %s", t->run.program);
	else if (!o->allow_run && (is_path || !absolute))
		rc = refuse_to_run(t, e);
	else if (is_path && !absolute)
		rc = err_set(e, ERR_NOTFOUND, "%s: there is no program %s", t->name,
			     strbuf_text(&path));
	else
		rc = ted_words_add(w, absolute ? absolute : t->run.program, e);
	free(absolute);
	strbuf_release(&path);
	return rc;
}

/* The first variable that an argument needs and nobody gave. */
static enum err_code say_missing(const struct task_description *t, const double *row,
				 const struct err *why, struct err *e)
{
	for (int v = 0; v < TASK_VARIABLES; v++) {
		if (isnan(row[v]))
			return err_set(e, ERR_ARG, "%s: '%s' is not known: %s", t->name,
				       task_variable_name((enum task_variable)v), why->msg);
	}
	return err_set(e, ERR_ARG, "%s: %s", t->name, why->msg);
}

enum err_code ted_words_program(struct ted_words *w, const struct task_description *t,
				const double *asked, int64_t repeats, const struct ted_options *o,
				struct err *e)
{
	double row[TASK_VARIABLES];
	enum err_code rc = add_program(w, t, o, e);

	memcpy(row, asked, sizeof row);
	row[TASK_REPEATS] = (double)repeats;
	for (size_t i = 0; i < t->run.n_arguments && !rc; i++) {
		struct strbuf text = STRBUF_INIT;
		struct err why = {0};

		rc = template_fill(t->run.argument[i], row, TEMPLATE_COMMAND, &text, &why);
		if (rc == ERR_NOMEM)
			err_set(e, rc, "%s: %s", t->name, why.msg);
		else if (rc)
			rc = say_missing(t, row, &why, e);
		else
			rc = ted_words_add(w, strbuf_text(&text), e);
		strbuf_release(&text);
	}
	return rc;
}

const char **ted_words_argv(const struct ted_words *w)
{
	const char **argv = calloc(w->n + 1, sizeof *argv);

	for (size_t i = 0; argv && i < w->n; i++)
		argv[i] = strbuf_text(&w->word[i]);
	return argv;
}

void ted_words_release(struct ted_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		strbuf_release(&w->word[i]);
	free(w->word);
	*w = (struct ted_words){0};
}
