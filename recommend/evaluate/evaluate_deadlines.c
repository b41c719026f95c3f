#include "recommend/evaluate/decision_test.h"

#include <math.h>
#include <stdint.h>

#include "mining/training/holdout.h"
#include "mining/numerics/order_statistics.h"
#include "recommend/evaluate/decide.h"

#define SEEN_HALF 0.5

static const double deadline_quantile[DEADLINES] = {0.25, 0.5, 0.75};

static double deadline_of(const struct decision_test *b, size_t problem, double quantile)
{
	const struct measured_problems *m = &b->problems;
	size_t n = measured_problems_size(m, problem);

	for (size_t k = 0; k < n; k++)
		b->time_s[k] = m->configs->time_s[m->member[m->start[problem] + k]];
	order_sort(b->time_s, n);
	return order_quantile(b->time_s, n, quantile);
}

static struct decision judge(const struct decision_case *q, const struct baseline *f)
{
	size_t chosen = decide(q, f, CHEAPEST), best = decide_in_hindsight(q);
	struct decision d = {.possible = best != SIZE_MAX,
			     .answered = chosen != SIZE_MAX,
			     .hit = NAN,
			     .over = NAN};

	if (!d.answered)
		return d;
	d.hit = decision_hit(q, chosen);
	if (d.possible && decision_time_s(q, chosen) <= q->deadline_s)
		d.over = decision_node_hours(q, chosen) / decision_node_hours(q, best);
	return d;
}

static bool any_unseen(const struct decision_test *b, size_t problem)
{
	const struct measured_problems *m = &b->problems;

	for (size_t k = m->start[problem]; k < m->start[problem + 1]; k++) {
		if (!b->seen[m->member[k]])
			return true;
	}
	return false;
}

/* list[DEADLINES] */
static enum err_code ask_deadlines(const struct decision_test *b, const struct baseline *f,
				   struct decision_list *list, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t p = 0; p < b->problems.n && !rc; p++) {
		if (!decision_test_asks(b, p) || !any_unseen(b, p))
			continue;
		for (int k = 0; k < DEADLINES && !rc; k++) {
			struct decision_case q = {.problems = &b->problems,
						  .problem = p,
						  .barred = b->seen,
						  .deadline_s =
							  deadline_of(b, p, deadline_quantile[k]),
						  .confidence = DECISION_CONFIDENCE};

			rc = decision_list_add(&list[k], judge(&q, f), e);
		}
	}
	return rc;
}

static enum err_code fit_and_ask_deadlines(struct decision_test *b, const char *predictor,
					   struct decision_list *list, struct err *e)
{
	struct baseline *f = NULL;
	enum err_code rc = decision_test_fit(b, predictor, &f, e);

	if (!rc && f)
		rc = ask_deadlines(b, f, list, e);
	baseline_free(f);
	return rc;
}

enum err_code evaluate_deadlines_half_seen(struct decision_test *b, const char *predictor,
					   struct decision_list *list, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int turn = 0; turn < 2 * HALF_DRAWS && !rc; turn++) {
		rc = measured_problems_draw(&b->problems, SEEN_HALF, 1,
					    b->request->seed + ((uint64_t)(turn / 2) << 32),
					    b->seen, e);
		for (size_t i = 0; i < b->problems.configs->n && turn % 2; i++)
			b->seen[i] = !b->seen[i];
		if (!rc)
			rc = fit_and_ask_deadlines(b, predictor, list, e);
	}
	return rc;
}

/* A problem is asked about when none of its configurations was trained on: a fold takes problem
 * sizes with every workload. */
enum err_code evaluate_deadlines_nothing_seen(struct decision_test *b, const char *predictor,
					      struct decision_list *list, struct err *e)
{
	const struct config_table *t = b->problems.configs;
	enum err_code rc = ERR_OK;

	for (int fold = 0; fold < holdout_info[HOLDOUT_PROBLEMS].n_folds && !rc; fold++) {
		int possible = 0;

		rc = holdout_split(HOLDOUT_PROBLEMS, fold, b->request->seed, t, b->seen, &possible,
				   e);
		for (size_t i = 0; i < t->n; i++)
			b->seen[i] = !b->seen[i];
		if (!rc && possible)
			rc = fit_and_ask_deadlines(b, predictor, list, e);
	}
	return rc;
}
