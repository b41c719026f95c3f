#ifndef CLI_ACQUIRE_ACTIONS_H
#define CLI_ACQUIRE_ACTIONS_H
#include "api/campaigns.h"
#include "cli/frame/context.h"

/* What `lemnos acquire` does; each in a file of its own. */
enum err_code acquire_plan_run(struct context *c, struct err *e);
enum err_code acquire_status_run(struct context *c, struct err *e);
/* A campaign and its runs, in the format that was asked for. */
enum err_code campaign_print_report(const struct context *c, const struct campaign_report *r,
				    struct err *e);

/* The lines that tell of a campaign while it runs, and of what became of it. */
struct campaign_watcher {
	struct context *c;
	bool drawn; /* a status line stands on the terminal */
};
struct campaign_events campaign_watcher_events(struct campaign_watcher *w);
void campaign_watcher_clear(struct campaign_watcher *w);
/* "campaign wave is done: 22 done, 1 failed, 1 timed-out of 24 runs" */
void campaign_print_end(const struct context *c, const struct campaign_report *r);

#endif
