#include <stdlib.h>
#include <string.h>

#include "api/mine_base.h"
#include "base/strbuf.h"
#include "cli/data/fit_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/fold.h"
#include "domain/rule.h"

static const struct out_column columns[] = {
	{"app", NULL, OUT_TEXT},	 {"machine", NULL, OUT_TEXT},
	{"runs", NULL, OUT_INT},	 {"state", "knowledge", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},	 {"fitted_runs", "fitted to", OUT_INT},
	{"snapshot", NULL, OUT_TEXT},	 {"explanation", NULL, OUT_TEXT},
	{"error", NULL, OUT_TEXT},	 {"rules", NULL, OUT_INT},
	{"rules_gained", NULL, OUT_INT}, {"rules_lost", NULL, OUT_INT},
	{"rules_moved", NULL, OUT_INT},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };
enum { N_COLUMNS_FOR_PEOPLE = 6 }; /* the rest is told below the table */

/* What came of mining, pair by pair. */
struct mining_outcome {
	struct out_table *all;	  /* for machines */
	struct out_table *brief;  /* for people */
	struct strbuf paragraphs; /* explanations and reasons, for people: all of it */
	struct strbuf lines;	  /* and in short */
	struct err first_error;
	bool one_asked; /* --machine: all machines together are not what was asked about */
	size_t n_known; /* pairs about which something is known now */
};

static void put_brief(struct out_table *t, const struct kb_name *app, const struct kb_name *machine,
		      const char *state, const struct kb_fit *fit)
{
	out_text(t, app->name);
	out_text(t, machine->name);
	out_int(t, machine->n_runs);
	out_text(t, state);
	out_text(t, fit->predictor);
	if (fit->predictor)
		out_int(t, fit->n_runs);
	else
		out_null(t);
}

static void put_rules(struct out_table *t, const struct mined_rule_changes *r)
{
	if (r) {
		out_int(t, (int64_t)r->n);
		out_int(t, (int64_t)r->n_gained);
		out_int(t, (int64_t)r->n_lost);
		out_int(t, (int64_t)r->n_moved);
	} else {
		for (int i = 0; i < 4; i++)
			out_null(t);
	}
}

/* rules NULL: nothing was mined. */
static void put_outcome(struct mining_outcome *o, const struct kb_name *app,
			const struct kb_name *machine, const char *state, const struct kb_fit *fit,
			const struct mined_rule_changes *rules, const char *error)
{
	put_brief(o->brief, app, machine, state, fit);
	put_brief(o->all, app, machine, state, fit);
	out_text(o->all, fit->predictor ? fit->snapshot : NULL);
	out_text(o->all, fit->explanation);
	out_text(o->all, error);
	put_rules(o->all, rules);
	strbuf_printf(&o->paragraphs, "\n%s on ", app->name);
	text_put_safe(&o->paragraphs, machine->name, false);
	strbuf_puts(&o->paragraphs, ": ");
	text_put_safe(&o->paragraphs, error ? error : fit->explanation, false);
	strbuf_putc(&o->paragraphs, '\n');
	o->n_known += fit->predictor != NULL;
}

/* ---- what changed about the rules ---- */

/* "  gained  4ccbe22c137d  if ... then ..." */
static void put_rule(const char *what, const struct rule *r, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	rule_put_text(r, &text);
	strbuf_printf(out, "  %-7s %s  ", what, r->id);
	text_put_safe(out, strbuf_text(&text), false);
	strbuf_putc(out, '\n');
	out->failed = out->failed || text.failed;
	strbuf_release(&text);
}

static void put_change(const struct mined_rule_change *x, struct strbuf *out)
{
	if (x->before && x->after) {
		put_rule("moved", x->before, out);
		put_rule("to", x->after, out);
	} else if (x->after) {
		put_rule("gained", x->after, out);
	} else {
		put_rule("lost", x->before, out);
	}
}

/* "rules: 9 (2 gained, 1 lost, 1 moved)" and a line for each of these, safe on a terminal. */
static enum err_code tell_rules(const struct mined_step *step, struct mined_rule_changes *r,
				struct strbuf *text, struct err *e)
{
	enum err_code rc = mined_rule_changes_find(step->app, step->made, r, e);

	if (rc)
		return rc;
	strbuf_printf(text, "rules: %zu", r->n);
	if (r->n_items > 0)
		strbuf_printf(text, " (%zu gained, %zu lost, %zu moved)", r->n_gained, r->n_lost,
			      r->n_moved);
	strbuf_putc(text, '\n');
	for (size_t i = 0; i < r->n_items; i++)
		put_change(&r->item[i], text);
	return text->failed ? err_set(e, ERR_NOMEM, "what changed about %zu rules", r->n) : ERR_OK;
}

/* ---- in short ---- */

/* "  rules: 9, 2 new, 1 gone, 1 moved" */
static void put_rule_count(struct strbuf *s, const struct mine_outcome *made,
			   const struct mined_rule_changes *r)
{
	strbuf_printf(s, "rules: %zu", r->n);
	if (r->n_items > 0)
		strbuf_printf(s, ", %zu new, %zu gone, %zu moved", r->n_gained, r->n_lost,
			      r->n_moved);
	else if (r->n > 0 && !made->before.snapshot[0])
		strbuf_puts(s, ", all new");
	strbuf_putc(s, '\n');
}

/* Of a column beside the runs that tells the time (mining/training/circumstance.h). */
static void put_circumstance(struct strbuf *s, const struct kb_fit *fit)
{
	const struct kb_param *ratio = kb_fit_find(fit, "circumstance_ratio"),
			      *chance = kb_fit_find(fit, "circumstance_chance"),
			      *above = kb_fit_find(fit, "circumstance_above");

	if (!ratio || !chance)
		return;
	strbuf_puts(s, "  ");
	text_put_safe(s, ratio->meaning, false);
	strbuf_puts(s, " ");
	text_put_safe(s, ratio->unit, false);
	if (above) {
		strbuf_printf(s, ": runs lead to expect %.2f times as long as those with ",
			      ratio->value);
		text_put_safe(s, above->meaning, false);
		strbuf_printf(s, " above %g,\n  which are all of ", above->value);
		text_put_safe(s, chance->unit, false);
		strbuf_puts(s, ": promises there allow for either (a tunable, if it can be "
			       "chosen)\n");
	} else {
		strbuf_printf(s,
			      ": runs take %.2f times as long, and nobody asks for it: promises "
			      "allow for\n  either (a tunable, if it can be chosen)\n",
			      ratio->value);
	}
}

/* Runs that were not taken at their word. */
static void put_screened(struct strbuf *s, const struct kb_fit *fit,
			 const struct fit_description *d)
{
	const double n = kb_fit_value(fit, "left_out_runs");
	const double limit_s = kb_fit_value(fit, "unsaid_limit");
	const double no_time_s = kb_fit_value(fit, "no_time");
	const double repeats_differ = kb_fit_value(fit, "repeats_differ");
	const struct kb_param *change;

	if ((change = kb_fit_find(fit, "short_runs"))) {
		strbuf_puts(s, "  ");
		text_put_safe(s, change->meaning, false);
		strbuf_putc(s, '\n');
	}
	if (n > 0)
		strbuf_printf(s, "  left out: %.0f run%s that cannot be right beside the others\n",
			      n, n > 1 ? "s" : "");
	if (no_time_s > 0)
		strbuf_printf(s,
			      "  runs of %.6g s count as failed: the same in different cases, and "
			      "far beyond\n  what others let them take\n",
			      no_time_s);
	if (limit_s > 0)
		strbuf_printf(s, "  runs of %.4g s count as cut at a limit, as so many agree\n",
			      limit_s);
	if (repeats_differ > 0)
		strbuf_printf(
			s,
			"  runs of the same configuration differ by a factor of %.2g: two kinds "
			"of node,\n  two inputs, or what else no column says?\n",
			repeats_differ);
	for (size_t i = 0; (change = kb_fit_find(fit, "system_change_%zu", i)); i++)
		strbuf_printf(
			s,
			"  from %s on like runs take %.2f times as long as before: older times "
			"count as\n  what they would be now\n",
			change->meaning, change->value);
	if ((change = kb_fit_find(fit, "suspected_change")))
		strbuf_printf(s,
			      "  reruns since %s take %.2f times as long as before: promises allow "
			      "for a change\n  of the system\n",
			      change->meaning, change->value);
	put_circumstance(s, fit);
	if (d->batches.sd > 0)
		strbuf_printf(s,
			      "  one import took %.2f times as long as others in the same %zu "
			      "configurations:\n  if the system changed, keep them apart "
			      "(--machine, `lemnos runs exclude`)\n",
			      d->batches.ratio, d->batches.n_configurations);
}

/* At most four lines, and four of runs that do not go together. */
static enum err_code put_short(struct strbuf *s, const struct mined_step *step,
			       const struct mined_rule_changes *rules, struct err *e)
{
	const struct mine_outcome *made = step->made;
	struct fit_description d = {0};
	enum err_code rc = fit_description_make(&made->fit, step->app, &d, e);

	if (rc)
		return rc;
	strbuf_printf(s, "%s on ", step->app_name->name);
	text_put_safe(s, step->machine->name, false);
	strbuf_printf(s, ": %s from %lld run%s, predictor %s\n  error: ",
		      made->changed ? "mined" : "unchanged, mined", (long long)made->fit.n_runs,
		      made->fit.n_runs == 1 ? "" : "s", made->fit.predictor);
	fit_put_error(s, &d);
	strbuf_puts(s, "\n  coverage: ");
	fit_put_coverage(s, &d);
	strbuf_puts(s, "\n  ");
	put_rule_count(s, made, rules);
	put_screened(s, &made->fit, &d);
	fit_description_release(&d);
	return s->failed ? err_set(e, ERR_NOMEM, "what was mined") : ERR_OK;
}

static void put_failure(struct strbuf *s, const struct mined_step *step)
{
	strbuf_printf(s, "%s on ", step->app_name->name);
	text_put_safe(s, step->machine->name, false);
	strbuf_puts(s, step->made->fit.predictor ? ": still as mined before: " : ": not mined: ");
	text_put_safe(s, step->why, false);
	strbuf_putc(s, '\n');
}

/* ---- step by step ---- */

/* What holds on every machine, once all of them are mined. One machine alone has nothing in common
 * with others; and who asked for one of several wants to hear about all of them only if that
 * changed something. */
static enum err_code tell_together(struct mining_outcome *o, const struct mined_step *step,
				   struct err *e)
{
	struct mined_rule_changes rules = {0};
	struct strbuf told = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (step->made->rules.snapshot[0] && (step->made->changed || !o->one_asked) &&
	    !(rc = tell_rules(step, &rules, &told, e))) {
		strbuf_printf(&o->paragraphs, "\n%s on all machines: %s", step->app_name->name,
			      strbuf_text(&told));
		strbuf_printf(&o->lines, "%s on all machines: ", step->app_name->name);
		put_rule_count(&o->lines, step->made, &rules);
	}
	mined_rule_changes_release(&rules);
	strbuf_release(&told);
	return rc;
}

static enum err_code tell_pair(struct mining_outcome *o, const struct mined_step *step,
			       struct err *e)
{
	const struct mine_outcome *made = step->made;
	struct mined_rule_changes rules = {0};
	struct strbuf told = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc = ERR_OK;

	if (step->failed) {
		/* What was known before stays, and stays usable. */
		put_outcome(o, step->app_name, step->machine,
			    made->fit.predictor ? "stale" : "not mined", &made->fit, NULL,
			    step->why);
		put_failure(&o->lines, step);
		err_set(&o->first_error, step->failed, "%s on %s: %s", step->app_name->name,
			step->machine->name, step->why);
	} else if (!(rc = tell_rules(step, &rules, &told, &why)) &&
		   !(rc = put_short(&o->lines, step, &rules, &why))) {
		put_outcome(o, step->app_name, step->machine, made->changed ? "mined" : "unchanged",
			    &made->fit, &rules, NULL);
		strbuf_puts(&o->paragraphs, strbuf_text(&told));
	} else {
		err_set(e, rc, "%s on %s: %s", step->app_name->name, step->machine->name, why.msg);
	}
	mined_rule_changes_release(&rules);
	strbuf_release(&told);
	return rc;
}

static enum err_code tell(void *arg, const struct mined_step *step, struct err *e)
{
	return step->machine ? tell_pair(arg, step, e) : tell_together(arg, step, e);
}

static enum err_code print_outcome(struct context *c, const struct mining_outcome *o, struct err *e)
{
	enum err_code rc;

	if (c->format != FORMAT_TABLE)
		return out_table_print(o->all, c->format, "mined", c->out, e);
	if (o->paragraphs.failed || o->lines.failed)
		return err_set(e, ERR_NOMEM, "what was mined");
	if (!options_has(&c->opt, &opt_verbose)) {
		fold_print(strbuf_text(&o->lines), c->out);
		return ERR_OK;
	}
	if ((rc = out_table_print(o->brief, FORMAT_TABLE, "mined", c->out, e)))
		return rc;
	fold_print(strbuf_text(&o->paragraphs), c->out);
	return ERR_OK;
}

static enum err_code mine_run(struct context *c, struct err *e)
{
	struct mining_outcome o = {
		.all = out_table_new(columns, N_COLUMNS),
		.brief = out_table_new(columns, N_COLUMNS_FOR_PEOPLE),
	};
	const char *app = options_get(&c->opt, &opt_app);
	const char *machine = options_get(&c->opt, &opt_machine);
	const struct mine_request asked = {app, machine, tell, &o};
	enum err_code rc;

	o.one_asked = machine != NULL;
	if (!o.all || !o.brief) {
		rc = err_set(e, ERR_NOMEM, "what was mined");
		goto done;
	}
	if ((rc = mine_base(&c->session, &asked, e)) || (rc = out_table_check(o.all, e)))
		goto done;
	progress_bar_clear(&c->bar);
	if ((rc = print_outcome(c, &o, e)))
		goto done;
	if (out_table_rows(o.all) == 0)
		rc = err_set(e, ERR_NODATA,
			     "there are no runs%s%s%s%s to mine; load some with `lemnos ingest "
			     "FILE`, or the "
			     "shipped ones with `lemnos init --with-data`",
			     app ? " of " : "", app ? app : "", machine ? " on " : "",
			     machine ? machine : "");
	else if (o.n_known == 0)
		rc = c->format == FORMAT_TABLE
			     ? err_set(e, ERR_NODATA, "nothing could be mined, as told above")
			     : err_set(e, ERR_NODATA, "nothing could be mined: %s",
				       o.first_error.msg);
done:
	out_table_free(o.all);
	out_table_free(o.brief);
	strbuf_release(&o.paragraphs);
	strbuf_release(&o.lines);
	return rc;
}

static const struct option_spec *const mine_options[] = {
	&opt_app, &opt_machine, &opt_verbose, &opt_max_memory, &opt_format, NULL};

static const struct action mine_actions[] = {
	{NULL, "[--app NAME] [--machine NAME]", NULL, 0, 0, NEEDS_KB_WRITE, mine_run},
};

const struct cmd cmd_mine = {
	.name = "mine",
	.summary = "rebuild the knowledge from the runs",
	.description =
		"For every application and machine with runs, or those that are named: fits message costs to\n"
		"the ping-pong data, fits the predictor to the runs, and learns from held-out runs how\n"
		"far off it is. Facts and decisions stay as they are; on unchanged facts nothing changes.\n"
		"Pairs with too few runs are told and passed over. Each has four lines, and more where\n"
		"runs do not go together; --verbose explains the predictors and lists the rules that came\n"
		"and went.",
	.examples = "  lemnos mine\n"
		    "  lemnos mine --machine sp2like --format json",
	.options = mine_options,
	.less_memory = "mine one machine at a time (--machine NAME), or keep runs out of it with "
		       "`lemnos runs exclude`",
	.action = mine_actions,
	.n_actions = 1,
};
