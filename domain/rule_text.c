#include "domain/rule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/expr.h"
#include "domain/rule_private.h"

/* The rule as people say it. Conditions and formulas are exact; what was measured about the rule is
 * rounded to what it is worth. */

static void put_rounded(double value, int digits, struct strbuf *out)
{
	strbuf_put_number(out, rule_round(value, digits));
}

/* 99.7 % of the cases are not all of them. */
static void put_percent(double share, struct strbuf *out)
{
	double percent = round(100 * share);

	strbuf_put_number(out, percent == 100 && share < 1 ? 99 : percent);
	strbuf_puts(out, " %");
}

/* "1.46x", "12.3x", "150x" */
static void put_times(double ratio, struct strbuf *out)
{
	strbuf_printf(out, ratio >= 99.95 ? "%.0f" : ratio >= 9.995 ? "%.1f" : "%.2f", ratio);
}

/* "1.46x (1.45-1.48)" */
static void put_ratio(double ratio, double lo, double hi, struct strbuf *out)
{
	put_times(ratio, out);
	strbuf_putc(out, 'x');
	if (!isfinite(lo) || !isfinite(hi))
		return;
	strbuf_puts(out, " (");
	put_times(lo, out);
	strbuf_putc(out, '-');
	put_times(hi, out);
	strbuf_putc(out, ')');
}

enum { MAX_AGAINST = 40 /* bytes: what is compared with, where it is told in a sentence */ };

/* "1.46x (1.45-1.48) the time of the best known for the same problem and processors; all else equal
 * alg = 'b' costs 1.30x (1.29-1.31) against alg = 'a'" */
static void put_choice(const struct rule *r, struct strbuf *out)
{
	const struct rule_evidence *v = &r->evidence;

	put_ratio(v->effect, v->lo, v->hi, out);
	strbuf_puts(out, " the time of the best known for the same problem and processors");
	for (size_t i = 0; i < r->n_cost; i++) {
		const struct rule_cost *cost = &r->cost[i];

		strbuf_printf(out, "%s %s costs ", i > 0 ? " and" : "; all else equal", cost->part);
		put_ratio(cost->ratio, cost->lo, cost->hi, out);
		strbuf_puts(out, cost->fitted ? " by a fit" : "");
		/* of many words the list is in `rules show` */
		if (strlen(cost->against) <= MAX_AGAINST)
			strbuf_printf(out, " against %s", cost->against);
	}
}

/* "mk between 5 and 10 and mmi = 3: within 3 % of the best in 91 % of cases" */
static void put_setting(const struct rule *r, struct strbuf *out)
{
	strbuf_puts(out, r->setting ? r->setting : "");
	strbuf_puts(out, ": within ");
	put_rounded(100 * r->within, 2, out);
	strbuf_puts(out, " % of the best");
	if (!isfinite(r->evidence.confidence))
		return;
	strbuf_puts(out, " in ");
	put_percent(rule_held_up(&r->evidence), out);
	strbuf_puts(out, " of cases");
}

/* "a divides b": of what is written with a remainder, in words besides. */
static void put_divides(const char *setting, struct strbuf *out)
{
	static const char power_of_two[] = RULE_POWER_OF_TWO " % ";
	const char *mod = strstr(setting, " % ");
	size_t len = strlen(setting), end = sizeof " = 0" - 1;

	if (!mod || len < end || strcmp(setting + len - end, " = 0") != 0)
		return;
	mod += 3;
	strbuf_puts(out, " (");
	strbuf_add(out, mod, (size_t)(setting + len - end - mod));
	if (strncmp(setting, power_of_two, sizeof power_of_two - 1) == 0) {
		strbuf_puts(out, " is a power of two)");
		return;
	}
	strbuf_puts(out, " divides ");
	strbuf_add(out, setting, (size_t)(mod - 3 - setting));
	strbuf_puts(out, ")");
}

/* "directions % dirsets = 0 (dirsets divides directions), in all 1587 runs" */
static void put_invariant(const struct rule *r, struct strbuf *out)
{
	const char *setting = r->setting ? r->setting : "";

	strbuf_puts(out, setting);
	put_divides(setting, out);
	strbuf_printf(out, ", in all %" PRId64 " runs", r->evidence.n_runs);
}

/* "time [s] = 0.031 * nang^0.97 * nodes^-0.92" */
static void put_formula(const struct rule *r, struct strbuf *out)
{
	strbuf_puts(out, r->on_model ? "time = " : "time [s] = ");
	strbuf_put_number(out, rule_round_coefficient(r->coefficient));
	for (size_t i = 0; i < r->n_term; i++) {
		double exponent = rule_round_exponent(r->term[i].exponent);

		strbuf_printf(out, " * %s", r->term[i].column);
		if (exponent == 1)
			continue;
		strbuf_putc(out, '^');
		strbuf_put_number(out, exponent);
	}
	if (r->on_model)
		strbuf_puts(out, " * (structural prediction)");
}

void rule_put_statement(const struct rule *r, struct strbuf *out)
{
	switch (r->kind) {
	case RULE_CHOICE:
		put_choice(r, out);
		break;
	case RULE_SETTING:
		put_setting(r, out);
		break;
	case RULE_TIME:
		put_formula(r, out);
		break;
	case RULE_INVARIANT:
		put_invariant(r, out);
		break;
	case RULE_KIND_COUNT:
		break;
	}
}

void rule_put_text(const struct rule *r, struct strbuf *out)
{
	if (r->condition && *r->condition)
		strbuf_printf(out, "if %s then ", r->condition);
	else
		strbuf_puts(out, "always: ");
	rule_put_statement(r, out);
}

static bool in_formula(const struct rule *r, const size_t *term_column, size_t i_column)
{
	for (size_t k = 0; k < r->n_term; k++) {
		if (term_column[k] == i_column)
			return true;
	}
	return false;
}

static void put_name(const char *name, struct strbuf *out)
{
	if (sql_name_needs_quotes(name))
		strbuf_put_sql_name(out, name);
	else
		strbuf_puts(out, name);
}

static void put_from(const struct application *a, struct strbuf *out)
{
	size_t size = strlen(a->name) + sizeof "run_";
	char *table = malloc(size);

	if (!table) {
		strbuf_fail(out);
		return;
	}
	application_table(a, table, size);
	strbuf_printf(out, " FROM %s", table); /* letters, digits and _ */
	free(table);
}

static void put_where(const struct rule *r, struct strbuf *out)
{
	strbuf_puts(out, " WHERE ");
	if (r->machine) {
		strbuf_puts(out, "machine_id = (SELECT machine_id FROM machine WHERE name = ");
		strbuf_put_sql(out, r->machine);
		strbuf_puts(out, " COLLATE NOCASE) AND ");
	}
	strbuf_puts(out, "source IN (");
	for (int s = 0; s < SOURCE_COUNT; s++) {
		strbuf_puts(out, s ? ", " : "");
		strbuf_put_sql(out, run_source_name((enum run_source)s));
	}
	strbuf_puts(out, ") AND status = ");
	strbuf_put_sql(out, run_status_name(RUN_OK));
	strbuf_puts(out, " AND flag IS NULL AND run_id NOT IN (SELECT run_id FROM exclusion)");
}

/* Besides the run's id: what the rule speaks about, and the time. */
static void put_select(const struct application *a, const struct rule *r,
		       const struct expr *condition, const struct expr *setting,
		       const size_t *term_column, struct strbuf *out)
{
	strbuf_puts(out, "SELECT run_id");
	for (size_t i = 0; i < a->n_columns; i++) {
		if ((condition && expr_uses(condition, i)) || (setting && expr_uses(setting, i)) ||
		    in_formula(r, term_column, i)) {
			strbuf_puts(out, ", ");
			put_name(a->column[i].name, out);
		}
	}
	strbuf_puts(out, ", wall_s");
}

enum err_code rule_put_sql(const struct application *a, const struct rule *r, struct strbuf *out,
			   struct err *e)
{
	struct expr *condition = NULL;
	struct expr *setting = NULL;
	size_t *term_column = calloc(r->n_term + 1, sizeof *term_column);
	enum err_code rc;

	if (!term_column)
		return err_set(e, ERR_NOMEM, "out of memory for the SQL of a rule");
	if ((rc = rule_compile_condition(a, r, &condition, e)) ||
	    (rc = rule_compile_setting(a, r, &setting, e)) ||
	    (rc = rule_find_terms(a, r, term_column, e)))
		goto done;
	put_select(a, r, condition, setting, term_column, out);
	put_from(a, out);
	put_where(r, out);
	if (condition) {
		strbuf_puts(out, " AND (");
		expr_put_sql(condition, out);
		strbuf_putc(out, ')');
	}
	if (out->failed)
		rc = err_set(e, ERR_NOMEM, "out of memory for the SQL of a rule");
done:
	expr_free(condition);
	expr_free(setting);
	free(term_column);
	return rc;
}
