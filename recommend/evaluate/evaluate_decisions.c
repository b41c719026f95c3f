#include "recommend/evaluate/evaluate_decisions.h"

#include "recommend/evaluate/decision_test.h"

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
