#include "mining/predictor/chance_failures.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/config_kind.h"
#include "mining/training/run_screen.h"
#include "mining/training/short_runs.h"

/* The runs of one configuration. */
struct config_outcome {
	const double *row;
	uint64_t hash[CONFIG_KINDS], size;
	struct config_demand demand;
	size_t n_ended, n_failed;
	size_t n_told, n_told_failed;
	double node_s; /* that a run takes if it ends; NaN: not known */
	bool did_less; /* what failed of it ended early: short_runs.h */
};

static uint64_t hash_of_chance(const struct chance_failures *m, const struct application *app,
			       const double *row, enum config_kind kind)
{
	return m->by_size && kind == SAME_PACKING ? config_size_hash(app, row)
						  : config_kind_hash(app, row, kind);
}

static int by_run_hash(const void *a, const void *b)
{
	const struct config_outcome *x = a, *y = b;

	return (x->hash[SAME_PROBLEM] > y->hash[SAME_PROBLEM]) -
	       (x->hash[SAME_PROBLEM] < y->hash[SAME_PROBLEM]);
}

/* One for each run. Returns how many. What is known to fail tells nothing of chance. */
static size_t list_outcomes(const struct dataset *runs, struct config_outcome *o)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const bool failed = runs->status[i] == RUN_FAILED;

		if (failed &&
		    (runs->flagged[i] == FLAG_SCREENED || runs->flagged[i] == FLAG_EXPLAINED))
			continue;
		o[n] = (struct config_outcome){.row = dataset_row(runs, i),
					       .n_ended = failed ? 0 : runs->n_repeats[i],
					       .n_failed = failed,
					       .did_less =
						       failed && runs->flagged[i] == FLAG_SHORT};
		o[n].hash[SAME_PROBLEM] = config_kind_hash(runs->app, o[n].row, SAME_PROBLEM);
		n++;
	}
	return n;
}

/* Keeps of o[n] one for each configuration. Returns how many. A run tells if another one of its
 * configuration ended; it is no witness of its own. */
static size_t gather_outcomes(const struct application *app, struct config_outcome *o, size_t n)
{
	size_t n_distinct = 0;

	qsort(o, n, sizeof *o, by_run_hash);
	for (size_t i = 0; i < n; i++) {
		if (n_distinct > 0 && !by_run_hash(&o[n_distinct - 1], &o[i])) {
			o[n_distinct - 1].n_ended += o[i].n_ended;
			o[n_distinct - 1].n_failed += o[i].n_failed;
			o[n_distinct - 1].did_less |= o[i].did_less;
		} else {
			o[n_distinct++] = o[i];
		}
	}
	for (size_t i = 0; i < n_distinct; i++) {
		o[i].n_told_failed = o[i].n_ended > 0 ? o[i].n_failed : 0;
		o[i].n_told = (o[i].n_ended > 1 ? o[i].n_ended : 0) + o[i].n_told_failed;
		o[i].demand = config_demand_of(app, o[i].row);
		o[i].size = config_size_hash(app, o[i].row);
		for (int k = 0; k < SAME_PROBLEM; k++)
			o[i].hash[k] = config_kind_hash(app, o[i].row, (enum config_kind)k);
	}
	return n_distinct;
}

/* ---- runs among others that ended ---- */

/* Of what is not repeated so many are looked at: those of least hash, as each has to be held
 * against every other. */
enum { AMONG_MAX = 2048 };

/* How runs that ended are around one, for each setting: they ask a node for as much or more, or
 * leave each process as little or less, with no less of the setting or with no more. */
enum { MORE_ABOVE = 1, MORE_BELOW = 2, LESS_ABOVE = 4, LESS_BELOW = 8, ALL_AROUND = 15 };

/* Adds to around[], by column, where `ended` is; the last one is of all. A run that does not say
 * its nodes asks no more and no less by them. */
static void add_around(const struct application *app, const struct falling_columns *f,
		       const struct config_outcome *run, const struct config_outcome *ended,
		       unsigned *around)
{
	const struct config_demand *a = &ended->demand, *b = &run->demand;
	const bool more = !(a->nodes > b->nodes) && !(a->ppn < b->ppn) &&
			  config_no_larger(app, f, run->row, ended->row);
	const bool less = !(a->procs < b->procs) && config_no_larger(app, f, ended->row, run->row);
	const unsigned above = (more ? MORE_ABOVE : 0) | (less ? LESS_ABOVE : 0),
		       below = (more ? MORE_BELOW : 0) | (less ? LESS_BELOW : 0);

	around[app->n_columns] |= above | below;
	for (size_t i = 0; i < app->n_columns && above; i++) {
		const double x = ended->row[i], y = run->row[i];
		const bool text = app->column[i].type == COL_TEXT;

		if (!config_is_setting(app, i))
			continue;
		if (x == y || (isnan(x) && isnan(y)))
			around[i] |= above | below;
		else if (!text)
			around[i] |= x > y ? above : x < y ? below : 0;
	}
}

/* Neither memory, nor too little for each process, nor either with one setting, tells why this run
 * should fail: others that ended are around it. around: scratch, as many as columns and one. */
static bool is_among_ended(const struct application *app, const struct falling_columns *f,
			   const struct config_outcome *o, size_t n, size_t at, unsigned *around)
{
	bool all;

	memset(around, 0, (app->n_columns + 1) * sizeof *around);
	for (size_t i = 0; i < n; i++) {
		if (i != at && o[i].n_ended > 0)
			add_around(app, f, &o[at], &o[i], around);
	}
	all = around[app->n_columns] == ALL_AROUND;
	for (size_t i = 0; i < app->n_columns; i++)
		all = all && (!config_is_setting(app, i) || around[i] == ALL_AROUND);
	return all;
}

/* Configurations of one run tell if they are among others that ended. o[n] by hash. */
static enum err_code hear_single_runs(const struct application *app,
				      const struct falling_columns *f, struct config_outcome *o,
				      size_t n, struct err *e)
{
	unsigned *around = calloc(app->n_columns + 1, sizeof *around);
	const size_t n_looked = n < AMONG_MAX ? n : AMONG_MAX;
	bool any = false;

	if (!around)
		return err_set(e, ERR_NOMEM, "%zu columns", app->n_columns);
	for (size_t i = 0; i < n_looked; i++)
		any = any || (o[i].n_failed == 1 && o[i].n_ended == 0);
	for (size_t i = 0; i < n_looked && any; i++) {
		if (o[i].n_ended + o[i].n_failed == 1 &&
		    is_among_ended(app, f, o, n_looked, i, around)) {
			o[i].n_told = 1;
			o[i].n_told_failed = o[i].n_failed;
		}
	}
	free(around);
	return ERR_OK;
}

/* ---- kinds ---- */

/* A kind, and the wider one that it is part of. */
struct chance_kind {
	uint64_t hash, wider;
	double m, k, chance;
};

static int by_kind(const void *a, const void *b)
{
	const struct chance_kind *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static const struct chance_kind *find_kind(const struct chance_kind *g, size_t n, uint64_t hash)
{
	const struct chance_kind key = {.hash = hash};

	return n > 0 ? bsearch(&key, g, n, sizeof *g, by_kind) : NULL;
}

/* Sums over the configurations of each kind, sorted. Returns how many kinds. */
static size_t sum_kinds(const struct config_outcome *o, size_t n, int kind, struct chance_kind *g)
{
	size_t n_kinds = 0;

	for (size_t i = 0; i < n; i++)
		g[i] = (struct chance_kind){.hash = o[i].hash[kind],
					    .wider = kind > 0 ? o[i].hash[kind - 1] : 0,
					    .m = (double)o[i].n_told,
					    .k = (double)o[i].n_told_failed};
	qsort(g, n, sizeof *g, by_kind);
	for (size_t i = 0; i < n; i++) {
		if (n_kinds > 0 && g[n_kinds - 1].hash == g[i].hash) {
			g[n_kinds - 1].m += g[i].m;
			g[n_kinds - 1].k += g[i].k;
		} else {
			g[n_kinds++] = g[i];
		}
	}
	return n_kinds;
}

/* What a wider kind weighs, in runs: with rho the correlation of two runs of a kind, chi squared of
 * the kinds has the expectation sum of (1 + (m - 1) rho). INFINITY: they do not differ. */
static double wider_weight(const struct chance_kind *g, size_t n)
{
	double excess = 0, room = 0, rho;

	for (size_t i = 0; i < n; i++) {
		const double var = g[i].m * g[i].chance * (1 - g[i].chance);

		if (!(var > 0))
			continue;
		excess += pow(g[i].k - g[i].m * g[i].chance, 2) / var - 1;
		room += g[i].m - 1;
	}
	rho = room > 0 ? excess / room : 0;
	return rho > 0 ? fmax(1 / rho - 1, 1) : (double)INFINITY;
}

/* What diverged mostly would again, and what did not would not: of configurations of which nothing
 * was repeated, half of that is believed. INFINITY: something else failed, too. */
static double weight_of_early_ends(const struct config_outcome *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (o[i].n_told_failed > 0 && !o[i].did_less)
			return (double)INFINITY;
	}
	return 1;
}

/* From the wider kinds g[n_wider] to g[n] of the next; unknown: what the wider ones weigh where
 * nothing tells. Returns what they weigh. */
static double shrink_kinds(struct chance_kind *g, size_t n, const struct chance_kind *wider,
			   size_t n_wider, double all, double unknown)
{
	double weight;

	for (size_t i = 0; i < n; i++) {
		const struct chance_kind *w = find_kind(wider, n_wider, g[i].wider);

		g[i].chance = w ? w->chance : all;
	}
	weight = wider_weight(g, n);
	if (isinf(weight))
		weight = unknown;
	for (size_t i = 0; i < n && isfinite(weight); i++)
		g[i].chance = (weight * g[i].chance + g[i].k) / (weight + g[i].m);
	return weight;
}

static int by_told(const void *a, const void *b)
{
	const struct chance_kind *x = a, *y = b;

	return x->m != y->m ? (x->m > y->m ? -1 : 1) : by_kind(a, b);
}

/* Do runs differ more by nodes and processes than by all else that is chosen? g[n]. */
static bool differ_by_size(struct config_outcome *o, size_t n, double all, struct chance_kind *g)
{
	double weight[2];

	for (int by_size = 0; by_size < 2; by_size++) {
		for (size_t i = 0; i < n; i++) {
			const uint64_t other = o[i].size;

			o[i].size = o[i].hash[SAME_PACKING];
			o[i].hash[SAME_PACKING] = other;
		}
		weight[!by_size] = shrink_kinds(g, sum_kinds(o, n, SAME_PACKING, g), NULL, 0, all,
						(double)INFINITY);
	}
	return weight[1] < weight[0];
}

static enum err_code fit_kinds(struct config_outcome *o, size_t n, struct chance_failures *m,
			       struct err *e)
{
	struct chance_kind *g = calloc(CONFIG_KINDS * n + 1, sizeof *g), *wider = NULL;
	size_t n_wider = 0, n_all = 0;

	m->item = calloc(CHANCE_FAILURES_MAX + 1, sizeof *m->item);
	if (!g || !m->item) {
		free(g);
		return err_set(e, ERR_NOMEM, "chances of failure");
	}
	m->by_size = differ_by_size(o, n, m->all, g);
	for (size_t i = 0; i < n && m->by_size; i++)
		o[i].hash[SAME_PACKING] = o[i].size;
	for (int kind = 0; kind < CONFIG_KINDS; kind++) {
		struct chance_kind *here = g + n_all;
		const size_t n_here = sum_kinds(o, n, kind, here);

		shrink_kinds(here, n_here, wider, n_wider, m->all,
			     kind == SAME_PROBLEM ? weight_of_early_ends(o, n) : (double)INFINITY);
		wider = here;
		n_wider = n_here;
		n_all += n_here;
	}
	qsort(g, n_all, sizeof *g, by_told);
	for (size_t i = 0; i < n_all && m->n < CHANCE_FAILURES_MAX; i++) {
		if (g[i].chance != m->all)
			m->item[m->n++] = (struct chance_failure){g[i].hash, g[i].chance};
	}
	free(g);
	return ERR_OK;
}

/* ---- which law ---- */

/* Of n runs k failed, each with its own chance of mean p; two are alike by 1 / (1 + weight). ln of
 * the probability, in the order that they came in. */
static double log_beta_binomial(double k, double n, double p, double weight)
{
	const double a = p * weight, b = (1 - p) * weight;

	if (isinf(weight))
		return k * log(p) + (n - k) * log1p(-p);
	return gsl_sf_lnbeta(a + k, b + n - k) - gsl_sf_lnbeta(a, b);
}

/* The most that runs have as likely as they came if kinds decide, less what it takes to tell how
 * much these differ (Schwarz, Annals of Statistics 6(2), 1978). g[n]: scratch. */
static double score_of_kinds(const struct config_outcome *o, size_t n,
			     const struct chance_failures *m, struct chance_kind *g)
{
	double best = log_beta_binomial((double)m->n_failed, (double)m->n_told, m->all, INFINITY);

	for (int kind = 0; kind < CONFIG_KINDS; kind++) {
		const size_t n_kinds = sum_kinds(o, n, kind, g);
		double weight, sum = -log((double)m->n_told) / 2;

		for (size_t i = 0; i < n_kinds; i++)
			g[i].chance = m->all;
		weight = wider_weight(g, n_kinds);
		for (size_t i = 0; i < n_kinds && isfinite(weight); i++)
			sum += log_beta_binomial(g[i].k, g[i].m, m->all, weight);
		if (isfinite(weight))
			best = fmax(best, sum);
	}
	return best;
}

/* ln of the probability of what came, at a rate; *slope: its derivative by ln rate. */
static double score_of_rate(const struct config_outcome *o, size_t n, double rate, double *slope)
{
	double sum = 0;

	*slope = 0;
	for (size_t i = 0; i < n; i++) {
		const double x = fmax(rate * o[i].node_s, 1e-300),
			     ended = (double)(o[i].n_told - o[i].n_told_failed),
			     failed = (double)o[i].n_told_failed;

		if (o[i].n_told == 0)
			continue;
		sum += failed * log(-expm1(-x)) - ended * x;
		*slope += failed * x / expm1(x) - ended * x;
	}
	return sum;
}

/* The rate that is likeliest, with one more run that ended, as among kinds, and how likely it is
 * beside them. */
static void fit_rate(const struct config_outcome *o, size_t n, struct chance_kind *g,
		     struct chance_failures *m)
{
	double told = 0, node_s = 0, least = INFINITY, most = 0, lo, hi, slope;

	for (size_t i = 0; i < n; i++) {
		if (o[i].n_told == 0)
			continue;
		if (!(o[i].node_s > 0) || isinf(o[i].node_s))
			return;
		told += (double)o[i].n_told;
		node_s += (double)o[i].n_told * o[i].node_s;
		least = fmin(least, o[i].node_s);
		most = fmax(most, o[i].node_s);
	}
	/* the slope falls with the rate: it is above 0 where hardly any should fail, and below
	 * where all should */
	lo = log(1e-6 / most / told);
	hi = log(1e3 / least);
	for (int k = 0; k < 60; k++) {
		const double at = (lo + hi) / 2;

		score_of_rate(o, n, exp(at), &slope);
		if (slope - exp(at) * node_s / told > 0)
			lo = at;
		else
			hi = at;
	}
	m->rate = exp(lo);
	m->rate_p =
		1 / (1 + exp(score_of_kinds(o, n, m, g) - score_of_rate(o, n, m->rate, &slope)));
}

static enum err_code compare_laws(struct config_outcome *o, size_t n,
				  double (*time_s)(const void *fit, const double *row),
				  const void *fit, struct chance_failures *m, struct err *e)
{
	struct chance_kind *g = calloc(n + 1, sizeof *g);

	if (!g)
		return err_set(e, ERR_NOMEM, "chances of failure");
	for (size_t i = 0; i < n; i++)
		o[i].node_s = time_s(fit, o[i].row) * o[i].demand.nodes;
	fit_rate(o, n, g, m);
	free(g);
	return ERR_OK;
}

enum err_code chance_failures_make(const struct dataset *runs, const struct dataset *failures,
				   const struct falling_columns *falling,
				   double (*time_s)(const void *fit, const double *row),
				   const void *fit, struct chance_failures *out, struct err *e)
{
	struct chance_failures m = {0};
	struct config_outcome *o;
	const size_t n_failures = failures ? failures->n : 0;
	bool any = n_failures > 0;
	enum err_code rc = ERR_OK;
	size_t n;

	for (size_t i = 0; i < runs->n && !any; i++)
		any = runs->status[i] == RUN_FAILED;
	if (!any) {
		*out = m;
		return ERR_OK;
	}
	if (!(o = calloc(runs->n + n_failures + 1, sizeof *o)))
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	n = list_outcomes(runs, o);
	if (failures)
		n += list_outcomes(failures, o + n);
	n = gather_outcomes(runs->app, o, n);
	rc = hear_single_runs(runs->app, falling, o, n, e);
	for (size_t i = 0; i < n; i++) {
		m.n_told += o[i].n_told;
		m.n_failed += o[i].n_told_failed;
	}
	if (!rc && m.n_failed > 0) {
		m.all = (double)m.n_failed / (double)(1 + m.n_told);
		rc = fit_kinds(o, n, &m, e);
		if (!rc && time_s)
			rc = compare_laws(o, n, time_s, fit, &m, e);
	}
	free(o);
	if (rc)
		chance_failures_release(&m);
	else
		*out = m;
	return rc;
}

void chance_failures_release(struct chance_failures *m)
{
	free(m->item);
	*m = (struct chance_failures){0};
}

static double chance_of_kind(const struct chance_failures *m, const struct application *app,
			     const double *row)
{
	for (int kind = CONFIG_KINDS - 1; kind >= 0 && m->n > 0; kind--) {
		const uint64_t hash = hash_of_chance(m, app, row, (enum config_kind)kind);

		for (size_t i = 0; i < m->n; i++) {
			if (m->item[i].hash == hash)
				return m->item[i].chance;
		}
	}
	return m->all;
}

double chance_failures_at(const struct chance_failures *m, const struct application *app,
			  const double *row, double time_s)
{
	const double by_kind = chance_of_kind(m, app, row),
		     node_s = time_s * config_demand_of(app, row).nodes;

	if (m->rate_p == 0 || isnan(node_s))
		return by_kind;
	return (1 - m->rate_p) * by_kind - m->rate_p * expm1(-m->rate * node_s);
}

void chance_failures_explain(const struct chance_failures *m, struct strbuf *out)
{
	if (m->n_failed == 0)
		return;
	strbuf_printf(out,
		      " Failed by chance: %zu of %zu runs of what ended at other times, or all "
		      "around%s: the next one may, too, and promises allow for it.",
		      m->n_failed, m->n_told,
		      m->rate_p >= 0.9	 ? ", the more the longer, on the more nodes"
		      : m->rate_p >= 0.1 ? ", perhaps the more the longer, on the more nodes"
					 : "");
}

enum err_code chance_failures_store(const struct chance_failures *m, struct kb_fit *fit,
				    struct err *e)
{
	enum err_code rc = ERR_OK;

	if (m->n_failed > 0)
		rc = kb_fit_add(fit, "fails_all", m->all, NAN, "", "that a run fails by chance", e);
	if (m->rate_p > 0 && !rc &&
	    !(rc = kb_fit_add(fit, "fails_rate", m->rate, NAN, "1/s", "of a node", e)))
		rc = kb_fit_add(fit, "fails_by_rate", m->rate_p, NAN, "", "that they do", e);
	if (m->by_size && !rc)
		rc = kb_fit_add(fit, "fails_by_size", 1, NAN, "", "by nodes and processes", e);
	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct chance_failure *item = &m->item[i];
		char high[48], low[48], chance[48];

		snprintf(high, sizeof high, "fails_high_%zu", i);
		snprintf(low, sizeof low, "fails_low_%zu", i);
		snprintf(chance, sizeof chance, "fails_chance_%zu", i);
		if (!(rc = kb_fit_add(fit, high, (double)(item->hash >> CONFIG_HASH_HALF), NAN, "",
				      "hash", e)) &&
		    !(rc = kb_fit_add(fit, low, (double)(item->hash & UINT32_MAX), NAN, "", "hash",
				      e)))
			rc = kb_fit_add(fit, chance, item->chance, NAN, "",
					"that the next one fails", e);
	}
	return rc;
}

enum err_code chance_failures_load(const struct kb_fit *fit, struct chance_failures *out,
				   struct err *e)
{
	*out = (struct chance_failures){.item = calloc(CHANCE_FAILURES_MAX, sizeof *out->item)};
	if (!out->item)
		return err_set(e, ERR_NOMEM, "chances of failure");
	for (size_t k = 0; k < fit->n_param; k++) {
		const struct kb_param *q = &fit->param[k];
		char part[16];
		size_t i;

		if (!strcmp(q->name, "fails_all") && q->value >= 0 && q->value < 1)
			out->all = q->value;
		if (!strcmp(q->name, "fails_by_size"))
			out->by_size = q->value == 1;
		if (!strcmp(q->name, "fails_rate") && q->value >= 0)
			out->rate = q->value;
		if (!strcmp(q->name, "fails_by_rate") && q->value >= 0)
			out->rate_p = fmin(q->value, 1);
		if (sscanf(q->name, "fails_%15[a-z]_%zu", part, &i) != 2 ||
		    i >= CHANCE_FAILURES_MAX || !(q->value >= 0 && q->value <= UINT32_MAX))
			continue;
		if (i >= out->n)
			out->n = i + 1;
		if (!strcmp(part, "high"))
			out->item[i].hash |= (uint64_t)(uint32_t)q->value << CONFIG_HASH_HALF;
		else if (!strcmp(part, "low"))
			out->item[i].hash |= (uint32_t)q->value;
		else if (!strcmp(part, "chance"))
			out->item[i].chance = fmin(q->value, 1);
	}
	return ERR_OK;
}
