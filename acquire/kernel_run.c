#include "acquire/kernel_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/launch.h"
#include "base/text_form.h"

/* Of what was said: what is looked through, and what is shown if the program itself said nothing.
 */
enum { LOG_BYTES = 1 << 16, REASON_BYTES = 300 };
#define LOG_FILE "log"

/* launcher, program, arguments; free() it. */
static const char **make_argv(const struct kernel_run *k)
{
	size_t n_launcher = text_list_length(k->launcher), n_arguments = text_list_length(k->argv);
	const char **argv = calloc(n_launcher + n_arguments + 2, sizeof *argv);

	if (!argv)
		return NULL;
	for (size_t i = 0; i < n_launcher; i++)
		argv[i] = k->launcher[i];
	argv[n_launcher] = k->program;
	for (size_t i = 0; i < n_arguments; i++)
		argv[n_launcher + 1 + i] = k->argv[i];
	return argv;
}

/* What the program said last, in a line "NAME: ..." as our programs do, or the end of the log:
 * launchers have a lot to say about a program that failed. */
static const char *find_reason(const char *program, char *log)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	const size_t length = strlen(name), size = strlen(log);
	char *reason = NULL;

	for (char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			reason = line;
	}
	if (reason)
		reason[strcspn(reason, "\n")] = '\0';
	return reason ? reason : size > REASON_BYTES ? log + size - REASON_BYTES : log;
}

/* The reason on one line, as messages are. */
static enum err_code explain(const struct kernel_run *k, const struct work_folder *folder,
			     const struct err *how, struct err *e)
{
	struct strbuf log = STRBUF_INIT;
	enum err_code rc = work_folder_read(folder, LOG_FILE, LOG_BYTES, &log, e);

	if (rc) {
		strbuf_release(&log);
		return rc;
	}
	while (log.len > 0 && (log.buf[log.len - 1] == ' ' || log.buf[log.len - 1] == '\n'))
		log.buf[--log.len] = '\0';
	if (log.len > 0) {
		const char *reason = find_reason(k->program, log.buf);

		for (char *c = log.buf; *c; c++) {
			if (*c == '\n')
				*c = ' ';
		}
		rc = err_set(e, ERR_IO, "%s; it said: %s", how->msg, reason);
	} else {
		rc = err_set(e, ERR_IO, "%s", how->msg);
	}
	strbuf_release(&log);
	return rc;
}

static enum err_code no_launcher(const char *name, struct err *e)
{
	return err_set(e, ERR_NOTFOUND,
		       "there is no program %s: install an MPI (Debian: openmpi-bin or mpich), or "
		       "name what starts MPI programs here with --launch 'srun -n 2'",
		       name);
}

/* Whoever waits sees how many lines were printed. */
struct printed {
	const struct kernel_run *k;
	const char *path;
	FILE *f; /* NULL: not there yet */
	uint64_t n_lines;
};

static bool tell_lines(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct printed *p = arg;

	(void)what;
	(void)done;
	(void)total;
	if (!p->f)
		p->f = fopen(p->path, "r");
	if (p->f) {
		for (int c; (c = getc(p->f)) != EOF;)
			p->n_lines += c == '\n';
		clearerr(p->f);
	}
	return progress_step(p->k->progress, p->k->what, p->n_lines, 0);
}

enum err_code kernel_run(const struct kernel_run *k, const struct work_folder *folder,
			 struct err *e)
{
	const char **argv = make_argv(k);
	struct strbuf output = STRBUF_INIT, log = STRBUF_INIT;
	struct printed printed = {.k = k};
	const struct progress watching = {tell_lines, &printed};
	struct launch job = {.argv = argv, .progress = &watching};
	struct launch_end end;
	struct err how = {0};
	enum err_code rc;

	strbuf_printf(&output, "%s/%s", strbuf_text(&folder->path), k->output);
	strbuf_printf(&log, "%s/" LOG_FILE, strbuf_text(&folder->path));
	if (!argv || output.failed || log.failed) {
		rc = err_set(e, ERR_NOMEM, "a command line");
		goto done;
	}
	job.stdout_path = printed.path = output.buf;
	job.stderr_path = log.buf;
	rc = launch_run(&job, &end, &how);
	if (rc == ERR_NOTFOUND && argv[0] != k->program)
		rc = no_launcher(argv[0], e);
	else if (rc)
		rc = err_set(e, rc, "%s", how.msg);
	else if (launch_check(&job, &end, &how))
		rc = explain(k, folder, &how, e);
	if (printed.f)
		fclose(printed.f);
done:
	strbuf_release(&output);
	strbuf_release(&log);
	free(argv);
	return rc;
}
