#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "base/err.h"
#include "domain/rule.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/rule_miners.h"
#include "mining/rules/model_tree.h"

/* What runs that were held out say of the leaves of a tree. */
struct cv_residuals {
	const struct time_target *g; /* borrowed */
	size_t *leaf;	 /* [n] of the tree that is judged: a place in node[]; SIZE_MAX: none, or
			  * the configuration was learned from */
	double *formula; /* [n] logarithm, from a tree that had not seen it; NaN: it had no leaf */
};

/* ---- evidence ---- */

/* Less is not worth following a rule for. */
#define MIN_GAIN 0.01

static void cv_residuals_release(struct cv_residuals *h)
{
	free(h->leaf);
	free(h->formula);
	*h = (struct cv_residuals){0};
}

/* No configuration has a leaf yet. Errors: NOMEM. */
static enum err_code cv_residuals_make(const struct time_target *g, struct cv_residuals *out,
				       struct err *e)
{
	struct cv_residuals h = {.g = g};

	h.leaf = malloc(g->table->n * sizeof *h.leaf + 1);
	h.formula = malloc(g->table->n * sizeof *h.formula + 1);
	if (!h.leaf || !h.formula) {
		cv_residuals_release(&h);
		return err_set(e, ERR_NOMEM, "%zu configurations held out", g->table->n);
	}
	for (size_t i = 0; i < g->table->n; i++) {
		h.leaf[i] = SIZE_MAX;
		h.formula[i] = NAN;
	}
	*out = h;
	return ERR_OK;
}

/* Configuration i, which `blind` had not seen, both trees with n_leaves. */
static void cv_residuals_put(struct cv_residuals *h, size_t i, const struct model_tree *judged,
			     const struct model_tree *blind, size_t n_leaves)
{
	const struct slowdown_table *t = h->g->table;
	size_t leaf = model_tree_leaf(blind, n_leaves, t, i);

	if (isnan(h->g->y[i]))
		return;
	h->leaf[i] = model_tree_leaf(judged, n_leaves, t, i);
	if (leaf != SIZE_MAX)
		h->formula[i] = power_formula_log(&blind->node[leaf].formula, slowdown_row(t, i));
}

/* The error in y with the rule, and without. Where the formula is not known, there is no rule. */
static double error_with(const struct cv_residuals *h, size_t i)
{
	return h->g->y[i] - (isnan(h->formula[i]) ? h->g->typical : h->formula[i]);
}

static double error_without(const struct cv_residuals *h, size_t i)
{
	return h->g->y[i] - h->g->typical;
}

/* By block that is held out together: sums over the configurations in a leaf. */
struct cv_group_sums {
	double *y, *gain; /* gain: how much nearer the formula is, |log| */
	size_t *n;
	size_t n_blocks;
};

static enum err_code sum_blocks(const struct cv_residuals *h, size_t leaf, struct cv_group_sums *b,
				struct err *e)
{
	const struct slowdown_table *t = h->g->table;

	b->y = calloc(t->n_blocks + 1, sizeof *b->y);
	b->gain = calloc(t->n_blocks + 1, sizeof *b->gain);
	b->n = calloc(t->n_blocks + 1, sizeof *b->n);
	if (!b->y || !b->gain || !b->n)
		return err_set(e, ERR_NOMEM, "means of %zu blocks", t->n_blocks);
	for (size_t i = 0; i < t->n; i++) {
		if (h->leaf[i] != leaf)
			continue;
		b->y[t->block[i]] += error_without(h, i);
		b->gain[t->block[i]] += fabs(error_without(h, i)) - fabs(error_with(h, i));
		b->n[t->block[i]]++;
	}
	for (size_t k = 0; k < t->n_blocks; k++) {
		if (b->n[k] == 0)
			continue;
		b->y[b->n_blocks] = b->y[k] / (double)b->n[k];
		b->gain[b->n_blocks++] = b->gain[k] / (double)b->n[k];
	}
	return ERR_OK;
}

/* Effect with its interval, and the chance that the formula is no better than none. */
static enum err_code test_blocks(const struct cv_residuals *h, size_t leaf,
				 struct rule_evidence *out, struct err *e)
{
	struct cv_group_sums b = {0};
	struct mean_test effect, gain;
	enum err_code rc = sum_blocks(h, leaf, &b, e);

	if (!rc && b.n_blocks > 1) {
		mean_t_test(b.y, b.n_blocks, 0.9, &effect);
		mean_t_test(b.gain, b.n_blocks, 0.9, &gain);
		out->effect = exp(effect.mean);
		out->lo = exp(effect.lo);
		out->hi = exp(effect.hi);
		out->p_value = gain.mean > 0 ? gain.p / 2 : 1;
	}
	free(b.y);
	free(b.gain);
	free(b.n);
	return rc;
}

/* How many of ids 0..n_ids-1 occur among the configurations in a leaf? */
static enum err_code count_distinct(const struct cv_residuals *h, size_t leaf, const uint32_t *id,
				    size_t n_ids, int64_t *out, struct err *e)
{
	unsigned char *seen = calloc(n_ids + 1, 1);
	int64_t n = 0;

	if (!seen)
		return err_set(e, ERR_NOMEM, "%zu groups", n_ids);
	for (size_t i = 0; i < h->g->table->n; i++) {
		if (h->leaf[i] == leaf) {
			n += !seen[id[i]];
			seen[id[i]] = 1;
		}
	}
	free(seen);
	*out = n;
	return ERR_OK;
}

static enum err_code count_problems(const struct cv_residuals *h, size_t leaf, int64_t *out,
				    struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	uint32_t *problem = malloc(t->n * sizeof *problem + 1);
	struct row_key key = row_key_of(t->runs, column);
	size_t n = 0;
	enum err_code rc;

	if (!column || !problem) {
		rc = err_set(e, ERR_NOMEM, "problems of %zu configurations", t->n);
		goto done;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_PROBLEM)
			column[key.n_key++] = c;
	}
	if (!(rc = group_by(&key, t->first_run, t->n, problem, NULL, &n, e)))
		rc = count_distinct(h, leaf, problem, n, out, e);
done:
	free(column);
	free(problem);
	return rc;
}

/* What is said configuration by configuration. */
static enum err_code measure(const struct cv_residuals *h, size_t leaf, struct rule_evidence *out,
			     struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	double *error = malloc(t->n * sizeof *error + 1);
	double explained = 0;
	size_t n = 0, n_nearer = 0;

	if (!error)
		return err_set(e, ERR_NOMEM, "errors of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		double with = error_with(h, i), without = error_without(h, i);

		if (h->leaf[i] != leaf)
			continue;
		explained += without * without - with * with;
		n_nearer += fabs(with) < fabs(without);
		error[n++] = fabs(with);
	}
	if (n > 0) {
		out->held_out_error = gsl_stats_median(error, 1, n);
		out->confidence = (double)n_nearer / (double)n;
		out->usefulness = fmax(explained / gsl_stats_tss(t->log_time, 1, t->n), 0);
	}
	free(error);
	return ERR_OK;
}

/* Effect, interval, confidence, p value (not yet adjusted), held-out error, usefulness, cases and
 * problems of a leaf. Errors: NOMEM. */
static enum err_code time_evidence(const struct cv_residuals *h, size_t leaf,
				   struct rule_evidence *out, struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	enum err_code rc;

	*out = (struct rule_evidence){.effect = 1,
				      .lo = 0,
				      .hi = INFINITY,
				      .versus_others = NAN,
				      .p_value = 1,
				      .held_out_error = NAN};
	if ((rc = measure(h, leaf, out, e)) || (rc = test_blocks(h, leaf, out, e)) ||
	    (rc = count_distinct(h, leaf, t->stratum, t->n_strata, &out->n_cases, e)))
		return rc;
	return count_problems(h, leaf, &out->n_problems, e);
}

/* Mean |log error| of predictions that follow a leaf so far; NaN: none lies in it. */
static double followed_error(const struct cv_residuals *h, size_t leaf, double weight)
{
	const struct time_target *g = h->g;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < g->table->n; i++) {
		double base, error;

		if (h->leaf[i] != leaf || isnan(g->log_base[i]))
			continue;
		base = g->on_model ? 0 : g->log_base[i];
		error = g->y[i] - base;
		if (!isnan(h->formula[i]))
			error -= weight * (h->formula[i] - base);
		sum += fabs(error);
		n++;
	}
	return n > 0 ? sum / (double)n : (double)NAN;
}

/* Does following the leaf so far make predictions worse? */
static bool does_harm(const struct cv_residuals *h, size_t leaf, double weight)
{
	return followed_error(h, leaf, weight) > followed_error(h, leaf, 0);
}

/* How far predictions should follow a leaf: the one of 0, 1/4, 1/2, 3/4, 1 with the least error in
 * h[0] that makes none of h[1..n-1] worse. 0 without a base. */
static double time_weight(const struct cv_residuals *h, size_t n, size_t leaf)
{
	double best = 0, least;

	if (!h->g->log_base)
		return 0;
	least = (1 - MIN_GAIN) * followed_error(h, leaf, 0);
	for (double weight = 0.25; weight <= 1; weight += 0.25) {
		double error = followed_error(h, leaf, weight);
		bool harmless = error < least;

		for (size_t k = 1; k < n && harmless; k++)
			harmless = !does_harm(&h[k], leaf, weight);
		if (harmless) {
			least = error;
			best = weight;
		}
	}
	return best;
}

/* ---- the miner ---- */

/* Time rules: a tree over what the base leaves unexplained (or over time itself), each leaf of it
 * one rule. Its size is chosen, and its leaves are judged, by configurations of blocks that the
 * trees asked had not seen. base itself had: it was fitted to all runs, so that what it leaves is a
 * little smaller here than on new runs, and rules that improve on it improve on more. */

/* Of more configurations than this, a sample. */
enum { SEARCH_MAX = 8000, EVIDENCE_MAX = 50000 };
/* Fewer could not fill two leaves and a fold to judge them by. */
enum { MIN_CONFIGURATIONS = 50 };
/* A factor nearer to 1 than this says nothing. */
#define FACTOR_MIN 0.01
/* What is learned from when larger sizes are held out, as in holdout.h. */
#define TRAINED_SHARE 0.75

/* How rules are judged: on blocks held out, on the most processors, on the largest problems. */
enum { BLOCKS, MORE_PROCS, LARGER_PROBLEMS, N_JUDGES };

struct time_miner {
	const struct slowdown_table *t;
	const struct progress *progress;
	struct time_target search, judge;
	unsigned char *fold; /* by block */
	struct time_trees *trees;
	struct cv_residuals held[N_JUDGES];
};

static double size_of(const struct slowdown_table *t, int judge, size_t i)
{
	const struct application *a = t->app;
	const double *row = slowdown_row(t, i);
	double size = 1;

	if (judge == MORE_PROCS) {
		size_t c = a->i_procs != SIZE_MAX ? a->i_procs : a->i_nodes;

		return c == SIZE_MAX || isnan(row[c]) ? 1 : row[c];
	}
	for (size_t c = 0; c < a->n_columns; c++) {
		if (a->column[c].role == COL_PROBLEM && a->column[c].type != COL_TEXT && row[c] > 0)
			size *= row[c];
	}
	return size;
}

/* Up to which size is learned from: a share, but never the largest. Nothing is left out when all
 * are of one size. */
static enum err_code leave_out_large(const struct slowdown_table *t, int judge,
				     unsigned char *leave_out, struct err *e)
{
	double *size = malloc(2 * t->n * sizeof *size), *sorted;
	size_t cut = (size_t)(TRAINED_SHARE * (double)(t->n - 1));

	if (!size)
		return err_set(e, ERR_NOMEM, "sizes of %zu configurations", t->n);
	sorted = size + t->n;
	for (size_t i = 0; i < t->n; i++)
		size[i] = sorted[i] = size_of(t, judge, i);
	gsl_sort(sorted, 1, t->n);
	while (cut > 0 && sorted[cut] == sorted[t->n - 1])
		cut--;
	for (size_t i = 0; i < t->n; i++)
		leave_out[i] = size[i] > sorted[cut];
	free(size);
	return ERR_OK;
}

static enum err_code hold_out_large(struct time_miner *m, int judge, struct err *e)
{
	const struct time_target *g = &m->search;
	unsigned char *leave_out = calloc(g->table->n + 1, 1);
	struct model_tree *blind = calloc(1, sizeof *blind);
	enum err_code rc;

	if (!leave_out || !blind) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", g->table->n);
		goto done;
	}
	if ((rc = cv_residuals_make(g, &m->held[judge], e)) ||
	    (rc = leave_out_large(g->table, judge, leave_out, e)) ||
	    (rc = model_tree_grow(g->table, &g->data, leave_out, m->trees->max_terms, blind, e)))
		goto done;
	for (size_t i = 0; i < g->table->n; i++) {
		if (leave_out[i])
			cv_residuals_put(&m->held[judge], i, &m->trees->whole, blind,
					 m->trees->n_leaves);
	}
done:
	free(leave_out);
	free(blind);
	return rc;
}

static enum err_code hold_out_blocks(struct time_miner *m, struct err *e)
{
	const struct time_target *g = &m->judge;
	enum err_code rc = cv_residuals_make(g, &m->held[BLOCKS], e);

	for (size_t i = 0; !rc && i < g->table->n; i++)
		cv_residuals_put(&m->held[BLOCKS], i, &m->trees->whole,
				 &m->trees->fold[m->fold[g->table->block[i]]], m->trees->n_leaves);
	return rc;
}

static enum err_code search(struct time_miner *m, const struct predictor *base, struct err *e)
{
	enum err_code rc;

	m->fold = calloc(m->t->n_blocks + 1, 1);
	m->trees = calloc(1, sizeof *m->trees);
	if (!m->fold || !m->trees)
		return err_set(e, ERR_NOMEM, "trees over %zu configurations", m->t->n);
	if ((rc = slowdown_folds(m->t, TIME_FOLDS, m->fold, e)) ||
	    (rc = time_target_make(m->t, base, SEARCH_MAX, &m->search, e)) ||
	    (rc = time_target_add_factors(&m->search, e)))
		return rc;
	return time_trees_grow(&m->search, m->fold, m->progress, m->trees, e);
}

static enum err_code hold_out(struct time_miner *m, const struct predictor *base, struct err *e)
{
	enum err_code rc;

	if ((rc = time_target_make(m->t, base, EVIDENCE_MAX, &m->judge, e)) ||
	    (rc = hold_out_blocks(m, e)) || (rc = hold_out_large(m, MORE_PROCS, e)))
		return rc;
	return hold_out_large(m, LARGER_PROBLEMS, e);
}

static enum err_code put_condition(const struct time_miner *m, const struct conjunction *path,
				   struct rule *r, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	conjunction_put_text(path, m->t, &text);
	r->condition = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_release(&text);
	return r->condition ? ERR_OK : err_set(e, ERR_NOMEM, "condition of a rule");
}

/* *r is empty; the caller releases it. */
static enum err_code make_rule(const struct time_miner *m, size_t leaf, struct rule *r,
			       struct err *e)
{
	const struct tree_node *node = &m->trees->whole.node[leaf];
	const struct power_formula *f = &node->formula;
	enum err_code rc;

	r->kind = RULE_TIME;
	r->on_model = m->search.on_model;
	r->coefficient = f->coefficient;
	r->min = f->min;
	r->max = f->max;
	if ((rc = put_condition(m, &node->path, r, e)))
		return rc;
	for (size_t k = 0; k < f->n_terms; k++) {
		const struct column *c = &m->t->app->column[f->term[k].column];

		if ((rc = rule_add_term(r, c->name, f->term[k].exponent, e)))
			return rc;
	}
	return time_evidence(&m->held[BLOCKS], leaf, &r->evidence, e);
}

/* A factor of 1 on the model says nothing. */
static bool says_nothing(const struct rule *r)
{
	return r->on_model && r->n_term == 0 && fabs(log(r->coefficient)) < FACTOR_MIN;
}

static bool is_leaf(const struct time_trees *trees, size_t k)
{
	const struct tree_node *node = &trees->whole.node[k];

	return node->child == 0 || node->order >= trees->n_leaves;
}

/* Move the rules that hold up into the list. leaf[i] is the place of rule i. */
static enum err_code keep_good(const struct time_miner *m, struct rule *rule, const size_t *leaf,
			       size_t n, struct rule_list *out, struct err *e)
{
	double p[MODEL_TREE_LEAVES];
	enum err_code rc;

	for (size_t i = 0; i < n; i++)
		p[i] = rule[i].evidence.p_value;
	rc = benjamini_hochberg(p, n, e);
	for (size_t i = 0; i < n && !rc; i++) {
		struct rule_evidence *v = &rule[i].evidence;

		v->p_value = p[i];
		if (p[i] > RULE_FALSE_DISCOVERY || v->confidence <= 0.5 || says_nothing(&rule[i]))
			continue;
		rule[i].weight = time_weight(m->held, N_JUDGES, leaf[i]);
		rc = rule_list_add(out, &rule[i], e);
	}
	return rc;
}

static enum err_code make_rules(const struct time_miner *m, struct rule_list *out, struct err *e)
{
	struct rule *rule = calloc(MODEL_TREE_LEAVES, sizeof *rule);
	size_t leaf[MODEL_TREE_LEAVES], n = 0;
	enum err_code rc = ERR_OK;

	if (!rule)
		return err_set(e, ERR_NOMEM, "time rules");
	for (size_t k = 0; k < 2 * m->trees->n_leaves - 1 && !rc; k++) {
		if (!is_leaf(m->trees, k))
			continue;
		leaf[n] = k;
		rc = make_rule(m, k, &rule[n++], e);
	}
	if (!rc)
		rc = keep_good(m, rule, leaf, n, out, e);
	for (size_t i = 0; i < n; i++)
		rule_release(&rule[i]);
	free(rule);
	return rc;
}

enum err_code mine_time_rules(const struct slowdown_table *t, const struct predictor *base,
			      const struct progress *p, struct rule_list *out, struct err *e)
{
	struct time_miner m = {.t = t, .progress = p};
	enum err_code rc = ERR_OK;

	if (t->n < MIN_CONFIGURATIONS || t->n_blocks < TIME_FOLDS)
		return ERR_OK;
	if (!(rc = search(&m, base, e)) && m.trees->n_leaves > 0 && !(rc = hold_out(&m, base, e)))
		rc = make_rules(&m, out, e);
	for (int k = 0; k < N_JUDGES; k++)
		cv_residuals_release(&m.held[k]);
	time_target_release(&m.search);
	time_target_release(&m.judge);
	free(m.trees);
	free(m.fold);
	return rc;
}
