#include "mining/findings/cell_means.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "mining/numerics/group_by.h"

static bool counts(const struct slowdown_table *t, const size_t *column, size_t n_columns, size_t i)
{
	if (isnan(t->log_slowdown[i]))
		return false;
	for (size_t k = 0; k < n_columns; k++) {
		if (isnan(slowdown_row(t, i)[column[k]]))
			return false;
	}
	return true;
}

static int by_stratum_choice_time(const void *a, const void *b)
{
	const struct cell_mean *x = a, *y = b;

	if (x->stratum != y->stratum)
		return x->stratum < y->stratum ? -1 : 1;
	if (x->choice != y->choice)
		return x->choice < y->choice ? -1 : 1;
	return (x->log_time > y->log_time) - (x->log_time < y->log_time);
}

/* Configurations in order to one cell per case and choice, in place; returns how many. */
static size_t take_medians(struct cell_mean *cell, size_t n)
{
	size_t n_cells = 0;

	for (size_t from = 0, to; from < n; from = to) {
		size_t middle;

		for (to = from + 1; to < n && cell[to].stratum == cell[from].stratum &&
				    cell[to].choice == cell[from].choice;)
			to++;
		middle = from + (to - from) / 2;
		cell[n_cells] = cell[from];
		cell[n_cells++].log_time =
			(to - from) % 2 ? cell[middle].log_time
					: (cell[middle - 1].log_time + cell[middle].log_time) / 2;
	}
	return n_cells;
}

/* choice[i] of the configurations that count, and from there their cells. */
static enum err_code fill(const struct slowdown_table *t, const struct row_key *key,
			  const uint32_t *config, const uint32_t *run, size_t n, uint32_t *choice,
			  struct cell_means *c, struct err *e)
{
	uint32_t *stratum = NULL, *start = NULL, *member;
	enum err_code rc = group_by(key, run, n, choice, c->choice_run, &c->n_choices, e);

	if (rc)
		return rc;
	stratum = calloc(n + 1, sizeof *stratum);
	if (!stratum)
		return err_set(e, ERR_NOMEM, "cases of %zu configurations", n);
	for (size_t i = 0; i < n; i++)
		stratum[i] = t->stratum[config[i]];
	/* Sorted into cases by counting, so that only the few of a case are compared. */
	if (!(rc = group_members(stratum, n, t->n_strata, &start, &member, e))) {
		for (size_t k = 0; k < n; k++) {
			uint32_t i = member[k];

			c->cell[k] =
				(struct cell_mean){stratum[i], choice[i], t->log_time[config[i]]};
		}
		for (size_t s = 0; s < t->n_strata; s++)
			qsort(c->cell + start[s], start[s + 1] - start[s], sizeof *c->cell,
			      by_stratum_choice_time);
		c->n = take_medians(c->cell, n);
	}
	free(start);
	free(stratum);
	return rc;
}

enum err_code cell_means_make(const struct slowdown_table *t, const size_t *column,
			      size_t n_columns, struct cell_means *out, struct err *e)
{
	struct row_key key = {
		.x = t->runs->x, .n_columns = t->n_columns, .column = column, .n_key = n_columns};
	struct cell_means c = {0};
	uint32_t *config = calloc(t->n + 1, sizeof *config);
	uint32_t *run = calloc(t->n + 1, sizeof *run);
	uint32_t *choice = calloc(t->n + 1, sizeof *choice);
	size_t n = 0;
	enum err_code rc;

	c.cell = calloc(t->n + 1, sizeof *c.cell);
	c.choice_run = calloc(t->n + 1, sizeof *c.choice_run);
	if (!config || !run || !choice || !c.cell || !c.choice_run) {
		rc = err_set(e, ERR_NOMEM, "choices in %zu configurations", t->n);
		goto done;
	}
	for (size_t i = 0; i < t->n; i++) {
		if (!counts(t, column, n_columns, i))
			continue;
		config[n] = (uint32_t)i;
		run[n++] = t->first_run[i];
	}
	rc = fill(t, &key, config, run, n, choice, &c, e);
done:
	free(config);
	free(run);
	free(choice);
	if (rc)
		cell_means_release(&c);
	else
		*out = c;
	return rc;
}

void cell_means_release(struct cell_means *c)
{
	free(c->cell);
	free(c->choice_run);
	*c = (struct cell_means){0};
}
