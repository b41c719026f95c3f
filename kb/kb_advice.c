#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_sql.h"

/* Digits of an id that are enough to look for. */
enum { PREFIX_MIN = 4 };

/* As from_row() reads them. */
#define SELECT_ADVICE \
	"SELECT advice_id, given_at, request, answer, snapshot, first_run_id FROM advice "

enum err_code kb_put_advice(struct kb *kb, const struct kb_advice *a, struct err *e)
{
	int64_t there = 0;
	bool own;
	enum err_code rc = kb_sql_get_int64(
		kb, &there, e, "SELECT count(*) FROM advice WHERE advice_id = ?1", "t", a->id);

	if (rc || there || (rc = kb_own_begin(kb, &own, e)))
		return rc;
	rc = kb_sql_run(kb, e,
			"INSERT INTO advice (advice_id, given_at, request, answer, snapshot, "
			"first_run_id) VALUES (?1, "
			"ifnull(?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), ?3, ?4, ?5, "
			"nullif(?6, 0)) ON CONFLICT (advice_id) DO NOTHING",
			"ttttti", a->id, a->given_at, a->request, a->answer, a->snapshot,
			a->first_run_id);
	return kb_own_end(kb, own, rc, e);
}

static enum err_code from_row(sqlite3_stmt *s, struct kb_advice *a, struct err *e)
{
	enum err_code rc;

	a->first_run_id = sqlite3_column_int64(s, 5);
	if ((rc = kb_sql_dup(s, 0, &a->id, e)) || (rc = kb_sql_dup(s, 1, &a->given_at, e)) ||
	    (rc = kb_sql_dup(s, 2, &a->request, e)) || (rc = kb_sql_dup(s, 3, &a->answer, e)))
		return rc;
	return kb_sql_dup(s, 4, &a->snapshot, e);
}

enum err_code kb_get_advice(struct kb *kb, const char *id, struct kb_advice *out, struct err *e)
{
	struct kb_advice a = {0};
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc;

	if (strlen(id) < PREFIX_MIN)
		return err_set(
			e, ERR_NOTFOUND,
			"'%s' is too short for an id of a recommendation: give %d digits or more",
			id, (int)PREFIX_MIN);
	/* An exact id comes first, so that it is found even where it begins a longer one. */
	rc = kb_sql_prepare(
		kb, &s, e,
		SELECT_ADVICE
		"WHERE substr(advice_id, 1, length(?1)) = ?1 ORDER BY advice_id LIMIT 2",
		"t", id);
	if (rc || (rc = kb_sql_step(kb, s, &row, e)))
		goto done;
	if (!row) {
		rc = err_set(e, ERR_NOTFOUND, "there is no recommendation '%s' in %s", id,
			     kb_path(kb));
		goto done;
	}
	if ((rc = from_row(s, &a, e)) || strcmp(a.id, id) == 0)
		goto done;
	if (!(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = err_set(e, ERR_NOTFOUND,
			     "several recommendations begin with '%s': %s, %s; give more digits",
			     id, a.id, kb_sql_text(s, 0));
done:
	sqlite3_finalize(s);
	if (rc)
		kb_advice_release(&a);
	else
		*out = a;
	return rc;
}

void kb_advice_release(struct kb_advice *a)
{
	free(a->id);
	free(a->given_at);
	free(a->request);
	free(a->answer);
	free(a->snapshot);
	*a = (struct kb_advice){0};
}

/* ---- all of it ---- */

void kb_advice_list_release(struct kb_advice_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		kb_advice_release(&l->item[i]);
	free(l->item);
	*l = (struct kb_advice_list){0};
}

static enum err_code append(struct kb_advice_list *list, sqlite3_stmt *s, struct err *e)
{
	struct kb_advice *grown = realloc(list->item, (list->n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu recommendations", list->n + 1);
	list->item = grown;
	grown[list->n] = (struct kb_advice){0};
	return from_row(s, &grown[list->n++], e);
}

enum err_code kb_get_latest_advice(struct kb *kb, struct kb_advice *out, struct err *e)
{
	struct kb_advice a = {0};
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, SELECT_ADVICE "ORDER BY given_at DESC, advice_id LIMIT 2", "");

	if (rc || (rc = kb_sql_step(kb, s, &row, e)))
		goto done;
	if (!row) {
		rc = err_set(e, ERR_NOTFOUND, "no recommendation was given yet from %s",
			     kb_path(kb));
		goto done;
	}
	if ((rc = from_row(s, &a, e)) || (rc = kb_sql_step(kb, s, &row, e)))
		goto done;
	/* times are kept in seconds */
	if (row && !strcmp(a.given_at, kb_sql_text(s, 1)))
		rc = err_set(e, ERR_NOTFOUND,
			     "several recommendations were given last, in the same second: which, "
			     "%s or %s?",
			     a.id, kb_sql_text(s, 0));
done:
	sqlite3_finalize(s);
	if (rc)
		kb_advice_release(&a);
	else
		*out = a;
	return rc;
}

enum err_code kb_list_advice(struct kb *kb, struct kb_advice_list *out, struct err *e)
{
	struct kb_advice_list list = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, SELECT_ADVICE "ORDER BY given_at DESC, first_run_id DESC, advice_id",
		"");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = append(&list, s, e);
	sqlite3_finalize(s);
	if (rc)
		kb_advice_list_release(&list);
	else
		*out = list;
	return rc;
}

enum err_code kb_next_run_id(struct kb *kb, int64_t *out, struct err *e)
{
	return kb_sql_get_int64(kb, out, e, "SELECT next FROM counter WHERE name = 'run_id'", "");
}
