#include "mining/rules/setting_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/rank_tests.h"
#include "mining/numerics/group_by.h"

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
	out->n = out->sum + n_blocks;
	return out->sum ? ERR_OK : err_set(e, ERR_NOMEM, "means of %zu blocks", n_blocks);
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
	struct block_means m;
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

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* effect, its interval and how far problems are from it; then versus_others and its p. */
static enum err_code measure(const struct setting_evidence *v, const struct end_cases *cases,
			     struct rule_evidence *out, size_t *n_blocks, struct err *e)
{
	struct block_means value, gain;
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
	qsort(value.sum, *n_blocks, sizeof *value.sum, by_value);
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
