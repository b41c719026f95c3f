#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/campaign_json.h"
#include "api/campaigns.h"
#include "base/text_form.h"
#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/fold.h"
#include "domain/configuration.h"

/* ---- plan: the runs ---- */

static const struct out_column before[] = {{"run", NULL, OUT_INT}, {"repeat", NULL, OUT_INT}};
static const struct out_column after[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"quantile_s", "quantile", OUT_SECONDS},
	{"limit_s", "limit", OUT_SECONDS},
	{"node_hours", "node-hours", OUT_REAL},
};
enum { N_BEFORE = sizeof before / sizeof before[0], N_AFTER = sizeof after / sizeof after[0] };

/* Text columns of the application are words, whole ones integers. */
static enum out_kind kind_of(const struct column *column)
{
	return column->type == COL_TEXT ? OUT_TEXT : column->type == COL_INT ? OUT_INT : OUT_REAL;
}

static struct out_table *make_table(const struct campaign_space *s)
{
	struct out_column *columns = NULL;
	struct out_table *t;
	size_t n = 0;

	for (size_t i = 0; i < s->axes.n; i++)
		n += s->axes.axis[i].n_columns;
	columns = calloc(N_BEFORE + n + N_AFTER, sizeof *columns);
	if (!columns)
		return NULL;
	n = 0;
	for (size_t i = 0; i < N_BEFORE; i++)
		columns[n++] = before[i];
	for (size_t i = 0; i < s->axes.n; i++) {
		for (size_t k = 0; k < s->axes.axis[i].n_columns; k++) {
			const struct column *c = &s->app->column[s->axes.axis[i].column[k]];

			columns[n++] = (struct out_column){c->name, NULL, kind_of(c)};
		}
	}
	for (size_t i = 0; i < N_AFTER; i++)
		columns[n++] = after[i];
	t = out_table_new(columns, n);
	free(columns);
	return t;
}

static void put_value(struct out_table *t, const struct application *a, size_t i, double value)
{
	struct strbuf text = STRBUF_INIT;

	if (a->column[i].type == COL_INT) {
		out_int(t, (int64_t)value);
	} else if (a->column[i].type == COL_REAL) {
		out_real(t, value);
	} else {
		configuration_put_value(a, i, value, &text);
		out_text(t, strbuf_text(&text));
	}
	strbuf_release(&text);
}

static void put_run(struct out_table *t, const struct campaign_preview *p, size_t i)
{
	const struct campaign_space *s = &p->target.space;
	const double *row = p->choice.row + i * s->app->n_columns;
	const struct kb_campaign_run *r = &p->choice.run[i];

	out_int(t, (int64_t)i + 1);
	out_int(t, r->repeat);
	for (size_t f = 0; f < s->axes.n; f++) {
		for (size_t k = 0; k < s->axes.axis[f].n_columns; k++)
			put_value(t, s->app, s->axes.axis[f].column[k],
				  row[s->axes.axis[f].column[k]]);
	}
	out_real(t, r->predicted_s);
	out_real(t, r->quantile_s);
	out_real(t, r->limit_s);
	out_real(t, campaign_run_node_hours(&p->target, r, row));
}

/* ---- plan: what they cost ---- */

static void print_costs(const struct context *c, const struct campaign_preview *p)
{
	const struct plan_cost *k = &p->cost;
	char text[3][32];

	if (k->n_unpredicted < p->choice.n)
		context_print(c,
			      "predicted: %s and %.3g node-hours; with probability %g no more than "
			      "%s and %.3g node-hours\n",
			      duration_format(k->predicted_s, text[0], sizeof text[0]),
			      k->predicted_node_hours, p->target.plan->timeout.quantile,
			      duration_format(k->quantile_s, text[1], sizeof text[1]),
			      k->quantile_node_hours);
	if (k->n_unpredicted > 0)
		context_print(c, "not predicted: %zu of %zu runs, as too little was measured yet\n",
			      k->n_unpredicted, p->choice.n);
	duration_format(k->limit_s, text[2], sizeof text[2]);
	if (isnan(k->limit_node_hours))
		context_print(c,
			      "stopped at their limits, all simulations take no more than %s "
			      "here\n",
			      text[2]);
	else
		context_print(c,
			      "stopped at their limits, all runs take no more than %s and %.3g "
			      "node-hours\n",
			      text[2], k->limit_node_hours);
}

/* Of an adaptive design. */
static void print_what_follows(const struct context *c, const struct campaign_plan *plan)
{
	context_print(c, "that is how it begins; what follows depends on what they tell, ");
	if (plan->design.size > 0)
		context_print(c, "up to %" PRId64 " configurations in all\n", plan->design.size);
	else
		context_print(c, "until the budget is used up\n");
}

static void print_text(const struct context *c, const struct campaign_preview *p)
{
	const struct campaign_plan *plan = p->target.plan;

	context_print(c, "campaign %s: %zu runs of %zu configurations of %s on %s (%s)\n",
		      plan->name, p->choice.n, p->choice.n_configurations, p->target.app->name,
		      p->target.machine->name, plan_design_name((int)plan->design.kind));
	if (p->choice.n_legal > 0)
		context_print(c,
			      "configurations that may be run: %zu of %zu combinations of levels\n",
			      p->choice.n_legal, p->choice.n_combinations);
	if (p->choice.more)
		print_what_follows(c, plan);
	if (p->choice.n_over_budget > 0)
		context_print(c, "left out, as over the budget of runs: %zu runs\n",
			      p->choice.n_over_budget);
	if (p->choice.n > 0)
		print_costs(c, p);
	else
		context_print(
			c, "the base has runs of all configurations: nothing is left to learn\n");
	fputc('\n', c->out);
}

static enum err_code print_preview_json(const struct context *c, const struct campaign_preview *p,
					struct err *e)
{
	struct json_t *answer = campaign_preview_json(p);

	return out_answer(!answer, answer, "the plan as JSON", c->out, e);
}

static enum err_code plan_run(struct context *c, struct err *e)
{
	struct campaign_preview p = {0};
	struct out_table *t = NULL;
	enum err_code rc = campaign_preview(&c->session, c->operand[0], &p, e);

	progress_bar_clear(&c->bar);
	if (rc)
		return rc;
	t = make_table(&p.target.space);
	if (!t)
		rc = err_set(e, ERR_NOMEM, "the runs of a campaign");
	for (size_t i = 0; i < p.choice.n && !rc; i++)
		put_run(t, &p, i);
	if (!rc && p.target.machine_id == 0)
		context_note(c, "machine %s is not in the knowledge base yet",
			     p.target.machine->name);
	if (!rc && c->format == FORMAT_TABLE)
		print_text(c, &p);
	if (!rc)
		rc = c->format == FORMAT_JSON ? print_preview_json(c, &p, e)
					      : out_table_print(t, c->format, "runs", c->out, e);
	out_table_free(t);
	campaign_preview_release(&p);
	return rc;
}

/* ---- a line of each run, in a pipe or a file ---- */

/* The lines that tell of a campaign while it runs, and of what became of it. */
struct campaign_watcher {
	struct context *c;
	bool drawn; /* a status line stands on the terminal */
};

static void campaign_watcher_clear(struct campaign_watcher *w)
{
	progress_bar_clear(&w->c->bar);
	if (w->drawn)
		fputs("\r\033[K", w->c->log);
	w->drawn = false;
}

enum { LAST_LINE_MAX = 60 };

/* "exit status 3; stderr: out of memory": how a run ended, and if it failed the last line that it
 * printed. */
static void put_message(const struct kb_campaign_run *r, struct strbuf *out)
{
	const char *message = r->undone ? "its import was undone" : r->message ? r->message : "";
	const char *last = r->state == CAMPAIGN_RUN_FAILED ? strrchr(message, '\n') : NULL;
	char text[LAST_LINE_MAX + 1];

	strbuf_add(out, message, strcspn(message, "\n"));
	if (!last || !last[1])
		return;
	snprintf(text, sizeof text, "%s", last + 1);
	strbuf_puts(out, "; ");
	text_put_safe(out, text, false);
}

static void put_time(const struct kb_campaign_run *r, struct strbuf *line)
{
	char text[32];

	if (r->state == CAMPAIGN_RUN_DONE) {
		strbuf_printf(line, "%s", duration_format(r->wall_s, text, sizeof text));
	} else {
		strbuf_printf(line, "%s: ", campaign_run_state_name(r->state));
		put_message(r, line);
	}
}

static void ended(void *arg, const struct campaign_count *count, const struct kb_campaign_run *r)
{
	struct campaign_watcher *w = arg;
	struct strbuf line = STRBUF_INIT;

	campaign_watcher_clear(w);
	/* On a terminal good runs are the status line's; what went wrong stays to be read. Programs
	 * get all runs in the end. */
	if (w->c->format != FORMAT_TABLE || (w->c->bar.draw && r->state == CAMPAIGN_RUN_DONE))
		return;
	strbuf_printf(&line, "run %lld of %zu: %s: ", (long long)r->position, count->n,
		      r->configuration);
	put_time(r, &line);
	context_print(w->c, "%s\n", strbuf_text(&line));
	fflush(w->c->out);
	strbuf_release(&line);
}

/* ---- the status line ---- */

static void put_loss(const struct campaign_count *k, struct strbuf *out)
{
	if (isnan(k->loss_last))
		return;
	strbuf_printf(out, ", expected loss %.3g %%", 100 * k->loss_last);
	if (k->loss_first != k->loss_last)
		strbuf_printf(out, " (was %.3g %%)", 100 * k->loss_first);
}

/* "12 of 24 done, 1 failed, 1 timed-out" */
static void put_states(const struct campaign_count *k, struct strbuf *out)
{
	strbuf_printf(out, "%zu of %zu done", k->of[CAMPAIGN_RUN_DONE], k->n);
	for (int s = CAMPAIGN_RUN_PLANNED; s < CAMPAIGN_RUN_STATES; s++) {
		if (s != CAMPAIGN_RUN_DONE && k->of[s] > 0)
			strbuf_printf(out, ", %zu %s", k->of[s],
				      campaign_run_state_name((enum campaign_run_state)s));
	}
}

static void tick(void *arg, const struct campaign_count *count,
		 const struct kb_campaign_run *running)
{
	struct campaign_watcher *w = arg;
	struct strbuf line = STRBUF_INIT;
	const char *text, *next;
	size_t width;

	if (!w->c->bar.draw)
		return;
	put_states(count, &line);
	strbuf_printf(&line, ", %.3g node-hours", count->node_hours);
	put_loss(count, &line);
	if (running)
		strbuf_printf(&line, ": %s", running->configuration);
	text = strbuf_text(&line);
	width = fold_width(w->c->log);
	progress_bar_clear(&w->c->bar);
	fprintf(w->c->log, "\r\033[K%.*s",
		(int)(width > 1 ? fold_line(text, width - 1, &next) : strlen(text)), text);
	fflush(w->c->log);
	w->drawn = true;
	strbuf_release(&line);
}

static struct campaign_events campaign_watcher_events(struct campaign_watcher *w)
{
	return (struct campaign_events){.ended = ended, .tick = tick, .arg = w};
}

/* ---- in the end ---- */

/* "campaign wave is done: 22 done, 1 failed, 1 timed-out of 24 runs" */
static void campaign_print_end(const struct context *c, const struct campaign_report *r)
{
	struct strbuf states = STRBUF_INIT;

	put_states(&r->count, &states);
	put_loss(&r->count, &states);
	context_print(c, "campaign %s, %s: %s\n", r->record.name, r->state, strbuf_text(&states));
	if (r->record.why)
		context_print(c, "it stopped: %s\n", r->record.why);
	strbuf_release(&states);
}

/* ---- status: all campaigns ---- */

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

/* ---- status: one of them ---- */

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
	struct strbuf line = STRBUF_INIT;

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
	put_message(r, &line);
	out_text(t, line.len > 0 ? strbuf_text(&line) : NULL);
	strbuf_release(&line);
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

static enum err_code print_report_json(const struct context *c, const struct campaign_report *r,
				       struct err *e)
{
	struct json_t *answer = campaign_report_json(r);

	return out_answer(!answer, answer, "a campaign as JSON", c->out, e);
}

static void print_head(const struct context *c, const struct campaign_report *r)
{
	campaign_print_end(c, r);
	if (r->runner)
		context_print(c, "process %lld runs it\n", (long long)r->runner);
	fputc('\n', c->out);
}

/* A campaign and its runs, in the format that was asked for. */
static enum err_code print_report(const struct context *c, const struct campaign_report *r,
				  struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_report_json(c, r, e);
	t = make_runs(r, c->format == FORMAT_TABLE);
	if (!t)
		return err_set(e, ERR_NOMEM, "the runs of a campaign");
	if (c->format == FORMAT_TABLE)
		print_head(c, r);
	rc = out_table_print(t, c->format, "runs", c->out, e);
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
	rc = print_report(c, &r, e);
	campaign_report_release(&r);
	return rc;
}

static enum err_code status_run(struct context *c, struct err *e)
{
	return c->n_operands ? show_one(c, e) : list_all(c, e);
}

static OPTION(opt_now, "now", NULL,
	      .help = "end the running command, too; its run is planned again", .actions = "stop");

/* ---- run, resume ---- */

static enum err_code execute(struct context *c, const char *plan, const char *name, struct err *e)
{
	struct campaign_watcher watcher = {.c = c};
	const struct campaign_order order = {.plan = plan,
					     .name = name,
					     .version = LEMNOS_VERSION,
					     .events = campaign_watcher_events(&watcher)};
	struct campaign_report report = {0};
	enum err_code rc = campaign_execute(&c->session, &order, &report, e), printed;

	campaign_watcher_clear(&watcher);
	if (report.record.name) {
		if (c->format == FORMAT_TABLE)
			campaign_print_end(c, &report);
		else if ((printed = print_report(c, &report, rc ? NULL : e)) && !rc)
			rc = printed;
		if (report.count.of[CAMPAIGN_RUN_PLANNED] > 0)
			context_note(c, "it goes on with: lemnos acquire resume %s",
				     report.record.name);
		else if (report.count.of[CAMPAIGN_RUN_DONE] > 0)
			context_note(c, "next: lemnos mine");
	}
	campaign_report_release(&report);
	return rc;
}

/* A name of a campaign has no / and rarely a dot: what is a file is one. */
static enum err_code run_run(struct context *c, struct err *e)
{
	const char *what = c->operand[0];
	bool is_file = campaign_plan_is_file(what);

	return execute(c, is_file ? what : NULL, is_file ? NULL : what, e);
}

static enum err_code resume_run(struct context *c, struct err *e)
{
	return execute(c, NULL, c->operand[0], e);
}

/* ---- stop ---- */

static enum err_code stop_run(struct context *c, struct err *e)
{
	bool now = options_has(&c->opt, &opt_now);
	struct campaign_report report = {0};
	int64_t runner = 0;
	enum err_code rc = campaign_stop(&c->session, c->operand[0], now, &runner, e);

	if (rc)
		return rc;
	if (runner == 0)
		context_note(c, "nobody runs campaign %s", c->operand[0]);
	else
		context_note(c, "process %lld ends %s", (long long)runner,
			     now ? "at once" : "after the present run");
	if (c->format == FORMAT_TABLE)
		return ERR_OK;
	if (!(rc = campaign_report_read(&c->session, c->operand[0], &report, e)))
		rc = print_report(c, &report, e);
	campaign_report_release(&report);
	return rc;
}

/* ---- the command ---- */

static const struct option_spec *const acquire_options[] = {&opt_now, &opt_format, NULL};

static const struct action acquire_actions[] = {
	{"status", "[NAME]", "the campaigns, or the runs of one (the default)", 0, 1, NEEDS_KB_READ,
	 status_run},
	{"plan", "FILE", "the runs of a plan and what they cost; nothing is run or stored", 1, 1,
	 NEEDS_KB_READ, plan_run},
	{"run", "FILE|NAME", "run a plan, or go on with a campaign", 1, 1, NEEDS_NOTHING, run_run},
	{"stop", "NAME [--now]", "end a running campaign after its present run", 1, 1,
	 NEEDS_KB_WRITE, stop_run},
	{"resume", "NAME", "go on where it stopped, was interrupted or killed", 1, 1, NEEDS_NOTHING,
	 resume_run},
};

const struct cmd cmd_acquire = {
	.name = "acquire",
	.summary = "measurement campaigns that run themselves",
	.description =
		"A plan (lemnos-campaign(5)) says which configurations of an application to run on a machine,\n"
		"how often, how they are started and where their time is found. Runs are made in a random order,\n"
		"repeats apart from each other; what they tell is imported as each ends. A run that takes too\n"
		"long is stopped and kept as one that takes longer; one that fails is kept with its last lines.\n"
		"\n"
		"A campaign may be stopped, interrupted or killed at any moment: what ended is there, once, and\n"
		"`resume` runs what did not.",
	.examples = "  lemnos acquire plan wavefront.plan\n"
		    "  lemnos acquire run wavefront.plan\n"
		    "  lemnos acquire status wavefront --format csv\n"
		    "  lemnos acquire stop wavefront\n"
		    "  lemnos acquire resume wavefront",
	.options = acquire_options,
	.action = acquire_actions,
	.n_actions = sizeof acquire_actions / sizeof acquire_actions[0],
};
