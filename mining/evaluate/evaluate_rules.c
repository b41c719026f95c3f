#include "mining/evaluate/evaluate_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/cases/rule_miners.h"
#include "mining/evaluate/evaluate_choices.h"
#include "mining/evaluate/regression_tree.h"
#include "mining/numerics/group_by.h"
#include "mining/rules/mine_rules.h"

const char *const rule_measure_name[RULES_MEASURE_COUNT] = {
	[RULES_TIME_ERROR] = "error of time",
	[RULES_REGRET] = "regret by case",
	[RULES_REGRET_COVERED] = "regret where rules speak",
	[RULES_REGRET_PROBLEMS] = "regret by problem",
	[RULES_SLOWDOWN_ERROR] = "error of slow-down",
};

static const char *const choose_name[CHOOSE_METHODS] = {
	[CHOOSE_RULES] = "setting rules",
	[CHOOSE_FIXED] = "fixed setting",
	[CHOOSE_RANDOM] = "random choice",
};

struct rule_evaluator {
	const struct fit_input *in;
	unsigned seed;
	struct progress asking; /* that of in, silent: one bar is enough */
	struct config_table *t;
	struct slowdown_table *all;
	uint32_t *problem_of;	 /* [all->n] */
	unsigned char *test;	 /* [t->n] */
	unsigned char *held_out; /* [all->n] */
	struct time_score time[HOLDOUT_COUNT][TIME_METHODS];
	struct choice_scores choices; /* of HOLDOUT_PROBLEMS */
};

static bool ask_only(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	(void)done;
	(void)total;
	return progress_step(arg, NULL, 0, 0);
}

static void close_evaluator(struct rule_evaluator *v)
{
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		for (int m = 0; m < TIME_METHODS; m++)
			error_list_release(&v->time[h][m].error);
	}
	choice_scores_release(&v->choices);
	free(v->problem_of);
	free(v->test);
	free(v->held_out);
	slowdown_table_free(v->all);
	config_table_free(v->t);
}

/* As holdout.h means it: the problem's columns alone. */
static enum err_code number_problems(struct rule_evaluator *v, struct err *e)
{
	const struct slowdown_table *all = v->all;
	size_t *column = calloc(all->n_columns + 1, sizeof *column), n = 0;
	struct row_key key = row_key_of(all->runs, column);
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "problems of %zu configurations", all->n);
	for (size_t c = 0; c < all->n_columns; c++) {
		if (all->app->column[c].role == COL_PROBLEM)
			column[key.n_key++] = c;
	}
	rc = group_by(&key, all->first_run, all->n, v->problem_of, NULL, &n, e);
	free(column);
	return rc;
}

static enum err_code open_evaluator(const struct fit_input *in, unsigned seed,
				    struct rule_evaluator *v, struct err *e)
{
	enum err_code rc;

	*v = (struct rule_evaluator){.in = in, .seed = seed};
	v->asking = (struct progress){.step = ask_only, .arg = (void *)(uintptr_t)in->progress};
	if ((rc = config_table_make(in->runs, &v->t, e)) ||
	    (rc = slowdown_table_make(in->runs, &v->asking, &v->all, e)))
		return rc;
	v->problem_of = malloc((v->all->n + 1) * sizeof *v->problem_of);
	v->test = malloc(v->t->n + 1);
	v->held_out = malloc(v->all->n + 1);
	if (!v->problem_of || !v->test || !v->held_out)
		return err_set(e, ERR_NOMEM, "evaluation of %zu configurations", v->t->n);
	return number_problems(v, e);
}

static enum err_code run_fold(struct rule_evaluator *v, enum holdout protocol, struct err *e)
{
	struct fit_input train = *v->in;
	struct dataset *runs = NULL;
	enum err_code rc = holdout_training_runs(v->in->runs, v->t, v->test, &runs, e);

	if (rc)
		return rc;
	train.runs = runs;
	train.progress = &v->asking;
	rc = evaluate_times(&train, v->t, v->test, v->time[protocol], e);
	if (!rc && protocol == HOLDOUT_PROBLEMS) {
		for (size_t i = 0; i < v->all->n; i++)
			v->held_out[i] = v->test[v->t->config_of[v->all->first_run[i]]];
		rc = evaluate_choices(runs, v->all, v->held_out, v->problem_of, &v->asking,
				      &v->choices, e);
	}
	dataset_free(runs);
	return rc;
}

static enum err_code run_folds(struct rule_evaluator *v, struct err *e)
{
	uint64_t done = 0, total = 0;
	enum err_code rc = ERR_OK;

	for (int h = 0; h < HOLDOUT_COUNT; h++)
		total += (uint64_t)holdout_info[h].n_folds;
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		for (int fold = 0; fold < holdout_info[h].n_folds && !rc; fold++) {
			int possible = 0;

			if (!progress_step(v->in->progress, "evaluating rules", done++, total))
				return err_set(e, ERR_INTERRUPTED, "evaluation interrupted");
			rc = holdout_split((enum holdout)h, fold, v->seed, v->t, v->test, &possible,
					   e);
			if (!rc && possible)
				rc = run_fold(v, (enum holdout)h, e);
		}
	}
	return rc;
}

/* ---- what is said of all folds ---- */

static double ratio(size_t a, size_t b)
{
	return b > 0 ? (double)a / (double)b : (double)NAN;
}

static void put_times(struct rule_evaluator *v, struct rule_evaluation *out, size_t *n)
{
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		for (int m = 0; m < TIME_METHODS; m++) {
			struct time_score *s = &v->time[h][m];
			bool rules = m == TIME_RULES || m == TIME_FOLLOWING;
			struct rule_evaluation *row = &out[*n];

			if (s->error.n == 0)
				continue;
			*row = (struct rule_evaluation){
				.protocol = (enum holdout)h,
				.measure = RULES_TIME_ERROR,
				.n_train = s->n_train,
				.n_test = s->error.n,
				.size = rules || m == TIME_TREE ? ratio(s->n_parts, s->n_folds)
								: (double)NAN,
				.covered = rules ? ratio(s->n_covered, s->error.n) : (double)NAN,
				.share_true = NAN,
			};
			memcpy(row->method, s->name, sizeof s->name);
			error_list_summarise(&s->error, &row->median, &row->p90, &row->bias);
			++*n;
		}
	}
}

/* The cases that are counted: all, or those that setting rules speak about. */
static bool counts(const struct choice_case *c, enum rule_measure measure)
{
	return measure != RULES_REGRET_COVERED || c->covered[CHOOSE_RULES];
}

static int by_problem(const void *a, const void *b)
{
	const struct choice_case *x = a, *y = b;

	return (x->problem > y->problem) - (x->problem < y->problem);
}

/* Regrets of a method into l: one of each case, or of RULES_REGRET_PROBLEMS the means over the
 * cases of each problem, which then stand together. */
static enum err_code list_regrets(const struct choice_scores *s, int method,
				  enum rule_measure measure, struct error_list *l, struct err *e)
{
	double sum = 0;
	size_t n = 0;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < s->n && !rc; k++) {
		bool last = k + 1 == s->n || s->item[k + 1].problem != s->item[k].problem;

		if (!counts(&s->item[k], measure))
			continue;
		if (measure != RULES_REGRET_PROBLEMS) {
			rc = error_list_add(l, s->item[k].regret[method], e);
			continue;
		}
		sum += s->item[k].regret[method];
		n++;
		if (last) {
			rc = error_list_add(l, sum / (double)n, e);
			sum = 0;
			n = 0;
		}
	}
	return rc;
}

static enum err_code put_regret(const struct choice_scores *s, int method,
				enum rule_measure measure, struct rule_evaluation *out, size_t *n,
				struct err *e)
{
	struct rule_evaluation *row = &out[*n];
	struct error_list l = {0};
	size_t n_cases = 0, n_covered = 0, n_kept = 0;
	double unused;
	enum err_code rc = list_regrets(s, method, measure, &l, e);

	if (!rc && l.n > 0) {
		for (size_t k = 0; k < s->n; k++) {
			n_cases += counts(&s->item[k], measure);
			n_covered += counts(&s->item[k], measure) && s->item[k].covered[method];
			n_kept += s->item[k].as_promised;
		}
		*row = (struct rule_evaluation){
			.protocol = HOLDOUT_PROBLEMS,
			.measure = measure,
			.n_train = s->n_train,
			.n_test = l.n,
			.size = method == CHOOSE_RULES ? ratio(s->n_setting_rules, s->n_folds)
						       : (double)NAN,
			.covered = ratio(n_covered, n_cases),
			.bias = NAN,
			.share_true =
				method == CHOOSE_RULES ? ratio(n_kept, n_covered) : (double)NAN,
		};
		snprintf(row->method, sizeof row->method, "%s", choose_name[method]);
		error_list_summarise(&l, &row->median, &row->p90, &unused);
		++*n;
	}
	error_list_release(&l);
	return rc;
}

static void put_slowdowns(struct choice_scores *s, struct rule_evaluation *out, size_t *n)
{
	struct rule_evaluation *row = &out[*n];
	size_t n_compared = 0, n_pairs = s->slowdown.n;

	if (n_pairs == 0)
		return;
	for (size_t k = 0; k < s->n; k++)
		n_compared += s->item[k].compared;
	*row = (struct rule_evaluation){
		.protocol = HOLDOUT_PROBLEMS,
		.measure = RULES_SLOWDOWN_ERROR,
		.method = "choice rules",
		.n_train = s->n_train,
		.n_test = n_pairs,
		.size = ratio(s->n_choice_rules, s->n_folds),
		.covered = ratio(n_compared, s->n),
		.share_true = ratio(s->n_slower, n_pairs),
	};
	error_list_summarise(&s->slowdown, &row->median, &row->p90, &row->bias);
	++*n;
}

static enum err_code put_choices(struct choice_scores *s, struct rule_evaluation *out, size_t *n,
				 struct err *e)
{
	static const enum rule_measure regrets[] = {RULES_REGRET, RULES_REGRET_COVERED,
						    RULES_REGRET_PROBLEMS};
	enum err_code rc = ERR_OK;

	if (s->n > 0)
		qsort(s->item, s->n, sizeof s->item[0], by_problem);
	for (size_t k = 0; k < sizeof regrets / sizeof *regrets; k++) {
		for (int m = 0; m < CHOOSE_METHODS && !rc; m++)
			rc = put_regret(s, m, regrets[k], out, n, e);
	}
	put_slowdowns(s, out, n);
	return rc;
}

enum err_code evaluate_rules(const struct fit_input *in, unsigned seed, struct rule_evaluation *out,
			     size_t *n_out, struct err *e)
{
	struct rule_evaluator *v = calloc(1, sizeof *v);
	size_t n = 0;
	enum err_code rc;

	if (!v)
		return err_set(e, ERR_NOMEM, "evaluation of rules");
	if (!(rc = open_evaluator(in, seed, v, e)) && !(rc = run_folds(v, e))) {
		put_times(v, out, &n);
		rc = put_choices(&v->choices, out, &n, e);
	}
	close_evaluator(v);
	free(v);
	if (rc)
		return rc;
	if (n == 0)
		return err_set(e, ERR_NODATA, "too few runs to hold any out");
	*n_out = n;
	return ERR_OK;
}

/* ---- times by rules ---- */

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
