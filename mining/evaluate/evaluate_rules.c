#include "mining/evaluate/evaluate_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/evaluate/evaluate_choices.h"
#include "mining/evaluate/evaluate_times.h"
#include "mining/numerics/group_by.h"

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
	struct row_key key = {.x = all->runs->rows,
			      .row_of = all->runs->row_of,
			      .n_columns = all->n_columns,
			      .column = column};
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

/* Regrets of a method into l; with per_problem their means over the cases of each problem, which
 * then stand together. */
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
