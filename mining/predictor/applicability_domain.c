#include "mining/predictor/applicability_domain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/predictor_state.h"

/* ---- ranges and pairs of features ---- */

#define ALL_BUCKETS (((uint64_t)1 << SUPPORT_BUCKETS) - 1)
#define EDGE_LOG2 0.32192809488736235 /* log2(1.25) */

/* Buckets are a factor 2 wide, or as wide as 62 of them need to be to cover the range; the outer
 * ones are for what lies beyond. */
static size_t bucket(const struct seen_ranges *m, size_t i, double log2_f)
{
	double width = fmax(1, (m->hi[i] - m->lo[i]) / (SUPPORT_BUCKETS - 2));
	double at = 1 + floor((log2_f - m->lo[i]) / width);

	return (size_t)fmin(fmax(at, 0), SUPPORT_BUCKETS - 1);
}

static double feature_log2(double f)
{
	return isnan(f) ? f : log2(fmax(f, 1e-300));
}

void seen_ranges_make(const double *f, size_t n, size_t n_features, struct seen_ranges *out)
{
	memset(out, 0, sizeof *out);
	out->n_features = n_features;
	for (size_t j = 0; j < n_features; j++) {
		out->lo[j] = INFINITY;
		out->hi[j] = -INFINITY;
		for (size_t i = 0; i < n; i++) {
			double v = feature_log2(f[i * n_features + j]);

			/* fmin and fmax pass over a NaN */
			out->lo[j] = fmin(out->lo[j], v);
			out->hi[j] = fmax(out->hi[j], v);
		}
	}
	for (size_t i = 0; i < n; i++) {
		size_t b[PREDICTOR_KIND_MAX_FEATURES];
		size_t pair = 0;

		for (size_t j = 0; j < n_features; j++) {
			double v = feature_log2(f[i * n_features + j]);

			b[j] = isnan(v) ? SUPPORT_BUCKETS : bucket(out, j, v);
		}
		for (size_t j = 0; j < n_features; j++) {
			for (size_t k = 0; k < j; k++, pair++) {
				uint64_t near;

				if (b[j] == SUPPORT_BUCKETS || b[k] == SUPPORT_BUCKETS)
					continue;
				near = (uint64_t)1 << b[k];

				near |= near << 1 | near >> 1;
				near &= ALL_BUCKETS;
				out->seen[pair][b[j]] |= near;
				if (b[j] > 0)
					out->seen[pair][b[j] - 1] |= near;
				if (b[j] + 1 < SUPPORT_BUCKETS)
					out->seen[pair][b[j] + 1] |= near;
			}
		}
	}
}

/* Of so many doublings beyond a range; a relative 1e-9 for values that went through a logarithm. */
static enum support judge_distance(double beyond)
{
	if (beyond > EDGE_LOG2 + 1e-9)
		return SUPPORT_OUTSIDE;
	return beyond > 1e-9 ? SUPPORT_EDGE : SUPPORT_INSIDE;
}

/* v[n_features]: logs, NaN where a feature is not known. */
static bool pairs_are_seen(const struct seen_ranges *m, const double *v)
{
	size_t b[PREDICTOR_KIND_MAX_FEATURES];
	size_t pair = 0;

	for (size_t j = 0; j < m->n_features; j++) {
		b[j] = isnan(v[j]) ? SUPPORT_BUCKETS : bucket(m, j, v[j]);
		for (size_t k = 0; k < j; k++, pair++) {
			if (b[j] != SUPPORT_BUCKETS && b[k] != SUPPORT_BUCKETS &&
			    !(m->seen[pair][b[j]] >> b[k] & 1))
				return false;
		}
	}
	return true;
}

enum support seen_ranges_judge(const struct seen_ranges *m, const double *f, double *beyond)
{
	double v[PREDICTOR_KIND_MAX_FEATURES];
	double worst = 0;
	enum support s;

	for (size_t j = 0; j < m->n_features; j++) {
		v[j] = feature_log2(f[j]);
		if (m->lo[j] - v[j] > worst)
			worst = m->lo[j] - v[j];
		if (v[j] - m->hi[j] > worst)
			worst = v[j] - m->hi[j];
	}
	if (beyond)
		*beyond = worst;
	s = judge_distance(worst);
	return s == SUPPORT_OUTSIDE || pairs_are_seen(m, v) ? s : SUPPORT_EDGE;
}

/* ---- all measures ---- */

/* Less of a doubling beyond the workloads seen is none. */
#define EDGE_WORK 0.020794415416798357 /* 0.03 ln 2 */

/* ln of the product of a row's workload: iterations, time steps; NaN: a part of it is missing. */
static double workload(const struct application *app, const double *row)
{
	double sum = 0;

	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_WORKLOAD && app->column[c].type != COL_TEXT)
			sum += log(fmin(fmax(row[c], 1e-300), 1e300));
		if (app->column[c].role == COL_WORKLOAD && isnan(row[c]))
			return NAN;
	}
	return sum;
}

static void find_workload(const struct config_table *t, struct applicability_domain *m)
{
	m->work_lo = m->work_hi = NAN;
	for (size_t i = 0; i < t->n; i++) {
		const double work = workload(t->app, config_table_row(t, i));

		/* fmin and fmax pass over a NaN */
		m->work_lo = fmin(m->work_lo, work);
		m->work_hi = fmax(m->work_hi, work);
	}
}

static void find_columns(const struct config_table *t, struct applicability_domain *m)
{
	m->n_columns = 0;
	for (size_t c = 0; c < t->n_columns && m->n_columns < APPLICABILITY_COLUMNS; c++) {
		struct value_range r = {c, INFINITY, -INFINITY};

		if (t->app->column[c].type == COL_TEXT)
			continue;
		for (size_t i = 0; i < t->n; i++) {
			/* fmin and fmax pass over a NaN */
			r.lo = fmin(r.lo, config_table_row(t, i)[c]);
			r.hi = fmax(r.hi, config_table_row(t, i)[c]);
		}
		if (r.lo <= r.hi)
			m->column[m->n_columns++] = r;
	}
}

enum err_code applicability_domain_make(const struct predictor_kind *kind, const void *state,
					const struct config_table *t,
					struct applicability_domain *out, struct err *e)
{
	double *f = calloc(t->n * PREDICTOR_KIND_MAX_FEATURES + 1, sizeof *f);
	size_t n_features = 0;
	enum err_code rc;

	if (!f)
		return err_set(e, ERR_NOMEM, "support of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		double one[PREDICTOR_KIND_MAX_FEATURES];

		n_features = kind->features(state, config_table_row(t, i), one);
		memcpy(f + i * n_features, one, n_features * sizeof *f);
	}
	seen_ranges_make(f, t->n, n_features, &out->ranges);
	find_workload(t, out);
	find_columns(t, out);
	if (!(rc = level_ranges_make(t, &out->levels, e)))
		rc = joint_support_make(f, t->n, n_features, &out->joint, e);
	free(f);
	return rc;
}

static enum support judge_workload(const struct applicability_domain *m,
				   const struct support_point *point)
{
	double work, excess;

	if (!point->structural || isnan(m->work_lo))
		return SUPPORT_INSIDE;
	work = workload(point->app, point->row);
	if (isnan(work))
		return SUPPORT_INSIDE;
	excess = fmax(m->work_lo - work, work - m->work_hi);
	if (SUPPORT_DRIFT * excess > PREDICTOR_OUTSIDE_TREND_SD)
		return SUPPORT_OUTSIDE;
	return excess > EDGE_WORK ? SUPPORT_EDGE : SUPPORT_INSIDE;
}

static enum support worse(enum support a, enum support b)
{
	return a > b ? a : b;
}

enum support applicability_domain_best(const struct applicability_domain *m,
				       const struct support_point *point, double *beyond)
{
	const double of_level = level_ranges_beyond(&m->levels, point->app, point->row);
	double of_range;
	const enum support s = worse(seen_ranges_judge(&m->ranges, point->feature, &of_range),
				     judge_distance(of_level));

	if (beyond)
		*beyond = fmax(of_range, of_level);
	return worse(s, judge_workload(m, point));
}

enum support applicability_domain_judge(const struct applicability_domain *m,
					const struct support_point *point, double *beyond)
{
	const enum support s = applicability_domain_best(m, point, beyond);
	struct joint_measure joint;

	if (s == SUPPORT_OUTSIDE || (s == SUPPORT_EDGE && point->structural))
		return s;
	joint_support_measure(&m->joint, point->feature, &joint);
	return worse(s, joint_support_judge(&joint, point->structural));
}

/* ---- why ---- */

/* So many are read. */
enum { MOST_LEFT = 4 };

void applicability_domain_explain(const struct applicability_domain *m,
				  const struct application *app, const double *row,
				  struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_columns; i++) {
		const struct value_range *r = &m->column[i];
		const double x = row[r->column], slack = 1e-9 * fabs(x);

		/* false of what is missing */
		if (!(x < r->lo - slack || x > r->hi + slack) || n++ >= MOST_LEFT)
			continue;
		strbuf_printf(out, "%s%s ", n > 1 ? ", " : "", app->column[r->column].name);
		strbuf_printf(out, r->lo == r->hi ? "%.10g" : "%.10g to %.10g", r->lo, r->hi);
	}
	if (n > MOST_LEFT)
		strbuf_printf(out, " and %zu more", n - MOST_LEFT);
	level_ranges_explain_row(&m->levels, app, row, n > 0 ? "; " : "", out);
}

/* ---- in the knowledge base ---- */

static enum err_code store_columns(const struct applicability_domain *m,
				   const struct application *app, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_columns && !rc; i++) {
		const struct value_range *r = &m->column[i];
		char name[128];

		snprintf(name, sizeof name, "run_from_%s", app->column[r->column].name);
		if ((rc = kb_fit_add(fit, name, r->lo, NAN, "", "the least that was run", e)))
			break;
		snprintf(name, sizeof name, "run_to_%s", app->column[r->column].name);
		rc = kb_fit_add(fit, name, r->hi, NAN, "", "the most that was run", e);
	}
	return rc;
}

static void load_columns(const struct kb_fit *fit, const struct application *app,
			 struct applicability_domain *m)
{
	m->n_columns = 0;
	for (size_t c = 0; c < app->n_columns && m->n_columns < APPLICABILITY_COLUMNS; c++) {
		struct value_range r = {.column = c};
		char name[128];

		snprintf(name, sizeof name, "run_from_%s", app->column[c].name);
		r.lo = kb_fit_value(fit, name);
		snprintf(name, sizeof name, "run_to_%s", app->column[c].name);
		r.hi = kb_fit_value(fit, name);
		if (r.lo <= r.hi)
			m->column[m->n_columns++] = r;
	}
}

enum err_code applicability_domain_store(const struct applicability_domain *m,
					 const struct application *app, struct kb_fit *fit,
					 struct err *e)
{
	enum err_code rc = joint_support_store(&m->joint, fit, e);

	if (rc || (rc = level_ranges_store(&m->levels, app, fit, e)) ||
	    (rc = store_columns(m, app, fit, e)) || isnan(m->work_lo))
		return rc;
	if ((rc = kb_fit_add(fit, "support_work_lo", m->work_lo, NAN, "", "ln of the workload", e)))
		return rc;
	return kb_fit_add(fit, "support_work_hi", m->work_hi, NAN, "", "ln of the workload", e);
}

enum err_code applicability_domain_load(const struct kb_fit *fit, const struct application *app,
					struct applicability_domain *out, struct err *e)
{
	level_ranges_load(fit, app, &out->levels);
	load_columns(fit, app, out);
	out->work_lo = kb_fit_value(fit, "support_work_lo");
	out->work_hi = kb_fit_value(fit, "support_work_hi");
	return joint_support_load(fit, &out->joint, e);
}
