#include "kb/kb_run_keys.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_groups.h"
#include "kb/kb_run_table.h"

/* ---- the table ---- */

static void put_name(const struct application *a, struct strbuf *sql)
{
	run_table_put_name_of(a, "keys_", "", sql);
}

void run_keys_put_create(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE TABLE IF NOT EXISTS ");
	put_name(a, sql);
	strbuf_puts(sql,
		    " (\n"
		    "\tfirst_run_id INTEGER PRIMARY KEY, -- of the runs of this block\n"
		    "\tdefinition TEXT NOT NULL, -- SHA-256 of that which groups were made with\n"
		    "\tchecksum INTEGER NOT NULL, -- of first_run_id and keys\n"
		    "\tkeys BLOB NOT NULL -- 16 bytes a run, lowest first: content_hash; group, "
		    "its lowest 7 bits half octaves of time\n"
		    ") STRICT;\n");
}

void run_keys_put_drop(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "DROP TABLE IF EXISTS ");
	put_name(a, sql);
	strbuf_puts(sql, ";\n");
}

/* head NAME tail, as one statement. */
static enum err_code prepare(struct run_keys *k, const char *head, const char *tail,
			     sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, head);
	put_name(k->a, &sql);
	strbuf_puts(&sql, tail);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "keys of runs")
			: kb_sql_prepare(k->kb, out, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static enum err_code delete_from(struct run_keys *k, int64_t run_id, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row;
	enum err_code rc = prepare(k, "DELETE FROM ", " WHERE first_run_id >= ?1", &s, e);

	if (!rc) {
		sqlite3_bind_int64(s, 1, run_id);
		rc = kb_sql_step(k->kb, s, &row, e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- blocks ---- */

/* Lowest byte first, wherever the file goes. */
static void put_number(unsigned char *at, uint64_t x)
{
	for (int i = 0; i < 8; i++)
		at[i] = (unsigned char)(x >> 8 * i);
}

static uint64_t get_number(const unsigned char *at)
{
	uint64_t x = 0;

	for (int i = 8; i-- > 0;)
		x = x << 8 | at[i];
	return x;
}

/* Against disks, not against malice: each number is multiplied by an odd constant and mixed. */
static uint64_t checksum(int64_t first_run_id, const unsigned char *keys, size_t n)
{
	uint64_t sum = (uint64_t)first_run_id * 0x9e3779b97f4a7c15ULL + n;

	for (size_t i = 0; i < 2 * n; i++) {
		sum = (sum ^ get_number(keys + 8 * i)) * 0x9e3779b97f4a7c15ULL;
		sum ^= sum >> 29;
	}
	return sum;
}

enum err_code run_keys_flush(struct run_keys *k, struct err *e)
{
	bool row;
	enum err_code rc = ERR_OK;

	if (k->n == 0)
		return ERR_OK;
	if (!k->insert &&
	    (rc = prepare(k, "INSERT INTO ", " VALUES (?1, ?2, ?3, ?4)", &k->insert, e)))
		return rc;
	sqlite3_bind_int64(k->insert, 1, k->first_run_id);
	sqlite3_bind_text(k->insert, 2, k->a->sha256, -1, SQLITE_STATIC);
	sqlite3_bind_int64(k->insert, 3, (int64_t)checksum(k->first_run_id, k->block, k->n));
	sqlite3_bind_blob(k->insert, 4, k->block, (int)(k->n * RUN_KEY_SIZE), SQLITE_STATIC);
	rc = kb_sql_step(k->kb, k->insert, &row, e);
	sqlite3_reset(k->insert);
	k->n = 0;
	return rc;
}

enum err_code run_keys_add(struct run_keys *k, int64_t run_id, uint64_t content, uint64_t group,
			   struct err *e)
{
	enum err_code rc;

	/* A few ids that are left out are zeros, more of them begin a new block. */
	if (k->n > 0 && run_id - k->first_run_id >= RUN_KEYS_PER_BLOCK &&
	    (rc = run_keys_flush(k, e)))
		return rc;
	if (k->n == 0) {
		k->first_run_id = run_id;
		memset(k->block, 0, sizeof k->block);
	}
	k->n = (size_t)(run_id - k->first_run_id);
	put_number(k->block + k->n * RUN_KEY_SIZE, content);
	put_number(k->block + k->n * RUN_KEY_SIZE + 8, group);
	k->n++;
	return ERR_OK;
}

/* ---- made from the runs ---- */

static enum err_code select_runs(struct run_keys *k, int64_t from, int64_t end, sqlite3_stmt **out,
				 struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT run_id, content_hash, status = 'ok', wall_s, machine_id, source");
	run_values_put_names(k->a, "", &sql);
	strbuf_puts(&sql, " FROM ");
	run_table_put_name(k->a, &sql);
	strbuf_puts(&sql, " WHERE run_id >= ?1 AND run_id < ?2 ORDER BY run_id");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "keys of runs")
			: kb_sql_prepare(k->kb, out, e, strbuf_text(&sql), "ii", from, end);
	strbuf_release(&sql);
	return rc;
}

static uint64_t group_of_row(struct run_keys *k, sqlite3_stmt *s, const struct run_groups *groups,
			     struct run_value *value)
{
	if (!sqlite3_column_int(s, 2))
		return 0;
	run_values_from_row(k->a, s, 6, value);
	return run_groups_pack(
		run_groups_key(groups, sqlite3_column_int64(s, 4), kb_sql_text(s, 5), value),
		sqlite3_column_double(s, 3));
}

/* Those of the runs from `from` on, below end. */
static enum err_code fill(struct run_keys *k, int64_t from, int64_t end, struct err *e)
{
	struct run_groups *groups = run_groups_new(k->a);
	struct run_value *value = calloc(k->a->n_columns + 1, sizeof *value);
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = groups && value ? select_runs(k, from, end, &s, e)
					   : err_set(e, ERR_NOMEM, "keys of runs");

	for (size_t i = 0; !rc && value && i < k->a->n_columns; i++)
		value[i].number = (double)NAN;
	while (!rc && !(rc = kb_sql_step_lazy(k->kb, s, &row, e)) && row)
		rc = run_keys_add(k, sqlite3_column_int64(s, 0),
				  (uint64_t)sqlite3_column_int64(s, 1),
				  group_of_row(k, s, groups, value), e);
	sqlite3_finalize(s);
	free(value);
	run_groups_free(groups);
	return rc ? rc : run_keys_flush(k, e);
}

/* ---- reading ---- */

/* Row s: first_run_id, definition, checksum, keys. */
static bool is_good(const struct run_keys *k, sqlite3_stmt *s, int64_t at_least)
{
	int n = sqlite3_column_bytes(s, 3);
	const unsigned char *keys = sqlite3_column_blob(s, 3);

	return keys && n > 0 && n % RUN_KEY_SIZE == 0 && sqlite3_column_int64(s, 0) >= at_least &&
	       strcmp(kb_sql_text(s, 1), k->a->sha256) == 0 &&
	       (uint64_t)sqlite3_column_int64(s, 2) ==
		       checksum(sqlite3_column_int64(s, 0), keys, (size_t)n / RUN_KEY_SIZE);
}

/* *next: behind the last run that has keys; 0: they are to be made again. */
static enum err_code find_end(struct run_keys *k, int64_t *next, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true, good = true;
	enum err_code rc = prepare(k, "SELECT first_run_id, definition, checksum, keys FROM ",
				   " ORDER BY first_run_id", &s, e);

	*next = 0;
	while (!rc && good && !(rc = kb_sql_step(k->kb, s, &row, e)) && row) {
		good = is_good(k, s, *next);
		*next = sqlite3_column_int64(s, 0) + sqlite3_column_bytes(s, 3) / RUN_KEY_SIZE;
	}
	sqlite3_finalize(s);
	if (!good)
		*next = 0;
	return rc;
}

enum err_code run_keys_each(struct run_keys *k, int64_t end_run_id, run_keys_take *take, void *arg,
			    struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		prepare(k, "SELECT first_run_id, keys FROM ", " ORDER BY first_run_id", &s, e);

	while (!rc && !(rc = kb_sql_step(k->kb, s, &row, e)) && row) {
		int64_t first = sqlite3_column_int64(s, 0);
		const unsigned char *keys = sqlite3_column_blob(s, 1);
		int n = sqlite3_column_bytes(s, 1) / RUN_KEY_SIZE;

		for (int i = 0; !rc && keys && i < n && first + i < end_run_id; i++)
			rc = take(arg, first + i, get_number(keys + i * RUN_KEY_SIZE),
				  get_number(keys + i * RUN_KEY_SIZE + 8), e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- the whole ---- */

enum err_code run_keys_open(struct kb *kb, const struct application *a, int64_t end_run_id,
			    struct run_keys *out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t next = 0;
	enum err_code rc;

	*out = (struct run_keys){.kb = kb, .a = a};
	run_keys_put_create(a, &sql);
	/* What versions before had instead; it would be kept up to date for nobody. */
	strbuf_puts(&sql, "DROP INDEX IF EXISTS ");
	run_table_put_name_of(a, "run_", "_by_content", &sql);
	strbuf_puts(&sql, ";\n");
	rc = kb_sql_exec(kb, &sql, e);
	strbuf_release(&sql);
	if (rc || (rc = find_end(out, &next, e)) || (next == 0 && (rc = delete_from(out, 0, e))))
		return rc;
	return next < end_run_id ? fill(out, next, end_run_id, e) : ERR_OK;
}

enum err_code run_keys_renew(struct run_keys *k, int64_t run_id, int64_t end_run_id, struct err *e)
{
	enum err_code rc;

	k->n = 0;
	return (rc = delete_from(k, run_id, e)) ? rc : fill(k, run_id, end_run_id, e);
}

void run_keys_close(struct run_keys *k)
{
	sqlite3_finalize(k->insert);
	k->insert = NULL;
}

/* ---- without some runs ---- */

/* What is done to the keys of runs that go: one block at a time is in memory. */
struct removal {
	struct kb *kb;
	sqlite3_stmt *read, *write, *drop;
	int64_t first_run_id;
	size_t n;
	bool changed;
	unsigned char block[RUN_KEYS_PER_BLOCK * RUN_KEY_SIZE];
};

/* A block without runs goes; those behind it stay where they are. */
static enum err_code put_back(struct removal *r, struct err *e)
{
	const size_t bytes = r->n * RUN_KEY_SIZE;
	size_t used = 0;
	sqlite3_stmt *s;
	bool row;
	enum err_code rc;

	if (!r->changed)
		return ERR_OK;
	while (used < bytes && r->block[used] == 0)
		used++;
	s = used < bytes ? r->write : r->drop;
	sqlite3_bind_int64(s, 1, r->first_run_id);
	if (used < bytes) {
		sqlite3_bind_int64(s, 2, (int64_t)checksum(r->first_run_id, r->block, r->n));
		sqlite3_bind_blob(s, 3, r->block, (int)bytes, SQLITE_STATIC);
	}
	rc = kb_sql_step(r->kb, s, &row, e);
	sqlite3_reset(s);
	r->changed = false;
	return rc;
}

/* The block that run_id is in, or would be; *good: it is as it was written. */
static enum err_code take_block(struct removal *r, int64_t run_id, bool *good, struct err *e)
{
	const unsigned char *keys;
	bool row = false;
	size_t bytes;
	enum err_code rc;

	r->n = 0;
	sqlite3_bind_int64(r->read, 1, run_id);
	if (!(rc = kb_sql_step(r->kb, r->read, &row, e)) && row) {
		r->first_run_id = sqlite3_column_int64(r->read, 0);
		keys = sqlite3_column_blob(r->read, 2);
		bytes = (size_t)sqlite3_column_bytes(r->read, 2);
		*good = keys && bytes <= sizeof r->block && bytes % RUN_KEY_SIZE == 0 &&
			(uint64_t)sqlite3_column_int64(r->read, 1) ==
				checksum(r->first_run_id, keys, bytes / RUN_KEY_SIZE);
		if (*good) {
			memcpy(r->block, keys, bytes);
			r->n = bytes / RUN_KEY_SIZE;
		}
	}
	sqlite3_reset(r->read);
	return rc;
}

static bool is_within(const struct removal *r, int64_t run_id)
{
	return r->n > 0 && run_id >= r->first_run_id && run_id - r->first_run_id < (int64_t)r->n;
}

/* s: run_id, ascending. */
static enum err_code blank_runs(struct removal *r, sqlite3_stmt *s, bool *good, struct err *e)
{
	bool row = true;
	enum err_code rc = ERR_OK;

	*good = true;
	while (!rc && *good && !(rc = kb_sql_step_lazy(r->kb, s, &row, e)) && row) {
		int64_t run_id = sqlite3_column_int64(s, 0);

		if (!is_within(r, run_id) &&
		    ((rc = put_back(r, e)) || (rc = take_block(r, run_id, good, e)) || !*good))
			break;
		if (is_within(r, run_id)) {
			memset(r->block + (run_id - r->first_run_id) * RUN_KEY_SIZE, 0,
			       RUN_KEY_SIZE);
			r->changed = true;
		}
	}
	return rc || !*good ? rc : put_back(r, e);
}

static enum err_code prepare_on(struct kb *kb, const char *head, const char *table,
				const char *tail, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, head);
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, tail);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "keys of runs")
			: kb_sql_prepare(kb, out, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static enum err_code delete_all(struct kb *kb, const char *keys_table, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row;
	enum err_code rc = prepare_on(kb, "DELETE FROM ", keys_table, "", &s, e);

	if (!rc)
		rc = kb_sql_step(kb, s, &row, e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code blank_import(struct kb *kb, const char *keys_table, const char *stored_table,
				  int64_t import_id, struct err *e)
{
	struct removal *r = calloc(1, sizeof *r);
	sqlite3_stmt *runs = NULL;
	bool good = true;
	enum err_code rc;

	if (!r)
		return err_set(e, ERR_NOMEM, "keys of runs");
	r->kb = kb;
	if (!(rc = prepare_on(kb, "SELECT first_run_id, checksum, keys FROM ", keys_table,
			      " WHERE first_run_id <= ?1 ORDER BY first_run_id DESC LIMIT 1",
			      &r->read, e)) &&
	    !(rc = prepare_on(kb, "UPDATE ", keys_table,
			      " SET checksum = ?2, keys = ?3 WHERE first_run_id = ?1", &r->write,
			      e)) &&
	    !(rc = prepare_on(kb, "DELETE FROM ", keys_table, " WHERE first_run_id = ?1", &r->drop,
			      e)) &&
	    !(rc = prepare_on(kb, "SELECT run_id FROM ", stored_table,
			      " WHERE import_id = ?1 ORDER BY run_id", &runs, e))) {
		sqlite3_bind_int64(runs, 1, import_id);
		rc = blank_runs(r, runs, &good, e);
	}
	sqlite3_finalize(r->read);
	sqlite3_finalize(r->write);
	sqlite3_finalize(r->drop);
	sqlite3_finalize(runs);
	free(r);
	return rc || good ? rc : delete_all(kb, keys_table, e);
}

enum err_code run_keys_remove(struct kb *kb, const char *stored_table, int64_t import_id,
			      struct err *e)
{
	const char *app = stored_table + strlen("stored_");
	struct strbuf name = STRBUF_INIT;
	int64_t there = 0;
	enum err_code rc;

	strbuf_printf(&name, "keys_%s", app);
	if (name.failed)
		rc = err_set(e, ERR_NOMEM, "keys of runs");
	else if (!(rc = kb_sql_get_int64(kb, &there, e,
					 "SELECT count(*) FROM sqlite_schema WHERE type = 'table' "
					 "AND name = ?1 COLLATE NOCASE",
					 "t", strbuf_text(&name))) &&
		 there > 0)
		rc = blank_import(kb, strbuf_text(&name), stored_table, import_id, e);
	strbuf_release(&name);
	return rc;
}
