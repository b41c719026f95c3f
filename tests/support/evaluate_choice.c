#include "tests/support/evaluate_choice.h"

#include <math.h>
#include <stdint.h>

#include "mining/numerics/order_statistics.h"
#include "recommend/evaluate/decide.h"
#include "recommend/evaluate/evaluate_decisions.h"

/* ---- regret ---- */

enum { SEEN_LEAST = 3 };
const double regret_promise[4] = {0.5, 0.8, 0.9, 0.95};

static bool is_asked(const struct decision_test *b, const struct regret_request *q, size_t problem)
{
	return decision_test_asks(b, problem) && (q->problem == SIZE_MAX || q->problem == problem);
}

/* Of the problems that are asked about only. */
static enum err_code see_share(struct decision_test *b, const struct regret_request *q, int draw,
			       struct err *e)
{
	const struct measured_problems *m = &b->problems;
	enum err_code rc = measured_problems_draw(m, q->share, SEEN_LEAST,
						  q->seed + ((uint64_t)draw << 32), b->seen, e);

	for (size_t p = 0; p < m->n && !rc; p++) {
		for (size_t k = m->start[p]; k < m->start[p + 1] && !is_asked(b, q, p); k++)
			b->seen[m->member[k]] = 0;
	}
	return rc;
}

static double best_seen_s(const struct decision_test *b, const struct decision_case *q)
{
	const struct measured_problems *m = &b->problems;
	double least = INFINITY;

	for (size_t k = m->start[q->problem]; k < m->start[q->problem + 1]; k++) {
		if (b->seen[m->member[k]])
			least = fmin(least, decision_time_s(q, m->member[k]));
	}
	return least;
}

/* A promise is about the next run: of the repeats the share that kept it, rounded. */
static void judge_promises(const struct decision_case *q, const struct baseline *f, size_t chosen,
			   struct regret *out)
{
	struct prediction at;

	if (q->seen[chosen])
		return;
	baseline_predict(f, config_table_row(q->problems->configs, chosen), &at);
	out->n_unseen++;
	for (int k = 0; k < 4; k++)
		out->n_kept[k] += decision_time_s(q, chosen) <=
				  baseline_quantile_s(f, &at, regret_promise[k]);
}

static enum err_code ask_all(const struct decision_test *b, const struct regret_request *q,
			     const struct baseline *f, struct regret *out, struct err *e)
{
	double own = 0, lookup = 0;
	enum err_code rc = ERR_OK;
	int n = 0;

	for (size_t p = 0; p < b->problems.n && !rc; p++) {
		struct decision_case c = {.problems = &b->problems,
					  .problem = p,
					  .seen = b->seen,
					  .deadline_s = NAN,
					  .confidence = DECISION_CONFIDENCE};
		struct rate_process *rates = NULL;
		double least_s;
		size_t chosen;

		if (!is_asked(b, q, p))
			continue;
		if ((rc = decision_rates(&c, f, &rates, e)))
			break;
		c.rates = rates;
		least_s = decision_time_s(&c, decide_in_hindsight(&c));
		chosen = decide(&c, f, FASTEST);
		rate_process_free(rates);
		own += decision_time_s(&c, chosen) / least_s;
		lookup += best_seen_s(b, &c) / least_s;
		judge_promises(&c, f, chosen, out);
		n++;
	}
	if (n == 0 || rc)
		return rc;
	out->n_draws++;
	out->mean += own / n;
	out->lookup += lookup / n;
	out->n_worse += own > lookup;
	return ERR_OK;
}

enum err_code evaluate_regret(const struct regret_request *q, struct regret *out, struct err *e)
{
	const struct decision_request questions = {.in = q->in, .n_predictors = 1};
	struct regret r = {0};
	struct decision_test b;
	const char *name[FORECASTER_KINDS];
	enum err_code rc = decision_test_init(&b, &questions, e);

	if (rc)
		return rc;
	baseline_names(q->in->runs->app, name);
	for (int draw = 0; draw < q->n_draws && !rc; draw++) {
		struct baseline *f = NULL;

		if (!(rc = see_share(&b, q, draw, e)) &&
		    !(rc = decision_test_fit(&b, q->predictor ? q->predictor : name[0], &f, e)) &&
		    f)
			rc = ask_all(&b, q, f, &r, e);
		baseline_free(f);
	}
	decision_test_release(&b);
	if (rc)
		return rc;
	if (r.n_draws > 0) {
		r.mean /= r.n_draws;
		r.lookup /= r.n_draws;
	}
	*out = r;
	return ERR_OK;
}

/* ---- promises ---- */

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

static void ask_promises(const struct decision_test *b, const struct baseline *f,
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
			ask_promises(&b, f, out);
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
