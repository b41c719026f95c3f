#include "recommend/next/unseen_values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "domain/rule.h"
#include "mining/numerics/group_by.h"

/* Whole numbers that are tried between two values, from the middle outwards. */
enum { MAX_TRIES = 512 };

/* A tunable: its values in runs that ended well. */
struct tried_values {
	size_t column;
	double *value; /* ascending, > 0, distinct */
	size_t n;
	bool alone; /* two runs differ in it alone */
	bool whole; /* all are whole numbers, as far as is known the only ones that it takes */
	bool codes; /* whole numbers that follow each other */
};

static const struct application *app_of(const struct config_space *s)
{
	return s->request->app;
}

static bool is_open(const struct config_space *s, size_t i)
{
	const struct column *c = &app_of(s)->column[i];

	return c->role == COL_TUNABLE && c->type != COL_TEXT && c->candidates == CAND_SEEN &&
	       isnan(s->request->row[i]);
}

/* ---- what was tried ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* list[0..n-1]: runs that ended well. */
static void collect(const struct dataset *runs, const uint32_t *list, size_t n,
		    struct tried_values *v)
{
	size_t n_kept = 0;

	v->n = 0;
	for (size_t k = 0; k < n; k++) {
		double x = dataset_row(runs, list[k])[v->column];

		if (x > 0)
			v->value[v->n++] = x;
	}
	qsort(v->value, v->n, sizeof *v->value, by_value);
	for (size_t k = 0; k < v->n; k++) {
		if (n_kept == 0 || v->value[k] != v->value[n_kept - 1])
			v->value[n_kept++] = v->value[k];
	}
	v->n = n_kept;
	v->whole = v->codes = true;
	for (size_t k = 0; k < v->n; k++) {
		v->whole = v->whole && v->value[k] == floor(v->value[k]);
		v->codes = v->codes && v->whole && (k == 0 || v->value[k] == v->value[k - 1] + 1);
	}
}

/* Two runs that agree in every stored column but this one, where they do not. */
static enum err_code find_alone(const struct dataset *runs, const uint32_t *list, size_t n,
				struct tried_values *v, struct err *e)
{
	const struct application *app = runs->app;
	size_t *column = calloc(app->n_columns + 1, sizeof *column);
	uint32_t *group = calloc(2 * n + 1, sizeof *group), *first;
	struct row_key key = {.x = runs->rows,
			      .row_of = runs->row_of,
			      .n_columns = app->n_columns,
			      .column = column,
			      .machine = NULL};
	size_t n_groups;
	enum err_code rc = ERR_OK;

	if (!column || !group) {
		rc = err_set(e, ERR_NOMEM, "%zu runs to compare", n);
		goto done;
	}
	first = group + n;
	for (size_t c = 0; c < app->n_columns; c++) {
		if (c != v->column && app->column[c].role != COL_DERIVED)
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, list, n, group, first, &n_groups, e)))
		goto done;
	for (size_t k = 0; k < n && !v->alone; k++) {
		double x = dataset_row(runs, list[k])[v->column];
		double y = dataset_row(runs, first[group[k]])[v->column];

		v->alone = x != y && !isnan(x) && !isnan(y);
	}
done:
	free(column);
	free(group);
	return rc;
}

/* ---- values between and beyond ---- */

struct finder {
	const struct config_space *space;
	struct candidate_points *out;
	const double *from; /* row of the place that is varied */
	double *row;	    /* scratch, n_columns */
};

/* *added: it is legal, and now among the places, if it was not there. */
static enum err_code try_value(struct finder *f, size_t column, double value, bool *added,
			       struct err *e)
{
	const struct advice_request *q = f->space->request;
	const struct column *c = &q->app->column[column];
	struct prediction at;
	struct place x;

	*added = false;
	if (value < c->min || value > c->max)
		return ERR_OK;
	memcpy(f->row, f->from, q->app->n_columns * sizeof *f->row);
	f->row[column] = value;
	if (!config_space_complete(f->space, f->row))
		return ERR_OK;
	*added = true;
	if (candidate_points_have(f->out, f->row, q->app->n_columns))
		return ERR_OK;
	predictor_predict(q->predictor, f->row, 1, &at);
	x = place_at(q, &f->space->placement, f->row, &at);
	x.kind = "new value";
	return candidate_points_add(f->out, &x, f->row, q->app->n_columns, e);
}

/* The legal value nearest to `middle` that lies between two others. */
static enum err_code add_near(struct finder *f, const struct tried_values *v, double middle,
			      double above, double below, struct err *e)
{
	bool added = false;
	double low = floor(middle), high = low + 1;
	enum err_code rc = ERR_OK;

	if (!v->whole)
		return middle > above && middle < below ? try_value(f, v->column, middle, &added, e)
							: ERR_OK;
	for (int tries = 0; tries < MAX_TRIES && !added && !rc; tries++) {
		bool down = low > above && (high >= below || middle / low <= high / middle);

		if (!down && high >= below)
			break;
		rc = try_value(f, v->column, down ? low : high, &added, e);
		low -= down ? 1 : 0;
		high += down ? 0 : 1;
	}
	return rc;
}

static enum err_code add_around(struct finder *f, const struct tried_values *v, struct err *e)
{
	double x = f->from[v->column], step;
	size_t at = 0;
	enum err_code rc = ERR_OK;

	while (at < v->n && v->value[at] < x)
		at++;
	if (at == v->n || v->value[at] != x || v->n < 2)
		return ERR_OK; /* itself not tried: what lies around it is not known */
	if (at > 0)
		rc = add_near(f, v, sqrt(v->value[at - 1] * x), v->value[at - 1], x, e);
	else if (!v->codes) {
		step = v->value[1] / x;
		rc = add_near(f, v, x / step, x / (step * step), x, e);
	}
	if (rc)
		return rc;
	if (at + 1 < v->n)
		return add_near(f, v, sqrt(v->value[at + 1] * x), x, v->value[at + 1], e);
	if (v->codes)
		return ERR_OK;
	step = x / v->value[at - 1];
	return add_near(f, v, x * step, x, x * step * step, e);
}

/* ---- all of them ---- */

static enum err_code add_column(struct finder *f, size_t column, const uint32_t *list,
				size_t n_list, size_t n, struct err *e)
{
	struct tried_values v = {.column = column};
	enum err_code rc;

	v.value = calloc(n_list + 1, sizeof *v.value);
	if (!v.value)
		return err_set(e, ERR_NOMEM, "values of %zu runs", n_list);
	collect(f->space->request->runs, list, n_list, &v);
	rc = find_alone(f->space->request->runs, list, n_list, &v, e);
	for (size_t i = 0; i < n && v.alone && !rc; i++) {
		f->from = f->out->item[i].row; /* stays where it is when places are added */
		rc = add_around(f, &v, e);
	}
	free(v.value);
	return rc;
}

enum err_code unseen_values_add(const struct config_space *space, struct candidate_points *p,
				size_t n, struct err *e)
{
	const struct dataset *runs = space->request->runs;
	struct finder f = {.space = space, .out = p};
	uint32_t *list;
	size_t n_list = 0;
	enum err_code rc = ERR_OK;

	if (!runs || runs->n == 0)
		return ERR_OK;
	list = calloc(runs->n, sizeof *list);
	f.row = calloc(app_of(space)->n_columns + 1, sizeof *f.row);
	if (!list || !f.row)
		rc = err_set(e, ERR_NOMEM, "values that no run has");
	for (size_t i = 0; i < runs->n && !rc; i++) {
		if (rule_counts_run(runs, i))
			list[n_list++] = (uint32_t)i;
	}
	for (size_t c = 0; c < app_of(space)->n_columns && !rc; c++) {
		if (is_open(space, c))
			rc = add_column(&f, c, list, n_list, n, e);
	}
	free(list);
	free(f.row);
	return rc;
}
