#include "mining/rules/rule_twins.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* cover[i]: the rule speaks of configuration i. */
static enum err_code mark_cover(const struct slowdown_table *t, const unsigned char *holds,
				const struct rule *r, unsigned char *cover, struct err *e)
{
	struct rule_test *test = NULL;
	enum err_code rc;

	memcpy(cover, holds, t->n);
	if (r->kind != RULE_SETTING)
		return ERR_OK;
	if ((rc = rule_test_new(t->app, r, &test, e)))
		return rc;
	for (size_t i = 0; i < t->n; i++)
		cover[i] = cover[i] && rule_setting_holds(test, slowdown_row(t, i));
	rule_test_free(test);
	return ERR_OK;
}

static double cover_both(const struct slowdown_table *t, const unsigned char *a,
			 const unsigned char *b)
{
	double both = 0, either = 0;

	for (size_t i = 0; i < t->n; i++) {
		both += a[i] & b[i] ? t->n_runs[i] : 0;
		either += a[i] | b[i] ? t->n_runs[i] : 0;
	}
	return either > 0 ? both / either : 0;
}

/* uses[column] of condition and setting. */
static enum err_code find_uses(const struct application *a, const struct rule *r, bool *uses,
			       struct err *e)
{
	const char *const part[] = {r->condition, r->setting};

	memset(uses, 0, a->n_columns * sizeof *uses);
	for (size_t i = 0; i < 2; i++) {
		struct expr *x = NULL;
		enum err_code rc;

		if (!part[i] || !*part[i])
			continue;
		if ((rc = expr_parse(part[i], &a->scope, &x, e)))
			return rc;
		for (size_t c = 0; c < a->n_columns; c++)
			uses[c] |= expr_uses(x, c);
		expr_free(x);
	}
	return ERR_OK;
}

/* How much runs must agree for two rules to say the same of them. */
static enum err_code least_overlap(const struct application *a, const struct rule *one,
				   const struct rule *other, double *out, struct err *e)
{
	bool *uses = calloc(2 * a->n_columns + 1, sizeof *uses);
	enum err_code rc;

	if (!uses)
		return err_set(e, ERR_NOMEM, "columns of rules");
	if (!(rc = find_uses(a, one, uses, e)) &&
	    !(rc = find_uses(a, other, uses + a->n_columns, e)))
		*out = memcmp(uses, uses + a->n_columns, a->n_columns * sizeof *uses) == 0
			       ? RULE_SAME_RUNS
			       : RULE_TOLD_APART;
	free(uses);
	return rc;
}

/* Half of the interval of the log effect; 0: it has none. */
static double half_width(const struct rule_evidence *v)
{
	return v->lo > 0 && v->hi < INFINITY ? log(v->hi / v->lo) / 2 : 0;
}

static bool say_same(const struct rule_evidence *a, const struct rule_evidence *b)
{
	double difference = fabs(log(a->effect / b->effect));

	return difference < RULE_SAME_EFFECT || difference <= hypot(half_width(a), half_width(b));
}

static bool may_be_twins(const struct rule *first, const struct rule *r)
{
	return first->kind == r->kind && !first->twin_of[0] &&
	       say_same(&first->evidence, &r->evidence);
}

enum err_code rule_twins_mark(const struct slowdown_table *t, const unsigned char *holds,
			      struct rule_list *rules, struct err *e)
{
	unsigned char *one = malloc(t->n + 1), *other = malloc(t->n + 1);
	enum err_code rc =
		one && other ? ERR_OK : err_set(e, ERR_NOMEM, "twins of %zu rules", rules->n);

	for (size_t k = 1; k < rules->n && !rc; k++) {
		struct rule *r = &rules->item[k];

		if (r->kind != RULE_CHOICE && r->kind != RULE_SETTING)
			continue;
		rc = mark_cover(t, holds + k * t->n, r, one, e);
		for (size_t first = 0; first < k && !rc && !r->twin_of[0]; first++) {
			const struct rule *f = &rules->item[first];
			double least = 1;

			if (may_be_twins(f, r) && !(rc = least_overlap(t->app, f, r, &least, e)) &&
			    !(rc = mark_cover(t, holds + first * t->n, f, other, e)) &&
			    cover_both(t, one, other) >= least)
				memcpy(r->twin_of, f->id, sizeof r->twin_of);
		}
	}
	free(one);
	free(other);
	return rc;
}
