#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/acquire/acquire_actions.h"
#include "cli/frame/fold.h"

/* ---- a line of each run, in a pipe or a file ---- */

static void put_time(const struct kb_campaign_run *r, struct strbuf *line)
{
	char text[32];

	if (r->state == CAMPAIGN_RUN_DONE)
		strbuf_printf(line, "%s", duration_format(r->wall_s, text, sizeof text));
	else
		strbuf_printf(line, "%s: %.*s", campaign_run_state_name(r->state),
			      (int)strcspn(r->message ? r->message : "", "\n"),
			      r->message ? r->message : "");
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

void campaign_watcher_clear(struct campaign_watcher *w)
{
	progress_bar_clear(&w->c->bar);
	if (w->drawn)
		fputs("\r\033[K", w->c->log);
	w->drawn = false;
}

struct campaign_events campaign_watcher_events(struct campaign_watcher *w)
{
	return (struct campaign_events){.ended = ended, .tick = tick, .arg = w};
}

/* ---- in the end ---- */

void campaign_print_end(const struct context *c, const struct campaign_report *r)
{
	struct strbuf states = STRBUF_INIT;

	put_states(&r->count, &states);
	put_loss(&r->count, &states);
	context_print(c, "campaign %s, %s: %s\n", r->record.name, r->state, strbuf_text(&states));
	if (r->record.why)
		context_print(c, "it stopped: %s\n", r->record.why);
	strbuf_release(&states);
}
