#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acquire/campaign_private.h"
#include "acquire/slurm.h"
#include "acquire/work_folder.h"
#include "base/wall_clock.h"

/* A job for each run. The script itself writes how the command ended, in the run's folder, which
 * the nodes and we have to see alike: where Slurm keeps no accounts that is all there is. */

/* Accounts and network file systems lag behind: so long after Slurm says that a job has ended the
 * file may still come. */
#define LAG_S 30
/* A submission may reach controller and accounts so long after it was made. */
#define ON_ITS_WAY_S 120

static void put_name(const struct campaign_launch *l, char name[SLURM_NAME_SIZE])
{
	snprintf(name, SLURM_NAME_SIZE, "lemnos-%.8s-%lld-%lld", l->record->uid,
		 (long long)l->run->position, (long long)l->run->attempt);
}

/* ---- the script ---- */

static void put_resources(const struct campaign_launch *l, const char *name, struct strbuf *out)
{
	const struct application *a = l->target->app;
	const struct slurm *slurm = &l->target->machine->slurm;
	const struct plan_words *options = &l->target->plan->launcher.options;
	double procs = campaign_procs(a, l->row), nodes = campaign_nodes(a, l->row);
	double threads = a->i_threads < a->n_columns && !isnan(l->row[a->i_threads])
				 ? l->row[a->i_threads]
				 : 1;

	strbuf_printf(out, "#!/bin/bash\n#SBATCH --job-name=%s\n", name);
	strbuf_printf(out, "#SBATCH --nodes=%.0f\n#SBATCH --ntasks=%.0f\n", nodes, procs);
	strbuf_printf(out, "#SBATCH --ntasks-per-node=%.0f\n", ceil(procs / nodes));
	if (threads > 1)
		strbuf_printf(out, "#SBATCH --cpus-per-task=%.0f\n", threads);
	/* A minute more than the script itself grants: then it tells how it ended. */
	if (!isnan(l->run->limit_s))
		strbuf_printf(out, "#SBATCH --time=%.0f\n",
			      ceil((l->run->limit_s + slurm->startup_s) / 60) + 1);
	if (slurm->partition)
		strbuf_printf(out, "#SBATCH --partition=%s\n", slurm->partition);
	if (slurm->account)
		strbuf_printf(out, "#SBATCH --account=%s\n", slurm->account);
	for (size_t i = 0; i < slurm->n_option; i++)
		strbuf_printf(out, "#SBATCH %s\n", slurm->option[i]);
	for (size_t i = 0; i < options->n; i++)
		strbuf_printf(out, "#SBATCH %s\n", options->word[i]);
	strbuf_puts(out, "#SBATCH --output=stdout\n#SBATCH --error=stderr\n");
}

static void put_script(const struct campaign_launch *l, const char *name,
		       const struct word_list *argv, const struct word_list *variables,
		       struct strbuf *out)
{
	const struct slurm *slurm = &l->target->machine->slurm;

	put_resources(l, name, out);
	for (size_t i = 0; i < slurm->n_setup; i++)
		strbuf_printf(out, "%s\n", slurm->setup[i]);
	for (size_t i = 0; i < variables->n; i++) {
		const struct word_list one = {.word = &variables->word[i], .n = 1};

		strbuf_puts(out, "export ");
		campaign_put_words(&one, out);
		strbuf_putc(out, '\n');
	}
	strbuf_puts(out, "started=$(date +%s) from=$(date +%s%N)\n");
	if (!isnan(l->run->limit_s))
		strbuf_printf(out, "timeout -k 2 %.0f ", ceil(l->run->limit_s));
	strbuf_printf(out, "%s ", slurm->launcher);
	campaign_put_words(argv, out);
	strbuf_puts(out, "\nstatus=$?\n"
			 "elapsed=$(( $(date +%s%N) - from ))\n"
			 "late=0\n");
	/* timeout says 124, or 137 if it had to kill; a command may be killed for other reasons */
	if (!isnan(l->run->limit_s))
		strbuf_printf(out,
			      "[ $status -ne 124 ] || late=1\n"
			      "[ $status -ne 137 ] || [ $elapsed -lt %.0f000000000 ] || late=1\n",
			      ceil(l->run->limit_s));
	strbuf_puts(out, "printf 'elapsed_s %d.%09d\\nexit_status %d\\nsignal 0\\n"
			 "timed_out %d\\nstarted %d\\nended %d\\nend\\n' \\\n"
			 "\t$((elapsed / 1000000000)) $((elapsed % 1000000000)) $status $late "
			 "$started $(date +%s) >end.part\n"
			 "mv end.part end\n"
			 "exit $status\n");
}

/* They go before the environment ($SBATCH_PARTITION), which goes before the script. A job that
 * Slurm runs again and we do, too, would run twice. */
static enum err_code submit(const struct campaign_launch *l, const char *name, const char *script,
			    struct slurm_job *out, struct err *e)
{
	const struct slurm *slurm = &l->target->machine->slurm;
	struct strbuf partition = STRBUF_INIT, account = STRBUF_INIT;
	const char *option[3] = {"--no-requeue"};
	struct slurm_batch batch = {.script = script,
				    .name = name,
				    .folder = l->folder,
				    .option = option,
				    .n_option = 1};
	enum err_code rc;

	strbuf_printf(&partition, "--partition=%s", slurm->partition ? slurm->partition : "");
	strbuf_printf(&account, "--account=%s", slurm->account ? slurm->account : "");
	if (slurm->partition)
		option[batch.n_option++] = strbuf_text(&partition);
	if (slurm->account)
		option[batch.n_option++] = strbuf_text(&account);
	rc = partition.failed || account.failed ? err_set(e, ERR_NOMEM, "a job to submit")
						: slurm_submit(&batch, out, e);
	strbuf_release(&partition);
	strbuf_release(&account);
	return rc;
}

enum err_code campaign_slurm_start(const struct campaign_launch *l, const struct word_list *argv,
				   const struct word_list *variables, struct err *e)
{
	char name[SLURM_NAME_SIZE];
	struct strbuf script = STRBUF_INIT;
	struct work_folder folder = {0};
	struct slurm_job job;
	enum err_code rc;

	put_name(l, name);
	put_script(l, name, argv, variables, &script);
	if (script.failed)
		rc = err_set(e, ERR_NOMEM, "a job script");
	else if (!(rc = work_folder_open(l->folder, &folder, e)) &&
		 !(rc = work_folder_write(&folder, "job.sh", strbuf_text(&script), e)) &&
		 !(rc = submit(l, name, strbuf_text(&script), &job, e))) {
		free(l->run->job);
		l->run->job = strdup(job.id);
		if (!l->run->job)
			rc = err_set(e, ERR_NOMEM, "the number of a job");
	}
	work_folder_close(&folder);
	strbuf_release(&script);
	return rc;
}

/* ---- what became of it ---- */

static enum err_code read_end(const struct campaign_launch *l, bool *ended,
			      struct supervised_end *out, struct err *e)
{
	struct work_folder folder = {0};
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&folder.path, l->folder);
	rc = folder.path.failed ? err_set(e, ERR_NOMEM, "a run's folder")
				: work_folder_read(&folder, "end", 4096, &text, e);
	if (!rc)
		*ended = supervised_end_read(strbuf_text(&text), out);
	strbuf_release(&text);
	strbuf_release(&folder.path);
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
	*job = (struct slurm_job){.since_s = start_of(l)};
	put_name(l, job->name);
	if (l->run->job)
		snprintf(job->id, sizeof job->id, "%s", l->run->job);
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
	if (l->run->job || !*job->id)
		return ERR_OK;
	l->run->job = strdup(job->id);
	if (!l->run->job)
		return err_set(e, ERR_NOMEM, "the number of a job");
	return kb_put_campaign_run(l->kb, l->record->id, l->run, e);
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

enum err_code campaign_slurm_look(const struct campaign_launch *l, size_t n,
				  struct campaign_sight *sight, struct err *silence, struct err *e)
{
	struct slurm_job *job = calloc(n, sizeof *job);
	size_t *about = calloc(n, sizeof *about), n_asked = 0;
	enum err_code rc = job && about ? ERR_OK : err_set(e, ERR_NOMEM, "the jobs of a campaign");

	/* the files first, which are cheap */
	for (size_t i = 0; i < n && !rc; i++) {
		bool ended = false;

		rc = read_end(&l[i], &ended, &sight[i].end, e);
		sight[i].state = SUPERVISED_ENDED;
		if (ended || rc)
			continue;
		fill_job(&l[i], &job[n_asked]);
		about[n_asked++] = i;
	}
	if (!rc && n_asked > 0)
		rc = ask(l, job, n_asked, silence, e);
	for (size_t k = 0; k < n_asked && !rc; k++)
		rc = judge_job(&l[about[k]], &job[k], &sight[about[k]], e);
	free(job);
	free(about);
	return rc;
}

enum err_code campaign_slurm_stop(const struct campaign_launch *l, struct err *e)
{
	struct slurm_reply reply;
	struct slurm_job job;
	enum err_code rc;

	fill_job(l, &job);
	if (!*job.id && (rc = slurm_ask(&job, 1, NULL, &reply, e)))
		return rc;
	if (*job.id)
		return slurm_cancel(&job, NULL, e);
	return job.state == SLURM_GONE && is_old_enough(l)
		       ? ERR_OK /* it was never submitted */
		       : err_set(e, ERR_IO, "it is not known whether Slurm has a job %s", job.name);
}
