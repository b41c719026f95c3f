#include "kb/kb_runs_known.h"

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

/* The runs of one side whose hash occurs on both, each identity numbered in run_id order. */
static void put_side(const struct application *a, const char *side, struct strbuf *sql)
{
	strbuf_puts(sql, "SELECT run_id, line, row_number() OVER (PARTITION BY ");
	put_identity(a, "", sql);
	strbuf_puts(sql, " ORDER BY run_id) AS j, ");
	put_identity(a, "", sql);
	strbuf_puts(sql, " FROM ");
	run_table_put_name(a, sql);
	strbuf_printf(sql,
		      " WHERE content_hash IN (SELECT content_hash FROM shared) AND run_id %s ?1",
		      side);
}

/* Equal hashes are candidates; equal values decide. The j-th of ours meets the j-th of theirs. */
static void put_pairs(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE TEMP TABLE pair AS\nWITH shared AS MATERIALIZED (\n"
			 "SELECT DISTINCT content_hash FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, " AS n WHERE run_id >= ?1 AND EXISTS (SELECT 1 FROM ");
	run_table_put_name(a, sql);
	strbuf_puts(sql,
		    " AS o WHERE o.content_hash = n.content_hash AND o.run_id < ?1)),\nours AS (");
	put_side(a, ">=", sql);
	strbuf_puts(sql, "),\ntheirs AS MATERIALIZED (");
	put_side(a, "<", sql);
	strbuf_puts(sql,
		    ")\nSELECT o.run_id AS own, o.line AS line, t.run_id AS stored FROM ours AS o "
		    "JOIN theirs AS t ON o.content_hash = t.content_hash AND o.j = t.j AND (");
	put_identity(a, "o.", sql);
	strbuf_puts(sql, ") IS (");
	put_identity(a, "t.", sql);
	strbuf_puts(sql, ")");
}

enum err_code runs_known_absorb(struct kb *kb, const struct application *a, int64_t import_id,
				int64_t first_run_id, int64_t *n_known, struct err *e)
{
	struct strbuf pairs = STRBUF_INIT;
	struct strbuf absorb = STRBUF_INIT;
	enum err_code rc;

	put_pairs(a, &pairs);
	strbuf_puts(&absorb, "DELETE FROM ");
	run_table_put_name(a, &absorb);
	strbuf_puts(&absorb, " WHERE run_id IN (SELECT own FROM temp.pair)");
	if (pairs.failed || absorb.failed)
		rc = err_set(e, ERR_NOMEM, "known runs of %s", a->name);
	else if (!(rc = kb_sql_run(kb, e, strbuf_text(&pairs), "i", first_run_id)) &&
		 !(rc = kb_sql_run(kb, e,
				   "INSERT INTO known_run SELECT ?1, stored, line FROM temp.pair",
				   "i", import_id)) &&
		 !(rc = kb_sql_run(kb, e, strbuf_text(&absorb), ""))) {
		*n_known = sqlite3_changes64(kb->db);
		rc = kb_sql_run(kb, e, "DROP TABLE temp.pair", "");
	}
	strbuf_release(&pairs);
	strbuf_release(&absorb);
	return rc;
}
