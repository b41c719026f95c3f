#include <inttypes.h>

#include <jansson.h>

#include "cli/rules/finding_tables.h"
#include "cli/rules/rule_effects.h"
#include "cli/rules/rules_actions.h"

/* What mining found out about the runs besides rules. */

/* One answer of two tables: CSV holds the first only; JSON both, under their names. */
struct pair_of_tables {
	struct out_table *first, *second; /* second may be NULL where has_second is false */
	const char *first_name, *second_name;
	bool first_is_record, has_second;
};

static enum err_code print_pair_json(const struct context *c, const struct pair_of_tables *p,
				     json_t *answer, struct err *e)
{
	json_t *first = out_table_json(p->first);
	json_t *value = p->first_is_record ? json_array_get(first, 0) : first;
	enum err_code rc = ERR_OK;

	if (json_object_set(answer, p->first_name, value) ||
	    (p->has_second &&
	     json_object_set_new(answer, p->second_name, out_table_json(p->second))))
		rc = err_set(e, ERR_NOMEM, "the %s as JSON", p->first_name);
	else
		rc = out_json(answer, c->out, e);
	json_decref(first);
	return rc;
}

static enum err_code print_pair(const struct context *c, const struct pair_of_tables *p,
				struct err *e)
{
	json_t *answer;
	enum err_code rc;

	if (!p->first || (p->has_second && !p->second))
		return err_set(e, ERR_NOMEM, "the %s", p->first_name);
	if (c->format == FORMAT_JSON) {
		answer = out_json_answer();
		rc = print_pair_json(c, p, answer, e);
		json_decref(answer);
		return rc;
	}
	rc = p->first_is_record ? out_record_print(p->first, c->format, p->first_name, c->out, e)
				: out_table_print(p->first, c->format, p->first_name, c->out, e);
	if (rc || c->format == FORMAT_CSV || !p->has_second || out_table_rows(p->second) == 0)
		return rc;
	fputc('\n', c->out);
	return out_table_print(p->second, FORMAT_TABLE, p->second_name, c->out, e);
}

/* Load the book, and have its findings printed. */
static enum err_code
print_findings(struct context *c,
	       enum err_code (*print)(struct context *c, const struct rule_book *b, struct err *e),
	       struct err *e)
{
	struct rule_book b = {0};
	enum err_code rc;

	if (!(rc = rules_table_format(c, e)) && !(rc = rule_book_open(c, &b, e))) {
		rule_book_warn_stale(c, &b);
		rc = print(c, &b, e);
	}
	rule_book_release(&b);
	return rc;
}

static void say_nothing_found(const struct context *c, const struct rule_book *b, size_t n,
			      const char *why)
{
	if (n == 0)
		context_note(c, "the runs of %s on %s %s", b->app->name, b->machine->name, why);
}

static void print_remarks(const struct context *c, const char *remarks)
{
	struct strbuf safe = STRBUF_INIT;

	if (remarks && *remarks) {
		text_put_safe(&safe, remarks, true);
		fprintf(c->out, "\n%s%s", strbuf_text(&safe),
			strbuf_text(&safe)[safe.len - 1] == '\n' ? "" : "\n");
	}
	strbuf_release(&safe);
}

/* The columns are what scripts want of a profile; its own record is in the JSON. */
static enum err_code print_profile(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	struct pair_of_tables p = {
		.first = finding_profile_table(&f->profile, c->format == FORMAT_TABLE),
		.first_name = "profile",
		.first_is_record = true,
		.second = finding_column_table(f),
		.second_name = "columns",
		.has_second = true};
	enum err_code rc;

	if (c->format == FORMAT_CSV && p.second)
		rc = out_table_print(p.second, FORMAT_CSV, "columns", c->out, e);
	else
		rc = print_pair(c, &p, e);
	if (!rc && c->format == FORMAT_TABLE)
		print_remarks(c, f->profile.remarks);
	out_table_free(p.first);
	out_table_free(p.second);
	return rc;
}

enum err_code rules_profile_run(struct context *c, struct err *e)
{
	return print_findings(c, print_profile, e);
}

static enum err_code print_effects_brief(struct context *c, const struct findings *f, struct err *e)
{
	struct out_table *t = rule_effects_brief(f);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_interactions(f, &text);
	if (!t || text.failed)
		rc = err_set(e, ERR_NOMEM, "the effects");
	else if (!(rc = out_table_print(t, FORMAT_TABLE, "effects", c->out, e)))
		fputs(strbuf_text(&text), c->out);
	out_table_free(t);
	strbuf_release(&text);
	return rc;
}

static enum err_code print_effects(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	struct pair_of_tables p = {.first = finding_effect_table(f),
				   .first_name = "effects",
				   .second = finding_interaction_table(f),
				   .second_name = "interactions",
				   .has_second = true};
	enum err_code rc =
		c->format == FORMAT_TABLE ? print_effects_brief(c, f, e) : print_pair(c, &p, e);

	say_nothing_found(c, b, f->n_effects, "show no effect: too few, or nothing varies");
	out_table_free(p.first);
	out_table_free(p.second);
	return rc;
}

enum err_code rules_effects_run(struct context *c, struct err *e)
{
	return print_findings(c, print_effects, e);
}

static enum err_code print_hypotheses(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	struct pair_of_tables p = {.first = finding_hypothesis_table(f),
				   .first_name = "hypotheses"};
	enum err_code rc = print_pair(c, &p, e);

	say_nothing_found(c, b, f->n_hypotheses, "hold no sets that differ in one attribute only");
	out_table_free(p.first);
	return rc;
}

enum err_code rules_hypotheses_run(struct context *c, struct err *e)
{
	return print_findings(c, print_hypotheses, e);
}

static enum err_code print_rankings(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct ranking *r = &b->own.findings.ranking;
	struct pair_of_tables p = {.first = finding_ranking_table(&b->own.findings),
				   .first_name = "ranking"};
	json_t *answer;
	enum err_code rc;

	if (c->format != FORMAT_JSON || !p.first) {
		if (c->format == FORMAT_TABLE && r->n_choices > 0)
			fprintf(c->out,
				"%" PRId64 " cases in which all of these were run; Friedman chi2 = "
				"%.4g, p = %.2g;\nchoices that share a letter are not told apart "
				"at "
				"level %g\n\n",
				r->n_cases, r->chi2, r->p, r->alpha);
		rc = print_pair(c, &p, e);
	} else {
		answer = out_json_answer();
		if (json_object_set_new(answer, "n_cases", json_integer(r->n_cases)) |
		    json_object_set_new(answer, "chi2", out_json_real(r->chi2)) |
		    json_object_set_new(answer, "p", out_json_real(r->p)) |
		    json_object_set_new(answer, "alpha", out_json_real(r->alpha)))
			rc = err_set(e, ERR_NOMEM, "the ranking as JSON");
		else
			rc = print_pair_json(c, &p, answer, e);
		json_decref(answer);
	}
	say_nothing_found(c, b, r->n_choices, "hold no choices that were all run in several cases");
	out_table_free(p.first);
	return rc;
}

enum err_code rules_rankings_run(struct context *c, struct err *e)
{
	return print_findings(c, print_rankings, e);
}
