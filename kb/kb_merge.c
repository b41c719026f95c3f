#include "kb/kb_merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kb/kb_check.h"
#include "kb/kb_imports.h"
#include "kb/kb_run_table.h"

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

static enum err_code wake_class(struct merge *m, const char *name, struct err *e)
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
	struct kb_names classes = {0};
	enum err_code rc = kb_list_applications(m->into, &classes, e);

	for (size_t i = 0; !rc && i < classes.n; i++)
		rc = wake_class(m, classes.item[i].name, e);
	kb_names_release(&classes);
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

/* ---- all of it ---- */

static enum err_code merge_all(struct merge *m, struct err *e)
{
	enum err_code rc;

	if ((rc = merge_definitions(m, "SELECT name, definition, sha256 FROM application",
				    merge_application, e)) ||
	    (rc = merge_definitions(m, "SELECT name, definition, sha256 FROM machine",
				    merge_machine, e)) ||
	    (rc = merge_imports(m, e)) || (rc = merge_exclusions(m, e)) ||
	    (rc = merge_decisions(m, e)))
		return rc;
	return merge_advice(m, e);
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
