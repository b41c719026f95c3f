#include "cli/rules/finding_tables.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct out_column profile_columns[] = {
	{"runs", NULL, OUT_INT},
	{"configurations", NULL, OUT_INT},
	{"problems", NULL, OUT_INT},
	{"cases", NULL, OUT_INT},
	{"failed", NULL, OUT_INT},
	{"timeouts", NULL, OUT_INT},
	{"flagged", NULL, OUT_INT},
	{"aggregates", NULL, OUT_INT},
	{"repeated", "repeated configurations", OUT_INT},
	{"noise", "noise of repeats", OUT_PERCENT},
	{"noise_p90", "noise of the worst tenth", OUT_PERCENT},
	{"outliers", NULL, OUT_INT},
	{"regimes", "regimes in time", OUT_INT},
	{"regime_shift", "largest shift between them", OUT_REAL},
	{"design_coverage", "combinations run", OUT_PERCENT},
	{"remarks", NULL, OUT_TEXT},
};
/* remarks are several lines: people read them below the record */
enum { PROFILE_FOR_PEOPLE = COUNT(profile_columns) - 1 };
static const struct out_column column_columns[] = {
	{"column", NULL, OUT_TEXT},
	{"role", NULL, OUT_TEXT},
	{"n", NULL, OUT_INT},
	{"n_missing", "missing", OUT_INT},
	{"n_levels", "levels", OUT_INT},
	{"min", NULL, OUT_REAL},
	{"q25", NULL, OUT_REAL},
	{"median", NULL, OUT_REAL},
	{"q75", NULL, OUT_REAL},
	{"max", NULL, OUT_REAL},
	{"level_counts", "most frequent", OUT_TEXT},
	{"remark", NULL, OUT_TEXT},
};
static const struct out_column effect_columns[] = {
	{"column", NULL, OUT_TEXT},	 {"time_rho", "with time", OUT_REAL},
	{"time_lo", "from", OUT_REAL},	 {"time_hi", "to", OUT_REAL},
	{"time_p", "p", OUT_REAL},	 {"slow_rho", "with slow-down", OUT_REAL},
	{"slow_lo", "from", OUT_REAL},	 {"slow_hi", "to", OUT_REAL},
	{"slow_p", "p", OUT_REAL},	 {"effect", "worst/best", OUT_REAL},
	{"effect_lo", "from", OUT_REAL}, {"effect_hi", "to", OUT_REAL},
	{"best", NULL, OUT_TEXT},	 {"worst", NULL, OUT_TEXT},
};
static const struct out_column interaction_columns[] = {
	{"a", NULL, OUT_TEXT},
	{"b", NULL, OUT_TEXT},
	{"share", "share of variance", OUT_PERCENT},
	{"p", NULL, OUT_REAL},
	{"text", "how", OUT_TEXT},
};
static const struct out_column hypothesis_columns[] = {
	{"attribute", NULL, OUT_TEXT}, {"value", "best value", OUT_TEXT},
	{"n_sets", "sets", OUT_INT},   {"n_agree", "agree", OUT_INT},
	{"confidence", NULL, OUT_INT}, {"gain", NULL, OUT_REAL},
	{"gain_lo", "from", OUT_REAL}, {"gain_hi", "to", OUT_REAL},
	{"p", NULL, OUT_REAL},
};
static const struct out_column ranking_columns[] = {
	{"choice", NULL, OUT_TEXT},
	{"mean_rank", "mean rank", OUT_REAL},
	{"rank_sum", "rank sum", OUT_REAL},
	{"ties", NULL, OUT_TEXT},
};

struct out_table *finding_profile_table(const struct data_profile *p, bool for_people)
{
	struct out_table *t = out_table_new(profile_columns, for_people ? PROFILE_FOR_PEOPLE
									: COUNT(profile_columns));

	if (!t)
		return NULL;
	out_int(t, p->n_runs);
	out_int(t, p->n_configurations);
	out_int(t, p->n_problems);
	out_int(t, p->n_cases);
	out_int(t, p->n_failed);
	out_int(t, p->n_timeout);
	out_int(t, p->n_flagged);
	out_int(t, p->n_aggregates);
	out_int(t, p->n_repeated);
	out_real(t, p->noise);
	out_real(t, p->noise_p90);
	out_int(t, p->n_outliers);
	out_int(t, p->n_regimes);
	out_real(t, p->regime_shift);
	out_real(t, p->design_coverage);
	if (!for_people)
		out_text(t, p->remarks);
	return t;
}

/* NULL for "": nothing to say. */
static const char *said(const char *text)
{
	return text && *text ? text : NULL;
}

struct out_table *finding_column_table(const struct findings *f)
{
	struct out_table *t = out_table_new(column_columns, COUNT(column_columns));

	for (size_t i = 0; t && i < f->n_columns; i++) {
		const struct column_profile *p = &f->column[i];

		out_text(t, p->column);
		out_text(t, p->role);
		out_int(t, p->n);
		out_int(t, p->n_missing);
		out_int(t, p->n_levels);
		out_real(t, p->min);
		out_real(t, p->q25);
		out_real(t, p->median);
		out_real(t, p->q75);
		out_real(t, p->max);
		out_text(t, said(p->levels));
		out_text(t, said(p->remark));
	}
	return t;
}

struct out_table *finding_effect_table(const struct findings *f)
{
	struct out_table *t = out_table_new(effect_columns, COUNT(effect_columns));

	for (size_t i = 0; t && i < f->n_effects; i++) {
		const struct column_effect *x = &f->effect[i];
		const double value[] = {x->time_rho, x->time_lo,   x->time_hi,	x->time_p,
					x->slow_rho, x->slow_lo,   x->slow_hi,	x->slow_p,
					x->effect,   x->effect_lo, x->effect_hi};

		out_text(t, x->column);
		for (size_t j = 0; j < COUNT(value); j++)
			out_real(t, value[j]);
		out_text(t, said(x->best));
		out_text(t, said(x->worst));
	}
	return t;
}

struct out_table *finding_interaction_table(const struct findings *f)
{
	struct out_table *t = out_table_new(interaction_columns, COUNT(interaction_columns));

	for (size_t i = 0; t && i < f->n_interactions; i++) {
		const struct column_interaction *x = &f->interaction[i];

		out_text(t, x->a);
		out_text(t, x->b);
		out_real(t, x->share);
		out_real(t, x->p);
		out_text(t, said(x->text));
	}
	return t;
}

struct out_table *finding_hypothesis_table(const struct findings *f)
{
	struct out_table *t = out_table_new(hypothesis_columns, COUNT(hypothesis_columns));

	for (size_t i = 0; t && i < f->n_hypotheses; i++) {
		const struct hypothesis *h = &f->hypothesis[i];

		out_text(t, h->attribute);
		out_text(t, h->value);
		out_int(t, h->n_sets);
		out_int(t, h->n_agree);
		out_int(t, h->confidence);
		out_real(t, h->gain);
		out_real(t, h->gain_lo);
		out_real(t, h->gain_hi);
		out_real(t, h->p);
	}
	return t;
}

struct out_table *finding_ranking_table(const struct findings *f)
{
	struct out_table *t = out_table_new(ranking_columns, COUNT(ranking_columns));

	for (size_t i = 0; t && i < f->ranking.n_choices; i++) {
		const struct ranked_choice *x = &f->ranking.choice[i];

		out_text(t, x->choice);
		out_real(t, x->mean_rank);
		out_real(t, x->rank_sum);
		out_text(t, said(x->ties));
	}
	return t;
}
