#include "cli/history/reliability_log.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "cli/answer/answer_text.h"
#include "api/job_sync.h"
#include "api/outcome_record.h"
#include "domain/configuration.h"

/* ---- the table ---- */

static const struct out_column exact_columns[] = {
	{"id", NULL, OUT_TEXT},		  {"given_at", NULL, OUT_TEXT},
	{"app", NULL, OUT_TEXT},	  {"machine", NULL, OUT_TEXT},
	{"problem", NULL, OUT_TEXT},	  {"configuration", NULL, OUT_TEXT},
	{"feasible", NULL, OUT_BOOL},	  {"deadline_s", NULL, OUT_SECONDS},
	{"confidence", NULL, OUT_REAL},	  {"predicted_s", NULL, OUT_SECONDS},
	{"lo_s", NULL, OUT_SECONDS},	  {"hi_s", NULL, OUT_SECONDS},
	{"p_meet", NULL, OUT_REAL},	  {"n_runs", NULL, OUT_INT},
	{"median_s", NULL, OUT_SECONDS},  {"n_in_time", NULL, OUT_INT},
	{"n_late", NULL, OUT_INT},	  {"next_run_id", NULL, OUT_INT},
	{"next_in_time", NULL, OUT_BOOL}, {"next_inside", NULL, OUT_BOOL},
	{"job", NULL, OUT_TEXT},	  {"job_state", NULL, OUT_TEXT},
};
static const struct out_column people_columns[] = {
	{"id", NULL, OUT_TEXT},
	{"given_at", "given", OUT_TEXT},
	{"app", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"problem", NULL, OUT_TEXT},
	{"configuration", "recommended", OUT_TEXT},
	{"deadline_s", "deadline", OUT_SECONDS},
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"p_meet", "in time", OUT_PERCENT},
	{"n_runs", "runs", OUT_INT},
	{"median_s", "took", OUT_SECONDS},
	{"met", NULL, OUT_TEXT},
	{"job", NULL, OUT_TEXT}, /* left out where nothing was submitted */
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Digits of an id that people see; `explain` takes them. */
enum { SHORT_ID = 8 };

/* "100x100x100" */
static enum err_code put_problem(struct out_table *t, const struct advice_record *s, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	double *row = calloc(s->app->n_columns, sizeof *row);

	if (!row)
		return err_set(e, ERR_NOMEM, "a configuration");
	advice_record_row(s, false, row); /* what is not known any more is shown as ? */
	configuration_put_problem(s->app, row, &text);
	out_text(t, strbuf_text(&text));
	strbuf_release(&text);
	free(row);
	return ERR_OK;
}

static void put_configuration(struct out_table *t, const struct advice_record *s, bool for_people)
{
	struct strbuf text = STRBUF_INIT;

	if (for_people && !s->told.feasible)
		strbuf_puts(&text, "best effort: ");
	if (s->told.best.given)
		answer_put_choice(&text, s->app, &s->told.best);
	out_text(t, s->told.best.given ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static void put_kept(struct out_table *t, enum kept k)
{
	if (k == KEPT_UNKNOWN)
		out_null(t);
	else
		out_bool(t, k == KEPT_YES);
}

/* The job that was submitted last for it, "123 completed"; NULL: none. */
static void put_job(struct out_table *t, const struct kb_jobs *jobs)
{
	const struct kb_job *last = jobs->n > 0 ? &jobs->item[jobs->n - 1] : NULL;
	struct strbuf text = STRBUF_INIT;

	if (last)
		strbuf_printf(&text, "%s %s", last->slurm_id ? last->slurm_id : last->name,
			      last->state);
	out_text(t, last ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static enum err_code put_exact(struct out_table *t, const struct advice_record *s,
			       const struct outcome_record *r, const struct kb_jobs *jobs,
			       struct err *e)
{
	const struct reliability *p = &r->promise;
	const struct reliability_outcome *o = &r->outcome;
	const struct kb_job *last = jobs->n > 0 ? &jobs->item[jobs->n - 1] : NULL;
	enum err_code rc;

	out_text(t, s->kept.id);
	out_text(t, s->kept.given_at);
	out_text(t, s->app_name);
	out_text(t, s->machine_name);
	if ((rc = put_problem(t, s, e)))
		return rc;
	put_configuration(t, s, false);
	out_bool(t, s->told.feasible);
	out_real(t, p->deadline_s);
	out_real(t, p->confidence);
	out_real(t, p->predicted_s);
	out_real(t, p->lo_s);
	out_real(t, p->hi_s);
	out_real(t, p->p_meet);
	out_int(t, (int64_t)o->n_runs);
	out_real(t, o->median_s);
	out_int(t, (int64_t)o->n_in_time);
	out_int(t, (int64_t)o->n_late);
	if (o->n_runs > 0)
		out_int(t, o->next_run_id);
	else
		out_null(t);
	put_kept(t, o->in_time);
	put_kept(t, o->inside);
	out_text(t, last ? last->slurm_id : NULL);
	out_text(t, last ? last->state : NULL);
	return ERR_OK;
}

static void put_met(struct out_table *t, const struct reliability_outcome *o)
{
	char text[48];

	if (o->n_in_time + o->n_late == 0) {
		out_null(t);
		return;
	}
	snprintf(text, sizeof text, "%zu of %zu", o->n_in_time, o->n_in_time + o->n_late);
	out_text(t, text);
}

/* jobs NULL: there is no column for them. */
static enum err_code put_for_people(struct out_table *t, const struct advice_record *s,
				    const struct outcome_record *r, const struct kb_jobs *jobs,
				    struct err *e)
{
	const struct reliability *p = &r->promise;
	char id[SHORT_ID + 1];
	enum err_code rc;

	snprintf(id, sizeof id, "%s", s->kept.id);
	out_text(t, id);
	out_text(t, s->kept.given_at);
	out_text(t, s->app_name);
	out_text(t, s->machine_name);
	if ((rc = put_problem(t, s, e)))
		return rc;
	put_configuration(t, s, true);
	out_real(t, p->deadline_s);
	out_real(t, p->predicted_s);
	out_real(t, p->lo_s);
	out_real(t, p->hi_s);
	out_real(t, p->p_meet);
	out_int(t, (int64_t)r->outcome.n_runs);
	out_real(t, r->outcome.median_s);
	put_met(t, &r->outcome);
	if (jobs)
		put_job(t, jobs);
	return ERR_OK;
}

/* ---- one after the other ---- */

static bool is_asked_for(const struct reliability_filter *f, const struct advice_record *s)
{
	return (!f->app || !strcasecmp(f->app, s->app_name)) &&
	       (!f->machine || !strcasecmp(f->machine, s->machine_name));
}

static void count(struct reliability_log *l, const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;
	int64_t run_id = o->next_run_id;

	l->in_time[l->n] = (struct kept_promise){r->promise.p_meet, o->in_time, run_id};
	l->inside[l->n] = (struct kept_promise){r->promise.confidence, o->inside, run_id};
	if (!isnan(o->next_ratio))
		l->ratio[l->n_ratio++] = o->next_ratio;
	l->n++;
}

static enum err_code add(struct context *c, const struct reliability_filter *f, bool for_people,
			 const struct advice_record *s, struct reliability_log *l, struct err *e)
{
	struct outcome_record r = {0};
	struct kb_jobs jobs = {0};
	enum err_code rc = outcome_record_find(&c->session, s, &r, e);

	if (rc)
		return rc;
	if ((rc = kb_list_jobs(c->session.kb, s->kept.id, false, &jobs, e)))
		goto done;
	if (r.outcome.n_runs > 0 || !f->with_outcome) {
		if (f->limit == 0 || (long long)l->n < f->limit)
			rc = for_people ? put_for_people(l->table, s, &r,
							 l->with_jobs ? &jobs : NULL, e)
					: put_exact(l->table, s, &r, &jobs, e);
		count(l, &r);
	}
done:
	kb_jobs_release(&jobs);
	outcome_record_release(&r);
	return rc;
}

/* Takes over *kept. */
static enum err_code add_kept(struct context *c, const struct reliability_filter *f,
			      bool for_people, struct kb_advice *kept, struct reliability_log *l,
			      struct err *e)
{
	struct advice_record s = {0};
	struct err why = {0};
	enum err_code rc = advice_record_read(&c->session, kept, &s, &why);

	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	if (rc)
		context_warn(c, "passed over: %s", why.msg);
	else if (is_asked_for(f, &s))
		rc = add(c, f, for_people, &s, l, e);
	else
		rc = ERR_OK;
	advice_record_release(&s);
	return why.code ? ERR_OK : rc;
}

static enum err_code reliability_log_init(struct reliability_log *l, size_t n, bool for_people,
					  struct err *e)
{
	l->table = for_people ? out_table_new(people_columns, COUNT(people_columns) - !l->with_jobs)
			      : out_table_new(exact_columns, COUNT(exact_columns));
	l->in_time = calloc(n + 1, sizeof *l->in_time);
	l->inside = calloc(n + 1, sizeof *l->inside);
	l->ratio = calloc(n + 1, sizeof *l->ratio);
	if (!l->table || !l->in_time || !l->inside || !l->ratio)
		return err_set(e, ERR_NOMEM, "%zu recommendations", n);
	return ERR_OK;
}

enum err_code reliability_log_read(struct context *c, const struct reliability_filter *f,
				   bool for_people, struct reliability_log *out, struct err *e)
{
	struct reliability_log l = {0};
	struct kb_advice_list list = {0};
	struct kb_jobs jobs = {0};
	enum err_code rc;

	if ((rc = kb_list_jobs(c->session.kb, NULL, false, &jobs, e)))
		goto done;
	l.with_jobs = jobs.n > 0;
	if ((rc = kb_list_advice(c->session.kb, &list, e)) ||
	    (rc = reliability_log_init(&l, list.n, for_people, e)))
		goto done;
	for (size_t i = 0; i < list.n && !rc; i++) {
		if (!progress_step(c->session.progress, "looking for outcomes", i, list.n))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
		else
			rc = add_kept(c, f, for_people, &list.item[i], &l, e);
	}
	progress_bar_clear(&c->bar);
done:
	kb_jobs_release(&jobs);
	kb_advice_list_release(&list);
	if (rc)
		reliability_log_release(&l);
	else
		*out = l;
	return rc;
}

void reliability_log_release(struct reliability_log *l)
{
	out_table_free(l->table);
	free(l->in_time);
	free(l->inside);
	free(l->ratio);
	*l = (struct reliability_log){0};
}
