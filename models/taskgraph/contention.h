#ifndef MODELS_CONTENTION_H
#define MODELS_CONTENTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* Stations (links, a bus) that activities (messages and tasks that move bytes) share, through time.
 *
 * An activity takes base_s alone, demand_s <= base_s of which it occupies its station. While others
 * want the station too, all of them take the residence times that approximate mean value analysis
 * (amva.h) gives for those who are there: customers of a closed network with one station, whose
 * cycle is the activity. Activities alike are one class. When one comes or goes the others keep the
 * share that they have done, and go on at the new pace. Each class has a clock of shares done, on
 * which all its activities last 1, so that a change costs as much as there are classes. */

struct contention_class {
	double base_s, demand_s;
	double residence_s;  /* of an activity, at the present pace */
	double clock;	     /* shares done since the class came into being */
	uint32_t head, tail; /* its activities, in the order in which they end */
	uint32_t n;	     /* present */
	uint32_t n_solved;   /* present when residence_s was found */
};

struct contention_station {
	struct contention_class *class;
	size_t n_classes, cap;
	uint32_t n;	 /* activities present */
	bool is_changed; /* who is there changed since it was settled */
	double at_s;	 /* the time that the clocks show */
	double next_s;	 /* when the next activity ends; INFINITY: none is there */
	uint32_t next;	 /* which */
};

struct contention {
	size_t n_stations;
	struct contention_station *station;
	uint32_t *after; /* [n_activities]: the next of its class */
	double *due;  /* [n_activities]: when it ends on the clock of its class; NaN: withdrawn */
	double *work; /* for amva_solve() */
	size_t work_cap; /* classes that it is for */
};
#define CONTENTION_NONE UINT32_MAX

/* Errors: NOMEM. */
enum err_code contention_init(struct contention *c, size_t n_activities, size_t n_stations,
			      struct err *e);
void contention_release(struct contention *c);

/* An activity begins at a station, or is given up. 0 < demand_s <= base_s. Errors: NOMEM. */
enum err_code contention_join(struct contention *c, size_t station, uint32_t activity,
			      double base_s, double demand_s, double now_s, struct err *e);
void contention_withdraw(struct contention *c, size_t station, uint32_t activity, double base_s,
			 double demand_s, double now_s);
/* One that has ended by now_s, CONTENTION_NONE if there is no more; call until then. Whatever is
 * due within a part in 10^12 of its time has ended: that much is rounding. */
uint32_t contention_take_ended(struct contention *c, size_t station, double now_s);

/* After all that happened at now_s: the new pace and next_s. *solved: a queueing network had to be
 * solved, as who is there, by class, is not who was there before, nor one alone. Errors: NUMERIC,
 * NOMEM. */
enum err_code contention_settle(struct contention *c, size_t station, double now_s, bool *solved,
				struct err *e);

#endif
