#include "recommend/evaluate/evaluate_regret.h"

#include <math.h>
#include <stdint.h>

#include "recommend/evaluate/decide.h"
#include "recommend/evaluate/decision_test.h"

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

static void ask_all(const struct decision_test *b, const struct regret_request *q,
		    const struct baseline *f, struct regret *out)
{
	double own = 0, lookup = 0;
	int n = 0;

	for (size_t p = 0; p < b->problems.n; p++) {
		struct decision_case c = {.problems = &b->problems,
					  .problem = p,
					  .seen = b->seen,
					  .deadline_s = NAN,
					  .confidence = DECISION_CONFIDENCE};
		double least_s;
		size_t chosen;

		if (!is_asked(b, q, p))
			continue;
		least_s = decision_time_s(&c, decide_in_hindsight(&c));
		chosen = decide(&c, f, FASTEST);
		own += decision_time_s(&c, chosen) / least_s;
		lookup += best_seen_s(b, &c) / least_s;
		judge_promises(&c, f, chosen, out);
		n++;
	}
	if (n == 0)
		return;
	out->n_draws++;
	out->mean += own / n;
	out->lookup += lookup / n;
	out->n_worse += own > lookup;
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
			ask_all(&b, q, f, &r);
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
