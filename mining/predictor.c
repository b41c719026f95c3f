#include "mining/predictor_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>

/* In order of preference: the first that applies is the default. */
static const struct point_model *const kinds[PREDICTOR_KINDS] = {
	&point_model_hybrid,	    &point_model_wavefront, &point_model_gaussian_process,
	&point_model_log_quadratic, &point_model_power_law,
};

/* Beyond the first doubling outside the range seen, each further one widens: by a quarter where a
 * structure carries on, by as much again where only trends do, as the error of a trend grows with
 * the distance. */
#define WIDEN_STRUCTURE 0.25
#define WIDEN_TREND 1.0

/* Corrections are believed in full up to the first doubling, not at all from the second on: far
 * from the data the structural part stands alone. */
#define LAST_DOUBLING 2.0

void mining_init(void)
{
	gsl_set_error_handler_off();
}

const char *mining_gsl_version(void)
{
	return gsl_version;
}

const char *support_name(enum support s)
{
	static const char *const name[] = {"inside", "edge", "outside"};

	return name[s];
}

const struct point_model *point_model_find(const char *name)
{
	for (size_t k = 0; k < PREDICTOR_KINDS; k++) {
		if (!strcmp(kinds[k]->name, name))
			return kinds[k];
	}
	return NULL;
}

void predictor_free(struct predictor *p)
{
	if (!p)
		return;
	if (p->state)
		p->kind->free(p->state);
	predictor_rules_free(p->rules);
	free(p->rules_explanation);
	free(p->explanation);
	free(p);
}

enum err_code point_model_choose(const char *name, const struct application *app,
				 const struct point_model **out, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	if (name && (*out = point_model_find(name)) != NULL) {
		if ((*out)->applies(app))
			return ERR_OK;
		return err_set(e, ERR_ARG, "predictor %s does not fit application %s", name,
			       app->name);
	}
	for (size_t k = 0; k < PREDICTOR_KINDS; k++) {
		strbuf_printf(&names, "%s%s", k ? ", " : "", kinds[k]->name);
		if (!name && kinds[k]->applies(app)) {
			*out = kinds[k];
			strbuf_release(&names);
			return ERR_OK;
		}
	}
	rc = err_set(e, ERR_ARG, "there is no predictor %s: use one of %s", name ? name : "",
		     strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

size_t predictor_names(const struct application *app, const char *out[PREDICTOR_KINDS])
{
	size_t n = 0;

	for (size_t k = 0; k < PREDICTOR_KINDS; k++) {
		if (kinds[k]->applies(app))
			out[n++] = kinds[k]->name;
	}
	return n;
}

const char *predictor_name(const struct predictor *p)
{
	return p->kind->name;
}

const char *predictor_explanation(const struct predictor *p)
{
	return p->rules_explanation ? p->rules_explanation : p->explanation;
}

void predictor_sources(const struct predictor *p, struct predictor_source out[SOURCE_COUNT])
{
	double all = 0;

	for (int s = 0; s < SOURCE_COUNT; s++)
		all += (double)p->source[s].n_configs * p->source[s].weight;
	for (int s = 0; s < SOURCE_COUNT; s++) {
		double own = (double)p->source[s].n_configs * p->source[s].weight;

		out[s] = (struct predictor_source){p->source[s].n_configs, p->source[s].weight,
						   all > 0 ? own / all : 0};
	}
}

const struct structure_choice *predictor_structure(const struct predictor *p)
{
	return p->kind->structure ? p->kind->structure(p->state) : NULL;
}

bool predictor_is_structural(const struct predictor *p)
{
	return p->kind->structural;
}

enum err_code predictor_use_rules(struct predictor *p, const struct rule *const *rule, size_t n,
				  struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct predictor_rules *rules = NULL;
	enum err_code rc;

	if ((rc = predictor_rules_new(p->app, rule, n, p->kind->structural, &rules, e)))
		return rc;
	if (rules) {
		n = predictor_rules_count(rules);
		strbuf_printf(&text, "%s %zu mined time rule%s followed where %s.", p->explanation,
			      n, n == 1 ? " is" : "s are", n == 1 ? "it holds" : "they hold");
	}
	if (text.failed) {
		strbuf_release(&text);
		predictor_rules_free(rules);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	predictor_rules_free(p->rules);
	free(p->rules_explanation);
	p->rules = rules;
	p->rules_explanation = text.buf;
	return ERR_OK;
}

double predictor_spread(const struct predictor *p, double doubt)
{
	return hypot(p->sure, fmin(doubt, p->max_doubt));
}

double point_model_widening(const struct point_model *kind, double beyond)
{
	double per_doubling = kind->structural ? WIDEN_STRUCTURE : WIDEN_TREND;

	return fmin(1 + per_doubling * fmax(beyond - 1, 0), PREDICTOR_MAX_WIDENING);
}

double point_model_nearness(double beyond)
{
	return fmin(fmax(LAST_DOUBLING - beyond, 0), 1);
}

/* Support that is harder to predict may have earned more trust, and a completion may have that. */
static double trust_of(const struct predictor *p, enum support support, size_t n_missing)
{
	double trust = p->trust[support];

	for (int s = (int)support + 1; n_missing > 0 && s <= SUPPORT_OUTSIDE; s++)
		trust = fmax(trust, p->trust[s]);
	return trust;
}

struct predictor_place predictor_place(const struct predictor *p, const double *row)
{
	double f[POINT_MODEL_MAX_FEATURES], beyond;
	size_t n = p->kind->features(p->state, row, f);
	struct predictor_place at = {.support = support_map_judge(&p->map, f, &beyond)};

	if (p->transferred)
		at.support = SUPPORT_OUTSIDE;
	at.widening = point_model_widening(p->kind, beyond);
	at.nearness = p->transferred ? 0 : point_model_nearness(beyond);
	for (size_t i = 0; i < n; i++)
		at.n_missing += isnan(f[i]) != 0;
	if (p->kind->correction)
		at.trust = trust_of(p, at.support, at.n_missing) * at.nearness;
	return at;
}

/* Without its doubt the scale is the least that there could be. */
static void predict_row(const struct predictor *p, const double *row, bool with_doubt,
			struct prediction *out)
{
	struct predictor_place at = predictor_place(p, row);
	double doubt = with_doubt || at.nearness == 0 ? p->max_doubt : 0;
	double *asked = with_doubt ? &doubt : NULL;

	/* what is not known was not seen near here either */
	if (at.n_missing > 0 && at.support == SUPPORT_INSIDE)
		at.support = SUPPORT_EDGE;
	out->support = at.support;
	if (asked && at.trust == 0 && at.nearness > 0 && p->kind->predict_with_doubt)
		out->time_s = p->kind->predict_with_doubt(p->state, row, asked);
	else
		p->kind->predict(p->state, row, 1, p->app->n_columns, &out->time_s);
	if (at.trust > 0)
		out->time_s *= exp(at.trust * p->kind->correction(p->state, row, asked));
	out->scale = at.widening * predictor_spread(p, doubt);
	if (p->rules && out->support != SUPPORT_OUTSIDE)
		out->time_s = predictor_rules_apply(p->rules, row, out->time_s);
}

void predictor_predict(const struct predictor *p, const double *x, size_t n, struct prediction *out)
{
	for (size_t i = 0; i < n; i++)
		predict_row(p, x + i * p->app->n_columns, true, &out[i]);
}

void predictor_bound_doubt(const struct predictor *p, const double *rows, size_t n,
			   struct prediction *out)
{
	for (size_t i = 0; i < n; i++)
		predict_row(p, rows + i * p->app->n_columns, false, &out[i]);
}

bool predictor_is_corrected(const struct predictor *p)
{
	return p->kind->correction != NULL;
}

/* Corrections and rules say by how much the whole time differs, not which part of it: the shares
 * stay. */
static void scale_breakdown(struct breakdown *b, double factor)
{
	b->compute_s *= factor;
	b->comm_s *= factor;
	b->fill_s *= factor;
	b->sync_s *= factor;
	b->other_s *= factor;
}

void predictor_breakdown(const struct predictor *p, const double *row, struct breakdown *out,
			 bool *known)
{
	struct prediction at;

	*known = p->kind->breakdown != NULL;
	if (!*known)
		return;
	p->kind->breakdown(p->state, row, out);
	predictor_predict(p, row, 1, &at);
	scale_breakdown(out, at.time_s / breakdown_total_s(out));
}

double prediction_quantile_s(const struct predictor *p, const struct prediction *at, double prob)
{
	double r = residual_table_quantile(&p->table[at->support], prob);

	/* a hair more, so that rounding leaves the probability of meeting it at prob or above */
	return at->time_s * exp(at->scale * r) * (1 + 1e-12);
}

double prediction_p_meet(const struct predictor *p, const struct prediction *at, double deadline_s)
{
	return residual_table_cdf(&p->table[at->support], log(deadline_s / at->time_s) / at->scale);
}

double prediction_surest(const struct predictor *p, const struct prediction *at)
{
	return residual_table_surest(&p->table[at->support]);
}

double prediction_promise_s(const struct predictor *p, const struct prediction *at, double prob)
{
	return prob <= prediction_surest(p, at) ? prediction_quantile_s(p, at, prob)
						: (double)INFINITY;
}

/* Of one standard deviation on either side, as it is for a normal distribution. */
static double standard_deviation(const struct predictor *p, const struct prediction *at)
{
	const struct residual_table *t = &p->table[at->support];

	return at->scale *
	       (residual_table_quantile(t, 0.8413) - residual_table_quantile(t, 0.1587)) / 2;
}

double prediction_noise(const struct predictor *p, const struct prediction *at)
{
	return isnan(p->noise) ? 0 : fmin(p->noise, standard_deviation(p, at));
}

double prediction_doubt(const struct predictor *p, const struct prediction *at)
{
	double all = standard_deviation(p, at), noise = prediction_noise(p, at);

	return sqrt(fmax(all * all - noise * noise, 0));
}
