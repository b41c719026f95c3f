#include "recommend/search/frontier.h"

#include <stdlib.h>
#include <string.h>

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
