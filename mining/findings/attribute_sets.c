#include "mining/findings/attribute_sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "domain/configuration.h"
#include "mining/numerics/group_by.h"

static bool is_choice(const struct column *c)
{
	return c->role == COL_TUNABLE || c->candidates == CAND_GRID;
}

static bool has_column(const struct attribute *a, size_t column)
{
	for (size_t k = 0; k < a->n_columns; k++) {
		if (a->column[k] == column)
			return true;
	}
	return false;
}

static void list_attributes(struct attribute_table *a)
{
	const struct group_flag *grid = application_grid(a->t->app);
	struct attribute shape = {0};

	if (grid) {
		shape = (struct attribute){grid->flag, grid->column, grid->n};
		a->attribute[a->n_attributes++] = shape;
	}
	for (size_t i = 0; i < a->t->n_columns; i++) {
		const struct column *c = &a->t->app->column[i];

		a->own[i] = i;
		if (is_choice(c) && a->t->use[i] != USE_NONE && !has_column(&shape, i))
			a->attribute[a->n_attributes++] =
				(struct attribute){c->name, &a->own[i], 1};
	}
}

static void list_columns(struct attribute_table *a)
{
	a->column[a->n_columns++] = SIZE_MAX;
	for (size_t i = 0; i < a->t->n_columns; i++) {
		if (is_choice(&a->t->app->column[i]))
			a->column[a->n_columns++] = i;
	}
}

/* Cases are spread by the golden ratio: every k-th one could be always of the same size. */
static bool takes(const struct slowdown_table *t, size_t i)
{
	double share = (double)ATTRIBUTE_MAX_CONFIGURATIONS / (double)t->n;

	return !isnan(t->log_slowdown[i]) &&
	       (share >= 1 || t->stratum[i] * UINT32_C(2654435769) < share * 4294967296.0);
}

static enum err_code gather(struct attribute_table *a, struct err *e)
{
	const struct slowdown_table *t = a->t;
	double *x;

	for (size_t i = 0; i < t->n; i++)
		a->n += takes(t, i);
	a->config = calloc(a->n + 1, sizeof *a->config);
	a->x = calloc(a->n * a->n_columns + 1, sizeof *a->x);
	if (!a->config || !a->x)
		return err_set(e, ERR_NOMEM, "choices of %zu configurations", a->n);
	x = a->x;
	a->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		if (!takes(t, i))
			continue;
		a->config[a->n++] = (uint32_t)i;
		*x++ = t->stratum[i];
		for (size_t k = 1; k < a->n_columns; k++)
			*x++ = row[a->column[k]];
	}
	return ERR_OK;
}

enum err_code attribute_table_make(const struct slowdown_table *t, struct attribute_table *out,
				   struct err *e)
{
	struct attribute_table a = {.t = t};
	enum err_code rc;

	a.attribute = calloc(t->n_columns + 1, sizeof *a.attribute);
	a.column = calloc(t->n_columns + 1, sizeof *a.column);
	a.own = calloc(t->n_columns + 1, sizeof *a.own);
	if (!a.attribute || !a.column || !a.own) {
		rc = err_set(e, ERR_NOMEM, "choices among %zu columns", t->n_columns);
	} else {
		list_attributes(&a);
		list_columns(&a);
		rc = gather(&a, e);
	}
	if (rc)
		attribute_table_release(&a);
	else
		*out = a;
	return rc;
}

void attribute_table_release(struct attribute_table *a)
{
	free(a->attribute);
	free(a->config);
	free(a->x);
	free(a->column);
	free(a->own);
	*a = (struct attribute_table){0};
}

/* Columns of x: those of the attribute, or what a set agrees in: the case and every other choice
 * but copies of one, which would leave nothing to vary. */
static size_t key_columns(const struct attribute_table *a, const struct attribute *of,
			  bool of_attribute, size_t *column)
{
	size_t n = 0;

	for (size_t k = 0; k < a->n_columns; k++) {
		bool in = k > 0 && has_column(of, a->column[k]);
		bool copy = k > 0 && a->t->use[a->column[k]] == USE_NONE;

		if (of_attribute ? in : !in && !copy)
			column[n++] = k;
	}
	return n;
}

/* The items that have the attribute, and its values. */
static enum err_code group_by_value(const struct attribute_table *a, struct row_key *key,
				    uint32_t *item, struct attribute_sets *s, struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < a->n; i++) {
		bool known = true;

		for (size_t k = 0; k < key->n_key; k++)
			known = known && !isnan(a->x[i * a->n_columns + key->column[k]]);
		if (!known)
			continue;
		s->config[s->n] = a->config[i];
		item[s->n++] = (uint32_t)i;
	}
	rc = group_by(key, item, s->n, s->value, s->value_config, &s->n_values, e);
	for (size_t v = 0; v < s->n_values; v++)
		s->value_config[v] = a->config[s->value_config[v]];
	return rc;
}

enum err_code attribute_sets_make(const struct attribute_table *a, size_t i_attribute,
				  struct attribute_sets *out, struct err *e)
{
	const struct attribute *of = &a->attribute[i_attribute];
	struct attribute_sets s = {.t = a->t, .attribute = of};
	size_t *column = calloc(a->n_columns, sizeof *column);
	uint32_t *item = calloc(a->n + 1, sizeof *item), *set = calloc(a->n + 1, sizeof *set);
	struct row_key key = {.x = a->x, .n_columns = a->n_columns, .column = column};
	enum err_code rc;

	s.config = calloc(3 * a->n + 1, sizeof *s.config);
	if (!column || !item || !set || !s.config) {
		rc = err_set(e, ERR_NOMEM, "sets of %zu configurations", a->n);
		goto done;
	}
	s.value = s.config + a->n;
	s.value_config = s.value + a->n;
	key.n_key = key_columns(a, of, true, column);
	if ((rc = group_by_value(a, &key, item, &s, e)))
		goto done;
	key.n_key = key_columns(a, of, false, column);
	if (!(rc = group_by(&key, item, s.n, set, NULL, &s.n_sets, e)))
		rc = group_members(set, s.n, s.n_sets, &s.start, &s.member, e);
done:
	free(column);
	free(item);
	free(set);
	if (rc)
		attribute_sets_release(&s);
	else
		*out = s;
	return rc;
}

void attribute_sets_release(struct attribute_sets *s)
{
	free(s->config);
	free(s->start);
	*s = (struct attribute_sets){0};
}

void attribute_put_value(const struct attribute_sets *s, size_t value, struct strbuf *out)
{
	const double *row = slowdown_row(s->t, s->value_config[value]);

	for (size_t k = 0; k < s->attribute->n_columns; k++) {
		size_t column = s->attribute->column[k];

		strbuf_puts(out, k > 0 ? "x" : "");
		configuration_put_value(s->t->app, column, row[column], out);
	}
}
