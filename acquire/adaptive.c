#include "acquire/adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/design.h"
#include "acquire/point_levels.h"
#include "mining/numerics/group_by.h"

enum { START_PER_COLUMN = 5 };

const char *adaptive_reason_name(enum adaptive_reason r)
{
	static const char *const name[ADAPTIVE_REASON_COUNT] = {"start", "gain", "explore"};

	return name[r];
}

void adaptive_choice_release(struct adaptive_choice *c)
{
	free(c->run);
	free(c->recommended);
	*c = (struct adaptive_choice){0};
}

/* ---- questions ---- */

static bool same_configuration(const struct application *app, const double *a, const double *b)
{
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role != COL_DERIVED && a[c] != b[c] &&
		    !(isnan(a[c]) && isnan(b[c])))
			return false;
	}
	return true;
}

static bool asks(const struct application *app, size_t column)
{
	return app->column[column].role == COL_PROBLEM || app->column[column].role == COL_WORKLOAD;
}

enum err_code adaptive_questions_of_space(const struct application *app, const double *row,
					  size_t n_points, struct adaptive_question **question,
					  size_t *n_questions, struct err *e)
{
	size_t *column = calloc(app->n_columns + 1, sizeof *column), n_groups = 0, n = 0;
	uint32_t *group = calloc(n_points + 1, sizeof *group), *start = NULL, *member = NULL;
	struct row_key key = {.x = row, .n_columns = app->n_columns, .column = column};
	struct adaptive_question *all = NULL;
	size_t *point;
	enum err_code rc = ERR_OK;

	if (!column || !group) {
		rc = err_set(e, ERR_NOMEM, "questions about %zu configurations", n_points);
		goto done;
	}
	for (size_t c = 0; c < app->n_columns; c++) {
		if (asks(app, c))
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, NULL, n_points, group, NULL, &n_groups, e)) ||
	    (rc = group_members(group, n_points, n_groups, &start, &member, e)))
		goto done;
	all = malloc((n_groups + 1) * sizeof *all + (n_points + 1) * sizeof *point);
	if (!all) {
		rc = err_set(e, ERR_NOMEM, "questions about %zu configurations", n_points);
		goto done;
	}
	point = (size_t *)(void *)(all + n_groups + 1);
	for (size_t i = 0; i < n_points; i++)
		point[i] = member[i];
	for (size_t g = 0; g < n_groups; g++) {
		size_t size = start[g + 1] - start[g];

		if (size >= 2)
			all[n++] = (struct adaptive_question){.point = point + start[g],
							      .n = size,
							      .deadline_s = INFINITY,
							      .weight = 1};
	}
	if (n == 0) {
		free(all);
		rc = err_set(e, ERR_ARG,
			     "no problem has two configurations to choose from: nothing to learn");
		goto done;
	}
	*question = all;
	*n_questions = n;
done:
	free(column);
	free(group);
	free(start);
	return rc;
}

/* ---- the start, and what lies far from all runs ---- */

size_t adaptive_default_start(const struct application *app, const double *row, size_t n_points)
{
	size_t n = 0;

	for (size_t c = 0; c < app->n_columns; c++) {
		bool varies = false;

		for (size_t i = 1; i < n_points && !varies; i++)
			varies = row[i * app->n_columns + c] != row[c];
		n += varies && app->column[c].role != COL_DERIVED;
	}
	n = START_PER_COLUMN * n;
	return n < n_points / 3 ? n : n_points / 3 + 1;
}

enum err_code adaptive_choose(const struct adaptive_request *q, struct adaptive_choice *out,
			      struct err *e)
{
	const struct application *app = q->in->runs->app;
	struct adaptive_choice c = {.loss = NAN};
	struct point_levels levels = {0};
	size_t *chosen = calloc(q->n_batch + 1, sizeof *chosen), n_left = 0;
	unsigned char *taken = calloc(q->n_points + 1, sizeof *taken);
	enum err_code rc;

	c.run = calloc(q->n_batch + 1, sizeof *c.run);
	c.recommended = calloc(q->n_questions + 1, sizeof *c.recommended);
	if (!chosen || !taken || !c.run || !c.recommended) {
		rc = err_set(e, ERR_NOMEM, "a choice of %zu runs", q->n_batch);
		goto done;
	}
	for (size_t i = 0; i < q->n_points; i++) {
		taken[i] = (q->runnable && !q->runnable[i]) || (q->pending && q->pending[i]);
		for (size_t r = 0; r < q->in->runs->n && !taken[i]; r++)
			taken[i] = same_configuration(app, q->row + i * app->n_columns,
						      dataset_row(q->in->runs, r));
		n_left += !taken[i];
	}
	for (size_t k = 0; k < q->n_questions; k++)
		c.recommended[k] = SIZE_MAX;
	if ((rc = point_levels_init(&levels, app, q->row, q->n_points, e)))
		goto done;
	struct design_list l = {.n_points = q->n_points,
				.n_factors = levels.n_factors,
				.n_levels = levels.n_levels,
				.nominal = levels.nominal,
				.level = levels.level,
				.progress = q->in->progress};
	c.n = q->n_batch < n_left ? q->n_batch : n_left;
	if ((rc = design_choose(&l, taken, c.n, q->seed, chosen, e)))
		goto done;
	for (size_t k = 0; k < c.n; k++)
		c.run[k] = (struct adaptive_run){chosen[k], ADAPTIVE_START, NAN};
	*out = c;
done:
	if (rc)
		adaptive_choice_release(&c);
	point_levels_release(&levels);
	free(taken);
	free(chosen);
	return rc;
}
