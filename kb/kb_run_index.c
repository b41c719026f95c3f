#include "kb/kb_run_index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "kb/kb_record.h"
#include "kb/kb_runs_read.h"
#include "kb/kb_run_table.h"

/* What writing and reading of a run index must agree on. */

/* The box lo .. hi of a's stored columns as text: "50:300 - 1:16", and back: n_columns numbers
 * each. Errors: DAMAGED. */
static void index_box_put(const struct application *a, const double *lo, const double *hi,
			  struct strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < a->n_columns; i++) {
		if (!run_table_stores(a, i))
			continue;
		strbuf_puts(out, separator);
		separator = " ";
		if (isnan(lo[i])) {
			strbuf_putc(out, '-');
			continue;
		}
		strbuf_put_number(out, lo[i]);
		strbuf_putc(out, ':');
		strbuf_put_number(out, hi[i]);
	}
}

static enum err_code parse_range(char *text, double *lo, double *hi, struct err *e)
{
	char *colon = text ? strchr(text, ':') : NULL;

	if (text && !strcmp(text, "-")) {
		*lo = *hi = (double)NAN;
		return ERR_OK;
	}
	if (colon)
		*colon = '\0';
	if (!colon || number_parse(text, lo, NULL) || number_parse(colon + 1, hi, NULL))
		return err_set(e, ERR_DAMAGED,
			       "a box of the index of runs has no bounds: run `lemnos mine`");
	return ERR_OK;
}

static enum err_code index_box_parse(const struct application *a, const char *text, double *lo,
				     double *hi, struct err *e)
{
	char *copy = strdup(text);
	char *rest = NULL;
	char *word;
	enum err_code rc = ERR_OK;

	if (!copy)
		return err_set(e, ERR_NOMEM, "a box of the index of runs");
	word = strtok_r(copy, " ", &rest);
	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		lo[i] = hi[i] = (double)NAN;
		if (!run_table_stores(a, i))
			continue;
		rc = parse_range(word, &lo[i], &hi[i], e);
		word = strtok_r(NULL, " ", &rest);
	}
	free(copy);
	return rc;
}

/* Codes of levels may change with the runs of other machines, their texts do not. */
static void digest_value(struct digest *d, const struct column *c, double value)
{
	if (c->type == COL_TEXT && !isnan(value))
		content_put_text(d, c->levels.name[(size_t)value]);
	else
		content_put_real(d, value);
}

/* What digests are over: a run that stands for n_runs; the columns of a node; those of an index. */
static void index_digest_run(struct digest *d, const struct dataset *runs, size_t i, int64_t n_runs)
{
	const double *row = dataset_row(runs, i);

	content_put_integer(d, runs->run_id[i]);
	content_put_integer(d, runs->status[i]);
	content_put_real(d, runs->wall_s[i]);
	content_put_integer(d, n_runs);
	for (size_t c = 0; c < runs->n_columns; c++) {
		if (run_table_stores(runs->app, c))
			digest_value(d, &runs->app->column[c], row[c]);
	}
}

static void index_digest_node(struct digest *d, int64_t number, int64_t n, const char *box,
			      const char *contents)
{
	content_put_integer(d, number);
	content_put_integer(d, n);
	content_put_text(d, box);
	content_put_text(d, contents);
}

static void index_digest_header(struct digest *d, const char *identity, int64_t n_configurations)
{
	content_put_text(d, identity);
	content_put_integer(d, n_configurations);
}

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

static enum err_code put_configuration(struct writer *w, int64_t node, size_t i, int64_t run_id,
				       int64_t n_runs, struct err *e)
{
	sqlite3_stmt *s = w->configuration;

	sqlite3_bind_int64(s, 1, w->id);
	sqlite3_bind_int64(s, 2, node);
	sqlite3_bind_int64(s, 3, (int64_t)i);
	sqlite3_bind_int64(s, 4, run_id);
	sqlite3_bind_int64(s, 5, n_runs);
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

/* Runs that did not end are listed as those of a box that is no half of another. */
#define UNENDED_NODE INT64_MAX

static enum err_code put_node_row(struct writer *w, int64_t number, size_t n, const char *contents,
				  struct err *e)
{
	char sha256[DIGEST_HEX_SIZE];
	sqlite3_stmt *s = w->node;

	index_digest_node(w->digest, number, (int64_t)n, strbuf_text(&w->box), contents);
	digest_final(w->digest, sha256);
	sqlite3_bind_int64(s, 1, w->id);
	sqlite3_bind_int64(s, 2, number);
	sqlite3_bind_int64(s, 3, (int64_t)n);
	sqlite3_bind_text(s, 4, strbuf_text(&w->box), -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 5, contents, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, sha256, -1, SQLITE_STATIC);
	return step(w, s, e);
}

static enum err_code put_node(struct writer *w, size_t i_node, struct err *e)
{
	const struct kb_run_index *in = w->in;
	const struct kb_index_node *node = &in->node[i_node];
	const struct application *a = in->runs->app;
	const size_t at = i_node * a->n_columns;
	char contents[DIGEST_HEX_SIZE];
	enum err_code rc;

	strbuf_clear(&w->box);
	index_box_put(a, in->lo + at, in->hi + at, &w->box);
	if (w->box.failed)
		return err_set(e, ERR_NOMEM, "a box of runs");
	digest_configurations(w, node, contents);
	rc = put_node_row(w, node->number, node->n, contents, e);
	for (size_t i = 0; i < node->n && !rc; i++) {
		const size_t k = node->first + i;

		rc = put_configuration(w, node->number, i, in->runs->run_id[in->run[k]],
				       in->n_runs[k], e);
	}
	return rc;
}

/* What stands for the number of its runs where one counts as failed that is stored as ok. */
#define AS_FAILED 2

static void digest_unended(struct digest *d, int64_t run_id, bool as_failed)
{
	content_put_integer(d, run_id);
	if (as_failed)
		content_put_integer(d, AS_FAILED);
}

/* Is unended[i] in failing[]? *k: 0, of the first; both are ascending. */
static bool counts_as_failed(const struct kb_run_index *in, size_t i, size_t *k)
{
	while (*k < in->n_failing && in->failing[*k] < in->unended[i])
		++*k;
	return *k < in->n_failing && in->failing[*k] == in->unended[i];
}

static enum err_code put_unended(struct writer *w, struct err *e)
{
	const struct kb_run_index *in = w->in;
	char contents[DIGEST_HEX_SIZE];
	enum err_code rc;

	strbuf_clear(&w->box);
	for (size_t i = 0, k = 0; i < in->n_unended; i++)
		digest_unended(w->digest, in->unended[i], counts_as_failed(in, i, &k));
	digest_final(w->digest, contents);
	rc = put_node_row(w, UNENDED_NODE, in->n_unended, contents, e);
	for (size_t i = 0, k = 0; i < in->n_unended && !rc; i++)
		rc = put_configuration(w, UNENDED_NODE, i, in->unended[i],
				       counts_as_failed(in, i, &k) ? AS_FAILED : 1, e);
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
	if (!rc)
		rc = put_unended(&w, e);
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

/* Boxes are halved; with so many halvings a damaged file has gone astray. */
enum { MAX_DEPTH = 62 };

/* One index that is read. */
struct index_reader {
	struct kb *kb;
	const struct application *a;
	int64_t id;
	char identity[65];
	int64_t n_configurations;
	char sha256[65];
	sqlite3_stmt *node, *configurations;
	struct digest *digest;
	struct run_loader loader;
	size_t *n_runs; /* of the box that is open */
	size_t cap;
};

/* A row of index_node. */
struct index_node {
	int64_t number, n;
	char contents[65];
	double *lo, *hi;
};

/* ---- opening ---- */

static enum err_code damaged(struct err *e)
{
	return err_set(e, ERR_DAMAGED,
		       "parts of the index of runs are missing, the file is damaged: run `lemnos "
		       "mine`, and `lemnos status check` for the rest");
}

/* r->id: 0 unless there is one of today's runs. */
static enum err_code find(struct index_reader *r, int64_t app_id, int64_t machine_id, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	char now[65];
	enum err_code rc =
		kb_sql_prepare(r->kb, &s, e,
			       "SELECT index_id, identity, n_configurations, sha256 "
			       "FROM index_of_runs WHERE application_id = ?1 AND machine_id "
			       "= ?2",
			       "ii", app_id, machine_id);

	if (!rc && !(rc = kb_sql_step(r->kb, s, &row, e)) && row &&
	    !(rc = kb_runs_identity(r->kb, app_id, machine_id, now, e)) &&
	    !strcmp(now, kb_sql_text(s, 1))) {
		r->id = sqlite3_column_int64(s, 0);
		strcpy(r->identity, now);
		r->n_configurations = sqlite3_column_int64(s, 2);
		strncpy(r->sha256, kb_sql_text(s, 3), sizeof r->sha256 - 1);
	}
	sqlite3_finalize(s);
	return rc;
}

/* "SELECT what of r, more FROM index_table AS i CROSS JOIN runs AS r USING (run_id) WHERE end". */
static enum err_code prepare_runs(struct index_reader *r, const char *more, const char *index_table,
				  const char *end, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT ");
	run_loader_put_columns(r->a, "r.", &sql);
	strbuf_printf(&sql, "%s FROM %s AS i CROSS JOIN ", more, index_table);
	run_table_put_name(r->a, &sql);
	strbuf_printf(&sql, " AS r ON r.run_id = i.run_id WHERE i.index_id = ?1 %s", end);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "query of an index of runs")
			: run_query_prepare(r->kb, strbuf_text(&sql), out, e);
	strbuf_release(&sql);
	if (!rc && sqlite3_bind_int64(*out, 1, r->id) != SQLITE_OK)
		rc = kb_sql_fail(r->kb, "read the index of runs", e);
	return rc;
}

/* For searching; of an index that find() found. Once. */
static enum err_code open_boxes(struct index_reader *r, struct err *e)
{
	enum err_code rc;

	if (r->node)
		return ERR_OK;
	if ((rc = kb_sql_prepare(r->kb, &r->node, e,
				 "SELECT n, box, contents, sha256 FROM index_node "
				 "WHERE index_id = ?1 AND node = ?2",
				 "i", r->id)))
		return rc;
	return prepare_runs(r, ", i.n_runs", "index_configuration",
			    "AND i.node = ?2 ORDER BY i.position", &r->configurations, e);
}

static enum err_code reader_init(struct index_reader *r, struct kb *kb, const struct application *a,
				 struct err *e)
{
	*r = (struct index_reader){.kb = kb, .a = a, .digest = digest_new()};
	if (!r->digest)
		return err_set(e, ERR_NOMEM, "an index of runs");
	return run_loader_init(&r->loader, a, e);
}

static void reader_release(struct index_reader *r)
{
	sqlite3_finalize(r->node);
	sqlite3_finalize(r->configurations);
	digest_free(r->digest);
	run_loader_release(&r->loader);
	free(r->n_runs);
}

/* ---- the sample ---- */

static enum err_code read_sample(struct index_reader *r, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = prepare_runs(r, "", "index_sample", "ORDER BY i.run_id", &s, e);

	index_digest_header(r->digest, r->identity, r->n_configurations);
	while (!rc && !(rc = kb_sql_step(r->kb, s, &row, e)) && row) {
		if (!(rc = run_loader_add(&r->loader, s, e)))
			index_digest_run(r->digest, r->loader.runs, r->loader.runs->n - 1, 0);
	}
	sqlite3_finalize(s);
	return rc ? rc : content_check(r->digest, r->sha256, "the sample of runs", e);
}

enum err_code kb_load_run_sample(struct kb *kb, const struct application *a, int64_t app_id,
				 int64_t machine_id, struct dataset **out, struct err *e)
{
	struct index_reader r;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = reader_init(&r, kb, a, e)) && !(rc = find(&r, app_id, machine_id, e)) && r.id)
		rc = read_sample(&r, e);
	if (!rc)
		*out = r.id ? run_loader_take(&r.loader) : NULL;
	reader_release(&r);
	kb_own_end_read(kb, own);
	return rc;
}

/* ---- one box ---- */

static enum err_code check_node(struct index_reader *r, const struct index_node *node,
				sqlite3_stmt *s, struct err *e)
{
	index_digest_node(r->digest, node->number, node->n, kb_sql_text(s, 1), node->contents);
	return content_check(r->digest, kb_sql_text(s, 3), "the index of runs", e);
}

/* lo and hi are the caller's room. */
static enum err_code read_node(struct index_reader *r, int64_t number, struct index_node *node,
			       struct err *e)
{
	sqlite3_stmt *s = r->node;
	bool row = false;
	enum err_code rc;

	sqlite3_bind_int64(s, 2, number);
	if (!(rc = kb_sql_step(r->kb, s, &row, e)) && !row)
		rc = damaged(e);
	if (!rc) {
		node->number = number;
		node->n = sqlite3_column_int64(s, 0);
		*node->contents = '\0';
		strncat(node->contents, kb_sql_text(s, 2), sizeof node->contents - 1);
		if (!(rc = check_node(r, node, s, e)))
			rc = index_box_parse(r->a, kb_sql_text(s, 1), node->lo, node->hi, e);
	}
	sqlite3_reset(s);
	return rc;
}

static enum err_code note_count(struct index_reader *r, size_t i, int64_t n, struct err *e)
{
	if (i >= r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 64;
		size_t *grown = realloc(r->n_runs, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu configurations", cap);
		r->n_runs = grown;
		r->cap = cap;
	}
	r->n_runs[i] = n > 0 ? (size_t)n : 0;
	return ERR_OK;
}

/* The configurations of a box into r->loader.runs and r->n_runs. */
static enum err_code read_configurations(struct index_reader *r, const struct index_node *node,
					 struct err *e)
{
	sqlite3_stmt *s = r->configurations;
	struct dataset *runs = r->loader.runs;
	bool row = true;
	enum err_code rc = ERR_OK;

	runs->n = 0;
	sqlite3_bind_int64(s, 2, node->number);
	while (!rc && !(rc = kb_sql_step(r->kb, s, &row, e)) && row) {
		int64_t n = sqlite3_column_int64(s, sqlite3_column_count(s) - 1);

		if ((rc = run_loader_add(&r->loader, s, e)) ||
		    (rc = note_count(r, runs->n - 1, n, e)))
			break;
		index_digest_run(r->digest, runs, runs->n - 1, n);
	}
	sqlite3_reset(s);
	return rc ? rc : content_check(r->digest, node->contents, "the index of runs", e);
}

/* ---- what did not end ---- */

static enum err_code add_unended(struct index_reader *r, struct err *e)
{
	sqlite3_stmt *s = r->configurations;
	bool row = true;
	enum err_code rc = ERR_OK;

	r->loader.runs->n = 0;
	sqlite3_bind_int64(s, 2, UNENDED_NODE);
	while (!rc && !(rc = kb_sql_step_lazy(r->kb, s, &row, e)) && row) {
		const bool as_failed =
			sqlite3_column_int64(s, sqlite3_column_count(s) - 1) == AS_FAILED;

		digest_unended(r->digest, sqlite3_column_int64(s, 0), as_failed);
		if (!(rc = run_loader_add(&r->loader, s, e)) && as_failed)
			r->loader.runs->status[r->loader.runs->n - 1] = RUN_FAILED;
	}
	return rc;
}

/* *known: were they listed? */
static enum err_code read_unended(struct index_reader *r, bool *known, struct err *e)
{
	char contents[DIGEST_HEX_SIZE];
	sqlite3_stmt *s;
	enum err_code rc = open_boxes(r, e);

	if (rc)
		return rc;
	s = r->node;
	sqlite3_bind_int64(s, 2, UNENDED_NODE);
	if ((rc = kb_sql_step(r->kb, s, known, e)) || !*known)
		return rc;
	snprintf(contents, sizeof contents, "%s", kb_sql_text(s, 2));
	index_digest_node(r->digest, UNENDED_NODE, sqlite3_column_int64(s, 0), kb_sql_text(s, 1),
			  contents);
	if ((rc = content_check(r->digest, kb_sql_text(s, 3), "the index of runs", e)) ||
	    (rc = add_unended(r, e)))
		return rc;
	return content_check(r->digest, contents, "the index of runs", e);
}

enum err_code kb_load_unended_runs(struct kb *kb, const struct application *a, int64_t app_id,
				   int64_t machine_id, struct dataset **out, struct err *e)
{
	struct index_reader r;
	bool own, known = false;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = reader_init(&r, kb, a, e)) && !(rc = find(&r, app_id, machine_id, e)) && r.id)
		rc = read_unended(&r, &known, e);
	if (!rc)
		*out = known ? run_loader_take(&r.loader) : NULL;
	reader_release(&r);
	kb_own_end_read(kb, own);
	return rc;
}

/* ---- from box to box ---- */

static enum err_code distance_to(struct index_reader *r, const struct kb_index_visitor *v,
				 int64_t number, struct index_node *node, double *out,
				 struct err *e)
{
	enum err_code rc = read_node(r, number, node, e);

	if (!rc)
		*out = v->distance(v->arg, node->lo, node->hi);
	return rc;
}

/* node is room for the boxes below, too: what it said is not needed after they are opened. */
static enum err_code visit(struct index_reader *r, const struct kb_index_visitor *v, int64_t number,
			   struct index_node *node, int depth, struct err *e)
{
	double here, there;
	int64_t near = 2 * number, far = 2 * number + 1;
	enum err_code rc;

	/* Again, since what is wanted may have become less. */
	if ((rc = distance_to(r, v, number, node, &here, e)) || !(here < (double)INFINITY))
		return rc;
	if (node->n > 0) {
		rc = read_configurations(r, node, e);
		return rc ? rc : v->take(v->arg, r->loader.runs, r->n_runs, e);
	}
	if (depth == MAX_DEPTH)
		return damaged(e);
	if ((rc = distance_to(r, v, near, node, &here, e)) ||
	    (rc = distance_to(r, v, far, node, &there, e)))
		return rc;
	if (there < here) {
		near = far;
		far = 2 * number;
	}
	rc = visit(r, v, near, node, depth + 1, e);
	return rc ? rc : visit(r, v, far, node, depth + 1, e);
}

static enum err_code search(struct index_reader *r, const struct kb_index_visitor *v, struct err *e)
{
	size_t n = r->a->n_columns;
	double *box = calloc(2 * n + 1, sizeof *box);
	struct index_node node = {.lo = box};
	enum err_code rc;

	if (!box)
		return err_set(e, ERR_NOMEM, "a box of %zu columns", n);
	node.hi = box + n;
	if (!(rc = open_boxes(r, e)))
		rc = visit(r, v, 1, &node, 0, e);
	free(box);
	return rc;
}

enum err_code kb_search_run_index(struct kb *kb, const struct application *a, int64_t app_id,
				  int64_t machine_id, const struct kb_index_visitor *v, bool *found,
				  struct err *e)
{
	struct index_reader r;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = reader_init(&r, kb, a, e)) && !(rc = find(&r, app_id, machine_id, e)) && r.id)
		rc = search(&r, v, e);
	if (!rc)
		*found = r.id != 0;
	reader_release(&r);
	kb_own_end_read(kb, own);
	return rc;
}

/* ---- all of it ---- */

static double wanted(void *arg, const double *lo, const double *hi)
{
	(void)arg;
	(void)lo;
	(void)hi;
	return 0;
}

static enum err_code count(void *arg, const struct dataset *runs, const size_t *n_runs,
			   struct err *e)
{
	int64_t *n = arg;

	(void)n_runs;
	(void)e;
	*n += (int64_t)runs->n;
	return ERR_OK;
}

static enum err_code check(struct index_reader *r, struct err *e)
{
	int64_t n = 0;
	const struct kb_index_visitor all = {&n, wanted, count};
	bool known;
	enum err_code rc;

	if ((rc = read_sample(r, e)) || (rc = search(r, &all, e)) ||
	    (rc = read_unended(r, &known, e)))
		return rc;
	return n == r->n_configurations ? ERR_OK : damaged(e);
}

enum err_code kb_check_run_index(struct kb *kb, const struct application *a, int64_t app_id,
				 int64_t machine_id, bool *found, struct err *e)
{
	struct index_reader r;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if (!(rc = reader_init(&r, kb, a, e)) && !(rc = find(&r, app_id, machine_id, e)) && r.id)
		rc = check(&r, e);
	if (!rc)
		*found = r.id != 0;
	reader_release(&r);
	kb_own_end_read(kb, own);
	return rc;
}
