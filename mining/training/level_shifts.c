#include "mining/training/level_shifts.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAST_LEVELS = 4,  /* three lie on any smooth law */
	LEAST_CONFIGS = 2, /* with a shift, and without: one run may be disturbed */
	MOST_TERMS = 120,
	OWN_ORDER = 3,
	WAVES = 8,
	LEAST_POWER = 3, /* multiples of 8: numbers of eight bytes fill a line of a cache */
	MOST_POWER = 12, /* multiples of 4096 */
	MOST_ROUNDS = 3, /* shifts of a column */
	MOST_SETS = LEVEL_SHIFT_VALUES + MOST_POWER + 1
};

/* Priors. Columns are ln x less its middle, so that slopes are exponents. */
#define PER_DOUBLING 0.05 /* a bound, as beyond the runs (predictor.c) */
#define OF_A_KIND 0.1	  /* numbers of a kind, half of it powers of two */
#define FALL_ODDS 0.2	  /* a larger problem seldom takes less: a better algorithm begins */
#define SHIFT_SD 1.0
#define MEAN_SD 10.0
#define SLOPE_SD 3.0
#define CURVE_SD 0.5
#define SHARE_SD 1.0
/* What is smooth and no polynomial: ln time, and how fast it changes, in halves of the range. */
#define RIPPLE_SD 0.1
#define RIPPLE_LENGTH 0.5
#define LEVEL_SD 1.0
#define LEAST_SHIFT 0.182 /* ln 1.2 */
/* Beyond the runs the law that one value alone shows may have another exponent. */
#define NEW_SLOPE_SD 0.5

static const double sigmas[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
/* Deviations of values, and how common they are: most numbers are sizes, few are names. */
static const double taus[] = {0.003, 0.02, 0.05, 0.15, 0.5};
static const double tau_prior[] = {0.3, 0.3, 0.2, 0.1, 0.1};
enum { N_SIGMA = sizeof sigmas / sizeof *sigmas, N_TAU = sizeof taus / sizeof *taus };

/* Values of the column that may be off together. */
struct shift_set {
	enum level_shift_kind kind;
	bool has[LEVEL_SHIFT_VALUES];
	double prior, lo, hi;
	bool powers;
	/* Over sigma and tau: ln of the evidence with the prior, and moments of the shift at
	 * another value. */
	double log_evidence, mean, variance;
};

struct shift_search {
	const struct config_table *t;
	size_t column;
	size_t n, *pick;
	size_t n_levels, n_terms, p; /* p: terms and levels */
	double level[LEVEL_SHIFT_VALUES];
	size_t n_of[LEVEL_SHIFT_VALUES]; /* configurations */
	size_t *level_of;		 /* n */
	double *f;			 /* n * MOST_TERMS */
	double prior_sd[MOST_TERMS];
	double *gram, *factor; /* p * p */
	double *h, *z, *v;     /* p */
	double yy, none;       /* none: ln of the evidence of no shift */
	size_t n_sets;
	struct shift_set set[MOST_SETS];
};

static void search_free(struct shift_search *s)
{
	if (!s)
		return;
	free(s->pick);
	free(s->level_of);
	free(s->f);
	free(s->gram);
	free(s->factor);
	free(s->h);
	free(s);
}

/* ---- the smooth law ---- */

/* x[n] * by[n] (NULL: 1); what does not fit in is left out. */
static void add_term(struct shift_search *s, const double *x, const double *by, double sd)
{
	if (s->n_terms == MOST_TERMS)
		return;
	for (size_t i = 0; i < s->n; i++)
		s->f[i * MOST_TERMS + s->n_terms] = by ? x[i] * by[i] : x[i];
	s->prior_sd[s->n_terms++] = sd;
}

/* Over a range of h each way an exponent changes by about CURVE_SD * h, and by no more than about
 * one however wide the range is: of h[0] and h[1], for a product. */
static double curve_sd(double a, double b)
{
	return CURVE_SD * fmin(a * b, sqrt(a * b)) / (a * b);
}

/* u[n]: ln of column c less its middle, 0 where it is missing. Returns half of its range; 0: it
 * does not vary or is no input. */
static double put_log(const struct shift_search *s, size_t c, double *u)
{
	const struct column *of = &s->t->app->column[c];
	double least = INFINITY, most = -INFINITY, shift;

	if (of->role == COL_DERIVED || of->type == COL_TEXT)
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		const double x = config_table_row(s->t, s->pick[i])[c];

		least = fmin(least, x);
		most = fmax(most, x);
	}
	if (!(most > least) || isinf(least) || isinf(most))
		return 0;
	shift = least > 0 ? 0 : 1 - least;
	for (size_t i = 0; i < s->n; i++) {
		const double x = config_table_row(s->t, s->pick[i])[c];

		u[i] = isnan(x) ? 0 : log(x + shift) - log((least + shift) * (most + shift)) / 2;
	}
	return log((most + shift) / (least + shift)) / 2;
}

/* Work may grow without bound as a share or a percentage comes towards the whole. */
static void add_share(struct shift_search *s, double *left)
{
	const double most = s->level[s->n_levels - 1], whole = most < 1 ? 1 : 100;

	if (most >= whole || most <= whole / 2)
		return;
	for (size_t i = 0; i < s->n; i++)
		left[i] = -log(1 - s->level[s->level_of[i]] / whole);
	add_term(s, left, NULL, SHARE_SD);
}

/* A Gaussian process with Matern's covariance (5/2) as a sum of sines on 1.5 times the range, with
 * its spectral density as their variances (Solin and Sarkka, "Hilbert space methods for
 * reduced-rank Gaussian process regression", Statistics and Computing 30, 2020). u[n] is scratch.
 */
static void add_ripple(struct shift_search *s, const double *own, double half, double *u)
{
	const double end = 1.5 * half, length = RIPPLE_LENGTH * half;

	for (int k = 1; k <= WAVES; k++) {
		const double w = k * M_PI / (2 * end);
		const double density = RIPPLE_SD * RIPPLE_SD * 16 / 3 * pow(5, 2.5) /
				       pow(length, 5) * pow(5 / (length * length) + w * w, -3);

		for (size_t i = 0; i < s->n; i++)
			u[i] = sin(w * (own[i] + end)) / sqrt(end);
		add_term(s, u, NULL, sqrt(density));
	}
}

static void add_own_terms(struct shift_search *s, const double *own, double half, double *power)
{
	double sd = curve_sd(half, half);

	for (size_t i = 0; i < s->n; i++)
		power[i] = 1;
	add_term(s, power, NULL, MEAN_SD);
	add_term(s, own, NULL, SLOPE_SD);
	memcpy(power, own, s->n * sizeof *power);
	for (int k = 2; k <= OWN_ORDER; k++) {
		for (size_t i = 0; i < s->n; i++)
			power[i] *= own[i];
		add_term(s, power, NULL, sd);
		sd /= 2 * half; /* at the ends of the range half as much of each order */
	}
	add_share(s, power);
	add_ripple(s, own, half, power);
}

static void add_words(struct shift_search *s, size_t c, const double *own, double half, double *is)
{
	const struct column *of = &s->t->app->column[c];

	for (size_t l = 0; of->type == COL_TEXT && l < of->levels.n; l++) {
		bool any = false, all = true;

		for (size_t i = 0; i < s->n; i++) {
			is[i] = config_table_row(s->t, s->pick[i])[c] == (double)l;
			any = any || is[i] > 0;
			all = all && is[i] > 0;
		}
		if (!any || all)
			continue;
		add_term(s, is, NULL, LEVEL_SD);
		add_term(s, is, own, CURVE_SD / fmax(half, 1));
	}
}

/* Its own terms first, and products of others last, where there is no room for all. u[(columns + 1)
 * * n] and half[columns] are scratch. */
static void add_terms(struct shift_search *s, double *u, double *half)
{
	const size_t n = s->n, n_columns = s->t->n_columns;
	double *own = u + s->column * n, *work = u + n_columns * n;

	for (size_t c = 0; c < n_columns; c++)
		half[c] = put_log(s, c, u + c * n);
	add_own_terms(s, own, half[s->column], work);
	for (size_t c = 0; c < n_columns; c++) {
		if (half[c] > 0 && c != s->column) {
			add_term(s, u + c * n, NULL, SLOPE_SD);
			add_term(s, u + c * n, u + c * n, 2 * curve_sd(half[c], half[c]));
			add_term(s, u + c * n, own, curve_sd(half[c], half[s->column]));
		}
		add_words(s, c, own, half[s->column], work);
	}
	for (size_t c = 0; c < n_columns; c++) {
		for (size_t d = 0; d < c; d++) {
			if (half[c] > 0 && half[d] > 0 && c != s->column && d != s->column)
				add_term(s, u + c * n, u + d * n, curve_sd(half[c], half[d]));
		}
	}
}

/* The values of the column, ascending; false: too few, too many, or one without a log. */
static bool find_levels(struct shift_search *s)
{
	for (size_t i = 0; i < s->t->n; i++) {
		const double x = config_table_row(s->t, i)[s->column];
		size_t k = 0;

		if (!(x > 0) || isinf(x))
			return false;
		while (k < s->n_levels && s->level[k] < x)
			k++;
		if (k < s->n_levels && s->level[k] == x)
			continue;
		if (s->n_levels == LEVEL_SHIFT_VALUES)
			return false;
		memmove(s->level + k + 1, s->level + k, (s->n_levels - k) * sizeof *s->level);
		s->level[k] = x;
		s->n_levels++;
	}
	return s->n_levels >= LEAST_LEVELS;
}

/* gram = F' W F of terms and levels. */
static void put_gram(struct shift_search *s)
{
	const size_t p = s->p;
	double *row = s->v;

	for (size_t i = 0; i < s->n; i++) {
		const double w = config_table_weight(s->t, s->pick[i]);

		memset(row, 0, p * sizeof *row);
		memcpy(row, s->f + i * MOST_TERMS, s->n_terms * sizeof *row);
		row[s->n_terms + s->level_of[i]] = 1;
		for (size_t j = 0; j < p; j++) {
			for (size_t k = 0; row[j] != 0 && k <= j; k++)
				s->gram[j * p + k] += w * row[j] * row[k];
		}
	}
	for (size_t j = 0; j < p; j++) {
		for (size_t k = 0; k < j; k++)
			s->gram[k * p + j] = s->gram[j * p + k];
	}
}

/* h = F' W y, y ln of t's times less their mean, and y' W y. */
static void put_times(struct shift_search *s)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double w = config_table_weight(s->t, s->pick[i]);

		sum += w * log(s->t->time_s[s->pick[i]]);
		all += w;
	}
	s->yy = 0;
	memset(s->h, 0, s->p * sizeof *s->h);
	for (size_t i = 0; i < s->n; i++) {
		const double w = config_table_weight(s->t, s->pick[i]);
		const double y = log(s->t->time_s[s->pick[i]]) - sum / all;

		s->yy += w * y * y;
		for (size_t j = 0; j < s->n_terms; j++)
			s->h[j] += w * y * s->f[i * MOST_TERMS + j];
		s->h[s->n_terms + s->level_of[i]] += w * y;
	}
}

/* *out NULL: this column has none to look for. */
static enum err_code search_new(const struct config_table *t, size_t column,
				struct shift_search **out, struct err *e)
{
	struct shift_search *s = calloc(1, sizeof *s);
	double *u = NULL;

	*out = NULL;
	if (!s)
		goto fail;
	s->t = t;
	s->column = column;
	if (!find_levels(s)) {
		search_free(s);
		return ERR_OK;
	}
	if (!(s->pick = calloc(t->n, sizeof *s->pick)))
		goto fail;
	s->n = config_table_pick(t, LEVEL_SHIFT_CONFIGS, s->pick);
	s->level_of = calloc(s->n, sizeof *s->level_of);
	s->f = calloc(s->n * MOST_TERMS, sizeof *s->f);
	u = calloc((t->n_columns + 1) * (s->n + 1), sizeof *u);
	if (!s->level_of || !s->f || !u)
		goto fail;
	for (size_t i = 0; i < s->n; i++) {
		while (s->level[s->level_of[i]] < config_table_row(t, s->pick[i])[column])
			s->level_of[i]++;
		s->n_of[s->level_of[i]]++;
	}
	add_terms(s, u, u + (t->n_columns + 1) * s->n);
	s->p = s->n_terms + s->n_levels;
	s->gram = calloc(s->p * s->p, sizeof *s->gram);
	s->factor = calloc(s->p * s->p, sizeof *s->factor);
	s->h = calloc(3 * s->p, sizeof *s->h);
	if (!s->gram || !s->factor || !s->h)
		goto fail;
	s->z = s->h + s->p;
	s->v = s->z + s->p;
	put_gram(s);
	free(u);
	*out = s;
	return ERR_OK;
fail:
	free(u);
	search_free(s);
	return err_set(e, ERR_NOMEM, "shifts of values");
}

/* ---- the sets ---- */

/* Of a whole number from 1 on that a double holds: the largest k of which it is a multiple of 2^k;
 * -1: it is none. */
static int twos(double x)
{
	int k = 0;

	if (!(x >= 1) || x >= 0x1p53 || x != floor(x))
		return -1;
	for (; fmod(x, 2) == 0; x /= 2)
		k++;
	return k;
}

/* Powers of two that are multiples of 8. */
static bool is_power(double x)
{
	return twos(x) >= LEAST_POWER && ldexp(1, twos(x)) == x;
}

static bool is_of_kind(double x, int k, bool powers)
{
	return powers ? is_power(x) : twos(x) >= k;
}

static void add_set(struct shift_search *s, const struct shift_set *set)
{
	size_t with = 0, without = 0;

	for (size_t l = 0; l < s->n_levels; l++)
		*(set->has[l] ? &with : &without) += s->n_of[l];
	if (with >= LEAST_CONFIGS && without >= LEAST_CONFIGS)
		s->set[s->n_sets++] = *set;
}

/* Kinds of the same values are one set: the runs cannot tell between them. */
static void add_kind(struct shift_search *s, int k, bool powers, double prior)
{
	struct shift_set set = {.kind = SHIFT_NUMBERS, .prior = prior, .powers = powers};

	set.lo = powers ? 1 : k;
	set.hi = powers ? 0 : k;
	for (size_t l = 0; l < s->n_levels; l++)
		set.has[l] = is_of_kind(s->level[l], k, powers);
	for (size_t i = 0; i < s->n_sets; i++) {
		struct shift_set *old = &s->set[i];

		if (memcmp(old->has, set.has, sizeof set.has) != 0)
			continue;
		old->prior += prior;
		old->powers = old->powers || powers;
		old->hi = fmax(old->hi, set.hi);
		return;
	}
	add_set(s, &set);
}

static void list_sets(struct shift_search *s)
{
	bool whole = true;

	for (size_t l = 0; l < s->n_levels; l++)
		whole = whole && twos(s->level[l]) >= 0;
	for (int k = LEAST_POWER; k <= MOST_POWER && whole; k++)
		add_kind(s, k, false, OF_A_KIND / 2 / (MOST_POWER - LEAST_POWER + 1));
	if (whole)
		add_kind(s, 0, true, OF_A_KIND / 2);
	for (size_t l = 1; l < s->n_levels; l++) {
		struct shift_set set = {
			.kind = SHIFT_ABOVE, .lo = s->level[l - 1], .hi = s->level[l]};

		set.prior = 1 - pow(1 - PER_DOUBLING, log2(set.hi / set.lo));
		for (size_t k = l; k < s->n_levels; k++)
			set.has[k] = true;
		add_set(s, &set);
	}
}

/* ---- their evidence ---- */

/* factor = L, L L' = diag(prior^-2) + gram / sigma^2. Returns -sum ln L_ii - sum ln prior;
 * -INFINITY: rounding left nothing positive definite. */
static double factorise(struct shift_search *s, double sigma, double tau)
{
	const size_t p = s->p;
	gsl_matrix_view a = gsl_matrix_view_array(s->factor, p, p);
	double sum = 0;

	for (size_t i = 0; i < p * p; i++)
		s->factor[i] = s->gram[i] / (sigma * sigma);
	for (size_t i = 0; i < p; i++) {
		const double prior = i < s->n_terms ? s->prior_sd[i] : tau;

		s->factor[i * p + i] += 1 / (prior * prior);
		sum -= log(prior);
	}
	if (gsl_linalg_cholesky_decomp1(&a.matrix))
		return -INFINITY;
	for (size_t i = 0; i < p; i++)
		sum -= log(s->factor[i * p + i]);
	return sum;
}

static void solve_lower(const struct shift_search *s, double *x)
{
	const gsl_matrix_const_view a = gsl_matrix_const_view_array(s->factor, s->p, s->p);
	gsl_vector_view v = gsl_vector_view_array(x, s->p);

	gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, &a.matrix, &v.vector);
}

/* ln(exp(a) + exp(b)) */
static double log_add(double a, double b)
{
	return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

/* Without a shift; -INFINITY: as above. */
static double base_evidence(struct shift_search *s, double sigma, double tau)
{
	const double precision = 1 / (sigma * sigma);
	double sum = factorise(s, sigma, tau) - (double)s->n * log(sigma) - s->yy * precision / 2;

	if (isinf(sum))
		return -INFINITY;
	for (size_t j = 0; j < s->p; j++)
		s->z[j] = s->h[j] * precision;
	solve_lower(s, s->z);
	for (size_t j = 0; j < s->p; j++)
		sum += s->z[j] * s->z[j] / 2;
	return sum;
}

/* With one more column, the sum of the set's levels, by its Schur complement. */
static void weigh(struct shift_search *s, double sigma, double tau, double base,
		  struct shift_set *set)
{
	const double precision = 1 / (sigma * sigma), least = 1 / (SHIFT_SD * SHIFT_SD);
	double d = least, z = 0, log_evidence, mean, before = set->mean, w;

	memset(s->v, 0, s->p * sizeof *s->v);
	for (size_t l = 0; l < s->n_levels; l++) {
		const double *row = s->gram + (s->n_terms + l) * s->p;

		if (!set->has[l])
			continue;
		for (size_t j = 0; j < s->p; j++)
			s->v[j] += row[j] * precision;
		d += row[s->n_terms + l] * precision;
		z += s->h[s->n_terms + l] * precision;
	}
	solve_lower(s, s->v);
	for (size_t j = 0; j < s->p; j++) {
		d -= s->v[j] * s->v[j];
		z -= s->v[j] * s->z[j];
	}
	d = fmax(d, least); /* rounding */
	mean = z / d;
	log_evidence = base + z * mean / 2 - log(d) / 2 - log(SHIFT_SD) + log(set->prior);
	set->log_evidence = log_add(set->log_evidence, log_evidence);
	w = exp(log_evidence - set->log_evidence);
	set->mean += w * (mean - before);
	set->variance = (1 - w) * (set->variance + pow(before - set->mean, 2)) +
			w * (1 / d + tau * tau + pow(mean - set->mean, 2));
}

static void compare(struct shift_search *s)
{
	s->none = -DBL_MAX;
	for (size_t k = 0; k < s->n_sets; k++) {
		s->set[k].log_evidence = -DBL_MAX;
		s->set[k].mean = s->set[k].variance = 0;
	}
	for (int a = 0; a < N_SIGMA; a++) {
		for (int b = 0; b < N_TAU; b++) {
			const double base =
				base_evidence(s, sigmas[a], taus[b]) + log(tau_prior[b]);

			if (isinf(base))
				continue;
			s->none = log_add(s->none, base);
			for (size_t k = 0; k < s->n_sets; k++)
				weigh(s, sigmas[a], taus[b], base, &s->set[k]);
		}
	}
}

/* ---- what is found ---- */

static double log_odds(const struct shift_set *set)
{
	return set->log_evidence + (set->kind == SHIFT_ABOVE && set->mean < 0 ? log(FALL_ODDS) : 0);
}

/* The likeliest shift of the likelier kind, with the chance that there is one of this kind. */
static bool likeliest(const struct shift_search *s, struct level_shift *out)
{
	double top = s->none, of[3] = {0}, all;
	const struct shift_set *best[3] = {NULL}, *set;

	for (size_t k = 0; k < s->n_sets; k++)
		top = fmax(top, log_odds(&s->set[k]));
	all = exp(s->none - top);
	for (size_t k = 0; k < s->n_sets; k++) {
		set = &s->set[k];
		of[set->kind] += exp(log_odds(set) - top);
		all += exp(log_odds(set) - top);
		if (!best[set->kind] || log_odds(set) > log_odds(best[set->kind]))
			best[set->kind] = set;
	}
	set = best[of[SHIFT_NUMBERS] > of[SHIFT_ABOVE] ? SHIFT_NUMBERS : SHIFT_ABOVE];
	if (!set || of[set->kind] / all < SHIFT_SUSPECTED || fabs(set->mean) < LEAST_SHIFT)
		return false;
	*out = (struct level_shift){.column = s->column,
				    .kind = set->kind,
				    .chance = of[set->kind] / all,
				    .log_ratio = set->mean,
				    .sd = sqrt(set->variance),
				    .lo = set->lo,
				    .hi = set->hi,
				    .powers = set->powers,
				    .least = s->level[0],
				    .most = s->level[s->n_levels - 1]};
	for (size_t l = 0; l < s->n_levels; l++)
		out->n_with += set->has[l];
	return true;
}

/* left: t without what was found already. */
static enum err_code find_of(struct config_table *left, size_t column, struct level_shifts *out,
			     struct err *e)
{
	struct shift_search *s;
	enum err_code rc = search_new(left, column, &s, e);

	if (rc || !s)
		return rc;
	list_sets(s);
	for (int round = 0; round < MOST_ROUNDS && out->n < LEVEL_SHIFTS; round++) {
		struct level_shifts one = {.n = 1};

		put_times(s);
		compare(s);
		if (!likeliest(s, &one.item[0]))
			break;
		out->item[out->n++] = one.item[0];
		if (one.item[0].chance < SHIFT_FOUND)
			break;
		level_shifts_take_off(&one, left);
	}
	search_free(s);
	return ERR_OK;
}

enum err_code level_shifts_find(const struct config_table *t, struct level_shifts *out,
				struct err *e)
{
	struct config_table *left = NULL;
	enum err_code rc = config_table_subset(t, NULL, &left, e);

	*out = (struct level_shifts){.n = 0};
	for (size_t c = 0; c < t->n_columns && !rc; c++) {
		if (t->app->column[c].type != COL_TEXT && t->app->column[c].role == COL_PROBLEM)
			rc = find_of(left, c, out, e);
	}
	config_table_free(left);
	return rc;
}

/* ---- what holds at a row ---- */

/* The chance that a shift, if it is true, holds at x. Where between two values a bound lies nothing
 * tells: it is as likely anywhere, in logs. */
static double holds(const struct level_shift *s, double x)
{
	double has = 0, all = 0;

	if (s->kind == SHIFT_ABOVE)
		return x > 0 ? fmin(fmax(log(x / s->lo) / log(s->hi / s->lo), 0), 1) : 0;
	for (int k = (int)s->lo; k <= (int)s->hi; k++) {
		all++;
		has += is_of_kind(x, k, false);
	}
	if (s->powers) { /* as likely as multiples of all 2^k together */
		all += MOST_POWER - LEAST_POWER + 1;
		has += is_power(x) ? MOST_POWER - LEAST_POWER + 1 : 0;
	}
	return has / all;
}

static void may_be_slow(const struct level_shift *s, double p, double more, struct shift_at *at)
{
	if (!(p > at->slow_p))
		return;
	at->slow_p = p;
	at->slow_log = more;
	at->untold = s;
}

/* Beyond the only value above a bound: if there is no jump, the rise to it goes on. */
static void go_beyond(const struct level_shift *s, double x, struct shift_at *at)
{
	const double by = log(x / s->most);
	const double rise = s->log_ratio / log(s->hi / s->lo) * by;

	at->sd = hypot(at->sd, hypot(s->sd, NEW_SLOPE_SD * by));
	if (rise > 0)
		may_be_slow(s, 1 - s->chance, rise, at);
}

static void add_found(const struct level_shift *s, double x, struct shift_at *at)
{
	const double p = holds(s, x), slow = s->log_ratio > 0 ? s->chance * p : 1 - s->chance * p;
	const bool beyond = x > s->most || x < s->least;

	if (p == 0 || p == 1) {
		at->log_ratio += p * s->log_ratio;
	} else {
		/* the median run is slow where most are */
		at->log_ratio += slow > 0.5 ? fmax(s->log_ratio, 0) : fmin(s->log_ratio, 0);
		if (slow <= 0.5)
			may_be_slow(s, slow, fabs(s->log_ratio), at);
	}
	if (p > 0 && (p < 1 || (beyond && s->kind == SHIFT_NUMBERS)))
		at->sd = hypot(at->sd, s->sd);
	if (s->kind == SHIFT_ABOVE && s->n_with < 2 && x > s->most)
		go_beyond(s, x, at);
}

/* The fit to all times lies between both laws. */
static void add_suspected(const struct level_shift *s, double x, struct shift_at *at)
{
	const double p = holds(s, x), slow = s->chance * (s->log_ratio > 0 ? p : 1 - p);

	if (s->kind == SHIFT_NUMBERS || (p > 0 && p < 1))
		may_be_slow(s, slow, fabs(s->log_ratio), at);
}

struct shift_at level_shifts_at(const struct level_shifts *m, const double *row)
{
	struct shift_at at = {.log_ratio = 0};

	for (size_t i = 0; i < m->n; i++) {
		const struct level_shift *s = &m->item[i];
		const double x = row[s->column];

		if (s->chance < SHIFT_FOUND && !isnan(x))
			add_suspected(s, x, &at);
		else if (s->chance >= SHIFT_FOUND && !isnan(x))
			add_found(s, x, &at);
		else if (s->chance >= SHIFT_FOUND)
			at.log_ratio += fmin(s->log_ratio, 0);
	}
	return at;
}

void level_shifts_take_off(const struct level_shifts *m, struct config_table *t)
{
	for (size_t i = 0; i < t->n && m->n > 0; i++) {
		const double factor = exp(level_shifts_at(m, config_table_row(t, i)).log_ratio);

		t->time_s[i] /= factor;
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
			t->run_s[k] /= factor;
	}
	for (size_t k = 0; k < t->n_cut && m->n > 0; k++)
		t->cut[k].limit_s /= exp(level_shifts_at(m, config_table_cut_row(t, k)).log_ratio);
}

/* ---- as text ---- */

void level_shift_explain(const struct level_shift *s, const struct application *app,
			 struct strbuf *out)
{
	const char *name = app->column[s->column].name;
	const bool found = s->chance >= SHIFT_FOUND, slower = s->log_ratio > 0;
	const double ratio = exp(fabs(s->log_ratio));

	if (s->kind == SHIFT_ABOVE) {
		strbuf_printf(out, "between %s %.10g and %.10g time %s by a factor of %.2g", name,
			      s->lo, s->hi,
			      slower  ? found ? "jumps" : "may jump"
			      : found ? "falls"
				      : "may fall",
			      ratio);
		return;
	}
	strbuf_printf(out, "%s that is a ", name);
	if (s->lo <= s->hi)
		strbuf_printf(out, "multiple of %.10g%s", ldexp(1, (int)s->hi),
			      s->powers ? " or " : "");
	strbuf_printf(out, "%s%s %.2g times as %s", s->powers ? "power of two" : "",
		      found ? " takes" : " may take", ratio, slower ? "long" : "little");
}

void level_shifts_explain(const struct level_shifts *m, const struct application *app,
			  struct strbuf *out)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct level_shift *s = &m->item[i];

		strbuf_puts(out, i == 0 ? " Shifts: " : "; ");
		level_shift_explain(s, app, out);
		strbuf_printf(out, " (chance %.2f)", s->chance);
	}
	if (m->n > 0)
		strbuf_puts(out, ". Where no run tells whether it holds, promises allow for it.");
}

/* ---- in the knowledge base ---- */

enum { N_PARTS = 10 };
static const char *const part_name[N_PARTS] = {"kind", "chance", "log",	  "sd",	  "lo",
					       "hi",   "powers", "least", "most", "with"};

enum err_code level_shifts_store(const struct level_shifts *m, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct level_shift *s = &m->item[i];
		const double value[N_PARTS] = {s->kind, s->chance, s->log_ratio, s->sd,
					       s->lo,	s->hi,	   s->powers,	 s->least,
					       s->most, s->n_with};

		for (size_t k = 0; k < N_PARTS && !rc; k++) {
			char name[48];

			snprintf(name, sizeof name, "shift%zu_%s", i, part_name[k]);
			rc = kb_fit_add(fit, name, value[k], NAN, "", app->column[s->column].name,
					e);
		}
	}
	return rc;
}

/* v[N_PARTS] */
static bool is_shift(const double *v)
{
	for (size_t k = 0; k < N_PARTS; k++) {
		if (!isfinite(v[k]))
			return false;
	}
	if (v[0] == SHIFT_NUMBERS)
		return v[4] >= 1 && v[4] <= MOST_POWER && v[5] >= 0 && v[5] <= MOST_POWER;
	return v[0] == SHIFT_ABOVE && v[4] > 0 && v[5] > v[4];
}

void level_shifts_load(const struct kb_fit *fit, const struct application *app,
		       struct level_shifts *out)
{
	*out = (struct level_shifts){.n = 0};
	for (size_t i = 0; i < LEVEL_SHIFTS; i++) {
		const struct kb_param *kind = kb_fit_find(fit, "shift%zu_kind", i);
		double v[N_PARTS];
		size_t c = 0;

		while (kind && c < app->n_columns &&
		       strcmp(app->column[c].name, kind->meaning) != 0)
			c++;
		if (!kind || c == app->n_columns)
			continue;
		for (size_t k = 0; k < N_PARTS; k++)
			v[k] = kb_fit_number(fit, "shift%zu_%s", i, part_name[k]);
		if (!is_shift(v))
			continue;
		out->item[out->n++] = (struct level_shift){.column = c,
							   .kind = (enum level_shift_kind)v[0],
							   .chance = v[1],
							   .log_ratio = v[2],
							   .sd = v[3],
							   .lo = v[4],
							   .hi = v[5],
							   .powers = v[6] > 0,
							   .least = v[7],
							   .most = v[8],
							   .n_with = v[9]};
	}
}
