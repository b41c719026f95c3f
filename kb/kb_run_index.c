#include "kb/kb_run_index.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_index_row.h"

/* The statements of one index, and what its digests are made with. */
struct writer {
	struct kb *kb;
	const struct kb_run_index *in;
	int64_t id;
	sqlite3_stmt *node, *configuration, *sample;
	struct digest *digest;
	struct strbuf box;
};

static enum err_code step(struct writer *w, sqlite3_stmt *s, struct err *e)
{
	bool row;
	enum err_code rc = kb_sql_step(w->kb, s, &row, e);

	sqlite3_reset(s);
	return rc;
}

/* ---- its parts ---- */

static enum err_code put_configuration(struct writer *w, const struct kb_index_node *node, size_t i,
				       struct err *e)
{
	const struct kb_run_index *in = w->in;
	size_t k = node->first + i;
	sqlite3_stmt *s = w->configuration;

	sqlite3_bind_int64(s, 1, w->id);
	sqlite3_bind_int64(s, 2, node->number);
	sqlite3_bind_int64(s, 3, (int64_t)i);
	sqlite3_bind_int64(s, 4, in->runs->run_id[in->run[k]]);
	sqlite3_bind_int64(s, 5, in->n_runs[k]);
	return step(w, s, e);
}

static void digest_configurations(struct writer *w, const struct kb_index_node *node, char *hex)
{
	*hex = '\0';
	if (node->n == 0)
		return;
	for (size_t k = node->first; k < node->first + node->n; k++)
		index_digest_run(w->digest, w->in->runs, w->in->run[k], w->in->n_runs[k]);
	digest_final(w->digest, hex);
}

static enum err_code put_node(struct writer *w, size_t i_node, struct err *e)
{
	const struct kb_index_node *node = &w->in->node[i_node];
	const struct application *a = w->in->runs->app;
	size_t at = i_node * a->n_columns;
	char contents[DIGEST_HEX_SIZE], sha256[DIGEST_HEX_SIZE];
	sqlite3_stmt *s = w->node;
	enum err_code rc;

	strbuf_clear(&w->box);
	index_box_put(a, w->in->lo + at, w->in->hi + at, &w->box);
	if (w->box.failed)
		return err_set(e, ERR_NOMEM, "a box of runs");
	digest_configurations(w, node, contents);
	index_digest_node(w->digest, node->number, (int64_t)node->n, strbuf_text(&w->box),
			  contents);
	digest_final(w->digest, sha256);
	sqlite3_bind_int64(s, 1, w->id);
	sqlite3_bind_int64(s, 2, node->number);
	sqlite3_bind_int64(s, 3, (int64_t)node->n);
	sqlite3_bind_text(s, 4, strbuf_text(&w->box), -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 5, contents, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, sha256, -1, SQLITE_STATIC);
	rc = step(w, s, e);
	for (size_t i = 0; i < node->n && !rc; i++)
		rc = put_configuration(w, node, i, e);
	return rc;
}

static enum err_code put_sample(struct writer *w, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < w->in->n_sample && !rc; i++) {
		sqlite3_bind_int64(w->sample, 1, w->id);
		sqlite3_bind_int64(w->sample, 2, w->in->runs->run_id[w->in->sample[i]]);
		rc = step(w, w->sample, e);
	}
	return rc;
}

static enum err_code put_header(struct writer *w, int64_t app_id, int64_t machine_id, struct err *e)
{
	char identity[65], sha256[DIGEST_HEX_SIZE];
	int64_t n = (int64_t)w->in->n_configurations;
	enum err_code rc = kb_runs_identity(w->kb, app_id, machine_id, identity, e);

	if (rc)
		return rc;
	index_digest_header(w->digest, identity, n);
	for (size_t i = 0; i < w->in->n_sample; i++)
		index_digest_run(w->digest, w->in->runs, w->in->sample[i], 0);
	digest_final(w->digest, sha256);
	rc = kb_sql_run(w->kb, e,
			"INSERT INTO index_of_runs (application_id, machine_id, identity, "
			"n_configurations, sha256) VALUES (?1, ?2, ?3, ?4, ?5)",
			"iitit", app_id, machine_id, identity, n, sha256);
	w->id = sqlite3_last_insert_rowid(w->kb->db);
	return rc;
}

/* ---- the whole ---- */

static enum err_code prepare(struct writer *w, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_sql_prepare(w->kb, &w->node, e,
				 "INSERT INTO index_node VALUES (?, ?, ?, ?, ?, ?)", "")) ||
	    (rc = kb_sql_prepare(w->kb, &w->configuration, e,
				 "INSERT INTO index_configuration VALUES (?, ?, ?, ?, ?)", "")))
		return rc;
	return kb_sql_prepare(w->kb, &w->sample, e, "INSERT INTO index_sample VALUES (?, ?)", "");
}

static enum err_code replace(struct kb *kb, int64_t app_id, int64_t machine_id,
			     const struct kb_run_index *in, struct err *e)
{
	struct writer w = {.kb = kb, .in = in, .box = STRBUF_INIT};
	enum err_code rc = kb_sql_run(
		kb, e, "DELETE FROM index_of_runs WHERE application_id = ?1 AND machine_id = ?2",
		"ii", app_id, machine_id);

	if (rc || !in)
		return rc;
	w.digest = digest_new();
	if (!w.digest)
		return err_set(e, ERR_NOMEM, "an index of runs");
	if (!(rc = prepare(&w, e)) && !(rc = put_header(&w, app_id, machine_id, e)))
		rc = put_sample(&w, e);
	for (size_t i = 0; i < in->n_nodes && !rc; i++)
		rc = put_node(&w, i, e);
	sqlite3_finalize(w.node);
	sqlite3_finalize(w.configuration);
	sqlite3_finalize(w.sample);
	strbuf_release(&w.box);
	digest_free(w.digest);
	return rc;
}

enum err_code kb_put_run_index(struct kb *kb, int64_t app_id, int64_t machine_id,
			       const struct kb_run_index *in, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, replace(kb, app_id, machine_id, in, e), e);
}
