#include "mining/evaluate/evaluate_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/evaluate/regression_tree.h"
#include "mining/cases/rule_miners.h"
#include "mining/rules/mine_rules.h"

/* A fold: what was learned from, and what is asked. */
struct time_fold {
	const struct fit_input *train;
	const struct slowdown_table *seen; /* of train->runs */
	const struct config_table *t;
	const unsigned char *test;
};

/* Something that predicts a time [s]; *covered is cleared where it has nothing to say of its own.
 */
typedef double (*predict_fn)(const void *by, const double *row, bool *covered);

static enum err_code score_fold(const struct time_fold *f, predict_fn predict, const void *by,
				size_t n_parts, struct time_score *s, struct err *e)
{
	enum err_code rc = ERR_OK;

	s->n_folds++;
	s->n_parts += n_parts;
	for (size_t i = 0; i < f->t->n && !rc; i++) {
		bool covered = true;
		double time_s;

		if (!f->test[i]) {
			s->n_train++;
			continue;
		}
		time_s = predict(by, config_table_row(f->t, i), &covered);
		s->n_covered += covered;
		rc = error_list_add(&s->error, time_s / f->t->time_s[i] - 1, e);
	}
	return rc;
}

static void name_method(struct time_score *s, const char *name, const char *more)
{
	snprintf(s->name, sizeof s->name, "%s%s", name, more);
}

/* ---- rules alone ---- */

struct rules_alone {
	struct rule_set set;
	double typical_log; /* [log s] */
};

static double by_rules(const void *by, const double *row, bool *covered)
{
	const struct rules_alone *r = by;
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < r->set.rules.n; k++) {
		double time_s = rule_condition_holds(r->set.test[k], row)
					? rule_formula(r->set.test[k], row)
					: (double)NAN;

		if (time_s > 0) {
			sum += log(time_s);
			n++;
		}
	}
	*covered = n > 0;
	return exp(n > 0 ? sum / (double)n : r->typical_log);
}

static enum err_code score_rules(const struct time_fold *f, struct time_score *s, struct err *e)
{
	struct rules_alone r = {.typical_log = gsl_stats_mean(f->seen->log_time, 1, f->seen->n)};
	struct rule_list mined = {0};
	enum err_code rc = mine_time_rules(f->seen, NULL, f->train->progress, &mined, e);

	if (!rc && !(rc = rule_set_make(f->seen->app, &mined, &r.set, e)))
		rc = score_fold(f, by_rules, &r, r.set.rules.n, s, e);
	name_method(s, "time rules", "");
	rule_list_release(&mined);
	rule_set_release(&r.set);
	return rc;
}

/* ---- what they are compared with ---- */

static double by_tree(const void *by, const double *row, bool *covered)
{
	(void)covered;
	return exp(regression_tree_log_time(by, row));
}

static enum err_code score_tree(const struct time_fold *f, struct time_score *s, struct err *e)
{
	struct regression_tree *tree = NULL;
	enum err_code rc = regression_tree_fit(f->seen, &tree, e);

	if (!rc)
		rc = score_fold(f, by_tree, tree, regression_tree_leaves(tree), s, e);
	name_method(s, "single tree", "");
	regression_tree_free(tree);
	return rc;
}

static double by_predictor(const void *by, const double *row, bool *covered)
{
	struct prediction at;

	(void)covered;
	predictor_predict(by, row, 1, &at);
	return at.time_s;
}

/* *out stays NULL when there is too little to fit. */
static enum err_code fit(const struct time_fold *f, const char *name, struct predictor **out,
			 struct err *e)
{
	struct err why = {0};
	enum err_code rc = predictor_fit(name, f->train, out, &why);

	return !rc || rc == ERR_NODATA || rc == ERR_NUMERIC ? ERR_OK
							    : err_set(e, rc, "%s", why.msg);
}

static enum err_code score_power_law(const struct time_fold *f, struct time_score *s, struct err *e)
{
	struct predictor *p = NULL;
	enum err_code rc = fit(f, "power-law", &p, e);

	if (p)
		rc = score_fold(f, by_predictor, p, 0, s, e);
	name_method(s, "power-law", "");
	predictor_free(p);
	return rc;
}

/* ---- the application's own predictor, without and with the rules mined on it ---- */

struct following {
	struct predictor *predictor;
	struct rule_set set;
	size_t n_followed; /* of them, with a weight */
};

static double by_following(const void *by, const double *row, bool *covered)
{
	const struct following *f = by;

	*covered = false;
	for (size_t k = 0; k < f->set.rules.n && !*covered; k++)
		*covered = f->set.rules.item[k].weight > 0 &&
			   rule_condition_holds(f->set.test[k], row);
	return by_predictor(f->predictor, row, covered);
}

static enum err_code use_rules(const struct time_fold *f, struct following *with, struct err *e)
{
	struct rule_list mined = {0};
	const struct rule **rule = NULL;
	enum err_code rc;

	if ((rc = mine_time_rules(f->seen, with->predictor, f->train->progress, &mined, e)) ||
	    (rc = rule_set_make(f->seen->app, &mined, &with->set, e)))
		goto done;
	rule = calloc(with->set.rules.n + 1, sizeof(*rule));
	if (!rule) {
		rc = err_set(e, ERR_NOMEM, "%zu rules", with->set.rules.n);
		goto done;
	}
	for (size_t k = 0; k < with->set.rules.n; k++) {
		rule[k] = &with->set.rules.item[k];
		with->n_followed += rule[k]->weight > 0;
	}
	rc = predictor_use_rules(with->predictor, rule, with->set.rules.n, e);
done:
	free(rule);
	rule_list_release(&mined);
	return rc;
}

static enum err_code score_predictor(const struct time_fold *f, struct time_score *alone,
				     struct time_score *following, struct err *e)
{
	struct following with = {.predictor = NULL};
	enum err_code rc = fit(f, NULL, &with.predictor, e);

	if (rc || !with.predictor)
		return rc;
	name_method(alone, predictor_name(with.predictor), "");
	name_method(following, predictor_name(with.predictor), " and time rules");
	if (!(rc = score_fold(f, by_predictor, with.predictor, 0, alone, e)) &&
	    !(rc = use_rules(f, &with, e)))
		rc = score_fold(f, by_following, &with, with.n_followed, following, e);
	predictor_free(with.predictor);
	rule_set_release(&with.set);
	return rc;
}

enum err_code evaluate_times(const struct fit_input *train, const struct config_table *t,
			     const unsigned char *test, struct time_score score[TIME_METHODS],
			     struct err *e)
{
	struct slowdown_table *seen = NULL;
	struct time_fold f = {.train = train, .t = t, .test = test};
	struct err why = {0};
	enum err_code rc = slowdown_table_make(train->runs, train->progress, &seen, &why);

	if (rc == ERR_NODATA) /* all that is left is flagged */
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	f.seen = seen;
	if (!(rc = score_rules(&f, &score[TIME_RULES], e)) &&
	    !(rc = score_tree(&f, &score[TIME_TREE], e)) &&
	    !(rc = score_power_law(&f, &score[TIME_POWER_LAW], e)))
		rc = score_predictor(&f, &score[TIME_PREDICTOR], &score[TIME_FOLLOWING], e);
	slowdown_table_free(seen);
	return rc;
}
