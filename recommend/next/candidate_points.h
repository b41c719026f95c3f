#ifndef RECOMMEND_CANDIDATE_POINTS_H
#define RECOMMEND_CANDIDATE_POINTS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/numerics/posterior_samples.h"
#include "mining/numerics/value_of_information.h"
#include "recommend/space/config_space.h"
#include "recommend/space/placement.h"
#include "recommend/space/recommend.h"

/* Configurations whose times are predicted, and what is not known about them. */

struct candidate_point {
	double *row; /* n_columns, complete */
	struct prediction at;
	double nodes;
	double node_hours;
	bool no_nodes;	     /* those of configuration_hours_name() */
	double epistemic_sd; /* standard deviation of the log of its typical time: runs cure it */
	double noise;	     /* of the log of one repeat around that: nothing does */
	double tail;	     /* log(quantile / median) of one repeat, at the request's confidence */
	const char *kind;    /* why it is there: "recommended", "smaller problem", ... */
};

struct candidate_points {
	struct candidate_point *item;
	size_t n;
};

/* Without a row of its own. */
struct candidate_point place_at(const struct advice_request *q, const struct placement *where,
				const double *row, const struct prediction *at);
/* With a copy of row. Errors: NOMEM. */
enum err_code candidate_points_add(struct candidate_points *p, const struct candidate_point *place,
				   const double *row, size_t n_columns, struct err *e);
bool candidate_points_have(const struct candidate_points *p, const double *row, size_t n_columns);
void candidate_points_release(struct candidate_points *p);

/* How far the typical times of all places can be off, together. Doubts of two places are correlated
 * by exp(-distance / length): distance Euclidean in the logs of what makes up a configuration, as
 * that of the nearest runs, length two factors of two: choices of ours. Of the amount of work
 * (iterations, time steps: COL_WORKLOAD) only an eighth counts: the same error comes again with
 * every step. Errors: NOMEM. */
enum err_code candidate_points_samples(const struct candidate_points *p,
				       const struct application *app, struct posterior_samples *out,
				       struct err *e);

/* A choice that costs at most this share more than the best is right: a test run that saves less
 * seldom pays for itself. */
#define CHOICE_TOLERANCE 0.05

struct option place_option(const struct candidate_point *p, const struct advice_request *q);
/* The first n places as what to choose from; option[n] must outlive *out. */
void candidate_points_choice(const struct candidate_points *p, size_t n,
			     const struct advice_request *q, struct option *option,
			     struct choice_problem *out);

/* The configurations that may turn out to be the right answer to a request, once their times are
 * known better: the recommendation, its alternatives and, of each choice of resources that stands a
 * chance, the tuning that stands the best. */
enum { MAX_CANDIDATE_SET = 24 };

/* The recommendation (or the best effort) first, then the others by falling probability to be
 * right; at most MAX_CANDIDATE_SET. a->best.row must be set. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code candidate_set_find(struct config_space *space, const struct advice *a,
				 struct candidate_points *out, struct err *e);

/* Cheaper runs that tell something of dearer ones: the same configuration with less work, a smaller
 * problem, fewer processors, or both of these scaled down together. A quarter of the work, half of
 * everything else; applications without a definition get a problem that was run before, since
 * nobody knows which others there are. Kinds: "less work", "smaller problem", "fewer processors",
 * "scaled down". */

/* Add those of the first n places that are legal, cost at most half and are not there yet.
 * Errors: NOMEM. */
enum err_code low_fidelity_runs_add(const struct config_space *space, struct candidate_points *p,
				    size_t n, struct err *e);

/* Values that no run has, of tunables whose candidates come from runs: an answer keeps to what was
 * tried, but a run may try another one. For a configuration with one such value changed: halfway
 * (of logs) to the next value that was run, below and above, or beyond the least and the largest by
 * the same factor as the last step. A whole number that is legal and nearest to that is taken.
 *
 * Only of a tunable that two runs show changed alone, all else equal: where it moves with others
 * (the sides of a grid), nobody knows what else would have to change. Nothing beyond whole numbers
 * that follow each other (1, 2, 3): these may be names. Resources are not among them, since further
 * node counts are candidates anyway (seen_product.h). */

/* Add those of the first n places that are legal, keep to the invariants, fit and are not there
 * yet, of kind "new value". Errors: NOMEM. */
enum err_code unseen_values_add(const struct config_space *space, struct candidate_points *p,
				size_t n, struct err *e);

#endif
