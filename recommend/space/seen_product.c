#include "recommend/space/seen_product.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "domain/configuration.h"
#include "mining/numerics/group_by.h"

enum { WORD = 64, STEPS_PER_POLL = 65536, LEAST_OF_A_KIND = 3 };

const char *origin_name(enum origin o)
{
	static const char *const name[ORIGIN_COUNT] = {
		[ORIGIN_RUN] = "run",
		[ORIGIN_PAIRS] = "pairs",
		[ORIGIN_BETWEEN] = "between",
		[ORIGIN_BEYOND] = "beyond",
	};

	return name[o];
}

/* A combination that was not run; values[slot] are its. */
struct pooled {
	uint64_t hash;
	size_t slot;
};

struct product {
	const struct seen_product_input *in;
	struct seen_product *out;
	struct axis *a;
	const size_t *column; /* of out->run; nodes (or processes) come first, if they are there */
	size_t n;
	size_t k_procs; /* position of procs where they are by the node; SIZE_MAX: none */
	double *level;	/* different values of each column, ascending; of nodes new ones last */
	size_t *first;	/* n + 1: where those of a column begin */
	size_t n_levels;
	uint64_t *pair; /* n_levels * words: do two levels go together? */
	size_t words;
	uint64_t *mask;	  /* (n + 1) * words: levels left after the choices so far */
	double *row;	  /* the choices so far */
	double *complete; /* a row with derived columns */
	double *tuple;	  /* a combination of the axis's columns */
	const struct kept_invariants *keep; /* NULL: none */
	struct pooled *pool;
	double *value; /* 2 * SEEN_PRODUCT_MAX combinations of the axis's columns */
	size_t n_pool;
	uint64_t most_hash;
	uint64_t steps;
};

static bool bit_get(const uint64_t *set, size_t i)
{
	return set[i / WORD] >> (i % WORD) & 1;
}

static void bit_set(uint64_t *set, size_t i)
{
	set[i / WORD] |= UINT64_C(1) << (i % WORD);
}

static uint64_t *pairs_of(const struct product *p, size_t level)
{
	return p->pair + level * p->words;
}

/* ---- columns ---- */

/* Free ones and fixed ones; what grows with the machine first. */
static size_t list_columns(const struct seen_product_input *in, const struct axis *a,
			   size_t *column)
{
	const struct application *app = in->app;
	size_t n = 0;

	for (size_t k = 0; k < a->n_columns; k++)
		column[n++] = a->column[k];
	for (size_t i = 0; i < app->n_columns; i++) {
		if (in->agree[i])
			column[n++] = i;
	}
	for (int pass = 0; pass < 2; pass++) {
		size_t wanted = pass == 0 ? app->i_procs : app->i_nodes;

		for (size_t k = 1; k < n; k++) {
			if (column[k] != wanted)
				continue;
			memmove(column + 1, column, k * sizeof *column);
			column[0] = wanted;
		}
	}
	return n;
}

static void find_scale(struct product *p)
{
	const struct application *app = p->in->app;
	size_t i = p->column[0];

	p->k_procs = SIZE_MAX;
	p->out->i_scale = i == app->i_nodes || i == app->i_procs ? i : SIZE_MAX;
	for (size_t k = 1; k < p->n && i == app->i_nodes; k++) {
		if (p->column[k] == app->i_procs)
			p->k_procs = k;
	}
}

/* What is combined: of processes those on a node. tuple: of out->run. */
static double value_at(const struct product *p, const double *tuple, size_t k)
{
	return k == p->k_procs ? tuple[k] / tuple[0] : tuple[k];
}

/* ---- levels ---- */

static size_t sort_values(double *value, size_t n)
{
	size_t kept = 0;

	qsort(value, n, sizeof *value, compare_doubles);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || value[i] != value[kept - 1])
			value[kept++] = value[i];
	}
	return kept;
}

/* Codes run on cubes, on squares, or on whole nodes of 12: the counts are factor x^power. */
struct count_kind {
	int power;
	double factor;
};

static bool is_power_of_two(double x)
{
	int exponent;

	return frexp(x, &exponent) == 0.5;
}

static bool is_power(double x, int power)
{
	return pow(round(pow(x, 1.0 / power)), power) == x;
}

static double common_divisor(const double *x, size_t n)
{
	double divisor = x[0];

	for (size_t i = 1; i < n; i++) {
		for (double a = x[i]; a > 0;) {
			const double rest = fmod(divisor, a);

			divisor = a;
			a = rest;
		}
	}
	return divisor;
}

/* Of counts that were run, ascending. People scan by doublings, so that powers of two tell of no
 * kind; nor do one count or two. */
static struct count_kind kind_of_counts(const double *seen, size_t n)
{
	struct count_kind kind = {.power = 1, .factor = 1};
	const double *above = seen[0] == 1 ? seen + 1 : seen;
	const size_t n_above = n - (size_t)(above - seen);
	bool doublings = true;

	for (size_t i = 0; i < n_above; i++)
		doublings = doublings && is_power_of_two(above[i]);
	if (n < LEAST_OF_A_KIND || doublings)
		return kind;
	for (int power = 2; power <= 3; power++) {
		size_t n_powers = 0;

		while (n_powers < n_above && is_power(above[n_powers], power))
			n_powers++;
		if (n_powers == n_above)
			kind.power = power;
	}
	if (kind.power == 1 && !is_power_of_two(common_divisor(seen, n)))
		kind.factor = common_divisor(seen, n);
	return kind;
}

/* Of powers of two and what is halfway between them those of the kind of counts that were run, or
 * the value that is asked for. Written to out (room for 128), ascending; values that were run may
 * be among them. */
static size_t steps_of_scale(const struct product *p, struct count_kind kind, double *out)
{
	double fixed = p->in->given[p->out->i_scale];
	double most = p->out->i_scale == p->in->app->i_nodes
			      ? (double)p->in->placement->max_nodes
			      : placement_most_procs(p->in->placement);
	size_t n = 0;

	if (!isnan(fixed)) {
		out[n++] = fixed;
		return n;
	}
	for (double x = 1; kind.factor * pow(x, kind.power) <= most && n < 126; x *= 2) {
		const double between = kind.factor * pow(1.5 * x, kind.power);

		out[n++] = kind.factor * pow(x, kind.power);
		if (x > 1 && between <= most)
			out[n++] = between;
	}
	return n;
}

/* New counts of nodes: those steps above the least that no run has. Returns how many. */
static size_t add_scale_levels(const struct product *p, const double *seen, size_t n_seen,
			       double *out)
{
	double step[128];
	size_t n_steps, n = 0;

	if (p->out->i_scale == SIZE_MAX || n_seen == 0)
		return 0;
	n_steps = steps_of_scale(p, kind_of_counts(seen, n_seen), step);
	for (size_t i = 0; i < n_steps; i++) {
		bool fixed = !isnan(p->in->given[p->out->i_scale]);

		if (!bsearch(&step[i], seen, n_seen, sizeof *seen, compare_doubles) &&
		    (fixed || step[i] > seen[0]))
			out[n++] = step[i];
	}
	return n;
}

static enum err_code find_levels(struct product *p, struct err *e)
{
	const struct axis *run = &p->out->run;

	p->first = calloc(p->n + 1, sizeof *p->first);
	p->level = calloc(run->n * p->n + 128, sizeof *p->level);
	if (!p->first || !p->level)
		return err_set(e, ERR_NOMEM, "values of %zu columns", p->n);
	for (size_t k = 0; k < p->n; k++) {
		double *value = p->level + p->n_levels;
		size_t n;

		p->first[k] = p->n_levels;
		for (size_t i = 0; i < run->n; i++)
			value[i] = value_at(p, run->value + i * p->n, k);
		n = sort_values(value, run->n);
		if (k == 0 && n > 0) {
			p->out->least = value[0];
			p->out->largest = value[n - 1];
			n += add_scale_levels(p, value, n, value + n);
		}
		p->n_levels += n;
	}
	p->first[p->n] = p->n_levels;
	p->words = p->n_levels / WORD + 1;
	return ERR_OK;
}

/* How many levels of nodes were run: they come first. */
static size_t n_seen_scales(const struct product *p)
{
	size_t n = 0;

	while (n < p->first[1] && (n == 0 || p->level[n] > p->level[n - 1]) &&
	       p->level[n] <= p->out->largest)
		n++;
	return n;
}

/* Of column k; SIZE_MAX: no run has it. Nodes that are new are found, too. */
static size_t find_level(const struct product *p, size_t k, double value)
{
	for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
		if (p->level[i] == value)
			return i;
	}
	return SIZE_MAX;
}

static size_t level_in_order(const struct product *p, size_t k, double value, size_t n)
{
	const double *at =
		bsearch(&value, p->level + p->first[k], n, sizeof value, compare_doubles);

	return (size_t)(at - p->level);
}

/* ---- pairs ---- */

/* What goes with a count of nodes that no run has: what goes with those around it. */
static void pair_new_scale(struct product *p, size_t i, size_t n_seen)
{
	uint64_t *own = pairs_of(p, i);
	size_t above = 0;

	while (above < n_seen && p->level[above] < p->level[i])
		above++;
	for (size_t w = 0; w < p->words; w++) {
		own[w] = pairs_of(p, above < n_seen ? above : n_seen - 1)[w];
		if (above > 0)
			own[w] &= pairs_of(p, above - 1)[w];
	}
	for (size_t l = p->first[1]; l < p->n_levels; l++) {
		if (bit_get(own, l))
			bit_set(pairs_of(p, l), i);
	}
}

static enum err_code find_pairs(struct product *p, struct err *e)
{
	const struct axis *run = &p->out->run;
	size_t n_scales = p->out->i_scale == SIZE_MAX ? p->first[1] : n_seen_scales(p);
	size_t *at = calloc(p->n, sizeof *at);

	p->pair = calloc(p->n_levels * p->words, sizeof *p->pair);
	if (!at || !p->pair) {
		free(at);
		return err_set(e, ERR_NOMEM, "pairs of %zu values", p->n_levels);
	}
	for (size_t i = 0; i < run->n; i++) {
		for (size_t k = 0; k < p->n; k++)
			at[k] = level_in_order(p, k, value_at(p, run->value + i * p->n, k),
					       k == 0 ? n_scales : p->first[k + 1] - p->first[k]);
		for (size_t k = 0; k < p->n; k++) {
			for (size_t l = 0; l < p->n; l++)
				bit_set(pairs_of(p, at[k]), at[l]);
		}
	}
	free(at);
	for (size_t i = n_scales; i < p->first[1]; i++)
		pair_new_scale(p, i, n_scales);
	return ERR_OK;
}

/* All levels of free columns; of a fixed one its own, or all if no run has it: then it goes with
 * everything. Processes are fixed when they are complete. */
static void first_mask(struct product *p)
{
	memset(p->mask, 0, p->words * sizeof *p->mask);
	for (size_t k = 0; k < p->n; k++) {
		double given = p->in->given[p->column[k]];
		size_t own = isnan(given) || k == p->k_procs ? SIZE_MAX : find_level(p, k, given);

		for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
			if (own == SIZE_MAX || i == own)
				bit_set(p->mask, i);
		}
	}
}

/* ---- combinations ---- */

static int by_hash(const void *a, const void *b)
{
	const struct pooled *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Back to SEEN_PRODUCT_MAX, those of least hash. Slots of the others come behind, to be used
 * again. */
static void shrink_pool(struct product *p)
{
	if (p->n_pool <= SEEN_PRODUCT_MAX)
		return;
	qsort(p->pool, p->n_pool, sizeof *p->pool, by_hash);
	p->n_pool = SEEN_PRODUCT_MAX;
	p->most_hash = p->pool[p->n_pool - 1].hash;
	p->out->cut = true;
}

static void pool_add(struct product *p, const double *row)
{
	const struct row_key key = {.x = row,
				    .n_columns = p->in->app->n_columns,
				    .column = p->a->column,
				    .n_key = p->a->n_columns};
	uint64_t hash = row_hash(&key, 0);
	struct pooled *item = &p->pool[p->n_pool];

	if (hash > p->most_hash)
		return;
	item->hash = hash;
	for (size_t k = 0; k < p->a->n_columns; k++)
		p->value[item->slot * p->a->n_columns + k] = row[p->a->column[k]];
	if (++p->n_pool == 2 * (size_t)SEEN_PRODUCT_MAX)
		shrink_pool(p);
}

/* A whole number where rounding alone is in the way. */
static double near_whole(double v)
{
	return fabs(v - nearbyint(v)) < 1e-6 * v ? nearbyint(v) : v;
}

/* Processes of a row whose nodes are set; false: they are no whole number, or not those asked for.
 */
static bool put_procs(const struct product *p, double each, double *row)
{
	double given = p->in->given[p->in->app->i_procs];
	double procs = near_whole(each * row[p->in->app->i_nodes]);

	row[p->in->app->i_procs] = procs;
	return procs == floor(procs) && (isnan(given) || procs == given);
}

static double value_of(const double *row, size_t i_column)
{
	return i_column == SIZE_MAX ? (double)NAN : row[i_column];
}

/* Are there no more processes on a node than it has cores? */
static bool fits_cores(const struct product *p, const double *row)
{
	const struct application *app = p->in->app;
	double each = value_of(row, app->i_ppn), threads = value_of(row, app->i_threads);

	if (isnan(each))
		each = value_of(row, app->i_procs) / value_of(row, app->i_nodes);
	each *= threads > 1 ? threads : 1;
	return !(p->in->placement->cores > 0 && each > p->in->placement->cores);
}

/* A choice of all columns. */
static enum err_code take(struct product *p, struct err *e)
{
	double *row = p->complete;

	memcpy(row, p->row, p->in->app->n_columns * sizeof *row);
	configuration_derive(p->in->app, row);
	if (!placement_within(p->in->placement, row) ||
	    (p->keep && !kept_invariants_allow(p->keep, row)))
		return ERR_OK;
	if (!axis_has(&p->out->run, row)) {
		if (fits_cores(p, row))
			pool_add(p, row);
		return ERR_OK;
	}
	for (size_t k = 0; k < p->a->n_columns; k++)
		p->tuple[k] = row[p->a->column[k]];
	return axis_add(p->a, p->tuple, e);
}

/* Another step is allowed; polled now and then. */
static enum err_code step(struct product *p, struct err *e)
{
	if (++p->steps >= SEEN_PRODUCT_STEPS)
		p->out->cut = true;
	if (p->steps % STEPS_PER_POLL == 0 && !progress_step(p->in->progress, "search", 0, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted while combining what was run");
	return ERR_OK;
}

static enum err_code combine(struct product *p, size_t k, struct err *e);

/* Column k takes one of its levels. */
static enum err_code choose(struct product *p, size_t k, size_t level, struct err *e)
{
	const uint64_t *mask = p->mask + k * p->words;
	uint64_t *left = p->mask + (k + 1) * p->words;
	double *at = &p->row[p->column[k]], given = p->in->given[p->column[k]];
	enum err_code rc = step(p, e);

	if (rc || p->steps >= SEEN_PRODUCT_STEPS)
		return rc;
	if (k == p->k_procs) {
		if (!put_procs(p, p->level[level], p->row))
			return ERR_OK;
	} else {
		*at = isnan(given) ? p->level[level] : given;
	}
	if (p->keep && !kept_invariants_allow(p->keep, p->row))
		return ERR_OK;
	for (size_t w = 0; w < p->words; w++)
		left[w] = mask[w] & pairs_of(p, level)[w];
	return combine(p, k + 1, e);
}

/* A fixed value that no run has goes with everything: its column is passed over. */
static bool is_unseen(const struct product *p, size_t k)
{
	double given = p->in->given[p->column[k]];

	return k != p->k_procs && !isnan(given) && find_level(p, k, given) == SIZE_MAX;
}

static enum err_code combine(struct product *p, size_t k, struct err *e)
{
	const uint64_t *mask = p->mask + k * p->words;
	enum err_code rc = ERR_OK;

	if (k == p->n)
		return take(p, e);
	if (is_unseen(p, k)) {
		memcpy(p->mask + (k + 1) * p->words, mask, p->words * sizeof *mask);
		return combine(p, k + 1, e);
	}
	for (size_t i = p->first[k]; i < p->first[k + 1] && !rc; i++) {
		if (bit_get(mask, i))
			rc = choose(p, k, i, e);
	}
	p->row[p->column[k]] = p->in->given[p->column[k]];
	return rc;
}

/* All combinations, with those of the pool. keep NULL: whatever the invariants say. */
static enum err_code walk(struct product *p, const struct kept_invariants *keep, struct err *e)
{
	enum err_code rc;

	p->keep = keep;
	p->steps = 0;
	p->n_pool = 0;
	p->most_hash = UINT64_MAX;
	p->a->n = 0;
	for (size_t i = 0; i < 2 * (size_t)SEEN_PRODUCT_MAX; i++)
		p->pool[i].slot = i;
	memcpy(p->row, p->in->given, p->in->app->n_columns * sizeof *p->row);
	first_mask(p);
	if ((rc = combine(p, 0, e)))
		return rc;
	shrink_pool(p);
	for (size_t i = 0; i < p->n_pool && !rc; i++)
		rc = axis_add(p->a, p->value + p->pool[i].slot * p->a->n_columns, e);
	return rc;
}

/* ---- what no candidate can keep ---- */

/* Candidate i of the axis as a complete row. */
static const double *candidate(const struct product *p, size_t i)
{
	memcpy(p->complete, p->in->given, p->in->app->n_columns * sizeof *p->complete);
	axis_put(p->a, i, p->complete);
	configuration_derive(p->in->app, p->complete);
	return p->complete;
}

static void keep_allowed(struct product *p, const struct kept_invariants *keep)
{
	size_t n = 0, n_columns = p->a->n_columns;

	for (size_t i = 0; i < p->a->n; i++) {
		if (kept_invariants_allow(keep, candidate(p, i)))
			memmove(p->a->value + n++ * n_columns, p->a->value + i * n_columns,
				n_columns * sizeof *p->a->value);
	}
	p->a->n = n;
}

/* Give up each invariant that no candidate keeps, by itself; all, if they cannot be kept together.
 */
static void give_up(struct product *p, struct kept_invariants *keep)
{
	size_t n = p->a->n, n_fit = 0;

	for (size_t k = 0; k < keep->n; k++) {
		bool any = false;

		for (size_t i = 0; i < n && !any; i++)
			any = kept_invariant_allows(keep, k, candidate(p, i));
		if (!any)
			kept_invariants_give_up(keep, k);
	}
	for (size_t i = 0; i < n; i++)
		n_fit += kept_invariants_allow(keep, candidate(p, i));
	for (size_t k = 0; k < keep->n && n_fit == 0; k++)
		kept_invariants_give_up(keep, k);
	keep_allowed(p, keep);
}

static enum err_code fill(struct product *p, struct err *e)
{
	struct kept_invariants *keep = p->in->invariants;
	bool few = p->n_levels <= SEEN_PRODUCT_LEVELS;
	enum err_code rc;

	if (few) {
		if ((rc = find_pairs(p, e)) || (rc = walk(p, keep, e)) || p->a->n > 0)
			return rc;
		if (keep->n_kept > 0 && (rc = walk(p, NULL, e)))
			return rc;
	}
	p->out->cut = p->out->cut || !few;
	if (p->a->n == 0 && (rc = axis_fill_seen(p->a, p->in->runs, p->in->given, p->in->agree, e)))
		return rc;
	give_up(p, keep);
	return ERR_OK;
}

static enum err_code make_room(struct product *p, struct err *e)
{
	size_t n_columns = p->in->app->n_columns;

	p->mask = calloc((p->n + 1) * p->words, sizeof *p->mask);
	p->row = calloc(n_columns, sizeof *p->row);
	p->complete = calloc(n_columns, sizeof *p->complete);
	p->pool = calloc(2 * (size_t)SEEN_PRODUCT_MAX, sizeof *p->pool);
	p->value = calloc(2 * (size_t)SEEN_PRODUCT_MAX * p->a->n_columns + 1, sizeof *p->value);
	p->tuple = calloc(p->a->n_columns + 1, sizeof *p->tuple);
	return p->mask && p->row && p->complete && p->pool && p->value && p->tuple
		       ? ERR_OK
		       : err_set(e, ERR_NOMEM, "combinations of %zu columns", p->n);
}

static void product_release(struct product *p)
{
	free(p->level);
	free(p->first);
	free(p->pair);
	free(p->mask);
	free(p->row);
	free(p->complete);
	free(p->tuple);
	free(p->pool);
	free(p->value);
}

/* The combinations that were run, over free and fixed columns. */
static enum err_code find_run(const struct seen_product_input *in, const struct axis *a,
			      struct seen_product *out, struct err *e)
{
	size_t n_columns = in->app->n_columns;
	size_t *column = calloc(2 * n_columns + 1, sizeof *column);
	bool *none = calloc(n_columns + 1, sizeof *none);
	enum err_code rc = ERR_NOMEM;

	if (!column || !none)
		err_set(e, ERR_NOMEM, "combinations of %zu columns", n_columns);
	else if (!(rc = axis_init(&out->run, column, list_columns(in, a, column), e)))
		rc = axis_fill_seen(&out->run, in->runs, in->given, none, e);
	free(column);
	free(none);
	return rc;
}

enum err_code seen_product_fill(struct axis *a, const struct seen_product_input *in,
				struct seen_product *out, struct err *e)
{
	struct product p = {.in = in, .out = out, .a = a};
	enum err_code rc;

	*out = (struct seen_product){.app = in->app, .i_scale = SIZE_MAX};
	if ((rc = find_run(in, a, out, e)) || out->run.n == 0)
		return rc;
	p.column = out->run.column;
	p.n = out->run.n_columns;
	find_scale(&p);
	if (!(rc = find_levels(&p, e)) && !(rc = make_room(&p, e)) && !(rc = fill(&p, e)) &&
	    !(rc = axis_sort(a, e))) {
		for (size_t i = 0; i < a->n; i++)
			out->n[seen_product_origin(out, candidate(&p, i))]++;
	}
	product_release(&p);
	return rc;
}

void seen_product_release(struct seen_product *p)
{
	axis_release(&p->run);
	*p = (struct seen_product){0};
}

/* Was this count of nodes run? It is the first column of what is in order. */
static bool has_scale(const struct seen_product *p, double value)
{
	size_t lo = 0, hi = p->run.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->run.value[mid * p->run.n_columns] < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->run.n && p->run.value[lo * p->run.n_columns] == value;
}

enum origin seen_product_origin(const struct seen_product *p, const double *row)
{
	double scale = p->i_scale == SIZE_MAX ? (double)NAN : row[p->i_scale];

	if (axis_has(&p->run, row))
		return ORIGIN_RUN;
	if (isnan(scale) || has_scale(p, scale))
		return ORIGIN_PAIRS;
	return scale > p->largest || scale < p->least ? ORIGIN_BEYOND : ORIGIN_BETWEEN;
}
