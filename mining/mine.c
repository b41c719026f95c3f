#include "mining/mine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/messages/message_fit.h"
#include "mining/predictor/system_change.h"
#include "mining/rules/mine_rules.h"
#include "mining/rules/rule_notes.h"
#include "mining/run_index.h"

void mine_input_release(struct mine_input *in)
{
	dataset_free(in->runs);
	dataset_free(in->at_present);
	dataset_free(in->alike);
	dataset_free(in->failures);
	free(in->segment);
	*in = (struct mine_input){0};
}

/* The machine's message costs, refitted from its ping-pong facts. None, or too few sizes to tell
 * anything: *out is empty, for the runs count without them. */
static enum err_code fit_messages(struct kb *kb, int64_t machine_id, const struct progress *p,
				  struct message_fit *out, struct err *e)
{
	struct kb_pingpong rows = {0};
	struct err fit_error = {0};
	enum err_code rc;

	memset(out, 0, sizeof *out);
	if ((rc = kb_load_pingpong(kb, machine_id, &rows, e)))
		return rc;
	if (rows.n > 0)
		rc = message_fit(rows.message_bytes, rows.roundtrip_s, rows.n, p, out, &fit_error);
	if (rc == ERR_NODATA)
		rc = ERR_OK;
	else if (rc)
		err_set(e, rc, "%s", fit_error.msg);
	kb_pingpong_release(&rows);
	return rc;
}

/* ---- the runs ---- */

void runs_of_all_release(struct runs_of_all *all)
{
	dataset_free(all->runs);
	all->runs = NULL;
}

static enum err_code read_all(struct kb *kb, const struct mine_target *on, struct runs_of_all *all,
			      const struct mine_gate *gate, const struct progress *p, struct err *e)
{
	const struct kb_filter f = {.all_status = true};
	char now[65];
	enum err_code rc = kb_snapshot_all(kb, on->app_id, now, e);

	if (rc || (all->runs && !strcmp(now, all->snapshot)))
		return rc;
	if (gate)
		gate->alone(gate->arg);
	runs_of_all_release(all);
	memcpy(all->snapshot, now, sizeof now);
	return kb_load_runs(kb, on->app, &f, p, &all->runs, e);
}

/* Those of a machine (0: of all) that failed, or the others. */
static enum err_code take_runs(const struct dataset *all, int64_t machine_id, bool failed,
			       struct dataset **out, struct err *e)
{
	unsigned char *keep = calloc(all->n + 1, 1);
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "%zu runs", all->n);
	for (size_t i = 0; i < all->n; i++)
		keep[i] = (machine_id == 0 || all->machine_id[i] == machine_id) &&
			  (all->status[i] == RUN_FAILED) == failed;
	rc = dataset_subset(all, keep, out, e);
	free(keep);
	return rc;
}

/* all (may be NULL): where they are, read already. */
static enum err_code load_runs(struct kb *kb, const struct mine_target *on, struct runs_of_all *all,
			       bool failed, const struct progress *p, struct dataset **out,
			       struct err *e)
{
	const struct kb_filter f = {.machine_id = on->machine_id,
				    .all_status = failed,
				    .where = failed ? "status = 'failed'" : NULL};

	return all ? take_runs(all->runs, on->machine_id, failed, out, e)
		   : kb_load_runs(kb, on->app, &f, p, out, e);
}

/* Of more runs than are looked at the columns beside them are not read. */
static enum err_code find_short(struct kb *kb, int64_t machine_id, struct dataset *runs,
				struct short_runs *out, struct err *e)
{
	struct kb_run_extras extras;
	enum err_code rc;

	*out = (struct short_runs){.n = 0};
	if (runs->n > KB_EXTRAS_RUNS)
		return ERR_OK;
	if ((rc = kb_load_run_extras(kb, machine_id, runs, &extras, e)))
		return rc;
	rc = short_runs_find(runs, &extras, out, e);
	kb_run_extras_release(&extras);
	return rc;
}

enum err_code mine_screen_runs(struct kb *kb, int64_t machine_id, struct dataset **runs,
			       struct dataset *failures, struct run_screen *screen,
			       struct short_runs *did_less, struct err *e)
{
	enum err_code rc;

	if ((rc = find_short(kb, machine_id, *runs, did_less, e)) ||
	    (rc = run_screen(*runs, screen, e)))
		return rc;
	return did_less->n + screen->n_no_time > 0 ? short_runs_move(runs, failures, e) : ERR_OK;
}

/* All runs, those that ended in the order of their content, but for what cannot be right. */
static enum err_code load_screened(struct kb *kb, const struct mine_target *on,
				   struct runs_of_all *all, const struct progress *p,
				   struct mine_input *out, struct err *e)
{
	enum err_code rc;

	if ((rc = load_runs(kb, on, all, false, p, &out->runs, e)) ||
	    (rc = dataset_order_by_content(out->runs, e)) ||
	    (rc = load_runs(kb, on, all, true, p, &out->failures, e)))
		return rc;
	return mine_screen_runs(kb, on->machine_id, &out->runs, out->failures, &out->fit.screen,
				&out->fit.did_less, e);
}

/* Times as of the fast levels of a column beside the runs, if one tells the time. */
static enum err_code allow_for_circumstance(struct kb *kb, const struct mine_target *on,
					    struct mine_input *in, struct err *e)
{
	struct kb_run_extras extras = {0};
	struct kb_run_dates dates = {0};
	enum err_code rc;

	if (in->runs->n > CIRCUMSTANCE_RUNS)
		return ERR_OK;
	if (!(rc = kb_load_run_extras(kb, on->machine_id, in->runs, &extras, e)) &&
	    !(rc = kb_load_run_dates(kb, on->app, on->machine_id, &dates, e)))
		rc = circumstance_find(in->runs, &extras, &dates, &in->alike, &in->fit.beside, e);
	kb_run_extras_release(&extras);
	kb_run_dates_release(&dates);
	if (in->alike) {
		in->fit.runs = in->alike;
		if (!rc)
			rc = run_screen_repeats(in->alike, &in->fit.screen, e);
	}
	return rc;
}

/* Times of runs before a change of the system as what they would be now. Of more runs than are
 * looked at no dates are read. */
static enum err_code allow_for_changes(struct kb *kb, const struct mine_target *on,
				       struct mine_input *in, struct err *e)
{
	struct kb_run_dates dates;
	enum err_code rc;

	if (in->runs->n > SYSTEM_CHANGE_RUNS)
		return ERR_OK;
	if ((rc = kb_load_run_dates(kb, on->app, on->machine_id, &dates, e)))
		return rc;
	rc = system_changes_find(&in->fit, &dates, &in->at_present, &in->fit.changes, e);
	if (in->at_present) {
		in->fit.runs = in->at_present;
		if (!rc)
			rc = run_screen_repeats(in->at_present, &in->fit.screen, e);
	}
	kb_run_dates_release(&dates);
	return rc;
}

static void flag_what_breaks(struct dataset *failures, const struct rule_test *relation)
{
	for (size_t i = 0; i < failures->n; i++) {
		if (!rule_setting_possible(relation, dataset_row(failures, i)))
			failures->flagged[i] = FLAG_EXPLAINED;
	}
}

/* Flags the failed runs that break an invariant: they had to fail. */
static enum err_code explain_failures(struct mine_input *in, const struct progress *p,
				      struct err *e)
{
	const struct slowdown_table no_cases = {.n_strata = 0};
	struct rule_list relations = {.n = 0};
	enum err_code rc;

	if (in->failures->n == 0)
		return ERR_OK;
	rc = mine_invariants(in->runs, in->failures, &no_cases, p, &relations, e);
	for (size_t i = 0; i < relations.n && !rc; i++) {
		struct rule_test *relation;

		if ((rc = rule_test_new(in->runs->app, &relations.item[i], &relation, e)))
			break;
		flag_what_breaks(in->failures, relation);
		rule_test_free(relation);
	}
	rule_list_release(&relations);
	return rc;
}

static enum err_code load_input(struct kb *kb, const struct mine_target *on,
				struct runs_of_all *all, const struct progress *p,
				struct mine_input *out, struct err *e)
{
	struct mine_input in = {0};
	struct message_fit messages;
	enum err_code rc;

	if ((rc = load_screened(kb, on, all, p, &in, e)) || (rc = explain_failures(&in, p, e)) ||
	    (rc = fit_messages(kb, on->machine_id, p, &messages, e)))
		goto fail;
	if (messages.n_segment > 0) {
		in.segment = calloc(messages.n_segment, sizeof *in.segment);
		if (!in.segment) {
			rc = err_set(e, ERR_NOMEM, "message costs");
			goto fail;
		}
		memcpy(in.segment, messages.segment, messages.n_segment * sizeof *in.segment);
	}
	in.fit = (struct fit_input){.runs = in.runs,
				    .failures = in.failures,
				    .machine = on->machine,
				    .segment = in.segment,
				    .n_segment = messages.n_segment,
				    .progress = p,
				    .screen = in.fit.screen,
				    .did_less = in.fit.did_less};
	if ((rc = allow_for_circumstance(kb, on, &in, e)) ||
	    (rc = allow_for_changes(kb, on, &in, e)))
		goto fail;
	*out = in;
	return ERR_OK;
fail:
	mine_input_release(&in);
	return rc;
}

enum err_code mine_input_load(struct kb *kb, const struct mine_target *on, const struct progress *p,
			      struct mine_input *out, struct err *e)
{
	return load_input(kb, on, NULL, p, out, e);
}

bool mine_is_current(const struct kb_fit *fit, const char *snapshot)
{
	return !strcmp(fit->snapshot, snapshot) &&
	       kb_fit_value(fit, "predictor_version") == PREDICTOR_VERSION;
}

/* A fit that lost numbers is refused with the advice to mine, which then must help. */
static bool is_usable(const struct kb_fit *fit, const struct application *app)
{
	struct predictor *p = NULL;

	if (predictor_load(fit, app, &p, NULL))
		return false;
	predictor_free(p);
	return true;
}

void mine_outcome_release(struct mine_outcome *o)
{
	kb_fit_release(&o->fit);
	kb_rules_release(&o->before);
	kb_rules_release(&o->rules);
	*o = (struct mine_outcome){0};
}

static void name_rules(struct mined *m, const char *snapshot, struct kb_rules *out)
{
	out->rules = m->rules;
	out->findings = m->findings;
	out->version = MINE_RULES_VERSION;
	memcpy(out->snapshot, snapshot, sizeof out->snapshot);
	*m = (struct mined){.rules = {.n = 0}};
}

static bool rules_are_current(const struct kb_rules *r, const char *snapshot)
{
	return !strcmp(r->snapshot, snapshot) && r->version == MINE_RULES_VERSION;
}

/* What is damaged is mined anew, as if it were not there. */
static bool is_none(enum err_code rc)
{
	return rc == ERR_NOTMINED || rc == ERR_DAMAGED;
}

/* What was stored before; none is an empty one. */
static enum err_code load_before(struct kb *kb, const struct mine_target *on, int64_t machine_id,
				 struct kb_rules *out, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_rules(kb, on->app_id, machine_id, out, &why);

	return !rc || is_none(rc) ? ERR_OK : err_set(e, rc, "%s", why.msg);
}

/* The rules over all machines refer to those of each: they are to be mined again. Until then they
 * stay, marked as old. */
static enum err_code outdate_general(struct kb *kb, const struct mine_target *on, struct err *e)
{
	struct kb_rules general = {.version = 0};
	enum err_code rc = load_before(kb, on, 0, &general, e);

	if (!rc && general.version != 0) {
		general.version = 0;
		rc = kb_put_rules(kb, on->app_id, 0, &general, e);
	}
	kb_rules_release(&general);
	return rc;
}

static int by_number(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The numbers of those that did not end, of both, ascending, and behind them of those that did
 * less, which are stored as if they had. NULL: out of memory. */
static int64_t *find_unended(const struct mine_input *in, struct kb_run_index *index)
{
	const struct dataset *runs = in->runs, *failures = in->failures;
	const size_t n_failing = in->fit.did_less.n;
	int64_t *number = calloc(runs->n + failures->n + n_failing + 1, sizeof *number), *failing;
	size_t n = 0;

	if (!number)
		return NULL;
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->status[i] != RUN_OK)
			number[n++] = runs->run_id[i];
	}
	for (size_t i = 0; i < failures->n; i++)
		number[n++] = failures->run_id[i];
	failing = number + n;
	/* They were appended. */
	for (size_t k = 0; k < n_failing; k++)
		failing[k] = failures->run_id[failures->n - n_failing + k];
	qsort(number, n, sizeof *number, by_number);
	qsort(failing, n_failing, sizeof *failing, by_number);
	index->unended = number;
	index->n_unended = n;
	index->failing = failing;
	index->n_failing = n_failing;
	return number;
}

/* For questions, which must not wait for all runs to be read. */
static enum err_code store_index(struct kb *kb, const struct mine_target *on,
				 const struct mine_input *in, struct err *e)
{
	const struct dataset *runs = in->runs;
	struct kb_run_index index = {.n_nodes = 0};
	unsigned char *keep = calloc(runs->n + 1, sizeof *keep);
	struct dataset *kept = NULL;
	int64_t *unended = NULL;
	enum err_code rc = keep ? ERR_OK : err_set(e, ERR_NOMEM, "an index of %zu runs", runs->n);
	bool all = true;

	/* What cannot be right is not shown to questions, either. */
	for (size_t i = 0; i < runs->n && !rc; i++) {
		keep[i] = runs->flagged[i] != FLAG_SCREENED;
		all = all && keep[i];
	}
	if (!rc && !all)
		rc = dataset_subset(runs, keep, &kept, e);
	if (!rc)
		rc = run_index_make(all ? runs : kept, &index, e);
	if (!rc && !(unended = find_unended(in, &index)))
		rc = err_set(e, ERR_NOMEM, "an index of %zu runs", runs->n);
	if (!rc)
		rc = kb_put_run_index(kb, on->app_id, on->machine_id,
				      index.n_configurations > 0 ? &index : NULL, e);
	run_index_release(&index);
	dataset_free(kept);
	free(keep);
	free(unended);
	return rc;
}

static enum err_code store(struct kb *kb, const struct mine_target *on, const struct mine_input *in,
			   const struct mine_outcome *o, struct err *e)
{
	enum err_code rc = kb_begin(kb, e);

	if (rc)
		return rc;
	if ((rc = kb_put_message_cost(kb, on->machine_id, in->segment, in->fit.n_segment, e)) ||
	    (rc = kb_put_fit(kb, &o->fit, e)) ||
	    (rc = kb_put_rules(kb, on->app_id, on->machine_id, &o->rules, e)) ||
	    (rc = store_index(kb, on, in, e)) || (rc = outdate_general(kb, on, e)) ||
	    (rc = kb_commit(kb, e)))
		kb_rollback(kb);
	return rc;
}

/* Counts that `mine` tells of runs that cannot be right. */
static enum err_code store_screen(const struct fit_input *in, struct kb_fit *fit, struct err *e)
{
	const struct run_screen *s = &in->screen;
	const double n = (double)(s->n_fast + s->n_slow);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	short_runs_explain(&in->did_less, &text);
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "what columns beside runs say");
	else if (text.len > 0)
		rc = kb_fit_add(fit, "short_runs", (double)in->did_less.n, NAN, "",
				strbuf_text(&text) + 1, e);
	strbuf_release(&text);

	if (!rc && n > 0)
		rc = kb_fit_add(fit, "left_out_runs", n, NAN, "", "cannot be right", e);
	if (!rc && s->n_no_time > 0)
		rc = kb_fit_add(fit, "no_time", s->no_time_s, NAN, "s",
				"stands where there was no time: these runs failed", e);
	if (!rc && s->n_cut > 0)
		rc = kb_fit_add(fit, "unsaid_limit", s->limit_s, NAN, "s",
				"runs were cut there, though nobody said so", e);
	if (!rc && s->repeats_differ > 0)
		rc = kb_fit_add(fit, "repeats_differ", s->repeats_differ, NAN, "",
				"longest over shortest time of a configuration", e);
	return rc;
}

/* What is made of the runs, without the base. */
static enum err_code learn(const struct mine_target *on, const struct mine_input *in,
			   const struct progress *p, struct kb_fit *fit, struct mined *mined,
			   struct err *e)
{
	struct predictor *predictor = NULL;
	enum err_code rc;

	if (!(rc = predictor_fit(NULL, &in->fit, &predictor, e)) &&
	    !(rc = predictor_store(predictor, fit, e)) && !(rc = store_screen(&in->fit, fit, e)))
		rc = mine_rules(in->runs, in->failures, on->machine->name, predictor, p, mined, e);
	predictor_free(predictor);
	return rc;
}

static enum err_code mine_anew(struct kb *kb, const struct mine_target *on, struct runs_of_all *all,
			       const struct mine_gate *gate, const struct progress *p,
			       const char *snapshot, struct mine_outcome *out, struct err *e)
{
	struct mine_input in = {0};
	struct mined mined = {.rules = {.n = 0}};
	enum err_code rc;

	if ((all && (rc = read_all(kb, on, all, gate, p, e))) ||
	    (rc = load_input(kb, on, all, p, &in, e)))
		goto done;
	if (gate)
		gate->leave(gate->arg);
	rc = learn(on, &in, p, &out->fit, &mined, e);
	if (gate && !gate->enter(gate->arg) && !rc)
		rc = err_set(e, ERR_INTERRUPTED, "interrupted while mining");
	if (rc)
		goto done;
	out->fit.app_id = on->app_id;
	out->fit.machine_id = on->machine_id;
	memcpy(out->fit.snapshot, snapshot, sizeof out->fit.snapshot);
	name_rules(&mined, snapshot, &out->rules);
	out->changed = true;
	rc = store(kb, on, &in, out, e);
done:
	mined_release(&mined);
	mine_input_release(&in);
	return rc;
}

/* The index may be of runs that have other numbers by now, though they say the same. */
static enum err_code mend_index(struct kb *kb, const struct mine_target *on,
				const struct progress *p, struct err *e)
{
	struct mine_input in = {0};
	struct err why = {0};
	bool found = false;
	enum err_code rc =
		kb_check_run_index(kb, on->app, on->app_id, on->machine_id, &found, &why);

	if (rc && rc != ERR_DAMAGED)
		return err_set(e, rc, "%s", why.msg);
	if (!rc && found)
		return ERR_OK;
	if (!(rc = load_screened(kb, on, NULL, p, &in, e)))
		rc = store_index(kb, on, &in, e);
	mine_input_release(&in);
	return rc;
}

/* A fit that the disk has damaged is not kept, however current. */
static bool costs_are_sound(struct kb *kb, int64_t machine_id)
{
	struct cost_segment *segment = NULL;
	size_t n;
	enum err_code rc = kb_get_message_cost(kb, machine_id, &segment, &n, NULL);

	free(segment);
	return rc != ERR_DAMAGED;
}

/* Put again, current knowledge changes nothing, unless it is from before there were digests. */
static enum err_code seal(struct kb *kb, const struct mine_target *on, const struct mine_outcome *o,
			  struct err *e)
{
	struct cost_segment *segment = NULL;
	size_t n = 0;
	enum err_code rc;

	if ((rc = kb_get_message_cost(kb, on->machine_id, &segment, &n, e)))
		return rc;
	if (!(rc = kb_put_message_cost(kb, on->machine_id, segment, n, e)) &&
	    !(rc = kb_put_fit(kb, &o->fit, e)))
		rc = kb_put_rules(kb, on->app_id, on->machine_id, &o->rules, e);
	free(segment);
	return rc;
}

enum err_code mine(struct kb *kb, const struct mine_target *on, const struct progress *p,
		   struct mine_outcome *out, struct err *e)
{
	return mine_among(kb, on, NULL, NULL, p, out, e);
}

enum err_code mine_among(struct kb *kb, const struct mine_target *on, struct runs_of_all *all,
			 const struct mine_gate *gate, const struct progress *p,
			 struct mine_outcome *out, struct err *e)
{
	struct mine_outcome o = {.changed = false};
	char snapshot[65];
	enum err_code rc;

	if ((rc = kb_snapshot(kb, on->app_id, on->machine_id, snapshot, e)) ||
	    (rc = load_before(kb, on, on->machine_id, &o.before, e)))
		return rc;
	if (rules_are_current(&o.before, snapshot) &&
	    !kb_get_fit(kb, on->app_id, on->machine_id, &o.fit, NULL) &&
	    mine_is_current(&o.fit, snapshot) && is_usable(&o.fit, on->app) &&
	    costs_are_sound(kb, on->machine_id)) {
		if (!(rc = kb_get_rules(kb, on->app_id, on->machine_id, &o.rules, e)) &&
		    !(rc = seal(kb, on, &o, e)))
			rc = mend_index(kb, on, p, e);
	} else {
		kb_fit_release(&o.fit);
		o.fit = (struct kb_fit){0};
		rc = mine_anew(kb, on, all, gate, p, snapshot, &o, e);
	}
	if (rc)
		mine_outcome_release(&o);
	else
		*out = o;
	return rc;
}

static enum err_code count_machines(struct kb *kb, int64_t app_id, size_t *n, struct err *e)
{
	struct kb_names machines = {0};
	enum err_code rc = kb_list_machines(kb, app_id, &machines, e);

	*n = 0;
	for (size_t i = 0; !rc && i < machines.n; i++)
		*n += machines.item[i].n_runs > 0;
	kb_names_release(&machines);
	return rc;
}

/* Which rules of single machines are said by those of all of them as well. */
static enum err_code find_covered(struct kb *kb, const struct mine_target *on,
				  const struct dataset *runs, struct rule_list *general,
				  struct err *e)
{
	struct kb_names machines = {0};
	enum err_code rc = kb_list_machines(kb, on->app_id, &machines, e);

	for (size_t i = 0; i < machines.n && !rc; i++) {
		struct kb_rules own = {.version = 0};

		if (!(rc = load_before(kb, on, machines.item[i].id, &own, e)))
			rc = rule_covers_find(runs, machines.item[i].id, &own.rules, general, e);
		kb_rules_release(&own);
	}
	kb_names_release(&machines);
	return rc;
}

/* Runs of which none failed need no copy. */
static enum err_code use_up(struct runs_of_all *all, struct dataset **out, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t n_failed = 0;

	for (size_t i = 0; i < all->runs->n; i++)
		n_failed += all->runs->status[i] == RUN_FAILED;
	if (n_failed > 0) {
		rc = take_runs(all->runs, 0, false, out, e);
		runs_of_all_release(all);
	} else {
		*out = all->runs;
		all->runs = NULL;
	}
	return rc;
}

static enum err_code mine_all_anew(struct kb *kb, const struct mine_target *on,
				   struct runs_of_all *all, const struct progress *p,
				   const char *snapshot, struct mine_outcome *out, struct err *e)
{
	struct dataset *runs = NULL;
	struct mined mined = {.rules = {.n = 0}};
	enum err_code rc;

	if ((all->runs && (rc = read_all(kb, on, all, NULL, p, e))) ||
	    (rc = all->runs ? use_up(all, &runs, e)
			    : kb_load_runs(kb, on->app, NULL, p, &runs, e)) ||
	    (rc = dataset_order_by_content(runs, e)) ||
	    (rc = mine_rules(runs, NULL, NULL, NULL, p, &mined, e)) ||
	    (rc = find_covered(kb, on, runs, &mined.rules, e)))
		goto done;
	name_rules(&mined, snapshot, &out->rules);
	out->changed = true;
	rc = kb_put_rules(kb, on->app_id, 0, &out->rules, e);
done:
	mined_release(&mined);
	dataset_free(runs);
	return rc;
}

enum err_code mine_all_machines(struct kb *kb, const struct mine_target *on,
				struct runs_of_all *all, const struct progress *p,
				struct mine_outcome *out, struct err *e)
{
	struct mine_outcome o = {.changed = false};
	char snapshot[65];
	size_t n_machines;
	enum err_code rc;

	if ((rc = count_machines(kb, on->app_id, &n_machines, e)) ||
	    (rc = kb_snapshot_all(kb, on->app_id, snapshot, e)) ||
	    (rc = load_before(kb, on, 0, &o.before, e)))
		return rc;
	if (n_machines < 2) {
		o.changed = o.before.snapshot[0] != '\0';
		rc = o.changed ? kb_drop_rules(kb, on->app_id, 0, e) : ERR_OK;
	} else if (rules_are_current(&o.before, snapshot)) {
		if (!(rc = kb_get_rules(kb, on->app_id, 0, &o.rules, e)))
			rc = kb_put_rules(kb, on->app_id, 0, &o.rules, e);
	} else {
		rc = mine_all_anew(kb, on, all, p, snapshot, &o, e);
	}
	if (rc)
		mine_outcome_release(&o);
	else
		*out = o;
	return rc;
}

enum err_code mine_load(struct kb *kb, const struct mine_target *on, struct predictor **out,
			bool *stale, char snapshot[65], struct err *e)
{
	struct kb_fit fit = {0};
	char now[65];
	enum err_code rc;

	if ((rc = kb_get_fit(kb, on->app_id, on->machine_id, &fit, e)) ||
	    (rc = kb_snapshot(kb, on->app_id, on->machine_id, now, e)) ||
	    (rc = predictor_load(&fit, on->app, out, e)))
		goto done;
	*stale = !mine_is_current(&fit, now);
	memcpy(snapshot, fit.snapshot, sizeof fit.snapshot);
done:
	kb_fit_release(&fit);
	return rc;
}
