#include "cli/answer/emit_slurm.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "cli/answer/advice_text.h"
#include "cli/answer/answer_text.h"
#include "api/datadir.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/next_answer.h"
#include "cli/answer/submit_job.h"
#include "domain/job_script.h"

const struct option_spec opt_emit = {
	.name = "emit",
	.arg = "WHAT",
	.values = "slurm",
	.help = "a job script instead of the answer: slurm (for sbatch)",
};
const struct option_spec opt_risk = {
	.name = "risk",
	.arg = "P",
	.help = "with --emit and --submit: the risk, 0.001 to 0.5, that the time\n"
		"limit ends the job (default 0.01)",
};

static enum err_code read_risk(const struct context *c, double *risk, struct err *e)
{
	*risk = 0.01;
	return options_number(&c->opt, &opt_risk, 0.001, 0.5, risk, e);
}

bool emit_is_asked(const struct context *c)
{
	return options_has(&c->opt, &opt_emit);
}

enum err_code emit_check(const struct context *c, struct err *e)
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
		.least = 1 - prediction_max_confidence(p, at),
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
		strbuf_printf(s, " with probability %.2f", choice->p_meet);
	}
	strbuf_putc(s, '\n');
	answer_put_support(s, choice);
	answer_put_overuse(s, answer);
	put_limit(s, q->mined.machine, limit);
	answer_put_stale(s, &answer->evidence, false);
}

/* ---- a class that tells no command ---- */

/* The file of the class among the shipped definitions, if it tells one; NULL: there is none. */
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

enum err_code emit_make_script(const struct context *c, const struct advice_question *q,
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
	enum err_code rc = emit_make_script(c, q, advice, answer, NULL, &script, &limit_min, e);

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

enum err_code emit_slurm(struct context *c, const struct advice_question *q,
			 const struct advice *advice, const struct answer *answer, struct err *e)
{
	return advice->feasible ? print_script(c, q, advice, answer, e) : print_no(c, answer, e);
}
