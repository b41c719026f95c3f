#include "recommend/evaluate/evaluate_promises.h"

#include <math.h>
#include <stdint.h>

#include "mining/numerics/order_statistics.h"
#include "recommend/evaluate/decide.h"
#include "recommend/evaluate/decision_test.h"

#define SEEN_HALF 0.5
const double promise_level[PROMISE_LEVELS] = {0.5, 0.8, 0.9, 0.95};

static double quantile_of_times(const struct decision_test *b, size_t problem, double quantile)
{
	const struct measured_problems *m = &b->problems;
	size_t n = measured_problems_size(m, problem);

	for (size_t k = 0; k < n; k++)
		b->time_s[k] = m->configs->time_s[m->member[m->start[problem] + k]];
	order_sort(b->time_s, n);
	return order_quantile(b->time_s, n, quantile);
}

static void predict(const struct decision_case *c, const struct baseline *f, size_t config,
		    struct prediction *at)
{
	baseline_predict(f, config_table_row(c->problems->configs, config), at);
}

static void ask_promise(struct decision_case c, const struct baseline *f,
			struct promise_scores *out)
{
	size_t chosen;
	struct prediction at;

	c.deadline_s = NAN;
	chosen = decide(&c, f, CHEAPEST);
	if (chosen == SIZE_MAX)
		return;
	predict(&c, f, chosen, &at);
	c.deadline_s = baseline_quantile_s(f, &at, c.confidence);
	out->kept += decision_hit(&c, chosen);
	out->n_promised++;
}

static void ask_deadline(struct decision_case c, const struct baseline *f, double deadline_s,
			 int which, struct promise_scores *out)
{
	static const enum criterion criterion[] = {CHEAPEST, FEWEST_NODES};
	size_t chosen;
	struct prediction at;

	c.deadline_s = deadline_s;
	chosen = decide(&c, f, criterion[which]);
	if (chosen == SIZE_MAX)
		return;
	predict(&c, f, chosen, &at);
	out->said[which] += baseline_p_meet(f, &at, deadline_s);
	out->hit[which] += decision_hit(&c, chosen);
	out->n_answered[which]++;
}

static void ask_all(const struct decision_test *b, const struct baseline *f,
		    struct promise_scores *out)
{
	static const double quartile[] = {0.25, 0.5, 0.75};

	for (size_t p = 0; p < b->problems.n; p++) {
		if (!decision_test_asks(b, p))
			continue;
		for (int k = 0; k < PROMISE_LEVELS; k++) {
			const struct decision_case c = {.problems = &b->problems,
							.problem = p,
							.barred = b->seen,
							.confidence = promise_level[k]};

			ask_promise(c, f, &out[k]);
			for (int d = 0; d < 2 * 3; d++)
				ask_deadline(c, f, quantile_of_times(b, p, quartile[d / 2]), d % 2,
					     &out[k]);
		}
	}
}

enum err_code evaluate_promises(const struct promise_request *q,
				struct promise_scores out[PROMISE_LEVELS], struct err *e)
{
	const struct decision_request questions = {.in = q->in, .n_predictors = 1};
	struct decision_test b;
	const char *name[FORECASTER_KINDS];
	enum err_code rc = decision_test_init(&b, &questions, e);

	if (rc)
		return rc;
	baseline_names(q->in->runs->app, name);
	for (int k = 0; k < PROMISE_LEVELS; k++)
		out[k] = (struct promise_scores){0};
	for (int draw = 0; draw < q->n_draws && !rc; draw++) {
		struct baseline *f = NULL;

		if (!(rc = measured_problems_draw(&b.problems, SEEN_HALF, 1,
						  q->seed + ((uint64_t)draw << 32), b.seen, e)) &&
		    !(rc = decision_test_fit(&b, q->predictor ? q->predictor : name[0], &f, e)) &&
		    f)
			ask_all(&b, f, out);
		baseline_free(f);
	}
	for (int k = 0; k < PROMISE_LEVELS; k++) {
		out[k].kept /= (double)out[k].n_promised;
		for (int which = 0; which < 2; which++) {
			out[k].said[which] /= (double)out[k].n_answered[which];
			out[k].hit[which] /= (double)out[k].n_answered[which];
		}
	}
	decision_test_release(&b);
	return rc;
}
