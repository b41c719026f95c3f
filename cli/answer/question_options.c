#include "cli/answer/question_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "base/wall_clock.h"
#include "cli/answer/frontier_text.h"

OPTION(opt_like, "like", "NAME",
       .help = "what if: a machine without runs computes like machine NAME");
OPTION(opt_wg_factor, "wg-factor", "F",
       .help = "with --like: its computation takes F times as long (default 1)");

enum err_code machine_request_read(const struct context *c, struct machine_request *out,
				   struct err *e)
{
	struct machine_request asked = {
		.name = options_get(&c->opt, &opt_machine),
		.like = options_get(&c->opt, &opt_like),
		.wg_factor = 1,
	};
	enum err_code rc;

	if (!asked.like && options_has(&c->opt, &opt_wg_factor))
		return err_set(e, ERR_USAGE,
			       "--wg-factor needs --like NAME, the machine whose computation times "
			       "it multiplies");
	if ((rc = options_number(&c->opt, &opt_wg_factor, 1e-6, 1e6, &asked.wg_factor, e)))
		return rc;
	*out = asked;
	return ERR_OK;
}

/* ---- several machines ---- */

/* Nothing forbids a machine's name with a comma, or "any". */
static enum err_code is_a_name(struct context *c, const char *text, bool *is_name, struct err *e)
{
	struct machine *of_that_name = NULL;
	struct err why = {0};
	int64_t id;
	enum err_code rc = kb_get_machine(c->session.kb, text, &of_that_name, &id, &why);

	machine_free(of_that_name);
	if (rc && rc != ERR_NOTFOUND)
		return err_set(e, rc, "%s", why.msg);
	*is_name = rc == ERR_OK;
	return ERR_OK;
}

enum err_code machine_names_read(struct context *c, char ***out, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_machine);
	bool is_name = false;
	enum err_code rc;

	*out = NULL;
	if (!text || (strcmp(text, "any") != 0 && !strchr(text, ',')))
		return ERR_OK;
	if ((rc = is_a_name(c, text, &is_name, e)) || is_name)
		return rc;
	if (options_has(&c->opt, &opt_like))
		return err_set(e, ERR_USAGE,
			       "--like asks what if of one machine: give one with --machine");
	return options_list(&c->opt, &opt_machine, out, NULL, e);
}

OPTION(opt_by, "by", "CLOCK",
       .help = "a deadline by the clock: 18:00 (the next one), 2026-11-22T07:30");
OPTION(opt_budget, "budget", "NODE-HOURS",
       .help = "stay within 200nh, as surely as within the deadline");
OPTION(opt_objective, "objective", "WHAT", .values = "nodes node-hours time",
       .help = "what to keep low: node-hours (default), nodes or time");

/* ---- by the clock ---- */

/* The one clock. $LEMNOS_NOW stands in for it, so that an answer can be had again. */
static enum err_code read_clock(int64_t *now_s, struct err *e)
{
	const char *given = getenv("LEMNOS_NOW");
	struct err why = {0};

	*now_s = (int64_t)time(NULL);
	if (given && *given && wall_clock_parse(given, *now_s, now_s, &why))
		return err_set(e, ERR_USAGE, "$LEMNOS_NOW: %s", why.msg);
	return ERR_OK;
}

static enum err_code read_by(const char *text, struct clock_deadline *by, double *deadline_s,
			     struct err *e)
{
	char asked[WALL_CLOCK_SIZE];
	struct err why = {0};
	enum err_code rc;

	if ((rc = read_clock(&by->asked_s, e)))
		return rc;
	if (wall_clock_parse(text, by->asked_s, &by->by_s, &why))
		return err_set(e, ERR_USAGE, "--by: %s", why.msg);
	if (by->by_s <= by->asked_s)
		return err_set(e, ERR_USAGE, "--by %s is past: it is %s now", text,
			       wall_clock_format(by->asked_s, asked));
	by->given = true;
	*deadline_s = (double)(by->by_s - by->asked_s);
	return ERR_OK;
}

static enum err_code read_deadline(const struct options *o, struct clock_deadline *by,
				   double *deadline_s, struct err *e)
{
	const char *text = options_get(o, &opt_by);

	if (text && options_has(o, &opt_deadline))
		return err_set(
			e, ERR_USAGE,
			"--by and --deadline are two ways to say the same: give one of them");
	return text ? read_by(text, by, deadline_s, e)
		    : options_duration(o, &opt_deadline, deadline_s, e);
}

/* ---- the others ---- */

static enum err_code read_budget(const struct options *o, double *node_hours, struct err *e)
{
	const char *text = options_get(o, &opt_budget);
	struct err why = {0};

	if (text && node_hours_parse(text, node_hours, &why))
		return err_set(e, ERR_USAGE, "--budget: %s", why.msg);
	return ERR_OK;
}

/* The fewest nodes are an answer only to a deadline. Without any limit the least node-hours are a
 * slow answer, given only when it is asked for by name. */
static enum err_code read_objective(const struct options *o, struct advice_request *r,
				    struct err *e)
{
	bool fastest = isnan(r->deadline_s) && (r->budget_node_hours > 0 || r->frontier);
	int objective = fastest ? OBJECTIVE_TIME : OBJECTIVE_NODE_HOURS;
	enum err_code rc = options_choice(o, &opt_objective, &objective, e);

	if (rc)
		return rc;
	r->objective = (enum objective)objective;
	if (isnan(r->deadline_s) && r->objective != OBJECTIVE_TIME &&
	    (r->objective == OBJECTIVE_NODES || !options_has(o, &opt_objective)))
		return err_set(
			e, ERR_USAGE,
			"by when? Give --deadline 1h (90s, 15m, 1:30:00, 2d), --by 18:00, "
			"--objective time for the fastest, or --objective node-hours for the "
			"cheapest");
	return ERR_OK;
}

/* Sets deadline_s, budget_node_hours, confidence, objective, max_nodes and frontier. A budget alone
 * asks for the fastest within it, a frontier alone for the fastest. Errors: USAGE. */
static enum err_code advice_limits_read(const struct options *o, struct advice_request *r,
					struct clock_deadline *by, struct err *e)
{
	long long max_nodes = 0;
	enum err_code rc;

	*by = (struct clock_deadline){0};
	r->deadline_s = NAN;
	r->budget_node_hours = 0;
	r->confidence = 0.9;
	if ((rc = frontier_options_read(o, &r->frontier, e)) ||
	    (rc = read_deadline(o, by, &r->deadline_s, e)) ||
	    (rc = read_budget(o, &r->budget_node_hours, e)) ||
	    (rc = options_number(o, &opt_confidence, 0.5, 0.999, &r->confidence, e)) ||
	    (rc = options_integer(o, &opt_max_nodes, 1, INT64_C(1000000000), &max_nodes, e)))
		return rc;
	r->max_nodes = max_nodes;
	return read_objective(o, r, e);
}

enum err_code advice_question_read(struct context *c, struct advice_question *q, struct err *e)
{
	enum err_code rc;

	/* The limits last: --dedline 1h is an unknown option, not a deadline that is missing. */
	if ((rc = advice_question_open(&c->session, options_get(&c->opt, &opt_app), q, e)) ||
	    (rc = context_configuration(c, q->app, true, q->given, e)) ||
	    (rc = advice_limits_read(&c->opt, &q->request, &q->by, e)))
		return rc;
	advice_question_complete(&c->session, q);
	return ERR_OK;
}
