#include "recommend/choose/same_resource_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below one per cent nobody minds, and beyond ten "cannot tell apart" would be an excuse. */
static const double least_within = 0.01, most_within = 0.10;

/* Blocks and grid shapes of one number of processors are a few thousand. Where they are not, this
 * many in the order of the space are enough for an answer within a tenth of a second. */
enum { MAX_SAME_RESOURCE_SET = 100000, GROUPS_PER_POLL = 4096 };

const double *same_resource_set_row(const struct same_resource_set *p, size_t i)
{
	return p->row + i * p->n_columns;
}

size_t same_resource_set_index(const struct same_resource_set *p, const double *row)
{
	for (size_t i = 0; i < p->n; i++) {
		if (rows_are_equal(same_resource_set_row(p, i), row, p->n_columns))
			return i;
	}
	return SIZE_MAX;
}

size_t same_resource_set_count_tied(const struct same_resource_set *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->tied[i];
	return n;
}

void same_resource_set_release(struct same_resource_set *p)
{
	free(p->row);
	free(p->at);
	free(p->tied);
	*p = (struct same_resource_set){0};
}

/* Room for a batch more. */
static enum err_code make_room(struct same_resource_set *p, struct err *e)
{
	size_t cap = p->cap ? 2 * p->cap : (size_t)4 * SEARCH_BATCH;
	double *row;
	struct prediction *at;
	bool *tied;

	if (p->n + SEARCH_BATCH <= p->cap)
		return ERR_OK;
	row = realloc(p->row, cap * p->n_columns * sizeof *row);
	if (row)
		p->row = row;
	at = realloc(p->at, cap * sizeof *at);
	if (at)
		p->at = at;
	tied = realloc(p->tied, cap * sizeof *tied);
	if (tied)
		p->tied = tied;
	if (!row || !at || !tied)
		return err_set(e, ERR_NOMEM, "%zu configurations of as many processors", cap);
	p->cap = cap;
	return ERR_OK;
}

/* Half the central 50 % interval of the best, as a share of its time. */
static double tolerance(const struct predictor *p, const struct prediction *best)
{
	double width_s =
		prediction_quantile_s(p, best, 0.75) - prediction_quantile_s(p, best, 0.25);

	return fmin(fmax(width_s / (2 * best->time_s), least_within), most_within);
}

static bool is_tied(const struct search *s, const struct winner *best, const double *row,
		    const struct prediction *at, double within)
{
	struct feasibility o;

	if (!(at->time_s <= best->prediction.time_s * (1 + within)) ||
	    at->support > best->prediction.support)
		return false;
	/* what promises less is no equal, however close its median: see rank.c */
	o = search_feasibility(s, best->feasibility.nodes, row, at);
	if (s->request->objective == OBJECTIVE_TIME &&
	    !(o.score_s <= best->feasibility.score_s * (1 + within)))
		return false;
	return o.promise_s <= best->feasibility.promise_s * (1 + within) &&
	       feasibility_keeps_limits_of(&o, &best->feasibility);
}

static enum err_code add_group(struct same_resource_set *p, const struct search *s,
			       const struct winner *best, const struct group *g, struct err *e)
{
	size_t next = 0, n;
	enum err_code rc;

	while (p->n < MAX_SAME_RESOURCE_SET) {
		if ((rc = make_room(p, e)))
			return rc;
		n = group_rows(g, &next, p->row + p->n * p->n_columns, SEARCH_BATCH);
		if (n == 0)
			break;
		predictor_predict(s->request->predictor, same_resource_set_row(p, p->n), n,
				  p->at + p->n);
		for (size_t i = p->n; i < p->n + n; i++) {
			p->tied[i] =
				is_tied(s, best, same_resource_set_row(p, i), &p->at[i], p->within);
			if (rows_are_equal(same_resource_set_row(p, i), best->row, p->n_columns))
				p->i_best = i;
		}
		p->n += n;
	}
	return ERR_OK;
}

enum err_code same_resource_set_list(const struct search *s, const struct winner *best,
				     struct same_resource_set *out, struct err *e)
{
	uint64_t n_groups = 0;
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, s->space, false, e);

	if (rc)
		return rc;
	*out = (struct same_resource_set){
		.n_columns = s->request->app->n_columns,
		.within = tolerance(s->request->predictor, &best->prediction),
		.i_best = SIZE_MAX};
	it.least_procs = it.most_procs = best->procs;
	while (out->n < MAX_SAME_RESOURCE_SET && !(rc = groups_next(&it, &g, &more, e)) && more) {
		if (n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(s->request->progress, "peers", n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while comparing");
			break;
		}
		if (g.procs == best->procs && g.nodes == best->feasibility.nodes &&
		    (rc = add_group(out, s, best, &g, e)))
			break;
	}
	groups_release(&it);
	if (rc)
		same_resource_set_release(out);
	return rc;
}

void same_resource_set_choose(const struct search *s, const struct same_resource_set *p, size_t i,
			      enum criterion c, struct winner *w)
{
	w->feasibility =
		search_feasibility(s, w->feasibility.nodes, same_resource_set_row(p, i), &p->at[i]);
	w->key = rank_key(c, &w->feasibility);
	w->prediction = p->at[i];
	memcpy(w->row, same_resource_set_row(p, i), p->n_columns * sizeof *w->row);
}
