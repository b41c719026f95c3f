#include "cli/mined_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "cli/few_runs.h"
#include "mining/mine.h"

const struct option_spec opt_like = {
	.name = "like",
	.arg = "NAME",
	.help = "what if: a machine without runs computes like machine NAME",
};
const struct option_spec opt_wg_factor = {
	.name = "wg-factor",
	.arg = "F",
	.help = "with --like: its computation takes F times as long (default 1)",
};

/* Why nothing was mined, and what helps. */
static enum err_code not_mined(struct context *c, const struct application *app, int64_t app_id,
			       const struct machine *machine, int64_t machine_id, struct err *e)
{
	struct kb_filter f = {.machine_id = machine_id};
	struct strbuf why = STRBUF_INIT;
	int64_t n_runs = 0;
	enum err_code rc = kb_count_runs(c->kb, app, &f, &n_runs, e);

	if (rc)
		return rc;
	if (n_runs == 0)
		return err_set(
			e, ERR_NOTMINED,
			"%s has no runs on %s: load some (`lemnos ingest`), or ask what if it "
			"computed like a machine that has (--like NAME --wg-factor F)",
			app->name, machine->name);
	if ((rc = few_runs_reason(c->kb, app, app_id, machine_id, n_runs, &why, e)))
		goto done;
	if (why.len)
		rc = err_set(e, ERR_NOTMINED,
			     "too few runs of %s on %s to predict from: %s; load more (`lemnos "
			     "ingest`)",
			     app->name, machine->name, strbuf_text(&why));
	else
		rc = err_set(e, ERR_NOTMINED,
			     "nothing was mined yet from the %lld run%s of %s on %s: run `lemnos "
			     "mine`",
			     (long long)n_runs, n_runs == 1 ? "" : "s", app->name, machine->name);
done:
	strbuf_release(&why);
	return rc;
}

static enum err_code load_predictor(struct context *c, const struct application *app,
				    int64_t app_id, const struct machine *machine,
				    int64_t machine_id, struct mined_machine *m, struct err *e)
{
	struct mine_target on = {app, app_id, machine, machine_id};
	struct err why = {0};
	enum err_code rc = mine_load(c->kb, &on, &m->predictor, &m->stale, m->snapshot, &why);

	if (rc == ERR_NOTMINED)
		return not_mined(c, app, app_id, machine, machine_id, e);
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	m->runs_machine_id = machine_id;
	return ERR_OK;
}

static enum err_code load_rules(struct context *c, const struct application *app, int64_t app_id,
				struct mined_machine *m, struct err *e)
{
	enum err_code rc = rules_in_use_load(c->kb, app, app_id, m->machine_id, &m->rules, e);

	return rc ? rc : rule_advice_lead(m->predictor, m->rules.item, m->rules.n, e);
}

/* Rules and predictor as of one mining. */
static enum err_code load_own(struct context *c, const struct application *app, int64_t app_id,
			      struct mined_machine *m, struct err *e)
{
	enum err_code rc = kb_begin_read(c->kb, e);

	if (rc)
		return rc;
	if (!(rc = load_predictor(c, app, app_id, m->machine, m->machine_id, m, e)))
		rc = load_rules(c, app, app_id, m, e);
	kb_end_read(c->kb);
	return rc;
}

/* A machine file without message costs may have had them calibrated from a ping-pong. */
static enum err_code take_message_costs(struct context *c, struct machine *machine,
					int64_t machine_id, struct err *e)
{
	if (machine->has_loggp || machine->n_segment > 0)
		return ERR_OK;
	return kb_get_message_cost(c->kb, machine_id, &machine->segment, &machine->n_segment, e);
}

/* The facts of both machines make a what if. */
static void add_to_snapshot(char snapshot[65], const char *other)
{
	char text[130];

	snprintf(text, sizeof text, "%s %s", snapshot, other);
	digest_text(text, strlen(text), snapshot);
}

static enum err_code refuse_runs_of_its_own(struct context *c, const struct application *app,
					    const struct mined_machine *m, struct err *e)
{
	struct kb_filter f = {.machine_id = m->machine_id};
	int64_t n_runs = 0;
	enum err_code rc = kb_count_runs(c->kb, app, &f, &n_runs, e);

	if (!rc && n_runs > 0)
		rc = err_set(e, ERR_ARG,
			     "--like is for a machine without runs, and %s has %lld of %s: ask "
			     "without it",
			     m->machine->name, (long long)n_runs, app->name);
	return rc;
}

static enum err_code load_what_if(struct context *c, const struct application *app, int64_t app_id,
				  const char *like, struct mined_machine *m, struct err *e)
{
	struct machine *other = NULL;
	struct predictor *transferred = NULL;
	char own[65];
	int64_t other_id;
	enum err_code rc;

	if ((rc = refuse_runs_of_its_own(c, app, m, e)) ||
	    (rc = kb_get_machine(c->kb, like, &other, &other_id, e)) ||
	    (rc = load_predictor(c, app, app_id, other, other_id, m, e)) ||
	    (rc = take_message_costs(c, m->machine, m->machine_id, e)) ||
	    (rc = predictor_transfer(m->predictor, m->machine, m->wg_factor, &transferred, e)) ||
	    (rc = kb_snapshot(c->kb, app_id, m->machine_id, own, e)))
		goto done;
	predictor_free(m->predictor);
	m->predictor = transferred;
	transferred = NULL;
	add_to_snapshot(m->snapshot, own);
	m->like = strdup(other->name);
	if (!m->like)
		rc = err_set(e, ERR_NOMEM, "the name of a machine");
done:
	predictor_free(transferred);
	machine_free(other);
	return rc;
}

enum err_code mined_machine_load(struct context *c, const struct application *app, int64_t app_id,
				 const char *name, struct mined_machine *out, struct err *e)
{
	struct mined_machine m = {.wg_factor = 1};
	const char *like = options_get(&c->opt, &opt_like);
	enum err_code rc;

	if (!like && options_has(&c->opt, &opt_wg_factor))
		return err_set(e, ERR_USAGE,
			       "--wg-factor needs --like NAME, the machine whose computation times "
			       "it multiplies");
	if ((rc = options_number(&c->opt, &opt_wg_factor, 1e-6, 1e6, &m.wg_factor, e)))
		return rc;
	rc = name ? kb_get_machine(c->kb, name, &m.machine, &m.machine_id, e)
		  : context_machine(c, app_id, &m.machine, &m.machine_id, e);
	if (!rc)
		rc = like ? load_what_if(c, app, app_id, like, &m, e)
			  : load_own(c, app, app_id, &m, e);
	if (!rc)
		rc = mined_machine_facts(c, app_id, m.machine->name, m.like, m.facts, e);
	if (rc)
		mined_machine_release(&m);
	else
		*out = m;
	return rc;
}

static enum err_code facts_of(struct context *c, int64_t app_id, const char *name, char facts[65],
			      struct err *e)
{
	struct machine *machine = NULL;
	int64_t id;
	enum err_code rc = kb_get_machine(c->kb, name, &machine, &id, e);

	machine_free(machine);
	return rc ? rc : kb_snapshot(c->kb, app_id, id, facts, e);
}

enum err_code mined_machine_facts(struct context *c, int64_t app_id, const char *name,
				  const char *like, char facts[65], struct err *e)
{
	char own[65];
	enum err_code rc;

	if (!like)
		return facts_of(c, app_id, name, facts, e);
	if ((rc = facts_of(c, app_id, like, facts, e)) || (rc = facts_of(c, app_id, name, own, e)))
		return rc;
	add_to_snapshot(facts, own);
	return ERR_OK;
}

enum err_code mined_machine_ask_rules(const struct mined_machine *m, const struct application *app,
				      const double *row, const struct prediction *at,
				      struct rule_report *out, struct err *e)
{
	struct rule_advice *rules = NULL;
	enum err_code rc;

	if ((rc = rule_advice_new(app, m->rules.item, m->rules.n, &rules, e)))
		return rc;
	rc = rule_advice_report(rules, row, at, out, e);
	rule_advice_free(rules);
	return rc;
}

void mined_machine_release(struct mined_machine *m)
{
	rules_in_use_release(&m->rules);
	predictor_free(m->predictor);
	machine_free(m->machine);
	free(m->like);
	*m = (struct mined_machine){0};
}
