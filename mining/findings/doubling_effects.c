#include "mining/findings/doubling_effects.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "domain/configuration.h"
#include "mining/numerics/order_statistics.h"

enum {
	MAX_CONFIGS = 4000, /* that are looked at, evenly taken */
	MAX_BASES = 400	    /* that steps start from */
};

/* A step of less tells little of a doubling: its error would count many times over. */
#define LEAST_STEP M_SQRT2

/* From this correlation of logarithms on, either way, columns are said to vary together. */
#define TOGETHER 0.95

/* Two pieces are told where they halve what one leaves (sum of absolute deviations), and differ by
 * more than this factor: choices. */
#define PIECES_LEAVE 0.5
#define PIECES_DIFFER 1.1
enum { PIECE_STEPS = 3 }; /* that each has at least */

/* Fewer pairs of runs may be off by chance. */
enum { MIN_PAIRS = 3 };

/* Distinct configurations and the mean ln time of their runs. */
struct configs {
	const struct application *app;
	double *x; /* x[n * n_columns] */
	double *log_s;
	size_t n;
};

static const double *config_row(const struct configs *c, size_t i)
{
	return c->x + i * c->app->n_columns;
}

static bool is_stored(const struct application *a, size_t i)
{
	return i != SIZE_MAX && a->column[i].role != COL_DERIVED;
}

static int compare_rows(const struct application *a, const double *x, const double *y)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!is_stored(a, i) || x[i] == y[i] || (isnan(x[i]) && isnan(y[i])))
			continue;
		return isnan(x[i]) ? 1 : isnan(y[i]) ? -1 : x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

/* ---- configurations ---- */

struct sorted_run {
	const struct application *app;
	const double *row;
	double log_s;
};

static int compare_runs(const void *x, const void *y)
{
	const struct sorted_run *a = x, *b = y;
	const int by_row = compare_rows(a->app, a->row, b->row);

	return by_row ? by_row : (a->log_s > b->log_s) - (a->log_s < b->log_s);
}

/* Runs of one configuration stand together: sum them up in place. Returns how many there are. */
static size_t merge_repeats(const struct application *app, struct sorted_run *run, size_t n)
{
	size_t n_configs = 0;

	for (size_t i = 0; i < n;) {
		double sum = 0;
		size_t k = i;

		for (; k < n && !compare_rows(app, run[i].row, run[k].row); k++)
			sum += run[k].log_s;
		run[n_configs] = run[i];
		run[n_configs++].log_s = sum / (double)(k - i);
		i = k;
	}
	return n_configs;
}

static enum err_code configs_make(const struct dataset *runs, struct configs *c, struct err *e)
{
	struct sorted_run *run = calloc(runs->n + 1, sizeof *run);
	size_t n = 0, kept;

	if (!run)
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->status[i] == RUN_OK)
			run[n++] = (struct sorted_run){runs->app, dataset_row(runs, i),
						       log(runs->wall_s[i])};
	}
	qsort(run, n, sizeof *run, compare_runs);
	n = merge_repeats(runs->app, run, n);
	kept = n < MAX_CONFIGS ? n : MAX_CONFIGS;
	c->x = calloc(kept * runs->n_columns + 1, sizeof *c->x);
	c->log_s = calloc(kept + 1, sizeof *c->log_s);
	for (size_t i = 0; c->x && c->log_s && i < kept; i++) {
		const struct sorted_run *r = &run[(size_t)((double)i * (double)n / (double)kept)];

		memcpy(c->x + i * runs->n_columns, r->row, runs->n_columns * sizeof *c->x);
		c->log_s[i] = r->log_s;
	}
	free(run);
	if (!c->x || !c->log_s)
		return err_set(e, ERR_NOMEM, "%zu configurations", n);
	c->n = kept;
	return ERR_OK;
}

static void configs_release(struct configs *c)
{
	free(c->x);
	free(c->log_s);
}

/* SIZE_MAX: it was not run. */
static size_t configs_find(const struct configs *c, const double *row)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const int by = compare_rows(c->app, config_row(c, mid), row);

		if (by == 0)
			return mid;
		if (by < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return SIZE_MAX;
}

/* ---- parameters ---- */

struct parameter {
	size_t column[DOUBLING_MOST_COLUMNS]; /* that change; lead is the first, or derived */
	size_t n_columns;
	size_t lead;
	/* Values come from the runs, several columns at once; else all columns change by the ratio
	 * of the lead. */
	bool by_tuple;
	size_t follows; /* further column that changes by the ratio; SIZE_MAX: none */
	double *level;	/* of the lead, ascending; > 0 */
	size_t n_levels;
};

static enum err_code find_levels(const struct configs *c, struct parameter *p, struct err *e)
{
	size_t n = 0;

	p->level = calloc(c->n + 1, sizeof *p->level);
	if (!p->level)
		return err_set(e, ERR_NOMEM, "levels of %zu configurations", c->n);
	for (size_t i = 0; i < c->n; i++) {
		const double x = config_row(c, i)[p->lead];

		if (x > 0)
			p->level[n++] = x;
	}
	order_sort(p->level, n);
	for (size_t i = 0; i < n; i++) {
		if (p->n_levels == 0 || p->level[i] != p->level[p->n_levels - 1])
			p->level[p->n_levels++] = p->level[i];
	}
	return ERR_OK;
}

/* The level nearest to `factor` times as much, from LEAST_STEP (or all of a lesser factor) on; NaN:
 * there is none. */
static double next_level(const struct parameter *p, double from, double factor)
{
	const double least = factor < 2 ? factor : LEAST_STEP;
	double best = NAN;

	for (size_t i = 0; i < p->n_levels; i++) {
		const double ratio = p->level[i] / from;

		if (ratio >= least * (1 - 1e-9) &&
		    !(fabs(log(ratio / factor)) >= fabs(log(best / from / factor))))
			best = p->level[i];
	}
	return best;
}

/* How far a tuple is from the same shape: spread of the logarithms of its ratios. */
static double shape_distance(const struct parameter *p, const double *from, const double *to)
{
	double sum = 0, squares = 0;

	for (size_t k = 0; k < p->n_columns; k++) {
		const double l = log(to[p->column[k]] / from[p->column[k]]);

		sum += l;
		squares += l * l;
	}
	return squares - sum * sum / (double)p->n_columns;
}

static bool put_tuple(const struct configs *c, const struct parameter *p, double level, double *row)
{
	const double *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		const double *x = config_row(c, i);
		double distance;

		if (x[p->lead] != level)
			continue;
		distance = shape_distance(p, row, x);
		if (distance < least) {
			least = distance;
			best = x;
		}
	}
	for (size_t k = 0; best && k < p->n_columns; k++)
		row[p->column[k]] = best[p->column[k]];
	return best != NULL;
}

/* The row with the parameter at a level. */
static bool put_level(const struct configs *c, const struct parameter *p, double level, double *row)
{
	const double ratio = level / row[p->lead];

	if (p->follows != SIZE_MAX)
		row[p->follows] = ceil(row[p->follows] * ratio - 1e-9);
	if (p->by_tuple) {
		if (!put_tuple(c, p, level, row))
			return false;
	} else {
		for (size_t k = 0; k < p->n_columns; k++)
			row[p->column[k]] *= ratio;
	}
	configuration_derive(c->app, row);
	return configuration_legal(c->app, row, NULL);
}

/* ---- steps ---- */

struct doubling_step {
	double from, to;
	double effect, sd; /* ln time ratio per factor */
	double observed;   /* NaN: one of both was not run */
};

/* Log ratio of the times of two rows, and what is not known of it; false: not supported. */
static bool compare_times(const struct predictor *p, const double *from, const double *to,
			  double *ratio, double *sd)
{
	struct prediction a, b;

	predictor_predict(p, from, 1, &a);
	predictor_predict(p, to, 1, &b);
	if (a.support == SUPPORT_OUTSIDE || b.support == SUPPORT_OUTSIDE)
		return false;
	*ratio = log(b.time_s / a.time_s);
	*sd = hypot(prediction_epistemic_sd(p, &a), prediction_epistemic_sd(p, &b));
	return true;
}

static int compare_steps(const void *x, const void *y)
{
	const struct doubling_step *a = x, *b = y;

	return a->from != b->from	? (a->from > b->from) - (a->from < b->from)
	       : a->effect != b->effect ? (a->effect > b->effect) - (a->effect < b->effect)
					: 0;
}

/* step[MAX_BASES], row[n_columns] scratch. Returns how many. */
static size_t take_steps(const struct predictor *pr, const struct configs *c,
			 const struct parameter *p, double factor, struct doubling_step *step,
			 double *row)
{
	const size_t n_bases = c->n < MAX_BASES ? c->n : MAX_BASES;
	size_t n = 0;

	for (size_t k = 0; k < n_bases; k++) {
		const size_t i = (size_t)((double)k * (double)c->n / (double)n_bases);
		const double *base = config_row(c, i);
		const double from = base[p->lead],
			     to = from > 0 ? next_level(p, from, factor) : NAN;
		double ratio, sd, doublings;
		size_t other;

		if (isnan(to))
			continue;
		memcpy(row, base, c->app->n_columns * sizeof *row);
		if (!put_level(c, p, to, row) || !compare_times(pr, base, row, &ratio, &sd))
			continue;
		doublings = log(to / from) / log(factor);
		other = configs_find(c, row);
		step[n++] = (struct doubling_step){
			.from = from,
			.to = to,
			.effect = ratio / doublings,
			.sd = sd / doublings,
			.observed = other == SIZE_MAX ? NAN
						      : (c->log_s[other] - c->log_s[i]) / doublings,
		};
	}
	qsort(step, n, sizeof *step, compare_steps);
	return n;
}

/* ---- pieces ---- */

static double median_of(double *x, size_t n)
{
	order_sort(x, n);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Of steps that are a mixture of normal distributions. */
static double mixture_quantile(const struct doubling_step *s, size_t n, double prob)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		lo = fmin(lo, s[i].effect - 8 * s[i].sd - 1e-9);
		hi = fmax(hi, s[i].effect + 8 * s[i].sd + 1e-9);
	}
	for (int k = 0; k < 100; k++) {
		const double middle = (lo + hi) / 2;
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += gsl_cdf_ugaussian_P((middle - s[i].effect) / fmax(s[i].sd, 1e-12));
		if (sum < prob * (double)n)
			lo = middle;
		else
			hi = middle;
	}
	return (lo + hi) / 2;
}

/* Sum of absolute deviations from the median; work[n] is scratch. */
static double deviation(const struct doubling_step *s, size_t n, double *work, double *median)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		work[i] = s[i].effect;
	*median = median_of(work, n);
	for (size_t i = 0; i < n; i++)
		sum += fabs(s[i].effect - *median);
	return sum;
}

/* Steps from here on are another piece; n: there is one. */
static size_t find_break(const struct doubling_step *s, size_t n, double *work)
{
	double whole, median, left, right, least;
	size_t at = n;

	whole = deviation(s, n, work, &median);
	least = PIECES_LEAVE * whole;
	for (size_t k = PIECE_STEPS; k + PIECE_STEPS <= n; k++) {
		double sum;

		if (s[k].from == s[k - 1].from)
			continue;
		sum = deviation(s, k, work, &left) + deviation(s + k, n - k, work, &right);
		if (sum < least && fabs(left - right) > log(PIECES_DIFFER)) {
			least = sum;
			at = k;
		}
	}
	return at;
}

static struct doubling_piece piece_of(const struct doubling_step *s, size_t n, double confidence,
				      double *work)
{
	struct doubling_piece p = {.from = s[0].from, .n_steps = n, .observed = NAN};

	for (size_t i = 0; i < n; i++) {
		p.to = fmax(p.to, s[i].to);
		if (!isnan(s[i].observed))
			work[p.n_pairs++] = s[i].observed;
	}
	if (p.n_pairs > 0)
		p.observed = exp(median_of(work, p.n_pairs));
	p.effect = exp(mixture_quantile(s, n, 0.5));
	p.lo = exp(mixture_quantile(s, n, (1 - confidence) / 2));
	p.hi = exp(mixture_quantile(s, n, (1 + confidence) / 2));
	if (p.n_pairs >= MIN_PAIRS) {
		p.lo = fmin(p.lo, p.observed);
		p.hi = fmax(p.hi, p.observed);
	}
	return p;
}

static enum err_code judge(const struct predictor *pr, const struct configs *c,
			   const struct parameter *p, double confidence,
			   struct doubling_effect *out, struct err *e)
{
	struct doubling_step *step = calloc(MAX_BASES, sizeof *step);
	double *row = calloc(c->app->n_columns + MAX_BASES, sizeof *row);
	double *work;
	size_t n, at;

	if (!step || !row) {
		free(step);
		free(row);
		return err_set(e, ERR_NOMEM, "steps of %zu configurations", c->n);
	}
	work = row + c->app->n_columns;
	out->factor = fmin(2, p->level[p->n_levels - 1] / p->level[0]);
	n = take_steps(pr, c, p, out->factor, step, row);
	out->state = n > 0 ? DOUBLING_KNOWN : DOUBLING_UNSUPPORTED;
	at = n > 0 ? find_break(step, n, work) : 0;
	if (n > 0)
		out->piece[out->n_pieces++] = piece_of(step, at, confidence, work);
	if (at < n) {
		out->piece[out->n_pieces++] = piece_of(step + at, n - at, confidence, work);
		/* steps of the first may end beyond where the second begins */
		out->piece[0].to = out->piece[1].from;
	}
	free(step);
	free(row);
	return ERR_OK;
}

/* ---- columns that vary together ---- */

static double correlation(const struct configs *c, size_t x, size_t y)
{
	double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const double a = config_row(c, i)[x], b = config_row(c, i)[y];

		if (!(a > 0) || !(b > 0))
			continue;
		sx += log(a);
		sy += log(b);
		n++;
	}
	for (size_t i = 0; i < c->n && n > 0; i++) {
		const double a = config_row(c, i)[x], b = config_row(c, i)[y];

		if (!(a > 0) || !(b > 0))
			continue;
		sxx += pow(log(a) - sx / n, 2);
		syy += pow(log(b) - sy / n, 2);
		sxy += (log(a) - sx / n) * (log(b) - sy / n);
	}
	return sxx > 0 && syy > 0 ? sxy / sqrt(sxx * syy) : 0;
}

static bool changes(const struct doubling_effect *x, size_t i_column)
{
	for (size_t k = 0; k < x->n_columns; k++) {
		if (x->column[k] == i_column)
			return true;
	}
	return false;
}

static void find_twins(const struct configs *c, struct doubling_effect *x)
{
	for (size_t i = 0; i < c->app->n_columns && x->n_with < DOUBLING_MOST_COLUMNS; i++) {
		if (!changes(x, i) && is_stored(c->app, i) && c->app->column[i].type != COL_TEXT &&
		    fabs(correlation(c, x->column[0], i)) > TOGETHER)
			x->with[x->n_with++] = i;
	}
	if (x->n_with > 0)
		x->state = DOUBLING_TOGETHER;
}

/* ---- all of them ---- */

static void parameter_init(const struct application *a, size_t i, struct parameter *p)
{
	*p = (struct parameter){.column = {i}, .n_columns = 1, .lead = i, .follows = SIZE_MAX};
	if ((i == a->i_nodes || i == a->i_ppn) && is_stored(a, a->i_procs))
		p->column[p->n_columns++] = a->i_procs;
}

/* Is procs what nodes and ppn make? */
static bool is_product(const struct application *a, size_t i)
{
	return i == a->i_procs && is_stored(a, a->i_nodes) && is_stored(a, a->i_ppn);
}

static enum err_code add(const struct predictor *pr, const struct configs *c, struct parameter *p,
			 double confidence, struct doubling_effects *out, struct err *e)
{
	struct doubling_effect *x = &out->item[out->n];
	enum err_code rc = find_levels(c, p, e);

	*x = (struct doubling_effect){.n_columns = p->n_columns, .factor = 2};
	memcpy(x->column, p->column, sizeof x->column);
	if (p->by_tuple && p->lead != p->column[0]) { /* told of by their product */
		x->column[0] = p->lead;
		x->n_columns = 1;
	}
	if (!rc && p->n_levels > 1)
		rc = judge(pr, c, p, confidence, x, e);
	else
		x->state = DOUBLING_CONSTANT;
	x->constant = p->n_levels == 1 ? p->level[0] : NAN;
	if (!rc && x->state == DOUBLING_UNSUPPORTED && !p->by_tuple)
		find_twins(c, x);
	if (!rc)
		out->n++;
	free(p->level);
	return rc;
}

static enum err_code add_grid(const struct predictor *pr, const struct configs *c,
			      double confidence, struct doubling_effects *out, struct err *e)
{
	const struct group_flag *grid = application_grid(c->app);
	struct parameter p = {.by_tuple = true,
			      .lead = c->app->i_procs,
			      .follows = is_stored(c->app, c->app->i_nodes) ? c->app->i_nodes
									    : SIZE_MAX};

	if (!grid || grid->n > DOUBLING_MOST_COLUMNS || c->app->i_procs == SIZE_MAX)
		return ERR_OK;
	for (size_t k = 0; k < grid->n; k++)
		p.column[p.n_columns++] = grid->column[k];
	return add(pr, c, &p, confidence, out, e);
}

/* Is there an effect of just these columns already? */
static bool is_told(const struct doubling_effects *x, const struct parameter *p)
{
	for (size_t i = 0; i < x->n; i++) {
		size_t k = 0;

		if (x->item[i].n_columns != p->n_columns)
			continue;
		while (k < p->n_columns && changes(&x->item[i], p->column[k]))
			k++;
		if (k == p->n_columns)
			return true;
	}
	return false;
}

/* Those that vary together only, as one. */
static enum err_code add_together(const struct predictor *pr, const struct configs *c,
				  double confidence, struct doubling_effects *out, struct err *e)
{
	const size_t n = out->n;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		const struct doubling_effect *x = &out->item[i];
		struct parameter p = {.by_tuple = true, .lead = x->column[0], .follows = SIZE_MAX};

		if (x->state != DOUBLING_TOGETHER)
			continue;
		for (size_t k = 0; k < x->n_columns; k++)
			p.column[p.n_columns++] = x->column[k];
		for (size_t k = 0; k < x->n_with && p.n_columns < DOUBLING_MOST_COLUMNS; k++)
			p.column[p.n_columns++] = x->with[k];
		for (size_t k = 0; k < i; k++) { /* told of already */
			if (out->item[k].state == DOUBLING_TOGETHER &&
			    fabs(correlation(c, out->item[k].column[0], x->column[0])) > TOGETHER)
				p.n_columns = 0;
		}
		if (is_told(out, &p))
			p.n_columns = 0;
		if (p.n_columns > 0)
			rc = add(pr, c, &p, confidence, out, e);
		if (!rc && p.n_columns > 0 && out->item[out->n - 1].state != DOUBLING_KNOWN)
			out->n--;
	}
	return rc;
}

enum err_code doubling_effects_find(const struct predictor *p, const struct dataset *runs,
				    double confidence, struct doubling_effects *out, struct err *e)
{
	static const enum column_role order[] = {COL_PROBLEM, COL_WORKLOAD, COL_RESOURCE,
						 COL_TUNABLE};
	const struct application *a = runs->app;
	struct configs c = {.app = a};
	struct doubling_effects x = {.item = calloc(2 * a->n_columns + 2, sizeof *x.item)};
	enum err_code rc = x.item ? configs_make(runs, &c, e)
				  : err_set(e, ERR_NOMEM, "%zu columns", a->n_columns);

	for (size_t r = 0; r < sizeof order / sizeof order[0] && !rc; r++) {
		if (order[r] == COL_RESOURCE)
			rc = add_grid(p, &c, confidence, &x, e);
		for (size_t i = 0; i < a->n_columns && !rc; i++) {
			struct parameter one;

			if (a->column[i].role != order[r] || a->column[i].type == COL_TEXT ||
			    a->column[i].candidates == CAND_GRID || is_product(a, i))
				continue;
			parameter_init(a, i, &one);
			rc = add(p, &c, &one, confidence, &x, e);
		}
	}
	if (!rc)
		rc = add_together(p, &c, confidence, &x, e);
	configs_release(&c);
	if (rc)
		doubling_effects_release(&x);
	else
		*out = x;
	return rc;
}

void doubling_effects_release(struct doubling_effects *x)
{
	free(x->item);
	*x = (struct doubling_effects){.n = 0};
}
