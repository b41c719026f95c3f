#include "kb/kb_findings.h"

#include <stdlib.h>

#include "kb/kb_record.h"

/* ---- which field goes to which column ---- */

#define FIELD(column, type, field)                        \
	{                                                 \
		column, type, offsetof(struct ROW, field) \
	}

#define ROW data_profile
static const struct record_field profile_fields[] = {
	FIELD("n_runs", RECORD_INTEGER, n_runs),
	FIELD("n_configurations", RECORD_INTEGER, n_configurations),
	FIELD("n_problems", RECORD_INTEGER, n_problems),
	FIELD("n_cases", RECORD_INTEGER, n_cases),
	FIELD("n_failed", RECORD_INTEGER, n_failed),
	FIELD("n_timeout", RECORD_INTEGER, n_timeout),
	FIELD("n_flagged", RECORD_INTEGER, n_flagged),
	FIELD("n_aggregates", RECORD_INTEGER, n_aggregates),
	FIELD("n_repeated", RECORD_INTEGER, n_repeated),
	FIELD("noise", RECORD_REAL, noise),
	FIELD("noise_p90", RECORD_REAL, noise_p90),
	FIELD("n_outliers", RECORD_INTEGER, n_outliers),
	FIELD("n_regimes", RECORD_INTEGER, n_regimes),
	FIELD("regime_shift", RECORD_REAL, regime_shift),
	FIELD("design_coverage", RECORD_REAL, design_coverage),
	FIELD("remarks", RECORD_TEXT, remarks),
};
#undef ROW

#define ROW column_profile
static const struct record_field column_fields[] = {
	FIELD("column_name", RECORD_TEXT, column),
	FIELD("role", RECORD_TEXT, role),
	FIELD("n", RECORD_INTEGER, n),
	FIELD("n_missing", RECORD_INTEGER, n_missing),
	FIELD("n_levels", RECORD_INTEGER, n_levels),
	FIELD("value_min", RECORD_REAL, min),
	FIELD("value_q25", RECORD_REAL, q25),
	FIELD("value_median", RECORD_REAL, median),
	FIELD("value_q75", RECORD_REAL, q75),
	FIELD("value_max", RECORD_REAL, max),
	FIELD("levels", RECORD_TEXT, levels),
	FIELD("remark", RECORD_TEXT, remark),
};
#undef ROW

#define ROW column_effect
static const struct record_field effect_fields[] = {
	FIELD("column_name", RECORD_TEXT, column),  FIELD("time_rho", RECORD_REAL, time_rho),
	FIELD("time_lo", RECORD_REAL, time_lo),	    FIELD("time_hi", RECORD_REAL, time_hi),
	FIELD("time_p", RECORD_REAL, time_p),	    FIELD("slow_rho", RECORD_REAL, slow_rho),
	FIELD("slow_lo", RECORD_REAL, slow_lo),	    FIELD("slow_hi", RECORD_REAL, slow_hi),
	FIELD("slow_p", RECORD_REAL, slow_p),	    FIELD("effect", RECORD_REAL, effect),
	FIELD("effect_lo", RECORD_REAL, effect_lo), FIELD("effect_hi", RECORD_REAL, effect_hi),
	FIELD("best", RECORD_TEXT, best),	    FIELD("worst", RECORD_TEXT, worst),
};
#undef ROW

#define ROW column_interaction
static const struct record_field interaction_fields[] = {
	FIELD("column_a", RECORD_TEXT, a),  FIELD("column_b", RECORD_TEXT, b),
	FIELD("share", RECORD_REAL, share), FIELD("p", RECORD_REAL, p),
	FIELD("text", RECORD_TEXT, text),
};
#undef ROW

#define ROW hypothesis
static const struct record_field hypothesis_fields[] = {
	FIELD("attribute", RECORD_TEXT, attribute),
	FIELD("value", RECORD_TEXT, value),
	FIELD("n_sets", RECORD_INTEGER, n_sets),
	FIELD("n_agree", RECORD_INTEGER, n_agree),
	FIELD("confidence", RECORD_INTEGER, confidence),
	FIELD("gain", RECORD_REAL, gain),
	FIELD("gain_lo", RECORD_REAL, gain_lo),
	FIELD("gain_hi", RECORD_REAL, gain_hi),
	FIELD("p", RECORD_REAL, p),
};
#undef ROW

/* The choices of a ranking are rows of their own. */
#define ROW ranking
static const struct record_field ranking_fields[] = {
	FIELD("n_cases", RECORD_INTEGER, n_cases),
	FIELD("chi2", RECORD_REAL, chi2),
	FIELD("p", RECORD_REAL, p),
	FIELD("alpha", RECORD_REAL, alpha),
};
#undef ROW

#define ROW ranked_choice
static const struct record_field choice_fields[] = {
	FIELD("choice", RECORD_TEXT, choice),
	FIELD("rank_sum", RECORD_REAL, rank_sum),
	FIELD("mean_rank", RECORD_REAL, mean_rank),
	FIELD("ties", RECORD_TEXT, ties),
};
#undef ROW

static const struct record_table profiles = {.name = "data_profile",
					     .single = true,
					     .size = sizeof(struct data_profile),
					     RECORD_FIELDS(profile_fields)};
static const struct record_table columns = {.name = "column_profile",
					    .size = sizeof(struct column_profile),
					    RECORD_FIELDS(column_fields)};
static const struct record_table effects = {.name = "column_effect",
					    .size = sizeof(struct column_effect),
					    RECORD_FIELDS(effect_fields)};
static const struct record_table interactions = {.name = "column_interaction",
						 .size = sizeof(struct column_interaction),
						 RECORD_FIELDS(interaction_fields)};
static const struct record_table hypotheses = {
	.name = "hypothesis", .size = sizeof(struct hypothesis), RECORD_FIELDS(hypothesis_fields)};
static const struct record_table rankings = {.name = "ranking",
					     .single = true,
					     .size = sizeof(struct ranking),
					     RECORD_FIELDS(ranking_fields)};
static const struct record_table choices = {.name = "ranked_choice",
					    .size = sizeof(struct ranked_choice),
					    RECORD_FIELDS(choice_fields)};

/* ---- all tables alike ---- */

enum { N_PARTS = 7 };

/* The rows of each table, where a struct findings holds them. */
struct part {
	const struct record_table *table;
	const void *rows;
	size_t n;
};

static void list_parts(const struct findings *f, struct part out[N_PARTS])
{
	const struct part parts[N_PARTS] = {
		{&profiles, &f->profile, 1},
		{&columns, f->column, f->n_columns},
		{&effects, f->effect, f->n_effects},
		{&interactions, f->interaction, f->n_interactions},
		{&hypotheses, f->hypothesis, f->n_hypotheses},
		{&rankings, &f->ranking, 1},
		{&choices, f->ranking.choice, f->ranking.n_choices},
	};

	for (size_t i = 0; i < N_PARTS; i++)
		out[i] = parts[i];
}

enum err_code findings_put(struct kb *kb, int64_t rule_set_id, const struct findings *f,
			   struct err *e)
{
	struct part part[N_PARTS];
	enum err_code rc = ERR_OK;

	list_parts(f, part);
	for (size_t i = 0; !rc && i < N_PARTS; i++)
		rc = record_put(kb, part[i].table, rule_set_id, part[i].rows, part[i].n, e);
	return rc;
}

enum err_code findings_compare(struct kb *kb, int64_t rule_set_id, const struct findings *f,
			       bool *same, struct err *e)
{
	struct part part[N_PARTS];
	enum err_code rc = ERR_OK;

	list_parts(f, part);
	for (size_t i = 0; !rc && *same && i < N_PARTS; i++)
		rc = record_compare(kb, part[i].table, rule_set_id, part[i].rows, part[i].n, same,
				    e);
	return rc;
}

void findings_digest(const struct findings *f, struct digest *d)
{
	struct part part[N_PARTS];

	list_parts(f, part);
	for (size_t i = 0; i < N_PARTS; i++)
		record_digest(part[i].table, part[i].rows, part[i].n, d);
}

/* ---- reading ---- */

static enum err_code get_profile(struct kb *kb, int64_t rule_set_id, struct findings *f,
				 struct err *e)
{
	void *rows;
	size_t n;
	enum err_code rc = record_get(kb, &profiles, rule_set_id, &rows, &n, e);

	if (rc)
		return rc;
	if (n > 0)
		f->profile = *(struct data_profile *)rows;
	free(rows);
	return ERR_OK;
}

static enum err_code get_ranking(struct kb *kb, int64_t rule_set_id, struct findings *f,
				 struct err *e)
{
	void *rows;
	size_t n;
	enum err_code rc = record_get(kb, &rankings, rule_set_id, &rows, &n, e);

	if (rc)
		return rc;
	if (n > 0)
		f->ranking = *(struct ranking *)rows;
	free(rows);
	if (!(rc = record_get(kb, &choices, rule_set_id, &rows, &n, e))) {
		f->ranking.choice = rows;
		f->ranking.n_choices = n;
	}
	return rc;
}

static enum err_code get_columns(struct kb *kb, int64_t rule_set_id, struct findings *f,
				 struct err *e)
{
	void *rows;
	enum err_code rc = record_get(kb, &columns, rule_set_id, &rows, &f->n_columns, e);

	if (rc)
		return rc;
	f->column = rows;
	if ((rc = record_get(kb, &effects, rule_set_id, &rows, &f->n_effects, e)))
		return rc;
	f->effect = rows;
	if ((rc = record_get(kb, &interactions, rule_set_id, &rows, &f->n_interactions, e)))
		return rc;
	f->interaction = rows;
	if ((rc = record_get(kb, &hypotheses, rule_set_id, &rows, &f->n_hypotheses, e)))
		return rc;
	f->hypothesis = rows;
	return ERR_OK;
}

enum err_code findings_get(struct kb *kb, int64_t rule_set_id, struct findings *out, struct err *e)
{
	struct findings f = {0};
	enum err_code rc;

	if ((rc = get_profile(kb, rule_set_id, &f, e)) ||
	    (rc = get_columns(kb, rule_set_id, &f, e)) ||
	    (rc = get_ranking(kb, rule_set_id, &f, e))) {
		findings_release(&f);
		return rc;
	}
	*out = f;
	return ERR_OK;
}
