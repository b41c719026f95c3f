#include "api/job_submit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "acquire/launch.h"
#include "acquire/slurm.h"
#include "api/json_text.h"
#include "base/digest.h"

/* ---- objections ---- */

static const struct {
	const char *name, *text;
} objection_words[JOB_N_OBJECTIONS] = {
	[OBJECTION_INFEASIBLE] = {"infeasible",
				  "this best effort is expected to miss what was asked"},
	[OBJECTION_OUTSIDE] = {"outside", "the prediction is extrapolated beyond the runs seen"},
	[OBJECTION_FAILED] = {"failed", "runs of this configuration failed"},
	[OBJECTION_AT_RISK] = {"at-risk", "runs failed that this configuration is no safer than"},
	[OBJECTION_CUT] = {"cut", "all runs of this configuration were cut by their time limit"},
	[OBJECTION_SIMULATED] = {"simulated",
				 "the machine's definition says that it is invented or simulated"},
	[OBJECTION_BORROWED] = {"borrowed", "this is a what if about a machine without runs"},
	[OBJECTION_AGAIN] = {"again", "a job of this recommendation has not ended yet"},
};

const char *job_objection_name(enum job_objection d)
{
	return objection_words[d].name;
}

const char *job_objection_text(enum job_objection d)
{
	return objection_words[d].text;
}

void job_objections_of(const struct answer *a, bool objection[JOB_N_OBJECTIONS])
{
	const struct answer_choice *best = &a->best;

	objection[OBJECTION_INFEASIBLE] = !a->feasible;
	/* an answer that does not tell is no reason to trust it */
	objection[OBJECTION_OUTSIDE] = !best->support || (strcmp(best->support, "inside") != 0 &&
							  strcmp(best->support, "edge") != 0);
	objection[OBJECTION_FAILED] = best->warning.given && best->warning.failed;
	objection[OBJECTION_AT_RISK] = best->warning.given && !best->warning.failed;
	objection[OBJECTION_CUT] = !isnan(best->outlasts_s);
	objection[OBJECTION_SIMULATED] = a->evidence.machine.simulated;
	objection[OBJECTION_BORROWED] = a->request.like != NULL;
	objection[OBJECTION_AGAIN] = false;
}

/* ---- name and place ---- */

/* 32 bits that differ from job to job, here and in other bases of the same user. */
static enum err_code add_random(struct strbuf *name, struct err *e)
{
	enum { DIGITS = 8 };
	char hex[DIGEST_HEX_SIZE];
	unsigned char seed[64] = {0};
	struct timespec now;
	FILE *f = fopen("/dev/urandom", "rb");
	size_t n = f ? fread(seed, 1, 32, f) : 0;

	if (f)
		fclose(f);
	clock_gettime(CLOCK_REALTIME, &now);
	n += (size_t)snprintf((char *)seed + n, sizeof seed - n, "%ld %lld", (long)getpid(),
			      (long long)now.tv_nsec);
	digest_text((const char *)seed, n, hex);
	strbuf_printf(name, "-%.*s", (int)DIGITS, hex);
	return name->failed ? err_set(e, ERR_NOMEM, "the name of a job") : ERR_OK;
}

enum err_code job_place_find(const char *app, struct job_place *out, struct err *e)
{
	struct job_place p = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
	char *here = getcwd(NULL, 0);
	enum err_code rc;

	if (!here) {
		rc = err_set(e, errno == ENOMEM ? ERR_NOMEM : ERR_IO,
			     "the present directory has no name: %s", strerror(errno));
		goto done;
	}
	/* room for the number, below SLURM_NAME_SIZE */
	strbuf_printf(&p.name, "%.100s", app);
	if ((rc = add_random(&p.name, e)))
		goto done;
	strbuf_puts(&p.folder, here);
	strbuf_printf(&p.time_file, "%s/%s.time", here, strbuf_text(&p.name));
	if (p.folder.failed || p.time_file.failed)
		rc = err_set(e, ERR_NOMEM, "where a job runs");
done:
	free(here);
	if (rc)
		job_place_release(&p);
	else
		*out = p;
	return rc;
}

void job_place_release(struct job_place *p)
{
	strbuf_release(&p->name);
	strbuf_release(&p->folder);
	strbuf_release(&p->time_file);
}

/* ---- submitting ---- */

enum err_code job_can_submit(struct err *e)
{
	return launch_can_find("sbatch")
		       ? ERR_OK
		       : err_set(e, ERR_NOTFOUND,
				 "there is no sbatch in PATH: Slurm is not installed here, or its "
				 "module not loaded");
}

static int64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec;
}

static enum err_code new_job(const struct job_submission *s, struct kb_job *out, struct err *e)
{
	struct kb_job j = {.limit_s = 60 * (double)s->limit_min,
			   .submitted_s = now_s(),
			   .elapsed_s = (double)NAN,
			   .command_s = (double)NAN,
			   .wall_s = (double)NAN,
			   .exit_status = -1,
			   .exit_signal = -1};
	enum err_code rc;

	if ((rc = kb_job_set(&j.name, strbuf_text(&s->place->name), e)) ||
	    (rc = kb_job_set(&j.advice_id, s->advice_id, e)) ||
	    (rc = kb_job_set(&j.folder, strbuf_text(&s->place->folder), e)) ||
	    (rc = kb_job_set(&j.cluster, s->cluster, e)) ||
	    (rc = kb_job_set(&j.state, slurm_state_name(SLURM_UNKNOWN), e)))
		kb_job_release(&j);
	else
		*out = j;
	return rc;
}

static enum err_code refuse_again(struct kb *kb, const struct job_submission *s, struct err *e)
{
	struct kb_jobs open = {0};
	enum err_code rc = kb_list_jobs(kb, s->advice_id, true, &open, e);

	if (!rc && open.n > 0 && !s->again) {
		const struct kb_job *last = &open.item[open.n - 1];

		rc = err_set(
			e, ERR_ARG,
			"job %s of this recommendation (%s) has not ended as far as is known: `lemnos "
			"advice sync` asks Slurm; --accept again submits another",
			last->slurm_id ? last->slurm_id : last->name, last->state);
	}
	kb_jobs_release(&open);
	return rc;
}

/* One transaction: two commands at once do not both find that there is no job. */
static enum err_code announce(struct kb *kb, const struct job_submission *s,
			      const struct kb_job *job, struct err *e)
{
	enum err_code rc = kb_begin(kb, e);

	if (rc)
		return rc;
	if ((rc = refuse_again(kb, s, e)) || (rc = kb_put_job(kb, job, e)) ||
	    (rc = kb_commit(kb, e)))
		kb_rollback(kb);
	return rc;
}

/* Variables of the environment ($SBATCH_TIMELIMIT, ...) would override the script. */
static enum err_code call_sbatch(const struct job_submission *s, struct slurm_job *out,
				 struct err *e)
{
	const struct slurm *slurm = &s->machine->slurm;
	struct strbuf limit = STRBUF_INIT, partition = STRBUF_INIT, account = STRBUF_INIT;
	const char *option[4];
	struct slurm_batch batch = {.script = s->script,
				    .name = strbuf_text(&s->place->name),
				    .cluster = s->cluster,
				    .folder = strbuf_text(&s->place->folder),
				    .option = option,
				    .limit_min = (double)s->limit_min,
				    .partition = slurm->partition ? slurm->partition
								  : getenv("SBATCH_PARTITION")};
	enum err_code rc;

	strbuf_printf(&limit, "--time=%" PRId64, s->limit_min);
	option[batch.n_option++] = strbuf_text(&limit);
	option[batch.n_option++] = "--export=ALL";
	if (slurm->partition) {
		strbuf_printf(&partition, "--partition=%s", slurm->partition);
		option[batch.n_option++] = strbuf_text(&partition);
	}
	if (slurm->account) {
		strbuf_printf(&account, "--account=%s", slurm->account);
		option[batch.n_option++] = strbuf_text(&account);
	}
	rc = limit.failed || partition.failed || account.failed
		     ? err_set(e, ERR_NOMEM, "a job to submit")
		     : slurm_submit(&batch, out, e);
	strbuf_release(&limit);
	strbuf_release(&partition);
	strbuf_release(&account);
	return rc;
}

/* Does this error leave open whether there is a job? */
static bool is_unclear(enum err_code rc)
{
	return rc == ERR_PARSE || rc == ERR_INTERRUPTED;
}

enum err_code job_submit(const struct session *session, const struct job_submission *s,
			 struct kb_job *out, struct err *e)
{
	struct kb *kb = NULL;
	struct kb_job job = {0};
	struct slurm_job submitted = {0};
	enum err_code rc;

	if ((rc = job_can_submit(e)) || (rc = new_job(s, &job, e)) ||
	    (rc = kb_open(session->kb_path, KB_WRITE, NULL, &kb, e)) ||
	    (rc = announce(kb, s, &job, e)))
		goto done;
	rc = call_sbatch(s, &submitted, e);
	if (rc && !is_unclear(rc))
		kb_delete_job(kb, job.name, NULL); /* else sync finds that there is none */
	if (rc)
		goto done;
	/* A job whose number cannot be stored is found by its name. */
	if ((rc = kb_job_set(&job.slurm_id, submitted.id, e)) ||
	    (rc = kb_job_set(&job.state, slurm_state_name(submitted.state), e)) ||
	    (submitted.cluster[0] && (rc = kb_job_set(&job.cluster, submitted.cluster, e))) ||
	    (rc = kb_put_job(kb, &job, e)))
		goto done;
	*out = job;
	job = (struct kb_job){0};
done:
	kb_close(kb);
	kb_job_release(&job);
	return rc;
}

/* ---- what became of it ---- */

void submission_release(struct submission *s)
{
	job_place_release(&s->place);
	strbuf_release(&s->script);
	strbuf_release(&s->reason);
	kb_job_release(&s->job);
}

static json_t *objections_json(const struct submission *s)
{
	json_t *list = json_array();
	int failed = 0;

	for (enum job_objection d = 0; d < JOB_N_OBJECTIONS; d++) {
		if (s->objection[d])
			failed |= json_array_append_new(list, json_string(job_objection_name(d)));
	}
	return out_json_unless(failed, list);
}

static int set_job(json_t *o, const void *arg, size_t i)
{
	const struct submission *s = (const struct submission *)arg + i;
	const bool made = s->script.len > 0;

	return member_bool(o, "submitted", s->job.name != NULL) |
	       member_text(o, "slurm_id", s->job.slurm_id) |
	       member_text(o, "cluster", s->job.cluster) |
	       member_text(o, "name", made ? strbuf_text(&s->place.name) : NULL) |
	       member_text(o, "folder", made ? strbuf_text(&s->place.folder) : NULL) |
	       member_real(o, "limit_s", made ? 60 * (double)s->limit_min : (double)NAN) |
	       member_text(o, "reason", s->reason.len > 0 ? strbuf_text(&s->reason) : NULL) |
	       member_value(o, "doubts", objections_json(s)) |
	       member_text(o, "script", made ? strbuf_text(&s->script) : NULL);
}

enum err_code submission_json(const struct submission *s, struct json_t *answer, struct err *e)
{
	return member_value(answer, "job", out_json_object(set_job, s))
		       ? err_set(e, ERR_NOMEM, "a job as JSON")
		       : ERR_OK;
}
