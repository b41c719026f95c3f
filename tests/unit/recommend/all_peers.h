#ifndef TESTS_RECOMMEND_ALL_PEERS_H
#define TESTS_RECOMMEND_ALL_PEERS_H
#include "tests/unit/recommend/world.h"

/* The configurations on as many processors as one, found a second time: every grid and block is
 * tried with the public functions of domain/ and mining/ only, and what a neighbour is, is said
 * again in the words of neighbours.h. */

enum { MAX_ALL_PEERS = 4000 };

struct all_peers {
	double row[MAX_ALL_PEERS][WORLD_COLUMNS];
	struct prediction at[MAX_ALL_PEERS];
	size_t n;
};

static const char *const all_peers_free[] = {"npe_i", "npe_j", "mk", "mmi"};

static inline double all_peers_get(const struct world *w, const struct all_peers *p, size_t i,
				   const char *name)
{
	return world_get(w, p->row[i], name);
}

static inline void all_peers_try(const struct world *w, const struct advice_request *q,
				 struct all_peers *p, const double *value)
{
	double *r = p->row[p->n];
	double procs = value[0] * value[1];

	assert_true(p->n + 1 < MAX_ALL_PEERS);
	memcpy(r, q->row, w->app->n_columns * sizeof *r);
	for (size_t k = 0; k < 4; k++) {
		size_t column = world_column(w, all_peers_free[k]);

		if (!isnan(r[column]) && r[column] != value[k])
			return;
		r[column] = value[k];
	}
	r[world_column(w, "nodes")] = ceil(procs / 4);
	configuration_derive(w->app, r);
	if (!configuration_legal(w->app, r, NULL) ||
	    configuration_memory_bytes_per_proc(w->app, r) * fmin(4, procs) > 0x1p30)
		return;
	predictor_predict(q->predictor, r, 1, &p->at[p->n++]);
}

/* As many processors as `like` has, and whatever the request fixes. */
static inline void all_peers_find(const struct world *w, const struct advice_request *q,
				  const double *like, struct all_peers *p)
{
	double procs = world_get(w, like, "procs"), kt = world_get(w, like, "kt");

	p->n = 0;
	for (double i = 1; i <= procs; i++) {
		for (double mk = 1; mk <= kt; mk++) {
			for (double mmi = 1; mmi <= 6; mmi++) {
				if (fmod(procs, i) == 0 && fmod(kt, mk) == 0 && fmod(6, mmi) == 0)
					all_peers_try(w, q, p, (double[]){i, procs / i, mk, mmi});
			}
		}
	}
}

static inline size_t all_peers_index(const struct world *w, const struct all_peers *p,
				     const double *row)
{
	for (size_t i = 0; i < p->n; i++) {
		bool same = true;

		for (size_t k = 0; k < 4; k++)
			same = same && all_peers_get(w, p, i, all_peers_free[k]) ==
					       world_get(w, row, all_peers_free[k]);
		if (same)
			return i;
	}
	fail_msg("no such configuration");
	return 0;
}

/* The nearest of those that differ from i in `name` only, and for a side of the grid in the other
 * side, too; p->n: none. */
static inline size_t all_peers_neighbour(const struct world *w, const struct all_peers *p, size_t i,
					 const char *name, bool above)
{
	bool grid = !strcmp(name, "npe_i");
	double here = all_peers_get(w, p, i, name);
	size_t best = p->n;

	for (size_t j = 0; j < p->n; j++) {
		double there = all_peers_get(w, p, j, name);
		bool same = above ? there > here : there < here;

		for (size_t k = 0; k < 4; k++) {
			const char *other = all_peers_free[k];

			if (strcmp(other, name) != 0 && !(grid && !strcmp(other, "npe_j")))
				same = same && all_peers_get(w, p, i, other) ==
						       all_peers_get(w, p, j, other);
		}
		if (same && (best == p->n ||
			     fabs(there - here) < fabs(all_peers_get(w, p, best, name) - here)))
			best = j;
	}
	return best;
}

#endif
