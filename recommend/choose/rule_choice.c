#include "recommend/choose/rule_choice.h"

#include <stdlib.h>
#include <string.h>

#include "recommend/choose/alternatives.h"

/* Rules for a configuration less rules against it. */
struct score {
	int accepted, others;
};

struct rule_vote {
	const struct rule_advice *rules;
	const struct search *search;
	struct same_resource_set *same;
	enum criterion criterion;
	struct winner first;   /* the best by prediction; its row is the search's */
	struct winner *chosen; /* of those seen so far */
	struct score best;     /* of chosen */
	struct score *score;   /* [same->n], of those tied */
	enum rule_says *says;  /* of the candidate that is looked at; [count] */
	uint64_t n_tied;       /* 0: no rule has a say */
	bool moved;	       /* the choice away from the first */
	bool *can_follow;      /* [count]: some candidate does what the rule says */
	/* How many ties rule y is not against; how many of them rule x is not against either. */
	size_t *content;      /* [count] */
	size_t *content_with; /* [x * count + y], of accepted x and other y */
};

static bool is_accepted(const struct rule_vote *t, size_t i_rule)
{
	return rule_advice_get(t->rules, i_rule)->state == RULE_STATE_ACCEPTED;
}

static enum err_code make_room(struct rule_vote *t, struct err *e)
{
	size_t n = rule_advice_count(t->rules);

	t->score = calloc(t->same->n + 1, sizeof *t->score);
	t->says = calloc(n + 1, sizeof *t->says);
	t->can_follow = calloc(n + 1, sizeof *t->can_follow);
	t->content = calloc(n + 1, sizeof *t->content);
	t->content_with = calloc(n * n + 1, sizeof *t->content_with);
	if (!t->score || !t->says || !t->can_follow || !t->content || !t->content_with)
		return err_set(e, ERR_NOMEM, "what %zu rules say", n);
	return ERR_OK;
}

void rule_vote_free(struct rule_vote *t)
{
	if (!t)
		return;
	free(t->score);
	free(t->says);
	free(t->can_follow);
	free(t->content);
	free(t->content_with);
	free(t);
}

/* ---- one candidate ---- */

static bool has_say(const struct rule_vote *t, size_t i_rule)
{
	const struct rule *r = rule_advice_get(t->rules, i_rule)->rule;

	return is_accepted(t, i_rule) || r->kind != RULE_SETTING || r->within <= t->same->within;
}

static struct score score_of(const struct rule_vote *t)
{
	struct score s = {0, 0};

	for (size_t i = 0; i < rule_advice_count(t->rules); i++) {
		if (is_accepted(t, i))
			s.accepted += (int)t->says[i];
		else if (has_say(t, i))
			s.others += (int)t->says[i];
	}
	return s;
}

static void count_content(struct rule_vote *t)
{
	size_t n = rule_advice_count(t->rules);

	for (size_t y = 0; y < n; y++)
		t->content[y] += t->says[y] != RULE_AGAINST;
	/* accepted ones come first */
	for (size_t x = 0; x < n && is_accepted(t, x); x++) {
		if (t->says[x] == RULE_AGAINST)
			continue;
		for (size_t y = 0; y < n; y++)
			t->content_with[x * n + y] += t->says[y] != RULE_AGAINST;
	}
}

static void count_tie(struct rule_vote *t, const double *row)
{
	rule_advice_ask(t->rules, row, t->says);
	count_content(t);
	t->n_tied++;
}

/* -1: x is preferred, 0: the criterion decides. */
static int compare_scores(const struct score *x, const struct score *y)
{
	if (x->accepted != y->accepted)
		return x->accepted > y->accepted ? -1 : 1;
	return x->others == y->others ? 0 : x->others > y->others ? -1 : 1;
}

static void note_followed(struct rule_vote *t, const double *row)
{
	rule_advice_ask(t->rules, row, t->says);
	for (size_t i = 0; i < rule_advice_count(t->rules); i++)
		t->can_follow[i] |= t->says[i] == RULE_FOR;
}

static void consider(struct rule_vote *t, size_t i)
{
	const struct advice_request *q = t->search->request;
	const double *row = same_resource_set_row(t->same, i);
	struct feasibility o =
		search_feasibility(t->search, t->first.feasibility.nodes, row, &t->same->at[i]);
	struct rank_key key = rank_key(t->criterion, &o);
	int order;

	if (i != t->same->i_best)
		count_tie(t, row);
	t->score[i] = score_of(t);
	order = compare_scores(&t->score[i], &t->best);
	if (order > 0 || (order == 0 && !winner_is_beaten(t->chosen, &key, &o, t->first.procs, row,
							  q->app->n_columns)))
		return;
	t->best = t->score[i];
	same_resource_set_choose(t->search, t->same, i, t->criterion, t->chosen);
}

static void count_votes(struct rule_vote *t)
{
	struct same_resource_set *p = t->same;

	count_tie(t, t->first.row);
	t->best = score_of(t);
	for (size_t i = 0; i < p->n; i++) {
		note_followed(t, same_resource_set_row(p, i));
		if (p->tied[i])
			consider(t, i);
	}
	for (size_t i = 0; i < p->n; i++)
		p->tied[i] = p->tied[i] && compare_scores(&t->score[i], &t->best) == 0;
}

/* ---- what came of it ---- */

/* The rules that make the difference between the choice and the best by prediction. */
static enum err_code name_reasons(const struct rule_vote *t, struct rule_choice *out, struct err *e)
{
	size_t n = rule_advice_count(t->rules);
	enum rule_says *of_first = calloc(n + 1, sizeof *of_first);

	out->because = calloc(n + 1, sizeof *out->because);
	if (!of_first || !out->because) {
		free(of_first);
		return err_set(e, ERR_NOMEM, "reasons of %zu rules", n);
	}
	rule_advice_ask(t->rules, t->first.row, of_first);
	rule_advice_ask(t->rules, t->chosen->row, t->says);
	for (size_t i = 0; i < n; i++) {
		if (t->says[i] > of_first[i] && has_say(t, i))
			out->because[out->n_because++] = rule_advice_get(t->rules, i)->rule;
	}
	free(of_first);
	return ERR_OK;
}

/* An accepted rule was preferred to another that is against the choice, if the other could have
 * been heeded, but never together with the accepted one. */
static enum err_code name_preferences(struct rule_vote *t, struct rule_report *report,
				      struct err *e)
{
	size_t n = rule_advice_count(t->rules);
	enum err_code rc = ERR_OK;

	rule_advice_ask(t->rules, t->chosen->row, t->says);
	for (size_t y = 0; y < n; y++) {
		if (is_accepted(t, y) || t->says[y] != RULE_AGAINST || t->content[y] == 0)
			continue;
		for (size_t x = 0; x < n && is_accepted(t, x) && !rc; x++) {
			if (t->says[x] != RULE_AGAINST && t->content_with[x * n + y] == 0)
				rc = rule_report_add_preference(
					report, rule_advice_get(t->rules, x)->rule,
					rule_advice_get(t->rules, y)->rule, e);
		}
	}
	return rc;
}

/* A setting that no legal configuration of these processors has is no reproach to the choice. */
static void drop_impossible(const struct rule_vote *t, struct rule_report *report)
{
	size_t kept = 0;

	for (size_t k = 0; k < report->n; k++) {
		const struct rule_verdict *o = &report->verdict[k];
		bool possible = o->says != RULE_AGAINST || o->of->rule->kind != RULE_SETTING;

		for (size_t i = 0; i < rule_advice_count(t->rules) && !possible; i++)
			possible = rule_advice_get(t->rules, i) == o->of && t->can_follow[i];
		if (possible)
			report->verdict[kept++] = *o;
	}
	report->n = kept;
}

/* Time rules have no say among ties: the predictor has followed them already. */
static bool may_choose(const struct rule_advice *rules)
{
	for (size_t i = 0; i < rule_advice_count(rules); i++) {
		if (rule_advice_get(rules, i)->rule->kind != RULE_TIME)
			return true;
	}
	return false;
}

enum err_code rule_vote_hold(const struct rule_advice *rules, const struct search *s,
			     struct same_resource_set *same, enum criterion c, struct winner *best,
			     struct rule_vote **out, struct err *e)
{
	struct rule_vote *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "a vote of rules");
	*t = (struct rule_vote){.rules = rules,
				.search = s,
				.same = same,
				.criterion = c,
				.first = s->winner[c],
				.chosen = best};
	if (may_choose(rules)) {
		if ((rc = make_room(t, e))) {
			rule_vote_free(t);
			return rc;
		}
		count_votes(t);
		t->moved = !rows_are_equal(t->first.row, best->row, same->n_columns);
	}
	*out = t;
	return ERR_OK;
}

enum err_code rule_vote_report(struct rule_vote *t, struct rule_choice *out,
			       struct rule_report *report, struct err *e)
{
	const struct winner *first = &t->first;
	enum err_code rc =
		rule_advice_report(t->rules, t->chosen->row, &t->chosen->prediction, report, e);

	if (rc || t->n_tied == 0)
		return rc;
	out->n_tied = t->n_tied;
	out->within = t->same->within;
	drop_impossible(t, report);
	if ((rc = name_preferences(t, report, e)) || !t->moved)
		return rc;
	if ((rc = choice_make(t->search->request, first->row, &first->feasibility,
			      &first->prediction, NULL, &out->instead_of, e)))
		return rc;
	return name_reasons(t, out, e);
}

void rule_choice_release(struct rule_choice *c)
{
	free(c->instead_of.row);
	free(c->because);
	*c = (struct rule_choice){0};
}
