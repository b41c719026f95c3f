#include "recommend/search/rank.h"

double feasibility_node_hours(const struct feasibility *o)
{
	return o->nodes * o->time_s / 3600;
}

double budget_time_s(double node_hours, double nodes)
{
	return node_hours * 3600 / nodes;
}

bool feasibility_is_feasible(const struct feasibility *o)
{
	return o->in_time && o->in_budget;
}

bool feasibility_keeps_limits_of(const struct feasibility *o, const struct feasibility *other)
{
	return o->in_time >= other->in_time && o->in_budget >= other->in_budget;
}

struct rank_key rank_key(enum criterion c, const struct feasibility *o)
{
	double hours = feasibility_node_hours(o);

	switch (c) {
	case FEWEST_NODES:
		return (struct rank_key){{o->nodes, o->time_s}};
	case FASTEST:
	case FASTEST_ANY:
		return (struct rank_key){{o->time_s, o->nodes}};
	case CHEAPEST:
		return (struct rank_key){{hours, o->nodes}};
	case BALANCED:
		return (struct rank_key){{hours * o->time_s, o->time_s}};
	case SAFEST:
		return (struct rank_key){{-o->p_meet, hours}};
	case LEAST_BUDGET:
		return (struct rank_key){{!o->in_time, o->nodes * o->promise_s, hours}};
	case SOONEST:
	case N_CRITERIA:
		break;
	}
	return (struct rank_key){{!o->in_budget, o->promise_s, o->time_s}};
}

int rank_key_compare(const struct rank_key *a, const struct rank_key *b)
{
	for (int i = 0; i < RANK_KEYS; i++) {
		if (a->by[i] != b->by[i])
			return a->by[i] < b->by[i] ? -1 : 1;
	}
	return 0;
}

bool criterion_admits(enum criterion c, const struct feasibility *o)
{
	if (c == SAFEST)
		return o->in_budget;
	return c > BALANCED || feasibility_is_feasible(o);
}

bool winner_is_beaten(const struct winner *w, const struct rank_key *key,
		      const struct feasibility *o, double procs, const double *row,
		      size_t n_columns)
{
	int order = w->set ? rank_key_compare(key, &w->key) : -1;

	if (order != 0)
		return order < 0;
	if (procs != w->procs)
		return procs < w->procs;
	if (o->p_meet != w->feasibility.p_meet)
		return o->p_meet > w->feasibility.p_meet;
	for (size_t i = 0; i < n_columns; i++) {
		/* A NaN is missing in both: equal. */
		if (row[i] < w->row[i] || row[i] > w->row[i])
			return row[i] < w->row[i];
	}
	return false;
}

bool rows_are_equal(const double *a, const double *b, size_t n_columns)
{
	for (size_t i = 0; i < n_columns; i++) {
		if (a[i] < b[i] || a[i] > b[i])
			return false;
	}
	return true;
}
