#include "mining/training/outcome_column.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"

enum { MIN_RUNS = 8, MAX_RUNS = 1000, MAX_LEVELS = 8, MAX_TERMS = 64, MIN_FREEDOM = 5 };

#define OWN_VALUES (2.0 / 3)
#define CORRELATION 0.995
#define EXPONENT_OFF 0.05
/* Less is rounding of what the other columns tell exactly. */
#define LEAST_SD 1e-5
/* A direction of which so little is left lies in the others. */
#define DEPENDENT 1e-6

/* Runs that ended, at most MAX_RUNS, evenly; and an orthonormal basis of what their columns say. */
struct known {
	const struct dataset *runs;
	size_t *run, n;
	double *basis; /* p vectors of n */
	size_t p;
	double *work; /* n */
};

static double value_of(const struct known *k, size_t i, size_t column)
{
	return dataset_row(k->runs, k->run[i])[column];
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Twice, as rounding leaves something the first time. */
static void free_from(const struct known *k, double *v)
{
	for (int round = 0; round < 2; round++) {
		for (size_t j = 0; j < k->p; j++) {
			const double *q = k->basis + j * k->n;
			const double part = dot(q, v, k->n);

			for (size_t i = 0; i < k->n; i++)
				v[i] -= part * q[i];
		}
	}
}

/* work[] as another direction. */
static void add_direction(struct known *k)
{
	const double before = sqrt(dot(k->work, k->work, k->n));
	double left;

	if (k->p == MAX_TERMS)
		return;
	free_from(k, k->work);
	left = sqrt(dot(k->work, k->work, k->n));
	if (!(left > DEPENDENT * before))
		return;
	for (size_t i = 0; i < k->n; i++)
		k->basis[k->p * k->n + i] = k->work[i] / left;
	k->p++;
}

/* level[]: the different values, at most `max` + 1 of them. */
static size_t find_levels(const struct known *k, size_t column, double *level, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n && n <= max; i++) {
		const double x = value_of(k, i, column);
		bool is_new = !isnan(x);

		for (size_t j = 0; j < n; j++)
			is_new = is_new && level[j] != x;
		if (is_new)
			level[n++] = x;
	}
	return n;
}

static void add_column(struct known *k, size_t column)
{
	double level[MAX_LEVELS + 1];
	const size_t n = find_levels(k, column, level, MAX_LEVELS);

	if (n <= MAX_LEVELS && k->p + n + MIN_FREEDOM < k->n) {
		for (size_t j = 0; j < n; j++) {
			for (size_t i = 0; i < k->n; i++)
				k->work[i] = value_of(k, i, column) == level[j];
			add_direction(k);
		}
		return;
	}
	for (size_t i = 0; i < k->n; i++) {
		const double x = value_of(k, i, column);

		k->work[i] = x > 0 ? log(x) : 0;
	}
	add_direction(k);
}

static bool is_candidate(const struct column *c)
{
	return c->role == COL_TUNABLE && c->type != COL_TEXT && c->candidates != CAND_GRID;
}

/* Has nearly every run a value of its own, all above 0? */
static bool has_own_values(const struct known *k, size_t column)
{
	size_t n = 1;

	for (size_t i = 0; i < k->n; i++) {
		k->work[i] = value_of(k, i, column);
		if (!(k->work[i] > 0) || isinf(k->work[i]))
			return false;
	}
	order_sort(k->work, k->n);
	for (size_t i = 1; i < k->n; i++)
		n += k->work[i] > k->work[i - 1];
	return (double)n >= OWN_VALUES * (double)k->n;
}

/* Candidates that vary from run to run tell nothing of each other: only settings are known. */
static void learn_others(struct known *k)
{
	const struct application *app = k->runs->app;

	k->p = 0;
	for (size_t i = 0; i < k->n; i++)
		k->work[i] = 1;
	add_direction(k);
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role != COL_DERIVED &&
		    !(is_candidate(&app->column[c]) && has_own_values(k, c)))
			add_column(k, c);
	}
}

/* y[n], z[n]: scratch. */
static bool is_outcome(const struct known *k, size_t column, double *y, double *z)
{
	double yy, zz, yz;

	if (k->p + MIN_FREEDOM > k->n)
		return false;
	for (size_t i = 0; i < k->n; i++) {
		y[i] = log(k->runs->wall_s[k->run[i]]);
		z[i] = log(value_of(k, i, column));
	}
	free_from(k, y);
	free_from(k, z);
	yy = dot(y, y, k->n);
	zz = dot(z, z, k->n);
	yz = dot(y, z, k->n);
	return sqrt(yy / (double)k->n) > LEAST_SD && sqrt(zz / (double)k->n) > LEAST_SD &&
	       fabs(yz) >= CORRELATION * sqrt(yy * zz) && fabs(fabs(yz / zz) - 1) <= EXPONENT_OFF;
}

/* ---- the time again, in other units ---- */

/* Of a value in steps of its last digit, half a step is below 5 %, or 0.2 %, of it. */
#define TOLD 10
#define TOLD_WELL 250
enum { MAX_DECIMALS = 9, MIN_VALUES = 3 };

/* One of the last digit that x[0..n-1] are written with; 0: of too many decimals to be rounded. */
static double step_of(const double *x, size_t n)
{
	for (int decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
		const double scale = pow(10, decimals);
		bool whole = true;

		for (size_t i = 0; i < n && whole; i++)
			whole = fabs(x[i] * scale - round(x[i] * scale)) <=
				1e-6 + 1e-12 * x[i] * scale;
		if (whole)
			return 1 / scale;
	}
	return 0;
}

/* Is z factor times t to the last digit of either, and are there digits enough to tell? */
static bool is_multiple(const struct known *k, const double *t, const double *z, double step_t,
			double factor, double digits)
{
	const double step = step_of(z, k->n);
	double first = NAN, second = NAN;
	size_t n_told = 0, n_values = 0;

	for (size_t i = 0; i < k->n; i++) {
		const double off = factor * t[i] / k->runs->wall_s[k->run[i]] * step_t / 2;

		if (!(fabs(z[i] - factor * t[i]) <= 1.001 * (step / 2 + off) + 1e-9 * z[i]))
			return false;
		if (!(z[i] > digits * step && k->runs->wall_s[k->run[i]] > digits * step_t))
			continue;
		n_told++;
		if (n_values < MIN_VALUES && z[i] != first && z[i] != second) {
			second = first;
			first = z[i];
			n_values++;
		}
	}
	return n_told >= MIN_RUNS && n_values == MIN_VALUES;
}

/* In the middle of those with which z may be rounded from t. */
static double factor_of(const struct known *k, const double *t, const double *z, double step_t)
{
	const double step = step_of(z, k->n);
	double least = 0, most = INFINITY;

	for (size_t i = 0; i < k->n; i++) {
		const double off = step_t / 2 / k->runs->wall_s[k->run[i]];

		least = fmax(least, (z[i] - step / 2) / (t[i] * (1 + off)));
		most = fmin(most, (z[i] + step / 2) / (t[i] * (1 - off)));
	}
	return (least + most) / 2;
}

/* Node-hours, core-hours, minutes: the time times an amount of resources, in hours, minutes or days
 * whatever the digits; by any other factor only what has digits enough, a value of its own in
 * nearly every run, and is no whole number, as sizes are. Runs that a model made may be as exact.
 * t, z: n each. */
static bool is_time_again(const struct known *k, size_t column, size_t resource, double *t,
			  double *z)
{
	static const double hours[] = {60, 3600, 86400};
	double step_t;

	for (size_t i = 0; i < k->n; i++) {
		t[i] = k->runs->wall_s[k->run[i]];
		z[i] = value_of(k, i, column);
		if (!(z[i] > 0) || isinf(z[i]) || k->runs->source[k->run[i]] != SOURCE_MEASURED)
			return false;
	}
	step_t = step_of(t, k->n);
	for (size_t i = 0; i < k->n && resource != SIZE_MAX; i++) {
		t[i] *= value_of(k, i, resource);
		if (!(t[i] > 0))
			return false;
	}
	for (size_t j = 0; j < sizeof hours / sizeof *hours; j++) {
		if (is_multiple(k, t, z, step_t, 1 / hours[j], TOLD))
			return true;
	}
	if (step_of(z, k->n) == 1 || !has_own_values(k, column))
		return false;
	return is_multiple(k, t, z, step_t, factor_of(k, t, z, step_t), TOLD_WELL);
}

/* By itself, or times one of the resources. */
static bool is_time_of_resources(const struct known *k, size_t column, double *t, double *z)
{
	const struct application *app = k->runs->app;

	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_RESOURCE && app->column[c].type != COL_TEXT &&
		    is_time_again(k, column, c, t, z))
			return true;
	}
	return is_time_again(k, column, SIZE_MAX, t, z);
}

static bool is_asked_for(const struct column *c)
{
	return (c->role == COL_PROBLEM || c->role == COL_WORKLOAD) && c->type != COL_TEXT;
}

static void list_ended(struct known *k)
{
	const struct dataset *d = k->runs;
	size_t n = 0, step;

	for (size_t i = 0; i < d->n; i++)
		n += d->status[i] == RUN_OK && d->wall_s[i] > 0;
	step = n / MAX_RUNS + 1;
	n = 0;
	for (size_t i = 0; i < d->n; i++) {
		if (d->status[i] == RUN_OK && d->wall_s[i] > 0 && n++ % step == 0)
			k->run[k->n++] = i;
	}
}

enum err_code outcome_column_find(const struct dataset *runs, size_t *column, struct err *e)
{
	const size_t room = runs->n < MAX_RUNS ? runs->n : MAX_RUNS;
	struct known k = {.runs = runs};
	double *y = calloc(2 * room + 1, sizeof *y);
	enum err_code rc = ERR_OK;

	*column = SIZE_MAX;
	k.run = calloc(room + 1, sizeof *k.run);
	k.basis = calloc(MAX_TERMS * room + 1, sizeof *k.basis);
	k.work = calloc(room + 1, sizeof *k.work);
	if (!y || !k.run || !k.basis || !k.work) {
		rc = err_set(e, ERR_NOMEM, "a look at the columns of %zu runs", runs->n);
		goto done;
	}
	list_ended(&k);
	if (k.n < MIN_RUNS || !runs->app->ad_hoc)
		goto done;
	learn_others(&k);
	for (size_t c = 0; c < runs->app->n_columns && *column == SIZE_MAX; c++) {
		const struct column *of = &runs->app->column[c];

		if ((is_candidate(of) && has_own_values(&k, c) && is_outcome(&k, c, y, y + room)) ||
		    ((is_candidate(of) || is_asked_for(of)) &&
		     is_time_of_resources(&k, c, y, y + room)))
			*column = c;
	}
done:
	free(y);
	free(k.run);
	free(k.basis);
	free(k.work);
	return rc;
}

/* ---- a target that is no time ---- */

enum { MIN_PROBLEMS = 3 };
#define SAME_START 0.02
#define CHANGED 1.5

/* Amounts of resources, to be compared within one group only. */
static double resources_of(const struct dataset *runs, uint32_t i)
{
	const struct application *app = runs->app;
	double product = 1;

	for (size_t c = 0; c < app->n_columns; c++) {
		const double x = dataset_row(runs, i)[c];

		if (app->column[c].role == COL_RESOURCE && app->column[c].type != COL_TEXT && x > 0)
			product *= x;
	}
	return product;
}

/* Of one problem, whose runs are member[0..n-1]: is a time with the least resources 1 or 100?
 * *changes: and are those with the most far from it? */
static bool starts_at_one(const struct dataset *runs, const uint32_t *member, size_t n,
			  bool *changes)
{
	double least = INFINITY, most = 0;
	bool starts = false, near = false;

	for (size_t k = 0; k < n; k++) {
		least = fmin(least, resources_of(runs, member[k]));
		most = fmax(most, resources_of(runs, member[k]));
	}
	for (size_t k = 0; k < n; k++) {
		const double amount = resources_of(runs, member[k]);
		const double s = runs->wall_s[member[k]], one = s < 10 ? 1 : 100;

		starts = starts || (amount == least && fabs(s / one - 1) <= SAME_START);
		near = near || (amount == most && s < CHANGED * one && s > one / CHANGED);
	}
	*changes = most > least && !near;
	return starts;
}

/* Speed-ups, efficiencies and relative times are 1 (or 100) with the least resources, whatever is
 * solved; times are not. */
static enum err_code find_normalised(const struct dataset *runs, bool *out, struct err *e)
{
	const struct application *app = runs->app;
	size_t *column = calloc(app->n_columns + 1, sizeof *column), n_groups = 0, n = 0;
	size_t n_normalised = 0, n_others = 0;
	uint32_t *group = calloc(runs->n + 1, sizeof *group),
		 *row = calloc(runs->n + 1, sizeof *row);
	uint32_t *start = NULL, *member = NULL;
	struct row_key key = row_key_of(runs, column);
	enum err_code rc = ERR_OK;

	*out = false;
	if (!column || !group || !row)
		rc = err_set(e, ERR_NOMEM, "a look at the times of %zu runs", runs->n);
	for (size_t c = 0; c < app->n_columns && !rc; c++) {
		if (app->column[c].role == COL_PROBLEM || app->column[c].role == COL_WORKLOAD)
			column[key.n_key++] = c;
	}
	for (size_t i = 0; i < runs->n && !rc; i++) {
		if (runs->status[i] == RUN_OK && runs->wall_s[i] > 0)
			row[n++] = (uint32_t)i;
	}
	if (!rc && !(rc = group_by(&key, row, n, group, NULL, &n_groups, e)))
		rc = group_members(group, n, n_groups, &start, &member, e);
	for (size_t k = 0; k < n && !rc; k++)
		member[k] = row[member[k]];
	for (size_t g = 0; g < n_groups && !rc; g++) {
		bool changes;

		if (!starts_at_one(runs, member + start[g], start[g + 1] - start[g], &changes))
			n_others++;
		else
			n_normalised += changes;
	}
	*out = n_normalised >= MIN_PROBLEMS && n_others == 0;
	free(column);
	free(group);
	free(row);
	free(start);
	return rc;
}

enum err_code outcome_column_refuse(const struct dataset *runs, struct err *e)
{
	bool normalised = false;
	size_t c = SIZE_MAX;
	enum err_code rc = runs->app->ad_hoc ? find_normalised(runs, &normalised, e) : ERR_OK;

	if (!rc)
		rc = outcome_column_find(runs, &c, e);
	if (!rc && normalised)
		return err_set(
			e, ERR_NODATA,
			"the times are 1 or 100 with the least resources, whatever is "
			"solved, and change with more: a speed-up, an efficiency or a "
			"relative time, no seconds. Make the application anew (another --app) "
			"with a column of times as --target");
	if (rc || c == SIZE_MAX)
		return rc;
	if (is_asked_for(&runs->app->column[c]))
		return err_set(e, ERR_NODATA,
			       "column '%s' comes out of a run: it is the time itself, or times a "
			       "resource, to the last digit; nobody can ask for it. Make the "
			       "application anew (another --app) without it in --problem",
			       runs->app->column[c].name);
	return err_set(
		e, ERR_NODATA,
		"column '%s' comes out of a run: beside the other columns it tells the time, "
		"and nearly every run has a value of its own; nobody can choose it. Make the "
		"application anew (another --app) without it in --tunable",
		runs->app->column[c].name);
}
