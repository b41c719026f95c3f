#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_record.h"

static enum err_code digest_segments(const struct cost_segment *segment, size_t n,
				     struct digest **out, struct err *e)
{
	struct digest *d = digest_new();

	if (!d)
		return err_set(e, ERR_NOMEM, "a digest of message costs");
	for (size_t i = 0; i < n; i++) {
		content_put_real(d, segment[i].from_bytes);
		content_put_real(d, segment[i].intercept_s);
		content_put_real(d, segment[i].s_per_byte);
		content_put_real(d, segment[i].se_intercept_s);
		content_put_real(d, segment[i].se_s_per_byte);
	}
	*out = d;
	return ERR_OK;
}

/* The digest of all stands in each row. */
static enum err_code check_digest(const struct cost_segment *segment, size_t n, const char *sha256,
				  struct err *e)
{
	struct digest *d = NULL;
	enum err_code rc = digest_segments(segment, n, &d, e);

	if (!rc)
		rc = content_check(d, sha256, "the costs of messages", e);
	digest_free(d);
	return rc;
}

static enum err_code add_segment(sqlite3_stmt *s, struct cost_segment **segment, size_t *n,
				 struct err *e)
{
	struct cost_segment *grown = realloc(*segment, (*n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu message cost segments", *n + 1);
	*segment = grown;
	grown[(*n)++] = (struct cost_segment){
		.from_bytes = sqlite3_column_double(s, 0),
		.intercept_s = sqlite3_column_double(s, 1),
		.s_per_byte = sqlite3_column_double(s, 2),
		.se_intercept_s = sqlite3_column_double(s, 3),
		.se_s_per_byte = sqlite3_column_double(s, 4),
	};
	return ERR_OK;
}

/* *sha256: the caller's; NULL when there is none. */
static enum err_code load_segments(struct kb *kb, int64_t machine_id, struct cost_segment **segment,
				   size_t *n, char **sha256, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT from_bytes, intercept_s, s_per_byte, se_intercept_s, se_s_per_byte, sha256 "
		"FROM message_cost WHERE machine_id = ?1 ORDER BY position",
		"i", machine_id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		if (!(rc = add_segment(s, segment, n, e)) && *n == 1)
			rc = kb_sql_dup_or_null(s, 5, sha256, e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* *sealed (may be NULL): they have a digest. */
static enum err_code get_segments(struct kb *kb, int64_t machine_id, struct cost_segment **segment,
				  size_t *n, bool *sealed, struct err *e)
{
	struct cost_segment *found = NULL;
	size_t n_found = 0;
	char *sha256 = NULL;
	enum err_code rc = load_segments(kb, machine_id, &found, &n_found, &sha256, e);

	if (!rc && n_found > 0)
		rc = check_digest(found, n_found, sha256, e);
	if (!rc && sealed)
		*sealed = sha256 || n_found == 0;
	free(sha256);
	if (rc) {
		free(found);
		return rc;
	}
	*segment = found;
	*n = n_found;
	return ERR_OK;
}

enum err_code kb_get_message_cost(struct kb *kb, int64_t machine_id, struct cost_segment **segment,
				  size_t *n, struct err *e)
{
	return get_segments(kb, machine_id, segment, n, NULL, e);
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
	struct digest *d = NULL;
	char sha256[DIGEST_HEX_SIZE];
	enum err_code rc;

	if ((rc = kb_sql_run(kb, e, "DELETE FROM message_cost WHERE machine_id = ?1", "i",
			     machine_id)) ||
	    (rc = digest_segments(segment, n, &d, e)))
		return rc;
	digest_final(d, sha256);
	digest_free(d);
	for (size_t i = 0; !rc && i < n; i++)
		rc = kb_sql_run(kb, e,
				"INSERT INTO message_cost VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
				"iirrrrrt", machine_id, (int64_t)i, segment[i].from_bytes,
				segment[i].intercept_s, segment[i].s_per_byte,
				segment[i].se_intercept_s, segment[i].se_s_per_byte, sha256);
	return rc;
}

/* As with fits: what is known already changes no byte of the file, unless it is damaged. */
static enum err_code is_stored(struct kb *kb, int64_t machine_id,
			       const struct cost_segment *segment, size_t n, bool *same,
			       struct err *e)
{
	struct cost_segment *old = NULL;
	size_t n_old = 0;
	bool sealed = false;
	struct err why = {0};
	enum err_code rc = get_segments(kb, machine_id, &old, &n_old, &sealed, &why);

	if (rc && rc != ERR_DAMAGED)
		return err_set(e, rc, "%s", why.msg);
	*same = !rc && sealed && n == n_old;
	for (size_t i = 0; *same && i < n; i++)
		*same = same_segment(&old[i], &segment[i]);
	free(old);
	return ERR_OK;
}

enum err_code kb_put_message_cost(struct kb *kb, int64_t machine_id,
				  const struct cost_segment *segment, size_t n, struct err *e)
{
	bool same = false;
	bool own;
	enum err_code rc = is_stored(kb, machine_id, segment, n, &same, e);

	if (rc || same || (rc = kb_own_begin(kb, &own, e)))
		return rc;
	return kb_own_end(kb, own, replace(kb, machine_id, segment, n, e), e);
}
