#include "mining/cases/slowdown_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"

/* Fewer blocks than this cannot be held out in turn: a choice. */
enum { MIN_BLOCKS = 6 };

/* How many standard deviations of the repeats lie between configurations that noise may have told
 * apart. */
#define TIED_SD 2.0

/* Times further below all others of their case than this factor, and than thrice what lies between
 * those and their median, are no times of runs that did their work. All are choices, on the side of
 * keeping: a choice that is this much better than nine in ten others is rare, a run that stopped at
 * once is not. */
#define ABSURD_FACTOR 10.0
#define ABSURD_SPREADS 3.0
enum { MIN_TO_JUDGE = 3 };

/* Columns that say what is to be solved; of a case also those that say on what. */
static size_t key_columns(const struct application *a, bool of_case, size_t *column)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];
		bool problem = c->role == COL_PROBLEM || c->role == COL_WORKLOAD;
		bool resource = i == a->i_procs ||
				(c->role == COL_RESOURCE && !slowdown_depends_on_choice(a, i));

		if (problem || (of_case && resource))
			column[n++] = i;
	}
	return n;
}

/* column[]: room for as many as there are. */
/* block, from the strata or the configurations where problems are too few. */
static void fall_back(struct slowdown_table *t)
{
	t->n_blocks = t->n_problems;
	t->block_kind = BLOCK_PROBLEM;
	if (t->n_problems >= MIN_BLOCKS)
		return;
	if (t->n_strata >= MIN_BLOCKS) {
		memcpy(t->block, t->stratum, t->n * sizeof *t->block);
		t->n_blocks = t->n_strata;
		t->block_kind = BLOCK_CASE;
		return;
	}
	for (size_t i = 0; i < t->n; i++)
		t->block[i] = (uint32_t)i;
	t->n_blocks = t->n;
	t->block_kind = BLOCK_CONFIGURATION;
}

/* A configuration alone is told from others by its tunables: all stored columns. */
static size_t stored_columns(const struct application *a, size_t *column)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			column[n++] = i;
	}
	return n;
}

static enum err_code name_blocks(struct slowdown_table *t, size_t *column, struct err *e)
{
	struct row_key key = {.x = t->runs->x, .n_columns = t->n_columns, .column = column};

	t->block_key = calloc(t->n_blocks + 1, sizeof *t->block_key);
	if (!t->block_key)
		return err_set(e, ERR_NOMEM, "%zu blocks", t->n_blocks);
	key.n_key = t->block_kind == BLOCK_CONFIGURATION
			    ? stored_columns(t->app, column)
			    : key_columns(t->app, t->block_kind == BLOCK_CASE, column);
	for (size_t i = 0; i < t->n; i++)
		t->block_key[t->block[i]] = row_hash(&key, t->first_run[i]);
	return ERR_OK;
}

/* A case has one problem: they are numbered case by case. first[]: a run of each case. */
static enum err_code number_problems(struct slowdown_table *t, const struct row_key *key,
				     const uint32_t *first, struct err *e)
{
	uint32_t *problem = malloc((t->n_strata + 1) * sizeof *problem);
	enum err_code rc;

	if (!problem)
		return err_set(e, ERR_NOMEM, "problems of %zu cases", t->n_strata);
	rc = group_by(key, first, t->n_strata, problem, NULL, &t->n_problems, e);
	for (size_t i = 0; i < t->n && !rc; i++)
		t->block[i] = problem[t->stratum[i]];
	free(problem);
	return rc;
}

static enum err_code make_blocks(struct slowdown_table *t, size_t *column, const uint32_t *first,
				 struct err *e)
{
	struct row_key key = {.x = t->runs->x, .n_columns = t->n_columns, .column = column};
	enum err_code rc;

	key.n_key = key_columns(t->app, false, column);
	if ((rc = number_problems(t, &key, first, e)))
		return rc;
	fall_back(t);
	return name_blocks(t, column, e);
}

enum err_code slowdown_make_cases(struct slowdown_table *t, struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	struct row_key key = {
		.x = t->runs->x,
		.n_columns = t->n_columns,
		.column = column,
		.machine = t->runs->machine_id,
		.source = t->runs->source,
	};
	uint32_t *first = malloc((t->n + 1) * sizeof *first);
	enum err_code rc;

	if (!column || !first) {
		rc = err_set(e, ERR_NOMEM, "cases of %zu configurations", t->n);
		goto done;
	}
	key.n_key = key_columns(t->app, true, column);
	rc = group_by(&key, t->first_run, t->n, t->stratum, first, &t->n_strata, e);
	if (!rc)
		rc = make_blocks(t, column, first, e);
done:
	free(first);
	free(column);
	return rc;
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How many of the sorted log times lie absurdly low: at most one, and one more for every ten. The
 * most that leave a gap above them: failed runs come in twos and threes that are like each other.
 */
static size_t count_absurd(const double *log_time, size_t n)
{
	for (size_t k = n / 10 + 1; k > 0; k--) {
		double gap, half;

		if (n < k + MIN_TO_JUDGE)
			continue;
		gap = log_time[k] - log_time[k - 1];
		half = log_time[k + (n - k) / 2] - log_time[k];
		if (gap > log(ABSURD_FACTOR) && gap > ABSURD_SPREADS * half)
			return k;
	}
	return 0;
}

/* Slow-downs of one case; time[n] is scratch. */
static void compare_case(struct slowdown_table *t, const uint32_t *member, size_t n, double *time)
{
	double fastest, best = 0, n_best = 0;

	for (size_t k = 0; k < n; k++)
		time[k] = t->log_time[member[k]];
	qsort(time, n, sizeof *time, by_time);
	fastest = time[count_absurd(time, n)];
	for (size_t k = 0; k < n; k++) {
		double above = time[k] - fastest;

		if (above >= 0 && above <= TIED_SD * t->noise) {
			best += time[k];
			n_best++;
		}
	}
	best /= n_best;
	for (size_t k = 0; k < n; k++) {
		double log_time = t->log_time[member[k]];

		t->log_slowdown[member[k]] =
			n < 2 || log_time < fastest ? (double)NAN : fmax(0, log_time - best);
	}
}

enum err_code slowdown_compare(struct slowdown_table *t, struct err *e)
{
	uint32_t *start = NULL, *member;
	double *time = malloc((t->n + 1) * sizeof *time);
	enum err_code rc;

	if (!time)
		return err_set(e, ERR_NOMEM, "slow-downs of %zu configurations", t->n);
	if (!(rc = group_members(t->stratum, t->n, t->n_strata, &start, &member, e))) {
		for (size_t s = 0; s < t->n_strata; s++)
			compare_case(t, member + start[s], start[s + 1] - start[s], time);
	}
	free(start);
	free(time);
	return rc;
}
