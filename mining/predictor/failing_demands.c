#include "mining/predictor/failing_demands.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "mining/predictor/config_kind.h"
#include "mining/training/run_screen.h"

/* Fewer times cannot tell a unit from an end. */
enum { LEAST_OF_UNIT = 3 };

/* Where nothing ended: what is a tenth of what failed is not thought to fail. */
#define MOST_ROOM 2.302585092994046 /* ln 10 */

/* Of several sizes the memory goes with one that falls as the work does, but with no more than the
 * cube of a width. A single one has powers of its own. */
#define MOST_EXPONENT 3.0

/* Pairs of a failure and a configuration, at most: a tenth of a second. */
enum { DEMANDS_LOOKED_AT = 1 << 24, DEMANDS_COMPARED = 1000 };

static const struct demand_scope any_setting = {.column = SIZE_MAX};

/* The columns of the problem; of several numbers those of the workload, too. */
static void list_sizes(const struct application *app, struct failing_demands *m)
{
	const bool one = config_count_sizes(app) == 1;

	m->n_powers = one ? DEMAND_POWERS : 1;
	m->n_sizes = 0;
	for (size_t c = 0; c < app->n_columns && m->n_sizes < DEMAND_SIZES; c++) {
		const enum column_role role = app->column[c].role;

		if (role == COL_PROBLEM || (role == COL_WORKLOAD && !one))
			m->column[m->n_sizes++] = c;
	}
}

/* ---- what a run demands ---- */

static struct failing_demand demand_of(const struct failing_demands *m,
				       const struct application *app, const double *row)
{
	const struct config_demand asked = config_demand_of(app, row);
	struct failing_demand d = {.scope = any_setting,
				   .nodes = asked.nodes,
				   .ppn = asked.ppn,
				   .relief_ppn = CONFIG_RELIEF_PPN * asked.ppn};

	for (size_t k = 0; k < m->n_sizes; k++)
		d.size[k] = falling_columns_size(&m->falling, m->column[k],
						 m->n_powers > 1 ? 1 : MOST_EXPONENT,
						 row[m->column[k]]);
	return d;
}

static bool is_in_scope(const struct demand_scope *s, const struct application *app,
			const double *row)
{
	const double x = s->column == SIZE_MAX ? 0 : row[s->column];

	if (s->packing != 0)
		return config_kind_hash(app, row, SAME_PACKING) == s->packing;
	return s->column == SIZE_MAX || x == s->value || (s->side > 0 && x > s->value) ||
	       (s->side < 0 && x < s->value);
}

/* ln b / a; what was nothing grows without end. */
static double growth(double a, double b)
{
	return a == b ? 0 : a > 0 && b > 0 ? log(b / a) : b > a ? INFINITY : -INFINITY;
}

/* A run that ended shows nothing of more processes on a node than it had, and of what is asked a
 * few less are no relief; or they play no part. */
enum side { ENDED, ASKED, ANY_PPN };

static bool has_fewer_procs(const struct failing_demand *small, const struct failing_demand *big,
			    enum side side)
{
	return side == ASKED ? big->ppn <= small->relief_ppn
			     : side == ENDED && big->ppn < small->ppn;
}

/* Sums ln of the sizes of `big` over those of `small`. false: they cannot be compared, or `big` has
 * fewer processes on a node. What is not known asks nothing. */
static bool compare_sizes(const struct failing_demands *m, const struct application *app,
			  const struct failing_demand *small, const struct failing_demand *big,
			  enum side side, double *sum, bool *more, bool *less)
{
	*sum = 0;
	*more = *less = false;
	if (isnan(small->nodes) != isnan(big->nodes) || has_fewer_procs(small, big, side))
		return false;
	for (size_t i = 0; i < m->n_sizes; i++) {
		const double a = small->size[i], b = big->size[i];

		if (app->column[m->column[i]].type == COL_TEXT ? a != b : isunordered(a, b))
			return false;
		*more = *more || b > a;
		*less = *less || b < a;
		*sum += growth(a, b);
	}
	return true;
}

/* How much more `big` demands on as many nodes or fewer, however memory grows: ln of the product of
 * the sizes; below 0: less. NaN: that cannot be said. */
static double excess(const struct failing_demands *m, const struct application *app,
		     const struct failing_demand *small, const struct failing_demand *big,
		     enum side side)
{
	bool more, less;
	double sum;

	if (!compare_sizes(m, app, small, big, side, &sum, &more, &less) ||
	    (big->nodes > small->nodes && !small->any_nodes) || (more && less))
		return (double)NAN;
	return sum;
}

/* The k-th power with which memory may grow: 1 to 3. */
static double power_of(size_t k)
{
	return 1 + 2 * (double)(k % DEMAND_POWERS) / (DEMAND_POWERS - 1);
}

/* ln of what `big` demands of each node over what `small` does, if memory grows with the k-th power
 * of the size over the nodes. Of several sizes that is known only where it is more by their
 * product, and none is smaller. */
static double excess_by_power(const struct failing_demands *m, const struct application *app,
			      const struct failing_demand *small, const struct failing_demand *big,
			      enum side side, size_t k)
{
	const double more_nodes = isnan(small->nodes) ? 0 : growth(small->nodes, big->nodes);
	bool more, less;
	double sum;

	if (!compare_sizes(m, app, small, big, side, &sum, &more, &less))
		return (double)NAN;
	if (m->n_powers > 1)
		return power_of(k) * sum - more_nodes;
	return !less && sum >= more_nodes ? sum - more_nodes : (double)NAN;
}

/* ln of what `big` demands of each node over what `small` does, if every process holds a copy that
 * grows with the k-th power of the size: of its part of the problem, and from DEMAND_POWERS on of
 * all of it. */
static double excess_by_copy(const struct failing_demands *m, const struct application *app,
			     const struct failing_demand *small, const struct failing_demand *big,
			     size_t k)
{
	const bool by_nodes = k < DEMAND_POWERS && !small->any_nodes && !isnan(small->nodes);
	const double more_nodes = by_nodes ? growth(small->nodes, big->nodes) : 0;
	bool more, less;
	double sum;

	if (!(small->ppn > 0 && big->ppn > 0) ||
	    !compare_sizes(m, app, small, big, ANY_PPN, &sum, &more, &less) || (more && less))
		return (double)NAN;
	if (m->n_powers > 1)
		sum *= power_of(k);
	return sum - more_nodes + log(big->ppn / small->ppn);
}

/* Is that what tells? Of the same problem half of the processes are a relief. With as many
 * processes it is if fewer of them ended with as much on a node: it is not the problem's part of a
 * node alone that failed. */
static bool is_told_by_copies(const struct failing_demands *m, const struct application *app,
			      const struct failing_demand *f, const struct failing_demand *asked)
{
	bool more, less;
	double sum;

	if (asked->ppn > f->ppn)
		return true;
	if (asked->ppn > f->relief_ppn)
		return f->fewer_ended;
	return compare_sizes(m, app, f, asked, ANY_PPN, &sum, &more, &less) && more && !less;
}

/* ln of how far a row lies beyond the numbers of a scope, which relieve it; 0: it is in scope. NaN:
 * the scope is of no amount. */
static double relief_of(const struct demand_scope *s, const struct application *app,
			const double *row)
{
	if (s->packing != 0 || s->column == SIZE_MAX || s->side == 0 || !(s->value > 0) ||
	    !(row[s->column] > 0))
		return (double)NAN;
	return is_in_scope(s, app, row) ? 0 : fabs(log(row[s->column] / s->value));
}

/* ln of what `big` demands over what `small` does if memory goes with the number of the scope of
 * `small`, too, so that a problem larger by as much as the number relieves demands as much. */
static double excess_by_setting(const struct failing_demands *m, const struct application *app,
				const struct failing_demand *small,
				const struct failing_demand *big, double relief, enum side side,
				size_t k)
{
	const bool by_nodes = !small->any_nodes && !isnan(small->nodes);
	const double more_nodes = by_nodes ? growth(small->nodes, big->nodes) : 0;
	bool more, less;
	double sum;

	if (!compare_sizes(m, app, small, big, side, &sum, &more, &less) || (more && less))
		return (double)NAN;
	return power_of(k) * sum - more_nodes - relief;
}

static void leave_room_by_setting(const struct failing_demands *m, const struct application *app,
				  const double *row, const struct failing_demand *ended,
				  struct failing_demand *f)
{
	const double relief = relief_of(&f->scope, app, row);

	for (size_t k = 0; k < DEMAND_POWERS; k++) {
		const double more = excess_by_setting(m, app, f, ended, relief, ENDED, k);

		if (more >= 0)
			f->room_by_setting[k] = (double)NAN;
		else if (-more < f->room_by_setting[k])
			f->room_by_setting[k] = -more;
	}
}

static void leave_room_by_copy(const struct failing_demands *m, const struct application *app,
			       const struct failing_demand *ended, struct failing_demand *f)
{
	for (size_t k = 0; k < DEMAND_COPIES * DEMAND_POWERS; k++) {
		const double more = excess_by_copy(m, app, f, ended, k);

		if (more >= 0)
			f->room_by_copy[k] = (double)NAN;
		else if (-more < f->room_by_copy[k])
			f->room_by_copy[k] = -more;
	}
}

/* Takes from the room of f what one run that ended demanded. Returns whether it was as demanding,
 * however memory grows. */
static bool leave_room(const struct failing_demands *m, const struct application *app,
		       const double *row, struct failing_demand *f)
{
	const struct failing_demand ended = demand_of(m, app, row);
	double more;

	leave_room_by_setting(m, app, row, &ended, f);
	if (!is_in_scope(&f->scope, app, row))
		return false;
	leave_room_by_copy(m, app, &ended, f);
	if (ended.ppn < f->ppn) {
		if (excess(m, app, f, &ended, ANY_PPN) >= 0) {
			f->relief_ppn = fmax(f->relief_ppn, ended.ppn);
			f->fewer_ended = true;
		}
		return false;
	}
	more = excess(m, app, f, &ended, ENDED);
	if (more >= 0)
		return true;
	f->room = -more < f->room ? -more : f->room;
	for (size_t k = 0; k < m->n_powers; k++) {
		more = excess_by_power(m, app, f, &ended, ENDED, k);
		if (more >= 0)
			f->room_by_power[k] = (double)NAN;
		else if (-more < f->room_by_power[k])
			f->room_by_power[k] = -more;
	}
	return false;
}

/* Sets the room of f. Returns whether a run ended, or went on to its time limit, that was as
 * demanding. */
static bool ended_as_demanding(const struct failing_demands *m, const struct config_table *t,
			       struct failing_demand *f)
{
	f->room = MOST_ROOM;
	for (size_t k = 0; k < DEMAND_POWERS; k++)
		f->room_by_power[k] = f->any_nodes ? (double)NAN : MOST_ROOM;
	for (size_t k = 0; k < DEMAND_POWERS; k++)
		f->room_by_setting[k] = f->scope.side == 0 ? (double)NAN : MOST_ROOM;
	for (size_t k = 0; k < DEMAND_COPIES * DEMAND_POWERS; k++)
		f->room_by_copy[k] = MOST_ROOM;
	for (size_t i = 0; i < t->n; i++) {
		if (leave_room(m, t->app, config_table_row(t, i), f))
			return true;
	}
	for (size_t i = 0; i < t->n_cut; i++) {
		if (leave_room(m, t->app, t->cut_x + i * t->n_columns, f))
			return true;
	}
	return false;
}

/* Of a demand that is so much more [ln] than one that failed: 1 of one that is no less, none where
 * that cannot be said. */
static double share_of(double more, double room)
{
	const double share = 1 + more / room;

	return share > 0 ? fmin(share, 1) : 0;
}

/* The share of a row in one demand that failed. */
static double share_in(const struct failing_demands *m, const struct application *app,
		       const struct failing_demand *f, const struct failing_demand *asked)
{
	double sum = 0, n = 0;

	for (size_t k = 0; k < m->n_powers; k++) {
		if (isnan(f->room_by_power[k]))
			continue;
		n++;
		sum += share_of(excess_by_power(m, app, f, asked, ASKED, k), f->room_by_power[k]);
	}
	return fmax(share_of(excess(m, app, f, asked, ASKED), f->room), n > 0 ? sum / n : 0);
}

/* The same, if every process holds a copy. */
static double share_by_copies(const struct failing_demands *m, const struct application *app,
			      const struct failing_demand *f, const struct failing_demand *asked)
{
	double sum = 0, n = 0;

	if (!is_told_by_copies(m, app, f, asked))
		return 0;
	for (size_t k = 0; k < DEMAND_COPIES * DEMAND_POWERS; k++) {
		if (isnan(f->room_by_copy[k]))
			continue;
		n++;
		sum += share_of(excess_by_copy(m, app, f, asked, k), f->room_by_copy[k]);
	}
	return n > 0 ? sum / n : 0;
}

/* The same of a row beyond the numbers of its scope. */
static double share_by_setting(const struct failing_demands *m, const struct application *app,
			       const struct failing_demand *f, const struct failing_demand *asked,
			       double relief)
{
	double sum = 0, n = 0;

	for (size_t k = 0; k < DEMAND_POWERS; k++) {
		if (isnan(f->room_by_setting[k]))
			continue;
		n++;
		sum += share_of(excess_by_setting(m, app, f, asked, relief, ASKED, k),
				f->room_by_setting[k]);
	}
	return n > 0 ? sum / n : 0;
}

/* ---- what was over too early ---- */

/* Do times of n early ends go with the work, so that they vary less beside what is expected? */
static bool is_another_unit(double sum_off, double sum_off2, double sum, double sum2, size_t n)
{
	return n >= LEAST_OF_UNIT &&
	       sum_off2 - sum_off * sum_off / (double)n < sum2 - sum * sum / (double)n;
}

static void take_early_ends(struct failing_demands *m, const struct dataset *runs,
			    const struct config_table *t, const double *expected_s)
{
	double sum_off = 0, sum_off2 = 0, sum = 0, sum2 = 0;
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const double *row = dataset_row(runs, i);
		const double log_s = log(runs->wall_s[i]), off = log_s - log(expected_s[i]);
		struct failing_demand early;

		if (runs->flagged[i] != FLAG_SCREENED || runs->status[i] != RUN_FAILED ||
		    !(off < 0))
			continue;
		n++;
		sum += log_s;
		sum2 += log_s * log_s;
		sum_off += off;
		sum_off2 += off * off;
		early = demand_of(m, runs->app, row);
		early.scope.packing = config_kind_hash(runs->app, row, SAME_PACKING);
		if (m->n < FAILING_DEMANDS_MAX && !ended_as_demanding(m, t, &early))
			m->item[m->n++] = early;
	}
	if (is_another_unit(sum_off, sum_off2, sum, sum2, n))
		m->n = 0;
	m->n_early = m->n;
}

/* ---- what failed ---- */

struct failed_run {
	const double *row;
	double demand; /* ln of the product of the sizes over the nodes */
	double nodes;
	uint64_t hash;
};

static int by_demand(const void *a, const void *b)
{
	const struct failed_run *x = a, *y = b;

	if (x->demand != y->demand)
		return x->demand < y->demand ? -1 : 1;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Adds those of a data set to list[n]. Returns how many there are now. */
static size_t list_failed(const struct failing_demands *m, const struct dataset *d,
			  struct failed_run *list, size_t n)
{
	for (size_t i = 0; d && i < d->n; i++) {
		const double *row = dataset_row(d, i);
		struct failing_demand asked;
		double demand;

		if (d->status[i] != RUN_FAILED || d->flagged[i] == FLAG_SCREENED ||
		    d->flagged[i] == FLAG_EXPLAINED)
			continue;
		asked = demand_of(m, d->app, row);
		demand = asked.nodes > 0 ? -log(asked.nodes) : 0;
		for (size_t k = 0; k < m->n_sizes; k++) {
			if (d->app->column[m->column[k]].type != COL_TEXT && asked.size[k] > 0)
				demand += log(asked.size[k]);
		}
		list[n++] = (struct failed_run){row, demand, asked.nodes,
						config_kind_hash(d->app, row, SAME_PROBLEM)};
	}
	return n;
}

struct failed_list {
	const struct failed_run *run;
	size_t n;
	double most_nodes;  /* that were tried, whatever became of it */
	double least_nodes; /* of those that failed */
};

static void try_nodes(const struct application *app, const double *row, double *most)
{
	*most = fmax(*most, config_demand_of(app, row).nodes); /* which passes over a NaN */
}

static double most_nodes_tried(const struct config_table *t, const struct failed_run *run, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < t->n; i++)
		try_nodes(t->app, config_table_row(t, i), &most);
	for (size_t i = 0; i < t->n_cut; i++)
		try_nodes(t->app, config_table_cut_row(t, i), &most);
	for (size_t i = 0; i < n; i++)
		try_nodes(t->app, run[i].row, &most);
	return most;
}

/* Did it fail on the most nodes that were tried, and as much or more on fewer? Of at most
 * DEMANDS_COMPARED others, from what demanded most on. */
static bool failed_on_all_nodes(const struct failing_demands *m, const struct application *app,
				const struct failed_list *all, const struct failing_demand *f)
{
	struct failing_demand on_any = *f;

	size_t n_compared = 0;

	if (!(f->nodes >= all->most_nodes) || !(all->least_nodes < f->nodes))
		return false;
	on_any.any_nodes = true;
	for (size_t i = all->n; i-- > 0 && n_compared < DEMANDS_COMPARED;) {
		struct failing_demand other;

		if (!(all->run[i].nodes < f->nodes) ||
		    !is_in_scope(&f->scope, app, all->run[i].row))
			continue;
		n_compared++;
		other = demand_of(m, app, all->run[i].row);
		if (excess(m, app, &on_any, &other, ASKED) >= 0)
			return true;
	}
	return false;
}

/* Does the demand tell of what lies beyond the numbers of its scope? */
static bool tells_of_setting(const struct failing_demand *f)
{
	for (size_t k = 0; k < DEMAND_POWERS; k++) {
		if (!isnan(f->room_by_setting[k]))
			return true;
	}
	return false;
}

/* Does a demand of as wide a scope as that of f say it already? One by which a run that ended is as
 * demanding with another number of the scope says less than f may. */
static bool is_said(const struct failing_demands *m, const struct application *app,
		    const struct failing_demand *f, const double *row)
{
	for (size_t i = m->n_early; i < m->n; i++) {
		const struct demand_scope *s = &m->item[i].scope;

		if ((s->column == SIZE_MAX || s->column == f->scope.column) &&
		    (s->side == 0 || tells_of_setting(&m->item[i])) &&
		    m->item[i].any_nodes >= f->any_nodes && is_in_scope(s, app, row) &&
		    share_in(m, app, &m->item[i], f) >= 1)
			return true;
	}
	return false;
}

/* Nodes never help only where memory cannot be the reason: a run that ended had as much on each of
 * its nodes, though memory grew with the largest power of the size. */
static bool fails_on_any_nodes(const struct failing_demands *m, const struct config_table *t,
			       const struct failed_list *all, const struct failing_demand *f)
{
	struct failing_demand by_memory = *f;

	return failed_on_all_nodes(m, t->app, all, f) && !ended_as_demanding(m, t, &by_memory) &&
	       isnan(by_memory.room_by_power[m->n_powers - 1]);
}

/* Adds the demand of a failed run in one scope, if nothing that ended was as demanding. */
static bool take_in_scope(struct failing_demands *m, const struct config_table *t,
			  const struct failed_list *all, const double *row,
			  struct demand_scope scope)
{
	struct failing_demand f = demand_of(m, t->app, row);

	f.scope = scope;
	f.any_nodes = m->n < FAILING_DEMANDS_MAX && fails_on_any_nodes(m, t, all, &f);
	if (is_said(m, t->app, &f, row))
		return true;
	if (m->n == FAILING_DEMANDS_MAX)
		return false;
	if (f.any_nodes && ended_as_demanding(m, t, &f))
		f.any_nodes = false;
	if (!f.any_nodes && ended_as_demanding(m, t, &f))
		return false;
	m->item[m->n++] = f;
	return true;
}

static void take_failed(struct failing_demands *m, const struct config_table *t,
			const struct failed_list *all, const double *row)
{
	if (take_in_scope(m, t, all, row, any_setting))
		return;
	for (size_t c = 0; c < t->app->n_columns; c++) {
		const bool text = t->app->column[c].type == COL_TEXT;
		struct demand_scope scope = {.column = c, .value = row[c]};

		if (!config_is_setting(t->app, c) || isnan(row[c]))
			continue;
		for (scope.side = text ? 0 : -1; scope.side <= (text ? 0 : 1); scope.side += 2)
			take_in_scope(m, t, all, row, scope);
	}
}

static enum err_code take_failures(struct failing_demands *m, const struct dataset *runs,
				   const struct dataset *failures, const struct config_table *t,
				   struct err *e)
{
	const size_t n_all = runs->n + (failures ? failures->n : 0);
	const size_t most = DEMANDS_LOOKED_AT / (t->n + t->n_cut + 1) + 1;
	struct failed_run *list = calloc(n_all + 1, sizeof *list);
	struct failed_list all;
	size_t n;

	if (!list)
		return err_set(e, ERR_NOMEM, "%zu runs that may have failed", n_all);
	n = list_failed(m, failures, list, list_failed(m, runs, list, 0));
	qsort(list, n, sizeof *list, by_demand);
	all = (struct failed_list){list, n, n > 0 ? most_nodes_tried(t, list, n) : 0, INFINITY};
	for (size_t i = 0; i < n; i++)
		all.least_nodes = fmin(all.least_nodes, list[i].nodes);
	for (size_t i = 0; i < n && i < most; i++) {
		if (i == 0 || list[i].hash != list[i - 1].hash)
			take_failed(m, t, &all, list[i].row);
	}
	free(list);
	return ERR_OK;
}

static bool any_failed(const struct dataset *d)
{
	for (size_t i = 0; d && i < d->n; i++) {
		if (d->status[i] == RUN_FAILED)
			return true;
	}
	return false;
}

enum err_code failing_demands_make(const struct dataset *runs, const struct dataset *failures,
				   const struct config_table *t, const double *expected_s,
				   struct failing_demands *out, struct err *e)
{
	struct failing_demands m = {.item = calloc(FAILING_DEMANDS_MAX, sizeof *m.item)};
	enum err_code rc = ERR_OK;

	if (!m.item)
		return err_set(e, ERR_NOMEM, "demands that failed");
	list_sizes(runs->app, &m);
	if (any_failed(runs) || any_failed(failures))
		rc = falling_columns_find(t, &m.falling, e);
	if (!rc && expected_s)
		take_early_ends(&m, runs, t, expected_s);
	if (!rc)
		rc = take_failures(&m, runs, failures, t, e);
	if (rc)
		failing_demands_release(&m);
	else
		*out = m;
	return rc;
}

void failing_demands_release(struct failing_demands *m)
{
	free(m->item);
	*m = (struct failing_demands){.n = 0};
}

double failing_demands_chance(const struct failing_demands *m, const struct application *app,
			      const double *row)
{
	const struct failing_demand asked = demand_of(m, app, row);
	double share = 0;

	for (size_t i = 0; i < m->n && share < 1; i++) {
		const struct failing_demand *f = &m->item[i];

		if (is_in_scope(&f->scope, app, row))
			share = fmax(share, fmax(share_in(m, app, f, &asked),
						 share_by_copies(m, app, f, &asked)));
		else if (f->scope.side != 0)
			share = fmax(share, share_by_setting(m, app, f, &asked,
							     relief_of(&f->scope, app, row)));
	}
	return FAILING_DEMAND_CHANCE * share;
}

bool failing_demands_on_any_nodes(const struct failing_demands *m, const struct application *app,
				  const double *row)
{
	const struct failing_demand asked = demand_of(m, app, row);

	for (size_t i = 0; i < m->n; i++) {
		if (m->item[i].any_nodes && is_in_scope(&m->item[i].scope, app, row) &&
		    share_in(m, app, &m->item[i], &asked) >= 1)
			return true;
	}
	return false;
}

void failing_demands_explain(const struct failing_demands *m, struct strbuf *out)
{
	const size_t n_failed = m->n - m->n_early;

	if (m->n_early > 0)
		strbuf_printf(out,
			      " What %zu of them tried, and larger problems on as few nodes, may "
			      "fail: no more than %g is promised of it.",
			      m->n_early, FAILING_DEMAND_CHANCE);
	if (n_failed > 0)
		strbuf_printf(
			out,
			" Nothing ended that asked as much of a node as runs that failed (%zu "
			"limit%s, of all settings or of one): no more than %g is promised "
			"beyond.",
			n_failed, n_failed == 1 ? "" : "s", FAILING_DEMAND_CHANCE);
}

/* ---- in the knowledge base ---- */

static enum err_code add(struct kb_fit *fit, const char *part, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[48];

	snprintf(name, sizeof name, "demand_%s_%zu", part, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

/* Codes of words may be others later: their words are stored, too. */
static const char *word_of(const struct column *c, double x)
{
	return c->type == COL_TEXT && x >= 0 && x < (double)c->levels.n ? c->levels.name[(size_t)x]
									: c->name;
}

static double value_of(const struct column *c, const struct kb_param *q)
{
	if (!q)
		return (double)NAN;
	if (c->type != COL_TEXT)
		return q->value;
	return q->meaning ? (double)levels_find(&c->levels, q->meaning) : (double)NAN;
}

static enum err_code store_scope(const struct demand_scope *s, const struct application *app,
				 size_t i, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (s->packing != 0 &&
	    (rc = add(fit, "high", i, (double)(s->packing >> CONFIG_HASH_HALF), "hash", e)))
		return rc;
	if (s->packing != 0)
		return add(fit, "low", i, (double)(s->packing & UINT32_MAX), "hash", e);
	if (s->column == SIZE_MAX)
		return ERR_OK;
	rc = add(fit, "side", i, s->side, app->column[s->column].name, e);
	return rc ? rc
		  : add(fit, "value", i, s->value, word_of(&app->column[s->column], s->value), e);
}

enum err_code failing_demands_store(const struct failing_demands *m, const struct application *app,
				    struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (m->n_early > 0)
		rc = kb_fit_add(fit, "demands_early", (double)m->n_early, NAN, "",
				"of runs that were over too early", e);
	for (size_t i = 0; i < m->falling.n && !rc; i++)
		rc = add(fit, "falls", i, m->falling.exponent[i],
			 app->column[m->falling.column[i]].name, e);
	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct failing_demand *f = &m->item[i];

		rc = store_scope(&f->scope, app, i, fit, e);
		if (!rc)
			rc = add(fit, "room", i, f->room, "ln, over what ended", e);
		for (size_t k = 0; k < m->n_powers && !rc; k++) {
			if (!isnan(f->room_by_power[k]))
				rc = add(fit, "power", i * DEMAND_POWERS + k, f->room_by_power[k],
					 "ln, over what ended, of this growth", e);
		}
		for (size_t k = 0; k < DEMAND_POWERS && !rc; k++) {
			if (!isnan(f->room_by_setting[k]))
				rc = add(fit, "setting", i * DEMAND_POWERS + k,
					 f->room_by_setting[k],
					 "ln, over what ended, if the number of a setting relieves",
					 e);
		}
		for (size_t k = 0; k < DEMAND_COPIES * DEMAND_POWERS && !rc; k++) {
			if (!isnan(f->ppn) && !isnan(f->room_by_copy[k]))
				rc = add(fit, "copy", i * DEMAND_COPIES * DEMAND_POWERS + k,
					 f->room_by_copy[k],
					 "ln, over what ended, if processes hold copies", e);
		}
		for (size_t k = 0; k < m->n_sizes && !rc; k++)
			rc = add(fit, "size", i * DEMAND_SIZES + k, f->size[k],
				 word_of(&app->column[m->column[k]], f->size[k]), e);
		if (!rc && !isnan(f->nodes))
			rc = add(fit, "nodes", i, f->nodes, "on which a run failed", e);
		if (!rc && f->any_nodes)
			rc = add(fit, "any_nodes", i, 1, "more nodes never help", e);
		if (!rc && !isnan(f->ppn))
			rc = add(fit, "ppn", i, f->ppn, "on each", e);
		if (!rc && !isnan(f->ppn))
			rc = add(fit, "relief", i, f->relief_ppn, "on each relieve", e);
		if (!rc && f->fewer_ended)
			rc = add(fit, "fewer", i, 1, "processes ended with as much on a node", e);
	}
	return rc;
}

static const struct kb_param *find(const struct kb_fit *fit, const char *part, size_t i)
{
	return kb_fit_find(fit, "demand_%s_%zu", part, i);
}

static double load_number(const struct kb_fit *fit, const char *part, size_t i)
{
	const struct kb_param *q = find(fit, part, i);

	return q ? q->value : (double)NAN;
}

/* false: damaged, or of a column that is no more. */
static bool load_scope(const struct kb_fit *fit, const struct application *app, size_t i,
		       struct demand_scope *out)
{
	const double high = load_number(fit, "high", i), low = load_number(fit, "low", i);
	const struct kb_param *side = find(fit, "side", i);

	*out = any_setting;
	if (high >= 0 && high <= UINT32_MAX && low >= 0 && low <= UINT32_MAX)
		out->packing = (uint64_t)(uint32_t)high << CONFIG_HASH_HALF | (uint32_t)low;
	if (!side)
		return true;
	out->column = side->meaning ? application_column(app, side->meaning) : SIZE_MAX;
	if (out->column == SIZE_MAX)
		return false;
	out->side = (side->value > 0) - (side->value < 0);
	out->value = value_of(&app->column[out->column], find(fit, "value", i));
	return !isnan(out->value);
}

static void load_falling(const struct kb_fit *fit, const struct application *app,
			 struct falling_columns *out)
{
	for (size_t i = 0; i < FALLING_COLUMNS_MAX; i++) {
		const struct kb_param *q = find(fit, "falls", i);
		const size_t c = q && q->meaning ? application_column(app, q->meaning) : SIZE_MAX;

		if (c == SIZE_MAX || !(q->value > 0))
			continue;
		out->column[out->n] = c;
		out->exponent[out->n++] = q->value;
	}
}

enum err_code failing_demands_load(const struct kb_fit *fit, const struct application *app,
				   struct failing_demands *out, struct err *e)
{
	struct failing_demands m = {.item = calloc(FAILING_DEMANDS_MAX, sizeof *m.item)};

	if (!m.item)
		return err_set(e, ERR_NOMEM, "demands that failed");
	list_sizes(app, &m);
	load_falling(fit, app, &m.falling);
	for (size_t i = 0; i < FAILING_DEMANDS_MAX; i++) {
		struct failing_demand *f = &m.item[m.n];

		f->room = load_number(fit, "room", i);
		for (size_t k = 0; k < m.n_powers; k++)
			f->room_by_power[k] = load_number(fit, "power", i * DEMAND_POWERS + k);
		for (size_t k = 0; k < DEMAND_POWERS; k++)
			f->room_by_setting[k] = load_number(fit, "setting", i * DEMAND_POWERS + k);
		for (size_t k = 0; k < DEMAND_COPIES * DEMAND_POWERS; k++)
			f->room_by_copy[k] =
				load_number(fit, "copy", i * DEMAND_COPIES * DEMAND_POWERS + k);
		if (!(f->room > 0))
			break;
		f->nodes = load_number(fit, "nodes", i);
		f->ppn = load_number(fit, "ppn", i);
		f->any_nodes = load_number(fit, "any_nodes", i) > 0;
		f->relief_ppn = load_number(fit, "relief", i);
		f->fewer_ended = load_number(fit, "fewer", i) > 0;
		for (size_t k = 0; k < m.n_sizes; k++)
			f->size[k] = value_of(&app->column[m.column[k]],
					      find(fit, "size", i * DEMAND_SIZES + k));
		if (!load_scope(fit, app, i, &f->scope))
			continue;
		m.n_early += (double)i < kb_fit_value(fit, "demands_early");
		m.n++;
	}
	*out = m;
	return ERR_OK;
}
