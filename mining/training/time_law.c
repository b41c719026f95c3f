#include "mining/training/time_law.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/ridge_fit.h"
#include "mining/training/config_table.h"

static const struct law_prior of_level = {0, 0.7};

static struct law_prior prior_of(const struct column *c, bool log)
{
	static const struct law_prior work = {1.5, 1}, resource = {-0.7, 0.5}, setting = {0, 0.5},
				      linear = {0, 2};

	if (!log)
		return linear;
	if (c->role == COL_PROBLEM || c->role == COL_WORKLOAD)
		return work;
	return c->role == COL_RESOURCE ? resource : setting;
}

/* ---- codes ---- */

enum { MOST_CODE = 9, LEAST_PAIRS = 3, MOST_PAIRED = 1000 };
#define NEAR_PAIR 2.302585092994046 /* ln 10 */

bool time_law_may_be_codes(const struct dataset *runs, const uint32_t *run, size_t n, size_t column)
{
	const struct column *c = &runs->app->column[column];
	bool codes = c->type != COL_TEXT && (c->role == COL_PROBLEM || c->role == COL_TUNABLE) &&
		     c->candidates != CAND_GRID;

	for (size_t i = 0; i < n && codes; i++) {
		const double v = dataset_row(runs, run[i])[column];

		codes = isnan(v) || (v >= 0 && v <= MOST_CODE && v == floor(v));
	}
	return codes;
}

/* Pairs of runs that differ in the code alone, and not far: by the lower and the higher code, those
 * that take longer with the higher one, and others. */
struct code_pairs {
	size_t up[MOST_CODE + 1][MOST_CODE + 1], down[MOST_CODE + 1][MOST_CODE + 1];
	bool seen[MOST_CODE + 1];
};

static void add_pair(const struct dataset *runs, uint32_t a, uint32_t b, size_t column,
		     struct code_pairs *p)
{
	const double *x = dataset_row(runs, a), *y = dataset_row(runs, b);
	const double more = log(runs->wall_s[a] / runs->wall_s[b]);
	int lo, hi;

	if (!(fabs(more) < NEAR_PAIR) || isnan(x[column] + y[column]) ||
	    !config_rows_differ_alone(runs->app, x, y, column))
		return;
	lo = (int)fmin(x[column], y[column]);
	hi = (int)fmax(x[column], y[column]);
	if ((x[column] > y[column]) == (more > 0))
		p->up[lo][hi]++;
	else
		p->down[lo][hi]++;
}

static int next_code(const struct code_pairs *p, int code)
{
	do
		code++;
	while (code <= MOST_CODE && !p->seen[code]);
	return code;
}

/* Do nine of ten pairs of the codes from..to take longer with the higher one, and some of each and
 * the next? */
static bool grows_from_to(const struct code_pairs *p, int from, int to)
{
	size_t n_up = 0, n_down = 0;

	for (int lo = from; lo < to; lo++) {
		if (p->seen[lo] && p->up[lo][next_code(p, lo)] == 0)
			return false;
		for (int hi = lo + 1; hi <= to; hi++) {
			n_up += p->up[lo][hi];
			n_down += p->down[lo][hi];
		}
	}
	return n_up >= LEAST_PAIRS && n_up >= 9 * n_down;
}

/* Of at most MOST_PAIRED of the runs, evenly: does time grow with the code, perhaps but for one
 * step that has two codes or more on either side, where a unit may end? */
static bool grows(const struct dataset *runs, const uint32_t *run, size_t n, size_t column)
{
	const size_t step = n / MOST_PAIRED + 1;
	struct code_pairs p = {.seen = {false}};
	int first, last = 0;
	bool found;

	for (size_t i = 0; i < n; i++) {
		const double v = dataset_row(runs, run[i])[column];

		if (!isnan(v))
			p.seen[(int)v] = true;
		for (size_t k = 0; k < i && i % step == 0; k += step)
			add_pair(runs, run[i], run[k], column, &p);
	}
	first = next_code(&p, -1);
	for (int code = first; code <= MOST_CODE; code = next_code(&p, code))
		last = code;
	found = grows_from_to(&p, first, last);
	for (int code = first; code < last && !found; code = next_code(&p, code))
		found = code > first && next_code(&p, code) < last &&
			grows_from_to(&p, first, code) &&
			grows_from_to(&p, next_code(&p, code), last);
	return found;
}

/* An effect for each code: adds terms. Returns how many there are then. */
static size_t list_codes(const struct dataset *runs, const uint32_t *run, size_t n, size_t column,
			 struct time_term *term, size_t p)
{
	for (int code = 0; code <= MOST_CODE; code++) {
		bool any = false;

		for (size_t i = 0; i < n && !any; i++)
			any = dataset_row(runs, run[i])[column] == code;
		if (any)
			term[p++] = (struct time_term){
				.column = column, .level = code, .scale = 1, .prior = of_level};
	}
	return p;
}

/* ---- terms ---- */

size_t time_law_terms(const struct dataset *runs, const uint32_t *run, size_t n,
		      struct time_term term[TIME_LAW_TERMS])
{
	const struct application *app = runs->app;
	size_t p = 1;

	term[0] = (struct time_term){.level = NAN};
	for (size_t c = 0; c < app->n_columns && p + MOST_CODE + 1 < TIME_LAW_TERMS; c++) {
		const size_t n_levels = app->column[c].levels.n;
		struct time_term t = {.column = c, .level = NAN, .log = true, .scale = 1};
		double lo = INFINITY, hi = -INFINITY;

		if (app->column[c].role == COL_DERIVED)
			continue;
		for (size_t l = 0; app->column[c].type == COL_TEXT && l < n_levels; l++) {
			if (l < TIME_LAW_LEVELS)
				term[p++] = (struct time_term){.column = c,
							       .level = (double)l,
							       .scale = 1,
							       .prior = of_level};
		}
		if (app->column[c].type == COL_TEXT)
			continue;
		for (size_t i = 0; i < n; i++) {
			/* fmin and fmax pass over a NaN */
			lo = fmin(lo, dataset_row(runs, run[i])[c]);
			hi = fmax(hi, dataset_row(runs, run[i])[c]);
		}
		if (!(hi > lo))
			continue;
		if (time_law_may_be_codes(runs, run, n, c) && !grows(runs, run, n, c)) {
			p = list_codes(runs, run, n, c, term, p);
			continue;
		}
		t.log = lo > 0;
		t.centre = t.log ? (log(lo) + log(hi)) / 2 : (lo + hi) / 2;
		t.scale = t.log ? 1 : (hi - lo) / 2;
		t.prior = prior_of(&app->column[c], t.log);
		term[p++] = t;
	}
	return p;
}

static double term_at(const struct time_term *t, double v)
{
	if (!isnan(t->level))
		return v == t->level;
	return isnan(v) ? 0 : ((t->log ? log(v) : v) - t->centre) / t->scale;
}

double time_law_put(const struct time_term *term, size_t p, const double *row, double *x)
{
	double log_s = 0;

	x[0] = 1;
	for (size_t j = 1; j < p; j++) {
		x[j] = term_at(&term[j], row[term[j].column]);
		log_s += term[j].prior.mean * x[j];
	}
	return log_s;
}

void time_law_penalties(const struct time_term *term, size_t p, double *penalty)
{
	penalty[0] = 1e-9;
	for (size_t j = 1; j < p; j++)
		penalty[j] = pow(LIKELY_MISFIT / term[j].prior.sd, 2);
}

/* ---- how far runs are off ---- */

enum { FOLDS = 5, CURVED_TERMS = 2 * TIME_LAW_TERMS };

#define CURVATURE_SD 0.3 /* of an exponent, by a factor of e in size */

/* A law with products of two amounts, as exponents change with size. */
struct curved_law {
	const struct dataset *runs;
	const uint32_t *run, *ref;
	size_t n, n_ref;
	struct time_term term[TIME_LAW_TERMS];
	double penalty[CURVED_TERMS];
	size_t n_terms, p;
	double *x, *y;
};

static bool is_amount(const struct time_term *t)
{
	return isnan(t->level) && t->log;
}

/* x[p] of run[i]; sets p. Returns ln time less what the priors say. */
static double put_run(struct curved_law *l, size_t i, double *x)
{
	const uint32_t r = l->run[i];
	const double log_s = time_law_put(l->term, l->n_terms, dataset_row(l->runs, r), x);

	l->p = l->n_terms;
	for (size_t j = 1; j < l->n_terms; j++) {
		for (size_t k = 1; k <= j && l->p < CURVED_TERMS; k++) {
			if (is_amount(&l->term[j]) && is_amount(&l->term[k]))
				x[l->p++] = x[j] * x[k];
		}
	}
	return log(l->runs->wall_s[r]) - log_s;
}

static double off_at(struct curved_law *l, const double *b, size_t i)
{
	double x[CURVED_TERMS];
	double off = put_run(l, i, x);

	for (size_t j = 0; j < l->p; j++)
		off -= b[j] * x[j];
	return off;
}

/* Of the reference but for one fold of it (FOLDS: of all). */
static enum err_code fit_but(struct curved_law *l, size_t fold, double *b, struct err *e)
{
	double scale;
	size_t n = 0;

	for (size_t k = 0; k < l->n_ref; k++) {
		if (k % FOLDS == fold)
			continue;
		l->y[n] = put_run(l, l->ref[k], l->x + n * l->p);
		n++;
	}
	return ridge_fit(l->x, l->y, n, l->p, l->penalty, MIN_MISFIT, b, &scale, e);
}

static enum err_code put_residuals(struct curved_law *l, double *off, double *sd, struct err *e)
{
	double b[CURVED_TERMS], sum = 0;
	enum err_code rc = fit_but(l, FOLDS, b, e);

	for (size_t i = 0; i < l->n && !rc; i++)
		off[i] = off_at(l, b, i);
	for (size_t fold = 0; fold < FOLDS && !rc; fold++) {
		if ((rc = fit_but(l, fold, b, e)))
			break;
		for (size_t k = fold; k < l->n_ref; k += FOLDS) {
			off[l->ref[k]] = off_at(l, b, l->ref[k]);
			sum += off[l->ref[k]] * off[l->ref[k]];
		}
	}
	*sd = fmax(sqrt(sum / (double)l->n_ref), MIN_MISFIT);
	return rc;
}

enum err_code time_law_residuals(const struct dataset *runs, const uint32_t *run, size_t n,
				 const uint32_t *ref, size_t n_ref, double *off, double *sd,
				 struct err *e)
{
	struct curved_law l = {.runs = runs, .run = run, .ref = ref, .n = n, .n_ref = n_ref};
	double x[CURVED_TERMS];
	enum err_code rc;

	l.n_terms = time_law_terms(runs, run, n, l.term);
	time_law_penalties(l.term, l.n_terms, l.penalty);
	(void)put_run(&l, 0, x); /* sets p */
	for (size_t j = l.n_terms; j < l.p; j++)
		l.penalty[j] = pow(LIKELY_MISFIT / CURVATURE_SD, 2);
	l.x = calloc((n_ref + 1) * l.p, sizeof *l.x);
	l.y = calloc(n_ref + 1, sizeof *l.y);
	rc = l.x && l.y ? put_residuals(&l, off, sd, e)
			: err_set(e, ERR_NOMEM, "a law of %zu times", n_ref);
	free(l.x);
	free(l.y);
	return rc;
}
