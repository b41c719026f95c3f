#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acquire/campaign_private.h"
#include "acquire/slurm.h"
#include "acquire/work_folder.h"

/* A job for each run. The script itself writes how the command ended, in the run's folder, which
 * the nodes and we have to see alike: where Slurm keeps no accounts that is all there is. */

/* Accounts and network file systems lag behind: so long after Slurm says that a job has ended the
 * file may still come. */
#define LAG_S 30

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
	if (!isnan(l->run->limit_s))
		strbuf_printf(out, "#SBATCH --time=%.0f\n",
			      ceil((l->run->limit_s + slurm->startup_s) / 60));
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
	if (!isnan(l->run->limit_s))
		strbuf_puts(out, "[ $status -ne 124 ] || late=1\n");
	strbuf_puts(out, "printf 'elapsed_s %d.%09d\\nexit_status %d\\nsignal 0\\n"
			 "timed_out %d\\nstarted %d\\nended %d\\nend\\n' \\\n"
			 "\t$((elapsed / 1000000000)) $((elapsed % 1000000000)) $status $late "
			 "$started $(date +%s) >end.part\n"
			 "mv end.part end\n"
			 "exit $status\n");
}

enum err_code campaign_slurm_start(const struct campaign_launch *l, const struct word_list *argv,
				   const struct word_list *variables, struct err *e)
{
	char name[SLURM_NAME_SIZE];
	struct strbuf script = STRBUF_INIT;
	struct slurm_batch batch = {.name = name, .folder = l->folder};
	struct work_folder folder = {0};
	struct slurm_job job;
	enum err_code rc;

	put_name(l, name);
	put_script(l, name, argv, variables, &script);
	batch.script = strbuf_text(&script);
	if (script.failed)
		rc = err_set(e, ERR_NOMEM, "a job script");
	else if (!(rc = work_folder_open(l->folder, &folder, e)) &&
		 !(rc = work_folder_write(&folder, "job.sh", batch.script, e)) &&
		 !(rc = slurm_submit(&batch, &job, e))) {
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

static void fill_job(const struct campaign_launch *l, struct slurm_job *job)
{
	*job = (struct slurm_job){0};
	put_name(l, job->name);
	if (l->run->job)
		snprintf(job->id, sizeof job->id, "%s", l->run->job);
}

/* What Slurm says of a job that did not write its end itself: it did not end well, whatever its
 * status. */
static void end_from_slurm(const struct slurm_job *job, struct supervised_end *out)
{
	*out = (struct supervised_end){
		.elapsed_s = isnan(job->elapsed_s) ? 0 : job->elapsed_s,
		.timed_out = job->state == SLURM_TIMEOUT,
		.exit_status = job->exit_status ? job->exit_status : -1,
		.signal = job->signal > 0 ? job->signal : 0,
		.started_s = job->start_s,
		.ended_s = job->end_s,
	};
	snprintf(out->why, sizeof out->why, "Slurm: %s", job->words);
}

enum err_code campaign_slurm_look(const struct campaign_launch *l, enum supervised_state *state,
				  struct supervised_end *out, struct err *e)
{
	struct slurm_reply reply;
	struct slurm_job job;
	bool ended = false;
	enum err_code rc = read_end(l, &ended, out, e);

	if (rc)
		return rc;
	if (ended) {
		*state = SUPERVISED_ENDED;
		return ERR_OK;
	}
	fill_job(l, &job);
	if ((rc = slurm_ask(&job, 1, l->progress, &reply, e)))
		return rc;
	*state = SUPERVISED_RUNS;
	switch (job.state) {
	case SLURM_UNKNOWN:
	case SLURM_PENDING:
	case SLURM_RUNNING:
	case SLURM_N_STATES:
		return ERR_OK;
	case SLURM_COMPLETED:
		/* It wrote its end, which is on its way to us; or that is lost, and the result
		 * with it. */
		if (job.end_s > 0 && (int64_t)time(NULL) - job.end_s < LAG_S)
			return ERR_OK;
		/* fall through */
	case SLURM_CANCELLED:
	case SLURM_NODE_FAIL:
	case SLURM_PREEMPTED:
	case SLURM_GONE:
		/* no fault of the run's, unless it ended just before */
		rc = read_end(l, &ended, out, e);
		*state = ended ? SUPERVISED_ENDED : SUPERVISED_NEVER;
		return rc;
	case SLURM_FAILED:
	case SLURM_TIMEOUT:
	case SLURM_OUT_OF_MEMORY:
		break;
	}
	if ((rc = read_end(l, &ended, out, e)))
		return rc;
	*state = SUPERVISED_ENDED;
	if (!ended)
		end_from_slurm(&job, out);
	return ERR_OK;
}

enum err_code campaign_slurm_stop(const struct campaign_launch *l, struct err *e)
{
	struct slurm_reply reply;
	struct slurm_job job;
	enum err_code rc;

	fill_job(l, &job);
	if (!*job.id && (rc = slurm_ask(&job, 1, NULL, &reply, e)))
		return rc;
	if (!*job.id)
		return ERR_OK; /* it was never submitted */
	return slurm_cancel(&job, NULL, e);
}
