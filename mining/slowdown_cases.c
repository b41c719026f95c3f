#include "mining/slowdown_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/row_groups.h"

/* Fewer blocks than this cannot be held out in turn: a choice. */
enum { MIN_BLOCKS = 6 };

/* How many standard deviations of the repeats lie between configurations that noise may have told
 * apart. */
#define TIED_SD 2.0

/* A time further below all others of its case than this factor, and than thrice what lies between
 * those and their median, is no time of a run. Both are choices, on the side of keeping. */
#define ABSURD_FACTOR 3.0
#define ABSURD_SPREADS 3.0
enum { MIN_TO_JUDGE = 4 };

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

static enum err_code make_blocks(struct slowdown_table *t, const size_t *column, struct err *e)
{
	struct row_key key = {.x = t->runs->x, .n_columns = t->n_columns, .column = column};
	enum err_code rc;

	key.n_key = key_columns(t->app, false, (size_t *)column);
	rc = row_groups(&key, t->first_run, t->n, t->block, NULL, &t->n_problems, e);
	t->n_blocks = t->n_problems;
	t->block_kind = BLOCK_PROBLEM;
	if (rc || t->n_problems >= MIN_BLOCKS)
		return rc;
	if (t->n_strata >= MIN_BLOCKS) {
		memcpy(t->block, t->stratum, t->n * sizeof *t->block);
		t->n_blocks = t->n_strata;
		t->block_kind = BLOCK_CASE;
		return ERR_OK;
	}
	for (size_t i = 0; i < t->n; i++)
		t->block[i] = (uint32_t)i;
	t->n_blocks = t->n;
	t->block_kind = BLOCK_CONFIGURATION;
	return ERR_OK;
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
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "cases of %zu configurations", t->n);
	key.n_key = key_columns(t->app, true, column);
	rc = row_groups(&key, t->first_run, t->n, t->stratum, NULL, &t->n_strata, e);
	if (!rc)
		rc = make_blocks(t, column, e);
	free(column);
	return rc;
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How many of the sorted log times lie absurdly low: from the bottom, at most a tenth of them. */
static size_t count_absurd(const double *log_time, size_t n)
{
	size_t n_absurd = 0;

	while (n - n_absurd >= MIN_TO_JUDGE && n_absurd <= n / 10) {
		const double *rest = log_time + n_absurd + 1;
		size_t n_rest = n - n_absurd - 1;
		double gap = rest[0] - log_time[n_absurd];

		if (gap <= log(ABSURD_FACTOR) ||
		    gap <= ABSURD_SPREADS * (rest[n_rest / 2] - rest[0]))
			break;
		n_absurd++;
	}
	return n_absurd;
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
