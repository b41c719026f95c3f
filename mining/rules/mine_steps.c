#include "mining/rules/mine_steps.h"

#include <pthread.h>
#include <stdbool.h>

#include "mining/cases/rule_miners.h"

/* Level of the comparison of ranked choices. */
#define RANKING_ALPHA 0.05

/* Steps write to different places, so that two threads take them in turn, the longest first. */
enum step {
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
	const struct mine_input *in;
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
static bool ask(void *arg, const char *what, uint64_t done, uint64_t total)
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

static enum err_code take_step(struct steps *s, enum step step, struct err *e)
{
	const struct mine_input *in = s->in;
	struct progress p = {.step = ask, .arg = s};
	struct rule_list *rules = &s->rules[step];

	switch (step) {
	case STEP_CHOICE:
		return mine_choice_rules(in->t, &p, rules, e);
	case STEP_TIME:
		return in->machine ? mine_time_rules(in->t, in->base, &p, rules, e) : ERR_OK;
	case STEP_SETTING:
		return mine_setting_rules(in->t, &p, rules, e);
	case STEP_INVARIANTS:
		return in->machine ? mine_invariants(in->runs, in->t, &p, rules, e) : ERR_OK;
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

static enum step next_step(struct steps *s)
{
	int step;

	pthread_mutex_lock(&s->lock);
	step = s->stopped ? STEP_COUNT : s->next;
	s->next += step < STEP_COUNT;
	pthread_mutex_unlock(&s->lock);
	return (enum step)step;
}

static void *take_steps(void *arg)
{
	struct steps *s = arg;
	enum step step;

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
	static const enum step order[] = {STEP_CHOICE, STEP_SETTING, STEP_TIME, STEP_INVARIANTS};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		struct rule_list *from = &s->rules[order[k]];

		for (size_t r = 0; r < from->n && !rc; r++)
			rc = rule_list_add(out, &from->item[r], e);
	}
	return rc;
}

enum err_code mine_steps(const struct mine_input *in, const struct progress *p,
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
