#include "kb/kb.h"

#include <stdlib.h>

#include "kb/kb_imports.h"
#include "kb/kb_sql.h"

static enum err_code insert_rows(struct kb *kb, int64_t import_id, int64_t machine_id,
				 const struct kb_pingpong *rows, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e,
			       "INSERT INTO pingpong (import_id, machine_id, message_bytes, "
			       "roundtrip_s) VALUES (?1, ?2, ?3, ?4)",
			       "ii", import_id, machine_id);

	for (size_t i = 0; !rc && i < rows->n; i++) {
		sqlite3_bind_double(s, 3, rows->message_bytes[i]);
		sqlite3_bind_double(s, 4, rows->roundtrip_s[i]);
		rc = kb_sql_step(kb, s, &row, e);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code check_rows(const struct kb_import *imp, const struct kb_pingpong *rows,
				struct err *e)
{
	for (size_t i = 0; i < rows->n; i++) {
		if (!(rows->message_bytes[i] >= 0 && rows->message_bytes[i] < 9e99))
			return err_set(e, ERR_ARG, "%s: row %zu: %g bytes is no size of a message",
				       imp->file_name, i + 1, rows->message_bytes[i]);
		if (!(rows->roundtrip_s[i] > 0 && rows->roundtrip_s[i] < 9e99))
			return err_set(e, ERR_ARG,
				       "%s: row %zu: a round trip of %g s is not a finite time > 0",
				       imp->file_name, i + 1, rows->roundtrip_s[i]);
	}
	return ERR_OK;
}

static enum err_code add_pingpong(struct kb *kb, int64_t machine_id, struct kb_import *imp,
				  const struct kb_pingpong *rows, struct err *e)
{
	enum err_code rc;

	if ((rc = import_open(kb, imp, e)) ||
	    (rc = insert_rows(kb, imp->id, machine_id, rows, e)) ||
	    (rc = kb_sql_run(kb, e, "INSERT INTO import_machine VALUES (?1, ?2, 0)", "ii", imp->id,
			     machine_id)))
		return rc;
	imp->n_taken = (int64_t)rows->n;
	return import_store_counts(kb, imp, e);
}

enum err_code kb_add_pingpong(struct kb *kb, int64_t machine_id, struct kb_import *imp,
			      const struct kb_pingpong *rows, struct err *e)
{
	bool own;
	enum err_code rc;

	if ((rc = check_rows(imp, rows, e)) || (rc = kb_own_begin(kb, &own, e)))
		return rc;
	return kb_own_end(kb, own, add_pingpong(kb, machine_id, imp, rows, e), e);
}

/* Of one kind; *n rows. */
static enum err_code count_rows(struct kb *kb, int64_t machine_id, bool inside_node, int64_t *n,
				struct err *e)
{
	return kb_sql_get_int64(kb, n, e,
				"SELECT count(*) FROM pingpong JOIN import USING (import_id) "
				"WHERE machine_id = ?1 AND (mapping = ?2) = ?3",
				"iti", machine_id, KB_PINGPONG_INSIDE_MAPPING,
				(int64_t)inside_node);
}

enum err_code kb_load_pingpong(struct kb *kb, int64_t machine_id, struct kb_pingpong *out,
			       struct err *e)
{
	struct kb_pingpong rows = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	bool own;
	int64_t n = 0;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	if ((rc = count_rows(kb, machine_id, false, &n, e)))
		goto done;
	if (n == 0) {
		if ((rc = count_rows(kb, machine_id, true, &n, e)))
			goto done;
		rows.inside_node = n > 0;
	}
	rows.message_bytes = calloc((size_t)n + 1, sizeof *rows.message_bytes);
	rows.roundtrip_s = calloc((size_t)n + 1, sizeof *rows.roundtrip_s);
	if (!rows.message_bytes || !rows.roundtrip_s) {
		rc = err_set(e, ERR_NOMEM, "%lld ping-pong rows", (long long)n);
		goto done;
	}
	/* Sorted by content: the order of imports plays no part in what is fitted. */
	rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT message_bytes, roundtrip_s FROM pingpong JOIN import USING (import_id) "
		"WHERE machine_id = ?1 AND (mapping = ?2) = ?3 "
		"ORDER BY message_bytes, roundtrip_s",
		"iti", machine_id, KB_PINGPONG_INSIDE_MAPPING, (int64_t)rows.inside_node);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		rows.message_bytes[rows.n] = sqlite3_column_double(s, 0);
		rows.roundtrip_s[rows.n++] = sqlite3_column_double(s, 1);
	}
done:
	sqlite3_finalize(s);
	kb_own_end_read(kb, own);
	if (rc)
		kb_pingpong_release(&rows);
	else
		*out = rows;
	return rc;
}

void kb_pingpong_release(struct kb_pingpong *rows)
{
	free(rows->message_bytes);
	free(rows->roundtrip_s);
	*rows = (struct kb_pingpong){0};
}
