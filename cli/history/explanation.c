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
	enum advice_aspect differs;
	const char *heading;
	put_fn *put;
} aspects[] = {
	{ASPECT_CONFIGURATION, "submit   ", put_configuration},
	{ASPECT_TIME, "takes    ", put_interval},
	{ASPECT_P_MEET, "in time  ", put_p_meet},
};

static void put_of_best(struct strbuf *out, const struct answer *a, const struct aspect *aspect)
{
	size_t start = out->len;

	if (a->best.given)
		aspect->put(out, a, &a->best);
	if (out->len == start)
		strbuf_puts(out, "nothing");
}

/* "submit   A; then: B", a line for all that differs. */
static void put_differences(struct strbuf *out, const struct advice_explanation *x,
			    unsigned differences)
{
	if (differences & 1u << ASPECT_FEASIBLE)
		strbuf_puts(out, x->today.told.feasible ? "  it can be done; then: it could not\n"
							: "  it cannot be done; then: it could\n");
	for (size_t i = 0; i < sizeof aspects / sizeof aspects[0]; i++) {
		if (!(differences & 1u << aspects[i].differs))
			continue;
		strbuf_printf(out, "  %s", aspects[i].heading);
		put_of_best(out, &x->today.told, &aspects[i]);
		strbuf_puts(out, "; then: ");
		put_of_best(out, &x->advice.told, &aspects[i]);
		strbuf_putc(out, '\n');
	}
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
	const unsigned differences = advice_explanation_differences(x);

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
	strbuf_puts(s, differences ? "because of that, today the answer would differ:\n"
				   : "the answer would be the same today\n");
	put_differences(s, x, differences);
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

static enum err_code print_json(const struct context *c, const struct advice_explanation *x,
				struct err *e)
{
	json_t *answer = NULL;
	enum err_code rc = advice_explanation_json(x, &answer, e);

	if (!rc && x->jobs.n > 0 && json_object_set_new(answer, "jobs", jobs_json(&x->jobs)))
		rc = err_set(e, ERR_NOMEM, "the jobs as JSON");
	if (!rc)
		rc = out_json(answer, c->out, e);
	json_decref(answer);
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
