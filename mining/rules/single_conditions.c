#include "mining/rules/single_conditions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules are to be short, and in the words of what people set: a condition on a column that derives
 * from that has to be clearly better. [log time], choices. */
#define COST_OF_CONDITION 0.01
#define COST_OF_DERIVED 0.06

void single_conditions_release(struct single_conditions *q)
{
	free(q->weight);
	free(q->groups);
	free(q->item);
	free(q->first);
	free(q->saved);
	free(q->there);
	*q = (struct single_conditions){0};
}

double single_conditions_cost(const struct single_conditions *q, size_t choice)
{
	const struct column *c = &q->s->t->app->column[q->s->choice[choice]];

	return c->role == COL_DERIVED ? COST_OF_DERIVED : COST_OF_CONDITION;
}

static enum err_code weigh(struct single_conditions *q, struct err *e)
{
	uint32_t *n_in_block = calloc(q->s->t->n_blocks + 1, sizeof *n_in_block);
	double n_blocks = 0;

	if (!n_in_block)
		return err_set(e, ERR_NOMEM, "weights of %zu cases", q->n);
	for (size_t i = 0; i < q->n; i++)
		n_blocks += n_in_block[q->s->block[q->which[i]]]++ == 0;
	for (size_t i = 0; i < q->n; i++)
		q->weight[i] = 1 / (n_blocks * n_in_block[q->s->block[q->which[i]]]);
	free(n_in_block);
	return ERR_OK;
}

/* Ranges of an ordered choice, sets of the best levels of another; all of it is no setting. */
static void list_items(struct single_conditions *q)
{
	q->n_items = 0;
	for (size_t k = 0; k < q->s->n_choices; k++) {
		const struct choice_groups *g = &q->groups[k];

		q->first[k] = q->n_items;
		for (size_t lo = 0; lo < (g->ordered ? g->n : 1); lo++) {
			for (size_t hi = lo; hi < g->n; hi++) {
				if (lo > 0 || hi + 1 < g->n)
					q->item[q->n_items++] =
						(struct single_condition){k, lo, hi};
			}
		}
	}
	q->first[q->s->n_choices] = q->n_items;
}

void single_conditions_try(const struct single_conditions *q, size_t i, size_t k,
			   const unsigned char *mask, double saved[SETTING_MAX_RANGES])
{
	const struct setting_cases *s = q->s;
	const struct choice_groups *g = &q->groups[k];
	const unsigned char *code = s->choice_code + k * s->n;
	const struct single_condition *item = q->item + q->first[k];
	size_t c = q->which[i], n = q->first[k + 1] - q->first[k];
	/* [group + 1]: up to that group; the last one catches what is in none. */
	double count[SETTING_GROUPS + 2] = {0}, sum[SETTING_GROUPS + 2] = {0};

	for (size_t m = s->first[c]; m < s->first[c + 1]; m++) {
		size_t at = g->of[code[m]] + 1u;

		if (!mask || mask[m]) {
			count[at]++;
			sum[at] += s->slowdown[m];
		}
	}
	for (size_t at = 1; at <= g->n; at++) {
		count[at] += count[at - 1];
		sum[at] += sum[at - 1];
	}
	for (size_t j = 0; j < n; j++) {
		double in = count[item[j].hi + 1] - count[item[j].lo];

		saved[j] = in > 0 ? s->mean[c] - (sum[item[j].hi + 1] - sum[item[j].lo]) / in
				  : (double)NAN;
	}
}

static void fill(struct single_conditions *q)
{
	double saved[SETTING_MAX_RANGES];

	for (size_t i = 0; i < q->n; i++) {
		for (size_t k = 0; k < q->s->n_choices; k++) {
			size_t at = i * q->n_items + q->first[k];

			single_conditions_try(q, i, k, NULL, saved);
			for (size_t j = 0; j < q->first[k + 1] - q->first[k]; j++) {
				bool there = !isnan(saved[j]);

				q->there[at + j] = there;
				q->saved[at + j] = there ? (float)(q->weight[i] * saved[j]) : 0;
			}
		}
	}
}

enum err_code single_conditions_make(const struct setting_cases *s, const uint32_t *which, size_t n,
				     struct single_conditions *out, struct err *e)
{
	struct single_conditions q = {.s = s, .which = which, .n = n};
	enum err_code rc = ERR_OK;

	q.weight = calloc(n + 1, sizeof *q.weight);
	q.groups = calloc(s->n_choices + 1, sizeof *q.groups);
	q.first = calloc(s->n_choices + 1, sizeof *q.first);
	q.item = calloc(s->n_choices * SETTING_MAX_RANGES + 1, sizeof *q.item);
	if (!q.weight || !q.groups || !q.first || !q.item) {
		rc = err_set(e, ERR_NOMEM, "settings of %zu columns", s->n_choices);
		goto done;
	}
	if ((rc = weigh(&q, e)))
		goto done;
	for (size_t k = 0; k < s->n_choices; k++)
		choice_groups_make(s, k, which, q.weight, n, &q.groups[k]);
	list_items(&q);
	q.saved = malloc((n * q.n_items + 1) * sizeof *q.saved);
	q.there = malloc(n * q.n_items + 1);
	if (q.saved && q.there)
		fill(&q);
	else
		rc = err_set(e, ERR_NOMEM, "%zu settings of %zu cases", q.n_items, n);
done:
	if (rc)
		single_conditions_release(&q);
	else
		*out = q;
	return rc;
}
