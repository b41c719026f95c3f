#include "models/taskgraph/contention.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "models/taskgraph/amva.h"

/* Of an activity: less is rounding. */
static const double SHARE_ROUNDING = 1e-12;

void contention_release(struct contention *c)
{
	for (size_t s = 0; c->station && s < c->n_stations; s++)
		free(c->station[s].class);
	free(c->station);
	free(c->after);
	free(c->due);
	free(c->work);
	*c = (struct contention){0};
}

enum err_code contention_init(struct contention *c, size_t n_activities, size_t n_stations,
			      struct err *e)
{
	*c = (struct contention){.n_stations = n_stations};
	c->station = calloc(n_stations + 1, sizeof *c->station);
	c->after = calloc(n_activities + 1, sizeof *c->after);
	c->due = calloc(n_activities + 1, sizeof *c->due);
	if (!c->station || !c->after || !c->due) {
		contention_release(c);
		return err_set(e, ERR_NOMEM, "contention of %zu messages", n_activities);
	}
	for (size_t s = 0; s < n_stations; s++) {
		c->station[s].next = CONTENTION_NONE;
		c->station[s].next_s = INFINITY;
	}
	return ERR_OK;
}

/* ---- coming and going ---- */

static void advance(struct contention_station *s, double now_s)
{
	if (now_s > s->at_s) {
		for (size_t k = 0; k < s->n_classes; k++)
			s->class[k].clock += (now_s - s->at_s) / s->class[k].residence_s;
	}
	s->at_s = now_s;
}

static struct contention_class *find_class(struct contention_station *s, double base_s,
					   double demand_s)
{
	for (size_t k = 0; k < s->n_classes; k++) {
		if (s->class[k].base_s == base_s && s->class[k].demand_s == demand_s)
			return &s->class[k];
	}
	return NULL;
}

static struct contention_class *add_class(struct contention_station *s, double base_s,
					  double demand_s)
{
	size_t cap = s->cap ? 2 * s->cap : 4;
	struct contention_class *larger;

	if (s->n_classes == s->cap) {
		larger = realloc(s->class, cap * sizeof *larger);
		if (!larger)
			return NULL;
		s->class = larger;
		s->cap = cap;
	}
	s->class[s->n_classes] = (struct contention_class){
		.base_s = base_s,
		.demand_s = demand_s,
		.residence_s = base_s,
		.head = CONTENTION_NONE,
		.tail = CONTENTION_NONE,
	};
	return &s->class[s->n_classes++];
}

enum err_code contention_join(struct contention *c, size_t station, uint32_t activity,
			      double base_s, double demand_s, double now_s, struct err *e)
{
	struct contention_station *s = &c->station[station];
	struct contention_class *k;

	advance(s, now_s);
	k = find_class(s, base_s, demand_s);
	if (!k && !(k = add_class(s, base_s, demand_s)))
		return err_set(e, ERR_NOMEM, "a class of messages");
	c->due[activity] = k->clock + 1;
	c->after[activity] = CONTENTION_NONE;
	if (k->head == CONTENTION_NONE)
		k->head = activity;
	else
		c->after[k->tail] = activity;
	k->tail = activity;
	k->n++;
	s->n++;
	s->is_changed = true;
	return ERR_OK;
}

void contention_withdraw(struct contention *c, size_t station, uint32_t activity, double base_s,
			 double demand_s, double now_s)
{
	struct contention_station *s = &c->station[station];
	struct contention_class *k;

	advance(s, now_s);
	k = find_class(s, base_s, demand_s);
	c->due[activity] = NAN; /* taken from the list when its turn comes */
	k->n--;
	s->n--;
	s->is_changed = true;
}

/* The next of a class to end, past those that were withdrawn. */
static uint32_t first_of(const struct contention *c, struct contention_class *k)
{
	while (k->head != CONTENTION_NONE && isnan(c->due[k->head]))
		k->head = c->after[k->head];
	return k->head;
}

static bool has_ended(const struct contention *c, const struct contention_station *s,
		      const struct contention_class *k, uint32_t activity)
{
	double left_s = (c->due[activity] - k->clock) * k->residence_s;

	if (activity == s->next && s->next_s <= s->at_s)
		return true; /* it was to end now: no rounding may put it off */
	return left_s <= SHARE_ROUNDING * k->residence_s + 2 * DBL_EPSILON * s->at_s;
}

uint32_t contention_take_ended(struct contention *c, size_t station, double now_s)
{
	struct contention_station *s = &c->station[station];

	advance(s, now_s);
	for (size_t i = 0; i < s->n_classes; i++) {
		struct contention_class *k = &s->class[i];
		uint32_t first = first_of(c, k);

		if (first == CONTENTION_NONE || !has_ended(c, s, k, first))
			continue;
		k->head = c->after[first];
		k->n--;
		s->n--;
		s->is_changed = true;
		return first;
	}
	return CONTENTION_NONE;
}

/* ---- the pace ---- */

/* Forget classes that are gone. Returns whether the numbers of the others are new. */
static bool update_classes(struct contention_station *s)
{
	size_t n = 0;
	bool is_new = false;

	for (size_t i = 0; i < s->n_classes; i++) {
		const struct contention_class *k = &s->class[i];

		is_new |= k->n != k->n_solved;
		if (k->n > 0)
			s->class[n++] = *k;
	}
	s->n_classes = n;
	return is_new;
}

static enum err_code make_room(struct contention *c, size_t n_classes, struct err *e)
{
	size_t cap = c->work_cap ? c->work_cap : 8;
	double *larger;

	if (n_classes <= c->work_cap)
		return ERR_OK;
	while (cap < n_classes)
		cap *= 2;
	larger = realloc(c->work, 4 * cap * sizeof *larger);
	if (!larger)
		return err_set(e, ERR_NOMEM, "a queueing network of %zu classes", n_classes);
	c->work = larger;
	c->work_cap = cap;
	return ERR_OK;
}

static enum err_code solve(struct contention *c, struct contention_station *s, struct err *e)
{
	const size_t n = s->n_classes;
	double *population, *think_s, *demand_s, *residence_s;
	enum err_code rc = make_room(c, n, e);

	if (rc)
		return rc;
	population = c->work;
	think_s = population + n;
	demand_s = think_s + n;
	residence_s = demand_s + n;
	for (size_t k = 0; k < n; k++) {
		population[k] = s->class[k].n;
		think_s[k] = s->class[k].base_s - s->class[k].demand_s;
		demand_s[k] = s->class[k].demand_s;
	}
	rc = amva_solve(&(struct amva_network){n, 1, population, think_s, demand_s}, residence_s,
			NULL, e);
	/* Added as waiting, so that what waits for nobody takes base_s to the last bit. */
	for (size_t k = 0; k < n && !rc; k++)
		s->class[k].residence_s = s->class[k].base_s + (residence_s[k] - demand_s[k]);
	return rc;
}

static void find_next(const struct contention *c, struct contention_station *s)
{
	s->next = CONTENTION_NONE;
	s->next_s = INFINITY;
	for (size_t i = 0; i < s->n_classes; i++) {
		struct contention_class *k = &s->class[i];
		uint32_t first = first_of(c, k);
		double end_s = s->at_s + (c->due[first] - k->clock) * k->residence_s;

		if (end_s < s->next_s) {
			s->next = first;
			s->next_s = end_s;
		}
	}
}

enum err_code contention_settle(struct contention *c, size_t station, double now_s, bool *solved,
				struct err *e)
{
	struct contention_station *s = &c->station[station];
	enum err_code rc = ERR_OK;

	*solved = false;
	advance(s, now_s);
	if (update_classes(s)) {
		*solved = s->n > 1;
		if (s->n == 1)
			s->class[0].residence_s = s->class[0].base_s;
		else if (s->n > 1)
			rc = solve(c, s, e);
		for (size_t k = 0; k < s->n_classes; k++)
			s->class[k].n_solved = s->class[k].n;
	}
	s->is_changed = false;
	if (!rc)
		find_next(c, s);
	return rc;
}
