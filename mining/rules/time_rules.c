#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

#include "mining/numerics/rank_tests.h"
#include "mining/cases/rule_miners.h"
#include "mining/rules/time_evidence.h"
#include "mining/rules/time_trees.h"

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
