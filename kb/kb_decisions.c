#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_sql.h"

static const char *const kind_names[] = {
	[DECISION_ACCEPT] = "accept",
	[DECISION_REFUSE] = "refuse",
	[DECISION_NOTE] = "note",
	[DECISION_UNDO] = "undo",
};
enum { N_KINDS = sizeof kind_names / sizeof kind_names[0] };

const char *kb_decision_name(enum kb_decision_kind kind)
{
	return kind_names[kind];
}

static enum err_code kind_from(const char *name, enum kb_decision_kind *out, struct err *e)
{
	for (int i = 0; i < N_KINDS; i++) {
		if (name && strcmp(name, kind_names[i]) == 0) {
			*out = (enum kb_decision_kind)i;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_KB, "'%s' is no kind of decision", name ? name : "");
}

/* ---- adding ---- */

/* The decision that an undo takes back. */
static enum err_code find_last(struct kb *kb, const struct kb_decision *d, int64_t *id,
			       struct err *e)
{
	enum err_code rc = kb_sql_get_int64(
		kb, id, e,
		"SELECT decision_id FROM rule_decisions WHERE application = ?1 COLLATE NOCASE AND "
		"rule_id = ?2 AND kind <> 'undo' AND NOT undone "
		"ORDER BY decided_at DESC, decision_id DESC LIMIT 1",
		"tt", d->application, d->rule_id);

	if (!rc && *id == 0)
		rc = err_set(e, ERR_NOTFOUND,
			     "there is nothing to take back: nobody accepted, refused or noted "
			     "rule %s, or all of it was taken back already",
			     d->rule_id);
	return rc;
}

static enum err_code add_decision(struct kb *kb, const struct kb_decision *d, struct err *e)
{
	int64_t undoes = 0;
	enum err_code rc;

	if (d->kind == DECISION_UNDO && (rc = find_last(kb, d, &undoes, e)))
		return rc;
	return kb_sql_run(kb, e,
			  "INSERT INTO rule_decision (application, rule_id, kind, undoes, "
			  "rule_text, rule_shape, why, decided_by, decided_at) VALUES (?1, ?2, ?3, "
			  "nullif(?4, 0), ?5, ?6, ?7, ?8, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
			  "tttitttt", d->application, d->rule_id, kb_decision_name(d->kind), undoes,
			  d->rule_text, d->rule_shape, d->why, d->who);
}

enum err_code kb_add_decision(struct kb *kb, const struct kb_decision *d, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, add_decision(kb, d, e), e);
}

/* ---- listing ---- */

static void release_decision(struct kb_decision *d)
{
	free(d->application);
	free(d->rule_id);
	free(d->rule_text);
	free(d->rule_shape);
	free(d->why);
	free(d->who);
	free(d->decided_at);
}

void kb_decisions_release(struct kb_decisions *d)
{
	for (size_t i = 0; i < d->n; i++)
		release_decision(&d->item[i]);
	free(d->item);
	*d = (struct kb_decisions){0};
}

static enum err_code from_row(sqlite3_stmt *s, struct kb_decision *d, struct err *e)
{
	char **const texts[] = {&d->application, &d->rule_id, &d->rule_text, &d->rule_shape,
				&d->why,	 &d->who,     &d->decided_at};
	enum err_code rc = kind_from(kb_sql_text(s, 1), &d->kind, e);

	d->id = sqlite3_column_int64(s, 0);
	d->undone = sqlite3_column_int(s, 2) != 0;
	for (size_t i = 0; !rc && i < sizeof texts / sizeof texts[0]; i++)
		rc = kb_sql_dup(s, (int)i + 3, texts[i], e);
	return rc;
}

static enum err_code append(struct kb_decisions *list, sqlite3_stmt *s, struct err *e)
{
	struct kb_decision *grown = realloc(list->item, (list->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu decisions", list->n + 1);
	list->item = grown;
	grown[list->n] = (struct kb_decision){0};
	return from_row(s, &grown[list->n++], e);
}

enum err_code kb_list_decisions(struct kb *kb, const char *application, struct kb_decisions *out,
				struct err *e)
{
	struct kb_decisions list = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT decision_id, kind, undone, application, rule_id, rule_text, rule_shape, "
		"why, decided_by, decided_at FROM rule_decisions "
		"WHERE application = ?1 COLLATE NOCASE ORDER BY decided_at, decision_id",
		"t", application);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append(&list, s, e);
	sqlite3_finalize(s);
	if (rc)
		kb_decisions_release(&list);
	else
		*out = list;
	return rc;
}

/* ---- judging ---- */

const char *kb_rule_state_name(enum kb_rule_state state)
{
	static const char *const names[] = {
		[RULE_STATE_NEW] = "new",
		[RULE_STATE_ACCEPTED] = "accepted",
		[RULE_STATE_REFUSED] = "refused",
	};

	return names[state];
}

static bool stands(const struct kb_decision *d)
{
	return !d->undone && (d->kind == DECISION_ACCEPT || d->kind == DECISION_REFUSE);
}

void kb_judge_rule(const struct kb_decisions *d, const char *rule_id, const char *rule_shape,
		   struct kb_judgement *out)
{
	struct kb_judgement v = {.state = RULE_STATE_NEW};

	/* Oldest first, so the last that fits is what counts. */
	for (size_t i = 0; i < d->n; i++) {
		const struct kb_decision *x = &d->item[i];

		if (!stands(x))
			continue;
		if (strcmp(x->rule_id, rule_id) == 0)
			v.decision = x;
		else if (strcmp(x->rule_shape, rule_shape) == 0)
			v.look_again = x;
	}
	if (v.decision) {
		v.state = v.decision->kind == DECISION_ACCEPT ? RULE_STATE_ACCEPTED
							      : RULE_STATE_REFUSED;
		v.look_again = NULL;
	}
	*out = v;
}
