#include "acquire/kernel_run.h"

#include <stdlib.h>
#include <string.h>

#include "acquire/launch.h"
#include "base/text_form.h"

/* Of what a program said, what is shown of why it failed. */
#define REASON_BYTES 300
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

/* The end of its log on one line, as messages are. */
static enum err_code explain(const struct work_folder *folder, const struct err *how, struct err *e)
{
	struct strbuf log = STRBUF_INIT;
	enum err_code rc = work_folder_read(folder, LOG_FILE, REASON_BYTES, &log, e);

	if (rc) {
		strbuf_release(&log);
		return rc;
	}
	for (size_t i = 0; i < log.len; i++) {
		if (log.buf[i] == '\n')
			log.buf[i] = ' ';
	}
	while (log.len > 0 && log.buf[log.len - 1] == ' ')
		log.buf[--log.len] = '\0';
	rc = log.len > 0 ? err_set(e, ERR_IO, "%s; it said: %s", how->msg, strbuf_text(&log))
			 : err_set(e, ERR_IO, "%s", how->msg);
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

enum err_code kernel_run(const struct kernel_run *k, const struct work_folder *folder,
			 struct err *e)
{
	const char **argv = make_argv(k);
	struct strbuf output = STRBUF_INIT, log = STRBUF_INIT;
	struct launch job = {.argv = argv, .progress = k->progress};
	struct launch_end end;
	struct err how = {0};
	enum err_code rc;

	strbuf_printf(&output, "%s/%s", strbuf_text(&folder->path), k->output);
	strbuf_printf(&log, "%s/" LOG_FILE, strbuf_text(&folder->path));
	if (!argv || output.failed || log.failed) {
		rc = err_set(e, ERR_NOMEM, "a command line");
		goto done;
	}
	job.stdout_path = output.buf;
	job.stderr_path = log.buf;
	rc = launch_run(&job, &end, &how);
	if (rc == ERR_NOTFOUND && argv[0] != k->program)
		rc = no_launcher(argv[0], e);
	else if (rc)
		rc = err_set(e, rc, "%s", how.msg);
	else if (launch_check(&job, &end, &how))
		rc = explain(folder, &how, e);
done:
	strbuf_release(&output);
	strbuf_release(&log);
	free(argv);
	return rc;
}
