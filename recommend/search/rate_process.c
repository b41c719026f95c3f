#include "recommend/search/rate_process.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "mining/gp/gaussian_process.h"

/* Configurations, for each column that varies: ten make a process without a trend worth asking
 * (Loeppky, Sacks and Welch, "Choosing the sample size of a computer experiment", Technometrics
 * 51(4), 2009); of fewer a predictor, which has one, knows more. */
enum { LEAST_PER_INPUT = 10 };
/* More than these tell little that is new, and cost their cube. */
enum { MOST = 400, TUNED_WITH = 200 };
enum { SEED = 1 };
/* Of the rate: repeats differ by some 2 %. */
#define LIKELY_NOISE 0.02

struct rate_input {
	size_t column;
	bool categorical, logarithm;
};

struct rate_process {
	struct gaussian_process *gp;
	double best_s; /* t_min */
	double mean;   /* of -t_min / t */
	size_t n_inputs;
	struct rate_input input[GP_MAX_INPUTS];
};

static double input_of(const struct rate_input *i, const double *row)
{
	const double x = row[i->column];

	if (isnan(x))
		return 0;
	return i->logarithm ? log(x) : x;
}

/* The columns that vary, but derived ones. */
static void find_inputs(struct rate_process *p, const struct application *app, const double *rows,
			size_t n)
{
	for (size_t c = 0; c < app->n_columns && p->n_inputs < GP_MAX_INPUTS; c++) {
		const struct column *column = &app->column[c];
		struct rate_input in = {.column = c,
					.categorical = column->type == COL_TEXT,
					.logarithm = column->type != COL_TEXT};
		bool varies = false;

		if (column->role == COL_DERIVED)
			continue;
		for (size_t i = 0; i < n; i++)
			in.logarithm &= rows[i * app->n_columns + c] > 0;
		for (size_t i = 1; i < n; i++)
			varies |= input_of(&in, rows + i * app->n_columns) != input_of(&in, rows);
		if (varies)
			p->input[p->n_inputs++] = in;
	}
}

static void make_design(const struct rate_process *p, double sd, struct gp_design *d)
{
	*d = (struct gp_design){.n_inputs = p->n_inputs, .n_parts = 1, .noise_prior = LIKELY_NOISE};
	for (size_t i = 0; i < p->n_inputs; i++) {
		if (p->input[i].categorical)
			d->categorical |= UINT32_C(1) << i;
	}
	d->part[0] = (struct gp_part){GP_MATERN_52, (UINT32_C(1) << p->n_inputs) - 1, -1, sd};
}

static bool knows_more(const struct predictor *p, size_t n)
{
	struct predictor_source source[SOURCE_COUNT];
	size_t n_configs = 0;

	predictor_sources(p, source);
	for (int s = 0; s < SOURCE_COUNT; s++)
		n_configs += source[s].n_configs;
	return predictor_is_structural(p) || 2 * n < n_configs;
}

static enum err_code fit(struct rate_process *p, const struct application *app, const double *rows,
			 const double *time_s, size_t n, struct err *e)
{
	double *z = calloc(n * p->n_inputs + 1, sizeof *z), *y = calloc(n + 1, sizeof *y);
	const struct gp_data data = {.n = n, .z = z, .y = y};
	const struct gp_options options = {
		.max_points = MOST, .max_tuning_points = TUNED_WITH, .seed = SEED};
	struct gp_design design;
	double squares = 0;
	enum err_code rc;

	if (!z || !y) {
		rc = err_set(e, ERR_NOMEM, "rates of %zu configurations", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < p->n_inputs; j++)
			z[i * p->n_inputs + j] = input_of(&p->input[j], rows + i * app->n_columns);
		y[i] = -p->best_s / time_s[i];
		p->mean += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		y[i] -= p->mean;
		squares += y[i] * y[i];
	}
	make_design(p, sqrt(squares / (double)n), &design);
	rc = squares > 0 ? gaussian_process_fit(&design, &data, &options, &p->gp, e) : ERR_OK;
done:
	free(z);
	free(y);
	return rc;
}

enum err_code rate_process_fit(const struct predictor *predictor, const struct application *app,
			       const double *rows, const double *time_s, size_t n,
			       struct rate_process **out, struct err *e)
{
	struct rate_process *p;
	enum err_code rc;

	*out = NULL;
	if (n < LEAST_PER_INPUT || knows_more(predictor, n))
		return ERR_OK;
	p = calloc(1, sizeof *p);
	if (!p)
		return err_set(e, ERR_NOMEM, "rates of %zu configurations", n);
	p->best_s = INFINITY;
	for (size_t i = 0; i < n; i++)
		p->best_s = fmin(p->best_s, time_s[i]);
	find_inputs(p, app, rows, n);
	rc = p->n_inputs > 0 && n >= LEAST_PER_INPUT * p->n_inputs ? fit(p, app, rows, time_s, n, e)
								   : ERR_OK;
	if (rc || !p->gp)
		rate_process_free(p);
	else
		*out = p;
	return rc;
}

void rate_process_free(struct rate_process *p)
{
	if (!p)
		return;
	gaussian_process_free(p->gp);
	free(p);
}

double rate_process_score_s(const struct rate_process *p, const double *row)
{
	double z[GP_MAX_INPUTS], sd, rate;

	for (size_t j = 0; j < p->n_inputs; j++)
		z[j] = input_of(&p->input[j], row);
	rate = p->mean + gaussian_process_predict(p->gp, z, NULL, NULL, &sd) + sd;
	return rate < 0 ? -p->best_s / rate : INFINITY;
}
