#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/configuration.h"
#include "kb/kb_campaigns.h"
#include "kb/kb_check.h"
#include "kb/kb_imports.h"
#include "kb/kb_jobs.h"
#include "kb/kb_run_table.h"
#include "kb/kb_run_value.h"
#include "kb/kb_sql.h"

/* A merge under way: both bases open, from in a read snapshot, into in a write transaction. */
struct merge {
	struct kb *into;
	struct kb *from;
	const struct progress *progress;
	struct kb_merge_result result;
};

/* Our number for a decision of theirs. */
struct id_pair {
	int64_t theirs;
	int64_t ours;
};

struct pairs {
	struct id_pair *item;
	size_t n;
};

static enum err_code add_pair(struct pairs *p, int64_t theirs, int64_t ours, struct err *e)
{
	struct id_pair *grown = realloc(p->item, (p->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu decisions of another base", p->n + 1);
	p->item = grown;
	grown[p->n++] = (struct id_pair){theirs, ours};
	return ERR_OK;
}

/* 0: none. What is taken back is most often recent. */
static int64_t ours_of(const struct pairs *p, int64_t theirs)
{
	for (size_t i = p->n; i-- > 0;) {
		if (p->item[i].theirs == theirs)
			return p->item[i].ours;
	}
	return 0;
}

/* A row of theirs: the columns of their_decisions. */
struct decision_row {
	int64_t id, undoes, occurrence;
	const char *application, *rule_id, *kind, *why, *who, *when, *text, *shape;
};

static const char their_decisions[] =
	"SELECT decision_id, undoes, row_number() OVER (PARTITION BY application COLLATE NOCASE, "
	"rule_id, kind, why, decided_by, decided_at ORDER BY decision_id), application, rule_id, "
	"kind, why, decided_by, decided_at, rule_text, rule_shape FROM rule_decision "
	"ORDER BY decision_id";

static struct decision_row from_row(sqlite3_stmt *s)
{
	return (struct decision_row){
		.id = sqlite3_column_int64(s, 0),
		.undoes = sqlite3_column_int64(s, 1),
		.occurrence = sqlite3_column_int64(s, 2),
		.application = kb_sql_text(s, 3),
		.rule_id = kb_sql_text(s, 4),
		.kind = kb_sql_text(s, 5),
		.why = kb_sql_text(s, 6),
		.who = kb_sql_text(s, 7),
		.when = kb_sql_text(s, 8),
		.text = kb_sql_text(s, 9),
		.shape = kb_sql_text(s, 10),
	};
}

/* The j-th decision of a content is theirs and ours alike; *id is 0 where we have fewer. */
static enum err_code find_ours(struct merge *m, const struct decision_row *d, int64_t *id,
			       struct err *e)
{
	return kb_sql_get_int64(
		m->into, id, e,
		"SELECT decision_id FROM rule_decision WHERE application = ?1 COLLATE NOCASE AND "
		"rule_id = ?2 AND kind = ?3 AND why = ?4 AND decided_by = ?5 AND decided_at = ?6 "
		"ORDER BY decision_id LIMIT 1 OFFSET ?7 - 1",
		"tttttti", d->application, d->rule_id, d->kind, d->why, d->who, d->when,
		d->occurrence);
}

static enum err_code take_over(struct merge *m, const struct decision_row *d, int64_t undoes,
			       int64_t *id, struct err *e)
{
	enum err_code rc = kb_sql_run(
		m->into, e,
		"INSERT INTO rule_decision (application, rule_id, kind, undoes, rule_text, "
		"rule_shape, why, decided_by, decided_at) "
		"VALUES (?1, ?2, ?3, nullif(?4, 0), ?5, ?6, ?7, ?8, ?9)",
		"tttittttt", d->application, d->rule_id, d->kind, undoes, d->text, d->shape, d->why,
		d->who, d->when);

	if (rc)
		return rc;
	*id = sqlite3_last_insert_rowid(m->into->db);
	m->result.n_decisions++;
	return ERR_OK;
}

static enum err_code merge_decision(struct merge *m, const struct decision_row *d,
				    struct pairs *known, struct err *e)
{
	int64_t id = 0;
	enum err_code rc = find_ours(m, d, &id, e);

	if (!rc && id == 0)
		rc = take_over(m, d, ours_of(known, d->undoes), &id, e);
	return rc ? rc : add_pair(known, d->id, id, e);
}

/* The decisions about rules that `into` does not have. */
static enum err_code merge_decisions(struct merge *m, struct err *e)
{
	struct pairs known = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(m->from, &s, e, their_decisions, "");

	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row) {
		const struct decision_row d = from_row(s);

		rc = merge_decision(m, &d, &known, e);
	}
	sqlite3_finalize(s);
	free(known.item);
	return rc;
}

enum { PROGRESS_ROWS = 16384 };

/* Our id of their machine. */
static enum err_code our_machine(struct merge *m, int64_t theirs, int64_t *ours, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e, "SELECT name FROM machine WHERE machine_id = ?1", "i", theirs);

	if (!rc && !(rc = kb_sql_step(m->from, s, &row, e)))
		rc = kb_sql_get_int64(
			m->into, ours, e,
			"SELECT machine_id FROM machine WHERE name = ?1 COLLATE NOCASE", "t",
			row ? kb_sql_text(s, 0) : "");
	sqlite3_finalize(s);
	return rc;
}

/* ---- runs ---- */

/* Which runs an import of theirs brought: its own, and those that were known already then. They
 * are sorted once, because run tables have no index by import. */
static enum err_code list_members(struct merge *m, const struct application *a, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql,
		    "DROP TABLE IF EXISTS temp.member;\n"
		    "CREATE TEMP TABLE member (import_id INTEGER, line INTEGER, run_id INTEGER, "
		    "PRIMARY KEY (import_id, line, run_id)) WITHOUT ROWID;\n"
		    "INSERT INTO member SELECT import_id, line, run_id FROM ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql,
		    ";\nINSERT INTO member SELECT k.import_id, k.line, k.run_id FROM known_run "
		    "AS k JOIN ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " USING (run_id);\n");
	rc = kb_sql_exec(m->from, &sql, e);
	strbuf_release(&sql);
	return rc;
}

static enum err_code select_members(struct merge *m, const struct application *a, int64_t import_id,
				    sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql,
		    "SELECT r.machine_id, r.source, r.status, r.wall_s, r.n_repeats, r.repeat, "
		    "t.line, r.computed, r.flag, r.extra, r.run_id");
	run_values_put_names(a, "r.", &sql);
	strbuf_puts(&sql, " FROM temp.member AS t JOIN ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " AS r USING (run_id) WHERE t.import_id = ?1 ORDER BY t.line, t.run_id");
	rc = sql.failed ? err_set(e, ERR_NOMEM, "runs of import %lld", (long long)import_id)
			: kb_sql_prepare(m->from, out, e, strbuf_text(&sql), "i", import_id);
	strbuf_release(&sql);
	return rc;
}

struct copier {
	struct merge *m;
	const struct application *a;
	struct kb_run_writer *writer;
	struct run_value *value;
	double *row;
	int64_t their_machine; /* the last one, and ours for it */
	int64_t our_machine;
};

/* What no import would have taken. */
static enum err_code check_legal(const struct copier *c, int64_t run_id, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	configuration_derive(c->a, c->row);
	if (!configuration_legal(c->a, c->row, &why))
		rc = err_set(
			e, ERR_KB,
			"%s: run %lld of %s is not legal by its definition: %s; undo its import "
			"there, or change the definition in both bases; nothing was merged",
			kb_path(c->m->from), (long long)run_id, c->a->name, strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

static enum err_code copy_run(struct copier *c, sqlite3_stmt *s, struct err *e)
{
	struct kb_run run = {
		.row = c->row,
		.wall_s = kb_sql_real(s, 3),
		.source = (enum run_source)run_source_from(kb_sql_text(s, 1)),
		.status = (enum run_status)run_status_from(kb_sql_text(s, 2)),
		.n_repeats = (uint32_t)sqlite3_column_int64(s, 4),
		.repeat = sqlite3_column_int64(s, 5),
		.line = sqlite3_column_int64(s, 6),
		.computed = kb_sql_text_or_null(s, 7),
		.flag = kb_sql_text_or_null(s, 8),
		.extra = kb_sql_text_or_null(s, 9),
	};
	int64_t machine_id = sqlite3_column_int64(s, 0);
	enum err_code rc;

	if ((int)run.source < 0 || (int)run.status < 0)
		return err_set(e, ERR_KB, "%s: a run is damaged: `lemnos status check` tells more",
			       kb_path(c->m->from));
	if (machine_id != c->their_machine &&
	    (rc = our_machine(c->m, machine_id, &c->our_machine, e)))
		return rc;
	c->their_machine = machine_id;
	run.machine_id = c->our_machine;
	run_values_from_row(c->a, s, 11, c->value);
	for (size_t i = 0; i < c->a->n_columns; i++) {
		c->row[i] = c->value[i].number;
		if (c->value[i].text) {
			size_t code = levels_add(&c->a->column[i].levels, c->value[i].text);

			if (code == SIZE_MAX)
				return err_set(e, ERR_NOMEM, "levels of %s", c->a->column[i].name);
			c->row[i] = (double)code;
		}
	}
	if ((rc = check_legal(c, sqlite3_column_int64(s, 10), e)))
		return rc;
	return kb_run_writer_add(c->writer, &run, e);
}

static enum err_code copy_runs(struct copier *c, sqlite3_stmt *s, struct err *e)
{
	bool row = true;
	uint64_t n = 0;
	enum err_code rc = ERR_OK;

	while (!rc && !(rc = kb_sql_step(c->m->from, s, &row, e)) && row) {
		if (n++ % PROGRESS_ROWS == 0 &&
		    !progress_step(c->m->progress, "merging runs", n, 0))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while merging");
		else
			rc = copy_run(c, s, e);
	}
	return rc;
}

static enum err_code merge_runs_of(struct merge *m, struct application *a, int64_t app_id,
				   struct kb_import *imp, struct err *e)
{
	struct copier c = {
		.m = m,
		.a = a,
		.value = calloc(a->n_columns + 1, sizeof *c.value),
		.row = calloc(a->n_columns + 1, sizeof *c.row),
	};
	sqlite3_stmt *s = NULL;
	enum err_code rc;

	if (!c.value || !c.row) {
		rc = err_set(e, ERR_NOMEM, "runs of %s", a->name);
		goto done;
	}
	if ((rc = select_members(m, a, imp->id, &s, e)) ||
	    (rc = kb_run_writer_open(m->into, a, app_id, imp, &c.writer, e)) ||
	    (rc = copy_runs(&c, s, e)) ||
	    (rc = kb_run_writer_finish(c.writer, imp, m->progress, e)))
		goto done;
	m->result.n_runs += imp->n_taken;
done:
	kb_run_writer_free(c.writer);
	sqlite3_finalize(s);
	free(c.value);
	free(c.row);
	return rc;
}

/* ---- ping-pong ---- */

static enum err_code merge_pingpong(struct merge *m, struct kb_import *imp, struct err *e)
{
	struct kb_pingpong rows = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	int64_t machine_id = 0;
	size_t n = (size_t)imp->n_taken;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e,
		"SELECT machine_id, message_bytes, roundtrip_s FROM pingpong WHERE import_id = ?1 "
		"ORDER BY pingpong_id LIMIT ?2",
		"ii", imp->id, imp->n_taken);

	rows.message_bytes = calloc(n + 1, sizeof *rows.message_bytes);
	rows.roundtrip_s = calloc(n + 1, sizeof *rows.roundtrip_s);
	if (!rc && (!rows.message_bytes || !rows.roundtrip_s))
		rc = err_set(e, ERR_NOMEM, "%zu ping-pong rows", n);
	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row) {
		machine_id = sqlite3_column_int64(s, 0);
		rows.message_bytes[rows.n] = sqlite3_column_double(s, 1);
		rows.roundtrip_s[rows.n++] = sqlite3_column_double(s, 2);
	}
	if (!rc && rows.n > 0 && !(rc = our_machine(m, machine_id, &machine_id, e)))
		rc = kb_add_pingpong(m->into, machine_id, imp, &rows, e);
	sqlite3_finalize(s);
	kb_pingpong_release(&rows);
	return rc;
}

/* ---- imports ---- */

/* Is this import theirs to give and not ours already? */
static enum err_code is_new(struct merge *m, const struct kb_import *imp, bool *take, struct err *e)
{
	int64_t there = 0;
	enum err_code rc = imp->undone ? ERR_OK : kb_find_import(m->into, imp, &there, e);

	*take = !imp->undone && !there;
	if (!rc && there)
		m->result.n_known_imports++;
	return rc;
}

static enum err_code merge_imports_of(struct merge *m, const char *name, struct kb_imports *imports,
				      struct err *e)
{
	struct application *a = NULL;
	int64_t app_id = 0;
	bool take;
	enum err_code rc;

	if ((rc = kb_get_application(m->into, name, &a, &app_id, e)) ||
	    (rc = list_members(m, a, e)))
		goto done;
	for (size_t i = 0; !rc && i < imports->n; i++) {
		struct kb_import *imp = &imports->item[i];

		if (!imp->application || !application_is(a, imp->application) ||
		    (rc = is_new(m, imp, &take, e)) || !take)
			continue;
		if (!(rc = merge_runs_of(m, a, app_id, imp, e)))
			m->result.n_imports++;
	}
done:
	application_free(a);
	return rc;
}

/* The imports of `from` that `into` does not have, with their runs and ping-pong rows. Definitions
 * are the same in both already. */
static enum err_code merge_imports(struct merge *m, struct err *e)
{
	struct kb_imports imports = {0};
	struct kb_names apps = {0};
	bool take;
	enum err_code rc;

	if ((rc = kb_list_imports(m->from, &imports, e)) ||
	    (rc = kb_list_applications(m->from, &apps, e)))
		goto done;
	for (size_t i = 0; !rc && i < apps.n; i++)
		rc = merge_imports_of(m, apps.item[i].name, &imports, e);
	for (size_t i = 0; !rc && i < imports.n; i++) {
		struct kb_import *imp = &imports.item[i];

		if (imp->application || (rc = is_new(m, imp, &take, e)) || !take)
			continue;
		if (!(rc = merge_pingpong(m, imp, e)))
			m->result.n_imports++;
	}
done:
	kb_imports_release(&imports);
	kb_names_release(&apps);
	return rc;
}

/* ---- definitions ---- */

static enum err_code differ(const struct merge *m, const char *what, const char *name,
			    struct err *e)
{
	return err_set(
		e, ERR_ARG,
		"%s %s is defined differently in %s and %s: make the definitions equal first "
		"(`lemnos %ss show %s`, `lemnos %ss add FILE`)",
		what, name, kb_path(m->into), kb_path(m->from), what, name, what);
}

static enum err_code merge_application(struct merge *m, const char *name, const char *definition,
				       const char *sha256, struct err *e)
{
	struct application *a = NULL;
	int64_t there = 0;
	int64_t same = 0;
	enum err_code rc;

	if ((rc = kb_sql_get_int64(
		     m->into, &there, e,
		     "SELECT count(*) FROM application WHERE name = ?1 COLLATE NOCASE", "t",
		     name)) ||
	    (rc = kb_sql_get_int64(
		     m->into, &same, e,
		     "SELECT count(*) FROM application WHERE name = ?1 COLLATE NOCASE "
		     "AND sha256 = ?2",
		     "tt", name, sha256)))
		return rc;
	if (there)
		return same ? ERR_OK : differ(m, "app", name, e);
	rc = application_parse(definition, name, &a, e);
	if (!rc)
		rc = kb_put_application(m->into, a, NULL, e);
	application_free(a);
	return rc;
}

/* Is this the definition of a machine of which only the name is known? */
static enum err_code is_bare(const char *name, const char *definition, bool *bare, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = machine_unknown_text(name, &text, e);

	if (!rc)
		*bare = strcmp(strbuf_text(&text), definition) == 0;
	strbuf_release(&text);
	return rc;
}

static enum err_code put_machine_text(struct kb *kb, const char *name, const char *definition,
				      struct err *e)
{
	struct machine *machine = NULL;
	enum err_code rc = machine_parse(definition, name, &machine, e);

	if (!rc)
		rc = kb_put_machine(kb, machine, NULL, e);
	machine_free(machine);
	return rc;
}

/* A machine that an import created from its name alone yields to a real definition. */
static enum err_code merge_machine(struct merge *m, const char *name, const char *definition,
				   const char *sha256, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool there = false;
	bool ours_bare = false;
	bool theirs_bare = false;
	enum err_code rc = kb_sql_prepare(
		m->into, &s, e,
		"SELECT name, definition, sha256 FROM machine WHERE name = ?1 COLLATE NOCASE", "t",
		name);

	if (rc || (rc = kb_sql_step(m->into, s, &there, e)))
		goto done;
	if (there && strcmp(kb_sql_text(s, 2), sha256) == 0)
		goto done;
	if ((rc = is_bare(name, definition, &theirs_bare, e)) ||
	    (there && (rc = is_bare(kb_sql_text(s, 0), kb_sql_text(s, 1), &ours_bare, e))))
		goto done;
	if (there && !ours_bare)
		rc = theirs_bare ? ERR_OK : differ(m, "machine", name, e);
	else
		rc = put_machine_text(m->into, name, definition, e);
done:
	sqlite3_finalize(s);
	return rc;
}

/* sql gives name, definition, sha256 of each. */
static enum err_code merge_definitions(struct merge *m, const char *sql,
				       enum err_code (*one)(struct merge *, const char *,
							    const char *, const char *,
							    struct err *),
				       struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(m->from, &s, e, sql, "");

	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row)
		rc = one(m, kb_sql_text(s, 0), kb_sql_text(s, 1), kb_sql_text(s, 2), e);
	sqlite3_finalize(s);
	return rc;
}

/* ---- judgement ---- */

/* The j-th exclusion of a content is taken over where we have fewer than j of it, so that merging
 * twice changes nothing. It waits, and is woken below when its run is here. */
static enum err_code merge_exclusion(struct merge *m, sqlite3_stmt *s, struct err *e)
{
	const char *application = kb_sql_text(s, 0);
	int64_t hash = sqlite3_column_int64(s, 1);
	int64_t ours = 0;
	enum err_code rc = kb_sql_get_int64(
		m->into, &ours, e,
		"SELECT (SELECT count(*) FROM exclusion WHERE application = ?1 COLLATE NOCASE AND "
		"content_hash = ?2) + (SELECT count(*) FROM exclusion_waiting WHERE application = "
		"?1 "
		"COLLATE NOCASE AND content_hash = ?2)",
		"ti", application, hash);

	if (rc || ours >= sqlite3_column_int64(s, 5))
		return rc;
	return kb_sql_run(m->into, e, "INSERT INTO exclusion_waiting VALUES (?1, ?2, ?3, ?4, ?5)",
			  "tittt", application, hash, kb_sql_text(s, 2), kb_sql_text(s, 3),
			  kb_sql_text(s, 4));
}

static enum err_code wake_application(struct merge *m, const char *name, struct err *e)
{
	char table[RUN_TABLE_NAME_SIZE];
	struct application *a = NULL;
	enum err_code rc = kb_get_application(m->into, name, &a, NULL, e);

	if (rc)
		return rc;
	run_table_name(a, table);
	rc = import_wake_exclusions(m->into, a->name, table, 0, e);
	application_free(a);
	return rc;
}

static enum err_code wake_all(struct merge *m, struct err *e)
{
	struct kb_names apps = {0};
	enum err_code rc = kb_list_applications(m->into, &apps, e);

	for (size_t i = 0; !rc && i < apps.n; i++)
		rc = wake_application(m, apps.item[i].name, e);
	kb_names_release(&apps);
	return rc;
}

static enum err_code merge_exclusions(struct merge *m, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e,
		"SELECT application, content_hash, excluded_by, excluded_at, why, row_number() "
		"OVER "
		"(PARTITION BY application, content_hash ORDER BY excluded_at) FROM ("
		"SELECT application, content_hash, excluded_by, excluded_at, why FROM exclusion "
		"UNION ALL SELECT * FROM exclusion_waiting)",
		"");

	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row)
		rc = merge_exclusion(m, s, e);
	sqlite3_finalize(s);
	return rc ? rc : wake_all(m, e);
}

/* first_run_id stays behind: runs have other ids here. */
static enum err_code merge_advice(struct merge *m, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		m->from, &s, e, "SELECT advice_id, given_at, request, answer, snapshot FROM advice",
		"");

	while (!rc && !(rc = kb_sql_step(m->from, s, &row, e)) && row) {
		rc = kb_sql_run(m->into, e,
				"INSERT INTO advice (advice_id, given_at, request, answer, "
				"snapshot) VALUES (?1, ?2, ?3, ?4, ?5) "
				"ON CONFLICT (advice_id) DO NOTHING",
				"ttttt", kb_sql_text(s, 0), kb_sql_text(s, 1), kb_sql_text(s, 2),
				kb_sql_text(s, 3), kb_sql_text(s, 4));
		if (!rc)
			m->result.n_advice += sqlite3_changes64(m->into->db);
	}
	sqlite3_finalize(s);
	return rc;
}

/* Their jobs; of one that both know, what is settled counts. */
static enum err_code merge_jobs(struct merge *m, struct err *e)
{
	struct kb_jobs theirs = {0};
	enum err_code rc = kb_list_jobs(m->from, NULL, false, &theirs, e);

	for (size_t i = 0; i < theirs.n && !rc; i++) {
		int64_t newer = 0;

		rc = kb_sql_get_int64(m->into, &newer, e,
				      "SELECT count(*) FROM advice_job WHERE job_name = ?1 AND "
				      "settled >= ?2",
				      "tb", theirs.item[i].name, (int)theirs.item[i].settled);
		if (!rc && !newer)
			rc = kb_put_job(m->into, &theirs.item[i], e);
	}
	kb_jobs_release(&theirs);
	return rc;
}

/* ---- all of it ---- */

static enum err_code merge_all(struct merge *m, struct err *e)
{
	enum err_code rc;

	if ((rc = merge_definitions(m, "SELECT name, definition, sha256 FROM application",
				    merge_application, e)) ||
	    (rc = merge_definitions(m, "SELECT name, definition, sha256 FROM machine",
				    merge_machine, e)) ||
	    (rc = merge_imports(m, e)) || (rc = merge_exclusions(m, e)) ||
	    (rc = merge_decisions(m, e)) || (rc = merge_advice(m, e)))
		return rc;
	if ((rc = merge_jobs(m, e)))
		return rc;
	return kb_merge_campaigns(m->into, m->from, &m->result.n_campaigns, e);
}

/* A damaged run would get a new hash here, and pass for sound ever after. */
static enum err_code refuse_damage(struct merge *m, struct err *e)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;
	enum err_code rc = check_before_merge(m->from, &report, &n_found, e);

	if (!rc && report.failed)
		rc = err_set(e, ERR_NOMEM, "check of %s", kb_path(m->from));
	if (!rc && n_found > 0) {
		const char *text = strbuf_text(&report);

		rc = err_set(
			e, ERR_KB,
			"%s is damaged, nothing of it was merged: %.*s%s (`lemnos status check "
			"--kb %s`)",
			kb_path(m->from), (int)strcspn(text, "\n"), text,
			n_found > 1 ? ", and more" : "", kb_path(m->from));
	}
	strbuf_release(&report);
	return rc;
}

static bool same_file(const char *a, const char *b)
{
	struct stat sa;
	struct stat sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

enum err_code kb_merge(struct kb *kb, const char *from, const struct progress *p,
		       struct kb_merge_result *out, struct err *e)
{
	const struct kb_options watched = {.progress = p};
	struct merge m = {.into = kb, .progress = p};
	enum err_code rc;

	assert(!kb->in_write && !kb->in_read);
	if (same_file(kb_path(kb), from))
		return err_set(e, ERR_ARG, "%s cannot be merged with itself", from);
	if (access(from, F_OK) != 0 && errno == ENOENT)
		return err_set(e, ERR_NOTFOUND, "there is no file %s to merge", from);
	if ((rc = kb_open(from, KB_READ, &watched, &m.from, e)) ||
	    (rc = kb_begin_read(m.from, e)) || (rc = refuse_damage(&m, e)) ||
	    (rc = kb_begin(kb, e)))
		goto done;
	rc = kb_own_end(kb, true, merge_all(&m, e), e);
	if (!rc)
		*out = m.result;
done:
	kb_close(m.from);
	return rc;
}
