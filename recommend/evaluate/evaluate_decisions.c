#include "recommend/evaluate/evaluate_decisions.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "mining/numerics/order_statistics.h"
#include "mining/training/holdout.h"
#include "recommend/evaluate/decide.h"

/* ---- the fastest ---- */

enum { SEEN_MIN = 3 };
#define SEEN_TENTH 0.1

/* Needs no fit, where a predictor's name is asked for. */
static const char method_best_seen[] = "best seen", method_random_choice[] = "random choice";

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

static enum err_code over_of_fastest(struct decision_case q, const struct baseline *f, double *over,
				     struct err *e)
{
	struct rate_process *rates = NULL;
	enum err_code rc = decision_rates(&q, f, &rates, e);

	q.rates = rates;
	if (!rc)
		*over = decision_time_s(&q, decide(&q, f, FASTEST)) /
			decision_time_s(&q, decide_in_hindsight(&q));
	rate_process_free(rates);
	return rc;
}

static enum err_code over_of(const struct decision_test *b, const struct decision_case *q,
			     const char *method, const struct baseline *f, double *over,
			     struct err *e)
{
	if (method != method_best_seen && method != method_random_choice)
		return over_of_fastest(*q, f, over, e);
	*over = method == method_best_seen ? over_of_best_seen(b, q) : over_of_random_choice(b, q);
	return ERR_OK;
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
		if (!(rc = over_of(b, &q, method, f, &d.over, e)))
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

/* Ask every problem for the fastest, with a tenth of them seen. */
static enum err_code evaluate_fastest(struct decision_test *b, const char *method,
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

/* ---- deadlines ---- */

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

/* Ask for the cheapest in time: list[DEADLINES], by deadline. */
static enum err_code evaluate_deadlines_half_seen(struct decision_test *b, const char *predictor,
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
static enum err_code evaluate_deadlines_nothing_seen(struct decision_test *b, const char *predictor,
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

/* ---- all questions ---- */

const char *const decision_question_name[DECISION_QUESTIONS] = {
	[ASK_FASTEST] = "fastest",	     [ASK_DEADLINE_25] = "deadline 25 %",
	[ASK_DEADLINE_50] = "deadline 50 %", [ASK_DEADLINE_75] = "deadline 75 %",
	[ASK_DEADLINES] = "deadlines",
};

static enum err_code put_row(struct decision_evaluation row, const struct decision_list *list,
			     struct decision_evaluation *out, size_t *n, struct err *e)
{
	enum err_code rc;

	if (list->n == 0)
		return ERR_OK;
	if ((rc = decision_list_summarise(list, &row.scores, e)))
		return rc;
	out[(*n)++] = row;
	return ERR_OK;
}

static enum err_code put_fastest(struct decision_test *b, const char *method,
				 struct decision_evaluation *out, size_t *n, struct err *e)
{
	struct decision_list list = {0};
	enum err_code rc = evaluate_fastest(b, method, &list, e);

	if (!rc)
		rc = put_row((struct decision_evaluation){.question = ASK_FASTEST,
							  .seen = "a tenth",
							  .method = method},
			     &list, out, n, e);
	decision_list_release(&list);
	return rc;
}

typedef enum err_code (*deadline_fn)(struct decision_test *b, const char *predictor,
				     struct decision_list *list, struct err *e);

static enum err_code put_deadlines(struct decision_test *b, const char *predictor, deadline_fn ask,
				   const char *seen, struct decision_evaluation *out, size_t *n,
				   struct err *e)
{
	struct decision_list list[DEADLINES + 1] = {0}; /* the last: all */
	enum err_code rc = ask(b, predictor, list, e);

	for (int k = 0; k < DEADLINES; k++) {
		for (size_t i = 0; i < list[k].n && !rc; i++)
			rc = decision_list_add(&list[DEADLINES], list[k].item[i], e);
	}
	for (int k = 0; k <= DEADLINES && !rc; k++)
		rc = put_row((struct decision_evaluation){.question = ASK_DEADLINE_25 + (unsigned)k,
							  .seen = seen,
							  .method = predictor},
			     &list[k], out, n, e);
	for (int k = 0; k <= DEADLINES; k++)
		decision_list_release(&list[k]);
	return rc;
}

static enum err_code run_all(struct decision_test *b, struct decision_evaluation *out, size_t *n,
			     struct err *e)
{
	const struct decision_request *q = b->request;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < q->n_predictors && !rc; k++)
		rc = put_fastest(b, q->predictor[k], out, n, e);
	if (rc || (rc = put_fastest(b, method_best_seen, out, n, e)) ||
	    (rc = put_fastest(b, method_random_choice, out, n, e)))
		return rc;
	for (size_t k = 0; k < q->n_predictors && !rc; k++)
		rc = put_deadlines(b, q->predictor[k], evaluate_deadlines_half_seen, "half", out, n,
				   e);
	for (size_t k = 0; k < q->n_predictors && !rc; k++)
		rc = put_deadlines(b, q->predictor[k], evaluate_deadlines_nothing_seen, "nothing",
				   out, n, e);
	return rc;
}

enum err_code evaluate_decisions(const struct decision_request *q, struct decision_evaluation *out,
				 size_t *n_out, struct err *e)
{
	struct decision_test b;
	size_t n = 0;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < q->n_predictors && !rc; k++)
		rc = baseline_check(q->predictor[k], q->in->runs->app, e);
	if (rc || (rc = decision_test_init(&b, q, e)))
		return rc;
	rc = run_all(&b, out, &n, e);
	if (!rc)
		*n_out = n;
	decision_test_release(&b);
	return rc;
}

/* ---- predictors that are asked ---- */

/* A problem measured in fewer configurations is no question. */
enum { CANDIDATES_MIN = 10 };

bool decision_test_asks(const struct decision_test *b, size_t problem)
{
	return measured_problems_size(&b->problems, problem) >= CANDIDATES_MIN;
}

void decision_test_release(struct decision_test *b)
{
	measured_problems_release(&b->problems);
	free(b->seen);
	free(b->keep);
	free(b->time_s);
}

enum err_code decision_test_init(struct decision_test *b, const struct decision_request *q,
				 struct err *e)
{
	size_t n_questions = 0;
	enum err_code rc;

	*b = (struct decision_test){.request = q};
	if ((rc = measured_problems_make(q->in->runs, &b->problems, e)))
		return rc;
	for (size_t p = 0; p < b->problems.n; p++)
		n_questions += decision_test_asks(b, p);
	b->seen = calloc(b->problems.configs->n, 1);
	b->keep = calloc(q->in->runs->n, 1);
	b->time_s = calloc(b->problems.configs->n, sizeof *b->time_s);
	b->n_steps = q->n_predictors * (TENTH_DRAWS + 2 * HALF_DRAWS +
					(size_t)holdout_info[HOLDOUT_PROBLEMS].n_folds);
	if (!b->seen || !b->keep || !b->time_s)
		rc = err_set(e, ERR_NOMEM, "decisions on %zu runs", q->in->runs->n);
	else if (n_questions == 0)
		rc = err_set(e, ERR_NODATA,
			     "no problem was measured in %d configurations: nothing to choose from",
			     CANDIDATES_MIN);
	if (rc)
		decision_test_release(b);
	return rc;
}

enum err_code decision_test_fit(struct decision_test *b, const char *predictor,
				struct baseline **out, struct err *e)
{
	const struct fit_input *in = b->request->in;
	struct progress quiet = progress_within(in->progress);
	const size_t *config_of = b->problems.configs->config_of;
	struct fit_input train = *in;
	struct dataset *runs = NULL;
	struct err fit_error = {0};
	enum err_code rc;

	if (!progress_step(in->progress, "deciding", b->n_done++, b->n_steps))
		return err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
	for (size_t i = 0; i < in->runs->n; i++)
		b->keep[i] = config_of[i] != SIZE_MAX && b->seen[config_of[i]];
	if ((rc = dataset_subset(in->runs, b->keep, &runs, e)))
		return rc;
	train.runs = runs;
	train.progress = &quiet;
	rc = baseline_fit(predictor, &train, out, &fit_error);
	dataset_free(runs);
	if (!rc)
		baseline_choose_from(*out);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", fit_error.msg) : ERR_OK;
}
