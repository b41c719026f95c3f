#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/advice_answer.h"
#include "api/advice_question.h"
#include "api/answer.h"
#include "api/datadir.h"
#include "api/job_submit.h"
#include "api/multi_machine.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/answer/advice_text.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/next_answer.h"
#include "cli/answer/question_options.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "domain/job_script.h"

/* What is recommended as a job of Slurm. --risk goes with both ways. */

static OPTION(opt_emit, "emit", "WHAT", .values = "slurm",
	      .help = "a job script instead of the answer: slurm (for sbatch)");
static OPTION(opt_risk, "risk", "P",
	      .help = "with --emit and --submit: the risk, 0.001 to 0.5, that the time\n"
		      "limit ends the job (default 0.01)");

static OPTION(opt_submit, "submit", NULL,
	      .help = "hand the job script to sbatch and keep the job with the answer");
static OPTION(opt_dry_run, "dry-run", NULL, .help = "with --submit: show what would be submitted");
static OPTION(opt_accept, "accept", "DOUBT,...",
	      .help = "with --submit: submit in spite of this: infeasible, outside,\n"
		      "failed, at-risk, cut, simulated, borrowed, again");
static OPTION(opt_cluster, "cluster", "NAME",
	      .help = "with --submit: the cluster, where Slurm knows several");

/* ---- the script ---- */

static enum err_code read_risk(const struct context *c, double *risk, struct err *e)
{
	*risk = 0.01;
	return options_number(&c->opt, &opt_risk, 0.001, 0.5, risk, e);
}

/* `recommend --emit slurm`: a job script in place of the answer. */
static bool emit_is_asked(const struct context *c)
{
	return options_has(&c->opt, &opt_emit);
}

/* Before anything is searched for: do the options go together? Errors: USAGE. */
static enum err_code emit_check(const struct context *c, struct err *e)
{
	const struct option_spec *const forms[] = {&opt_format, &opt_frontier, &opt_plot,
						   &opt_next};
	double risk;
	int what = 0;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_emit, &what, e)) || (rc = read_risk(c, &risk, e)))
		return rc;
	for (size_t i = 0; emit_is_asked(c) && i < sizeof forms / sizeof forms[0]; i++) {
		if (options_has(&c->opt, forms[i]))
			return err_set(e, ERR_USAGE,
				       "--emit prints a script in place of the answer: leave --%s "
				       "away",
				       forms[i]->name);
	}
	if (!emit_is_asked(c) && !options_has(&c->opt, &opt_submit) &&
	    options_has(&c->opt, &opt_risk))
		return err_set(e, ERR_USAGE, "--risk goes with --emit or --submit");
	return ERR_OK;
}

/* ---- the remarks ---- */

/* The time that the limit is for, and the probability that a run takes longer. */
struct limit {
	double wall_s;
	double risk;  /* asked for */
	double least; /* that held-out runs bear out */
};

static struct limit limit_of(const struct advice_question *q, const struct prediction *at,
			     double risk)
{
	const struct predictor *p = q->mined.predictor;

	return (struct limit){
		.wall_s = prediction_quantile_s(p, at, 1 - risk),
		.risk = risk,
		/* of runs that end */
		.least = 1 - prediction_max_confidence(p, at) / (1 - at->fail_p),
	};
}

static void put_limit(struct strbuf *s, const struct machine *m, const struct limit *l)
{
	char longest[32], startup[32];

	strbuf_printf(s, "limit: the run takes longer than %s with probability ",
		      duration_format_up(l->wall_s, longest, sizeof longest));
	if (l->risk >= l->least)
		strbuf_printf(s, "%g", l->risk);
	else
		strbuf_printf(s, "%.4g or less\n(too few runs were held out to tell %g)",
			      ceil(1e4 * l->least - 1e-6) / 1e4, l->risk);
	strbuf_printf(s, "; start-up gets %s,\nand the sum is rounded up to minutes\n",
		      duration_format(m->slurm.startup_s, startup, sizeof startup));
}

static void put_remarks(struct strbuf *s, const struct advice_question *q,
			const struct answer *answer, const struct limit *limit)
{
	const struct answer_choice *choice = &answer->best;

	strbuf_printf(s, "all behind this: lemnos explain %s\n", answer->id);
	answer_put_setting(s, answer);
	answer_put_choice(s, q->app, choice);
	strbuf_puts(s, "\npredicted ");
	answer_put_interval(s, choice, answer->request.confidence);
	if (!isnan(q->request.deadline_s)) {
		strbuf_puts(s, ", in time for ");
		answer_put_duration(s, q->request.deadline_s);
		strbuf_puts(s, " with probability ");
		answer_put_probability(s, choice->p_meet, answer->request.confidence);
	}
	strbuf_putc(s, '\n');
	answer_put_support(s, choice);
	answer_put_overuse(s, answer);
	put_limit(s, q->mined.machine, limit);
	answer_put_stale(s, &answer->evidence, false);
}

/* ---- an application that tells no command ---- */

/* The file of the application among the shipped definitions, if it tells one; NULL: there is none.
 */
static char *shipped_with_command(const struct application *a)
{
	struct strbuf path = STRBUF_INIT;
	struct application *shipped = NULL;
	char *datadir = NULL;
	char *found = NULL;

	if (datadir_find(&datadir, NULL))
		return NULL;
	strbuf_printf(&path, "%s/applications/%s.conf", datadir, a->name);
	if (!path.failed && !application_read(strbuf_text(&path), &shipped, NULL) &&
	    shipped->job.command) {
		found = path.buf;
		path = STRBUF_INIT;
	}
	application_free(shipped);
	strbuf_release(&path);
	free(datadir);
	return found;
}

static void note_no_command(const struct context *c, const struct application *a)
{
	char *path = shipped_with_command(a);

	if (path)
		context_note(c,
			     "this base has an older definition of %s, which does not tell how it "
			     "is started: the script wants $PROGRAM; the shipped one does: lemnos "
			     "apps add %s, then lemnos mine",
			     a->name, path);
	else
		context_note(c,
			     "the definition of %s does not tell how it is started (job = { "
			     "command = ... }): the script wants $PROGRAM",
			     a->name);
	free(path);
}

/* ---- the script ---- */

static enum err_code print_no(const struct context *c, const struct answer *answer, struct err *e)
{
	struct context on_log = *c;

	on_log.out = c->log;
	on_log.color = false;
	context_note(c, "no job script: it would be expected to miss the deadline");
	return advice_print(&on_log, answer, ADVICE_ON_A_SCREEN, e);
}

/* The script of what is recommended, or of the best effort where there is one; time_file as in
 * struct job. Errors: those of emit_slurm(). */
static enum err_code make_script(const struct context *c, const struct advice_question *q,
				 const struct advice *advice, const struct answer *answer,
				 const char *time_file, struct strbuf *script, int64_t *limit_min,
				 struct err *e)
{
	struct strbuf remarks = STRBUF_INIT;
	struct job job = {.app = q->app,
			  .machine = q->mined.machine,
			  .row = advice->best.row,
			  .time_file = time_file};
	struct limit limit;
	double risk;
	enum err_code rc;

	if ((rc = read_risk(c, &risk, e)))
		return rc;
	limit = limit_of(q, &advice->best.prediction, risk);
	put_remarks(&remarks, q, answer, &limit);
	job.remarks = strbuf_text(&remarks);
	if (!(rc = job_limit_min(job.machine, limit.wall_s, &job.limit_min, e)) &&
	    !(rc = job_script_slurm(&job, script, e)) && remarks.failed)
		rc = err_set(e, ERR_NOMEM, "a job script");
	*limit_min = job.limit_min;
	strbuf_release(&remarks);
	return rc;
}

static enum err_code print_script(struct context *c, const struct advice_question *q,
				  const struct advice *advice, const struct answer *answer,
				  struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	int64_t limit_min;
	enum err_code rc = make_script(c, q, advice, answer, NULL, &script, &limit_min, e);

	if (rc)
		goto done;
	fputs(strbuf_text(&script), c->out);
	if (!q->app->job.command)
		note_no_command(c, q->app);
	if (advice->best.prediction.support == SUPPORT_OUTSIDE)
		context_note(c, "the prediction is extrapolated beyond the runs seen: look at the "
				"script before you submit it");
done:
	strbuf_release(&script);
	return rc;
}

/* Print the script of the recommendation to c->out. An honest no is no script: it is told on c->log
 * and ERR_OK is returned, as where it is printed as an answer. Errors: ARG (the configuration
 * cannot be started by a script: says why), NOMEM. */
static enum err_code emit_slurm(struct context *c, const struct advice_question *q,
				const struct advice *advice, const struct answer *answer,
				struct err *e)
{
	return advice->feasible ? print_script(c, q, advice, answer, e) : print_no(c, answer, e);
}

/* ---- and Slurm ---- */

/* `recommend --submit`: the answer, and its job in the hands of Slurm. */
static bool submit_is_asked(const struct context *c)
{
	return options_has(&c->opt, &opt_submit);
}

static enum err_code read_accepted(const struct context *c, bool accepted[JOB_N_OBJECTIONS],
				   struct err *e)
{
	char **name = NULL;
	size_t n = 0;
	enum err_code rc = options_list(&c->opt, &opt_accept, &name, &n, e);

	for (size_t i = 0; i < n && !rc; i++) {
		enum job_objection d = 0;

		while (d < JOB_N_OBJECTIONS && strcmp(job_objection_name(d), name[i]) != 0)
			d++;
		if (d < JOB_N_OBJECTIONS)
			accepted[d] = true;
		else
			rc = err_set(e, ERR_USAGE,
				     "--accept %s: say infeasible, outside, failed, at-risk, cut, "
				     "simulated, borrowed or again",
				     name[i]);
	}
	free(name);
	return rc;
}

/* Before anything is searched for: do the options go together? Errors: USAGE. */
static enum err_code submit_check(const struct context *c, struct err *e)
{
	const struct option_spec *const with[] = {&opt_dry_run, &opt_accept, &opt_cluster};
	bool accepted[JOB_N_OBJECTIONS] = {false};

	for (size_t i = 0; !submit_is_asked(c) && i < sizeof with / sizeof with[0]; i++) {
		if (options_has(&c->opt, with[i]))
			return err_set(e, ERR_USAGE, "--%s goes with --submit", with[i]->name);
	}
	if (submit_is_asked(c) && emit_is_asked(c))
		return err_set(
			e, ERR_USAGE,
			"--emit prints the script, --submit submits it: leave one of them away "
			"(--submit --dry-run shows both answer and script)");
	return read_accepted(c, accepted, e);
}

/* ---- what is to be submitted, and what speaks against it ---- */

static void put_objections(struct submission *s)
{
	bool any = false;

	for (enum job_objection d = 0; d < JOB_N_OBJECTIONS; d++) {
		if (s->objection[d])
			strbuf_printf(&s->reason, "%s%s", any ? "; " : "", job_objection_text(d));
		any |= s->objection[d];
	}
	if (!any)
		return;
	strbuf_puts(&s->reason, " (--accept ");
	any = false;
	for (enum job_objection d = 0; d < JOB_N_OBJECTIONS; d++) {
		if (s->objection[d])
			strbuf_printf(&s->reason, "%s%s", any ? "," : "", job_objection_name(d));
		any |= s->objection[d];
	}
	strbuf_puts(&s->reason, " submits it all the same)");
	s->said_no = true;
}

/* The job would end at once: the script asks for $PROGRAM, which jobs get from here. */
static void put_no_program(struct submission *s, const struct application *a)
{
	const char *program = getenv("PROGRAM");

	if (a->job.command || (program && *program))
		return;
	strbuf_printf(
		&s->reason,
		"%sthe definition of %s does not tell how it is started (job = { command = ... }), "
		"and there is no $PROGRAM",
		s->reason.len > 0 ? "; " : "", a->name);
	s->said_no = true;
}

static void put_no_sbatch(struct submission *s)
{
	struct err why = {0};

	if (s->reason.len > 0 || !job_can_submit(&why))
		return;
	strbuf_puts(&s->reason, why.msg);
	s->dry_run = s->said_no = true;
}

static enum err_code prepare(const struct context *c, const struct advice_question *q,
			     const struct advice_answer *a, struct submission *s, struct err *e)
{
	bool accepted[JOB_N_OBJECTIONS] = {false};
	enum err_code rc = read_accepted(c, accepted, e);

	if (rc)
		return rc;
	job_objections_of(&a->told, s->objection);
	for (enum job_objection d = 0; d < JOB_N_OBJECTIONS; d++)
		s->objection[d] &= !accepted[d];
	if (!a->advice->best.row) {
		strbuf_printf(&s->reason, "nothing can be proposed: %s", a->told.reason);
		s->said_no = true;
		return ERR_OK;
	}
	put_objections(s);
	put_no_program(s, q->app);
	if (s->reason.len == 0 && options_has(&c->opt, &opt_dry_run)) {
		strbuf_puts(&s->reason, "a dry run was asked for (--dry-run)");
		s->dry_run = true;
	}
	put_no_sbatch(s);
	if ((s->reason.len == 0 || s->dry_run) &&
	    !(rc = job_place_find(q->app->name, &s->place, e)))
		rc = make_script(c, q, a->advice, &a->told, strbuf_text(&s->place.time_file),
				 &s->script, &s->limit_min, e);
	if (!rc && s->reason.failed)
		rc = err_set(e, ERR_NOMEM, "a job to submit");
	return rc;
}

/* ---- submitting ---- */

static enum err_code submit(struct context *c, const struct advice_question *q,
			    const struct advice_answer *a, struct submission *s, struct err *e)
{
	bool accepted[JOB_N_OBJECTIONS] = {false};
	struct job_submission job = {.advice_id = a->id,
				     .place = &s->place,
				     .script = strbuf_text(&s->script),
				     .limit_min = s->limit_min,
				     .machine = q->mined.machine,
				     .cluster = options_get(&c->opt, &opt_cluster)};
	enum err_code rc = read_accepted(c, accepted, e);

	job.again = accepted[OBJECTION_AGAIN];
	if (!rc)
		rc = job_submit(&c->session, &job, &s->job, e);
	if (rc && e)
		strbuf_puts(&s->reason, e->msg);
	return rc;
}

/* An answer is remembered if it can be; one that is submitted must be. */
static enum err_code keep(struct context *c, const struct advice_question *q,
			  const struct advice_answer *a, bool must, struct err *e)
{
	struct err why = {0};
	enum err_code rc;

	fflush(c->out);
	if (!(rc = advice_answer_keep(&c->session, q, a, &why)))
		return ERR_OK;
	if (must)
		return err_set(e, rc, "not submitted, as this answer could not be remembered: %s",
			       why.msg);
	context_warn(c, "warning: this answer could not be remembered: %s", why.msg);
	return ERR_OK;
}

/* ---- what is said of it ---- */

static void print_submitted(const struct context *c, const struct advice_question *q,
			    const struct submission *s)
{
	char limit[32];

	duration_format(60 * (double)s->limit_min, limit, sizeof limit);
	context_print(c, "submitted as job %s of %s%s%s, called %s, with a limit of %s\n",
		      s->job.slurm_id, q->mined.machine->name, s->job.cluster ? ", cluster " : "",
		      s->job.cluster ? s->job.cluster : "", s->job.name, limit);
	context_print(c, "then: lemnos advice sync\n");
}

static void tell(const struct context *c, const struct advice_question *q,
		 const struct submission *s)
{
	if (s->job.name && c->format == FORMAT_TABLE)
		print_submitted(c, q, s);
	else if (s->job.name)
		context_note(c, "submitted as job %s", s->job.slurm_id);
	else
		context_warn(c, "not submitted: %s", strbuf_text(&s->reason));
	if (s->dry_run && c->format == FORMAT_TABLE) {
		context_print(c, "\nwhat would be submitted:\n");
		fputs(strbuf_text(&s->script), c->out);
	}
}

/* Print the answer, remember it, submit its script and say so; as JSON the answer has "job"
 * besides. Where it is not submitted the answer is printed all the same. Errors: INFEASIBLE, said
 * already (something speaks against it that was not accepted, or there is no sbatch: then the
 * script is printed), those of job_submit(), and what keeps it from being remembered. */
static enum err_code submit_answer(struct context *c, const struct advice_question *q,
				   struct advice_answer *a, struct err *e)
{
	enum advice_length length =
		options_has(&c->opt, &opt_verbose) ? ADVICE_ON_A_SCREEN : ADVICE_IN_SHORT;
	bool late = c->format == FORMAT_JSON; /* what became of it is a part of the answer */
	struct submission s = {0};
	struct err trouble = {0}, print = {0};
	enum err_code rc = prepare(c, q, a, &s, e);

	if (rc || (!late && (rc = advice_print(c, &a->told, length, e))))
		goto done;
	rc = keep(c, q, a, s.reason.len == 0, &trouble);
	if (!rc && s.reason.len == 0)
		rc = submit(c, q, a, &s, &trouble);
	else if (rc)
		strbuf_puts(&s.reason, trouble.msg);
	if (late &&
	    (submission_json(&s, a->json, &print) || advice_print(c, &a->told, length, &print)))
		rc = rc ? rc : err_set(&trouble, print.code, "%s", print.msg);
	if (rc)
		rc = err_set(e, rc, "%s", trouble.msg);
	else
		tell(c, q, &s);
	if (!rc && s.said_no)
		rc = ERR_INFEASIBLE;
done:
	submission_release(&s);
	return rc;
}

/* Advice never waits for an import and works on a read-only base: what cannot be remembered is a
 * warning. */
static void remember(struct context *c, const struct advice_question *q,
		     const struct advice_answer *a)
{
	struct err why = {0};

	fflush(c->out); /* the answer first */
	if (advice_answer_keep(&c->session, q, a, &why))
		context_warn(c, "warning: this answer could not be remembered: %s", why.msg);
}

/* The answer, or the job script that comes of it. */
static enum err_code print_answer(struct context *c, const struct advice_question *q,
				  const struct advice_answer *a, struct err *e)
{
	enum advice_length length =
		options_has(&c->opt, &opt_verbose) ? ADVICE_ON_A_SCREEN : ADVICE_IN_SHORT;

	return emit_is_asked(c) ? emit_slurm(c, q, a->advice, &a->told, e)
				: advice_print(c, &a->told, length, e);
}

static enum err_code answer_question(struct context *c, const struct advice_question *q,
				     size_t n_next, struct err *e)
{
	struct advice_answer a = {0};
	enum err_code no = ERR_OK;
	enum err_code rc = advice_answer_find(q, n_next, &a, e);

	progress_bar_clear(&c->bar);
	if (!rc && submit_is_asked(c)) {
		rc = submit_answer(c, q, &a, e);
		if (rc == ERR_INFEASIBLE) {
			no = rc;
			rc = ERR_OK;
		}
	} else if (!rc && !(rc = print_answer(c, q, &a, e))) {
		remember(c, q, &a);
		if (!a.advice->feasible)
			no = ERR_INFEASIBLE; /* said already */
	}
	if (rc)
		goto done;
	rc = frontier_draw(&a.told, options_get(&c->opt, &opt_plot), e);
	if (!rc)
		rc = no;
done:
	advice_answer_release(&a);
	return rc;
}

/* To the machine that is meant, or to several to find the best. */
static enum err_code choose_machine(struct context *c, struct advice_question *q, struct err *e)
{
	struct machine_request one = {0};
	char **several = NULL;
	enum err_code rc;

	if (!(rc = machine_names_read(c, &several, e)) && !(rc = machine_request_read(c, &one, e)))
		rc = several ? multi_machine_make(&c->session, (const char *const *)several, q, e)
			     : advice_question_bind_machine(&c->session, &one, q, e);
	free(several);
	return rc;
}

static enum err_code recommend_run(struct context *c, struct err *e)
{
	struct advice_question q = {0};
	size_t n_next = 0;
	unsigned seed;
	enum err_code rc;

	if (!(rc = options_seed(&c->opt, &seed, e)) && !(rc = emit_check(c, e)) &&
	    !(rc = submit_check(c, e)) && !(rc = next_answer_option(&c->opt, &n_next, e)) &&
	    !(rc = advice_question_read(c, &q, e)) && !(rc = choose_machine(c, &q, e)))
		rc = answer_question(c, &q, n_next, e);
	advice_question_release(&q);
	return rc;
}

static const struct option_spec *const recommend_options[] = {
	&opt_problem,	&opt_deadline, &opt_by,	       &opt_budget, &opt_confidence, &opt_objective,
	&opt_max_nodes, &opt_frontier, &opt_plot,      &opt_next,   &opt_app,	     &opt_machine,
	&opt_set,	&opt_like,     &opt_wg_factor, &opt_seed,   &opt_max_memory, &opt_format,
	&opt_emit,	&opt_submit,   &opt_dry_run,   &opt_accept, &opt_cluster,    &opt_risk,
	&opt_verbose,	NULL};

static const struct action recommend_actions[] = {
	{NULL, "--problem SIZE [--deadline TIME] [OPTION]...", NULL, 0, 0, NEEDS_KB_READ,
	 recommend_run},
};

const struct cmd cmd_recommend = {
	.name = "recommend",
	.summary = "what to submit so that the problem is done in time",
	.description =
		"Searches every legal configuration and recommends, of those that end by the deadline with the\n"
		"asked confidence, the one of the fewest node-hours; says in at most 20 lines how sure that is,\n"
		"why, what else there is and what to do next (--verbose and `lemnos explain`: all of it).\n"
		"What is fixed (--mk 10, --grid 8x16, --nodes 16) is honoured. When nothing ends in time, or\n"
		"within the budget: the honest no, exit status 1, with what could be met. Several machines\n"
		"are asked in one question by --machine a,b or --machine any.",
	.examples =
		"  lemnos recommend --problem 280x280x255 --deadline 1h\n"
		"  lemnos recommend --problem 280x280x255 --deadline 10m --confidence 0.95\n"
		"  lemnos recommend --problem 280x280x255 --by 18:00 --budget 200nh\n"
		"  lemnos recommend --problem 280x280x255 --objective time --machine any\n"
		"  lemnos recommend --problem 280x280x255 --objective time --max-nodes 64 --mk 10\n"
		"  lemnos recommend --problem 280x280x255 --frontier --plot frontier.svg\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --format json\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --next 3\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --emit slurm\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --submit --dry-run",
	.options = recommend_options,
	.less_memory = "leave less open: fix tunables (--set NAME=VALUE), or use fewer nodes "
		       "(--max-nodes N)",
	.action = recommend_actions,
	.n_actions = 1,
	.app_flags = true,
};
