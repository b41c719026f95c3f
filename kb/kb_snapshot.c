#include "kb/kb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "kb/kb_run_index.h"
#include "kb/kb_sql.h"

/* A snapshot says which facts there are by their content: the definitions, the files imported and
 * how they were read, the exclusions. Ids, dates and order play no part, so two bases that were
 * filled or merged in another order agree. What an import left out as known, another one brought,
 * so the set of imports determines the set of runs. */
static const char *const parts[] = {
	"SELECT 'application', sha256 FROM application WHERE application_id = ?1",
	"SELECT 'machine', sha256 FROM machine WHERE machine_id = ?2",
	"SELECT 'import', i.sha256, i.mapping, lower(ifnull(i.machine, '')) FROM import AS i "
	"JOIN import_machine AS im USING (import_id) WHERE i.undone_at IS NULL AND im.machine_id = "
	"?2 "
	"AND (i.application IS NULL OR i.application = "
	"(SELECT name FROM application WHERE application_id = ?1) COLLATE NOCASE) ORDER BY 2, 3, 4",
};

static void put_field(struct digest *d, const char *text)
{
	char length[24];

	/* Lengths keep "ab" "c" and "a" "bc" apart. */
	snprintf(length, sizeof length, "%zu:", strlen(text));
	digest_update(d, length, strlen(length));
	digest_update(d, text, strlen(text));
}

static enum err_code put_rows(struct kb *kb, struct digest *d, sqlite3_stmt *s, struct err *e)
{
	bool row = true;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		for (int i = 0; i < sqlite3_column_count(s); i++)
			put_field(d, kb_sql_text(s, i));
	}
	return rc;
}

static enum err_code put_exclusions(struct kb *kb, struct digest *d, int64_t app_id,
				    int64_t machine_id, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *table = NULL;
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		kb, &table, e, "SELECT run_table FROM application WHERE application_id = ?1", "i",
		app_id);

	if (!rc && !(rc = kb_sql_step(kb, table, &row, e)) && row) {
		/* CROSS: few exclusions are looked up among many runs, never the other way. */
		strbuf_puts(&sql,
			    "SELECT 'exclusion', x.content_hash FROM exclusion AS x CROSS JOIN ");
		strbuf_put_sql_name(&sql, kb_sql_text(table, 0));
		strbuf_puts(&sql, " AS r USING (run_id) WHERE r.machine_id = ?1 ORDER BY 2");
		if (sql.failed)
			rc = err_set(e, ERR_NOMEM, "exclusions of a snapshot");
		else if (!(rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "i", machine_id)))
			rc = put_rows(kb, d, s, e);
	}
	sqlite3_finalize(table);
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}

enum err_code kb_snapshot(struct kb *kb, int64_t app_id, int64_t machine_id, char out[65],
			  struct err *e)
{
	struct digest *d = digest_new();
	bool own;
	enum err_code rc;

	if (!d)
		return err_set(e, ERR_NOMEM, "snapshot");
	if ((rc = kb_own_begin_read(kb, &own, e)))
		goto done;
	for (size_t i = 0; !rc && i < sizeof parts / sizeof parts[0]; i++) {
		sqlite3_stmt *s = NULL;

		if (!(rc = kb_sql_prepare(kb, &s, e, parts[i], i == 0 ? "i" : "ii", app_id,
					  machine_id)))
			rc = put_rows(kb, d, s, e);
		sqlite3_finalize(s);
	}
	if (!rc)
		rc = put_exclusions(kb, d, app_id, machine_id, e);
	kb_own_end_read(kb, own);
	if (!rc)
		digest_final(d, out);
done:
	digest_free(d);
	return rc;
}

/* ---- with the numbers of runs ---- */

/* A run keeps its number as long as its import stands. Of runs with the same content one or the
 * other may be excluded, which a snapshot does not tell. */
static const char *const numbers[] = {
	"SELECT i.import_id FROM import AS i JOIN import_machine AS im USING (import_id) WHERE "
	"i.undone_at IS NULL AND im.machine_id = ?2 AND i.application = (SELECT name FROM "
	"application WHERE application_id = ?1) COLLATE NOCASE ORDER BY 1",
	"SELECT run_id FROM exclusion WHERE application = (SELECT name FROM application "
	"WHERE application_id = ?1) COLLATE NOCASE ORDER BY 1",
};

enum err_code kb_runs_identity(struct kb *kb, int64_t app_id, int64_t machine_id, char out[65],
			       struct err *e)
{
	char snapshot[65];
	struct digest *d = NULL;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if ((rc = kb_snapshot(kb, app_id, machine_id, snapshot, e)))
		goto done;
	if (!(d = digest_new())) {
		rc = err_set(e, ERR_NOMEM, "the identity of runs");
		goto done;
	}
	put_field(d, snapshot);
	for (size_t i = 0; !rc && i < sizeof numbers / sizeof numbers[0]; i++) {
		sqlite3_stmt *s = NULL;

		put_field(d, i == 0 ? "imports" : "exclusions");
		if (!(rc = kb_sql_prepare(kb, &s, e, numbers[i], i == 0 ? "ii" : "i", app_id,
					  machine_id)))
			rc = put_rows(kb, d, s, e);
		sqlite3_finalize(s);
	}
	if (!rc)
		digest_final(d, out);
done:
	digest_free(d);
	kb_own_end_read(kb, own);
	return rc;
}

/* ---- all machines together ---- */

struct snapshots {
	char (*hex)[DIGEST_HEX_SIZE];
	size_t n;
};

static int by_hex(const void *a, const void *b)
{
	return memcmp(a, b, DIGEST_HEX_SIZE);
}

/* Those of the machines that have runs. */
static enum err_code machine_snapshots(struct kb *kb, int64_t app_id, struct snapshots *out,
				       struct err *e)
{
	struct kb_names machines = {0};
	enum err_code rc = kb_list_machines(kb, app_id, &machines, e);

	if (!rc && !(out->hex = calloc(machines.n + 1, sizeof *out->hex)))
		rc = err_set(e, ERR_NOMEM, "snapshots of %zu machines", machines.n);
	for (size_t i = 0; !rc && i < machines.n; i++) {
		if (machines.item[i].n_runs > 0)
			rc = kb_snapshot(kb, app_id, machines.item[i].id, out->hex[out->n++], e);
	}
	kb_names_release(&machines);
	return rc;
}

enum err_code kb_snapshot_all(struct kb *kb, int64_t app_id, char out[65], struct err *e)
{
	struct snapshots all = {0};
	struct digest *d = digest_new();
	bool own;
	enum err_code rc;

	if (!d)
		return err_set(e, ERR_NOMEM, "snapshot");
	if ((rc = kb_own_begin_read(kb, &own, e)))
		goto done;
	rc = machine_snapshots(kb, app_id, &all, e);
	kb_own_end_read(kb, own);
	if (rc)
		goto done;
	/* Their ids and names play no part, so neither does their order. */
	qsort(all.hex, all.n, sizeof *all.hex, by_hex);
	for (size_t i = 0; i < all.n; i++)
		put_field(d, all.hex[i]);
	digest_final(d, out);
done:
	free(all.hex);
	digest_free(d);
	return rc;
}
