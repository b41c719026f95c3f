#include "api/job_sync.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "acquire/run_import.h"
#include "acquire/slurm.h"
#include "acquire/work_folder.h"
#include "api/json_text.h"
#include "base/text_form.h"
#include "base/wall_clock.h"
#include "domain/job_script.h"

/* Records may come late: a submission that is on its way, slurmdbd that was down. So long is a job
 * that Slurm does not know asked about again. */
#define GIVE_UP_S 86400
/* A job that was preempted, or whose node failed, is most often requeued, and soon. */
#define REQUEUE_S 3600
/* So long after its end a job that only the queue knows is waited for in the accounting. */
#define LATE_RECORD_S 120
/* sacct's seconds are whole; clocks of nodes differ a little. */
#define CLOCK_SLACK_S 2.0
#define MAX_TIME_FILE ((size_t)64 << 10)

/* ---- what the script told ---- */

static enum err_code read_time_file(const struct kb_job *j, struct job_times *out, bool *there,
				    struct err *e)
{
	struct work_folder folder = {0};
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&folder.path, j->folder);
	strbuf_printf(&name, "%s.time", j->name);
	rc = folder.path.failed || name.failed ? err_set(e, ERR_NOMEM, "the times of a job")
					       : ERR_OK;
	/* The folder may be out of reach from here: then sacct has to do. */
	if (!rc && work_folder_read(&folder, strbuf_text(&name), MAX_TIME_FILE, &text, NULL))
		strbuf_clear(&text);
	job_times_read(strbuf_text(&text), out);
	*there = text.len > 0;
	strbuf_release(&folder.path);
	strbuf_release(&name);
	strbuf_release(&text);
	return rc;
}

/* ---- what became of it, as a run ---- */

struct job_outcome {
	bool is_run;
	enum run_status status;
	const char *note; /* NULL: none */
};

static bool near_enough(double part_s, const struct kb_job *j)
{
	return isnan(j->elapsed_s) || part_s <= j->elapsed_s + CLOCK_SLACK_S;
}

static enum err_code set_time(struct kb_job *j, double wall_s, const char *timed_by, struct err *e)
{
	j->wall_s = wall_s;
	return kb_job_set(&j->timed_by, timed_by, e);
}

/* The time of a job that ended well. */
static enum err_code time_whole(struct kb_job *j, const struct job_times *t, struct job_outcome *v,
				struct err *e)
{
	if (t->own_wall_s <= (isnan(j->command_s) ? j->elapsed_s : j->command_s) + CLOCK_SLACK_S)
		return set_time(j, t->own_wall_s, "application", e);
	if (!isnan(t->own_wall_s))
		v->note = "the program told a time that is longer than the job: passed over";
	if (!isnan(j->command_s))
		return set_time(j, j->command_s, "command", e);
	if (j->elapsed_s > 0)
		return set_time(j, j->elapsed_s, "job", e);
	*v = (struct job_outcome){
		.note = "it took less than a second, and its script told no times: no "
			"run"};
	return ERR_OK;
}

/* How long the command of a job that met its limit had run at least. */
static enum err_code time_cut(struct kb_job *j, const struct job_times *t, struct job_outcome *v,
			      struct err *e)
{
	double end_s = t->ended_s;

	if (isnan(end_s) && j->ended_s > 0)
		end_s = (double)j->ended_s;
	if (end_s > t->began_s && near_enough(end_s - t->began_s, j))
		return set_time(j, end_s - t->began_s, "command", e);
	if (j->elapsed_s > 0)
		return set_time(j, j->elapsed_s, "job", e);
	*v = (struct job_outcome){
		.note = "it met its limit, and nothing tells after how long: no run"};
	return ERR_OK;
}

/* The shell's exit status for a command that is not there, or is no program. */
static bool no_command(int64_t exit_status)
{
	return exit_status == 126 || exit_status == 127;
}

static struct job_outcome judge_failure(int64_t exit_status)
{
	if (no_command(exit_status))
		return (struct job_outcome){.note = "there is no such command: no run"};
	return (struct job_outcome){.is_run = true, .status = RUN_FAILED};
}

static const char early[] = "it ended before its command began: no run";

/* Only the file of times tells. */
static struct job_outcome judge_gone(const struct job_times *t)
{
	if (isnan(t->began_s) || isnan(t->ended_s) || t->exit_status < 0)
		return (struct job_outcome){.note = "Slurm does not know it (any more)"};
	if (t->exit_status > 0)
		return judge_failure(t->exit_status);
	return (struct job_outcome){.is_run = true, .status = RUN_OK};
}

static enum err_code judge(struct kb_job *j, enum slurm_state state, const struct job_times *t,
			   bool told, struct job_outcome *v, struct err *e)
{
	bool began = !told || !isnan(t->began_s);

	*v = (struct job_outcome){0};
	j->command_s = (double)NAN;
	if (t->ended_s > t->began_s && near_enough(t->ended_s - t->began_s, j))
		j->command_s = t->ended_s - t->began_s;
	switch (state) {
	case SLURM_COMPLETED:
		*v = (struct job_outcome){.is_run = true, .status = RUN_OK};
		break;
	case SLURM_TIMEOUT:
		*v = began ? (struct job_outcome){.is_run = true, .status = RUN_TIMEOUT}
			   : (struct job_outcome){.note = early};
		break;
	case SLURM_FAILED:
		*v = began ? judge_failure(j->exit_status) : (struct job_outcome){.note = early};
		break;
	case SLURM_OUT_OF_MEMORY:
		*v = (struct job_outcome){.is_run = true, .status = RUN_FAILED};
		break;
	case SLURM_GONE:
		*v = judge_gone(t);
		break;
	case SLURM_CANCELLED:
		v->note = "cancelled: no run";
		break;
	case SLURM_NODE_FAIL:
		v->note = "its node failed: no run";
		break;
	case SLURM_PREEMPTED:
		v->note = "preempted: no run";
		break;
	case SLURM_UNKNOWN:
	case SLURM_PENDING:
	case SLURM_RUNNING:
	case SLURM_N_STATES:
		break;
	}
	if (v->is_run && v->status == RUN_OK)
		return time_whole(j, t, v, e);
	if (v->is_run && v->status == RUN_TIMEOUT)
		return time_cut(j, t, v, e);
	return ERR_OK;
}

static bool is_settled(const struct kb_job *j, enum slurm_state state, const struct job_outcome *v)
{
	switch (state) {
	case SLURM_GONE:
		return v->is_run || j->asked_s - j->submitted_s > GIVE_UP_S;
	case SLURM_NODE_FAIL:
	case SLURM_PREEMPTED:
		return j->ended_s > 0 && j->asked_s - j->ended_s > REQUEUE_S;
	default:
		return slurm_state_is_final(state);
	}
}

/* ---- its run on its way into the base ---- */

/* The number of the job is that of the repeat: two jobs of the same length are two runs. */
static enum err_code put_table(struct run_table *t, const struct application *a, const double *row,
			       const struct kb_job *j, enum run_status status, struct err *e)
{
	char number[REAL_TEXT_SIZE], started[32] = "";
	const struct {
		const char *name, *text;
	} extra[] = {
		{"slurm_name", j->name},
		{"slurm_state", j->state},
		{"slurm_elapsed_s", isnan(j->elapsed_s) ? "" : real_text(j->elapsed_s, number)},
		{"slurm_started", started}, /* kb_is_date_name() */
		{"timed_by", j->timed_by ? j->timed_by : ""},
	};
	enum err_code rc = ERR_OK;

	if (j->started_s > 0)
		snprintf(started, sizeof started, "%lld", (long long)j->started_s);
	run_table_put_run(t, a, row, j->wall_s, status, j->slurm_id ? j->slurm_id : "");
	for (size_t i = 0; i < sizeof extra / sizeof extra[0] && !rc; i++)
		rc = run_table_put_extra(t, "", extra[i].name, extra[i].text, e);
	return rc;
}

/* In the transaction of the import. */
static enum err_code store_with_import(struct kb *kb, const struct ingest_result *r, void *arg,
				       struct err *e)
{
	struct kb_job *j = arg;
	enum err_code rc = kb_job_set(&j->import_sha256, r->import.sha256, e);

	j->settled = true;
	return rc ? rc : kb_put_job(kb, j, e);
}

static enum err_code import_table(struct session *session, const struct application *a,
				  const char *machine, struct run_table *t, struct kb_job *j,
				  struct err *e)
{
	struct strbuf origin = STRBUF_INIT;
	struct run_import about = {
		.app = a,
		.machine = machine,
		.source = SOURCE_MEASURED,
		.progress = session->progress,
		.also = store_with_import,
		.also_arg = j,
	};
	enum err_code rc;

	strbuf_printf(&origin, "Slurm job %s", j->name);
	about.origin = strbuf_text(&origin);
	rc = origin.failed ? err_set(e, ERR_NOMEM, "the run of a job")
			   : run_table_import(session->kb, t, &about, e);
	if (rc) /* undone */
		kb_job_set(&j->import_sha256, NULL, NULL);
	strbuf_release(&origin);
	return rc;
}

/* NULL: nothing keeps its run from the base. */
static const char *obstacle(const struct advice_record *s, double *row)
{
	if (!s->app_id)
		return "the base no longer has the application";
	if (!s->machine_id)
		return "the base no longer has the machine";
	if (!s->choice || !advice_record_row(s, true, row))
		return "the definition of the application no longer has what was recommended";
	return NULL;
}

/* A run that cannot be stored leaves the job as one to be asked about again: what is in the way may
 * be mended. */
static enum err_code import_run(struct session *session, const struct advice_record *s,
				struct kb_job *j, enum run_status status, struct err *e)
{
	struct run_table table = {0};
	struct err why = {0};
	double *row = calloc(s->app->n_columns + 1, sizeof *row);
	const char *fault;
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	if ((fault = obstacle(s, row)))
		rc = err_set(&why, ERR_NODATA, "%s: no run yet", fault);
	else if (!(rc = put_table(&table, s->app, row, j, status, &why)))
		rc = import_table(session, s->app, s->machine_name, &table, j, &why);
	free(row);
	run_table_release(&table);
	if (!rc)
		return ERR_OK;
	if (rc != ERR_PARSE && rc != ERR_NODATA && rc != ERR_ARG && rc != ERR_NOTFOUND)
		return err_set(e, rc, "%s", why.msg);
	session_warn(session, "job %s: %s", j->name, why.msg);
	j->settled = false;
	rc = kb_job_set(&j->note, why.msg, e);
	return rc ? rc : kb_put_job(session->kb, j, e);
}

/* ---- one job ---- */

static int64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec;
}

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

static enum err_code take_answer(struct kb_job *j, const struct slurm_job *from, struct err *e)
{
	enum err_code rc;

	j->asked_s = now_s();
	if ((rc = kb_job_set(&j->state, slurm_state_name(from->state), e)) ||
	    (rc = kb_job_set(&j->words, text_or_null(from->words), e)))
		return rc;
	if (from->state == SLURM_GONE) {
		j->elapsed_s = (double)NAN; /* that was so far; the rest of what was known stays */
		return ERR_OK;
	}
	j->queued_s = from->submit_s;
	j->started_s = from->start_s;
	j->ended_s = from->end_s;
	j->elapsed_s = from->elapsed_s;
	j->nodes = from->nodes;
	j->exit_status = from->exit_status;
	j->exit_signal = from->signal;
	if ((rc = kb_job_set(&j->slurm_id, text_or_null(from->id), e)) || !from->ran_on[0])
		return rc;
	return kb_job_set(&j->ran_on, from->ran_on, e);
}

/* accounted: sacct works, so that it will tell more than the queue does. */
static enum err_code settle(struct session *session, const struct advice_record *s, bool accounted,
			    struct kb_job *j, const struct slurm_job *from, struct err *e)
{
	struct job_times times;
	struct job_outcome v = {0};
	bool told = false;
	enum err_code rc = take_answer(j, from, e);

	if (rc)
		return rc;
	if (accounted && from->from_queue && j->asked_s - j->ended_s < LATE_RECORD_S)
		return kb_put_job(session->kb, j, e);
	j->wall_s = (double)NAN;
	if (slurm_state_is_final(from->state) &&
	    ((rc = read_time_file(j, &times, &told, e)) ||
	     (rc = judge(j, from->state, &times, told, &v, e))))
		return rc;
	j->settled = is_settled(j, from->state, &v);
	if ((rc = kb_job_set(&j->note, v.note, e)) ||
	    (isnan(j->wall_s) && (rc = kb_job_set(&j->timed_by, NULL, e))))
		return rc;
	return v.is_run ? import_run(session, s, j, v.status, e) : kb_put_job(session->kb, j, e);
}

/* ---- promised against happened ---- */

static enum err_code report_of(struct session *session, const struct advice_record *s,
			       struct job_report *r, struct err *e)
{
	const struct kb_job *j = &r->job;
	struct kb_outcome run = {.wall_s = j->wall_s};
	size_t n = 0;
	enum err_code rc;

	r->forecast = advice_record_forecast(s);
	if (s->app_id && (rc = kb_job_run(session->kb, j, s->app, &r->run_id, e)))
		return rc;
	run.run_id = r->run_id;
	run.timed_out = strcmp(j->state, slurm_state_name(SLURM_TIMEOUT)) == 0;
	if (!isnan(j->wall_s))
		n = 1;
	return reliability_judge(&r->forecast, &run, n, &r->outcome, e);
}

/* With its recommendation; answer NULL: Slurm was not asked. */
static enum err_code complete(struct session *session, struct job_report *r,
			      const struct slurm_job *answer, struct err *e)
{
	struct kb_advice kept = {0};
	struct advice_record s = {0};
	enum err_code rc;

	if ((rc = kb_get_advice(session->kb, r->job.advice_id, &kept, e)) ||
	    (rc = advice_record_read(session, &kept, &s, e)) ||
	    (answer && (rc = settle(session, &s, !r->unaccounted, &r->job, answer, e))))
		goto done;
	rc = report_of(session, &s, r, e);
done:
	advice_record_release(&s);
	return rc;
}

void job_reports_release(struct job_reports *r)
{
	for (size_t i = 0; i < r->n; i++)
		kb_job_release(&r->item[i].job);
	free(r->item);
	*r = (struct job_reports){0};
}

/* The jobs move. */
static enum err_code append_reports(struct job_reports *r, struct kb_jobs *jobs, struct err *e)
{
	struct job_report *grown = realloc(r->item, (r->n + jobs->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu jobs", r->n + jobs->n);
	r->item = grown;
	for (size_t i = 0; i < jobs->n; i++) {
		grown[r->n++] = (struct job_report){.job = jobs->item[i]};
		jobs->item[i] = (struct kb_job){0};
	}
	return ERR_OK;
}

static enum err_code append_jobs_of(struct session *session, const char *advice_id, bool unsettled,
				    struct job_reports *r, struct err *e)
{
	struct kb_jobs jobs = {0};
	enum err_code rc = kb_list_jobs(session->kb, advice_id, unsettled, &jobs, e);

	if (!rc)
		rc = append_reports(r, &jobs, e);
	kb_jobs_release(&jobs);
	return rc;
}

static enum err_code list_asked(struct session *session, const char *const *advice_id, size_t n,
				struct job_reports *r, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (n == 0)
		return append_jobs_of(session, NULL, true, r, e);
	for (size_t i = 0; i < n && !rc; i++) {
		struct kb_advice a = {0};

		if (!(rc = kb_get_advice(session->kb, advice_id[i], &a, e)))
			rc = append_jobs_of(session, a.id, false, r, e);
		kb_advice_release(&a);
	}
	return rc;
}

static struct slurm_job question_about(const struct kb_job *j)
{
	struct slurm_job q = {.since_s = j->submitted_s};

	snprintf(q.id, sizeof q.id, "%s", j->slurm_id ? j->slurm_id : "");
	snprintf(q.cluster, sizeof q.cluster, "%s", j->cluster ? j->cluster : "");
	snprintf(q.name, sizeof q.name, "%s", j->name);
	return q;
}

/* question[n]: about those that are not settled; about[]: which of the reports. */
static enum err_code ask(struct session *session, struct job_reports *r, struct slurm_job *question,
			 size_t *about, struct err *e)
{
	struct slurm_reply reply = {.accounted = true};
	size_t n = 0;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < r->n; i++) {
		if (r->item[i].job.settled)
			continue;
		question[n] = question_about(&r->item[i].job);
		about[n++] = i;
	}
	if (n > 0 && (rc = slurm_ask(question, n, session->progress, &reply, e)))
		return rc;
	snprintf(r->why, sizeof r->why, "%s", reply.why);
	for (size_t k = 0; k < n && !rc; k++) {
		struct job_report *one = &r->item[about[k]];

		one->asked = question[k].state != SLURM_UNKNOWN || question[k].words[0];
		one->unaccounted = !reply.accounted;
		if (!progress_step(session->progress, "asking about jobs", k, n))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		else
			rc = complete(session, one, one->asked ? &question[k] : NULL, e);
	}
	for (size_t i = 0; i < r->n && !rc; i++) {
		if (r->item[i].job.settled && !r->item[i].asked)
			rc = complete(session, &r->item[i], NULL, e);
	}
	return rc;
}

enum err_code job_sync(struct session *session, const char *const *advice_id, size_t n,
		       struct job_reports *out, struct err *e)
{
	struct job_reports r = {0};
	struct slurm_job *question = NULL;
	size_t *about = NULL;
	enum err_code rc;

	if ((rc = list_asked(session, advice_id, n, &r, e)))
		goto done;
	question = calloc(r.n + 1, sizeof *question);
	about = calloc(r.n + 1, sizeof *about);
	rc = question && about ? ask(session, &r, question, about, e)
			       : err_set(e, ERR_NOMEM, "%zu jobs", r.n);
done:
	free(question);
	free(about);
	if (rc)
		job_reports_release(&r);
	else
		*out = r;
	return rc;
}

enum err_code job_reports_read(struct session *session, const char *advice_id,
			       struct job_reports *out, struct err *e)
{
	struct job_reports r = {0};
	enum err_code rc = append_jobs_of(session, advice_id, false, &r, e);

	for (size_t i = 0; i < r.n && !rc; i++)
		rc = complete(session, &r.item[i], NULL, e);
	if (rc)
		job_reports_release(&r);
	else
		*out = r;
	return rc;
}

/* ---- JSON ---- */

static int member_point(json_t *object, const char *key, int64_t at_s)
{
	char text[WALL_CLOCK_SIZE];
	bool known = at_s > 0 && wall_clock_put_utc(at_s, text);

	return member_text(object, key, known ? text : NULL);
}

/* An exit status or signal, -1 while it is not known. */
static int member_exit(json_t *object, const char *key, int64_t n)
{
	return json_object_set_new(object, key, n == -1 ? json_null() : json_integer(n));
}

static int member_hit(json_t *object, const char *key, enum hit h)
{
	return json_object_set_new(object, key,
				   h == HIT_UNKNOWN ? json_null() : json_boolean(h == HIT_YES));
}

static int set_job(json_t *object, const struct kb_job *j)
{
	return member_text(object, "id", j->advice_id) |
	       member_text(object, "slurm_id", j->slurm_id) |
	       member_text(object, "cluster", j->ran_on ? j->ran_on : j->cluster) |
	       member_text(object, "name", j->name) | member_text(object, "folder", j->folder) |
	       member_text(object, "state", j->state) |
	       member_text(object, "slurm_state", j->words) |
	       member_bool(object, "settled", j->settled) |
	       member_point(object, "submitted_at", j->submitted_s) |
	       member_point(object, "asked_at", j->asked_s) |
	       member_point(object, "queued_at", j->queued_s) |
	       member_point(object, "started_at", j->started_s) |
	       member_point(object, "ended_at", j->ended_s) |
	       member_count(object, "nodes", j->nodes) |
	       member_real(object, "limit_s", j->limit_s) |
	       member_real(object, "elapsed_s", j->elapsed_s) |
	       member_real(object, "command_s", j->command_s) |
	       member_exit(object, "exit_status", j->exit_status) |
	       member_exit(object, "exit_signal", j->exit_signal);
}

static json_t *report_json(const struct job_report *r)
{
	json_t *report = json_object();

	return out_json_unless(set_job(report, &r->job) |
				       member_real(report, "predicted_s", r->forecast.predicted_s) |
				       member_real(report, "lo_s", r->forecast.lo_s) |
				       member_real(report, "hi_s", r->forecast.hi_s) |
				       member_real(report, "confidence", r->forecast.confidence) |
				       member_real(report, "deadline_s", r->forecast.deadline_s) |
				       member_real(report, "p_meet", r->forecast.p_meet) |
				       member_real(report, "wall_s", r->job.wall_s) |
				       member_text(report, "timed_by", r->job.timed_by) |
				       member_count(report, "run_id", r->run_id) |
				       member_hit(report, "in_time", r->outcome.in_time) |
				       member_hit(report, "inside", r->outcome.inside) |
				       member_text(report, "note", r->job.note),
			       report);
}

struct json_t *job_reports_json(const struct job_reports *r)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed |= json_array_append_new(list, report_json(&r->item[i]));
	return out_json_unless(failed, list);
}
