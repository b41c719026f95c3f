#include "domain/job_script.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* ---- the limit ---- */

enum err_code job_limit_min(const struct machine *m, double wall_s, int64_t *out, struct err *e)
{
	const double longest_min = 366.0 * 24 * 60;
	double limit_min = ceil((wall_s + m->slurm.startup_s) / 60);

	if (!(limit_min <= longest_min))
		return err_set(e, ERR_ARG,
			       "the job would have to be given %.0f days: no batch system grants "
			       "that; ask for less work in one job",
			       ceil(wall_s / 86400));
	*out = limit_min < 1 ? 1 : (int64_t)limit_min;
	return ERR_OK;
}

/* Days are told apart: sbatch reads "30:00" as minutes and seconds. */
static void put_limit(struct strbuf *s, int64_t limit_min)
{
	int64_t days = limit_min / 1440;

	strbuf_puts(s, "#SBATCH --time=");
	if (days > 0)
		strbuf_printf(s, "%" PRId64 "-", days);
	strbuf_printf(s, "%02" PRId64 ":%02" PRId64 ":00\n", limit_min / 60 % 24, limit_min % 60);
}

/* ---- directives ---- */

/* A count of the configuration; NaN: the application has no such column. */
static double count_of(const struct job *j, size_t i_column)
{
	return i_column == SIZE_MAX ? (double)NAN : j->row[i_column];
}

static void put_count(struct strbuf *s, const char *option, double n)
{
	if (!isnan(n))
		strbuf_printf(s, "#SBATCH --%s=%.0f\n", option, n);
}

static void put_directives(struct strbuf *s, const struct job *j)
{
	const struct slurm *slurm = &j->machine->slurm;
	double nodes = count_of(j, j->app->i_nodes);
	double ppn = count_of(j, j->app->i_ppn);
	double procs = count_of(j, j->app->i_procs);

	if (isnan(procs))
		procs = nodes * ppn;
	if (isnan(ppn))
		ppn = ceil(procs / nodes);
	strbuf_printf(s, "#SBATCH --job-name=%s\n", j->app->name);
	put_count(s, "nodes", nodes);
	put_count(s, "ntasks", procs);
	put_count(s, "ntasks-per-node", ppn);
	put_count(s, "cpus-per-task", count_of(j, j->app->i_threads));
	put_limit(s, j->limit_min);
	if (slurm->partition)
		strbuf_printf(s, "#SBATCH --partition=%s\n", slurm->partition);
	if (slurm->account)
		strbuf_printf(s, "#SBATCH --account=%s\n", slurm->account);
	for (size_t i = 0; i < slurm->n_option; i++)
		strbuf_printf(s, "#SBATCH %s\n", slurm->option[i]);
}

/* Every line begins with "# ", and what a terminal or shell would take for more than text is '?'.
 */
static void put_remarks(struct strbuf *s, const char *text)
{
	bool at_begin = true;

	for (; text && *text; text++) {
		if (at_begin)
			strbuf_puts(s, *text == '\n' ? "#" : "# ");
		at_begin = *text == '\n';
		strbuf_putc(s, ((unsigned char)*text < ' ' && !at_begin) || *text == '\x7f'
				       ? '?'
				       : *text);
	}
	if (!at_begin)
		strbuf_putc(s, '\n');
}

/* ---- what the shell does ---- */

/* srun does not take cpus-per-task from the job since Slurm 22.05. */
static void put_threads(struct strbuf *s, const struct job *j)
{
	double threads = count_of(j, j->app->i_threads);

	if (!isnan(threads))
		strbuf_printf(s, "export OMP_NUM_THREADS=%.0f SRUN_CPUS_PER_TASK=%.0f\n", threads,
			      threads);
}

/* Is one of the lines of text this one? */
static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, line, len) == 0 && (!p[len] || p[len] == '\n'))
			return true;
	}
	return false;
}

/* The delimiter is quoted: the shell expands nothing up to a line that is just it. */
static enum err_code put_file(struct strbuf *s, const struct job *j, const struct input_file *file,
			      struct err *e)
{
	struct strbuf text = STRBUF_INIT, end = STRBUF_INIT;
	enum err_code rc = template_fill(file->text, j->row, TEMPLATE_FILE, &text, e);

	if (rc)
		goto done;
	strbuf_puts(&end, "END_OF_FILE");
	while (!end.failed && has_line(strbuf_text(&text), strbuf_text(&end)))
		strbuf_putc(&end, '_');
	strbuf_printf(s, "cat >%s <<'%s'\n%s", file->name, strbuf_text(&end), strbuf_text(&text));
	if (text.len == 0 || text.buf[text.len - 1] != '\n')
		strbuf_putc(s, '\n');
	strbuf_printf(s, "%s\n", strbuf_text(&end));
	s->failed |= end.failed;
done:
	strbuf_release(&text);
	strbuf_release(&end);
	return rc;
}

/* Two jobs in one directory would write over each other's input. */
static enum err_code put_files(struct strbuf *s, const struct job *j, struct err *e)
{
	const struct job_template *job = &j->app->job;
	enum err_code rc = ERR_OK;

	if (job->n_input == 0)
		return ERR_OK;
	strbuf_printf(
		s,
		"\n"
		"# The program runs in a directory of its own, beside its input. It is looked for in\n"
		"# PATH, then where the job was submitted.\n"
		"export PATH=\"$PATH:$PWD\"\n"
		"directory=%s.${SLURM_JOB_ID:-$$}\n"
		"mkdir -p \"$directory\"\n"
		"cd \"$directory\"\n",
		j->app->name);
	for (size_t i = 0; i < job->n_input && !rc; i++)
		rc = put_file(s, j, &job->input[i], e);
	return rc;
}

/* 'it'\''s' */
static void put_quoted(struct strbuf *s, const char *text)
{
	strbuf_putc(s, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_puts(s, "'\\''");
		else
			strbuf_putc(s, *text);
	}
	strbuf_putc(s, '\'');
}

/* The trap ends the file however the script ends, and leaves its exit status alone. Nothing that
 * goes wrong with the file ends the job. */
static void put_timing(struct strbuf *s, const struct job *j)
{
	if (!j->time_file)
		return;
	strbuf_puts(
		s,
		"\n"
		"# When the command begins and ends, for lemnos advice sync. The program may append a line\n"
		"# 'wall_s SECONDS' with the time of the part that runs are compared by.\n"
		"export LEMNOS_TIME_FILE=");
	put_quoted(s, j->time_file);
	strbuf_puts(
		s,
		"\n"
		"lemnos_tell() { echo \"$1 $(date +%s.%N)${2:+ $2}\" 2>/dev/null >>\"$LEMNOS_TIME_FILE\" || :; }\n"
		"rm -f -- \"$LEMNOS_TIME_FILE\" || :\n"
		"trap 'lemnos_tell ended $?' EXIT\n"
		"lemnos_tell began\n");
}

static enum err_code put_command(struct strbuf *s, const struct job *j, struct err *e)
{
	enum err_code rc;

	put_timing(s, j);
	strbuf_printf(s, "\n%s ", j->machine->slurm.launcher);
	rc = template_fill(j->app->job.command, j->row, TEMPLATE_COMMAND, s, e);
	strbuf_putc(s, '\n');
	return rc;
}

/* What the configuration says beside resources, for a program that nobody told us how to start.
 * Names of columns are names of shell variables as well. */
static void put_variables(struct strbuf *s, const struct job *j)
{
	for (size_t i = 0; i < j->app->n_columns; i++) {
		const struct column *c = &j->app->column[i];

		if (c->role == COL_DERIVED || isnan(j->row[i]))
			continue;
		strbuf_printf(s, "export LEMNOS_%s=", c->name);
		if (c->type == COL_TEXT)
			put_quoted(s, c->levels.name[(size_t)j->row[i]]);
		else
			strbuf_put_number(s, j->row[i]);
		strbuf_putc(s, '\n');
	}
}

static void put_placeholder(struct strbuf *s, const struct job *j)
{
	strbuf_printf(s,
		      "\n"
		      "# How %s is started is not known: put its command here, or submit with\n"
		      "#   sbatch --export=ALL,PROGRAM=./program SCRIPT ARGUMENT...\n"
		      ": \"${PROGRAM:?the program to run is not known}\"\n",
		      j->app->name);
	put_variables(s, j);
	put_timing(s, j);
	strbuf_printf(s, "%s \"$PROGRAM\" \"$@\"\n", j->machine->slurm.launcher);
}

/* ---- when the command began and ended ---- */

/* The word at the line's begin is this; *rest is what follows the blank behind it. */
static bool has_word(const char *line, const char *word, const char **rest)
{
	size_t n = strlen(word);

	*rest = line + n + 1;
	return strncmp(line, word, n) == 0 && line[n] == ' ';
}

/* *end: what follows. NaN: no finite number > 0. */
static double read_seconds(const char *text, const char **end)
{
	char number[40];
	size_t n = strspn(text, "0123456789.eE+-");
	double s;

	*end = text + n;
	if (n == 0 || n >= sizeof number)
		return (double)NAN;
	memcpy(number, text, n);
	number[n] = '\0';
	return number_parse(number, &s, NULL) || !(s > 0) ? (double)NAN : s;
}

static void read_end(const char *text, struct job_times *t)
{
	const char *rest;
	double ended_s = read_seconds(text, &rest);
	int64_t status;
	char number[8];

	if (isnan(ended_s))
		return;
	t->ended_s = ended_s;
	t->exit_status = -1;
	if (*rest != ' ')
		return;
	snprintf(number, sizeof number, "%.*s", (int)strcspn(rest + 1, "\n"), rest + 1);
	if (!integer_parse(number, 0, 255, &status, NULL))
		t->exit_status = (int)status;
}

void job_times_read(const char *text, struct job_times *out)
{
	const char *rest, *end;

	*out = (struct job_times){(double)NAN, (double)NAN, -1, (double)NAN};
	/* A line without its end may be a part of one. */
	for (; (end = strchr(text, '\n')); text = end + 1) {
		if (has_word(text, "began", &rest))
			out->began_s = read_seconds(rest, &rest);
		else if (has_word(text, "ended", &rest))
			read_end(rest, out);
		else if (has_word(text, "wall_s", &rest))
			out->own_wall_s = read_seconds(rest, &rest);
	}
}

/* ---- together ---- */

const char *job_refusal(const struct application *a, const double *row)
{
	for (size_t i = 0; i < a->job.n_required; i++) {
		if (!expr_holds(a->job.required[i].condition, row))
			return a->job.required[i].why;
	}
	return NULL;
}

enum err_code job_script_slurm(const struct job *j, struct strbuf *out, struct err *e)
{
	const char *why = job_refusal(j->app, j->row);
	enum err_code rc;

	if (why)
		return err_set(e, ERR_ARG, "no job script of %s for this: %s", j->app->name, why);
	strbuf_puts(out, "#!/bin/bash\n");
	put_directives(out, j);
	strbuf_puts(out, "#\n");
	put_remarks(out, j->remarks);
	strbuf_putc(out, '\n');
	/* Before set -u: modules and their like are seldom written for it. */
	for (size_t i = 0; i < j->machine->slurm.n_setup; i++)
		strbuf_printf(out, "%s\n", j->machine->slurm.setup[i]);
	strbuf_puts(out, "set -eu\n");
	put_threads(out, j);
	if (j->app->job.command) {
		if ((rc = put_files(out, j, e)) || (rc = put_command(out, j, e)))
			return rc;
	} else {
		put_placeholder(out, j);
	}
	return out->failed ? err_set(e, ERR_NOMEM, "a job script") : ERR_OK;
}
