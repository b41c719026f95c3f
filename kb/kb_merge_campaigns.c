#include "kb/kb_campaigns.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_sql.h"

/* A campaign is known by its uid, a run of it by batch, repeat and levels. Two bases that both went
 * on with it chose different batches from there: the runs of `into` stay as they are, and only what
 * is planned in both takes its outcome from `from`. */

/* Our number of their import; 0: undone there, or not here. */
static enum err_code our_import(struct kb *into, struct kb *from, int64_t theirs, int64_t *ours,
				struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	*ours = 0;
	if (theirs == 0)
		return ERR_OK;
	rc = kb_sql_prepare(from, &s, e,
			    "SELECT sha256, mapping, application, machine FROM import WHERE "
			    "import_id = ?1 AND undone_at IS NULL",
			    "i", theirs);
	if (!rc && !(rc = kb_sql_step(from, s, &row, e)) && row)
		rc = kb_sql_get_int64(
			into, ours, e,
			"SELECT import_id FROM import WHERE undone_at IS NULL AND sha256 = ?1 AND "
			"mapping = ?2 AND ifnull(application, '') = ifnull(?3, '') AND "
			"ifnull(machine, '') = ifnull(?4, '')",
			"tttt", kb_sql_text(s, 0), kb_sql_text(s, 1), kb_sql_text_or_null(s, 2),
			kb_sql_text_or_null(s, 3));
	sqlite3_finalize(s);
	return rc;
}

static bool is_settled(const struct kb_campaign_run *r)
{
	return r->state != CAMPAIGN_RUN_PLANNED && r->state != CAMPAIGN_RUN_RUNNING;
}

/* What runs over there is not lost here: it is planned, as if it had never begun. */
static void unstart(struct kb_campaign_run *r)
{
	r->state = CAMPAIGN_RUN_PLANNED;
	r->attempt = 0;
	free(r->job);
	free(r->started_at);
	r->job = r->started_at = NULL;
}

static enum err_code put_run(struct kb *into, struct kb *from, int64_t id, int64_t position,
			     struct kb_campaign_run *r, struct err *e)
{
	enum err_code rc = our_import(into, from, r->import_id, &r->import_id, e);

	if (rc)
		return rc;
	if (!is_settled(r))
		unstart(r);
	if (r->state == CAMPAIGN_RUN_DONE && r->import_id == 0 && !r->message &&
	    !(r->message = strdup("its import was undone before the merge")))
		return err_set(e, ERR_NOMEM, "a run of a campaign");
	r->position = position;
	return kb_put_campaign_run(into, id, r, e);
}

/* ---- one that is new here ---- */

static enum err_code free_name(struct kb *kb, struct kb_campaign *c, struct err *e)
{
	struct strbuf name = STRBUF_INIT;
	int64_t n = 1;
	enum err_code rc = ERR_OK;

	strbuf_puts(&name, c->name);
	for (int i = 2; n > 0 && !rc && !name.failed; i++) {
		rc = kb_sql_get_int64(
			kb, &n, e, "SELECT count(*) FROM campaign WHERE name = ?1 COLLATE NOCASE",
			"t", strbuf_text(&name));
		if (!rc && n > 0) {
			strbuf_clear(&name);
			strbuf_printf(&name, "%s-%d", c->name, i);
		}
	}
	if (!rc && name.failed)
		rc = err_set(e, ERR_NOMEM, "the name of a campaign");
	if (!rc) {
		free(c->name);
		c->name = name.buf; /* handed over */
	} else {
		strbuf_release(&name);
	}
	return rc;
}

static enum err_code copy_batches(struct kb *into, int64_t to, struct kb *from, int64_t theirs,
				  struct kb_campaign_runs *runs, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(from, theirs, &batches, e);
	size_t first = 0;

	for (size_t b = 0; b < batches.n && !rc; b++) {
		size_t n = first;

		while (n < runs->n && runs->item[n].batch == batches.item[b].batch)
			n++;
		rc = kb_add_campaign_batch(into, to, batches.item[b].expected_loss,
					   runs->item + first, n - first, e);
		if (!rc)
			rc = kb_sql_run(into, e,
					"UPDATE campaign_batch SET chosen_at = ?3 WHERE "
					"campaign_id = ?1 AND batch = ?2",
					"iit", to, (int64_t)b, batches.item[b].chosen_at);
		first = n;
	}
	kb_campaign_batches_release(&batches);
	return rc;
}

static enum err_code copy_campaign(struct kb *into, struct kb *from, struct kb_campaign *c,
				   struct err *e)
{
	struct kb_campaign_runs runs = {0};
	int64_t theirs = c->id;
	enum err_code rc;

	if (c->state != CAMPAIGN_DONE)
		c->state = CAMPAIGN_STOPPED;
	if ((rc = free_name(into, c, e)) || (rc = kb_add_campaign(into, c, e)) ||
	    (rc = kb_sql_run(into, e, "UPDATE campaign SET created_at = ?2 WHERE campaign_id = ?1",
			     "it", c->id, c->created_at)) ||
	    (rc = kb_load_campaign_runs(from, theirs, &runs, e)) ||
	    (rc = copy_batches(into, c->id, from, theirs, &runs, e)))
		goto done;
	for (size_t i = 0; i < runs.n && !rc; i++)
		rc = put_run(into, from, c->id, (int64_t)i + 1, &runs.item[i], e);
done:
	kb_campaign_runs_release(&runs);
	return rc;
}

/* ---- one that both have ---- */

static enum err_code take_outcome(struct kb *into, struct kb *from, int64_t ours,
				  struct kb_campaign_run *r, struct err *e)
{
	int64_t position = 0;
	enum err_code rc = kb_sql_get_int64(
		into, &position, e,
		"SELECT position FROM campaign_run WHERE campaign_id = ?1 AND batch = ?2 AND "
		"repeat = ?3 AND levels = ?4 AND state = 'planned'",
		"iiit", ours, r->batch, r->repeat, r->levels);

	return rc || position == 0 ? rc : put_run(into, from, ours, position, r, e);
}

static enum err_code take_outcomes(struct kb *into, struct kb *from, int64_t ours, int64_t theirs,
				   struct err *e)
{
	struct kb_campaign_runs runs = {0};
	enum err_code rc = kb_load_campaign_runs(from, theirs, &runs, e);

	for (size_t i = 0; i < runs.n && !rc; i++) {
		if (is_settled(&runs.item[i]))
			rc = take_outcome(into, from, ours, &runs.item[i], e);
	}
	kb_campaign_runs_release(&runs);
	return rc;
}

enum err_code kb_merge_campaigns(struct kb *into, struct kb *from, int64_t *n, struct err *e)
{
	struct kb_campaign_list list = {0};
	enum err_code rc = kb_list_campaigns(from, &list, e);

	for (size_t i = 0; i < list.n && !rc; i++) {
		struct kb_campaign *c = &list.item[i];
		int64_t ours = 0;

		if ((rc = kb_sql_get_int64(into, &ours, e,
					   "SELECT campaign_id FROM campaign WHERE uid = ?1", "t",
					   c->uid)))
			break;
		if (ours > 0) {
			rc = take_outcomes(into, from, ours, c->id, e);
		} else if (!(rc = copy_campaign(into, from, c, e))) {
			++*n;
		}
	}
	kb_campaign_list_release(&list);
	return rc;
}
