#include "mining/mine.h"

#include <stdlib.h>
#include <string.h>

#include "mining/message_fit.h"

void mine_input_release(struct mine_input *in)
{
	dataset_free(in->runs);
	free(in->segment);
	*in = (struct mine_input){0};
}

/* The machine's message costs, refitted from its ping-pong facts. None, or too few sizes to tell
 * anything: *out is empty, for the runs count without them. */
static enum err_code fit_messages(struct kb *kb, int64_t machine_id, struct message_fit *out,
				  struct err *e)
{
	struct kb_pingpong rows = {0};
	struct err fit_error = {0};
	enum err_code rc;

	memset(out, 0, sizeof *out);
	if ((rc = kb_load_pingpong(kb, machine_id, &rows, e)))
		return rc;
	if (rows.n > 0)
		rc = message_fit(rows.message_bytes, rows.roundtrip_s, rows.n, out, &fit_error);
	if (rc == ERR_NODATA)
		rc = ERR_OK;
	else if (rc)
		err_set(e, rc, "%s", fit_error.msg);
	kb_pingpong_release(&rows);
	return rc;
}

enum err_code mine_input_load(struct kb *kb, const struct mine_target *on, const struct progress *p,
			      struct mine_input *out, struct err *e)
{
	struct kb_filter f = {.machine_id = on->machine_id};
	struct mine_input in = {0};
	struct message_fit messages;
	enum err_code rc;

	if ((rc = kb_load_runs(kb, on->app, &f, p, &in.runs, e)) ||
	    (rc = fit_messages(kb, on->machine_id, &messages, e)))
		goto fail;
	if (messages.n_segment > 0) {
		in.segment = calloc(messages.n_segment, sizeof *in.segment);
		if (!in.segment) {
			rc = err_set(e, ERR_NOMEM, "message costs");
			goto fail;
		}
		memcpy(in.segment, messages.segment, messages.n_segment * sizeof *in.segment);
	}
	in.fit = (struct fit_input){.runs = in.runs,
				    .machine = on->machine,
				    .segment = in.segment,
				    .n_segment = messages.n_segment,
				    .progress = p};
	*out = in;
	return ERR_OK;
fail:
	mine_input_release(&in);
	return rc;
}

bool mine_is_current(const struct kb_fit *fit, const char *snapshot)
{
	return !strcmp(fit->snapshot, snapshot) &&
	       kb_fit_value(fit, "predictor_version") == PREDICTOR_VERSION;
}

/* A fit that lost numbers is refused with the advice to mine, which then must help. */
static bool is_usable(const struct kb_fit *fit, const struct application *app)
{
	struct predictor *p = NULL;

	if (predictor_load(fit, app, &p, NULL))
		return false;
	predictor_free(p);
	return true;
}

static enum err_code mine_anew(struct kb *kb, const struct mine_target *on,
			       const struct progress *p, const char *snapshot, struct kb_fit *fit,
			       struct err *e)
{
	struct mine_input in = {0};
	struct predictor *predictor = NULL;
	enum err_code rc;

	if ((rc = mine_input_load(kb, on, p, &in, e)) ||
	    (rc = predictor_fit(NULL, &in.fit, &predictor, e)) ||
	    (rc = predictor_store(predictor, fit, e)))
		goto done;
	fit->app_id = on->app_id;
	fit->machine_id = on->machine_id;
	memcpy(fit->snapshot, snapshot, sizeof fit->snapshot);
	if ((rc = kb_begin(kb, e)))
		goto done;
	if ((rc = kb_put_message_cost(kb, on->machine_id, in.segment, in.fit.n_segment, e)) ||
	    (rc = kb_put_fit(kb, fit, e)) || (rc = kb_commit(kb, e)))
		kb_rollback(kb);
done:
	predictor_free(predictor);
	mine_input_release(&in);
	return rc;
}

enum err_code mine(struct kb *kb, const struct mine_target *on, const struct progress *p,
		   struct kb_fit *out, bool *changed, struct err *e)
{
	struct kb_fit stored = {0}, fit = {0};
	char snapshot[65];
	enum err_code rc;

	if ((rc = kb_snapshot(kb, on->app_id, on->machine_id, snapshot, e)))
		return rc;
	if (!kb_get_fit(kb, on->app_id, on->machine_id, &stored, NULL) &&
	    mine_is_current(&stored, snapshot) && is_usable(&stored, on->app)) {
		*changed = false;
		*out = stored;
		return ERR_OK;
	}
	kb_fit_release(&stored);
	if ((rc = mine_anew(kb, on, p, snapshot, &fit, e))) {
		kb_fit_release(&fit);
		return rc;
	}
	*changed = true;
	*out = fit;
	return ERR_OK;
}

enum err_code mine_load(struct kb *kb, const struct mine_target *on, struct predictor **out,
			bool *stale, char snapshot[65], struct err *e)
{
	struct kb_fit fit = {0};
	char now[65];
	enum err_code rc;

	if ((rc = kb_get_fit(kb, on->app_id, on->machine_id, &fit, e)) ||
	    (rc = kb_snapshot(kb, on->app_id, on->machine_id, now, e)) ||
	    (rc = predictor_load(&fit, on->app, out, e)))
		goto done;
	*stale = !mine_is_current(&fit, now);
	memcpy(snapshot, fit.snapshot, sizeof fit.snapshot);
done:
	kb_fit_release(&fit);
	return rc;
}
