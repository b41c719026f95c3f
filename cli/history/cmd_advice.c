#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "api/advice_record.h"
#include "api/job_sync.h"
#include "base/err.h"
#include "cli/answer/answer_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/history/history.h"
#include "domain/configuration.h"

/* ---- the remembered recommendations and what became of them, latest first ---- */

struct reliability_filter {
	const char *app, *machine; /* names in any case; NULL: any */
	bool with_outcome;	   /* only those whose configuration was run since */
	long long limit;	   /* rows of the table; 0: all */
};

struct reliability_log {
	struct out_table *table; /* one row each, limit at most */
	bool with_jobs;		 /* some job was submitted: people see them */
	size_t n;		 /* those that the filter selects */
	/* One each of the n, for reliability_summarise(); unknown where nothing ran or nothing was
	 * promised. */
	struct judged_forecast *in_time, *inside;
	double *ratio; /* [n_ratio] time of the next run over the predicted one */
	size_t n_ratio;
};

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
	const struct reliability *p = &r->forecast;
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
	put_hit(t, o->in_time);
	put_hit(t, o->inside);
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
	const struct reliability *p = &r->forecast;
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

	l->in_time[l->n] = (struct judged_forecast){r->forecast.p_meet, o->in_time, run_id};
	l->inside[l->n] = (struct judged_forecast){r->forecast.confidence, o->inside, run_id};
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

/* Such an error says nothing about the answer that was being read. */
static bool is_of_system(enum err_code rc)
{
	return rc == ERR_NOMEM || rc == ERR_IO || rc == ERR_BUSY || rc == ERR_INTERRUPTED;
}

/* Takes over *kept. */
static enum err_code add_kept(struct context *c, const struct reliability_filter *f,
			      bool for_people, struct kb_advice *kept, struct reliability_log *l,
			      struct err *e)
{
	struct advice_record s = {0};
	struct err why = {0};
	enum err_code rc = advice_record_read(&c->session, kept, &s, &why);

	if (is_of_system(rc))
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

static void reliability_log_release(struct reliability_log *l)
{
	out_table_free(l->table);
	free(l->in_time);
	free(l->inside);
	free(l->ratio);
	*l = (struct reliability_log){0};
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

/* for_people: ids are shortened, numbers put together. Answers that cannot be read are passed over
 * with a warning. */
static enum err_code reliability_log_read(struct context *c, const struct reliability_filter *f,
					  bool for_people, struct reliability_log *out,
					  struct err *e)
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

static OPTION(opt_with_outcome, "with-outcome", NULL,
	      .help = "only those whose configuration was run since",
	      .actions = "list calibration");
static OPTION(opt_limit, "limit", "N", .help = "at most N recommendations, 0 for all (list: 20)",
	      .actions = "list calibration");

enum { LIST_LIMIT = 20 };

/* ---- which ones ---- */

/* The name that answers have; an application that is gone has no aliases any more. */
static enum err_code read_application(struct context *c, struct application **app,
				      struct reliability_filter *f, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	f->app = options_get(&c->opt, &opt_app);
	if (!f->app)
		return ERR_OK;
	rc = kb_get_application(c->session.kb, f->app, app, NULL, &why);
	if (!rc)
		f->app = (*app)->name;
	return rc && rc != ERR_NOTFOUND ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code read_log(struct context *c, long long limit, struct reliability_log *log,
			      struct err *e)
{
	struct reliability_filter f = {.machine = options_get(&c->opt, &opt_machine),
				       .with_outcome = options_has(&c->opt, &opt_with_outcome),
				       .limit = limit};
	struct application *app = NULL;
	enum err_code rc;

	if (!(rc = options_integer(&c->opt, &opt_limit, 0, INT64_C(1000000000000), &f.limit, e)) &&
	    !(rc = read_application(c, &app, &f, e)))
		rc = reliability_log_read(c, &f, c->format == FORMAT_TABLE, log, e);
	application_free(app);
	return rc;
}

static void say_if_empty(const struct context *c, const struct reliability_log *log)
{
	bool filtered = options_has(&c->opt, &opt_app) || options_has(&c->opt, &opt_machine) ||
			options_has(&c->opt, &opt_with_outcome);

	if (log->n == 0)
		context_note(c, "%s",
			     filtered ? "no recommendation that was given is of that kind"
				      : "no recommendation was given yet; type lemnos recommend "
					"--problem SIZE --deadline TIME");
}

/* ---- list ---- */

/* "calibration: 11 of 12 promises of being in time were kept (91.7 %, promised 93.1 % with a
 * binomial error of 7.3 %): as promised" */
static void print_last_line(const struct context *c, struct reliability_log *log)
{
	struct reliability_summary k;

	reliability_summarise(log->in_time, log->n, &k);
	if (k.n == 0) {
		context_print(c, "calibration: no promise of being in time was put to the test "
				 "yet\n");
		return;
	}
	context_print(
		c,
		"calibration: %zu of %zu promises of being in time were kept: %.1f %%, promised "
		"%.1f %% (binomial error %.1f %%): %s\n",
		k.n_hits, k.n, 100 * k.hit_rate, 100 * k.promised, 100 * k.error,
		reliability_verdict_name(k.verdict));
}

static enum err_code list_run(struct context *c, struct err *e)
{
	struct reliability_log log = {0};
	size_t n_shown;
	enum err_code rc = read_log(c, LIST_LIMIT, &log, e);

	if (rc)
		return rc;
	n_shown = out_table_rows(log.table);
	if (!(rc = out_table_print(log.table, c->format, "advice", c->out, e))) {
		if (c->format == FORMAT_TABLE && log.n > 0)
			print_last_line(c, &log);
		if (n_shown < log.n)
			context_note(c, "%zu of %zu recommendations; --limit 0 shows all", n_shown,
				     log.n);
		say_if_empty(c, &log);
	}
	reliability_log_release(&log);
	return rc;
}

/* ---- calibration ---- */

static const struct out_column calibration_columns[] = {
	{"what", NULL, OUT_TEXT},
	{"promises", NULL, OUT_INT},
	{"runs", NULL, OUT_INT},
	{"kept", NULL, OUT_INT},
	{"promised_share", "promised", OUT_PERCENT},
	{"kept_share", "happened", OUT_PERCENT},
	{"error", "error", OUT_PERCENT},
	{"verdict", NULL, OUT_TEXT},
};

static enum err_code print_table(const struct context *c, const struct advice_calibration *k,
				 struct err *e)
{
	struct out_table *t = out_table_new(calibration_columns, COUNT(calibration_columns));
	enum err_code rc;

	for (size_t i = 0; t && i < k->n; i++) {
		const struct reliability_summary *kept = &k->line[i].kept;

		out_text(t, k->line[i].what);
		out_int(t, (int64_t)kept->n);
		out_int(t, (int64_t)kept->n_runs);
		out_int(t, (int64_t)kept->n_hits);
		out_real(t, kept->promised);
		out_real(t, kept->hit_rate);
		out_real(t, kept->error);
		out_text(t, reliability_verdict_name(kept->verdict));
	}
	rc = t ? out_table_print(t, c->format, "calibration", c->out, e)
	       : err_set(e, ERR_NOMEM, "the calibration");
	out_table_free(t);
	return rc;
}

static enum err_code print_calibration(const struct context *c, const struct advice_calibration *k,
				       const struct reliability_log *log, struct err *e)
{
	struct json_t *answer;
	enum err_code rc;

	if (c->format == FORMAT_JSON) {
		answer = advice_calibration_json(k);
		return out_answer(!answer, answer, "the calibration as JSON", c->out, e);
	}
	rc = print_table(c, k, e);
	if (!rc && c->format == FORMAT_TABLE && k->n_ratio > 0)
		fprintf(c->out, "time over predicted: median %.3f in %zu run%s\n", k->ratio,
			k->n_ratio, k->n_ratio == 1 ? "" : "s");
	if (!rc && k->n == 0 && log->n > 0)
		context_note(c, "nothing that was recommended was run since; import its runs "
				"(`lemnos ingest`)");
	return rc;
}

static enum err_code calibration_run(struct context *c, struct err *e)
{
	struct reliability_log log = {0};
	struct advice_calibration k;
	enum err_code rc = read_log(c, 0, &log, e);

	if (rc)
		return rc;
	if (!(rc = advice_calibration_make(log.in_time, log.inside, log.n, log.ratio, log.n_ratio,
					   &k, e)) &&
	    !(rc = print_calibration(c, &k, &log, e)))
		say_if_empty(c, &log);
	reliability_log_release(&log);
	return rc;
}

/* ---- the command ---- */

static const struct option_spec *const advice_options[] = {
	&opt_app, &opt_machine, &opt_with_outcome, &opt_limit, &opt_format, NULL};

static const struct action advice_actions[] = {
	{"list", "[--with-outcome] [--limit N]",
	 "what was promised and what happened, latest first (the default)", 0, 0, NEEDS_KB_READ,
	 list_run},
	{"show", "ID", "one of them, all of it: the same as `lemnos explain`", 1, 1, NEEDS_KB_READ,
	 explanation_run},
	{"calibration", "", "were promises kept as often as they said?", 0, 0, NEEDS_KB_READ,
	 calibration_run},
	{"sync", "[ID]...", "ask Slurm what became of submitted jobs, and import it", 0,
	 OPERANDS_ANY, NEEDS_KB_WRITE, job_sync_run},
};

const struct cmd cmd_advice = {
	.name = "advice",
	.summary = "what was recommended, and what happened then",
	.description =
		"Every recommendation is remembered. Runs that are loaded later and have the machine,\n"
		"problem, workload, tunables and resources of what was recommended are its outcome; they\n"
		"are looked up, so undoing an import or excluding a run takes them back. Failed runs, and\n"
		"files that had been loaded before, tell nothing; a run that hit its time limit is late if\n"
		"that was no shorter than the deadline.\n"
		"\n"
		"A promise is about the next run: `calibration` looks at the first one of each outcome, and\n"
		"counts promises that one run answers as one. Fewer than ten are not judged.\n"
		"\n"
		"Jobs of `lemnos recommend --submit` are asked about by `sync` (sacct, squeue): what became of\n"
		"them is imported as runs, once, and shown beside what was promised.",
	.examples = "  lemnos advice --with-outcome\n"
		    "  lemnos advice show 5f1c\n"
		    "  lemnos advice sync\n"
		    "  lemnos advice calibration --app sweep3d",
	.options = advice_options,
	.action = advice_actions,
	.n_actions = sizeof advice_actions / sizeof advice_actions[0],
};
