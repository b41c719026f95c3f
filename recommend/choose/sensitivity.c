#include "recommend/choose/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "recommend/choose/alternatives.h"

enum { GROUPS_PER_POLL = 4096 };

/* ---- one step in each parameter ---- */

static const char *name_of(const struct application *app, const struct dimension *dim)
{
	/* Several columns are the sides of the grid. */
	return dim->n > 1 ? application_grid(app)->flag : app->column[dim->column[0]].name;
}

static enum err_code add_move(const struct search *s, const struct neighbours *nb, size_t i_dim,
			      size_t to, const struct winner *best, struct sensitivity *out,
			      struct err *e)
{
	const struct same_resource_set *p = nb->peers;
	struct feasibility o = search_feasibility(s, best->feasibility.nodes,
						  same_resource_set_row(p, to), &p->at[to]);
	struct move *grown = realloc(out->move, (out->n + 1) * sizeof *grown);
	struct move *m;
	enum err_code rc;

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu moves", out->n + 1);
	out->move = grown;
	m = &grown[out->n];
	*m = (struct move){.parameter = name_of(s->request->app, &nb->dim[i_dim]),
			   .ratio = p->at[to].time_s / best->prediction.time_s};
	if ((rc = choice_make(s->request, same_resource_set_row(p, to), &o, &p->at[to], NULL,
			      &m->to, e)))
		return rc;
	out->n++;
	return ERR_OK;
}

/* One step; among names all steps, as none is nearer than another. */
static enum err_code add_moves(const struct search *s, const struct neighbours *nb, size_t i_dim,
			       size_t from, bool above, const struct winner *best,
			       struct sensitivity *out, struct err *e)
{
	size_t to = neighbour_of(nb, i_dim, from, above);
	enum err_code rc = ERR_OK;

	while (to != SIZE_MAX && !rc) {
		rc = add_move(s, nb, i_dim, to, best, out, e);
		to = nb->dim[i_dim].ordered ? SIZE_MAX : neighbour_of(nb, i_dim, to, above);
	}
	return rc;
}

enum err_code sensitivity_find(const struct search *s, const struct neighbours *nb,
			       const struct winner *best, struct sensitivity *out, struct err *e)
{
	size_t from = same_resource_set_index(nb->peers, best->row);
	enum err_code rc = ERR_OK;

	for (size_t d = 0; d < nb->n_dims && from != SIZE_MAX && !rc; d++) {
		if (!(rc = add_moves(s, nb, d, from, false, best, out, e)))
			rc = add_moves(s, nb, d, from, true, best, out, e);
	}
	return rc;
}

void sensitivity_release(struct sensitivity *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->move[i].to.row);
	free(s->move);
	*s = (struct sensitivity){0};
}

/* ---- until when the number of nodes is the answer ---- */

/* The best that can be promised by some configurations. */
struct least_limits {
	double promise_s; /* soonest, at the request's confidence */
	double p_meet;	  /* most, by the request's deadline */
};

static void improve(struct least_limits *p, const struct feasibility *o)
{
	p->promise_s = fmin(p->promise_s, o->promise_s);
	p->p_meet = fmax(p->p_meet, o->p_meet);
}

/* Where other limits would lead: to the number of nodes of the best, or to what is preferred to it.
 */
struct node_contest {
	double nodes;
	enum support support;
	struct least_limits same, preferred;
};

/* Better support comes first, then fewer nodes: see rank.c. NULL: never preferred to the best. */
static struct least_limits *side_of(struct node_contest *p, double nodes, enum support support)
{
	if (support > p->support || (support == p->support && nodes > p->nodes))
		return NULL;
	return nodes == p->nodes ? &p->same : &p->preferred;
}

static void look_into(const struct search *s, const struct group *g, struct node_contest *p)
{
	struct prediction at[SEARCH_BATCH];
	size_t next = 0, n;

	while ((n = group_rows(g, &next, s->shortlist.rows, SEARCH_BATCH)) > 0) {
		predictor_predict(s->request->predictor, s->shortlist.rows, n, at);
		for (size_t i = 0; i < n; i++) {
			struct feasibility o = search_feasibility(s, g->nodes, NULL, &at[i]);
			struct least_limits *side = side_of(p, g->nodes, o.support);

			if (side)
				improve(side, &o);
		}
	}
}

static void look_at(const struct search *s, const struct group *g, struct node_contest *p)
{
	struct feasibility o = search_group_feasibility(s, g);
	const struct least_limits *side = side_of(p, g->nodes, o.support);

	if (side && (o.promise_s < side->promise_s || o.p_meet > side->p_meet))
		look_into(s, g, p);
}

/* The promises of all configurations on as many nodes as the best, and of those preferred to it. */
static enum err_code compare_promises(const struct search *s, struct node_contest *p, struct err *e)
{
	uint64_t n_groups = 0;
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, s->space, false, e);

	if (rc)
		return rc;
	/* what is better supported is preferred on any number of nodes */
	if (p->support == SUPPORT_INSIDE)
		it.most_procs =
			fmin(it.most_procs, placement_procs_on(&s->space->placement, p->nodes));
	while (!(rc = groups_next(&it, &g, &more, e)) && more) {
		if (n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(s->request->progress, "limits", n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while comparing");
			break;
		}
		look_at(s, &g, p);
	}
	groups_release(&it);
	return rc;
}

enum err_code node_limits_find(const struct search *s, const struct winner *best,
			       struct node_limits *out, struct err *e)
{
	const struct advice_request *q = s->request;
	struct node_contest p = {
		.nodes = best->feasibility.nodes,
		.support = best->feasibility.support,
		.same = {best->feasibility.promise_s, best->feasibility.p_meet},
		.preferred = {INFINITY, 0},
	};
	enum err_code rc;

	if (q->objective != OBJECTIVE_NODES || q->budget_node_hours > 0 ||
	    !isnan(s->space->placement.fixed_nodes) || !isnan(s->space->placement.fixed_procs))
		return ERR_OK;
	if ((rc = compare_promises(s, &p, e)))
		return rc;
	*out = (struct node_limits){.known = true,
				    .deadline_from_s = p.same.promise_s,
				    .deadline_to_s = isfinite(p.preferred.promise_s)
							     ? p.preferred.promise_s
							     : (double)NAN,
				    .confidence_from = p.preferred.p_meet,
				    .confidence_to = p.same.p_meet};
	return ERR_OK;
}
