#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/predictor_state.h"
#include "mining/predictor/system_change.h"

/* A predictor as named numbers in the knowledge base: the kind's own, then support ("support_lo_0",
 * "seen_PAIR_BUCKET") and residuals ("residual_inside_17"). */

static enum err_code store_support(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	const struct seen_ranges *m = &p->map.ranges;
	size_t n_pairs = m->n_features * (m->n_features - 1) / 2;
	char name[64];
	enum err_code rc = ERR_OK;

	for (size_t j = 0; j < m->n_features && !rc; j++) {
		const char *feature = p->kind->feature_name(p->state, j);

		snprintf(name, sizeof name, "support_lo_%zu", j);
		rc = kb_fit_add(fit, name, m->lo[j], NAN, "log2", feature, e);
		snprintf(name, sizeof name, "support_hi_%zu", j);
		if (!rc)
			rc = kb_fit_add(fit, name, m->hi[j], NAN, "log2", feature, e);
	}
	for (size_t pair = 0; m->n_features > 0 && pair < n_pairs; pair++) {
		for (size_t b = 0; b < SUPPORT_BUCKETS && !rc; b++) {
			if (!m->seen[pair][b])
				continue;
			snprintf(name, sizeof name, "seen_%zu_%zu", pair, b);
			rc = kb_fit_add(fit, name, (double)m->seen[pair][b], NAN, "bits",
					"buckets of a pair of features near a run", e);
		}
	}
	return rc;
}

static enum err_code store_residuals(const struct residual_table *t, const char *kind,
				     struct kb_fit *fit, struct err *e)
{
	char name[64];
	enum err_code rc;

	snprintf(name, sizeof name, "residual_%s_n", kind);
	if ((rc = kb_fit_add(fit, name, (double)t->n, NAN, "runs", "held-out residuals", e)))
		return rc;
	snprintf(name, sizeof name, "residual_%s_widened", kind);
	if ((rc = kb_fit_add(fit, name, t->widened, NAN, "1", "factor on the residuals", e)))
		return rc;
	for (size_t i = 0; i < t->n_kept && !rc; i++) {
		snprintf(name, sizeof name, "residual_%s_%zu", kind, i);
		rc = kb_fit_add(fit, name, t->r[i], NAN, "log s", "log(measured / predicted)", e);
	}
	return rc;
}

static const char *const error_part[] = {"n", "typical", "lo", "hi"};
enum { N_ERROR_PARTS = sizeof error_part / sizeof error_part[0] };

/* "held_out_inside_typical"; nothing of a kind of support of which no run was held out. */
static enum err_code store_errors(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	char name[64];
	enum err_code rc = ERR_OK;

	for (int s = 0; s < 3 && !rc; s++) {
		const struct predictor_error *error = &p->error[s];
		const double value[] = {(double)error->n, error->typical, error->lo, error->hi};

		for (int k = 0; k < N_ERROR_PARTS && error->n > 0 && !rc; k++) {
			snprintf(name, sizeof name, "held_out_%s_%s", support_name((enum support)s),
				 error_part[k]);
			rc = kb_fit_add(fit, name, value[k], NAN, k == 1 ? "log s" : "1",
					"how far off predictions of held-out runs were", e);
		}
	}
	return rc;
}

/* name: behind the kind of support, "typical". */
static void load_error_param(struct predictor_error *out, const char *name, double value)
{
	if (strcmp(name, "n") == 0)
		out->n = value > 0 ? (size_t)value : 0;
	else if (strcmp(name, "typical") == 0)
		out->typical = value;
	else if (strcmp(name, "lo") == 0)
		out->lo = value;
	else if (strcmp(name, "hi") == 0)
		out->hi = value;
}

/* "source_simulated_configs", "source_simulated_weight"; nothing of a source without runs. */
static enum err_code store_sources(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	char name[64];
	enum err_code rc = ERR_OK;

	for (int s = 0; s < SOURCE_COUNT && !rc; s++) {
		const struct source_share *share = &p->source[s];
		const char *source = run_source_name((enum run_source)s);

		if (share->n_configs == 0)
			continue;
		snprintf(name, sizeof name, "source_%s_configs", source);
		rc = kb_fit_add(fit, name, (double)share->n_configs, NAN, "1",
				"configurations of this source", e);
		snprintf(name, sizeof name, "source_%s_weight", source);
		if (!rc)
			rc = kb_fit_add(fit, name, share->weight, NAN, "1", "of one of them", e);
	}
	return rc;
}

static void load_sources(const struct kb_fit *fit, struct predictor *p)
{
	char name[64];

	for (int s = 0; s < SOURCE_COUNT; s++) {
		const char *source = run_source_name((enum run_source)s);
		double n;

		snprintf(name, sizeof name, "source_%s_configs", source);
		n = kb_fit_value(fit, name);
		snprintf(name, sizeof name, "source_%s_weight", source);
		if (n > 0)
			p->source[s] = (struct source_share){(size_t)n, 1, kb_fit_value(fit, name)};
	}
}

/* The numbers of the predictor itself that are in no table. */
enum own {
	SHRINKAGE_INSIDE,
	SHRINKAGE_EDGE,
	SHRINKAGE_OUTSIDE,
	SURE,
	MAX_EPISTEMIC_SD,
	NOISE,
	OPTIMISM,
	TICK,
	N_OWN
};

static const struct {
	const char *name, *unit, *meaning;
} own_info[N_OWN] = {
	[SHRINKAGE_INSIDE] = {"trust_inside", "1", "share of corrections that is believed"},
	[SHRINKAGE_EDGE] = {"trust_edge", "1", "the same at the edge of what was seen"},
	[SHRINKAGE_OUTSIDE] = {"trust_outside", "1", "the same outside of it"},
	[SURE] = {"sure", "log s", "spread of residuals where there is no doubt"},
	[MAX_EPISTEMIC_SD] = {"max_doubt", "log s", "more doubt counts as that"},
	[NOISE] = {"noise", "log s", "standard deviation from repeat to repeat; none: no repeats"},
	[OPTIMISM] = {"optimism", "1", "what is chosen takes longer by so many spreads"},
	[TICK] = {"clock_tick", "s", "times are whole multiples of it"},
};

static double *own_place(struct predictor *p, enum own which)
{
	switch (which) {
	case SHRINKAGE_INSIDE:
		return &p->shrinkage[SUPPORT_INSIDE];
	case SHRINKAGE_EDGE:
		return &p->shrinkage[SUPPORT_EDGE];
	case SHRINKAGE_OUTSIDE:
		return &p->shrinkage[SUPPORT_OUTSIDE];
	case SURE:
		return &p->residual_sd;
	case MAX_EPISTEMIC_SD:
		return &p->max_epistemic_sd;
	case NOISE:
		return &p->noise;
	case OPTIMISM:
		return &p->optimism;
	case TICK:
		return &p->tick_s;
	case N_OWN:
		break;
	}
	return NULL;
}

static enum err_code store_own(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	struct predictor copy = *p;
	enum err_code rc = ERR_OK;

	for (int k = 0; k < N_OWN && !rc; k++) {
		double value = *own_place(&copy, (enum own)k);

		if (isfinite(value) && ((k != OPTIMISM && k != TICK) || value > 0))
			rc = kb_fit_add(fit, own_info[k].name, value, NAN, own_info[k].unit,
					own_info[k].meaning, e);
	}
	return rc;
}

static void load_own(const struct kb_fit *fit, struct predictor *p)
{
	for (int k = 0; k < N_OWN; k++)
		*own_place(p, (enum own)k) = kb_fit_value(fit, own_info[k].name);
	if (!(p->optimism > 0))
		p->optimism = 0;
	if (!(p->tick_s > 0))
		p->tick_s = 0;
}

/* "newness_sd_1", "newness_sd_2", and of each column with levels "levels_COLUMN_I". */
static enum err_code store_levels(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	char name[128];
	enum err_code rc = ERR_OK;

	if (p->levels.n == 0)
		return ERR_OK;
	for (int k = 0; k < 2 && !rc; k++) {
		snprintf(name, sizeof name, "newness_sd_%d", k + 1);
		rc = kb_fit_add(fit, name, p->newness_sd[k], NAN, "log s",
				"more where so many values are between levels", e);
	}
	for (size_t k = 0; k < p->levels.n; k++) {
		const struct level_column *c = &p->levels.item[k];

		for (size_t i = 0; i < c->n && !rc; i++) {
			snprintf(name, sizeof name, "levels_%s_%zu", p->app->column[c->column].name,
				 i);
			rc = kb_fit_add(fit, name, c->value[i], NAN, "", "a level of the runs", e);
		}
	}
	return rc;
}

static void load_level(const struct kb_param *q, const char *column, struct level_column *c)
{
	const size_t length = strlen(column);
	size_t i;
	int end = 0;

	/* to the end: a column may be called as another one with a number behind it */
	if (!strncmp(q->name + 7, column, length) &&
	    sscanf(q->name + 7 + length, "_%zu%n", &i, &end) == 1 &&
	    q->name[7 + length + (size_t)end] == '\0' && i < LEVEL_MAX) {
		c->value[i] = q->value;
		c->n = i + 1 > c->n ? i + 1 : c->n;
	}
}

static void load_levels(const struct kb_fit *fit, struct predictor *p)
{
	for (int k = 0; k < 2; k++) {
		const double sd = kb_fit_value(fit, k ? "newness_sd_2" : "newness_sd_1");

		p->newness_sd[k] = sd > 0 ? sd : 0;
	}
	for (size_t c = 0; c < p->app->n_columns && p->levels.n < LEVEL_COLUMNS; c++) {
		struct level_column levels = {.column = c};

		for (size_t k = 0; k < fit->n_param && p->app->column[c].role == COL_PROBLEM; k++) {
			if (!strncmp(fit->param[k].name, "levels_", 7))
				load_level(&fit->param[k], p->app->column[c].name, &levels);
		}
		if (levels.n > 0)
			p->levels.item[p->levels.n++] = levels;
	}
}

enum err_code predictor_store(const struct predictor *p, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	free(fit->predictor);
	free(fit->explanation);
	fit->predictor = strdup(p->kind->name);
	fit->explanation = strdup(p->explanation);
	fit->n_runs = (int64_t)p->n_runs;
	if (!fit->predictor || !fit->explanation)
		return err_set(e, ERR_NOMEM, "fit");
	if ((rc = kb_fit_add(fit, "predictor_version", PREDICTOR_VERSION, NAN, "",
			     "an older one is mined anew", e)) ||
	    (rc = p->kind->store(p->state, fit, e)) || (rc = store_own(p, fit, e)) ||
	    (rc = store_errors(p, fit, e)) || (rc = store_sources(p, fit, e)) ||
	    (rc = store_support(p, fit, e)) ||
	    (rc = applicability_domain_store(&p->map, p->app, fit, e)) ||
	    (rc = time_limits_store(&p->limits, fit, e)) ||
	    (rc = slow_runs_store(&p->slow, fit, e)) ||
	    (rc = chance_failures_store(&p->failures, fit, e)) ||
	    (rc = failing_demands_store(&p->demands, p->app, fit, e)) ||
	    (rc = store_levels(p, fit, e)) ||
	    (rc = number_kinds_store(&p->numbers, p->app, fit, e)) ||
	    (rc = level_shifts_store(&p->shifts, p->app, fit, e)) ||
	    (rc = batch_effect_store(&p->batches, fit, e)) ||
	    (rc = system_changes_store(&p->changes, p->app, fit, e)) ||
	    (rc = circumstance_store(&p->beside, p->app, fit, e)) ||
	    (rc = noise_group_store(&p->noisy, fit, e)))
		return rc;
	for (int s = 0; s < 3; s++) {
		if ((rc = store_residuals(&p->table[s], support_name((enum support)s), fit, e)))
			return rc;
	}
	return ERR_OK;
}

static void load_support_param(struct predictor *p, const struct kb_param *q)
{
	size_t i, b;

	if (sscanf(q->name, "support_lo_%zu", &i) == 1 && i < PREDICTOR_KIND_MAX_FEATURES) {
		p->map.ranges.lo[i] = q->value;
		if (i >= p->map.ranges.n_features)
			p->map.ranges.n_features = i + 1;
	} else if (sscanf(q->name, "support_hi_%zu", &i) == 1 && i < PREDICTOR_KIND_MAX_FEATURES) {
		p->map.ranges.hi[i] = q->value;
	} else if (sscanf(q->name, "seen_%zu_%zu", &i, &b) == 2 && b < SUPPORT_BUCKETS &&
		   i < sizeof p->map.ranges.seen / sizeof p->map.ranges.seen[0] && q->value >= 0) {
		p->map.ranges.seen[i][b] = (uint64_t)q->value;
	}
}

/* "residual_KIND_..." of one table. */
static void load_residual_param(struct residual_table *t, const char *rest, double value)
{
	size_t i;

	if (!strcmp(rest, "n"))
		t->n = (size_t)value;
	else if (!strcmp(rest, "widened"))
		t->widened = value;
	else if (sscanf(rest, "%zu", &i) == 1 && i < RESIDUAL_TABLE_MAX) {
		t->r[i] = value;
		if (i >= t->n_kept)
			t->n_kept = i + 1;
	}
}

/* Of "residual_inside_12" and "residual_" the kind of support and "12"; NULL: it is none of them.
 */
static const char *behind_support(const char *name, const char *prefix, enum support *out)
{
	const size_t n = strlen(prefix);

	for (int s = 0; s < 3 && !strncmp(name, prefix, n); s++) {
		const char *kind = support_name((enum support)s);
		const size_t len = strlen(kind);

		*out = (enum support)s;
		if (!strncmp(name + n, kind, len) && name[n + len] == '_')
			return name + n + len + 1;
	}
	return NULL;
}

static void load_common(const struct kb_fit *fit, struct predictor *p)
{
	for (size_t k = 0; k < fit->n_param; k++) {
		const struct kb_param *q = &fit->param[k];
		enum support s;
		const char *rest;

		if (*q->name == 's')
			load_support_param(p, q);
		else if ((rest = behind_support(q->name, "residual_", &s)))
			load_residual_param(&p->table[s], rest, q->value);
		else if ((rest = behind_support(q->name, "held_out_", &s)))
			load_error_param(&p->error[s], rest, q->value);
	}
}

enum err_code predictor_load(const struct kb_fit *fit, const struct application *app,
			     struct predictor **out, struct err *e)
{
	struct predictor *p = calloc(1, sizeof *p);
	enum err_code rc;

	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	p->app = app;
	p->kind = predictor_kind_find(fit->predictor);
	if (!p->kind) {
		rc = err_set(e, ERR_NOTMINED,
			     "the fit is of a kind, %s, that this program does not know: "
			     "run `lemnos mine`",
			     fit->predictor);
		goto done;
	}
	p->n_runs = (size_t)fit->n_runs;
	if ((rc = p->kind->load(fit, app, &p->state, e)))
		goto done;
	load_own(fit, p);
	load_sources(fit, p);
	load_levels(fit, p);
	number_kinds_load(fit, p->app, &p->numbers);
	level_shifts_load(fit, p->app, &p->shifts);
	batch_effect_load(fit, &p->batches);
	system_changes_load(fit, p->app, &p->changes);
	circumstance_load(fit, p->app, &p->beside);
	noise_group_load(fit, p->app, &p->noisy);
	load_common(fit, p);
	if ((rc = applicability_domain_load(fit, p->app, &p->map, e)) ||
	    (rc = time_limits_load(fit, &p->limits, e)) ||
	    (rc = slow_runs_load(fit, &p->slow, e)) ||
	    (rc = chance_failures_load(fit, &p->failures, e)) ||
	    (rc = failing_demands_load(fit, p->app, &p->demands, e)))
		goto done;
	for (int s = 0; s < 3; s++) {
		if (p->table[s].n == 0 || p->table[s].n_kept == 0 || !(p->table[s].widened > 0) ||
		    !(p->shrinkage[s] >= 0) || !(p->residual_sd > 0) ||
		    !(p->max_epistemic_sd >= 0)) {
			rc = err_set(e, ERR_NOTMINED,
				     "the fit lacks how far it was off: run `lemnos mine`");
			goto done;
		}
	}
	p->explanation = strdup(fit->explanation);
	if (!p->explanation) {
		rc = err_set(e, ERR_NOMEM, "predictor");
		goto done;
	}
	*out = p;
	p = NULL;
done:
	predictor_free(p);
	return rc;
}
