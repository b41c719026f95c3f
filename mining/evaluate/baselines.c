#include "mining/evaluate/baselines.h"

#include <stdlib.h>
#include <string.h>

#include "mining/evaluate/nearest_neighbours.h"

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
		rc = nearest_neighbours_fit(t, out, e);
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
