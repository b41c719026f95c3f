#include "recommend/space/axis.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

enum err_code axis_init(struct axis *a, const size_t *column, size_t n_columns, struct err *e)
{
	*a = (struct axis){.n_columns = n_columns};
	a->column = calloc(n_columns + 1, sizeof *a->column);
	if (!a->column)
		return err_set(e, ERR_NOMEM, "candidates of %zu columns", n_columns);
	memcpy(a->column, column, n_columns * sizeof *column);
	return ERR_OK;
}

void axis_release(struct axis *a)
{
	free(a->column);
	free(a->value);
	*a = (struct axis){0};
}

enum err_code axis_add(struct axis *a, const double *value, struct err *e)
{
	if (a->n == a->cap) {
		size_t cap = a->cap ? 2 * a->cap : 16;
		/* + 1: the one combination of no columns needs no values, realloc needs a size */
		double *grown = realloc(a->value, (cap * a->n_columns + 1) * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu candidates", cap);
		a->value = grown;
		a->cap = cap;
	}
	memcpy(a->value + a->n * a->n_columns, value, a->n_columns * sizeof *value);
	a->n++;
	return ERR_OK;
}

void axis_put(const struct axis *a, size_t i, double *row)
{
	for (size_t k = 0; k < a->n_columns; k++)
		row[a->column[k]] = a->value[i * a->n_columns + k];
}

/* ---- one column ---- */

static enum err_code add_range(struct axis *a, double from, double to, struct err *e)
{
	enum err_code rc;

	for (double v = ceil(from); v <= to; v++) {
		if ((rc = axis_add(a, &v, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code check_length(const struct column *c, double from, double to, struct err *e)
{
	double n = floor(to) - ceil(from) + 1;

	if (n <= MAX_COLUMN_CANDIDATES)
		return ERR_OK;
	return err_set(e, ERR_ARG,
		       "%s may be any of %.15g numbers, and %d are searched at most: give it a "
		       "value (%s=...), or a narrower range in the definition",
		       c->name, n, MAX_COLUMN_CANDIDATES, c->name);
}

/* The smallest prime factor of n > 1 that is at least `from`, which no smaller prime divides n
 * below. Only numbers next to a multiple of 6 are tried: the worst n, a prime near 2^53, takes 3e7
 * divisions, or a fifth of a second. */
static uint64_t prime_factor(uint64_t n, uint64_t from)
{
	if (n % 2 == 0)
		return 2;
	if (n % 3 == 0)
		return 3;
	for (uint64_t d = from < 5 ? 5 : from; d * d <= n; d += d % 6 == 5 ? 2 : 4) {
		if (n % d == 0)
			return d;
	}
	return n;
}

/* Beside each value of the axis its products with 1, 2, ... `power` factors, up to `to`. */
static enum err_code add_products(struct axis *a, double factor, int power, double to,
				  struct err *e)
{
	size_t n = a->n;
	enum err_code rc;

	for (size_t i = 0; i < n; i++) {
		double product = a->value[i] * factor;

		for (int k = 0; k < power && product <= to; k++, product *= factor) {
			if ((rc = axis_add(a, &product, e)))
				return rc;
		}
	}
	return ERR_OK;
}

static void drop_below(struct axis *a, double from)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (a->value[i] >= from)
			a->value[kept++] = a->value[i];
	}
	a->n = kept;
}

/* The divisors of whole in [from, to]; none when whole is not a positive integer. */
static enum err_code add_divisors(struct axis *a, double whole, double from, double to,
				  struct err *e)
{
	const double one = 1;
	uint64_t rest, factor = 2;
	enum err_code rc;

	/* Doubles count exactly to 2^53. */
	if (!(whole >= 1 && whole <= 0x1p53) || whole != floor(whole) || to < one)
		return ERR_OK;
	rc = axis_add(a, &one, e);
	for (rest = (uint64_t)whole; rest > 1 && !rc;) {
		int power = 0;

		factor = prime_factor(rest, factor);
		for (; rest % factor == 0; rest /= factor)
			power++;
		rc = add_products(a, (double)factor, power, to, e);
	}
	drop_below(a, from);
	return rc;
}

static enum err_code add_list(struct axis *a, const struct column *c, double from, double to,
			      struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < c->n_list; i++) {
		if (c->list[i] >= from && c->list[i] <= to && (rc = axis_add(a, &c->list[i], e)))
			return rc;
	}
	return ERR_OK;
}

static void sort_numbers(struct axis *a)
{
	size_t kept = 0;

	if (a->n < 2)
		return;
	qsort(a->value, a->n, sizeof *a->value, compare_doubles);
	for (size_t i = 1; i < a->n; i++) {
		if (a->value[i] > a->value[kept])
			a->value[++kept] = a->value[i];
	}
	a->n = kept + 1;
}

enum err_code axis_fill(struct axis *a, const struct application *app, const double *row,
			double most, struct err *e)
{
	const struct column *c = &app->column[a->column[0]];
	double whole = c->of == SIZE_MAX ? NAN : row[c->of];
	double from = c->min, to = fmin(c->max, most);
	enum err_code rc = ERR_OK;

	a->n = 0;
	switch (c->candidates) {
	case CAND_DIVISORS:
		rc = add_divisors(a, whole, from, to, e);
		break;
	case CAND_LIST:
		rc = add_list(a, c, from, to, e);
		break;
	case CAND_RANGE:
		to = isnan(whole) ? to : fmin(to, whole);
		if (!isfinite(from) || !isfinite(to))
			return err_set(e, ERR_ARG,
				       "the range of %s has no end: give it a value (%s=...)",
				       c->name, c->name);
		if (!(rc = check_length(c, from, to, e)))
			rc = add_range(a, from, to, e);
		break;
	case CAND_GRID: /* config_space.c */
	case CAND_SEEN: /* axis_fill_seen() */
		break;
	}
	if (!rc)
		sort_numbers(a);
	return rc;
}

/* ---- combinations from runs ---- */

struct tuple {
	const double *value;
	size_t n;
};

static int compare_values(const double *x, const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

static int compare_tuples(const void *a, const void *b)
{
	const struct tuple *x = a, *y = b;

	return compare_values(x->value, y->value, x->n);
}

enum err_code axis_sort(struct axis *a, struct err *e)
{
	struct tuple *order;
	double *sorted;
	size_t n = 0;

	if (a->n == 0)
		return ERR_OK;
	order = calloc(a->n, sizeof *order);
	sorted = calloc(a->n * a->n_columns, sizeof *sorted);
	if (!order || !sorted) {
		free(order);
		free(sorted);
		return err_set(e, ERR_NOMEM, "%zu combinations seen in runs", a->n);
	}
	for (size_t i = 0; i < a->n; i++)
		order[i] = (struct tuple){a->value + i * a->n_columns, a->n_columns};
	qsort(order, a->n, sizeof *order, compare_tuples);
	for (size_t i = 0; i < a->n; i++) {
		if (i > 0 && compare_tuples(&order[i - 1], &order[i]) == 0)
			continue;
		memcpy(sorted + n * a->n_columns, order[i].value, a->n_columns * sizeof *sorted);
		n++;
	}
	free(order);
	free(a->value);
	a->value = sorted;
	a->cap = a->n;
	a->n = n;
	return ERR_OK;
}

static bool agrees(const double *run, const double *given, const bool *agree, size_t n_columns)
{
	for (size_t i = 0; i < n_columns; i++) {
		if (agree[i] && run[i] != given[i])
			return false;
	}
	return true;
}

/* The combination of run, if the run has all of it. */
static enum err_code add_seen(struct axis *a, const double *run, double *work, struct err *e)
{
	for (size_t k = 0; k < a->n_columns; k++) {
		work[k] = run[a->column[k]];
		if (isnan(work[k]))
			return ERR_OK;
	}
	return axis_add(a, work, e);
}

enum err_code axis_fill_seen(struct axis *a, const struct dataset *runs, const double *given,
			     const bool *agree, struct err *e)
{
	double *work = calloc(a->n_columns, sizeof *work);
	enum err_code rc = ERR_OK;

	if (!work)
		return err_set(e, ERR_NOMEM, "combinations of %zu columns", a->n_columns);
	a->n = 0;
	for (int pass = 0; pass < 2 && a->n == 0; pass++) {
		for (size_t i = 0; i < runs->n && !rc; i++) {
			const double *run = dataset_row(runs, i);

			if (runs->status[i] == RUN_OK &&
			    (pass > 0 || agrees(run, given, agree, runs->n_columns)))
				rc = add_seen(a, run, work, e);
		}
	}
	free(work);
	return rc ? rc : axis_sort(a, e);
}

bool axis_has(const struct axis *a, const double *row)
{
	size_t lo = 0, hi = a->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const double *value = a->value + mid * a->n_columns;
		size_t k = 0;

		while (k < a->n_columns && value[k] == row[a->column[k]])
			k++;
		if (k == a->n_columns)
			return true;
		if (value[k] < row[a->column[k]])
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

double axis_neighbour(const struct axis *a, const double *row, size_t i_column, bool above)
{
	double best = NAN;

	for (size_t i = 0; i < a->n; i++) {
		const double *value = a->value + i * a->n_columns;
		double there = NAN;
		bool same = true;

		for (size_t k = 0; k < a->n_columns; k++) {
			if (a->column[k] == i_column)
				there = value[k];
			else
				same = same && value[k] == row[a->column[k]];
		}
		if (!same || isnan(there) ||
		    (above ? there <= row[i_column] : there >= row[i_column]))
			continue;
		if (isnan(best) || (above ? there < best : there > best))
			best = there;
	}
	return best;
}

/* ---- tunings ---- */

static bool depends_on_choice(const struct partial_evaluation *l, const struct axis *a)
{
	size_t of = l->app->column[a->column[0]].of;

	return a->n_columns == 1 && of != SIZE_MAX && (l->of[of] & LAYER_GROUP);
}

/* The columns of the list: the tunables, then what is derived from them alone. */
static enum err_code init_list(struct tunings *t, struct err *e)
{
	const struct partial_evaluation *l = t->layers;
	size_t *column = calloc(l->app->n_columns, sizeof *column);
	size_t n = 0;
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "tunings of %zu columns", l->app->n_columns);
	for (size_t i = 0; i < t->n_axes; i++) {
		for (size_t k = 0; k < t->axis[i].n_columns; k++)
			column[n++] = t->axis[i].column[k];
	}
	for (size_t i = 0; i < l->n_derived[LAYER_TUNING]; i++)
		column[n++] = l->derived[LAYER_TUNING][i];
	rc = axis_init(&t->list, column, n, e);
	free(column);
	return rc;
}

enum err_code tunings_init(struct tunings *t, const struct partial_evaluation *l,
			   const struct progress *progress, struct axis *axis, size_t n_axes,
			   size_t most, struct err *e)
{
	enum err_code rc;

	*t = (struct tunings){
		.layers = l, .progress = progress, .axis = axis, .n_axes = n_axes, .most = most};
	for (size_t i = 0; i < n_axes; i++)
		t->varies = t->varies || depends_on_choice(l, &axis[i]);
	if ((rc = init_list(t, e)))
		tunings_release(t);
	return rc;
}

void tunings_release(struct tunings *t)
{
	for (size_t i = 0; i < t->n_axes; i++)
		axis_release(&t->axis[i]);
	free(t->axis);
	axis_release(&t->list);
	*t = (struct tunings){0};
}

/* Judging MAX_TUNINGS_JUDGED takes about a quarter of a minute, in which nothing else is done. */
enum { JUDGED_PER_POLL = 1 << 16 };

/* "a (1000 candidates), b (1000) and c (12)" */
static void put_axes(const struct tunings *t, struct strbuf *out)
{
	const struct application *app = t->layers->app;
	size_t n_named = 0;

	for (size_t i = 0; i < t->n_axes; i++) {
		const struct axis *a = &t->axis[i];

		for (size_t k = 0; k < a->n_columns && a->n > 1; k++) {
			strbuf_printf(out, "%s%s (%zu%s)", n_named > 0 ? ", " : "",
				      app->column[a->column[k]].name, a->n,
				      n_named == 0 ? " candidates" : "");
			n_named++;
		}
	}
}

static enum err_code refuse_size(const struct tunings *t, int most, const char *searched,
				 struct err *e)
{
	struct strbuf axes = STRBUF_INIT;
	enum err_code rc;

	put_axes(t, &axes);
	rc = err_set(e, ERR_ARG,
		     "the tunables have more combinations than are %s (%d%s): %s; "
		     "give some of them a value, or narrower ranges or rules of legality in the "
		     "definition",
		     searched, most, most == MAX_TUNINGS_LISTED ? " legal ones" : "",
		     strbuf_text(&axes));
	strbuf_release(&axes);
	return rc;
}

/* How many are judged at least: axes whose candidates are the same in each combination. Those that
 * another column decides count once. */
static double count_combinations(const struct tunings *t)
{
	double n = 1;

	for (size_t i = 0; i < t->n_axes; i++) {
		const struct axis *a = &t->axis[i];

		n *= t->layers->app->column[a->column[0]].of == SIZE_MAX ? (double)a->n : 1;
	}
	return n;
}

static enum err_code check_size(struct tunings *t, struct err *e)
{
	/* at the first one all axes are filled */
	if (t->n_judged == 0 && count_combinations(t) > MAX_TUNINGS_JUDGED)
		return refuse_size(t, MAX_TUNINGS_JUDGED, "judged", e);
	if (++t->n_judged % JUDGED_PER_POLL == 0 && !progress_step(t->progress, "search", 0, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted while listing configurations");
	if (t->list.n >= MAX_TUNINGS_LISTED)
		return refuse_size(t, MAX_TUNINGS_LISTED, "searched", e);
	return t->n_judged > MAX_TUNINGS_JUDGED ? refuse_size(t, MAX_TUNINGS_JUDGED, "judged", e)
						: ERR_OK;
}

static enum err_code add_if_legal(struct tunings *t, double *row, double *work,
				  const struct legality **refusal, struct err *e)
{
	partial_evaluation_derive(t->layers, LAYER_TUNING, row);
	if (partial_evaluation_judge(t->layers, LAYER_TUNING, row, refusal) == STATUS_ILLEGAL)
		return ERR_OK;
	for (size_t k = 0; k < t->list.n_columns; k++)
		work[k] = row[t->list.column[k]];
	return axis_add(&t->list, work, e);
}

/* Set axis i_axis and all after it. Candidates are listed here because they may depend on tunables
 * that stand before; combinations seen in runs are listed already. */
static enum err_code combine(struct tunings *t, size_t i_axis, double *row, double *work,
			     const struct legality **refusal, struct err *e)
{
	struct axis *a;
	enum err_code rc = ERR_OK;

	if (i_axis == t->n_axes)
		return (rc = check_size(t, e)) ? rc : add_if_legal(t, row, work, refusal, e);
	a = &t->axis[i_axis];
	if (t->layers->app->column[a->column[0]].candidates != CAND_SEEN) {
		partial_evaluation_derive(t->layers, LAYER_TUNING, row);
		if ((rc = axis_fill(a, t->layers->app, row, INFINITY, e)))
			return rc;
	}
	for (size_t i = 0; i < a->n && !rc; i++) {
		axis_put(a, i, row);
		rc = combine(t, i_axis + 1, row, work, refusal, e);
	}
	for (size_t k = 0; k < a->n_columns; k++)
		row[a->column[k]] = NAN;
	return rc;
}

/* ---- more than are searched ---- */

/* A range is thinned to rungs of a ladder: at level l to the first number at or above each
 * 2^(i / 2^l), i = 0, 1, ...: powers of two at level 0, steps of 41 % at 1, of 19 % at 2. Ladders
 * are nested, so a number has a least level, and both ends of a range are on all. Times change by
 * factors where a tunable does, not by steps. Runs and legality tell nothing here. */
enum { MAX_LEVEL = 40 };

static unsigned ladder_level(double value, double lo, double hi)
{
	const double x = lo < 1 ? value - lo + 1 : value;
	const double above = log2(x), below = x > 1 ? log2(x - 1) : -1;

	if (value <= lo || value >= hi)
		return 0;
	for (int l = 0; l < MAX_LEVEL; l++) {
		if (floor(ldexp(above, l)) > floor(ldexp(below, l)))
			return (unsigned)l;
	}
	return MAX_LEVEL;
}

/* A column of the list that is a range, with its ends there, and the last one told of. */
struct ladder {
	size_t k;
	double lo, hi, value;
	unsigned level;
};

static size_t find_ladders(const struct tunings *t, struct ladder *ladder)
{
	const struct axis *list = &t->list;
	size_t n = 0;

	for (size_t k = 0; k < list->n_columns; k++) {
		const struct column *c = &t->layers->app->column[list->column[k]];
		struct ladder l = {k, INFINITY, -INFINITY, NAN, 0};

		if (c->role == COL_DERIVED || c->type != COL_INT || c->candidates != CAND_RANGE)
			continue;
		for (size_t i = 0; i < list->n; i++) {
			l.lo = fmin(l.lo, list->value[i * list->n_columns + k]);
			l.hi = fmax(l.hi, list->value[i * list->n_columns + k]);
		}
		ladder[n++] = l;
	}
	return n;
}

/* When a combination joins, where the ranges take turns in getting finer: 0 is the coarsest. */
static unsigned rank_of(const double *value, struct ladder *ladder, size_t n)
{
	unsigned rank = 0;

	for (size_t j = 0; j < n; j++) {
		struct ladder *l = &ladder[j];

		if (l->value != value[l->k]) {
			l->value = value[l->k];
			l->level = ladder_level(l->value, l->lo, l->hi);
		}
		if (l->level > 0 && l->level * n + j > rank)
			rank = (unsigned)(l->level * n + j);
	}
	return rank;
}

/* Keep what is of a lower rank than `end`, and of the others each stride-th; 0: none of them. */
static void keep_ranks(struct axis *a, const unsigned *rank, unsigned end, size_t stride)
{
	size_t n = 0, n_others = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (rank[i] >= end && (stride == 0 || n_others++ % stride != 0))
			continue;
		memmove(a->value + n++ * a->n_columns, a->value + i * a->n_columns,
			a->n_columns * sizeof *a->value);
	}
	a->n = n;
}

/* As fine as there is room for. Where rules couple ranges (a + b = 480), few combinations are on
 * all ladders at once: then some of the others, evenly, fill the room. */
static void thin_by_rank(struct tunings *t, const unsigned *rank, size_t *n_of, size_t n_ranks)
{
	size_t n = 0, rest, room;
	unsigned end = 0;

	for (size_t i = 0; i < t->list.n; i++)
		n_of[rank[i]]++;
	while (end < n_ranks && (end == 0 || n + n_of[end] <= t->most))
		n += n_of[end++];
	rest = t->list.n - n;
	room = n < t->most / 4 ? t->most - n : 0;
	keep_ranks(&t->list, rank, end, room > 0 ? (rest + room - 1) / room : 0);
}

static enum err_code thin(struct tunings *t, struct err *e)
{
	const size_t n_legal = t->list.n;
	struct ladder *ladder = calloc(t->list.n_columns + 1, sizeof *ladder);
	unsigned *rank = calloc(n_legal, sizeof *rank);
	size_t *n_of = NULL, n, n_ranks;
	enum err_code rc = ERR_OK;

	if (!ladder || !rank) {
		rc = err_set(e, ERR_NOMEM, "%zu tunings", n_legal);
		goto done;
	}
	n = find_ladders(t, ladder);
	n_ranks = (MAX_LEVEL + 1) * (n + 1);
	if (!(n_of = calloc(n_ranks, sizeof *n_of))) {
		rc = err_set(e, ERR_NOMEM, "%zu tunings", n_legal);
		goto done;
	}
	for (size_t i = 0; i < n_legal && !rc && n > 0; i++) {
		rank[i] = rank_of(t->list.value + i * t->list.n_columns, ladder, n);
		if (i % JUDGED_PER_POLL == 0 && !progress_step(t->progress, "search", 0, 0))
			rc = err_set(e, ERR_INTERRUPTED,
				     "interrupted while listing configurations");
	}
	if (!rc && n > 0)
		thin_by_rank(t, rank, n_of, n_ranks);
	if (!rc && t->list.n < n_legal && n_legal > t->n_legal) {
		t->n_legal = n_legal;
		t->n_searched = t->list.n;
	}
done:
	free(ladder);
	free(rank);
	free(n_of);
	return rc;
}

enum err_code tunings_list(struct tunings *t, double *row, const struct legality **refusal,
			   struct err *e)
{
	double *work = calloc(t->list.n_columns + 1, sizeof *work); /* + 1: calloc(0) may be NULL */
	enum err_code rc;

	if (!work)
		return err_set(e, ERR_NOMEM, "tunings of %zu columns", t->list.n_columns);
	t->list.n = 0;
	t->n_judged = 0;
	rc = combine(t, 0, row, work, refusal, e);
	partial_evaluation_derive(t->layers, LAYER_TUNING, row); /* NaN again */
	free(work);
	return !rc && t->list.n > t->most ? thin(t, e) : rc;
}
