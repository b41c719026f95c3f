#include "cli/evaluate/evaluate_output.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Every table begins with these; for people they stand in a line above it. */
#define PAIR_COLUMNS                      \
	{"app", NULL, OUT_TEXT},          \
	{                                 \
		"machine", NULL, OUT_TEXT \
	}
enum { N_PAIR = 2 };

static struct out_table *new_table(enum out_format format, const struct out_column *column,
				   size_t n)
{
	size_t skip = format == FORMAT_TABLE ? N_PAIR : 0;

	return out_table_new(column + skip, n - skip);
}

static void put_pair(enum out_format format, struct out_table *t, const struct mine_target *on)
{
	if (format == FORMAT_TABLE)
		return;
	out_text(t, on->app->name);
	out_text(t, on->machine->name);
}

static enum err_code print_table(struct context *c, const struct mine_target *on,
				 struct out_table *t, const char *what, struct err *e)
{
	enum err_code rc;

	if (c->format == FORMAT_TABLE)
		context_print(c, "%s on %s: %s\n", on->app->name, on->machine->name, what);
	rc = out_table_print(t, c->format, "evaluation", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- predictions ---- */

static const struct out_column score_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"n_train", NULL, OUT_INT},
	{"n_test", NULL, OUT_INT},
	{"n_runs", NULL, OUT_INT},
	{"median_error", NULL, OUT_PERCENT},
	{"p90_error", NULL, OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"coverage_50", NULL, OUT_PERCENT},
	{"coverage_50_error", NULL, OUT_PERCENT},
	{"coverage_80", NULL, OUT_PERCENT},
	{"coverage_80_error", NULL, OUT_PERCENT},
	{"coverage_90", NULL, OUT_PERCENT},
	{"coverage_90_error", NULL, OUT_PERCENT},
	{"coverage_95", NULL, OUT_PERCENT},
	{"coverage_95_error", NULL, OUT_PERCENT},
	{"width", NULL, OUT_REAL},
	{"interval_score", NULL, OUT_REAL},
};

static const struct out_column score_columns_for_people[] = {
	{"held out", NULL, OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"test", NULL, OUT_INT},
	{"median error", NULL, OUT_PERCENT},
	{"90th percentile", NULL, OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"in 50 %", NULL, OUT_PERCENT},
	{"in 80 %", NULL, OUT_PERCENT},
	{"in 90 %", NULL, OUT_PERCENT},
	{"+-", NULL, OUT_PERCENT},
	{"in 95 %", NULL, OUT_PERCENT},
	{"width", NULL, OUT_REAL},
	{"score", NULL, OUT_REAL},
};

static void put_scores(const struct context *c, struct out_table *t, const struct mine_target *on,
		       const struct evaluation *v)
{
	bool for_people = c->format == FORMAT_TABLE;
	const struct scores *s = &v->scores;

	put_pair(c->format, t, on);
	out_text(t, v->protocol->name);
	out_text(t, v->predictor);
	if (!for_people)
		out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	if (!for_people)
		out_int(t, (int64_t)v->n_runs);
	out_real(t, s->median_error);
	out_real(t, s->p90_error);
	out_real(t, s->bias);
	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		out_real(t, s->coverage[k]);
		if (!for_people || k == LEVEL_90)
			out_real(t, s->coverage_error[k]);
	}
	out_real(t, s->width);
	out_real(t, s->interval_score);
}

enum err_code evaluate_print_scores(struct context *c, const struct mine_target *on,
				    const struct evaluation *v, size_t n, struct err *e)
{
	struct out_table *t =
		c->format == FORMAT_TABLE
			? out_table_new(score_columns_for_people, COUNT(score_columns_for_people))
			: out_table_new(score_columns, COUNT(score_columns));

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++)
		put_scores(c, t, on, &v[i]);
	return print_table(c, on, t, "runs held out, and predicted from the rest", e);
}

/* ---- reliability ---- */

static const struct out_column reliability_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},
	{"promised", NULL, OUT_PERCENT},
	{"happened", NULL, OUT_PERCENT},
	{"happened_error", "+-", OUT_PERCENT},
	{"n", NULL, OUT_INT},
};

struct out_table *evaluate_reliability_table(enum out_format format, const struct mine_target *on,
					     const struct evaluation *v, size_t n)
{
	struct out_table *t = new_table(format, reliability_columns, COUNT(reliability_columns));

	for (size_t i = 0; t && i < n * RELIABILITY_BINS; i++) {
		const struct evaluation *one = &v[i / RELIABILITY_BINS];
		const struct reliability_bin *bin = &one->bin[i % RELIABILITY_BINS];
		double happened = (double)bin->n_met / (double)bin->n;

		if (bin->n == 0)
			continue;
		put_pair(format, t, on);
		out_text(t, one->protocol->name);
		out_text(t, one->predictor);
		out_real(t, bin->sum_promised / (double)bin->n);
		out_real(t, happened);
		out_real(t, binomial_error(happened, bin->n));
		out_int(t, (int64_t)bin->n);
	}
	return t;
}

enum err_code evaluate_print_reliability(struct context *c, const struct mine_target *on,
					 const struct evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = evaluate_reliability_table(c->format, on, v, n);

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	return print_table(c, on, t, "deadlines promised to be met, and met", e);
}

/* ---- decisions ---- */

static const struct out_column decision_columns[] = {
	PAIR_COLUMNS,
	{"question", NULL, OUT_TEXT},
	{"seen", "seen of problem", OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"n_cases", "asked", OUT_INT},
	{"n_possible", "possible", OUT_INT},
	{"n_answered", "answered", OUT_INT},
	{"hit_rate", "hit", OUT_PERCENT},
	{"hit_rate_error", "+-", OUT_PERCENT},
	{"over_mean", "cost over best: mean", OUT_REAL},
	{"over_median", "median", OUT_REAL},
	{"over_p90", "90th percentile", OUT_REAL},
};

static void put_decision(struct out_table *t, const struct decision_evaluation *v)
{
	const struct decision_scores *s = &v->scores;

	out_text(t, decision_question_name[v->question]);
	out_text(t, v->seen);
	out_text(t, v->method);
	out_int(t, (int64_t)s->n_cases);
	out_int(t, (int64_t)s->n_possible);
	out_int(t, (int64_t)s->n_answered);
	out_real(t, s->hit);
	out_real(t, s->hit_error);
	out_real(t, s->over_mean);
	out_real(t, s->over_median);
	out_real(t, s->over_p90);
}

/* People see the three deadlines together. */
static bool is_one_deadline(enum decision_question q)
{
	return q >= ASK_DEADLINE_25 && q <= ASK_DEADLINE_75;
}

enum err_code evaluate_print_decisions(struct context *c, const struct mine_target *on,
				       const struct decision_evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = new_table(c->format, decision_columns, COUNT(decision_columns));
	bool for_people = c->format == FORMAT_TABLE;

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++) {
		if (for_people && is_one_deadline(v[i].question))
			continue;
		put_pair(c->format, t, on);
		put_decision(t, &v[i]);
	}
	return print_table(c, on, t, "decisions among measured configurations", e);
}

/* ---- rules ---- */

static const struct out_column rule_columns[] = {
	PAIR_COLUMNS,
	{"held_out", "held out", OUT_TEXT},
	{"measure", NULL, OUT_TEXT},
	{"method", NULL, OUT_TEXT},
	{"n_train", "train", OUT_INT},
	{"n_test", "test", OUT_INT},
	{"size", NULL, OUT_REAL},
	{"covered", NULL, OUT_PERCENT},
	{"median", NULL, OUT_PERCENT},
	{"p90", "90th percentile", OUT_PERCENT},
	{"bias", NULL, OUT_PERCENT},
	{"share_true", "true", OUT_PERCENT},
};

static void put_rule_evaluation(struct out_table *t, const struct rule_evaluation *v)
{
	out_text(t, holdout_info[v->protocol].name);
	out_text(t, rule_measure_name[v->measure]);
	out_text(t, v->method);
	out_int(t, (int64_t)v->n_train);
	out_int(t, (int64_t)v->n_test);
	out_real(t, v->size);
	out_real(t, v->covered);
	out_real(t, v->median);
	out_real(t, v->p90);
	out_real(t, v->bias);
	out_real(t, v->share_true);
}

enum err_code evaluate_print_rules(struct context *c, const struct mine_target *on,
				   const struct rule_evaluation *v, size_t n, struct err *e)
{
	struct out_table *t = new_table(c->format, rule_columns, COUNT(rule_columns));

	if (!t)
		return err_set(e, ERR_NOMEM, "the evaluation");
	for (size_t i = 0; i < n; i++) {
		put_pair(c->format, t, on);
		put_rule_evaluation(t, &v[i]);
	}
	return print_table(c, on, t, "rules mined from the rest, and followed", e);
}
