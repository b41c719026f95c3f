#ifndef RECOMMEND_RANK_H
#define RECOMMEND_RANK_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/predictor/predictor.h"

/* What is looked for among the configurations. The first five only among feasible ones: in time and
 * within the budget, with the confidence.
 *
 * The first four, and SAFEST, take what stands between the runs first: a configuration at their
 * edge is looked at only where no inside one is feasible, one outside only where none at the edge
 * is. What time and node-hours rank by is the promise: the time that is kept with the confidence.
 * Reasons: see rank.c. */
enum criterion {
	FEWEST_NODES, /* then the shortest promise */
	FASTEST,
	CHEAPEST, /* promised node-hours, then expected ones, then nodes */
	/* The smallest time * node-hours: where one per cent less time costs one per cent more
	 * node-hours. This is the knee of Eager, Zahorjan and Lazowska, "Speedup versus efficiency
	 * in parallel systems", IEEE Trans. Computers 38(3), 1989: the most efficiency per
	 * execution time. It lies on the frontier of time against node-hours. */
	BALANCED,
	/* What the objective asks for, whatever the support: what would be chosen if one could rely
	 * on predictions beyond the runs. */
	EXTRAPOLATED,
	SAFEST, /* within the budget, with a chance: the largest p_meet, then node-hours */
	/* What could be promised: the shortest deadline at the confidence, within the budget if
	 * anything is; if no promise is that sure, the shortest time. */
	SOONEST,
	/* What is done by the deadline most likely, within the budget if anything is; of chances
	 * that are the same, to 0.02, what could be promised soonest. */
	LIKELIEST,
	FASTEST_ANY, /* feasible or not */
	/* Which budget would do: the smallest that can be promised, in time if anything is; if no
	 * promise is that sure, the fewest node-hours. */
	LEAST_BUDGET,
	N_CRITERIA
};

/* What the criteria look at: of a configuration, or the best that some could be. */
struct feasibility {
	double nodes;
	double time_s;
	double p_meet;	 /* 1 without a deadline */
	double p_budget; /* to stay within the budget; 1 without one */
	/* The shortest deadline that could be promised with the confidence; INFINITY: none can. */
	double promise_s;
	enum support support;
	double score_s; /* what ranks by time [s]: see RANK_SCORE_PROB */
	/* p_meet and p_budget are at least the confidence. Both limits bound the time of the same
	 * run, so that the stricter one is met together with the other. */
	bool in_time, in_budget;
};
/* Does it keep every limit that `other` keeps? */
bool feasibility_keeps_limits_of(const struct feasibility *o, const struct feasibility *other);

/* The quantile that the time of a configuration without runs is ranked by: one standard deviation
 * above the mean of a normal distribution. A configuration that was measured ranks by its own
 * measured time; so an unmeasured one is preferred only where it is better with about this
 * probability. With many runs of one problem and no other, rate_process.h says how likely. */
#define RANK_SCORE_PROB 0.8413

/* What a criterion minimises: first [0], then [1], ... [0] is how well runs support a
 * configuration, for the criteria that care; [1] what the criterion is named for. Grows with
 * time_s, promise_s and support, falls with p_meet, in_time and in_budget: the key of a lower bound
 * bounds the keys from below. */
enum { RANK_KEYS = 4 };
struct rank_key {
	double by[RANK_KEYS];
};
struct rank_key rank_key(enum criterion c, const struct feasibility *o);
/* EXTRAPOLATED for the objective of a criterion: its key without support. */
struct rank_key rank_key_any_support(enum criterion c, const struct feasibility *o);
/* < 0: a is better. */
int rank_key_compare(const struct rank_key *a, const struct rank_key *b);
/* May a configuration of this feasibility win at all? */
bool criterion_admits(enum criterion c, const struct feasibility *o);

double feasibility_node_hours(const struct feasibility *o);
/* How long `nodes` last [s] on a budget. */
double budget_time_s(double node_hours, double nodes);

/* The best configuration so far. */
struct winner {
	bool set;
	struct rank_key key;
	struct feasibility feasibility;
	struct prediction prediction;
	double procs;
	double *row; /* n_columns */
};

/* Is a configuration better than the winner? Ties are broken by fewer processors, larger p_meet,
 * then smaller values in column order, so that the order of the search plays no part. */
bool winner_is_beaten(const struct winner *w, const struct rank_key *key,
		      const struct feasibility *o, double procs, const double *row,
		      size_t n_columns);

/* Values of configurations are never NaN on one side only within a space, except by accident of a
 * derived column (x / 0): NaN equals everything here. */
bool rows_are_equal(const double *a, const double *b, size_t n_columns);

/* The frontier of time against node-hours: the configurations that no other one beats in both.
 * Kept during a search, which may skip what could not stand on it. On one number of nodes less time
 * is fewer node-hours, so each number of nodes has at most one point. */
struct frontier {
	struct winner *point; /* ascending time, strictly descending node-hours */
	size_t n, cap;
	size_t n_columns; /* of a row */
};

void frontier_init(struct frontier *f, size_t n_columns);
void frontier_release(struct frontier *f);

/* Could a configuration on so many nodes that takes time_s or longer stand on it? */
bool frontier_has_room(const struct frontier *f, double nodes, double time_s);
/* Take a configuration if no other one is at least as good in both and better in one; drop what it
 * beats. Of equal ones the one stays that winner_is_beaten() prefers. Errors: NOMEM. */
enum err_code frontier_offer(struct frontier *f, const struct feasibility *o,
			     const struct prediction *at, double procs, const double *row,
			     struct err *e);

/* Index of the knee, the BALANCED point; n must be above 0. */
size_t frontier_knee(const struct frontier *f);

#endif
