#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/program_file.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/memory_option.h"
#include "cli/help.h"
#include "cli/frame/program_locale.h"
#include "cli/frame/progress_bar.h"

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

/* A full disk shows here at the latest: an answer that could not be written is no success. */
static enum err_code close_stdout(struct err *e)
{
	bool failed = ferror(stdout) != 0;
	bool gone = reader_is_gone();

	if (strbuf_any_failed())
		return err_set(e, ERR_NOMEM, "out of memory: the output may have gaps");
	errno = 0;
	if ((fclose(stdout) != 0 || failed) && !gone)
		return err_set(e, ERR_IO, "the output could not be written%s%s", errno ? ": " : "",
			       errno ? strerror(errno) : "");
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
			"options come after the command: lemnos COMMAND %s ... (`lemnos help` "
			"lists the commands)",
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
