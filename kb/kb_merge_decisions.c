#include "kb/kb_merge.h"

#include <stdlib.h>

/* Our number for a decision of theirs. */
struct pair {
	int64_t theirs;
	int64_t ours;
};

struct pairs {
	struct pair *item;
	size_t n;
};

static enum err_code add_pair(struct pairs *p, int64_t theirs, int64_t ours, struct err *e)
{
	struct pair *grown = realloc(p->item, (p->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu decisions of another base", p->n + 1);
	p->item = grown;
	grown[p->n++] = (struct pair){theirs, ours};
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

enum err_code merge_decisions(struct merge *m, struct err *e)
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
