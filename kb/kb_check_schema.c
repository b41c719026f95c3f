#include "kb/kb_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_migrate.h"
#include "kb/kb_run_table.h"

/* What the file should hold is made in memory, from the same migrations and definitions, and the
 * two schemas are compared. Run tables are compared column by column: columns are added to them
 * over time, so that their text tells their history. */

struct schema_comparison {
	struct kb *kb;
	struct kb ours;		  /* in memory */
	bool unknown_application; /* a definition does not parse: its tables are not known */
	bool not_to_be_read; /* a table is missing, or a view is not ours: it may have no end */
	bool strangers_too;
	sqlite3_stmt *find; /* in the other of the two schemas, the statement of something */
	struct strbuf *report;
	int *n_found;
};

static const char not_of_sqlite[] =
	"SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' "
	"ESCAPE '\\' ORDER BY type, name";

/* ---- what should be there ---- */

static enum err_code add_application(struct schema_comparison *c, const char *name,
				     const char *definition, struct err *e)
{
	struct application *a = NULL;
	struct err why = {0};
	enum err_code rc = application_parse(definition, name, &a, &why);

	/* Under another name it would make other tables. */
	if (!rc && sqlite3_stricmp(a->name, name) != 0)
		c->unknown_application = true;
	else if (!rc)
		rc = kb_put_application(&c->ours, a, NULL, &why);
	application_free(a);
	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	c->unknown_application |= rc != ERR_OK; /* check_definitions() tells */
	return ERR_OK;
}

static enum err_code make_ours(struct schema_comparison *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	int64_t n_real = 0;
	enum err_code rc;

	if (sqlite3_open_v2(":memory:", &c->ours.db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		return err_set(e, ERR_NOMEM, "check of the schema");
	/* To make a schema takes a great many small allocations: here they are one. */
	sqlite3_db_config(c->ours.db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 512, 4000);
	if ((rc = kb_migrate(&c->ours, KB_CREATE, e)) ||
	    (rc = kb_sql_get_int64(c->kb, &n_real, e,
				   "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
				   "name IN ('application', 'application_column')",
				   "")))
		return rc;
	if (n_real < 2) { /* a view in their place is not read: it may have no end */
		c->unknown_application = c->not_to_be_read = true;
		return ERR_OK;
	}
	if ((rc = kb_sql_prepare(c->kb, &s, e,
				 "SELECT name, definition FROM application ORDER BY application_id",
				 "")))
		return rc;
	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row)
		rc = add_application(c, kb_sql_text(s, 0), kb_sql_text(s, 1), e);
	sqlite3_finalize(s);
	return rc;
}

/* ---- comparing ---- */

static void found(struct schema_comparison *c, const char *type, const char *name, const char *what)
{
	strbuf_printf(c->report, "%s %s %s\n", type, name, what);
	++*c->n_found;
}

static bool starts_with(const char *text, const char *prefix)
{
	return sqlite3_strnicmp(text, prefix, (int)strlen(prefix)) == 0;
}

static bool is_table_of_ours(const char *name)
{
	return kb_migrations_make_table(name) || starts_with(name, "stored_");
}

static bool is_of_an_application(const char *name)
{
	return starts_with(name, "stored_") || starts_with(name, "keys_") ||
	       starts_with(name, "run_") || starts_with(name, "runs_") ||
	       sqlite3_stricmp(name, "run") == 0;
}

/* SQLite quotes names, and leaves spaces out, when it changes a statement. */
static bool same_statement(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (isspace((unsigned char)*a) || *a == '"')
			a++;
		while (isspace((unsigned char)*b) || *b == '"')
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

/* Does ours, which goes on behind a semicolon, begin with the statement stored? */
static bool begins_with_statement(const char *ours, const char *stored)
{
	for (;; ours++, stored++) {
		while (isspace((unsigned char)*ours) || *ours == '"')
			ours++;
		while (isspace((unsigned char)*stored) || *stored == '"')
			stored++;
		if (!*stored)
			return *ours == ';';
		if (*ours != *stored)
			return false;
	}
}

/* Each column of ours, and no other than those the application had once. */
static enum err_code compare_columns(struct schema_comparison *c, const char *table, bool *same,
				     struct err *e)
{
	static const char columns[] = "SELECT name, type FROM pragma_table_xinfo(?1)";
	sqlite3_stmt *s = NULL;
	bool row = true;
	int64_t n = 0, n_extra = 0, n_ours = 0;
	enum err_code rc = kb_sql_prepare(&c->ours, &s, e, columns, "t", table);

	for (*same = true; !rc && !(rc = kb_sql_step(&c->ours, s, &row, e)) && row; n_ours++) {
		if (!(rc = kb_sql_get_int64(c->kb, &n, e,
					    "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE "
					    "name = ?2 COLLATE NOCASE AND type = ?3 AND hidden = 0",
					    "ttt", table, kb_sql_text(s, 0), kb_sql_text(s, 1))))
			*same &= n == 1;
	}
	sqlite3_finalize(s);
	if (rc ||
	    (rc = kb_sql_get_int64(c->kb, &n, e, "SELECT count(*) FROM pragma_table_xinfo(?1)", "t",
				   table)))
		return rc;
	rc = kb_sql_get_int64(
		c->kb, &n_extra, e,
		"SELECT count(*) FROM application_column JOIN application USING (application_id) "
		"WHERE run_table = ?1 COLLATE NOCASE AND position IS NULL AND role <> 'derived'",
		"t", table);
	*same &= n == n_ours + n_extra;
	return rc;
}

/* other: the one of the two that c->find asks. */
static enum err_code find_sql(struct schema_comparison *c, struct kb *other, const char *type,
			      const char *name, char **sql, struct err *e)
{
	bool row = false;
	enum err_code rc;

	*sql = NULL;
	if (sqlite3_bind_text(c->find, 1, type, -1, SQLITE_STATIC) != SQLITE_OK ||
	    sqlite3_bind_text(c->find, 2, name, -1, SQLITE_STATIC) != SQLITE_OK)
		return kb_sql_fail(other, "compare schemas", e);
	if (!(rc = kb_sql_step(other, c->find, &row, e)) && row)
		rc = kb_sql_dup(c->find, 0, sql, e);
	sqlite3_reset(c->find);
	return rc;
}

/* An index over content_hash, which run_keys_open() drops: bases had one once. */
static bool is_former_index(const char *type, const char *name)
{
	static const char end[] = "_by_content";
	size_t n = strlen(name);

	return strcmp(type, "index") == 0 && starts_with(name, "run_") && n > sizeof end &&
	       sqlite3_stricmp(name + n - strlen(end), end) == 0;
}

static void found_stranger(struct schema_comparison *c, const char *type, const char *name,
			   const char *table)
{
	if (strcmp(type, "view") == 0 && is_table_of_ours(name)) {
		strbuf_printf(c->report, "view %s stands in the place of a table\n", name);
		++*c->n_found;
		c->not_to_be_read = true;
		return;
	}
	if (!c->strangers_too || is_former_index(type, name) ||
	    (c->unknown_application && is_of_an_application(name)))
		return;
	if (strcmp(type, "trigger") == 0)
		strbuf_printf(c->report,
			      "trigger %s of %s is none of this program's; it is not obeyed here, "
			      "but by other programs\n",
			      name, table);
	else
		strbuf_printf(c->report, "%s %s is none that this program makes\n", type, name);
	++*c->n_found;
}

/* That of all applications, of which some are not known: as their names make it. */
static enum err_code is_common_view(struct schema_comparison *c, const char *sql, bool *is,
				    struct err *e)
{
	struct strbuf made = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	*is = false;
	if (!c->not_to_be_read && !(rc = run_views_put_common(c->kb, &made, e)))
		*is = begins_with_statement(strbuf_text(&made), sql);
	if (!rc && made.failed)
		rc = err_set(e, ERR_NOMEM, "check of the schema");
	strbuf_release(&made);
	return rc;
}

/* s: something of the file. */
static enum err_code compare_one(struct schema_comparison *c, sqlite3_stmt *s, struct err *e)
{
	const char *type = kb_sql_text(s, 0);
	const char *name = kb_sql_text(s, 1);
	char *sql;
	bool same;
	enum err_code rc = find_sql(c, &c->ours, type, name, &sql, e);

	if (rc)
		return rc;
	if (!sql) {
		found_stranger(c, type, name, kb_sql_text(s, 2));
		return ERR_OK;
	}
	same = same_statement(sql, kb_sql_text(s, 3));
	if (!same && strcmp(type, "table") == 0 && starts_with(name, "stored_"))
		rc = compare_columns(c, name, &same, e);
	if (!rc && !same && c->unknown_application && sqlite3_stricmp(name, "run") == 0)
		rc = is_common_view(c, kb_sql_text(s, 3), &same, e);
	if (!rc && !same) {
		found(c, type, name, "is not as this program makes it");
		c->not_to_be_read |= strcmp(type, "view") == 0;
	}
	free(sql);
	return rc;
}

/* s: something of ours. The keys of runs are made when an import wants them (kb_run_keys.h). */
static enum err_code find_one(struct schema_comparison *c, sqlite3_stmt *s, struct err *e)
{
	const char *type = kb_sql_text(s, 0);
	const char *name = kb_sql_text(s, 1);
	char *sql;
	enum err_code rc = find_sql(c, c->kb, type, name, &sql, e);

	if (rc)
		return rc;
	if (!sql && !starts_with(name, "keys_")) {
		found(c, type, name, "is missing");
		c->not_to_be_read |= strcmp(type, "index") != 0;
	}
	free(sql);
	return ERR_OK;
}

static enum err_code
each(struct schema_comparison *c, struct kb *of, struct kb *other,
     enum err_code (*one)(struct schema_comparison *, sqlite3_stmt *, struct err *), struct err *e)
{
	static const char find[] = "SELECT sql FROM sqlite_schema WHERE type = ?1 AND name = ?2 "
				   "COLLATE NOCASE";
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(of, &s, e, not_of_sqlite, "");

	if (!rc)
		rc = kb_sql_prepare(other, &c->find, e, find, "");
	while (!rc && !(rc = kb_sql_step(of, s, &row, e)) && row)
		rc = one(c, s, e);
	sqlite3_finalize(c->find);
	sqlite3_finalize(s);
	c->find = NULL;
	return rc;
}

enum err_code check_schema(struct kb *kb, bool strangers_too, struct strbuf *report, int *n_found,
			   bool *usable, struct err *e)
{
	char name[] = "the schema of this program";
	struct schema_comparison c = {.kb = kb,
				      .ours.path = name,
				      .strangers_too = strangers_too,
				      .report = report,
				      .n_found = n_found};
	enum err_code rc;

	if (!(rc = make_ours(&c, e)) && !(rc = each(&c, kb, &c.ours, compare_one, e)))
		rc = each(&c, &c.ours, kb, find_one, e);
	kb_rollback(&c.ours);
	sqlite3_close(c.ours.db);
	*usable = !c.not_to_be_read;
	return rc;
}

/* ---- opening ---- */

/* The statement of all[] that makes the view, NULL: there is none. */
static const char *find_view(const char *all, const char *name)
{
	static const char create[] = "CREATE VIEW ";
	const size_t n = strlen(name);

	for (const char *p = all; (p = strstr(p, create)); p += strlen(create)) {
		const char *at = p + strlen(create);

		/* what a definition says of a column is a comment, and begins no line */
		if (p != all && p[-1] != '\n')
			continue;
		at += *at == '"';
		if (sqlite3_strnicmp(at, name, (int)n) == 0 && (at[n] == ' ' || at[n] == '"'))
			return p;
	}
	return NULL;
}

/* The views of an application. Of a definition that does not parse none is known, and no command
 * reads them. */
static enum err_code put_application_views(const char *name, const char *definition,
					   struct strbuf *sql, struct err *e)
{
	struct application *a = NULL;
	struct err why = {0};
	enum err_code rc = application_parse(definition, name, &a, &why);

	if (!rc && sqlite3_stricmp(a->name, name) == 0)
		run_views_put_create(a, sql);
	application_free(a);
	return rc == ERR_NOMEM ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code put_views(struct kb *kb, struct strbuf *sql, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e, "SELECT name, definition FROM application", "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = put_application_views(kb_sql_text(s, 0), kb_sql_text(s, 1), sql, e);
	sqlite3_finalize(s);
	if (!rc && !(rc = run_views_put_common(kb, sql, e)) && sql->failed)
		rc = err_set(e, ERR_NOMEM, "the views of %s", kb->path);
	return rc;
}

static const char views[] = "SELECT name, sql FROM sqlite_schema WHERE type = 'view'";

static enum err_code refuse_views_for_tables(struct kb *kb, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e, views, "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		if (is_table_of_ours(kb_sql_text(s, 0)))
			rc = err_set(e, ERR_KB,
				     "%s: a view stands in the place of the table %s: somebody "
				     "else changed this base; go back to a backup",
				     kb->path, kb_sql_text(s, 0));
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code refuse_changed_views(struct kb *kb, const char *ours, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e, views, "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		const char *name = kb_sql_text(s, 0);
		const char *as_made = kb_migrations_find_view(name);

		if (!as_made)
			as_made = find_view(ours, name);
		if (as_made && !begins_with_statement(as_made, kb_sql_text(s, 1)))
			rc = err_set(e, ERR_KB,
				     "%s: the view %s is not as this program makes it: somebody "
				     "else changed this base; go back to a backup (`lemnos status "
				     "check` tells more)",
				     kb->path, name);
	}
	sqlite3_finalize(s);
	return rc;
}

enum err_code schema_refuse_views(struct kb *kb, bool old, struct err *e)
{
	struct strbuf ours = STRBUF_INIT;
	enum err_code rc = kb_sql_run(kb, e, "BEGIN", "");
	int64_t n = 0;

	/* At once: an application that is added meanwhile has views of its own. */
	if (rc)
		return rc;
	kb->in_read = true;
	rc = refuse_views_for_tables(kb, e);
	/* A file that is yet to become a base has none. */
	if (!rc && !old)
		rc = kb_sql_get_int64(kb, &n, e,
				      "SELECT count(*) FROM sqlite_schema WHERE name = "
				      "'application' AND type = 'table'",
				      "");
	if (!rc && n > 0 && !(rc = put_views(kb, &ours, e)))
		rc = refuse_changed_views(kb, strbuf_text(&ours), e);
	kb_end_read(kb);
	strbuf_release(&ours);
	return rc;
}
