#include "acquire/adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/adaptive_state.h"
#include "acquire/design.h"
#include "acquire/point_levels.h"
#include "mining/numerics/group_by.h"

/* A fit to few runs can be wrong with confidence, and gains are only as good as the fit. So of five
 * runs one tries an answer that is not tried yet, the one that is known least: what is promised too
 * much of comes to light. Of four of these one goes where no run is near: what is promised too
 * little of has its chance. Shares are a choice; docs/evaluation.md measures what comes of it. */
enum { TRY_EVERY = 5, SPREAD_EVERY = 20 };

/* No predictor is fitted to fewer. */
enum { LEAST_START = 8 };

void adaptive_choice_release(struct adaptive_choice *c)
{
	free(c->run);
	free(c->recommended);
	*c = (struct adaptive_choice){0};
}

/* ---- questions ---- */

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

		if (size < 2)
			continue;
		all[n] = (struct adaptive_question){.point = point + start[g],
						    .n = size,
						    .deadline_s = INFINITY,
						    .objective = OBJECTIVE_TIME,
						    .weight = 1};
		n++;
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
	size_t n = 1;

	for (size_t c = 0; c < app->n_columns; c++) {
		bool varies = false;

		for (size_t i = 1; i < n_points && !varies; i++)
			varies = row[i * app->n_columns + c] != row[c];
		n += varies && app->column[c].role != COL_DERIVED;
	}
	return n > LEAST_START ? n : LEAST_START;
}

/* Add n runs of the Latin hypercube that the runs so far began. */
static enum err_code spread(struct adaptive_state *s, size_t n, enum adaptive_reason reason,
			    struct adaptive_choice *c, struct err *e)
{
	const struct adaptive_request *q = s->request;
	struct point_levels levels = {0};
	size_t *chosen = calloc(n + 1, sizeof *chosen);
	enum err_code rc;

	if (!chosen)
		return err_set(e, ERR_NOMEM, "a choice of %zu runs", n);
	if (!(rc = point_levels_init(&levels, s->app, q->row, q->n_points, e))) {
		const struct design_list l = {.n_points = q->n_points,
					      .n_factors = levels.n_factors,
					      .n_levels = levels.n_levels,
					      .nominal = levels.nominal,
					      .level = levels.level,
					      .barred = s->barred,
					      .progress = q->in->progress};

		rc = design_choose(&l, s->taken, n, q->seed + s->n_known + c->n, chosen, e);
	}
	for (size_t k = 0; k < n && !rc; k++) {
		c->run[c->n++] = (struct adaptive_run){chosen[k], reason, NAN};
		rc = adaptive_state_take(s, chosen[k], e);
	}
	point_levels_release(&levels);
	free(chosen);
	return rc;
}

/* ---- the next runs ---- */

static enum err_code choose_batch(struct adaptive_state *s, size_t n, struct adaptive_choice *c,
				  struct err *e)
{
	enum err_code rc = ERR_OK;

	while (c->n < n && !rc) {
		struct adaptive_run run = {SIZE_MAX, ADAPTIVE_GAIN, NAN};
		size_t turn = s->n_known + c->n + 1;

		if (!progress_step(s->request->in->progress, "next runs", c->n, n))
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted while choosing the next runs");
		if (turn % TRY_EVERY != 0)
			rc = adaptive_state_best(s, &run.point, &run.gain, e);
		else if (turn % SPREAD_EVERY != 0)
			run = (struct adaptive_run){adaptive_state_untried(s), ADAPTIVE_EXPLORE,
						    NAN};
		if (rc)
			break;
		if (run.point == SIZE_MAX) {
			rc = spread(s, 1, ADAPTIVE_EXPLORE, c, e);
			continue;
		}
		c->run[c->n++] = run;
		rc = adaptive_state_take(s, run.point, e);
	}
	return rc;
}

enum err_code adaptive_choose(const struct adaptive_request *q, struct adaptive_choice *out,
			      struct err *e)
{
	struct adaptive_choice c = {.loss = NAN};
	struct adaptive_state s;
	size_t n_start, n;
	enum err_code rc;

	if (q->n_questions < 1 || q->n_points < 1)
		return err_set(e, ERR_ARG, "nothing is asked: the next runs cannot be chosen");
	if ((rc = adaptive_state_init(&s, q, e)))
		return rc;
	c.run = calloc(q->n_batch + 1, sizeof *c.run);
	c.recommended = calloc(q->n_questions, sizeof *c.recommended);
	if (!c.run || !c.recommended) {
		rc = err_set(e, ERR_NOMEM, "a choice of %zu runs", q->n_batch);
		goto done;
	}
	n_start = q->n_start ? q->n_start : adaptive_default_start(s.app, q->row, q->n_points);
	n = q->n_batch < s.n_left ? q->n_batch : s.n_left;
	if ((rc = adaptive_state_answer(&s, c.recommended, &c.loss, e)))
		goto done;
	if (s.n_known < n_start || !s.predictor)
		rc = spread(&s, n, ADAPTIVE_START, &c, e);
	else
		rc = choose_batch(&s, n, &c, e);
done:
	adaptive_state_release(&s);
	if (rc)
		adaptive_choice_release(&c);
	else
		*out = c;
	return rc;
}
