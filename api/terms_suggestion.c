#include "api/terms_suggestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/back_test.h"
#include "api/json_text.h"
#include "domain/conf.h"
#include "mining/evaluate/term_proposal.h"

static const char *const meaning[] = {
	[WAY_NONE] = "what every process does alike",
	[WAY_DIVIDED] = "work that the processes share",
	[WAY_SURFACE] = "the surface of a process's part",
	[WAY_MESSAGES] = "messages, which there are from two on",
	[WAY_TREE] = "a tree over them: reductions, broadcasts",
	[WAY_FILL] = "stages of a pipeline over a grid of processes",
	[WAY_FILL_WORK] = "work while a pipeline over a grid of processes fills",
	[WAY_ALL_TO_ALL] = "what grows with their number",
};

/* ---- the definition ---- */

static void put_percent(struct strbuf *out, double share)
{
	if (isnan(share))
		strbuf_printf(out, "%9s", "-");
	else
		strbuf_printf(out, "%7.1f %%", 100 * share);
}

static void put_evidence(struct strbuf *out, const struct terms_suggestion *s)
{
	strbuf_printf(out,
		      "  #: Terms by `lemnos apps suggest`, from %zu of %zu configurations on %s.\n"
		      "  #: Errors of what was held out, median and 90th percentile:\n"
		      "  #: %-24s %6s      without terms  terms found anew       these terms\n",
		      s->n_searched, s->n_configs, s->machine, "", "tested");
	for (size_t w = 0; w < SUGGESTION_WAYS; w++) {
		const struct suggestion_evidence *v = &s->evidence[w];

		strbuf_printf(out, "  #: %-24s %6zu", v->title, v->n);
		for (int k = 0; k < SUGGESTION_CONTESTANTS; k++) {
			put_percent(out, v->median[k]);
			put_percent(out, v->p90[k]);
		}
		strbuf_putc(out, '\n');
	}
	if (!s->better)
		strbuf_puts(out, "  #: No better than no terms.\n");
}

/* let[i]: does a term use it, be it by way of another? */
static void find_used(const struct application *a, bool *used)
{
	const struct application_terms *t = &a->terms;

	for (size_t i = t->n_let; i-- > 0;) {
		used[i] = false;
		for (size_t k = 0; k < t->n && !used[i]; k++)
			used[i] = expr_uses(t->term[k].value, a->n_columns + i);
		for (size_t j = i + 1; j < t->n_let && !used[i]; j++)
			used[i] = used[j] && expr_uses(t->let[j].value, a->n_columns + i);
	}
}

static void put_let(struct strbuf *out, const struct application *a)
{
	bool used[TERM_LETS];
	size_t n = 0;

	find_used(a, used);
	for (size_t i = 0; i < a->terms.n_let; i++) {
		if (!used[i])
			continue;
		strbuf_puts(out, n++ ? ",\n    { name = " : "  let = (\n    { name = ");
		conf_put_text(out, a->terms.let[i].name);
		strbuf_puts(out, "; expr = ");
		conf_put_text(out, a->terms.let[i].text);
		strbuf_puts(out, "; }");
	}
	if (n > 0)
		strbuf_puts(out, "\n  );\n");
}

static void put_terms(struct strbuf *out, const struct terms_suggestion *s, bool communication)
{
	size_t n = 0, i = 0;

	for (size_t k = 0; k < s->n_terms; k++)
		n += s->term[k].communication == communication;
	if (n == 0)
		return;
	strbuf_printf(out, "  %s = [\n", communication ? "communication" : "compute");
	for (size_t k = 0; k < s->n_terms; k++) {
		const struct suggested_term *term = &s->term[k];

		if (term->communication != communication)
			continue;
		strbuf_puts(out, "    ");
		conf_put_text(out, term->text);
		strbuf_printf(out, "%s  #: %.1f %% of the time: %s\n", ++i < n ? "," : "",
			      100 * term->share, term->meaning);
	}
	strbuf_puts(out, "  ];\n");
}

/* It is read back: what is proposed is accepted. */
static enum err_code put_definition(const struct application *a, const struct application *with,
				    struct terms_suggestion *s, struct err *e)
{
	struct strbuf keys = STRBUF_INIT;
	struct application *parsed = NULL;
	enum err_code rc;

	put_evidence(&keys, s);
	put_let(&keys, with);
	put_terms(&keys, s, false);
	put_terms(&keys, s, true);
	rc = keys.failed ? err_set(e, ERR_NOMEM, "definition of %s", a->name)
			 : application_replace_terms(a, strbuf_text(&keys), &s->definition, e);
	if (!rc)
		rc = application_parse(strbuf_text(&s->definition), "the proposal", &parsed, e);
	application_free(parsed);
	strbuf_release(&keys);
	return rc;
}

/* ---- from a proposal ---- */

static enum err_code take_terms(const struct term_proposal *p, const struct application *with,
				struct terms_suggestion *s, struct err *e)
{
	s->term = calloc(p->set.n + 1, sizeof *s->term);
	if (!s->term)
		return err_set(e, ERR_NOMEM, "%zu terms", p->set.n);
	for (int communication = 0; communication < 2; communication++) {
		for (size_t k = 0; k < with->terms.n; k++) {
			struct suggested_term *term = &s->term[s->n_terms];

			if (with->terms.term[k].communication != (communication == 1))
				continue;
			term->text = strdup(with->terms.term[k].text);
			if (!term->text)
				return err_set(e, ERR_NOMEM, "%zu terms", p->set.n);
			term->communication = communication == 1;
			term->share = p->set.share[k];
			term->meaning = meaning[term_form_way(p->shapes, &p->set.form[k])];
			s->n_terms++;
		}
	}
	return ERR_OK;
}

static enum err_code take(const struct back_test *t, const struct term_proposal *p,
			  struct terms_suggestion *s, struct err *e)
{
	struct application with;
	enum err_code rc = term_application_make(p->shapes, p->set.form, p->set.n, &with, e);

	if (rc)
		return rc;
	s->app = strdup(t->app->name);
	s->machine = strdup(t->machine->name);
	s->n_configs = p->n_configs;
	s->n_searched = p->n_searched;
	s->better = p->better;
	for (size_t w = 0; w < SUGGESTION_WAYS; w++) {
		const struct term_evidence *v = &p->evidence[w];

		s->evidence[w] = (struct suggestion_evidence){
			.held_out = holdout_info[v->way].name,
			.title = holdout_info[v->way].title,
			.n = v->n,
		};
		for (int k = 0; k < SUGGESTION_CONTESTANTS; k++) {
			s->evidence[w].median[k] = v->median[k];
			s->evidence[w].p90[k] = v->p90[k];
		}
	}
	rc = s->app && s->machine ? take_terms(p, &with, s, e)
				  : err_set(e, ERR_NOMEM, "terms of %s", t->app->name);
	if (!rc)
		rc = put_definition(t->app, &with, s, e);
	term_application_release(&with);
	return rc;
}

enum err_code terms_suggest(struct session *session, const char *app, const char *machine,
			    struct terms_suggestion *out, struct err *e)
{
	struct back_test t = {0};
	struct term_proposal p = {0};
	enum err_code rc;

	*out = (struct terms_suggestion){.definition = STRBUF_INIT};
	if (!(rc = back_test_open(session, app, machine, &t, e)) &&
	    !(rc = back_test_load(session, &t, e)) && !(rc = term_proposal_make(&t.in.fit, &p, e)))
		rc = take(&t, &p, out, e);
	term_proposal_release(&p);
	back_test_release(&t);
	return rc;
}

void terms_suggestion_release(struct terms_suggestion *s)
{
	for (size_t k = 0; k < s->n_terms; k++)
		free(s->term[k].text);
	free(s->term);
	free(s->app);
	free(s->machine);
	strbuf_release(&s->definition);
	*s = (struct terms_suggestion){.definition = STRBUF_INIT};
}

/* ---- JSON ---- */

static json_t *terms_json(const struct terms_suggestion *s)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t k = 0; k < s->n_terms; k++) {
		const struct suggested_term *term = &s->term[k];
		json_t *one = json_object();

		failed |= member_text(one, "text", term->text) |
			  json_object_set_new(
				  one, "kind",
				  json_string(term->communication ? "communication" : "compute")) |
			  member_real(one, "share", term->share) |
			  json_object_set_new(one, "meaning", json_string(term->meaning)) |
			  json_array_append_new(list, one);
	}
	return out_json_unless(failed, list);
}

static json_t *evidence_json(const struct terms_suggestion *s)
{
	static const char *const key[SUGGESTION_CONTESTANTS][2] = {
		{"median_error_without", "p90_error_without"},
		{"median_error_anew", "p90_error_anew"},
		{"median_error_with", "p90_error_with"},
	};
	json_t *list = json_array();
	int failed = 0;

	for (size_t w = 0; w < SUGGESTION_WAYS; w++) {
		const struct suggestion_evidence *v = &s->evidence[w];
		json_t *one = json_object();

		failed |= json_object_set_new(one, "held_out", json_string(v->held_out)) |
			  member_int(one, "n_test", (json_int_t)v->n);
		for (int k = 0; k < SUGGESTION_CONTESTANTS; k++)
			failed |= member_real(one, key[k][0], v->median[k]) |
				  member_real(one, key[k][1], v->p90[k]);
		failed |= json_array_append_new(list, one);
	}
	return out_json_unless(failed, list);
}

struct json_t *terms_suggestion_json(const struct terms_suggestion *s)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_text(answer, "app", s->app) | member_text(answer, "machine", s->machine) |
			member_int(answer, "n_configurations", (json_int_t)s->n_configs) |
			member_int(answer, "n_searched", (json_int_t)s->n_searched) |
			member_bool(answer, "better", s->better) |
			json_object_set_new(answer, "terms", terms_json(s)) |
			json_object_set_new(answer, "evidence", evidence_json(s)) |
			member_text(answer, "definition", strbuf_text(&s->definition)),
		answer);
}
