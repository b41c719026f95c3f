#include "mining/run_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "mining/numerics/group_by.h"

enum {
	/* Few enough to be read in a moment, many enough that there are fewer boxes than runs. */
	MAX_IN_BOX = 32,
	/* Where half of a box lies is told by a sample of it. */
	MAX_SAMPLE = 255,
	/* Numbers of boxes double with each halving; only values that crowd together exponentially
	 * ask for so many. Such a box stays large. */
	MAX_HALVINGS = 60,
};

static bool is_bounded(const struct column *c)
{
	return c->role != COL_DERIVED && c->type != COL_TEXT;
}

static double value(const struct kb_run_index *x, size_t i, size_t column)
{
	return dataset_row(x->runs, x->run[i])[column];
}

/* ---- bounds ---- */

/* Of configurations [from .. to - 1]; NaN where one of them lacks a value, or for a text. */
static void bound_column(const struct kb_run_index *x, size_t from, size_t to, size_t column,
			 double *lo, double *hi)
{
	*lo = *hi = (double)NAN;
	if (!is_bounded(&x->runs->app->column[column]))
		return;
	*lo = *hi = value(x, from, column);
	for (size_t i = from; i < to; i++) {
		double v = value(x, i, column);

		if (isnan(v)) {
			*lo = *hi = v;
			return;
		}
		*lo = fmin(*lo, v);
		*hi = fmax(*hi, v);
	}
}

/* Room for one node more; nodes grow by doubling. */
static enum err_code grow(struct kb_run_index *x, struct err *e)
{
	size_t n = x->n_nodes ? 2 * x->n_nodes : 1, n_columns = x->runs->n_columns;
	struct kb_index_node *node;
	double *lo, *hi;

	if (x->n_nodes & (x->n_nodes - 1))
		return ERR_OK;
	node = realloc(x->node, n * sizeof *node);
	if (node)
		x->node = node;
	lo = realloc(x->lo, n * n_columns * sizeof *lo);
	if (lo)
		x->lo = lo;
	hi = realloc(x->hi, n * n_columns * sizeof *hi);
	if (hi)
		x->hi = hi;
	return node && lo && hi ? ERR_OK : err_set(e, ERR_NOMEM, "%zu boxes of runs", n);
}

static enum err_code add_node(struct kb_run_index *x, int64_t number, size_t from, size_t to,
			      struct err *e)
{
	size_t at = x->n_nodes * x->runs->n_columns;
	enum err_code rc = grow(x, e);

	if (rc)
		return rc;
	for (size_t c = 0; c < x->runs->n_columns; c++)
		bound_column(x, from, to, c, &x->lo[at + c], &x->hi[at + c]);
	x->node[x->n_nodes++] = (struct kb_index_node){number, from, to - from};
	return ERR_OK;
}

/* ---- halves ---- */

/* How far apart the sides of a box are: in logs, as distances are; where there are none (0 and
 * below) other values count as a factor of two. */
static double length(double lo, double hi)
{
	if (!(lo < hi))
		return 0;
	return lo > 0 ? log(hi / lo) : log(2);
}

/* The longest side of the last box; SIZE_MAX: it has none. */
static size_t longest_side(const struct kb_run_index *x)
{
	size_t at = (x->n_nodes - 1) * x->runs->n_columns, longest = SIZE_MAX;
	double most = 0;

	for (size_t c = 0; c < x->runs->n_columns; c++) {
		double l = length(x->lo[at + c], x->hi[at + c]);

		if (l > most) {
			most = l;
			longest = c;
		}
	}
	return longest;
}

/* About half of the values are up to this one, and at least one is beyond. */
static double middle(const struct kb_run_index *x, size_t from, size_t to, size_t column)
{
	double seen[MAX_SAMPLE] = {0};
	size_t n = to - from < MAX_SAMPLE ? to - from : MAX_SAMPLE;
	double most = -(double)INFINITY, below = -(double)INFINITY, half;

	for (size_t k = 0; k < n; k++)
		seen[k] = value(x, from + k * (to - from) / n, column);
	qsort(seen, n, sizeof *seen, compare_doubles);
	half = seen[(n - 1) / 2];
	for (size_t i = from; i < to; i++)
		most = fmax(most, value(x, i, column));
	if (half < most)
		return half;
	for (size_t i = from; i < to; i++) {
		double v = value(x, i, column);

		if (v < most)
			below = fmax(below, v);
	}
	return below;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;

	*a = *b;
	*b = was;
}

/* Configurations with values up to the middle first; where the others begin. */
static size_t part(struct kb_run_index *x, size_t from, size_t to, size_t column)
{
	double half = middle(x, from, to, column);
	size_t at = from;

	for (size_t i = from; i < to; i++) {
		if (value(x, i, column) > half)
			continue;
		swap(&x->run[i], &x->run[at]);
		swap(&x->n_runs[i], &x->n_runs[at]);
		at++;
	}
	return at;
}

/* A box and all boxes in it. */
static enum err_code make_box(struct kb_run_index *x, int64_t number, int halvings, size_t from,
			      size_t to, struct err *e)
{
	size_t side, half;
	enum err_code rc = add_node(x, number, from, to, e);

	if (rc || to - from <= MAX_IN_BOX || halvings == MAX_HALVINGS)
		return rc;
	side = longest_side(x);
	if (side == SIZE_MAX)
		return ERR_OK;
	x->node[x->n_nodes - 1].n = 0;
	half = part(x, from, to, side);
	rc = make_box(x, 2 * number, halvings + 1, from, half, e);
	return rc ? rc : make_box(x, 2 * number + 1, halvings + 1, half, to, e);
}

enum err_code run_index_make_boxes(struct kb_run_index *x, struct err *e)
{
	return make_box(x, 1, 0, 0, x->n_configurations, e);
}

void run_index_release(struct kb_run_index *x)
{
	free(x->node);
	free(x->lo);
	free(x->hi);
	free(x->run);
	free(x->n_runs);
	free(x->sample);
	*x = (struct kb_run_index){0};
}

/* The columns of an application that pick() says yes to. */
static size_t columns_of(const struct application *a,
			 bool (*pick)(const struct application *, size_t), size_t *column)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (pick(a, i))
			column[n++] = i;
	}
	return n;
}

/* ---- configurations ---- */

static bool tells_configurations_apart(const struct application *a, size_t i)
{
	return a->column[i].role != COL_DERIVED;
}

/* A run of a configuration; runs of it that took as long are told apart by their number. */
struct repeat {
	double wall_s;
	int64_t run_id;
	uint32_t run;
};

static int by_time(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;

	if (x->wall_s != y->wall_s)
		return x->wall_s < y->wall_s ? -1 : 1;
	return (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

/* The lower median, as evidence_nearest_runs() takes it. */
static uint32_t median_run(const struct dataset *runs, const uint32_t *row, const uint32_t *member,
			   size_t n, struct repeat *work)
{
	for (size_t k = 0; k < n; k++) {
		uint32_t i = row[member[k]];

		work[k] = (struct repeat){runs->wall_s[i], runs->run_id[i], i};
	}
	qsort(work, n, sizeof *work, by_time);
	return work[(n - 1) / 2].run;
}

/* Of the runs row[0..n-1] in groups. */
static enum err_code keep_medians(const struct dataset *runs, const uint32_t *row, size_t n,
				  const uint32_t *group, size_t n_groups, struct kb_run_index *x,
				  struct err *e)
{
	uint32_t *start = NULL, *member = NULL;
	struct repeat *work = calloc(n + 1, sizeof *work);
	enum err_code rc = work ? group_members(group, n, n_groups, &start, &member, e)
				: err_set(e, ERR_NOMEM, "%zu repeats", n);

	if (rc)
		goto done;
	x->run = calloc(n_groups, sizeof *x->run);
	x->n_runs = calloc(n_groups, sizeof *x->n_runs);
	if (!x->run || !x->n_runs) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", n_groups);
		goto done;
	}
	x->n_configurations = n_groups;
	for (size_t g = 0; g < n_groups; g++) {
		x->n_runs[g] = start[g + 1] - start[g];
		x->run[g] = median_run(runs, row, member + start[g], x->n_runs[g], work);
	}
done:
	free(start);
	free(work);
	return rc;
}

static enum err_code find_configurations(const struct dataset *runs, const size_t *column,
					 size_t n_key, struct kb_run_index *x, struct err *e)
{
	const struct row_key key = {.x = runs->rows,
				    .row_of = runs->row_of,
				    .n_columns = runs->n_columns,
				    .column = column,
				    .n_key = n_key};
	uint32_t *row = calloc(2 * runs->n + 1, sizeof *row);
	uint32_t *group = row ? row + runs->n : NULL;
	size_t n = 0, n_groups = 0;
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "an index of %zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->status[i] == RUN_OK)
			row[n++] = (uint32_t)i;
	}
	rc = group_by(&key, row, n, group, NULL, &n_groups, e);
	if (!rc && n_groups > 0)
		rc = keep_medians(runs, row, n, group, n_groups, x, e);
	free(row);
	return rc;
}

/* ---- the sample ---- */

/* What placement.h and axis.h look for in runs. */
static bool gives_candidates(const struct application *a, size_t i)
{
	const struct column *c = &a->column[i];

	if (i == a->i_nodes || i == a->i_procs || i == a->i_ppn || i == a->i_threads)
		return true;
	return (c->role == COL_TUNABLE || c->role == COL_RESOURCE) && c->candidates == CAND_SEEN;
}

/* candidate_points.h: which other problems there are. */
static bool gives_problems(const struct application *a, size_t i)
{
	return a->ad_hoc && a->column[i].role == COL_PROBLEM;
}

/* Mark the first run of each combination of the columns, and of status. */
static enum err_code mark_first(const struct dataset *runs, const size_t *column, size_t n_key,
				uint32_t *work, unsigned char *in_sample, struct err *e)
{
	const struct row_key key = {.x = runs->rows,
				    .row_of = runs->row_of,
				    .n_columns = runs->n_columns,
				    .column = column,
				    .n_key = n_key,
				    .source = runs->status};
	size_t n_groups;
	enum err_code rc;

	if (n_key == 0)
		return ERR_OK;
	rc = group_by(&key, NULL, runs->n, work, work + runs->n, &n_groups, e);
	for (size_t g = 0; !rc && g < n_groups; g++)
		in_sample[work[runs->n + g]] = 1;
	return rc;
}

static int by_number(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;

	return (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

/* The sample is read in the order of the numbers of its runs, and its digest is of that. */
static enum err_code order_sample(struct kb_run_index *x, struct err *e)
{
	struct repeat *run = calloc(x->n_sample + 1, sizeof *run);

	if (!run)
		return err_set(e, ERR_NOMEM, "a sample of %zu runs", x->n_sample);
	for (size_t i = 0; i < x->n_sample; i++)
		run[i] = (struct repeat){0, x->runs->run_id[x->sample[i]], x->sample[i]};
	qsort(run, x->n_sample, sizeof *run, by_number);
	for (size_t i = 0; i < x->n_sample; i++)
		x->sample[i] = run[i].run;
	free(run);
	return ERR_OK;
}

static enum err_code take_sample(const struct dataset *runs, size_t *column, struct kb_run_index *x,
				 struct err *e)
{
	uint32_t *work = calloc(2 * runs->n + 1, sizeof *work);
	unsigned char *in_sample = calloc(runs->n + 1, 1);
	enum err_code rc = work && in_sample ? ERR_OK : err_set(e, ERR_NOMEM, "a sample of runs");
	size_t n;

	if (!rc) {
		n = columns_of(runs->app, gives_candidates, column);
		rc = mark_first(runs, column, n, work, in_sample, e);
	}
	if (!rc) {
		n = columns_of(runs->app, gives_problems, column);
		rc = mark_first(runs, column, n, work, in_sample, e);
	}
	free(work);
	for (size_t i = 0; !rc && i < runs->n; i++)
		x->n_sample += in_sample[i];
	x->sample = calloc(x->n_sample + 1, sizeof *x->sample);
	if (!rc && !x->sample)
		rc = err_set(e, ERR_NOMEM, "a sample of %zu runs", x->n_sample);
	x->n_sample = 0;
	for (size_t i = 0; !rc && i < runs->n; i++) {
		if (in_sample[i])
			x->sample[x->n_sample++] = (uint32_t)i;
	}
	free(in_sample);
	return rc ? rc : order_sample(x, e);
}

enum err_code run_index_make(const struct dataset *runs, struct kb_run_index *out, struct err *e)
{
	struct kb_run_index x = {.runs = runs};
	size_t *column = calloc(runs->n_columns + 1, sizeof *column);
	enum err_code rc = column ? ERR_OK : err_set(e, ERR_NOMEM, "an index of runs");

	if (!rc)
		rc = find_configurations(runs, column,
					 columns_of(runs->app, tells_configurations_apart, column),
					 &x, e);
	if (!rc && x.n_configurations > 0 && !(rc = run_index_make_boxes(&x, e)))
		rc = take_sample(runs, column, &x, e);
	free(column);
	if (rc)
		run_index_release(&x);
	else
		*out = x;
	return rc;
}
