#include <stdlib.h>

#include "api/advice_answer.h"
#include "api/advice_question.h"
#include "cli/answer/advice_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/advice_job.h"
#include "api/multi_machine.h"
#include "cli/answer/next_answer.h"
#include "cli/answer/question_options.h"

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
