#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/ted_private.h"
#include "ingest/cell_number.h"
#include "ingest/text_table.h"

/* Two rows are equally near when their factors differ by rounding only. */
static const double same = 1 + 1e-9;

/* What rows may tell of a task besides its time; they do not tell one task from another. */
enum { RATE_COLUMNS = 5 };
static const char *const rate_column[RATE_COLUMNS] = {
	"instructions", "data_accesses", "d1_miss_rate", "ll_miss_rate", "tlb_miss_rate"};

struct near_row {
	uint64_t line;
	double time_s;
	double rate[RATE_COLUMNS]; /* NaN: not recorded */
	char **field;		   /* [n_columns], copies */
};

struct lookup {
	const struct task_description *t;
	const double *asked;
	struct text_table *table;
	size_t n_columns;
	size_t time, rate[RATE_COLUMNS]; /* columns; SIZE_MAX: none */
	size_t *exact, *nearest;
	double *wanted;	      /* [n_nearest] */
	struct near_row *row; /* equally near, the nearest so far */
	size_t n_rows;
	double factor;	/* of those */
	double refused; /* the least factor beyond `within`; INFINITY: none */
	size_t n_exact_rows;
};

/* ---- columns ---- */

static enum err_code find_column(const struct lookup *l, const char *name, size_t *out,
				 struct err *e)
{
	*out = text_table_find(l->table, name);
	if (*out == SIZE_MAX)
		return err_set(e, ERR_PARSE, "%s: there is no column '%s'",
			       text_table_name(l->table), name);
	return ERR_OK;
}

static enum err_code want(const struct lookup *l, const struct task_attribute *a, double *out,
			  struct err *e)
{
	*out = a->value ? expr_eval(a->value, l->asked) : a->number;
	if (!(*out > 0 && isfinite(*out)))
		return err_set(e, ERR_ARG,
			       "%s: '%s' is not known for this configuration: nearness takes a "
			       "number > 0",
			       l->t->name, a->column);
	return ERR_OK;
}

static enum err_code bind(struct lookup *l, struct err *e)
{
	const struct task_database *d = &l->t->database;
	enum err_code rc = find_column(l, d->time, &l->time, e);

	l->n_columns = text_table_n_columns(l->table);
	l->exact = calloc(d->n_exact + 1, sizeof *l->exact);
	l->nearest = calloc(d->n_nearest + 1, sizeof *l->nearest);
	l->wanted = calloc(d->n_nearest + 1, sizeof *l->wanted);
	if (!l->exact || !l->nearest || !l->wanted)
		return err_set(e, ERR_NOMEM, "recorded times");
	for (size_t i = 0; i < RATE_COLUMNS; i++)
		l->rate[i] = text_table_find(l->table, rate_column[i]);
	for (size_t i = 0; i < d->n_exact && !rc; i++)
		rc = find_column(l, d->exact[i].column, &l->exact[i], e);
	for (size_t i = 0; i < d->n_nearest && !rc; i++) {
		if (!(rc = find_column(l, d->nearest[i].column, &l->nearest[i], e)))
			rc = want(l, &d->nearest[i], &l->wanted[i], e);
	}
	return rc;
}

/* ---- rows ---- */

static void drop_rows(struct lookup *l)
{
	for (size_t r = 0; r < l->n_rows; r++) {
		for (size_t i = 0; l->row[r].field && i < l->n_columns; i++)
			free(l->row[r].field[i]);
		free(l->row[r].field);
	}
	l->n_rows = 0;
}

static bool agrees(const struct lookup *l, const struct table_record *record)
{
	const struct task_database *d = &l->t->database;

	for (size_t i = 0; i < d->n_exact; i++) {
		const char *field = record->field[l->exact[i]];
		double x;

		if (d->exact[i].text
			    ? strcmp(field, d->exact[i].text) != 0
			    : cell_number(field, &x) != NUMBER_OK || x != d->exact[i].number)
			return false;
	}
	return true;
}

/* The largest ratio of what is asked and what was recorded; INFINITY: something was not. */
static double distance(const struct lookup *l, const struct table_record *record)
{
	double factor = 1;

	for (size_t i = 0; i < l->t->database.n_nearest; i++) {
		double x, ratio;

		if (cell_number(record->field[l->nearest[i]], &x) != NUMBER_OK || !(x > 0))
			return INFINITY;
		ratio = x > l->wanted[i] ? x / l->wanted[i] : l->wanted[i] / x;
		factor = ratio > factor ? ratio : factor;
	}
	return factor;
}

static enum err_code keep(struct lookup *l, const struct table_record *record, struct err *e)
{
	struct near_row *grown = realloc(l->row, (l->n_rows + 1) * sizeof *grown);
	struct near_row *row;

	if (!grown)
		return err_set(e, ERR_NOMEM, "recorded times");
	l->row = grown;
	row = &grown[l->n_rows++];
	*row = (struct near_row){.line = record->line};
	if (cell_number(record->field[l->time], &row->time_s) != NUMBER_OK || !(row->time_s > 0))
		return err_set(e, ERR_PARSE, "%s:%" PRIu64 ": %s = '%.40s' is no time > 0",
			       text_table_name(l->table), row->line, l->t->database.time,
			       record->field[l->time]);
	for (size_t i = 0; i < RATE_COLUMNS; i++) {
		if (l->rate[i] == SIZE_MAX ||
		    cell_number(record->field[l->rate[i]], &row->rate[i]) != NUMBER_OK)
			row->rate[i] = (double)NAN;
	}
	row->field = calloc(l->n_columns, sizeof *row->field);
	for (size_t i = 0; row->field && i < l->n_columns; i++) {
		if (!(row->field[i] = strdup(record->field[i])))
			return err_set(e, ERR_NOMEM, "recorded times");
	}
	return row->field ? ERR_OK : err_set(e, ERR_NOMEM, "recorded times");
}

static enum err_code consider(struct lookup *l, const struct table_record *record, struct err *e)
{
	double factor;

	if (record->bad)
		return err_set(e, ERR_PARSE, "%s:%" PRIu64 ": %s", text_table_name(l->table),
			       record->line, record->bad);
	if (!agrees(l, record))
		return ERR_OK;
	l->n_exact_rows++;
	factor = distance(l, record);
	if (factor > l->t->database.within * same) {
		l->refused = factor < l->refused ? factor : l->refused;
		return ERR_OK;
	}
	if (l->n_rows > 0 && factor > l->factor * same)
		return ERR_OK;
	if (factor * same < l->factor) {
		drop_rows(l);
		l->factor = factor;
	}
	return keep(l, record, e);
}

static enum err_code read_rows(struct lookup *l, struct err *e)
{
	struct table_record record;
	enum err_code rc;

	while (!(rc = text_table_next(l->table, &record, e)) && record.raw) {
		if ((rc = consider(l, &record, e)))
			return rc;
	}
	return rc;
}

/* ---- the answer ---- */

static enum err_code say_none(const struct lookup *l, struct err *e)
{
	const char *name = text_table_name(l->table);

	if (l->n_exact_rows == 0)
		return err_set(e, ERR_NODATA, "%s: no row agrees with 'exact'", name);
	if (isinf(l->refused))
		return err_set(e, ERR_NODATA,
			       "%s: %zu rows agree with 'exact', and none has numbers > 0 for all "
			       "of 'nearest'",
			       name, l->n_exact_rows);
	return err_set(e, ERR_NODATA,
		       "%s: the nearest of %zu rows differs by a factor of %.3g from what is "
		       "asked; 'within' allows %g",
		       name, l->n_exact_rows, l->refused, l->t->database.within);
}

static bool is_result(const struct lookup *l, size_t column)
{
	for (size_t i = 0; i < RATE_COLUMNS; i++) {
		if (column == l->rate[i])
			return true;
	}
	return column == l->time;
}

/* Rows that are equally near are repeats of one measurement if nothing else tells them apart. */
static enum err_code check_one_task(const struct lookup *l, struct err *e)
{
	const struct near_row *a = &l->row[0];

	for (size_t r = 1; r < l->n_rows; r++) {
		const struct near_row *b = &l->row[r];

		for (size_t i = 0; i < l->n_columns; i++) {
			if (is_result(l, i) || strcmp(a->field[i], b->field[i]) == 0)
				continue;
			return err_set(e, ERR_NODATA,
				       "%s: lines %" PRIu64 " and %" PRIu64
				       " are equally near, but %s is '%.40s' in one and '%.40s' in "
				       "the other; say which with 'exact' or 'nearest'",
				       text_table_name(l->table), a->line, b->line,
				       text_table_column(l->table, i), a->field[i], b->field[i]);
		}
	}
	return ERR_OK;
}

static enum err_code answer(const struct lookup *l, struct ted_result *out, struct err *e)
{
	double *const rate[RATE_COLUMNS] = {&out->instructions, &out->data_accesses,
					    &out->D1_miss_rate, &out->LL_miss_rate,
					    &out->tlb_miss_rate};
	double *time_s = calloc(l->n_rows, sizeof *time_s);

	if (!time_s)
		return err_set(e, ERR_NOMEM, "recorded times");
	for (size_t r = 0; r < l->n_rows; r++)
		time_s[r] = l->row[r].time_s;
	ted_summarise(time_s, l->n_rows, out);
	free(time_s);
	for (size_t i = 0; i < RATE_COLUMNS; i++)
		*rate[i] = l->row[0].rate[i];
	strbuf_printf(&out->evidence, "%s, line %" PRIu64, l->t->database.file, l->row[0].line);
	if (l->n_rows > 1)
		strbuf_printf(&out->evidence, " and %zu more like it", l->n_rows - 1);
	if (l->factor <= same)
		strbuf_puts(&out->evidence, ", as asked");
	else
		strbuf_printf(&out->evidence, ", within a factor of %.3g", l->factor);
	return ERR_OK;
}

enum err_code ted_database(const struct task_description *t, const double *asked,
			   struct ted_result *out, struct err *e)
{
	struct lookup l = {.t = t, .asked = asked, .factor = INFINITY, .refused = INFINITY};
	struct strbuf path = STRBUF_INIT;
	enum err_code rc;

	ted_path(t, t->database.file, &path);
	if (path.failed)
		rc = err_set(e, ERR_NOMEM, "a path");
	else if (!(rc = text_table_open(path.buf, 0, &l.table, e)) && !(rc = bind(&l, e)) &&
		 !(rc = read_rows(&l, e)))
		rc = l.n_rows > 0 ? check_one_task(&l, e) : say_none(&l, e);
	if (!rc)
		rc = answer(&l, out, e);
	drop_rows(&l);
	free(l.row);
	free(l.exact);
	free(l.nearest);
	free(l.wanted);
	text_table_close(l.table);
	strbuf_release(&path);
	return rc;
}
