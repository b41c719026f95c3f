#include "recommend/evaluate/decide.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "domain/configuration.h"
#include "mining/evaluate/scoring_rules.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"

static bool may_choose(const struct decision_case *q, size_t config)
{
	return !q->barred || !q->barred[config];
}

static struct feasibility feasibility_of(const struct decision_case *q, const struct baseline *f,
					 size_t config)
{
	const struct measured_problems *m = q->problems;
	struct prediction at;
	struct feasibility o = {.nodes = m->nodes[config],
				.p_meet = 1,
				.p_budget = 1,
				.in_time = true,
				.in_budget = true};

	baseline_predict(f, config_table_row(m->configs, config), &at);
	o.time_s = at.time_s;
	o.support = at.support;
	o.score_s = q->rates ? rate_process_score_s(q->rates, config_table_row(m->configs, config))
			     : baseline_quantile_s(f, &at, RANK_SCORE_PROB);
	if (q->seen && q->seen[config]) {
		o.support = SUPPORT_INSIDE;
		o.score_s = decision_time_s(q, config);
	}
	o.promise_s = baseline_quantile_s(f, &at, q->confidence);
	if (!isnan(q->deadline_s)) {
		o.p_meet = baseline_p_meet(f, &at, q->deadline_s);
		o.in_time = o.p_meet >= q->confidence;
	}
	return o;
}

enum err_code decision_rates(const struct decision_case *q, const struct baseline *f,
			     struct rate_process **out, struct err *e)
{
	const struct measured_problems *m = q->problems;
	const size_t n_columns = m->configs->n_columns,
		     room = measured_problems_size(m, q->problem);
	double *rows = calloc(room * n_columns + 1, sizeof *rows);
	double *time_s = calloc(room + 1, sizeof *time_s);
	enum err_code rc = ERR_OK;
	size_t n = 0;

	*out = NULL;
	if (!rows || !time_s) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", room);
		goto done;
	}
	for (size_t k = 0; k < room && q->seen; k++) {
		const size_t i = m->member[m->start[q->problem] + k];

		if (!q->seen[i])
			continue;
		memcpy(rows + n * n_columns, config_table_row(m->configs, i),
		       n_columns * sizeof *rows);
		time_s[n++] = decision_time_s(q, i);
	}
	if (baseline_predictor(f))
		rc = rate_process_fit(baseline_predictor(f), m->configs->app, rows, time_s, n, out,
				      e);
done:
	free(rows);
	free(time_s);
	return rc;
}

size_t decide(const struct decision_case *q, const struct baseline *f, enum criterion c)
{
	const struct measured_problems *m = q->problems;
	struct rank_key best = {{0}};
	size_t chosen = SIZE_MAX;

	for (size_t k = m->start[q->problem]; k < m->start[q->problem + 1]; k++) {
		size_t i = m->member[k];
		struct feasibility o;
		struct rank_key key;

		if (!may_choose(q, i))
			continue;
		o = feasibility_of(q, f, i);
		if (!criterion_admits(c, &o))
			continue;
		key = rank_key(c, &o);
		if (chosen == SIZE_MAX || rank_key_compare(&key, &best) < 0) {
			best = key;
			chosen = i;
		}
	}
	return chosen;
}

size_t decide_in_hindsight(const struct decision_case *q)
{
	const struct measured_problems *m = q->problems;
	bool any_time = isnan(q->deadline_s);
	double least = INFINITY;
	size_t chosen = SIZE_MAX;

	for (size_t k = m->start[q->problem]; k < m->start[q->problem + 1]; k++) {
		size_t i = m->member[k];
		double cost = any_time ? decision_time_s(q, i) : decision_node_hours(q, i);

		if (!may_choose(q, i) || (!any_time && decision_time_s(q, i) > q->deadline_s))
			continue;
		if (cost < least) {
			least = cost;
			chosen = i;
		}
	}
	return chosen;
}

double decision_time_s(const struct decision_case *q, size_t config)
{
	return q->problems->configs->time_s[config];
}

double decision_node_hours(const struct decision_case *q, size_t config)
{
	struct feasibility truth = {.nodes = q->problems->nodes[config],
				    .time_s = decision_time_s(q, config)};

	return feasibility_node_hours(&truth);
}

double decision_hit(const struct decision_case *q, size_t config)
{
	const struct config_table *t = q->problems->configs;
	size_t n_met = 0;

	for (size_t k = t->first[config]; k < t->first[config + 1]; k++)
		n_met += t->run_s[k] <= q->deadline_s;
	return (double)n_met / (double)t->n_repeats[config];
}

/* ---- scores ---- */

enum err_code decision_list_add(struct decision_list *l, struct decision d, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = 2 * l->cap + 64;
		struct decision *grown = realloc(l->item, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu decisions", cap);
		l->item = grown;
		l->cap = cap;
	}
	l->item[l->n++] = d;
	return ERR_OK;
}

void decision_list_release(struct decision_list *l)
{
	free(l->item);
	*l = (struct decision_list){0};
}

static double mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static void summarise_hits(const struct decision_list *l, struct decision_scores *s)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!isnan(l->item[i].hit)) {
			sum += l->item[i].hit;
			n++;
		}
	}
	if (n == 0)
		return;
	s->hit = sum / (double)n;
	s->hit_error = binomial_error(s->hit, n);
}

enum err_code decision_list_summarise(const struct decision_list *l, struct decision_scores *out,
				      struct err *e)
{
	struct decision_scores s = {.n_cases = l->n,
				    .hit = NAN,
				    .hit_error = NAN,
				    .over_mean = NAN,
				    .over_median = NAN,
				    .over_p90 = NAN};
	double *over = calloc(l->n + 1, sizeof *over);
	size_t n = 0;

	if (!over)
		return err_set(e, ERR_NOMEM, "%zu decisions", l->n);
	summarise_hits(l, &s);
	for (size_t i = 0; i < l->n; i++) {
		s.n_possible += l->item[i].possible;
		s.n_answered += l->item[i].answered;
		if (!isnan(l->item[i].over))
			over[n++] = l->item[i].over;
	}
	if (n > 0) {
		order_sort(over, n);
		s.over_mean = mean(over, n);
		s.over_median = order_quantile(over, n, 0.5);
		s.over_p90 = order_quantile(over, n, 0.9);
	}
	free(over);
	*out = s;
	return ERR_OK;
}

/* ---- questions with known answers ---- */

static double paid_nodes(const struct application *app, const double *row)
{
	const double nodes = app->i_nodes == SIZE_MAX ? (double)NAN : row[app->i_nodes];

	return isnan(nodes) ? configuration_cores(app, row) : nodes;
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
