#include "kb/kb.h"

#include "kb/kb_names.h"
#include "kb/kb_sql.h"

enum err_code kb_put_machine(struct kb *kb, const struct machine *m, int64_t *id, struct err *e)
{
	int64_t found = 0;
	bool own;
	enum err_code rc = kb_sql_get_int64(kb, &found, e,
					    "SELECT machine_id FROM machine "
					    "WHERE name = ?1 COLLATE NOCASE AND sha256 = ?2",
					    "tt", m->name, m->sha256);

	if (!rc && !found) {
		if ((rc = kb_own_begin(kb, &own, e)))
			return rc;
		rc = kb_sql_run(kb, e,
				"INSERT INTO machine (name, title, simulated, definition, sha256) "
				"VALUES (?1, ?2, ?3, ?4, ?5) "
				"ON CONFLICT (name COLLATE NOCASE) DO UPDATE SET name = ?1, "
				"title = ?2, simulated = ?3, definition = ?4, sha256 = ?5",
				"ttbtt", m->name, m->title ? m->title : "", m->simulated,
				m->definition, m->sha256);
		if (!rc)
			rc = kb_sql_get_int64(kb, &found, e,
					      "SELECT machine_id FROM machine WHERE name = ?1", "t",
					      m->name);
		rc = kb_own_end(kb, own, rc, e);
	}
	if (!rc && id)
		*id = found;
	return rc;
}

static enum err_code no_such_machine(struct kb *kb, const char *name, struct err *e)
{
	return kb_names_not_found(
		kb, "machine", name, "SELECT name FROM machine ORDER BY name COLLATE NOCASE",
		"`lemnos machines add FILE` adds one, and so does an import of runs", e);
}

/* Columns 1 and 2 of s are definition and hash. */
static enum err_code parse_stored(struct kb *kb, sqlite3_stmt *s, const char *name,
				  struct machine **out, struct err *e)
{
	const char *text = NULL;
	enum err_code rc = kb_names_definition(kb, s, 1, name, &text, e);

	return rc ? rc : machine_parse(text, name, out, e);
}

enum err_code kb_get_machine(struct kb *kb, const char *name, struct machine **out, int64_t *id,
			     struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(kb, &s, e,
					  "SELECT machine_id, definition, sha256 FROM machine "
					  "WHERE name = ?1 COLLATE NOCASE",
					  "t", name);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)))
		rc = row ? parse_stored(kb, s, name, out, e) : no_such_machine(kb, name, e);
	if (!rc && id)
		*id = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_get_machine_by_id(struct kb *kb, int64_t id, struct machine **out, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "SELECT name, definition, sha256 FROM machine WHERE machine_id = ?1",
		"i", id);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)))
		rc = row ? parse_stored(kb, s, kb_sql_text(s, 0), out, e)
			 : err_set(e, ERR_NOTFOUND, "there is no machine number %lld in %s",
				   (long long)id, kb_path(kb));
	sqlite3_finalize(s);
	return rc;
}

static enum err_code remove_machine(struct kb *kb, const char *name, struct err *e)
{
	static const char *const forget[] = {
		"DELETE FROM fit WHERE machine_id = ?1",
		"DELETE FROM rule_set WHERE machine_id = ?1",
		"DELETE FROM index_of_runs WHERE machine_id = ?1",
		"DELETE FROM message_cost WHERE machine_id = ?1",
		"DELETE FROM import_machine WHERE machine_id = ?1",
		"DELETE FROM machine WHERE machine_id = ?1",
	};
	int64_t id = 0;
	int64_t n_runs = 0;
	int64_t n_pingpong = 0;
	enum err_code rc;

	if ((rc = kb_sql_get_int64(kb, &id, e,
				   "SELECT machine_id FROM machine WHERE name = ?1 COLLATE NOCASE",
				   "t", name)))
		return rc;
	if (id == 0)
		return no_such_machine(kb, name, e);
	if ((rc = kb_count_all_runs(kb, NULL, name, &n_runs, e)) ||
	    (rc = kb_sql_get_int64(kb, &n_pingpong, e,
				   "SELECT count(*) FROM pingpong WHERE machine_id = ?1", "i", id)))
		return rc;
	if (n_runs + n_pingpong > 0)
		return err_set(
			e, ERR_ARG,
			"machine %s has %lld runs and %lld ping-pong rows: undo their imports "
			"first (`lemnos imports`)",
			name, (long long)n_runs, (long long)n_pingpong);
	for (size_t i = 0; !rc && i < sizeof forget / sizeof forget[0]; i++)
		rc = kb_sql_run(kb, e, forget[i], "i", id);
	return rc ? rc : kb_names_forget_default(kb, "machine", name, e);
}

enum err_code kb_remove_machine(struct kb *kb, const char *name, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, remove_machine(kb, name, e), e);
}
