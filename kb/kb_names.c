#include "kb/kb_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

enum err_code kb_names_not_found(struct kb *kb, const char *what, const char *name, const char *sql,
				 const char *when_none, struct err *e)
{
	struct strbuf there = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e, sql, "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		strbuf_printf(&there, "%s%s", there.len ? ", " : "", kb_sql_text(s, 0));
	sqlite3_finalize(s);
	if (!rc && there.len)
		rc = err_set(e, ERR_NOTFOUND, "there is no %s '%s' in %s; there is: %s", what, name,
			     kb_path(kb), strbuf_text(&there));
	else if (!rc)
		rc = err_set(e, ERR_NOTFOUND, "there is no %s in %s: %s", what, kb_path(kb),
			     when_none);
	strbuf_release(&there);
	return rc;
}

enum err_code kb_count_all_runs(struct kb *kb, const char *application, const char *machine,
				int64_t *n, struct err *e)
{
	return kb_sql_get_int64(kb, n, e,
				"SELECT sum(im.n_runs) FROM import_machine im JOIN import i USING "
				"(import_id) JOIN machine m USING (machine_id) "
				"WHERE i.application = ifnull(?1, i.application) COLLATE NOCASE "
				"AND m.name = ifnull(?2, m.name) COLLATE NOCASE",
				"tt", application, machine);
}

/* Rows: id, name, title, simulated, number of runs, is the default. */
static enum err_code load_names(struct kb *kb, sqlite3_stmt *s, struct kb_names *out, struct err *e)
{
	struct kb_names names = {0};
	bool row = true;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		struct kb_name *grown = realloc(names.item, (names.n + 1) * sizeof *grown);
		struct kb_name *item;

		if (!grown) {
			rc = err_set(e, ERR_NOMEM, "list of %zu names", names.n + 1);
			break;
		}
		names.item = grown;
		item = &grown[names.n++];
		*item = (struct kb_name){
			.id = sqlite3_column_int64(s, 0),
			.simulated = sqlite3_column_int(s, 3),
			.n_runs = sqlite3_column_int64(s, 4),
			.is_default = sqlite3_column_int(s, 5),
		};
		if (!(rc = kb_sql_dup(s, 1, &item->name, e)))
			rc = kb_sql_dup_or_null(s, 2, &item->title, e);
	}
	if (rc)
		kb_names_release(&names);
	else
		*out = names;
	return rc;
}

static enum err_code list(struct kb *kb, const char *sql, int64_t app_id, struct kb_names *out,
			  struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc = kb_sql_prepare(kb, &s, e, sql, "i", app_id);

	if (!rc)
		rc = load_names(kb, s, out, e);
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_list_applications(struct kb *kb, struct kb_names *out, struct err *e)
{
	return list(
		kb,
		"SELECT a.application_id, a.name, a.title, ?1, "
		"(SELECT sum(im.n_runs) FROM import i JOIN import_machine im USING (import_id) "
		"WHERE i.application = a.name COLLATE NOCASE), "
		"(SELECT value FROM setting WHERE name = 'application') = a.name COLLATE NOCASE "
		"FROM application a ORDER BY a.name COLLATE NOCASE",
		0, out, e);
}

enum err_code kb_list_machines(struct kb *kb, int64_t app_id, struct kb_names *out, struct err *e)
{
	return list(kb,
		    "SELECT m.machine_id, m.name, m.title, m.simulated, "
		    "(SELECT sum(im.n_runs) FROM import_machine im JOIN import i USING (import_id) "
		    "WHERE im.machine_id = m.machine_id AND (?1 = 0 OR i.application = "
		    "(SELECT name FROM application WHERE application_id = ?1) COLLATE NOCASE)), "
		    "(SELECT value FROM setting WHERE name = 'machine') = m.name COLLATE NOCASE "
		    "FROM machine m ORDER BY m.name COLLATE NOCASE",
		    app_id, out, e);
}

void kb_names_release(struct kb_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		free(names->item[i].name);
		free(names->item[i].title);
	}
	free(names->item);
	*names = (struct kb_names){0};
}

enum err_code kb_set_default(struct kb *kb, const char *what, const char *value, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = value ? kb_sql_run(kb, e,
				"INSERT INTO setting VALUES (?1, ?2) "
				"ON CONFLICT (name) DO UPDATE SET value = ?2",
				"tt", what, value)
		   : kb_sql_run(kb, e, "DELETE FROM setting WHERE name = ?1", "t", what);
	return kb_own_end(kb, own, rc, e);
}

enum err_code kb_get_default(struct kb *kb, const char *what, char **value, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e, "SELECT value FROM setting WHERE name = ?1", "t", what);

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e))) {
		if (row)
			rc = kb_sql_dup_or_null(s, 0, value, e);
		else
			*value = NULL;
	}
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_names_forget_default(struct kb *kb, const char *what, const char *name,
				      struct err *e)
{
	return kb_sql_run(kb, e,
			  "DELETE FROM setting WHERE name = ?1 AND value = ?2 COLLATE NOCASE", "tt",
			  what, name);
}

enum err_code kb_names_definition(struct kb *kb, sqlite3_stmt *s, int column, const char *name,
				  const char **out, struct err *e)
{
	const char *text = kb_sql_text(s, column);
	char hex[DIGEST_HEX_SIZE];

	digest_text(text, strlen(text), hex);
	if (strcmp(hex, kb_sql_text(s, column + 1)) != 0)
		return err_set(e, ERR_KB,
			       "%s: the definition of %s is damaged: its hash does not agree "
			       "(`lemnos status check` tells more)",
			       kb_path(kb), name);
	*out = text;
	return ERR_OK;
}
