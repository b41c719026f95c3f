#include "mining/evaluate/baselines.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

enum { N_NEAREST = 3 };

/* How far apart values are that cannot be compared, in standard deviations: the distance between
 * the halves of a column that has two values. */
#define APART 2.0

struct feature {
	size_t column;
	bool text, logarithm;
	double scale; /* one over the standard deviation */
};

struct nearest_neighbours {
	struct feature *feature;
	size_t n_features;
	double *point; /* n * n_features, then one that is asked about */
	double *log_s; /* of the medians [log s] */
	size_t n;
	double *residual; /* log(run / told by the others), ascending */
	size_t n_residuals;
};

void nearest_neighbours_free(struct nearest_neighbours *m)
{
	if (!m)
		return;
	free(m->feature);
	free(m->point);
	free(m->log_s);
	free(m->residual);
	free(m);
}

static double feature_value(const struct feature *f, const double *row)
{
	double v = row[f->column];

	return f->text ? v : (f->logarithm ? log(v) : v) * f->scale;
}

/* Standard deviation of a column; 0 where it does not vary. value[t->n] is scratch. */
static double spread(const struct config_table *t, const struct feature *f, double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		double v = feature_value(f, config_table_row(t, i));

		if (isfinite(v))
			value[n++] = v;
	}
	return n > 1 ? gsl_stats_sd(value, 1, n) : 0;
}

static void choose_features(struct nearest_neighbours *m, const struct config_table *t,
			    double *scratch)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		struct feature f = {.column = c, .scale = 1, .logarithm = true};
		double sd;

		if (t->app->column[c].role == COL_DERIVED)
			continue;
		f.text = t->app->column[c].type == COL_TEXT;
		for (size_t i = 0; i < t->n; i++)
			f.logarithm = f.logarithm && !(config_table_row(t, i)[c] <= 0);
		sd = spread(t, &f, scratch);
		/* a level that is always the same tells nothing apart either */
		if (!(sd > 0))
			continue;
		f.scale = 1 / sd;
		m->feature[m->n_features++] = f;
	}
}

static double distance2(const struct nearest_neighbours *m, const double *a, const double *b)
{
	double d2 = 0;

	for (size_t k = 0; k < m->n_features; k++) {
		double d = a[k] - b[k];

		if (isnan(a[k]) && isnan(b[k]))
			d = 0;
		else if (!isfinite(d) || (m->feature[k].text && d != 0))
			d = APART;
		d2 += d * d;
	}
	return d2;
}

/* Told by the nearest but configuration `skip` (SIZE_MAX: by all) [log s]. */
static double told(const struct nearest_neighbours *m, const double *point, size_t skip)
{
	double nearest[N_NEAREST], log_s[N_NEAREST], sum = 0, weights = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		double d2 = distance2(m, point, m->point + i * m->n_features);
		size_t at;

		if (i == skip || (n == N_NEAREST && d2 >= nearest[n - 1]))
			continue;
		if (n < N_NEAREST)
			n++;
		for (at = n - 1; at > 0 && nearest[at - 1] > d2; at--) {
			nearest[at] = nearest[at - 1];
			log_s[at] = log_s[at - 1];
		}
		nearest[at] = d2;
		log_s[at] = m->log_s[i];
	}
	for (size_t k = 0; k < n; k++) {
		/* a configuration itself decides alone: the smallest weight keeps others out */
		double w = 1 / (sqrt(nearest[k]) + 1e-9);

		sum += w * log_s[k];
		weights += w;
	}
	return sum / weights;
}

static void put_point(const struct nearest_neighbours *m, const double *row, double *point)
{
	for (size_t k = 0; k < m->n_features; k++)
		point[k] = feature_value(&m->feature[k], row);
}

/* Among a hundred thousand configurations each takes a millisecond. */
enum { CONFIGS_PER_POLL = 32 };

static enum err_code collect_residuals(struct nearest_neighbours *m, const struct config_table *t,
				       const struct progress *progress, struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		double expected;

		if (i % CONFIGS_PER_POLL == 0 && !progress_step(progress, NULL, 0, 0))
			return err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
		expected = told(m, m->point + i * m->n_features, i);

		for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
			m->residual[m->n_residuals++] = log(t->run_s[k]) - expected;
	}
	gsl_sort(m->residual, 1, m->n_residuals);
	return ERR_OK;
}

enum err_code nearest_neighbours_fit(const struct config_table *t, const struct progress *progress,
				     struct nearest_neighbours **out, struct err *e)
{
	struct nearest_neighbours *m;
	enum err_code rc;

	if (t->n < NEIGHBOURS_MIN)
		return err_set(e, ERR_NODATA,
			       "%zu configurations: nearest neighbours need at least %d", t->n,
			       NEIGHBOURS_MIN);
	m = calloc(1, sizeof *m);
	if (!m)
		return err_set(e, ERR_NOMEM, "nearest neighbours");
	m->n = t->n;
	m->feature = calloc(t->n_columns + 1, sizeof *m->feature);
	m->point = calloc((t->n + 1) * t->n_columns, sizeof *m->point);
	m->log_s = calloc(t->n, sizeof *m->log_s);
	m->residual = calloc(t->first[t->n] + 1, sizeof *m->residual);
	if (!m->feature || !m->point || !m->log_s || !m->residual) {
		nearest_neighbours_free(m);
		return err_set(e, ERR_NOMEM, "neighbours among %zu configurations", t->n);
	}
	choose_features(m, t, m->log_s);
	for (size_t i = 0; i < t->n; i++) {
		put_point(m, config_table_row(t, i), m->point + i * m->n_features);
		m->log_s[i] = log(t->time_s[i]);
	}
	if ((rc = collect_residuals(m, t, progress, e)))
		nearest_neighbours_free(m);
	else
		*out = m;
	return rc;
}

double nearest_neighbours_time_s(const struct nearest_neighbours *m, const double *row)
{
	double *point = m->point + m->n * m->n_features;

	put_point(m, row, point);
	return exp(told(m, point, SIZE_MAX));
}

double nearest_neighbours_quantile_s(const struct nearest_neighbours *m, double time_s, double prob)
{
	return time_s *
	       exp(gsl_stats_quantile_from_sorted_data(m->residual, 1, m->n_residuals, prob));
}

/* The share of the residuals with which the run would end in time. */
double nearest_neighbours_p_meet(const struct nearest_neighbours *m, double time_s,
				 double deadline_s)
{
	double room = log(deadline_s / time_s);
	size_t lo = 0, hi = m->n_residuals;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (m->residual[middle] <= room)
			lo = middle + 1;
		else
			hi = middle;
	}
	return (double)lo / (double)m->n_residuals;
}

static const char neighbours_name[] = "nearest-neighbours";

/* One of both is set. */
struct baseline {
	struct predictor *predictor;
	struct nearest_neighbours *neighbours;
};

size_t baseline_names(const struct application *app, const char *out[FORECASTER_KINDS])
{
	size_t n = predictor_names(app, out);

	out[n++] = neighbours_name;
	return n;
}

enum err_code baseline_check(const char *name, const struct application *app, struct err *e)
{
	const char *known[FORECASTER_KINDS];
	size_t n = baseline_names(app, known);
	struct strbuf list = STRBUF_INIT;
	enum err_code rc;

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(known[i], name))
			return ERR_OK;
	}
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&list, "%s%s", i ? ", " : "", known[i]);
	rc = err_set(e, ERR_ARG, "there is no predictor %s for %s: use one of %s", name, app->name,
		     strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}

static enum err_code fit_neighbours(const struct fit_input *in, struct nearest_neighbours **out,
				    struct err *e)
{
	struct config_table *t = NULL;
	enum err_code rc = config_table_make(in->runs, &t, e);

	if (!rc)
		rc = nearest_neighbours_fit(t, in->progress, out, e);
	config_table_free(t);
	return rc;
}

enum err_code baseline_fit(const char *name, const struct fit_input *in, struct baseline **out,
			   struct err *e)
{
	struct baseline *f = calloc(1, sizeof *f);
	enum err_code rc;

	if (!f)
		return err_set(e, ERR_NOMEM, "predictor");
	rc = !strcmp(name, neighbours_name) ? fit_neighbours(in, &f->neighbours, e)
					    : predictor_fit(name, in, &f->predictor, e);
	if (rc)
		free(f);
	else
		*out = f;
	return rc;
}

void baseline_free(struct baseline *f)
{
	if (!f)
		return;
	predictor_free(f->predictor);
	nearest_neighbours_free(f->neighbours);
	free(f);
}

const struct predictor *baseline_predictor(const struct baseline *f)
{
	return f->predictor;
}

void baseline_choose_from(struct baseline *f)
{
	if (f->predictor)
		predictor_choose_from(f->predictor);
}

void baseline_predict(const struct baseline *f, const double *row, struct prediction *out)
{
	if (f->predictor) {
		predictor_predict(f->predictor, row, 1, out);
		return;
	}
	*out = (struct prediction){.time_s = nearest_neighbours_time_s(f->neighbours, row),
				   .scale = 1,
				   .support = SUPPORT_INSIDE};
}

double baseline_quantile_s(const struct baseline *f, const struct prediction *at, double prob)
{
	return f->predictor ? prediction_quantile_s(f->predictor, at, prob)
			    : nearest_neighbours_quantile_s(f->neighbours, at->time_s, prob);
}

double baseline_p_meet(const struct baseline *f, const struct prediction *at, double deadline_s)
{
	return f->predictor ? prediction_p_meet(f->predictor, at, deadline_s)
			    : nearest_neighbours_p_meet(f->neighbours, at->time_s, deadline_s);
}

void baseline_forecast(const struct baseline *f, const double *row, struct forecast *out)
{
	struct prediction at;

	baseline_predict(f, row, &at);
	out->time_s = at.time_s;
	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		out->lo_s[k] = baseline_quantile_s(f, &at, (1 - interval_level[k]) / 2);
		out->hi_s[k] = baseline_quantile_s(f, &at, (1 + interval_level[k]) / 2);
	}
	for (int k = 0; k < RELIABILITY_BINS; k++) {
		out->deadline_s[k] = baseline_quantile_s(f, &at, (k + 0.5) / RELIABILITY_BINS);
		out->p_meet[k] = baseline_p_meet(f, &at, out->deadline_s[k]);
	}
}
