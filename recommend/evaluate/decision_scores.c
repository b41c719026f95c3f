#include "recommend/evaluate/decision_scores.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/order_statistics.h"
#include "mining/evaluate/scoring_rules.h"

enum err_code decision_list_add(struct decision_list *l, struct decision d, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = 2 * l->cap + 64;
		struct decision *grown = realloc(l->item, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu decisions", cap);
		l->item = grown;
		l->cap = cap;
	}
	l->item[l->n++] = d;
	return ERR_OK;
}

void decision_list_release(struct decision_list *l)
{
	free(l->item);
	*l = (struct decision_list){0};
}

static double mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static void summarise_hits(const struct decision_list *l, struct decision_scores *s)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!isnan(l->item[i].hit)) {
			sum += l->item[i].hit;
			n++;
		}
	}
	if (n == 0)
		return;
	s->hit = sum / (double)n;
	s->hit_error = binomial_error(s->hit, n);
}

enum err_code decision_list_summarise(const struct decision_list *l, struct decision_scores *out,
				      struct err *e)
{
	struct decision_scores s = {.n_cases = l->n,
				    .hit = NAN,
				    .hit_error = NAN,
				    .over_mean = NAN,
				    .over_median = NAN,
				    .over_p90 = NAN};
	double *over = calloc(l->n + 1, sizeof *over);
	size_t n = 0;

	if (!over)
		return err_set(e, ERR_NOMEM, "%zu decisions", l->n);
	summarise_hits(l, &s);
	for (size_t i = 0; i < l->n; i++) {
		s.n_possible += l->item[i].possible;
		s.n_answered += l->item[i].answered;
		if (!isnan(l->item[i].over))
			over[n++] = l->item[i].over;
	}
	if (n > 0) {
		order_sort(over, n);
		s.over_mean = mean(over, n);
		s.over_median = order_quantile(over, n, 0.5);
		s.over_p90 = order_quantile(over, n, 0.9);
	}
	free(over);
	*out = s;
	return ERR_OK;
}
