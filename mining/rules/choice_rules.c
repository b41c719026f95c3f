#include "mining/cases/rule_miners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "mining/cases/case_contrast.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/slowdown_table.h"
#include "mining/rules/plain_cost.h"
#include "mining/rules/subgroup_search.h"

/* Choice rules: found on one half of the blocks, believed for what the other half says. In each
 * half the strongest subgroup is found, its effect is taken out of the data, and the next one is
 * looked for in what is left, so that one strong effect does not fill the list with its shadows. */

enum {
	MAX_PER_HALF = 8,
	MIN_IN = 8,	      /* configurations of a subgroup in each half */
	SEARCH_SIZE = 6000,   /* configurations that the search looks at */
	EVIDENCE_SIZE = 40000 /* that a half is judged by */
};

/* Below this standard score what is found is as likely the best of thousands of chances. */
#define MIN_SCORE 3.5
/* Smaller effects are not worth a rule [log time]. */
#define MIN_EFFECT 0.03

struct choice_candidate {
	struct conjunction what;
	const struct slowdown_table *judged_on; /* the half it was not found on */
	struct contrast held_out;		/* there */
	double p;				/* of that, before adjustment */
	double effect, lo, hi, error;
	double share_true;
	size_t n_cases, n_problems;
};

struct candidate_list {
	struct choice_candidate item[2 * MAX_PER_HALF];
	size_t n;
};

/* Half of the data: what is searched and what is measured. */
struct half {
	struct slowdown_table *searched, *measured;
	struct case_contrast search, evidence;
	unsigned char *in; /* scratch: of the larger one's items */
};

static void half_release(struct half *h)
{
	case_contrast_release(&h->search);
	case_contrast_release(&h->evidence);
	slowdown_table_free(h->searched);
	slowdown_table_free(h->measured);
	free(h->in);
}

static enum err_code half_make(const struct slowdown_table *t, const unsigned char *fold,
			       unsigned which, struct half *h, struct err *e)
{
	enum err_code rc;

	if ((rc = sample_fold(t, fold, which, EVIDENCE_SIZE, &h->measured, e)) ||
	    (rc = sample_fold(t, fold, which, SEARCH_SIZE, &h->searched, e)) ||
	    (rc = case_contrast_make(h->measured, &h->evidence, e)) ||
	    (rc = case_contrast_make(h->searched, &h->search, e)))
		return rc;
	h->in = malloc(h->measured->n + 1);
	return h->in ? ERR_OK : err_set(e, ERR_NOMEM, "half of %zu configurations", t->n);
}

static void mark(const struct case_contrast *c, const struct conjunction *what, unsigned char *in)
{
	for (size_t k = 0; k < c->n; k++)
		in[k] = conjunction_holds(what, c->t, c->item[k]);
}

/* ---- what the held-out half says ---- */

struct case_means {
	double *in, *out; /* sums of log slow-down by case */
	double *n_in, *n_out;
	double *block, *n_block; /* sums of case means by block */
};

static void add_up(const struct case_contrast *c, const unsigned char *in, struct case_means *m)
{
	for (size_t k = 0; k < c->n; k++) {
		uint32_t s = c->stratum[k];
		double y = c->t->log_slowdown[c->item[k]];

		if (in[k]) {
			m->in[s] += y;
			m->n_in[s]++;
		} else {
			m->out[s] += y;
			m->n_out[s]++;
		}
	}
}

/* Slow-down against the best: mean of the cases of a problem, then over problems. */
static void summarize(const struct case_contrast *c, const uint32_t *block_of, struct case_means *m,
		      struct choice_candidate *found)
{
	size_t n_true = 0, n_compared = 0, n = 0;
	struct mean_test over_blocks;

	found->n_cases = 0;
	for (size_t s = 0; s < c->n_strata; s++) {
		if (m->n_in[s] == 0)
			continue;
		found->n_cases++;
		m->block[block_of[s]] += m->in[s] / m->n_in[s];
		m->n_block[block_of[s]]++;
		n_compared += m->n_out[s] > 0;
		n_true += m->n_out[s] > 0 && m->in[s] / m->n_in[s] > m->out[s] / m->n_out[s];
	}
	found->share_true = n_compared > 0 ? (double)n_true / (double)n_compared : (double)NAN;
	for (size_t b = 0; b < c->t->n_blocks; b++) {
		if (m->n_block[b] > 0)
			m->block[n++] = m->block[b] / m->n_block[b];
	}
	found->n_problems = n;
	mean_t_test(m->block, n, 0.9, &over_blocks);
	found->effect = exp(over_blocks.mean);
	found->lo = exp(over_blocks.lo);
	found->hi = exp(over_blocks.hi);
	for (size_t b = 0; b < n; b++)
		m->block[b] = fabs(m->block[b] - over_blocks.mean);
	qsort(m->block, n, sizeof *m->block, compare_doubles);
	found->error = n > 0 ? m->block[n / 2] : (double)NAN;
}

static enum err_code describe(const struct case_contrast *c, const unsigned char *in,
			      struct choice_candidate *found, struct err *e)
{
	size_t n_strata = c->n_strata, n_blocks = c->t->n_blocks;
	double *sums = calloc(4 * n_strata + 2 * n_blocks + 1, sizeof *sums);
	uint32_t *block_of = calloc(n_strata + 1, sizeof *block_of);
	enum err_code rc = ERR_OK;

	if (sums && block_of) {
		struct case_means m = {
			.in = sums,
			.out = sums + n_strata,
			.n_in = sums + 2 * n_strata,
			.n_out = sums + 3 * n_strata,
			.block = sums + 4 * n_strata,
			.n_block = sums + 4 * n_strata + n_blocks,
		};

		for (size_t k = 0; k < c->n; k++)
			block_of[c->stratum[k]] = c->t->block[c->item[k]];
		add_up(c, in, &m);
		summarize(c, block_of, &m, found);
	} else {
		rc = err_set(e, ERR_NOMEM, "evidence of a rule");
	}
	free(sums);
	free(block_of);
	return rc;
}

/* left is the held-out half with the effects of the rules found before taken out: what the new one
 * adds to them must hold up, too. */
static enum err_code judge(const struct case_contrast *raw, struct case_contrast *left,
			   unsigned char *in, struct choice_candidate *found, struct err *e)
{
	struct contrast beyond;
	enum err_code rc;

	mark(raw, &found->what, in);
	if ((rc = case_contrast_measure(raw, in, &found->held_out, e)) ||
	    (rc = case_contrast_measure(left, in, &beyond, e)) ||
	    (rc = describe(raw, in, found, e)))
		return rc;
	found->p = beyond.p;
	if (found->held_out.n_in < MIN_IN || !(beyond.beta >= MIN_EFFECT) ||
	    !(found->held_out.beta >= MIN_EFFECT))
		found->p = 1;
	return beyond.variance > 0 ? case_contrast_remove(left, in, beyond.beta, e) : ERR_OK;
}

/* ---- the search ---- */

static enum err_code search_half(struct half *found_on, struct half *held_out,
				 const struct progress *p, struct candidate_list *out,
				 struct err *e)
{
	struct case_contrast left = {0};
	double noise;
	enum err_code rc = case_contrast_make(held_out->measured, &left, e);

	for (int k = 0; k < MAX_PER_HALF && !rc; k++) {
		struct choice_candidate *next = &out->item[out->n];
		struct contrast seen;
		struct subgroup best;

		if (!progress_step(p, "looking for rules", (uint64_t)k, MAX_PER_HALF)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while looking for rules");
			break;
		}
		if ((rc = case_contrast_spread(&found_on->search, &noise, e)) ||
		    (rc = subgroup_find(&found_on->search, MIN_IN, &best, e)) || best.what.n == 0 ||
		    best.score < MIN_SCORE * noise)
			break;
		mark(&found_on->search, &best.what, found_on->in);
		if ((rc = case_contrast_measure(&found_on->search, found_on->in, &seen, e)))
			break;
		*next = (struct choice_candidate){.what = best.what,
						  .judged_on = held_out->measured};
		if (seen.beta >= MIN_EFFECT) {
			rc = judge(&held_out->evidence, &left, held_out->in, next, e);
			out->n++;
		}
		if (!rc)
			rc = case_contrast_remove(&found_on->search, found_on->in, seen.beta, e);
	}
	case_contrast_release(&left);
	return rc;
}

/* ---- a short list ---- */

static int by_contribution(const void *a, const void *b)
{
	const struct choice_candidate *x = a, *y = b;
	double u = x->held_out.beta * (double)x->held_out.n_in;
	double v = y->held_out.beta * (double)y->held_out.n_in;

	return (u < v) - (u > v);
}

static enum err_code drop_unproven(struct candidate_list *l, struct err *e)
{
	double p[2 * MAX_PER_HALF];
	size_t n = 0;
	enum err_code rc;

	for (size_t k = 0; k < l->n; k++)
		p[k] = l->item[k].p;
	if ((rc = benjamini_hochberg(p, l->n, e)))
		return rc;
	for (size_t k = 0; k < l->n; k++) {
		if (p[k] <= RULE_FALSE_DISCOVERY) {
			l->item[n] = l->item[k];
			l->item[n++].p = p[k];
		}
	}
	l->n = n;
	return ERR_OK;
}

static enum err_code add_rule(const struct slowdown_table *t, const struct choice_candidate *c,
			      double usefulness, struct rule_list *out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct rule r = {.kind = RULE_CHOICE};
	enum err_code rc;

	conjunction_put_text(&c->what, t, &text);
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "text of a rule");
	}
	r.condition = text.buf;
	r.evidence = (struct rule_evidence){
		.n_cases = (int64_t)c->n_cases,
		.n_problems = (int64_t)c->n_problems,
		.effect = c->effect,
		.lo = c->lo,
		.hi = c->hi,
		.versus_others = exp(c->held_out.beta),
		.confidence = c->share_true,
		.p_value = c->p,
		.held_out_error = c->error,
		.usefulness = usefulness,
	};
	if ((rc = plain_costs_add(c->judged_on, &c->what, &r, e))) {
		rule_release(&r);
		return rc;
	}
	return rule_list_add(out, &r, e);
}

/* Both halves may have found the same: a rule stays if it says something beyond those that say
 * more. */
static enum err_code write_rules(const struct slowdown_table *t, const struct candidate_list *l,
				 struct rule_list *out, struct err *e)
{
	struct slowdown_table *all = NULL;
	struct case_contrast left = {0};
	unsigned char *in = NULL;
	double all_squares;
	enum err_code rc;

	if ((rc = sample_fold(t, NULL, 0, EVIDENCE_SIZE, &all, e)) ||
	    (rc = case_contrast_make(all, &left, e)))
		goto done;
	in = malloc(left.n + 1);
	if (!in) {
		rc = err_set(e, ERR_NOMEM, "%zu rules", l->n);
		goto done;
	}
	all_squares = case_contrast_squares(&left);
	for (size_t k = 0; k < l->n && !rc; k++) {
		struct contrast beyond;

		mark(&left, &l->item[k].what, in);
		if ((rc = case_contrast_measure(&left, in, &beyond, e)) ||
		    !(beyond.beta >= MIN_EFFECT) || beyond.p > RULE_FALSE_DISCOVERY)
			continue;
		if (!(rc = add_rule(t, &l->item[k],
				    beyond.beta * beyond.beta * beyond.variance / all_squares, out,
				    e)))
			rc = case_contrast_remove(&left, in, beyond.beta, e);
	}
done:
	free(in);
	case_contrast_release(&left);
	slowdown_table_free(all);
	return rc;
}

enum err_code mine_choice_rules(const struct slowdown_table *t, const struct progress *p,
				struct rule_list *out, struct err *e)
{
	struct half half[2] = {{0}};
	struct candidate_list found = {.n = 0};
	unsigned char *fold = malloc(t->n_blocks + 1);
	enum err_code rc;

	if (!fold)
		return err_set(e, ERR_NOMEM, "halves of %zu blocks", t->n_blocks);
	if ((rc = slowdown_folds(t, 2, fold, e)) || (rc = half_make(t, fold, 0, &half[0], e)) ||
	    (rc = half_make(t, fold, 1, &half[1], e)) ||
	    (rc = search_half(&half[0], &half[1], p, &found, e)) ||
	    (rc = search_half(&half[1], &half[0], p, &found, e)) || (rc = drop_unproven(&found, e)))
		goto done;
	qsort(found.item, found.n, sizeof found.item[0], by_contribution);
	rc = write_rules(t, &found, out, e);
done:
	half_release(&half[0]);
	half_release(&half[1]);
	free(fold);
	return rc;
}
