#ifndef ACQUIRE_DESIGN_H
#define ACQUIRE_DESIGN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"

/* Experimental designs: which combinations of factor levels to run, and in which order. A factor is
 * known by its number of levels only; what a level means is the caller's matter. Every design is
 * the same for the same space and seed, and holds no combination twice. */

enum { DESIGN_MAX_FACTORS = 64 };

struct design_space {
	size_t n_factors;	      /* 1 to DESIGN_MAX_FACTORS */
	const size_t *n_levels;	      /* n_factors, each >= 1 */
	const unsigned char *nominal; /* n_factors, 1: levels have no order, any two are equally far
				       * apart; NULL: all have one */
	/* May this combination be run? level[n_factors]. NULL: all may. */
	bool (*legal)(void *arg, const size_t *level);
	void *arg;
	const struct progress *progress; /* may be NULL */
};

struct design {
	size_t n, n_factors;
	size_t *level; /* n * n_factors, row-major */
	/* Of a regular fraction: its resolution (3: main effects are aliased with interactions of
	 * two factors, 4: with none of these, ...); 0: it is none. */
	int resolution;
	/* Of a fraction: D-efficiency for main effects, |X'X|^(1/p) / n with p orthonormal
	 * contrasts: 1 is an orthogonal array. NaN: not a fraction. */
	double efficiency;
};

static inline const size_t *design_point(const struct design *d, size_t i)
{
	return d->level + i * d->n_factors;
}

void design_release(struct design *d);

/* All legal combinations, the last factor fastest. Errors: ARG (more than max_points: the message
 * says how many there are, or at least; no combination is legal), INTERRUPTED, NOMEM. */
enum err_code design_full_factorial(const struct design_space *s, size_t max_points,
				    struct design *out, struct err *e);

/* As many runs as main effects have parameters: 1 + the sum of (levels - 1). */
size_t design_fraction_least(const struct design_space *s);

/* n of the legal combinations from which the main effects of all factors can be told apart.
 * Factors of two levels, all legal, n a power of two: the regular 2^(k-p) fraction of minimum
 * aberration among those searched (Box and Hunter, "The 2^(k-p) fractional factorial designs",
 * Technometrics 3, 1961; Fries and Hunter, "Minimum aberration 2^(k-p) designs", Technometrics 22,
 * 1980). Otherwise a D-optimal design for main effects by exchange (Fedorov, "Theory of optimal
 * experiments", 1972; Cook and Nachtsheim, "A comparison of algorithms for constructing exact
 * D-optimal designs", Technometrics 22, 1980), started several times; where an orthogonal array of
 * that size exists it is the optimum (Cheng, Ann. Stat. 8, 1980), though the search need not
 * find it: `efficiency` tells. Errors: ARG (n below design_fraction_least() or above the number of
 * legal combinations; an effect that the legal combinations leave unknown), INTERRUPTED, NOMEM. */
enum err_code design_fraction(const struct design_space *s, size_t n, uint64_t seed,
			      struct design *out, struct err *e);

/* Latin hypercube of n points over the levels (McKay, Beckman and Conover, Technometrics 21, 1979):
 * of each factor every level (n >= levels) or one of every n-th part of the levels is taken
 * equally often, to within one; of such, points far apart are sought (maximin: Morris and Mitchell,
 * "Exploratory designs for computational experiments", J. Stat. Plan. Inference 43, 1995). Where
 * not all combinations are legal, balance is as near as the legal ones allow. Errors: ARG (fewer
 * than n are legal, or none was found), INTERRUPTED, NOMEM. */
enum err_code design_latin_hypercube(const struct design_space *s, size_t n, uint64_t seed,
				     struct design *out, struct err *e);

/* Combinations as a list, the only legal ones: level[n_points * n_factors]. */
struct design_list {
	size_t n_points, n_factors;
	const size_t *n_levels;
	const unsigned char *nominal; /* as above */
	const size_t *level;
	const unsigned char *barred; /* n_points, 1: not to be chosen; NULL: all may */
	const struct progress *progress;
};
/* A Latin hypercube as near as the list allows: chosen[n], indices into the list, in the order in
 * which they were taken, so that its first part is spread as well. taken (n_points, may be NULL):
 * 1: run already; not chosen, but balance and distance count it. Errors: ARG (fewer than n are
 * left), INTERRUPTED, NOMEM. */
enum err_code design_choose(const struct design_list *l, const unsigned char *taken, size_t n,
			    uint64_t seed, size_t *chosen, struct err *e);

/* A run of a plan: which point, and which of its repeats. */
struct design_run {
	size_t point, repeat;
};
/* run[n_points * n_repeats] in randomised complete blocks (Fisher, "The design of experiments",
 * 1935; Montgomery, ch. 4): each block runs every point once, in an order of its own, so that
 * neither drift nor a busy hour falls on one point's repeats. */
void design_run_order(size_t n_points, size_t n_repeats, uint64_t seed, struct design_run *run);

#endif
