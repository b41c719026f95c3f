#include "api/campaign_total.h"

#include <math.h>

#include "api/scaling_answer.h"

/* The quantiles that are kept: of the interval's ends, and the confidence itself. */
enum { LOW, HIGH, ENOUGH, N_QUANTILES };

void campaign_total_init(struct campaign_total *t, const struct application *app, double confidence)
{
	*t = (struct campaign_total){.app = app, .confidence = confidence, .max_confidence = 1};
}

void campaign_total_add_bad(struct campaign_total *t)
{
	t->n_bad++;
}

/* hours of the median time; distance[k] of a quantile from the median, as a share of that; noise:
 * its share of the variance of log time. */
static void sum_add(struct campaign_sum *s, double hours, const double *distance, double noise,
		    double noise_sd)
{
	s->middle += hours * exp(noise_sd * noise_sd / 2);
	for (int k = 0; k < N_QUANTILES; k++) {
		const double d = hours * distance[k];

		s->shared[k] += sqrt(1 - noise) * d;
		s->independent[k] += noise * d * d;
		s->sign[k] += d;
	}
}

void campaign_total_add(struct campaign_total *t, const struct fitted_machine *m, const double *row,
			const struct row_prediction *f, uint64_t line)
{
	const struct prediction *at = &f->prediction;
	const double noise_sd = prediction_noise_sd(m->predictor, at);
	const double epistemic_sd = prediction_epistemic_sd(m->predictor, at);
	const double all = noise_sd * noise_sd + epistemic_sd * epistemic_sd;
	const double noise = all > 0 ? noise_sd * noise_sd / all : 0;
	const double enough_s = prediction_quantile_s(m->predictor, at, t->confidence);
	const double quantile_s[N_QUANTILES] = {f->lo_s, f->hi_s, enough_s};
	const double node_hours = node_hours_of(t->app, row, at->time_s);
	const double core_hours = core_hours_of(t->app, m->machine, row, at->time_s);
	const bool outside = at->support == SUPPORT_OUTSIDE;
	double distance[N_QUANTILES];

	for (int k = 0; k < N_QUANTILES; k++)
		distance[k] = quantile_s[k] / at->time_s - 1;
	t->n++;
	t->n_of[at->support]++;
	t->max_confidence = fmin(t->max_confidence, prediction_max_confidence(m->predictor, at));
	if (isnan(node_hours)) {
		t->n_no_nodes++;
	} else {
		sum_add(&t->node_hours, node_hours, distance, noise, noise_sd);
		t->outside_node_hours += outside ? node_hours : 0;
	}
	if (isnan(core_hours)) {
		t->n_no_cores++;
	} else {
		sum_add(&t->core_hours, core_hours, distance, noise, noise_sd);
		t->outside_core_hours += outside ? core_hours : 0;
		if (m->machine->cores_per_node > 0 && !isnan(node_hours))
			t->cores_of_nodes = true;
		else
			t->cores_of_procs = true;
	}
	if (t->longest_line == 0 || at->time_s > t->longest.prediction.time_s) {
		t->longest_line = line;
		t->longest = *f;
		t->longest_enough_s = t->confidence <= prediction_max_confidence(m->predictor, at)
					      ? enough_s
					      : NAN;
	}
}

static double quantile(const struct campaign_sum *s, int k)
{
	const double distance = hypot(s->shared[k], sqrt(s->independent[k]));

	return s->middle + copysign(distance, s->sign[k]);
}

static struct campaign_cost cost_of(const struct campaign_total *t, const struct campaign_sum *s,
				    size_t n)
{
	if (n == 0)
		return (struct campaign_cost){NAN, NAN, NAN, NAN};
	return (struct campaign_cost){
		.middle = s->middle,
		.lo = fmax(quantile(s, LOW), 0),
		.hi = quantile(s, HIGH),
		.enough = t->confidence <= t->max_confidence ? quantile(s, ENOUGH) : NAN,
	};
}

struct campaign_cost campaign_node_hours(const struct campaign_total *t)
{
	return cost_of(t, &t->node_hours, t->n - t->n_no_nodes);
}

struct campaign_cost campaign_core_hours(const struct campaign_total *t)
{
	return cost_of(t, &t->core_hours, t->n - t->n_no_cores);
}
