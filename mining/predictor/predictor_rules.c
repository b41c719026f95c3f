#include "mining/predictor/predictor_rules.h"

#include <math.h>
#include <stdlib.h>

struct followed_rule {
	struct rule_test *test;
	bool on_model;
	double weight;
	double log_min; /* of the formula */
};

struct predictor_rules {
	struct followed_rule *item;
	size_t n;
};

static bool is_used(const struct rule *r, bool structural)
{
	return r->kind == RULE_TIME && r->weight > 0 && (structural || !r->on_model);
}

enum err_code predictor_rules_new(const struct application *app, const struct rule *const *rule,
				  size_t n, bool structural, struct predictor_rules **out,
				  struct err *e)
{
	struct predictor_rules *r = calloc(1, sizeof *r);
	enum err_code rc = ERR_OK;

	if (r)
		r->item = calloc(n + 1, sizeof *r->item);
	if (!r || !r->item) {
		predictor_rules_free(r);
		return err_set(e, ERR_NOMEM, "%zu time rules", n);
	}
	for (size_t i = 0; i < n && !rc; i++) {
		struct followed_rule *q = &r->item[r->n];

		if (!is_used(rule[i], structural))
			continue;
		q->on_model = rule[i]->on_model;
		q->weight = fmin(rule[i]->weight, 1);
		q->log_min = log(rule[i]->min);
		rc = rule_test_new(app, rule[i], &q->test, e);
		r->n += rc == ERR_OK;
	}
	if (rc || r->n == 0) {
		predictor_rules_free(r);
		r = NULL;
	}
	if (!rc)
		*out = r;
	return rc;
}

void predictor_rules_free(struct predictor_rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		rule_test_free(r->item[i].test);
	free(r->item);
	free(r);
}

size_t predictor_rules_count(const struct predictor_rules *r)
{
	return r ? r->n : 0;
}

/* A prediction that follows one rule as far as its weight says. It rises with both arguments,
 * which is what makes predictor_rules_least_s() a bound. */
static double follow(const struct followed_rule *q, double log_s, double log_formula)
{
	return (q->on_model ? 1 : 1 - q->weight) * log_s + q->weight * log_formula;
}

double predictor_rules_apply(const struct predictor_rules *r, const double *row, double time_s)
{
	double log_s = log(time_s), sum = 0, formula;
	int n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct followed_rule *q = &r->item[i];

		if (!rule_condition_holds(q->test, row))
			continue;
		formula = rule_formula(q->test, row);
		if (!(formula > 0)) /* a column that it needs is missing */
			continue;
		sum += follow(q, log_s, log(formula));
		n++;
	}
	return n > 0 ? exp(sum / n) : time_s;
}

double predictor_rules_least_s(const struct predictor_rules *r, const double *row, double least_s)
{
	double log_s = log(least_s), least = log_s;

	if (!(least_s > 0))
		return 0;
	/* A mean is not below the least of what it is the mean of, and perhaps no rule holds. */
	for (size_t i = 0; i < r->n; i++) {
		const struct followed_rule *q = &r->item[i];

		if (rule_condition_possible(q->test, row))
			least = fmin(least, follow(q, log_s, q->log_min));
	}
	/* a relative 1e-12 for the rounding of two ways to sum */
	return exp(least) * (1 - 1e-12);
}
