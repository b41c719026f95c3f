#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_sql.h"

enum err_code kb_get_message_cost(struct kb *kb, int64_t machine_id, struct cost_segment **segment,
				  size_t *n, struct err *e)
{
	struct cost_segment *found = NULL;
	size_t n_found = 0;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT from_bytes, intercept_s, s_per_byte, se_intercept_s, se_s_per_byte "
		"FROM message_cost WHERE machine_id = ?1 ORDER BY position",
		"i", machine_id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		struct cost_segment *grown = realloc(found, (n_found + 1) * sizeof *found);

		if (!grown) {
			rc = err_set(e, ERR_NOMEM, "%zu message cost segments", n_found + 1);
			break;
		}
		found = grown;
		found[n_found++] = (struct cost_segment){
			.from_bytes = sqlite3_column_double(s, 0),
			.intercept_s = sqlite3_column_double(s, 1),
			.s_per_byte = sqlite3_column_double(s, 2),
			.se_intercept_s = sqlite3_column_double(s, 3),
			.se_s_per_byte = sqlite3_column_double(s, 4),
		};
	}
	sqlite3_finalize(s);
	if (rc) {
		free(found);
		return rc;
	}
	*segment = found;
	*n = n_found;
	return ERR_OK;
}

static bool same_segment(const struct cost_segment *a, const struct cost_segment *b)
{
	return a->from_bytes == b->from_bytes && a->intercept_s == b->intercept_s &&
	       a->s_per_byte == b->s_per_byte && a->se_intercept_s == b->se_intercept_s &&
	       a->se_s_per_byte == b->se_s_per_byte;
}

static enum err_code replace(struct kb *kb, int64_t machine_id, const struct cost_segment *segment,
			     size_t n, struct err *e)
{
	enum err_code rc = kb_sql_run(kb, e, "DELETE FROM message_cost WHERE machine_id = ?1", "i",
				      machine_id);

	for (size_t i = 0; !rc && i < n; i++)
		rc = kb_sql_run(kb, e,
				"INSERT INTO message_cost VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
				"iirrrrr", machine_id, (int64_t)i, segment[i].from_bytes,
				segment[i].intercept_s, segment[i].s_per_byte,
				segment[i].se_intercept_s, segment[i].se_s_per_byte);
	return rc;
}

enum err_code kb_put_message_cost(struct kb *kb, int64_t machine_id,
				  const struct cost_segment *segment, size_t n, struct err *e)
{
	struct cost_segment *old = NULL;
	size_t n_old = 0;
	bool same;
	bool own;
	enum err_code rc = kb_get_message_cost(kb, machine_id, &old, &n_old, e);

	if (rc)
		return rc;
	/* As with fits: what is known already changes no byte of the file. */
	same = n == n_old;
	for (size_t i = 0; same && i < n; i++)
		same = same_segment(&old[i], &segment[i]);
	free(old);
	if (same)
		return ERR_OK;
	if ((rc = kb_own_begin(kb, &own, e)))
		return rc;
	return kb_own_end(kb, own, replace(kb, machine_id, segment, n, e), e);
}
