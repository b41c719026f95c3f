#include "mining/rules/invariants.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sf_gamma.h>

#include "base/compare.h"
#include "mining/numerics/group_by.h"
#include "mining/cases/rule_miners.h"

/* ---- would chance have broken it? ---- */

#define EXACT 0x1p53 /* doubles count exactly to here */

static bool is_whole(double v)
{
	return v >= 1 && v <= EXACT && floor(v) == v;
}

bool whole_divides(double a, double b)
{
	return is_whole(a) && is_whole(b) && fmod(b, a) == 0;
}

bool is_power_of_two(double a)
{
	int exponent;

	return is_whole(a) && frexp(a, &exponent) == 0.5;
}

static void sort(double *value, size_t n)
{
	qsort(value, n, sizeof *value, compare_doubles);
}

static double log_factorial(size_t n)
{
	return gsl_sf_lnfact((unsigned)n);
}

/* One behind the values equal to value[i]. */
static size_t end_of(const double *value, size_t n, size_t i)
{
	size_t k = i + 1;

	while (k < n && value[k] == value[i])
		k++;
	return k;
}

double log_chance_equal(double *value, size_t n)
{
	double sum = -log_factorial(n);

	sort(value, n);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of(value, n, i);
		sum += log_factorial(end - i);
	}
	return sum;
}

double log_chance_at_most(double *a, double *b, size_t n)
{
	double sum = -log_factorial(n);
	size_t first = n; /* of b that is not below a[i] */

	sort(a, n);
	sort(b, n);
	for (size_t i = n; i-- > 0;) {
		while (first > 0 && b[first - 1] >= a[i])
			first--;
		sum += log((double)(n - first) - (double)(n - 1 - i));
	}
	return sum;
}

/* How many b may stand beside a. */
static size_t count_multiples(double a, const double *b, size_t n)
{
	size_t count = 0;

	for (size_t j = 0, last; j < n; j = last) {
		last = end_of(b, n, j);
		count += whole_divides(a, b[j]) ? last - j : 0;
	}
	return count;
}

double log_chance_divides(double *a, double *b, size_t n)
{
	double all = 0, narrow = 0;
	size_t left = n;

	sort(a, n);
	sort(b, n);
	/* Large divisors have the least choice, more or less; any order gives a bound. */
	for (size_t i = n, first; i > 0; i = first) {
		size_t m, may_take = count_multiples(a[i - 1], b, n);

		for (first = i - 1; first > 0 && a[first - 1] == a[i - 1];)
			first--;
		m = i - first;
		all += (double)m * log_factorial(may_take) / (double)may_take;
		if (may_take >= left)
			continue;
		narrow += log_factorial(may_take) - log_factorial(may_take - m);
		left -= m;
	}
	narrow += log_factorial(left);
	return fmin(all, narrow) - log_factorial(n);
}

static double log_choose(double n, double k)
{
	return gsl_sf_lngamma(n + 1) - gsl_sf_lngamma(k + 1) - gsl_sf_lngamma(n - k + 1);
}

double log_chance_powers(double *value, size_t n)
{
	double n_distinct = 0, from, to;

	sort(value, n);
	for (size_t i = 0; i < n; i = end_of(value, n, i))
		n_distinct++;
	from = value[0];
	to = value[n - 1];
	/* Both ends are powers of two, when it is asked. */
	return log_choose(log2(to) - log2(from) + 1, n_distinct) -
	       log_choose(to - from + 1, n_distinct);
}

static double gcd(double a, double b)
{
	while (b > 0) {
		double rest = fmod(a, b);

		a = b;
		b = rest;
	}
	return a;
}

double log_chance_multiples(const double *a, const double *b, size_t n)
{
	double from = b[0], to = b[n - 1], sum = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double lcm = 1;

		end = end_of(b, n, i);
		for (size_t k = i; k < end; k++)
			lcm *= a[k] / gcd(lcm, a[k]); /* divides b[i]: no overflow */
		sum += log((floor(to / lcm) - ceil(from / lcm) + 1) / (to - from + 1));
	}
	return sum;
}

/* ---- the miner ---- */

/* Invariants: relations between what is chosen and what is given that hold in all runs which ended
 * well, where no rule of the application's definition says what is legal. A run that failed or hit
 * its limit is no witness: it may have failed for breaking the relation; where all that break it
 * failed, that says so. See "Invariants" in docs/models.md for the tests. */

enum {
	MAX_COLUMNS = 32,
	MAX_ROWS = 2048,  /* distinct configurations that the tests look at */
	MAX_FOUND = 256,  /* relations; there are never so many but in tables of copies */
	MIN_DISTINCT = 3, /* two combinations of values may always be a coincidence */
	MIN_POWERS = 5,	  /* powers of two are in fashion */
	SAME_LETTERS = 3  /* that make names alike */
};

/* Level of all families of hypotheses together: all of them, those suspected beforehand, and, where
 * runs failed, all of them by what failed. Each has the same share of it (Bonferroni), and each
 * hypothesis of a family the same. */
#define INVARIANT_ALPHA 0.01

enum relation { EQUAL, PRODUCT, DIVIDES, AT_MOST, POWER_OF_TWO, DIVIDES_PART, DIVIDES_SHARE };

/* c of PRODUCT: a * b = c; of DIVIDES_PART: a * c divides b, so that each of c equal parts of it is
 * a multiple of a; of DIVIDES_SHARE: a divides floor(b / c). Columns are positions in miner.column.
 */
struct invariant {
	enum relation relation;
	size_t a, b, c;
	double p; /* adjusted for the number of hypotheses */
};

struct miner {
	const struct dataset *runs, *failures; /* the latter may be the former */
	size_t column[MAX_COLUMNS];
	bool chosen[MAX_COLUMNS]; /* something that is proposed, not part of the problem */
	size_t n_columns;
	double *value; /* value[column * n + row], of the distinct configurations */
	size_t n;
	double *failed; /* of those that failed, in the same way */
	size_t n_failed;
	double *work; /* 3 * n */
	struct invariant found[MAX_FOUND];
	size_t n_found;
	double n_asked, n_suspected; /* hypotheses, in all and of those suspected beforehand */
	double n_by_failures;	     /* of those that only what failed tells */
};

/* ---- columns ---- */

static bool rule_is_known(const struct application *app, size_t i)
{
	for (size_t k = 0; k < app->n_legality; k++) {
		if (expr_uses(app->legality[k].condition, i))
			return true;
	}
	return false;
}

static bool is_proposed(const struct application *app, size_t i)
{
	const struct column *c = &app->column[i];

	return ((c->role == COL_TUNABLE || c->role == COL_RESOURCE) &&
		c->candidates == CAND_SEEN) ||
	       (c->role == COL_DERIVED && i == app->i_procs && !application_grid(app));
}

static bool varies(const struct dataset *runs, size_t i)
{
	double first = (double)NAN;

	for (size_t k = 0; k < runs->n; k++) {
		double v = dataset_row(runs, k)[i];

		if (runs->status[k] != RUN_OK || isnan(v) || v == first)
			continue;
		if (!isnan(first))
			return true;
		first = v;
	}
	return false;
}

static void add_columns(struct miner *m, bool chosen)
{
	const struct application *app = m->runs->app;

	for (size_t i = 0; i < app->n_columns && m->n_columns < MAX_COLUMNS; i++) {
		const struct column *c = &app->column[i];
		bool takes = chosen ? is_proposed(app, i) : c->role == COL_PROBLEM;

		if (!takes || c->type == COL_TEXT || rule_is_known(app, i) || !varies(m->runs, i))
			continue;
		m->chosen[m->n_columns] = chosen;
		m->column[m->n_columns++] = i;
	}
}

static const struct column *column_of(const struct miner *m, size_t k)
{
	return &m->runs->app->column[m->column[k]];
}

/* Does a derived column say so by itself? */
static bool is_defined_by(const struct miner *m, size_t k, size_t of)
{
	const struct column *c = column_of(m, k);

	return c->role == COL_DERIVED && expr_uses(c->derived, m->column[of]);
}

/* ---- distinct configurations ---- */

struct hashed_row {
	uint64_t hash;
	uint32_t row;
};

static int by_hash(const void *a, const void *b)
{
	const struct hashed_row *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Sort, and keep the first of each hash, MAX_ROWS at most. */
static size_t keep_least(struct hashed_row *item, size_t n)
{
	size_t kept = 0;

	qsort(item, n, sizeof *item, by_hash);
	for (size_t i = 0; i < n && kept < MAX_ROWS; i++) {
		if (kept == 0 || item[i].hash != item[kept - 1].hash)
			item[kept++] = item[i];
	}
	return kept;
}

/* Those of least hash, so that the same runs in any order give the same. Returns how many;
 * item[2 * MAX_ROWS]. */
static size_t pick_rows(const struct dataset *runs, enum run_status status, const size_t *column,
			size_t n_key, struct hashed_row *item)
{
	const struct row_key key = {.x = runs->rows,
				    .row_of = runs->row_of,
				    .n_columns = runs->n_columns,
				    .column = column,
				    .n_key = n_key};
	uint64_t most = UINT64_MAX;
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		uint64_t hash;

		if (runs->status[i] != status || (hash = row_hash(&key, i)) > most)
			continue;
		item[n++] = (struct hashed_row){hash, (uint32_t)i};
		if (n < 2 * MAX_ROWS)
			continue;
		n = keep_least(item, n);
		most = n == MAX_ROWS ? item[n - 1].hash : most;
	}
	return n > 0 ? keep_least(item, n) : 0;
}

/* value[column * n + row] of the picked rows; NULL: out of memory. */
static double *take_values(const struct miner *m, const struct dataset *from,
			   const struct hashed_row *item, size_t n)
{
	double *value = calloc(n * m->n_columns + 1, sizeof *value);

	for (size_t k = 0; k < m->n_columns && value; k++) {
		for (size_t i = 0; i < n; i++)
			value[k * n + i] = dataset_row(from, item[i].row)[m->column[k]];
	}
	return value;
}

static enum err_code take_rows(struct miner *m, struct err *e)
{
	const struct application *app = m->runs->app;
	struct hashed_row *item = calloc(2 * (size_t)MAX_ROWS, sizeof *item);
	size_t *key = calloc(app->n_columns, sizeof *key);
	size_t n_key = 0;
	enum err_code rc = ERR_OK;

	if (item && key) {
		for (size_t i = 0; i < app->n_columns; i++) {
			if (app->column[i].role != COL_DERIVED)
				key[n_key++] = i;
		}
		m->n = pick_rows(m->runs, RUN_OK, key, n_key, item);
		m->value = take_values(m, m->runs, item, m->n);
		m->n_failed = pick_rows(m->failures, RUN_FAILED, key, n_key, item);
		m->failed = take_values(m, m->failures, item, m->n_failed);
		m->work = calloc(3 * m->n + 1, sizeof *m->work);
	}
	if (!item || !key || !m->value || !m->failed || !m->work)
		rc = err_set(e, ERR_NOMEM, "invariants of %zu runs", m->runs->n);
	free(item);
	free(key);
	return rc;
}

/* ---- does it hold? ---- */

/* What is missing breaks nothing. */
static bool holds(enum relation relation, double a, double b, double c)
{
	switch (relation) {
	case EQUAL:
		return a == b || isunordered(a, b);
	case PRODUCT:
		return a * b == c || isnan(a * b) || isnan(c);
	case DIVIDES:
		return whole_divides(a, b) || isunordered(a, b);
	case AT_MOST:
		return !(a > b);
	case POWER_OF_TWO:
		return (is_power_of_two(a) && a <= 0x1p30) || isnan(a);
	case DIVIDES_PART:
		return whole_divides(a * c, b) || isnan(a * c) || isnan(b);
	case DIVIDES_SHARE:
		return whole_divides(a, floor(b / c)) || isnan(a) || isnan(b / c);
	}
	return false;
}

static bool holds_in_sample(const struct miner *m, const struct invariant *h)
{
	const double *a = m->value + h->a * m->n, *b = m->value + h->b * m->n,
		     *c = m->value + h->c * m->n;

	for (size_t i = 0; i < m->n; i++) {
		if (!holds(h->relation, a[i], b[i], c[i]))
			return false;
	}
	return true;
}

static bool holds_in_all(const struct miner *m, const struct invariant *h)
{
	for (size_t i = 0; i < m->runs->n; i++) {
		const double *row = dataset_row(m->runs, i);

		if (m->runs->status[i] == RUN_OK &&
		    !holds(h->relation, row[m->column[h->a]], row[m->column[h->b]],
			   row[m->column[h->c]]))
			return false;
	}
	return true;
}

/* ---- is it more than chance? ---- */

/* The rows that have all its columns; work: their a, then b, then c, each with room for n. */
static size_t complete_rows(struct miner *m, const struct invariant *h)
{
	const double *a = m->value + h->a * m->n, *b = m->value + h->b * m->n,
		     *c = m->value + h->c * m->n;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (isnan(a[i]) || isnan(b[i]) || isnan(c[i]))
			continue;
		m->work[n] = a[i];
		m->work[m->n + n] = b[i];
		m->work[2 * m->n + n++] = c[i];
	}
	return n;
}

/* Counted no further than is asked for. c follows from a and b wherever it is not one of them. */
static bool has_distinct_pairs(const double *a, const double *b, size_t n, size_t least)
{
	size_t first[MIN_POWERS], n_first = 0;

	for (size_t i = 0; i < n && n_first < least; i++) {
		size_t k = 0;

		while (k < n_first && (a[first[k]] != a[i] || b[first[k]] != b[i]))
			k++;
		if (k == n_first)
			first[n_first++] = i;
	}
	return n_first >= least;
}

/* log; 0 where too little was seen. */
static double log_chance(struct miner *m, const struct invariant *h)
{
	size_t n = complete_rows(m, h);
	double *a = m->work, *b = m->work + m->n, *c = m->work + 2 * m->n;

	if (!has_distinct_pairs(a, b, n, h->relation == POWER_OF_TWO ? MIN_POWERS : MIN_DISTINCT))
		return 0;
	switch (h->relation) {
	case EQUAL:
		return log_chance_equal(a, n);
	case PRODUCT:
		return log_chance_equal(c, n);
	case DIVIDES:
		return log_chance_divides(a, b, n);
	case AT_MOST:
		return log_chance_at_most(a, b, n);
	case POWER_OF_TWO:
		return log_chance_powers(a, n);
	case DIVIDES_PART:
	case DIVIDES_SHARE:
		break; /* they hold by chance too often where sizes are scanned by doubling */
	}
	return 0;
}

/* Do the names begin with the same letters? dirsets and directions. */
static bool named_alike(const struct miner *m, size_t a, size_t b)
{
	const char *x = column_of(m, a)->name, *y = column_of(m, b)->name;

	for (size_t k = 0; k < SAME_LETTERS; k++) {
		if (!isalpha((unsigned char)x[k]) ||
		    tolower((unsigned char)x[k]) != tolower((unsigned char)y[k]))
			return false;
	}
	return true;
}

/* Some are suspected beforehand, and counted by themselves: two tunables whose product is the
 * processes, and a part of the problem by the name of which a tunable is called. */
static bool is_grid(const struct miner *m, const struct invariant *h)
{
	return h->relation == PRODUCT && m->column[h->c] == m->runs->app->i_procs &&
	       column_of(m, h->a)->role == COL_TUNABLE && column_of(m, h->b)->role == COL_TUNABLE;
}

static bool is_named_part(const struct miner *m, const struct invariant *h)
{
	return h->relation == DIVIDES && column_of(m, h->a)->role == COL_TUNABLE &&
	       column_of(m, h->b)->role == COL_PROBLEM && named_alike(m, h->a, h->b);
}

struct value_pair {
	double a, b;
};

static int by_second(const void *x, const void *y)
{
	const struct value_pair *p = x, *q = y;

	if (p->b != q->b)
		return p->b < q->b ? -1 : 1;
	return (p->a > q->a) - (p->a < q->a);
}

static enum err_code log_chance_named(struct miner *m, const struct invariant *h, double *out,
				      struct err *e)
{
	size_t n = complete_rows(m, h);
	struct value_pair *pair = calloc(n + 1, sizeof *pair);

	if (!pair)
		return err_set(e, ERR_NOMEM, "%zu pairs of values", n);
	for (size_t i = 0; i < n; i++)
		pair[i] = (struct value_pair){m->work[i], m->work[m->n + i]};
	qsort(pair, n, sizeof *pair, by_second);
	for (size_t i = 0; i < n; i++) {
		m->work[i] = pair[i].a;
		m->work[m->n + i] = pair[i].b;
	}
	free(pair);
	*out = n > 0 ? log_chance_multiples(m->work, m->work + m->n, n) : 0;
	return ERR_OK;
}

/* ---- did what broke it fail? ---- */

/* Of a relation that holds in all runs which ended: log of the chance that all which break it are
 * among those that failed, were these any of all configurations. 0 where they are alike in a
 * column, whose value may be the reason. Of more failures than are looked at nothing is said. */
static double log_chance_failed(const struct miner *m, const struct invariant *h)
{
	const double *a = m->failed + h->a * m->n_failed, *b = m->failed + h->b * m->n_failed,
		     *c = m->failed + h->c * m->n_failed;
	const double n_all = (double)(m->n + m->n_failed);
	bool differ[2] = {false, false};
	size_t first = SIZE_MAX;
	double sum = 0, n_broken = 0;

	for (size_t i = 0; i < m->n_failed && m->n_failed < MAX_ROWS; i++) {
		if (holds(h->relation, a[i], b[i], c[i]))
			continue;
		first = first == SIZE_MAX ? i : first;
		differ[0] = differ[0] || a[i] != a[first];
		differ[1] = differ[1] || b[i] != b[first];
		sum += log(((double)m->n_failed - n_broken) / (n_all - n_broken));
		n_broken++;
	}
	return differ[0] && differ[1] ? sum : 0;
}

/* ---- all hypotheses ---- */

typedef enum err_code visit(struct miner *m, const struct invariant *h, struct err *e);

/* Sizes are scanned by doubling, whatever is legal. */
static bool counts_nodes(const struct miner *m, size_t k)
{
	const struct application *app = m->runs->app;

	return m->column[k] == app->i_nodes || m->column[k] == app->i_procs;
}

/* Only what failed tells of these. */
static bool is_about_parts(const struct invariant *h)
{
	return h->relation == DIVIDES_PART || h->relation == DIVIDES_SHARE;
}

/* Is it about something that is proposed, and not said by how a column is derived? */
static bool is_of_interest(const struct miner *m, const struct invariant *h)
{
	size_t k[3] = {h->a, h->b, h->c};
	bool chosen = false;

	for (int i = 0; i < 3; i++) {
		chosen = chosen || m->chosen[k[i]];
		for (int j = 0; j < 3; j++) {
			if (is_defined_by(m, k[i], k[j]))
				return false;
		}
	}
	if (is_about_parts(h))
		return m->n_failed > 0 && m->chosen[h->a] && m->chosen[h->c] && !m->chosen[h->b];
	return chosen && !(h->relation == POWER_OF_TWO && counts_nodes(m, h->a));
}

/* Sizes of the problem that never differ: what is said of the first is said of all. */
static bool is_about_problem(const struct miner *m, const struct invariant *h)
{
	return h->relation == EQUAL && !m->chosen[h->a] && !m->chosen[h->b];
}

static enum err_code visit_all(struct miner *m, visit *f, struct err *e)
{
	size_t n = m->n_columns;
	enum err_code rc = ERR_OK;

	for (size_t a = 0; a < n && !rc; a++) {
		rc = f(m, &(struct invariant){POWER_OF_TWO, a, a, a, 1}, e);
		for (size_t b = 0; b < n && !rc; b++) {
			if (a == b)
				continue;
			if (a < b)
				rc = f(m, &(struct invariant){EQUAL, a, b, b, 1}, e);
			if (!rc)
				rc = f(m, &(struct invariant){DIVIDES, a, b, b, 1}, e);
			if (!rc)
				rc = f(m, &(struct invariant){AT_MOST, a, b, b, 1}, e);
			for (size_t c = 0; c < n && !rc; c++) {
				if (c == a || c == b)
					continue;
				if (a < b)
					rc = f(m, &(struct invariant){PRODUCT, a, b, c, 1}, e);
				if (!rc && a < c)
					rc = f(m, &(struct invariant){DIVIDES_PART, a, b, c, 1}, e);
				if (!rc)
					rc = f(m, &(struct invariant){DIVIDES_SHARE, a, b, c, 1},
					       e);
			}
		}
	}
	return rc;
}

static enum err_code count(struct miner *m, const struct invariant *h, struct err *e)
{
	(void)e;
	if (is_of_interest(m, h) || is_about_problem(m, h))
		*(is_about_parts(h) ? &m->n_by_failures : &m->n_asked) += 1;
	m->n_suspected += is_of_interest(m, h) && (is_grid(m, h) || is_named_part(m, h));
	return ERR_OK;
}

static enum err_code ask(struct miner *m, const struct invariant *h, struct err *e)
{
	struct invariant found = *h;
	double log_p, log_alike = 0;
	enum err_code rc;

	if (m->n_found == MAX_FOUND || !(is_of_interest(m, h) || is_about_problem(m, h)) ||
	    !holds_in_sample(m, h))
		return ERR_OK;
	log_p = log_chance(m, h);
	found.p = exp(log_p) * (is_grid(m, h) ? m->n_suspected : m->n_asked);
	if (is_named_part(m, h)) {
		if ((rc = log_chance_named(m, h, &log_alike, e)))
			return rc;
		found.p = fmin(found.p, exp(log_alike) * m->n_suspected);
	}
	found.p = fmin(found.p, exp(log_chance_failed(m, h)) * (m->n_asked + m->n_by_failures));
	found.p *= m->n_failed > 0 ? 3 : 2; /* families, of which each has its share of the level */
	if (found.p < INVARIANT_ALPHA && holds_in_all(m, h))
		m->found[m->n_found++] = found;
	return ERR_OK;
}

/* ---- what others imply ---- */

static bool is_found_of(const struct miner *m, enum relation relation, size_t a, size_t b, size_t c)
{
	for (size_t i = 0; i < m->n_found; i++) {
		const struct invariant *h = &m->found[i];

		if (h->relation == relation && h->a == a && h->b == b && h->c == c)
			return true;
	}
	return false;
}

static bool is_found(const struct miner *m, enum relation relation, size_t a, size_t b)
{
	return is_found_of(m, relation, a, b, b);
}

/* Is the column a copy of one before it? */
static bool is_copy(const struct miner *m, size_t k)
{
	for (size_t i = 0; i < m->n_found; i++) {
		if (m->found[i].relation == EQUAL && m->found[i].b == k)
			return true;
	}
	return false;
}

static bool is_factor(const struct miner *m, size_t a, size_t b)
{
	for (size_t i = 0; i < m->n_found; i++) {
		const struct invariant *h = &m->found[i];

		if (h->relation == PRODUCT && h->c == b && (h->a == a || h->b == a))
			return true;
	}
	return false;
}

static bool divides(const struct miner *m, size_t a, size_t b)
{
	return is_found(m, DIVIDES, a, b) || is_factor(m, a, b) ||
	       (m->runs->app->ad_hoc && is_defined_by(m, b, a)); /* procs = nodes * ppn */
}

static bool at_most(const struct miner *m, size_t a, size_t b)
{
	return is_found(m, AT_MOST, a, b) || divides(m, a, b);
}

static bool is_chain(const struct miner *m, size_t a, size_t b,
		     bool (*link)(const struct miner *, size_t, size_t))
{
	for (size_t k = 0; k < m->n_columns; k++) {
		if (k != a && k != b && !is_copy(m, k) && link(m, a, k) && link(m, k, b))
			return true;
	}
	return false;
}

/* A multiple that is a power of two has such divisors only. */
static bool divides_power(const struct miner *m, size_t a)
{
	for (size_t k = 0; k < m->n_columns; k++) {
		if (k != a && is_found(m, POWER_OF_TWO, k, k) && divides(m, a, k))
			return true;
	}
	return false;
}

/* Has each part of it such divisors? */
static bool divides_part(const struct miner *m, size_t a, size_t b)
{
	for (size_t i = 0; i < m->n_found; i++) {
		const struct invariant *h = &m->found[i];

		if (h->relation == DIVIDES_PART && h->b == b && (h->a == a || h->c == a))
			return true;
	}
	return false;
}

/* Of columns that are equal the first one speaks for all. */
static bool is_implied(const struct miner *m, const struct invariant *h)
{
	switch (h->relation) {
	case EQUAL:
		return is_copy(m, h->a);
	case PRODUCT:
		return is_copy(m, h->a) || is_copy(m, h->b) || is_copy(m, h->c);
	case DIVIDES:
		return is_copy(m, h->a) || is_copy(m, h->b) || is_found(m, EQUAL, h->a, h->b) ||
		       is_found(m, EQUAL, h->b, h->a) || is_factor(m, h->a, h->b) ||
		       is_chain(m, h->a, h->b, divides) || divides_part(m, h->a, h->b);
	case AT_MOST:
		return is_copy(m, h->a) || is_copy(m, h->b) || is_found(m, EQUAL, h->a, h->b) ||
		       is_found(m, EQUAL, h->b, h->a) || divides(m, h->a, h->b) ||
		       is_chain(m, h->a, h->b, at_most);
	case POWER_OF_TWO:
		return is_copy(m, h->a) || divides_power(m, h->a);
	case DIVIDES_PART:
		return is_copy(m, h->a) || is_copy(m, h->b) || is_copy(m, h->c);
	case DIVIDES_SHARE:
		return is_copy(m, h->a) || is_copy(m, h->b) || is_copy(m, h->c) ||
		       is_found_of(m, DIVIDES_PART, h->a, h->b, h->c) ||
		       is_found_of(m, DIVIDES_PART, h->c, h->b, h->a);
	}
	return false;
}

/* ---- rules ---- */

static void put_column(const struct miner *m, size_t k, struct strbuf *out)
{
	const char *name = column_of(m, k)->name;

	if (expr_is_name(name))
		strbuf_puts(out, name);
	else
		strbuf_put_sql_name(out, name);
}

/* "n % (nodes * block) = 0", "floordiv(n, nodes) % block = 0" */
static void put_parts(const struct miner *m, const struct invariant *h, struct strbuf *out)
{
	const bool share = h->relation == DIVIDES_SHARE;

	strbuf_puts(out, share ? "floordiv(" : "");
	put_column(m, h->b, out);
	strbuf_puts(out, share ? ", " : " % (");
	put_column(m, share ? h->c : h->a, out);
	strbuf_puts(out, share ? ") % " : " * ");
	put_column(m, share ? h->a : h->c, out);
	strbuf_puts(out, share ? " = 0" : ") = 0");
}

static void put_relation(const struct miner *m, const struct invariant *h, struct strbuf *out)
{
	bool reversed = h->relation == DIVIDES;

	if (is_about_parts(h)) {
		put_parts(m, h, out);
		return;
	}
	if (h->relation == POWER_OF_TWO) {
		strbuf_puts(out, RULE_POWER_OF_TWO " % ");
		put_column(m, h->a, out);
		strbuf_puts(out, " = 0");
		return;
	}
	put_column(m, reversed ? h->b : h->a, out);
	strbuf_puts(out, h->relation == EQUAL	  ? " = "
			 : h->relation == PRODUCT ? " * "
			 : h->relation == DIVIDES ? " % "
						  : " <= ");
	put_column(m, reversed ? h->a : h->b, out);
	if (h->relation == DIVIDES)
		strbuf_puts(out, " = 0");
	if (h->relation == PRODUCT) {
		strbuf_puts(out, " = ");
		put_column(m, h->c, out);
	}
}

static enum err_code add_rule(const struct miner *m, const struct invariant *h,
			      const struct slowdown_table *t, struct rule_list *out, struct err *e)
{
	const double unknown = (double)NAN;
	struct rule r = {.kind = RULE_INVARIANT,
			 .evidence = {.n_cases = (int64_t)t->n_strata,
				      .n_problems = (int64_t)t->n_problems,
				      .effect = unknown,
				      .lo = unknown,
				      .hi = unknown,
				      .versus_others = unknown,
				      .confidence = unknown,
				      .held_out_error = unknown,
				      .p_value = h->p}};
	struct strbuf text = STRBUF_INIT;

	put_relation(m, h, &text);
	r.condition = strdup("");
	r.setting = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_release(&text);
	if (!r.condition || !r.setting) {
		rule_release(&r);
		return err_set(e, ERR_NOMEM, "an invariant");
	}
	return rule_list_add(out, &r, e);
}

enum err_code mine_invariants(const struct dataset *runs, const struct dataset *failures,
			      const struct slowdown_table *t, const struct progress *p,
			      struct rule_list *out, struct err *e)
{
	struct miner *m = calloc(1, sizeof *m);
	enum err_code rc = ERR_OK;

	if (!m)
		return err_set(e, ERR_NOMEM, "invariants");
	m->runs = runs;
	m->failures = failures ? failures : runs;
	add_columns(m, true);
	if (m->n_columns == 0)
		goto done;
	add_columns(m, false);
	if (!progress_step(p, "finding rules", 0, 1)) {
		rc = err_set(e, ERR_INTERRUPTED, "interrupted while looking for invariants");
		goto done;
	}
	if (!(rc = take_rows(m, e)) && m->n > 0 && !(rc = visit_all(m, count, e)))
		rc = visit_all(m, ask, e);
	for (size_t i = 0; i < m->n_found && !rc; i++) {
		if (!is_about_problem(m, &m->found[i]) && !is_implied(m, &m->found[i]))
			rc = add_rule(m, &m->found[i], t, out, e);
	}
done:
	free(m->value);
	free(m->failed);
	free(m->work);
	free(m);
	return rc;
}
