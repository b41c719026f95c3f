#include "mining/predictor/time_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "mining/training/holdout.h"
#include "mining/numerics/order_statistics.h"

static int by_hash(const void *a, const void *b)
{
	const struct time_limit *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->limit_s > y->limit_s) - (x->limit_s < y->limit_s);
}

static enum err_code reserve(size_t n, struct time_limits *out, struct err *e)
{
	*out = (struct time_limits){.item = calloc(n + 1, sizeof *out->item)};
	return out->item ? ERR_OK : err_set(e, ERR_NOMEM, "%zu time limits", n);
}

enum err_code time_limits_make(const struct config_table *t, struct time_limits *out, struct err *e)
{
	enum err_code rc = reserve(t->n_cut, out, e);

	for (size_t k = 0; k < t->n_cut && !rc; k++) {
		if (t->cut[k].longest)
			out->item[out->n++] = (struct time_limit){
				holdout_row_hash(t->app, config_table_cut_row(t, k), 0),
				t->cut[k].limit_s};
	}
	if (!rc)
		qsort(out->item, out->n, sizeof *out->item, by_hash);
	return rc;
}

void time_limits_release(struct time_limits *m)
{
	free(m->item);
	*m = (struct time_limits){.n = 0};
}

double time_limits_at(const struct time_limits *m, const struct application *app, const double *row)
{
	const uint64_t hash = holdout_row_hash(app, row, 0);
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (m->item[middle].hash < hash)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < m->n && m->item[lo].hash == hash ? m->item[lo].limit_s : 0;
}

/* A hash as two numbers that a double holds exactly. */
enum { HALF = 32 };

static enum err_code add(struct kb_fit *fit, const char *part, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "outlasts_%s_%zu", part, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

enum err_code time_limits_store(const struct time_limits *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct time_limit *l = &m->item[i];

		if (!(rc = add(fit, "high", i, (double)(l->hash >> HALF), "hash", e)) &&
		    !(rc = add(fit, "low", i, (double)(l->hash & UINT32_MAX), "hash", e)))
			rc = add(fit, "s", i, l->limit_s, "all runs of it were cut", e);
	}
	return rc;
}

static void load_number(const struct kb_param *q, struct time_limits *m)
{
	size_t i;

	if (sscanf(q->name, "outlasts_high_%zu", &i) == 1 && i < m->n)
		m->item[i].hash |= (uint64_t)(uint32_t)q->value << HALF;
	else if (sscanf(q->name, "outlasts_low_%zu", &i) == 1 && i < m->n)
		m->item[i].hash |= (uint32_t)q->value;
	else if (sscanf(q->name, "outlasts_s_%zu", &i) == 1 && i < m->n)
		m->item[i].limit_s = q->value;
}

enum err_code time_limits_load(const struct kb_fit *fit, struct time_limits *out, struct err *e)
{
	size_t n = 0;
	enum err_code rc;

	for (size_t k = 0; k < fit->n_param; k++)
		n += !strncmp(fit->param[k].name, "outlasts_s_", 11);
	if ((rc = reserve(n, out, e)))
		return rc;
	out->n = n;
	for (size_t k = 0; k < fit->n_param && n > 0; k++) {
		if (!strncmp(fit->param[k].name, "outlasts_", 9))
			load_number(&fit->param[k], out);
	}
	qsort(out->item, out->n, sizeof *out->item, by_hash);
	return ERR_OK;
}

/* ---- samples with bounds ---- */

/* A bound lies after a number of the same value: the run went on. */
static int ascending(const void *a, const void *b)
{
	const struct at_least *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (int)x->is_bound - (int)y->is_bound;
}

static bool any_bound(const struct at_least *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x[i].is_bound)
			return true;
	}
	return false;
}

void censored_sample(struct at_least *x, size_t n, double *out)
{
	double worth = 1, sum = 0; /* of one; of all up to here */
	size_t filled = 0;

	if (!any_bound(x, n)) {
		for (size_t i = 0; i < n; i++)
			out[i] = x[i].value;
		order_sort(out, n);
		return;
	}
	qsort(x, n, sizeof *x, ascending);
	for (size_t i = 0; i < n; i++) {
		double left = (double)(n - i - 1);

		if (x[i].is_bound && i + 1 < n) {
			worth *= (left + 1) / left;
			continue;
		}
		sum += worth;
		while (filled < n && ((double)filled + 0.5 < sum || i + 1 == n))
			out[filled++] = x[i].value;
	}
}

double censored_normal_mean(double mean, double sd, double limit)
{
	const double u = (limit - mean) / sd;
	/* far out the ratio loses its digits, and tends to the distance */
	const double hazard =
		u < 30 ? gsl_ran_ugaussian_pdf(u) / gsl_cdf_ugaussian_Q(u) : u + 1 / u;

	return fmax(mean + sd * hazard, limit);
}
