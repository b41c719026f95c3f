#include "recommend/next/candidate_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/search/rank.h"

/* ---- what is known of one ---- */

struct place place_at(const struct advice_request *q, const struct placement *where,
		      const double *row, const struct prediction *at)
{
	double epistemic_sd = prediction_epistemic_sd(q->predictor, at),
	       noise = prediction_noise_sd(q->predictor, at);
	double tail = log(prediction_quantile_s(q->predictor, at, q->confidence) / at->time_s);
	double nodes = placement_nodes(where, row), all = hypot(epistemic_sd, noise);

	return (struct place){.at = *at,
			      .nodes = nodes,
			      .node_hours = nodes * at->time_s / 3600,
			      .epistemic_sd = epistemic_sd,
			      .noise = noise,
			      .tail = all > 0 ? tail * noise / all : 0};
}

enum err_code candidate_points_add(struct candidate_points *p, const struct place *place,
				   const double *row, size_t n_columns, struct err *e)
{
	struct place *grown = realloc(p->item, (p->n + 1) * sizeof *grown);
	double *copy = calloc(n_columns, sizeof *copy);

	if (grown)
		p->item = grown;
	if (!grown || !copy) {
		free(copy);
		return err_set(e, ERR_NOMEM, "%zu configurations", p->n + 1);
	}
	memcpy(copy, row, n_columns * sizeof *copy);
	grown[p->n] = *place;
	grown[p->n++].row = copy;
	return ERR_OK;
}

bool candidate_points_have(const struct candidate_points *p, const double *row, size_t n_columns)
{
	for (size_t i = 0; i < p->n; i++) {
		if (rows_are_equal(p->item[i].row, row, n_columns))
			return true;
	}
	return false;
}

void candidate_points_release(struct candidate_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->item[i].row);
	free(p->item);
	*p = (struct candidate_points){0};
}

/* ---- together ---- */

/* Where names differ or a value is missing, as much as a factor of two. */
static double difference(const struct column *c, double a, double b)
{
	double weight = c->role == COL_WORKLOAD ? 0.125 : 1;

	if (c->role == COL_DERIVED || a == b || (isnan(a) && isnan(b)))
		return 0;
	return weight * (c->type != COL_TEXT && a > 0 && b > 0 ? log(a / b) : log(2));
}

static double correlation(const struct application *app, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d = difference(&app->column[i], a[i], b[i]);

		sum += d * d;
	}
	return exp(-sqrt(sum) / (2 * log(2)));
}

enum err_code candidate_points_samples(const struct candidate_points *p,
				       const struct application *app, struct posterior_samples *out,
				       struct err *e)
{
	double *sd = calloc(p->n + 1, sizeof *sd);
	double *correlations = calloc(p->n * p->n + 1, sizeof *correlations);
	enum err_code rc;

	if (sd && correlations) {
		for (size_t i = 0; i < p->n; i++) {
			sd[i] = p->item[i].epistemic_sd;
			for (size_t j = 0; j < p->n; j++)
				correlations[i * p->n + j] =
					correlation(app, p->item[i].row, p->item[j].row);
		}
		rc = posterior_samples_init(out, sd, correlations, p->n, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "doubts about %zu configurations", p->n);
	}
	free(sd);
	free(correlations);
	return rc;
}

/* ---- as a choice ---- */

/* The stricter of deadline and budget; INFINITY: neither. */
static double time_limit_s(const struct place *p, const struct advice_request *q)
{
	double limit_s = isnan(q->deadline_s) ? (double)INFINITY : q->deadline_s;

	if (q->budget_node_hours > 0)
		limit_s = fmin(limit_s, budget_time_s(q->budget_node_hours, p->nodes));
	return limit_s;
}

struct option place_option(const struct place *p, const struct advice_request *q)
{
	double limit_s = time_limit_s(p, q);

	/* A repeat must keep to the limit with the confidence even if the time is known. */
	return (struct option){
		.log_time = log(p->at.time_s),
		.log_limit = log(limit_s) - p->tail,
		.stop_s = limit_s,
		.level = q->objective == OBJECTIVE_NODES ? p->nodes : 0,
		.log_price = q->objective == OBJECTIVE_NODE_HOURS ? log(p->nodes) : 0,
		.nodes = p->nodes,
	};
}

void candidate_points_choice(const struct candidate_points *p, size_t n,
			     const struct advice_request *q, struct option *option,
			     struct choice_problem *out)
{
	for (size_t i = 0; i < n; i++)
		option[i] = place_option(&p->item[i], q);
	*out = (struct choice_problem){option, n, CHOICE_TOLERANCE};
}
