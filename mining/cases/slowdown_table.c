#include "mining/cases/slowdown_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "domain/rule.h"
#include "mining/numerics/group_by.h"
#include "mining/cases/slowdown_private.h"

void slowdown_table_free(struct slowdown_table *t)
{
	if (!t)
		return;
	if (!t->whole) {
		free(t->block_key);
		for (size_t c = 0; t->bins && c < t->n_columns; c++)
			column_bins_release(&t->bins[c]);
		free(t->bins);
		free(t->use);
		free(t->copy_of);
	}
	free(t->code);
	free(t->log_time);
	free(t->log_slowdown);
	free(t->n_runs);
	free(t->first_run);
	free(t->stratum);
	free(t->block);
	free(t->config_of_run);
	free(t);
}

static bool reserve(struct slowdown_table *t, size_t n)
{
	t->log_time = malloc((n + 1) * sizeof *t->log_time);
	t->log_slowdown = malloc((n + 1) * sizeof *t->log_slowdown);
	t->n_runs = calloc(n + 1, sizeof *t->n_runs);
	t->first_run = calloc(n + 1, sizeof *t->first_run);
	t->stratum = calloc(n + 1, sizeof *t->stratum);
	t->block = calloc(n + 1, sizeof *t->block);
	return t->log_time && t->log_slowdown && t->n_runs && t->first_run && t->stratum &&
	       t->block;
}

/* The times of every configuration's repeats to their median, and pairs of repeats to the noise:
 * the difference of two has standard deviation sqrt(2) noise, and the median of its absolute value
 * is 0.6745 of that for a normal distribution. Pairs, as most configurations have few repeats. */
static enum err_code reduce_repeats(struct slowdown_table *t, const uint32_t *run,
				    const uint32_t *start, const uint32_t *member, struct err *e)
{
	double *time = malloc((t->runs->n + 1) * sizeof *time);
	double *pair = malloc((t->runs->n / 2 + 1) * sizeof *pair);
	size_t n_pairs = 0;

	if (!time || !pair) {
		free(time);
		free(pair);
		return err_set(e, ERR_NOMEM, "medians of %zu configurations", t->n);
	}
	for (size_t c = 0; c < t->n; c++) {
		size_t n = start[c + 1] - start[c];

		for (size_t k = 0; k < n; k++) {
			time[k] = log(t->runs->wall_s[run[member[start[c] + k]]]);
			if (k % 2 == 1)
				pair[n_pairs++] = fabs(time[k] - time[k - 1]);
		}
		t->n_runs[c] = (uint32_t)n;
		t->log_time[c] = gsl_stats_median(time, 1, n);
	}
	t->noise = n_pairs > 0 ? gsl_stats_median(pair, 1, n_pairs) / (0.6745 * sqrt(2)) : 0;
	free(time);
	free(pair);
	return ERR_OK;
}

/* Stored columns make the configuration; derived ones follow from them. */
static enum err_code group_runs(const struct slowdown_table *t, const uint32_t *run, size_t n_runs,
				uint32_t *group, uint32_t *first, size_t *n_groups, struct err *e)
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
		return err_set(e, ERR_NOMEM, "columns of %s", t->app->name);
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role != COL_DERIVED)
			column[key.n_key++] = c;
	}
	rc = group_by(&key, run, n_runs, group, first, n_groups, e);
	free(column);
	return rc;
}

static size_t list_counting(const struct dataset *runs, uint32_t *run)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		if (rule_counts_run(runs, i))
			run[n++] = (uint32_t)i;
	}
	return n;
}

static enum err_code make_configurations(struct slowdown_table *t, struct err *e)
{
	size_t n_all = t->runs->n, n_runs;
	uint32_t *run = malloc((3 * n_all + 1) * sizeof *run);
	uint32_t *group, *first;
	uint32_t *start = NULL, *member;
	enum err_code rc;

	t->config_of_run = malloc((n_all + 1) * sizeof *t->config_of_run);
	if (!run || !t->config_of_run) {
		rc = err_set(e, ERR_NOMEM, "configurations of %zu runs", n_all);
		goto done;
	}
	group = run + n_all;
	first = group + n_all;
	n_runs = list_counting(t->runs, run);
	if (n_runs == 0) {
		rc = err_set(e, ERR_NODATA, "none of %zu runs ended well", n_all);
		goto done;
	}
	if ((rc = group_runs(t, run, n_runs, group, first, &t->n, e)) ||
	    (rc = group_members(group, n_runs, t->n, &start, &member, e)))
		goto done;
	if (!reserve(t, t->n)) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", t->n);
		goto done;
	}
	memcpy(t->first_run, first, t->n * sizeof *first);
	memset(t->config_of_run, 0xff, n_all * sizeof *t->config_of_run);
	for (size_t k = 0; k < n_runs; k++)
		t->config_of_run[run[k]] = group[k];
	rc = reduce_repeats(t, run, start, member, e);
done:
	free(start);
	free(run);
	return rc;
}

enum err_code slowdown_table_make(const struct dataset *runs, const struct progress *p,
				  struct slowdown_table **out, struct err *e)
{
	struct slowdown_table *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "slow-down table");
	t->app = runs->app;
	t->runs = runs;
	t->n_columns = runs->n_columns;
	if (!progress_step(p, "comparing runs", 0, 0))
		rc = err_set(e, ERR_INTERRUPTED, "interrupted while comparing runs");
	else if (!(rc = make_configurations(t, e)) && !(rc = slowdown_make_cases(t, e)) &&
		 !(rc = slowdown_compare(t, e)))
		rc = slowdown_make_columns(t, e);
	if (rc)
		slowdown_table_free(t);
	else
		*out = t;
	return rc;
}

enum err_code slowdown_table_subset(const struct slowdown_table *t, const unsigned char *keep,
				    struct slowdown_table **out, struct err *e)
{
	struct slowdown_table *kept = malloc(sizeof *kept);
	uint32_t *from = malloc((t->n + 1) * sizeof *from);
	size_t n = 0;

	if (!kept || !from) {
		free(kept);
		free(from);
		return err_set(e, ERR_NOMEM, "part of a slow-down table");
	}
	for (size_t i = 0; i < t->n; i++) {
		from[n] = (uint32_t)i;
		n += keep[i] != 0;
	}
	*kept = *t;
	kept->whole = t;
	kept->config_of_run = NULL;
	kept->n = n;
	kept->code = malloc(n * t->n_columns + 1);
	if (!reserve(kept, n) || !kept->code) {
		slowdown_table_free(kept);
		free(from);
		return err_set(e, ERR_NOMEM, "part of a slow-down table");
	}
	for (size_t k = 0; k < n; k++) {
		kept->log_time[k] = t->log_time[from[k]];
		kept->log_slowdown[k] = t->log_slowdown[from[k]];
		kept->n_runs[k] = t->n_runs[from[k]];
		kept->first_run[k] = t->first_run[from[k]];
		kept->stratum[k] = t->stratum[from[k]];
		kept->block[k] = t->block[from[k]];
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		const unsigned char *code = slowdown_codes(t, c);
		unsigned char *to = kept->code + c * n;

		for (size_t k = 0; k < n; k++)
			to[k] = code[from[k]];
	}
	free(from);
	*out = kept;
	return ERR_OK;
}

/* With fewer blocks a draw leaves some folds next to empty. */
enum { MIN_DRAWN_BLOCKS = 24 };

struct keyed_block {
	uint64_t key;
	uint32_t block;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed_block *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

enum err_code slowdown_folds(const struct slowdown_table *t, unsigned n_folds, unsigned char *fold,
			     struct err *e)
{
	struct keyed_block *order = calloc(t->n_blocks + 1, sizeof *order);

	if (!order)
		return err_set(e, ERR_NOMEM, "folds of %zu blocks", t->n_blocks);
	for (size_t b = 0; b < t->n_blocks; b++)
		order[b] = (struct keyed_block){t->block_key[b], (uint32_t)b};
	qsort(order, t->n_blocks, sizeof *order, by_key);
	for (size_t k = 0; k < t->n_blocks; k++) {
		size_t draw = t->n_blocks < MIN_DRAWN_BLOCKS ? k : order[k].key >> 32;

		fold[order[k].block] = (unsigned char)(draw % n_folds);
	}
	free(order);
	return ERR_OK;
}
