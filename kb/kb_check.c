#include "kb/kb_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "kb/kb_check_knowledge.h"
#include "kb/kb_check_runs.h"
#include "kb/kb_check_schema.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* Where findings go. */
struct checker {
	struct kb *kb;
	struct strbuf *report;
	struct strbuf *notes; /* NULL: not wanted */
	int n_found;
};

static void found(struct checker *c, const char *text)
{
	strbuf_printf(c->report, "%s\n", text);
	c->n_found++;
}

/* SQLite counts a page that the system fails to read among its findings. That says nothing of the
 * page: it is an error. */
static enum err_code refuse_unread(struct checker *c, const char *text, struct err *e)
{
	static const char unread[] = "unable to get the page. error code=";
	const char *at = strstr(text, unread);

	if (!at || (strtol(at + sizeof unread - 1, NULL, 10) & 0xff) != SQLITE_IOERR)
		return ERR_OK;
	return err_set(e, ERR_IO, "%s: the system fails to read all of it", kb_path(c->kb));
}

/* Every row of a query is a finding: one column of text. The word ok is none. */
static enum err_code check_query(struct checker *c, const char *sql, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(c->kb, &s, e, sql, "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row) {
		const char *text = kb_sql_text_or_null(s, 0);

		if (text && strcmp(text, "ok") != 0 && !(rc = refuse_unread(c, text, e)))
			found(c, text);
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- definitions ---- */

/* Want of memory says nothing about the base. */
static enum err_code note_refusal(struct checker *c, enum err_code rc, const struct err *why,
				  struct err *e)
{
	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why->msg);
	if (rc)
		found(c, why->msg);
	return ERR_OK;
}

static enum err_code check_application(struct checker *c, const char *name, const char *text,
				       struct err *e)
{
	struct application *a = NULL;
	struct err why = {0};
	enum err_code rc = application_parse(text, name, &a, &why);

	application_free(a);
	return note_refusal(c, rc, &why, e);
}

static enum err_code check_machine(struct checker *c, const char *name, const char *text,
				   struct err *e)
{
	struct machine *m = NULL;
	struct err why = {0};
	enum err_code rc = machine_parse(text, name, &m, &why);

	machine_free(m);
	return note_refusal(c, rc, &why, e);
}

/* sql gives name, definition, sha256. */
static enum err_code check_definitions(struct checker *c, const char *sql,
				       enum err_code (*check)(struct checker *, const char *,
							      const char *, struct err *),
				       struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(c->kb, &s, e, sql, "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row) {
		const char *name = kb_sql_text(s, 0);
		const char *text = kb_sql_text(s, 1);
		char hex[DIGEST_HEX_SIZE];

		rc = check(c, name, text, e);
		digest_text(text, strlen(text), hex);
		if (strcmp(hex, kb_sql_text(s, 2)) != 0) {
			strbuf_printf(c->report, "%s: the hash of its definition does not agree\n",
				      name);
			c->n_found++;
		}
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- runs ---- */

/* The findings over one run table; %T is its name, %A that of its application. */
static const char *const run_checks[] = {
	"SELECT 'import ' || i.import_id || ' says ' || n_taken || ' runs and has ' || n FROM "
	"import i "
	"JOIN (SELECT i.import_id, count(r.run_id) AS n FROM import i LEFT JOIN %T r USING "
	"(import_id) WHERE i.application = %A COLLATE NOCASE AND undone_at IS NULL GROUP BY "
	"i.import_id) c USING (import_id) WHERE n <> n_taken",
	"SELECT 'import ' || import_id || ' was undone and still has runs' FROM import WHERE "
	"undone_at "
	"IS NOT NULL AND import_id IN (SELECT import_id FROM %T)",
	"SELECT 'import ' || im.import_id || ' counts ' || im.n_runs || ' runs of machine ' || "
	"im.machine_id || ' and has ' || (SELECT count(*) FROM %T r WHERE r.import_id = "
	"im.import_id "
	"AND r.machine_id = im.machine_id) FROM import_machine im JOIN import i USING (import_id) "
	"WHERE i.application = %A COLLATE NOCASE AND im.n_runs <> (SELECT count(*) FROM %T r WHERE "
	"r.import_id = im.import_id AND r.machine_id = im.machine_id)",
	"SELECT 'import ' || import_id || ' has runs of machine ' || machine_id || ' that are not "
	"counted' FROM (SELECT DISTINCT import_id, machine_id FROM %T) EXCEPT SELECT 'import ' || "
	"import_id || ' has runs of machine ' || machine_id || ' that are not counted' FROM "
	"import_machine",
	"SELECT 'run ' || run_id || ' has a number that was not given out yet' FROM %T WHERE "
	"run_id >= "
	"(SELECT next FROM counter WHERE name = 'run_id')",
};

static const char *const common_checks[] = {
	"SELECT 'row ' || rowid || ' of ' || \"table\" || ' refers to a ' || parent || ' that is "
	"not "
	"there' FROM pragma_foreign_key_check",
	"SELECT 'import ' || import_id || ' says ' || n_known || ' known rows and remembers ' || "
	"(SELECT count(*) FROM known_run k WHERE k.import_id = i.import_id) FROM import i WHERE "
	"undone_at IS NULL AND n_known <> (SELECT count(*) FROM known_run k WHERE k.import_id = "
	"i.import_id)",
	"SELECT 'import ' || import_id || ' says ' || n_taken || ' ping-pong rows and has ' || "
	"(SELECT count(*) FROM pingpong p WHERE p.import_id = i.import_id) FROM import i WHERE "
	"undone_at IS NULL AND application IS NULL AND n_taken <> (SELECT count(*) FROM pingpong p "
	"WHERE p.import_id = i.import_id)",
	"SELECT 'run ' || run_id || ', known to import ' || import_id || ', is not there' FROM "
	"known_run WHERE run_id NOT IN (SELECT run_id FROM run)",
	"SELECT 'run ' || run_id || ' is excluded but is not there' FROM exclusion WHERE run_id "
	"NOT IN "
	"(SELECT run_id FROM run)",
	"SELECT 'decision ' || u.decision_id || ' takes back decision ' || d.decision_id || ', "
	"which '"
	" || CASE d.kind WHEN 'undo' THEN 'takes back one itself' ELSE 'is about another rule' END "
	"FROM rule_decision u JOIN rule_decision d ON d.decision_id = u.undoes WHERE d.kind = "
	"'undo' OR d.rule_id <> u.rule_id OR d.application <> u.application COLLATE NOCASE",
	"SELECT 'run ' || run_id || ' is there ' || count(*) || ' times' FROM run GROUP BY run_id "
	"HAVING count(*) > 1",
};

static enum err_code check_runs_of(struct checker *c, const char *application, const char *table,
				   struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; !rc && i < sizeof run_checks / sizeof run_checks[0]; i++) {
		strbuf_clear(&sql);
		for (const char *p = run_checks[i]; *p; p++) {
			if (p[0] == '%' && p[1] == 'T')
				strbuf_put_sql_name(&sql, table);
			else if (p[0] == '%' && p[1] == 'A')
				strbuf_put_sql(&sql, application);
			else {
				strbuf_putc(&sql, *p);
				continue;
			}
			p++;
		}
		rc = sql.failed ? err_set(e, ERR_NOMEM, "check of %s", table)
				: check_query(c, strbuf_text(&sql), e);
	}
	strbuf_release(&sql);
	return rc;
}

static enum err_code check_runs(struct checker *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		kb_sql_prepare(c->kb, &s, e, "SELECT name, run_table FROM application", "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row) {
		if (!(rc = check_runs_of(c, kb_sql_text(s, 0), kb_sql_text(s, 1), e)))
			rc = check_run_contents(c->kb, kb_sql_text(s, 0), kb_sql_text(s, 1),
						c->report, c->notes, &c->n_found, e);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code check_contents(struct checker *c, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; !rc && i < sizeof common_checks / sizeof common_checks[0]; i++)
		rc = check_query(c, common_checks[i], e);
	if (rc ||
	    (rc = check_definitions(c, "SELECT name, definition, sha256 FROM application",
				    check_application, e)) ||
	    (rc = check_definitions(c, "SELECT name, definition, sha256 FROM machine",
				    check_machine, e)))
		return rc;
	return check_runs(c, e);
}

/* SQLite's own comes first, then the tables themselves: where those are damaged the others would
 * only stumble. */
static enum err_code check_all(struct checker *c, struct err *e)
{
	bool usable = false;
	enum err_code rc = check_query(c, "PRAGMA integrity_check", e);

	if (rc || c->n_found > 0 ||
	    (rc = check_schema(c->kb, true, c->report, &c->n_found, &usable, e)) || !usable ||
	    (rc = check_contents(c, e)))
		return rc;
	return check_knowledge(c->kb, c->report, &c->n_found, e);
}

enum err_code check_before_merge(struct kb *kb, struct strbuf *report, int *n_found, struct err *e)
{
	struct checker c = {.kb = kb, .report = report};
	bool usable;
	/* Not whether indices agree with their tables: what is merged is read from the tables. */
	enum err_code rc = check_query(&c, "PRAGMA quick_check", e);

	if (!rc && c.n_found == 0)
		rc = check_schema(kb, false, report, &c.n_found, &usable, e);
	if (!rc && c.n_found == 0)
		rc = check_contents(&c, e);
	*n_found = c.n_found;
	return rc;
}

enum err_code kb_check(struct kb *kb, struct strbuf *report, int *n_found, struct err *e)
{
	struct checker c = {.kb = kb, .report = report, .notes = report};
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	rc = check_all(&c, e);
	kb_own_end_read(kb, own);
	if (!rc)
		*n_found = c.n_found;
	return rc;
}
