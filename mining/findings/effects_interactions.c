
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/err.h"
#include "mining/cases/collinear_columns.h"
#include "mining/cases/slowdown_table.h"
#include "mining/findings/findings_private.h"

enum {
	CELL_NONE = 255,
	/* Sweeps of the fit below; few are needed unless the design is very lopsided. */
	MAX_SWEEPS = 25
};

/* log: far below what is ever reported. */
#define FIT_TOLERANCE 1e-6

/* The fit of the null model. */
struct additive {
	const struct rank_strata *s;
	unsigned char *cell; /* of item k */
	double *alpha;	     /* of a stratum */
	double beta[CELL_GROUPS], gamma[CELL_GROUPS];
	double weight[CELLS];
	double rest[CELLS]; /* weighted sums of y - alpha */
};

static double main_effects(const struct additive *f, size_t cell)
{
	return f->beta[cell / CELL_GROUPS] + f->gamma[cell % CELL_GROUPS];
}

static void assign_cells(struct additive *f, size_t column_a, size_t column_b,
			 const struct cell_table *table)
{
	const struct rank_strata *s = f->s;
	const unsigned char *code_a = slowdown_codes(s->t, column_a);
	const unsigned char *code_b = slowdown_codes(s->t, column_b);

	for (size_t i = 0; i < s->n_strata; i++) {
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			unsigned char a = table->a.of_code[code_a[s->config[k]]];
			unsigned char b = table->b.of_code[code_b[s->config[k]]];

			f->cell[k] = CELL_NONE;
			if (a == GROUP_NONE || b == GROUP_NONE)
				continue;
			f->cell[k] = (unsigned char)(a * CELL_GROUPS + b);
			f->weight[f->cell[k]] += s->weight[i];
		}
	}
}

/* alpha for the main effects as they are, and what is left for those. */
static void centre_cases(struct additive *f)
{
	const struct rank_strata *s = f->s;
	double effect[CELLS];

	memset(f->rest, 0, sizeof f->rest);
	for (size_t c = 0; c < CELLS; c++)
		effect[c] = main_effects(f, c);
	for (size_t i = 0; i < s->n_strata; i++) {
		double n = 0, sum = 0;

		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			if (f->cell[k] == CELL_NONE)
				continue;
			sum += s->value[k] - effect[f->cell[k]];
			n++;
		}
		f->alpha[i] = n > 0 ? sum / n : 0;
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			if (f->cell[k] != CELL_NONE)
				f->rest[f->cell[k]] += s->weight[i] * (s->value[k] - f->alpha[i]);
		}
	}
}

/* One side of the main effects from what the cases leave; stride: of its groups in the cells, other
 * the stride of the other side. Returns the largest change. */
static double fit_side(struct additive *f, double *effect, const double *other_effect,
		       size_t stride, size_t other)
{
	double change = 0;

	for (size_t g = 0; g < CELL_GROUPS; g++) {
		double sum = 0, weight = 0;

		for (size_t h = 0; h < CELL_GROUPS; h++) {
			size_t cell = g * stride + h * other;

			sum += f->rest[cell] - f->weight[cell] * other_effect[h];
			weight += f->weight[cell];
		}
		if (weight == 0)
			continue;
		change = fmax(change, fabs(sum / weight - effect[g]));
		effect[g] = sum / weight;
	}
	return change;
}

static void fit_additive(struct additive *f)
{
	double change = INFINITY;

	for (int sweep = 0; sweep < MAX_SWEEPS && change > FIT_TOLERANCE; sweep++) {
		centre_cases(f);
		change = fit_side(f, f->beta, f->gamma, CELL_GROUPS, 1);
		change = fmax(change, fit_side(f, f->gamma, f->beta, 1, CELL_GROUPS));
	}
	centre_cases(f);
}

/* Squares about the means of cases: what delta's share is of. */
static double squares_within(const struct additive *f)
{
	const struct rank_strata *s = f->s;
	double squares = 0;

	for (size_t i = 0; i < s->n_strata; i++) {
		double n = 0, mean = 0, sum = 0;

		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			double d;

			if (f->cell[k] == CELL_NONE)
				continue;
			n++;
			d = s->value[k] - mean;
			mean += d / n;
			sum += d * (s->value[k] - mean);
		}
		squares += s->weight[i] * sum;
	}
	return squares;
}

/* An orthonormal basis of the main effects in the space of cells, each scaled by the root of its
 * weight. Returns the number of its vectors. */
static size_t main_effect_basis(const struct additive *f, double basis[2 * CELL_GROUPS][CELLS])
{
	size_t n = 0;

	for (size_t g = 0; g < (size_t)2 * CELL_GROUPS; g++) {
		double *v = basis[n], before = 0, norm = 0;

		for (size_t c = 0; c < CELLS; c++) {
			size_t group = g < CELL_GROUPS ? c / CELL_GROUPS : c % CELL_GROUPS;

			v[c] = group == g % CELL_GROUPS ? sqrt(f->weight[c]) : 0;
			before += v[c] * v[c];
		}
		for (size_t k = 0; k < n; k++) {
			double dot = 0;

			for (size_t c = 0; c < CELLS; c++)
				dot += v[c] * basis[k][c];
			for (size_t c = 0; c < CELLS; c++)
				v[c] -= dot * basis[k][c];
		}
		for (size_t c = 0; c < CELLS; c++)
			norm += v[c] * v[c];
		/* What is left of a vector that depends on the others is rounding. */
		if (norm <= 1e-9 * before)
			continue;
		for (size_t c = 0; c < CELLS; c++)
			v[c] /= sqrt(norm);
		n++;
	}
	return n;
}

/* Residual sums by block and cell, scaled, without what lies along the main effects. */
static void block_residuals(const struct additive *f, double *sums)
{
	const struct rank_strata *s = f->s;
	double basis[2 * CELL_GROUPS][CELLS];
	size_t n_basis = main_effect_basis(f, basis);

	for (size_t i = 0; i < s->n_strata; i++) {
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			size_t c = f->cell[k];

			if (c != CELL_NONE)
				sums[s->block[k] * CELLS + c] +=
					s->weight[i] *
					(s->value[k] - f->alpha[i] - main_effects(f, c)) /
					sqrt(f->weight[c]);
		}
	}
	for (size_t b = 0; b < s->n_blocks; b++) {
		double *r = sums + b * CELLS;

		for (size_t v = 0; v < n_basis; v++) {
			double dot = 0;

			for (size_t c = 0; c < CELLS; c++)
				dot += r[c] * basis[v][c];
			for (size_t c = 0; c < CELLS; c++)
				r[c] -= dot * basis[v][c];
		}
	}
}

/* Q = |sum of the blocks' vectors r|^2 against its distribution under random signs of the r. Its
 * mean, sum |r|^2, and variance, 2 (|sum r r'|^2 - sum |r|^4), are exact, its shape that of a
 * scaled chi-squared of the same two (Box 1954; Satterthwaite). No p is less than that of all signs
 * being equal. */
static double sign_test(const double *sums, size_t n_blocks)
{
	double total[CELLS] = {0}, products[CELLS][CELLS] = {{0}};
	double q = 0, mean = 0, fourth = 0, variance = 0, n = 0;

	for (size_t b = 0; b < n_blocks; b++) {
		const double *r = sums + b * CELLS;
		double length = 0;

		for (size_t c = 0; c < CELLS; c++) {
			total[c] += r[c];
			length += r[c] * r[c];
		}
		if (length == 0)
			continue;
		for (size_t c = 0; c < CELLS; c++) {
			for (size_t d = 0; d <= c; d++)
				products[c][d] += r[c] * r[d];
		}
		mean += length;
		fourth += length * length;
		n++;
	}
	for (size_t c = 0; c < CELLS; c++) {
		q += total[c] * total[c];
		for (size_t d = 0; d <= c; d++)
			variance += (d < c ? 4 : 2) * products[c][d] * products[c][d];
	}
	variance -= 2 * fourth;
	if (n < 2 || !(mean > 0) || !(variance > 1e-9 * mean * mean))
		return 1;
	return fmax(exp2(1 - n),
		    gsl_cdf_chisq_Q(2 * mean * q / variance, 2 * mean * mean / variance));
}

static void fill(const struct additive *f, struct cell_table *out)
{
	double all = squares_within(f), between = 0;

	memcpy(out->weight, f->weight, sizeof out->weight);
	for (size_t c = 0; c < CELLS; c++) {
		double n = f->weight[c];
		double delta = n > 0 ? f->rest[c] / n - main_effects(f, c) : (double)NAN;

		out->fitted[c] = main_effects(f, c) + delta;
		between += n > 0 ? n * delta * delta : 0;
	}
	out->share = all > 0 ? between / all : 0;
}

/* s: by log slow-down. Errors: NOMEM. */
enum err_code cell_table_make(const struct rank_strata *s, size_t column_a, size_t column_b,
			      struct cell_table *out, struct err *e)
{
	struct additive f = {
		.s = s,
		.cell = calloc(s->n + 1, 1),
		.alpha = calloc(s->n_strata + 1, sizeof *f.alpha),
	};
	double *sums = calloc(s->n_blocks * CELLS + 1, sizeof *sums);
	enum err_code rc = ERR_OK;

	if (!f.cell || !f.alpha || !sums) {
		rc = err_set(e, ERR_NOMEM, "interaction of two columns");
		goto done;
	}
	column_groups_make(s->t, column_a, CELL_GROUPS, &out->a);
	column_groups_make(s->t, column_b, CELL_GROUPS, &out->b);
	assign_cells(&f, column_a, column_b, out);
	fit_additive(&f);
	fill(&f, out);
	block_residuals(&f, sums);
	out->p = sign_test(sums, s->n_blocks);
done:
	free(f.cell);
	free(f.alpha);
	free(sums);
	return rc;
}

enum {
	/* Configurations looked at, in whole cases: many for a share of 1 % in 16 cells. */
	INTERACTION_SAMPLE = 20000,
	/* Pairs looked at. */
	MAX_PAIRS = 40,
	/* Interactions reported: more are not read. */
	MAX_SHOWN = 10
};

/* What an interaction must explain of the variance within cases, and its adjusted p. */
#define MIN_SHARE 0.01
#define MAX_P 0.05

/* A pair with a derived column stands for one of columns that people set only if it explains so
 * many times as much: a choice. */
#define DERIVED_HANDICAP 2.0

/* Cells of less weight are too few configurations to call a group the best there. */
#define MIN_CELL_WEIGHT 3.0

struct column_pair {
	size_t a, b;
	double strength_sum; /* before it was looked at */
	double rank;	     /* share, less for derived columns */
	struct cell_table cells;
};

static bool is_derived(const struct slowdown_table *t, size_t column)
{
	return t->app->column[column].role == COL_DERIVED && column != t->app->i_procs;
}

/* The sides of a processor grid determine each other within a case, and with them what derives from
 * either. */
static bool depends_on_grid(const struct application *a, const unsigned char *roots, size_t column)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (roots[column * a->n_columns + i] && a->column[i].role == COL_RESOURCE &&
		    a->column[i].candidates == CAND_GRID)
			return true;
	}
	return false;
}

static bool is_pair(const struct slowdown_table *t, const unsigned char *roots, size_t a, size_t b)
{
	if (a == b || t->use[a] != USE_CHOICE || t->use[b] == USE_NONE)
		return false;
	if (b < a && t->use[b] == USE_CHOICE) /* it was there as (b, a) */
		return false;
	return !columns_share_roots(t->app, roots, a, b) &&
	       !(depends_on_grid(t->app, roots, a) && depends_on_grid(t->app, roots, b));
}

static int by_strength(const void *a, const void *b)
{
	const struct column_pair *x = a, *y = b;

	if (x->strength_sum != y->strength_sum)
		return x->strength_sum < y->strength_sum ? 1 : -1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

static int by_rank(const void *a, const void *b)
{
	const struct column_pair *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return by_strength(a, b);
}

static enum err_code list_pairs(const struct slowdown_table *t, const unsigned char *roots,
				const double *strength, struct column_pair **out, size_t *n_out,
				struct err *e)
{
	struct column_pair *pair = NULL;
	size_t n = 0, cap = 0;

	for (size_t a = 0; a < t->n_columns; a++) {
		for (size_t b = 0; b < t->n_columns; b++)
			cap += is_pair(t, roots, a, b);
	}
	pair = calloc(cap + 1, sizeof *pair);
	if (!pair)
		return err_set(e, ERR_NOMEM, "%zu pairs of columns", cap);
	for (size_t a = 0; a < t->n_columns; a++) {
		for (size_t b = 0; b < t->n_columns; b++) {
			double strength_sum = strength[a] + strength[b];

			if (!is_pair(t, roots, a, b))
				continue;
			if (is_derived(t, a) || is_derived(t, b))
				strength_sum /= DERIVED_HANDICAP;
			pair[n++] =
				(struct column_pair){.a = a, .b = b, .strength_sum = strength_sum};
		}
	}
	if (n > 0)
		qsort(pair, n, sizeof *pair, by_strength);
	*n_out = n < MAX_PAIRS ? n : MAX_PAIRS;
	*out = pair;
	return ERR_OK;
}

static enum err_code measure_pairs(const struct rank_strata *s, struct column_pair *pair, size_t n,
				   const struct progress *p, struct err *e)
{
	double adjusted[MAX_PAIRS] = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		struct column_pair *q = &pair[i];

		if (!progress_step(p, "finding interactions", i, n))
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted while finding interactions");
		rc = cell_table_make(s, q->a, q->b, &q->cells, e);
		adjusted[i] = q->cells.p;
		q->rank = q->cells.share;
		if (is_derived(s->t, q->a) || is_derived(s->t, q->b))
			q->rank /= DERIVED_HANDICAP;
	}
	if (!rc)
		rc = benjamini_hochberg(adjusted, n, e);
	for (size_t i = 0; i < n && !rc; i++)
		pair[i].cells.p = adjusted[i];
	return rc;
}

static bool is_resource(const struct application *a, size_t column)
{
	return a->column[column].role == COL_RESOURCE || column == a->i_procs;
}

/* Do two columns stand for one thing: by what they derive from, or as nodes and procs? */
static bool are_kin(const struct application *a, const unsigned char *roots, size_t x, size_t y)
{
	return columns_share_roots(a, roots, x, y) || (is_resource(a, x) && is_resource(a, y));
}

/* mk with procs and k_blocks with nodes are one finding in other words. */
static bool says_the_same(const struct slowdown_table *t, const unsigned char *roots,
			  const struct column_pair *x, const struct column_pair *y)
{
	const struct application *a = t->app;

	return (are_kin(a, roots, x->a, y->a) && are_kin(a, roots, x->b, y->b)) ||
	       (are_kin(a, roots, x->a, y->b) && are_kin(a, roots, x->b, y->a));
}

/* The best group of a in group b; SIZE_MAX: too little was run there. */
static size_t best_of(const struct cell_table *c, size_t b)
{
	size_t best = SIZE_MAX, n_run = 0;

	for (size_t a = 0; a < c->a.n; a++) {
		size_t cell = a * CELL_GROUPS + b;

		if (c->weight[cell] < MIN_CELL_WEIGHT)
			continue;
		n_run++;
		if (best == SIZE_MAX || c->fitted[cell] < c->fitted[best * CELL_GROUPS + b])
			best = a;
	}
	return n_run < 2 ? SIZE_MAX : best;
}

/* The ratio of the worst group of a to the best in group b. */
static double spread_of(const struct cell_table *c, size_t b)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t a = 0; a < c->a.n; a++) {
		size_t cell = a * CELL_GROUPS + b;

		if (c->weight[cell] >= MIN_CELL_WEIGHT) {
			lo = fmin(lo, c->fitted[cell]);
			hi = fmax(hi, c->fitted[cell]);
		}
	}
	return exp(hi - lo);
}

/* "best mk: 10 where procs <= 4, 1 where procs >= 64" */
static void put_best(const struct slowdown_table *t, const struct column_pair *q,
		     struct strbuf *out)
{
	const struct cell_table *c = &q->cells;
	const char *comma = "";

	strbuf_printf(out, "best %s: ", t->app->column[q->a].name);
	for (size_t b = 0, last; b < c->b.n; b = last + 1) {
		size_t best = best_of(c, b);

		for (last = b; c->b.ordered && last + 1 < c->b.n && best_of(c, last + 1) == best;)
			last++;
		if (best == SIZE_MAX)
			continue;
		strbuf_puts(out, comma);
		column_groups_put_values(t, q->a, &c->a, best, out);
		strbuf_puts(out, " where ");
		column_groups_put_where(t, q->b, &c->b, b, last, out);
		comma = ", ";
	}
}

/* "mk 1..2 is best throughout, mk matters 1.1x where procs <= 4, 1.8x where procs >= 64" */
static void put_spread(const struct slowdown_table *t, const struct column_pair *q, size_t best,
		       struct strbuf *out)
{
	const struct cell_table *c = &q->cells;
	const char *comma = ", and matters ";

	column_groups_put(t, q->a, &c->a, best, out);
	strbuf_puts(out, " is best throughout");
	for (size_t b = 0; b < c->b.n; b++) {
		if (best_of(c, b) == SIZE_MAX)
			continue;
		strbuf_puts(out, comma);
		strbuf_put_number(out, round(spread_of(c, b) * 100) / 100);
		strbuf_puts(out, "x where ");
		column_groups_put_where(t, q->b, &c->b, b, b, out);
		comma = ", ";
	}
}

static void put_text(const struct slowdown_table *t, const struct column_pair *q,
		     struct strbuf *out)
{
	size_t common = SIZE_MAX, n_told = 0;
	bool same = true;

	for (size_t b = 0; b < q->cells.b.n; b++) {
		size_t best = best_of(&q->cells, b);

		if (best == SIZE_MAX)
			continue;
		same = same && (n_told == 0 || best == common);
		common = best;
		n_told++;
	}
	if (n_told < 2)
		return;
	if (same)
		put_spread(t, q, common, out);
	else
		put_best(t, q, out);
}

static enum err_code describe(const struct slowdown_table *t, const struct column_pair *q,
			      struct column_interaction *out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	put_text(t, q, &text);
	*out = (struct column_interaction){
		.a = strdup(t->app->column[q->a].name),
		.b = strdup(t->app->column[q->b].name),
		.share = q->cells.share,
		.p = q->cells.p,
		.text = text.failed ? NULL : strdup(strbuf_text(&text)),
	};
	strbuf_release(&text);
	if (!out->a || !out->b || !out->text)
		return err_set(e, ERR_NOMEM, "interaction of two columns");
	return ERR_OK;
}

/* The strongest first, each finding once. */
static enum err_code report(const struct slowdown_table *t, const unsigned char *roots,
			    struct column_pair *pair, size_t n, struct findings *out, struct err *e)
{
	size_t shown[MAX_SHOWN] = {0};
	enum err_code rc = ERR_OK;

	out->interaction = calloc(MAX_SHOWN, sizeof *out->interaction);
	if (!out->interaction)
		return err_set(e, ERR_NOMEM, "interactions");
	if (n > 0)
		qsort(pair, n, sizeof *pair, by_rank);
	for (size_t i = 0; i < n && out->n_interactions < MAX_SHOWN && !rc; i++) {
		bool known = false;

		if (pair[i].cells.share < MIN_SHARE || pair[i].cells.p > MAX_P)
			continue;
		for (size_t k = 0; k < out->n_interactions && !known; k++)
			known = says_the_same(t, roots, &pair[i], &pair[shown[k]]);
		if (known)
			continue;
		shown[out->n_interactions] = i;
		rc = describe(t, &pair[i], &out->interaction[out->n_interactions++], e);
	}
	return rc;
}

enum err_code find_interactions(const struct slowdown_table *t, const double *strength,
				const struct progress *p, struct findings *out, struct err *e)
{
	struct slowdown_table *sample = NULL;
	struct rank_strata s = {0};
	unsigned char *roots = NULL;
	struct column_pair *pair = NULL;
	size_t n = 0;
	enum err_code rc;

	if ((rc = column_roots(t->app, &roots, e)) ||
	    (rc = sample_fold(t, NULL, 0, INTERACTION_SAMPLE, &sample, e)) ||
	    (rc = rank_strata_of_slowdown(sample, &s, e)) ||
	    (rc = list_pairs(sample, roots, strength, &pair, &n, e)) ||
	    (rc = measure_pairs(&s, pair, n, p, e)))
		goto done;
	rc = report(sample, roots, pair, n, out, e);
done:
	free(pair);
	free(roots);
	rank_strata_release(&s);
	slowdown_table_free(sample);
	return rc;
}
