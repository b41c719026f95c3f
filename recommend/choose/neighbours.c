#include "recommend/choose/neighbours.h"

#include <math.h>
#include <stdlib.h>

#include "recommend/choose/alternatives.h"

/* ---- dimensions ---- */

static bool is_side(const struct application *app, size_t i)
{
	const struct group_flag *grid = application_grid(app);

	for (size_t k = 0; grid && k < grid->n; k++) {
		if (grid->column[k] == i)
			return true;
	}
	return false;
}

/* Something to choose that does not follow from nodes and processors. */
static bool is_free(const struct advice_request *q, size_t i)
{
	const struct application *app = q->app;
	enum column_role role = app->column[i].role;

	return (role == COL_TUNABLE || role == COL_RESOURCE) && isnan(q->row[i]) &&
	       i != app->i_nodes && i != app->i_procs && i != app->i_ppn;
}

static void add_dimension(struct neighbours *nb, const struct application *app, size_t first,
			  size_t n)
{
	nb->dim[nb->n_dims++] =
		(struct dimension){.column = nb->other + first,
				   .n = n,
				   .ordered = app->column[nb->other[first]].type != COL_TEXT};
}

/* The sides of the grid first. One free side is settled by the others. */
static enum err_code find_dimensions(struct neighbours *nb, const struct advice_request *q,
				     struct err *e)
{
	size_t n = q->app->n_columns;

	nb->dim = calloc(n, sizeof *nb->dim);
	nb->other = calloc(n, sizeof *nb->other);
	if (!nb->dim || !nb->other)
		return err_set(e, ERR_NOMEM, "neighbours in %zu columns", n);
	for (size_t i = 0; i < n; i++) {
		if (is_free(q, i) && is_side(q->app, i))
			nb->other[nb->n_other++] = i;
	}
	if (nb->n_other > 1)
		add_dimension(nb, q->app, 0, nb->n_other);
	for (size_t i = 0; i < n; i++) {
		if (!is_free(q, i) || is_side(q->app, i))
			continue;
		nb->other[nb->n_other++] = i;
		add_dimension(nb, q->app, nb->n_other - 1, 1);
	}
	return ERR_OK;
}

/* ---- the order along a dimension ---- */

struct axis_entry {
	size_t i;
	const struct neighbours *nb; /* for the comparison, which gets no context */
	const struct dimension *dim;
};

static int compare_column(const struct axis_entry *x, const struct axis_entry *y, size_t column)
{
	double a = same_resource_set_row(x->nb->same, x->i)[column];
	double b = same_resource_set_row(y->nb->same, y->i)[column];

	return (a > b) - (a < b);
}

static int compare_others(const struct axis_entry *x, const struct axis_entry *y)
{
	const size_t *own = x->dim->column;
	int order = 0;

	for (size_t k = 0; k < x->nb->n_other && !order; k++) {
		const size_t *column = x->nb->other + k;

		if (column < own || column >= own + x->dim->n)
			order = compare_column(x, y, *column);
	}
	return order;
}

static int compare_entries(const void *a, const void *b)
{
	const struct axis_entry *x = a, *y = b;
	int order = compare_others(x, y);

	for (size_t k = 0; k < x->dim->n && !order; k++)
		order = compare_column(x, y, x->dim->column[k]);
	return order ? order : (x->i > y->i) - (x->i < y->i);
}

static void sort_along(struct neighbours *nb, size_t i_dim, struct axis_entry *work)
{
	size_t n = nb->same->n;

	for (size_t i = 0; i < n; i++)
		work[i] = (struct axis_entry){i, nb, &nb->dim[i_dim]};
	qsort(work, n, sizeof *work, compare_entries);
	for (size_t i = 0; i < n; i++) {
		nb->order[i_dim * n + i] = work[i].i;
		nb->place[i_dim * n + work[i].i] = i;
	}
}

/* Dimensions and room for the orders along them. */
static enum err_code make_room(struct neighbours *nb, const struct advice_request *q, struct err *e)
{
	size_t n = nb->same->n;
	enum err_code rc = find_dimensions(nb, q, e);

	if (rc)
		return rc;
	nb->order = calloc(nb->n_dims * n + 1, sizeof *nb->order);
	nb->place = calloc(nb->n_dims * n + 1, sizeof *nb->place);
	if (!nb->order || !nb->place)
		return err_set(e, ERR_NOMEM, "%zu neighbours", n);
	return ERR_OK;
}

enum err_code neighbours_find(const struct search *s, const struct same_resource_set *p,
			      struct neighbours *out, struct err *e)
{
	struct axis_entry *work = calloc(p->n + 1, sizeof *work);
	enum err_code rc;

	if (!work)
		return err_set(e, ERR_NOMEM, "%zu neighbours", p->n);
	*out = (struct neighbours){.same = p};
	rc = make_room(out, s->request, e);
	for (size_t d = 0; d < out->n_dims && !rc; d++)
		sort_along(out, d, work);
	free(work);
	if (rc)
		neighbours_release(out);
	return rc;
}

void neighbours_release(struct neighbours *nb)
{
	free(nb->dim);
	free(nb->other);
	free(nb->order);
	free(nb->place);
	*nb = (struct neighbours){0};
}

size_t neighbour_of(const struct neighbours *nb, size_t i_dim, size_t i, bool above)
{
	const struct dimension *dim = &nb->dim[i_dim];
	size_t n = nb->same->n;
	size_t place = nb->place[i_dim * n + i];
	struct axis_entry here = {i, nb, dim}, there = here;

	if (above ? place + 1 == n : place == 0)
		return SIZE_MAX;
	there.i = nb->order[i_dim * n + (above ? place + 1 : place - 1)];
	return compare_others(&here, &there) == 0 ? there.i : SIZE_MAX;
}

/* ---- the tie that they break ---- */

/* A peer and the slowest of its neighbours. */
struct surroundings {
	double slowest_s; /* 0: it has none */
	size_t n;
};

static void look_at(const struct neighbours *nb, size_t i_dim, size_t i, bool above,
		    struct surroundings *out)
{
	size_t there = neighbour_of(nb, i_dim, i, above);

	if (there == SIZE_MAX)
		return;
	out->slowest_s = fmax(out->slowest_s, nb->same->at[there].time_s);
	out->n++;
}

static struct surroundings surroundings_of(const struct neighbours *nb, size_t i)
{
	struct surroundings s = {0, 0};

	for (size_t d = 0; d < nb->n_dims; d++) {
		if (!nb->dim[d].ordered)
			continue;
		look_at(nb, d, i, false, &s);
		look_at(nb, d, i, true, &s);
	}
	return s;
}

/* How much longer than peer i the slowest of its neighbours takes, as a share; not below 0. */
static double loss_at(const struct same_resource_set *p, size_t i, const struct surroundings *s)
{
	return fmax(s->slowest_s / p->at[i].time_s - 1, 0);
}

/* The most robust one; of equals the one that the criterion prefers. SIZE_MAX: none is tied. */
static size_t most_robust(const struct search *s, const struct neighbours *nb, enum criterion c,
			  const struct winner *best)
{
	const struct same_resource_set *p = nb->same;
	struct winner w = *best;
	double least_s = INFINITY;
	size_t chosen = SIZE_MAX;

	for (size_t i = 0; i < p->n; i++) {
		double slowest_s;
		struct feasibility o;
		struct rank_key key;

		if (!p->tied[i])
			continue;
		slowest_s = fmax(surroundings_of(nb, i).slowest_s, p->at[i].time_s);
		if (slowest_s > least_s)
			continue;
		o = search_feasibility(s, best->feasibility.nodes, same_resource_set_row(p, i),
				       &p->at[i]);
		key = rank_key(c, &o);
		if (slowest_s == least_s &&
		    !winner_is_beaten(&w, &key, &o, best->procs, same_resource_set_row(p, i),
				      p->n_columns))
			continue;
		least_s = slowest_s;
		chosen = i;
		w.key = key;
		w.feasibility = o;
		w.row = p->row + i * p->n_columns;
	}
	return chosen;
}

enum err_code tie_break_make(const struct search *s, const struct same_resource_set *p,
			     const struct neighbours *nb, enum criterion c, struct winner *best,
			     struct tie_break *out, struct err *e)
{
	size_t before = same_resource_set_index(p, best->row);
	size_t chosen = most_robust(s, nb, c, best);
	struct surroundings around;
	enum err_code rc;

	if (before == SIZE_MAX || chosen == SIZE_MAX)
		return ERR_OK;
	around = surroundings_of(nb, chosen);
	out->n_tied = same_resource_set_count_tied(p);
	out->within = p->within;
	out->n_neighbours = around.n;
	out->loss = loss_at(p, chosen, &around);
	if (chosen == before)
		return ERR_OK;
	around = surroundings_of(nb, before);
	out->loss_instead = loss_at(p, before, &around);
	if ((rc = choice_make(s->request, best->row, &best->feasibility, &best->prediction, NULL,
			      &out->instead_of, e)))
		return rc;
	same_resource_set_choose(s, p, chosen, c, best);
	return ERR_OK;
}

/* ---- what would change the answer ---- */

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
	const struct same_resource_set *p = nb->same;
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
	size_t from = same_resource_set_index(nb->same, best->row);
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
		config_space_predict(s->space, s->shortlist.rows, n, at);
		for (size_t i = 0; i < n; i++) {
			struct feasibility o = search_feasibility(s, g->nodes, NULL, &at[i]);
			struct least_limits *side = side_of(p, g->nodes, o.support);

			if (side)
				improve(side, &o);
		}
	}
}

static void look_at_nodes(const struct search *s, const struct group *g, struct node_contest *p)
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
		look_at_nodes(s, &g, p);
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
