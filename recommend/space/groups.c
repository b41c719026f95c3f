#include "recommend/space/config_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Walking through the groups of a space, and through the configurations of a group. */

enum err_code groups_init(struct groups *it, struct config_space *s, bool coarse, struct err *e)
{
	size_t n = s->request->app->n_columns;

	*it = (struct groups){
		.space = s,
		.row = calloc(n, sizeof *it->row),
		.scratch = calloc(n, sizeof *it->scratch),
		.at = calloc(s->n_axes + 1, sizeof *it->at),
		.product = calloc(s->n_axes + 1, sizeof *it->product),
		.least_procs = placement_least_procs(&s->placement),
		.most_procs = placement_most_procs(&s->placement),
		.coarse = coarse,
	};
	if (!it->row || !it->scratch || !it->at || !it->product) {
		groups_release(it);
		return err_set(e, ERR_NOMEM, "walk over %zu axes", s->n_axes);
	}
	it->at[0] = SIZE_MAX;
	return ERR_OK;
}

void groups_release(struct groups *it)
{
	free(it->row);
	free(it->scratch);
	free(it->at);
	free(it->product);
	*it = (struct groups){0};
}

/* ---- the next choice ---- */

/* The first candidate of a (single-column) axis that is at least `least`. */
static size_t first_at_least(const struct axis *a, double least)
{
	size_t lo = 0, hi = a->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (a->value[mid] < least)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Move axis d on by one; false: nothing is left on it below the limit of processors. */
static bool step(struct groups *it, size_t d)
{
	const struct config_space *s = it->space;
	const struct axis *a = &s->axis[d];
	double before = d > 0 ? it->product[d - 1] : s->grid_base;
	size_t i = it->at[d];

	if (i != SIZE_MAX)
		i += it->coarse && i > 1 ? i / 2 : 1;
	else if (a->in_grid && d + 1 == s->n_axes)
		i = first_at_least(a, it->least_procs / before);
	else
		i = 0;
	if (i >= a->n)
		return false;
	it->at[d] = i;
	it->product[d] = before * (a->in_grid ? a->value[i] : 1);
	return it->product[d] <= it->most_procs;
}

/* The next combination of all axes, like an odometer. */
static bool advance(struct groups *it)
{
	size_t n = it->space->n_axes;
	size_t d = it->at[0] == SIZE_MAX ? 0 : n - 1;

	if (it->done)
		return false;
	if (n == 0) { /* everything is fixed: one group */
		it->done = true;
		return true;
	}
	for (;;) {
		if (!step(it, d)) {
			if (d == 0)
				break;
			d--;
		} else if (d + 1 == n) {
			return true;
		} else {
			it->at[++d] = SIZE_MAX;
		}
	}
	it->done = true;
	return false;
}

/* ---- is it a group? ---- */

/* The dearest predictor takes a fifth of a second for so many rows. */
enum { LOOKS_PER_POLL = 4096 };

static bool may_go_on(struct config_space *s)
{
	if (s->n_looked_at++ % LOOKS_PER_POLL == 0 &&
	    !progress_step(s->request->progress, NULL, 0, 0))
		s->stopped = true;
	return !s->stopped;
}

static void refuse_memory(struct config_space *s, const double *row)
{
	s->least_memory_bytes =
		fmin(s->least_memory_bytes, placement_memory_bytes(&s->placement, row));
}

/* Fill the row of the current choice; false: it is not legal or does not fit. */
static bool make_row(struct groups *it)
{
	struct config_space *s = it->space;
	const struct application *app = s->request->app;
	double procs = s->n_axes > 0 ? it->product[s->n_axes - 1] : s->grid_base;

	memcpy(it->row, s->given, app->n_columns * sizeof *it->row);
	for (size_t d = 0; d < s->n_axes; d++)
		axis_put(&s->axis[d], it->at[d], it->row);
	if (s->places) {
		if (!application_grid(app))
			procs = it->row[app->i_procs];
		if (!placement_put(&s->placement, procs, it->row))
			return false;
	}
	partial_evaluation_derive(&s->layers, LAYER_GROUP, it->row);
	if (!placement_within(&s->placement, it->row) ||
	    partial_evaluation_judge(&s->layers, LAYER_GROUP, it->row, &s->refusal) ==
		    STATUS_ILLEGAL)
		return false;
	if (!(s->memory_layer & LAYER_TUNING) && !placement_fits_memory(&s->placement, it->row)) {
		refuse_memory(s, it->row);
		return false;
	}
	return true;
}

static bool is_legal(const struct group *g, const double *row)
{
	struct config_space *s = g->space;

	if (!kept_invariants_allow(&s->invariants, row))
		return false;
	if (g->decided)
		return true;
	if (partial_evaluation_judge(&s->layers, LAYER_BOTH, row, &s->refusal) == STATUS_ILLEGAL)
		return false;
	if ((s->memory_layer & LAYER_TUNING) && !placement_fits_memory(&s->placement, row)) {
		refuse_memory(s, row);
		return false;
	}
	return true;
}

/* The next legal row of a group, complete and derived, whatever failed; false: there is none. */
static bool next_legal(const struct group *g, size_t *at, double *row)
{
	const struct config_space *s = g->space;
	const struct axis *list = &s->tunings.list;

	while (*at < list->n && may_go_on(g->space)) {
		if (g->passed_over && g->passed_over[*at]) {
			++*at;
			continue;
		}
		memcpy(row, g->row, s->request->app->n_columns * sizeof *row);
		axis_put(list, (*at)++, row);
		partial_evaluation_derive(&s->layers, LAYER_BOTH, row);
		if (is_legal(g, row))
			return true;
	}
	return false;
}

static void count(struct left_out *out, int64_t run_id)
{
	out->run_id = out->n && out->run_id < run_id ? out->run_id : run_id;
	out->n++;
}

static uint64_t count_legal(struct groups *it, struct group *g)
{
	const struct config_space *s = it->space;
	uint64_t n = 0;
	size_t at = 0;

	while (next_legal(g, &at, it->scratch)) {
		struct warning w = config_space_warning(s, it->scratch);

		if (!config_space_leaves_out(s, w.risk))
			n++;
		else
			count(w.risk == RISK_FAILED ? &g->failed : &g->at_risk, w.run_id);
	}
	return n;
}

/* Look at the tunings of the current row. */
static enum err_code make_group(struct groups *it, struct group *g, struct err *e)
{
	struct config_space *s = it->space;
	enum legal_status v =
		partial_evaluation_judge(&s->layers, LAYER_BOTH, it->row, &s->refusal);
	enum err_code rc;

	*g = (struct group){
		.space = s,
		.row = it->row,
		.nodes = placement_paid(&s->placement, it->row),
		.procs = placement_procs(&s->placement, it->row),
		.decided = v == STATUS_LEGAL && !(s->memory_layer & LAYER_TUNING),
	};
	if (v == STATUS_ILLEGAL)
		return ERR_OK;
	if (s->tunings.varies && (rc = tunings_list(&s->tunings, it->row, &s->refusal, e)))
		return rc;
	g->n_legal = g->decided && s->failures.n == 0 && s->invariants.n_kept == 0
			     ? s->tunings.list.n
			     : count_legal(it, g);
	return ERR_OK;
}

static void add_left_out(struct left_out *sum, const struct left_out *more)
{
	if (more->n > 0 && (sum->n == 0 || more->run_id < sum->run_id))
		sum->run_id = more->run_id;
	sum->n += more->n;
}

enum err_code groups_next(struct groups *it, struct group *g, bool *more, struct err *e)
{
	enum err_code rc;

	while (may_go_on(it->space) && advance(it)) {
		if (!make_row(it))
			continue;
		if ((rc = make_group(it, g, e)))
			return rc;
		add_left_out(&it->failed, &g->failed);
		add_left_out(&it->at_risk, &g->at_risk);
		if (g->n_legal > 0) {
			*more = true;
			return ERR_OK;
		}
	}
	*more = false;
	return it->space->stopped ? err_set(e, ERR_INTERRUPTED, "interrupted while searching")
				  : ERR_OK;
}

/* ---- the configurations of a group ---- */

size_t group_rows(const struct group *g, size_t *at, double *rows, size_t max)
{
	const struct config_space *s = g->space;
	size_t n_columns = s->request->app->n_columns;
	size_t n = 0;

	while (n < max && next_legal(g, at, rows + n * n_columns)) {
		if (s->failures.n == 0 ||
		    !config_space_leaves_out(s, config_space_warning(s, rows + n * n_columns).risk))
			n++;
	}
	return n;
}
