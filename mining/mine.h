#ifndef MINING_MINE_H
#define MINING_MINE_H
#include <stdbool.h>
#include "base/err.h"
#include "base/progress.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"

/* From facts to knowledge and back, for one application on one machine. */

struct mine_target {
	const struct application *app;
	int64_t app_id;
	const struct machine *machine;
	int64_t machine_id;
};

/* What came of mining. */
struct mine_outcome {
	struct kb_fit fit; /* what is stored now; without predictor for all machines together */
	bool changed;	   /* is anything stored now that was not before? */
	struct kb_rules before; /* empty snapshot: there were none */
	struct kb_rules rules;	/* what is stored now */
};
void mine_outcome_release(struct mine_outcome *o);

/* The runs of an application on all of its machines, failed ones too, read when they are first
 * asked for and again where there are others by then: {NULL} to begin with, one application's. */
struct runs_of_all {
	struct dataset *runs;
	char snapshot[65]; /* when they were read */
};
void runs_of_all_release(struct runs_of_all *all);

/* Refit the machine's message costs from its ping-pong facts (none: nothing to do), fit the
 * predictor to its runs, mine rules and findings from them, and store all that under the facts'
 * snapshot in one transaction, with an index of the runs. Unchanged facts change no byte. Errors:
 * NODATA (too few runs; the old knowledge stays), INTERRUPTED (likewise), those of kb. */
enum err_code mine(struct kb *kb, const struct mine_target *on, const struct progress *p,
		   struct mine_outcome *out, struct err *e);

/* How machines are mined side by side on one base, which is used by one at a time: mine_among()
 * is called and returns with the base in its hands. */
struct mine_gate {
	void (*leave)(void *arg); /* it is left to others */
	bool (*enter)(void *arg); /* taken back, to store; false: stop */
	void (*alone)(void *arg); /* waits until no other is at work outside, for what all share */
	void *arg;
};

/* Mines a machine where others are mined as well. all, gate: NULL: no others are. */
enum err_code mine_among(struct kb *kb, const struct mine_target *on, struct runs_of_all *all,
			 const struct mine_gate *gate, const struct progress *p,
			 struct mine_outcome *out, struct err *e);

/* Rules and findings over all machines of an application: what holds on each. The target's machine
 * is not looked at. Fewer than two machines with runs: what was stored is dropped, *out stays
 * empty. The runs, if they were read, are used up. Errors: INTERRUPTED, those of kb. */
enum err_code mine_all_machines(struct kb *kb, const struct mine_target *on,
				struct runs_of_all *all, const struct progress *p,
				struct mine_outcome *out, struct err *e);

/* Was the fit (with its parameters) made from the facts of this snapshot, by a predictor that would
 * make the same of them now? */
bool mine_is_current(const struct kb_fit *fit, const char *snapshot);

/* Runs of one machine in the order of their content: those that did less (short_runs.h) go to
 * failures, in memory only, and those that cannot be right are set aside. Errors: NOMEM, those of
 * kb.
 */
enum err_code mine_screen_runs(struct kb *kb, int64_t machine_id, struct dataset **runs,
			       struct dataset *failures, struct run_screen *screen,
			       struct short_runs *did_less, struct err *e);

/* Everything predictor_fit() takes, as the base has it now. Release with mine_input_release(). */
struct mine_input {
	struct fit_input fit;
	struct dataset *runs, *failures;
	struct dataset *alike;	    /* times as of one circumstance; NULL: those of runs */
	struct dataset *at_present; /* what is fitted instead of runs; NULL: those themselves */
	struct cost_segment *segment;
};
enum err_code mine_input_load(struct kb *kb, const struct mine_target *on, const struct progress *p,
			      struct mine_input *out, struct err *e);
void mine_input_release(struct mine_input *in);

/* The mined predictor. *stale: facts changed since, or the program makes more of them now (the
 * predictor is good, but old).
 * Errors: NOTMINED. */
enum err_code mine_load(struct kb *kb, const struct mine_target *on, struct predictor **out,
			bool *stale, char snapshot[65], struct err *e);

#endif
