#include "recommend/choose/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- distance ---- */

static bool is_feature(const struct column *c)
{
	return c->role != COL_DERIVED;
}

/* In one column; both are different. */
static double step(const struct column *c, double a, double b)
{
	return c->type != COL_TEXT && a > 0 && b > 0 ? log(a / b) : log(2);
}

double near_distance(const struct application *app, const double *row, const double *run)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d;

		if (!is_feature(&app->column[i]) || isnan(row[i]) || row[i] == run[i])
			continue;
		d = step(&app->column[i], row[i], run[i]);
		sum += d * d;
	}
	return sqrt(sum);
}

/* What could be between bounds that differ is 0 away, unless all of it is above 0. */
static double step_to_range(const struct column *c, double a, double lo, double hi)
{
	if (lo == hi)
		return step(c, a, lo);
	if (!(lo > 0 && a > 0))
		return 0;
	return a < lo ? log(a / lo) : a > hi ? log(a / hi) : 0;
}

double near_box_distance(const struct application *app, const double *row, const double *lo,
			 const double *hi)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d;

		if (!is_feature(&app->column[i]) || isnan(row[i]) || isnan(lo[i]) ||
		    row[i] == lo[i] || row[i] == hi[i])
			continue;
		d = step_to_range(&app->column[i], row[i], lo[i], hi[i]);
		sum += d * d;
	}
	return sqrt(sum);
}

int near_compare(const struct application *app, const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_feature(&app->column[i]) &&
		    (a[i] < b[i] || a[i] > b[i] || isnan(a[i]) != isnan(b[i])))
			return a[i] < b[i] || isnan(b[i]) ? -1 : 1;
	}
	return 0;
}

/* ---- runs in memory ---- */

/* A run and how far it is. */
struct near {
	double distance;
	const double *row;
	const struct dataset *runs; /* for the comparison, which gets no context */
	size_t i;
};

static int compare_configurations(const struct near *x, const struct near *y)
{
	return near_compare(x->runs->app, x->row, y->row);
}

/* By distance, then configuration, then time, then number. */
static int compare_near(const void *a, const void *b)
{
	const struct near *x = a, *y = b;
	double t_x = x->runs->wall_s[x->i], t_y = y->runs->wall_s[y->i];
	int order;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	if ((order = compare_configurations(x, y)))
		return order;
	if (t_x < t_y || t_x > t_y) /* that of a failed run may be missing */
		return t_x < t_y ? -1 : 1;
	if (isnan(t_x) != isnan(t_y))
		return isnan(t_x) ? 1 : -1;
	return (x->runs->run_id[x->i] > y->runs->run_id[y->i]) -
	       (x->runs->run_id[x->i] < y->runs->run_id[y->i]);
}

/* The max smallest of the distances that differ; fewer if there are fewer. */
struct least {
	double *distance; /* ascending */
	size_t n, max;
};

static void least_add(struct least *l, double distance)
{
	size_t i = l->n;

	if (l->n == l->max && distance >= l->distance[l->n - 1])
		return;
	while (i > 0 && l->distance[i - 1] > distance)
		i--;
	if (i > 0 && l->distance[i - 1] == distance)
		return;
	if (l->n < l->max)
		l->n++;
	memmove(l->distance + i + 1, l->distance + i, (l->n - 1 - i) * sizeof *l->distance);
	l->distance[i] = distance;
}

/* The runs of the max nearest configurations, and perhaps more: as many configurations as distances
 * lie within the max-th distance at least. To sort a million runs would take a second. */
static size_t nearest(const struct dataset *runs, enum run_status status, const double *row,
		      struct least *least, struct near *near)
{
	size_t n = 0, n_near = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const double *run = dataset_row(runs, i);

		if (runs->status[i] != status)
			continue;
		near[n] = (struct near){near_distance(runs->app, row, run), run, runs, i};
		least_add(least, near[n++].distance);
	}
	for (size_t i = 0; i < n; i++) {
		if (near[i].distance <= least->distance[least->n - 1])
			near[n_near++] = near[i];
	}
	qsort(near, n_near, sizeof *near, compare_near);
	return n_near;
}

static enum err_code keep(const struct near *near, struct nearest_run *out, struct err *e)
{
	size_t n_columns = near->runs->n_columns;
	double *row = calloc(n_columns, sizeof *row);

	if (!row)
		return err_set(e, ERR_NOMEM, "a run of %zu columns", n_columns);
	memcpy(row, near->row, n_columns * sizeof *row);
	*out = (struct nearest_run){.run_id = near->runs->run_id[near->i],
				    .wall_s = near->runs->wall_s[near->i],
				    .status = near->runs->status[near->i],
				    .distance = near->distance,
				    .row = row};
	return ERR_OK;
}

/* The median run of each of the first max configurations. */
static enum err_code keep_medians(const struct near *near, size_t n, size_t max,
				  struct nearest_run *out, size_t *n_out, struct err *e)
{
	enum err_code rc;
	size_t end;

	for (size_t i = 0; i < n && *n_out < max; i = end) {
		for (end = i + 1; end < n && !compare_configurations(&near[i], &near[end]); end++)
			;
		if ((rc = keep(&near[i + (end - i - 1) / 2], &out[*n_out], e)))
			return rc;
		out[*n_out].n_repeats = end - i;
		(*n_out)++;
	}
	return ERR_OK;
}

static enum err_code nearest_runs(const struct dataset *runs, enum run_status status,
				  const double *row, size_t max, struct nearest_run **out,
				  size_t *n_out, struct err *e)
{
	struct near *near = NULL;
	struct nearest_run *kept = NULL;
	struct least least = {.max = max};
	size_t n_kept = 0;
	enum err_code rc;

	if (runs->n == 0 || max == 0) {
		*out = NULL;
		*n_out = 0;
		return ERR_OK;
	}
	near = calloc(runs->n, sizeof *near);
	kept = calloc(max, sizeof *kept);
	least.distance = calloc(max, sizeof *least.distance);
	rc = near && kept && least.distance
		     ? ERR_OK
		     : err_set(e, ERR_NOMEM, "the nearest of %zu runs", runs->n);
	if (!rc)
		rc = keep_medians(near, nearest(runs, status, row, &least, near), max, kept,
				  &n_kept, e);
	free(near);
	free(least.distance);
	if (rc) {
		nearest_runs_free(kept, n_kept);
		return rc;
	}
	*out = kept;
	*n_out = n_kept;
	return ERR_OK;
}

enum err_code evidence_nearest_runs(const struct dataset *runs, const double *row, size_t max,
				    struct nearest_run **out, size_t *n_out, struct err *e)
{
	return nearest_runs(runs, RUN_OK, row, max, out, n_out, e);
}

/* ---- runs that did not end well ---- */

static bool comes_first(const struct application *app, const struct nearest_run *a,
			const struct nearest_run *b)
{
	int order;

	if (a->distance != b->distance)
		return a->distance < b->distance;
	order = near_compare(app, a->row, b->row);
	return order ? order < 0 : a->status < b->status;
}

/* The first max of both lists, which are in order; those left over are freed. Takes over both. */
static enum err_code merge(const struct application *app, struct nearest_run **near, size_t *n_near,
			   struct nearest_run *more, size_t n_more, size_t max, struct err *e)
{
	struct nearest_run *both = calloc(*n_near + n_more + 1, sizeof *both);
	size_t i = 0, k = 0, n = 0;

	if (!both) {
		nearest_runs_free(more, n_more);
		return err_set(e, ERR_NOMEM, "%zu runs", *n_near + n_more);
	}
	while (i < *n_near || k < n_more) {
		bool first =
			k == n_more || (i < *n_near && comes_first(app, &(*near)[i], &more[k]));

		both[n++] = first ? (*near)[i++] : more[k++];
	}
	free(*near);
	free(more);
	for (; n > max; n--)
		free(both[n - 1].row);
	*near = both;
	*n_near = n;
	return ERR_OK;
}

enum err_code evidence_add_unfinished(const struct dataset *runs, const double *row, size_t max,
				      struct nearest_run **near, size_t *n_near, struct err *e)
{
	static const enum run_status unfinished[] = {RUN_FAILED, RUN_TIMEOUT};
	struct nearest_run *more = NULL;
	size_t n_more = 0;
	enum err_code rc = ERR_OK;

	for (size_t s = 0; s < sizeof unfinished / sizeof unfinished[0] && !rc; s++) {
		rc = nearest_runs(runs, unfinished[s], row, max, &more, &n_more, e);
		if (!rc && n_more > 0)
			rc = merge(runs->app, near, n_near, more, n_more, max, e);
		else
			free(more);
		more = NULL;
		n_more = 0;
	}
	return rc;
}

void nearest_runs_free(struct nearest_run *near, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(near[i].row);
	free(near);
}

/* ---- stored runs ---- */

/* The nearest configurations found so far, in the order they are told in. */
struct nearest {
	const struct application *app;
	const double *row;
	struct nearest_run *found;
	size_t n, max;
};

/* Rounding may set a box farther away than what is in it by this share. */
#define ROUNDING 1e-12

static double wanted_distance(void *arg, const double *lo, const double *hi)
{
	const struct nearest *s = arg;
	double d = near_box_distance(s->app, s->row, lo, hi);

	/* At the same distance the order of configurations decides. */
	if (s->n == s->max && d > s->found[s->n - 1].distance * (1 + ROUNDING))
		return (double)INFINITY;
	return d;
}

/* Where a configuration belongs among those found; s->n: behind all. */
static size_t place_of(const struct nearest *s, double distance, const double *row)
{
	size_t i = s->n;

	while (i > 0 && (s->found[i - 1].distance > distance ||
			 (s->found[i - 1].distance == distance &&
			  near_compare(s->app, s->found[i - 1].row, row) > 0)))
		i--;
	return i;
}

static enum err_code offer(struct nearest *s, const struct dataset *runs, size_t i, size_t n_runs,
			   struct err *e)
{
	const double *run = dataset_row(runs, i);
	double distance = near_distance(s->app, s->row, run);
	size_t place = place_of(s, distance, run);
	double *row;

	if (place == s->max)
		return ERR_OK;
	row = s->n == s->max ? s->found[--s->n].row : calloc(runs->n_columns, sizeof *row);
	if (!row)
		return err_set(e, ERR_NOMEM, "a run of %zu columns", runs->n_columns);
	memcpy(row, run, runs->n_columns * sizeof *row);
	memmove(s->found + place + 1, s->found + place, (s->n - place) * sizeof *s->found);
	s->found[place] = (struct nearest_run){.run_id = runs->run_id[i],
					       .wall_s = runs->wall_s[i],
					       .distance = distance,
					       .n_repeats = n_runs,
					       .row = row};
	s->n++;
	return ERR_OK;
}

static enum err_code offer_all(void *arg, const struct dataset *runs, const size_t *n_runs,
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < runs->n && !rc; i++)
		rc = offer(arg, runs, i, n_runs[i], e);
	return rc;
}

/* Without an index of today's runs all of them are looked at. */
static enum err_code look_at_all(const struct stored_runs *stored, const struct application *app,
				 const double *row, size_t max, struct nearest_run **out,
				 size_t *n_out, struct err *e)
{
	struct kb_filter f = {.machine_id = stored->machine_id};
	struct dataset *runs = NULL;
	enum err_code rc = kb_load_runs(stored->kb, app, &f, NULL, &runs, e);

	if (!rc)
		rc = evidence_nearest_runs(runs, row, max, out, n_out, e);
	dataset_free(runs);
	return rc;
}

enum err_code evidence_near_stored(const struct stored_runs *stored, const struct application *app,
				   const double *row, size_t max, struct nearest_run **out,
				   size_t *n_out, struct err *e)
{
	struct nearest s = {.app = app, .row = row, .max = max};
	const struct kb_index_visitor visitor = {&s, wanted_distance, offer_all};
	bool found = false;
	enum err_code rc;

	s.found = calloc(max + 1, sizeof *s.found);
	if (!s.found)
		return err_set(e, ERR_NOMEM, "%zu runs", max);
	rc = kb_search_run_index(stored->kb, app, stored->app_id, stored->machine_id, &visitor,
				 &found, e);
	if (rc || !found) {
		nearest_runs_free(s.found, s.n);
		return rc ? rc : look_at_all(stored, app, row, max, out, n_out, e);
	}
	*out = s.found;
	*n_out = s.n;
	return ERR_OK;
}
