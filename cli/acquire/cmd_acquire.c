#include <string.h>

#include "cli/acquire/acquire_actions.h"
#include "cli/frame/cmd.h"

static const struct option_spec opt_now = {
	.name = "now",
	.help = "end the running command, too; its run is planned again",
	.actions = "stop",
};

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
		else if ((printed = campaign_print_report(c, &report, rc ? NULL : e)) && !rc)
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
		rc = campaign_print_report(c, &report, e);
	campaign_report_release(&report);
	return rc;
}

/* ---- the command ---- */

static const struct option_spec *const acquire_options[] = {&opt_now, &opt_format, NULL};

static const struct action acquire_actions[] = {
	{"status", "[NAME]", "the campaigns, or the runs of one (the default)", 0, 1, NEEDS_KB_READ,
	 acquire_status_run},
	{"plan", "FILE", "the runs of a plan and what they cost; nothing is run or stored", 1, 1,
	 NEEDS_KB_READ, acquire_plan_run},
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
		"A plan (lemnos-campaign(5)) says which configurations of an application to run on "
		"a machine,\n"
		"how often, how they are started and where their time is found. Runs are made in a "
		"random order,\n"
		"repeats apart from each other; what they tell is imported as each ends. A run that "
		"takes too\n"
		"long is stopped and kept as one that takes longer; one that fails is kept with its "
		"last lines.\n"
		"\n"
		"A campaign may be stopped, interrupted or killed at any moment: what ended is "
		"there, once, and\n"
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
