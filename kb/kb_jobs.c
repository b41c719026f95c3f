#include "kb/kb_jobs.h"

#include <stdlib.h>

#include "base/wall_clock.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* "2026-11-22T07:30:00Z"; NULL: 0, not known. */
static const char *utc_text(int64_t at_s, char text[WALL_CLOCK_SIZE])
{
	return at_s > 0 ? wall_clock_put_utc(at_s, text) : NULL;
}

static const char put_job[] =
	"INSERT INTO advice_job (job_name, advice_id, submitted_at, folder, limit_s, slurm_id, "
	"cluster, state, words, asked_at, ran_on, queued_at, started_at, ended_at, elapsed_s, "
	"command_s, nodes, exit_status, exit_signal, wall_s, timed_by, import_sha256, settled, "
	"note) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
	"nullif(?17, 0), nullif(?18, -1), nullif(?19, -1), ?20, ?21, ?22, ?23, ?24) "
	"ON CONFLICT (job_name) DO UPDATE SET slurm_id = excluded.slurm_id, "
	"cluster = excluded.cluster, state = excluded.state, words = excluded.words, "
	"asked_at = excluded.asked_at, ran_on = excluded.ran_on, queued_at = excluded.queued_at, "
	"started_at = excluded.started_at, ended_at = excluded.ended_at, "
	"elapsed_s = excluded.elapsed_s, command_s = excluded.command_s, nodes = excluded.nodes, "
	"exit_status = excluded.exit_status, exit_signal = excluded.exit_signal, "
	"wall_s = excluded.wall_s, timed_by = excluded.timed_by, "
	"import_sha256 = excluded.import_sha256, settled = excluded.settled, "
	"note = excluded.note";

enum err_code kb_put_job(struct kb *kb, const struct kb_job *j, struct err *e)
{
	char submitted[WALL_CLOCK_SIZE], asked[WALL_CLOCK_SIZE], queued[WALL_CLOCK_SIZE];
	char started[WALL_CLOCK_SIZE], ended[WALL_CLOCK_SIZE];
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_run(kb, e, put_job, "ttttrtttttttttrriiirttbt", j->name, j->advice_id,
			utc_text(j->submitted_s, submitted), j->folder, j->limit_s, j->slurm_id,
			j->cluster, j->state, j->words, utc_text(j->asked_s, asked), j->ran_on,
			utc_text(j->queued_s, queued), utc_text(j->started_s, started),
			utc_text(j->ended_s, ended), j->elapsed_s, j->command_s, j->nodes,
			j->exit_status, j->exit_signal, j->wall_s, j->timed_by, j->import_sha256,
			(int)j->settled, j->note);
	return kb_own_end(kb, own, rc, e);
}

enum err_code kb_delete_job(struct kb *kb, const char *name, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_run(kb, e, "DELETE FROM advice_job WHERE job_name = ?1", "t", name);
	return kb_own_end(kb, own, rc, e);
}

/* ---- reading ---- */

static enum err_code job_from_row(sqlite3_stmt *s, struct kb_job *j, struct err *e)
{
	enum err_code rc;

	j->limit_s = kb_sql_real(s, 3);
	j->submitted_s = sqlite3_column_int64(s, 9);
	j->asked_s = sqlite3_column_int64(s, 10);
	j->queued_s = sqlite3_column_int64(s, 11);
	j->started_s = sqlite3_column_int64(s, 12);
	j->ended_s = sqlite3_column_int64(s, 13);
	j->elapsed_s = kb_sql_real(s, 14);
	j->command_s = kb_sql_real(s, 15);
	j->nodes = sqlite3_column_int64(s, 16);
	j->exit_status = sqlite3_column_int64(s, 17);
	j->exit_signal = sqlite3_column_int64(s, 18);
	j->wall_s = kb_sql_real(s, 19);
	j->settled = sqlite3_column_int64(s, 22) != 0;
	if ((rc = kb_sql_dup(s, 0, &j->name, e)) || (rc = kb_sql_dup(s, 1, &j->advice_id, e)) ||
	    (rc = kb_sql_dup(s, 2, &j->folder, e)) ||
	    (rc = kb_sql_dup_or_null(s, 4, &j->slurm_id, e)) ||
	    (rc = kb_sql_dup_or_null(s, 5, &j->cluster, e)) ||
	    (rc = kb_sql_dup(s, 6, &j->state, e)) ||
	    (rc = kb_sql_dup_or_null(s, 7, &j->words, e)) ||
	    (rc = kb_sql_dup_or_null(s, 8, &j->ran_on, e)) ||
	    (rc = kb_sql_dup_or_null(s, 20, &j->timed_by, e)) ||
	    (rc = kb_sql_dup_or_null(s, 21, &j->import_sha256, e)))
		return rc;
	return kb_sql_dup_or_null(s, 23, &j->note, e);
}

static enum err_code append_job(struct kb_jobs *jobs, sqlite3_stmt *s, struct err *e)
{
	struct kb_job *grown = realloc(jobs->item, (jobs->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu jobs", jobs->n + 1);
	jobs->item = grown;
	grown[jobs->n] = (struct kb_job){0};
	return job_from_row(s, &grown[jobs->n++], e);
}

enum err_code kb_list_jobs(struct kb *kb, const char *advice_id, bool unsettled,
			   struct kb_jobs *out, struct err *e)
{
	struct kb_jobs jobs = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT job_name, advice_id, folder, limit_s, slurm_id, cluster, state, words, "
		"ran_on, strftime('%s', submitted_at), strftime('%s', asked_at), "
		"strftime('%s', queued_at), strftime('%s', started_at), strftime('%s', ended_at), "
		"elapsed_s, command_s, nodes, ifnull(exit_status, -1), ifnull(exit_signal, -1), "
		"wall_s, timed_by, import_sha256, settled, note FROM advice_job "
		"WHERE (?1 IS NULL OR advice_id = ?1) AND (NOT ?2 OR settled = 0) "
		"ORDER BY submitted_at, CAST(slurm_id AS INTEGER), job_name",
		"tb", advice_id, (int)unsettled);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append_job(&jobs, s, e);
	sqlite3_finalize(s);
	if (rc)
		kb_jobs_release(&jobs);
	else
		*out = jobs;
	return rc;
}

enum err_code kb_job_run(struct kb *kb, const struct kb_job *job, const struct application *a,
			 int64_t *run_id, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	*run_id = 0;
	if (!job->import_sha256)
		return ERR_OK;
	strbuf_puts(&sql, "SELECT run_id FROM import AS i JOIN ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " AS r USING (import_id) WHERE i.sha256 = ?1 LIMIT 1");
	rc = sql.failed
		     ? err_set(e, ERR_NOMEM, "search for the run of a job")
		     : kb_sql_get_int64(kb, run_id, e, strbuf_text(&sql), "t", job->import_sha256);
	strbuf_release(&sql);
	return rc;
}

enum err_code kb_job_set(char **text, const char *to, struct err *e)
{
	char *copy = NULL;
	enum err_code rc = kb_dup(to, &copy, e);

	if (rc)
		return rc;
	free(*text);
	*text = copy;
	return ERR_OK;
}

void kb_job_release(struct kb_job *j)
{
	free(j->name);
	free(j->advice_id);
	free(j->folder);
	free(j->slurm_id);
	free(j->cluster);
	free(j->state);
	free(j->words);
	free(j->ran_on);
	free(j->timed_by);
	free(j->import_sha256);
	free(j->note);
	*j = (struct kb_job){0};
}

void kb_jobs_release(struct kb_jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		kb_job_release(&jobs->item[i]);
	free(jobs->item);
	*jobs = (struct kb_jobs){0};
}
