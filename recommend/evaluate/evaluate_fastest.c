#include "recommend/evaluate/decision_test.h"

#include <math.h>
#include <stdint.h>

#include "recommend/evaluate/decide.h"

enum { SEEN_MIN = 3 };
#define SEEN_TENTH 0.1

const char method_best_seen[] = "best seen", method_random_choice[] = "random choice";

/* Costs are times over the least one of the problem. Here that of the fastest that was seen. */
static double over_of_best_seen(const struct decision_test *b, const struct decision_case *q)
{
	const struct measured_problems *m = &b->problems;
	double least = INFINITY;

	for (size_t k = m->start[q->problem]; k < m->start[q->problem + 1]; k++) {
		if (b->seen[m->member[k]])
			least = fmin(least, decision_time_s(q, m->member[k]));
	}
	return least / decision_time_s(q, decide_in_hindsight(q));
}

/* What is to be expected of one drawn from all. */
static double over_of_random_choice(const struct decision_test *b, const struct decision_case *q)
{
	const struct measured_problems *m = &b->problems;
	double sum = 0;

	for (size_t k = m->start[q->problem]; k < m->start[q->problem + 1]; k++)
		sum += decision_time_s(q, m->member[k]);
	return sum / (double)measured_problems_size(m, q->problem) /
	       decision_time_s(q, decide_in_hindsight(q));
}

static double over_of(const struct decision_test *b, const struct decision_case *q,
		      const char *method, const struct baseline *f)
{
	if (method == method_best_seen)
		return over_of_best_seen(b, q);
	if (method == method_random_choice)
		return over_of_random_choice(b, q);
	return decision_time_s(q, decide(q, f, FASTEST)) /
	       decision_time_s(q, decide_in_hindsight(q));
}

static enum err_code ask_fastest(const struct decision_test *b, const char *method,
				 const struct baseline *f, struct decision_list *list,
				 struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t p = 0; p < b->problems.n && !rc; p++) {
		struct decision_case q = {.problems = &b->problems,
					  .problem = p,
					  .seen = b->seen,
					  .deadline_s = NAN,
					  .confidence = DECISION_CONFIDENCE};
		struct decision d = {.possible = true, .answered = true, .hit = NAN};

		if (!decision_test_asks(b, p))
			continue;
		d.over = over_of(b, &q, method, f);
		rc = decision_list_add(list, d, e);
	}
	return rc;
}

static bool needs_fit(const char *method)
{
	return method != method_best_seen && method != method_random_choice;
}

/* Of the problems that are asked about only: others would tell more than a tenth. */
static enum err_code see_tenth(struct decision_test *b, int draw, struct err *e)
{
	const struct measured_problems *m = &b->problems;
	enum err_code rc = measured_problems_draw(
		m, SEEN_TENTH, SEEN_MIN, b->request->seed + ((uint64_t)draw << 32), b->seen, e);

	for (size_t p = 0; p < m->n && !rc; p++) {
		for (size_t k = m->start[p]; k < m->start[p + 1] && !decision_test_asks(b, p); k++)
			b->seen[m->member[k]] = 0;
	}
	return rc;
}

enum err_code evaluate_fastest(struct decision_test *b, const char *method,
			       struct decision_list *list, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int draw = 0; draw < TENTH_DRAWS && !rc; draw++) {
		struct baseline *f = NULL;

		rc = see_tenth(b, draw, e);
		if (!rc && needs_fit(method))
			rc = decision_test_fit(b, method, &f, e);
		if (!rc && (f || !needs_fit(method)))
			rc = ask_fastest(b, method, f, list, e);
		baseline_free(f);
	}
	return rc;
}
