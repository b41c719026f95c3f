#include "mining/attribute_sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "domain/configuration.h"
#include "mining/row_groups.h"

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

size_t attribute_list(const struct slowdown_table *t, struct attribute *out, size_t *own)
{
	const struct group_flag *grid = application_grid(t->app);
	struct attribute shape = {0};
	size_t n = 0;

	if (grid) {
		shape = (struct attribute){grid->flag, grid->column, grid->n};
		out[n++] = shape;
	}
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = &t->app->column[i];

		own[i] = i;
		if (is_choice(c) && t->use[i] != USE_NONE && !has_column(&shape, i))
			out[n++] = (struct attribute){c->name, &own[i], 1};
	}
	return n;
}

/* Cases are spread by the golden ratio: every k-th one could be always of the same size. */
static bool takes_case(const struct slowdown_table *t, uint32_t stratum)
{
	double share = (double)ATTRIBUTE_MAX_CONFIGURATIONS / (double)t->n;

	return share >= 1 || stratum * UINT32_C(2654435769) < share * 4294967296.0;
}

static bool takes(const struct slowdown_table *t, const struct attribute *a, size_t i)
{
	if (isnan(t->log_slowdown[i]) || !takes_case(t, t->stratum[i]))
		return false;
	for (size_t k = 0; k < a->n_columns; k++) {
		if (isnan(slowdown_row(t, i)[a->column[k]]))
			return false;
	}
	return true;
}

/* What a set agrees in: all that is given, the processors that follow from it, and every other
 * choice but copies of one, which would leave nothing to vary. */
static size_t set_columns(const struct slowdown_table *t, const struct attribute *a, size_t *column)
{
	size_t n = 0;

	for (size_t c = 0; c < t->n_columns; c++) {
		const struct column *of = &t->app->column[c];

		if (has_column(a, c) || (of->role == COL_DERIVED && c != t->app->i_procs) ||
		    (is_choice(of) && t->use[c] == USE_NONE))
			continue;
		column[n++] = c;
	}
	return n;
}

static enum err_code group_by_set(struct attribute_sets *s, const uint32_t *run, uint32_t *set,
				  struct err *e)
{
	const struct dataset *runs = s->t->runs;
	size_t *column = calloc(s->t->n_columns + 1, sizeof *column);
	struct row_key key = {.x = runs->x,
			      .n_columns = runs->n_columns,
			      .column = column,
			      .machine = runs->machine_id,
			      .source = runs->source};
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "columns of %s", s->t->app->name);
	key.n_key = set_columns(s->t, s->attribute, column);
	rc = row_groups(&key, run, s->n, set, NULL, &s->n_sets, e);
	free(column);
	return rc ? rc : group_members(set, s->n, s->n_sets, &s->start, &s->member, e);
}

static enum err_code group_by_value(struct attribute_sets *s, const uint32_t *run, struct err *e)
{
	struct row_key key = {.x = s->t->runs->x,
			      .n_columns = s->t->n_columns,
			      .column = s->attribute->column,
			      .n_key = s->attribute->n_columns};

	return row_groups(&key, run, s->n, s->value, s->value_run, &s->n_values, e);
}

enum err_code attribute_sets_make(const struct slowdown_table *t, const struct attribute *a,
				  struct attribute_sets *out, struct err *e)
{
	struct attribute_sets s = {.t = t, .attribute = a};
	uint32_t *run, *set, n = 0;
	enum err_code rc;

	for (size_t i = 0; i < t->n; i++)
		s.n += takes(t, a, i);
	s.config = calloc(3 * s.n + 1, sizeof *s.config);
	run = calloc(2 * s.n + 1, sizeof *run);
	if (!s.config || !run) {
		rc = err_set(e, ERR_NOMEM, "sets of %zu configurations", s.n);
		goto done;
	}
	s.value = s.config + s.n;
	s.value_run = s.value + s.n;
	set = run + s.n;
	for (size_t i = 0; i < t->n; i++) {
		if (!takes(t, a, i))
			continue;
		s.config[n] = (uint32_t)i;
		run[n++] = t->first_run[i];
	}
	if (!(rc = group_by_value(&s, run, e)))
		rc = group_by_set(&s, run, set, e);
done:
	free(run);
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
	const double *row = dataset_row(s->t->runs, s->value_run[value]);

	for (size_t k = 0; k < s->attribute->n_columns; k++) {
		size_t column = s->attribute->column[k];

		strbuf_puts(out, k > 0 ? "x" : "");
		configuration_put_value(s->t->app, column, row[column], out);
	}
}
