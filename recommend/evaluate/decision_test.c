#include "recommend/evaluate/decision_test.h"

#include <stdint.h>
#include <stdlib.h>

#include "mining/training/holdout.h"

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
