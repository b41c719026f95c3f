#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acquire/campaign_private.h"
#include "acquire/slurm.h"
#include "acquire/work_folder.h"
#include "base/wall_clock.h"

/* A job for each run; or, where the plan has runs_per_job or array, jobs that have several runs one
 * after another, and arrays of such jobs. The script itself writes how each command ended, in the
 * run's folder, which the nodes and we have to see alike: where Slurm keeps no accounts that is all
 * there is. A job of several runs also writes when it came to each: what it never came to is
 * planned again. */

/* Accounts and network file systems lag behind: so long after Slurm says that a job has ended the
 * file may still come. */
#define LAG_S 30
/* A submission may reach controller and accounts so long after it was made. */
#define ON_ITS_WAY_S 120
/* Of each further run of a job: srun starts it, and timeout lets it end. */
#define BETWEEN_RUNS_S 5
/* A job that Slurm ends is told so node by node: its command may fail so long before its script is
 * ended, which otherwise would call that a failure of the run. */
#define END_OF_JOB_S 5

static bool is_shared(const struct campaign_target *t)
{
	return t->plan->launcher.runs_per_job > 1 || t->plan->launcher.array > 1;
}

/* ---- names ---- */

/* A job has the name of its first run, and so has an array. */
static void put_name(const struct campaign_launch *l, char name[SLURM_NAME_SIZE])
{
	snprintf(name, SLURM_NAME_SIZE, "lemnos-%.8s-%lld-%lld", l->record->uid,
		 (long long)l->run->position, (long long)l->run->attempt);
}

/* kb_campaign_run.job: a number, "123" or of an array "123_4"; before it is heard the job's name,
 * with "_4" likewise, unless that is the run's own. */
static bool has_number(const struct kb_campaign_run *run)
{
	return run->job && *run->job >= '0' && *run->job <= '9';
}

/* task 0: it is no array. */
static enum err_code set_job(struct kb_campaign_run *run, const char *job, size_t task,
			     struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_puts(&text, job);
	if (task > 0)
		strbuf_printf(&text, "_%zu", task);
	if (text.failed)
		return err_set(e, ERR_NOMEM, "the number of a job");
	free(run->job);
	run->job = text.buf; /* handed over */
	return ERR_OK;
}

/* Of the runs that start together; 0: they make no array. */
static size_t task_of(const struct campaign_launch *l, size_t n, size_t i)
{
	size_t each = (size_t)l->target->plan->launcher.runs_per_job;

	return n > each ? i / each + 1 : 0;
}

static enum err_code set_jobs(const struct campaign_launch *l, size_t n, const char *job,
			      struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = set_job(l[i].run, job, task_of(l, n, i), e);
	return rc;
}

enum err_code campaign_slurm_name(const struct campaign_launch *l, size_t n, struct err *e)
{
	char name[SLURM_NAME_SIZE];

	put_name(l, name);
	return is_shared(l->target) ? set_jobs(l, n, name, e) : ERR_OK;
}

/* ---- the script ---- */

struct shape {
	double nodes, procs, threads;
};

static struct shape shape_of(const struct campaign_target *t, const double *row)
{
	const struct application *a = t->app;
	bool has_threads = a->i_threads < a->n_columns && !isnan(row[a->i_threads]);

	return (struct shape){.nodes = campaign_nodes(a, row),
			      .procs = campaign_procs(a, row),
			      .threads = has_threads ? row[a->i_threads] : 1};
}

bool campaign_slurm_alike(const struct campaign_target *t, const double *a, const double *b)
{
	struct shape p = shape_of(t, a), q = shape_of(t, b);

	return p.nodes == q.nodes && p.procs == q.procs && p.threads == q.threads;
}

/* What the longest of the jobs may take, in whole minutes: a minute more than the script itself
 * grants, so that it tells how it ended. NaN: there is no limit. */
static double limit_min(const struct campaign_launch *l, size_t n)
{
	size_t each = (size_t)l->target->plan->launcher.runs_per_job;
	double most_s = 0, sum_s = 0;

	for (size_t i = 0; i < n; i++) {
		sum_s = i % each == 0 ? l[i].run->limit_s
				      : sum_s + l[i].run->limit_s + BETWEEN_RUNS_S;
		if (isnan(sum_s))
			return NAN;
		most_s = fmax(most_s, sum_s);
	}
	return ceil((most_s + l->target->machine->slurm.startup_s) / 60) + 1;
}

static void put_resources(const struct campaign_launch *l, size_t n, const char *name,
			  struct strbuf *out)
{
	const struct slurm *slurm = &l->target->machine->slurm;
	const struct plan_words *options = &l->target->plan->launcher.options;
	struct shape shape = shape_of(l->target, l->row);
	double limit = limit_min(l, n);

	strbuf_printf(out, "#!/bin/bash\n#SBATCH --job-name=%s\n", name);
	strbuf_printf(out, "#SBATCH --nodes=%.0f\n#SBATCH --ntasks=%.0f\n", shape.nodes,
		      shape.procs);
	strbuf_printf(out, "#SBATCH --ntasks-per-node=%.0f\n", ceil(shape.procs / shape.nodes));
	if (shape.threads > 1)
		strbuf_printf(out, "#SBATCH --cpus-per-task=%.0f\n", shape.threads);
	if (!isnan(limit))
		strbuf_printf(out, "#SBATCH --time=%.0f\n", limit);
	if (slurm->partition)
		strbuf_printf(out, "#SBATCH --partition=%s\n", slurm->partition);
	if (slurm->account)
		strbuf_printf(out, "#SBATCH --account=%s\n", slurm->account);
	for (size_t i = 0; i < slurm->n_option; i++)
		strbuf_printf(out, "#SBATCH %s\n", slurm->option[i]);
	for (size_t i = 0; i < options->n; i++)
		strbuf_printf(out, "#SBATCH %s\n", options->word[i]);
	if (!is_shared(l->target))
		strbuf_puts(out, "#SBATCH --output=stdout\n#SBATCH --error=stderr\n");
	else if (task_of(l, n, 0) > 0)
		strbuf_puts(out, "#SBATCH --output=job.%a.stdout\n"
				 "#SBATCH --error=job.%a.stderr\n");
	else
		strbuf_puts(out, "#SBATCH --output=job.stdout\n#SBATCH --error=job.stderr\n");
	for (size_t i = 0; i < slurm->n_setup; i++)
		strbuf_printf(out, "%s\n", slurm->setup[i]);
}

static void put_command(const struct campaign_launch *l, const struct expanded_command *command,
			struct strbuf *out)
{
	for (size_t i = 0; i < command->variables.n; i++) {
		const struct word_list one = {.word = &command->variables.word[i], .n = 1};

		strbuf_puts(out, "export ");
		campaign_put_words(&one, out);
		strbuf_putc(out, '\n');
	}
	strbuf_puts(out, "started=$(date +%s) from=$(date +%s%N)\n");
	if (!isnan(l->run->limit_s))
		strbuf_printf(out, "timeout -k 2 %.0f ", ceil(l->run->limit_s));
	strbuf_printf(out, "%s ", l->target->machine->slurm.launcher);
	campaign_put_words(&command->argv, out);
	strbuf_puts(out, "\nstatus=$?\n"
			 "elapsed=$(( $(date +%s%N) - from ))\n"
			 "late=0\n");
	/* timeout says 124, or 137 if it had to kill; a command may be killed for other reasons */
	if (!isnan(l->run->limit_s))
		strbuf_printf(out,
			      "[ $status -ne 124 ] || late=1\n"
			      "[ $status -ne 137 ] || [ $elapsed -lt %.0f000000000 ] || late=1\n",
			      ceil(l->run->limit_s));
	if (is_shared(l->target))
		strbuf_printf(out, "[ $status -eq 0 ] || [ $late -eq 1 ] || sleep %d\n",
			      END_OF_JOB_S);
	strbuf_puts(out, "printf 'elapsed_s %d.%09d\\nexit_status %d\\nsignal 0\\n"
			 "timed_out %d\\nstarted %d\\nended %d\\nend\\n' \\\n"
			 "\t$((elapsed / 1000000000)) $((elapsed % 1000000000)) $status $late "
			 "$started $(date +%s) >end.part\n"
			 "mv end.part end\n");
}

/* One of several, from 1. A job that an administrator starts anew makes no run twice; what is left
 * of a command that had to be killed would disturb the next one. */
static void put_one_of_several(const struct campaign_launch *l,
			       const struct expanded_command *command, size_t number,
			       struct strbuf *out)
{
	const struct word_list folder = {.word = (char *[]){(char *)(uintptr_t)l->folder}, .n = 1};

	strbuf_puts(out, "cd ");
	campaign_put_words(&folder, out);
	strbuf_printf(out,
		      " || exit 1\nif [ ! -e end ]; then\n"
		      "exec >stdout 2>stderr\n"
		      "echo \"began $(date +%%s) %zu\" >began\n",
		      number);
	put_command(l, command, out);
	strbuf_puts(out, "[ $status -ne 137 ] || exit 0\nfi\n");
}

static void put_script(const struct campaign_launch *l, const struct expanded_command *command,
		       size_t n, const char *name, struct strbuf *out)
{
	size_t each = (size_t)l->target->plan->launcher.runs_per_job;

	put_resources(l, n, name, out);
	if (!is_shared(l->target)) {
		put_command(l, command, out);
		strbuf_puts(out, "exit $status\n");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (task_of(l, n, i) > 0 && i % each == 0)
			strbuf_printf(out, "if [ \"$SLURM_ARRAY_TASK_ID\" = %zu ]; then\n",
				      task_of(l, n, i));
		put_one_of_several(&l[i], &command[i], i % each + 1, out);
		if (task_of(l, n, i) > 0 && (i + 1 == n || (i + 1) % each == 0))
			strbuf_puts(out, "fi\n");
	}
	strbuf_puts(out, "exit 0\n");
}

/* Where it will run: by the machine's definition, which goes before the environment, which goes
 * before the plan's options. */
static const char *partition_of(const struct campaign_launch *l)
{
	static const char name[] = "--partition=";
	const struct plan_words *options = &l->target->plan->launcher.options;
	const char *of_machine = l->target->machine->slurm.partition;
	const char *set = getenv("SBATCH_PARTITION");

	if (of_machine)
		return of_machine;
	if (set && *set)
		return set;
	for (size_t i = 0; i < options->n; i++) {
		if (strncmp(options->word[i], name, sizeof name - 1) == 0)
			return options->word[i] + sizeof name - 1;
	}
	return NULL;
}

/* Of a job that asks for more than its partition gives. */
static const char *what_to_lower(const struct campaign_launch *l, size_t n)
{
	if (n > 1 && l->target->plan->launcher.runs_per_job > 1)
		return ". The limits of a job's runs add up: lower 'runs_per_job' or 'timeout' in "
		       "the plan and give it another name, or name another partition in the "
		       "machine's definition";
	return ". Lower 'timeout' or the nodes in the plan and give it another name, or name "
	       "another partition in the machine's definition";
}

/* They go before the environment ($SBATCH_PARTITION), which goes before the script. A job that
 * Slurm runs again and we do, too, would run twice. */
static enum err_code submit(const struct campaign_launch *l, size_t n, const char *name,
			    const char *script, struct slurm_job *out, struct err *e)
{
	const struct slurm *slurm = &l->target->machine->slurm;
	struct strbuf partition = STRBUF_INIT, account = STRBUF_INIT, array = STRBUF_INIT;
	const char *option[4] = {"--no-requeue"};
	struct slurm_batch batch = {.script = script,
				    .name = name,
				    .folder = l->folder,
				    .option = option,
				    .n_option = 1,
				    .nodes = shape_of(l->target, l->row).nodes,
				    .partition = partition_of(l)};
	size_t n_tasks = task_of(l, n, n - 1);
	double limit = limit_min(l, n);
	struct err why = {0};
	enum err_code rc;

	strbuf_printf(&partition, "--partition=%s", slurm->partition ? slurm->partition : "");
	strbuf_printf(&account, "--account=%s", slurm->account ? slurm->account : "");
	batch.limit_min = isnan(limit) ? 0 : limit;
	strbuf_printf(&array, "--array=1-%zu%%%lld", n_tasks,
		      (long long)l->target->plan->launcher.in_flight);
	if (slurm->partition)
		option[batch.n_option++] = strbuf_text(&partition);
	if (slurm->account)
		option[batch.n_option++] = strbuf_text(&account);
	if (n_tasks > 0)
		option[batch.n_option++] = strbuf_text(&array);
	rc = partition.failed || account.failed || array.failed
		     ? err_set(e, ERR_NOMEM, "a job to submit")
		     : slurm_submit(&batch, out, &why);
	if (rc)
		err_set(e, rc, "%s%s", why.msg, rc == ERR_ARG ? what_to_lower(l, n) : "");
	strbuf_release(&partition);
	strbuf_release(&account);
	strbuf_release(&array);
	return rc;
}

enum err_code campaign_slurm_start(const struct campaign_launch *l,
				   const struct expanded_command *command, size_t n, struct err *e)
{
	char name[SLURM_NAME_SIZE];
	struct strbuf script = STRBUF_INIT;
	struct work_folder folder = {0};
	struct slurm_job job;
	enum err_code rc;

	put_name(l, name);
	put_script(l, command, n, name, &script);
	if (script.failed)
		rc = err_set(e, ERR_NOMEM, "a job script");
	else if (!(rc = work_folder_open(l->folder, &folder, e)) &&
		 !(rc = work_folder_write(&folder, "job.sh", strbuf_text(&script), e)) &&
		 !(rc = submit(l, n, name, strbuf_text(&script), &job, e)))
		rc = set_jobs(l, n, job.id, e);
	work_folder_close(&folder);
	strbuf_release(&script);
	return rc;
}

/* ---- what became of it ---- */

static enum err_code read_file(const struct campaign_launch *l, const char *name,
			       struct strbuf *text, struct err *e)
{
	struct work_folder folder = {0};
	enum err_code rc;

	strbuf_puts(&folder.path, l->folder);
	rc = folder.path.failed ? err_set(e, ERR_NOMEM, "a run's folder")
				: work_folder_read(&folder, name, 4096, text, e);
	strbuf_release(&folder.path);
	return rc;
}

static enum err_code read_end(const struct campaign_launch *l, bool *ended,
			      struct supervised_end *out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = read_file(l, "end", &text, e);

	if (!rc)
		*ended = supervised_end_read(strbuf_text(&text), out);
	strbuf_release(&text);
	return rc;
}

/* When a job of several runs came to this one, and which of them it is, from 1; 0: it did not. */
static enum err_code read_began(const struct campaign_launch *l, int64_t *at_s, int *number,
				struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = read_file(l, "began", &text, e);

	*number = 0;
	if (!rc && sscanf(strbuf_text(&text), "began %" SCNd64 " %d", at_s, number) != 2)
		*number = 0;
	strbuf_release(&text);
	return rc;
}

/* Since 1970; 0: not known. */
static int64_t start_of(const struct campaign_launch *l)
{
	int64_t at_s = 0;

	return l->run->started_at && wall_clock_read_utc(l->run->started_at, &at_s) ? at_s : 0;
}

static void fill_job(const struct campaign_launch *l, struct slurm_job *job)
{
	const char *text = l->run->job;

	*job = (struct slurm_job){.since_s = start_of(l)};
	if (has_number(l->run)) {
		snprintf(job->id, sizeof job->id, "%s", text);
		snprintf(job->name, sizeof job->name, "lemnos-%.8s-", l->record->uid);
	} else if (text) {
		snprintf(job->name, sizeof job->name, "%.*s", (int)strcspn(text, "_"), text);
		job->task = text[strcspn(text, "_")] ? atoll(strchr(text, '_') + 1) : 0;
	} else {
		put_name(l, job->name);
	}
}

/* What Slurm says of a job of which there is no end. One that completed tells nothing all the same:
 * its result is where its end is. */
static void end_from_slurm(const struct campaign_launch *l, const struct slurm_job *job,
			   struct supervised_end *out)
{
	bool completed = job->state == SLURM_COMPLETED;

	*out = (struct supervised_end){
		.elapsed_s = isnan(job->elapsed_s) ? 0 : job->elapsed_s,
		.timed_out = job->state == SLURM_TIMEOUT,
		.exit_status = completed || job->exit_status > 0 ? job->exit_status : -1,
		.signal = job->signal > 0 ? job->signal : 0,
		.started_s = job->start_s,
		.ended_s = job->end_s,
		.untold = completed,
	};
	if (completed)
		snprintf(out->why, sizeof out->why,
			 "Slurm says that it completed, but what it wrote is not in %.400s: do the "
			 "nodes see this folder?",
			 l->folder);
	else
		snprintf(out->why, sizeof out->why, "Slurm: %s", job->words);
}

/* A number that was never heard, found by the job's name: whoever comes after us has it. */
static enum err_code keep_number(const struct campaign_launch *l, const struct slurm_job *job,
				 struct err *e)
{
	enum err_code rc;

	if (has_number(l->run) || !*job->id)
		return ERR_OK;
	rc = set_job(l->run, job->id, 0, e);
	return rc ? rc : kb_put_campaign_run(l->kb, l->record->id, l->run, e);
}

/* That Slurm does not know a job says nothing while it may be on its way. */
static bool is_old_enough(const struct campaign_launch *l)
{
	int64_t started_s = start_of(l);

	return (int64_t)time(NULL) - started_s >= ON_ITS_WAY_S;
}

static bool may_lag(const struct slurm_job *job)
{
	return job->end_s > 0 && (int64_t)time(NULL) - job->end_s < LAG_S;
}

/* A run of several in a job that ended, which wrote no end. That its job met the limit says of a
 * run only something if it was the first. */
static enum err_code judge_part(const struct campaign_launch *l, const struct slurm_job *job,
				struct campaign_sight *out, struct err *e)
{
	int64_t began_s = 0;
	int number = 0;
	enum err_code rc = read_began(l, &began_s, &number, e);

	if (rc)
		return rc;
	if (number == 0 || (number > 1 && job->state == SLURM_TIMEOUT)) {
		out->state = SUPERVISED_NEVER;
		out->unreached = number == 0;
		return ERR_OK;
	}
	out->state = SUPERVISED_ENDED;
	end_from_slurm(l, job, &out->end);
	out->end.started_s = began_s;
	out->end.elapsed_s = job->end_s > began_s ? (double)(job->end_s - began_s) : 0;
	return ERR_OK;
}

static enum err_code judge_job(const struct campaign_launch *l, const struct slurm_job *job,
			       struct campaign_sight *out, struct err *e)
{
	bool ended = false;
	enum err_code rc = keep_number(l, job, e);

	if (rc)
		return rc;
	out->state = SUPERVISED_RUNS;
	switch (job->state) {
	case SLURM_UNKNOWN:
		out->state = SUPERVISED_UNKNOWN;
		return ERR_OK;
	case SLURM_PENDING:
	case SLURM_RUNNING:
	case SLURM_N_STATES:
		return ERR_OK;
	case SLURM_GONE:
		if (!is_old_enough(l))
			return ERR_OK;
		/* fall through */
	case SLURM_CANCELLED:
	case SLURM_NODE_FAIL:
	case SLURM_PREEMPTED:
		/* no fault of the run's, unless it ended just before */
		rc = read_end(l, &ended, &out->end, e);
		out->state = ended ? SUPERVISED_ENDED : SUPERVISED_NEVER;
		return rc;
	case SLURM_COMPLETED:
	case SLURM_FAILED:
	case SLURM_TIMEOUT:
	case SLURM_OUT_OF_MEMORY:
		break;
	}
	/* Its end is on its way to us; or it never was written. */
	if ((rc = read_end(l, &ended, &out->end, e)) || (!ended && may_lag(job)))
		return rc;
	if (!ended && is_shared(l->target))
		return judge_part(l, job, out, e);
	out->state = SUPERVISED_ENDED;
	if (!ended)
		end_from_slurm(l, job, &out->end);
	return ERR_OK;
}

/* Of all jobs at once. That Slurm does not answer is no error of ours: it is asked again. */
static enum err_code ask(const struct campaign_launch *l, struct slurm_job *job, size_t n,
			 struct err *silence, struct err *e)
{
	struct slurm_reply reply;
	struct err why = {0};
	enum err_code rc = slurm_ask(job, n, l->progress, &reply, &why);

	if (rc && rc != ERR_IO && rc != ERR_PARSE)
		return err_set(e, rc, "%s", why.msg);
	if (rc)
		err_set(silence, rc, "%s", why.msg);
	for (size_t i = 0; i < n; i++) {
		if (rc)
			job[i].state = SLURM_UNKNOWN;
		else if (job[i].state == SLURM_UNKNOWN)
			err_set(silence, ERR_IO, "Slurm does not say what became of job %s: %s",
				*job[i].id ? job[i].id : job[i].name,
				*job[i].words ? job[i].words : reply.why);
	}
	return ERR_OK;
}

/* question[n_asked]; the runs of a job ask one. */
static size_t find_question(const struct slurm_job *question, size_t n_asked,
			    const struct slurm_job *job)
{
	size_t i = 0;

	while (i < n_asked &&
	       (strcmp(question[i].id, job->id) != 0 || strcmp(question[i].name, job->name) != 0 ||
		question[i].task != job->task))
		i++;
	return i;
}

enum err_code campaign_slurm_look(const struct campaign_launch *l, size_t n,
				  struct campaign_sight *sight, struct err *silence, struct err *e)
{
	struct slurm_job *job = calloc(n + 1, sizeof *job);
	size_t *about = calloc(n, sizeof *about), n_asked = 0;
	enum err_code rc = job && about ? ERR_OK : err_set(e, ERR_NOMEM, "the jobs of a campaign");

	/* the files first, which are cheap */
	for (size_t i = 0; i < n && !rc; i++) {
		bool ended = false;

		rc = read_end(&l[i], &ended, &sight[i].end, e);
		sight[i].state = ended ? SUPERVISED_ENDED : SUPERVISED_UNKNOWN;
		if (ended || rc)
			continue;
		fill_job(&l[i], &job[n_asked]);
		about[i] = find_question(job, n_asked, &job[n_asked]);
		n_asked += about[i] == n_asked;
	}
	if (!rc && n_asked > 0)
		rc = ask(l, job, n_asked, silence, e);
	for (size_t i = 0; i < n && !rc; i++) {
		if (sight[i].state != SUPERVISED_ENDED)
			rc = judge_job(&l[i], &job[about[i]], &sight[i], e);
	}
	free(job);
	free(about);
	return rc;
}

/* All tasks of an array. */
enum err_code campaign_slurm_stop(const struct campaign_launch *l, struct err *e)
{
	struct slurm_reply reply;
	struct slurm_job job;
	enum err_code rc;

	fill_job(l, &job);
	job.task = 0;
	if (!*job.id && (rc = slurm_ask(&job, 1, NULL, &reply, e)))
		return rc;
	job.id[strcspn(job.id, "_")] = '\0';
	if (*job.id)
		return slurm_cancel(&job, NULL, e);
	return job.state == SLURM_GONE && is_old_enough(l)
		       ? ERR_OK /* it was never submitted */
		       : err_set(e, ERR_IO, "it is not known whether Slurm has a job %s", job.name);
}
