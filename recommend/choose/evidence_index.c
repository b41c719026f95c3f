#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/choose/evidence.h"
#include "recommend/choose/near_distance.h"

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
