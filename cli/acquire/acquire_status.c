#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/acquire/acquire_actions.h"

/* ---- all campaigns ---- */

static const struct out_column list_columns[] = {
	{"campaign", NULL, OUT_TEXT},
	{"application", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"state", NULL, OUT_TEXT},
	{"runs", NULL, OUT_INT},
	{"planned", NULL, OUT_INT},
	{"running", NULL, OUT_INT},
	{"done", NULL, OUT_INT},
	{"failed", NULL, OUT_INT},
	{"timed_out", "timed out", OUT_INT},
	{"refused", NULL, OUT_INT},
	{"node_hours", "node-hours", OUT_REAL},
	{"loss_first", "expected loss", OUT_PERCENT},
	{"loss_last", "now", OUT_PERCENT},
	{"why", "stopped because", OUT_TEXT},
};
#define N_LIST (sizeof list_columns / sizeof list_columns[0])

static void put_campaign(struct out_table *t, const struct campaign_report *r)
{
	out_text(t, r->record.name);
	out_text(t, r->record.application);
	out_text(t, r->record.machine);
	out_text(t, r->state);
	out_int(t, (int64_t)r->count.n);
	/* the columns have the order of the states */
	for (size_t s = 0; s < CAMPAIGN_RUN_STATES; s++)
		out_int(t, (int64_t)r->count.of[s]);
	out_real(t, r->count.node_hours);
	out_real(t, r->count.loss_first);
	out_real(t, r->count.loss_last);
	out_text(t, r->record.why);
}

static enum err_code list_all(struct context *c, struct err *e)
{
	struct campaign_reports all = {0};
	struct out_table *t = NULL;
	enum err_code rc = campaign_reports_read(&c->session, &all, e);

	if (!rc && !(t = out_table_new(list_columns, N_LIST)))
		rc = err_set(e, ERR_NOMEM, "the list of campaigns");
	for (size_t i = 0; i < all.n && !rc; i++)
		put_campaign(t, &all.item[i]);
	if (!rc)
		rc = out_table_print(t, c->format, "campaigns", c->out, e);
	if (!rc && all.n == 0)
		context_note(c, "there is no campaign yet; begin one with lemnos acquire run FILE");
	out_table_free(t);
	campaign_reports_release(&all);
	return rc;
}

/* ---- one of them ---- */

static const struct out_column run_columns[] = {
	{"run", NULL, OUT_INT},
	{"batch", NULL, OUT_INT},
	{"repeat", NULL, OUT_INT},
	{"configuration", NULL, OUT_TEXT},
	{"state", NULL, OUT_TEXT},
	{"attempts", NULL, OUT_INT},
	{"predicted_s", "predicted", OUT_SECONDS},
	{"limit_s", "limit", OUT_SECONDS},
	{"wall_s", "time", OUT_SECONDS},
	{"elapsed_s", "elapsed", OUT_SECONDS},
	{"started_at", "started", OUT_TEXT},
	{"ended_at", "ended", OUT_TEXT},
	{"job", NULL, OUT_TEXT},
	{"import_id", "import", OUT_INT},
	{"run_id", "stored as", OUT_INT},
	{"undone", NULL, OUT_BOOL},
	{"message", NULL, OUT_TEXT},
};
/* What people see; csv and json have all. */
static const size_t for_people[] = {0, 2, 3, 4, 6, 8, 14, 16};

/* The first line: how it ended. */
static char *first_line(const char *message)
{
	return message ? strndup(message, strcspn(message, "\n")) : NULL;
}

static void put_whole_run(struct out_table *t, const struct kb_campaign_run *r)
{
	out_int(t, r->position);
	out_int(t, r->batch);
	out_int(t, r->repeat);
	out_text(t, r->configuration);
	out_text(t, campaign_run_state_name(r->state));
	out_int(t, r->attempt);
	out_real(t, r->predicted_s);
	out_real(t, r->limit_s);
	out_real(t, r->wall_s);
	out_real(t, r->elapsed_s);
	out_text(t, r->started_at);
	out_text(t, r->ended_at);
	out_text(t, r->job);
	if (r->import_id)
		out_int(t, r->import_id);
	else
		out_null(t);
	if (r->run_id)
		out_int(t, r->run_id);
	else
		out_null(t);
	out_bool(t, r->undone);
	out_text(t, r->message);
}

static void put_short_run(struct out_table *t, const struct kb_campaign_run *r)
{
	char *line = first_line(r->undone ? "its import was undone" : r->message);

	out_int(t, r->position);
	out_int(t, r->repeat);
	out_text(t, r->configuration);
	out_text(t, campaign_run_state_name(r->state));
	out_real(t, r->predicted_s);
	out_real(t, r->wall_s);
	if (r->run_id)
		out_int(t, r->run_id);
	else
		out_null(t);
	out_text(t, line);
	free(line);
}

static struct out_table *make_runs(const struct campaign_report *r, bool people)
{
	enum { N_PEOPLE = sizeof for_people / sizeof for_people[0] };
	struct out_column some[N_PEOPLE];
	struct out_table *t;

	for (size_t i = 0; i < N_PEOPLE; i++)
		some[i] = run_columns[for_people[i]];
	t = people ? out_table_new(some, N_PEOPLE)
		   : out_table_new(run_columns, sizeof run_columns / sizeof run_columns[0]);
	for (size_t i = 0; i < r->runs.n && t; i++)
		(people ? put_short_run : put_whole_run)(t, &r->runs.item[i]);
	return t;
}

static enum err_code print_json(const struct context *c, const struct campaign_report *r,
				const struct out_table *runs, struct err *e)
{
	struct out_table *t = out_table_new(list_columns, N_LIST);
	json_t *answer = out_json_answer(), *rows = NULL;
	enum err_code rc;

	if (t) {
		put_campaign(t, r);
		rows = out_table_json(t);
	}
	if (!rows ||
	    json_object_set(answer, "campaign", json_array_get(rows, 0)) |
		    json_object_set_new(answer, "runner",
					r->runner ? json_integer(r->runner) : json_null()) |
		    json_object_set_new(answer, "plan", out_json_string(r->record.plan)) |
		    json_object_set_new(answer, "runs", out_table_json(runs)))
		rc = err_set(e, ERR_NOMEM, "a campaign as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(rows);
	json_decref(answer);
	out_table_free(t);
	return rc;
}

static void print_head(const struct context *c, const struct campaign_report *r)
{
	campaign_print_end(c, r);
	if (r->runner)
		context_print(c, "process %lld runs it\n", (long long)r->runner);
	fputc('\n', c->out);
}

enum err_code campaign_print_report(const struct context *c, const struct campaign_report *r,
				    struct err *e)
{
	struct out_table *t = make_runs(r, c->format == FORMAT_TABLE);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the runs of a campaign");
	if (c->format == FORMAT_TABLE)
		print_head(c, r);
	rc = c->format == FORMAT_JSON ? print_json(c, r, t, e)
				      : out_table_print(t, c->format, "runs", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code show_one(struct context *c, struct err *e)
{
	struct campaign_report r = {0};
	enum err_code rc = campaign_report_read(&c->session, c->operand[0], &r, e);

	if (rc)
		return rc;
	if (r.unclear.code)
		context_warn(c, "its plan means nothing to this base now: %s", r.unclear.msg);
	rc = campaign_print_report(c, &r, e);
	campaign_report_release(&r);
	return rc;
}

enum err_code acquire_status_run(struct context *c, struct err *e)
{
	return c->n_operands ? show_one(c, e) : list_all(c, e);
}
