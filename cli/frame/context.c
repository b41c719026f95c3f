#include "cli/frame/context.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/fold.h"

static enum err_code default_kb_path(struct strbuf *path, struct err *e)
{
	const char *kb = getenv("LEMNOS_KB");
	const char *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");

	if (kb && *kb)
		strbuf_puts(path, kb);
	else if (data && *data == '/') /* the XDG specification: relative ones are ignored */
		strbuf_printf(path, "%s/lemnos/lemnos.kb", data);
	else if (home && *home)
		strbuf_printf(path, "%s/.local/share/lemnos/lemnos.kb", home);
	else
		return err_set(e, ERR_USAGE,
			       "no HOME to look for the knowledge base in; give --kb FILE");
	return ERR_OK;
}

static enum err_code find_kb_path(struct context *c, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	const char *given = options_get(&c->opt, &opt_kb);
	enum err_code rc = ERR_OK;

	if (given)
		strbuf_puts(&path, given);
	else
		rc = default_kb_path(&path, e);
	if (!rc && path.failed)
		rc = err_set(e, ERR_NOMEM, "the name of the knowledge base");
	if (!rc && !path.len)
		rc = err_set(e, ERR_USAGE, "--kb needs the name of a file");
	if (rc)
		strbuf_release(&path);
	else
		c->kb_path = path.buf;
	return rc;
}

/* One that shows escape sequences instead of obeying them. */
static bool is_dumb_terminal(void)
{
	const char *term = getenv("TERM");

	return term && !strcmp(term, "dumb");
}

static bool use_color(int when)
{
	enum { AUTO, ALWAYS, NEVER };
	const char *no_color = getenv("NO_COLOR");

	if (when != AUTO)
		return when == ALWAYS;
	return isatty(STDOUT_FILENO) && !is_dumb_terminal() && !(no_color && *no_color);
}

/* What api/ says beside an answer. */
static void warn(void *c, const char *text)
{
	context_warn(c, "%s", text);
}

static const char *term(void *arg, enum session_term t)
{
	static const char *const option[] = {
		[TERM_APPLICATION] = "--app NAME",
		[TERM_MACHINE] = "--machine NAME",
		[TERM_WHAT_IF] = "--like",
		[TERM_WHAT_IF_FACTOR] = " (--like NAME --wg-factor F)",
	};

	(void)arg;
	return option[t];
}

static void note(void *c, const char *text)
{
	context_note(c, "%s", text);
}

enum err_code context_init(struct context *c, struct err *e)
{
	int format = FORMAT_TABLE, when = 0;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_format, &format, e)) ||
	    (rc = options_choice(&c->opt, &opt_color, &when, e)) || (rc = find_kb_path(c, e)))
		return rc;
	c->format = (enum out_format)format;
	c->color = use_color(when);
	c->quiet = options_has(&c->opt, &opt_quiet);
	progress_bar_init(&c->bar, c->log,
			  !c->quiet && isatty(STDERR_FILENO) && !is_dumb_terminal());
	c->session.kb_path = c->kb_path;
	c->session.allow_run = options_has(&c->opt, &opt_allow_run);
	c->session.progress = &c->bar.progress;
	c->session.warn = warn;
	c->session.note = note;
	c->session.term = term;
	c->session.arg = c;
	return ERR_OK;
}

void context_release(struct context *c)
{
	session_close(&c->session);
	free(c->kb_path);
	options_release(&c->opt);
	c->kb_path = NULL;
}

enum err_code context_open_kb(struct context *c, enum cmd_needs needs, struct err *e)
{
	static const enum kb_mode mode[] = {
		[NEEDS_KB_READ] = KB_READ,
		[NEEDS_KB_WRITE] = KB_WRITE,
		[NEEDS_KB_CREATE] = KB_CREATE,
	};

	if (needs == NEEDS_NOTHING)
		return ERR_OK;
	return session_open(&c->session, mode[needs], e);
}

enum out_format context_format_or(const struct context *c, enum out_format dflt)
{
	return options_has(&c->opt, &opt_format) ? c->format : dflt;
}

static void say(const struct context *c, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

static void put_line(const struct context *c, const char *text, bool keep_lines)
{
	struct strbuf safe = STRBUF_INIT;

	text_put_safe(&safe, text, keep_lines);
	progress_bar_clear((struct progress_bar *)&c->bar);
	fprintf(c->log, "lemnos %s: %s\n", c->cmd->name, strbuf_text(&safe));
	strbuf_release(&safe);
}

static void say(const struct context *c, const char *fmt, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof text, fmt, args);
	put_line(c, text, false);
}

void context_report(const struct context *c, const struct err *why)
{
	put_line(c, why->msg, true);
}

void context_note(const struct context *c, const char *fmt, ...)
{
	va_list args;

	if (c->quiet)
		return;
	va_start(args, fmt);
	say(c, fmt, args);
	va_end(args);
}

void context_warn(const struct context *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, fmt, args);
	va_end(args);
}

void context_print(const struct context *c, const char *fmt, ...)
{
	char text[2 * PATH_MAX];
	struct strbuf safe = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	text_put_safe(&safe, text, true);
	fold_print(strbuf_text(&safe), c->out);
	strbuf_release(&safe);
}

enum err_code context_application(struct context *c, struct application **out, int64_t *id,
				  struct err *e)
{
	return session_application(&c->session, options_get(&c->opt, &opt_app), out, id, e);
}

enum err_code context_machine(struct context *c, int64_t app_id, struct machine **out, int64_t *id,
			      struct err *e)
{
	return session_machine(&c->session, options_get(&c->opt, &opt_machine), app_id, out, id, e);
}

const char *context_user(void)
{
	static const char *const variable[] = {"LEMNOS_USER", "USER", "LOGNAME"};

	for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
		const char *name = getenv(variable[i]);

		if (name && *name)
			return name;
	}
	return "unknown";
}
