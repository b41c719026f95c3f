#include "recommend/evaluate/measured_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "base/splitmix.h"

static double paid_nodes(const struct application *app, const double *row)
{
	size_t c = app->i_nodes != SIZE_MAX ? app->i_nodes : app->i_procs;

	return c == SIZE_MAX || isnan(row[c]) ? 1 : row[c];
}

static size_t question_columns(const struct application *app, size_t *column)
{
	size_t n = 0;

	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_PROBLEM || app->column[c].role == COL_WORKLOAD)
			column[n++] = c;
	}
	return n;
}

static enum err_code group(struct measured_problems *m, size_t *column, uint32_t *problem,
			   struct err *e)
{
	const struct config_table *t = m->configs;
	struct row_key key = {.x = t->x,
			      .n_columns = t->n_columns,
			      .column = column,
			      .n_key = question_columns(t->app, column)};
	enum err_code rc = group_by(&key, NULL, t->n, problem, NULL, &m->n, e);

	return rc ? rc : group_members(problem, t->n, m->n, &m->start, &m->member, e);
}

enum err_code measured_problems_make(const struct dataset *runs, struct measured_problems *out,
				     struct err *e)
{
	struct measured_problems m = {0};
	size_t *column = NULL;
	uint32_t *problem = NULL;
	enum err_code rc = config_table_make(runs, &m.configs, e);

	if (rc)
		return rc;
	m.nodes = calloc(m.configs->n, sizeof *m.nodes);
	column = calloc(m.configs->n_columns + 1, sizeof *column);
	problem = calloc(m.configs->n, sizeof *problem);
	if (!m.nodes || !column || !problem) {
		rc = err_set(e, ERR_NOMEM, "problems of %zu configurations", m.configs->n);
		goto done;
	}
	if ((rc = group(&m, column, problem, e)))
		goto done;
	for (size_t i = 0; i < m.configs->n; i++)
		m.nodes[i] = paid_nodes(m.configs->app, config_table_row(m.configs, i));
	*out = m;
	m = (struct measured_problems){0};
done:
	free(column);
	free(problem);
	measured_problems_release(&m);
	return rc;
}

void measured_problems_release(struct measured_problems *m)
{
	config_table_free(m->configs);
	free(m->nodes);
	free(m->start); /* member lies in the same block */
	*m = (struct measured_problems){0};
}

/* The first n_drawn places of a shuffle (Fisher and Yates). */
static void draw(uint32_t *item, size_t n, size_t n_drawn, uint64_t *state)
{
	for (size_t i = 0; i < n_drawn; i++) {
		size_t k = i + (size_t)(splitmix_next(state) % (n - i));
		uint32_t other = item[k];

		item[k] = item[i];
		item[i] = other;
	}
}

enum err_code measured_problems_draw(const struct measured_problems *m, double share, size_t least,
				     uint64_t seed, unsigned char *seen, struct err *e)
{
	uint32_t *item = calloc(m->configs->n + 1, sizeof *item);

	if (!item)
		return err_set(e, ERR_NOMEM, "draw from %zu configurations", m->configs->n);
	memcpy(item, m->member, m->configs->n * sizeof *item);
	memset(seen, 0, m->configs->n);
	for (size_t p = 0; p < m->n; p++) {
		size_t n = measured_problems_size(m, p), n_drawn = (size_t)ceil(share * (double)n);

		n_drawn = n_drawn < least ? least : n_drawn;
		n_drawn = n_drawn > n ? n : n_drawn;
		draw(item + m->start[p], n, n_drawn, &seed);
		for (size_t i = 0; i < n_drawn; i++)
			seen[item[m->start[p] + i]] = 1;
	}
	free(item);
	return ERR_OK;
}
