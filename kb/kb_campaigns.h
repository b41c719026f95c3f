#ifndef KB_KB_CAMPAIGNS_H
#define KB_KB_CAMPAIGNS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* Measurement campaigns as facts: plan, state, and a row a run. */

enum campaign_state {
	CAMPAIGN_RUNNING, /* or it was, and whoever ran it was killed */
	CAMPAIGN_STOPPING,
	CAMPAIGN_STOPPED,
	CAMPAIGN_DONE,
	CAMPAIGN_STATES
};
const char *campaign_state_name(enum campaign_state s); /* "running", ... */

struct kb_campaign {
	int64_t id;
	char uid[17];
	char *name;
	char *application, *machine;
	char *plan; /* the text */
	char sha256[65];
	char *folder;
	uint64_t seed;
	char *created_at; /* UTC; set by the base */
	enum campaign_state state;
	char *why; /* NULL: none */
};
struct kb_campaign_list {
	struct kb_campaign *item;
	size_t n;
};

enum campaign_run_state {
	CAMPAIGN_RUN_PLANNED,
	CAMPAIGN_RUN_RUNNING,
	CAMPAIGN_RUN_DONE,
	CAMPAIGN_RUN_FAILED,
	CAMPAIGN_RUN_TIMED_OUT,
	CAMPAIGN_RUN_REFUSED, /* it ended and tells no time, or none that an import takes, and no
				 failure of the configuration's */
	CAMPAIGN_RUN_STATES
};
const char *campaign_run_state_name(enum campaign_run_state s); /* "planned", ... */

struct kb_campaign_run {
	int64_t position, batch, repeat;
	char *levels, *configuration;
	enum campaign_run_state state;
	int64_t attempt;
	double predicted_s, quantile_s, limit_s; /* NaN: none */
	char *job;				 /* NULL: none */
	char *started_at, *ended_at;		 /* UTC; NULL: not yet */
	double elapsed_s, wall_s;		 /* NaN: none */
	int64_t import_id;			 /* 0: none */
	char *message;				 /* NULL: none */
	/* read only */
	int64_t run_id; /* of the stored run; 0: none, or its import was undone */
	bool undone;	/* its import was */
};
struct kb_campaign_runs {
	struct kb_campaign_run *item;
	size_t n;
};
struct kb_campaign_batch {
	int64_t batch;
	char *chosen_at;
	double expected_loss; /* NaN: not known */
};
struct kb_campaign_batches {
	struct kb_campaign_batch *item;
	size_t n;
};

/* Sets c->id. Errors: ARG (there is one of this name). */
enum err_code kb_add_campaign(struct kb *kb, struct kb_campaign *c, struct err *e);
/* Errors: NOTFOUND (lists what there is). */
enum err_code kb_find_campaign(struct kb *kb, const char *name, struct kb_campaign *out,
			       struct err *e);
/* In the order in which they were made. */
enum err_code kb_list_campaigns(struct kb *kb, struct kb_campaign_list *out, struct err *e);
enum err_code kb_set_campaign_state(struct kb *kb, int64_t id, enum campaign_state state,
				    const char *why, struct err *e);
enum err_code kb_get_campaign_state(struct kb *kb, int64_t id, enum campaign_state *out,
				    struct err *e);

/* A batch with its runs, all of it or nothing; positions follow those that are there. */
enum err_code kb_add_campaign_batch(struct kb *kb, int64_t id, double expected_loss,
				    const struct kb_campaign_run *run, size_t n, struct err *e);
/* All of a run but its place: position, batch, repeat, levels and configuration. */
enum err_code kb_put_campaign_run(struct kb *kb, int64_t id, const struct kb_campaign_run *run,
				  struct err *e);
/* In the order of their positions. */
enum err_code kb_load_campaign_runs(struct kb *kb, int64_t id, struct kb_campaign_runs *out,
				    struct err *e);
enum err_code kb_load_campaign_batches(struct kb *kb, int64_t id, struct kb_campaign_batches *out,
				       struct err *e);

void kb_campaign_release(struct kb_campaign *c);
void kb_campaign_list_release(struct kb_campaign_list *l);
void kb_campaign_run_release(struct kb_campaign_run *r);
void kb_campaign_runs_release(struct kb_campaign_runs *r);
void kb_campaign_batches_release(struct kb_campaign_batches *b);

/* A part of kb_merge(): the campaigns of `from` that `into` does not have, and what became there of
 * runs that are only planned here. Imports are here already. A name that another campaign has gets
 * a number. Nothing runs here: what runs there is planned. *n counts campaigns that came. */
enum err_code kb_merge_campaigns(struct kb *into, struct kb *from, int64_t *n, struct err *e);

#endif
