#include "acquire/design_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/cholesky.h"
#include "base/splitmix.h"

enum {
	MAX_CANDIDATES = 20000, /* of an exchange */
	MIN_CANDIDATES = 500,
	STARTS = 12, /* of either search */
	MAX_PASSES = 50
};

/* Multiplications that one pass of exchanges, or the search for generators, may take: so that
 * either is done within about a second. */
static const double pass_work = 3e6, generator_work = 1e8;

/* A precision that every effect has before the first run, so that a design to begin with need not
 * tell them all (DuMouchel and Jones, Technometrics 36(1), 1994). */
static const double prior_precision = 1e-6;

size_t design_fraction_least(const struct design_space *s)
{
	size_t p = 1;

	for (size_t f = 0; f < s->n_factors; f++)
		p += s->n_levels[f] - 1;
	return p;
}

static enum err_code interrupted(struct err *e)
{
	return err_set(e, ERR_INTERRUPTED, "interrupted while making a design");
}

/* ---- 2^(k-p) ---- */

/* Factor i is the product of those basic factors whose bits column[i] has: in run r it is high
 * where an odd number of these is. A word is a set of factors whose product is constant. */
struct regular {
	size_t n_factors, n_basic;
	size_t column[DESIGN_MAX_FACTORS];
	double n_words[DESIGN_MAX_FACTORS + 1]; /* by length */
};

static bool is_odd(size_t bits)
{
	bool odd = false;

	for (; bits; bits &= bits - 1)
		odd = !odd;
	return odd;
}

static size_t n_high(const struct regular *g, size_t run)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_factors; i++)
		n += is_odd(run & g->column[i]);
	return n;
}

/* From how many factors are high in how many runs, by the identity of MacWilliams (Bell Syst. Tech.
 * J. 42, 1963): words of length j = the mean over runs of the Krawtchouk polynomial K_j(high), here
 * the coefficient of z^j in (1 - z)^high (1 + z)^(factors - high). */
static void count_words(struct regular *g)
{
	size_t k = g->n_factors, n_runs = (size_t)1 << g->n_basic;
	double n_with[DESIGN_MAX_FACTORS + 1] = {0};

	memset(g->n_words, 0, sizeof g->n_words);
	for (size_t run = 0; run < n_runs; run++)
		n_with[n_high(g, run)]++;
	for (size_t high = 0; high <= k; high++) {
		double c[DESIGN_MAX_FACTORS + 1] = {1};

		for (size_t i = 0; i < k; i++) {
			for (size_t j = i + 1; j > 0; j--)
				c[j] += i < high ? -c[j - 1] : c[j - 1];
		}
		for (size_t j = 1; j <= k; j++)
			g->n_words[j] += n_with[high] * c[j] / (double)n_runs;
	}
}

/* Fewer of the shortest words: counts are whole numbers but for rounding. */
static bool has_less_aberration(const struct regular *a, const struct regular *b)
{
	for (size_t j = 1; j <= a->n_factors; j++) {
		if (fabs(a->n_words[j] - b->n_words[j]) > 0.5)
			return a->n_words[j] < b->n_words[j];
	}
	return false;
}

/* A better column for factor i, of `tries`: the product of all basic factors, and others in turn
 * from a random one. */
static bool improve_column(struct regular *g, size_t i, size_t tries, uint64_t *random)
{
	size_t n = (size_t)1 << g->n_basic, from = (size_t)(splitmix_next(random) % n);
	bool better = false;

	for (size_t t = 0; t <= tries; t++) {
		struct regular other = *g;

		other.column[i] = t == 0 ? n - 1 : (from + t) % n;
		if (other.column[i] == 0 || other.column[i] == g->column[i])
			continue;
		count_words(&other);
		if (!has_less_aberration(&other, g))
			continue;
		*g = other;
		better = true;
	}
	return better;
}

static enum err_code find_generators(const struct design_space *s, size_t n_basic, uint64_t *random,
				     struct regular *best, struct err *e)
{
	size_t k = s->n_factors, n = (size_t)1 << n_basic;
	double work = (double)n * (double)k + (double)(k * k * k);
	double most = generator_work / work / STARTS / (double)(k - n_basic + 1) / 3;
	size_t tries = most < (double)n ? 1 + (size_t)most : n;

	assert(n_basic > 0);
	for (int start = 0; start < STARTS; start++) {
		struct regular g = {.n_factors = k, .n_basic = n_basic};
		bool better = k > n_basic;

		for (size_t i = 0; i < k; i++)
			g.column[i] = i < n_basic ? (size_t)1 << i
						  : 1 + (size_t)(splitmix_next(random) % (n - 1));
		count_words(&g);
		for (int pass = 0; pass < MAX_PASSES && better; pass++) {
			better = false;
			for (size_t i = n_basic; i < k; i++) {
				if (!progress_step(s->progress, "design", 0, 0))
					return interrupted(e);
				better |= improve_column(&g, i, tries, random);
			}
		}
		if (start == 0 || has_less_aberration(&g, best))
			*best = g;
	}
	return ERR_OK;
}

static enum err_code regular_fraction(const struct design_space *s, size_t n_basic, uint64_t seed,
				      struct design *out, struct err *e)
{
	struct design d = {.n = (size_t)1 << n_basic, .n_factors = s->n_factors, .efficiency = 1};
	struct regular g = {0};
	enum err_code rc = find_generators(s, n_basic, &seed, &g, e);

	if (rc)
		return rc;
	for (size_t j = 1; j <= s->n_factors && d.resolution == 0; j++)
		d.resolution = g.n_words[j] > 0.5 ? (int)j : 0;
	d.level = calloc(d.n * d.n_factors, sizeof *d.level);
	if (!d.level)
		return err_set(e, ERR_NOMEM, "a design of %zu points", d.n);
	for (size_t run = 0; run < d.n; run++) {
		for (size_t i = 0; i < d.n_factors; i++)
			d.level[run * d.n_factors + i] = is_odd(run & g.column[i]);
	}
	*out = d;
	return ERR_OK;
}

/* ---- D-optimal ---- */

struct exchange {
	const struct design_space *s;
	size_t n, p;
	size_t n_candidates;
	double *x;	       /* n_candidates * p: contrasts */
	double *inverse;       /* p * p, of the information of the points chosen, and the prior */
	double *variance;      /* n_candidates: of a prediction there, x' inverse x */
	double *u, *scratch;   /* p; and p rounded up to whole tiles, squared */
	size_t *chosen, *best; /* n */
	unsigned char *in;     /* n_candidates */
};

/* Orthonormal if all levels are taken equally often: Helmert's. */
static void put_contrasts(const struct design_space *s, const size_t *level, double *x)
{
	*x++ = 1;
	for (size_t f = 0; f < s->n_factors; f++) {
		for (size_t j = 1; j < s->n_levels[f]; j++) {
			double unit = sqrt((double)s->n_levels[f] / (double)(j * (j + 1)));

			*x++ = level[f] < j ? unit : level[f] == j ? -(double)j * unit : 0;
		}
	}
}

static size_t whole_tiles(size_t p)
{
	return (p + CHOLESKY_TILE - 1) / CHOLESKY_TILE * CHOLESKY_TILE;
}

static double *row_of(const struct exchange *x, size_t i)
{
	return x->x + i * x->p;
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* The Cholesky factor of chosen[n]'s information in x->scratch; false: singular. */
static bool factor_information(const struct exchange *x, const size_t *chosen, double prior)
{
	size_t p = x->p, order = whole_tiles(p);

	memset(x->scratch, 0, order * order * sizeof *x->scratch);
	for (size_t i = 0; i < order; i++)
		x->scratch[i * order + i] = i < p ? prior : 1;
	for (size_t k = 0; k < x->n; k++) {
		const double *r = row_of(x, chosen[k]);

		for (size_t i = 0; i < p; i++) {
			for (size_t j = 0; j <= i; j++)
				x->scratch[i * order + j] += r[i] * r[j];
		}
	}
	return cholesky_factor(x->scratch, order, p);
}

/* The logarithm of |X'X|^(1/p) / n; -INFINITY: singular. */
static double log_efficiency(const struct exchange *x, const size_t *chosen)
{
	size_t order = whole_tiles(x->p);
	double sum = 0;

	if (!factor_information(x, chosen, 0))
		return -INFINITY;
	for (size_t i = 0; i < x->p; i++) {
		double pivot = x->scratch[i * order + i];

		if (!(pivot * pivot > 1e-9 * (double)x->n)) /* rounding: no information */
			return -INFINITY;
		sum += 2 * log(pivot);
	}
	return sum / (double)x->p - log((double)x->n);
}

/* inverse and variance from chosen[]. */
static void start_exchange(struct exchange *x)
{
	size_t p = x->p, order = whole_tiles(p);
	double *column = x->scratch + order * order;

	/* positive definite, as the prior is */
	if (!factor_information(x, x->chosen, prior_precision))
		return;
	for (size_t i = 0; i < p; i++) {
		memset(column, 0, p * sizeof *column);
		column[i] = 1;
		cholesky_solve(x->scratch, order, p, column);
		memcpy(x->inverse + i * p, column, p * sizeof *column);
	}
	for (size_t c = 0; c < x->n_candidates; c++) {
		x->variance[c] = 0;
		for (size_t i = 0; i < p; i++)
			x->variance[c] +=
				row_of(x, c)[i] * dot(x->inverse + i * p, row_of(x, c), p);
	}
}

/* Candidate c joins (sign 1) or leaves (-1): Sherman and Morrison. */
static void update_information(struct exchange *x, size_t c, double sign)
{
	size_t p = x->p;
	double scale;

	for (size_t i = 0; i < p; i++)
		x->u[i] = dot(x->inverse + i * p, row_of(x, c), p);
	scale = sign / (1 + sign * x->variance[c]);
	for (size_t i = 0; i < p; i++) {
		for (size_t j = 0; j < p; j++)
			x->inverse[i * p + j] -= scale * x->u[i] * x->u[j];
	}
	for (size_t k = 0; k < x->n_candidates; k++) {
		double t = dot(row_of(x, k), x->u, p);

		x->variance[k] -= scale * t * t;
	}
	x->in[c] = sign > 0;
}

/* Where least is known: the determinant grows by the factor 1 + variance. */
static size_t most_uncertain(const struct exchange *x, size_t instead_of)
{
	size_t best = instead_of;

	for (size_t c = 0; c < x->n_candidates; c++) {
		if (!x->in[c] && x->variance[c] > x->variance[best] * (1 + 1e-9))
			best = c;
	}
	return best;
}

static enum err_code exchange_from(struct exchange *x, uint64_t *random, struct err *e)
{
	bool better = true;

	memset(x->in, 0, x->n_candidates);
	for (size_t k = 0; k < x->n; k++) {
		do
			x->chosen[k] = (size_t)(splitmix_next(random) % x->n_candidates);
		while (x->in[x->chosen[k]]);
		x->in[x->chosen[k]] = 1;
	}
	for (int pass = 0; pass < MAX_PASSES && better; pass++) {
		better = false;
		start_exchange(x); /* anew: updates add rounding to rounding */
		for (size_t k = 0; k < x->n; k++) {
			size_t old = x->chosen[k];

			if (!progress_step(x->s->progress, "design", k, x->n))
				return interrupted(e);
			update_information(x, old, -1);
			x->chosen[k] = most_uncertain(x, old);
			update_information(x, x->chosen[k], 1);
			better |= x->chosen[k] != old;
		}
	}
	return ERR_OK;
}

static int compare_sizes(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static enum err_code search_exchanges(struct exchange *x, const struct design *from,
				      uint64_t *random, struct design *out, struct err *e)
{
	double most = -INFINITY;

	for (int start = 0; start < STARTS; start++) {
		enum err_code rc = exchange_from(x, random, e);
		double log_eff;

		if (rc)
			return rc;
		log_eff = log_efficiency(x, x->chosen);
		if (!(log_eff > most + 1e-12))
			continue;
		most = log_eff;
		memcpy(x->best, x->chosen, x->n * sizeof *x->best);
	}
	if (most == -INFINITY)
		return err_set(e, ERR_ARG,
			       "no %zu legal combinations tell all effects of the factors apart: "
			       "two of them always move together, or a level is never legal",
			       x->n);
	out->level = calloc(x->n * x->s->n_factors, sizeof *out->level);
	if (!out->level)
		return err_set(e, ERR_NOMEM, "a design of %zu points", x->n);
	out->n = x->n;
	out->n_factors = x->s->n_factors;
	out->efficiency = exp(most);
	qsort(x->best, x->n, sizeof *x->best, compare_sizes);
	for (size_t k = 0; k < x->n; k++)
		memcpy(out->level + k * out->n_factors, design_point(from, x->best[k]),
		       out->n_factors * sizeof *out->level);
	return ERR_OK;
}

static enum err_code optimal_fraction(const struct design_space *s, size_t n, uint64_t seed,
				      struct design *out, struct err *e)
{
	size_t p = design_fraction_least(s), order = whole_tiles(p);
	double most = fmin(fmax(pass_work / (double)n / (double)p, MIN_CANDIDATES), MAX_CANDIDATES);
	struct exchange x = {.s = s, .n = n, .p = p};
	struct design candidates = {0}, d = {0};
	bool all;
	enum err_code rc = design_candidates(s, n + (size_t)most, &seed, &candidates, &all, e);

	if (rc)
		return rc;
	x.n_candidates = candidates.n;
	if (candidates.n < n) {
		rc = err_set(e, ERR_ARG,
			     "a fraction of %zu runs, but only %zu legal combinations of levels %s",
			     n, candidates.n, all ? "exist" : "were found");
		goto done;
	}
	x.x = calloc(candidates.n * p, sizeof *x.x);
	x.inverse = calloc(p * p, sizeof *x.inverse);
	x.variance = calloc(candidates.n, sizeof *x.variance);
	x.u = calloc(p, sizeof *x.u);
	x.scratch = calloc(order * (order + 1), sizeof *x.scratch);
	x.chosen = calloc(n, sizeof *x.chosen);
	x.best = calloc(n, sizeof *x.best);
	x.in = calloc(candidates.n, sizeof *x.in);
	if (!x.x || !x.inverse || !x.variance || !x.u || !x.scratch || !x.chosen || !x.best ||
	    !x.in) {
		rc = err_set(e, ERR_NOMEM, "a fraction of %zu runs", n);
		goto done;
	}
	for (size_t c = 0; c < candidates.n; c++)
		put_contrasts(s, design_point(&candidates, c), row_of(&x, c));
	if (!(rc = search_exchanges(&x, &candidates, &seed, &d, e)))
		*out = d;
done:
	free(x.x);
	free(x.inverse);
	free(x.variance);
	free(x.u);
	free(x.scratch);
	free(x.chosen);
	free(x.best);
	free(x.in);
	design_release(&candidates);
	return rc;
}

/* ---- which of the two ---- */

/* n = 2^result; 0: it is no power of two. */
static size_t log2_exact(size_t n)
{
	size_t m = 0;

	while (m < 20 && (size_t)1 << m < n)
		m++;
	return (size_t)1 << m == n ? m : 0;
}

static bool is_regular(const struct design_space *s, size_t n)
{
	size_t m = log2_exact(n);

	for (size_t f = 0; f < s->n_factors; f++) {
		if (s->n_levels[f] != 2)
			return false;
	}
	return !s->legal && m > 0 && m <= s->n_factors;
}

enum err_code design_fraction(const struct design_space *s, size_t n, uint64_t seed,
			      struct design *out, struct err *e)
{
	enum err_code rc = design_check_space(s, e);

	if (rc)
		return rc;
	if (n < design_fraction_least(s))
		return err_set(
			e, ERR_ARG,
			"a fraction of %zu runs tells no %zu effects apart: at least %zu runs, "
			"or a Latin hypercube",
			n, design_fraction_least(s) - 1, design_fraction_least(s));
	if (is_regular(s, n))
		return regular_fraction(s, log2_exact(n), seed, out, e);
	return optimal_fraction(s, n, seed, out, e);
}
