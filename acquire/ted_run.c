#include "acquire/ted_run.h"

#include <stdlib.h>
#include <string.h>

#include "acquire/launch.h"

/* The last line that says something; cut off at the front if it is long. */
static const char *last_line(struct strbuf *text)
{
	char *start;

	while (text->len > 0 && strchr("\r\n ", text->buf[text->len - 1]))
		text->buf[--text->len] = '\0';
	start = text->len > 0 ? strrchr(text->buf, '\n') : NULL;
	return start ? start + 1 : strbuf_text(text);
}

static enum err_code say_why(const struct work_folder *folder, const struct err *how,
			     enum err_code rc, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	const char *said;

	if (work_folder_read(folder, "err", 500, &text, NULL))
		strbuf_clear(&text);
	said = last_line(&text);
	err_set(e, rc, "%s%s%s", how->msg, *said ? ": " : "", said);
	strbuf_release(&text);
	return rc;
}

enum err_code ted_run(const struct ted_words *w, const struct work_folder *folder,
		      const struct ted_options *o, struct err *e)
{
	const char **argv = ted_words_argv(w);
	struct launch job = {.argv = argv,
			     .folder = strbuf_text(&folder->path),
			     .stdout_path = "out",
			     .stderr_path = "err",
			     .limit_s = o->limit_s,
			     .progress = o->progress};
	struct launch_end end;
	struct err how = {0};
	enum err_code rc;

	if (!argv)
		return err_set(e, ERR_NOMEM, "the arguments of a program");
	rc = launch_run(&job, &end, e);
	if (!rc && (rc = launch_check(&job, &end, &how)))
		say_why(folder, &how, rc, e);
	free(argv);
	return rc;
}
