#include "recommend/choose/tie_break_by_neighbourhood.h"

#include <math.h>
#include <stdlib.h>

#include "recommend/choose/alternatives.h"

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
	out->slowest_s = fmax(out->slowest_s, nb->peers->at[there].time_s);
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
	const struct same_resource_set *p = nb->peers;
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
