#include "kb/kb_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/strbuf.h"
#include "kb/kb_run_index.h"
#include "kb/kb_run_table.h"
#include "kb/kb_run_value.h"
#include "kb/kb_sql.h"

enum { N_FIXED = 12 }; /* what prepare() puts ahead of the columns of the application */

/* Those of the table, not of the definition: it may have lost some, their values are still there.
 * Computed ones are not in table_info. */
static enum err_code put_columns(struct kb *kb, const char *table, struct strbuf *sql,
				 struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT name FROM pragma_table_info(?1) WHERE name NOT IN ('run_id', 'import_id', "
		"'machine_id', 'source', 'status', 'wall_s', 'n_repeats', 'repeat', 'line', "
		"'computed', 'flag', 'extra', 'content_hash', 'row_hash')",
		"t", table);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		strbuf_puts(sql, ", r.");
		strbuf_put_sql_name(sql, kb_sql_text(s, 0));
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code prepare(struct kb *kb, const char *table, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT r.run_id, r.content_hash, m.name, r.source, r.status, r.wall_s, "
			  "r.n_repeats, r.repeat, r.line, r.computed, r.extra, r.row_hash");
	rc = put_columns(kb, table, &sql, e);
	strbuf_puts(&sql, " FROM ");
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, " AS r LEFT JOIN machine AS m USING (machine_id) ORDER BY r.run_id");
	if (!rc)
		rc = sql.failed ? err_set(e, ERR_NOMEM, "check of the runs in %s", table)
				: kb_sql_prepare(kb, out, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static uint64_t hash_of_column(sqlite3_stmt *s, int i)
{
	struct run_value v = {.number = kb_sql_real(s, i)};

	if (sqlite3_column_type(s, i) == SQLITE_TEXT)
		v.text = kb_sql_text(s, i);
	return hash_field(hash_name(sqlite3_column_name(s, i)), &v);
}

/* As kb_run_writer_add() made it. */
static uint64_t hash_of_row(sqlite3_stmt *s)
{
	uint64_t h = hash_run(hash_name(kb_sql_text(s, 2)), kb_sql_text(s, 3), kb_sql_text(s, 4),
			      kb_sql_real(s, 5), sqlite3_column_double(s, 6),
			      sqlite3_column_double(s, 7));

	for (int i = N_FIXED; i < sqlite3_column_count(s); i++)
		h += hash_of_column(s, i);
	return h;
}

static uint64_t hash_of_rest(sqlite3_stmt *s, uint64_t content)
{
	return hash_row(content, sqlite3_column_int64(s, 8), kb_sql_text_or_null(s, 9),
			kb_sql_text_or_null(s, 10));
}

/* Runs that were found: the first ones by number, the others counted. */
struct found_runs {
	struct strbuf numbers;
	long long n;
};

enum { NAMED = 10 };

static void note(struct found_runs *f, long long run_id)
{
	if (f->n++ < NAMED)
		strbuf_printf(&f->numbers, "%s%lld", f->n > 1 ? ", " : "", run_id);
}

static void put_found(const struct found_runs *f, const char *application, const char *what,
		      struct strbuf *report)
{
	strbuf_printf(report, "run%s %s", f->n > 1 ? "s" : "", strbuf_text(&f->numbers));
	if (f->n > NAMED)
		strbuf_printf(report, " and %lld more", f->n - NAMED);
	strbuf_printf(report, " of %s %s %s\n", application, f->n > 1 ? "are" : "is", what);
	report->failed |= f->numbers.failed;
}

/* Had the table a row_hash from the beginning? Where version 8 of the schema brought it, runs from
 * before have none, and all that came later, with higher numbers, do. */
static enum err_code is_made_with_row_hash(struct kb *kb, const char *table, bool *out,
					   struct err *e)
{
	int64_t n = 0;
	enum err_code rc = kb_sql_get_int64(
		kb, &n, e,
		"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE "
		"NOCASE AND instr(sql, char(10) || char(9) || 'row_hash INTEGER') > 0",
		"t", table);

	*out = n > 0;
	return rc;
}

/* A part of kb_check(): are the runs of an application, in this table, what was loaded, by the hash
 * of their content? A bit that flips inside a number leaves another number, which no check of the
 * file's structure finds. One line in *report and one more in *n_found if some are not; in *notes
 * (may be NULL) what this does not cover. */
static enum err_code check_run_contents(struct kb *kb, const char *application, const char *table,
					struct strbuf *report, struct strbuf *notes, int *n_found,
					struct err *e)
{
	struct found_runs other = {0}, bare = {0};
	long long n_uncovered = 0;
	sqlite3_stmt *s = NULL;
	bool row = true, all_covered = false;
	enum err_code rc = is_made_with_row_hash(kb, table, &all_covered, e);

	if (!rc)
		rc = prepare(kb, table, &s, e);

	while (!rc && !(rc = kb_sql_step_lazy(kb, s, &row, e)) && row) {
		bool covered = sqlite3_column_type(s, 11) != SQLITE_NULL;
		uint64_t hash = hash_of_row(s);

		if (hash != (uint64_t)sqlite3_column_int64(s, 1) ||
		    (covered && hash_of_rest(s, hash) != (uint64_t)sqlite3_column_int64(s, 11)))
			note(&other, sqlite3_column_int64(s, 0));
		all_covered |= covered;
		n_uncovered += !covered && !all_covered;
		if (!covered && all_covered)
			note(&bare, sqlite3_column_int64(s, 0));
	}
	if (!rc && bare.n > 0) {
		put_found(&bare, application, "without the hash of the row that was stored with it",
			  report);
		++*n_found;
	}
	if (!rc && other.n > 0) {
		put_found(&other, application,
			  "not what was loaded: the hash of the content does not agree", report);
		++*n_found;
	}
	if (!rc && n_uncovered > 0 && notes)
		strbuf_printf(notes,
			      "note: %lld runs of %s were loaded before version 8 of the schema; a "
			      "change of their line, computed or extra is not noticed\n",
			      n_uncovered, application);
	sqlite3_finalize(s);
	strbuf_release(&other.numbers);
	strbuf_release(&bare.numbers);
	return rc;
}

/* What is looked at, and where findings go. */
struct knowledge_check {
	struct kb *kb;
	struct strbuf *report;
	int n_found;
};

/* Knowledge about an application on a machine. */
struct target {
	struct application *app;
	int64_t app_id, machine_id; /* machine_id 0: on all machines */
	const char *machine;	    /* its name */
};

/* Damage is a finding and no error. */
static enum err_code note_damage(struct knowledge_check *c, const struct target *t,
				 enum err_code rc, const struct err *why, struct err *e)
{
	if (rc != ERR_DAMAGED)
		return rc && rc != ERR_NOTMINED ? err_set(e, rc, "%s", why->msg) : ERR_OK;
	strbuf_printf(c->report, "%s on %s: %s\n", t->app->name, t->machine, why->msg);
	c->n_found++;
	return ERR_OK;
}

static enum err_code check_fit(struct knowledge_check *c, const struct target *t, struct err *e)
{
	struct kb_fit fit = {0};
	struct err why = {0};
	enum err_code rc = kb_get_fit(c->kb, t->app_id, t->machine_id, &fit, &why);

	if (!rc)
		kb_fit_release(&fit);
	return note_damage(c, t, rc, &why, e);
}

static enum err_code check_index(struct knowledge_check *c, const struct target *t, struct err *e)
{
	struct err why = {0};
	bool found;

	return note_damage(
		c, t, kb_check_run_index(c->kb, t->app, t->app_id, t->machine_id, &found, &why),
		&why, e);
}

/* ---- rules ---- */

/* A rule must be one of its application and have the id of its content. */
static enum err_code check_rule(struct knowledge_check *c, const struct application *a,
				struct rule *r, struct err *e)
{
	char stored[RULE_ID_SIZE];
	struct rule_test *test = NULL;
	struct err why = {0};
	enum err_code rc;

	memcpy(stored, r->id, sizeof stored);
	if (!(rc = rule_test_new(a, r, &test, &why)))
		rc = rule_identify(a, r, &why);
	rule_test_free(test);
	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	if (rc || strcmp(stored, r->id) != 0) {
		strbuf_printf(c->report, "rule %s: %s: `lemnos mine` makes it anew\n", stored,
			      rc ? why.msg : "its content belongs to another id");
		c->n_found++;
	}
	return ERR_OK;
}

static enum err_code check_rule_set(struct knowledge_check *c, const struct target *t,
				    struct err *e)
{
	struct kb_rules set = {0};
	struct err why = {0};
	enum err_code rc = kb_get_rules(c->kb, t->app_id, t->machine_id, &set, &why);

	if (rc)
		return note_damage(c, t, rc, &why, e);
	for (size_t i = 0; !rc && i < set.rules.n; i++)
		rc = check_rule(c, t->app, &set.rules.item[i], e);
	kb_rules_release(&set);
	return rc;
}

/* ---- all ---- */

static enum err_code check_target(struct knowledge_check *c, const struct target *t, struct err *e)
{
	enum err_code rc = check_rule_set(c, t, e);

	if (rc || t->machine_id == 0 || (rc = check_fit(c, t, e)))
		return rc;
	return check_index(c, t, e);
}

/* s: ids and names. A definition that does not parse is found elsewhere. */
static enum err_code check_row(struct knowledge_check *c, sqlite3_stmt *s, struct err *e)
{
	struct target t = {.app_id = sqlite3_column_int64(s, 0),
			   .machine_id = sqlite3_column_int64(s, 1),
			   .machine = kb_sql_text(s, 3)};
	struct err why = {0};
	enum err_code rc = kb_get_application(c->kb, kb_sql_text(s, 2), &t.app, NULL, &why);

	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	if (!rc)
		rc = check_target(c, &t, e);
	else
		rc = ERR_OK;
	application_free(t.app);
	return rc;
}

static enum err_code check_pairs(struct knowledge_check *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		c->kb, &s, e,
		"SELECT a.application_id, t.machine_id, a.name, ifnull(m.name, 'all machines') "
		"FROM (SELECT application_id, machine_id FROM fit "
		"UNION SELECT application_id, machine_id FROM index_of_runs "
		"UNION SELECT application_id, ifnull(machine_id, 0) FROM rule_set) AS t "
		"JOIN application AS a USING (application_id) "
		"LEFT JOIN machine AS m ON m.machine_id = t.machine_id ORDER BY 1, 2",
		"");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row)
		rc = check_row(c, s, e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code check_costs(struct knowledge_check *c, int64_t machine_id, const char *machine,
				 struct err *e)
{
	struct cost_segment *segment = NULL;
	struct err why = {0};
	size_t n;
	enum err_code rc = kb_get_message_cost(c->kb, machine_id, &segment, &n, &why);

	free(segment);
	if (rc != ERR_DAMAGED)
		return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
	strbuf_printf(c->report, "%s: %s\n", machine, why.msg);
	c->n_found++;
	return ERR_OK;
}

static enum err_code check_machines(struct knowledge_check *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(c->kb, &s, e,
					  "SELECT DISTINCT machine_id, name FROM message_cost "
					  "JOIN machine USING (machine_id) ORDER BY 1",
					  "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row)
		rc = check_costs(c, sqlite3_column_int64(s, 0), kb_sql_text(s, 1), e);
	sqlite3_finalize(s);
	return rc;
}

/* Is what was mined still what it was, and are rules what their ids say? Findings go to report, one
 * a line; *n_found counts them. */
static enum err_code check_knowledge(struct kb *kb, struct strbuf *report, int *n_found,
				     struct err *e)
{
	struct knowledge_check c = {.kb = kb, .report = report};
	enum err_code rc = check_pairs(&c, e);

	if (!rc)
		rc = check_machines(&c, e);
	*n_found += c.n_found;
	return rc;
}

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

/* SQLite counts a page for which memory gives out, or that the system fails to read, among its
 * findings. That says nothing of the page: it is an error. */
static enum err_code refuse_unread(struct checker *c, const char *text, struct err *e)
{
	static const char *const unread[] = {"unable to get the page. error code=",
					     "btreeInitPage() returns error code "};
	bool failed = false;

	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		const char *at = strstr(text, unread[i]);
		const long code = at ? strtol(at + strlen(unread[i]), NULL, 10) : SQLITE_OK;

		if (code == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM)
			return err_set(e, ERR_NOMEM, "check of %s", kb_path(c->kb));
		failed |= (code & 0xff) == SQLITE_IOERR;
	}
	if (failed)
		return err_set(e, ERR_IO, "%s: the system fails to read all of it", kb_path(c->kb));
	/* of the free list, or a long value: no code is told, and its number was found to be sound
	 */
	return strstr(text, "failed to get page ")
		       ? err_set(e, ERR_IO,
				 "%s: not all of it can be read: out of memory, or the system "
				 "fails",
				 kb_path(c->kb))
		       : ERR_OK;
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

static void found_other_name(struct checker *c, const char *what, const char *name,
			     const char *defined)
{
	strbuf_printf(c->report, "%s %s: its definition is that of %s\n", what, name, defined);
	c->n_found++;
}

static enum err_code check_application(struct checker *c, const char *name, const char *text,
				       struct err *e)
{
	struct application *a = NULL;
	struct err why = {0};
	enum err_code rc = application_parse(text, name, &a, &why);

	if (!rc && sqlite3_stricmp(a->name, name) != 0)
		found_other_name(c, "application", name, a->name);
	application_free(a);
	return note_refusal(c, rc, &why, e);
}

static enum err_code check_machine(struct checker *c, const char *name, const char *text,
				   struct err *e)
{
	struct machine *m = NULL;
	struct err why = {0};
	enum err_code rc = machine_parse(text, name, &m, &why);

	if (!rc && sqlite3_stricmp(m->name, name) != 0)
		found_other_name(c, "machine", name, m->name);
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
	"SELECT 'campaign ' || c.name || ': run ' || position || ' is ' || r.state || ' without an "
	"import' FROM campaign_run r JOIN campaign c USING (campaign_id) WHERE r.state IN ('done', "
	"'failed', 'timed-out') AND import_id IS NULL AND r.message IS NULL",
	"SELECT 'campaign ' || c.name || ' has no run ' || n FROM (SELECT campaign_id, count(*) AS "
	"n, max(position) AS last FROM campaign_run GROUP BY campaign_id) JOIN campaign c USING "
	"(campaign_id) WHERE n <> last",
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

static void found_no_column(struct checker *c, const char *application, const char *column)
{
	strbuf_printf(c->report, "application %s: the table of its runs has no column %s\n",
		      application, column);
	c->n_found++;
}

/* How many runs have a value outside the range of a column, and the first of them. */
static enum err_code check_range(struct checker *c, const struct column *col, const char *name,
				 const char *table, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t n_columns = 0;
	enum err_code rc = kb_sql_get_int64(
		c->kb, &n_columns, e,
		"SELECT count(*) FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE", "tt",
		table, col->name);

	if (rc)
		return rc;
	if (n_columns == 0) {
		found_no_column(c, name, col->name);
		return ERR_OK;
	}
	strbuf_puts(&sql, "SELECT CASE count(*) WHEN 0 THEN NULL ELSE 'run ' || min(run_id) || "
			  "iif(count(*) > 1, ' and ' || (count(*) - 1) || ' more', '') || ' of ' "
			  "|| ");
	strbuf_put_sql(&sql, name);
	strbuf_puts(&sql, " || ': ' || ");
	strbuf_put_sql(&sql, col->name);
	strbuf_puts(&sql, " || ' is outside the range of its definition' END FROM ");
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, " WHERE ");
	run_table_put_outside(col, &sql);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "check of %s", table)
			: check_query(c, strbuf_text(&sql), e);
	strbuf_release(&sql);
	return rc;
}

/* What no import would have taken, and no definition, as runs are there. A definition that does not
 * parse is found elsewhere. */
static enum err_code check_ranges(struct checker *c, const char *name, const char *table,
				  struct err *e)
{
	struct application *a = NULL;
	struct err why = {0};
	enum err_code rc = kb_get_application(c->kb, name, &a, NULL, &why);

	if (rc)
		return rc == ERR_NOMEM ? err_set(e, rc, "%s", why.msg) : ERR_OK;
	for (size_t i = 0; !rc && i < a->n_columns; i++) {
		const struct column *col = &a->column[i];

		if (run_table_has_range(a, i))
			rc = check_range(c, col, name, table, e);
	}
	application_free(a);
	return rc;
}

static enum err_code check_runs(struct checker *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		kb_sql_prepare(c->kb, &s, e, "SELECT name, run_table FROM application", "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row) {
		if (!(rc = check_runs_of(c, kb_sql_text(s, 0), kb_sql_text(s, 1), e)) &&
		    !(rc = check_ranges(c, kb_sql_text(s, 0), kb_sql_text(s, 1), e)))
			rc = check_run_contents(c->kb, kb_sql_text(s, 0), kb_sql_text(s, 1),
						c->report, c->notes, &c->n_found, e);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code check_all_definitions(struct checker *c, struct err *e)
{
	int64_t n = 0;
	enum err_code rc = kb_sql_get_int64(
		c->kb, &n, e,
		"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN "
		"('application', 'machine')",
		"");

	if (rc || n < 2 || /* a view in their place is not read */
	    (rc = check_definitions(c, "SELECT name, definition, sha256 FROM application",
				    check_application, e)))
		return rc;
	return check_definitions(c, "SELECT name, definition, sha256 FROM machine", check_machine,
				 e);
}

static enum err_code check_contents(struct checker *c, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; !rc && i < sizeof common_checks / sizeof common_checks[0]; i++)
		rc = check_query(c, common_checks[i], e);
	return rc || (rc = check_all_definitions(c, e)) ? rc : check_runs(c, e);
}

/* SQLite's own comes first, then the tables themselves: where those are damaged the others would
 * only stumble. */
static enum err_code check_all(struct checker *c, struct err *e)
{
	bool usable = false;
	enum err_code rc = check_query(c, "PRAGMA integrity_check", e);

	if (rc || c->n_found > 0 ||
	    (rc = check_schema(c->kb, true, c->report, &c->n_found, &usable, e)))
		return rc;
	if (!usable)
		return check_all_definitions(c, e);
	if ((rc = check_contents(c, e)))
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
