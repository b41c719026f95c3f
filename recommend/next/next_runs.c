#include "recommend/next/next_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/configuration.h"
#include "domain/rule.h"
#include "recommend/next/candidate_points.h"
#include "recommend/space/config_space.h"

/* Proxies of more contenders would say the same of each other. */
enum { MAX_WITH_PROXIES = 6 };
/* Of further ones values that no run has would cost more than they say. */
enum { MAX_VARIED = 3 };

/* A run that gains less is not worth making, one that changes the chance of a wrong decision by
 * less not worth naming. */
static const double least_gain = 0.005, least_change = 0.001;
/* Of runs that gain at least this share of the most possible, price decides. */
static const double enough = 0.25;
/* What helped less than this share of the best as the first run is not looked at again: a run helps
 * seldom more after another one. */
static const double hopeless = 0.1;

/* The choice of runs under way. */
struct next_runs_plan {
	const struct advice_request *q;
	struct candidate_points places; /* contenders first */
	size_t n_candidate_set;
	struct option *option;
	struct choice_problem problem;
	double *gain;  /* of each place as the next run; NaN: given up */
	double *right; /* of each candidate, and last of none: the probability to be right */
};

static enum err_code plan_init(struct next_runs_plan *p, const struct advice_request *q,
			       const struct advice *a, struct err *e)
{
	struct config_space space = {0};
	enum err_code rc;

	*p = (struct next_runs_plan){.q = q};
	if ((rc = config_space_init(&space, q, e)))
		return rc;
	if ((rc = candidate_set_find(&space, a, &p->places, e)) ||
	    (rc = unseen_values_add(&space, &p->places,
				    p->places.n < MAX_VARIED ? p->places.n : MAX_VARIED, e)))
		goto done;
	p->n_candidate_set = p->places.n;
	if ((rc = low_fidelity_runs_add(
		     &space, &p->places,
		     p->places.n < MAX_WITH_PROXIES ? p->places.n : MAX_WITH_PROXIES, e)))
		goto done;
	p->option = calloc(p->n_candidate_set, sizeof *p->option);
	p->gain = calloc(p->places.n, sizeof *p->gain);
	p->right = calloc(p->n_candidate_set + 1, sizeof *p->right);
	if (p->option && p->gain && p->right)
		candidate_points_choice(&p->places, p->n_candidate_set, q, p->option, &p->problem);
	else
		rc = err_set(e, ERR_NOMEM, "a plan of runs");
done:
	config_space_release(&space);
	return rc;
}

static void plan_release(struct next_runs_plan *p)
{
	candidate_points_release(&p->places);
	free(p->option);
	free(p->gain);
	free(p->right);
}

/* ---- the state of the decision ---- */

static enum err_code judge_now(const struct next_runs_plan *p, const struct posterior_samples *d,
			       bool feasible, struct next_runs *out, struct err *e)
{
	size_t n = p->n_candidate_set;
	double most = 0;
	enum err_code rc = choice_chances(&p->problem, d, p->right, e);

	if (rc)
		return rc;
	for (size_t i = 0; i <= n; i++)
		most = fmax(most, p->right[i]);
	out->wrong = 1 - most;
	out->answer_right = feasible ? p->right[0] : p->right[n];
	out->safe = out->wrong < SAFE_CHANCE;
	return ERR_OK;
}

/* ---- the next run ---- */

static enum err_code foresee_all(struct next_runs_plan *p, const struct posterior_samples *d,
				 struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < p->places.n; i++) {
		struct expectation before, after;

		if (!progress_step(p->q->progress, "next runs", i, p->places.n))
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted while looking for the run that teaches most");
		if (isnan(p->gain[i]))
			continue;
		if ((rc = voi_foresee(&p->problem, d, i, p->places.item[i].noise, false, &before,
				      &after, e)))
			return rc;
		p->gain[i] = before.wrong - after.wrong + before.brier - after.brier;
	}
	return ERR_OK;
}

static double most_gain(const struct next_runs_plan *p)
{
	double most = 0;

	for (size_t i = 0; i < p->places.n; i++)
		most = fmax(most, p->gain[i]); /* passes NaN over */
	return most;
}

/* SIZE_MAX: none is worth it. */
static size_t pick(const struct next_runs_plan *p)
{
	double least = fmax(least_gain, enough * most_gain(p)), best = 0;
	size_t picked = SIZE_MAX;

	for (size_t i = 0; i < p->places.n; i++) {
		double per_node_hour = p->gain[i] / p->places.item[i].node_hours;

		if (p->gain[i] >= least && per_node_hour > best) {
			picked = i;
			best = per_node_hour;
		}
	}
	return picked;
}

static void give_up_hopeless(struct next_runs_plan *p)
{
	double least = hopeless * most_gain(p);

	for (size_t i = 0; i < p->places.n; i++)
		p->gain[i] = p->gain[i] < least ? (double)NAN : p->gain[i];
}

/* ---- one after another ---- */

static enum err_code describe_run(const struct next_runs_plan *p, size_t i, struct next_run *out,
				  struct err *e)
{
	const struct candidate_point *x = &p->places.item[i];
	size_t n_columns = p->q->app->n_columns;
	double c = p->q->confidence;

	*out = (struct next_run){
		.row = calloc(n_columns, sizeof *out->row),
		.at = x->at,
		.lo_s = prediction_quantile_s(p->q->predictor, &x->at, (1 - c) / 2),
		.hi_s = prediction_quantile_s(p->q->predictor, &x->at, (1 + c) / 2),
		.nodes = x->nodes,
		.node_hours = x->node_hours,
		.no_nodes = x->no_nodes,
		.kind = x->kind,
		.right = i < p->n_candidate_set ? p->right[i] : (double)NAN,
	};
	if (!out->row)
		return err_set(e, ERR_NOMEM, "a run of %zu columns", n_columns);
	memcpy(out->row, x->row, n_columns * sizeof *out->row);
	return ERR_OK;
}

static double carry(double now, double before, double after)
{
	return fmax(0, now - (before - after));
}

/* A run starts from what the one above it leaves. Their samples are not the same, and what is known
 * before the first is known best: so it is the difference that counts. */
static void go_on(struct expectation *now, struct next_run *run)
{
	struct expectation before = run->before, after = run->after;

	run->before = *now;
	if (isnan(now->wasted_node_hours))
		run->before.wasted_node_hours = before.wasted_node_hours;
	run->after.wrong = carry(run->before.wrong, before.wrong, after.wrong);
	run->after.wasted_node_hours = carry(run->before.wasted_node_hours,
					     before.wasted_node_hours, after.wasted_node_hours);
	*now = run->after;
}

static enum err_code add_run(const struct next_runs_plan *p, struct posterior_samples *d, size_t i,
			     struct expectation *now, struct next_runs *out, struct err *e)
{
	double noise = p->places.item[i].noise;
	struct next_run *run = &out->run[out->n];
	enum err_code rc = describe_run(p, i, run, e);

	if (rc)
		return rc;
	out->n++;
	if ((rc = voi_foresee(&p->problem, d, i, noise, true, &run->before, &run->after, e)))
		return rc;
	go_on(now, run);
	return posterior_samples_condition_on(d, i, noise, e);
}

/* The last ones, if they would lead to others that are not asked for, but change nothing by
 * themselves. */
static void drop_idle(struct next_runs *out)
{
	while (out->n > 0) {
		const struct next_run *last = &out->run[out->n - 1];

		if (last->before.wrong - last->after.wrong >= least_change)
			break;
		free(out->run[--out->n].row);
	}
}

static enum err_code choose_runs(struct next_runs_plan *p, struct posterior_samples *d, size_t n,
				 struct next_runs *out, struct err *e)
{
	struct expectation now = {.wrong = out->wrong, .wasted_node_hours = NAN};
	enum err_code rc;
	size_t i;

	out->run = calloc(n, sizeof *out->run);
	if (!out->run)
		return err_set(e, ERR_NOMEM, "%zu runs", n);
	while (out->n < n && now.wrong >= SAFE_CHANCE) {
		if ((rc = foresee_all(p, d, e)))
			return rc;
		if ((i = pick(p)) == SIZE_MAX)
			break;
		if ((rc = add_run(p, d, i, &now, out, e)))
			return rc;
		if (out->n == 1)
			give_up_hopeless(p);
	}
	drop_idle(out);
	return ERR_OK;
}

static enum err_code find(struct next_runs_plan *p, bool feasible, size_t n, struct next_runs *out,
			  struct err *e)
{
	struct posterior_samples samples = {0};
	enum err_code rc;

	out->n_candidate_set = p->n_candidate_set;
	if (!(rc = candidate_points_samples(&p->places, p->q->app, &samples, e)) &&
	    !(rc = judge_now(p, &samples, feasible, out, e)) && !out->safe)
		rc = choose_runs(p, &samples, n, out, e);
	posterior_samples_release(&samples);
	return rc;
}

enum err_code next_runs_find(const struct advice_request *q, const struct advice *a, size_t n,
			     struct next_runs *out, struct err *e)
{
	struct next_runs found = {.wrong = NAN, .answer_right = NAN};
	struct next_runs_plan p = {0};
	enum err_code rc = ERR_OK;

	if (n < 1 || n > MAX_NEXT_RUNS)
		return err_set(e, ERR_ARG, "%zu runs: 1 to %d can be named", n, MAX_NEXT_RUNS);
	if (a->best.row && !(rc = plan_init(&p, q, a, e)))
		rc = find(&p, a->feasible, n, &found, e);
	plan_release(&p);
	if (rc)
		next_runs_release(&found);
	else
		*out = found;
	return rc;
}

void next_runs_release(struct next_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->run[i].row);
	free(r->run);
	*r = (struct next_runs){0};
}

/* ---- reasons ---- */

/* "23 %"; what is not quite 0 or 100 % does not become so by rounding. */
static void put_chance(double p, struct strbuf *out)
{
	if (p > 0 && p < 0.01)
		strbuf_puts(out, "below 1 %");
	else if (p < 1 && p > 0.99)
		strbuf_puts(out, "above 99 %");
	else
		strbuf_printf(out, "%.0f %%", 100 * p);
}

static void put_duration(double seconds, struct strbuf *out)
{
	char text[40];

	strbuf_puts(out, duration_format(seconds, text, sizeof text));
}

/* ---- what is new ---- */

bool next_run_is_unseen(const struct advice_request *q, const struct next_run *r, size_t column,
			double *below, double *above)
{
	const struct column *c = &q->app->column[column];
	bool chosen = c->role == COL_TUNABLE || column == q->app->i_nodes;
	double x = r->row[column];

	*below = *above = NAN;
	if (!chosen || c->type == COL_TEXT || isnan(x) || !q->runs || q->runs->n == 0)
		return false;
	for (size_t i = 0; i < q->runs->n; i++) {
		double seen = dataset_row(q->runs, i)[column];

		if (!rule_counts_run(q->runs, i) || isnan(seen))
			continue;
		if (seen == x)
			return false;
		if (seen < x)
			*below = isnan(*below) ? seen : fmax(*below, seen);
		else
			*above = isnan(*above) ? seen : fmin(*above, seen);
	}
	return !isnan(*below) || !isnan(*above);
}

static void put_around(double below, double above, struct strbuf *out)
{
	strbuf_puts(out, isnan(above)	? " (the most is "
			 : isnan(below) ? " (the least is "
					: " (the nearest have ");
	strbuf_put_number(out, isnan(below) ? above : below);
	if (!isnan(below) && !isnan(above)) {
		strbuf_puts(out, " and ");
		strbuf_put_number(out, above);
	}
	strbuf_putc(out, ')');
}

static void put_news(const struct advice_request *q, const struct next_run *r, struct strbuf *out)
{
	size_t n = 0;

	for (size_t c = 0; c < q->app->n_columns; c++) {
		double below, above;

		if (!next_run_is_unseen(q, r, c, &below, &above))
			continue;
		strbuf_printf(out, "%s%s = ", n++ ? " and none " : "No run has ",
			      q->app->column[c].name);
		strbuf_put_number(out, r->row[c]);
		put_around(below, above, out);
	}
	if (n > 0)
		strbuf_puts(out, ". ");
}

/* ---- what it teaches ---- */

/* "the same with less work": what a cheaper run is, and whom it tells of. */
static const char *told_by(const char *kind)
{
	if (!strcmp(kind, "recommended") || !strcmp(kind, "best effort"))
		return "it is what this answer names";
	if (!strcmp(kind, "less work"))
		return "the same with less work, it tells of a dearer run";
	if (!strcmp(kind, "smaller problem"))
		return "the same with a smaller problem, it tells of a dearer run";
	if (!strcmp(kind, "fewer processors"))
		return "the same on fewer processors, it tells of a dearer run";
	if (!strcmp(kind, "scaled down"))
		return "the same scaled down, it tells of a dearer run";
	return NULL;
}

void next_run_put_reason(const struct advice_request *q, const struct next_run *r,
			 struct strbuf *out)
{
	const char *told = told_by(r->kind);

	put_news(q, r, out);
	strbuf_puts(out, "It is predicted to take ");
	put_duration(r->at.time_s, out);
	strbuf_puts(out, ", but ");
	put_duration(r->lo_s, out);
	strbuf_puts(out, " to ");
	put_duration(r->hi_s, out);
	strbuf_puts(out, " is possible; ");
	if (told)
		strbuf_puts(out, told);
	if (!isnan(r->right)) {
		strbuf_puts(out, told ? ", right with a chance of " : "with a chance of ");
		put_chance(r->right, out);
		strbuf_puts(out, told ? "" : " it would be right to submit it");
	}
	strbuf_printf(out,
		      ". It costs about %.3g %s and takes the chance of a wrong decision from ",
		      r->node_hours, configuration_hours_name(q->app, r->no_nodes));
	put_chance(r->before.wrong, out);
	strbuf_puts(out, " to ");
	put_chance(r->after.wrong, out);
	strbuf_putc(out, '.');
}
