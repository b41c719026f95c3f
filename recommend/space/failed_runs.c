#include "recommend/space/failed_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "mining/predictor/config_kind.h"

/* What people do about a lack of memory: twice the nodes. */
#define SAFE_SHARE 0.5

/* Failures of other problems with the same tunables and processes on a node that are looked at. If
 * runs that ended take back so many of those that put most nodes at risk, the others are no matter
 * of size either. */
enum { MOST_ALIKE = 32 };

/* ---- comparing configurations ---- */

static bool is_tunable(const struct column *c)
{
	return c->role == COL_TUNABLE && c->candidates != CAND_GRID;
}

static bool is_resource(const struct column *c)
{
	return c->role == COL_RESOURCE || (c->role == COL_TUNABLE && c->candidates == CAND_GRID);
}

static int compare_where(const struct application *app, bool (*counts)(const struct column *),
			 const double *a, const double *b)
{
	int order = 0;

	for (size_t i = 0; i < app->n_columns && !order; i++) {
		if (counts(&app->column[i]))
			order = compare_numbers(a[i], b[i]);
	}
	return order;
}

static bool is_problem(const struct column *c)
{
	return c->role == COL_PROBLEM;
}

static double size_of(const struct application *app, const double *row)
{
	return config_demand_of(app, row).nodes;
}

static double procs_per_node(const struct application *app, const double *row)
{
	return config_demand_of(app, row).ppn;
}

/* Same problem and resources, tunables being equal already. */
static bool is_same_case(const struct application *app, const double *a, const double *b)
{
	return !compare_where(app, is_problem, a, b) && !compare_where(app, is_resource, a, b);
}

static const struct falling_columns *falling_of(const struct failed_runs *f)
{
	return f->demands ? &f->demands->falling : NULL;
}

/* What grows with the work, of a number of the problem. */
static double size_in(const struct failed_runs *f, const double *row, size_t i)
{
	return falling_columns_size(falling_of(f), i, 1, row[i]);
}

/* The largest of a box, or of a row: lo is hi. */
static double most_in(const struct failed_runs *f, const double *lo, const double *hi, size_t i)
{
	return size_in(f, falling_columns_have(falling_of(f), i) ? lo : hi, i);
}

static bool no_larger(const struct failed_runs *f, const double *a, const double *b)
{
	return config_no_larger(f->app, falling_of(f), a, b);
}

/* A few processes less on a node are no relief from a lack of memory. */
static bool relieves(const struct application *app, const double *failed, const double *row)
{
	return procs_per_node(app, row) <= CONFIG_RELIEF_PPN * procs_per_node(app, failed);
}

/* Does `big` need as much memory on a node as `small` or more, tunables being equal? */
static bool needs_as_much(const struct failed_runs *f, const double *small, const double *big)
{
	double n_small = size_of(f->app, small), n_big = size_of(f->app, big);

	if (!no_larger(f, small, big) || !(n_big <= n_small))
		return false;
	return n_big < n_small || compare_where(f->app, is_problem, small, big) ||
	       !relieves(f->app, small, big);
}

/* The most that memory may grow with a column of the problem. */
static double most_exponent(const struct application *app)
{
	const size_t n = config_count_sizes(app);

	return n < 2 ? 3 : n == 2 ? 2 : 1;
}

/* The memory of problem b over that of a, at most; INFINITY: they cannot be compared. shrinks: in
 * proportion where a column is smaller, otherwise nothing is believed of that. */
static double memory_ratio(const struct failed_runs *f, const double *a, const double *b,
			   bool shrinks)
{
	const struct application *app = f->app;
	const double exponent = most_exponent(app);
	double ratio = 1;

	for (size_t i = 0; i < app->n_columns; i++) {
		const double x = size_in(f, a, i), y = size_in(f, b, i);

		if (!is_problem(&app->column[i]) || x == y)
			continue;
		if (app->column[i].type == COL_TEXT || !(x > 0) || !(y > 0))
			return (double)INFINITY;
		if (y > x)
			ratio *= pow(y / x, exponent);
		else if (shrinks)
			ratio *= y / x;
	}
	return ratio;
}

/* The memory on a node of `ended` over that of `failed`, at least: it shrinks fast with the
 * problem, and grows only with a single column. lo, hi: of the problem, the bounds of what ended;
 * fewest_nodes: of the nodes. */
static double least_memory(const struct failed_runs *f, const double *failed, const double *lo,
			   const double *hi, double fewest_nodes)
{
	const struct application *app = f->app;
	const double exponent = most_exponent(app);
	double ratio = size_of(app, failed) / fewest_nodes;

	for (size_t i = 0; i < app->n_columns; i++) {
		const double most = most_in(f, lo, hi, i), of_failed = size_in(f, failed, i);

		if (!is_problem(&app->column[i]) || app->column[i].type == COL_TEXT ||
		    most == of_failed || isnan(most))
			continue;
		if (most > of_failed && (exponent < 3 || !(of_failed > 0)))
			continue;
		if (!(most > 0))
			return 0;
		ratio *= pow(most / of_failed, most < of_failed ? exponent : 1);
	}
	return ratio;
}

static bool same_words(const struct application *app, const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_problem(&app->column[i]) && app->column[i].type == COL_TEXT && a[i] != b[i])
			return false;
	}
	return true;
}

/* Does `ended`, which needed as much memory, show that `failed` was no matter of it? With fewer
 * processes on a node it does not. */
static bool takes_back(const struct failed_runs *f, const double *failed, const double *ended)
{
	return same_words(f->app, failed, ended) &&
	       least_memory(f, failed, ended, ended, size_of(f->app, ended)) >= 1 &&
	       !(procs_per_node(f->app, ended) < procs_per_node(f->app, failed));
}

/* ---- too little for each process ---- */

static double procs_of(const struct application *app, const double *row)
{
	return config_demand_of(app, row).procs;
}

/* What problem b gives to each process over what a gives on as many; INFINITY: they cannot be
 * compared. */
static double share_ratio(const struct failed_runs *f, const double *a, const double *b)
{
	const struct application *app = f->app;
	const bool shrinks = config_count_sizes(app) == 1;
	double ratio = 1;

	for (size_t i = 0; i < app->n_columns; i++) {
		const double x = size_in(f, a, i), y = size_in(f, b, i);

		if (!is_problem(&app->column[i]) || x == y)
			continue;
		if (app->column[i].type == COL_TEXT || !(x > 0) || !(y > 0))
			return (double)INFINITY;
		if (y > x || shrinks)
			ratio *= y / x;
	}
	return ratio;
}

/* ---- those that matter ---- */

/* For qsort(), which hands no context on. */
struct run_entry {
	const struct dataset *runs;
	size_t i;
};

static int compare_entries(const void *a, const void *b)
{
	const struct run_entry *x = a, *y = b;
	const struct dataset *d = x->runs;
	const double *p = dataset_row(d, x->i), *q = dataset_row(d, y->i);
	int order = compare_where(d->app, is_tunable, p, q);

	if (!order)
		order = compare_where(d->app, is_problem, p, q);
	if (!order)
		order = compare_where(d->app, is_resource, p, q);
	return order ? order
		     : (d->run_id[x->i] > d->run_id[y->i]) - (d->run_id[x->i] < d->run_id[y->i]);
}

/* Sort, and keep of each configuration the first run. */
static enum err_code sort_distinct(struct failed_runs *f, struct err *e)
{
	struct run_entry *order = calloc(f->n + 1, sizeof *order);
	size_t n = 0;

	if (!order)
		return err_set(e, ERR_NOMEM, "%zu failed runs", f->n);
	for (size_t i = 0; i < f->n; i++)
		order[i] = (struct run_entry){f->runs, f->item[i].run};
	qsort(order, f->n, sizeof *order, compare_entries);
	for (size_t i = 0; i < f->n; i++) {
		const double *row = dataset_row(f->runs, order[i].i);
		const double *last = n ? dataset_row(f->runs, f->item[n - 1].run) : NULL;

		if (!last || compare_where(f->app, is_tunable, row, last) ||
		    !is_same_case(f->app, row, last))
			f->item[n++] = (struct failure){.run = order[i].i};
		f->item[n - 1].n_failed++;
	}
	f->n = n;
	free(order);
	return ERR_OK;
}

static bool failed_by_accident(const struct failure *f)
{
	return f->n_ended + f->n_stored >= f->n_failed;
}

/* Can words of the problem and the nodes be compared at all? */
static bool comparable(const struct failed_runs *f, const double *failed, const double *problem)
{
	return !isnan(size_of(f->app, failed)) && isfinite(memory_ratio(f, failed, problem, true));
}

/* What the run does not say is no obstacle. */
static double ppn_shown(const struct application *app, const double *ended)
{
	const double ppn = procs_per_node(app, ended);

	return isnan(ppn) ? (double)INFINITY : ppn;
}

/* Those of this problem, then by processes on a node; which puts most nodes at risk first. */
static int by_weight(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;

	if (x->of_problem != y->of_problem)
		return x->of_problem ? -1 : 1;
	if (x->ppn != y->ppn)
		return x->ppn < y->ppn ? -1 : 1;
	if (x->risky_below != y->risky_below)
		return x->risky_below > y->risky_below ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

/* [first .. *end) has the same tunables. Keeps what may matter at places from `n` on; returns the
 * place after it. */
static size_t keep_the_worst(struct failed_runs *f, size_t first, size_t end, size_t n)
{
	size_t n_alike = 0;

	qsort(f->item + first, end - first, sizeof *f->item, by_weight);
	for (size_t k = first; k < end; k++) {
		const struct failure item = f->item[k];
		const bool alike =
			n_alike > 0 && !item.of_problem && f->item[n - 1].ppn == item.ppn;

		n_alike = item.of_problem ? 0 : alike ? n_alike + 1 : 1;
		if (n_alike <= MOST_ALIKE)
			f->item[n++] = item;
	}
	return n;
}

static void keep_the_worst_of_all(struct failed_runs *f)
{
	size_t n = 0, end;

	for (size_t first = 0; first < f->n; first = end) {
		const double *row = dataset_row(f->runs, f->item[first].run);

		for (end = first + 1; end < f->n; end++) {
			if (compare_where(f->app, is_tunable, row,
					  dataset_row(f->runs, f->item[end].run)))
				break;
		}
		n = keep_the_worst(f, first, end, n);
	}
	f->n = n;
}

static enum err_code gather(struct failed_runs *f, struct err *e)
{
	const double *problem = f->problem;
	enum err_code rc;

	f->item = calloc(f->runs->n + 1, sizeof *f->item);
	if (!f->item)
		return err_set(e, ERR_NOMEM, "%zu failed runs", f->runs->n);
	for (size_t i = 0; i < f->runs->n; i++) {
		const double *row = dataset_row(f->runs, i);

		if (f->runs->status[i] == RUN_FAILED &&
		    (no_larger(f, row, problem) || comparable(f, row, problem)))
			f->item[f->n++].run = i;
	}
	if ((rc = sort_distinct(f, e)))
		return rc;
	for (size_t k = 0; k < f->n; k++) {
		const double *row = dataset_row(f->runs, f->item[k].run);

		f->item[k].ppn = ppn_shown(f->app, row);
		f->item[k].of_problem = !compare_where(f->app, is_problem, row, problem);
		f->item[k].risky_below = comparable(f, row, problem)
						 ? size_of(f->app, row) / SAFE_SHARE *
							   memory_ratio(f, row, problem, true)
						 : 0;
		f->item[k].nodes_never_help =
			f->demands && failing_demands_on_any_nodes(f->demands, f->app, row);
	}
	keep_the_worst_of_all(f);
	return ERR_OK;
}

/* The first of the failures whose tunables are not below those of row. */
static size_t first_with_tunables(const struct failed_runs *f, const double *row)
{
	size_t lo = 0, hi = f->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_where(f->app, is_tunable, dataset_row(f->runs, f->item[mid].run), row) <
		    0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_tunables(const struct failed_runs *f, size_t k, const double *row)
{
	return k < f->n &&
	       !compare_where(f->app, is_tunable, dataset_row(f->runs, f->item[k].run), row);
}

/* ---- what runs that ended take back ---- */

/* ---- what is shown to fit ---- */

static bool shows(const struct failure *item, double nodes, double ppn)
{
	for (size_t i = 0; i < item->n_shown; i++) {
		if (item->shown[i].nodes <= nodes && item->shown[i].ppn >= ppn)
			return true;
	}
	return false;
}

/* Keeps none that another makes needless; with too many the last is not believed. */
static void show(struct failure *item, double nodes, double ppn)
{
	size_t n = 0;

	if (!isfinite(nodes) || shows(item, nodes, ppn))
		return;
	for (size_t i = 0; i < item->n_shown; i++) {
		if (!(item->shown[i].nodes >= nodes && item->shown[i].ppn <= ppn))
			item->shown[n++] = item->shown[i];
	}
	if (n < FAILURE_MAX_SHOWN)
		item->shown[n++] = (struct shown_fit){nodes, ppn};
	item->n_shown = n;
}

/* A run that hit its time limit had memory enough. */
static void clear_by(struct failed_runs *f, const double *ended, size_t n_runs, bool stored)
{
	/* on how many nodes: times what memory the problem needs more */
	const double nodes = size_of(f->app, ended) * memory_ratio(f, ended, f->problem, false);

	const double procs = procs_of(f->app, ended);
	const bool small = no_larger(f, ended, f->problem);

	for (size_t k = first_with_tunables(f, ended); has_tunables(f, k, ended); k++) {
		const double *failed = dataset_row(f->runs, f->item[k].run);

		show(&f->item[k], nodes, ppn_shown(f->app, ended));
		if (small && procs > f->item[k].most_procs)
			f->item[k].most_procs = procs;
		if (no_larger(f, ended, failed) && procs >= procs_of(f->app, failed) &&
		    !is_same_case(f->app, failed, ended))
			f->item[k].share_taken_back = true;
		if (is_same_case(f->app, failed, ended) && stored)
			f->item[k].n_stored = n_runs; /* may be met again */
		else if (is_same_case(f->app, failed, ended))
			f->item[k].n_ended += n_runs;
		else if (takes_back(f, failed, ended))
			f->item[k].taken_back = true;
	}
}

static void clear_by_all(struct failed_runs *f, const struct dataset *runs)
{
	for (size_t i = 0; runs && i < runs->n; i++) {
		if (runs->status[i] != RUN_FAILED)
			clear_by(f, dataset_row(runs, i), 1, false);
	}
}

/* A failure that the index is searched for. */
struct wanted {
	struct failed_runs *f;
	size_t k;
};

static bool in_box(double value, double lo, double hi)
{
	return isnan(lo) || isnan(hi) || isnan(value) || (value >= lo && value <= hi);
}

/* Are the tunables of the failure in the box? */
static bool tunables_in_box(const struct wanted *w, const double *lo, const double *hi)
{
	const struct application *app = w->f->app;
	const double *failed = dataset_row(w->f->runs, w->f->item[w->k].run);

	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_tunable(&app->column[i]) && !in_box(failed[i], lo[i], hi[i]))
			return false;
	}
	return true;
}

/* The fewest nodes in a box. */
static double fewest_nodes(const struct application *app, const double *lo)
{
	const size_t i = app->i_nodes != SIZE_MAX ? app->i_nodes : app->i_procs;

	return i == SIZE_MAX || isnan(lo[i]) ? 1 : lo[i];
}

/* 0 where the box may hold a run that takes the failure back. */
static double clearing_distance(void *arg, const double *lo, const double *hi)
{
	const struct wanted *w = arg;
	const struct application *app = w->f->app;
	const double *failed = dataset_row(w->f->runs, w->f->item[w->k].run);

	if (failed_by_accident(&w->f->item[w->k]) || !tunables_in_box(w, lo, hi) ||
	    !(least_memory(w->f, failed, lo, hi, fewest_nodes(app, lo)) >= 1))
		return (double)INFINITY;
	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_problem(&app->column[i]) && app->column[i].type == COL_TEXT &&
		    !in_box(failed[i], lo[i], hi[i]))
			return (double)INFINITY;
	}
	return 0;
}

/* Of the runs in a box. */
static double most_ppn(const struct application *app, const double *hi)
{
	const double ppn = app->i_ppn == SIZE_MAX ? (double)NAN : hi[app->i_ppn];

	return isnan(ppn) ? (double)INFINITY : ppn;
}

/* The fewest nodes on which a run of the box may show that the problem fits; what was shown already
 * needs no more. */
static double fitting_distance(void *arg, const double *lo, const double *hi)
{
	const struct wanted *w = arg;
	const struct application *app = w->f->app;
	const double exponent = most_exponent(app);
	double nodes = fewest_nodes(app, lo);

	if (!tunables_in_box(w, lo, hi))
		return (double)INFINITY;
	for (size_t i = 0; i < app->n_columns; i++) {
		const double asked = size_in(w->f, w->f->problem, i);
		const double most = most_in(w->f, lo, hi, i);

		if (is_problem(&app->column[i]) && app->column[i].type != COL_TEXT && most > 0 &&
		    asked > most)
			nodes *= pow(asked / most, exponent);
	}
	return shows(&w->f->item[w->k], nodes, most_ppn(app, hi)) ? (double)INFINITY : nodes;
}

/* May the box hold a run on a problem no larger, and on as many processes? *procs: the most. */
static bool may_hold_small(const struct wanted *w, const double *than, const double *lo,
			   const double *hi, double *procs)
{
	const struct application *app = w->f->app;

	if (!tunables_in_box(w, lo, hi))
		return false;
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (is_problem(c) &&
		    (c->type == COL_TEXT ? !in_box(than[i], lo[i], hi[i])
					 : most_in(w->f, hi, lo, i) > size_in(w->f, than, i)))
			return false;
	}
	*procs = procs_of(app, hi);
	if (isnan(*procs))
		*procs = (double)INFINITY;
	return true;
}

/* 0 where the box may hold a run that takes the failure back as one of too small a share. */
static double share_distance(void *arg, const double *lo, const double *hi)
{
	const struct wanted *w = arg;
	const struct failure *item = &w->f->item[w->k];
	const double *failed = dataset_row(w->f->runs, item->run);
	double procs;

	if (!item->taken_back || item->share_taken_back || failed_by_accident(item) ||
	    !may_hold_small(w, failed, lo, hi, &procs))
		return (double)INFINITY;
	return procs >= procs_of(w->f->app, failed) ? 0 : (double)INFINITY;
}

/* The most processes first, on which a run of the box may show that the problem ends. */
static double small_distance(void *arg, const double *lo, const double *hi)
{
	const struct wanted *w = arg;
	double procs;

	if (!may_hold_small(w, w->f->problem, lo, hi, &procs) ||
	    procs <= w->f->item[w->k].most_procs)
		return (double)INFINITY;
	return 1 / procs;
}

static enum err_code take(void *arg, const struct dataset *runs, const size_t *n_runs,
			  struct err *e)
{
	const struct wanted *w = arg;

	(void)e;
	for (size_t i = 0; i < runs->n; i++)
		clear_by(w->f, dataset_row(runs, i), n_runs[i], true);
	return ERR_OK;
}

static enum err_code search(struct wanted *w, const struct advice_request *q,
			    double (*distance)(void *arg, const double *lo, const double *hi),
			    bool *found, struct err *e)
{
	const struct kb_index_visitor visitor = {w, distance, take};

	return kb_search_run_index(q->stored->kb, q->app, q->stored->app_id, q->stored->machine_id,
				   &visitor, found, e);
}

static enum err_code clear_by_stored(struct failed_runs *f, const struct advice_request *q,
				     struct err *e)
{
	struct wanted w = {.f = f};
	bool found = true;
	enum err_code rc = ERR_OK;

	for (w.k = 0; w.k < f->n && !rc && found; w.k++) {
		const double *failed = dataset_row(f->runs, f->item[w.k].run);
		const bool first = w.k == 0 || !has_tunables(f, w.k - 1, failed);

		rc = search(&w, q, clearing_distance, &found, e);
		if (!rc && found)
			rc = search(&w, q, share_distance, &found, e);
		if (!rc && found && first)
			rc = search(&w, q, fitting_distance, &found, e);
		if (!rc && found && first)
			rc = search(&w, q, small_distance, &found, e);
	}
	return rc;
}

/* ---- all together ---- */

static void drop_accidents(struct failed_runs *f)
{
	size_t n = 0;

	for (size_t k = 0; k < f->n; k++) {
		if (!failed_by_accident(&f->item[k]))
			f->item[n++] = f->item[k];
	}
	f->n = n;
}

enum err_code failed_runs_find(const struct advice_request *q, struct failed_runs *out,
			       struct err *e)
{
	struct failed_runs f = {.app = q->app,
				.runs = q->failures ? q->failures : q->runs,
				.demands = q->demands,
				.problem = q->row};
	enum err_code rc = ERR_OK;

	if (f.runs && f.runs->n > 0)
		rc = gather(&f, e);
	if (!rc && f.n > 0) {
		clear_by_all(&f, q->failures);
		if (!q->stored)
			clear_by_all(&f, q->runs);
		else
			rc = clear_by_stored(&f, q, e);
	}
	if (!rc)
		drop_accidents(&f);
	if (rc) {
		failed_runs_release(&f);
		return rc;
	}
	*out = f;
	return ERR_OK;
}

void failed_runs_release(struct failed_runs *f)
{
	free(f->item);
	*f = (struct failed_runs){0};
}

/* One process divides nothing. */
static bool gives_too_little(const struct failed_runs *f, const struct failure *item,
			     const double *row)
{
	const double *failed = dataset_row(f->runs, item->run);
	const double procs = procs_of(f->app, row), of_failed = procs_of(f->app, failed);

	if (!item->taken_back || item->share_taken_back || !(of_failed > 1) ||
	    procs <= item->most_procs)
		return false;
	return share_ratio(f, failed, row) * of_failed / procs < 1 / SAFE_SHARE;
}

static enum risk judge(const struct failed_runs *f, const struct failure *item, const double *row)
{
	const double *failed = dataset_row(f->runs, item->run);
	const double nodes = size_of(f->app, row), ppn = procs_per_node(f->app, row);

	if (is_same_case(f->app, failed, row))
		return item->n_ended + item->n_stored > 0 ? RISK_AT_RISK : RISK_FAILED;
	if (gives_too_little(f, item, row))
		return RISK_AT_RISK;
	if (item->nodes_never_help && no_larger(f, failed, row) && !relieves(f->app, failed, row))
		return RISK_AT_RISK;
	if (item->taken_back || shows(item, nodes, isnan(ppn) ? 0 : ppn))
		return RISK_NONE;
	if (needs_as_much(f, failed, row))
		return RISK_AT_RISK;
	/* fewer processes on a node are what one does about it */
	return nodes < item->risky_below && !relieves(f->app, failed, row) ? RISK_AT_RISK
									   : RISK_NONE;
}

struct warning failed_runs_judge(const struct failed_runs *f, const double *row)
{
	struct warning w = {.risk = RISK_NONE};
	size_t n_failed = 0, n_ended = 0;

	for (size_t k = f->n ? first_with_tunables(f, row) : 0; has_tunables(f, k, row); k++) {
		const struct failure *item = &f->item[k];
		const int64_t id = f->runs->run_id[item->run];
		const enum risk here = judge(f, item, row);

		if (here == RISK_NONE)
			continue;
		n_failed += item->n_failed;
		if (is_same_case(f->app, dataset_row(f->runs, item->run), row))
			n_ended = item->n_ended + item->n_stored;
		if (here > w.risk || (here == w.risk && id < w.run_id)) {
			w.risk = here;
			w.run_id = id;
		}
	}
	if (w.risk != RISK_NONE)
		w.fail_p = ((double)n_failed + 1) / (double)(n_failed + n_ended + 2);
	return w;
}
