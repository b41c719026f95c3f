#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <libsmartcols/libsmartcols.h>

#include "base/memory_limit.h"
#include "base/program_file.h"
#include "base/units.h"
#include "api/session.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/progress_bar.h"

/* ---- locale ---- */

/* The first of them that is set and not empty decides (POSIX.1-2008, 8.2). */
static bool utf8_is_wanted(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);

		if (value && *value) {
			const char *charset = strchr(value, '.');

			return charset && (!strncasecmp(charset + 1, "utf-8", 5) ||
					   !strncasecmp(charset + 1, "utf8", 4));
		}
	}
	return false;
}

/* A bundle brings the one locale that its C library needs, as the system's are files of another
 * version of that library, whose formats differ. The variable that leads there is put back: the
 * programs that this one starts are the system's. */
static void set_from_bundle(void)
{
	char *folder = program_file_beside("../lib/lemnos/locale");
	const char *given = getenv("LOCPATH");
	char *kept = given ? strdup(given) : NULL;

	if (folder && (kept || !given) && utf8_is_wanted() && !setenv("LOCPATH", folder, 1)) {
		setlocale(LC_ALL, "C.UTF-8");
		if (kept)
			setenv("LOCPATH", kept, 1);
		else
			unsetenv("LOCPATH");
	}
	free(kept);
	free(folder);
	errno = 0;
}

/* Text is shown in the user's locale, numbers alike for everybody. Where the system does not have
 * the user's locale, as on login nodes and in containers, UTF-8 stays UTF-8. */
static void program_locale_set(void)
{
	if (program_file_is_launched())
		set_from_bundle();
	else if (!setlocale(LC_ALL, "") && utf8_is_wanted())
		setlocale(LC_ALL, "C.UTF-8");
	/* Text of files and bases is UTF-8 whatever the environment says, and libsmartcols 2.38
	 * never ends with a table that holds such text in the locale C. */
	if (MB_CUR_MAX == 1)
		setlocale(LC_CTYPE, "C.UTF-8");
	setlocale(LC_NUMERIC, "C"); /* a number reads and prints alike for everybody */
}

/* ---- --max-memory ---- */

/* A base, its applications and a small fit take less; below this nothing can be done. */
static const double least_bytes = 32 * 1048576.0;

static enum err_code read_size(const struct context *c, double *bytes, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_max_memory);
	struct err why = {0};

	*bytes = (double)memory_available_bytes() / 2;
	if (!text) {
		if (*bytes > 0 && *bytes < least_bytes)
			*bytes = least_bytes;
		return ERR_OK;
	}
	if (size_parse(text, bytes, &why))
		return err_set(e, ERR_USAGE, "--max-memory: %s", why.msg);
	if (!(*bytes >= least_bytes && *bytes <= 0x1p60))
		return err_set(e, ERR_USAGE, "--max-memory %s: it must be 32 MiB or more", text);
	return ERR_OK;
}

static bool takes_option(const struct cmd *cmd)
{
	for (const struct option_spec *const *o = cmd->options; o && *o; o++) {
		if (*o == &opt_max_memory)
			return true;
	}
	return false;
}

/* Keep the process to --max-memory, for a command that takes it: by default half of what is free.
 * Once, before any thread. Errors: USAGE, IO. */
static enum err_code memory_option_keep(struct context *c, struct err *e)
{
	double bytes;
	bool kept = false;
	enum err_code rc;

	if (!takes_option(c->cmd))
		return ERR_OK;
	if ((rc = read_size(c, &bytes, e)) ||
	    (bytes > 0 && (rc = memory_limit_set((uint64_t)bytes, &kept, e))))
		return rc;
	c->max_memory_bytes = kept ? bytes : 0;
	return ERR_OK;
}

/* Memory was not enough: add to the message how much there was, and what would help. */
static void memory_option_explain(const struct context *c, struct err *e)
{
	size_t length = strlen(e->msg);
	bool small = c->max_memory_bytes < 0x1p30;

	if (c->max_memory_bytes > 0)
		snprintf(e->msg + length, sizeof e->msg - length,
			 "; at most %.3g %s are taken: give more with --max-memory SIZE, or %s",
			 c->max_memory_bytes / (small ? 0x1p20 : 0x1p30), small ? "MiB" : "GiB",
			 c->cmd->less_memory);
}

/* ---- help ---- */

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char program_text[] =
	"lemnos: performance knowledge for parallel codes. It loads measured and modelled runs and\n"
	"recommends configurations: \"what do I submit so that this problem is done in an hour,\n"
	"and how sure are you?\"\n"
	"\n"
	"usage: lemnos COMMAND [OPTION]... [OPERAND]...\n"
	"\n"
	"commands:\n";
static const char program_end[] =
	"\n"
	"`lemnos help COMMAND` says more of each. `recommend ...` is `lemnos recommend ...`.\n"
	"\n"
	"start here:\n"
	"  lemnos init --with-data\n"
	"  lemnos mine\n"
	"  lemnos recommend --problem 280x280x255 --deadline 1h\n"
	"\n"
	"exit status: 0 done; 1 the honest no; 2 usage; 3 input; 4 knowledge base;\n"
	"5 fault in the system or in lemnos; 130 interrupted\n";

/* Help, made from the command table. */
static void help_program(FILE *f)
{
	fputs(program_text, f);
	for (size_t i = 0; i < cmd_table_size; i++)
		fprintf(f, "  %-12s %s\n", cmd_table[i]->name, cmd_table[i]->summary);
	fputs(program_end, f);
}

/* "  label   text", further lines of text under the first. */
static void put_item(FILE *f, const char *label, const char *text)
{
	enum { COLUMN = 28 };
	const char *line = text;
	int pad = COLUMN - 2 - (int)strlen(label);

	fprintf(f, "  %s", label);
	if (pad < 2) {
		fputc('\n', f);
		pad = COLUMN;
	}
	while (*line) {
		size_t len = strcspn(line, "\n");

		fprintf(f, "%*s%.*s\n", pad, "", (int)len, line);
		pad = COLUMN;
		line += len + (line[len] == '\n');
	}
}

static void put_option(FILE *f, const struct option_spec *spec)
{
	char label[80];

	snprintf(label, sizeof label, "%s%c%s--%s%s%s", spec->letter ? "-" : "",
		 spec->letter ? spec->letter : ' ', spec->letter ? ", " : "   ", spec->name,
		 spec->arg ? " " : "", spec->arg ? spec->arg : "");
	put_item(f, label, spec->help);
}

static void put_usage(FILE *f, const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->n_actions; i++) {
		const struct action *a = &cmd->action[i];

		/* The first of several is also what no operand means. */
		fprintf(f, "%s lemnos %s", i ? "      " : "usage:", cmd->name);
		if (a->name)
			fprintf(f, i ? " %s" : " [%s]", a->name);
		fprintf(f, "%s%s\n", a->synopsis[0] ? " " : "", a->synopsis);
	}
}

static void help_command(const struct cmd *cmd, FILE *f)
{
	put_usage(f, cmd);
	fprintf(f, "\n%s\n", cmd->description);
	if (cmd->action[0].name) {
		fputs("\nsubcommands:\n", f);
		for (size_t i = 0; i < cmd->n_actions; i++)
			put_item(f, cmd->action[i].name, cmd->action[i].summary);
	}
	fputs("\noptions:\n", f);
	for (const struct option_spec *const *o = cmd->options; o && *o; o++)
		put_option(f, *o);
	if (cmd->app_flags)
		put_item(f, "    --FLAG VALUE",
			 "a flag of the application: --mk 10, --grid 8x16, --iterations 12;\n"
			 "`lemnos apps show NAME` lists them");
	for (const struct option_spec *const *o = options_global; *o; o++)
		put_option(f, *o);
	if (cmd->put_more)
		cmd->put_more(f);
	if (cmd->examples)
		fprintf(f, "\nexamples:\n%s\n", cmd->examples);
}

static void help_version(FILE *f)
{
	const struct session_versions v = session_versions();
	const char *smartcols = "unknown";

	scols_get_library_version(&smartcols);
	fprintf(f,
		"lemnos %s\n"
		"schema %d\n"
		"built with %s (%s)\n"
		"libraries: SQLite %s, GSL %s, jansson %s, libsmartcols %s\n",
		LEMNOS_VERSION, v.schema, COMPILER, LEMNOS_BUILT, v.sqlite, v.gsl, v.jansson,
		smartcols);
}

/* ---- running a command ---- */

/* "lemnos WHERE: message", unless the command has said all there is to say. */
static void report(const char *where, const struct err *e)
{
	struct strbuf safe = STRBUF_INIT;

	if (!e->msg[0])
		return;
	text_put_safe(&safe, e->msg, true);
	fprintf(stderr, "lemnos%s%s: %s\n", where ? " " : "", where ? where : "",
		safe.failed ? err_text(e->code) : strbuf_text(&safe));
	strbuf_release(&safe);
}

/* Did the reader of our standard output (`| head`) go away? Then nobody misses what we could not
 * write. */
static bool reader_is_gone(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Of a write that failed long ago stdio does not tell why. What was printed is cut short, and a
 * line that ends there does no harm: the system says once more why it takes none. 0: it does. */
static int why_nothing_is_taken(void)
{
	return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
}

/* A full disk shows here at the latest: an answer that could not be written is no success. */
static enum err_code close_stdout(struct err *e)
{
	bool failed = ferror(stdout) != 0;
	bool gone = reader_is_gone();
	int why = 0;

	if (strbuf_any_failed())
		return err_set(e, ERR_NOMEM, "out of memory: the output may have gaps");
	if (failed && !gone)
		why = why_nothing_is_taken();
	errno = 0;
	if ((fclose(stdout) != 0 || failed) && !gone) {
		why = why ? why : errno;
		return err_set(e, ERR_IO, "the output could not be written%s%s", why ? ": " : "",
			       why ? strerror(why) : "");
	}
	return ERR_OK;
}

/* What was concluded from texts with gaps ("there is no such file") is void. */
static enum err_code check_memory(enum err_code rc, struct err *e)
{
	if (rc == ERR_OK || rc == ERR_NOMEM || !strbuf_any_failed())
		return rc;
	*e = (struct err){0};
	return err_set(e, ERR_NOMEM, "out of memory");
}

static enum err_code run_action(struct context *c, struct err *e)
{
	enum err_code rc;
	size_t n_skip = 0;

	if ((rc = cmd_find_action(c->cmd, &c->opt, &c->action, &n_skip, e)) ||
	    (rc = context_init(c, e)))
		return rc;
	c->operand = c->opt.operand + n_skip;
	c->n_operands = c->opt.n_operands - n_skip;
	if (!(rc = memory_option_keep(c, e)) && !(rc = context_open_kb(c, c->action->needs, e)))
		rc = c->action->run(c, e);
	if ((rc = check_memory(rc, e)) == ERR_NOMEM)
		memory_option_explain(c, e);
	progress_bar_clear(&c->bar);
	return rc;
}

static enum err_code run_command(const struct cmd *cmd, int argc, char **argv, struct err *e)
{
	struct context c = {.cmd = cmd, .out = stdout, .log = stderr};
	enum err_code rc = options_parse(argc, argv, cmd->options, cmd->app_flags, &c.opt, e);

	if (!rc && options_has(&c.opt, &opt_help))
		help_command(cmd, stdout);
	else if (!rc)
		rc = run_action(&c, e);
	context_release(&c);
	return rc;
}

static enum err_code no_such_command(const char *name, struct err *e)
{
	struct strbuf hint = STRBUF_INIT;

	for (size_t i = 0; i < cmd_table_size; i++)
		options_suggest(name, "", &cmd_table[i]->name, 1, &hint);
	err_set(e, ERR_USAGE, "no command '%s'%s (`lemnos help` lists them)", name,
		strbuf_text(&hint));
	strbuf_release(&hint);
	return ERR_USAGE;
}

/* `lemnos help [COMMAND]` */
static enum err_code help(int argc, char **argv, struct err *e)
{
	const struct cmd *cmd;

	if (argc == 0) {
		help_program(stdout);
		return ERR_OK;
	}
	cmd = cmd_find(argv[0]);
	if (!cmd)
		return no_such_command(argv[0], e);
	help_command(cmd, stdout);
	return ERR_OK;
}

static bool is_any(const char *word, const char *a, const char *b)
{
	return !strcmp(word, a) || !strcmp(word, b);
}

/* argv[0] is the first argument. *name becomes the command's, for messages. */
static enum err_code dispatch(int argc, char **argv, const char **name, struct err *e)
{
	const struct cmd *cmd;

	if (argc == 0) {
		help_program(stderr);
		return ERR_USAGE;
	}
	if (is_any(argv[0], "help", "--help") || !strcmp(argv[0], "-h"))
		return help(argc - 1, argv + 1, e);
	if (is_any(argv[0], "--version", "version")) {
		help_version(stdout);
		return ERR_OK;
	}
	if (argv[0][0] == '-')
		return err_set(
			e, ERR_USAGE,
			"options come after the command: lemnos COMMAND %s ... (`lemnos help` lists the commands)",
			argv[0]);
	cmd = cmd_find(argv[0]);
	if (!cmd)
		return no_such_command(argv[0], e);
	*name = cmd->name;
	return run_command(cmd, argc - 1, argv + 1, e);
}

/* Called as `recommend`, it is `lemnos recommend`. */
static enum err_code dispatch_by_name(int argc, char **argv, const char **name, struct err *e)
{
	const char *slash = strrchr(argv[0], '/');
	const struct cmd *cmd = cmd_find("recommend");

	if (!cmd || strcmp(slash ? slash + 1 : argv[0], cmd->name) != 0)
		return dispatch(argc - 1, argv + 1, name, e);
	if (argc == 2 && !strcmp(argv[1], "--version"))
		return dispatch(argc - 1, argv + 1, name, e);
	*name = cmd->name;
	return run_command(cmd, argc - 1, argv + 1, e);
}

/* Both are told. What nobody got is a fault, whatever it said: an honest no that is not in the file
 * must not end as one. */
static int end(const char *name, enum err_code rc, const struct err *e)
{
	struct err lost = {0};
	enum err_code closed = close_stdout(&lost);

	report(name, e);
	if (closed != rc) /* else it was said */
		report(name, &lost);
	return err_exit_status(closed && rc != ERR_INTERRUPTED ? closed : rc);
}

int main(int argc, char **argv)
{
	struct err e = {0};
	const char *name = NULL;
	enum err_code rc;

	if (program_file_is_launched())
		prctl(PR_SET_NAME, "lemnos"); /* not the loader's, in `top` and in "locked by" */
	program_locale_set();
	interrupts_catch();
	session_init_process();
	rc = argc > 0 ? dispatch_by_name(argc, argv, &name, &e) : ERR_USAGE;
	return end(name, check_memory(rc, &e), &e);
}
