#include "mining/predictor/predictor_state.h"
#include "mining/predictor/system_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

/* In order of preference: the first that applies is the default. */
static const struct predictor_kind *const kinds[PREDICTOR_KINDS] = {
	&predictor_kind_hybrid,	       &predictor_kind_wavefront, &predictor_kind_gaussian_process,
	&predictor_kind_log_quadratic, &predictor_kind_power_law,
};

/* Beyond the first doubling outside the range seen, each further one widens: by a quarter where the
 * kind tells what the runs leave open of its trend, which grows with the distance, by as much again
 * where it does not. */
#define WIDEN_TOLD 0.25
#define WIDEN_UNTOLD 1.0

/* Corrections are believed in full up to the first doubling, not at all from the second on: far
 * from the data the structural part stands alone. */
#define LAST_DOUBLING 2.0

/* In each doubling beyond the runs another law than that of a trend begins to rule with this
 * chance; but never more likely than not, so that what the runs show stays the middle of an answer.
 * The factor on time is then two in the (geometric) mean. */
#define REGIME_PER_DOUBLING 0.05
#define MOST_REGIME 0.5
/* Another law, too, in each doubling of the largest prime factor of a size beyond what was run
 * (number_kinds.h): transforms are common. From two on the question lies outside of the runs. */
#define REGIME_PER_FACTOR_DOUBLING 0.1
#define OUTSIDE_FACTOR_DOUBLINGS 2
#define REGIME_LOG_MEAN M_LN2
/* And on a system that changed unseen since a level was last run, by system_change.h. With such a
 * chance of being slower, which promises of the usual confidence of 0.9 have no room for, a
 * question is at the edge of the runs. */
#define EDGE_OF_TIME 0.1

const char *support_name(enum support s)
{
	static const char *const name[] = {"inside", "edge", "outside"};

	return name[s];
}

const struct predictor_kind *predictor_kind_find(const char *name)
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
	time_limits_release(&p->limits);
	slow_runs_release(&p->slow);
	chance_failures_release(&p->failures);
	failing_demands_release(&p->demands);
	free(p->rules_explanation);
	free(p->explanation);
	free(p);
}

enum err_code predictor_kind_choose(const char *name, const struct application *app,
				    const struct predictor_kind **out, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	if (name && (*out = predictor_kind_find(name)) != NULL) {
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

struct predictor_error predictor_error(const struct predictor *p, enum support s)
{
	return p->error[s];
}

const struct failing_demands *predictor_failing_demands(const struct predictor *p)
{
	return &p->demands;
}

const struct system_changes *predictor_changes(const struct predictor *p)
{
	return &p->changes;
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

double predictor_spread(const struct predictor *p, double noise_factor, double epistemic_sd)
{
	return hypot(noise_factor * p->residual_sd, fmin(epistemic_sd, p->max_epistemic_sd));
}

double predictor_kind_extrapolation_inflation(const struct predictor_kind *kind, double beyond)
{
	double per_doubling = kind->trend_sd ? WIDEN_TOLD : WIDEN_UNTOLD;

	return fmin(1 + per_doubling * fmax(beyond - 1, 0), PREDICTOR_MAX_INFLATION);
}

double predictor_kind_drift_sd(const struct predictor_kind *kind, double beyond)
{
	return kind->structural ? STRUCTURE_DRIFT * M_LN2 * beyond : 0;
}

double predictor_kind_trend_sd(const struct predictor_kind *kind, const void *state,
			       const double *row, double beyond)
{
	return hypot(kind->trend_sd ? kind->trend_sd(state, row) : 0,
		     predictor_kind_drift_sd(kind, beyond));
}

enum support predictor_kind_support(const struct predictor_kind *kind, const void *state,
				    const double *row, enum support s, double trend_sd)
{
	if (s == SUPPORT_INSIDE && trend_sd > PREDICTOR_OUTSIDE_TREND_SD && kind->untried_sd)
		trend_sd = kind->untried_sd(state, row);
	return trend_sd > PREDICTOR_OUTSIDE_TREND_SD ? SUPPORT_OUTSIDE : s;
}

/* A structure tells where its laws change. */
static double regime_p(const struct predictor_kind *kind, double beyond, double factor_doublings,
		       double unseen_p)
{
	const double none = kind->structural
				    ? 1
				    : pow(1 - REGIME_PER_DOUBLING, beyond) *
					      pow(1 - REGIME_PER_FACTOR_DOUBLING, factor_doublings);

	return fmin(1 - none * (1 - unseen_p), MOST_REGIME);
}

double predictor_kind_locality_weight(double beyond)
{
	return fmin(fmax(LAST_DOUBLING - beyond, 0), 1);
}

/* Support that is harder to predict may have earned more trust, and a completion may have that. */
static double best_shrinkage(const struct predictor *p, enum support support)
{
	double shrinkage = p->shrinkage[support];

	for (int s = (int)support + 1; s <= SUPPORT_OUTSIDE; s++)
		shrinkage = fmax(shrinkage, p->shrinkage[s]);
	return shrinkage;
}

static struct predictor_place place(const struct predictor *p, const double *row, bool quick)
{
	double f[PREDICTOR_KIND_MAX_FEATURES], beyond;
	const size_t n = p->kind->features(p->state, row, f);
	const struct support_point point = {p->app, row, f, p->kind->structural};
	struct predictor_place at = {
		.support = quick ? applicability_domain_best(&p->map, &point, &beyond)
				 : applicability_domain_judge(&p->map, &point, &beyond)};

	if (p->transferred)
		at.support = SUPPORT_OUTSIDE;
	at.beyond = beyond;
	at.extrapolation_inflation = predictor_kind_extrapolation_inflation(p->kind, beyond);
	at.locality_weight = p->transferred ? 0 : predictor_kind_locality_weight(beyond);
	for (size_t i = 0; i < n; i++)
		at.n_missing += isnan(f[i]) != 0;
	if (p->kind->correction)
		at.shrinkage = at.locality_weight * (quick || at.n_missing > 0
							     ? best_shrinkage(p, at.support)
							     : p->shrinkage[at.support]);
	return at;
}

struct predictor_place predictor_place(const struct predictor *p, const double *row)
{
	return place(p, row, false);
}

struct predictor_place predictor_best_place(const struct predictor *p, const double *row)
{
	return place(p, row, true);
}

static double newness_sd(const struct predictor *p, const double *row)
{
	const int n = level_columns_newness(&p->levels, row);

	return hypot(n == 0 ? 0 : p->newness_sd[n > 1], number_kinds_sd(&p->numbers, row));
}

double predictor_trend_sd(const struct predictor *p, const double *row, double kind_sd)
{
	return hypot(p->kind->trend_sd ? hypot(kind_sd, newness_sd(p, row)) : kind_sd,
		     hypot(p->batches.sd, level_shifts_at(&p->shifts, row).sd));
}

double predictor_kind_time_s(const struct predictor *p, const double *row)
{
	double time_s;

	p->kind->predict(p->state, row, 1, p->app->n_columns, &time_s);
	return time_s * exp(level_shifts_at(&p->shifts, row).log_ratio);
}

/* The median of runs that take longer than least_s [s]. */
static void outlast(const struct predictor *p, double least_s, struct prediction *at)
{
	if (!(least_s > 0))
		return;
	at->least_s = least_s;
	at->free_s = fmax(at->time_s, least_s);
	at->time_s = prediction_quantile_s(p, at, 0.5);
}

/* How much longer a run takes with a shift that was found is known; with one that is suspected, or
 * beside a circumstance, it takes as much or more. */
static void put_shift(const struct shift_at *shift, struct prediction *out)
{
	if (shift->untold && shift->untold->chance >= SHIFT_FOUND && !(out->other_p > 0)) {
		out->other_p = shift->slow_p;
		out->other_log = shift->slow_log;
	} else if (shift->slow_p > out->slow_p) {
		out->slow_p = shift->slow_p;
		out->slow_log = shift->slow_log;
	}
}

/* Without its doubt the scale is the least that there could be, and trend_sd is not said. */
static void predict_row(const struct predictor *p, const double *row, bool with_sd,
			struct prediction *out)
{
	struct predictor_place at = predictor_place(p, row);
	const double factor_doublings = number_kinds_factor_doublings(&p->numbers, row);
	const struct shift_at shift = level_shifts_at(&p->shifts, row);
	double epistemic_sd = with_sd || at.locality_weight == 0 ? p->max_epistemic_sd : 0;
	double *asked = with_sd ? &epistemic_sd : NULL;
	double trend_sd, unseen_p;

	/* what is not known was not seen near here either */
	if (at.n_missing > 0 && at.support == SUPPORT_INSIDE)
		at.support = SUPPORT_EDGE;
	trend_sd = with_sd ? predictor_kind_trend_sd(p->kind, p->state, row, at.beyond) : 0;
	out->trend_sd = with_sd ? predictor_trend_sd(p, row, trend_sd) : 0;
	unseen_p = system_changes_unseen(&p->changes, row, NULL);
	if ((unseen_p >= EDGE_OF_TIME || shift.slow_p >= EDGE_OF_TIME) &&
	    at.support == SUPPORT_INSIDE)
		at.support = SUPPORT_EDGE;
	out->regime_p = with_sd ? regime_p(p->kind, at.beyond, factor_doublings, unseen_p) : 0;
	out->slow_p = out->slow_log = out->fail_p = 0;
	if (with_sd && p->slow.n > 0 && at.n_missing == 0)
		out->slow_p = slow_runs_chance(&p->slow, p->app, row, &out->slow_log);
	if (with_sd && p->changes.suspected.chance > out->slow_p) {
		out->slow_p = p->changes.suspected.chance;
		out->slow_log = log(p->changes.suspected.ratio);
	}
	out->other_p = with_sd ? circumstance_chance_at(&p->beside, row) : 0;
	out->other_log = out->other_p > 0 ? log(p->beside.ratio) : 0;
	if (with_sd)
		put_shift(&shift, out);
	out->support = predictor_kind_support(p->kind, p->state, row, at.support, trend_sd);
	if (factor_doublings >= OUTSIDE_FACTOR_DOUBLINGS)
		out->support = SUPPORT_OUTSIDE;
	if (asked && at.shrinkage == 0 && at.locality_weight > 0 && p->kind->predict_with_sd)
		out->time_s = p->kind->predict_with_sd(p->state, row, asked);
	else
		p->kind->predict(p->state, row, 1, p->app->n_columns, &out->time_s);
	if (at.shrinkage > 0)
		out->time_s *= exp(at.shrinkage * p->kind->correction(p->state, row, asked));
	out->time_s *= exp(shift.log_ratio);
	/* A clock that cuts off is half a tick short of the time, one that rounds is not. */
	if (with_sd && p->tick_s > 0) {
		out->time_s += p->tick_s / 4;
		out->trend_sd = hypot(out->trend_sd, p->tick_s / 4 / out->time_s);
	}
	out->scale = at.extrapolation_inflation *
		     predictor_spread(p, noise_group_factor(&p->noisy, row), epistemic_sd);
	if (p->for_choice)
		out->time_s *= exp(p->optimism * hypot(out->scale, trend_sd));
	if (p->rules && out->support != SUPPORT_OUTSIDE)
		out->time_s = predictor_rules_apply(p->rules, row, out->time_s);
	out->least_s = out->free_s = 0;
	if (with_sd && p->limits.n > 0 && at.n_missing == 0)
		outlast(p, time_limits_at(&p->limits, p->app, row), out);
	if (with_sd && p->failures.all > 0)
		out->fail_p = chance_failures_at(&p->failures, p->app, row, out->time_s);
	if (with_sd && p->demands.n > 0 && at.n_missing == 0)
		out->fail_p = fmax(out->fail_p, failing_demands_chance(&p->demands, p->app, row));
}

void predictor_choose_from(struct predictor *p)
{
	p->for_choice = true;
}

void predictor_fill_constants(const struct predictor *p, double *row)
{
	if (p->kind->fill_constants)
		p->kind->fill_constants(p->state, row);
}

void predictor_predict(const struct predictor *p, const double *x, size_t n, struct prediction *out)
{
	for (size_t i = 0; i < n; i++)
		predict_row(p, x + i * p->app->n_columns, true, &out[i]);
}

double predictor_time_s(const struct predictor *p, const double *row)
{
	struct prediction at;

	predict_row(p, row, p->limits.n > 0 || p->for_choice || p->rules || p->tick_s > 0, &at);
	return at.time_s;
}

void predictor_bound_epistemic(const struct predictor *p, const double *rows, size_t n,
			       struct prediction *bound)
{
	for (size_t i = 0; i < n; i++) {
		const double trend_sd = bound[i].trend_sd;

		predict_row(p, rows + i * p->app->n_columns, false, &bound[i]);
		bound[i].trend_sd = trend_sd;
	}
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

/* "solver amg was not run": levels of text columns. Does the fit know which were run? */
static bool explain_levels(const struct predictor *p, const double *row, const char *before,
			   struct strbuf *out)
{
	bool all_known = true;

	for (size_t c = 0; c < p->app->n_columns; c++) {
		const struct column *column = &p->app->column[c];

		if (column->type != COL_TEXT)
			continue;
		if (!p->kind->level_was_run) {
			all_known = false;
		} else if (row[c] >= 0 && row[c] < (double)column->levels.n &&
			   !p->kind->level_was_run(p->state, c, row[c])) {
			strbuf_printf(out, "%s%s ", before, column->name);
			strbuf_puts(out, column->levels.name[(size_t)row[c]]);
			strbuf_puts(out, " was not run");
			before = ", ";
		}
	}
	return all_known;
}

void predictor_explain_support(const struct predictor *p, const double *row, struct strbuf *out)
{
	struct prediction at;
	const struct shift_at shift = level_shifts_at(&p->shifts, row);
	const size_t start = out->len;
	const struct confounded_level *level = NULL;
	bool knows_levels;

	predict_row(p, row, true, &at);
	if (at.support == SUPPORT_INSIDE || p->transferred)
		return;
	applicability_domain_explain(&p->map, p->app, row, out);
	number_kinds_explain_row(&p->numbers, p->app, row, out->len > start ? "; " : "", out);
	knows_levels = explain_levels(p, row, out->len > start ? "; " : "", out);
	if (shift.slow_p >= EDGE_OF_TIME) {
		strbuf_puts(out, out->len > start ? "; " : "");
		level_shift_explain(shift.untold, p->app, out);
	}
	if (system_changes_unseen(&p->changes, row, &level) >= EDGE_OF_TIME) {
		strbuf_puts(out, out->len > start ? "; " : "");
		system_changes_explain_level(level, p->app, out);
	}
	if (out->len == start && at.support == SUPPORT_OUTSIDE && knows_levels)
		strbuf_puts(out, "not in one column, but in all together");
}

void predictor_breakdown(const struct predictor *p, const double *row, struct breakdown *out,
			 bool *known)
{
	struct prediction at;

	*known = false;
	if (!p->kind->breakdown)
		return;
	p->kind->breakdown(p->state, row, out);
	*known = p->kind->structural || breakdown_total_s(out) > 0;
	if (!*known)
		return;
	predictor_predict(p, row, 1, &at);
	scale_breakdown(out, at.time_s / breakdown_total_s(out));
}

/* log(time / time_s) at prob where the law goes on that the runs show: residuals, and the deviation
 * of the trend, whose distances from the median add as squares. */
static double law_quantile(const struct residual_table *t, const struct prediction *at, double prob)
{
	const double r = at->scale * residual_table_quantile(t, prob);
	double median;

	if (!(at->trend_sd > 0))
		return r;
	median = at->scale * residual_table_quantile(t, 0.5);
	return median +
	       copysign(hypot(r - median, at->trend_sd * gsl_cdf_ugaussian_Pinv(prob)), prob - 0.5);
}

/* In searches for a probability; they end after ten steps or so. */
enum { MOST_STEPS = 100 };
#define NEAR_ENOUGH 1e-12

/* What a probability is sought for. */
struct quantile_search {
	const struct residual_table *t;
	const struct prediction *at;
	double value; /* of at_prob(), that is to be met */
	double (*at_prob)(const struct quantile_search *l, double prob);
};

/* In [lo, hi], where at_prob() rises from less than the value to no less, a probability with no
 * less, at most NEAR_ENOUGH above one with less: by inverse quadratic steps where they help, halves
 * where not (Chandrupatla, "A new hybrid quadratic/bisection algorithm ...", Advances in
 * Engineering Software 28(3), 1997). */
static double least_prob(const struct quantile_search *l, double lo, double hi)
{
	double a = lo, b = hi, c, fa = l->at_prob(l, lo) - l->value,
	       fb = l->at_prob(l, hi) - l->value, fc, step = 0.5;

	for (int i = 0; i < MOST_STEPS && fabs(b - a) > NEAR_ENOUGH; i++) {
		const double x = a + step * (b - a), fx = l->at_prob(l, x) - l->value;
		const double shortest = NEAR_ENOUGH / 2 / fabs(b - a);
		double place, level;

		if ((fx < 0) == (fa < 0)) {
			c = a;
			fc = fa;
		} else {
			c = b;
			fc = fb;
			b = a;
			fb = fa;
		}
		a = x;
		fa = fx;
		place = (a - b) / (c - b);
		level = (fa - fb) / (fc - fb);
		step = level * level < place && (1 - level) * (1 - level) < 1 - place
			       ? fa / (fb - fa) * (fc / (fb - fc)) +
					 (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb))
			       : 0.5;
		step = fmin(fmax(step, shortest), 1 - shortest);
	}
	return fa < 0 ? b : a;
}

/* As near to 0 and 1 as probabilities go. */
#define LEAST_PROB 1e-9

static double law_at(const struct quantile_search *l, double prob)
{
	return law_quantile(l->t, l->at, prob);
}

/* The inverse of law_quantile() in [lo, hi], from above, so that a quantile is met with its
 * probability. */
static double law_cdf(const struct residual_table *t, const struct prediction *at, double log_r,
		      double lo, double hi)
{
	const struct quantile_search law = {t, at, nextafter(log_r, INFINITY), law_at};

	if (!(log_r > law_quantile(t, at, lo)))
		return lo;
	if (log_r >= law_quantile(t, at, hi))
		return hi;
	return least_prob(&law, lo, hi);
}

/* The share of runs that take longer than exp(log_r) times the median because another law than that
 * of the runs rules, or because they are slow like one that was set aside. */
static double late_share(const struct prediction *at, double log_r)
{
	const double regime = at->regime_p * exp(-fmax(log_r, 0) / REGIME_LOG_MEAN);
	const double slow = at->slow_p * exp(-fmax(log_r - at->slow_log, 0) / REGIME_LOG_MEAN);

	return 1 - (1 - regime) * (1 - slow);
}

enum { HALVINGS = 60 }; /* a double has no more */

/* Where so few runs are late only for these reasons: late_share() falls to it above `from`. */
static double late_quantile(const struct prediction *at, double share, double from)
{
	double lo = from, hi;

	if (!(at->slow_p > 0))
		return REGIME_LOG_MEAN * log(at->regime_p / share);
	hi = fmax(from, at->slow_log) - REGIME_LOG_MEAN * log(share / 2);
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = (lo + hi) / 2;

		if (late_share(at, middle) > share)
			lo = middle;
		else
			hi = middle;
	}
	return hi;
}

static double in_time_at(const struct quantile_search *l, double prob)
{
	return prob * (1 - late_share(l->at, law_quantile(l->t, l->at, prob)));
}

/* A run is late for one of independent reasons: P = law_cdf() (1 - late_share()). */
static double usual_quantile(const struct residual_table *t, const struct prediction *at,
			     double prob)
{
	const double most = 1 - LEAST_PROB;
	const struct quantile_search law = {t, at, prob, in_time_at};
	double hi = prob / ((1 - at->regime_p) * (1 - at->slow_p));

	if (!(at->regime_p > 0 || at->slow_p > 0) || prob >= most)
		return law_quantile(t, at, prob);
	if (hi > most) {
		hi = most;
		/* nothing else is as late as that */
		if (hi * (1 - late_share(at, law_quantile(t, at, hi))) < prob)
			return late_quantile(at, 1 - prob / hi, law_quantile(t, at, hi));
	}
	return law_quantile(t, at, least_prob(&law, prob, hi));
}

static double usual_cdf(const struct residual_table *t, const struct prediction *at, double log_r)
{
	const double most = residual_table_max_confidence(t);
	double p;

	if (at->regime_p > 0 || at->slow_p > 0) {
		p = law_cdf(t, at, log_r, LEAST_PROB, 1 - LEAST_PROB);
		return fmin(fmax(p * (1 - late_share(at, log_r)), 1 - most), most);
	}
	return at->trend_sd > 0 ? law_cdf(t, at, log_r, 1 - most, most)
				: residual_table_cdf(t, log_r / at->scale);
}

static double log_cdf(const struct residual_table *t, const struct prediction *at, double log_r)
{
	const double usual = usual_cdf(t, at, log_r);

	if (!(at->other_p > 0))
		return usual;
	return (1 - at->other_p) * usual + at->other_p * usual_cdf(t, at, log_r - at->other_log);
}

double predictor_log_quantile(const struct residual_table *t, const struct prediction *at,
			      double prob)
{
	double lo = usual_quantile(t, at, prob), hi;

	if (!(at->other_p > 0))
		return lo;
	hi = lo + at->other_log;
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = (lo + hi) / 2;

		if (log_cdf(t, at, middle) < prob)
			lo = middle;
		else
			hi = middle;
	}
	return hi;
}

/* The share of runs, whether they outlast at->least_s or not, that take at most time_s. */
static double free_cdf(const struct predictor *p, const struct prediction *at, double time_s)
{
	const double median_s = at->least_s > 0 ? at->free_s : at->time_s;

	return log_cdf(&p->table[at->support], at, log(time_s / median_s));
}

double prediction_quantile_s(const struct predictor *p, const struct prediction *at, double prob)
{
	const struct residual_table *t = &p->table[at->support];
	double below;

	/* a hair more, so that rounding leaves the probability of meeting it at prob or above */
	if (!(at->least_s > 0))
		return at->time_s * exp(predictor_log_quantile(t, at, prob)) * (1 + 1e-12);
	below = free_cdf(p, at, at->least_s);
	prob = below + prob * (1 - below);
	return fmax(at->free_s * exp(predictor_log_quantile(t, at, prob)), at->least_s) *
	       (1 + 1e-9);
}

/* Of the runs that end. */
static double p_meet_if_ended(const struct predictor *p, const struct prediction *at,
			      double deadline_s)
{
	const double p_meet = free_cdf(p, at, deadline_s);
	double below;

	if (!(at->least_s > 0))
		return p_meet;
	below = free_cdf(p, at, at->least_s);
	return deadline_s > at->least_s ? fmax((p_meet - below) / (1 - below), 0) : 0;
}

double prediction_p_meet(const struct predictor *p, const struct prediction *at, double deadline_s)
{
	return p_meet_if_ended(p, at, deadline_s) * (1 - at->fail_p);
}

double prediction_max_confidence(const struct predictor *p, const struct prediction *at)
{
	return residual_table_max_confidence(&p->table[at->support]) * (1 - at->fail_p);
}

double prediction_deadline_s(const struct predictor *p, const struct prediction *at, double prob)
{
	return prob <= prediction_max_confidence(p, at)
		       ? prediction_quantile_s(p, at, prob / (1 - at->fail_p))
		       : (double)INFINITY;
}

/* Of one standard deviation on either side, as it is for a normal distribution. */
static double standard_deviation(const struct predictor *p, const struct prediction *at)
{
	const struct residual_table *t = &p->table[at->support];

	return (predictor_log_quantile(t, at, 0.8413) - predictor_log_quantile(t, at, 0.1587)) / 2;
}

double prediction_noise_sd(const struct predictor *p, const struct prediction *at)
{
	return isnan(p->noise) ? 0 : fmin(p->noise, standard_deviation(p, at));
}

double prediction_epistemic_sd(const struct predictor *p, const struct prediction *at)
{
	double all = standard_deviation(p, at), noise = prediction_noise_sd(p, at);

	return sqrt(fmax(all * all - noise * noise, 0));
}
