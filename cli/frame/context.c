#include "cli/frame/context.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/problem_completion.h"
#include "domain/configuration.h"
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
		[NEEDS_KB_INSPECT] = KB_INSPECT,
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

/* ---- rows ---- */

/* A configuration from --problem, --set and the application's own flags. */

/* An application made from flags at import has columns and no flags. */
static void suggest_set(const struct application *a, const char *flag, struct strbuf *hint)
{
	size_t i = application_column(a, flag);

	if (i == SIZE_MAX || a->column[i].role == COL_DERIVED)
		return;
	strbuf_printf(hint, "; its column is given by --%s %s=VALUE",
		      a->column[i].role == COL_PROBLEM ? "problem" : "set", a->column[i].name);
}

static enum err_code unknown_flag(const struct context *c, const struct application *a,
				  const char *flag, struct err *e)
{
	struct strbuf hint = STRBUF_INIT;
	size_t n = 0, cap = a->n_columns + a->n_group + 64;
	const char **known = calloc(cap, sizeof *known);

	if (!known)
		return err_set(e, ERR_NOMEM, "the names of the options");
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].flag)
			known[n++] = a->column[i].flag;
	}
	for (size_t i = 0; i < a->n_group; i++)
		known[n++] = a->group[i].flag;
	for (size_t i = 0; c->cmd->options && c->cmd->options[i] && n < cap; i++)
		known[n++] = c->cmd->options[i]->name;
	for (size_t i = 0; options_global[i] && n < cap; i++)
		known[n++] = options_global[i]->name;
	options_suggest(flag, "--", known, n, &hint);
	suggest_set(a, flag, &hint);
	err_set(e, ERR_USAGE,
		"unknown option --%s, and %s defines no such flag%s (`lemnos apps show %s` lists its flags)",
		flag, a->name, strbuf_text(&hint), a->name);
	strbuf_release(&hint);
	free(known);
	return ERR_USAGE;
}

/* The values of one option into row; another option must not have asked for others. */
static enum err_code merge(const struct application *a, const char *origin, const double *from,
			   double *row, struct err *e)
{
	struct strbuf was = STRBUF_INIT, is = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		if (isnan(from[i]) || from[i] == row[i])
			continue;
		if (!isnan(row[i])) {
			configuration_put_value(a, i, row[i], &was);
			configuration_put_value(a, i, from[i], &is);
			rc = err_set(e, ERR_USAGE, "%s: %s = %s, but %s is asked for too", origin,
				     a->column[i].name, strbuf_text(&is), strbuf_text(&was));
		}
		row[i] = from[i];
	}
	strbuf_release(&was);
	strbuf_release(&is);
	return rc;
}

/* What a --flag VALUE of the application sets: a group, else a column. */
static enum err_code find_flag(const struct context *c, const struct application *a,
			       const struct app_flag *f, size_t *i_column,
			       const struct group_flag **group, struct err *e)
{
	*i_column = application_flag_column(a, f->name);
	*group = application_flag_group(a, f->name);
	if (*i_column == SIZE_MAX && !*group)
		return unknown_flag(c, a, f->name, e);
	return f->value ? ERR_OK : err_set(e, ERR_USAGE, "--%s needs a value", f->name);
}

/* One --flag VALUE of the application into part. */
static enum err_code apply_flag(const struct context *c, const struct application *a,
				const struct app_flag *f, double *part, struct err *e)
{
	size_t i_column;
	const struct group_flag *group;
	struct err why = {0};
	enum err_code rc;

	if ((rc = find_flag(c, a, f, &i_column, &group, e)))
		return rc;
	rc = group ? configuration_set_group(a, group, f->value, part, &why)
		   : configuration_set_value(a, i_column, f->value, part, &why);
	return rc ? err_set(e, rc, "--%s: %s", f->name, why.msg) : ERR_OK;
}

static enum err_code apply_option(const struct application *a, const struct option_value *given,
				  double *part, struct err *e)
{
	struct err why = {0};
	enum err_code rc = given->spec == &opt_problem
				   ? configuration_set_problem(a, given->value, false, part, &why)
				   : configuration_set(a, given->value, part, &why);

	return rc ? err_set(e, rc, "--%s: %s", given->spec->name, why.msg) : ERR_OK;
}

/* So many numbers people still type as 100x100x100. */
enum { MAX_SIZES = 3 };

/* "100x100x100, or by name --problem it_g=VALUE,jt_g=VALUE,kt=VALUE" */
static void put_sizes(const struct application *a, struct strbuf *out)
{
	struct strbuf by_name = STRBUF_INIT;

	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];

		if (c->role != COL_PROBLEM)
			continue;
		strbuf_printf(out, "%s100", out->len ? "x" : "");
		strbuf_printf(&by_name, "%s%s=VALUE", by_name.len ? "," : "", c->name);
	}
	strbuf_printf(out, ", or by name --problem %s", strbuf_text(&by_name));
	out->failed |= by_name.failed;
	strbuf_release(&by_name);
}

static enum err_code put_problem_form(struct context *c, const struct application *a,
				      const double *row, struct strbuf *out, struct err *e)
{
	size_t n = 0;
	bool has_text = false;

	for (size_t i = 0; i < a->n_columns; i++) {
		n += a->column[i].role == COL_PROBLEM;
		has_text = has_text ||
			   (a->column[i].role == COL_PROBLEM && a->column[i].type == COL_TEXT);
	}
	if (a->model && n <= MAX_SIZES && !has_text) {
		put_sizes(a, out);
		return ERR_OK;
	}
	return problem_put_example(&c->session, a, row, out, e);
}

/* row names a whole problem, what the runs leave no choice of filled in. */
static enum err_code check_whole(struct context *c, const struct application *a, double *row,
				 struct err *e)
{
	struct strbuf missing = STRBUF_INIT, form = STRBUF_INIT, taken = STRBUF_INIT;
	size_t n = 0;
	enum err_code rc = problem_complete(&c->session, a, row, &taken, e);

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		if (a->column[i].role == COL_PROBLEM && isnan(row[i]))
			strbuf_printf(&missing, "%s%s", n++ ? ", " : "", a->column[i].name);
	}
	if (n > 0 && !(rc = put_problem_form(c, a, row, &form, e)))
		rc = err_set(e, ERR_USAGE, "%s %s not given: which problem? --problem %s",
			     strbuf_text(&missing), n == 1 ? "is" : "are", strbuf_text(&form));
	else if (!rc && taken.len)
		context_note(c, "%s", strbuf_text(&taken));
	strbuf_release(&taken);
	strbuf_release(&missing);
	strbuf_release(&form);
	return rc;
}

enum err_code context_configuration(struct context *c, const struct application *a, bool whole,
				    double *row, struct err *e)
{
	double *part = calloc(a->n_columns, sizeof *part);
	char origin[64];
	enum err_code rc = ERR_OK;

	if (!part)
		return err_set(e, ERR_NOMEM, "a configuration");
	configuration_clear(a, row);
	for (size_t i = 0; i < c->opt.n_given && !rc; i++) {
		const struct option_value *given = &c->opt.given[i];

		if (given->spec != &opt_problem && given->spec != &opt_set)
			continue;
		configuration_clear(a, part);
		snprintf(origin, sizeof origin, "--%s", given->spec->name);
		if (!(rc = apply_option(a, given, part, e)))
			rc = merge(a, origin, part, row, e);
	}
	for (size_t i = 0; i < c->opt.n_flags && !rc; i++) {
		configuration_clear(a, part);
		snprintf(origin, sizeof origin, "--%s", c->opt.flag[i].name);
		if (!(rc = apply_flag(c, a, &c->opt.flag[i], part, e)))
			rc = merge(a, origin, part, row, e);
	}
	if (!rc && whole)
		rc = check_whole(c, a, row, e);
	free(part);
	return rc;
}

/* ---- lists ---- */

static bool is_list(const char *value, bool by_name)
{
	const char *item = value;

	if (strstr(value, ".."))
		return true;
	if (!by_name)
		return strchr(value, ',') != NULL;
	for (;;) {
		const size_t n = strcspn(item, ",=");

		if (item[n] != '=')
			return true;
		item += strcspn(item, ",");
		if (!*item)
			return false;
		item++;
	}
}

bool context_has_lists(const struct context *c)
{
	for (size_t i = 0; i < c->opt.n_given; i++) {
		const struct option_value *given = &c->opt.given[i];

		if ((given->spec == &opt_problem || given->spec == &opt_set) &&
		    is_list(given->value, given->spec == &opt_set || strchr(given->value, '=')))
			return true;
	}
	for (size_t i = 0; i < c->opt.n_flags; i++) {
		if (c->opt.flag[i].value && is_list(c->opt.flag[i].value, false))
			return true;
	}
	return false;
}

static enum err_code add_flag_axis(const struct context *c, const struct application *a,
				   const struct app_flag *f, struct configuration_axes *axes,
				   struct err *e)
{
	size_t i_column;
	const struct group_flag *group;
	struct err why = {0};
	enum err_code rc;

	if ((rc = find_flag(c, a, f, &i_column, &group, e)))
		return rc;
	rc = group ? configuration_axes_add_group(axes, a, group, f->value, &why)
		   : configuration_axes_add_column(axes, a, i_column, f->value, &why);
	return rc ? err_set(e, rc, "--%s: %s", f->name, why.msg) : ERR_OK;
}

static enum err_code add_option_axes(const struct application *a, const struct option_value *given,
				     struct configuration_axes *axes, struct err *e)
{
	struct err why = {0};
	enum err_code rc = given->spec == &opt_problem
				   ? configuration_axes_add_problem(axes, a, given->value, &why)
				   : configuration_axes_add_set(axes, a, given->value, &why);

	return rc ? err_set(e, rc, "--%s: %s", given->spec->name, why.msg) : ERR_OK;
}

/* The first configuration names a whole problem, or none does. */
static enum err_code check_axes(struct context *c, const struct application *a,
				const struct configuration_axes *axes, struct err *e)
{
	double *row = calloc(a->n_columns + 1, sizeof *row);
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	configuration_clear(a, row);
	for (size_t i = 0; i < axes->n; i++)
		configuration_axis_put(&axes->axis[i], 0, row);
	rc = check_whole(c, a, row, e);
	free(row);
	return rc;
}

enum err_code context_axes(struct context *c, const struct application *a,
			   struct configuration_axes *out, struct err *e)
{
	struct configuration_axes axes = {.n = 0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->opt.n_given && !rc; i++) {
		const struct option_value *given = &c->opt.given[i];

		if (given->spec == &opt_problem || given->spec == &opt_set)
			rc = add_option_axes(a, given, &axes, e);
	}
	for (size_t i = 0; i < c->opt.n_flags && !rc; i++)
		rc = add_flag_axis(c, a, &c->opt.flag[i], &axes, e);
	if (!rc)
		rc = check_axes(c, a, &axes, e);
	if (rc)
		configuration_axes_release(&axes);
	else
		*out = axes;
	return rc;
}

enum err_code context_refuse_configuration(const struct context *c, struct err *e)
{
	if (c->opt.n_flags > 0)
		return err_set(e, ERR_USAGE,
			       "--%s cannot be given beside --from: the file's columns say it",
			       c->opt.flag[0].name);
	if (options_has(&c->opt, &opt_problem) || options_has(&c->opt, &opt_set))
		return err_set(e, ERR_USAGE,
			       "--problem and --set cannot be given beside --from: the file's "
			       "columns say it");
	return ERR_OK;
}
