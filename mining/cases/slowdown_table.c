#include "mining/cases/slowdown_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "base/compare.h"
#include "domain/rule.h"
#include "mining/numerics/group_by.h"

/* A derived column that depends on a choice is context all the same if hardly any of its variance
 * is within cases: the cells of a processor, which the shape of the grid changes by rounding only.
 * The bound is a choice. */
#define CONTEXT_WITHIN 0.05

bool slowdown_depends_on_choice(const struct application *a, size_t column)
{
	const struct column *c = &a->column[column];

	if (column == a->i_procs || column == a->i_nodes || column == a->i_ppn ||
	    column == a->i_threads)
		return false;
	if (c->role == COL_TUNABLE || (c->role == COL_RESOURCE && c->candidates == CAND_GRID))
		return true;
	for (size_t i = 0; c->role == COL_DERIVED && i < column; i++) {
		if (expr_uses(c->derived, i) && slowdown_depends_on_choice(a, i))
			return true;
	}
	return false;
}

/* Columns that are fetched from the rows together: a cache line of doubles. */
enum { TOGETHER = 8 };

/* value[k * t->n + i]: column first + k of configuration i. */
static void fetch_columns(const struct slowdown_table *t, size_t first, size_t n_columns,
			  double *value)
{
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i) + first;

		for (size_t k = 0; k < n_columns; k++)
			value[k * t->n + i] = row[k];
	}
}

static enum err_code make_codes(struct slowdown_table *t, size_t column, const double *value,
				struct err *e)
{
	const struct column *c = &t->app->column[column];
	unsigned char *code = t->code + column * t->n;
	enum err_code rc;

	rc = column_bins_make(value, t->n, c->type == COL_TEXT, &t->bins[column], e);
	for (size_t i = 0; i < t->n && !rc; i++)
		code[i] = i > 0 && value[i] == value[i - 1]
				  ? code[i - 1]
				  : column_bins_code(&t->bins[column], value[i]);
	return rc;
}

static bool is_constant(const struct slowdown_table *t, size_t column)
{
	const unsigned char *code = slowdown_codes(t, column);

	for (size_t i = 1; i < t->n; i++) {
		if (code[i] != code[0])
			return false;
	}
	return true;
}

static size_t find_copy(const struct slowdown_table *t, size_t column)
{
	for (size_t other = 0; other < column; other++) {
		if (t->use[other] != USE_NONE &&
		    t->bins[other].ordered == t->bins[column].ordered &&
		    t->bins[other].n == t->bins[column].n &&
		    !memcmp(slowdown_codes(t, other), slowdown_codes(t, column), t->n))
			return other;
	}
	return SIZE_MAX;
}

/* Share of the variance of a column's codes that lies within cases. */
static enum err_code share_within(const struct slowdown_table *t, size_t column, double *share,
				  struct err *e)
{
	const unsigned char *code = slowdown_codes(t, column);
	double *sum = calloc(2 * t->n_strata, sizeof *sum);
	double *count;
	double all = 0, squares = 0, between = 0, total;

	if (!sum)
		return err_set(e, ERR_NOMEM, "variance over %zu cases", t->n_strata);
	count = sum + t->n_strata;
	for (size_t i = 0; i < t->n; i++) {
		sum[t->stratum[i]] += code[i];
		count[t->stratum[i]]++;
		all += code[i];
		squares += (double)code[i] * code[i];
	}
	for (size_t s = 0; s < t->n_strata; s++)
		between += count[s] > 0 ? sum[s] * sum[s] / count[s] : 0;
	total = squares - all * all / (double)t->n;
	*share = total > 0 ? (squares - between) / total : 0;
	free(sum);
	return ERR_OK;
}

static enum err_code find_use(struct slowdown_table *t, size_t column, struct err *e)
{
	double within = 1;
	enum err_code rc = ERR_OK;

	t->use[column] = USE_NONE;
	t->copy_of[column] = SIZE_MAX;
	if (is_constant(t, column))
		return ERR_OK;
	t->copy_of[column] = find_copy(t, column);
	if (t->copy_of[column] != SIZE_MAX)
		return ERR_OK;
	t->use[column] = USE_CONTEXT;
	if (!slowdown_depends_on_choice(t->app, column))
		return ERR_OK;
	if (t->app->column[column].role == COL_DERIVED)
		rc = share_within(t, column, &within, e);
	if (within >= CONTEXT_WITHIN)
		t->use[column] = USE_CHOICE;
	return rc;
}

/* bins, code, use and copy_of. */
static enum err_code slowdown_make_columns(struct slowdown_table *t, struct err *e)
{
	double *value = malloc((TOGETHER * t->n + 1) * sizeof *value);
	enum err_code rc = ERR_OK;

	t->bins = calloc(t->n_columns, sizeof *t->bins);
	t->use = calloc(t->n_columns, sizeof *t->use);
	t->copy_of = calloc(t->n_columns, sizeof *t->copy_of);
	t->code = malloc(t->n_columns * t->n + 1);
	if (!value || !t->bins || !t->use || !t->copy_of || !t->code) {
		free(value);
		return err_set(e, ERR_NOMEM, "codes of %zu configurations", t->n);
	}
	for (size_t c = 0; c < t->n_columns && !rc; c++) {
		size_t left = t->n_columns - c;

		if (c % TOGETHER == 0)
			fetch_columns(t, c, left < TOGETHER ? left : TOGETHER, value);
		if (!(rc = make_codes(t, c, value + c % TOGETHER * t->n, e)))
			rc = find_use(t, c, e);
	}
	free(value);
	return rc;
}

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

/* Columns that say what is to be solved; of a case also those that say on what. column[] has room
 * for all columns. */
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
	struct row_key key = row_key_of(t->runs, column);

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
	struct row_key key = row_key_of(t->runs, column);
	enum err_code rc;

	key.n_key = key_columns(t->app, false, column);
	if ((rc = number_problems(t, &key, first, e)))
		return rc;
	fall_back(t);
	return name_blocks(t, column, e);
}

/* stratum, block and their counts, from configurations. */
static enum err_code slowdown_make_cases(struct slowdown_table *t, struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	struct row_key key = row_key_of_configurations(t->runs, column);
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
	qsort(time, n, sizeof *time, compare_doubles);
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

/* log_slowdown, from log_time and stratum. */
static enum err_code slowdown_compare(struct slowdown_table *t, struct err *e)
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
	struct row_key key = row_key_of_configurations(t->runs, column);
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

/* Fewer cases than this are sampled from, not chosen among. */
enum { MIN_CASES = 100 };

/* In [0, 1), without pattern. */
static double fraction(uint32_t number)
{
	uint64_t h = (number + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (double)((h ^ h >> 32) >> 11) * 0x1p-53;
}

enum err_code sample_fold(const struct slowdown_table *t, const unsigned char *fold, unsigned which,
			  size_t most, struct slowdown_table **out, struct err *e)
{
	unsigned char *keep = calloc(t->n + 1, 1);
	size_t n = 0;
	double share;
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "sample of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		keep[i] = !fold || fold[t->block[i]] == which;
		n += keep[i];
	}
	share = (double)most / (double)(n > 0 ? n : 1);
	for (size_t i = 0; i < t->n && share < 1; i++) {
		uint32_t number = t->n_strata >= MIN_CASES ? t->stratum[i] : (uint32_t)i;

		keep[i] = keep[i] && fraction(number) < share;
	}
	rc = slowdown_table_subset(t, keep, out, e);
	free(keep);
	return rc;
}
