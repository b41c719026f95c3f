#include "mining/structure/column_factors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/numerics/robust_fit.h"
#include "mining/structure/terms_model.h"

/* Prior deviation of an exponent, as that of a tunable of a power law (trend_posterior.h). */
#define POWER_SD 0.5
/* Residuals are not taken to be smaller, as repeats differ by that much. */
#define MIN_SCALE 0.01
/* Configurations whose processes were run with several numbers of them on a node, so that these are
 * told from the number of processes. */
enum { PPN_LEAST = 8 };

void column_factors_release(struct column_factors *f)
{
	free(f->posterior);
	*f = (struct column_factors){0};
}

enum err_code column_factors_copy(const struct column_factors *f, struct column_factors *out,
				  struct err *e)
{
	const size_t size = 4 * f->n * f->n * sizeof *f->posterior;

	*out = *f;
	if (f->n == 0)
		return ERR_OK;
	out->posterior = malloc(size);
	if (!out->posterior) {
		*out = (struct column_factors){0};
		return err_set(e, ERR_NOMEM, "factors of columns");
	}
	memcpy(out->posterior, f->posterior, size);
	return ERR_OK;
}

/* ---- which columns ---- */

static double ppn_of(const struct application *app, const double *row)
{
	return app->i_procs == SIZE_MAX || app->i_nodes == SIZE_MAX
		       ? (double)NAN
		       : row[app->i_procs] / row[app->i_nodes];
}

static void add_level(size_t column, double code, struct column_factors *f)
{
	if (isnan(code) || f->n == COLUMN_FACTORS_MAX)
		return;
	for (size_t i = 0; i < f->n; i++) {
		if (f->item[i].kind == FACTOR_LEVEL && f->item[i].column == column &&
		    f->item[i].code == code)
			return;
	}
	f->item[f->n++] =
		(struct column_factor){.kind = FACTOR_LEVEL, .column = column, .code = code};
}

/* One level is what the structure was fitted to. */
static void add_levels(const struct config_table *t, size_t column, struct column_factors *f)
{
	const size_t before = f->n;

	for (size_t i = 0; i < t->n; i++)
		add_level(column, config_table_row(t, i)[column], f);
	if (f->n == before + 1)
		f->n = before;
}

static double value_of(enum factor_kind kind, size_t column, const struct application *app,
		       const double *row)
{
	return kind == FACTOR_PPN ? ppn_of(app, row) : row[column];
}

/* A number that varies, where all are positive. */
static void add_power(const struct config_table *t, enum factor_kind kind, size_t column,
		      struct column_factors *f)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < t->n; i++) {
		const double x = value_of(kind, column, t->app, config_table_row(t, i));

		if (!(x > 0) || isinf(x))
			return;
		lo = fmin(lo, log(x));
		hi = fmax(hi, log(x));
	}
	if (hi > lo && f->n < COLUMN_FACTORS_MAX)
		f->item[f->n++] =
			(struct column_factor){.kind = kind, .column = column, .lo = lo, .hi = hi};
}

struct process_layout {
	double procs, ppn;
};

static int by_procs(const void *a, const void *b)
{
	const struct process_layout *x = a, *y = b;

	if (x->procs != y->procs)
		return x->procs < y->procs ? -1 : 1;
	return (x->ppn > y->ppn) - (x->ppn < y->ppn);
}

/* Were enough configurations run whose processes others ran with another number on a node? Out of
 * memory: no. */
static bool ppn_is_told(const struct config_table *t)
{
	struct process_layout *at = calloc(t->n + 1, sizeof *at);
	size_t told = 0;

	if (!at)
		return false;
	for (size_t i = 0; i < t->n; i++)
		at[i] = (struct process_layout){config_table_row(t, i)[t->app->i_procs],
						ppn_of(t->app, config_table_row(t, i))};
	qsort(at, t->n, sizeof *at, by_procs);
	for (size_t from = 0, to; from < t->n; from = to) {
		for (to = from + 1; to < t->n && at[to].procs == at[from].procs;)
			to++;
		if (at[from].ppn < at[to - 1].ppn)
			told += to - from;
	}
	free(at);
	return told >= PPN_LEAST;
}

static bool is_read(size_t column, const size_t *reads, size_t n_reads)
{
	for (size_t i = 0; i < n_reads; i++) {
		if (reads[i] == column)
			return true;
	}
	return false;
}

void column_factors_find(const struct config_table *t, const size_t *reads, size_t n_reads,
			 struct column_factors *out)
{
	const struct application *app = t->app;

	*out = (struct column_factors){0};
	for (size_t c = 0; c < app->n_columns; c++) {
		const struct column *col = &app->column[c];

		if (is_read(c, reads, n_reads) || col->role == COL_DERIVED || c == app->i_nodes ||
		    c == app->i_procs)
			continue;
		if (col->type == COL_TEXT)
			add_levels(t, c, out);
		else
			add_power(t, FACTOR_POWER, c, out);
	}
	if (app->i_ppn == SIZE_MAX && app->i_procs != SIZE_MAX && app->i_nodes != SIZE_MAX &&
	    ppn_is_told(t))
		add_power(t, FACTOR_PPN, 0, out);
}

bool column_factors_of_levels(const struct column_factors *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->item[i].kind == FACTOR_LEVEL)
			return true;
	}
	return false;
}

/* ---- at a row ---- */

/* u_i; *beyond (may be NULL): how far a number lies beyond the range seen, ln units. */
static double input_at(const struct column_factor *c, const struct application *app,
		       const double *row, double *beyond)
{
	double x;

	if (beyond)
		*beyond = 0;
	if (c->kind == FACTOR_LEVEL)
		return row[c->column] == c->code ? 1 : 0;
	x = value_of(c->kind, c->column, app, row);
	if (!(x > 0))
		return 0;
	x = log(x);
	if (beyond)
		*beyond = fmax(fmax(c->lo - x, x - c->hi), 0);
	return fmin(fmax(x, c->lo), c->hi) - (c->lo + c->hi) / 2;
}

static double compute_of(const struct breakdown *p)
{
	return p->compute_s + p->fill_s + p->other_s;
}

/* u'a and u'b. */
static void sums_at(const struct column_factors *f, const struct application *app,
		    const double *row, double *compute, double *messages)
{
	*compute = *messages = 0;
	for (size_t i = 0; i < f->n; i++) {
		const double u = input_at(&f->item[i], app, row, NULL);

		*compute += u * f->item[i].compute;
		*messages += u * f->item[i].messages;
	}
}

void column_factors_apply(const struct column_factors *f, const struct application *app,
			  const double *row, struct breakdown *parts)
{
	double compute, messages;

	if (f->n == 0)
		return;
	sums_at(f, app, row, &compute, &messages);
	parts->compute_s *= exp(compute);
	parts->fill_s *= exp(compute);
	parts->other_s *= exp(compute);
	parts->comm_s *= exp(messages);
	parts->sync_s *= exp(messages);
}

/* Is item i the first of its text column? */
static bool is_first_level(const struct column_factors *f, size_t i)
{
	return f->item[i].kind == FACTOR_LEVEL && (i == 0 || f->item[i - 1].kind != FACTOR_LEVEL ||
						   f->item[i - 1].column != f->item[i].column);
}

/* The item after the last level of the column whose first is i; of a number the next one. */
static size_t end_of_levels(const struct column_factors *f, size_t i)
{
	size_t end = i + 1;

	while (f->item[i].kind == FACTOR_LEVEL && end < f->n && f->item[end].kind == FACTOR_LEVEL &&
	       !is_first_level(f, end))
		end++;
	return end;
}

/* Levels that were never seen, and numbers beyond what was: by the prior. */
static double unseen_variance(const struct column_factors *f, const struct application *app,
			      const double *row)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		double beyond;

		input_at(&f->item[i], app, row, &beyond);
		sum += pow(POWER_SD * beyond, 2);
		if (is_first_level(f, i)) {
			bool seen = false;

			for (size_t k = i; k < end_of_levels(f, i); k++)
				seen = seen || row[f->item[k].column] == f->item[k].code;
			sum += seen ? 0 : TERMS_LEVEL_SD * TERMS_LEVEL_SD;
		}
	}
	return sum;
}

/* d log t / d (a, b): u times the shares of computation and of messages. */
static void put_gradient(const double *u, size_t n, double compute_share, double *g)
{
	for (size_t i = 0; i < n; i++) {
		g[i] = u[i] * compute_share;
		g[n + i] = u[i] * (1 - compute_share);
	}
}

double column_factors_sd(const struct column_factors *f, const struct application *app,
			 const double *row, const struct breakdown *parts)
{
	double u[COLUMN_FACTORS_MAX], g[2 * COLUMN_FACTORS_MAX], work[2 * COLUMN_FACTORS_MAX];
	struct breakdown scaled = *parts;

	if (f->n == 0)
		return 0;
	column_factors_apply(f, app, row, &scaled);
	for (size_t i = 0; i < f->n; i++)
		u[i] = input_at(&f->item[i], app, row, NULL);
	put_gradient(u, f->n, compute_of(&scaled) / breakdown_total_s(&scaled), g);
	return sqrt(pow(linear_posterior_sd(f->posterior, 2 * f->n, g, work), 2) +
		    unseen_variance(f, app, row));
}

/* The least effect of the levels of one column, item[from..end), or of that which row has; a level
 * that was never seen has none. */
static double least_level(const struct column_factors *f, size_t from, size_t end,
			  const double *row, bool messages)
{
	const double code = row[f->item[from].column];
	double least = isnan(code) ? INFINITY : 0;

	for (size_t i = from; i < end; i++) {
		const double effect = messages ? f->item[i].messages : f->item[i].compute;

		if (isnan(code))
			least = fmin(least, effect);
		else if (f->item[i].code == code)
			least = effect;
	}
	return least;
}

/* The least of u'a (messages: u'b) over what row leaves open. */
static double least_sum(const struct column_factors *f, const struct application *app,
			const double *row, bool messages)
{
	double sum = 0;

	for (size_t i = 0, end; i < f->n; i = end) {
		const struct column_factor *c = &f->item[i];
		const double of = messages ? c->messages : c->compute;

		end = end_of_levels(f, i);
		if (c->kind == FACTOR_LEVEL)
			sum += least_level(f, i, end, row, messages);
		else if (isnan(value_of(c->kind, c->column, app, row)))
			sum -= fabs(of) * (c->hi - c->lo) / 2;
		else
			sum += of * input_at(c, app, row, NULL);
	}
	return sum;
}

void column_factors_least(const struct column_factors *f, const struct application *app,
			  const double *row, double *compute, double *messages)
{
	*compute = exp(least_sum(f, app, row, false));
	*messages = exp(least_sum(f, app, row, true));
}

/* C e^a + M e^b >= min(e^a, e^b) (C + M); where computation is slowed more, its least part at that
 * price. */
double column_factors_least_s(const struct column_factors *f, const struct application *app,
			      const double *row, double least_s, double compute_s)
{
	double compute, messages;

	column_factors_least(f, app, row, &compute, &messages);
	return compute <= messages ? least_s * compute
				   : least_s * messages + compute_s * (compute - messages);
}

/* ---- the fit ---- */

struct factor_problem {
	size_t n, n_inputs;
	const double *u;			  /* n * n_inputs */
	const double *log_compute, *log_messages; /* n; -INFINITY: none */
};

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct factor_problem *q = arg;

	for (size_t i = 0; i < q->n; i++) {
		const double *u = q->u + i * q->n_inputs;
		double compute = q->log_compute[i], messages = q->log_messages[i], most;

		for (size_t k = 0; k < q->n_inputs; k++) {
			compute += u[k] * p[k];
			messages += u[k] * p[q->n_inputs + k];
		}
		most = fmax(compute, messages);
		compute = exp(compute - most);
		messages = exp(messages - most);
		if (f)
			f[i] = most + log(compute + messages);
		if (jac)
			put_gradient(u, q->n_inputs, compute / (compute + messages),
				     jac + i * 2 * q->n_inputs);
	}
}

/* Arrays of a fit. */
struct factor_work {
	double *u, *compute, *messages, *y, *weight, *jac;
	double p[2 * COLUMN_FACTORS_MAX], prior[2 * COLUMN_FACTORS_MAX],
		prior_sd[2 * COLUMN_FACTORS_MAX], std_error[2 * COLUMN_FACTORS_MAX];
};

static void work_release(struct factor_work *w)
{
	free(w->u);
	free(w->compute);
	free(w->messages);
	free(w->y);
	free(w->weight);
	free(w->jac);
}

static bool work_reserve(struct factor_work *w, size_t n, size_t n_inputs)
{
	w->u = calloc(n * n_inputs + 1, sizeof *w->u);
	w->compute = calloc(n + 1, sizeof *w->compute);
	w->messages = calloc(n + 1, sizeof *w->messages);
	w->y = calloc(n + 1, sizeof *w->y);
	w->weight = calloc(n + 1, sizeof *w->weight);
	w->jac = calloc(n * 2 * n_inputs + 1, sizeof *w->jac);
	return w->u && w->compute && w->messages && w->y && w->weight && w->jac;
}

static void put_observations(const struct config_table *t, const size_t *pick, size_t n,
			     const struct breakdown *parts, const struct column_factors *f,
			     struct factor_work *w)
{
	for (size_t i = 0; i < n; i++) {
		const double *row = config_table_row(t, pick[i]);

		for (size_t k = 0; k < f->n; k++)
			w->u[i * f->n + k] = input_at(&f->item[k], t->app, row, NULL);
		w->compute[i] = log(compute_of(&parts[i]));
		w->messages[i] = log(breakdown_total_s(&parts[i]) - compute_of(&parts[i]));
		if (isnan(w->messages[i])) /* less than nothing, by rounding */
			w->messages[i] = -INFINITY;
		w->y[i] = log(t->time_s[pick[i]]);
		w->weight[i] = config_table_weight(t, pick[i]);
	}
	for (size_t k = 0; k < 2 * f->n; k++)
		w->prior_sd[k] = f->item[k % f->n].kind == FACTOR_LEVEL ? TERMS_LEVEL_SD : POWER_SD;
}

enum err_code column_factors_fit(const struct config_table *t, const size_t *pick, size_t n,
				 const struct breakdown *parts, struct column_factors *f,
				 struct err *e)
{
	struct factor_work w = {.u = NULL};
	struct robust_fit fit = {.std_error = w.std_error};
	struct factor_problem q = {.n = n, .n_inputs = f->n};
	struct robust_problem problem = {.n = n,
					 .n_params = 2 * f->n,
					 .prior = w.prior,
					 .prior_sd = w.prior_sd,
					 .eval = eval,
					 .arg = &q,
					 .min_scale = MIN_SCALE};
	double *posterior = calloc(4 * f->n * f->n + 1, sizeof *posterior);
	enum err_code rc = ERR_OK;

	if (!posterior || !work_reserve(&w, n, f->n)) {
		rc = err_set(e, ERR_NOMEM, "factors of %zu configurations", n);
		goto done;
	}
	put_observations(t, pick, n, parts, f, &w);
	q.u = w.u;
	q.log_compute = w.compute;
	q.log_messages = w.messages;
	problem.y = w.y;
	problem.weight = w.weight;
	if ((rc = robust_fit(&problem, w.p, &fit, e)))
		goto done;
	for (size_t k = 0; k < f->n; k++) {
		f->item[k].compute = w.p[k];
		f->item[k].messages = w.p[f->n + k];
	}
	eval(&q, w.p, NULL, w.jac);
	if ((rc = linear_posterior_factor(w.jac, w.weight, n, 2 * f->n, w.prior_sd,
					  fmax(fit.scale, POSTERIOR_MIN_NOISE), posterior, e)))
		goto done;
	free(f->posterior);
	f->posterior = posterior;
	posterior = NULL;
done:
	free(posterior);
	work_release(&w);
	return rc;
}

/* ---- what it says ---- */

/* Of a text column's levels: the slowest and the fastest in computation. */
static void explain_levels(const struct column_factors *f, const struct application *app, size_t i,
			   struct strbuf *out)
{
	const struct column *col = &app->column[f->item[i].column];
	size_t slow = i, fast = i;

	for (size_t k = i; k < end_of_levels(f, i); k++) {
		slow = f->item[k].compute > f->item[slow].compute ? k : slow;
		fast = f->item[k].compute < f->item[fast].compute ? k : fast;
	}
	if (f->item[slow].code < 0 || f->item[fast].code < 0)
		return;
	strbuf_printf(out, "%s %s takes %.3g times the computation of %s. ", col->name,
		      col->levels.name[(size_t)f->item[slow].code],
		      exp(f->item[slow].compute - f->item[fast].compute),
		      col->levels.name[(size_t)f->item[fast].code]);
}

void column_factors_explain(const struct column_factors *f, const struct application *app,
			    struct strbuf *out)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct column_factor *c = &f->item[i];

		if (is_first_level(f, i))
			explain_levels(f, app, i, out);
		else if (c->kind != FACTOR_LEVEL)
			strbuf_printf(out,
				      "Computation goes with the power %.2g of %s, messages with "
				      "%.2g. ",
				      c->compute,
				      c->kind == FACTOR_PPN ? "the processes on a node"
							    : app->column[c->column].name,
				      c->messages);
	}
}

/* ---- in the knowledge base: columns and levels are known by their names, as the meaning of a
 * number ---- */

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "factor_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static enum err_code store_item(const struct column_factor *c, size_t i,
				const struct application *app, struct kb_fit *fit, struct err *e)
{
	const struct column *col = &app->column[c->column];
	enum err_code rc = add(fit, "kind", i, (double)c->kind,
			       c->kind == FACTOR_PPN ? "processes on a node" : col->name, e);

	if (!rc && c->kind == FACTOR_LEVEL)
		rc = add(fit, "code", i, c->code, col->levels.name[(size_t)c->code], e);
	if (!rc && c->kind != FACTOR_LEVEL &&
	    !(rc = add(fit, "lo", i, c->lo, "log of the least seen", e)))
		rc = add(fit, "hi", i, c->hi, "log of the most seen", e);
	if (rc || (rc = add(fit, "compute", i, c->compute, "log of the factor of computation", e)))
		return rc;
	return add(fit, "messages", i, c->messages, "log of the factor of messages", e);
}

enum err_code column_factors_store(const struct column_factors *f, const struct application *app,
				   struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < f->n && !rc; i++)
		rc = store_item(&f->item[i], i, app, fit, e);
	return rc || f->n == 0
		       ? rc
		       : triangle_store("factor_posterior_", f->posterior, 2 * f->n, fit, e);
}

/* A level may have another code by now, one that no run has any more none. */
static bool load_item(const struct kb_fit *fit, const struct application *app, size_t i,
		      struct column_factor *c)
{
	const struct kb_param *kind = kb_fit_find(fit, "factor_kind_%zu", i),
			      *code = kb_fit_find(fit, "factor_code_%zu", i);

	if (!kind->meaning || !(kind->value >= FACTOR_LEVEL && kind->value <= FACTOR_PPN))
		return false;
	c->kind = (enum factor_kind)(int)kind->value;
	c->column = c->kind == FACTOR_PPN ? 0 : application_column(app, kind->meaning);
	c->compute = kb_fit_number(fit, "factor_compute_%zu", i);
	c->messages = kb_fit_number(fit, "factor_messages_%zu", i);
	if (c->column == SIZE_MAX || !isfinite(c->compute) || !isfinite(c->messages))
		return false;
	if (c->kind == FACTOR_LEVEL) {
		const struct column *col = &app->column[c->column];
		size_t at;

		if (col->type != COL_TEXT || !code || !code->meaning)
			return false;
		at = levels_find(&col->levels, code->meaning);
		c->code = at == SIZE_MAX ? -1 : (double)at;
		return true;
	}
	c->lo = kb_fit_number(fit, "factor_lo_%zu", i);
	c->hi = kb_fit_number(fit, "factor_hi_%zu", i);
	return isfinite(c->lo) && isfinite(c->hi) && c->hi > c->lo;
}

enum err_code column_factors_load(const struct kb_fit *fit, const struct application *app,
				  struct column_factors *out, struct err *e)
{
	struct column_factors f = {0};

	for (; f.n < COLUMN_FACTORS_MAX && kb_fit_find(fit, "factor_kind_%zu", f.n); f.n++) {
		if (!load_item(fit, app, f.n, &f.item[f.n]))
			goto other;
	}
	if (kb_fit_find(fit, "factor_compute_%zu", f.n)) /* a factor without its kind */
		goto other;
	if (f.n > 0) {
		f.posterior = calloc(4 * f.n * f.n, sizeof *f.posterior);
		if (!f.posterior)
			return err_set(e, ERR_NOMEM, "factors of columns");
		if (!triangle_load(fit, "factor_posterior_", f.posterior, 2 * f.n))
			goto other;
	}
	*out = f;
	return ERR_OK;
other:
	column_factors_release(&f);
	return err_set(e, ERR_NOTMINED,
		       "the fit is not of the columns that application %s has: run `lemnos mine`",
		       app->name);
}
