#include "acquire/smpi.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acquire/launch.h"

#define MEGABYTE ((size_t)1 << 20)
/* Of a log, what is shown of why a program failed. */
#define REASON_BYTES 300

enum err_code smpi_check(struct err *e)
{
	if (launch_can_find("smpirun"))
		return ERR_OK;
	return err_set(e, ERR_IO,
		       "no smpirun here: simulation needs SimGrid (Debian: libsimgrid-dev)");
}

enum err_code smpi_read_time(const char *log, double *out_s, struct err *e)
{
	static const char before[] = "Simulated time: ";
	const char *found = NULL, *next = log;
	char *end;
	double time_s;

	while ((next = strstr(next, before)))
		found = next += strlen(before);
	if (found) {
		time_s = strtod(found, &end);
		if (end != found && isfinite(time_s) && time_s >= 0) {
			*out_s = time_s;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_PARSE, "SMPI told no simulated time");
}

/* ---- the command ---- */

/* smpirun, its options, the program and its arguments. */
struct command {
	const char **argv;
	char procs[24];
};

static enum err_code command_make(const struct smpi_run *run, const char *program,
				  struct command *out, struct err *e)
{
	const char *const before[] = {
		"smpirun",
		"-quiet",
		"-platform",
		"platform.xml",
		"-hostfile",
		"hosts",
		"-np",
		out->procs,
		run->no_globals ? "--cfg=smpi/privatization:no" : "--cfg=smpi/privatization:dlopen",
		"--cfg=smpi/display-timing:yes",
		"--log=root.thresh:warning",
		"--log=smpi_utils.thresh:info",
		program,
	};
	size_t n_before = sizeof before / sizeof before[0], n_arguments = 0;

	while (run->argv[n_arguments]) {
		if (strpbrk(run->argv[n_arguments++], " \t\n*?["))
			return err_set(e, ERR_ARG,
				       "smpirun passes no argument with a blank or one of *?[ in "
				       "it: '%s'",
				       run->argv[n_arguments - 1]);
	}
	out->argv = calloc(n_before + n_arguments + 1, sizeof *out->argv);
	if (!out->argv)
		return err_set(e, ERR_NOMEM, "a command line");
	snprintf(out->procs, sizeof out->procs, "%" PRId64, run->machine->procs);
	memcpy(out->argv, before, sizeof before);
	if (n_arguments > 0)
		memcpy(out->argv + n_before, run->argv, n_arguments * sizeof *run->argv);
	return ERR_OK;
}

/* What the program said: the log as far as SMPI's own closing lines. */
static size_t programs_part(const char *log)
{
	const char *smpi = strstr(log, "[smpi_");

	while (smpi && smpi > log && smpi[-1] != '\n')
		smpi--;
	return smpi && smpi > log ? (size_t)(smpi - log) : strlen(log);
}

/* Why it failed, on one line, as messages are: SimGrid's word about it, or the program's last. */
static void put_reason(const char *log, struct strbuf *out)
{
	const char *critical = strstr(log, "CRITICAL] ");
	size_t length = critical ? strcspn(critical, "\n") : programs_part(log);
	const char *from = critical ? critical : log;

	if (!critical && length > REASON_BYTES)
		from += length - REASON_BYTES;
	for (size_t i = 0; i < length && i < REASON_BYTES; i++)
		strbuf_putc(out, from[i] == '\n' ? ' ' : from[i]);
}

/* SimGrid's own words for a program that is none of its. */
static bool not_compiled_for_smpi(const char *log)
{
	return strstr(log, "dlopen failed") || strstr(log, "Could not resolve entry point");
}

static enum err_code explain(const struct smpi_run *run, const char *log, const struct err *why,
			     struct err *e)
{
	struct strbuf reason = STRBUF_INIT;

	put_reason(log, &reason);
	if (not_compiled_for_smpi(log))
		err_set(e, ERR_IO, "%s is no program for SMPI: compile it with smpicc or smpif90",
			run->program);
	else
		err_set(e, ERR_IO, "%s did not run through: %s; its log says: %s", run->program,
			why->msg, strbuf_text(&reason));
	strbuf_release(&reason);
	return ERR_IO;
}

static enum err_code execute(const struct smpi_run *run, const struct work_folder *folder,
			     const char *const *argv, struct smpi_result *out, struct strbuf *log,
			     struct err *e)
{
	const struct launch job = {
		.argv = argv,
		.folder = strbuf_text(&folder->path),
		.stdout_path = "output",
		.stderr_path = "log",
		.limit_s = run->limit_s,
		.progress = run->progress,
	};
	struct launch_end end;
	struct err why = {0};
	enum err_code rc = launch_run(&job, &end, e);

	if (rc || (rc = work_folder_read(folder, "log", MEGABYTE, log, e)))
		return rc;
	if (launch_check(&job, &end, &why))
		return explain(run, strbuf_text(log), &why, e);
	out->wall_s = end.wall_s;
	if ((rc = work_folder_read(folder, "output", MEGABYTE, &out->printed, e)))
		return rc;
	return smpi_read_time(strbuf_text(log), &out->simulated_s, e);
}

enum err_code smpi_run(const struct smpi_run *run, const struct work_folder *folder,
		       struct smpi_result *out, struct err *e)
{
	struct smpi_platform platform = {0};
	struct smpi_result result = {0};
	struct command command = {0};
	struct strbuf log = STRBUF_INIT;
	char *program = realpath(run->program, NULL); /* as it runs in another folder */
	enum err_code rc;

	if ((rc = smpi_check(e)))
		goto done;
	if (!program || access(program, R_OK)) {
		rc = err_set(e, ERR_NOTFOUND, "there is no program %s", run->program);
		goto done;
	}
	if ((rc = smpi_platform_make(run->machine, &platform, e)) ||
	    (rc = work_folder_write(folder, "platform.xml", strbuf_text(&platform.xml), e)) ||
	    (rc = work_folder_write(folder, "hosts", strbuf_text(&platform.hosts), e)) ||
	    (rc = command_make(run, program, &command, e)) ||
	    (rc = execute(run, folder, command.argv, &result, &log, e)))
		goto done;
	result.remarks = platform.remarks;
	platform.remarks = STRBUF_INIT;
	*out = result;
	result = (struct smpi_result){0};
done:
	smpi_result_release(&result);
	smpi_platform_release(&platform);
	strbuf_release(&log);
	free(command.argv);
	free(program);
	return rc;
}

void smpi_result_release(struct smpi_result *r)
{
	strbuf_release(&r->printed);
	strbuf_release(&r->remarks);
}
