#include "mining/rules/plain_cost.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/err.h"
#include "domain/rule.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/collinear_columns.h"
#include "mining/cases/slowdown_table.h"

/* ---- by regression ---- */

/* What a choice costs where hardly any two configurations differ in it alone, as when a search drew
 * all tunables at random: the coefficient of "the part holds" in an additive regression of log time
 *
 *	log t = case + sum over the other choices (level + slope * log value)
 *	        + beta * (the part holds).
 *
 * Numeric choices of more than FITTED_LEVELS values have as many levels of about equal numbers, and
 * a slope besides. Both sides are freed of everything else by backfitting (Frisch and Waugh 1933;
 * Buja, Hastie and Tibshirani, "Linear smoothers and additive models", Annals of Statistics 1989),
 * and beta has an interval clustered over problems, as case_contrast.c. It is right as far as other
 * choices multiply time whatever this one is. */
enum { FITTED_LEVELS = 16 };

/* Sweeps over all columns; a sweep that changes less ends them. */
enum { MAX_SWEEPS = 200 };
static const double least_change = 1e-10;

/* Of the variance of "the part holds" so much must be its own, or the other choices decide it. */
static const double least_own = 0.02;

/* A column as the regression sees it. */
struct factor {
	uint32_t *level; /* [n] */
	size_t n_levels;
	double *x; /* [n] log value, centred; NULL: no slope */
	double squares;
};

struct regression {
	size_t n;
	struct factor *factor; /* the case first */
	size_t n_factors;
	double *sum, *count; /* scratch: by level */
};

static void regression_release(struct regression *g)
{
	for (size_t j = 0; j < g->n_factors; j++) {
		free(g->factor[j].level);
		free(g->factor[j].x);
	}
	free(g->factor);
	free(g->sum);
	free(g->count);
}

/* Take the means by level, then the slope, out of y. Returns the largest change. */
static double sweep(const struct regression *g, const struct factor *f, double *y)
{
	double change = 0, slope = 0;

	memset(g->sum, 0, f->n_levels * sizeof *g->sum);
	memset(g->count, 0, f->n_levels * sizeof *g->count);
	for (size_t k = 0; k < g->n; k++) {
		g->sum[f->level[k]] += y[k];
		g->count[f->level[k]]++;
	}
	for (size_t k = 0; k < g->n; k++) {
		double mean = g->sum[f->level[k]] / g->count[f->level[k]];

		y[k] -= mean;
		change = fmax(change, fabs(mean));
	}
	for (size_t k = 0; f->x && k < g->n; k++)
		slope += f->x[k] * y[k] / f->squares;
	for (size_t k = 0; f->x && k < g->n; k++) {
		y[k] -= slope * f->x[k];
		change = fmax(change, fabs(slope * f->x[k]));
	}
	return change;
}

static void free_of_factors(const struct regression *g, double *y)
{
	for (int i = 0; i < MAX_SWEEPS; i++) {
		double change = 0;

		for (size_t j = 0; j < g->n_factors; j++)
			change = fmax(change, sweep(g, &g->factor[j], y));
		if (change < least_change)
			break;
	}
}

/* ---- columns ---- */

/* Codes of many bins in FITTED_LEVELS, of about equal numbers. */
static void set_levels(const struct slowdown_table *t, const uint32_t *item, size_t n, size_t c,
		       struct factor *f)
{
	const unsigned char *code = slowdown_codes(t, c);
	size_t count[MAX_BINS + 1] = {0}, below = 0, n_bins = t->bins[c].n;
	uint32_t level[MAX_BINS + 1];
	bool coarse = t->bins[c].ordered && n_bins > FITTED_LEVELS;

	for (size_t k = 0; k < n; k++)
		count[code[item[k]]]++;
	for (size_t b = 0; b <= MAX_BINS; b++) {
		level[b] = coarse && b < MAX_BINS ? (uint32_t)(below * FITTED_LEVELS / (n + 1))
						  : (uint32_t)b;
		below += count[b];
	}
	if (coarse) /* a missing value is a level of its own */
		level[BIN_MISSING] = FITTED_LEVELS;
	f->n_levels = MAX_BINS + 1;
	for (size_t k = 0; k < n; k++)
		f->level[k] = level[code[item[k]]];
}

/* No slope where a value is missing or not > 0, or where the levels say it all. */
static void set_slope(const struct slowdown_table *t, const uint32_t *item, size_t n, size_t c,
		      struct factor *f)
{
	double mean = 0;
	bool usable = t->bins[c].ordered && t->bins[c].n > FITTED_LEVELS;

	for (size_t k = 0; k < n && usable; k++) {
		double value = slowdown_row(t, item[k])[c];

		usable = value > 0;
		f->x[k] = usable ? log(value) : 0;
		mean += f->x[k] / (double)n;
	}
	f->squares = 0;
	for (size_t k = 0; k < n && usable; k++) {
		f->x[k] -= mean;
		f->squares += f->x[k] * f->x[k];
	}
	if (!usable || !(f->squares > 0)) {
		free(f->x);
		f->x = NULL;
	}
}

static enum err_code add_factor(struct regression *g, struct err *e)
{
	struct factor *f = &g->factor[g->n_factors++];

	f->level = malloc((g->n + 1) * sizeof *f->level);
	f->x = malloc((g->n + 1) * sizeof *f->x);
	return f->level && f->x ? ERR_OK : err_set(e, ERR_NOMEM, "regression of %zu times", g->n);
}

static enum err_code regression_make(const struct slowdown_table *t, const uint32_t *item, size_t n,
				     const bool *varies, struct regression *g, struct err *e)
{
	size_t most_levels = (t->n_strata > MAX_BINS ? t->n_strata : MAX_BINS) + 1;
	enum err_code rc;

	g->n = n;
	g->factor = calloc(t->n_columns + 1, sizeof *g->factor);
	g->sum = calloc(most_levels, sizeof *g->sum);
	g->count = calloc(most_levels, sizeof *g->count);
	if (!g->factor || !g->sum || !g->count)
		return err_set(e, ERR_NOMEM, "regression of %zu times", n);
	if ((rc = add_factor(g, e)))
		return rc;
	free(g->factor[0].x);
	g->factor[0].x = NULL;
	g->factor[0].n_levels = t->n_strata;
	for (size_t k = 0; k < n; k++)
		g->factor[0].level[k] = t->stratum[item[k]];
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->use[c] != USE_CHOICE || varies[c] || t->app->column[c].role == COL_DERIVED)
			continue;
		if ((rc = add_factor(g, e)))
			return rc;
		set_levels(t, item, n, c, &g->factor[g->n_factors - 1]);
		set_slope(t, item, n, c, &g->factor[g->n_factors - 1]);
	}
	return ERR_OK;
}

/* ---- the coefficient ---- */

/* score and information: [2 * n_blocks], all 0. */
static void estimate(const struct slowdown_table *t, const uint32_t *item, size_t n,
		     const double *x, const double *y, double *score, struct rule_cost *out)
{
	double *information = score + t->n_blocks;
	double xx = 0, xy = 0, squares = 0, error = 0, beta, effective, half;
	int64_t n_problems = 0;

	for (size_t k = 0; k < n; k++) {
		xx += x[k] * x[k];
		xy += x[k] * y[k];
		information[t->block[item[k]]] += x[k] * x[k];
	}
	beta = xy / xx;
	for (size_t k = 0; k < n; k++)
		score[t->block[item[k]]] += x[k] * (y[k] - beta * x[k]);
	for (size_t b = 0; b < t->n_blocks; b++) {
		squares += information[b] * information[b];
		error += score[b] * score[b];
		n_problems += information[b] > 0;
	}
	effective = xx * xx / squares; /* as many equal blocks carry as much information */
	if (!(effective > 2))
		return;
	half = gsl_cdf_tdist_Pinv(0.95, effective - 1) * sqrt(error * effective / (effective - 1)) /
	       xx;
	out->ratio = exp(beta);
	out->lo = exp(beta - half);
	out->hi = exp(beta + half);
	out->n_sets = (int64_t)n;
	out->n_problems = n_problems;
}

/* Configurations item[0..n-1] of t: in[k], the part holds. varies[column]: may differ with the
 * part, all other choices are kept equal. Fills ratio, lo, hi (not rounded), n_sets
 * (configurations) and n_problems; leaves *out as it is where the other choices decide the part.
 * Errors: NOMEM. */
static enum err_code fitted_cost(const struct slowdown_table *t, const uint32_t *item,
				 const unsigned char *in, size_t n, const bool *varies,
				 struct rule_cost *out, struct err *e)
{
	struct regression g = {0};
	double *x = calloc(2 * n + 1, sizeof *x), *y;
	double *score = calloc(2 * t->n_blocks + 1, sizeof *score);
	double all = 0, own = 0, share = 0;
	enum err_code rc;

	if (!x || !score) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu times", n);
		goto done;
	}
	y = x + n;
	if ((rc = regression_make(t, item, n, varies, &g, e)))
		goto done;
	for (size_t k = 0; k < n; k++) {
		x[k] = in[k] ? 1 : 0;
		y[k] = t->log_time[item[k]];
		share += x[k] / (double)n;
	}
	all = share * (1 - share) * (double)n;
	free_of_factors(&g, x);
	free_of_factors(&g, y);
	for (size_t k = 0; k < n; k++)
		own += x[k] * x[k];
	if (n > 0 && own > least_own * all)
		estimate(t, item, n, x, y, score, out);
done:
	regression_release(&g);
	free(x);
	free(score);
	return rc;
}

/* ---- by comparison ---- */

/* Fewer tell of themselves, as in case_contrast.c. */
enum { MIN_PROBLEMS = 3 };

/* ---- what may differ ---- */

static bool is_grid(const struct column *c)
{
	return c->role == COL_RESOURCE && c->candidates == CAND_GRID;
}

static bool is_choice(const struct column *c)
{
	return c->role == COL_TUNABLE || is_grid(c);
}

/* varies[c]: stored column c may differ within a set: the part is about it, or it goes with one of
 * those. A grid is chosen as a whole: of a case, one side decides the others. */
static enum err_code find_varied(const struct slowdown_table *t, size_t about, bool *varies,
				 struct err *e)
{
	const struct application *a = t->app;
	unsigned char *roots;
	bool grid = false;
	enum err_code rc = column_roots(a, &roots, e);

	if (rc)
		return rc;
	for (size_t c = 0; c < t->n_columns; c++) {
		varies[c] = roots[about * a->n_columns + c] && is_choice(&a->column[c]);
		grid |= varies[c] && is_grid(&a->column[c]);
	}
	for (size_t c = 0; c < t->n_columns; c++)
		varies[c] |= grid && is_grid(&a->column[c]);
	for (size_t c = 0; c < t->n_columns; c++) {
		size_t of = t->copy_of[c];

		if (of == SIZE_MAX)
			continue;
		if (varies[of])
			varies[c] = true;
		else if (varies[c])
			varies[of] = true;
	}
	free(roots);
	return ERR_OK;
}

/* ---- sets ---- */

/* The configurations that can be compared. */
struct matched {
	const struct slowdown_table *t;
	uint32_t *item;	   /* their index in t */
	unsigned char *in; /* the part holds */
	uint32_t *set;	   /* 0..n_sets-1 */
	size_t n, n_sets;
};

static void matched_release(struct matched *m)
{
	free(m->item);
	free(m->in);
	free(m->set);
}

static bool others_hold(const struct slowdown_table *t, const struct conjunction *what, size_t part,
			size_t i)
{
	for (size_t k = 0; k < what->n; k++) {
		const struct bin_condition *q = &what->of[k];

		if (k != part && !bin_condition_holds(q, slowdown_codes(t, q->column)[i]))
			return false;
	}
	return true;
}

static enum err_code take_items(struct matched *m, const struct conjunction *what, size_t part,
				struct err *e)
{
	const struct slowdown_table *t = m->t;
	const struct bin_condition *q = &what->of[part];
	const unsigned char *code = slowdown_codes(t, q->column);

	m->item = malloc((t->n + 1) * sizeof *m->item);
	m->in = malloc(t->n + 1);
	m->set = malloc((t->n + 1) * sizeof *m->set);
	if (!m->item || !m->in || !m->set)
		return err_set(e, ERR_NOMEM, "%zu configurations to compare", t->n);
	for (size_t i = 0; i < t->n; i++) {
		if (isnan(t->log_slowdown[i]) || code[i] == BIN_MISSING ||
		    !others_hold(t, what, part, i))
			continue;
		m->in[m->n] = bin_condition_holds(q, code[i]);
		m->item[m->n++] = (uint32_t)i;
	}
	return ERR_OK;
}

/* Configurations of a case whose choices agree but in the columns that vary. */
static enum err_code make_sets(struct matched *m, const bool *varies, struct err *e)
{
	const struct slowdown_table *t = m->t;
	size_t *column = calloc(t->n_columns + 1, sizeof *column), n_key = 0;
	double *x = NULL;
	struct row_key key = {0};
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "columns to compare");
	for (size_t c = 0; c < t->n_columns; c++) {
		if (is_choice(&t->app->column[c]) && !varies[c])
			column[n_key++] = c;
	}
	x = malloc((m->n * (n_key + 1) + 1) * sizeof *x);
	if (!x) {
		free(column);
		return err_set(e, ERR_NOMEM, "%zu configurations to compare", m->n);
	}
	for (size_t k = 0; k < m->n; k++) {
		const double *row = slowdown_row(t, m->item[k]);
		double *to = x + k * (n_key + 1);

		for (size_t j = 0; j < n_key; j++)
			to[j] = row[column[j]];
		to[n_key] = t->stratum[m->item[k]];
	}
	for (size_t j = 0; j <= n_key && j < t->n_columns + 1; j++)
		column[j] = j;
	key = (struct row_key){
		.x = x, .n_columns = n_key + 1, .column = column, .n_key = n_key + 1};
	rc = group_by(&key, NULL, m->n, m->set, NULL, &m->n_sets, e);
	free(column);
	free(x);
	return rc;
}

/* ---- what they say ---- */

struct set_sums {
	double in, out; /* of log time */
	double n_in, n_out;
	uint32_t block;
};

/* Sums over the sets of a problem that compare something. */
struct problem_sums {
	double weighted, weight;
};

static void add_up(const struct matched *m, struct set_sums *set)
{
	for (size_t k = 0; k < m->n; k++) {
		struct set_sums *s = &set[m->set[k]];
		double y = m->t->log_time[m->item[k]];

		s->block = m->t->block[m->item[k]];
		if (m->in[k]) {
			s->in += y;
			s->n_in++;
		} else {
			s->out += y;
			s->n_out++;
		}
	}
}

static double rounded(double value, double (*towards)(double))
{
	double scale = pow(10, 3 - floor(log10(value)));

	return value > 0 && isfinite(value) ? towards(value * scale) / scale : (double)NAN;
}

/* *out has no sets where nothing is compared. Where no problems are told apart, each set is
 * independent of the others as far as is known. */
static void compare(const struct matched *m, struct set_sums *set, struct problem_sums *block,
		    double *mean, struct rule_cost *out)
{
	bool by_block = m->t->block_kind != BLOCK_CONFIGURATION;
	size_t n_blocks = by_block ? m->t->n_blocks : m->n_sets, n = 0;
	struct mean_test test;

	add_up(m, set);
	for (size_t s = 0; s < m->n_sets; s++) {
		struct problem_sums *b = &block[by_block ? set[s].block : s];
		double weight = set[s].n_in * set[s].n_out / (set[s].n_in + set[s].n_out);

		if (!(weight > 0))
			continue;
		out->n_sets++;
		b->weighted += weight * (set[s].in / set[s].n_in - set[s].out / set[s].n_out);
		b->weight += weight;
	}
	for (size_t b = 0; b < n_blocks; b++) {
		if (block[b].weight > 0)
			mean[n++] = block[b].weighted / block[b].weight;
	}
	out->n_problems = (int64_t)n;
	mean_t_test(mean, n, 0.9, &test);
	out->ratio = exp(test.mean);
	out->lo = rounded(exp(test.lo), floor);
	out->hi = rounded(exp(test.hi), ceil);
}

/* Too few differ in nothing else: what a regression on all choices says. */
static enum err_code fit(const struct matched *m, const bool *varies, struct rule_cost *out,
			 struct err *e)
{
	struct rule_cost fitted = {.fitted = true};
	enum err_code rc = fitted_cost(m->t, m->item, m->in, m->n, varies, &fitted, e);

	fitted.lo = rounded(fitted.lo, floor);
	fitted.hi = rounded(fitted.hi, ceil);
	*out = fitted;
	return rc;
}

static enum err_code measure(const struct slowdown_table *t, const struct conjunction *what,
			     size_t part, struct rule_cost *out, struct err *e)
{
	struct matched m = {.t = t};
	bool *varies = calloc(t->n_columns + 1, sizeof *varies);
	struct set_sums *set = NULL;
	struct problem_sums *block = NULL;
	double *mean = NULL;
	enum err_code rc;

	if (!varies)
		return err_set(e, ERR_NOMEM, "columns to compare");
	if ((rc = find_varied(t, what->of[part].column, varies, e)) ||
	    (rc = take_items(&m, what, part, e)) || (rc = make_sets(&m, varies, e)))
		goto done;
	set = calloc(m.n_sets + 1, sizeof *set);
	block = calloc(m.n_sets + t->n_blocks + 1, sizeof *block);
	mean = calloc(m.n_sets + t->n_blocks + 1, sizeof *mean);
	if (set && block && mean) {
		compare(&m, set, block, mean, out);
		if (out->n_problems < MIN_PROBLEMS)
			rc = fit(&m, varies, out, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "%zu sets to compare", m.n_sets);
	}
done:
	matched_release(&m);
	free(varies);
	free(set);
	free(block);
	free(mean);
	return rc;
}

/* ---- in words ---- */

static enum err_code put_condition(const struct bin_condition *q, const struct slowdown_table *t,
				   char **out, struct err *e)
{
	struct conjunction one = {.n = 1};
	struct strbuf text = STRBUF_INIT;

	one.of[0] = *q;
	conjunction_put_text(&one, t, &text);
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "a part of a rule");
	}
	*out = text.buf;
	return ERR_OK;
}

/* What the part was compared with, if that is one condition, else "another mk". */
static enum err_code put_against(const struct bin_condition *q, const struct slowdown_table *t,
				 char **out, struct err *e)
{
	size_t n_codes = t->bins[q->column].n;
	struct bin_condition rest = *q;
	struct strbuf text = STRBUF_INIT;

	if (q->is_set) {
		for (size_t code = 0; code < MAX_BINS; code++) {
			uint64_t bit = UINT64_C(1) << (code % 64);

			if (code < n_codes)
				rest.set[code / 64] ^= bit;
			else
				rest.set[code / 64] &= ~bit;
		}
		return put_condition(&rest, t, out, e);
	}
	rest.lo = q->lo > 0 ? 0 : (unsigned char)(q->hi + 1);
	rest.hi = (unsigned char)(q->lo > 0 ? q->lo - 1u : n_codes - 1);
	if (q->lo == 0 || (size_t)q->hi + 1 >= n_codes)
		return put_condition(&rest, t, out, e);
	strbuf_printf(&text, "another %s", t->app->column[q->column].name);
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "a part of a rule");
	}
	*out = text.buf;
	return ERR_OK;
}

enum err_code plain_costs_add(const struct slowdown_table *t, const struct conjunction *what,
			      struct rule *r, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t part = 0; part < what->n && !rc; part++) {
		struct rule_cost cost = {0};

		if (t->use[what->of[part].column] != USE_CHOICE)
			continue;
		if ((rc = measure(t, what, part, &cost, e)) || cost.n_problems < MIN_PROBLEMS)
			continue;
		if (!(rc = put_condition(&what->of[part], t, &cost.part, e)) &&
		    !(rc = put_against(&what->of[part], t, &cost.against, e)))
			rc = rule_add_cost(r, &cost, e);
		rule_cost_release(&cost);
	}
	return rc;
}
