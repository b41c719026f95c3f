#ifndef MINING_MINE_H
#define MINING_MINE_H
#include <stdbool.h>
#include "base/err.h"
#include "base/progress.h"
#include "kb/kb.h"
#include "mining/predictor.h"

/* From facts to knowledge and back, for one application on one machine. */

struct mine_target {
	const struct application *app;
	int64_t app_id;
	const struct machine *machine;
	int64_t machine_id;
};

/* Refit the machine's message costs from its ping-pong facts (none: nothing to do), fit the
 * predictor to its runs, store both under the facts' snapshot. Unchanged facts change no byte.
 * *out is what is stored now; *changed says whether it differs from before. Errors: NODATA (too few
 * runs; the old knowledge stays), INTERRUPTED, those of kb. */
enum err_code mine(struct kb *kb, const struct mine_target *on, const struct progress *p,
		   struct kb_fit *out, bool *changed, struct err *e);

/* Was the fit (with its parameters) made from the facts of this snapshot, by a predictor that would
 * make the same of them now? */
bool mine_is_current(const struct kb_fit *fit, const char *snapshot);

/* Everything predictor_fit() takes, as the base has it now. Release with mine_input_release(). */
struct mine_input {
	struct fit_input fit;
	struct dataset *runs;
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
