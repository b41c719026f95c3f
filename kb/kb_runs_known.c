#include "kb/kb_runs_known.h"

#include "kb/bloom_filter.h"
#include "kb/kb_run_table.h"
#include "kb/kb_run_value.h"

/* All that makes two runs the same, as a list after prefix. */
static void put_identity(const struct application *a, const char *prefix, struct strbuf *sql)
{
	static const char *const common[] = {"machine_id", "source",	"status",
					     "wall_s",	   "n_repeats", "repeat"};

	strbuf_printf(sql, "%scontent_hash", prefix);
	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
		strbuf_printf(sql, ", %s%s", prefix, common[i]);
	run_values_put_names(a, prefix, sql);
}

/* ---- temp.candidate, temp.shared: theirs that may be ours, the hashes that are ---- */

static void put_shared(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE TEMP TABLE shared AS SELECT DISTINCT content_hash FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, " WHERE run_id >= ?1 AND content_hash IN (SELECT content_hash FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, " WHERE run_id IN (SELECT run_id FROM temp.candidate))");
}

struct search {
	struct kb *kb;
	struct bloom_filter *ours;
	sqlite3_stmt *insert; /* a candidate */
};

static enum err_code note_ours(struct search *search, const struct application *a,
			       int64_t first_run_id, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT content_hash FROM ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " WHERE run_id >= ?1");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "known runs of %s", a->name)
			: kb_sql_prepare(search->kb, &s, e, strbuf_text(&sql), "i", first_run_id);
	while (!rc && !(rc = kb_sql_step_lazy(search->kb, s, &row, e)) && row)
		bloom_filter_add(search->ours, (uint64_t)sqlite3_column_int64(s, 0));
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

static enum err_code note_candidate(void *arg, int64_t run_id, uint64_t content, uint64_t group,
				    struct err *e)
{
	struct search *search = arg;
	bool row;
	enum err_code rc;

	(void)group;
	if (!bloom_filter_may_have(search->ours, content))
		return ERR_OK;
	sqlite3_bind_int64(search->insert, 1, run_id);
	rc = kb_sql_step(search->kb, search->insert, &row, e);
	sqlite3_reset(search->insert);
	return rc;
}

/* temp.candidate: runs of theirs, among them all whose hash ours have, too. */
static enum err_code find_candidates(struct run_keys *keys, int64_t first_run_id, int64_t n_ours,
				     struct err *e)
{
	struct search search = {.kb = keys->kb, .ours = bloom_filter_new((size_t)n_ours)};
	enum err_code rc;

	if (!search.ours)
		return err_set(e, ERR_NOMEM, "known runs of %s", keys->a->name);
	if (!(rc = kb_sql_run(keys->kb, e,
			      "CREATE TEMP TABLE candidate (run_id INTEGER PRIMARY KEY)", "")) &&
	    !(rc = note_ours(&search, keys->a, first_run_id, e)) &&
	    !(rc = kb_sql_prepare(keys->kb, &search.insert, e,
				  "INSERT INTO temp.candidate VALUES (?1)", "")))
		rc = run_keys_each(keys, first_run_id, note_candidate, &search, e);
	sqlite3_finalize(search.insert);
	bloom_filter_free(search.ours);
	return rc;
}

static enum err_code find_shared(struct kb *kb, const struct application *a, int64_t first_run_id,
				 struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	put_shared(a, &sql);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "known runs of %s", a->name)
			: kb_sql_run(kb, e, strbuf_text(&sql), "i", first_run_id);
	strbuf_release(&sql);
	return rc;
}

/* ---- temp.pair: our run, its line, and the stored run that it repeats ---- */

static const char ours[] = "run_id >= ?1";
static const char theirs_are[] = "run_id IN (SELECT run_id FROM temp.candidate)";

/* The runs of one side with such a hash, each identity numbered in run_id order. */
static void put_side(const struct application *a, const char *side, struct strbuf *sql)
{
	strbuf_puts(sql, "SELECT run_id, line, row_number() OVER (PARTITION BY ");
	put_identity(a, "", sql);
	strbuf_puts(sql, " ORDER BY run_id) AS j, ");
	put_identity(a, "", sql);
	strbuf_puts(sql, " FROM ");
	run_table_put_name(a, sql);
	strbuf_printf(sql, " WHERE content_hash IN (SELECT content_hash FROM temp.shared) AND %s",
		      side);
}

/* Equal hashes are candidates; equal values decide. The j-th of ours meets the j-th of theirs. */
static void put_pairs(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE TEMP TABLE pair AS SELECT o.run_id AS own, o.line AS line, "
			 "t.run_id AS stored FROM (");
	put_side(a, ours, sql);
	strbuf_puts(sql, ") AS o JOIN temp.theirs AS t ON o.content_hash = t.content_hash AND "
			 "o.j = t.j AND (");
	put_identity(a, "o.", sql);
	strbuf_puts(sql, ") IS (");
	put_identity(a, "t.", sql);
	strbuf_puts(sql, ")");
}

static enum err_code find_pairs(struct kb *kb, const struct application *a, int64_t first_run_id,
				struct err *e)
{
	struct strbuf theirs = STRBUF_INIT;
	struct strbuf pairs = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&theirs, "CREATE TEMP TABLE theirs AS ");
	put_side(a, theirs_are, &theirs);
	put_pairs(a, &pairs);
	if (theirs.failed || pairs.failed)
		rc = err_set(e, ERR_NOMEM, "known runs of %s", a->name);
	else if (!(rc = kb_sql_run(kb, e, strbuf_text(&theirs), "")) &&
		 /* Without an index the join would compare everything with everything. */
		 !(rc = kb_sql_run(
			   kb, e, "CREATE INDEX temp.theirs_by_content ON theirs (content_hash, j)",
			   "")) &&
		 !(rc = kb_sql_run(kb, e, strbuf_text(&pairs), "i", first_run_id)))
		rc = kb_sql_run(kb, e, "DROP TABLE temp.theirs", "");
	strbuf_release(&theirs);
	strbuf_release(&pairs);
	return rc;
}

/* ---- both ---- */

static enum err_code absorb_pairs(struct kb *kb, const struct application *a, int64_t import_id,
				  int64_t *n_known, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "DELETE FROM ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " WHERE run_id IN (SELECT own FROM temp.pair)");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "known runs of %s", a->name);
	else if (!(rc = kb_sql_run(kb, e,
				   "INSERT INTO known_run SELECT ?1, stored, line FROM temp.pair",
				   "i", import_id)) &&
		 !(rc = kb_sql_run(kb, e, strbuf_text(&sql), ""))) {
		*n_known = sqlite3_changes64(kb->db);
		rc = kb_sql_run(kb, e, "DROP TABLE temp.pair", "");
	}
	strbuf_release(&sql);
	return rc;
}

enum err_code runs_known_absorb(struct run_keys *keys, int64_t import_id, int64_t first_run_id,
				int64_t n_ours, int64_t *n_known, struct err *e)
{
	struct kb *kb = keys->kb;
	const struct application *a = keys->a;
	int64_t n_shared = 0;
	enum err_code rc;

	*n_known = 0;
	if ((rc = find_candidates(keys, first_run_id, n_ours, e)) ||
	    (rc = find_shared(kb, a, first_run_id, e)) ||
	    (rc = kb_sql_get_int64(kb, &n_shared, e, "SELECT count(*) FROM temp.shared", "")))
		return rc;
	if (n_shared > 0 && ((rc = find_pairs(kb, a, first_run_id, e)) ||
			     (rc = absorb_pairs(kb, a, import_id, n_known, e))))
		return rc;
	if ((rc = kb_sql_run(kb, e, "DROP TABLE temp.candidate", "")))
		return rc;
	return kb_sql_run(kb, e, "DROP TABLE temp.shared", "");
}
