#include "cli/history/explanation.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "cli/history/advice_diff_text.h"
#include "cli/answer/advice_text.h"
#include "api/advice_explanation.h"
#include "cli/answer/answer_text.h"
#include "cli/data/fit_text.h"
#include "cli/frame/fold.h"
#include "cli/history/job_table.h"

/* ---- then and now ---- */

/* One thing as people read it, of a choice. */
typedef void put_fn(struct strbuf *s, const struct answer *then,
		    const struct answer_choice *choice);

static void put_configuration(struct strbuf *s, const struct answer *then,
			      const struct answer_choice *choice)
{
	if (choice->machine && *choice->machine) { /* where several were asked */
		text_put_safe(s, choice->machine, false);
		strbuf_puts(s, ": ");
	}
	answer_put_choice(s, then->app, choice);
}

static void put_interval(struct strbuf *s, const struct answer *then,
			 const struct answer_choice *choice)
{
	answer_put_interval(s, choice, then->request.confidence);
}

static void put_p_meet(struct strbuf *s, const struct answer *then,
		       const struct answer_choice *choice)
{
	(void)then;
	if (!isnan(choice->p_meet))
		strbuf_printf(s, "%.2f", choice->p_meet);
}

static const struct aspect {
	const char *name; /* in JSON */
	const char *heading;
	put_fn *put;
} aspects[] = {
	{"configuration", "submit   ", put_configuration},
	{"time", "takes    ", put_interval},
	{"p_meet", "in time  ", put_p_meet},
};
enum { N_ASPECTS = sizeof aspects / sizeof aspects[0] };

/* "submit   A; then: B", where they read differently. */
static bool put_aspect(struct strbuf *out, const struct advice_explanation *x,
		       const struct aspect *aspect)
{
	struct strbuf then = STRBUF_INIT, now = STRBUF_INIT;
	const struct answer *was = &x->advice.told, *is = &x->today.told;
	bool differs;

	if (was->best.given)
		aspect->put(&then, was, &was->best);
	if (is->best.given)
		aspect->put(&now, was, &is->best);
	differs = strcmp(strbuf_text(&then), strbuf_text(&now)) != 0;
	if (differs)
		strbuf_printf(out, "  %s%s; then: %s\n", aspect->heading,
			      now.len ? strbuf_text(&now) : "nothing",
			      then.len ? strbuf_text(&then) : "nothing");
	out->failed |= then.failed || now.failed;
	strbuf_release(&then);
	strbuf_release(&now);
	return differs;
}

static bool feasible_differs(const struct advice_explanation *x)
{
	return x->advice.told.feasible != x->today.told.feasible;
}

/* The names of what differs, and lines about it. */
static json_t *put_differences(struct strbuf *out, const struct advice_explanation *x)
{
	json_t *names = json_array();
	int failed = 0;

	if (x->today.answer && feasible_differs(x)) {
		strbuf_puts(out, x->today.told.feasible ? "  it can be done; then: it could not\n"
							: "  it cannot be done; then: it could\n");
		failed |= json_array_append_new(names, json_string("feasible"));
	}
	for (int i = 0; x->today.answer && i < N_ASPECTS; i++) {
		if (put_aspect(out, x, &aspects[i]))
			failed |= json_array_append_new(names, json_string(aspects[i].name));
	}
	if (failed) {
		json_decref(names);
		return NULL;
	}
	return names;
}

/* ---- as JSON ---- */

static json_t *kept_json(enum kept k)
{
	return k == KEPT_UNKNOWN ? json_null() : json_boolean(k == KEPT_YES);
}

static json_t *runs_json(const struct kb_outcomes *runs)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < runs->n; i++)
		failed |= json_array_append_new(
			list, json_pack("{s:I, s:I, s:o, s:b}", "run_id",
					(json_int_t)runs->item[i].run_id, "import_id",
					(json_int_t)runs->item[i].import_id, "wall_s",
					out_json_real(runs->item[i].wall_s), "timed_out",
					(int)runs->item[i].timed_out));
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *outcome_json(const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;

	return json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "median_s", out_json_real(o->median_s),
			 "runs", runs_json(&r->runs), "n_in_time", (json_int_t)o->n_in_time,
			 "n_late", (json_int_t)o->n_late, "next_in_time", kept_json(o->in_time),
			 "next_inside", kept_json(o->inside));
}

static json_t *today_json(const struct advice_explanation *x)
{
	struct strbuf lines = STRBUF_INIT;
	const struct advice_replay *t = &x->today;
	json_t *names = put_differences(&lines, x);
	json_t *since = t->since_known ? advice_diff_json(&t->since) : json_null();

	strbuf_release(&lines);
	return json_pack("{s:o, s:o, s:O?, s:o}", "differs", names, "since", since, "answer",
			 t->answer, "reason",
			 *t->no_answer ? out_json_string(t->no_answer) : json_null());
}

static enum err_code print_json(const struct context *c, const struct advice_explanation *x,
				struct err *e)
{
	const struct kb_advice *kept = &x->advice.kept;
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "id", json_string(kept->id)) |
	    json_object_set_new(answer, "given_at", out_json_string(kept->given_at)) |
	    json_object_set_new(answer, "snapshot", out_json_string(kept->snapshot)) |
	    json_object_set_new(answer, "current", json_boolean(x->today.current)) |
	    json_object_set(answer, "answer", x->advice.answer) |
	    json_object_set_new(answer, "outcome", outcome_json(&x->record)) |
	    (x->jobs.n > 0 && json_object_set_new(answer, "jobs", jobs_json(&x->jobs))) |
	    json_object_set_new(answer, "today", today_json(x)))
		rc = err_set(e, ERR_NOMEM, "the answer as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

/* ---- for people ---- */

enum { MAX_RUNS = 10 };

static void put_runs(struct strbuf *s, const struct kb_outcomes *runs)
{
	strbuf_puts(s, runs->n == 1 ? " (run " : " (runs ");
	for (size_t i = 0; i < runs->n && i < MAX_RUNS; i++)
		strbuf_printf(s, "%s%lld", i ? ", " : "", (long long)runs->item[i].run_id);
	strbuf_puts(s, runs->n > MAX_RUNS ? ", ...)" : ")");
}

static void put_outcome(struct strbuf *s, const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;

	strbuf_puts(s, "what happened: ");
	if (o->n_runs == 0) {
		strbuf_puts(s, "no run of this configuration was loaded since\n");
		return;
	}
	answer_put_count(s, (double)o->n_runs, "run");
	strbuf_puts(s, o->n_runs == 1 ? " since took " : " since, their median ");
	answer_put_duration(s, o->median_s);
	if (o->n_in_time + o->n_late > 0)
		strbuf_printf(s, ", %zu of %zu in time", o->n_in_time, o->n_in_time + o->n_late);
	if (o->inside != KEPT_UNKNOWN)
		strbuf_printf(s, "; the %s %s the interval", o->n_runs == 1 ? "run is" : "first is",
			      o->inside == KEPT_YES ? "inside" : "outside of");
	put_runs(s, &r->runs);
	strbuf_putc(s, '\n');
}

static void put_today(struct strbuf *s, const struct advice_explanation *x)
{
	struct strbuf lines = STRBUF_INIT;
	json_t *differs;

	if (x->today.current) {
		strbuf_puts(s, "nothing that it rests on has changed: today the answer would be "
			       "the same\n");
		return;
	}
	if (x->today.since_known) {
		strbuf_puts(s, "changed since then:\n");
		advice_diff_put(s, &x->advice, &x->today.since);
	}
	if (*x->today.no_answer) {
		strbuf_puts(s, "today there would be no answer: ");
		text_put_safe(s, x->today.no_answer, false);
		strbuf_putc(s, '\n');
		return;
	}
	differs = put_differences(&lines, x);
	s->failed |= lines.failed || !differs;
	if (json_array_size(differs) > 0)
		strbuf_printf(s, "because of that, today the answer would differ:\n%s",
			      strbuf_text(&lines));
	else
		strbuf_puts(s, "the answer would be the same today\n");
	json_decref(differs);
	strbuf_release(&lines);
}

/* What the predictor is made of, if the base still has the one that answered. */
static enum err_code print_predictor(const struct context *c, const struct advice_record *a,
				     struct err *e)
{
	struct fit_description d = {0};
	struct err why = {0};
	enum err_code rc;

	if (!a->app_id || !a->machine_id)
		return ERR_OK;
	rc = fit_description_find(c->session.kb, a->app_name, a->machine_name, a->kept.snapshot, &d,
				  &why);
	if (rc == ERR_NOTMINED || rc == ERR_NOTFOUND)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if (!(rc = fit_print(c, &d, e)))
		fputc('\n', c->out);
	fit_description_release(&d);
	return rc;
}

static enum err_code print_text(const struct context *c, const struct advice_explanation *x,
				struct err *e)
{
	const struct advice_record *a = &x->advice;
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	fprintf(c->out, "recommendation %s, given %s\n\n", a->kept.id, a->kept.given_at);
	if ((rc = advice_print(c, &a->told, ADVICE_IN_FULL, e)) || (rc = print_predictor(c, a, e)))
		return rc;
	strbuf_printf(&s, "snapshot of the facts: %s\n\n", a->kept.snapshot);
	jobs_put_text(&s, &x->jobs);
	put_outcome(&s, &x->record);
	put_today(&s, x);
	if (s.failed)
		rc = err_set(e, ERR_NOMEM, "the explanation");
	else
		fold_print(strbuf_text(&s), c->out);
	strbuf_release(&s);
	return rc;
}

enum err_code explanation_run(struct context *c, struct err *e)
{
	struct advice_explanation x = {0};
	enum err_code rc =
		advice_explanation_find(&c->session, c->n_operands ? c->operand[0] : NULL, &x, e);

	progress_bar_clear(&c->bar);
	if (!rc && c->format == FORMAT_JSON)
		rc = print_json(c, &x, e);
	else if (!rc && c->format == FORMAT_CSV)
		rc = advice_print(c, &x.advice.told, ADVICE_IN_FULL, e);
	else if (!rc)
		rc = print_text(c, &x, e);
	advice_explanation_release(&x);
	return rc;
}
