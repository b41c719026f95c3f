#include "kb/kb_run_writer.h"

#include <stdio.h>
#include <stdlib.h>

#include "kb/bloom_filter.h"
#include "kb/kb_imports.h"
#include "kb/kb_sql.h"
#include "kb/kb_run_keys.h"
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

struct known_search {
	struct kb *kb;
	struct bloom_filter *ours;
	sqlite3_stmt *insert; /* a candidate */
};

static enum err_code note_ours(struct known_search *search, const struct application *a,
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
	struct known_search *search = arg;
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
	struct known_search search = {.kb = keys->kb, .ours = bloom_filter_new((size_t)n_ours)};
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

/* The n_ours runs from first_run_id on are those of import import_id. Where other imports hold the
 * same run (machine, source, status, stored columns, time, number of repeats, repeat number) k
 * times, the first k of ours go, and known_run remembers which stored run each of them was.
 * keys:
 * of all runs below first_run_id. */
static enum err_code runs_known_absorb(struct run_keys *keys, int64_t import_id,
				       int64_t first_run_id, int64_t n_ours, int64_t *n_known,
				       struct err *e)
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

/* What was written is read back: number and sum of times must agree. */
static enum err_code verify(struct kb_run_writer *w, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT count(*), total(wall_s) FROM ");
	run_table_put_name(w->a, &sql);
	strbuf_puts(&sql, " WHERE run_id >= ?1");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "check of the runs written");
	else if (!(rc = kb_sql_prepare(w->kb, &s, e, strbuf_text(&sql), "i", w->first_run_id)) &&
		 !(rc = kb_sql_step(w->kb, s, &row, e))) {
		int64_t n = sqlite3_column_int64(s, 0);
		double sum = sqlite3_column_double(s, 1);

		/* Both sums run in the same order; newer versions of SQLite compensate rounding. */
		if (n != w->next_run_id - w->first_run_id ||
		    !(fabs(sum - w->sum_wall_s) <= 1e-9 * w->sum_wall_s))
			rc = err_set(e, ERR_KB,
				     "%s: %lld runs of %.17g s together were written, %lld runs of "
				     "%.17g s came back",
				     kb_path(w->kb), (long long)(w->next_run_id - w->first_run_id),
				     w->sum_wall_s, (long long)n, sum);
	}
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

/* Our ok runs: run_id, machine_id, source, wall_s and the stored columns. */
static enum err_code select_ok_runs(struct kb_run_writer *w, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT run_id, machine_id, source, wall_s");
	run_values_put_names(w->a, "", &sql);
	strbuf_puts(&sql, " FROM ");
	run_table_put_name(w->a, &sql);
	strbuf_puts(&sql, " WHERE status = 'ok' AND run_id >= ?1");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "list of runs")
			: kb_sql_prepare(w->kb, out, e, strbuf_text(&sql), "i", w->first_run_id);
	strbuf_release(&sql);
	return rc;
}

static uint64_t group_of_row(struct kb_run_writer *w, sqlite3_stmt *s)
{
	run_values_from_row(w->a, s, 4, w->value);
	return run_groups_key(w->groups, sqlite3_column_int64(s, 1), kb_sql_text(s, 2), w->value);
}

static enum err_code note_other(void *arg, int64_t run_id, uint64_t content, uint64_t group,
				struct err *e)
{
	struct kb_run_writer *w = arg;

	(void)run_id;
	(void)content;
	(void)e;
	run_groups_note_packed(w->groups, group);
	return ERR_OK;
}

/* The groups of our runs learn from those that were there. */
static enum err_code compare_with_others(struct kb_run_writer *w, struct err *e)
{
	return run_keys_each(&w->keys, w->first_run_id, note_other, w, e);
}

/* How every such flag ends. */
#define OF_THE_SAME " runs of this problem on as many processors"

/* So many digits, and never an exponent that times of runs do not need: 3400, not 3.4e+03. */
static double rounded(double value, int digits)
{
	char text[32];

	snprintf(text, sizeof text, "%.*e", digits - 1, value);
	return strtod(text, NULL);
}

/* A run that another base flagged so keeps what was said there: it is not said twice. */
static enum err_code flag_one(struct kb_run_writer *w, int64_t run_id, double wall_s,
			      double median_s, uint32_t n, struct err *e)
{
	struct strbuf update = STRBUF_INIT;
	struct strbuf flag = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&flag,
		      "%.15g s is less than 1/%d of the median (about %.15g s) of %u" OF_THE_SAME,
		      rounded(wall_s, 3), (int)RUN_GROUP_RATIO, rounded(median_s, 2), (unsigned)n);
	strbuf_puts(&update, "UPDATE ");
	run_table_put_name(w->a, &update);
	strbuf_puts(&update,
		    " SET flag = iif(flag IS NULL, ?2, flag || '; ' || ?2) WHERE run_id = ?1 "
		    "AND coalesce(flag, '') NOT LIKE '%" OF_THE_SAME "'");
	rc = flag.failed || update.failed
		     ? err_set(e, ERR_NOMEM, "flag of a run")
		     : kb_sql_run(w->kb, e, strbuf_text(&update), "it", run_id, strbuf_text(&flag));
	strbuf_release(&update);
	strbuf_release(&flag);
	return rc;
}

static enum err_code flag_suspicious(struct kb_run_writer *w, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = w->has_other_runs ? compare_with_others(w, e) : ERR_OK;

	if (rc || !run_groups_any_suspicious(w->groups) || (rc = select_ok_runs(w, &s, e)))
		return rc;
	while (!rc && !(rc = kb_sql_step_lazy(w->kb, s, &row, e)) && row) {
		double median_s;
		uint32_t n;

		if (run_groups_suspicious(w->groups, group_of_row(w, s),
					  sqlite3_column_double(s, 3), &median_s, &n)) {
			w->any_flag = true;
			rc = flag_one(w, sqlite3_column_int64(s, 0), sqlite3_column_double(s, 3),
				      median_s, n, e);
		}
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code store_levels(struct kb_run_writer *w, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < w->a->n_columns; i++) {
		const struct column *c = &w->a->column[i];

		for (size_t k = 0; !rc && k < w->n_level_seen[i]; k++) {
			if (w->level_seen[i][k])
				rc = kb_sql_run(w->kb, e,
						"INSERT OR IGNORE INTO application_level "
						"VALUES (?1, ?2, ?3)",
						"itt", w->app_id, c->name, c->levels.name[k]);
		}
	}
	return rc;
}

static enum err_code count_flagged(struct kb_run_writer *w, int64_t *n, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	*n = 0;
	if (!w->any_flag)
		return ERR_OK;
	strbuf_puts(&sql, "SELECT count(flag) FROM ");
	run_table_put_name(w->a, &sql);
	strbuf_puts(&sql, " WHERE run_id >= ?1");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "count of flags")
			: kb_sql_get_int64(w->kb, n, e, strbuf_text(&sql), "i", w->first_run_id);
	strbuf_release(&sql);
	return rc;
}

/* Runs that others brought, too, are no longer ours: then they are counted again. */
static enum err_code count_by_machine(struct kb_run_writer *w, const char *table, int64_t n_known,
				      struct err *e)
{
	enum err_code rc = ERR_OK;

	if (n_known > 0)
		return import_count_machines(w->kb, w->import_id, table, e);
	for (size_t i = 0; !rc && i < w->n_machines; i++)
		rc = kb_sql_run(w->kb, e,
				"UPDATE import_machine SET n_runs = ?3 "
				"WHERE import_id = ?1 AND machine_id = ?2",
				"iii", w->import_id, w->machine[i].id, w->machine[i].n_runs);
	return rc;
}

/* Without runs of others there is nothing to find. */
static enum err_code absorb_known(struct kb_run_writer *w, int64_t *n_known, struct err *e)
{
	enum err_code rc;

	*n_known = 0;
	if (!w->has_other_runs)
		return ERR_OK;
	rc = runs_known_absorb(&w->keys, w->import_id, w->first_run_id,
			       w->next_run_id - w->first_run_id, n_known, e);
	return rc || *n_known == 0 ? rc
				   : run_keys_renew(&w->keys, w->first_run_id, w->next_run_id, e);
}

static enum err_code finish(struct kb_run_writer *w, struct kb_import *imp, struct err *e)
{
	char table[RUN_TABLE_NAME_SIZE];
	enum err_code rc;

	run_table_name(w->a, table);
	if ((w->own_batch && (rc = kb_run_writer_store(w, w->own_batch, e))) ||
	    (rc = run_keys_flush(&w->keys, e)) || (rc = verify(w, e)) ||
	    (rc = kb_sql_run(w->kb, e, "UPDATE counter SET next = ?1 WHERE name = 'run_id'", "i",
			     w->next_run_id)) ||
	    (rc = absorb_known(w, &imp->n_known, e)))
		return rc;
	imp->n_taken = w->next_run_id - w->first_run_id - imp->n_known;
	if ((rc = flag_suspicious(w, e)) || (rc = count_flagged(w, &imp->n_flagged, e)) ||
	    (rc = store_levels(w, e)) ||
	    (rc = import_wake_exclusions(w->kb, w->a->name, table, w->first_run_id, e)) ||
	    (rc = count_by_machine(w, table, imp->n_known, e)))
		return rc;
	return import_store_counts(w->kb, imp, e);
}

enum err_code kb_run_writer_finish(struct kb_run_writer *w, struct kb_import *imp,
				   const struct progress *p, struct err *e)
{
	struct kb_watch watch = {.progress = p, .what = "indexing"};
	enum err_code rc;

	kb_watch_start(w->kb, &watch);
	rc = finish(w, imp, e);
	kb_watch_stop(w->kb);
	return rc;
}
