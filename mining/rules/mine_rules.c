#include "mining/rules/mine_rules.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/progress.h"
#include "domain/findings.h"
#include "domain/rule.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/case_contrast.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/rules/rule_notes.h"
#include "mining/rules/rule_residuals.h"

/* ---- machines ---- */

/* Configurations within the rule (or the setting) that a machine needs to have a say, and how sure
 * it must be: a choice, as each machine is asked on its own. */
enum { MIN_IN = 5 };
#define ENOUGH_P 0.1

enum machine_agreement { TOO_FEW_TO_SAY, AGREES, DISAGREES };

static int by_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The machines of the configurations, each once. The caller frees. */
static int64_t *list_machines(const struct slowdown_table *t, size_t *n, struct err *e)
{
	int64_t *id = malloc((t->n + 1) * sizeof *id);

	*n = 0;
	if (!id) {
		err_set(e, ERR_NOMEM, "machines of %zu configurations", t->n);
		return NULL;
	}
	for (size_t i = 0; i < t->n; i++) {
		const int64_t machine = t->runs->machine_id[t->first_run[i]];
		size_t k = 0;

		/* machines are few: cheaper than to sort the configurations */
		while (k < *n && id[k] != machine)
			k++;
		if (k == *n)
			id[(*n)++] = machine;
	}
	qsort(id, *n, sizeof *id, by_id);
	return id;
}

/* The configurations of one machine among which the rule makes a difference: for a setting those
 * that its condition speaks of. */
static enum err_code part_of(const struct slowdown_table *t, int64_t machine, const struct rule *r,
			     const struct rule_test *test, struct slowdown_table **out,
			     struct err *e)
{
	unsigned char *keep = calloc(t->n + 1, 1);
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "configurations of a machine");
	for (size_t i = 0; i < t->n; i++)
		keep[i] =
			t->runs->machine_id[t->first_run[i]] == machine &&
			(r->kind != RULE_SETTING || rule_condition_holds(test, slowdown_row(t, i)));
	rc = slowdown_table_subset(t, keep, out, e);
	free(keep);
	return rc;
}

static enum err_code ask(const struct slowdown_table *part, const struct rule *r,
			 const struct rule_test *test, enum machine_agreement *out, struct err *e)
{
	struct case_contrast c = {0};
	struct contrast slower = {.beta = 0};
	unsigned char *in = NULL;
	enum err_code rc = case_contrast_make(part, &c, e);

	if (rc)
		return rc;
	in = malloc(c.n + 1);
	if (!in) {
		rc = err_set(e, ERR_NOMEM, "configurations of a machine");
		goto done;
	}
	/* Out of the setting is slower than in it: then both kinds ask the same question. */
	for (size_t k = 0; k < c.n; k++) {
		const double *row = slowdown_row(part, c.item[k]);

		in[k] = r->kind == RULE_SETTING ? !rule_setting_holds(test, row)
						: rule_condition_holds(test, row);
	}
	if ((rc = case_contrast_measure(&c, in, &slower, e)))
		goto done;
	if (slower.n_in < MIN_IN || slower.n_blocks < 3 || !(slower.variance > 0))
		*out = TOO_FEW_TO_SAY;
	else
		*out = slower.beta > 0 && slower.p <= ENOUGH_P ? AGREES : DISAGREES;
done:
	free(in);
	case_contrast_release(&c);
	return rc;
}

static enum err_code holds_everywhere(const struct slowdown_table *t, const int64_t *machine,
				      size_t n, const struct rule *r, bool *holds, struct err *e)
{
	struct rule_test *test = NULL;
	size_t n_agree = 0, n_disagree = 0;
	enum err_code rc = rule_test_new(t->app, r, &test, e);

	for (size_t m = 0; m < n && !rc; m++) {
		struct slowdown_table *part = NULL;
		enum machine_agreement says = TOO_FEW_TO_SAY;

		if (!(rc = part_of(t, machine[m], r, test, &part, e)))
			rc = ask(part, r, test, &says, e);
		n_agree += says == AGREES;
		n_disagree += says == DISAGREES;
		slowdown_table_free(part);
	}
	rule_test_free(test);
	*holds = n_agree >= 2 && n_disagree == 0;
	return rc;
}

enum err_code rule_machines_keep(const struct slowdown_table *t, struct rule_list *rules,
				 struct err *e)
{
	size_t n = 0, n_machines;
	int64_t *machine = list_machines(t, &n_machines, e);
	enum err_code rc = machine ? ERR_OK : ERR_NOMEM;

	for (size_t r = 0; r < rules->n && !rc; r++) {
		bool holds = false;

		if (rules->item[r].kind != RULE_TIME)
			rc = holds_everywhere(t, machine, n_machines, &rules->item[r], &holds, e);
		if (rc)
			break;
		if (!holds) {
			rule_release(&rules->item[r]);
			continue;
		}
		if (n != r) {
			rules->item[n] = rules->item[r];
			memset(&rules->item[r], 0, sizeof rules->item[r]);
		}
		n++;
	}
	if (!rc)
		rules->n = n;
	free(machine);
	return rc;
}

/* ---- steps ---- */

/* What the miners read: runs is the dataset that t was made of. machine NULL: several, and no time
 * rules. base (may be NULL): what time rules are to better. */
struct miner_input {
	const struct dataset *runs, *failures;
	const struct slowdown_table *t;
	const char *machine;
	const struct predictor *base;
};

/* Level of the comparison of ranked choices. */
#define RANKING_ALPHA 0.05

/* Steps write to different places, so that two threads take them in turn, the longest first. */
enum mining_step {
	STEP_CHOICE,
	STEP_TIME,
	STEP_SETTING,
	STEP_INVARIANTS,
	STEP_EFFECTS,
	STEP_PROFILE,
	STEP_HYPOTHESES,
	STEP_RANKING,
	STEP_COUNT
};
enum { THREADS = 2 };

struct steps {
	const struct miner_input *in;
	struct findings *findings;
	const struct progress *progress; /* of the caller: asked by one thread at a time */
	struct rule_list rules[STEP_COUNT];
	struct err error[STEP_COUNT];
	enum err_code rc[STEP_COUNT];
	pthread_mutex_t lock; /* of next, stopped and progress */
	int next;
	bool stopped;
};

/* The progress of a step: how far it is in itself says nothing of the whole, how many steps are
 * taken does. */
static bool ask_caller(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct steps *s = arg;
	bool go_on;

	(void)what, (void)done, (void)total;
	pthread_mutex_lock(&s->lock);
	s->stopped = s->stopped ||
		     !progress_step(s->progress, "finding rules", (uint64_t)s->next, STEP_COUNT);
	go_on = !s->stopped;
	pthread_mutex_unlock(&s->lock);
	return go_on;
}

static enum err_code take_step(struct steps *s, enum mining_step step, struct err *e)
{
	const struct miner_input *in = s->in;
	struct progress p = {.step = ask_caller, .arg = s};
	struct rule_list *rules = &s->rules[step];

	switch (step) {
	case STEP_CHOICE:
		return mine_choice_rules(in->t, &p, rules, e);
	case STEP_TIME:
		return in->machine ? mine_time_rules(in->t, in->base, &p, rules, e) : ERR_OK;
	case STEP_SETTING:
		return mine_setting_rules(in->t, &p, rules, e);
	case STEP_INVARIANTS:
		return in->machine ? mine_invariants(in->runs, in->failures, in->t, &p, rules, e)
				   : ERR_OK;
	case STEP_EFFECTS:
		return mine_effects(in->t, &p, s->findings, e);
	case STEP_PROFILE:
		return mine_profile(in->runs, in->t, s->findings, e);
	case STEP_HYPOTHESES:
		return mine_hypotheses(in->t, s->findings, e);
	case STEP_RANKING:
		return mine_ranking(in->t, RANKING_ALPHA, s->findings, e);
	case STEP_COUNT:
		break;
	}
	return ERR_OK;
}

static enum mining_step next_step(struct steps *s)
{
	int step;

	pthread_mutex_lock(&s->lock);
	step = s->stopped ? STEP_COUNT : s->next;
	s->next += step < STEP_COUNT;
	pthread_mutex_unlock(&s->lock);
	return (enum mining_step)step;
}

static void *take_steps(void *arg)
{
	struct steps *s = arg;
	enum mining_step step;

	while ((step = next_step(s)) != STEP_COUNT) {
		s->rc[step] = take_step(s, step, &s->error[step]);
		if (s->rc[step]) {
			pthread_mutex_lock(&s->lock);
			s->stopped = true;
			pthread_mutex_unlock(&s->lock);
		}
	}
	return NULL;
}

/* The error of the step that failed for a reason of its own; being stopped is none. */
static enum err_code first_error(const struct steps *s, struct err *e)
{
	int at = -1;

	for (int k = 0; k < STEP_COUNT; k++) {
		if (s->rc[k] &&
		    (at < 0 || (s->rc[at] == ERR_INTERRUPTED && s->rc[k] != ERR_INTERRUPTED)))
			at = k;
	}
	return at < 0 ? ERR_OK : err_set(e, s->rc[at], "%s", s->error[at].msg);
}

static enum err_code gather_rules(struct steps *s, struct rule_list *out, struct err *e)
{
	static const enum mining_step order[] = {STEP_CHOICE, STEP_SETTING, STEP_TIME,
						 STEP_INVARIANTS};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		struct rule_list *from = &s->rules[order[k]];

		for (size_t r = 0; r < from->n && !rc; r++)
			rc = rule_list_add(out, &from->item[r], e);
	}
	return rc;
}

/* Runs every miner on the input, two at a time, and adds what they find to findings and rules, in
 * an order that does not depend on the threads. After an error or an interruption both are to be
 * released. Errors: NOMEM, INTERRUPTED. */
static enum err_code mine_steps(const struct miner_input *in, const struct progress *p,
				struct findings *findings, struct rule_list *rules, struct err *e)
{
	struct steps s = {.in = in, .findings = findings, .progress = p};
	pthread_t helper[THREADS - 1];
	int n_helpers = 0;
	enum err_code rc;

	pthread_mutex_init(&s.lock, NULL);
	/* without a helper it takes longer, that is all */
	while (n_helpers < THREADS - 1 && !pthread_create(&helper[n_helpers], NULL, take_steps, &s))
		n_helpers++;
	take_steps(&s);
	for (int k = 0; k < n_helpers; k++)
		pthread_join(helper[k], NULL);
	pthread_mutex_destroy(&s.lock);
	if (!(rc = first_error(&s, e)))
		rc = gather_rules(&s, rules, e);
	for (int k = 0; k < STEP_COUNT; k++)
		rule_list_release(&s.rules[k]);
	return rc;
}

/* ---- all rules ---- */

void mined_release(struct mined *m)
{
	rule_list_release(&m->rules);
	findings_release(&m->findings);
}

static int by_usefulness(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	if (x->evidence.usefulness != y->evidence.usefulness)
		return x->evidence.usefulness < y->evidence.usefulness ? 1 : -1;
	return strcmp(x->id, y->id);
}

/* Of time rules nothing is said of how often they are right: that takes predictions. */
static enum err_code count_counter_examples(const struct slowdown_table *t, struct rule *r,
					    struct err *e)
{
	struct rule_residuals w = {0};
	enum err_code rc;

	if (r->kind != RULE_CHOICE && r->kind != RULE_SETTING)
		return ERR_OK;
	if ((rc = rule_residuals_make(t, r, NULL, &w, e)))
		return rc;
	r->evidence.n_checked = (int64_t)w.n_checked;
	r->evidence.n_counter = (int64_t)w.n_counter;
	rule_residuals_release(&w);
	return ERR_OK;
}

/* Both halves of the runs may lead to the same words, and a rule is what it says: of those with one
 * name the most useful stays. */
static void drop_repeated(struct rule_list *l)
{
	size_t n = 0;

	for (size_t r = 0; r < l->n; r++) {
		struct rule rule = l->item[r];
		bool is_said = false;

		for (size_t k = 0; k < n && !is_said; k++)
			is_said = !strcmp(l->item[k].id, rule.id);
		if (is_said)
			rule_release(&rule);
		else
			l->item[n++] = rule;
	}
	l->n = n;
}

/* By usefulness, each once. */
static enum err_code name_and_order(const struct application *app, struct rule_list *l,
				    struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t r = 0; r < l->n && !rc; r++)
		rc = rule_identify(app, &l->item[r], e);
	if (rc || l->n == 0)
		return rc;
	qsort(l->item, l->n, sizeof l->item[0], by_usefulness);
	drop_repeated(l);
	return ERR_OK;
}

/* Names, counts and order. */
static enum err_code finish(const struct slowdown_table *t, const char *machine,
			    const struct progress *p, struct rule_list *rules, struct err *e)
{
	unsigned char *holds = NULL;
	enum err_code rc = ERR_OK;

	for (size_t r = 0; r < rules->n && !rc; r++) {
		struct rule *rule = &rules->item[r];

		if (machine && !(rule->machine = strdup(machine)))
			rc = err_set(e, ERR_NOMEM, "machine of a rule");
	}
	if (rc || (rc = name_and_order(t->app, rules, e)) || (rc = rule_caveats_add(t, rules, e)) ||
	    (rc = rule_support_mark(t, rules, p, &holds, e)))
		return rc;
	if (!(rc = rule_support_count(t, holds, rules, e))) {
		rule_support_overlaps(t, holds, rules);
		rc = rule_twins_mark(t, holds, rules, e);
	}
	for (size_t r = 0; r < rules->n && !rc; r++)
		rc = count_counter_examples(t, &rules->item[r], e);
	free(holds);
	return rc;
}

enum err_code mine_rules(const struct dataset *runs, const struct dataset *failures,
			 const char *machine, const struct predictor *base,
			 const struct progress *p, struct mined *out, struct err *e)
{
	struct mined m = {.rules = {.n = 0}};
	struct slowdown_table *t = NULL;
	struct miner_input in;
	struct err why = {0};
	enum err_code rc = slowdown_table_make(runs, p, &t, &why);

	if (rc == ERR_NODATA) { /* no run ended well: nothing is found, and that is no error */
		*out = m;
		return ERR_OK;
	}
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	in = (struct miner_input){
		.runs = runs, .failures = failures, .t = t, .machine = machine, .base = base};
	if ((rc = mine_steps(&in, p, &m.findings, &m.rules, e)) ||
	    (!machine && (rc = rule_machines_keep(t, &m.rules, e))) ||
	    (rc = finish(t, machine, p, &m.rules, e)))
		mined_release(&m);
	else
		*out = m;
	slowdown_table_free(t);
	return rc;
}

void rule_set_release(struct rule_set *s)
{
	for (size_t r = 0; s->test && r < s->rules.n; r++)
		rule_test_free(s->test[r]);
	free(s->test);
	rule_list_release(&s->rules);
	*s = (struct rule_set){.test = NULL};
}

enum err_code rule_set_make(const struct application *app, struct rule_list *mined,
			    struct rule_set *out, struct err *e)
{
	struct rule_set s = {.rules = *mined, .test = calloc(mined->n + 1, sizeof *s.test)};
	enum err_code rc = ERR_OK;

	*mined = (struct rule_list){0};
	if (!s.test)
		rc = err_set(e, ERR_NOMEM, "%zu rules", s.rules.n);
	if (!rc)
		rc = name_and_order(app, &s.rules, e);
	for (size_t r = 0; r < s.rules.n && !rc; r++)
		rc = rule_test_new(app, &s.rules.item[r], &s.test[r], e);
	if (rc)
		rule_set_release(&s);
	else
		*out = s;
	return rc;
}

/* ---- what re-mining changed ---- */

static const struct rule *find_id(const struct rule_list *l, const char *id)
{
	for (size_t k = 0; k < l->n; k++) {
		if (!strcmp(l->item[k].id, id))
			return &l->item[k];
	}
	return NULL;
}

static enum err_code same_shape(const struct application *a, const struct rule *x,
				const struct rule *y, bool *same, struct err *e)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_shape(a, x, &one);
	rule_put_shape(a, y, &other);
	if (one.failed || other.failed)
		rc = err_set(e, ERR_NOMEM, "shapes of rules");
	else
		*same = !strcmp(strbuf_text(&one), strbuf_text(&other));
	strbuf_release(&one);
	strbuf_release(&other);
	return rc;
}

/* A rule that was lost takes the first gained one of its shape that no other one took. */
static enum err_code add_lost(const struct application *a, const struct rule *lost,
			      struct rule_change *change, size_t n_gained, size_t *n, struct err *e)
{
	for (size_t k = 0; k < n_gained; k++) {
		bool same = false;
		enum err_code rc;

		if (change[k].before)
			continue;
		if ((rc = same_shape(a, lost, change[k].after, &same, e)))
			return rc;
		if (same) {
			change[k].before = lost;
			return ERR_OK;
		}
	}
	change[(*n)++] = (struct rule_change){.before = lost};
	return ERR_OK;
}

enum err_code rule_changes(const struct application *a, const struct rule_list *before,
			   const struct rule_list *after, struct rule_change **out, size_t *n,
			   struct err *e)
{
	struct rule_change *change = calloc(before->n + after->n + 1, sizeof *change);
	size_t n_made = 0, n_gained;
	enum err_code rc = ERR_OK;

	if (!change)
		return err_set(e, ERR_NOMEM, "changes of rules");
	for (size_t k = 0; k < after->n; k++) {
		if (!find_id(before, after->item[k].id))
			change[n_made++].after = &after->item[k];
	}
	n_gained = n_made;
	for (size_t k = 0; k < before->n && !rc; k++) {
		if (!find_id(after, before->item[k].id))
			rc = add_lost(a, &before->item[k], change, n_gained, &n_made, e);
	}
	if (rc) {
		free(change);
		return rc;
	}
	*out = change;
	*n = n_made;
	return ERR_OK;
}
