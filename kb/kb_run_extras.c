#include "kb/kb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

/* The cells are read in the order of run numbers, which is that of imports, and put where the data
 * set has the run; words get their places when all of them are known. */

void kb_run_extras_release(struct kb_run_extras *x)
{
	for (size_t i = 0; i < x->n_columns; i++) {
		struct kb_extra_column *c = &x->column[i];

		for (size_t k = 0; k < c->n_words; k++)
			free(c->text[k]);
		free(c->name);
		free(c->number);
		free(c->word);
	}
	free(x->column);
	*x = (struct kb_run_extras){0};
}

/* ---- the columns ---- */

static enum err_code add_column(struct kb_run_extras *x, const char *name, struct err *e)
{
	struct kb_extra_column *more, *c;

	if (kb_is_date_name(name) || (x->n_columns + 1) * x->n_runs > KB_EXTRAS_CELLS)
		return ERR_OK;
	if (!(more = realloc(x->column, (x->n_columns + 1) * sizeof *more)))
		return err_set(e, ERR_NOMEM, "%zu columns beside runs", x->n_columns + 1);
	x->column = more;
	c = &x->column[x->n_columns++];
	*c = (struct kb_extra_column){
		.name = strdup(name),
		.number = calloc(x->n_runs + 1, sizeof *c->number),
		.word = calloc(x->n_runs + 1, sizeof *c->word),
	};
	if (!c->name || !c->number || !c->word)
		return err_set(e, ERR_NOMEM, "a column beside %zu runs", x->n_runs);
	for (size_t i = 0; i < x->n_runs; i++)
		c->number[i] = (double)NAN;
	return ERR_OK;
}

static enum err_code prepare(struct kb *kb, const struct application *a, int64_t machine_id,
			     const char *select, const char *order, sqlite3_stmt **s, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&sql, "SELECT %s FROM ", select);
	run_table_put_name(a, &sql);
	strbuf_printf(&sql,
		      " AS r, json_each(r.extra) AS j WHERE r.machine_id = ?1 AND "
		      "json_valid(r.extra) ORDER BY %s",
		      order);
	rc = sql.failed ? err_set(e, ERR_NOMEM, "columns beside runs")
			: kb_sql_prepare(kb, s, e, strbuf_text(&sql), "i", machine_id);
	strbuf_release(&sql);
	return rc;
}

static enum err_code find_columns(struct kb *kb, const struct application *a, int64_t machine_id,
				  struct kb_run_extras *x, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = prepare(kb, a, machine_id, "DISTINCT j.key", "j.key", &s, e);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		const char *name = kb_sql_text(s, 0);

		rc = kb_sql_lost_text(s) ? err_set(e, ERR_NOMEM, "a column beside runs")
					 : add_column(x, name, e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- the cells ---- */

struct place {
	int64_t run_id;
	size_t i; /* in the data set */
};

static int by_run_id(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

/* Members of a JSON object mostly come in the same order: *last is where to look first. */
static struct kb_extra_column *find_column(const struct kb_run_extras *x, const char *name,
					   size_t *last)
{
	for (size_t k = 0; k < x->n_columns; k++) {
		const size_t i = (*last + k) % x->n_columns;

		if (strcmp(x->column[i].name, name) == 0) {
			*last = i + 1;
			return &x->column[i];
		}
	}
	return NULL;
}

static enum err_code put_word(struct kb_extra_column *c, size_t i, const char *text, struct err *e)
{
	size_t k = 0;

	while (k < c->n_words && strcmp(c->text[k], text) != 0)
		k++;
	if (k == KB_EXTRA_WORDS) {
		c->many_words = true;
		return ERR_OK;
	}
	if (k == c->n_words) {
		if (!(c->text[k] = strdup(text)))
			return err_set(e, ERR_NOMEM, "a word beside a run");
		c->n_words++;
	}
	c->word[i] = (unsigned char)(k + 1);
	return ERR_OK;
}

static enum err_code put_cell(struct kb_run_extras *x, sqlite3_stmt *s, size_t i, size_t *last,
			      struct err *e)
{
	const char *name = kb_sql_text(s, 1);
	struct kb_extra_column *c = find_column(x, name, last);
	enum err_code rc = ERR_OK;

	if (c && sqlite3_column_type(s, 2) == SQLITE_TEXT)
		rc = put_word(c, i, kb_sql_text(s, 2), e);
	else if (c && sqlite3_column_type(s, 2) != SQLITE_NULL)
		c->number[i] = sqlite3_column_double(s, 2);
	if (!rc && kb_sql_lost_text(s))
		rc = err_set(e, ERR_NOMEM, "a cell beside a run");
	return rc;
}

static enum err_code read_cells(struct kb *kb, const struct application *a, int64_t machine_id,
				const struct place *place, struct kb_run_extras *x, struct err *e)
{
	sqlite3_stmt *s = NULL;
	size_t k = 0, last = 0;
	bool row = true;
	enum err_code rc =
		prepare(kb, a, machine_id, "r.run_id, j.key, j.value", "r.run_id", &s, e);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		const int64_t run_id = sqlite3_column_int64(s, 0);

		while (k < x->n_runs && place[k].run_id < run_id)
			k++;
		if (k < x->n_runs && place[k].run_id == run_id)
			rc = put_cell(x, s, place[k].i, &last, e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* ---- the words ---- */

static void drop_words(struct kb_extra_column *c, size_t n_runs)
{
	for (size_t k = 0; k < c->n_words; k++)
		free(c->text[k]);
	c->n_words = 0;
	memset(c->word, 0, n_runs);
}

static void order_words(struct kb_extra_column *c, size_t n_runs)
{
	unsigned char to[KB_EXTRA_WORDS + 1] = {0};
	char *text[KB_EXTRA_WORDS];

	for (size_t k = 0; k < c->n_words; k++) {
		size_t n_less = 0;

		for (size_t other = 0; other < c->n_words; other++)
			n_less += strcmp(c->text[other], c->text[k]) < 0;
		text[n_less] = c->text[k];
		to[k + 1] = (unsigned char)(n_less + 1);
	}
	if (c->n_words > 0)
		memcpy(c->text, text, c->n_words * sizeof *text);
	for (size_t i = 0; i < n_runs; i++)
		c->word[i] = to[c->word[i]];
}

enum err_code kb_load_run_extras(struct kb *kb, int64_t machine_id, const struct dataset *runs,
				 struct kb_run_extras *out, struct err *e)
{
	struct kb_run_extras x = {.n_runs = runs->n};
	struct place *place = calloc(runs->n + 1, sizeof *place);
	enum err_code rc =
		place ? ERR_OK : err_set(e, ERR_NOMEM, "columns beside %zu runs", runs->n);

	*out = (struct kb_run_extras){0};
	for (size_t i = 0; i < runs->n && !rc; i++)
		place[i] = (struct place){runs->run_id[i], i};
	if (!rc)
		qsort(place, runs->n, sizeof *place, by_run_id);
	if (!rc && !(rc = find_columns(kb, runs->app, machine_id, &x, e)) && x.n_columns > 0)
		rc = read_cells(kb, runs->app, machine_id, place, &x, e);
	for (size_t i = 0; i < x.n_columns && !rc; i++) {
		if (x.column[i].many_words)
			drop_words(&x.column[i], x.n_runs);
		else
			order_words(&x.column[i], x.n_runs);
	}
	free(place);
	if (rc)
		kb_run_extras_release(&x);
	else
		*out = x;
	return rc;
}
