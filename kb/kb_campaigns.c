#include "kb/kb_campaigns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_sql.h"

static const char *const campaign_states[CAMPAIGN_STATES] = {
	[CAMPAIGN_RUNNING] = "running",
	[CAMPAIGN_STOPPING] = "stopping",
	[CAMPAIGN_STOPPED] = "stopped",
	[CAMPAIGN_DONE] = "done",
};
static const char *const run_states[CAMPAIGN_RUN_STATES] = {
	[CAMPAIGN_RUN_PLANNED] = "planned",	[CAMPAIGN_RUN_RUNNING] = "running",
	[CAMPAIGN_RUN_DONE] = "done",		[CAMPAIGN_RUN_FAILED] = "failed",
	[CAMPAIGN_RUN_TIMED_OUT] = "timed-out", [CAMPAIGN_RUN_REFUSED] = "refused",
};

const char *campaign_state_name(enum campaign_state s)
{
	return campaign_states[s];
}

const char *campaign_run_state_name(enum campaign_run_state s)
{
	return run_states[s];
}

static enum err_code state_from(const char *const *name, int n, const char *text, int *out,
				struct err *e)
{
	for (int i = 0; i < n; i++) {
		if (strcmp(name[i], text) == 0) {
			*out = i;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_KB, "'%s' is no state of a campaign or of its runs", text);
}

/* ---- campaigns ---- */

enum err_code kb_add_campaign(struct kb *kb, struct kb_campaign *c, struct err *e)
{
	char seed[24];
	int64_t n = 0;
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)c->seed);
	rc = kb_sql_get_int64(kb, &n, e,
			      "SELECT count(*) FROM campaign WHERE name = ?1 COLLATE NOCASE", "t",
			      c->name);
	if (!rc && n > 0)
		rc = err_set(e, ERR_ARG, "there is a campaign %s already", c->name);
	if (!rc)
		rc = kb_sql_run(
			kb, e,
			"INSERT INTO campaign (uid, name, application, machine, plan, sha256, "
			"folder, seed, created_at, state, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
			"?8, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?9, ?10)",
			"tttttttttt", c->uid, c->name, c->application, c->machine, c->plan,
			c->sha256, c->folder, seed, campaign_state_name(c->state), c->why);
	if (!rc)
		c->id = sqlite3_last_insert_rowid(kb->db);
	return kb_own_end(kb, own, rc, e);
}

static const char campaign_columns[] =
	"SELECT campaign_id, uid, name, application, machine, plan, sha256, folder, seed, "
	"created_at, state, why FROM campaign ";

static enum err_code read_campaign(sqlite3_stmt *s, struct kb_campaign *c, struct err *e)
{
	int state = 0;
	enum err_code rc;

	c->id = sqlite3_column_int64(s, 0);
	snprintf(c->uid, sizeof c->uid, "%s", kb_sql_text(s, 1));
	snprintf(c->sha256, sizeof c->sha256, "%s", kb_sql_text(s, 6));
	c->seed = strtoull(kb_sql_text(s, 8), NULL, 10);
	if ((rc = state_from(campaign_states, CAMPAIGN_STATES, kb_sql_text(s, 10), &state, e)) ||
	    (rc = kb_sql_dup(s, 2, &c->name, e)) || (rc = kb_sql_dup(s, 3, &c->application, e)) ||
	    (rc = kb_sql_dup(s, 4, &c->machine, e)) || (rc = kb_sql_dup(s, 5, &c->plan, e)) ||
	    (rc = kb_sql_dup(s, 7, &c->folder, e)) || (rc = kb_sql_dup(s, 9, &c->created_at, e)))
		return rc;
	c->state = (enum campaign_state)state;
	return kb_sql_dup_or_null(s, 11, &c->why, e);
}

static enum err_code append_campaign(struct kb_campaign_list *l, sqlite3_stmt *s, struct err *e)
{
	struct kb_campaign *grown = realloc(l->item, (l->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu campaigns", l->n + 1);
	l->item = grown;
	grown[l->n] = (struct kb_campaign){0};
	return read_campaign(s, &grown[l->n++], e);
}

enum err_code kb_list_campaigns(struct kb *kb, struct kb_campaign_list *out, struct err *e)
{
	struct kb_campaign_list list = {0};
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc;

	strbuf_printf(&sql, "%s ORDER BY campaign_id", campaign_columns);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "the campaigns")
			: kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "");
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append_campaign(&list, s, e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	if (rc)
		kb_campaign_list_release(&list);
	else
		*out = list;
	return rc;
}

static enum err_code no_such_campaign(struct kb *kb, const char *name, struct err *e)
{
	struct kb_campaign_list list = {0};
	struct strbuf all = STRBUF_INIT;
	enum err_code rc = kb_list_campaigns(kb, &list, e);

	for (size_t i = 0; i < list.n; i++)
		strbuf_printf(&all, "%s%s", i ? ", " : "", list.item[i].name);
	if (!rc)
		rc = list.n ? err_set(e, ERR_NOTFOUND, "there is no campaign '%s'; there are %s",
				      name, strbuf_text(&all))
			    : err_set(e, ERR_NOTFOUND,
				      "there is no campaign '%s', and no other one; begin one with "
				      "`lemnos acquire run FILE`",
				      name);
	strbuf_release(&all);
	kb_campaign_list_release(&list);
	return rc;
}

enum err_code kb_find_campaign(struct kb *kb, const char *name, struct kb_campaign *out,
			       struct err *e)
{
	struct kb_campaign c = {0};
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	strbuf_printf(&sql, "%s WHERE name = ?1 COLLATE NOCASE", campaign_columns);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "a campaign")
			: kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "t", name);
	if (!rc)
		rc = kb_sql_step(kb, s, &row, e);
	if (!rc && row)
		rc = read_campaign(s, &c, e);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	if (!rc && !row)
		rc = no_such_campaign(kb, name, e);
	if (rc)
		kb_campaign_release(&c);
	else
		*out = c;
	return rc;
}

enum err_code kb_set_campaign_state(struct kb *kb, int64_t id, enum campaign_state state,
				    const char *why, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_run(kb, e, "UPDATE campaign SET state = ?2, why = ?3 WHERE campaign_id = ?1",
			"itt", id, campaign_state_name(state), why);
	return kb_own_end(kb, own, rc, e);
}

enum err_code kb_get_campaign_state(struct kb *kb, int64_t id, enum campaign_state *out,
				    struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	int state = 0;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "SELECT state FROM campaign WHERE campaign_id = ?1", "i", id);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)))
		rc = row ? state_from(campaign_states, CAMPAIGN_STATES, kb_sql_text(s, 0), &state,
				      e)
			 : err_set(e, ERR_KB, "the campaign is not there any more");
	sqlite3_finalize(s);
	if (!rc)
		*out = (enum campaign_state)state;
	return rc;
}

void kb_campaign_release(struct kb_campaign *c)
{
	free(c->name);
	free(c->application);
	free(c->machine);
	free(c->plan);
	free(c->folder);
	free(c->created_at);
	free(c->why);
	*c = (struct kb_campaign){0};
}

void kb_campaign_list_release(struct kb_campaign_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		kb_campaign_release(&l->item[i]);
	free(l->item);
	*l = (struct kb_campaign_list){0};
}

/* ---- runs ---- */

static enum err_code insert_run(struct kb *kb, int64_t id, int64_t batch, int64_t position,
				const struct kb_campaign_run *r, struct err *e)
{
	return kb_sql_run(kb, e,
			  "INSERT INTO campaign_run (campaign_id, position, batch, repeat, levels, "
			  "configuration, state, attempt, predicted_s, quantile_s, limit_s) VALUES "
			  "(?1, ?2, ?3, ?4, ?5, ?6, 'planned', 0, ?7, ?8, ?9)",
			  "iiiittrrr", id, position, batch, r->repeat, r->levels, r->configuration,
			  r->predicted_s, r->quantile_s, r->limit_s);
}

static enum err_code add_batch(struct kb *kb, int64_t id, double expected_loss,
			       const struct kb_campaign_run *run, size_t n, struct err *e)
{
	int64_t batch = 0, last = 0;
	enum err_code rc;

	if ((rc = kb_sql_get_int64(
		     kb, &batch, e,
		     "SELECT ifnull(max(batch) + 1, 0) FROM campaign_batch WHERE campaign_id = ?1",
		     "i", id)) ||
	    (rc = kb_sql_get_int64(
		     kb, &last, e,
		     "SELECT ifnull(max(position), 0) FROM campaign_run WHERE campaign_id = ?1",
		     "i", id)) ||
	    (rc = kb_sql_run(kb, e,
			     "INSERT INTO campaign_batch VALUES (?1, ?2, "
			     "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3)",
			     "iir", id, batch, expected_loss)))
		return rc;
	for (size_t i = 0; i < n && !rc; i++)
		rc = insert_run(kb, id, batch, last + 1 + (int64_t)i, &run[i], e);
	return rc;
}

enum err_code kb_add_campaign_batch(struct kb *kb, int64_t id, double expected_loss,
				    const struct kb_campaign_run *run, size_t n, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, add_batch(kb, id, expected_loss, run, n, e), e);
}

enum err_code kb_put_campaign_run(struct kb *kb, int64_t id, const struct kb_campaign_run *r,
				  struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_run(
		kb, e,
		"UPDATE campaign_run SET state = ?3, attempt = ?4, predicted_s = ?5, quantile_s = "
		"?6, limit_s = ?7, job = ?8, started_at = ?9, ended_at = ?10, elapsed_s = ?11, "
		"wall_s = ?12, import_id = nullif(?13, 0), message = ?14 WHERE campaign_id = ?1 "
		"AND position = ?2",
		"iitirrrtttrrit", id, r->position, campaign_run_state_name(r->state), r->attempt,
		r->predicted_s, r->quantile_s, r->limit_s, r->job, r->started_at, r->ended_at,
		r->elapsed_s, r->wall_s, r->import_id, r->message);
	return kb_own_end(kb, own, rc, e);
}

/* The stored run is looked up: an undone import takes it away, another one may have brought it. */
static const char run_columns[] =
	"SELECT c.position, c.batch, c.repeat, c.levels, c.configuration, c.state, c.attempt, "
	"c.predicted_s, c.quantile_s, c.limit_s, c.job, c.started_at, c.ended_at, c.elapsed_s, "
	"c.wall_s, ifnull(c.import_id, 0), c.message, i.undone_at IS NOT NULL FROM "
	"campaign_run AS c LEFT JOIN import AS i USING (import_id) WHERE c.campaign_id = ?1 "
	"ORDER BY c.position";

static enum err_code read_run(sqlite3_stmt *s, struct kb_campaign_run *r, struct err *e)
{
	int state = 0;
	enum err_code rc;

	*r = (struct kb_campaign_run){
		.position = sqlite3_column_int64(s, 0),
		.batch = sqlite3_column_int64(s, 1),
		.repeat = sqlite3_column_int64(s, 2),
		.attempt = sqlite3_column_int64(s, 6),
		.predicted_s = kb_sql_real(s, 7),
		.quantile_s = kb_sql_real(s, 8),
		.limit_s = kb_sql_real(s, 9),
		.elapsed_s = kb_sql_real(s, 13),
		.wall_s = kb_sql_real(s, 14),
		.import_id = sqlite3_column_int64(s, 15),
		.undone = sqlite3_column_int(s, 17) != 0,
	};
	if ((rc = state_from(run_states, CAMPAIGN_RUN_STATES, kb_sql_text(s, 5), &state, e)) ||
	    (rc = kb_sql_dup(s, 3, &r->levels, e)) ||
	    (rc = kb_sql_dup(s, 4, &r->configuration, e)) ||
	    (rc = kb_sql_dup_or_null(s, 10, &r->job, e)) ||
	    (rc = kb_sql_dup_or_null(s, 11, &r->started_at, e)) ||
	    (rc = kb_sql_dup_or_null(s, 12, &r->ended_at, e)) ||
	    (rc = kb_sql_dup_or_null(s, 16, &r->message, e)))
		return rc;
	r->state = (enum campaign_run_state)state;
	return ERR_OK;
}

static enum err_code append_run(struct kb_campaign_runs *l, sqlite3_stmt *s, struct err *e)
{
	struct kb_campaign_run *grown = l->item;

	if ((l->n & (l->n - 1)) == 0)
		grown = realloc(l->item, (l->n ? 2 * l->n : 1) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu runs of a campaign", l->n + 1);
	l->item = grown;
	grown[l->n] = (struct kb_campaign_run){0};
	return read_run(s, &grown[l->n++], e);
}

/* import_id of each run, ascending by import: the stored runs of these imports. */
static enum err_code find_stored(struct kb *kb, const char *table, int64_t id,
				 struct kb_campaign_runs *l, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT c.position, r.run_id FROM campaign_run AS c JOIN ");
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, " AS r USING (import_id) WHERE c.campaign_id = ?1 UNION SELECT "
			  "c.position, k.run_id FROM campaign_run AS c JOIN known_run AS k USING "
			  "(import_id) JOIN import AS i USING (import_id) WHERE c.campaign_id = ?1 "
			  "AND i.undone_at IS NULL");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "runs of a campaign")
			: kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "i", id);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		int64_t position = sqlite3_column_int64(s, 0);

		/* positions are 1, 2, ... */
		if (position >= 1 && position <= (int64_t)l->n)
			l->item[position - 1].run_id = sqlite3_column_int64(s, 1);
	}
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

static enum err_code find_all_stored(struct kb *kb, int64_t id, struct kb_campaign_runs *l,
				     struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e,
			       "SELECT a.run_table FROM campaign AS c JOIN application AS a ON "
			       "a.name = c.application COLLATE NOCASE WHERE c.campaign_id = ?1",
			       "i", id);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = find_stored(kb, kb_sql_text(s, 0), id, l, e);
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_load_campaign_runs(struct kb *kb, int64_t id, struct kb_campaign_runs *out,
				    struct err *e)
{
	struct kb_campaign_runs list = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e, run_columns, "i", id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append_run(&list, s, e);
	sqlite3_finalize(s);
	if (!rc)
		rc = find_all_stored(kb, id, &list, e);
	if (rc)
		kb_campaign_runs_release(&list);
	else
		*out = list;
	return rc;
}

static enum err_code append_batch(struct kb_campaign_batches *l, sqlite3_stmt *s, struct err *e)
{
	struct kb_campaign_batch *grown = realloc(l->item, (l->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu batches of a campaign", l->n + 1);
	l->item = grown;
	grown[l->n] = (struct kb_campaign_batch){.batch = sqlite3_column_int64(s, 0),
						 .expected_loss = kb_sql_real(s, 2)};
	return kb_sql_dup(s, 1, &grown[l->n++].chosen_at, e);
}

enum err_code kb_load_campaign_batches(struct kb *kb, int64_t id, struct kb_campaign_batches *out,
				       struct err *e)
{
	struct kb_campaign_batches list = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT batch, chosen_at, expected_loss FROM campaign_batch WHERE campaign_id = ?1 "
		"ORDER BY batch",
		"i", id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append_batch(&list, s, e);
	sqlite3_finalize(s);
	if (rc)
		kb_campaign_batches_release(&list);
	else
		*out = list;
	return rc;
}

void kb_campaign_run_release(struct kb_campaign_run *r)
{
	free(r->levels);
	free(r->configuration);
	free(r->job);
	free(r->started_at);
	free(r->ended_at);
	free(r->message);
	*r = (struct kb_campaign_run){0};
}

void kb_campaign_runs_release(struct kb_campaign_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		kb_campaign_run_release(&r->item[i]);
	free(r->item);
	*r = (struct kb_campaign_runs){0};
}

void kb_campaign_batches_release(struct kb_campaign_batches *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->item[i].chosen_at);
	free(b->item);
	*b = (struct kb_campaign_batches){0};
}
