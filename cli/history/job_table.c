#include "cli/history/history.h"

#include <math.h>
#include <string.h>

#include "base/wall_clock.h"
#include "cli/answer/answer_text.h"

/* ---- the table ---- */

static const struct out_column exact_jobs[] = {
	{"id", NULL, OUT_TEXT},		  {"slurm_id", NULL, OUT_TEXT},
	{"cluster", NULL, OUT_TEXT},	  {"name", NULL, OUT_TEXT},
	{"folder", NULL, OUT_TEXT},	  {"state", NULL, OUT_TEXT},
	{"slurm_state", NULL, OUT_TEXT},  {"settled", NULL, OUT_BOOL},
	{"submitted_at", NULL, OUT_TEXT}, {"asked_at", NULL, OUT_TEXT},
	{"queued_at", NULL, OUT_TEXT},	  {"started_at", NULL, OUT_TEXT},
	{"ended_at", NULL, OUT_TEXT},	  {"nodes", NULL, OUT_INT},
	{"limit_s", NULL, OUT_SECONDS},	  {"elapsed_s", NULL, OUT_SECONDS},
	{"command_s", NULL, OUT_SECONDS}, {"exit_status", NULL, OUT_INT},
	{"exit_signal", NULL, OUT_INT},	  {"predicted_s", NULL, OUT_SECONDS},
	{"lo_s", NULL, OUT_SECONDS},	  {"hi_s", NULL, OUT_SECONDS},
	{"confidence", NULL, OUT_REAL},	  {"deadline_s", NULL, OUT_SECONDS},
	{"p_meet", NULL, OUT_REAL},	  {"wall_s", NULL, OUT_SECONDS},
	{"timed_by", NULL, OUT_TEXT},	  {"run_id", NULL, OUT_INT},
	{"in_time", NULL, OUT_BOOL},	  {"inside", NULL, OUT_BOOL},
	{"note", NULL, OUT_TEXT},
};
static const struct out_column people_jobs[] = {
	{"id", NULL, OUT_TEXT},
	{"slurm_id", "job", OUT_TEXT},
	{"state", NULL, OUT_TEXT},
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"deadline_s", "deadline", OUT_SECONDS},
	{"wall_s", "took", OUT_TEXT},
	{"timed_by", "timed by", OUT_TEXT},
	{"in_time", "in time", OUT_TEXT},
	{"inside", "in interval", OUT_TEXT},
	{"note", NULL, OUT_TEXT},
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Digits of an id that people see. */
enum { SHORT_ID = 8 };

static void put_point(struct out_table *t, int64_t at_s)
{
	char text[WALL_CLOCK_SIZE];

	if (at_s > 0 && wall_clock_put_utc(at_s, text))
		out_text(t, text);
	else
		out_null(t);
}

/* none stands for: not known. */
static void put_count(struct out_table *t, int64_t n, int64_t none)
{
	if (n == none)
		out_null(t);
	else
		out_int(t, n);
}

void put_hit(struct out_table *t, enum hit h)
{
	if (h == HIT_UNKNOWN)
		out_null(t);
	else
		out_bool(t, h == HIT_YES);
}

static const char *hit_word(enum hit k)
{
	return k == HIT_UNKNOWN ? NULL : k == HIT_YES ? "yes" : "no";
}

static bool was_cut(const struct job_report *r)
{
	return r->outcome.n_runs > 0 && strcmp(r->job.state, "timeout") == 0;
}

static void put_exact(struct out_table *t, const struct job_report *r)
{
	const struct kb_job *j = &r->job;

	out_text(t, j->advice_id);
	out_text(t, j->slurm_id);
	out_text(t, j->ran_on ? j->ran_on : j->cluster);
	out_text(t, j->name);
	out_text(t, j->folder);
	out_text(t, j->state);
	out_text(t, j->words);
	out_bool(t, j->settled);
	put_point(t, j->submitted_s);
	put_point(t, j->asked_s);
	put_point(t, j->queued_s);
	put_point(t, j->started_s);
	put_point(t, j->ended_s);
	put_count(t, j->nodes, 0);
	out_real(t, j->limit_s);
	out_real(t, j->elapsed_s);
	out_real(t, j->command_s);
	put_count(t, j->exit_status, -1);
	put_count(t, j->exit_signal, -1);
	out_real(t, r->forecast.predicted_s);
	out_real(t, r->forecast.lo_s);
	out_real(t, r->forecast.hi_s);
	out_real(t, r->forecast.confidence);
	out_real(t, r->forecast.deadline_s);
	out_real(t, r->forecast.p_meet);
	out_real(t, j->wall_s);
	out_text(t, j->timed_by);
	put_count(t, r->run_id, 0);
	put_hit(t, r->outcome.in_time);
	put_hit(t, r->outcome.inside);
	out_text(t, j->note);
}

static void put_for_people(struct out_table *t, const struct job_report *r)
{
	const struct kb_job *j = &r->job;
	struct strbuf took = STRBUF_INIT;
	char id[SHORT_ID + 1];

	if (!isnan(j->wall_s)) {
		strbuf_puts(&took, was_cut(r) ? "over " : "");
		answer_put_duration(&took, j->wall_s);
	}
	snprintf(id, sizeof id, "%s", j->advice_id);
	out_text(t, id);
	out_text(t, j->slurm_id ? j->slurm_id : j->name);
	out_text(t, j->state);
	out_real(t, r->forecast.predicted_s);
	out_real(t, r->forecast.lo_s);
	out_real(t, r->forecast.hi_s);
	out_real(t, r->forecast.deadline_s);
	out_text(t, took.len > 0 ? strbuf_text(&took) : NULL);
	out_text(t, j->timed_by);
	out_text(t, hit_word(r->outcome.in_time));
	out_text(t, hit_word(r->outcome.inside));
	out_text(t, j->note);
	strbuf_release(&took);
}

static struct out_table *table_of(const struct job_reports *r, bool for_people)
{
	struct out_table *t = for_people ? out_table_new(people_jobs, COUNT(people_jobs))
					 : out_table_new(exact_jobs, COUNT(exact_jobs));

	for (size_t i = 0; t && i < r->n; i++) {
		if (for_people)
			put_for_people(t, &r->item[i]);
		else
			put_exact(t, &r->item[i]);
	}
	return t;
}

/* ---- as lines ---- */

void jobs_put_text(struct strbuf *s, const struct job_reports *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct kb_job *j = &r->item[i].job;

		strbuf_puts(s, "submitted as job ");
		text_put_safe(s, j->slurm_id ? j->slurm_id : j->name, false);
		strbuf_puts(s, ": ");
		text_put_safe(s, j->state, false);
		if (!isnan(j->wall_s)) {
			strbuf_puts(s, was_cut(&r->item[i]) ? ", over " : ", ");
			answer_put_duration(s, j->wall_s);
			strbuf_printf(s, " by the time of the %s", j->timed_by ? j->timed_by : "?");
		}
		if (j->note) {
			strbuf_puts(s, "; ");
			text_put_safe(s, j->note, false);
		}
		strbuf_puts(s, j->settled ? "\n" : " (lemnos advice sync asks again)\n");
	}
}

/* ---- advice sync ---- */

/* What people would otherwise miss. */
static void say_rest(const struct context *c, const struct job_reports *r)
{
	size_t n_runs = 0, n_gone = 0;

	if (*r->why)
		context_warn(c, "warning: not all of Slurm answered: %s", r->why);
	for (size_t i = 0; i < r->n; i++) {
		const struct kb_job *j = &r->item[i].job;

		n_runs += r->item[i].asked && j->import_sha256;
		n_gone += r->item[i].asked && strcmp(j->state, "gone") == 0 && !j->import_sha256;
	}
	if (n_gone > 0)
		context_warn(c,
			     "warning: %zu job%s not known to Slurm (any more): what became of %s "
			     "is not known",
			     n_gone, n_gone == 1 ? " is" : "s are", n_gone == 1 ? "it" : "them");
	if (r->n == 0)
		context_note(c,
			     "no job waits for its outcome; lemnos recommend --submit submits one");
	if (n_runs > 0)
		context_note(c, "%zu run%s imported; next: lemnos mine", n_runs,
			     n_runs == 1 ? "" : "s");
}

enum err_code job_sync_run(struct context *c, struct err *e)
{
	struct job_reports r = {0};
	struct out_table *t;
	enum err_code rc;

	if (options_has(&c->opt, &opt_app) || options_has(&c->opt, &opt_machine))
		return err_set(e, ERR_USAGE,
			       "sync takes ids of recommendations, no --app and no --machine");
	rc = job_sync(&c->session, c->operand, c->n_operands, &r, e);
	progress_bar_clear(&c->bar);
	if (rc)
		return rc;
	t = table_of(&r, c->format == FORMAT_TABLE);
	rc = t ? out_table_print_folded(t, c->format, "jobs", c->out, e)
	       : err_set(e, ERR_NOMEM, "%zu jobs", r.n);
	if (!rc)
		say_rest(c, &r);
	out_table_free(t);
	job_reports_release(&r);
	return rc;
}
