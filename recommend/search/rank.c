#include "recommend/search/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double feasibility_node_hours(const struct feasibility *o)
{
	return o->nodes * o->time_s / 3600;
}

double budget_time_s(double node_hours, double nodes)
{
	return node_hours * 3600 / nodes;
}

static bool feasibility_is_feasible(const struct feasibility *o)
{
	return o->in_time && o->in_budget;
}

bool feasibility_keeps_limits_of(const struct feasibility *o, const struct feasibility *other)
{
	return o->in_time >= other->in_time && o->in_budget >= other->in_budget;
}

/* Why support comes first, and why promises rank.
 *
 * Let log t_i = m_i + e_i for the configurations i, m_i the prediction and s_i the standard
 * deviation of its error e_i. Whoever takes the least m_i of many takes one whose e_i is likely
 * large: E[e_i | i is chosen] > 0 although E[e_i] = 0 for each, and the larger, the larger s_i is
 * among the candidates: what is known least varies most, so that the least of the m_i is one of
 * those (the optimizer's curse: Smith and Winkler, "The Optimizer's Curse: Skepticism and
 * Postdecision Surprise in Decision Analysis", Management Science 52(3), 2006). Two candidates of
 * which one is known (s = 0) and one is not: with equal truth the unknown one is chosen in half of
 * all cases, and then comes out worse than predicted by s E|z| = 0.8 s.
 *
 * Ranked by the promise m_i + z s_i, z the normal quantile of the confidence, width costs: the
 * unknown one is chosen only where e_i < -z s_i, in a share 1 - confidence of such cases. So a
 * promise is broken for the choice's own sake only as often as it may be broken anyway.
 *
 * This needs an s_i that is right, and between the runs it is checked against runs that were held
 * out. Beyond them nothing can be held out that tells of these very configurations, so no s_i makes
 * up for that: there the support decides before any number does. */
/* What is left of the curse: docs/choice.md. By a deadline promises are kept as often as said, for
 * the cheapest configuration in time has room. The quantile of the choice itself, without a
 * deadline, is kept less often where many configurations are nearly equal (of Kripke 81 % at 90 %).
 * Among k equal candidates with independent errors the choice is below x with F(x)^k, so F(x) =
 * p^(1/k) would be promised; k is about 2 there; SNAP and the simulated machines keep theirs. It is
 * not applied: how many of hundreds of neighbours are independent is not known from their
 * predictions alone. */
static double support_rank(const struct feasibility *o)
{
	/* among those that keep no limit, support is not what is missing */
	return feasibility_is_feasible(o) ? (double)o->support : (double)SUPPORT_OUTSIDE + 1;
}

/* Chances that differ by less are the same, as no table of residuals tells them apart, and less
 * than one step is none. A step is more than PREDICTOR_NO_CHANCE, below which bounds of chances do
 * not hold. */
#define LIKELIEST_STEPS 50.0

struct rank_key rank_key(enum criterion c, const struct feasibility *o)
{
	const double hours = feasibility_node_hours(o), support = support_rank(o);

	switch (c) {
	case FEWEST_NODES:
		return (struct rank_key){{support, o->nodes, o->promise_s, o->time_s}};
	case FASTEST:
		return (struct rank_key){{support, o->score_s, o->time_s, o->nodes}};
	case FASTEST_ANY:
		return (struct rank_key){{0, o->time_s, o->nodes}};
	case CHEAPEST:
		return (struct rank_key){{support, o->nodes * o->promise_s, hours, o->nodes}};
	case BALANCED:
		return (struct rank_key){{support, hours * o->time_s, o->time_s}};
	case SAFEST:
		return (struct rank_key){{support, -o->p_meet, hours}};
	case LIKELIEST:
		return (struct rank_key){{!o->in_budget, -floor(LIKELIEST_STEPS * o->p_meet),
					  o->promise_s, o->time_s}};
	case LEAST_BUDGET:
		return (struct rank_key){{!o->in_time, o->nodes * o->promise_s, hours}};
	case EXTRAPOLATED: /* rank_key_any_support() */
	case SOONEST:
	case N_CRITERIA:
		break;
	}
	return (struct rank_key){{!o->in_budget, o->promise_s, o->time_s}};
}

struct rank_key rank_key_any_support(enum criterion c, const struct feasibility *o)
{
	struct rank_key key = rank_key(c, o);

	key.by[0] = 0;
	return key;
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
		return o->in_budget && LIKELIEST_STEPS * o->p_meet >= 1;
	return c > EXTRAPOLATED || feasibility_is_feasible(o);
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

/* ---- the frontier ---- */

void frontier_init(struct frontier *f, size_t n_columns)
{
	*f = (struct frontier){.n_columns = n_columns};
}

void frontier_release(struct frontier *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->point[i].row);
	free(f->point);
	*f = (struct frontier){0};
}

/* How many points take time_s or less. */
static size_t count_as_fast(const struct frontier *f, double time_s)
{
	size_t lo = 0, hi = f->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->point[mid].feasibility.time_s <= time_s)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_equal(const struct feasibility *a, const struct feasibility *b)
{
	return a->time_s == b->time_s && feasibility_node_hours(a) == feasibility_node_hours(b);
}

/* Of the points that are as fast the last one has the fewest node-hours: it beats o, or none does.
 * Equal in both is not beaten. */
static bool is_beaten(const struct frontier *f, const struct feasibility *o)
{
	size_t n = count_as_fast(f, o->time_s);
	const struct feasibility *last;

	if (n == 0)
		return false;
	last = &f->point[n - 1].feasibility;
	return feasibility_node_hours(last) <= feasibility_node_hours(o) && !is_equal(last, o);
}

bool frontier_has_room(const struct frontier *f, double nodes, double time_s)
{
	const struct feasibility o = {.nodes = nodes, .time_s = time_s};

	/* What takes longer on these nodes costs more, too: it is beaten by whatever beats this. */
	return !is_beaten(f, &o);
}

static enum err_code make_room(struct frontier *f, size_t at, struct err *e)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 64;
		struct winner *grown = realloc(f->point, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "a frontier of %zu points", cap);
		f->point = grown;
		f->cap = cap;
	}
	memmove(f->point + at + 1, f->point + at, (f->n - at) * sizeof *f->point);
	f->n++;
	return ERR_OK;
}

static enum err_code insert(struct frontier *f, size_t at, struct winner *w, const double *row,
			    struct err *e)
{
	enum err_code rc;

	w->row = malloc(f->n_columns * sizeof *w->row);
	if (!w->row)
		return err_set(e, ERR_NOMEM, "a configuration of %zu columns", f->n_columns);
	memcpy(w->row, row, f->n_columns * sizeof *w->row);
	if ((rc = make_room(f, at, e))) {
		free(w->row);
		return rc;
	}
	f->point[at] = *w;
	return ERR_OK;
}

/* The points from `at` on are slower than the one before it; those that cost no less go. */
static void drop_beaten(struct frontier *f, size_t at)
{
	double hours = feasibility_node_hours(&f->point[at - 1].feasibility);
	size_t end = at;

	while (end < f->n && feasibility_node_hours(&f->point[end].feasibility) >= hours)
		free(f->point[end++].row);
	memmove(f->point + at, f->point + end, (f->n - end) * sizeof *f->point);
	f->n -= end - at;
}

static void replace(struct frontier *f, struct winner *old, struct winner *w, const double *row)
{
	w->row = old->row;
	memcpy(w->row, row, f->n_columns * sizeof *w->row);
	*old = *w;
}

enum err_code frontier_offer(struct frontier *f, const struct feasibility *o,
			     const struct prediction *at, double procs, const double *row,
			     struct err *e)
{
	struct winner w = {.set = true,
			   .key = rank_key(FASTEST, o),
			   .feasibility = *o,
			   .prediction = *at,
			   .procs = procs};
	size_t n = count_as_fast(f, o->time_s);
	enum err_code rc;

	if (is_beaten(f, o))
		return ERR_OK;
	if (n > 0 && is_equal(&f->point[n - 1].feasibility, o)) {
		if (winner_is_beaten(&f->point[n - 1], &w.key, o, procs, row, f->n_columns))
			replace(f, &f->point[n - 1], &w, row);
		return ERR_OK;
	}
	/* One that is exactly as fast and costs more stands before it: it is beaten as well. */
	if (n > 0 && f->point[n - 1].feasibility.time_s == o->time_s) {
		replace(f, &f->point[n - 1], &w, row);
	} else {
		if ((rc = insert(f, n, &w, row, e)))
			return rc;
		n++;
	}
	drop_beaten(f, n);
	return ERR_OK;
}

size_t frontier_knee(const struct frontier *f)
{
	size_t best = 0;

	/* of the curve as it is drawn: [0], the support, plays no part */
	for (size_t i = 1; i < f->n; i++) {
		struct rank_key key = rank_key(BALANCED, &f->point[i].feasibility);
		struct rank_key least = rank_key(BALANCED, &f->point[best].feasibility);

		key.by[0] = least.by[0];
		if (rank_key_compare(&key, &least) < 0)
			best = i;
	}
	return best;
}
