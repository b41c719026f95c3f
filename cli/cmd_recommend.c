#include <jansson.h>

#include "cli/advice_json.h"
#include "cli/advice_question.h"
#include "cli/advice_text.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/emit_slurm.h"
#include "cli/frontier_draw.h"
#include "cli/machine_survey.h"
#include "cli/next_answer.h"

/* Remembering must not keep anybody waiting: a writer who is at it longer than this wins. */
enum { REMEMBER_WAIT_MS = 500 };

/* ---- memory ---- */

static enum err_code put_advice(struct kb *kb, const struct kb_advice *a, struct err *e)
{
	enum err_code rc = kb_begin(kb, e);

	if (!rc && ((rc = kb_put_advice(kb, a, e)) || (rc = kb_commit(kb, e))))
		kb_rollback(kb);
	return rc;
}

/* Advice never waits for an import and works on a read-only base: the base was opened for reading
 * only, and what cannot be remembered is a warning. */
static void remember(struct context *c, const struct kb_advice *a)
{
	struct kb_options o = {.busy_timeout_ms = REMEMBER_WAIT_MS};
	struct kb *kb = NULL;
	struct err why = {0};

	fflush(c->out); /* the answer first */
	if (kb_open(c->kb_path, KB_WRITE, &o, &kb, &why) || put_advice(kb, a, &why))
		context_warn(c, "warning: this answer could not be remembered: %s", why.msg);
	kb_close(kb);
}

/* The answer, or the job script that comes of it. */
static enum err_code print_answer(struct context *c, const struct advice_question *q,
				  const struct advice *advice, const json_t *answer, struct err *e)
{
	return emit_is_asked(c) ? emit_slurm(c, q, advice, answer, e)
				: advice_print(c, answer, q->app, ADVICE_ON_A_SCREEN, e);
}

static enum err_code print_and_remember(struct context *c, const struct advice_question *q,
					const struct advice *advice, const json_t *request,
					const json_t *answer, const char *id, struct err *e)
{
	struct strbuf asked = STRBUF_INIT, answered = STRBUF_INIT;
	struct kb_advice memory = {.id = (char *)id,
				   .snapshot = (char *)q->mined.snapshot,
				   .first_run_id = q->first_run_id};
	enum err_code rc;

	if ((rc = out_json_text(request, &asked, e)) ||
	    (rc = out_json_text(answer, &answered, e)) ||
	    (rc = print_answer(c, q, advice, answer, e)))
		goto done;
	memory.request = asked.buf;
	memory.answer = answered.buf;
	remember(c, &memory);
done:
	strbuf_release(&asked);
	strbuf_release(&answered);
	return rc;
}

static enum err_code answer_question(struct context *c, const struct advice_question *q,
				     size_t n_next, struct err *e)
{
	struct advice *advice = NULL;
	json_t *request = NULL, *answer = NULL;
	char id[ADVICE_ID_SIZE];
	enum err_code rc;

	if ((rc = advice_find(&q->request, &advice, e)))
		return rc;
	progress_bar_clear(&c->bar);
	if ((rc = advice_request_json(q, &request, e)) ||
	    (rc = next_answer_ask(request, n_next, e)) || (rc = advice_id(request, q, id, e)) ||
	    (rc = advice_answer_json(id, request, q, advice, &answer, e)) ||
	    (rc = next_answer_add(c, q, advice, n_next, answer, e)) ||
	    (rc = print_and_remember(c, q, advice, request, answer, id, e)) ||
	    (rc = frontier_draw(answer, options_get(&c->opt, &opt_plot), e)))
		goto done;
	if (!advice->feasible)
		rc = ERR_INFEASIBLE; /* said already */
done:
	json_decref(request);
	json_decref(answer);
	advice_free(advice);
	return rc;
}

/* To the machine that is meant, or to several to find the best. */
static enum err_code choose_machine(struct context *c, struct advice_question *q, struct err *e)
{
	json_t *several = NULL;
	enum err_code rc = machine_survey_read(c, &several, e);

	if (rc)
		return rc;
	rc = several ? machine_survey_make(c, several, q, e)
		     : advice_question_put_to(c, NULL, q, e);
	json_decref(several);
	return rc;
}

static enum err_code recommend_run(struct context *c, struct err *e)
{
	struct advice_question q = {0};
	size_t n_next = 0;
	unsigned seed;
	enum err_code rc;

	if (!(rc = options_seed(&c->opt, &seed, e)) && !(rc = emit_check(c, e)) &&
	    !(rc = next_answer_option(&c->opt, &n_next, e)) &&
	    !(rc = advice_question_read(c, &q, e)) && !(rc = choose_machine(c, &q, e)))
		rc = answer_question(c, &q, n_next, e);
	advice_question_release(&q);
	return rc;
}

static const struct option_spec *const recommend_options[] = {
	&opt_problem,	&opt_deadline,	&opt_by,       &opt_budget, &opt_confidence,
	&opt_objective, &opt_max_nodes, &opt_frontier, &opt_plot,   &opt_next,
	&opt_app,	&opt_machine,	&opt_set,      &opt_like,   &opt_wg_factor,
	&opt_seed,	&opt_format,	&opt_emit,     &opt_risk,   NULL};

static const struct action recommend_actions[] = {
	{NULL, "--problem SIZE [--deadline TIME] [OPTION]...", NULL, 0, 0, NEEDS_KB_READ,
	 recommend_run},
};

const struct cmd cmd_recommend = {
	.name = "recommend",
	.summary = "what to submit so that the problem is done in time",
	.description =
		"Searches every legal configuration and recommends the one that ends by the "
		"deadline "
		"with the\n"
		"asked confidence on the fewest nodes, and is the fastest of those; says how sure "
		"that is and\n"
		"what it rests on. What is fixed (--mk 10, --grid 8x16, --nodes 16) is honoured. "
		"When nothing\n"
		"ends in time, or within the budget: the honest no, exit status 1, with what could "
		"be met.\n"
		"Several machines are asked in one question by --machine a,b or --machine any.",
	.examples =
		"  lemnos recommend --problem 280x280x255 --deadline 1h\n"
		"  lemnos recommend --problem 280x280x255 --deadline 10m --confidence 0.95\n"
		"  lemnos recommend --problem 280x280x255 --by 18:00 --budget 200nh\n"
		"  lemnos recommend --problem 280x280x255 --objective time --machine any\n"
		"  lemnos recommend --problem 280x280x255 --objective time --max-nodes 64 --mk 10\n"
		"  lemnos recommend --problem 280x280x255 --frontier --plot frontier.svg\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --format json\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --next 3\n"
		"  lemnos recommend --problem 280x280x255 --deadline 1h --emit slurm",
	.options = recommend_options,
	.action = recommend_actions,
	.n_actions = 1,
	.app_flags = true,
};
