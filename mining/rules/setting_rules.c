#include "mining/rules/setting_rules.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/err.h"
#include "base/splitmix.h"
#include "mining/cases/rule_miners.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/rank_tests.h"
#include "mining/rules/setting_cases.h"
#include "mining/rules/setting_search.h"
#include "mining/rules/setting_tree.h"

/* A rule from less than this is an anecdote. Choices. */
enum { MIN_CASES = 5, MIN_BLOCKS = 3, MIN_CONFIGS = 15 };

/* The statement of a rule: within so much of the best in at least this share of the cases. */
static const double tolerance[] = {0.01, 0.02, 0.03, 0.05, 0.10, 0.20, 0.30};
#define MOST_CASES 0.8

enum err_code setting_evidence_open(const struct slowdown_table *t, size_t max_configs,
				    struct setting_evidence *out, struct err *e)
{
	struct setting_evidence v;
	enum err_code rc =
		setting_cases_make(t, max_configs / SETTING_MIN_MEMBERS, max_configs, &v.cases, e);
	size_t n = v.cases.n_cases;

	if (rc)
		return rc;
	v.held = calloc((TREE_DEPTH + 1) * n + 1, sizeof *v.held);
	if (!v.held) {
		setting_cases_release(&v.cases);
		return err_set(e, ERR_NOMEM, "evidence of %zu cases", n);
	}
	for (size_t k = 0; k < (TREE_DEPTH + 1) * n; k++)
		v.held[k] = (struct held_case){v.cases.mean[k % n], NAN};
	*out = v;
	return ERR_OK;
}

void setting_evidence_release(struct setting_evidence *v)
{
	setting_cases_release(&v->cases);
	free(v->held);
	v->held = NULL;
}

void setting_evidence_ask(struct setting_evidence *v, const struct setting_tree *tree, size_t c)
{
	size_t before = SIZE_MAX;

	for (unsigned depth = 0; depth <= TREE_DEPTH; depth++) {
		struct held_case *held = &v->held[depth * v->cases.n_cases + c];
		size_t at = setting_tree_find(tree, depth, &v->cases, c);
		struct setting_contrast seen;

		if (at == SIZE_MAX)
			return;
		if (at == before) { /* the tree has ended */
			*held = held[-(ptrdiff_t)v->cases.n_cases];
			continue;
		}
		before = at;
		seen = setting_cases_contrast(&v->cases, c, &tree->node[at].setting);
		if (seen.n_in == 0)
			continue;
		held->followed = seen.in;
		if (seen.n_in + seen.n_out >= SETTING_MIN_MEMBERS)
			held->others = seen.out; /* NaN when all have the setting */
	}
}

/* Sums by block, then the means of those that have any, moved to the front. */
struct block_means {
	double *sum, *n;
	size_t n_blocks;
};

static enum err_code block_means_open(size_t n_blocks, struct block_means *out, struct err *e)
{
	out->n_blocks = n_blocks;
	out->sum = calloc(2 * n_blocks + 1, sizeof *out->sum);
	if (!out->sum)
		return err_set(e, ERR_NOMEM, "means of %zu blocks", n_blocks);
	out->n = out->sum + n_blocks;
	return ERR_OK;
}

static size_t block_means_finish(struct block_means *m)
{
	size_t n = 0;

	for (size_t b = 0; b < m->n_blocks; b++) {
		if (m->n[b] > 0)
			m->sum[n++] = m->sum[b] / m->n[b];
	}
	return n;
}

enum err_code setting_evidence_mean(const struct setting_evidence *v, unsigned depth, double *out,
				    struct err *e)
{
	const struct held_case *held = v->held + depth * v->cases.n_cases;
	struct block_means m = {0};
	struct mean_test over_blocks;
	enum err_code rc = block_means_open(v->cases.t->n_blocks, &m, e);

	if (rc)
		return rc;
	for (size_t c = 0; c < v->cases.n_cases; c++) {
		m.sum[v->cases.block[c]] += held[c].followed;
		m.n[v->cases.block[c]]++;
	}
	mean_t_test(m.sum, block_means_finish(&m), 0.9, &over_blocks);
	*out = over_blocks.mean;
	free(m.sum);
	return ERR_OK;
}

/* ---- one setting ---- */

/* The held-out cases of one end of the tree. */
struct end_cases {
	uint32_t *which; /* those that compare something come first */
	size_t n, n_compared;
	const struct held_case *held;
};

static void list_cases(const struct setting_evidence *v, const struct setting_tree *tree,
		       unsigned depth, size_t at, struct end_cases *out)
{
	out->n = out->n_compared = 0;
	out->held = v->held + depth * v->cases.n_cases;
	for (size_t c = 0; c < v->cases.n_cases; c++) {
		if (setting_tree_find(tree, depth, &v->cases, c) != at)
			continue;
		out->which[out->n] = (uint32_t)c;
		if (!isnan(out->held[c].others)) {
			out->which[out->n] = out->which[out->n_compared];
			out->which[out->n_compared++] = (uint32_t)c;
		}
		out->n++;
	}
}

/* effect, its interval and how far problems are from it; then versus_others and its p. */
static enum err_code measure(const struct setting_evidence *v, const struct end_cases *cases,
			     struct rule_evidence *out, size_t *n_blocks, struct err *e)
{
	struct block_means value = {0}, gain = {0};
	struct mean_test test;
	enum err_code rc;

	if ((rc = block_means_open(v->cases.t->n_blocks, &value, e)))
		return rc;
	if ((rc = block_means_open(v->cases.t->n_blocks, &gain, e)))
		goto done;
	for (size_t k = 0; k < cases->n_compared; k++) {
		const struct held_case *held = &cases->held[cases->which[k]];
		uint32_t b = v->cases.block[cases->which[k]];

		value.sum[b] += held->followed;
		gain.sum[b] += held->others - held->followed;
		value.n[b]++;
		gain.n[b]++;
	}
	*n_blocks = block_means_finish(&gain);
	mean_t_test(gain.sum, *n_blocks, 0.9, &test);
	out->versus_others = exp(test.mean);
	out->p_value = test.mean > 0 ? test.p : 1;
	block_means_finish(&value);
	mean_t_test(value.sum, *n_blocks, 0.9, &test);
	out->effect = exp(test.mean);
	out->lo = exp(test.lo);
	out->hi = exp(test.hi);
	for (size_t b = 0; b < *n_blocks; b++)
		value.sum[b] = fabs(value.sum[b] - test.mean);
	qsort(value.sum, *n_blocks, sizeof *value.sum, compare_doubles);
	out->held_out_error = value.sum[*n_blocks / 2];
	free(gain.sum);
done:
	free(value.sum);
	return rc;
}

static enum err_code count_problems(const struct setting_evidence *v, const struct end_cases *cases,
				    int64_t *out, struct err *e)
{
	const struct slowdown_table *t = v->cases.t;
	size_t *column = calloc(t->n_columns + 1, sizeof *column), n_problems = 0;
	uint32_t *row = calloc(2 * cases->n_compared + 1, sizeof *row);
	struct row_key key = row_key_of(t->runs, column);
	enum err_code rc;

	if (column && row) {
		for (size_t c = 0; c < t->n_columns; c++) {
			enum column_role role = t->app->column[c].role;

			if (role == COL_PROBLEM || role == COL_WORKLOAD)
				column[key.n_key++] = c;
		}
		for (size_t k = 0; k < cases->n_compared; k++)
			row[k] = t->first_run[v->cases.config[v->cases.first[cases->which[k]]]];
		rc = group_by(&key, row, cases->n_compared, row + cases->n_compared, NULL,
			      &n_problems, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "problems of %zu cases", cases->n_compared);
	}
	*out = (int64_t)n_problems;
	free(column);
	free(row);
	return rc;
}

/* The smallest tolerance that most cases keep. */
static void state(const struct end_cases *cases, struct setting_verdict *out)
{
	out->within = NAN;
	for (size_t j = 0; j < sizeof tolerance / sizeof *tolerance && isnan(out->within); j++) {
		size_t n_kept = 0;

		for (size_t k = 0; k < cases->n_compared; k++)
			n_kept += cases->held[cases->which[k]].followed <= log1p(tolerance[j]);
		out->evidence.confidence = (double)n_kept / (double)cases->n_compared;
		if (out->evidence.confidence >= MOST_CASES)
			out->within = tolerance[j];
	}
}

enum err_code setting_evidence_judge(const struct setting_evidence *v,
				     const struct setting_tree *tree, unsigned depth, size_t at,
				     struct setting_verdict *out, struct err *e)
{
	struct end_cases cases = {.which = calloc(v->cases.n_cases + 1, sizeof *cases.which)};
	size_t n_blocks = 0, n_configs = 0;
	double share = 0, saved = 0, total = 0;
	enum err_code rc = ERR_OK;

	*out = (struct setting_verdict){.within = NAN, .evidence = {.p_value = 1}};
	if (!cases.which)
		return err_set(e, ERR_NOMEM, "%zu held-out cases", v->cases.n_cases);
	list_cases(v, tree, depth, at, &cases);
	for (size_t c = 0; c < v->cases.n_cases; c++)
		total += v->cases.mean[c];
	for (size_t k = 0; k < cases.n; k++) {
		size_t c = cases.which[k];
		struct setting_contrast seen =
			setting_cases_contrast(&v->cases, c, &tree->node[at].setting);

		saved += v->cases.mean[c] - cases.held[c].followed;
		share += (double)seen.n_in / (double)(seen.n_in + seen.n_out);
		n_configs += k < cases.n_compared ? seen.n_in + seen.n_out : 0;
	}
	if (cases.n_compared > 0 && !(rc = measure(v, &cases, &out->evidence, &n_blocks, e)) &&
	    !(rc = count_problems(v, &cases, &out->evidence.n_problems, e)))
		state(&cases, out);
	out->enough =
		cases.n_compared >= MIN_CASES && n_blocks >= MIN_BLOCKS && n_configs >= MIN_CONFIGS;
	out->share = cases.n > 0 ? share / (double)cases.n : 1;
	out->evidence.n_cases = (int64_t)cases.n_compared;
	out->evidence.usefulness = total > 0 ? fmax(0, saved / total) : 0;
	free(cases.which);
	return rc;
}

/* ---- the miner ---- */

enum {
	DEALS = 99,
	/* So many that seem as good settle that it may be luck (Besag and Clifford, Biometrika 78,
	 * 1991): at most 5 % of deals must. */
	ENOUGH_LUCK = 5,
	MAX_CASES = 100, /* a part of them says as much, and is dealt sooner */
	MAX_CONFIGS = 1500
};

/* ---- permutation test ---- */

static void shuffle(double *x, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)(splitmix_next(state) % i);
		double swap = x[i - 1];

		x[i - 1] = x[j];
		x[j] = swap;
	}
}

static enum err_code best_single(const struct setting_cases *s, const uint32_t *which, size_t n,
				 double *score, struct err *e)
{
	struct single_conditions q;
	enum err_code rc = single_conditions_make(s, which, n, &q, e);

	if (rc)
		return rc;
	*score = setting_search_single(&q);
	single_conditions_release(&q);
	return ERR_OK;
}

/* part[] of which[], evenly; returns how many. */
static size_t take_part(const struct setting_cases *s, const uint32_t *which, size_t n,
			uint32_t *part)
{
	size_t n_configs = 0, n_part;

	for (size_t i = 0; i < n; i++)
		n_configs += s->first[which[i] + 1] - s->first[which[i]];
	n_part = n_configs > MAX_CONFIGS ? n * MAX_CONFIGS / n_configs : n;
	if (n_part > MAX_CASES)
		n_part = MAX_CASES;
	for (size_t i = 0; i < n_part; i++)
		part[i] = which[i * n / n_part];
	return n_part;
}

/* How likely some setting seems as good as the best one does in the cases which[0..n-1] of s, if
 * none has any effect: a permutation test, as held-out trees cannot tell. Those are much alike, and
 * a setting that is good by luck in some blocks vouches for itself, each of them being tested by a
 * tree that has seen the others. Here slow-downs are dealt out anew within every case, and the
 * search (of one condition) is repeated. Deterministic; at least 1 / 100. Errors: NOMEM. */
static enum err_code permutation_test(const struct setting_cases *s, const uint32_t *which,
				      size_t n, double *p, struct err *e)
{
	struct setting_cases dealt = *s;
	uint32_t *part = malloc((n + 1) * sizeof *part);
	uint64_t state = 1;
	size_t n_part, n_deals = 0, n_lucky = 0;
	double seen = 0, score;
	enum err_code rc = ERR_OK;

	dealt.slowdown = malloc((s->n + 1) * sizeof *dealt.slowdown);
	if (!part || !dealt.slowdown) {
		rc = err_set(e, ERR_NOMEM, "permutations of %zu slow-downs", s->n);
		goto done;
	}
	memcpy(dealt.slowdown, s->slowdown, s->n * sizeof *dealt.slowdown);
	n_part = take_part(s, which, n, part);
	rc = best_single(s, part, n_part, &seen, e);
	for (; n_deals < DEALS && n_lucky < ENOUGH_LUCK && !rc; n_deals++) {
		for (size_t i = 0; i < n_part; i++) {
			size_t first = s->first[part[i]];

			shuffle(dealt.slowdown + first, s->first[part[i] + 1] - first, &state);
		}
		if (!(rc = best_single(&dealt, part, n_part, &score, e)))
			n_lucky += score >= seen;
	}
	*p = (double)(n_lucky + 1) / (double)(n_deals + 1);
done:
	free(part);
	free(dealt.slowdown);
	return rc;
}

/* ---- the miner ---- */

/* Setting rules: a shallow tree over contexts with the best setting at each end, learned from all
 * blocks; what is said about it comes from trees that were learned without the blocks they are
 * asked about. A rule's numbers thus judge the way it was found, not the luck of finding it. */

enum {
	/* Trees from few configurations differ with every block that they miss: more folds. */
	FOLDS = 5,
	FOLDS_OF_FEW = 10,
	FEW_CONFIGS = 3000,
	NO_FOLD = 255,	    /* to learn from everything */
	SEARCH_CASES = 200, /* the search looks at no more than these ... */
	SEARCH_CONFIGS = 10000,
	EVIDENCE_CONFIGS = 200000
};

/* Deeper trees have to save this much per level on held-out cases [log time]: a choice, as one rule
 * for everything is easier to follow than two. */
#define WORTH_A_LEVEL 0.01
/* A setting that so many of the configurations have by themselves is no advice. */
#define TRIVIAL_SHARE 0.95
/* Nor is one that saves less than this factor of time. */
#define MIN_VERSUS_OTHERS 1.02

static enum err_code learn(const struct setting_cases *s, const unsigned char *fold, unsigned held,
			   struct setting_tree *out, bool *learned, struct err *e)
{
	uint32_t *which = malloc((s->n_cases + 1) * sizeof *which);
	size_t n = 0;
	enum err_code rc = ERR_OK;

	if (!which)
		return err_set(e, ERR_NOMEM, "%zu cases", s->n_cases);
	for (size_t c = 0; c < s->n_cases; c++) {
		if (fold[s->block[c]] != held)
			which[n++] = (uint32_t)c;
	}
	*learned = n > 0;
	if (n > 0)
		rc = setting_tree_learn(s, which, n, out, e);
	free(which);
	return rc;
}

/* Trees for every fold, each asked about the cases that it has not seen. */
static enum err_code hold_out(const struct setting_cases *search, const unsigned char *fold,
			      unsigned n_folds, const struct progress *p,
			      struct setting_evidence *out, struct err *e)
{
	struct setting_tree tree;
	bool learned = false;
	enum err_code rc;

	for (unsigned f = 0; f < n_folds; f++) {
		if (!progress_step(p, "looking for settings", f, n_folds))
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted while looking for settings");
		if ((rc = learn(search, fold, f, &tree, &learned, e)))
			return rc;
		for (size_t c = 0; c < out->cases.n_cases && learned; c++) {
			if (fold[out->cases.block[c]] == f)
				setting_evidence_ask(out, &tree, c);
		}
	}
	return ERR_OK;
}

/* How much of the tree is worth having. */
static enum err_code choose_depth(const struct setting_evidence *v, const struct setting_tree *tree,
				  unsigned *depth, struct err *e)
{
	double best = INFINITY;

	for (unsigned d = 0; d <= setting_tree_depth(tree); d++) {
		double mean;
		enum err_code rc = setting_evidence_mean(v, d, &mean, e);

		if (rc)
			return rc;
		mean += WORTH_A_LEVEL * d;
		if (mean < best) {
			best = mean;
			*depth = d;
		}
	}
	return ERR_OK;
}

static enum err_code add_rule(const struct slowdown_table *t, const struct setting_node *node,
			      const struct setting_verdict *v, struct rule_list *out, struct err *e)
{
	struct strbuf condition = STRBUF_INIT, setting = STRBUF_INIT;
	struct rule r = {.kind = RULE_SETTING, .within = v->within, .evidence = v->evidence};

	strbuf_puts(&condition, "");
	conjunction_put_text(&node->where, t, &condition);
	conjunction_put_text(&node->setting, t, &setting);
	if (condition.failed || setting.failed) {
		strbuf_release(&condition);
		strbuf_release(&setting);
		return err_set(e, ERR_NOMEM, "text of a rule");
	}
	r.condition = condition.buf;
	r.setting = setting.buf;
	return rule_list_add(out, &r, e);
}

static bool convinces(const struct setting_verdict *v, double p)
{
	return p <= RULE_FALSE_DISCOVERY && v->enough && v->share < TRIVIAL_SHARE &&
	       !isnan(v->within) && v->evidence.versus_others >= MIN_VERSUS_OTHERS;
}

/* Could noise have made the rule at an end of the tree? */
static enum err_code ask_chance(const struct setting_cases *s, const struct setting_tree *tree,
				unsigned depth, size_t at, double *p, struct err *e)
{
	uint32_t *which = malloc((s->n_cases + 1) * sizeof *which);
	size_t n = 0;
	enum err_code rc;

	if (!which)
		return err_set(e, ERR_NOMEM, "%zu cases", s->n_cases);
	for (size_t c = 0; c < s->n_cases; c++) {
		if (setting_tree_find(tree, depth, s, c) == at)
			which[n++] = (uint32_t)c;
	}
	rc = permutation_test(s, which, n, p, e);
	free(which);
	return rc;
}

/* Two tests look at a rule: held-out cases, and chance. Twice the mean of their p is a p again,
 * however they depend on each other (Vovk and Wang, Biometrika 107, 2020). */
static enum err_code write_rules(const struct setting_cases *search,
				 const struct setting_tree *tree, unsigned depth,
				 const struct setting_evidence *held_out, struct rule_list *out,
				 struct err *e)
{
	struct setting_verdict verdict[TREE_NODES];
	double p[TREE_NODES];
	enum err_code rc = ERR_OK;

	for (size_t at = 0; at < TREE_NODES; at++)
		p[at] = NAN;
	for (size_t at = 0; at < TREE_NODES && !rc; at++) {
		if (!setting_tree_is_end(tree, depth, at) || tree->node[at].setting.n == 0)
			continue;
		if (!(rc = setting_evidence_judge(held_out, tree, depth, at, &verdict[at], e)) &&
		    !(rc = ask_chance(search, tree, depth, at, &p[at], e)))
			p[at] = fmin(1, p[at] + verdict[at].evidence.p_value);
	}
	if (rc || (rc = benjamini_hochberg(p, TREE_NODES, e)))
		return rc;
	for (size_t at = 0; at < TREE_NODES && !rc; at++) {
		if (isnan(p[at]) || !convinces(&verdict[at], p[at]))
			continue;
		verdict[at].evidence.p_value = p[at];
		rc = add_rule(search->t, &tree->node[at], &verdict[at], out, e);
	}
	return rc;
}

static enum err_code mine_cases(const struct setting_cases *search,
				struct setting_evidence *held_out, const struct progress *p,
				struct rule_list *out, struct err *e)
{
	const struct slowdown_table *t = search->t;
	unsigned n_folds = search->n <= FEW_CONFIGS ? FOLDS_OF_FEW : FOLDS, depth = 0;
	unsigned char *fold = malloc(t->n_blocks + 1);
	struct setting_tree tree;
	bool learned = false;
	enum err_code rc;

	if (!fold)
		return err_set(e, ERR_NOMEM, "folds of %zu blocks", t->n_blocks);
	if (!(rc = slowdown_folds(t, n_folds, fold, e)) &&
	    !(rc = learn(search, fold, NO_FOLD, &tree, &learned, e)) && learned &&
	    !(rc = hold_out(search, fold, n_folds, p, held_out, e)) &&
	    !(rc = choose_depth(held_out, &tree, &depth, e)))
		rc = write_rules(search, &tree, depth, held_out, out, e);
	free(fold);
	return rc;
}

enum err_code mine_setting_rules(const struct slowdown_table *t, const struct progress *p,
				 struct rule_list *out, struct err *e)
{
	struct setting_cases search = {0};
	struct setting_evidence held_out = {.held = NULL};
	enum err_code rc;

	if (t->block_kind == BLOCK_CONFIGURATION) /* a case would be held out from itself */
		return ERR_OK;
	if (!(rc = setting_cases_make(t, SEARCH_CASES, SEARCH_CONFIGS, &search, e)) &&
	    !(rc = setting_evidence_open(t, EVIDENCE_CONFIGS, &held_out, e)))
		rc = mine_cases(&search, &held_out, p, out, e);
	setting_evidence_release(&held_out);
	setting_cases_release(&search);
	return rc;
}
