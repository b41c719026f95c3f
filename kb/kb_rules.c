#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

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
struct findings_part {
	const struct record_table *table;
	const void *rows;
	size_t n;
};

static void list_parts(const struct findings *f, struct findings_part out[N_PARTS])
{
	const struct findings_part parts[N_PARTS] = {
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

/* The findings of a rule set, which has none yet when they are put. */
static enum err_code findings_put(struct kb *kb, int64_t rule_set_id, const struct findings *f,
				  struct err *e)
{
	struct findings_part part[N_PARTS];
	enum err_code rc = ERR_OK;

	list_parts(f, part);
	for (size_t i = 0; !rc && i < N_PARTS; i++)
		rc = record_put(kb, part[i].table, rule_set_id, part[i].rows, part[i].n, e);
	return rc;
}

/* *same becomes false unless exactly these are stored. */
static enum err_code findings_compare(struct kb *kb, int64_t rule_set_id, const struct findings *f,
				      bool *same, struct err *e)
{
	struct findings_part part[N_PARTS];
	enum err_code rc = ERR_OK;

	list_parts(f, part);
	for (size_t i = 0; !rc && *same && i < N_PARTS; i++)
		rc = record_compare(kb, part[i].table, rule_set_id, part[i].rows, part[i].n, same,
				    e);
	return rc;
}

static void findings_digest(const struct findings *f, struct digest *d)
{
	struct findings_part part[N_PARTS];

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

/* The caller's, to be given to findings_release(). */
static enum err_code findings_get(struct kb *kb, int64_t rule_set_id, struct findings *out,
				  struct err *e)
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

void kb_rules_release(struct kb_rules *r)
{
	rule_list_release(&r->rules);
	findings_release(&r->findings);
	*r = (struct kb_rules){0};
}

/* ---- rules as rows ---- */

/* Its text stands beside a rule for people who read the table; we make it anew from the rule. */
struct rule_row {
	struct rule rule;
	char *text;
};

#define RULE(column, type, field)                                   \
	{                                                           \
		column, type, offsetof(struct rule_row, rule.field) \
	}
#define EVIDENCE(column, type, field) RULE(column, type, evidence.field)

static const struct record_field rule_fields[] = {
	RULE("rule_id", RECORD_RULE_ID, id),
	RULE("kind", RECORD_RULE_KIND, kind),
	RULE("machine", RECORD_OPTIONAL, machine),
	RULE("condition", RECORD_TEXT, condition),
	RULE("setting", RECORD_OPTIONAL, setting),
	RULE("within", RECORD_REAL, within),
	{"text", RECORD_TEXT, offsetof(struct rule_row, text)},
	RULE("on_model", RECORD_FLAG, on_model),
	RULE("coefficient", RECORD_REAL, coefficient),
	RULE("formula_min", RECORD_REAL, min),
	RULE("formula_max", RECORD_REAL, max),
	RULE("weight", RECORD_REAL, weight),
	EVIDENCE("n_runs", RECORD_INTEGER, n_runs),
	EVIDENCE("n_configurations", RECORD_INTEGER, n_configurations),
	EVIDENCE("n_cases", RECORD_INTEGER, n_cases),
	EVIDENCE("n_problems", RECORD_INTEGER, n_problems),
	EVIDENCE("n_machines", RECORD_INTEGER, n_machines),
	EVIDENCE("n_measured", RECORD_INTEGER, n_source[SOURCE_MEASURED]),
	EVIDENCE("n_simulated", RECORD_INTEGER, n_source[SOURCE_SIMULATED]),
	EVIDENCE("n_modelled", RECORD_INTEGER, n_source[SOURCE_MODELLED]),
	EVIDENCE("coverage", RECORD_REAL, coverage),
	EVIDENCE("effect", RECORD_REAL, effect),
	EVIDENCE("effect_lo", RECORD_REAL, lo),
	EVIDENCE("effect_hi", RECORD_REAL, hi),
	EVIDENCE("versus_others", RECORD_REAL, versus_others),
	EVIDENCE("confidence", RECORD_REAL, confidence),
	EVIDENCE("p_value", RECORD_REAL, p_value),
	EVIDENCE("held_out_error", RECORD_REAL, held_out_error),
	EVIDENCE("usefulness", RECORD_REAL, usefulness),
	RULE("overlaps", RECORD_RULE_ID_MAYBE, overlaps),
	RULE("overlap", RECORD_REAL, overlap),
	RULE("covers", RECORD_OPTIONAL, covers),
	RULE("caveat", RECORD_OPTIONAL, caveat),
	RULE("twin_of", RECORD_RULE_ID_MAYBE, twin_of),
	EVIDENCE("n_checked", RECORD_INTEGER, n_checked),
	EVIDENCE("n_counter", RECORD_INTEGER, n_counter),
};
static const struct record_table rule_table = {
	.name = "rule", .size = sizeof(struct rule_row), RECORD_FIELDS(rule_fields)};

/* The terms of all rules of a set, in the rules' order. */
struct term_row {
	char rule_id[RULE_ID_SIZE];
	char *column;
	double exponent;
};

static const struct record_field term_fields[] = {
	{"rule_id", RECORD_RULE_ID, offsetof(struct term_row, rule_id)},
	{"column_name", RECORD_TEXT, offsetof(struct term_row, column)},
	{"exponent", RECORD_REAL, offsetof(struct term_row, exponent)},
};
static const struct record_table term_table = {
	.name = "rule_term", .size = sizeof(struct term_row), RECORD_FIELDS(term_fields)};

/* The costs of all rules of a set, likewise. */
struct cost_row {
	char rule_id[RULE_ID_SIZE];
	struct rule_cost cost;
};

static const struct record_field cost_fields[] = {
	{"rule_id", RECORD_RULE_ID, offsetof(struct cost_row, rule_id)},
	{"part", RECORD_TEXT, offsetof(struct cost_row, cost.part)},
	{"against", RECORD_TEXT, offsetof(struct cost_row, cost.against)},
	{"cost", RECORD_REAL, offsetof(struct cost_row, cost.ratio)},
	{"cost_lo", RECORD_REAL, offsetof(struct cost_row, cost.lo)},
	{"cost_hi", RECORD_REAL, offsetof(struct cost_row, cost.hi)},
	{"n_sets", RECORD_INTEGER, offsetof(struct cost_row, cost.n_sets)},
	{"n_problems", RECORD_INTEGER, offsetof(struct cost_row, cost.n_problems)},
	{"fitted", RECORD_FLAG, offsetof(struct cost_row, cost.fitted)},
};
static const struct record_table cost_table = {
	.name = "rule_cost", .size = sizeof(struct cost_row), RECORD_FIELDS(cost_fields)};

/* A rule list as the rows of these tables. All but the texts of rules is borrowed from the list. */
struct rows {
	struct rule_row *rule;
	size_t n_rules;
	struct term_row *term;
	size_t n_terms;
	struct cost_row *cost;
	size_t n_costs;
};

static void rows_release(struct rows *r)
{
	for (size_t i = 0; i < r->n_rules; i++)
		free(r->rule[i].text);
	free(r->rule);
	free(r->term);
	free(r->cost);
	*r = (struct rows){0};
}

static enum err_code rule_to_row(const struct rule *rule, struct rows *r, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct rule_row *row = &r->rule[r->n_rules++];
	enum err_code rc;

	*row = (struct rule_row){.rule = *rule};
	rule_put_text(rule, &text);
	rc = text.failed ? err_set(e, ERR_NOMEM, "text of rule %s", rule->id)
			 : kb_dup(strbuf_text(&text), &row->text, e);
	strbuf_release(&text);
	for (size_t i = 0; i < rule->n_term; i++) {
		struct term_row *term = &r->term[r->n_terms++];

		memcpy(term->rule_id, rule->id, sizeof term->rule_id);
		term->column = rule->term[i].column;
		term->exponent = rule->term[i].exponent;
	}
	for (size_t i = 0; i < rule->n_cost; i++) {
		struct cost_row *cost = &r->cost[r->n_costs++];

		memcpy(cost->rule_id, rule->id, sizeof cost->rule_id);
		cost->cost = rule->cost[i];
	}
	return rc;
}

static enum err_code rows_of(const struct rule_list *l, struct rows *out, struct err *e)
{
	struct rows r = {0};
	size_t n_terms = 0, n_costs = 0;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < l->n; i++) {
		n_terms += l->item[i].n_term;
		n_costs += l->item[i].n_cost;
	}
	r.rule = calloc(l->n + 1, sizeof *r.rule);
	r.term = calloc(n_terms + 1, sizeof *r.term);
	r.cost = calloc(n_costs + 1, sizeof *r.cost);
	if (!r.rule || !r.term || !r.cost)
		rc = err_set(e, ERR_NOMEM, "%zu rules", l->n);
	for (size_t i = 0; !rc && i < l->n; i++)
		rc = rule_to_row(&l->item[i], &r, e);
	if (rc)
		rows_release(&r);
	else
		*out = r;
	return rc;
}

/* ---- reading ---- */

/* What a rule set's digest begins with; then come its tables. */
static void digest_header(struct digest *d, const char *snapshot, int64_t version)
{
	content_put_text(d, snapshot);
	content_put_integer(d, version);
}

/* *id: 0 when nothing was mined for this target. *sha256: NULL when it has none. */
static enum err_code get_header(struct kb *kb, int64_t app_id, int64_t machine_id, int64_t *id,
				struct kb_rules *out, char **sha256, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e,
			       "SELECT rule_set_id, snapshot, version, sha256 FROM rule_set "
			       "WHERE application_id = ?1 AND ifnull(machine_id, 0) = ?2",
			       "ii", app_id, machine_id);

	*id = 0;
	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		*id = sqlite3_column_int64(s, 0);
		strncpy(out->snapshot, kb_sql_text(s, 1), sizeof out->snapshot - 1);
		out->version = sqlite3_column_int64(s, 2);
		rc = kb_sql_dup_or_null(s, 3, sha256, e);
	}
	sqlite3_finalize(s);
	return rc;
}

/* Rules and terms stand in the same order, so the rule of a term is this one or a later one. */
static enum err_code get_terms(struct kb *kb, int64_t id, struct rule_list *l, struct digest *d,
			       struct err *e)
{
	void *rows = NULL;
	struct term_row *term;
	size_t n = 0;
	size_t i_rule = 0;
	enum err_code rc = record_get(kb, &term_table, id, &rows, &n, e);

	term = rows;
	record_digest(&term_table, term, n, d);
	for (size_t i = 0; !rc && i < n; i++) {
		while (i_rule < l->n && strcmp(l->item[i_rule].id, term[i].rule_id) != 0)
			i_rule++;
		rc = i_rule < l->n
			     ? rule_add_term(&l->item[i_rule], term[i].column, term[i].exponent, e)
			     : err_set(e, ERR_KB,
				       "the terms of rule %s are not in the order of the "
				       "rules: run `lemnos mine`",
				       term[i].rule_id);
	}
	for (size_t i = 0; i < n; i++)
		free(term[i].column);
	free(term);
	return rc;
}

static enum err_code get_costs(struct kb *kb, int64_t id, struct rule_list *l, struct digest *d,
			       struct err *e)
{
	void *rows = NULL;
	struct cost_row *cost;
	size_t n = 0;
	size_t i_rule = 0;
	enum err_code rc = record_get(kb, &cost_table, id, &rows, &n, e);

	cost = rows;
	record_digest(&cost_table, cost, n, d);
	for (size_t i = 0; i < n; i++) {
		while (!rc && i_rule < l->n && strcmp(l->item[i_rule].id, cost[i].rule_id) != 0)
			i_rule++;
		if (!rc && i_rule == l->n)
			rc = err_set(e, ERR_KB,
				     "the costs of rule %s are not in the order of the rules: run "
				     "`lemnos mine`",
				     cost[i].rule_id);
		if (!rc)
			rc = rule_add_cost(&l->item[i_rule], &cost[i].cost, e);
		else
			rule_cost_release(&cost[i].cost);
	}
	free(cost);
	return rc;
}

static enum err_code get_list(struct kb *kb, int64_t id, struct rule_list *out, struct digest *d,
			      struct err *e)
{
	void *rows = NULL;
	struct rule_row *row;
	size_t n = 0;
	enum err_code rc = record_get(kb, &rule_table, id, &rows, &n, e);

	row = rows;
	record_digest(&rule_table, row, n, d);
	for (size_t i = 0; i < n; i++) {
		free(row[i].text);
		if (!rc)
			rc = rule_list_add(out, &row[i].rule, e);
		else
			rule_release(&row[i].rule);
	}
	free(row);
	if (rc || (rc = get_terms(kb, id, out, d, e)))
		return rc;
	return get_costs(kb, id, out, d, e);
}

/* All that belongs to a header; d has begun. */
static enum err_code get_content(struct kb *kb, int64_t id, const char *sha256, struct digest *d,
				 struct kb_rules *r, struct err *e)
{
	enum err_code rc;

	digest_header(d, r->snapshot, r->version);
	if ((rc = get_list(kb, id, &r->rules, d, e)) ||
	    (rc = findings_get(kb, id, &r->findings, e)))
		return rc;
	findings_digest(&r->findings, d);
	return content_check(d, sha256, "a set of rules", e);
}

static enum err_code get_rules(struct kb *kb, int64_t app_id, int64_t machine_id,
			       struct kb_rules *out, struct err *e)
{
	struct kb_rules r = {0};
	struct digest *d = digest_new();
	char *sha256 = NULL;
	int64_t id = 0;
	enum err_code rc = d ? get_header(kb, app_id, machine_id, &id, &r, &sha256, e)
			     : err_set(e, ERR_NOMEM, "a digest of rules");

	if (!rc && id == 0)
		rc = err_set(e, ERR_NOTMINED,
			     "%s knows no rules yet for this application on %s: run `lemnos mine`",
			     kb_path(kb), machine_id ? "this machine" : "all machines");
	if (!rc)
		rc = get_content(kb, id, sha256, d, &r, e);
	free(sha256);
	digest_free(d);
	if (rc)
		kb_rules_release(&r);
	else
		*out = r;
	return rc;
}

enum err_code kb_get_rules(struct kb *kb, int64_t app_id, int64_t machine_id, struct kb_rules *out,
			   struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	rc = get_rules(kb, app_id, machine_id, out, e);
	kb_own_end_read(kb, own);
	return rc;
}

/* ---- writing ---- */

static enum err_code digest_set(const struct kb_rules *in, const struct rows *rows,
				char hex[DIGEST_HEX_SIZE], struct err *e)
{
	struct digest *d = digest_new();

	if (!d)
		return err_set(e, ERR_NOMEM, "a digest of rules");
	digest_header(d, in->snapshot, in->version);
	record_digest(&rule_table, rows->rule, rows->n_rules, d);
	record_digest(&term_table, rows->term, rows->n_terms, d);
	record_digest(&cost_table, rows->cost, rows->n_costs, d);
	findings_digest(&in->findings, d);
	digest_final(d, hex);
	digest_free(d);
	return ERR_OK;
}

static enum err_code compare_set(struct kb *kb, int64_t id, const struct kb_rules *in,
				 const struct rows *rows, bool *same, struct err *e)
{
	enum err_code rc;

	if ((rc = record_compare(kb, &rule_table, id, rows->rule, rows->n_rules, same, e)) ||
	    (rc = record_compare(kb, &term_table, id, rows->term, rows->n_terms, same, e)) ||
	    (rc = record_compare(kb, &cost_table, id, rows->cost, rows->n_costs, same, e)))
		return rc;
	return findings_compare(kb, id, &in->findings, same, e);
}

/* Is exactly this stored already? */
static enum err_code is_stored(struct kb *kb, int64_t app_id, int64_t machine_id,
			       const struct kb_rules *in, const struct rows *rows,
			       const char *sha256, bool *same, struct err *e)
{
	int64_t id = 0;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_get_int64(kb, &id, e,
			      "SELECT rule_set_id FROM rule_set WHERE application_id = ?1 AND "
			      "ifnull(machine_id, 0) = ?2 AND snapshot = ?3 AND version = ?4 AND "
			      "sha256 = ?5",
			      "iitit", app_id, machine_id, in->snapshot, in->version, sha256);
	*same = id != 0;
	if (!rc && *same)
		rc = compare_set(kb, id, in, rows, same, e);
	kb_own_end_read(kb, own);
	return rc;
}

static enum err_code drop_rules(struct kb *kb, int64_t app_id, int64_t machine_id, struct err *e)
{
	return kb_sql_run(kb, e,
			  "DELETE FROM rule_set "
			  "WHERE application_id = ?1 AND ifnull(machine_id, 0) = ?2",
			  "ii", app_id, machine_id);
}

static enum err_code replace_rules(struct kb *kb, int64_t app_id, int64_t machine_id,
				   const struct kb_rules *in, const struct rows *rows,
				   const char *sha256, struct err *e)
{
	int64_t id;
	enum err_code rc;

	if ((rc = drop_rules(kb, app_id, machine_id, e)) ||
	    (rc = kb_sql_run(kb, e,
			     "INSERT INTO rule_set (application_id, machine_id, snapshot, version, "
			     "sha256) VALUES (?1, nullif(?2, 0), ?3, ?4, ?5)",
			     "iitit", app_id, machine_id, in->snapshot, in->version, sha256)))
		return rc;
	id = sqlite3_last_insert_rowid(kb->db);
	if ((rc = record_put(kb, &rule_table, id, rows->rule, rows->n_rules, e)) ||
	    (rc = record_put(kb, &term_table, id, rows->term, rows->n_terms, e)) ||
	    (rc = record_put(kb, &cost_table, id, rows->cost, rows->n_costs, e)))
		return rc;
	return findings_put(kb, id, &in->findings, e);
}

enum err_code kb_put_rules(struct kb *kb, int64_t app_id, int64_t machine_id,
			   const struct kb_rules *in, struct err *e)
{
	struct rows rows = {0};
	char sha256[DIGEST_HEX_SIZE];
	bool same = false;
	bool own;
	enum err_code rc;

	if ((rc = rows_of(&in->rules, &rows, e)) || (rc = digest_set(in, &rows, sha256, e)) ||
	    (rc = is_stored(kb, app_id, machine_id, in, &rows, sha256, &same, e)) || same ||
	    (rc = kb_own_begin(kb, &own, e)))
		goto done;
	rc = kb_own_end(kb, own, replace_rules(kb, app_id, machine_id, in, &rows, sha256, e), e);
done:
	rows_release(&rows);
	return rc;
}

enum err_code kb_drop_rules(struct kb *kb, int64_t app_id, int64_t machine_id, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	return rc ? rc : kb_own_end(kb, own, drop_rules(kb, app_id, machine_id, e), e);
}
