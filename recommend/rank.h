#ifndef RECOMMEND_RANK_H
#define RECOMMEND_RANK_H
#include <stdbool.h>
#include <stddef.h>
#include "mining/predictor.h"

/* What is looked for among the configurations. The first four only among feasible ones. */
enum criterion {
	FEWEST_NODES, /* then the shortest time */
	FASTEST,
	CHEAPEST, /* node-hours, then time */
	/* The smallest time * node-hours: where one per cent less time costs one per cent more
	 * node-hours. This is the knee of Eager, Zahorjan and Lazowska, "Speedup versus efficiency
	 * in parallel systems", IEEE Trans. Computers 38(3), 1989: the most efficiency per
	 * execution time. It lies on the frontier of time against node-hours. */
	BALANCED,
	SAFEST,	     /* the largest p_meet, then node-hours */
	SOONEST,     /* the smallest quantile of time at the confidence: what could be promised */
	FASTEST_ANY, /* feasible or not */
	N_CRITERIA
};

/* What the criteria look at: of a configuration, or the best that some could be. */
struct outlook {
	double nodes;
	double time_s;
	double p_meet;	   /* 1 without a deadline */
	double quantile_s; /* of time, at the confidence */
	bool feasible;
};

/* What a criterion minimises: first [0], then [1]. Grows with time_s and quantile_s, falls with
 * p_meet: the key of a lower bound bounds the keys from below. */
struct rank_key {
	double by[2];
};
struct rank_key rank_key(enum criterion c, const struct outlook *o);
/* < 0: a is better. */
int rank_key_compare(const struct rank_key *a, const struct rank_key *b);
bool criterion_wants_feasible(enum criterion c);

double outlook_node_hours(const struct outlook *o);

/* The best configuration so far. */
struct winner {
	bool set;
	struct rank_key key;
	struct outlook outlook;
	struct prediction prediction;
	double procs;
	double *row; /* n_columns */
};

/* Is a configuration better than the winner? Ties are broken by fewer processors, larger p_meet,
 * then smaller values in column order, so that the order of the search plays no part. */
bool winner_is_beaten(const struct winner *w, const struct rank_key *key, const struct outlook *o,
		      double procs, const double *row, size_t n_columns);

/* Values of configurations are never NaN on one side only within a space, except by accident of a
 * derived column (x / 0): NaN equals everything here. */
bool rows_are_equal(const double *a, const double *b, size_t n_columns);

#endif
